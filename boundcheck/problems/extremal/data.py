"""What an extremal problem is made of, and the tables that ship."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import InputError, UnknownNameError, require

if TYPE_CHECKING:
    from boundcheck.problems.types import Array

_ARRAYS = ("w", "t", "start", "last")
_PLACED = ("w", "start", "last")
_TABLES = Path(__file__).with_name("tables.json")


@dataclass(frozen=True)
class Pieces:
    """Client functions ``f_i(x) = mu/2 |x|^2 + hull of (L - mu)/2 |x - w_ij|^2 + t_ij``.

    Attributes
    ----------
    L, mu : float
        Largest and smallest curvature; mu = -L is smooth alone.
    w : Array
        Vertices, (clients, pieces, d).
    t : Array
        Heights, (clients, pieces).
    start : Array
        x_0, (d,).
    origin : str
        Which worst case it attains: method, steps, class and value.
    last : Array, optional
        Last of the points, (d,): near the minimiser of convex functions.
    """

    L: float
    mu: float
    w: Array
    t: Array
    start: Array
    origin: str = ""
    last: Array | None = None

    @classmethod
    def through(cls, x: Array, g: Array, f: Array, *, L: float, mu: float, origin: str = "") -> Pieces:
        """Return the largest functions with curvature in [mu, L] through points, gradients and values.

        They pass through them if these obey the conditions of interpolation, and are of the class whether or not.

        Parameters
        ----------
        x, g : Array
            Points and gradients, (clients, points, d); the first point is the start of all clients.
        f : Array
            Values, (clients, points).
        """
        bend = L - mu
        w = (L * x - g) / bend
        t = f - np.vecdot(g, x) + L / 2 * np.vecdot(x, x) - bend / 2 * np.vecdot(w, w)
        return cls(L, mu, w, t, x[0, 0], origin, x[0, -1])

    def rescale(self, s: float) -> Pieces:
        """Return ``s^2 f_i(x/s)`` from s x_0, which have the same curvatures."""
        last = None if self.last is None else s * self.last
        return replace(self, w=s * self.w, t=s * s * self.t, start=s * self.start, last=last)

    def steeper(self, c: float) -> Pieces:
        """Return ``c f_i(x)`` from the same start."""
        return replace(self, L=c * self.L, mu=c * self.mu, t=c * self.t)

    def lift_dimension(self) -> Pieces:
        """Return ``f_i(x) + L z^2/2`` with one more coordinate z, from z = 0: its vertices are where they were."""
        more: dict[str, Any] = {
            name: np.pad(a, [(0, 0)] * (a.ndim - 1) + [(0, 1)])
            for name in _PLACED
            if (a := getattr(self, name)) is not None
        }
        return replace(self, **more)

    def drop_dimension(self) -> Pieces:
        """Return it without its last coordinate, along which nothing differs."""
        return replace(self, **{name: a[..., :-1] for name in _PLACED if (a := getattr(self, name)) is not None})

    def table(self) -> dict[str, Any]:
        """Return it as JSON keeps it."""
        numbers = {name: getattr(self, name).tolist() for name in _ARRAYS if getattr(self, name) is not None}
        return {"origin": self.origin, "L": self.L, "mu": self.mu, **numbers}


@cache
def tables() -> dict[str, dict[str, Any]]:
    """Return the shipped tables by name."""
    found: dict[str, dict[str, Any]] = json.loads(_TABLES.read_text(encoding="utf-8"))
    return found


def load_pieces(name: str) -> Pieces:
    """Return a shipped table, or the table that a text in JSON spells.

    Raises
    ------
    UnknownNameError
        If there is none of this name.
    InputError
        If a text is not a table.
    """
    if name.lstrip().startswith("{"):
        return _parse_pieces(name)
    if name not in tables():
        raise UnknownNameError("extremal problem", name, tables())
    return _read(tables()[name])


def _read(row: dict[str, Any]) -> Pieces:
    arrays = {key: np.array(row[key], dtype=float) for key in _ARRAYS if key in row}
    return Pieces(row["L"], row["mu"], **arrays, origin=row["origin"])


def _parse_pieces(text: str) -> Pieces:
    """Return the table of a text, which may be anybody's."""
    try:
        pieces = _read(json.loads(text))
        clients, points, d = pieces.w.shape
        fits = pieces.t.shape == (clients, points) and pieces.start.shape == (d,) and -pieces.L <= pieces.mu < pieces.L
        finite = all(np.isfinite(a).all() for a in (pieces.w, pieces.t, pieces.start, pieces.L))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        msg = f"extremal: which = {text[:40]!r}... is no table: {type(error).__name__}: {error}"
        raise InputError(msg) from error
    require(bool(fits and finite), "extremal: which", f"{text[:40]}...", "a table of finite numbers whose sizes fit")
    return pieces
