"""What values a hyperparameter takes, read off its declaration: everything that depends on it asks here."""

from __future__ import annotations

import dataclasses
import re
from functools import cache
from typing import TYPE_CHECKING, Any, get_args

from boundcheck import notation
from boundcheck.methods import base
from boundcheck.methods.base import Described
from boundcheck.notation import CHOICE, COUNT, LETTERS, PROBABILITY, REAL, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.methods.base import Coins, Method
    from boundcheck.notation import Unit

_NAMES = ("Step", "Factor", "Weight", "Probability", "Penalty", "Floor", "Real", "Count", "Whole")
_DECLARED: dict[str, Kind] = {name: get_args(getattr(base, name))[1] for name in _NAMES}
"""Annotation to the kind that it declares."""
_PLAIN: dict[str, Kind] = {"int": COUNT, "bool": CHOICE, "str": CHOICE}
"""Annotation of Python's own to the kind that it means."""
_KINDS = {name: kind for name, kind in vars(notation).items() if isinstance(kind, Kind)}
"""Name of a kind to the kind, for `Annotated[float, REAL]` in a file with postponed annotations."""
_REAL = ("Hyper", "float")
"""Annotations of real numbers that declare no kind."""


@cache
def declared_kind(field: dataclasses.Field[Any]) -> Kind | None:
    """Return the kind that the annotation of a hyperparameter declares; None where that is a plain number."""
    for part in _alternatives(field.type):
        # An annotated type carries its kind; a file with postponed annotations has the name of one.
        word = part if isinstance(part, str) else getattr(part, "__name__", "")
        named = re.split(r"[.,\s]", word.removesuffix("]"))[-1]
        carried = next((one for one in (*get_args(part), _KINDS.get(named)) if isinstance(one, Kind)), None)
        if named in _REAL:
            return None
        if carried or named in _DECLARED or named in _PLAIN:
            return carried or _DECLARED.get(named) or _PLAIN[named]
    return CHOICE


def _alternatives(annotation: Any) -> list[Any]:
    """Return the alternatives of an annotation, a text or an object."""
    if isinstance(annotation, str):
        return annotation.split(" | ")
    return (
        [annotation]
        if any(isinstance(one, Kind) for one in get_args(annotation))
        else [*get_args(annotation), annotation]
    )


def kind_of(field: dataclasses.Field[Any]) -> Kind:
    """Return the kind of a hyperparameter: as declared, else that of the letter of its name, else a number."""
    found = declared_kind(field)
    return found or (LETTERS[field.name].kind if field.name in LETTERS else REAL)


def kinds(method: type[Method] | Method) -> dict[str, Kind]:
    """Return the kind of every hyperparameter of a method."""
    return dict(_kinds(method if isinstance(method, type) else type(method)))


@cache
def _kinds(method: type[Method]) -> dict[str, Kind]:
    return {f.name: kind_of(f) for f in dataclasses.fields(method)}  # type: ignore[arg-type]


def largest_count(method: Method) -> int:
    """Return the largest of the method's counts, such as a batch of its own; 1 if it has none."""
    counts = (getattr(method, name) for name, kind in kinds(method).items() if kind is COUNT)
    return max((count for count in counts if isinstance(count, int)), default=1)


def reals(method: type[Method] | Method) -> list[str]:
    """Return the hyperparameters that are real numbers: those that count or choose something are left out."""
    return [name for name, kind in kinds(method).items() if not kind.whole and kind is not CHOICE]


def coins(method: Method) -> Coins:
    """Return what a round draws from `Oracle.uniform`: other numbers than fair coins where it has a probability."""
    return "other" if PROBABILITY in kinds(method).values() else method.message_coins


def descriptions(method: type[Method]) -> dict[str, Described]:
    """Return the hyperparameters that theorems describe by one number, with its letter."""
    return {f.name: f.metadata[Described] for f in dataclasses.fields(method) if Described in f.metadata}  # type: ignore[arg-type]


def variances(method: type[Method]) -> list[str]:
    """Return the letters of relative variances of what a method sends."""
    return [choice.letter for choice in descriptions(method).values() if choice.is_variance]


def units(method: type[Method]) -> dict[str, Unit]:
    """Return the units of hyperparameters that are not those of the letters of their names."""
    found: Mapping[str, Kind] = kinds(method)
    return {
        name: kind.unit
        for name, kind in found.items()
        if kind.unit is not None and name in LETTERS and kind.unit != LETTERS[name].unit
    }
