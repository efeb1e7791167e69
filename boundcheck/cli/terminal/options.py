"""Options that several commands share."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter, Token

from boundcheck.errors import BoundcheckError
from boundcheck.verdicts.words import BoundWord

_DIGITS = 30
"""Most digits of a whole number."""


def _whole(kind: object, tokens: Sequence[Token]) -> int | list[int]:
    """Read whole numbers as they stand, 1e4 too: 2.5 is an error, not 2."""
    found = [_integer(token) for token in tokens]
    return found[0] if kind is int else found


def _integer(token: Token) -> int:
    power = re.fullmatch(r"([+-]?\d+)(?:\.(\d+))?[eE]\+?(\d{1,2})", token.value)
    text = token.value if power is None else _written_out(*power.groups(default=""))
    # No ValueError: cyclopts would put words of its own before it.
    if not re.fullmatch(r"[+-]?\d+", text):
        msg = f"{token.keyword} = {token.value!r} is not legal: an integer"
        raise BoundcheckError(msg)
    if len(text) > _DIGITS:
        msg = f"{token.keyword} = {token.value[:_DIGITS]}... is not legal: an integer of at most {_DIGITS} digits"
        raise BoundcheckError(msg)
    return int(text)


def _written_out(whole: str, decimals: str, power: str) -> str:
    """Return the digits of a number in powers of ten; with a point where it is not whole."""
    decimals, places = decimals.rstrip("0"), int(power)
    rest = decimals[places:]
    return whole + decimals[:places].ljust(places, "0") + (f".{rest}" if rest else "")


def names_of(*kinds: str) -> Parameter:
    """Return what a parameter that takes names needs for a shell to complete them.

    Parameters
    ----------
    *kinds : str
        bounds, problems, methods, claims, papers, findings, recipes, tables or words.
    """
    return Parameter(completer=lambda _: _known_names(kinds)) if _COMPLETES else Parameter()


_COMPLETES = "completer" in inspect.signature(Parameter).parameters
"""Whether this cyclopts asks for names when the shell does: later ones do."""


def _known_names(kinds: Sequence[str]) -> list[str]:
    from boundcheck.files.resources import names

    def members(kind: str) -> Iterable[str]:
        if kind == "problems":
            return names("problems")
        if kind == "recipes":
            return names("reports")
        if kind == "bounds":
            from boundcheck.bounds import BOUNDS

            return BOUNDS
        if kind == "methods":
            from boundcheck.methods import METHODS

            return METHODS
        if kind == "findings":
            from boundcheck.findings import findings

            return [one.id for one in findings()]
        if kind == "tables":
            from boundcheck.bounds.comparison import TABLES

            return TABLES
        if kind == "words":
            from boundcheck.glossary import words

            return words()
        if kind == "claims":
            from boundcheck.proofs import CLAIMS

            return CLAIMS
        from boundcheck.notation import PAPERS

        return PAPERS

    return [name for kind in kinds for name in members(kind)]


def option_name(parameter: str) -> str:
    """Return the option of a parameter: the letters of the notation keep their case."""
    return parameter.strip("_").replace("_", "-")


def option_of(argument: str) -> str:
    """Return what is typed for an argument of a function of `boundcheck`."""
    return "--all-K" if argument == "all_k" else f"--{option_name(argument)}"


BoundName = Annotated[str, names_of("bounds")]
ProblemName = Annotated[str, names_of("problems")]
MethodName = Annotated[str, names_of("methods")]
PaperName = Annotated[str, names_of("papers")]
RecipeName = Annotated[str, names_of("recipes")]
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
Refusal = Literal[BoundWord, "false as printed", "false at other parameters"]
FailOn = Annotated[
    list[Refusal] | None,
    Parameter(name="--fail-on", negative="", help="Exit with 1 on this verdict; may be repeated."),
]
Output = Annotated[Path | None, Parameter(name=["--output", "-o"], help="The PDF; by default the recipe's name.")]
Page = Annotated[
    Path | None,
    Parameter(name="--html", negative="", help="A page in one file, with all details; alone, no PDF."),
]
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
    bool, Parameter(name="--trust-code", negative="", help="Let the file run the code that it names: file.py:NAME.")
]
Quick = Annotated[
    bool,
    Parameter(name="--quick", negative="", help="Experiments at a quarter of their rounds, with few runs."),
]
DEFAULT_STORE = Path("boundcheck-results")
