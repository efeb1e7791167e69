"""Rounds compiled by JAX from the source that numpy runs (extra ``jax``).

Read `block`, then `program` (what is compiled once and kept) and `oracle`; `skeleton` takes a problem or method apart
into arrays and the rest, `traced` and `counter` stand in for arrays and for whole numbers while a compiler looks on.
"""

from __future__ import annotations

from boundcheck.engine.compiled.block import run_compiled

__all__ = ["run_compiled"]
