"""Sweep the momentum of FedAvg-M, for clients that are alike and clients that are not."""

import numpy as np
import pandas as pd

from boundcheck import METHODS, load_problem, simulate

BETAS = np.array([0.05, 0.1, 0.2, 0.5, 1.0])
SEEDS = 8


def main(T: int = 400) -> pd.DataFrame:
    """Return the averaged |grad f|^2 and the drift a heterogeneity and weight of the fresh gradient."""
    rows = []
    for zeta in (0.0, 4.0):
        problem = load_problem("ridge-log", N=16, zeta=zeta, sigma=2.0)
        method = METHODS["fedavg-m"](eta=0.05, gamma=0.25, beta=np.repeat(BETAS, SEEDS))
        run = simulate(problem, method, K=5, T=T, lanes=len(BETAS) * SEEDS, metrics=["server_gradient", "drift"])
        means = [run.average(m).reshape(len(BETAS), SEEDS).mean(axis=1) for m in ("server_gradient", "drift")]
        rows += zip([zeta] * len(BETAS), BETAS, *means, strict=True)
    return pd.DataFrame(rows, columns=["zeta", "beta", "gradient", "drift"])


if __name__ == "__main__":
    print(main().to_string(index=False))
