"""What is read off an implementation where no listed mistake fits: numbers for mistakes, and formulas in words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boundcheck.conform.reading.adaptive import read_server_step
from boundcheck.conform.reading.bound import other_bound
from boundcheck.conform.reading.clipping import clipped_at
from boundcheck.conform.reading.local import (
    local_rounds,
    our_rounds,
    own_step,
    read_additions,
    read_correction,
    read_start,
    read_steps,
)
from boundcheck.conform.reading.server import read_server
from boundcheck.conform.wrong import Mistake

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.conform.replay import RecordedRun
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array

    Pairs = Sequence[tuple[RecordedRun, Array]]


def read_mistakes(made: Method, pairs: Pairs) -> tuple[Mistake, ...]:
    """Return mistakes whose numbers are read off the runs, for runs to confirm."""
    return (*other_bound(pairs), *clipped_at(made, pairs), *_schedules(made, pairs))


def _schedules(made: Any, pairs: Pairs) -> tuple[Mistake, ...]:
    found = _schedule(made, pairs)
    if found is None or not found.by_round:
        return ()
    return (Mistake(found.words, numbers=lambda m, t: replace(m, eta=m.eta * found.factor(t))),)


def _schedule(made: Any, pairs: Pairs) -> Any:
    if not hasattr(made, "eta"):
        return None
    eta = own_step(our_rounds(pairs), made.eta)
    return None if eta is None else read_steps(local_rounds(pairs), eta)


def read_words(made: Any, pairs: Pairs, probes: Pairs) -> tuple[str, ...]:
    """Return what is read off in words: the law of the step, what is added to gradients, corrections, the server."""
    if not hasattr(made, "eta"):
        return ()
    theirs, ours = local_rounds(probes), our_rounds(probes)
    eta = own_step(ours, made.eta)
    schedule = _schedule(made, pairs) or (None if eta is None else read_steps(theirs, eta))
    local: tuple[str, ...] = (schedule.words,) if schedule is not None else ()
    if not local and eta is not None:
        local = read_additions(theirs, ours, eta) or read_correction(theirs, ours, eta)
    local = (*local, *read_start(theirs, ours, eta))
    return (*local, *read_server(made, probes), *read_server_step(made, pairs))
