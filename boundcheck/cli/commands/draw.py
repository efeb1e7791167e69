"""The command `plot`: a check along its horizons, as a picture."""

from __future__ import annotations

from base64 import b64decode, b64encode
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from cyclopts import Parameter

from boundcheck.cli.terminal.answers import answer_of
from boundcheck.cli.terminal.options import BoundName, Horizons, Json, ProblemName, Whole
from boundcheck.cli.terminal.output import note, print_json

Picture = Annotated[
    Path, Parameter(name=["--output", "-o"], negative="", help="The picture: a file in .png, .svg or .pdf.")
]


def plot(
    bound: BoundName,
    problem: ProblemName,
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
    json: Json = False,
) -> None:
    """Draw a check: measured, the bound with the shares of its terms, and the trivial bound, along T.

    Parameters
    ----------
    bound
        Name of a bound, or file.py:NAME; bound and problem in any order.
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
    from boundcheck.cli.shared.running import require_output
    from boundcheck.errors import require
    from boundcheck.files.atomic import write_whole

    require(bool(T), "--T", "", "one number of rounds or several")
    require_output(output, "--output", ".png", ".svg", ".pdf")
    at: dict[str, Any] = {"N": N, "K": K, "T": T, "S": S, "b": b, "replicates": replicates, "seed": seed}
    drawn = partial(_draw, bound, problem, at, output.suffix, workers)
    write_whole(output, b64decode(answer_of("plot", [bound, problem], (at, output.suffix), drawn)))
    note(f"wrote {output}")
    if json:
        print_json({"file": str(output)})


def _draw(bound: str, problem: str, at: dict[str, Any], ending: str, workers: int | None) -> str:
    """Return the picture as a file has it, in base 64."""
    from boundcheck.api.theorems import plot as draw
    from boundcheck.bounds import BOUNDS
    from boundcheck.cli.terminal.named import beside_problem
    from boundcheck.cli.terminal.progress import work

    bound, problem = beside_problem("bound", bound, problem, BOUNDS)
    with TemporaryDirectory() as folder, work("plot") as progress:
        picture = Path(folder) / f"check{ending}"
        draw(bound, problem, picture, **at, workers=workers, progress=progress)
        return b64encode(picture.read_bytes()).decode()
