"""Exact expectations of whole runs: over every path of a short run, and by recursion where the round is affine."""

from __future__ import annotations

from boundcheck.engine.exact.linear import iterate_moments, linear_moments
from boundcheck.engine.exact.paths import PATHS, average_on_paths

__all__ = ["PATHS", "average_on_paths", "iterate_moments", "linear_moments"]
