"""Theorems that are true with equality, by the hundred: none may be called violated, and each at 0.99 has to be.

Clients with mu = L are parabolas L |x - c_i|^2/2 + v_i.  Any method that adds multiples of gradients then moves the
distance to the minimiser by a factor r_t that depends on its steps alone, which is computed here in fractions, a number
at a time.  So ``|x_T - x_star|^2 = r_T^2 |x_0 - x_star|^2`` for every such problem, whatever its scale and place.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
from sympy import Eq, Integer, Le, Rational, sqrt

from boundcheck.bounds import Bound, Condition
from boundcheck.metrics import Metric
from boundcheck.notation import symbols
from boundcheck.problems.constants import exact
from boundcheck.problems.own import from_functions

FILE = Path(__file__)
N, S, K, T, L, mu, Delta, delta_x, G_0, sigma = symbols("N S K T L mu Delta delta_x G_0 sigma")


def PARABOLA(
    N: int,
    L: float = 1.0,
    far: float = 1.0,
    centre: float = 0.0,
    floor: float = 0.0,
    tilt: float = 0.0,
    sigma: float = 0.0,
):
    """f_i(x) = L |x - centre|^2/2 + floor + a_i x, tilts that add up to 0; x_0 = centre + far."""
    tilts = tilt * np.resize([1.0, -1.0], N)
    tilts -= tilts.mean()
    place = np.array([centre])

    def value(x, clients):
        return (L * (x - centre) ** 2 / 2 + tilts[clients][..., None] * (x - centre)).sum(axis=-1) + floor

    def gradient(x, clients):
        return L * (x - centre) + tilts[clients][..., None]

    return from_functions(
        value,
        gradient,
        N=N,
        d=1,
        start=place + far,
        calls="lanes",
        sigma=sigma,
        convex=True,
        x_star=place,
        constants={
            "L": exact(L, "the curvature of every client"),
            "mu": exact(L, "the curvature of every client"),
            "zeta": exact(float(np.sqrt(np.mean(tilts**2))), "tilts"),
            "f_star": exact(floor, "at the centre", place),
        },
    )


def _slope(problem, y, x):
    return np.sqrt((problem.mean_gradient(x) ** 2).sum(axis=(1, 2)))


def _away(problem, y, x):
    return np.sqrt(((x - problem.x_star) ** 2).sum(axis=(1, 2)))


def _both(problem, y, x):
    return _slope(problem, y, x) * _away(problem, y, x)


SLOPE = Metric("slope", "average of |grad f(x_t)|", _slope, unit=(1, -1), rounds="lengths")
AWAY = Metric("away", "|x_T - x_star|", _away, unit=(0, 1), over="end", rounds="lengths")
PRODUCT = Metric("product", "average of |grad f(x_t)| |x_t - x_star|", _both, unit=(1, 0), rounds="lengths")
CUBE = Metric("cube", "|x_T - x_star|^3", lambda p, y, x: _away(p, y, x) ** 3, unit=(0, 3), over="end")
WORK = Metric(
    "work", "average of |grad f|^2 |x - x_star|", lambda p, y, x: _slope(p, y, x) * _both(p, y, x), unit=(2, -1)
)
SUM = Metric(
    "sum",
    "average of |grad f(x_t)|^2 + L^2 |x_t - x_star|^2",
    lambda p, y, x: _slope(p, y, x) ** 2 + (p.constant("L") * _away(p, y, x)) ** 2,
    unit=(2, -2),
)
STEEPNESS = Metric(
    "steepness",
    "average of |grad f(x_t)|/|x_t - x_star|",
    lambda p, y, x: _slope(p, y, x) / _away(p, y, x),
    unit=(1, -2),
)

STEPS = (Fraction(1, 3), Fraction(9, 10), Fraction(1), Fraction(3, 2), Fraction(1, 1000))
METHODS = ("sgd", "fedavg", "fedavg-server-m")
SHAPES = ((1, 1), (1, 5), (2, 3), (4, 2), (1, 40))
"""K and T."""
SCALES = tuple(10.0**p for p in (-12, -6, -3, 0, 3, 6, 12))
PLACES = ((0.0, 0.0, 0.0), (3.0, -2.0, 0.0), (0.0, 0.0, 0.5), (-7.0, 11.0, 2.0))
"""Centre in units of the distance to it, floor in units of Delta, and tilt in units of the first gradient."""


def factors(method: str, a: Fraction, K: int, T: int) -> list[Fraction]:
    """Return r_0 .. r_T: the distance to the minimiser, as a share of the first one."""
    r, v, found = Fraction(1), Fraction(0), [Fraction(1)]
    for _ in range(T):
        y = r
        for _ in range(K):
            y -= a * y
        # Of server momentum, v <- beta v - (mean y - x), x <- x - gamma v.
        v = MOMENTUM * v - (y - r) if method == "fedavg-server-m" else r - y
        r -= v
        found.append(r)
    return found


MOMENTUM = Fraction(1, 4)


def _average(values: list[Fraction]) -> Rational:
    total = sum(values, Fraction(0)) / len(values)
    return Rational(total.numerator, total.denominator)


SIDES = {
    "final_distance": lambda r: _average([r[-1] ** 2]) * delta_x,
    "distance": lambda r: _average([x**2 for x in r[:-1]]) * delta_x,
    "final_gradient": lambda r: 2 * L * Delta * _average([r[-1] ** 2]),
    "server_gradient": lambda r: _average([x**2 for x in r[:-1]]) * L**2 * delta_x,
    "best_gradient": lambda r: 2 * _average([min(x**2 for x in r[:-1])]) * L * Delta,
    "final_suboptimality": lambda r: _average([r[-1] ** 2]) * Delta,
    "suboptimality": lambda r: _average([x**2 for x in r[:-1]]) * L * delta_x / 2,
    "SLOPE": lambda r: _average([abs(x) for x in r[:-1]]) * L * sqrt(delta_x),
    "AWAY": lambda r: _average([abs(r[-1])]) * sqrt(2 * Delta / L),
    "PRODUCT": lambda r: _average([x**2 for x in r[:-1]]) * sqrt(2 * L * Delta) * sqrt(delta_x),
    "CUBE": lambda r: _average([abs(r[-1]) ** 3]) * delta_x * sqrt(2 * Delta / L),
    "WORK": lambda r: _average([abs(x) ** 3 for x in r[:-1]]) * 2 * L * Delta * sqrt(delta_x),
    "SUM": lambda r: _average([x**2 for x in r[:-1]]) * (L**2 * delta_x + 2 * L * Delta),
    "STEEPNESS": lambda r: L + 0 * Delta,
}
"""Left-hand side to what it is, given r_0 .. r_T, in different letters."""


@dataclass(frozen=True)
class Equality:
    """A theorem, a problem on which it is attained, and the setting that it is about."""

    bound: Bound
    problem: str
    N: int
    K: int
    T: int


def theorem(metric: str, method: str, a: Fraction, K_: int, T_: int) -> Bound:
    """Return the theorem about one left-hand side, method, step and length."""
    r = factors(method, a, K_, T_)
    given = {"eta": Rational(a.numerator, a.denominator) / L}
    if method == "fedavg-server-m":
        given |= {"beta": Rational(MOMENTUM.numerator, MOMENTUM.denominator) + 0 * L, "gamma": Integer(1) + 0 * L}
    named = f"{FILE}:{metric}" if metric.isupper() else metric
    conditions = (Eq(K, K_), Eq(T, T_), Le(N, S), Eq(mu, L))
    return Bound(
        id=f"{metric}-{method}-{a}-{K_}-{T_}".replace("/", ":").lower(),
        paper="here",
        title="true with equality",
        where="equalities.py",
        method=method,
        metric=named,
        needs=("L", "mu", "Delta", "delta_x"),
        parameters=given,
        terms={"all": SIDES[metric](r)},
        trivial=10**6 * SIDES[metric](r) + L * delta_x * 10**30,
        conditions=tuple(Condition(f"condition {i}", relation) for i, relation in enumerate(conditions)),
        exact_gradients=True,
        convex=True,
        rigid=True,
    )


def _is_clear(metric: str, method: str, a: Fraction, shape: tuple[int, int]) -> bool:
    """Return whether a hundredth of the left-hand side is more than rounding of the start leaves."""
    if metric == "STEEPNESS" and min(map(abs, factors(method, a, *shape))) < Fraction(1, 1000):
        # 0/0 at the minimiser, and rounding close to it.
        return False
    share = SIDES[metric](factors(method, a, *shape)).subs({L: 1, Delta: Rational(1, 2), delta_x: 1})
    return float(share) > 1e-9


def equalities(count: int, seed: int = 0) -> list[Equality]:
    """Return theorems that are true with equality: every left-hand side and method, at mixed scales and places."""
    rng = np.random.default_rng(seed)
    kinds = list(product(SIDES, METHODS, STEPS, SHAPES))
    kinds = [one for one in kinds if (one[1] != "sgd" or one[3][0] == 1) and _is_clear(*one)]
    chosen = rng.permutation(len(kinds))[:count]
    found = []
    for k in chosen:
        metric, method, a, (K_, T_) = kinds[k]
        L_, far = rng.choice(SCALES, 2)
        centre, floor, tilt = PLACES[rng.integers(len(PLACES))]
        # A centre far beyond the distance would leave a part of it to rounding; the search turns that dial itself.
        dials = {"L": L_, "far": far, "centre": centre * far, "floor": floor * L_ * far**2, "tilt": tilt * L_ * far}
        name = ",".join(f"{dial}={float(value)!r}" for dial, value in dials.items())
        clients = 1 if tilt == 0 else int(rng.choice([2, 5]))
        found.append(Equality(theorem(metric, method, a, K_, T_), f"{FILE}:PARABOLA[{name}]", clients, K_, T_))
    return found


def at_share(one: Equality, share: Rational) -> Bound:
    """Return the theorem with another constant."""
    from dataclasses import replace

    return replace(one.bound, id=f"{one.bound.id}-less", terms={"all": share * one.bound.terms["all"]})
