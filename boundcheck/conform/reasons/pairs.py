"""Which two mistakes may have an implementation's iterates together, from what each of them does alone."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from boundcheck.conform.explaining import UNFIT, same
from boundcheck.conform.mistakes import with_mistake

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.conform.explaining import Explainer
    from boundcheck.conform.faults.wrong import Mistake
    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.problems.base import Array

_RUNS = ((1, 1, 1), (1, 1, 3), (2, 1, 1), (2, 2, 1), (2, 2, 3))
"""N, S and K of short runs in which many mistakes do nothing."""
_ROUNDS = 2
_NOTHING, _ALL, _OTHER = "nothing", "all", "other"
"""What a mistake makes of a run: our iterates, the implementation's, others."""


def possible_pairs(explainer: Explainer, pool: Sequence[Mistake]) -> Iterator[tuple[Mistake, Mistake]]:
    """Yield the pairs that are not ruled out by a run in which one of the two does nothing: the other has to do all."""
    pairs = [p for p in explainer.pairs if _key(p[0]) in _RUNS and not p[0].setting.steep]
    runs = list({_key(run): (run, path) for run, path in pairs}.values())
    agree = [same(path[: _ROUNDS + 1], run.path[: _ROUNDS + 1], explainer.tolerance) for run, path in runs]
    does = [[_effects(explainer, mistake, run, path) for run, path in runs] for mistake in pool]
    for (one, first), (other, second) in itertools.combinations(zip(pool, does, strict=True), 2):
        if all(_may_be(a, b, same_as_ours=s) for a, b, s in zip(first, second, agree, strict=True)):
            yield one, other


def not_seen_earlier(explainer: Explainer, pool: Sequence[Mistake]) -> Iterator[Mistake]:
    """Yield the mistakes that change nothing in the first rounds in which the implementation still agrees with ours.

    One that does would have to be undone by what is made besides it.
    """
    begun = [(run, path, explainer.rounds_that_agree(run, path)) for run, path in explainer.pairs]
    agreed = [(run, path, min(rounds, _ROUNDS)) for run, path, rounds in begun if rounds]
    if not agreed:
        yield from pool
        return

    def shows_most(one: tuple[RecordedRun, Array, int]) -> tuple[bool, bool, bool, int]:
        setting = one[0].setting
        return setting.K > 1, setting.S > 1, setting.S < setting.N, one[2]

    run, path, rounds = max(agreed, key=shows_most)
    yield from (one for one in pool if _NOTHING in _effects(explainer, one, run, path, rounds))


def _key(run: RecordedRun) -> tuple[int, int, int]:
    return run.setting.N, run.setting.S, run.setting.K


def _may_be(one: set[str], other: set[str], *, same_as_ours: bool) -> bool:
    if _OTHER in one and _OTHER in other:
        return True
    if one == other == {_NOTHING}:
        return same_as_ours
    return _ALL in one or _ALL in other or (same_as_ours and (_NOTHING in one and _NOTHING in other))


def _effects(explainer: Explainer, mistake: Mistake, run: RecordedRun, path: Array, rounds: int = _ROUNDS) -> set[str]:
    """Return what the method with a mistake makes of the first rounds of a run, in each of its forms."""
    found = set()
    for wrong in with_mistake(explainer.made, mistake):
        try:
            begun = run.path_of(wrong(run.setting.K), rounds=rounds)
        except UNFIT:
            return {_OTHER}
        cut = rounds + 1
        if same(run.path[:cut], begun, explainer.tolerance):
            found.add(_NOTHING)
        elif same(path[:cut], begun, explainer.tolerance):
            found.add(_ALL)
        else:
            found.add(_OTHER)
    return found
