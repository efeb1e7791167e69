"""The left-hand side of a bound on every path of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.engine.exact import PATHS, average_on_paths

if TYPE_CHECKING:
    from boundcheck.evidence.pairing import Pairing
    from boundcheck.problems.base import Array

__all__ = ["PATHS", "outcomes_of_run"]


def outcomes_of_run(pairing: Pairing, *, most: int = PATHS) -> Array:
    """Return the left-hand side of a bound on every path of a run: see `boundcheck.engine.exact.average_on_paths`."""
    p = pairing
    return average_on_paths(p.problem, p.method, p.metric, K=p.K, T=p.T, S=p.S, b=p.b, most=most)
