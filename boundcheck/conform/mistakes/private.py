"""Mistakes in how updates are clipped for privacy: by which norm, at which bound, what is clipped."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.conform.faults.changes import average, change_averages, change_gradients, change_method, norms, tabulate
from boundcheck.conform.mistakes.updates import by_tensors, shorten

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.faults.wrong import Round
    from boundcheck.methods.base import Vector

_NEVER = 1e300
"""A bound at which nothing is clipped."""


def _by_norm(u: Vector, clip: float, norm: Vector) -> Vector:
    clipped: Vector = u * np.minimum(1.0, clip / np.maximum(norm, 1e-300))
    return clipped


_RULES: dict[str, Callable[[Round, Vector], Vector]] = {
    **{
        f"updates are clipped at the {name} of the norms of the round and not at clip": (
            lambda r, u, of=of: shorten(u, of(norms(u), axis=1, keepdims=True))  # type: ignore[misc]
        )
        for name, of in {"median": np.median, "mean": np.mean, "smallest": np.min, "largest": np.max}.items()
    },
    **{
        f"updates are clipped at {words} and not at clip": (
            lambda r, u, bound=bound: shorten(u, bound(r))  # type: ignore[misc]
        )
        for words, bound in {
            "clip/S": lambda r: r.m.clip / r.S,
            "clip/sqrt(S)": lambda r: r.m.clip / r.S**0.5,
            "clip S": lambda r: r.m.clip * r.S,
            "clip/N": lambda r: r.m.clip / r.N,
            "clip/eta": lambda r: r.m.clip / r.m.eta,
            "eta K clip": lambda r: r.m.eta * r.K * r.m.clip,
            "clip |x|, a share of the norm of the model,": lambda r: r.m.clip * norms(r.old.x),
        }.items()
    },
    **{
        f"the update is clipped at norm clip tensor by tensor (cut at entry {cut}) and not as one vector": (
            lambda r, u, cut=cut: by_tensors(u, r.m.clip, cut)  # type: ignore[misc]
        )
        for cut in (1, 2, -1)
    },
    "the norm by which updates are clipped is that of the client's model and not that of its update": lambda r, u: (
        _by_norm(u, r.m.clip, norms(r.old.x + u))
    ),
    "the norm by which updates are clipped is the sum of absolute values |u|_1 and not |u|_2": lambda r, u: _by_norm(
        u, r.m.clip, np.abs(u).sum(-1, keepdims=True)
    ),
    "the norm by which updates are clipped is their largest entry |u|_oo and not |u|_2": lambda r, u: _by_norm(
        u, r.m.clip, np.abs(u).max(-1, keepdims=True)
    ),
    "the ratio of clipping is upside down: updates are multiplied by min(1, |u|/clip) and not by min(1, clip/|u|)": (
        lambda r, u: u * np.minimum(1.0, norms(u) / r.m.clip)
    ),
    "the models of the clients are clipped at norm clip, and not their updates": lambda r, u: (
        shorten(r.old.x + u, r.m.clip) - r.old.x
    ),
    "the entries of the clients' models are clipped at clip, and not the norms of their updates": lambda r, u: (
        np.clip(r.old.x + u, -r.m.clip, r.m.clip) - r.old.x
    ),
    "the sum of the updates is clipped at clip, and not each of them": lambda r, u: (
        shorten(u.sum(axis=1, keepdims=True), r.m.clip) / r.S
    ),
    "the updates are not clipped": lambda r, u: u,
}
"""Words to what is averaged, given the updates (lanes, S, d); the noise stays as it is."""


DP_FEDAVG = tabulate(
    {
        words: {
            **change_averages(lambda r, rows, _, rule=rule: average(rule(r, rows))),  # type: ignore[misc]
            **change_method(lambda r: replace(r.m, clip=_NEVER, z=r.m.z * r.m.clip / _NEVER)),
        }
        for words, rule in _RULES.items()
    }
)
"""Of FedAvg with clipping and noise."""
CLIPPED_SGD = tabulate(
    {
        "the gradients of the clients are clipped one by one, before their mean, and not their mean": change_gradients(
            lambda r, g, y: shorten(g, r.m.clip)
        ),
    }
)
"""Of SGD with clipped gradients."""
