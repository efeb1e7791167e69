"""What simulates a block of lanes: numpy, or JAX from the same source."""

from __future__ import annotations

import importlib.util
from functools import cache, partial
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.engine.block import BlockResult, run_block
from boundcheck.errors import InputError, require
from boundcheck.workers.interrupts import defer_interrupts

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.engine.block import BlockJob
    from boundcheck.problems.base import Problem

CACHED = {"numpy": 64_000, "jax": 40_000}
"""Backends, and the most numbers in one array of a block, so that its arrays stay in cache.

numpy pays for every call, which fewer and larger blocks need less of.
"""
DTYPES = ("float64", "float32")
"""Types of real numbers."""


def has_jax() -> bool:
    """Return whether the extra ``jax`` is installed."""
    return importlib.util.find_spec("jax") is not None


@cache
def describe_backend(backend: str, dtype: str) -> str:
    """Return what a run says computed it."""
    return backend if backend == "numpy" else f"{backend} {version(backend)} {dtype}"


def block_numbers(backend: str, problem: Problem) -> int:
    """Return the most numbers in one array of a block.

    Twice as many where the tables that all lanes read are larger than a block: more lanes share what these take.
    """
    usual, own_tables = CACHED[backend], problem.has_lanes or problem.clients_of_lanes is not None
    shared = 0 if own_tables else sum(v.size for v in vars(problem).values() if isinstance(v, np.ndarray))
    return 2 * usual if shared > usual else usual


def block_runner(backend: str, dtype: str) -> Callable[[BlockJob], BlockResult]:
    """Return what simulates one block.

    Raises
    ------
    InputError
        If backend or dtype is no name, numpy is asked for less than float64, or JAX is not installed.
    """
    require(backend in CACHED, "backend", backend, f"one of {', '.join(CACHED)}")
    require(dtype in DTYPES, "dtype", dtype, f"one of {', '.join(DTYPES)}")
    if backend == "numpy":
        require(dtype == "float64", "dtype", dtype, "float64 with backend = 'numpy'")
        return run_block
    if not has_jax():
        msg = "backend = 'jax' is not legal: JAX is not installed; pip install 'boundcheck[jax]'"
        raise InputError(msg)
    with defer_interrupts():
        from boundcheck.engine.compiled import run_compiled

    return partial(run_compiled, dtype=dtype)
