"""Sweep the rows that GradMA-S remembers, beside what they cost in memory."""

import pandas as pd

from boundcheck import METHODS, load_problem, simulate
from boundcheck.methods.storage import memory

ROWS = (4, 6, 8, 12, 16)


def main(T: int = 200) -> pd.DataFrame:
    """Return the averaged |grad f|^2 and the bytes that are kept, a number of rows."""
    problem, rows = load_problem("ridge-log", N=16, d=20, zeta=2.0), []
    for kept in ROWS:
        method = METHODS["gradma-s"](eta=0.02, beta=0.5, beta_mem=0.5, memory=kept)
        run = simulate(problem, method, K=5, T=T, S=4, lanes=4)
        mean = run.average("server_gradient").mean()
        rows.append((kept, memory(method, N=problem.N, d=problem.d).bytes, mean))
    return pd.DataFrame(rows, columns=["rows", "bytes", "gradient"])


if __name__ == "__main__":
    print(main().to_string(index=False))
