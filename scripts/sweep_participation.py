"""Sweep how many of 16 clients take part: at equal rounds, and at equal samples."""

import pandas as pd

from boundcheck import METHODS, load_problem, simulate

METHOD = {"fedavg": {"eta": 0.02}, "scaffold": {"eta": 0.02}, "mifa": {"eta": 0.02}}


def main(T: int = 160) -> pd.DataFrame:
    """Return the averaged |grad f|^2 a method and number of clients, after T rounds and after 16 T/S rounds."""
    problem, rows = load_problem("ridge-log", N=16, zeta=2.0, sigma=1.0), []
    for S in (1, 4, 16):
        for name, hyper in METHOD.items():
            runs = [simulate(problem, METHODS[name](**hyper), K=5, T=n, S=S, lanes=8) for n in (T, 16 * T // S)]
            rows.append((name, S, *(run.average("server_gradient").mean() for run in runs)))
    return pd.DataFrame(rows, columns=["method", "S", "equal rounds", "equal samples"])


if __name__ == "__main__":
    print(main().to_string(index=False))
