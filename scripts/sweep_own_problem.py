"""A problem of your own: functions and gradients in numpy, constants that you vouch for, then a sweep."""

import numpy as np
import pandas as pd

from boundcheck import METHODS, certify, simulate
from boundcheck.problems.own import from_functions

CENTRES = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])


def main(T: int = 200) -> pd.DataFrame:
    """Return the averaged |grad f|^2 a step; `certify` attacks L and sigma first."""
    problem = from_functions(
        lambda i, x: np.sqrt(1 + (x - CENTRES[i]) ** 2).sum(),
        lambda i, x: (x - CENTRES[i]) / np.sqrt(1 + (x - CENTRES[i]) ** 2),
        N=3,
        d=2,
        start=[2.0, 2.0],
        sigma=0.5,
        constants={"L": 1.0},
    )
    bad = [row.constant for row in certify(problem) if not row.ok]
    assert not bad, bad
    means = {eta: simulate(problem, METHODS["fedavg"](eta=eta), K=4, T=T, lanes=8) for eta in (0.01, 0.05, 0.2)}
    rows = [(eta, run.average("server_gradient").mean()) for eta, run in means.items()]
    return pd.DataFrame(rows, columns=["eta", "gradient"])


if __name__ == "__main__":
    print(main().to_string(index=False))
