"""A theorem with falling steps, in a file of its own."""

from sympy import Eq, Le, sqrt

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols

N, S, K, T, L, Delta = symbols("N S K T L Delta")
FALLING = Bound(
    id="falling",
    paper="here",
    title="steps 1/(L sqrt(t + 1))",
    where="here",
    method="sgd",
    metric="best_gradient",
    needs=("L", "Delta"),
    parameters={"eta": 1 / L},
    schedule={"eta": "(t+1)^-0.5"},
    terms={"descent": 2 * L * Delta / sqrt(T)},
    trivial=2 * L * Delta,
    conditions=(Condition("one local step", Eq(K, 1)), Condition("all clients", Le(N, S))),
    exact_gradients=True,
    rigid=True,
)
"""Delta falls by a_t (1 - a_t/2) |g_t|^2/L with a_t = (t+1)^(-1/2) <= 1: the least is 2 L Delta/sum a_t at most."""
