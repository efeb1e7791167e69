"""The walks of the page on the inside of the package: every name is there, and is entered in the order of the page."""

import ast
import re
import sys
from pathlib import Path

import pytest

import boundcheck as bc
from boundcheck.problems import families
from boundcheck.proofs.search.outcomes import outcomes
from boundcheck.report import write_report
from boundcheck.sweep import Store, load_recipe, run_and_collect

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "boundcheck"
PAGE = (ROOT / "docs" / "internals.md").read_text(encoding="utf-8")
WALKS = dict(re.findall(r"(?ms)^### (.*?)\n(.*?)(?=^##)", PAGE[PAGE.index("## Six walks") :]))
NAME = r"`([a-z_]+/[a-z_/]+\.py):([A-Za-z_.]+)`"
CLAIM = """
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "N, T, eta"

[vectors]
"x[t]" = "server, t = 0 .. T"

[equations]
step = "x[t + 1] = x[t] - eta mean(i) grad(x[t])"

[claim.move]
title = "how far a step goes"
shows = "|x[t + 1] - x[t]|^2 = eta^2 |mean(i) grad(x[t])|^2 for t"
"""


def names_in(file):
    """Return the functions and classes of a file, and methods after their class and a dot."""
    for node in ast.parse((PACKAGE / file).read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        if isinstance(node, ast.ClassDef):
            yield from (f"{node.name}.{one.name}" for one in node.body if isinstance(one, ast.FunctionDef))


def entered(walk):
    """Return which functions of the package a walk enters, in the order of their first entry."""
    found = {}

    def watch(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(PACKAGE)):
            found.setdefault((Path(code.co_filename).relative_to(PACKAGE).as_posix(), code.co_qualname))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        walk()
    finally:
        sys.setprofile(before)
    return list(found)


def recipe(folder):
    (folder / "r.toml").write_text((ROOT / "scripts" / "tiny.toml").read_text(encoding="utf-8"), encoding="utf-8")
    read, store = load_recipe(str(folder / "r.toml")), Store(folder / "store")
    results = run_and_collect(read, store, workers=1)
    write_report(read, store, folder / "r.pdf", results=results)


def own_name(folder):
    (folder / "mine.py").write_text("from boundcheck.problems import load_problem\n\ndef mine(N):\n    pass\n")
    families.FAMILIES[f"{folder}/mine.py:mine"]


def claim_file(folder):
    (folder / "c.toml").write_text(CLAIM, encoding="utf-8")
    assert [one["verdict"] for one in outcomes(folder / "c.toml")] == ["proved"]


RUN = {
    "A recipe to a report": recipe,
    "A setting to a verdict": lambda _: bc.check(
        "momentum-fl.theorem11", bc.load_problem("ridge-ratio", N=2), K=1, T=4
    ),
    "A method to its worst case": lambda _: bc.worst("fedavg", set_={"eta": 0.25}, K=1, T=1, N=2, zeta=1.0),
    "A claim file to *proved*": claim_file,
    "A constant to *certified*": lambda _: bc.certify("ridge-ratio[d=2]", N=2),
    "`file.py:NAME` to a command": own_name,
}
SLOW = {"A recipe to a report"}


def test_there_are_six_walks_of_five_steps():
    assert set(WALKS) == set(RUN)
    assert all(re.findall(r"(?m)^(\d)\. ", text) == list("12345") for text in WALKS.values())


@pytest.mark.parametrize("walk", WALKS)
def test_what_a_walk_names_is_there(walk):
    named = re.findall(NAME, WALKS[walk])
    assert len(named) >= 4
    assert not [f"{file}:{name}" for file, name in named if name not in set(names_in(file))]


@pytest.mark.parametrize("walk", [pytest.param(w, marks=[pytest.mark.slow] * (w in SLOW)) for w in RUN])
def test_a_walk_enters_what_it_names_in_that_order(walk, tmp_path):
    steps = WALKS[walk][WALKS[walk].index("1. ") :]
    named = re.findall(NAME, steps)
    seen = entered(lambda: RUN[walk](tmp_path))
    missing = [one for one in named if one not in seen]
    assert not missing
    assert [seen.index(one) for one in named] == sorted(seen.index(one) for one in named)
