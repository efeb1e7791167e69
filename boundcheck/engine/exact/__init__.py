"""Exact expectations of whole runs: over every path of a short run, and by recursion where the round is affine.

`paths` makes every path a lane.  For quadratics `probe` and `affine` read the matrices of a round off the method's own
code, `law` and `linear` turn them into mean and covariance; `moments` has three methods by hand, as a check.
"""

from __future__ import annotations

from boundcheck.engine.exact.linear import iterate_moments, linear_moments
from boundcheck.engine.exact.paths import PATHS, average_on_paths

__all__ = ["PATHS", "average_on_paths", "iterate_moments", "linear_moments"]
