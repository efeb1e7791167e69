"""The command `new`: a file to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from boundcheck.api.outputs import KINDS as KINDS
from boundcheck.cli.terminal.options import Json

Latex = Annotated[
    str | None,
    Parameter(name="--latex", negative="", help=r"Begin a theorem from a printed line, 'LHS \le RHS', or a .tex file."),
]


def new(
    kind: Literal["theorem", "method", "problem", "claim", "adapter", "recipe"],
    file: Path,
    /,
    *,
    latex: Latex = None,
    json: Json = False,
) -> None:
    """Write a commented file that runs: a theorem, a method, a problem, lemmas, code or a recipe to change.

    With --latex a theorem begins from its printed line; what the line does not say is listed, and marked ASK.

    Parameters
    ----------
    kind
        What to begin; an adapter is your code, which `conform` asks whether it is a published method; a recipe says
        what `report` runs.
    file
        Where to write it; a file that exists is never overwritten.
    """
    from boundcheck.api.outputs import new as begin
    from boundcheck.cli.terminal.output import print_json
    from boundcheck.errors import require
    from boundcheck.files.display import printable

    if latex is not None:
        require(kind == "theorem", "--latex: kind", kind, "theorem")
        known = begin_from_latex(file, latex, quietly=json)
        if json:
            print_json({"file": str(file), "complete": known, "try": f"boundcheck review {file}:THEOREM"})
        return
    text = begin(kind, file).read_text(encoding="utf-8")
    command = text.partition("Try it: ")[2].partition("\n")[0]
    if json:
        print_json({"file": str(file), "try": command})
    else:
        print(printable(f"wrote {file}; try:\n{command}"))


def begin_from_latex(file: Path, latex: str, *, quietly: bool = False) -> bool:
    """Write the file of a theorem that begins from a printed line; return whether every letter of it is known."""
    from boundcheck.cli.terminal.output import say
    from boundcheck.skeletons.drafting import about_letters, write_draft

    statement = write_draft(file, latex)
    if quietly:
        return bool(statement.metric) and not statement.unknown
    say(f"wrote {file}; what the line does not say is marked ASK there. To say:")
    for line in about_letters(statement):
        say(f"  {line}")
    return bool(statement.metric) and not statement.unknown
