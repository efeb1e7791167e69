"""AUROC on held-out digits against the dual step, for two minimax methods."""

import numpy as np
import pandas as pd

from boundcheck import METHODS, load_problem, simulate

DUAL = np.array([0.01, 0.03, 0.1, 0.3])


def main(T: int = 100) -> pd.DataFrame:
    """Return the AUROC at the end, a dual step and method."""
    problem, rows = load_problem("auc-digits", N=8), []
    steps = {"eta_x": 0.1, "eta_y": DUAL}
    for name, more in {"local-sgda": {}, "coda": {"lam": 0.1, "rounds": 20}}.items():
        run = simulate(problem, METHODS[name](**steps, **more), K=5, T=T, b=8, lanes=len(DUAL), metrics=["auroc"])
        rows += zip([name] * len(DUAL), DUAL, run.instant["auroc"][:, -1], strict=True)
    return pd.DataFrame(rows, columns=["method", "eta_y", "auroc"])


if __name__ == "__main__":
    print(main().to_string(index=False))
