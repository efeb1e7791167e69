"""Adam's regret, as printed (false): at most a constant times sqrt(T) on convex losses with bounded gradients.

R(T) <= D^2/(2 eta (1-beta1)) sum_i sqrt(T v_T,i) + eta (1+beta1) G_inf/((1-beta1) sqrt(1-beta2) (1-g)^2) sum_i
|g_(1:T),i| + sum_i D_inf^2 G_inf sqrt(1-beta2)/(2 eta (1-beta1) (1-decay1)^2), g = beta1^2/sqrt(beta2) < 1, with
steps eta/sqrt(t) and weights beta1 decay1^(t-1). D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization",
arXiv:1412.6980, Theorem 4.1. Compared with a copy of the paper's text.

What depends on the run is put at its largest value, sqrt(v_T,i) <= G_inf and |g_(1:T),i| <= G_inf sqrt(T), and D^2
at d D_inf^2: what is entered follows from the theorem, so that a violation refutes it. The iterates stay in a box by
projection, as the proof's D_inf asks. S. Reddi, S. Kale, S. Kumar, arXiv:1904.09237, gave losses that refute it.
"""

from __future__ import annotations

from sympy import Lt, Rational, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.notation import symbols

T, d, G_inf, D_inf, eta, beta1, beta2, decay1 = symbols("T d G_inf D_inf eta beta1 beta2 decay1")

REGRET = Bound(
    id="field.adam-regret",
    paper="field",
    title="Adam on convex losses: the regret",
    where="arXiv:1412.6980, Theorem 4.1",
    method="adam-projected",
    metric="regret",
    needs=("G_inf", "D_inf"),
    parameters={
        "eta": D_inf / 10,
        "beta1": Rational(9, 10),
        "beta2": Rational(999, 1000),
        "decay1": Rational(9, 10),
        "D_inf": D_inf,
    },
    terms={
        "distance": d**2 * D_inf**2 * G_inf * sqrt(T) / (2 * eta * (1 - beta1)),
        "gradients": eta
        * (1 + beta1)
        * d
        * G_inf**2
        * sqrt(T)
        / ((1 - beta1) * sqrt(1 - beta2) * (1 - beta1**2 / sqrt(beta2)) ** 2),
        "decay": d * D_inf**2 * G_inf * sqrt(1 - beta2) / (2 * eta * (1 - beta1) * (1 - decay1) ** 2),
    },
    trivial=d * D_inf * G_inf * T,
    trivial_is_sure=True,
    conditions=(
        Condition("first memory", Lt(beta1, 1)),
        Condition("second memory", Lt(beta2, 1)),
        Condition("decay", Lt(decay1, 1)),
        Condition("memories", Lt(beta1**2 / sqrt(beta2), 1)),
        ONE_STEP,
        FULL,
    ),
    free=("eta", "beta1", "beta2", "decay1"),
    rigid=True,
    convex=True,
    units={"eta": (0, 1)},
    note="Compared with a copy of the paper's text; quantities of the run at their largest values.",
)
