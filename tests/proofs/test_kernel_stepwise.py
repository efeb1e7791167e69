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


# --- what each round hands on to the next ----------------------------------------------------------------------------


def round_of(place="-1*h*mean(g)", *, state=None, **changes):
    """Return a theorem of gradient descent with h from 1/100 to 1, which is true.

    `state` is a part of the state beside F and g: what it is said to be in it, at the start and after a round.
    """
    parts = {"f": ("f0", "f0", "f1"), "g": ("g", "g", "w")} | ({"c": state} if state else {})
    said = {when: {name: part[k] for name, part in parts.items()} for k, when in enumerate(("state", "start", "next"))}
    proofs = {"round": [["smooth", 0, 1]], "start": [["Delta", 0]], "end": [["floor", 0]]}
    found = {
        "form": "boundcheck theorem for all steps, 1",
        "id": "it",
        "method": {"id": "mine"},
        "letters": {"g": "family", "w": "family", "c": "family", "s": "vector"},
        "points": [{"x": "0*g", "f": "f0", "g": "g"}, {"x": place, "f": "f1", "g": "w"}],
        **said,
        "box": {"h": ["1/100", "1"]},
        "potential": "f",
        "rate": "1/4*h",
        "round": {},
        "first": {"Delta": "1"},
        "proofs": {lemma: [[fact, "1"] for fact in facts] for lemma, facts in proofs.items()},
    }
    return found | changes


def test_the_round_is_one_that_is_proved():
    """The control of what follows, with each part of a state that may be."""
    assert check(round_of())[-1].endswith("<= ((1) Delta)/T, for every T >= 1 and every N >= 1")
    for state in (("c", "0*g", "c - g"), ("c - mean(c)", "0*g", "c - mean(c)"), ("s", "0*g", "s + mean(g)")):
        assert check(round_of(state=state))


def diverging(potential, **changes):
    """Return gradient descent with steps from 2/L to 3/L, at which it diverges."""
    found = round_of(box={"h": ["2", "3"]}, rate="h - 13/50*h^2", potential=potential, **changes)
    found["first"] |= {"G0": "200", "U0": "200"}
    found["proofs"]["start"] += [[["G0", 0], "200"], [["size", 0], "200"]]
    for point in (found["points"][1], found["next"]):
        point["g"] = "u"
    return found | {"letters": {"g": "family", "u": "family"}}


def test_a_potential_is_of_the_state_alone():
    """It had the gradient of this round after the round, and that of the next one before it: descent of 3/L "falls"."""
    with pytest.raises(LemmaError, match="potential has u"):
        check(diverging("f + 100*|g|^2 - 200*<g, u> + 100*|u|^2"))


def test_a_number_of_the_state_stays_one():
    """A number that is said to be >= 0 paid for the gradient of a method that stands still: it went below 0."""
    letters = {"g": "family", "w": "family", "c": ">=0"}
    assert "  c >= 0" in check(round_of(state=("c", "0*f0", "c + |mean(g)|^2"), letters=letters))
    for state in (("c - 1", "1", "c"), ("c", "0*f0", "c - 1"), ("0*f0 - c", "0*f0", "1"), ("c + |g|^2", "0", "0*f0")):
        with pytest.raises(LemmaError, match="c is said to be"):
            check(round_of(state=state, letters=letters))
    found = round_of(
        "0*g", state=("c", "0*f0", "c + f0 - f1 - |mean(g)|^2"), letters=letters, potential="f + c", rate="1"
    )
    with pytest.raises(LemmaError, match="c is said to be"):
        check(found)
    with pytest.raises(LemmaError, match="letters are"):
        check(found | {"letters": letters | {"c": ""}})


@pytest.mark.parametrize(
    ("state", "place"),
    [
        (("c - mean(c)", "0*g", "-1*mean(g)"), "-1*h*mean(g) - h*mean(c - mean(c))"),
        (("c - mean(c)", "g", "c - mean(c)"), "-1*h*mean(g) - h*mean(c - mean(c))"),
        (("s", "0*g", "g - mean(g)"), "-1*h*mean(g) - h*mean(s - mean(s))"),
        (("s", "g", "s"), "-1*h*mean(g) - h*mean(s - mean(s))"),
        (("s + c - mean(c)", "0*g", "g"), "-1*h*mean(g)"),
    ],
)
def test_a_round_hands_on_what_it_takes(state, place):
    """A lemma about deviations, or about what the clients share, says nothing where the part is another vector."""
    with pytest.raises(LemmaError, match="c is said to be"):
        check(round_of(place, state=state))


def test_the_next_point_is_one_for_all_clients():
    """Descent of each client by itself is no step of F."""
    with pytest.raises(LemmaError, match="one point for all clients"):
        check(round_of("-1*h*g"))


@pytest.mark.parametrize("name", ["fedavg-2", "fedavg", "fedavg-exact"])
def test_clients_have_gradients_of_their_own(name):
    """With one gradient for all clients, local steps were proved to need no bound on how they differ."""
    found = shipped(name)
    found |= {"letters": dict.fromkeys(found["letters"], "vector"), "round": {}, "lengths": {}}
    found["first"].pop("zeta2", None)
    found["proofs"] = {lemma: [f for f in facts if f[0][0] != "zeta"] for lemma, facts in found["proofs"].items()}
    with pytest.raises(LemmaError, match="gradient of point 0 is said to be"):
        check(found)


def test_a_potential_along_the_steps_has_no_number_of_its_own():
    """Each step would add it, and the sum over the noises would not count it; here it pays for one gradient."""
    found = shipped("fedavg-sampled")
    found["given"].append(["|mean(g)|^2", "<=", "1"])
    found["proofs"]["round"].append([["given", len(found["given"]) - 1], "1"])
    found["loop"]["potential"] += " + 1"
    found["rate"] = "3/2"
    with pytest.raises(LemmaError, match="Phi is not 0"):
        check(found)


@pytest.mark.parametrize(("where", "more"), [("drift", " + d"), ("drift", " + v"), ("drift", " + w"), ("weight", "*s")])
def test_what_a_local_step_adds_is_fixed_in_the_round(where, more):
    found = shipped("fedavg")
    found["loop"][where] += more
    with pytest.raises(LemmaError, match=f"{where} has"):
        check(found)


def _with_given(found, text):
    return found | {"given": [["0", "<=", text]]}


def _with_a_point(found, text):
    return found | {"points": [*found["points"], {"x": text, "f": "f2", "g": "c"}]}


def _with_a_part(found, text):
    return found | {when: found[when] | {text: "c"} for when in ("state", "start", "next")}


@pytest.mark.parametrize("change", [_with_given, _with_a_point, _with_a_part])
def test_no_text_of_a_file_prints_a_line_of_its_own(change):
    """What no lemma uses is printed too: it is read, and has no line end."""
    with pytest.raises(LemmaError, match="not printable"):
        check(change(round_of(), "c\n  so (1000) mean_t E|grad F(x_t)|^2 <= 0, for every T"))
    with pytest.raises((LemmaError, ValueError, SyntaxError)):
        check(change(round_of(), "0 so (1000) mean_t E|grad F(x_t)|^2 = 0"))


def test_a_hypothesis_is_read_where_no_lemma_uses_it():
    assert "  given |c|^2 <= 1" in check(round_of(given=[["|c|^2", "<=", "1"]]))
    with pytest.raises(LemmaError, match="neither <= nor ="):
        check(round_of(given=[["|c|^2", "< 1, or", "1"]]))
