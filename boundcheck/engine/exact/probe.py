"""The oracle under which an affine round shows its matrices: its noise is given, a unit input a lane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.engine.arrays import ArrayOracle
from boundcheck.errors import NotApplicableError, require_count

if TYPE_CHECKING:
    from boundcheck.engine.setting import Setting
    from boundcheck.methods.base import Hyper
    from boundcheck.problems.base import Array, Indices
    from boundcheck.problems.synthetic.quadratic import Quadratic

SCALES = np.array([[1.0], [1e2], [1e4]])
"""Of the random inputs on which the map that was read off must agree with the method: clipping shows on large ones."""
CHECKS = len(SCALES)


class ProbeBatch:
    """The noise of one minibatch on every lane, and how often it was evaluated."""

    def __init__(self, noise: Array) -> None:
        self.noise = noise
        self.points = 0


class Probe(ArrayOracle):
    """An oracle whose noise is what each lane is given: zero, unit or random; whatever is not affine is refused."""

    def __init__(self, problem: Quadratic, setting: Setting, chosen: Indices, lanes: int, first: int) -> None:
        super().__init__(problem, setting)
        self._chosen, self._lanes, self._next = chosen, lanes, first
        self.used = 0
        self.random: list[Array] = []
        self._rng = np.random.default_rng(0)

    def __getattr__(self, name: str) -> Any:
        msg = f"closed-form moments need a linear method; this one asks the oracle for {name}"
        raise NotApplicableError(msg)

    def _noise(self, rows: int, b: int) -> Array:
        """Return noise (lanes, rows, d): one new unit input a row and coordinate, random ones on the last lanes."""
        count = rows * self.problem.d
        noise = np.zeros((self._lanes, count))
        if self._lanes > 1:
            self.random.append(SCALES * self._rng.standard_normal((CHECKS, count)))
            noise[-CHECKS:] = self.random[-1]
            noise[self._next + np.arange(count), np.arange(count)] = 1.0
        self._next += count
        self.used += count
        noise *= self.problem.noise.sigma / np.sqrt(self.problem.d * b)
        return noise.reshape(self._lanes, rows, self.problem.d)

    def draw(self, b: int | None = None) -> ProbeBatch:
        """Return the noise of one minibatch of the active clients."""
        return ProbeBatch(self._noise(self.S, self.b if b is None else b))

    def grad(self, y: Array, batch: ProbeBatch) -> Array:
        """Return the exact gradients plus the noise."""
        batch.points += 1
        if batch.points > 1 and self.problem.noise.curvature:
            needed = f"noise without curvature, not {self.problem.noise.kind}"
            raise NotApplicableError(f"closed-form moments of methods that evaluate a sample twice need {needed}")
        return self.full(y) + batch.noise

    def full(self, y: Array) -> Array:
        """Return the active clients' exact gradients."""
        return self.problem.exact_gradient(y, np.broadcast_to(self._chosen, (len(y), self.S)))

    def full_all(self, y: Array) -> Array:
        """Return all clients' exact gradients."""
        return self.problem.exact_gradient(self.everywhere(y))

    def initial(self, x0: Array, b: int) -> Array:
        """Return all clients' gradients at x0 on `b` samples each."""
        require_count(b, "B")
        return self.full_all(x0) + self._noise(self.N, b)

    def mean(self, v: Array, *, free: bool = False) -> Array:
        """Average over the active clients."""
        return self.mean_all(v)

    def to_clients(self, x: Array, *, free: bool = False) -> Array:
        """Broadcast a server vector."""
        return np.broadcast_to(x, (len(x), self.S, x.shape[-1]))

    def active(self, memory: Array) -> Array:
        """Return the active rows."""
        rows: Array = memory[:, self._chosen]
        return rows

    def remember(self, memory: Array, rows: Array) -> Array:
        """Replace the active rows."""
        fresh = memory.copy()
        fresh[:, self._chosen] = rows
        return fresh

    def observe(self, y: Array, weight: Hyper = 1.0) -> None:
        """Do nothing."""
