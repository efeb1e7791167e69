"""Weights that nobody has said: the search finds them, the kernel accepts them, the command prints them."""

from itertools import permutations

import pytest

from boundcheck.cli.commands.prove import prove
from boundcheck.proofs.search.outcomes import outcomes

CURVE = """
title = "Is the optimisation curve of gradient descent convex? [arXiv 2503.10138]"
uses = "facts.toml"
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "eta"

[vectors]
"x[t]" = "server, t = 0 .. T"

[equations]
one = "x[t + 1] = x[t] - eta mean(i) grad(x[t])"

[leaf.pair]
title = "f convex and L-smooth [Nesterov, Theorem 2.1.5]"
points = "u server, v server"
says = "f(v) + <mean(i) grad(v), u - v> + 1/(2 L) |mean(i) grad(u) - mean(i) grad(v)|^2 <= f(u)"

[claim.curve]
steps = "STEPS; one(t -> t + 1); one"
shows = "2 f(x[t + 1]) <= f(x[t]) + f(x[t + 2]) for t = 0 .. T - 2 if eta L <= LIMIT"
"""
PAIRS = [f"pair(u -> x[{u}], v -> x[{v}])" for u, v in permutations(("t", "t + 1", "t + 2"), 2)]


def curve(folder, limit):
    path = folder / "curve.toml"
    path.write_text(CURVE.replace("STEPS", "; ".join(PAIRS)).replace("LIMIT", limit), encoding="utf-8")
    return path


def test_the_weights_of_the_sharp_step_are_found(tmp_path, capsys):
    """Of six interpolation inequalities three are needed, with 3/2, 1/2 and 1/2: those of the paper."""
    path = curve(tmp_path, "7/4")
    (one,) = outcomes(path)
    assert (one["verdict"], one["trust"], one["weights_searched"]) == ("proved", "kernel", True)
    weights = {step: by for step, by in one["weights"] if by != "0"}
    assert sorted(weights.values()) == ["1/2", "1/2", "3/2"]
    assert weights["pair(u -> x[t], v -> x[t + 1])"] == "3/2"
    assert prove(str(path)) == 0
    assert "weights: " in capsys.readouterr().out


def test_beyond_the_sharp_step_nothing_is_found(tmp_path):
    """It is false there: a function that bends up to a knot beside the minimum and goes straight on."""
    (one,) = outcomes(curve(tmp_path, "2"))
    assert one["verdict"] == "refuted"


SUM = """
title = "a sum"
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "N, T, eta"

[numbers]
"a[t]" = "what falls"
"b[t]" = "what is paid"

[leaf.pays]
says = "a[t + 1] <= a[t] - eta/2 b[t] for t = 0 .. T - 2"

[leaf.start]
says = "a[0] <= 1"

[claim.total]
steps = "STEPS"
shows = "sum(t = 0 .. T - 2) b[t] <= 2/eta"
"""


@pytest.mark.parametrize("steps", ["pays [sum t = 0 .. T - 2]; start", "start; pays [sum t = 0 .. T - 2]"])
def test_the_order_of_the_steps_does_not_matter(tmp_path, steps):
    """By hand: eta/2 times the sum is a[0] - a[T - 1], which is at most 1."""
    path = tmp_path / "sum.toml"
    path.write_text(SUM.replace("STEPS", steps), encoding="utf-8")
    (one,) = outcomes(path)
    assert one["verdict"] == "proved"
    assert {by for _, by in one["weights"]} == {"2/eta"}
    path.write_text(SUM.replace("STEPS", steps).replace("<= 2/eta", "<= 1/eta"), encoding="utf-8")
    assert outcomes(path)[0]["verdict"] == "refuted"
