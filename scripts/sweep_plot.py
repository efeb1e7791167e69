"""Draw a table that a sweep wrote: measured against bound, a panel for every K."""

import sys

import pandas as pd
from matplotlib.figure import Figure


def main(table: pd.DataFrame) -> Figure:
    """Return a figure of the columns N, K, T, measured and rhs of a table of verdicts."""
    figure = Figure(figsize=(7, 3), layout="constrained")
    for axes, (K, panel) in zip(figure.subplots(1, table["K"].nunique(), sharey=True), table.groupby("K"), strict=True):
        for N, line in panel.groupby("N"):
            (drawn,) = axes.plot(line["T"], line["measured"], marker="o", label=f"N = {N}")
            axes.plot(line["T"], line["rhs"], linestyle="--", color=drawn.get_color())
        axes.set(xscale="log", yscale="log", xlabel="T", title=f"K = {K}")
        axes.legend()
    return figure


if __name__ == "__main__":
    main(pd.read_csv(sys.argv[1])).savefig("grid.svg")
