"""Mistakes in proximal terms: their size, their shape, where they are held."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.conform.faults.changes import change_gradients, change_oracle, mask, norms, set_numbers, tabulate
from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.faults.wrong_oracle import OracleProxy, lasting_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.faults.wrong import Round
    from boundcheck.methods.base import Vector


class Pull(NamedTuple):
    """Where a local step is, for a term that pulls it."""

    away: Vector
    """y - x."""
    y: Vector
    g: Vector
    """The gradient at y."""
    eta: Any
    sizes: Vector
    """n_i N/n of the active clients (lanes, S, 1)."""


def _per_tensor(p: Pull, cut: int) -> Vector:
    at = cut % p.away.shape[-1]
    parts = (p.away[..., :at], p.away[..., at:])
    return np.concatenate([part / norms(part) for part in parts], axis=-1)


def _part(which: Callable[[int], slice]) -> Callable[[Pull], Vector]:
    return lambda p: mask(which, p.away.shape[-1]) * p.away


_GROWING = "the proximal term is added to the loss anew with every entry (layer), so that the {} counts {} times"
SHAPES: dict[str, Callable[[Pull], Vector]] = {
    "the norm in the proximal term is not squared: it is {c}/2 |y - x| and not {c}/2 |y - x|^2": lambda p: (
        0.5 * p.away / norms(p.away)
    ),
    "the norm in the proximal term is not squared: it is {c} |y - x| and not {c}/2 |y - x|^2": lambda p: (
        p.away / norms(p.away)
    ),
    "the norms in the proximal term are not squared, tensor by tensor: {c}/2 sum_l |y_l - x_l|": lambda p: (
        0.5 * _per_tensor(p, 1)
    ),
    "the proximal gradient has a factor |y - x| too much": lambda p: norms(p.away) * p.away,
    "the proximal term pulls to 0 and not to x: it is a weight decay, {c} y in place of {c} (y - x)": lambda p: p.y,
    "the proximal term pulls to 0 and not to x: it is a weight decay, {c}/2 y": lambda p: 0.5 * p.y,
    "the proximal term {c} (y - x) has a weight decay {c} y beside it, which pulls to 0": lambda p: p.away + p.y,
    "the proximal term is {c} |y - x|_1, with gradient {c} sign(y - x)": lambda p: np.sign(p.away),
    "the proximal term is {c}/2 |y - x|_1, with gradient {c}/2 sign(y - x)": lambda p: 0.5 * np.sign(p.away),
    "the proximal term is the mean of the squares and not their sum: it is divided by d (3, as K is)": lambda p: (
        p.away / p.away.shape[-1]
    ),
    "the proximal term is {c} times the mean of the squares and not {c}/2 times their sum": lambda p: (
        2.0 * p.away / p.away.shape[-1]
    ),
    "the proximal term is taken after the gradient step, at y - eta g, and not at y": lambda p: p.away - p.eta * p.g,
    "the proximal term holds the first entry (layer) only": _part(lambda d: slice(0, 1)),
    "the proximal term holds the last entry (layer) only": _part(lambda d: slice(d - 1, d)),
    "the proximal term leaves the first entry (layer) out": _part(lambda d: slice(1, d)),
    "the proximal term leaves the last entry (layer) out": _part(lambda d: slice(0, d - 1)),
    _GROWING.format("first one", "d"): lambda p: np.arange(p.away.shape[-1], 0, -1) * p.away,
    _GROWING.format("last one", "d"): lambda p: np.arange(1, p.away.shape[-1] + 1) * p.away,
    "the coefficient {c} of the proximal term is multiplied by the client's weight n_i N/n": lambda p: p.sizes * p.away,
    "the coefficient {c} of the proximal term is divided by the client's weight n_i N/n": lambda p: p.away / p.sizes,
}
"""Words to gradient of a term that stands in the place of |y - x|^2 / 2, at coefficient 1."""


def change_shape(letter: str) -> tuple[Mistake, ...]:
    """Return the terms of other shapes in a method whose coefficient has this letter and which adds the right one."""

    def reshape(shape: Callable[[Pull], Vector]) -> Callable[[Round, Vector, Vector], Vector]:
        def change(r: Round, g: Vector, y: Vector) -> Vector:
            away = y - r.oracle.to_clients(r.old.x, free=True)
            everyone = r.oracle.to_all(0.0 * r.old.x[..., :1]) + (r.oracle.sizes / r.oracle.sizes.mean())[:, None]
            pull = shape(Pull(away, y, g, r.m.eta, r.oracle.active(everyone)))
            changed: Vector = g + getattr(r.m, letter) * (pull - away)
            return changed

        return change

    return tabulate({words.format(c=letter): change_gradients(reshape(shape)) for words, shape in SHAPES.items()})


class _OwnAnchor(OracleProxy):
    """Holds the proximal term at where the client ended last, the server's iterate where it took no part yet."""

    def __init__(self, r: Round) -> None:
        super().__init__(r.oracle)
        self._x, self._c = r.oracle.to_clients(r.old.x, free=True), r.m.rho
        self._memory = lasting_memory(r.oracle)
        nothing = r.oracle.to_all(0.0 * r.old.x)
        seen, ends = (r.oracle.active(self._memory.get(name, nothing)) for name in ("ended", "ends"))
        self._anchor = seen * ends + (1.0 - seen) * self._x

    def grad(self, y: Vector, batch: Any) -> Vector:
        """Return the gradient with what makes up for the method's own term."""
        return self._oracle.grad(y, batch) + self._c * (self._x - self._anchor)

    def mean(self, v: Vector, *, free: bool = False) -> Vector:
        """Keep where the clients end."""
        if v.ndim == 3 and v.shape == self._anchor.shape:
            nothing = self._oracle.to_all(0.0 * v[:, :1])
            for name, rows in (("ended", 1.0 + 0.0 * v), ("ends", v)):
                self._memory[name] = self._oracle.remember(self._memory.get(name, nothing), rows)
        return self._oracle.mean(v, free=free)


class _LateAnchor(OracleProxy):
    """Holds the proximal term at where the first local step ended."""

    def __init__(self, r: Round) -> None:
        super().__init__(r.oracle)
        self._x, self._c = r.oracle.to_clients(r.old.x, free=True), r.m.rho
        self._points: list[Vector] = []

    def grad(self, y: Vector, batch: Any) -> Vector:
        """Return the gradient with what makes up for the method's own term."""
        self._points.append(y)
        anchor = self._points[1] if len(self._points) > 1 else self._x
        return self._oracle.grad(y, batch) + self._c * (self._x - anchor)


PROXIMAL = {
    key: Mistake(f"the proximal {words}", **set_numbers(rho=rho))
    for key, words, rho in (
        ("prox-sign", "term has the wrong sign", lambda m: -m.rho),
        ("prox-double", "gradient is 2 rho (y - x) instead of rho (y - x)", lambda m: 2 * m.rho),
        ("prox-half", "gradient is rho/2 (y - x) instead of rho (y - x)", lambda m: m.rho / 2),
        ("prox-none", "term is missing", lambda m: 0.0),
        ("prox-without-eta", "term is not multiplied by the step eta", lambda m: m.rho / m.eta),
    )
}
MORE_PROXIMAL = (
    *change_shape("rho"),
    *tabulate(
        {
            "the proximal term is held at the client's own last model, where it ended when it took part last, and not "
            "at x": change_oracle(_OwnAnchor),
            "the proximal term is held at y_1, where the first local step ended, and not at x: x is copied a step "
            "late": change_oracle(_LateAnchor),
        }
    ),
)
"""Terms of another shape, or held elsewhere."""
