"""Mistakes in proximal terms: their size, and their shape."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.conform.wrong import Mistake
from boundcheck.conform.wrong_oracle import ChangedGradients, OracleProxy, lasting_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.methods.base import Vector

_TINY = 1e-300


class Pull(NamedTuple):
    """Where a local step is, for a term that pulls it."""

    away: Vector
    """y - x."""
    y: Vector
    g: Vector
    """The gradient at y."""
    eta: Any


def _length(v: Vector) -> Vector:
    length: Vector = np.maximum(np.sqrt((v * v).sum(axis=-1, keepdims=True)), _TINY)
    return length


def _per_tensor(p: Pull, cut: int) -> Vector:
    at = cut % p.away.shape[-1]
    parts = (p.away[..., :at], p.away[..., at:])
    return np.concatenate([part / _length(part) for part in parts], axis=-1)


def _part(p: Pull, which: Callable[[int], slice]) -> Vector:
    there = np.zeros(p.away.shape[-1])
    there[which(p.away.shape[-1])] = 1.0
    return there * p.away


SHAPES: dict[str, tuple[str, Callable[[Pull], Vector]]] = {
    "not-squared": (
        "the norm in the proximal term is not squared: it is {c}/2 |y - x| and not {c}/2 |y - x|^2",
        lambda p: 0.5 * p.away / _length(p.away),
    ),
    "not-squared-whole": (
        "the norm in the proximal term is not squared: it is {c} |y - x| and not {c}/2 |y - x|^2",
        lambda p: p.away / _length(p.away),
    ),
    "not-squared-tensors": (
        "the norms in the proximal term are not squared, tensor by tensor: {c}/2 sum_l |y_l - x_l|",
        lambda p: 0.5 * _per_tensor(p, 1),
    ),
    "cubed": ("the proximal gradient has a factor |y - x| too much", lambda p: _length(p.away) * p.away),
    "to-zero": (
        "the proximal term pulls to 0 and not to x: it is a weight decay, {c} y in place of {c} (y - x)",
        lambda p: p.y,
    ),
    "to-zero-half": ("the proximal term pulls to 0 and not to x: it is a weight decay, {c}/2 y", lambda p: 0.5 * p.y),
    "absolute": ("the proximal term is {c} |y - x|_1, with gradient {c} sign(y - x)", lambda p: np.sign(p.away)),
    "absolute-half": (
        "the proximal term is {c}/2 |y - x|_1, with gradient {c}/2 sign(y - x)",
        lambda p: 0.5 * np.sign(p.away),
    ),
    "mean": (
        "the proximal term is the mean of the squares and not their sum: it is divided by d (3, as K is)",
        lambda p: p.away / p.away.shape[-1],
    ),
    "mean-double": (
        "the proximal term is {c} times the mean of the squares and not {c}/2 times their sum",
        lambda p: 2.0 * p.away / p.away.shape[-1],
    ),
    "after": (
        "the proximal term is taken after the gradient step, at y - eta g, and not at y",
        lambda p: p.away - p.eta * p.g,
    ),
    "first-only": (
        "the proximal term holds the first entry (layer) only",
        lambda p: _part(p, lambda d: slice(0, 1)),
    ),
    "last-only": (
        "the proximal term holds the last entry (layer) only",
        lambda p: _part(p, lambda d: slice(d - 1, d)),
    ),
    "not-first": (
        "the proximal term leaves the first entry (layer) out",
        lambda p: _part(p, lambda d: slice(1, d)),
    ),
    "not-last": (
        "the proximal term leaves the last entry (layer) out",
        lambda p: _part(p, lambda d: slice(0, d - 1)),
    ),
}
"""Name to words and gradient of a term that stands in the place of |y - x|^2 / 2, at coefficient 1."""


def _reshape(m: Any, oracle: Any, state: Any, *, letter: str, shape: Callable[[Pull], Vector]) -> ChangedGradients:
    """Return the oracle whose gradients have another proximal term, given that the method adds the right one."""
    x, c = oracle.to_clients(state.x, free=True), getattr(m, letter)

    def change(g: Vector, y: Vector) -> Vector:
        away = y - x
        return g + c * (shape(Pull(away, y, g, m.eta)) - away)

    return ChangedGradients(oracle, change)


def change_shape(letter: str) -> dict[str, Mistake]:
    """Return the terms of other shapes in a method whose coefficient has this letter."""
    return {
        f"prox-{name}": Mistake(words.format(c=letter), oracle=partial(_reshape, letter=letter, shape=shape))
        for name, (words, shape) in SHAPES.items()
    }


class _OwnAnchor(OracleProxy):
    """Holds the proximal term at where the client ended last, the server's iterate where it took no part yet."""

    def __init__(self, m: Any, oracle: Any, state: Any, letter: str) -> None:
        super().__init__(oracle)
        self._x, self._c = oracle.to_clients(state.x, free=True), getattr(m, letter)
        self._memory = lasting_memory(oracle)
        nothing = oracle.to_all(0.0 * state.x)
        seen, ends = (oracle.active(self._memory.get(name, nothing)) for name in ("ended", "ends"))
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

    def __init__(self, m: Any, oracle: Any, state: Any, letter: str) -> None:
        super().__init__(oracle)
        self._x, self._c = oracle.to_clients(state.x, free=True), getattr(m, letter)
        self._points: list[Vector] = []

    def grad(self, y: Vector, batch: Any) -> Vector:
        """Return the gradient with what makes up for the method's own term."""
        self._points.append(y)
        anchor = self._points[1] if len(self._points) > 1 else self._x
        return self._oracle.grad(y, batch) + self._c * (self._x - anchor)


PROXIMAL = {
    "prox-sign": Mistake("the proximal term has the wrong sign", numbers=lambda m, t: replace(m, rho=-m.rho)),
    "prox-double": Mistake(
        "the proximal gradient is 2 rho (y - x) instead of rho (y - x)",
        numbers=lambda m, t: replace(m, rho=2 * m.rho),
    ),
    "prox-half": Mistake(
        "the proximal gradient is rho/2 (y - x) instead of rho (y - x)",
        numbers=lambda m, t: replace(m, rho=m.rho / 2),
    ),
    "prox-none": Mistake("the proximal term is missing", numbers=lambda m, t: replace(m, rho=0.0)),
    "prox-without-eta": Mistake(
        "the proximal term is not multiplied by the step eta", numbers=lambda m, t: replace(m, rho=m.rho / m.eta)
    ),
}
MORE_PROXIMAL = {
    **change_shape("rho"),
    "prox-own": Mistake(
        "the proximal term is held at the client's own last model, where it ended when it took part last, and not at x",
        oracle=lambda m, oracle, state: _OwnAnchor(m, oracle, state, "rho"),
    ),
    "prox-late": Mistake(
        "the proximal term is held at y_1, where the first local step ended, and not at x: x is copied a step late",
        oracle=lambda m, oracle, state: _LateAnchor(m, oracle, state, "rho"),
    ),
}
"""Terms of another shape."""
