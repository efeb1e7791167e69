"""Mistakes on a network: in which order clients step and mix, and with which weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.conform.faults.changes import change_state, tabulate
from boundcheck.methods.field.graphs import mixing, neighbours, share

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.faults.changes import Pieces
    from boundcheck.conform.faults.wrong import Round
    from boundcheck.methods.base import Vector
    from boundcheck.problems.base import Array


class _Exchange(NamedTuple):
    """What clients have when they exchange models."""

    r: Round
    x: Vector
    """The models before the round (lanes, N, d)."""
    moved: Vector
    """The same after the local steps."""
    W: Array

    def mix(self, v: Vector, W: Array | None = None) -> Vector:
        """Return the neighbours' averages."""
        mixed: Vector = self.r.oracle.mix(v, self.W if W is None else W)
        return mixed

    @property
    def near(self) -> Array:
        """Return the averages of the neighbours without the own model."""
        graph, N = self.r.m.graph, self.r.N
        if N == 1:
            return self.W
        near = np.ones((N, N)) - np.eye(N) if share(graph) is not None else neighbours(graph, N).astype(float)
        shares: Array = near / np.maximum(near.sum(axis=1, keepdims=True), 1.0)
        return shares


def _exchange(rule: Callable[[_Exchange], Vector]) -> Pieces:
    """Return the piece of a mistake with other new models."""

    def server(r: Round) -> Any:
        W = mixing(r.m.graph, r.N)
        own = rule(_Exchange(r, r.old.own, r.new.own - r.oracle.mix(r.old.own, W) + r.old.own, W))
        return r.new._replace(own=own, x=r.oracle.mean(own, free=True))

    return change_state(server)


def _mix_by(weights: Callable[[_Exchange], Array]) -> Pieces:
    """Return the piece of a mistake whose old models are mixed by other weights."""
    return _exchange(lambda e: e.mix(e.x, weights(e)) + e.moved - e.x)


NETWORK = tabulate(
    {
        "the local updates are mixed too (adapt then combine: x_i = sum_j W_ij y_j), which the method does not do: it "
        "adds them after mixing the old models (combine then adapt, from the mixed models, has the same mean)": (
            _exchange(lambda e: e.mix(e.moved))
        ),
        "the clients do not mix their models at all": _exchange(lambda e: e.moved),
        "all models are averaged in every round, whoever are neighbours": _exchange(
            lambda e: e.r.oracle.to_all(e.moved.mean(axis=1, keepdims=True))
        ),
        "the old models are averaged over all clients": _mix_by(lambda e: np.full_like(e.W, 1.0 / len(e.W))),
        "the models are mixed twice a round": _mix_by(lambda e: e.W @ e.W),
        "the mixing matrix is (I + W)/2": _mix_by(lambda e: 0.5 * (np.eye(len(e.W)) + e.W)),
        "the neighbours' models are averaged without the own one: the weight W_ii is 0": _mix_by(lambda e: e.near),
        "the own model has the weight 1/2 and the neighbours share the other half": _mix_by(
            lambda e: 0.5 * np.eye(len(e.W)) + 0.5 * e.near if len(e.W) > 1 else e.W
        ),
        "the local updates are mixed and the models are not: x_i + sum_j W_ij (y_j - x_j)": _exchange(
            lambda e: e.x + e.mix(e.moved - e.x)
        ),
        "the own model counts twice among the neighbours: the weights are those of one more": _mix_by(
            lambda e: (e.W + np.diag(np.diag(e.W))) / (1.0 + np.diag(e.W)[:, None])
        ),
        "old models and local updates are mixed, and then mixed again (combine, adapt, combine)": _exchange(
            lambda e: e.mix(e.mix(e.x) + e.moved - e.x)
        ),
    }
)
"""Of decentralised SGD."""
