"""What simulates a block of lanes: numpy, or JAX from the same source."""

from __future__ import annotations

import importlib.util
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

from boundcheck.engine.block import Part, run_block
from boundcheck.errors import InputError, require

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.engine.block import BlockJob

BACKENDS = ("numpy", "jax")
CACHED = 40_000
"""Most numbers in one array of a block: 312 KiB of float64 stay in cache."""
DTYPES = ("float64", "float32")
"""Types of real numbers."""


def has_jax() -> bool:
    """Return whether the extra ``jax`` is installed."""
    return importlib.util.find_spec("jax") is not None


def described(backend: str, dtype: str) -> str:
    """Return what a run says computed it."""
    return backend if backend == "numpy" else f"{backend} {version(backend)} {dtype}"


def block_runner(backend: str, dtype: str) -> Callable[[BlockJob], Part]:
    """Return what simulates one block.

    Raises
    ------
    InputError
        If backend or dtype is no name, numpy is asked for less than float64, or JAX is not installed.
    """
    require(backend in BACKENDS, "backend", backend, f"one of {', '.join(BACKENDS)}")
    require(dtype in DTYPES, "dtype", dtype, f"one of {', '.join(DTYPES)}")
    if backend == "numpy":
        require(dtype == "float64", "dtype", dtype, "float64 with backend = 'numpy'")
        return run_block
    if not has_jax():
        msg = "backend = 'jax' is not legal: JAX is not installed; pip install 'boundcheck[jax]'"
        raise InputError(msg)
    from boundcheck.engine.compiled import run_compiled

    return partial(run_compiled, dtype=dtype)
