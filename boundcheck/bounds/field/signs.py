"""signSGD, on one machine and with a majority vote: the average of the gradient's absolute coordinates.

* `ONE`: with steps eta in each coordinate the average over K T steps of E|grad f(x)|_1 is at most Delta/(eta K T) + d L
  eta/2 + 2 sqrt(d) sigma/sqrt(N b). J. Bernstein, Y.-X. Wang, K. Azizzadenesheli, A. Anandkumar, "signSGD: Compressed
  Optimisation for Non-Convex Problems", arXiv:1802.04434, Theorem 1 at its smoothness |L|_1 <= d L and noise |sigma|_1
  <= sqrt(d) sigma, eta and b not yet chosen (there b = T, and the last term falls as well). Derived: f falls by eta
  |g|_1 - 2 eta sum_c |g_c| P(wrong sign) - d L eta^2/2, and P <= E|noise_c|/|g_c| by Markov.
* `VOTE`: with the majority of N clients it is at most Delta/(eta T) + d L eta/2 + 4 sqrt(d) sqrt(sigma^2/b + zeta^2).
  Of Theorem 2 there, first part, which has equal clients and 2 for 4. Derived: at least half of the votes are wrong or
  missing where the majority is, so that P <= 2 mean_i E|g_ic - grad_c f|/|grad_c f|, whatever the noises have to do
  with each other; then Cauchy and Schwarz over coordinates and clients. No law of the noise is asked for, hence no
  speed-up in N: that needs unimodal and symmetric noise, which random signs are not.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import sqrt

from boundcheck.bounds.bound import Bound
from boundcheck.bounds.common import FULL, VARIANCE
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.bounds.field.normalised import A_STEP, NOISE, STEPS
from boundcheck.notation import symbols

T, d, L, zeta, Delta, eta = symbols("T d L zeta Delta eta")

ONE = Bound(
    id="field.signsgd",
    paper="field",
    form="proof",
    title="signSGD, smooth: the average absolute gradient",
    where="arXiv:1802.04434, Theorem 1",
    method="signsgd",
    metric="gradient_size",
    needs=("L", "sigma", "Delta"),
    parameters={"eta": sqrt(2 * Delta / (d * L * STEPS))},
    terms={"gap": Delta / (eta * STEPS), "curvature": d * L * eta / 2, "noise": 2 * sqrt(d) * NOISE},
    trivial=sqrt(2 * d * L * Delta),
    conditions=(A_STEP, FULL),
    free=("eta",),
    units={"eta": (0, 1)},
    note="Derived, in terms of L and sigma alone.",
)
VOTE = replace(
    ONE,
    id="field.signsgd-majority",
    title="signSGD with majority vote, smooth: the average absolute gradient",
    where="arXiv:1802.04434, Theorem 2, first part",
    method="signsgd-majority",
    needs=("L", "sigma", "zeta", "Delta"),
    terms={
        "gap": Delta / (eta * T),
        "curvature": d * L * eta / 2,
        "wrong votes": 4 * sqrt(d) * sqrt(VARIANCE + zeta**2),
    },
    conditions=(A_STEP, ONE_STEP, FULL),
    independent_noise=False,
    note="Derived; Markov's constant, heterogeneous clients.",
)
