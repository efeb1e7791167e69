"""Stated worst cases are never below what explicit functions have, in any units; nothing is read into a statement."""

from fractions import Fraction

import numpy as np
import pytest

from boundcheck.errors import InputError, NotApplicableError
from boundcheck.proofs.kernel import certificates as verify
from boundcheck.worst.stated import StatedProblem, dot, read_text, square


class PiecewiseQuadratic:
    """A function of one variable whose derivative has slopes between knots, with value and derivative 0 at 0."""

    def __init__(self, L, mu, generator):
        knots = generator.normal(size=generator.integers(0, 4)) * generator.choice([0.1, 1, 3])
        self.knots = np.sort(np.append(knots, 0.0))
        self.slopes = generator.choice([mu, L, generator.uniform(mu, L)], size=len(self.knots) + 1)
        zero, m = int(np.searchsorted(self.knots, 0.0)), len(self.knots)
        self.gradients, self.values = np.zeros(m), np.zeros(m)
        for order, step in ((range(zero + 1, m), 1), (range(zero - 1, -1, -1), -1)):
            for i in order:
                d = self.knots[i] - self.knots[i - step]
                slope = self.slopes[i] if step == 1 else self.slopes[i + 1]
                self.gradients[i] = self.gradients[i - step] + slope * d
                self.values[i] = self.values[i - step] + (self.gradients[i] + self.gradients[i - step]) / 2 * d

    def __call__(self, x):
        """Return value and derivative."""
        i = int(np.searchsorted(self.knots, x))
        d, slope = x - self.knots[max(i - 1, 0)], self.slopes[i]
        j = max(i - 1, 0)
        return self.values[j] + self.gradients[j] * d + slope * d * d / 2, self.gradients[j] + slope * d


UNITS = [(Fraction(1), Fraction(1)), (Fraction(3), Fraction(1000)), (Fraction(10**6), Fraction(1, 100))]
UNITS += [(Fraction(1, 10**5), Fraction(1000)), (Fraction(1, 7), Fraction(1, 10**6))]


def measured(f, z, steps, what):
    """Return what a run of fixed steps from z has."""
    x = z
    for step in steps:
        x = x - step * f(x)[1]
    return {"value": f(x)[0], "gradient": f(x)[1] ** 2, "distance": x**2}[what]


@pytest.mark.parametrize("units", UNITS, ids=str)
@pytest.mark.parametrize("start", ["distance", "value", "gradient"])
@pytest.mark.parametrize(("mu", "what"), [(0, "value"), (Fraction(1, 5), "gradient"), (Fraction(1, 3), "distance")])
def test_no_explicit_function_is_above(units, start, mu, what):
    """In units of ten orders of magnitude numbers were below the truth by factors, or nothing was said to bound."""
    L, R = units
    generator = np.random.default_rng(3)
    steps = [Fraction(int(generator.integers(1, 20)), 10) / L for _ in range(2)]
    problem = StatedProblem()
    f = problem.function(L=L, mu=mu * L)
    x_star = problem.minimiser(f)
    x = problem.point("x")
    starts = {
        "distance": square(x - x_star),
        "value": (f(x) - f(x_star)) * 2 / L,
        "gradient": square(f.gradient(x)) / L**2,
    }
    problem.assume(starts[start] <= R)
    for step in steps:
        x = x - step * f.gradient(x)
    asked = {"value": f(x) - f(x_star), "gradient": square(f.gradient(x)), "distance": square(x - x_star)}[what]
    if mu == 0 and start != "distance":
        with pytest.raises(NotApplicableError, match="nothing bounds it"):
            problem.worst(square(x - x_star))
    if mu == 0 and start == "gradient":
        return
    found = problem.worst(asked)
    assert found.proof is not None
    verify.check(found.proof, {})
    best = 0.0
    for _ in range(300):
        explicit = PiecewiseQuadratic(float(L), float(mu * L), generator)
        z = generator.normal()
        value, gradient = explicit(z)
        size = {"distance": z * z, "value": 2 * value / float(L), "gradient": gradient**2 / float(L) ** 2}[start]
        if size > 1e-9:
            # s^2 f(x/s) has the same curvatures, and s^2 times all of these numbers.
            best = max(best, measured(explicit, z, [float(s) for s in steps], what) * float(R) / size)
    assert best <= found.upper * (1 + 1e-9)
    assert best >= 0.5 * found.upper


