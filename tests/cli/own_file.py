"""A theorem with a method, a problem, a letter, a left-hand side and a claim of its own."""

from dataclasses import dataclass

import numpy as np
from sympy import Eq

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Hyper, Method, ServerState
from boundcheck.metrics import Metric
from boundcheck.notation import symbols
from boundcheck.problems.constants import exact
from boundcheck.problems.own import from_functions, own_letter
from boundcheck.proofs import Claim


def fourth(problem, points):
    """|grad f|^4 at points (n, d)."""
    return (problem.mean_gradient(points[:, None]) ** 2).sum(axis=(1, 2)) ** 2


Q4 = own_letter("Q4", "largest |grad f|^4", unit=(4, -4), attack=fourth)
K, L = symbols("K L")
LAST = Metric("last", "|x_T|^2", None, unit=(0, 2), over="end", state=lambda p, m, s: (s.x**2).sum(axis=(1, 2)))


@dataclass(frozen=True)
class Descent(Method):
    """**Update**: ``x <- x - eta mean_i g_i(x)``."""

    eta: Hyper = 1.0
    card = Card("descent", "Descent", "mine", "Algorithm 1")

    def round(self, oracle, state):
        y = oracle.to_clients(state.x)
        oracle.observe(y)
        return ServerState(state.x - self.eta * oracle.mean(oracle.grad(y, oracle.draw())))


THEOREM = Bound(
    id="last",
    paper="mine",
    title="One step",
    where="Theorem 1",
    method="Descent",
    metric="LAST",
    needs=("L", "Q4"),
    parameters={"eta": 1 / L},
    terms={"slope": 4 * Q4 ** (1 / 2) / L**2},
    trivial=16 * Q4 ** (1 / 2) / L**2,
    conditions=(Condition("one local step", Eq(K, 1)),),
)


def PROBLEM(N: int, claimed: float = 1.0):
    """f(x) = sqrt(1 + x^2), slopes below 1."""
    given = {"L": exact(1.0, "at 0", np.zeros(1)), "Q4": claimed, "f_star": 1.0}
    return from_functions(
        lambda i, x: float(np.sqrt(1 + x @ x)),
        lambda i, x: x / np.sqrt(1 + x @ x),
        N=N,
        d=1,
        start=[2.0],
        constants=given,
    )


def goal():
    from boundcheck.proofs.provers import Real

    return Real((1 - 1 / L) ** 2, 1, (L >= 1,))


CLAIM = Claim("mine.step", "one step does not lead away", "Lemma 1", "(1 - 1/L)^2 <= 1", goal)
