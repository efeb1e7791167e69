"""Mistakes on a network: in which order clients step and mix, and with which weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.wrong import Mistake
from boundcheck.methods.field.graphs import mixing, neighbours, share

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.base import Array


def _weights(m: Any, oracle: Any) -> Array:
    return mixing(m.graph, oracle.N)


def _rule(rule: Callable[[Any, Any, Any, Any, Array], Any]) -> Callable[..., Any]:
    """Return the round whose new models are ``rule(oracle, x, moved, mixed x, W)``."""

    def server(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
        W = _weights(m, oracle)
        mixed = oracle.mix(state.own, W)
        moved = after.own - mixed + state.own
        own = rule(oracle, state.own, moved, mixed, W)
        return after._replace(own=own, x=oracle.mean(own, free=True))

    return server


def _mixed_by(weights: Callable[[str, int, Array], Array]) -> dict[str, Any]:
    """Return the piece of a mistake with another mixing matrix."""

    def server(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
        W = _weights(m, oracle)
        own = after.own - oracle.mix(state.own, W) + oracle.mix(state.own, weights(m.graph, oracle.N, W))
        return after._replace(own=own, x=oracle.mean(own, free=True))

    return {"server": server}


def _near(graph: str, N: int) -> Array:
    if share(graph) is not None:
        return np.ones((N, N)) - np.eye(N)
    return neighbours(graph, N).astype(float)


def _without_self(graph: str, N: int, W: Array) -> Array:
    near = _near(graph, N)
    return near / np.maximum(near.sum(axis=1, keepdims=True), 1.0) if N > 1 else W


def _half(graph: str, N: int, W: Array) -> Array:
    return 0.5 * np.eye(N) + 0.5 * _without_self(graph, N, W) if N > 1 else W


NETWORK = {
    "combine": Mistake(
        "the local updates are mixed too (adapt then combine: x_i = sum_j W_ij y_j), which the method does not do: it "
        "adds them after mixing the old models (combine then adapt, from the mixed models, has the same mean)",
        server=_rule(lambda oracle, x, moved, mixed, W: oracle.mix(moved, W)),
    ),
    "isolated": Mistake(
        "the clients do not mix their models at all",
        server=_rule(lambda oracle, x, moved, mixed, W: moved),
    ),
    "all": Mistake(
        "all models are averaged in every round, whoever are neighbours",
        server=_rule(lambda oracle, x, moved, mixed, W: oracle.to_all(moved.mean(axis=1, keepdims=True))),
    ),
    "all-then-adapt": Mistake(
        "the old models are averaged over all clients", **_mixed_by(lambda g, N, W: np.full((N, N), 1.0 / N))
    ),
    "twice": Mistake("the models are mixed twice a round", **_mixed_by(lambda g, N, W: W @ W)),
    "lazy": Mistake("the mixing matrix is (I + W)/2", **_mixed_by(lambda g, N, W: 0.5 * (np.eye(N) + W))),
    "no-self": Mistake(
        "the neighbours' models are averaged without the own one: the weight W_ii is 0", **_mixed_by(_without_self)
    ),
    "half": Mistake("the own model has the weight 1/2 and the neighbours share the other half", **_mixed_by(_half)),
    "updates-only": Mistake(
        "the local updates are mixed and the models are not: x_i + sum_j W_ij (y_j - x_j)",
        server=_rule(lambda oracle, x, moved, mixed, W: x + oracle.mix(moved - x, W)),
    ),
    "twice-self": Mistake(
        "the own model counts twice among the neighbours: the weights are those of one more",
        **_mixed_by(lambda g, N, W: (W + np.diag(np.diag(W))) / (1.0 + np.diag(W)[:, None])),
    ),
    "combine-twice": Mistake(
        "old models and local updates are mixed, and then mixed again (combine, adapt, combine)",
        server=_rule(lambda oracle, x, moved, mixed, W: oracle.mix(mixed + moved - x, W)),
    ),
}
"""Of decentralised SGD."""
