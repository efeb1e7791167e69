"""Run a theorem over a grid of N, K and T at its own steps, keep the results, and write the verdicts as a table."""

import tempfile

import pandas as pd

from boundcheck.sweep import Recipe, Store, Study, collect, run_sweep, verdict_table


def main(T: int = 128, store: str | None = None, workers: int = 1) -> pd.DataFrame:
    """Return a verdict a cell; with a folder as `store` a second call runs what is missing only."""
    study = Study(
        id="speed-up",
        title="FedAvg-M at Theorem 11's steps",
        problem="ridge-ratio",
        bounds=["momentum-fl.theorem11-rate"],
        N=[2, 4, 8],
        K=[1, 4],
        T=[T // 4, T // 2, T],
        parameters={"sigma": 4.0, "d": 8},
    )
    recipe = Recipe(title="A grid", study=[study], replicates=4, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        kept = Store(store or folder)
        run_sweep(recipe, kept, workers=workers)
        return verdict_table(collect(recipe, kept))


if __name__ == "__main__":
    main(store="build/grid", workers=2).to_csv("grid.csv", index=False)
