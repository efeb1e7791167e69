"""SGD under light tails, with probability 1 - delta: the average gradient of one run.

With E exp(|g - grad f_i|^2/s^2) <= e for one sample, s = sigma_exp, and eta <= 1/L, the average of |grad f(x_t)|^2
over T steps is, with probability at least 1 - delta, at most 4 Delta/(eta T) + 2 L eta s^2 + (12 + 2 L eta) s^2
log(2/delta)/T. S. Ghadimi, G. Lan, SIAM J. Optim. 2013, Corollary 2.5 has the assumption and repeats runs; Z. Liu,
T. D. Nguyen, T. H. Nguyen, A. Ene, H. L. Nguyen, "High Probability Convergence of Stochastic Gradient Methods",
arXiv:2302.14843, has one run. The constants are those of this proof.

Derived: f(x+) <= f - eta (1 - L eta/2)|grad f|^2 - eta (1 - L eta) <grad f, n> + L eta^2 |n|^2/2, n the mean of all
samples' errors, for which the assumption holds by convexity.

* E exp(lam <u, n>) <= exp(3 lam^2 s^2 |u|^2/4) for every lam and fixed u: with z = |lam| s |u|, for z <= 4/3 because
e^v <= v +
  e^(9 v^2/16), for larger z because lam <u, n> <= 3 z^2/8 + 2 |n|^2/(3 s^2).
* So exp of lam times the sum of -<grad f(x_t), n_t>, less 3 lam^2 s^2/4 times that of |grad f(x_t)|^2, is a
supermartingale.
  At lam = 1/(3 eta s^2), for eta (1 - L eta) <= eta in the place of 1, the sum is at most eta/4 times that of
  |grad f(x_t)|^2 and 3 eta s^2 log(2/delta), but for a probability of delta/2.
* E exp(sum of |n_t|^2/s^2) <= e^T, so that the sum of |n_t|^2 is at most s^2 (T + log(2/delta)), but for delta/2.
"""

from __future__ import annotations

from sympy import Le, Lt, Min, Rational, log, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.bounds.field.normalised import A_STEP
from boundcheck.notation import symbols

T, L, Delta, eta, sigma_exp, delta_fail = symbols("T L Delta eta sigma_exp delta_fail")

SGD = Bound(
    id="field.sgd-chance",
    paper="field",
    form="proof",
    title="SGD with light tails, smooth, with probability 1 - delta: the average gradient of one run",
    where="the assumption of Ghadimi, Lan 2013, Corollary 2.5; arXiv:2302.14843",
    method="sgd",
    metric="server_gradient",
    needs=("L", "sigma_exp", "Delta"),
    parameters={
        "delta_fail": Rational(1, 10),
        "eta": Min(1 / L, sqrt(2 * Delta / (L * T)) / sigma_exp),
    },
    terms={
        "gap": 4 * Delta / (eta * T),
        "noise": 2 * L * eta * sigma_exp**2,
        "confidence": (12 + 2 * L * eta) * sigma_exp**2 * log(2 / delta_fail) / T,
    },
    trivial=2 * L * Delta,
    conditions=(
        A_STEP,
        ONE_STEP,
        FULL,
        Condition("step", Le(eta, 1 / L)),
        Condition("a probability", Lt(0, delta_fail, evaluate=False)),
    ),
    free=("delta_fail", "eta"),
    failure="delta_fail",
    independent_noise=False,
    note="Derived; the constants are those of this proof.",
)
