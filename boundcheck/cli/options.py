"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

Json = Annotated[bool, Parameter(name="--json", negative="", help="Print JSON.")]
Assign = Annotated[list[str] | None, Parameter(name="--set", negative="", help="name=value; may be repeated.")]
Vary = Annotated[
    list[str] | None,
    Parameter(name="--vary", negative="", help="Problem parameter that runs along with T: name=v1,v2,..."),
]
Horizons = Annotated[list[int], Parameter(consume_multiple=True, negative="")]
FailOn = Annotated[
    list[Literal["holds", "violated", "undecided", "vacuous", "not applicable"]] | None,
    Parameter(name="--fail-on", negative="", help="Exit with 1 on this verdict; may be repeated."),
]
Output = Annotated[Path | None, Parameter(name=["--output", "-o"], help="The PDF; by default the recipe's name.")]
Plot = Annotated[
    Path | None, Parameter(name="--plot", negative="", help="Draw a problem's portrait: a file in .svg, .png or .pdf.")
]
DEFAULT_STORE = Path("boundcheck-results")
