"""Answers that are kept: what is believed on reading, and what is part of a key."""

import json
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest
import sympy as sp

from boundcheck.files import memo
from boundcheck.files.memo import checksum
from boundcheck.proofs import CLAIMS, Outcome, prove, prove_claim
from boundcheck.proofs.ledger import cache
from boundcheck.proofs.provers import (
    Expected,
    GramBound,
    Identity,
    Real,
    Search,
    inner,
    positive,
    signs,
    square,
    vectors,
)
from boundcheck.proofs.provers.numeric import source

x, y = positive("x y")
a, c = vectors("a c")


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "boundcheck" / "proofs"


def files(folder):
    return sorted(folder.rglob("*.json"))


def _state(draw):
    return {"x": draw.number(), "y": draw.array(2)}


def _signs(**_):
    return signs(1)


def _equal(s, x, y):
    return x + y[0], x + y[1]


GOALS = (Real(x, 2 * x), Real(2 * x, x), Identity(square(a), 2 * square(a)), Expected(_state, _signs, _equal))


def aside(folder):
    return sorted(path.read_bytes() for path in folder.rglob("*.aside"))


def test_answers_come_back_as_they_were(kept, monkeypatch):
    """A second run gives the same outcomes, witnesses with tuples included, without deciding anything."""
    first = [cache.decide(goal, 5) for goal in GOALS]
    assert first == [goal.decide(5) for goal in GOALS]
    assert len(files(kept)) == len(GOALS)
    for kind in (Real, Identity, Expected):
        monkeypatch.setattr(kind, "decide", None)
    assert [cache.decide(goal, 5) for goal in GOALS] == first
    assert aside(kept) == []


def changed(entry, part, **values):
    return json.dumps(entry | {part: entry[part] | values}).encode()


def asking(entry, **values):
    room, goal, follows = entry["header"]["question"]
    return changed(entry, "header", question=[room, goal, follows | values])


def signed(entry, verdict):
    said = entry["data"] | {"verdict": verdict}
    header = entry["header"]
    return json.dumps({"header": header | {"checksum": checksum([1, header["question"], said])}, "data": said}).encode()


