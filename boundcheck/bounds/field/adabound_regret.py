"""AdaBound's regret, as printed (false): at most a constant times sqrt(T) on convex losses with bounded gradients.

At beta1 = 0 it says R(T) <= D_inf^2 sqrt(T)/2 sum_i 1/s_T,i + (2 sqrt(T) - 1) high_1 G_2^2, where s_t,i is the step of
coordinate i between bounds low_t and high_t that tend to one limit, low_t never falling and high_t never rising.
L. Luo, Y. Xiong, Y. Liu, X. Sun, "Adaptive Gradient Methods with Dynamic Bound of Learning Rate", arXiv:1902.09843,
Theorem 4. Known: neither derived nor compared with the text.

What depends on the run is put at its largest value, 1/s_T,i <= 1/low_T and G_2^2 <= d G_inf^2: what is entered follows
from the theorem, so that a violation refutes it. The bounds are those of section 4 with a speed each. P. Savarese, "On
the Convergence of AdaBound and its Connection to SGD", arXiv:1908.04457, gave a problem on which AdaBound takes
arbitrarily long by a factor that the theorem does not have: the sum over 1/s_t - 1/s_(t-1) telescopes only where steps
shrink, and between the bounds they need not.
"""

from __future__ import annotations

from sympy import Lt, Rational, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.notation import symbols

T, d, G_inf, D_inf, eta, beta2 = symbols("T d G_inf D_inf eta beta2")
eta_end, rise, fall = symbols("eta_end rise fall")

REGRET = Bound(
    id="field.adabound-regret",
    paper="field",
    title="AdaBound on convex losses: the regret",
    where="arXiv:1902.09843, Theorem 4 at beta1 = 0",
    method="adabound",
    metric="regret",
    needs=("G_inf", "D_inf"),
    parameters={
        "eta": D_inf / 10,
        "beta2": Rational(999, 1000),
        "eta_end": D_inf / (10 * G_inf),
        "rise": Rational(1, 1000),
        "fall": Rational(1, 1000),
        "D_inf": D_inf,
    },
    terms={
        "distance": d * D_inf**2 * sqrt(T) * (rise * T + 1) / (2 * eta_end * rise * T),
        "gradients": (2 * sqrt(T) - 1) * eta_end * (1 + 1 / fall) * d * G_inf**2,
    },
    trivial=d * D_inf * G_inf * T,
    trivial_is_sure=True,
    conditions=(Condition("memory", Lt(beta2, 1)), ONE_STEP, FULL),
    free=("eta", "beta2", "eta_end", "rise", "fall"),
    rigid=True,
    convex=True,
    units={"eta": (0, 1)},
    note="Known; quantities of the run at their largest values.",
)
