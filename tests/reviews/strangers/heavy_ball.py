"""The heavy ball on convex functions (Ghadimi, Feyzmahdavian, Johansson 2015, Theorem 1), arXiv:1412.7457."""

from dataclasses import replace

from sympy import Eq, Integer, Le, Lt, Rational

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols

N, S, K, T, L, Delta, delta_x, eta, beta = symbols("N S K T L Delta delta_x eta beta")
TRUE = Bound(
    id="heavy-ball",
    paper="mine",
    title="the average of the heavy ball's points",
    where="Ghadimi et al. 2015, Theorem 1",
    method="fedavg-server-m",
    metric="centre_suboptimality",
    needs=("L", "Delta", "delta_x"),
    parameters={"gamma": Integer(1) + 0 * L, "beta": Rational(1, 2) + 0 * L, "eta": (1 - beta) / L},
    free=("beta", "eta"),
    terms={"values": beta / (1 - beta) * Delta / T, "distance": (1 - beta) * delta_x / (2 * eta * T)},
    trivial=L * delta_x / 2,
    conditions=(
        Condition("one step", Eq(K, 1)),
        Condition("all clients", Le(N, S)),
        Condition("step", Le(eta * L, 1 - beta)),
        Condition("momentum", Lt(beta, 1)),
    ),
    exact_gradients=True,
    convex=True,
)
SPOILED = replace(TRUE, terms={"distance": (1 - beta) * delta_x / (8 * eta * T)})
