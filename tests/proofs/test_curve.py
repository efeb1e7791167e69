"""The values of gradient descent are convex in t for eta L <= 7/4, and need not be beyond [arXiv 2503.10138]."""

from fractions import Fraction

import pytest

from boundcheck.proofs.search.outcomes import outcomes

PAGE = """
uses = "facts.toml"
indices = "i = 1 .. N, t = 0 .. T - 1"
[letters]
"> 0" = "eta"
[vectors]
"y[t]" = "server, t = 0 .. T"
[equations]
go = "y[t + 1] = y[t] - eta mean(i) grad(y[t])"
[leaf.both]
title = "f is convex and L-smooth"
points = "p server, q server"
says = "f(q) + <mean(i) grad(q), p - q> + 1/(2 L) |mean(i) grad(p) - mean(i) grad(q)|^2 <= f(p)"
[claim.it]
steps = \"\"\"both(p -> y[t], q -> y[t + 1]); both(p -> y[t + 2], q -> y[t + 1]); both(p -> y[t + 2], q -> y[t]);
  go; go(t -> t + 1)\"\"\"
shows = "2 f(y[t + 1]) <= f(y[t]) + f(y[t + 2]) for t = 0 .. T - 2 if eta L <= LIMIT"
"""


@pytest.mark.parametrize(("limit", "verdict"), [("7/4", "proved"), ("9/5", "refuted")])
def test_the_curve_is_convex_up_to_seven_quarters(limit, verdict, tmp_path):
    path = tmp_path / "curve.toml"
    path.write_text(PAGE.replace("LIMIT", limit), encoding="utf-8")
    (one,) = outcomes(path)
    assert one["verdict"] == verdict
    if verdict == "refuted":
        step = Fraction(one["witness"]["eta"]) * Fraction(one["witness"]["L"])
        assert Fraction(7, 4) < step <= Fraction(9, 5)
