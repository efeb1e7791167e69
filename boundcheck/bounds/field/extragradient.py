"""Extragradient for monotone Lipschitz operators: the average of |F|^2.

With F(z) = (grad_x f, -grad_y f) monotone, Lipschitz with L, and eta < 1/L the average of |F(z_t)|^2 over z_0..z_(T-1)
is at most delta_z/(eta^2 (1 - eta^2 L^2) T). G. Korpelevich 1976; the best of them, as commonly stated (F. Facchinei,
J.-S. Pang, "Finite-Dimensional Variational Inequalities", chapter 12). Derived: |z+ - z_star|^2 <= |z - z_star|^2 - (1
- eta^2 L^2)|z - w|^2 for w = z - eta F(z), and |z - w| = eta |F(z)|.
"""

from __future__ import annotations

from sympy import Lt, Rational

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.bounds.field.normalised import A_STEP
from boundcheck.notation import symbols

T, L, mu_op, delta_z, eta = symbols("T L mu_op delta_z eta")

MONOTONE = Bound(
    id="field.extragradient",
    example="monotone-saddle",
    paper="field",
    title="Extragradient, monotone: the average of the squared operator",
    where="Korpelevich 1976",
    method="extragradient",
    metric="server_gradient",
    needs=("L", "mu_op", "delta_z"),
    parameters={"eta": Rational(7, 10) / L},
    terms={"start": delta_z / (eta**2 * (1 - (eta * L) ** 2) * T)},
    trivial=L**2 * delta_z,
    conditions=(A_STEP, ONE_STEP, FULL, Condition("step", Lt(eta * L, 1))),
    free=("eta",),
    exact_gradients=True,
    note="Derived.",
)
