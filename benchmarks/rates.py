"""Print how often a clean grid decides a rate: `python -m benchmarks.rates`."""

import numpy as np
from rich.console import Console
from rich.table import Table

from boundcheck.evidence import fit_exponent

POINTS, REPLICATES, SEEDS = 5, 16, 40
FACTORS = (64.0, 256.0, 1024.0)
"""Last point of the grid over the first."""
ERRORS = (0.0025, 0.005, 0.0125)
"""Relative standard error of a mean: the coefficient of variation over the root of the replicates."""
THEOREMS = {"one term": ((1.0, 0.5),), "two terms": ((1.0, 0.5), (0.5, 1.0))}
"""Share at the first point, and power, of each term."""


def decided(factor, error, terms, seed, shift=0.0):
    """Return what a fit says of means that are the theorem's terms, the first `shift` slower, times gamma noise."""
    rng, cv = np.random.default_rng(seed), error * np.sqrt(REPLICATES)
    x = np.geomspace(1.0, factor, POINTS)
    (share, lead), *others = terms
    mean = share * x ** (shift - lead) + sum(c * x**-p for c, p in others)
    samples = [m * rng.gamma(cv**-2, cv**2, REPLICATES) for m in mean]
    return fit_exponent("T", x, samples, [p for _, p in terms]).promise


def share_decided(factor, error, terms, seeds=SEEDS):
    """Return the share of seeds whose grid is called as promised."""
    return np.mean([decided(factor, error, terms, seed) == "as promised" for seed in range(seeds)])


def main():
    """Print the table."""
    table = Table(title=f"Clean grids of {POINTS} points that decide, of {SEEDS} seeds with {REPLICATES} replicates")
    for heading in ("terms", "grid spans", *(f"error of a mean {100 * error:g} %" for error in ERRORS)):
        table.add_column(heading, justify="right")
    for name, terms in THEOREMS.items():
        for factor in FACTORS:
            shares = [f"{100 * share_decided(factor, error, terms):.0f} %" for error in ERRORS]
            table.add_row(name, f"{factor:g}", *shares)
    Console().print(table)


if __name__ == "__main__":
    main()
