"""Time the engine of the tree in the current directory, this one or an older one, and print JSON: item to nanoseconds.

It asks for nothing but what every version has.
"""

import json
import sys
import time
from dataclasses import dataclass

from boundcheck.engine import simulate
from boundcheck.methods import METHODS
from boundcheck.problems import FAMILIES

FedAvg = METHODS["fedavg"]


@dataclass(frozen=True, kw_only=True)
class FullBatch(FedAvg):
    """FedAvg whose local steps take the exact gradients."""

    def round(self, oracle, state):
        """Take K exact steps."""
        y = oracle.to_clients(state.x)
        for _ in range(oracle.K):
            y = y - self.eta * oracle.full(y)
        return state._replace(x=oracle.mean(y))


SUM = ("finite-sum", {"N": 32, "d": 100, "m": 50})
ITEMS = {
    "ridge, signs": ("ridge", {"N": 32, "d": 100, "zeta": 1.0, "sigma": 1.0}, FedAvg(eta=0.01)),
    "ridge, signs, N=4, d=8": ("ridge", {"N": 4, "d": 8, "zeta": 1.0, "sigma": 1.0}, FedAvg(eta=0.01)),
    "finite sum, one of 50 components": (*SUM, FedAvg(eta=0.01)),
    "finite sum, all 50 components": (*SUM, FullBatch(eta=0.01)),
    "logistic regression, one row": ("logistic", {"N": 32}, FedAvg(eta=0.01)),
    "saddle, phases": (
        "ncsc-ridge",
        {"N": 32, "d1": 80, "d2": 20, "zeta_pair": 1.0, "sigma": 1.0},
        METHODS["local-sgda"](eta_x=0.01, eta_y=0.02),
    ),
}
K, LANES = 10, 16


def nanoseconds(family, parameters, method, T):
    """Return the processor time of a client gradient, the least of three runs."""
    problem = FAMILIES[family](**parameters)
    spent = []
    for _ in range(4):
        start = time.process_time()
        simulate(problem, method, K=K, T=T, lanes=LANES, points=1)
        spent.append(time.process_time() - start)
    return min(spent[1:]) / (LANES * T * K * problem.N) * 1e9


if __name__ == "__main__":
    wanted = sys.argv[1:] or ITEMS
    json.dump({item: nanoseconds(*ITEMS[item], T=200 if "N=4" in item else 40) for item in wanted}, sys.stdout)
