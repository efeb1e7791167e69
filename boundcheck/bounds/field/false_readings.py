"""Statements that are read into the field's theorems and are false: what each drops is named, and refuted by a search.

* `HEAVY_BALL`: with the step 4/(sqrt(L) + sqrt(mu))^2 and momentum r^2, r = (sqrt(L) - sqrt(mu))/(sqrt(L) + sqrt(mu)),
  |x_T - x_star|^2 <= r^(2T) (2T + 1)^2 delta_x for every strongly convex f. True for parabolas: x_t = r^t (U_t(c) - r
  U_(t-1)(c)) x_0 along an eigenvector, |U_t| <= t + 1 (B. Polyak 1964, whose theorem beyond parabolas is local). False
  beyond them: L. Lessard, B. Recht, A. Packard, "Analysis and Design of Optimization Algorithms via Integral Quadratic
  Constraints", arXiv:1408.3595, section 4.6, have a function on which it cycles.
* `VOTE`: the bound of signSGD with majority vote whose noise falls with the square root of N, without the law of the
  noise: at most Delta/(eta T) + d L eta/2 + 4 sqrt(d) (sigma/sqrt(N b) + zeta). J. Bernstein et al., arXiv:1802.04434,
  Theorem 2, second part, which assumes unimodal and symmetric noise. Without that most of the votes may be wrong
  together: a rare large error against many small ones.
* `LISTED`: the bound of `field.reshuffled` for samples in one fixed order (incremental gradient). False: clients whose
  lists are alike go through them together, so that their errors do not average out, and partial sums of a sorted list
  are longer than those of random orders.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import sqrt

from boundcheck.bounds.bound import Bound
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.finite_sums import RESHUFFLED
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.bounds.field.signs import VOTE as WITHOUT_SPEED_UP
from boundcheck.notation import symbols

N, T, b, d, L, mu, sigma, Delta, delta_x, eta, beta1, zeta = symbols("N T b d L mu sigma Delta delta_x eta beta1 zeta")

RATIO = (sqrt(L) - sqrt(mu)) / (sqrt(L) + sqrt(mu))

HEAVY_BALL = Bound(
    id="field.heavy-ball",
    example="piecewise",
    paper="field",
    title="The heavy ball tuned to parabolas, strongly convex: the last distance",
    where="Polyak 1964, read beyond parabolas",
    method="fedavg-server-m",
    metric="final_distance",
    needs=("L", "mu", "delta_x"),
    parameters={"eta": 4 / (sqrt(L) + sqrt(mu)) ** 2, "beta1": RATIO**2},
    terms={"start": beta1**T * (2 * T + 1) ** 2 * delta_x},
    trivial=delta_x,
    conditions=(ONE_STEP, FULL),
    definitions=("beta1",),
    rigid=True,
    hyper={"beta": "beta1"},
    convex=True,
    exact_gradients=True,
    note="Derived for parabolas; known to be false beyond them.",
)
VOTE = replace(
    WITHOUT_SPEED_UP,
    id="field.signsgd-speedup",
    title="signSGD with majority vote, any noise: a speed-up in the number of clients",
    where="arXiv:1802.04434, Theorem 2, without its Assumption 4",
    terms={
        "gap": Delta / (eta * T),
        "curvature": d * L * eta / 2,
        "wrong votes": 4 * sqrt(d) * (sigma / sqrt(N * b) + zeta),
    },
    independent_noise=True,
    form="printed",
    note="Known to need unimodal and symmetric noise; false without.",
)
LISTED = replace(
    RESHUFFLED,
    id="field.incremental",
    title="Incremental gradient at the rate of random orders: the last distance",
    where="arXiv:2006.05988, Theorem 1, read for a fixed order",
    choices={"order": "listed"},
    note="Known to be false for a fixed order.",
)
