"""FedLALR with an adaptive interval (Theorem 2).

Theorem 2.  If all clients take part, eta = min(sqrt(N/sum_t K_t), 3 eps/(20 L)) and K_t = O(log t), then

    sum_(t, k) E|grad f(x_tk)|^2/sum_t K_t = O(1/sqrt(N sum_t K_t)).

Round t = 1, 2, ... has K + floor(log t) local steps, the logarithm to the base K_growth.  The paper asks for
K_t = O(log t) only; this is the schedule of its experiments.  It prints a ceiling, but its own step counts are those of
the floor.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from sympy import Ge, Integer, Min, Rational, floor, log, sqrt

from boundcheck.bounds.bound import Condition, Remark
from boundcheck.bounds.common import FULL
from boundcheck.bounds.fedlalr import (
    CONDITIONS,
    FLOOR,
    FREE,
    THEOREM_1_PROOF,
    THEOREM_1R,
    WEIGHTS,
    G,
    K,
    L,
    N,
    T,
    d,
    eps,
    eta,
)
from boundcheck.notation import symbols

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sympy import Expr

    from boundcheck.bounds.bound import Values

growth, total, longest, drift_steps = symbols("K_growth sum_K K_max drift_steps")

# The fraction outweighs the rounding of the logarithms at exact powers, up to T = 1e11.
_levels = floor(log(T) / log(growth) + Rational(1, 10**12))
_schedule = {
    "K_growth": Integer(4),
    "sum_K": K * T + _levels * (T + 1) - (growth ** (_levels + 1) - growth) / (growth - 1),
    "K_max": K + _levels,
}
_speed_up = sqrt(N / total)
_BASE = Condition("base of the interval", Ge(growth, 2))


def _adaptive(terms: Mapping[str, Expr]) -> dict[str, Expr]:
    """Return terms of a fixed interval with the sum of K_t in place of K T, and the longest round in place of K."""
    return {name: e.subs(T, total / K).subs(K, longest) for name, e in terms.items()}


def _mean_square(v: Values) -> float:
    """Return the mean of (k-1)^2 over all local steps, summed level by level; infinite where levels never end."""
    K, T, base = int(v["K"]), int(v["T"]), int(v["K_growth"])
    if base < 2:
        return math.inf
    square, first = 0, 1
    while first <= T:
        rounds = min(base * first, T + 1) - first
        square += rounds * (K - 1) * K * (2 * K - 1) // 6
        first, K = base * first, K + 1
    return square / v["sum_K"]


THEOREM_2 = replace(
    THEOREM_1_PROOF,
    id="fedlalr.theorem2",
    title="FedLALR with adaptive interval, as printed",
    where="Theorem 2, l.208-212, (271)",
    parameters={**FREE, **_schedule, "eta": Min(_speed_up, 3 * eps / (20 * L))},
    free=("beta1", "beta2", "eps", "K_growth"),
    hyper={"growth": "K_growth"},
    terms=_adaptive(THEOREM_1_PROOF.terms),
    conditions=(*CONDITIONS, _BASE),
    definitions=("sum_K", "K_max"),
    regime={"sum_K": K * T, "K_max": K},
    form="printed",
    note="The longest round is taken to be the last one; K_t <= O(log t) must not decrease and be at least 1.",
    # With K_growth > T every round has K steps.
    refuted_by=("fedlalr.theorem1-eps-printed",),
    independent_noise=False,
    remark=Remark("as Theorem 1, at constant intervals; needs intervals that do not decrease", "as Theorem 1"),
)

THEOREM_2_RATE = replace(
    THEOREM_2,
    id="fedlalr.theorem2-rate",
    remark=None,
    title="FedLALR with adaptive interval: linear speed-up",
    where="Theorem 2, (272)",
    parameters={**FREE, **_schedule, "eta": _speed_up},
    conditions=(
        FULL,
        Condition("long enough that eta = sqrt(N/sum K_t) is allowed", Ge(total, N * (20 * L / (3 * eps)) ** 2)),
        *WEIGHTS,
        _BASE,
        FLOOR,
    ),
    note="(271) at eta = sqrt(N/sum K_t); printed with '<=', which must be '=' for the gap term.",
    refuted_by=(),
)

THEOREM_2R = replace(
    THEOREM_2,
    id="fedlalr.theorem2R",
    title="FedLALR with adaptive interval, repaired and sharpened",
    where="Theorem 2, repaired as Theorem 1R, drift summed round by round",
    terms=_adaptive(THEOREM_1R.terms) | {"drift": 2 * G * eta**2 * L**2 * G**2 * d * drift_steps / (2 * eps**3)},
    conditions=(*CONDITIONS, _BASE, FLOOR),
    derived={"drift_steps": _mean_square},
    form="repaired",
    note="Homogeneous under f -> s f, and the rounds need not grow: only their longest and the sums enter.",
    refuted_by=(),
    independent_noise=True,
)
