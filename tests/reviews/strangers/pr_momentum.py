"""SGD with momentum on N workers, one step a round (Yu, Jin, Yang 2019, Theorem 1 for I = 1), arXiv:1905.03817."""

from dataclasses import replace

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols

N, S, K, T, b, L, sigma, Delta, eta, beta = symbols("N S K T b L sigma Delta eta beta")

TRUE = Bound(
    id="pr-momentum",
    paper="mine",
    title="momentum on workers",
    where="Yu, Jin, Yang 2019, Theorem 1",
    method="pr-sgd-m",
    metric="server_gradient",
    needs=("L", "sigma", "Delta"),
    parameters={"beta": 0.5, "eta": (1 - beta) ** 2 / (L * (1 + beta))},
    free=("eta", "beta"),
    trivial=2 * L * Delta,
    terms={"gap": 2 * (1 - beta) * Delta / (eta * T), "noise": L * eta * sigma**2 / ((1 - beta) ** 2 * N * b)},
    conditions=(
        Condition("one", Eq(K, 1)),
        Condition("all", Le(N, S)),
        Condition("step", Le(eta, (1 - beta) ** 2 / (L * (1 + beta)))),
    ),
)
SMALL = replace(TRUE, terms={name: term / 8 for name, term in TRUE.terms.items()})
NO_NOISE = replace(TRUE, terms={"gap": TRUE.terms["gap"]})
LONG = replace(TRUE, parameters={"beta": 0.5, "eta": 8 / L}, conditions=TRUE.conditions[:2])
