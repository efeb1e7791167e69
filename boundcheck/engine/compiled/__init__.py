"""Rounds compiled by JAX from the source that numpy runs (extra ``jax``)."""

from __future__ import annotations

from boundcheck.engine.compiled.block import run_compiled

__all__ = ["run_compiled"]
