"""Sweep the levels of the quantiser: the gradient reached against the bits that were sent."""

import pandas as pd

from boundcheck import METHODS, load_problem, simulate

QUANTISERS = ("none", "qsgd-1", "qsgd-3", "qsgd-7", "qsgd-127", "qsgd-3-elias", "dropout-0.25")


def main(T: int = 400) -> pd.DataFrame:
    """Return bits an active client and the last |grad f|^2, a method and quantiser."""
    problem, rows = load_problem("ridge-two-phase", N=16), []
    for name, hyper in {"fedpaq": {"eta": 0.02}, "fedglomo": {"eta": 0.02, "beta": 0.2}}.items():
        for quantiser in QUANTISERS:
            run = simulate(problem, METHODS[name](**hyper, quantiser=quantiser), K=5, T=T, S=8, lanes=8)
            bits, last = run.costs["bits"][:, -1].mean(), run.instant["server_gradient"][:, -1].mean()
            rows.append((name, quantiser, bits, last))
    return pd.DataFrame(rows, columns=["method", "quantiser", "bits", "gradient"])


if __name__ == "__main__":
    print(main().to_string(index=False))
