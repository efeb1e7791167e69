"""What boundcheck raises: every message names the thing, the value and what would be legal."""

from __future__ import annotations

import difflib
import operator
from functools import partial
from numbers import Rational
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


_SHOWN = 12
"""Most names that a message lists."""


_NEAR = 4
"""Most names that a message offers for one that is not known."""
_LIKENESS = 0.4
"""Least ratio of two names that are alike."""


def alike(name: str, known: Iterable[str]) -> list[str]:
    """Return the names that may be meant, in any case: those that have it as a part, then close ones, by likeness."""
    asked = str(name).lower()
    ratios = {one: difflib.SequenceMatcher(None, asked, one.lower()).ratio() for one in known}
    parts = [one for one in ratios if asked and asked in one.lower()]
    close = [one for one, ratio in ratios.items() if ratio >= _LIKENESS and one not in parts]
    return sorted(parts, key=lambda one: -ratios[one]) + sorted(close, key=lambda one: -ratios[one])


class BoundcheckError(Exception):
    """Base of every error that boundcheck raises on purpose."""


class InputError(BoundcheckError, ValueError):
    """A value given by the user is not legal; the command line exits with 2."""


class NotANumberError(InputError):
    """A function, a method or a metric makes no number out of numbers, such as 0/0: no evidence about a theorem."""


class UnknownNameError(InputError, KeyError):
    """A name that is not registered; carries the closest names that are."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, also: str = "") -> None:
        known = sorted(set(known))
        close = alike(name, known)[:_NEAR]
        some = f"{', '.join(known[:_SHOWN])}, ... ({len(known)} in all)" if len(known) > _SHOWN else ", ".join(known)
        hint = f"did you mean {' or '.join(close)}?" if close else f"known: {some}"
        super().__init__(f"unknown {kind} {name!r}; {hint}{f' ({also})' if also else ''}")
        self._made_from = (kind, name, tuple(known))
        self._also = also

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel between processes by what it was made from."""
        return partial(type(self), also=self._also), self._made_from

    def __str__(self) -> str:
        return str(self.args[0])


class NotApplicableError(BoundcheckError):
    """A bound and a setting do not go together; the message names the condition or constant that fails."""


class NotCompilableError(NotApplicableError):
    """A method on a problem has no compiled form; the message says why."""


class LostWorkerError(BoundcheckError):
    """A worker process, or a scheduler, ended without an answer; the command line exits with 4."""

    def __init__(self, what: str = "a worker process ended without an answer (killed, or out of memory?)") -> None:
        super().__init__(what)


def require(ok: bool, where: str, value: object, legal: str) -> None:  # noqa: FBT001
    """Raise `InputError` naming `where`, its `value` and what is `legal`, unless `ok`."""
    if not ok:
        # A fraction is written as one, 1/3, and not as Fraction(1, 3).
        msg = f"{where} = {str(value) if isinstance(value, Rational) else repr(value)} is not legal: {legal}"
        raise InputError(msg)


def require_count(value: Any, where: str, least: int = 1) -> None:
    """Raise `InputError` naming `where` unless `value` is an integer >= `least`."""
    try:
        ok = not isinstance(value, bool) and operator.index(value) >= least
    except TypeError:
        ok = False
    require(ok, where, value, f"an integer >= {least}")
