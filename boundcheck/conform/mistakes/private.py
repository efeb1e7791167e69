"""Mistakes in how updates are clipped for privacy: by which norm, at which bound, what is clipped."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.mistakes.updates import shorten
from boundcheck.conform.wrong import Mistake
from boundcheck.conform.wrong_oracle import ChangedAverages

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.methods.base import Vector

_NEVER = 1e300
"""A bound at which nothing is clipped."""


def clipped_by(words: str, rule: Callable[[Any, Any, Vector, Vector], Vector]) -> Mistake:
    """Return the mistake whose updates (lanes, S, d) are ``rule(m, oracle, x, updates)`` before they are averaged.

    The noise stays as it is.
    """

    def change(m: Any, oracle: Any, state: Any) -> ChangedAverages:
        return ChangedAverages(oracle, lambda rows, _: rule(m, oracle, state.x, rows).mean(axis=1, keepdims=True))

    return Mistake(words, oracle=change, numbers=lambda m, t: replace(m, clip=_NEVER, z=m.z * m.clip / _NEVER))


def _tensors(u: Vector, bound: float, cut: int) -> Vector:
    at = cut % u.shape[-1]
    return np.concatenate([shorten(u[..., :at], bound), shorten(u[..., at:], bound)], axis=-1)


def _bound(words: str, of: Callable[[Any, Any], float]) -> Mistake:
    return clipped_by(f"updates are clipped at {words} and not at clip", lambda m, o, x, u: shorten(u, of(m, o)))


def _norms(u: Vector) -> Vector:
    norms: Vector = np.sqrt((u * u).sum(axis=-1, keepdims=True))
    return norms


_OF_NORMS: dict[str, Callable[..., Any]] = {
    "median": np.median,
    "mean": np.mean,
    "smallest": np.min,
    "largest": np.max,
}

DP_FEDAVG = {
    **{
        f"at-{name}": clipped_by(
            f"updates are clipped at the {name} of the norms of the round and not at clip",
            lambda m, oracle, x, u, of=of: shorten(u, of(_norms(u), axis=1, keepdims=True)),  # type: ignore[misc]
        )
        for name, of in _OF_NORMS.items()
    },
    "by-model": clipped_by(
        "the norm by which updates are clipped is that of the client's model and not that of its update",
        lambda m, oracle, x, u: u * np.minimum(1.0, m.clip / np.maximum(_norms(x + u), 1e-300)),
    ),
    "upside-down": clipped_by(
        "the ratio of clipping is upside down: updates are multiplied by min(1, |u|/clip) and not by min(1, clip/|u|)",
        lambda m, oracle, x, u: u * np.minimum(1.0, _norms(u) / m.clip),
    ),
    **{
        f"tensors-{cut}": clipped_by(
            f"the update is clipped at norm clip tensor by tensor (cut at entry {cut}) and not as one vector",
            lambda m, oracle, x, u, cut=cut: _tensors(u, m.clip, cut),  # type: ignore[misc]
        )
        for cut in (1, 2, -1)
    },
    "absolute": clipped_by(
        "the norm by which updates are clipped is the sum of absolute values |u|_1 and not |u|_2",
        lambda m, oracle, x, u: u * np.minimum(1.0, m.clip / np.maximum(np.abs(u).sum(-1, keepdims=True), 1e-300)),
    ),
    "largest": clipped_by(
        "the norm by which updates are clipped is their largest entry |u|_oo and not |u|_2",
        lambda m, oracle, x, u: u * np.minimum(1.0, m.clip / np.maximum(np.abs(u).max(-1, keepdims=True), 1e-300)),
    ),
    "models": clipped_by(
        "the models of the clients are clipped at norm clip, and not their updates",
        lambda m, oracle, x, u: shorten(x + u, m.clip) - x,
    ),
    "models' entries": clipped_by(
        "the entries of the clients' models are clipped at clip, and not the norms of their updates",
        lambda m, oracle, x, u: np.clip(x + u, -m.clip, m.clip) - x,
    ),
    "sum": clipped_by(
        "the sum of the updates is clipped at clip, and not each of them",
        lambda m, oracle, x, u: shorten(u.sum(axis=1, keepdims=True), m.clip) / oracle.S,
    ),
    "over-S": _bound("clip/S", lambda m, oracle: m.clip / oracle.S),
    "over-root-S": _bound("clip/sqrt(S)", lambda m, oracle: m.clip / oracle.S**0.5),
    "times-S": _bound("clip S", lambda m, oracle: m.clip * oracle.S),
    "over-N": _bound("clip/N", lambda m, oracle: m.clip / oracle.N),
    "over-eta": _bound("clip/eta", lambda m, oracle: m.clip / m.eta),
    "by-gradient": _bound("eta K clip", lambda m, oracle: m.eta * oracle.K * m.clip),
    "never": clipped_by("the updates are not clipped", lambda m, oracle, x, u: u),
}
"""Of FedAvg with clipping and noise."""
