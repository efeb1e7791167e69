"""Inequalities checked at every step of simulated runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import require_count
from boundcheck.proofs.language.claim import Outcome
from boundcheck.proofs.provers.numeric import MARGIN, call, ratio, script

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@dataclass(frozen=True)
class Pathwise:
    """``lhs <= rhs`` at every step of every run.

    `refuted` with seed and step of the first failure, else `supported` with the largest lhs/rhs met.

    Parameters
    ----------
    run : callable
        Takes a `numpy.random.Generator` and yields (lhs, rhs) of each step, numbers or arrays.  A straight-line
        simulator in plain numpy, written with `def`.
    runs : int
        How many runs; run k uses ``np.random.default_rng(k)``.
    """

    run: Callable[[np.random.Generator], Iterable[tuple[Any, Any]]]
    runs: int = 20
    prover = "pathwise"

    def __post_init__(self) -> None:
        require_count(self.runs, "runs")

    def decide(self, timeout: float) -> Outcome:
        """Follow every run; a failure is met again before it is called one."""
        del timeout  # the number of runs bounds the work
        worst, checked = 0.0, 0
        for seed in range(self.runs):
            for step, (lhs, rhs) in enumerate(self.run(np.random.default_rng(seed))):
                if failing(lhs, rhs):
                    return self._refutation(seed, step)
                checked += np.broadcast(lhs, rhs).size
                pairs = zip(np.ravel(lhs), np.broadcast_to(rhs, np.shape(lhs)).ravel(), strict=True)
                worst = max(worst, max(ratio(x, y) for x, y in pairs))
        detail = f"largest lhs/rhs {worst:.6g} in {checked} checks along {self.runs} runs"
        return Outcome("supported", detail=detail, slack=worst, tries=checked)

    def _refutation(self, seed: int, step: int) -> Outcome:
        again = next(pair for k, pair in enumerate(self.run(np.random.default_rng(seed))) if k == step)
        if not failing(*again):
            return Outcome("undecided", detail=f"run {seed} is not the same a second time")
        lhs, rhs = (np.max(side) for side in again)
        lines = [
            f"steps = list(zip(range({step + 1}), {call(self.run, f'np.random.default_rng({seed})')}))",
            "lhs, rhs = steps[-1][1]",
            "assert np.any(lhs > rhs), (lhs, rhs)",
        ]
        detail = f"lhs = {lhs:.6g}, rhs = {rhs:.6g} at step {step} of the run with seed {seed}"
        return Outcome("refuted", {"seed": seed, "step": step}, script(lines, self.run), detail)


def failing(lhs: Any, rhs: Any) -> bool:
    """Whether lhs exceeds rhs anywhere, by more than rounding; a NaN fails as well."""
    bound = rhs + MARGIN * (np.abs(lhs) + np.abs(rhs))
    return not bool(np.all(np.asarray(lhs) <= bound))
