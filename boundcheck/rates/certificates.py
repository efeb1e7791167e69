"""Certificates of attained rates: what ran, every reading, the word; written, read and checked again."""

from __future__ import annotations

import itertools
import json
import math
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from boundcheck.errors import InputError, require
from boundcheck.files.atomic import write_whole
from boundcheck.files.own import is_reference
from boundcheck.files.rows import json_rows
from boundcheck.limits import moderate
from boundcheck.rates.attained import Attained, attain, judge_points
from boundcheck.rates.headline import LEAST_POINTS
from boundcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

KIND = "attained rates"
TOLERANCE = 1e-6
"""Relative difference that rounding may make between two machines, or between compiled rounds and numpy's."""


def certificate_of(found: Sequence[Attained]) -> dict[str, Any]:
    """Return a certificate as plain data."""
    return {"kind": KIND, "boundcheck": __version__, "rates": msgspec.to_builtins(list(found))}


def write_certificate(path: Path, found: Sequence[Attained]) -> None:
    """Write a certificate as JSON.

    Raises
    ------
    InputError
        If the system refuses.
    """
    write_whole(path, json_rows(certificate_of(found), 2) + "\n")


def read_certificate(text: str, where: str) -> list[Attained]:
    """Return what a certificate says; nothing is run, and nothing of it is believed yet.

    Parameters
    ----------
    text : str
        JSON.
    where : str
        Name of the file, for messages.

    Raises
    ------
    InputError
        If it is no certificate of attained rates; the message names file, key and what would be legal.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        msg = f"{where}: line {error.lineno}: not JSON: {error.msg}"
        raise InputError(msg) from None
    kind = data.get("kind") if isinstance(data, dict) else None
    require(kind == KIND, f"{where}: kind", kind, f"{KIND!r}")
    try:
        found: list[Attained] = msgspec.convert(data.get("rates"), list[Attained])
    except msgspec.ValidationError as error:
        msg = f"{where}: rates: {error}"
        raise InputError(msg) from None
    for one in found:
        for what in ("printed", "bound", "problem"):
            name = getattr(one.headline, what)
            require(not is_reference(name), f"{where}: {what}", name, "a name that boundcheck lists: no code is run")
        _require_readings(one, f"{where}: {one.headline.id}")
    return found


def _require_readings(found: Attained, where: str) -> None:
    """Refuse points from which no slope can be fitted: too few, out of order, or with other numbers of readings."""
    points, control = found.points, found.headline.control
    require(moderate(control.size) and control.size > 0, f"{where}: control.size", control.size, "a number > 0")
    require(0 <= control.falls <= 1, f"{where}: control.falls", control.falls, "a number in [0, 1]")
    require(not points or len(points) >= LEAST_POINTS, f"{where}: points", len(points), f"none, or >= {LEAST_POINTS}")
    axis = [point.x for point in points]
    rises = all(0 < low < high < math.inf for low, high in itertools.pairwise(axis))
    require(rises, f"{where}: x", axis, "increasing numbers > 0, one a point")
    for what in ("average", "late", "control"):
        read = [getattr(point, what) for point in points]
        lanes = {len(one) for one in read}
        legal = "as many readings, at least one, at every point"
        require(not points or (len(lanes) == 1 and 0 not in lanes), f"{where}: {what}", sorted(lanes), legal)
        finite = all(math.isfinite(value) for one in read for value in one)
        require(finite, f"{where}: {what}", read, "numbers")
    for point in points:
        require(point.rhs is None or 0 < point.rhs < math.inf, f"{where}: rhs", point.rhs, "a number > 0, or null")


@cache
def shipped_rates() -> dict[str, Attained]:
    """Return the headline rates as they were measured when this version was made, by name."""
    path = files("boundcheck.rates") / "attained.json"
    return {found.headline.id: found for found in read_certificate(path.read_text(encoding="utf-8"), path.name)}


def recheck(found: Attained, *, run: bool = True, seed: int = 0) -> list[str]:
    """Check a certificate again and return what differs; an empty list says that it stands.

    First the word is decided anew from the readings, then the steps are made anew from the theorem; last, the grid and
    its control are run anew and compared reading by reading.

    Parameters
    ----------
    found : Attained
    run : bool
        Whether to run the grid; without it the readings are believed.
    seed : int
        Root seed of the certificate.
    """
    name = found.headline.id
    if not found.points:
        fresh = attain(found.headline, seed=seed)
        return [] if fresh.word == found.word else [f"{name}: says {found.word!r}, comes out {fresh.word!r}"]
    differ = [f"{name}: {line}" for line in _differences(judge_points(found.headline, found.points), found)]
    if not run:
        return differ
    fresh = attain(found.headline, seed=seed)
    if len(fresh.points) != len(found.points):
        return [*differ, f"{name}: {len(found.points)} points, where the grid has {len(fresh.points)}"]
    for here, there in zip(fresh.points, found.points, strict=True):
        for what in ("N", "S", "K", "T", "rhs", "average", "late", "control"):
            if not _close(getattr(here, what), getattr(there, what)):
                said = f"{getattr(there, what)}, comes out {getattr(here, what)}"
                differ.append(f"{name}: {what} at {there.x:g}: says {said}")
    return differ


def _differences(fresh: Attained, found: Attained) -> list[str]:
    """Return what a word or a slope says that its own readings do not."""
    lines = []
    if (fresh.word, fresh.printed) != (found.word, found.printed):
        lines.append(f"says {found.word!r} at {found.printed:g}, its readings say {fresh.word!r} at {fresh.printed:g}")
    for what in ("late", "average", "control_slope"):
        here, there = getattr(fresh, what), getattr(found, what)
        if there is None or not _close([here.value, here.low, here.high], [there.value, there.low, there.high]):
            lines.append(f"{what}: says {there}, its readings say {here}")
    return lines


def _close(here: Any, there: Any) -> bool:
    if here is None or there is None:
        return here is there
    return bool(np.shape(here) == np.shape(there) and np.allclose(here, there, rtol=TOLERANCE, atol=1e-9))
