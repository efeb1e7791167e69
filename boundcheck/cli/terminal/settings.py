"""Values given on the command line as name=value."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError, require
from boundcheck.problems.catalog import parse_value

if TYPE_CHECKING:
    from collections.abc import Sequence


def assignments(texts: Sequence[str] | None) -> dict[str, Any]:
    """Return ``name=value`` pairs as a dictionary: numbers, booleans or text."""
    out = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        require(bool(equals and name and value), "--set", text, "name=value")
        require(name.strip() not in out, "--set", text, "a name that was not set before")
        out[name.strip()] = parse_value(value.strip())
    return out


def grid(texts: Sequence[str] | None) -> list[dict[str, Any]]:
    """Return every combination of ``name=v1,v2,...`` pairs, the first name slowest; one empty one without any."""
    found = choices(texts)
    return [dict(zip(found, values, strict=True)) for values in itertools.product(*found.values())]


def choices(texts: Sequence[str] | None) -> dict[str, list[Any]]:
    """Return the values of every name of ``name=v1,v2,...`` pairs."""
    found: dict[str, list[Any]] = {}
    for text in texts or ():
        name, equals, values = (part.strip() for part in text.partition("="))
        parts = [part.strip() for part in values.split(",")]
        require(bool(equals and name and all(parts)), "--set", text, "name=value, or name=v1,v2,... for a sweep")
        require(name not in found, "--set", text, "a name that was not set before")
        require(len(set(parts)) == len(parts), "--set", text, "every value once")
        found[name] = [parse_value(part) for part in parts]
    return found


def laws(texts: Sequence[str] | None) -> dict[str, str]:
    """Return ``name=law`` pairs of step schedules as a dictionary."""
    out: dict[str, str] = {}
    for text in texts or ():
        name, equals, law = (part.strip() for part in text.partition("="))
        require(bool(equals and name and law), "--schedule", text, "name=law, such as eta=0.99^t")
        require(name not in out, "--schedule", text, "a name that was not given before")
        out[name] = law
    return out


def parse_variations(texts: Sequence[str] | None, count: int) -> list[dict[str, Any]]:
    """Return one dictionary of problem parameters for each of `count` runs from ``name=v1,v2,...``."""
    runs: list[dict[str, Any]] = [{} for _ in range(count)]
    for text in texts or ():
        name, equals, values = text.partition("=")
        parts = values.split(",")
        if not equals or len(parts) != count:
            msg = f"--vary = {text!r} is not legal: name=v1,v2,... with one value for each of the {count} values of T"
            raise InputError(msg)
        for run, part in zip(runs, parts, strict=True):
            run[name.strip()] = parse_value(part.strip())
    return runs
