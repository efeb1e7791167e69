"""The command `plot`: a check along its horizons, as a picture."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from boundcheck.cli.terminal.options import Horizons, Whole
from boundcheck.cli.terminal.output import note

Picture = Annotated[
    Path, Parameter(name=["--output", "-o"], negative="", help="The picture: a file in .png, .svg or .pdf.")
]
_HORIZONS = 6
"""Horizons that are drawn up to a single one."""


def plot(
    bound: str,
    problem: str,
    /,
    *,
    output: Picture,
    N: Whole,
    K: Whole,
    T: Horizons,
    S: Whole | None = None,
    b: Whole = 1,
    replicates: Whole = 16,
    seed: Whole = 0,
    workers: Whole | None = None,
) -> None:
    """Draw a check: measured, the bound with the shares of its terms, and the trivial bound, along T.

    Parameters
    ----------
    bound
        Name of a bound; bound and problem in any order.
    problem
        Name of a problem, or a path to a .toml file; may carry parameters: ridge-ratio[zeta=2].
    N
        Clients.
    K
        Local steps a round.
    T
        Rounds: several horizons, or the longest of six.
    S
        Active clients a round; all when left out.
    b
        Minibatch: samples averaged in one gradient.
    replicates
        Replicates of every horizon.
    seed
        Root seed.
    workers
        Processes; by default one a core.
    """
    from boundcheck.bounds import BOUNDS
    from boundcheck.cli.commands.running import require_output
    from boundcheck.cli.terminal.named import beside_problem
    from boundcheck.cli.terminal.progress import work
    from boundcheck.errors import InputError, require
    from boundcheck.limits import require_run
    from boundcheck.problems import load_problem
    from boundcheck.report import save_figure
    from boundcheck.sweep import Recipe, Store, Study, run_and_collect

    require(bool(T), "--T", "", "one number of rounds or several")
    require(replicates >= 2, "replicates", replicates, "an integer >= 2")
    require_output(output, "--output", ".png", ".svg", ".pdf")
    bound, problem = beside_problem("bound", bound, problem, BOUNDS)
    horizons = horizons_up_to(T[0]) if len(T) == 1 else sorted(set(T))
    require_run(N=N, d=load_problem(problem, N=N).d, S=S, b=b, T=max(horizons), replicates=replicates)
    study = Study("plot", "plot", problem, [bound], [N], [K], horizons, S=None if S is None else [S], b=b)
    recipe = Recipe("plot", study=[study], seed=seed, replicates=replicates)
    with tempfile.TemporaryDirectory() as folder, work("plot") as progress:
        (result,) = run_and_collect(recipe, Store(folder), workers=workers, progress=progress)
    if all(point.measured is None for point in result.points):
        msg = f"nothing to draw: {result.points[0].verdicts[bound].reason}"
        raise InputError(msg)
    note(f"wrote {save_figure(result, output)}")


def horizons_up_to(longest: int) -> list[int]:
    """Return horizons, evenly spaced on a logarithmic axis, of which the last is `longest`."""
    ratio = min(10.0**0.5, float(longest) ** (1 / max(_HORIZONS - 1, 1)))
    return sorted({max(1, round(longest / ratio**i)) for i in range(_HORIZONS)})
