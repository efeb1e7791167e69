"""What a theorem for all steps may say of a round: what the method does, and not what the functions or a state are."""

import copy
import json
import re

import pytest

from boundcheck.proofs.kernel.all_steps import check
from boundcheck.proofs.kernel.boxes import LemmaError
from boundcheck.worst.theorems.collection.shipped import FOLDER


def shipped(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def stationary(gradient, value="f1"):
    """Return gradient descent whose next gradient, or value, is a text: three times what is true would follow."""
    return {
        "form": "boundcheck theorem for all steps, 1",
        "id": "it",
        "method": {"id": "mine"},
        "letters": {"g": "family", "w": "family", "z": "vector"},
        "points": [{"x": "0*g", "f": "f0", "g": "g"}, {"x": "-1*h*mean(g)", "f": value, "g": gradient}],
        "state": {"f": "f0", "g": "g"},
        "next": {"f": value, "g": gradient},
        "start": {"f": "f0", "g": "g"},
        "box": {"h": ["0", "1/10"]},
        "potential": "(h^-1)*f",
        "rate": "1/2 + 1/4*h^-1 - 1/4*h",
        "round": {},
        "first": {"Delta": "h^-1"},
        "proofs": {
            "round": [[["smooth", 0, 1], "h^-1"]],
            "start": [[["Delta", 0], "h^-1"]],
            "end": [[["floor", 0], "h^-1"]],
        },
    }


@pytest.mark.parametrize("gradient", ["0*g", "2*g", "g - g", "z", "g + z", "mean(w)", "w - mean(w)", "w*h + w*h^2"])
def test_no_gradient_is_said(gradient):
    """A gradient of 0 after one step made a false theorem that was verified; none has a letter of its own here."""
    with pytest.raises(LemmaError, match="gradient of point 1 is said to be"):
        check(stationary(gradient))


@pytest.mark.parametrize("gradient", ["w", "g + h*w", "mean(w) + 2*(w - mean(w)) - g"])
def test_any_gradient_can_be_spelled(gradient):
    """The control: what is refused is the lemma, which is false."""
    with pytest.raises(LemmaError, match=r"^round"):
        check(stationary(gradient))


@pytest.mark.parametrize("value", ["0*f0", "(f0)", "f0", "g"])
def test_no_value_is_said(value):
    with pytest.raises(LemmaError, match=r"is not a name|stands for two things"):
        check(stationary("w", value))


def rescaled(name, letter, factor):
    """Return a theorem whose state is a multiple of its letter, with the same potential of what a run has."""
    found = copy.deepcopy(shipped(name))
    found["potential"] = re.sub(rf"\b{letter}\b", f"(1/2*{letter})", found["potential"])
    found["state"][letter] = f"{factor}*{letter}"
    for when in ("next", "start"):
        found[when][letter] = f"2*({found[when][letter]})"
    return found


def test_a_state_that_is_a_multiple_of_its_letter_is_printed_so():
    """Read as the letter it was the theorem of another method: the momentum is doubled."""
    lines = check(rescaled("slowmo-2", "u_v", 2))
    assert "  state u_v = 2*u_v" in lines
    assert "  start u_v = 2*(0*g)" in lines
    assert not [line for line in check(shipped("slowmo-2")) if line.startswith("  state")]


def test_no_state_is_said():
    """A state that is 0 times its letter is one that no round can hand on."""
    with pytest.raises(LemmaError, match="u_v is said to be"):
        check(rescaled("slowmo-2", "u_v", 0))


def test_a_round_without_noise_is_printed_without():
    exact, noisy = (check(shipped(name)) for name in ("fedavg-exact", "fedavg"))
    (step,) = (line for line in exact if "a local step adds" in line)
    assert step.endswith(" v)")
    assert any("a local step adds" in line and "(v + n)" in line for line in noisy)


@pytest.mark.parametrize("kind", ["Delta", "G0"])
def test_what_is_known_of_the_start_is_known_of_no_later_point(kind):
    found = shipped("sgd-1")
    found["first"] |= {"G0": "h"}
    found["proofs"]["start"].append([[kind, 1], "h"])
    with pytest.raises(LemmaError, match="first point alone"):
        check(found)


@pytest.mark.parametrize("ends", [["0", "1e99999999"], ["0", "1/0"], ["0", 0.5], ["-1", "1"], ["1/2", "1/2"], ["0"]])
def test_a_range_is_two_fractions(ends):
    """The first would take the memory of the machine."""
    found = shipped("sgd-1")
    found["box"]["h"] = ends
    with pytest.raises(LemmaError, match="h: a range"):
        check(found)
