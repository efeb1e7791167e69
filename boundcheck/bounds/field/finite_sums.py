"""Strongly convex finite sums: SVRG's values, and the distance of loopless SVRG and under random reshuffling.

* `SVRG`: with snapshots drawn from the K points of a round, E f(x_T) - f_star <= r^T Delta, r = 1/(mu eta (1 - 2 L_exp
  eta) K) + 2 L_exp eta/(1 - 2 L_exp eta). R. Johnson, T. Zhang, "Accelerating Stochastic Gradient Descent using
  Predictive Variance Reduction", NeurIPS 2013, Theorem 1, where L_exp is the largest smoothness of a sample. Derived:
  with a and c the changes of the sampled gradient from x_star to y and to the snapshot x, v = a - (c - E c), so that
  E|v|^2 <= 4 L_exp (f(y) - f_star + f(x) - f_star), for means over clients as well; then sum the distances of a round.
* `LOOPLESS`: with snapshots taken by a coin of probability p and eta <= 1/(6 L_exp), E|x_T - x_star|^2 <= max(1 - eta
  mu, 1 - p/2)^T (delta_x + 8 eta^2 L_exp Delta/p). D. Kovalev, S. Horvath, P. Richtarik, "Don't Jump Through Hoops and
  Remove Those Loops", arXiv:1901.08689, Theorem 5. Derived: with s^2 the mean square of c, E|v|^2 <= 4 L_exp (f(x) -
  f_star) + 2 s^2 and E s+^2 <= (1 - p) s^2 + 2 p L_exp (f(x) - f_star), so that |x - x_star|^2 + 4 eta^2 s^2/p shrinks;
  at the start s^2 <= 2 L_exp Delta.
* `RESHUFFLED`: with all samples of every client once a round, eta <= 1/L_sample and every sample strongly convex, E|x_T
  - x_star|^2 <= (1 - eta mu_sample)^(K T) delta_x + eta^2 L_sample K sigma_star^2/(2 mu_sample N). K. Mishchenko, A.
  Khaled, P. Richtarik, "Random Reshuffling: Simple Analysis with Vast Improvements", arXiv:2006.05988, Theorem 1 with
  its bound of the shuffling variance, at N = 1. Derived: compare with x_star less eta times the gradients at x_star
  taken so far, which returns to x_star after a pass; three Bregman distances, and sampling without replacement, whose
  variance K/2 sigma_star^2 is an average over clients with orders of their own.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Eq, Integer, Le, Lt, Max, Rational

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.bounds.field.normalised import A_STEP
from boundcheck.notation import symbols

N, K, T, b, eta, p_full, mu, L_exp, Delta, contraction = symbols("N K T b eta p_full mu L_exp Delta contraction")
L_sample, mu_sample, sigma_star, delta_x, n_samples = symbols("L_sample mu_sample sigma_star delta_x n_samples")

RATE = 1 / (mu * eta * (1 - 2 * L_exp * eta) * K) + 2 * L_exp * eta / (1 - 2 * L_exp * eta)

SVRG = Bound(
    id="field.svrg",
    example="parabolas",
    paper="field",
    title="SVRG, strongly convex: the value at the last snapshot",
    where="Johnson, Zhang 2013, Theorem 1",
    method="svrg",
    metric="final_suboptimality",
    needs=("L_exp", "mu", "Delta"),
    parameters={"eta": 1 / (10 * L_exp), "contraction": RATE},
    terms={"gap": contraction**T * Delta},
    trivial=Delta,
    conditions=(
        A_STEP,
        Condition("step", Lt(eta, 1 / (2 * L_exp))),
        Condition("a contraction", Lt(contraction, 1)),
        FULL,
    ),
    free=("eta",),
    definitions=("contraction",),
    choices={"output": "random"},
    convex=True,
    note="Derived.",
)
SHRINKS = Max(1 - eta * mu, 1 - p_full / 2)
LOOPLESS = replace(
    SVRG,
    id="field.l-svrg",
    title="Loopless SVRG, strongly convex: the last distance",
    where="arXiv:1901.08689, Theorem 5",
    method="l-svrg",
    metric="final_distance",
    needs=("L_exp", "mu", "Delta", "delta_x"),
    parameters={"eta": 1 / (6 * L_exp), "p_full": Rational(1, 4)},
    terms={"start": SHRINKS**T * delta_x, "snapshot": SHRINKS**T * 8 * eta**2 * L_exp * Delta / p_full},
    trivial=delta_x,
    conditions=(
        A_STEP,
        ONE_STEP,
        FULL,
        Condition("step", Le(eta, 1 / (6 * L_exp))),
        Condition("probability", Le(p_full, 1)),
    ),
    free=("eta", "p_full"),
    definitions=(),
    hyper={"p": "p_full"},
    choices={},
)
RESHUFFLED = Bound(
    id="field.reshuffled",
    example="parabolas",
    paper="field",
    title="Random reshuffling, strongly convex samples: the last distance",
    where="arXiv:2006.05988, Theorem 1",
    method="reshuffled-sgd",
    metric="final_distance",
    needs=("L_sample", "mu_sample", "sigma_star", "delta_x", "n_samples"),
    parameters={"eta": 1 / L_sample},
    terms={
        "start": (1 - eta * mu_sample) ** (K * T) * delta_x,
        "order": eta**2 * L_sample * K * sigma_star**2 / (2 * mu_sample * N),
    },
    trivial=delta_x,
    conditions=(
        A_STEP,
        Condition("step", Le(eta, 1 / L_sample)),
        Condition("a pass a round", Eq(K, n_samples)),
        Condition("one sample a step", Eq(b, Integer(1))),
        FULL,
    ),
    free=("eta",),
    choices={"order": "reshuffled"},
    convex=True,
    note="Derived, for any number of clients.",
)
