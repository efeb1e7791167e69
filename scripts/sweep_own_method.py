"""A method of your own: two pure functions over arrays, swept like any other."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from boundcheck import load_problem, simulate
from boundcheck.methods.base import Card, Hyper, Method


@dataclass(frozen=True, kw_only=True)
class SignedFedAvg(Method):
    """FedAvg whose clients step along the signs of their gradients."""

    eta: Hyper
    card = Card("signed-fedavg", "FedAvg with signs", "mine", "a draft")

    def round(self, oracle, state):
        """K signed steps on every active client, then the average."""

        def step(_, y):
            oracle.observe(y)
            return y - self.eta * oracle.xp.sign(oracle.grad(y, oracle.draw()))

        return state._replace(x=oracle.mean(oracle.fori(step, oracle.to_clients(state.x))))


def main(T: int = 200) -> pd.DataFrame:
    """Return the averaged |grad f|^2 a step."""
    steps, problem = np.geomspace(1e-4, 1e-1, 4), load_problem("ridge-log", N=8, sigma=1.0)
    run = simulate(problem, SignedFedAvg(eta=np.repeat(steps, 4)), K=4, T=T, lanes=16)
    return pd.DataFrame({"eta": steps, "gradient": run.average("server_gradient").reshape(4, 4).mean(axis=1)})


if __name__ == "__main__":
    print(main().to_string(index=False))
