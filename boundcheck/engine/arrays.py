"""What an oracle does with arrays (lanes, clients, d) whatever is drawn and whoever takes part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.engine.setting import Setting
    from boundcheck.problems.base import Array, Problem


class ArrayOracle:
    """The part of `boundcheck.methods.base.Oracle` without randomness.

    Parameters
    ----------
    problem : Problem
        What the method sees through the oracle.
    setting : Setting
        Active clients, local steps, minibatch; the horizon plays no part.
    """

    def __init__(self, problem: Problem, setting: Setting) -> None:
        self.problem = problem
        self.xp: Any = np
        self.N, self.S, self.K, self.b = problem.N, setting.S, setting.K, setting.b

    @property
    def weights(self) -> Array:
        """Return the clients' weights, (1, N, 1)."""
        p = self.problem.client_weights
        return np.full((1, self.N, 1), 1.0 / self.N) if p is None else p[None, :, None]

    @property
    def weights_add_up(self) -> bool:
        """Return whether the active clients' weights add up to 1."""
        return self.problem.client_weights is None or bool(np.all(self.S == self.N))

    def fori(self, step: Callable[[int, Any], Any], carry: Any, steps: int | None = None) -> Any:
        """Return `carry` after ``carry = step(k, carry)`` for every local step k."""
        for k in range(self.K if steps is None else steps):
            carry = step(k, carry)
        return carry

    def everywhere(self, x: Array) -> Array:
        """Return a server point, or a row for each client, as a read-only (lanes, N, d)."""
        return np.broadcast_to(x, (len(x), self.N, x.shape[-1]))

    def mean_all(self, v: Array) -> Array:
        """Average over all N clients, uncounted."""
        return self.problem.over_clients(v)[:, None]

    def to_all(self, x: Array) -> Array:
        """Return a memory (lanes, N, d) with the server vector in every row."""
        return np.repeat(x, self.N, axis=1)
