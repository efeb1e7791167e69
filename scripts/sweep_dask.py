"""The same grid on a Dask cluster: give the scheduler's address, or start a local cluster of two workers."""

import sys
import tempfile

import pandas as pd

from boundcheck.sweep import Recipe, Store, Study, collect, run_sweep, verdict_table
from boundcheck.workers.scheduler import dask_executor


def main(address: str, store: str | None = None, T: int = 64) -> pd.DataFrame:
    """Return a verdict a cell; `store` is a folder that all workers see."""
    study = Study(
        id="grid",
        title="FedAvg-M",
        problem="ridge-ratio",
        bounds=["momentum-fl.theorem11-rate"],
        N=[2, 4],
        K=[1],
        T=[T // 2, T],
    )
    recipe = Recipe(title="On a cluster", study=[study], replicates=4)
    with tempfile.TemporaryDirectory() as folder:
        kept = Store(store or folder)
        with dask_executor(address, kept.folder) as executor:
            run_sweep(recipe, kept, executor=executor)
        return verdict_table(collect(recipe, kept))


if __name__ == "__main__":
    print(main(*sys.argv[1:3]).to_string(index=False))
