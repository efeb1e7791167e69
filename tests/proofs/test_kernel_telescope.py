"""Sums of products that telescope, entries at different places, and horizons from 2 on: found, and not to be forged."""

import json
import random
import re

import pytest
from kernel_papers import LIBRARY

from boundcheck.proofs.kernel import Refused
from boundcheck.proofs.kernel.report import claim_text, read
from boundcheck.proofs.search.outcomes import outcomes

PAGE = """
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "N, T, gam, c, R"

[vectors]
"x[t]" = "server, t = 0 .. T"
"m[t]" = "server"
"e[t]" = "client, t = 0 .. T"
"s" = "server"

[equations]
move = "x[t + 1] = x[t] - gam m[t]"

[numbers]
"A[t]" = "what is paid"

[leaf.shrinks]
says = "|e[t + 1]|^2 <= (1 - c) |e[t]|^2 + A[t] for t"
[leaf.starts]
says = "|e[0]|^2 <= R"

[claim.step]
steps = "move"
shows = "2 gam <m[t], x[t] - s> = |x[t] - s|^2 - |x[t + 1] - s|^2 + gam^2 |m[t]|^2 for t"
[claim.regret]
steps = "step [sum t]"
shows = "2 gam sum(t) <m[t], x[t] - s> <= |x[0] - s|^2 + gam^2 sum(t) |m[t]|^2"
[claim.errors]
steps = "shrinks [sum t]; starts"
shows = "c sum(t) |e[t]|^2 <= R + sum(t) A[t]"
[claim.two]
shows = "A[0] + A[1] <= sum(t) A[t] if T >= 2"
"""
NAMES = ("step", "regret", "errors", "two")
TRIES = 60
"""Altered pages and objects, as many of each kind."""


@pytest.fixture(scope="module")
def proved(tmp_path_factory):
    """Return the page with its added steps, and the object."""
    folder = tmp_path_factory.mktemp("telescope")
    path = folder / "mine.toml"
    path.write_text(PAGE, encoding="utf-8")
    assert {one["id"]: one["verdict"] for one in outcomes(path, certificates=folder)} == dict.fromkeys(NAMES, "proved")
    page = next(one for one in folder.rglob("*.json")).with_suffix(".toml")
    assert page != path or "telescope" in page.read_text(encoding="utf-8")
    return page.read_text(encoding="utf-8"), json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))


def conclusions(text, data, folder):
    """Return what the kernel proves: claims with all that they take as given."""
    (folder / "page.toml").write_text(text, encoding="utf-8")
    try:
        kernel = read(folder / "page.toml", data, LIBRARY)
    except Refused:
        return {}
    return {id_: claim_text(kernel.file.claims[id_]) for id_, one in kernel.verdicts.items() if one.proved}


def test_steps_that_telescope_are_added_and_written_into_the_page(proved):
    text, _ = proved
    assert len(re.findall(r"telescope\(u -> [^;\"]*\) \[sum t\]", text)) >= 2


ALTERED = {
    "numbers": (r"(?<=\")2 gam sum\(t\)", "3 gam sum(t)"),
    "a hypothesis": (r"if T >= 2", "if T >= 1"),
    "a statement": (r"R \+ sum\(t\) A\[t\]", "R"),
    "the rule": (r"(telescope\(.*?\)) \[sum t\]", r"\1 [mean t]"),
    "what telescopes": (r"telescope\(u -> e\[t\]\)", "telescope(u -> 1/2 e[t])"),
    "where the sum ends": (r"shrinks \[sum t\]", "shrinks [sum t = 0 .. T - 2]"),
}


@pytest.mark.parametrize("kind", ALTERED)
def test_an_altered_page_proves_less(kind, proved, tmp_path):
    text, data = proved
    before = conclusions(text, data, tmp_path)
    assert set(before) == set(NAMES)
    altered, count = re.subn(*ALTERED[kind], text)
    assert count
    assert set(conclusions(altered, data, tmp_path)) < set(before)


def test_an_altered_object_proves_nothing_else(proved, tmp_path):
    """Numbers of the object, each kept or changed by one: what is proved then was proved before."""
    text, data = proved
    before = conclusions(text, data, tmp_path)
    written, rng = json.dumps(data), random.Random(5)
    places = [found.span() for found in re.finditer(r"\d+", written)]
    for _ in range(TRIES):
        low, high = rng.choice(places)
        altered = json.loads(f"{written[:low]}{int(written[low:high]) + rng.choice([1, 2])}{written[high:]}")
        assert conclusions(text, altered, tmp_path).items() <= before.items()
