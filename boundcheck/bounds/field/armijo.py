"""Gradient descent with Armijo's rule, smooth: the average gradient, whatever step is tried first.

With f(x - s grad f) <= f - s |grad f|^2/2, s halved from eta until it is so, the average of |grad f(x_t)|^2 is at most
2 Delta/(T min(eta, 1/(2 L))). L. Armijo, "Minimization of Functions Having Lipschitz Continuous First Partial
Derivatives", Pacific Journal of Mathematics 1966. Derived: every s <= 1/L is enough, so that none is halved below 1/(2
L); the falls add up to Delta at most.
"""

from __future__ import annotations

from sympy import Integer, Le, Min

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.bounds.field.normalised import A_STEP
from boundcheck.notation import symbols

T, L, Delta, eta = symbols("T L Delta eta")

TRIES = 12

ARMIJO = Bound(
    id="field.armijo",
    paper="field",
    title="Gradient descent with Armijo's rule, smooth: the average gradient",
    where="Armijo 1966",
    method="armijo",
    metric="server_gradient",
    needs=("L", "Delta"),
    parameters={"eta": 8 / L},
    terms={"gap": 2 * Delta / (T * Min(eta, 1 / (2 * L)))},
    trivial=2 * L * Delta,
    trivial_is_sure=True,
    conditions=(A_STEP, ONE_STEP, FULL, Condition("tries that are enough", Le(L * eta, Integer(2) ** TRIES))),
    free=("eta",),
    choices={"share": 0.5, "tries": TRIES},
    exact_gradients=True,
    note="Derived.",
)
