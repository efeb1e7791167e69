"""Mistakes that any method can be got wrong with: samples, gradients, clipping, weights, steps that decay."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.faults.changes import PLACES, change_averages, change_gradients, change_method, mask, norms
from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.faults.wrong_oracle import (
    ChangedAverages,
    ChangedGradients,
    FirstSample,
    OneStepLess,
    OracleProxy,
    StaleGradients,
    by_size,
    clipping_at,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.faults.changes import Pieces
    from boundcheck.conform.faults.wrong import Round

_BOUNDS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
"""Where codes clip."""


def _decay_step(power: float) -> Pieces:
    def numbers(r: Round) -> Any:
        decays = any(f.name == "eta" for f in fields(r.m))
        return replace(r.m, eta=r.m.eta * (r.t + 1) ** -power) if decays else r.m

    return change_method(numbers)


def clipping(bound: float, *, rows: bool) -> Mistake:
    """Return the mistake that clips the norm, or the entries, of every gradient."""
    what = "norm of every gradient is" if rows else "entries of every gradient are"
    return Mistake(
        f"the {what} clipped at {bound:.9g}",
        oracle=lambda r: ChangedGradients(r.oracle, clipping_at(bound, rows=rows)),
    )


CLIPPING = {
    f"clip-{'norm' if rows else 'entries'}-{bound:g}": clipping(bound, rows=rows)
    for bound in _BOUNDS
    for rows in (True, False)
}
ANYWHERE = {
    "one-sample": Mistake("every local step uses the sample of the first one", oracle=lambda r: FirstSample(r.oracle)),
    "stale-gradient": Mistake(
        "every local gradient is taken at the server's iterate and not at the client's",
        oracle=lambda r: StaleGradients(r.oracle, r.old.x),
    ),
    "one-step-less": Mistake("the clients make one local step too few", oracle=lambda r: OneStepLess(r.oracle)),
    "ascent": Mistake("the gradient has the wrong sign", **change_gradients(lambda r, g, y: -g)),
    "by-size": Mistake(
        "the clients are weighted by their sizes n_i/n, where the method gives all of them the same weight",
        oracle=lambda r: ChangedAverages(r.oracle, by_size(r.oracle)),
    ),
    "last-only": Mistake(
        "only the last client's result is used", **change_averages(lambda r, rows, mean: rows[:, -1:])
    ),
    "decay": Mistake("the local step is multiplied by 1/t in round t", **_decay_step(1.0)),
    "decay-root": Mistake("the local step is multiplied by 1/sqrt(t) in round t", **_decay_step(0.5)),
    "signs": Mistake("the sign of every gradient is used in its place", **change_gradients(lambda r, g, y: np.sign(g))),
    **CLIPPING,
}
"""Mistake by name, for every registered method."""


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


def _cut(bound: float, piece: int) -> Pieces:
    """Return the piece that clips the norms of two tensors, cut at an entry."""

    def change(r: Round, g: Any, y: Any) -> Any:
        at = piece % g.shape[-1]
        parts = (g[..., :at], g[..., at:])
        return np.concatenate([clipping_at(bound, rows=True)(part, y) for part in parts], axis=-1)

    return change_gradients(change)


def _scale(which: Callable[[int], Any], by: float) -> Pieces:
    """Return the piece that multiplies some entries of every gradient."""
    return change_gradients(lambda r, g, y: (1.0 + (by - 1.0) * mask(which, g.shape[-1])) * g)


STEPS = {
    "one-step": Mistake(
        "the clients make one local step only, whatever K is", oracle=lambda r: _FirstStepOnly(r.oracle)
    ),
    "added-up": Mistake(
        "gradients are not reset between local steps (zero_grad is missing): every step uses the sum of those before",
        oracle=lambda r: _AddedUp(r.oracle),
    ),
    "averaged-gradients": Mistake(
        "every local step uses the average of the gradients of the round so far",
        oracle=lambda r: _AddedUp(r.oracle, average=True),
    ),
    "normalised": Mistake("every gradient is divided by its norm", **change_gradients(lambda r, g, y: g / norms(g))),
    "over-K": Mistake(
        "every gradient is divided by the number of local steps K", **change_gradients(lambda r, g, y: g / r.K)
    ),
    "stale-over-K": Mistake(
        "the gradients are accumulated at the server's iterate and averaged over K: one step of eta a round",
        oracle=lambda r: ChangedGradients(StaleGradients(r.oracle, r.old.x), lambda g, _: g / r.K),
    ),
    **{
        f"decay-{by:g}": Mistake(
            f"a weight decay of {by:g} is added to every gradient: {by:g} y",
            **change_gradients(lambda r, g, y, by=by: g + by * y),  # type: ignore[misc]
        )
        for by in (1e-4, 5e-4, 1e-3, 5e-3, 1e-2, 0.1)
    },
    **{
        f"frozen-{name}": Mistake(f"{name} of the model is frozen: its gradient is 0", **_scale(which, 0.0))
        for name, which in PLACES.items()
    },
    **{
        f"step-{by:g}-{name}": Mistake(
            f"{name} of the model has a step of its own: {by:g} eta and not eta", **_scale(which, by)
        )
        for by in (0.1, 0.5, 2.0, 10.0)
        for name, which in PLACES.items()
    },
    **{
        f"clip-tensors-{bound:g}-{piece}": Mistake(
            f"the norm of every gradient is clipped at {bound:g} tensor by tensor (cut at entry {piece})",
            **_cut(bound, piece),
        )
        for bound in _BOUNDS
        for piece in (1, -1)
    },
}
"""More of the local steps, sought where none of the first has the iterates."""
