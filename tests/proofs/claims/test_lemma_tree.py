"""Claims that stand on claims."""

import pytest

from boundcheck.errors import InputError, UnknownNameError
from boundcheck.proofs import CLAIMS, Claim, Proof
from boundcheck.proofs.ledger.tree import above, below, draw_tree, order, standings, with_steps


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
    assert {c.paper for c in CLAIMS.values() if any(CLAIMS[s].steps for s in c.step_ids)} >= {"fmgda", "momentum-fl"}


def test_what_is_below_and_above():
    """Steps come before what rests on them; the same claim is listed once."""
    assert below(DIAMOND, "top") == ("base", "left", "right")
    assert above(DIAMOND, "base") == ("top", "left", "right")
    assert with_steps(DIAMOND, ["left", "top"]) == ("base", "left", "right", "top")
    assert order(DIAMOND).index("base") < order(DIAMOND).index("left") < order(DIAMOND).index("top")


@pytest.mark.parametrize(
    ("changed", "steps"),
    [
        ({}, "proved proved proved proved proved"),
        ({"base": "refuted"}, "refuted refuted refuted refuted proved"),
        ({"left": "refuted"}, "refuted refuted proved proved proved"),
        ({"left": "supported"}, "open open proved proved proved"),
        ({"left": "undecided", "right": "refuted"}, "refuted open refuted proved proved"),
        ({"loose": "refuted"}, "proved proved proved proved refuted"),
    ],
)
def test_steps_are_proved_when_all_below_is(changed, steps):
    """A refuted step is one of all that rests on it; searched or undecided ones leave it open."""
    found = standings(DIAMOND, verdicts(**changed))
    assert [s.steps for s in found.values()] == steps.split()


def test_standing_names_what_broke_and_what_falls():
    """The broken step is named above it, and what falls is named at it."""
    found = standings(DIAMOND, verdicts(left="refuted"))
    assert found["top"].broken == ("left",)
    assert found["left"].falls_with == ("top",)
    assert found["loose"].falls_with == ()
    assert standings(DIAMOND, verdicts()[:1])["top"].steps == "open"


def test_the_tree_is_drawn_with_verdicts():
    """One claim a line, deeper claims further in."""
    found = {p.id: p.verdict for p in verdicts(base="refuted")}
    assert draw_tree(DIAMOND, found, "left") == ["left: proved", "  base: refuted"]


def test_circles_and_unknown_steps_are_named():
    """A claim cannot stand on itself, nor on what is not there."""
    with pytest.raises(InputError, match="cannot stand on itself"):
        order({"a": claim("a", "b"), "b": claim("b", "a")})
    with pytest.raises(UnknownNameError, match="step of a"):
        order({"a": claim("a", "aa"), "ab": claim("ab")})
