"""Extragradient, strongly monotone (Mokhtari et al. 2020, arXiv:1901.08511, Theorem 7)."""

from dataclasses import replace

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols

N, S, K, T, L, mu_op, delta_z, eta = symbols("N S K T L mu_op delta_z eta")
TRUE = Bound(
    id="eg",
    paper="mine",
    title="extragradient, strongly monotone",
    where="Mokhtari et al. 2020, Theorem 7",
    method="extragradient",
    metric="final_distance",
    needs=("L", "mu_op", "delta_z"),
    parameters={"eta": 1 / (4 * L)},
    terms={"rate": (1 - mu_op / (4 * L)) ** T * delta_z},
    trivial=delta_z,
    conditions=(Condition("one", Eq(K, 1)), Condition("all", Le(N, S))),
    exact_gradients=True,
    rigid=True,
)
FASTER = replace(TRUE, terms={"rate": (1 - mu_op / (4 * L)) ** (4 * T) * delta_z})
WIDER = replace(TRUE, parameters={"eta": 2 / L})
