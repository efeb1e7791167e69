"""What a command prints, noted as plain data: printed again, it fits any terminal, encoding and output.

Only what goes through the functions of `boundcheck.cli.terminal.output` is noted.  Progress and what is said beforehand
belong to the run, not to the answer.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_P = ParamSpec("_P")


class MarkupText(str):
    """Text with rich's markup, our own; any other text is printed as it stands."""

    __slots__ = ()


class Transcript:
    """What was printed since it began, a line a call, and whether it is the whole answer for good."""

    def __init__(self) -> None:
        self.lines: list[list[Any]] = []
        self.lasts = True

    def add(self, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
        """Note the call of a printing function; of what JSON cannot hold nothing lasts."""
        try:
            self.lines.append([name, _as_data(arguments), _as_data(options)])
        except TypeError:
            self.lasts = False


_PRINTERS: dict[str, Callable[..., None]] = {}
_NOTED: ContextVar[Transcript | None] = ContextVar("boundcheck_transcript", default=None)


def record_calls(printer: Callable[_P, None]) -> Callable[_P, None]:
    """Make a printing function one whose calls a transcript has."""

    @wraps(printer)
    def prints(*arguments: _P.args, **options: _P.kwargs) -> None:
        if (transcript := _NOTED.get()) is not None:
            transcript.add(printer.__name__, arguments, options)
        printer(*arguments, **options)

    _PRINTERS[printer.__name__] = prints
    return prints


@contextlib.contextmanager
def transcribing() -> Iterator[Transcript]:
    """Note what is printed within."""
    token = _NOTED.set(transcript := Transcript())
    try:
        yield transcript
    finally:
        _NOTED.reset(token)


def ask_anew() -> None:
    """Say that the answer is not one for good: seconds cut it short, or a solver left something open in its seconds."""
    if (transcript := _NOTED.get()) is not None:
        transcript.lasts = False


def print_again(lines: Sequence[Sequence[Any]]) -> None:
    """Print what a transcript noted."""
    for name, arguments, options in lines:
        _PRINTERS[name](*_from_data(arguments), **_from_data(options))


def _as_data(value: Any) -> Any:
    """Return what JSON can hold in place of a value: mappings, which keep their order, and markup are marked."""
    if isinstance(value, MarkupText):
        return {"markup": str(value)}
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, (list, tuple)):
        return [_as_data(each) for each in value]
    if isinstance(value, Mapping):
        return {"mapping": [[_as_data(key), _as_data(each)] for key, each in value.items()]}
    raise TypeError(type(value))


def _from_data(data: Any) -> Any:
    if isinstance(data, list):
        return [_from_data(each) for each in data]
    if isinstance(data, dict):
        if "markup" in data:
            return MarkupText(data["markup"])
        return {_from_data(key): _from_data(each) for key, each in data["mapping"]}
    return data
