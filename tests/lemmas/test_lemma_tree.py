"""Claims that stand on claims, and answers that are kept."""

import json
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest
import sympy as sp

from boundcheck.errors import InputError, UnknownNameError
from boundcheck.lemmas import CLAIMS, Claim, Outcome, Proof, cache, prove, prove_claim
from boundcheck.lemmas.provers import Expected, GramBound, Identity, Real, Search, inner, positive, square, vectors
from boundcheck.lemmas.provers.numeric import source
from boundcheck.lemmas.tree import above, below, drawn, order, standings, with_steps


def claim(name, *steps):
    return Claim(name, "t", "w", "s", lambda: None, steps=steps)


def proof(name, verdict):
    return Proof(name, "mine", "w", verdict, "real", 0.0, None, None, None, "")


# top stands on left and right, both on base; loose stands alone.
DIAMOND = {
    c.id: c for c in (claim("top", "left", "right"), claim("left", "base"), claim("right", "base"), claim("base"))
} | {"loose": claim("loose")}


def verdicts(**changed):
    return [proof(name, changed.get(name, "proved")) for name in DIAMOND]


def test_the_ledger_is_a_tree_without_circles_or_unknown_steps():
    """Every step is registered, and no claim stands on itself."""
    assert sorted(order(CLAIMS)) == sorted(CLAIMS)


def test_theorems_stand_on_their_lemmas():
    """Each paper has a claim with steps below its steps."""
    assert {c.paper for c in CLAIMS.values() if any(CLAIMS[s].steps for s in c.steps)} >= {"fmgda", "momentum-fl"}


def test_what_is_below_and_above():
    """Steps come before what rests on them; the same claim is listed once."""
    assert below(DIAMOND, "top") == ("base", "left", "right")
    assert above(DIAMOND, "base") == ("top", "left", "right")
    assert with_steps(DIAMOND, ["left", "top"]) == ("base", "left", "right", "top")
    assert order(DIAMOND).index("base") < order(DIAMOND).index("left") < order(DIAMOND).index("top")


@pytest.mark.parametrize(
    ("changed", "stands"),
    [
        ({}, "yes yes yes yes yes"),
        ({"base": "refuted"}, "no no no no yes"),
        ({"left": "refuted"}, "no no yes yes yes"),
        ({"left": "supported"}, "unknown unknown yes yes yes"),
        ({"left": "undecided", "right": "refuted"}, "no unknown no yes yes"),
        ({"loose": "refuted"}, "yes yes yes yes no"),
    ],
)
def test_a_claim_stands_when_all_below_is_proved(changed, stands):
    """Refuted steps bring down what rests on them; searched or undecided ones leave it unknown."""
    found = standings(DIAMOND, verdicts(**changed))
    assert [s.stands for s in found.values()] == stands.split()


def test_standing_names_what_broke_and_what_falls():
    """The broken step is named above it, and what falls is named at it."""
    found = standings(DIAMOND, verdicts(left="refuted"))
    assert found["top"].broken == ("left",)
    assert found["left"].falls_with == ("top",)
    assert found["loose"].falls_with == ()
    assert standings(DIAMOND, verdicts()[:1])["top"].stands == "unknown"


def test_the_tree_is_drawn_with_verdicts():
    """One claim a line, deeper claims further in."""
    proofs = {p.id: p for p in verdicts(base="refuted")}
    assert drawn(DIAMOND, proofs, "left") == ["left: proved", "  base: refuted"]


def test_circles_and_unknown_steps_are_named():
    """A claim cannot stand on itself, nor on what is not there."""
    with pytest.raises(InputError, match="cannot stand on itself"):
        order({"a": claim("a", "b"), "b": claim("b", "a")})
    with pytest.raises(UnknownNameError, match="step of a"):
        order({"a": claim("a", "aa"), "ab": claim("ab")})


x, y = positive("x y")
a, c = vectors("a c")


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "boundcheck" / "proofs"


def files(folder):
    return sorted(folder.rglob("*.json"))


def test_answers_come_back_as_they_were(kept):
    """A second run gives the same outcome without deciding: the kept file alone is read."""
    for goal in (Real(x, 2 * x), Real(2 * x, x), Identity(square(a), 2 * square(a))):
        first = cache.decide(goal, 5)
        assert cache.decide(goal, 5) == first == goal.decide(5)
    assert len(files(kept)) == 3
    path = next(p for p in files(kept) if json.loads(p.read_text())["verdict"] == "proved")
    path.write_text(json.dumps(json.loads(path.read_text()) | {"detail": "from the file"}))
    assert cache.decide(Real(x, 2 * x), 5).detail == "from the file"


def test_broken_files_are_decided_again(kept):
    """Half a file, or a file of something else, is not believed."""
    goal = Real(x, 2 * x)
    cache.decide(goal, 5)
    for text in ("", "{", "[]", '{"verdict": "proved"}', '{"witness": null, "sense": 1}'):
        files(kept)[0].write_text(text)
        assert cache.decide(goal, 5) == goal.decide(5)


def test_undecided_answers_are_not_kept(kept):
    """More time may decide them."""
    open_goal = GramBound(inner(a, c), 0 * square(a), given=((0 * x, -inner(a, c)),))
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


def _state(draw):
    return {"x": draw.number()}


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
    """The folder stays empty unless answers are to be kept."""
    prove(["fmgda.lemma5-28"])
    prove_claim(CLAIMS["fmgda.lemma5-28"])
    assert files(kept) == []
    prove(["fmgda.lemma5-28", "fmgda.lemma5-30"], kept=True)
    assert len(files(kept)) == 2
