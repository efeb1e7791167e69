"""Print how many replicates the betting test needs: `python -m benchmarks.power`."""

import numpy as np
from rich.console import Console
from rich.table import Table

from boundcheck.evidence.statistics.betting import replicates_above

ALPHA = 0.05
TRUTHS = (1.02, 1.05, 1.1, 1.5, 2.0)
SPREADS = (0.001, 0.1, 0.5)
SEEDS = 200
MOST = 8192
"""Replicates after which a run gives up; tried in steps of four, as most runs end early."""


def needed(truth, cv, seed):
    """Return the replicates until a gamma law with mean truth times the bound is found out, MOST if it is not."""
    y = truth * np.random.default_rng(seed).gamma(cv**-2, cv**2, MOST)
    for count in (MOST // 64, MOST // 16, MOST // 4, MOST):
        crossed = replicates_above(y[:count], 1.0, ALPHA)
        if crossed is not None:
            return crossed
    return MOST


def earliest(truth):
    """Return after how many values that are all `truth` any bet can have won at the earliest."""
    return np.log(1 / ALPHA) / np.log(truth)


def main():
    """Print the table."""
    table = Table(title=f"Replicates until a violation shows, median of {SEEDS} seeds, alpha = {ALPHA}")
    for heading in ("truth / bound", "at the earliest", *(f"cv {cv:g}" for cv in SPREADS)):
        table.add_column(heading, justify="right")
    for truth in TRUTHS:
        counts = [np.median([needed(truth, cv, seed) for seed in range(SEEDS)]) for cv in SPREADS]
        table.add_row(f"{truth:g}", f"{earliest(truth):.1f}", *(f"{count:.0f}" for count in counts))
    Console().print(table)


if __name__ == "__main__":
    main()
