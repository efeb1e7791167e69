"""Gradient descent ascent, nonconvex and concave on a box: the average squared gradient of the Moreau envelope.

Phi(x) = max_y f(x, y) has kinks; with L the smoothness of f, Phi + L |x|^2/2 is convex, and the envelope Phi_L(x) =
min_z Phi(z) + L |z - x|^2 has the gradient 2 L (x - z_x), z_x where the minimum is.  With x+ = x - eta grad_x f, y+
= P(y + grad_y f/L) at the same pair, |grad_x f| <= G, D the diameter of the set of y, and any B >= 1, the average of
|grad Phi_L(x_t)|^2 over T rounds is at most 2 Delta_Phi/(eta T) + 2 eta L G^2 + 4 L (eta G^2 B + L D^2/B + (eta G^2
B^2 + L D^2/2 + Delta_y)/T + eta G^2), Delta_y = Phi(x_0) - f(x_0, y_0).  T. Lin, C. Jin, M. I. Jordan, "On Gradient
Descent Ascent for Nonconvex-Concave Minimax Problems", arXiv:1906.00331, Theorem 4.8, up to constants.

Derived: with z = z_x and d = Phi(x) - f(x, y), Phi_L(x+) <= Phi(z) + L |z - x+|^2, <z - x, grad_x f(x, y)> <= Phi(z)
- Phi(x) + d + L |z - x|^2/2 and Phi(x) - Phi(z) >= 3 L |z - x|^2/2, so that Phi_L falls by eta/2 |grad Phi_L|^2 - 2
eta L d - eta^2 L G^2.
 An ascent step is at most L/2 (|v - y|^2 - |v - y+|^2) worse than any v; at v = y_star(x_s), s the first round of a
 block of b = floor(B),
and since x moves by at most eta G a round, the sum of d over a block is at most eta G^2 b^2 + L D^2/2 + the rise of
f along it.  There are at most T/b + 1 blocks, B/2 <= b <= B, and f rises by at most Delta_y + eta G^2 T in all.
"""

from __future__ import annotations

from sympy import Le, Min, Rational, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.notation import symbols

T, L, Delta_Phi, Delta_y, D_y, G_x, B_block, eta_x = symbols("T L Delta_Phi Delta_y D_y G_x B_block eta_x")

CONCAVE = Bound(
    id="field.gda-concave",
    example="sine-saddle",
    paper="field",
    form="proof",
    title="Gradient descent ascent, nonconvex and concave: the average gradient of the Moreau envelope",
    where="arXiv:1906.00331, Theorem 4.8",
    method="sgda-projected",
    metric="moreau_gradient",
    needs=("L", "R_y", "D_y", "G_x", "Delta_Phi", "Delta_y"),
    parameters={
        "eta_x": Min(
            L * (D_y / G_x) ** 2,
            (Delta_Phi / (4 * sqrt(L) * L * G_x * D_y * T)) ** Rational(2, 3),
        ),
        "eta_y": 1 / L,
        "B_block": D_y / G_x * sqrt(L / eta_x),
    },
    terms={
        "gap": 2 * Delta_Phi / (eta_x * T),
        "steps": 6 * eta_x * L * G_x**2,
        "old responses": 4 * L * eta_x * G_x**2 * (B_block + B_block**2 / T),
        "blocks": 4 * L**2 * D_y**2 * (1 / B_block + 1 / (2 * T)),
        "start": 4 * L * Delta_y / T,
    },
    trivial=Rational(8, 3) * L * Delta_Phi,
    conditions=(
        Condition("a step", Le(0, eta_x, evaluate=False)),
        ONE_STEP,
        FULL,
        Condition("a block of rounds", Le(1, B_block)),
    ),
    free=("eta_x",),
    rigid=True,
    hyper={"reach": "R_y"},
    exact_gradients=True,
    note="Derived; the constants are those of this proof.",
)
