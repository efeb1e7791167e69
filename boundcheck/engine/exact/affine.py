"""The matrices of an affine map, read off from the code that computes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.engine.exact.probe import CHECKS, SCALES
from boundcheck.errors import NotApplicableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.engine.exact.probe import Probe
    from boundcheck.problems.base import Array

_ROUNDING = 1e-9
"""Relative error with which the map that was read off may miss the method on random inputs."""


class AffineMap(NamedTuple):
    """What a method does to states and noise: ``matrix @ (state, noise) + shift``."""

    matrix: Array
    """(outputs, inputs): one column a state entry, then one a noise entry."""
    shift: Array
    """(outputs,)."""
    affine: Array
    """(outputs,): whether the random lanes agree."""
    template: Any
    """The states that came out, for their shapes and whatever is no array."""


def read_off(probe: Callable[[int, int], Probe], size: int, run: Callable[[Probe, Array], Any]) -> AffineMap:
    """Run on zero, on every unit input and on random inputs.

    Parameters
    ----------
    probe : callable
        Returns the oracle of a number of lanes whose first unit noise is on the lane of the second number.
    size : int
        Entries of a state.
    run : callable
        Takes the oracle and states (lanes, size), returns the states that come out.
    """
    with np.errstate(all="ignore"):
        # A dry run tells how much noise is drawn, so how many lanes there are.
        dry = probe(1, 0)
        run(dry, np.zeros((1, size)))
        states = np.zeros((1 + size + dry.used + CHECKS, size))
        states[1 : size + 1] = np.eye(size)
        states[-CHECKS:] = SCALES * np.random.default_rng(1).standard_normal((CHECKS, size))
        oracle = probe(len(states), 1 + size)
        out = run(oracle, states)
        flat = flatten_state(out)
        matrix = (flat[1:-CHECKS] - flat[0]).T
        given = np.concatenate([states[-CHECKS:], *oracle.random], axis=1)
        missed = np.abs(flat[-CHECKS:] - (given @ matrix.T + flat[0]))
        sizes = np.abs(given) @ np.abs(matrix).T + np.abs(flat[0])
    return AffineMap(matrix, flat[0], (missed <= _ROUNDING * sizes).all(axis=0), out)


def flatten_state(state: Any) -> Array:
    """Return the arrays of a state side by side, (lanes, entries)."""
    arrays = [value.reshape(len(value), -1) for value in state if isinstance(value, np.ndarray)]
    return np.concatenate(arrays, axis=1)


def unflatten_state(flat: Array, template: Any) -> Any:
    """Return a state like `template` with the entries of `flat`."""
    fields, first = [], 0
    for value in template:
        if isinstance(value, np.ndarray):
            last = first + value[0].size
            value, first = flat[:, first:last].reshape(len(flat), *value.shape[1:]), last
        fields.append(value)
    return type(template)(*fields)


def place_of_x(template: Any) -> slice:
    """Return where the server iterate stands among the entries of a state.

    Raises
    ------
    NotApplicableError
        If the state has none.
    """
    first = 0
    for name, value in zip(template._fields, template, strict=True):
        if name == "x":
            return slice(first, first + value[0].size)
        first += value[0].size if isinstance(value, np.ndarray) else 0
    raise NotApplicableError("closed-form moments need a state that holds the server iterate as x")
