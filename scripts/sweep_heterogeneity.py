"""Turn the heterogeneity dial: FedAvg drifts with it, SCAFFOLD and FedAvg-M do not see it."""

import pandas as pd

from boundcheck import METHODS, load_problem, simulate

ZETAS = (0.0, 0.5, 2.0, 8.0)
METHOD = {
    "fedavg": {"eta": 0.05},
    "fedavg-m": {"eta": 0.05, "gamma": 0.25, "beta": 0.2},
    "scaffold": {"eta": 0.05},
}


def main(T: int = 400) -> pd.DataFrame:
    """Return the averaged |grad f|^2 a heterogeneity (rows) and method (columns), on paired seeds."""
    table = {}
    for zeta in ZETAS:
        problem = load_problem("ridge-log", N=16, zeta=zeta, sigma=1.0, heterogeneity="phase")
        runs = {name: simulate(problem, METHODS[name](**h), K=10, T=T, lanes=8) for name, h in METHOD.items()}
        table[zeta] = {name: run.average("server_gradient").mean() for name, run in runs.items()}
    return pd.DataFrame(table).T.rename_axis("zeta").reset_index()


if __name__ == "__main__":
    print(main().to_string(index=False))
