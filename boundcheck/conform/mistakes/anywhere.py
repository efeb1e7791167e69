"""Mistakes that any method can be got wrong with: samples, gradients, clipping, weights, steps that decay."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np

from boundcheck.conform.wrong import Mistake
from boundcheck.conform.wrong_oracle import (
    ChangedAverages,
    ChangedGradients,
    FirstSample,
    OneStepLess,
    OracleProxy,
    StaleGradients,
    by_size,
    clipping_at,
)

_BOUNDS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
"""Where codes clip."""


def _clip_gradients(m: Any, oracle: Any, state: Any, *, bound: float, rows: bool) -> ChangedGradients:
    return ChangedGradients(oracle, clipping_at(bound, rows=rows))


def _decay_step(m: Any, t: int, *, power: float) -> Any:
    return replace(m, eta=m.eta * (t + 1) ** -power) if any(f.name == "eta" for f in fields(m)) else m


def clipping(bound: float, *, rows: bool) -> Mistake:
    """Return the mistake that clips the norm, or the entries, of every gradient."""
    what = "norm of every gradient is" if rows else "entries of every gradient are"
    return Mistake(f"the {what} clipped at {bound:.9g}", oracle=partial(_clip_gradients, bound=bound, rows=rows))


CLIPPING = {
    f"clip-{'norm' if rows else 'entries'}-{bound:g}": clipping(bound, rows=rows)
    for bound in _BOUNDS
    for rows in (True, False)
}
ANYWHERE = {
    "one-sample": Mistake(
        "every local step uses the sample of the first one", oracle=lambda m, oracle, state: FirstSample(oracle)
    ),
    "stale-gradient": Mistake(
        "every local gradient is taken at the server's iterate and not at the client's",
        oracle=lambda m, oracle, state: StaleGradients(oracle, state.x),
    ),
    "one-step-less": Mistake(
        "the clients make one local step too few", oracle=lambda m, oracle, state: OneStepLess(oracle)
    ),
    "ascent": Mistake(
        "the gradient has the wrong sign",
        oracle=lambda m, oracle, state: ChangedGradients(oracle, lambda g, _: -g),
    ),
    "by-size": Mistake(
        "the clients are weighted by their sizes n_i/n, where the method gives all of them the same weight",
        oracle=lambda m, oracle, state: ChangedAverages(oracle, by_size(oracle)),
    ),
    "last-only": Mistake(
        "only the last client's result is used",
        oracle=lambda m, oracle, state: ChangedAverages(oracle, lambda rows, _: rows[:, -1:]),
    ),
    "decay": Mistake("the local step decays as 1/t", numbers=partial(_decay_step, power=1.0)),
    "decay-root": Mistake("the local step decays as 1/sqrt(t)", numbers=partial(_decay_step, power=0.5)),
    "signs": Mistake(
        "the sign of every gradient is used in its place",
        oracle=lambda m, oracle, state: ChangedGradients(oracle, lambda g, _: np.sign(g)),
    ),
    **CLIPPING,
}
"""Mistake by name, for every registered method."""


def _one_step(m: Any, oracle: Any, state: Any) -> _FirstStepOnly:
    return _FirstStepOnly(oracle)


class _FirstStepOnly(OracleProxy):
    """Makes one local step; the other minibatches are drawn and not used."""

    def fori(self, step: Any, carry: Any, steps: int | None = None) -> Any:
        """Return `carry` after one step."""
        count = self._oracle.K if steps is None else steps
        carry = self._oracle.fori(step, carry, min(count, 1))
        for _ in range(count - 1):
            self._oracle.draw()
        return carry


class _AddedUp(OracleProxy):
    """Gives the sum of all gradients of the round so far, or their average."""

    def __init__(self, oracle: Any, *, average: bool = False) -> None:
        super().__init__(oracle)
        self._seen: list[Any] = []
        self._average = average

    def grad(self, y: Any, batch: Any) -> Any:
        """Return the gradient with those before it."""
        self._seen.append(self._oracle.grad(y, batch))
        total = sum(self._seen[1:], self._seen[0])
        return total / len(self._seen) if self._average else total


def _normalise(g: Any, _: Any) -> Any:
    return g / np.maximum(np.sqrt((g * g).sum(axis=-1, keepdims=True)), 1e-300)


def _decay_weights(by: float) -> Any:
    return lambda m, oracle, state: ChangedGradients(oracle, lambda g, y: g + by * y)


def _cut(bound: float, piece: int) -> Any:
    """Return the change of gradients that clips the norms of two tensors, cut at an entry."""

    def change(g: Any, _: Any) -> Any:
        at = piece % g.shape[-1]
        parts = (g[..., :at], g[..., at:])
        return np.concatenate([clipping_at(bound, rows=True)(part, None) for part in parts], axis=-1)

    return lambda m, oracle, state: ChangedGradients(oracle, change)


def _mask(which: Any, by: float = 0.0) -> Any:
    """Return the change of gradients that multiplies some entries."""

    def change(g: Any, _: Any) -> Any:
        factors = np.ones(g.shape[-1])
        factors[which(g.shape[-1])] = by
        return factors * g

    return lambda m, oracle, state: ChangedGradients(oracle, change)


STEPS = {
    "one-step": Mistake(
        "the clients make one local step only, whatever K is",
        oracle=_one_step,
    ),
    "added-up": Mistake(
        "gradients are not reset between local steps (zero_grad is missing): every step uses the sum of those before",
        oracle=lambda m, oracle, state: _AddedUp(oracle),
    ),
    "averaged-gradients": Mistake(
        "every local step uses the average of the gradients of the round so far",
        oracle=lambda m, oracle, state: _AddedUp(oracle, average=True),
    ),
    "normalised": Mistake(
        "every gradient is divided by its norm", oracle=lambda m, oracle, state: ChangedGradients(oracle, _normalise)
    ),
    "over-K": Mistake(
        "every gradient is divided by the number of local steps K",
        oracle=lambda m, oracle, state: ChangedGradients(oracle, lambda g, _: g / oracle.K),
    ),
    "stale-over-K": Mistake(
        "the gradients are accumulated at the server's iterate and averaged over K: one step of eta a round",
        oracle=lambda m, oracle, state: ChangedGradients(StaleGradients(oracle, state.x), lambda g, _: g / oracle.K),
    ),
    **{
        f"decay-{by:g}": Mistake(
            f"a weight decay of {by:g} is added to every gradient: {by:g} y", oracle=_decay_weights(by)
        )
        for by in (1e-4, 5e-4, 1e-3, 5e-3, 1e-2, 0.1)
    },
    **{
        f"frozen-{name}": Mistake(f"{name} of the model is frozen: its gradient is 0", oracle=_mask(which))
        for name, which in (
            ("the first entry", lambda d: 0),
            ("the last entry", lambda d: d - 1),
            ("all but the first entry", lambda d: slice(1, d)),
            ("all but the last entry", lambda d: slice(0, d - 1)),
        )
    },
    **{
        f"step-{by:g}-{name}": Mistake(
            f"{name} of the model has a step of its own: {by:g} eta and not eta", oracle=_mask(which, by)
        )
        for by in (0.1, 0.5, 2.0, 10.0)
        for name, which in (
            ("the first entry", lambda d: 0),
            ("the last entry", lambda d: d - 1),
            ("all but the first entry", lambda d: slice(1, d)),
            ("all but the last entry", lambda d: slice(0, d - 1)),
        )
    },
    **{
        f"clip-tensors-{bound:g}-{piece}": Mistake(
            f"the norm of every gradient is clipped at {bound:g} tensor by tensor (cut at entry {piece})",
            oracle=_cut(bound, piece),
        )
        for bound in _BOUNDS
        for piece in (1, -1)
    },
}
"""More of the local steps, sought where none of the first has the iterates."""
