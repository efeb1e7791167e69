"""Decentralised SGD, smooth (Lian et al. 2017, arXiv:1705.09056, Theorem 1, with other constants)."""

from dataclasses import replace

from sympy import Eq, Le, Rational

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols

N, S, K, T, b, L, zeta, Delta, gap_W, eta, sigma = symbols("N S K T b L zeta Delta gap_W eta sigma")
TRUE = Bound(
    id="dpsgd",
    paper="mine",
    title="D-PSGD",
    where="Lian et al. 2017, Theorem 1",
    method="dsgd",
    metric="server_gradient",
    needs=("L", "sigma", "zeta", "Delta"),
    parameters={"gap_W": Rational(1, 2), "eta": gap_W / (8 * L)},
    terms={
        "gap": 4 * Delta / (eta * T),
        "noise": 4 * eta * L * sigma**2 / N,
        "local": 36 * eta**2 * L**2 * sigma**2 / gap_W,
        "apart": 72 * eta**2 * L**2 * zeta**2 / gap_W**2,
    },
    trivial=2 * L * Delta,
    conditions=(
        Condition("one", Eq(K, 1)),
        Condition("all", Le(N, S)),
        Condition("b", Eq(b, 1)),
        Condition("step", Le(eta, gap_W / (8 * L))),
    ),
    free=("gap_W", "eta"),
)
SMALL = replace(TRUE, terms={n: t / 64 for n, t in TRUE.terms.items()})