def test_an_answer_without_a_bound_is_not_a_number():
    """3 (f(x_2) - f_star) + <g_0, x_0 - x_star>/7 has no limit where only f(x_0) is bounded; 5621 was printed."""
    problem = StatedProblem()
    f = problem.function(L=3, mu=0)
    x_star = problem.minimiser(f)
    x = start = problem.point("x")
    problem.assume((f(x) - f(x_star)) * Fraction(2, 3) <= 1000)
    for step in (Fraction(5, 44), Fraction(13, 111)):
        x = x - step * f.gradient(start)
    with pytest.raises(NotApplicableError, match="nothing bounds it"):
        problem.worst(3 * (f(x) - f(x_star)) - square(start - x) * 3 / 5 + dot(f.gradient(start), start - x_star) / 7)


@pytest.mark.parametrize(
    ("L", "R", "n"), [(10**6, 1, 2), (Fraction(1, 10**8), 10**8, 3), (3, Fraction(1, 10**9), 4), (10**9, 10**9, 1)]
)
def test_closed_forms_hold_in_all_units(L, R, n):
    """Gradient descent on convex functions, L R/(4 n + 2), proved and not above by more than 1e-8."""
    problem = StatedProblem()
    f = problem.function(L=L, mu=0)
    x_star = problem.minimiser(f)
    x = problem.point("x")
    problem.assume(square(x - x_star) <= R)
    for _ in range(n):
        x = x - f.gradient(x) / L
    found = problem.worst(f(x) - f(x_star))
    known = Fraction(L) * Fraction(R) / (4 * n + 2)
    assert found.verdict == "proved"
    assert known <= found.proved <= known * (1 + Fraction(1, 10**6))
    verify.check(found.proof, {})


SURPRISING = {
    "a point has no length": ("x = point()\nz = point()\nassume(|x - z|^2 <= 1)\nmaximise(|x|^2)", None),
    "a map of a point has no length": (
        "x = point()\nz = point()\ny = symmetric(x, least=0, largest=1)\nassume(|x - z|^2 <= 1)\nmaximise(|y|^2)",
        None,
    ),
    "a map of a difference has one": (
        "x = point()\nz = point()\ny = symmetric(x - z, least=0, largest=1)\nassume(|x - z|^2 <= 1)\nmaximise(|y|^2)",
        1.0,
    ),
    "a minimiser is below": ("f = function(L=1)\ns = minimiser(f)\nx = point()\nmaximise(f(s) - f(x))", 0.0),
    "Lipschitz without convexity": (
        "f = function(lipschitz=1)\ns = minimiser(f)\nx = point()\nassume(|x - s|^2 <= 4)\nmaximise(f(x) - f(s))",
        2.0,
    ),
    "Lipschitz and weakly convex": (
        (
            "f = function(mu=-1, lipschitz=1)\ns = minimiser(f)\nx = point()\n"
            "assume(|x - s|^2 <= 1)\nmaximise(f(x) - f(s))"
        ),
        1.0,
    ),
    "an error bound of values": (
        (
            "f = function(secant=1/2, error_bound=2)\ns = minimiser(f)\nx = point()\n"
            "assume(|x - s|^2 <= 1)\nmaximise(f(x) - f(s))"
        ),
        1.0,
    ),
}


@pytest.mark.parametrize("name", SURPRISING)
def test_statements_that_surprised(name):
    """What they say in words is what they are worth."""
    text, value = SURPRISING[name]
    if value is None:
        with pytest.raises(NotApplicableError, match="nothing bounds it"):
            read_text(text).worst()
        return
    found = read_text(text).worst()
    assert found.upper == pytest.approx(value, abs=1e-7)
    assert found.proof is not None
    verify.check(found.proof, {})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("f = function(indicator=True, L=1)", "a set has none"),
        ("f = function(mu=1, lipschitz=1)", "no function has both"),
        ("f = function(L=1, upper_growth=1)", "of convex functions"),
        ("A = operator(mu=2, lipschitz=1)", "at most 1"),
        ("A = operator(mu=1, cocoercive=2)", "at most 1/2"),
        ("f = function(L=1)\nx = point()\nif f(x) <= 1:\n    y = x", "a comparison of numbers"),
        ("f = function(L=1)\nx = point()\ny = max(f(x), 1)", "max = "),
    ],
)
def test_what_cannot_be_meant_is_refused(text, words):
    """Classes that are empty or no classes, and relations where a line has to be decided."""
    with pytest.raises(InputError, match=words):
        read_text(f"{text}\nx = vector()\nassume(|x|^2 <= 1)\nmaximise(|x|^2)")


def test_one_function_at_points_of_all_agents_is_an_upper_side():
    """Between two agents nothing is asked of it: the word attained is not said."""
    text = "f = function(L=1, mu=0)\ns = minimiser(f)\nx = vector(of_agents=True)\nassume(|x - s|^2 <= 1)\n"
    assert not read_text(f"{text}maximise(|deviation(grad(f, x))|^2)").worst().is_attained
