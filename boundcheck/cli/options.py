"""Options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter, Token

from boundcheck.errors import BoundcheckError

_DIGITS = 30
"""Most digits of a whole number."""


def _whole(kind: object, tokens: Sequence[Token]) -> int | list[int]:
    """Read whole numbers as they stand: 2.5 is an error, not 2."""
    for token in tokens:
        if not re.fullmatch(r"[+-]?\d+", token.value):
            # No ValueError: cyclopts would put words of its own before it.
            msg = f"{token.keyword} = {token.value!r} is not legal: an integer"
            raise BoundcheckError(msg)
        if len(token.value) > _DIGITS:
            msg = f"{token.keyword} = {token.value[:_DIGITS]}... is not legal: an integer of at most {_DIGITS} digits"
            raise BoundcheckError(msg)
    found = [int(token.value) for token in tokens]
    return found[0] if kind is int else found


Whole = Annotated[int, Parameter(converter=_whole)]
Json = Annotated[bool, Parameter(name="--json", negative="", help="Print JSON.")]
Assign = Annotated[list[str] | None, Parameter(name="--set", negative="")]
Laws = Annotated[list[str] | None, Parameter(name="--schedule", negative="")]
Vary = Annotated[
    list[str] | None,
    Parameter(name="--vary", negative=""),
]
Metrics = Annotated[list[str] | None, Parameter(name="--metric", negative="")]
Horizons = Annotated[list[int], Parameter(consume_multiple=True, negative="", converter=_whole)]
Refusal = Literal[
    "violated", "holds", "consistent", "vacuous", "undecided", "order only", "not applicable", "false as printed"
]
FailOn = Annotated[
    list[Refusal] | None,
    Parameter(name="--fail-on", negative="", help="Exit with 1 on this verdict; may be repeated."),
]
Output = Annotated[Path | None, Parameter(name=["--output", "-o"], help="The PDF; by default the recipe's name.")]
Plot = Annotated[
    Path | None, Parameter(name="--plot", negative="", help="Draw a problem's portrait: a file in .svg, .png or .pdf.")
]
DryRun = Annotated[
    bool,
    Parameter(name="--dry-run", negative="", help="Only say how many cells would run, how long and in what memory."),
]
Yes = Annotated[
    bool, Parameter(name="--yes", negative="", help="Run a recipe of more than 10000 cells without being asked.")
]
TrustCode = Annotated[
    bool, Parameter(name="--trust-code", negative="", help="Let the recipe run the code that it names: file.py:NAME.")
]
Quick = Annotated[
    bool,
    Parameter(name="--quick", negative="", help="Experiments at a quarter of their rounds, with few runs."),
]
DEFAULT_STORE = Path("boundcheck-results")
