"""A random output of SGD, with probability 1 - delta (Ghadimi, Lan 2013, Corollary 2.2 and (2.13)), arXiv:1309.5549."""

from dataclasses import replace

from sympy import Eq, Le, Lt, Rational

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols

N, S, K, T, L, sigma, Delta, eta, delta_fail = symbols("N S K T L sigma Delta eta delta_fail")
TRUE = Bound(
    id="markov", paper="mine", title="SGD by Markov's inequality", where="Ghadimi, Lan 2013, (2.13)", method="sgd",
    metric="server_gradient", needs=("L", "sigma", "Delta"),
    parameters={"eta": 1 / (2 * L), "delta_fail": Rational(1, 4)},
    terms={"gap": 2 * Delta / (eta * T * delta_fail), "noise": L * eta * sigma**2 / (N * delta_fail)},
    trivial=2 * L * Delta / delta_fail, free=("eta", "delta_fail"), failure="delta_fail",
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S)), Condition("step", Le(eta * L, 1)),
                Condition("a probability", Lt(delta_fail, 1))),
)  # fmt: skip
NO_DELTA = replace(TRUE, terms={"gap": Delta / (8 * eta * T), "noise": L * eta * sigma**2 / N})
NO_NOISE = replace(TRUE, terms={"gap": TRUE.terms["gap"]})
