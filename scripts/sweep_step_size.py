"""Sweep the local step of FedAvg and FedAvg-M; one run a seed and step, all of them one array.

Copy this file and change the grid.
"""

import numpy as np
import pandas as pd

from boundcheck import METHODS, load_problem, simulate

STEPS = np.geomspace(1e-3, 0.3, 8)
SEEDS = 8


def main(T: int = 400) -> pd.DataFrame:
    """Return the mean and the standard error of the averaged |grad f|^2 a method and step."""
    problem, rows = load_problem("ridge-log", N=16, zeta=2.0, sigma=1.0), []
    eta = np.repeat(STEPS, SEEDS)
    methods = {"fedavg": {"eta": eta}, "fedavg-m": {"eta": eta, "gamma": 5 * eta, "beta": 0.3}}
    for name, hyper in methods.items():
        run = simulate(problem, METHODS[name](**hyper), K=5, T=T, lanes=np.tile(np.arange(SEEDS), len(STEPS)))
        found = run.average("server_gradient").reshape(len(STEPS), SEEDS)
        spread = found.std(axis=1, ddof=1) / SEEDS**0.5
        rows += zip([name] * len(STEPS), STEPS, found.mean(axis=1), spread, strict=True)
    return pd.DataFrame(rows, columns=["method", "eta", "mean", "error"])


if __name__ == "__main__":
    print(main().to_string(index=False))
