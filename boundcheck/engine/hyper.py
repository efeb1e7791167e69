"""Hyperparameters of which every lane has its own: arrays (lanes, 1, 1) among the fields of a method."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.methods.base import Method
    from boundcheck.problems.base import Array

M = TypeVar("M", bound="Method")


def with_arrays(method: M, change: Callable[[Array], Array]) -> M:
    """Return the method with every array among its hyperparameters changed; a plain number serves all lanes."""
    arrays = {
        f.name: change(value)
        for f in dataclasses.fields(method)  # type: ignore[arg-type]
        if isinstance(value := getattr(method, f.name), np.ndarray)
    }
    return dataclasses.replace(method, **arrays) if arrays else method  # type: ignore[type-var]


def for_lanes(method: M, lanes: Any) -> M:
    """Return the method with the hyperparameters of the given lanes, by number or by a mask."""
    return with_arrays(method, lambda value: value[lanes])
