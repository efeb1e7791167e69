"""What is read off an implementation where no listed mistake fits: numbers for mistakes, and formulas in words.

A reader takes our runs with the implementation's iterates and returns a sentence, or nothing: `points`, `steps` and
`additions` read local steps, `sent` and `clipping` messages, `server` and `adaptive` the server, `hyper` and `start`
what a method was given.  `words` has numbers and sums in words, for all of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.reading.adaptive import read_server_step
from boundcheck.conform.reading.additions import StepLaw, plain, read_additions
from boundcheck.conform.reading.ages import read_ages
from boundcheck.conform.reading.asked import LocalRound, local_rounds, of_entries, our_rounds
from boundcheck.conform.reading.bound import other_bound
from boundcheck.conform.reading.chain import read_chain
from boundcheck.conform.reading.clipping import bounds_by_round, clipped_at
from boundcheck.conform.reading.combined import read_combined
from boundcheck.conform.reading.points import order_of_samples, read_correction, read_counts, read_network, read_start
from boundcheck.conform.reading.sent import read_sent
from boundcheck.conform.reading.server import read_server
from boundcheck.conform.reading.steps import StepSchedule, own_step, read_steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.conform.faults.wrong import Round
    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array

    Pairs = Sequence[tuple[RecordedRun, Array]]


def read_mistakes(made: Method, pairs: Pairs) -> tuple[Mistake, ...]:
    """Return mistakes whose numbers are read off the runs, for runs to confirm."""
    return (*other_bound(pairs), *clipped_at(made, pairs), *order_of_samples(pairs), *_schedules(made, pairs))


_STEPS = ("eta", "eta_x", "eta_y")
"""Local steps, by which methods call them."""


def _schedules(made: Any, pairs: Pairs) -> tuple[Mistake, ...]:
    found = _schedule(made, pairs)
    if found is None or not found.by_round:
        return ()

    def numbers(r: Round) -> Any:
        return replace(r.m, **{name: getattr(r.m, name) * found.factor(r.t) for name in _STEPS if hasattr(r.m, name)})

    return (Mistake(found.words, numbers=numbers),)


def _base(made: Any) -> float | None:
    """Return the local step; 1 for a minimax method, whose gradients are in units of its two steps."""
    if hasattr(made, "eta"):
        return float(made.eta)
    return 1.0 if hasattr(made, "eta_x") and hasattr(made, "eta_y") else None


def _in_units(made: Any, rounds: list[LocalRound]) -> list[LocalRound]:
    """Return rounds whose gradients are multiplied by the two steps of a minimax method, three coordinates and two."""
    if hasattr(made, "eta"):
        return rounds
    by = np.array([made.eta_x] * 3 + [-made.eta_y] * 2)
    return [r._replace(g=r.g * by) for r in rounds]


def _schedule(made: Any, pairs: Pairs) -> StepSchedule | None:
    base = _base(made)
    if base is None:
        return None
    eta = own_step(_in_units(made, our_rounds(pairs)), base)
    return None if eta is None else read_steps(_in_units(made, local_rounds(pairs)), eta)


def read_words(made: Any, pairs: Pairs, probes: Pairs) -> tuple[str, ...]:
    """Return what is read off in words: the law of the step, what is added to gradients, corrections, the server."""
    # FedNova's clients make K_i steps.
    if not hasattr(made, "fewest") and (counts := read_counts(pairs)):
        return counts
    if not hasattr(made, "eta"):
        return _read_blocks(made, pairs)
    if ages := read_ages(made, [*pairs, *probes]) or read_ages(made, pairs):
        return ages
    theirs, ours = local_rounds(probes), our_rounds(probes)
    eta = own_step(ours, made.eta)
    # The probes have more local steps, which tell laws apart that two steps do not.
    schedule = _schedule(made, [*pairs, *probes]) or _schedule(made, pairs)
    schedule = schedule or (None if eta is None else read_steps(theirs, eta))
    local: tuple[str, ...] = ()
    law: StepLaw | None = None
    if schedule is not None:
        local, law = (schedule.words,), None if schedule.step is None else StepLaw(schedule.step, ())
    elif eta is not None:
        local, law = read_additions(theirs, ours, eta)
        local = local or read_combined(theirs, eta) or read_correction(theirs, ours, eta) or read_chain(theirs, eta)
    server: tuple[str, ...] = ()
    if made.card.id == "dsgd" and eta is not None:
        server = read_network(theirs, ours, law or StepLaw(plain, ()), eta)
    else:
        local = (*local, *read_start(theirs, ours, eta))
        server = read_server(made, probes, _ends(theirs, law, eta) if local and law is not None and eta else None)
    if not local:
        server = bounds_by_round(made, [*pairs, *probes]) or server
    found = (*local, *server, *read_server_step(made, pairs))
    return found or read_sent(made, pairs, eta)


_BLOCKS = (("minimiser", "eta_x", 1.0, slice(0, 3)), ("maximiser", "eta_y", -1.0, slice(3, 5)))
"""Of the battery's saddle: name, step, its sign, entries."""


def _read_blocks(made: Any, pairs: Pairs) -> tuple[str, ...]:
    """Return the law of the step of each block of a minimax method, and what is added to its gradients."""
    if not (hasattr(made, "eta_x") and hasattr(made, "eta_y")):
        return ()
    said: list[str] = []
    for name, step, sign, which in _BLOCKS:
        theirs, ours = (of_entries(rounds, which) for rounds in (local_rounds(pairs), our_rounds(pairs)))
        eta = own_step(ours, sign * getattr(made, step))
        if eta is None:
            return ()
        schedule = read_steps(theirs, eta)
        words = (schedule.words,) if schedule is not None else read_additions(theirs, ours, eta)[0]
        said += [f"of the {name} alone: {one}" for one in words]
    return tuple(said)


def _ends(rounds: Sequence[LocalRound], law: StepLaw, eta: float) -> dict[int, list[Array]]:
    """Return where the clients end by a law that was read off, (S, d) for every round by the id of the run."""
    found: dict[int, dict[int, list[Array]]] = {}
    for r in sorted(rounds, key=lambda r: (id(r.run), r.t, r.place)):
        found.setdefault(id(r.run), {}).setdefault(r.t, []).append(law.end(r, eta))
    return {run: [np.array(rows) for rows in by_round.values()] for run, by_round in found.items()}
