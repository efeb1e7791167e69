"""Held-out accuracy on digits under four splits: even, sorted, two shards a client, Dirichlet(0.1)."""

import pandas as pd

from boundcheck import METHODS, load_problem, simulate

SPLITS = {
    "even": {"split": "skew", "skew": 0.0},
    "sorted": {"split": "skew", "skew": 1.0},
    "two shards": {"split": "shards", "shards": 2},
    "dirichlet": {"split": "dirichlet", "concentration": 0.1},
}
METHOD = {"fedavg": {"eta": 0.1}, "fedavg-m": {"eta": 0.1, "gamma": 0.5, "beta": 0.3}}


def main(T: int = 60) -> pd.DataFrame:
    """Return the accuracy on rows that no client has, a split (rows) and method (columns)."""
    table = {}
    for name, split in SPLITS.items():
        problem = load_problem("softmax-digits", N=10, **split)
        ends = {m: simulate(problem, METHODS[m](**h), K=5, T=T, b=10, lanes=2).final for m, h in METHOD.items()}
        table[name] = {m: problem.accuracy(end[:, None]).mean() for m, end in ends.items()}
    return pd.DataFrame(table).T.rename_axis("split").reset_index()


if __name__ == "__main__":
    print(main().to_string(index=False))
