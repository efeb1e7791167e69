"""Gradients that are clipped where nobody said: the bound is read off the first local steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.conform.mistakes.anywhere import clipping

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.conform.faults.wrong import Mistake
    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.problems.base import Array

_ALIKE = 1e-9
"""How well two quotients agree that are equal but for rounding."""


def other_bound(pairs: Sequence[tuple[RecordedRun, Array]]) -> tuple[Mistake, ...]:
    """Return clipping at the bounds that the first local steps suggest, for runs to confirm.

    In the first step y_0 - y_1 is proportional to what is used in place of the gradient; where the gradient is not
    clipped it gives the step, where it is it gives the bound.
    """
    found = [first for run, _ in pairs for first in _first_steps(run)]
    if not found:
        return ()
    moved, gradients = (np.array(part) for part in zip(*found, strict=True))
    steps = np.abs(moved) / np.abs(gradients)
    step = float(steps.max())  # of an entry that is not clipped
    used, lengths = moved / step, np.sqrt((gradients**2).sum(axis=1))
    used_lengths = np.sqrt((used**2).sum(axis=1))
    norm = used_lengths[used_lengths < (1.0 - _ALIKE) * lengths]
    entry = np.abs(used)[np.abs(used) < (1.0 - _ALIKE) * np.abs(gradients)]
    bounds = ((norm, True), (entry, False))
    return tuple(
        clipping(float(f"{values.max():.12g}"), rows=rows)
        for values, rows in bounds
        if len(values) and np.ptp(values) <= 1e-6 * values.max()
    )


def _first_steps(run: RecordedRun) -> Iterator[tuple[Array, Array]]:
    """Yield the first move of every client in the first round, and the gradient that it was told."""
    for client in run.clients:
        points = dict(client.points[0])
        if client.asked[0] and 0 in points and 1 in points:
            yield points[0] - points[1], client.asked[0][0]