DAMAGE = {
    "no verdict, but its checksum": lambda text: signed(json.loads(text), "bogus"),
    "empty": lambda text: b"",
    "cut off": lambda text: text[: len(text) // 2],
    "one byte flipped": lambda text: text.replace(b"no solution", b"no solutiom"),
    "another format": lambda text: b"[]",
    "the format of version 0.1": lambda text: json.dumps(json.loads(text)["data"]).encode(),
    "not text": lambda text: bytes([0xFF]) + text,
    "nested without end": lambda text: b"[" * 10**5,
    "a verdict that is none": lambda text: changed(json.loads(text), "data", verdict="bogus"),
    "a verdict that cannot be hashed": lambda text: changed(json.loads(text), "data", verdict=[]),
    "an edited verdict": lambda text: changed(json.loads(text), "data", verdict="refuted"),
    "an edited detail": lambda text: changed(json.loads(text), "data", detail="by eye"),
    "other provers": lambda text: asking(json.loads(text), provers="0" * 64),
    "other versions": lambda text: asking(json.loads(text), versions={"python": "3.0"}),
    "no checksum": lambda text: changed(json.loads(text), "header", checksum=None),
    "no header": lambda text: json.dumps({"data": json.loads(text)["data"]}).encode(),
    "another version of the format": lambda text: changed(json.loads(text), "header", version=0),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_what_was_not_written_so_is_decided_again_and_set_aside(kept, name):
    """Went wrong: an edited verdict was believed, and ``"verdict": "bogus"`` ended in a traceback."""
    goal = Real(x, 2 * x)
    cache.decide(goal, 5)
    (path,) = files(kept)
    written = path.read_bytes()
    damaged = DAMAGE[name](written)
    assert damaged != written
    path.write_bytes(damaged)
    assert cache.decide(goal, 5) == goal.decide(5)
    assert aside(kept) == [damaged]
    assert path.read_bytes() == written
    path.write_bytes(damaged + b" ")
    cache.decide(goal, 5)
    assert aside(kept) == sorted([damaged, damaged + b" "])


def test_a_refuted_claim_stays_refuted_in_an_edited_ledger(kept):
    """Went wrong: writing ``proved`` into the file of a false claim proved it, and all that stands on it."""
    (proof,) = prove(["fedlalr.merge-25-26-printed"], kept=True)
    assert proof.verdict == "refuted"
    (path,) = files(kept)
    path.write_text(path.read_text().replace('"refuted"', '"proved"'))
    assert prove(["fedlalr.merge-25-26-printed"], kept=True)[0].verdict == "refuted"


def test_two_files_that_changed_places_are_noticed(kept):
    """Went wrong: a file says nothing of what it answers, so that the answer to another goal was believed."""
    true, false = GOALS[:2]
    verdicts = [cache.decide(goal, 5).verdict for goal in (true, false)]
    first, second = files(kept)
    texts = first.read_bytes(), second.read_bytes()
    first.write_bytes(texts[1])
    second.write_bytes(texts[0])
    assert [cache.decide(goal, 5).verdict for goal in (true, false)] == verdicts == ["proved", "refuted"]
    assert aside(kept) == sorted(texts)


def test_a_file_that_cannot_be_set_aside_is_not_overwritten(kept, monkeypatch):
    """In a folder where nothing can be renamed the claim is decided and the file left alone."""
    goal = Real(x, 2 * x)
    cache.decide(goal, 5)
    (path,) = files(kept)
    path.write_text("not ours")
    monkeypatch.setattr(memo, "set_aside", lambda *_: None)
    assert cache.decide(goal, 5) == goal.decide(5)
    assert path.read_text() == "not ours"


def test_undecided_answers_are_not_kept(kept):
    """More time may decide them."""
    open_goal = GramBound(inner(a, c), 0 * square(a), given=((0 * x, -(1 + x) * inner(a, c)),))
    assert cache.key_of(open_goal, 5) is not None
    assert cache.decide(open_goal, 5).verdict == "undecided"
    assert files(kept) == []


def test_provers_that_are_not_ours_are_asked_every_time(kept):
    """Their code is not part of the key."""
    assert cache.key_of(Foreign(), 5) is None
    assert [cache.decide(Foreign(), t).detail for t in (1, 2)] == ["1", "2"]
    assert files(kept) == []


@dataclass(frozen=True)
class Foreign:
    """A goal with a prover of its own."""

    prover = "none"

    def decide(self, timeout):
        """Say so."""
        return Outcome("proved", detail=str(timeout))


def helper(v):
    return v + 1


WHOLE = 2


def even(n, step=WHOLE - 1):
    return n == 0 or odd(n - step)


def odd(n):
    return n != 0 and even(n - 1)


def through_a_comprehension(x):
    return np.array([helper(v) for v in x]), x


def sides(x, factor=1.0):
    return x, factor * np.ones_like(x)


def other_sides(x, factor=1.0):
    return x, factor + np.zeros_like(x)


BOX = {"x": (0.0, 1.0)}
DIFFERENT = [
    Real(x, 2 * x),
    Real(x, 3 * x),
    Real(x, 2 * x, (x <= 1,)),
    Real(sp.Symbol("x"), 2 * sp.Symbol("x")),
    Real(sp.Symbol("x", nonnegative=True), 2 * sp.Symbol("x", nonnegative=True)),
    Identity(x, 2 * x),
    Search(sides, BOX),
    Search(other_sides, BOX),
    Search(partial(sides, factor=2.0), BOX),
    Search(partial(sides, factor=3.0), BOX),
    Search(sides, BOX, seed=1),
    Expected(_state, _state, _state),
]


def test_keys_tell_apart_whatever_differs():
    """Expressions, domains, signs of symbols, functions, their fixed arguments, and the time allowed."""
    keys = [cache.key_of(goal, 5) for goal in DIFFERENT] + [cache.key_of(DIFFERENT[0], 6)]
    assert None not in keys
    assert len(set(keys)) == len(keys)
    assert cache.key_of(replace(DIFFERENT[0]), 5) == keys[0]


def test_constants_and_helpers_of_a_function_are_part_of_its_key():
    """A closure over another number, or over another helper, is another goal; in a comprehension too."""

    def build(number, helper):
        def run(x):
            return np.array([helper(v) for v in x]), number * np.ones_like(x)

        return Search(run, BOX)

    def double(v):
        return 2 * v

    def triple(v):
        return 3 * v

    keys = [cache.key_of(build(*pair), 5) for pair in ((1, double), (2, double), (1, triple))]
    assert None not in keys
    assert len(set(keys)) == 3


def test_the_source_of_a_function_brings_its_helpers_along():
    """A helper that occurs inside a comprehension only is written out, so that the source runs on its own."""
    space = {"np": np}
    exec(source(through_a_comprehension), space)
    assert space["through_a_comprehension"](np.array([1.0]))[0] == 2.0
    exec(source(even), space)
    assert (space["even"](4), space["even"](3)) == (True, False)
    assert source(lambda x: x) is None


def test_what_has_no_text_is_decided_every_time(kept):
    """A function without source, or closing over an object, has no key."""
    blind = eval("lambda x: (x, x + 1)")
    thing = object()

    def closing(x):
        return x, x + (thing is None)

    assert cache.key_of(Search(blind, BOX), 5) is None
    assert cache.key_of(Search(closing, BOX), 5) is None
    assert cache.decide(Search(blind, BOX, tries=100), 5).verdict == "supported"
    assert files(kept) == []


def test_new_prover_code_is_a_new_key(monkeypatch):
    """The provers' own code is part of the key."""
    before = cache.key_of(DIFFERENT[0], 5)
    monkeypatch.setattr(cache, "provers_version", lambda: "another")
    assert cache.key_of(DIFFERENT[0], 5) != before


def test_prove_keeps_only_when_asked(kept):
    """The folder stays empty unless answers are to be kept, and for claims whose certificates come with the package."""
    prove(["fmgda.lemma8-44"])
    prove_claim(CLAIMS["fmgda.lemma8-44"])
    prove(["fmgda.lemma5-28", "fmgda.lemma5-30"], kept=True)
    assert files(kept) == []
    prove(["fmgda.lemma8-44-800", "fmgda.lemma3-18-printed"], kept=True)
    assert len(files(kept)) == 2
