"""PEPit as a referee of decentralised methods: every agent's own vectors, a matrix known by its spectrum.

The conditions on the matrix are those of Colla and Hendrickx, "Automatic Performance Estimation for Decentralized
Optimization" (2022), written out for each agent; the settings are those of the Performance Estimation Toolbox.
"""

import math
from pathlib import Path

import numpy as np
import pytest

from boundcheck.worst.stated import read_file

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "worst"


class Agents:
    """Agents with functions of one class, who mix by an unknown symmetric matrix."""

    def __init__(self, N, lam, function, **constants):
        from PEPit import PEP, Expression, Point

        self.problem, self.N, self.lam = PEP(), N, lam
        self.functions = [self.problem.declare_function(function, reuse_gradient=True, **constants) for _ in range(N)]
        self.x_star = self.problem.set_initial_point()
        # The agents' gradients at the minimiser of their mean add up to 0.
        free = [Point() for _ in range(N - 1)]
        for f, g in zip(self.functions, [*free, -sum(free[1:], free[0])], strict=True):
            f.add_point((self.x_star, g, Expression()))
        self.pairs = []

    def mean(self, items):
        return sum(items[1:], items[0]) * (1 / self.N)

    def gradients(self, x):
        return [f.gradient(own) for f, own in zip(self.functions, x, strict=True)]

    def mix(self, x):
        """Return W x: its mean is that of x."""
        from PEPit import Point

        apart = [Point() for _ in range(self.N - 1)]
        apart.append(-sum(apart[1:], apart[0]))
        centre = self.mean(x)
        self.pairs.append(([own - centre for own in x], apart))
        return [centre + own for own in apart]

    def solve(self, metric):
        def dot(u, v):
            return sum(a * b for a, b in zip(u, v, strict=True))

        for j, (x, y) in enumerate(self.pairs):
            for v, w in self.pairs[:j]:
                self.problem.add_constraint(dot(x, w) - dot(y, v) == 0)
        high = [([self.lam * a - b for a, b in zip(x, y, strict=True)]) for x, y in self.pairs]
        low = [([b + self.lam * a for a, b in zip(x, y, strict=True)]) for x, y in self.pairs]
        self.problem.add_psd_matrix(np.array([[dot(u, v) for v in low] for u in high]))
        self.problem.set_performance_metric(metric)
        return self.problem.solve(wrapper="cvxpy", solver="CLARABEL", verbose=0)


def subgradient(n, N):
    from PEPit.functions import ConvexLipschitzFunction

    of = Agents(N, 0.5, ConvexLipschitzFunction, M=1)
    start = of.problem.set_initial_point()
    of.problem.set_initial_condition((start - of.x_star) ** 2 <= 1)
    x = [start] * N
    total = of.mean(x)
    for _ in range(n):
        g = of.gradients(x)
        x = [w - own * (1 / math.sqrt(n)) for w, own in zip(of.mix(x), g, strict=True)]
        total = total + of.mean(x)
    average = total / (n + 1)
    return of.solve(of.mean([f(average) - f(of.x_star) for f in of.functions]))


def diging(n, N):
    from PEPit.functions import SmoothStronglyConvexFunction

    of = Agents(N, 0.9, SmoothStronglyConvexFunction, L=1, mu=0.1)
    x = [of.problem.set_initial_point() for _ in range(N)]
    s = old = of.gradients(x)
    of.problem.set_initial_condition(of.mean([(own - of.x_star) ** 2 for own in x]) <= 1)
    of.problem.set_initial_condition(of.mean([(own - of.mean(s)) ** 2 for own in s]) <= 1)
    for k in range(n):
        x = [w - own * (0.44 * 0.1**2) for w, own in zip(of.mix(x), s, strict=True)]
        if k < n - 1:
            new = of.gradients(x)
            s = [w + a - b for w, a, b in zip(of.mix(s), new, old, strict=True)]
            old = new
    return of.solve(of.mean([(own - of.x_star) ** 2 for own in x]))


def nesterov(n, N):
    from PEPit.functions import SmoothConvexFunction

    of = Agents(N, 0.5, SmoothConvexFunction, L=1)
    start = of.problem.set_initial_point()
    of.problem.set_initial_condition((start - of.x_star) ** 2 <= 2)
    x = v = y = [start] * N
    old = of.gradients(y)
    s = [of.mean(old)] * N
    eta, alpha = 0.5, math.sqrt(0.5)
    for k in range(n):
        x = [w - eta * own for w, own in zip(of.mix(y), s, strict=True)]
        v = [w - (eta / alpha) * own for w, own in zip(of.mix(v), s, strict=True)]
        after = 0.5 / math.sqrt(k + 2)
        c = after / eta * alpha**2
        alpha, eta = (math.sqrt(c * c + 4 * c) - c) / 2, after
        y = [(1 - alpha) * a + alpha * b for a, b in zip(x, v, strict=True)]
        if k < n - 1:
            new = of.gradients(y)
            s = [w + a - b for w, a, b in zip(of.mix(s), new, old, strict=True)]
            old = new
    centre = of.mean(x)
    return of.solve(of.mean([f(centre) - f(of.x_star) for f in of.functions]))


@pytest.mark.parametrize(
    ("name", "run", "N"),
    [
        ("decentralised-subgradient", subgradient, 2),
        ("decentralised-subgradient", subgradient, 3),
        ("diging", diging, 2),
        ("diging", diging, 3),
        # With three agents Clarabel stops before it has an answer.
        ("acc-dngd", nesterov, 2),
    ],
)
def test_pepit_has_the_same_value(name, run, N):
    """To 1e-5: the agents' average over all permutations loses nothing, so that N does not matter."""
    assert read_file(EXAMPLES / f"{name}.worst", n=3).worst().upper == pytest.approx(run(3, N), rel=1e-5)
