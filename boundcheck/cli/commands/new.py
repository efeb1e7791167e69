"""The command `new`: a file to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

KINDS = {
    "theorem": "theorem.py",
    "method": "method.py",
    "problem": "problem.py",
    "claim": "claim.toml",
}
"""What there is a beginning for, and the file that is copied."""


def new(kind: Literal["theorem", "method", "problem", "claim"], file: Path, /) -> None:
    """Write a commented file that runs: a theorem, a method, a problem, or lemmas to change into your own.

    Parameters
    ----------
    kind
        What to begin.
    file
        Where to write it; a file that exists is never overwritten.
    """
    from boundcheck.cli.terminal.output import printable
    from boundcheck.errors import require
    from boundcheck.files.atomic import write_whole

    source = Path(__file__).parents[2] / "skeletons" / KINDS[kind]
    require(file.suffix == source.suffix, "file", str(file), f"a path ending in {source.suffix}")
    require(not file.exists(), "file", str(file), "a file that does not exist yet")
    text = source.read_text().replace("FILE", str(file))
    write_whole(file, text)
    command = text.partition("Try it: ")[2].partition("\n")[0]
    print(printable(f"wrote {file}; try:\n{command}"))
