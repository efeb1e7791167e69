"""Everything that is known of an implementation that differs, and how it is said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.conform.explaining import Explainer
from boundcheck.conform.mistakes import all_mistakes
from boundcheck.conform.runs.comparison import ROUNDED, SINGLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from boundcheck.conform.faults.wrong import Mistake
    from boundcheck.conform.runs.battery import BatterySetting
    from boundcheck.conform.runs.calling import ReturnedRun
    from boundcheck.conform.runs.comparison import Comparison
    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array

EQUAL = "your iterates equal those of"
ONE_NUMBER = (
    "a number is in single precision somewhere, such as a weight of the average; compute it in float64, or compare "
    f"with a tolerance of {ROUNDED:g}"
)
MOST = 3
"""Most mistakes that are named for the same iterates."""
_BEFORE = 3
"""A mistake in the state shows in the iterates of one of the next rounds."""


class Mismatch(NamedTuple):
    """Everything that is known of an implementation that differs."""

    made: Method
    runs: list[RecordedRun]
    answers: list[ReturnedRun]
    found: Comparison
    call_at: Callable[[BatterySetting], tuple[RecordedRun, ReturnedRun]]
    """Calls the implementation once more, at any setting."""
    try_held_out: Callable[[], Mismatch | None] = lambda: None
    """Returns the same at other settings and hyperparameters, which nothing is sought at; None if there is none."""

    @property
    def pairs(self) -> list[tuple[RecordedRun, Array]]:
        """Return our runs with the implementation's iterates, those first that tell most mistakes apart."""
        pairs = [(run, answer.path) for run, answer in zip(self.runs, self.answers, strict=True)]
        return sorted(pairs, key=lambda pair: (-pair[0].setting.K, -pair[0].setting.N, pair[0].setting.S))

    @property
    def first(self) -> int:
        """Return the earliest round after which the iterates differ, 0 for the start."""
        return min(c.parts for c in self.found.checked if c.parts is not None)

    @property
    def tolerance(self) -> float:
        """Return how well its iterates can be those of a mistake."""
        return max(self.found.tolerance, SINGLE) if self.found.single else self.found.tolerance

    @property
    def title(self) -> str:
        """Return the name of the method in sentences."""
        return self.made.card.title

    def explainer(self, tolerance: float | None = None) -> Explainer:
        """Return who decides whether a mistake has the iterates."""
        return Explainer(self.made, self.pairs, self.tolerance if tolerance is None else tolerance)

    @property
    def whole(self) -> bool:
        """Return whether the known mistakes have been sought at these settings."""
        return any(run.setting.unequal for run in self.runs)

    def only(self, keep: Callable[[BatterySetting], bool]) -> Mismatch | None:
        """Return the same of some of the settings, None if the iterates do not differ in them."""
        which = [n for n, run in enumerate(self.runs) if keep(run.setting)]
        checked = tuple(self.found.checked[n] for n in which)
        if all(c.parts is None for c in checked):
            return None
        runs, answers = [self.runs[n] for n in which], [self.answers[n] for n in which]
        return self._replace(runs=runs, answers=answers, found=replace(self.found, checked=checked))


def say_mistake(trial: Mismatch, words: str, since: int = 0) -> str:
    """Return the sentence for a mistake that has the iterates, from a round on."""
    late = f"from round {since + 1} on, " if since else ""
    return f"{EQUAL} {trial.title} with a mistake: {late}{words}"


def say_together(trial: Mismatch, words: Sequence[str]) -> tuple[str, ...]:
    """Return the sentence for mistakes that have the iterates together."""
    if len(words) < 2:
        return tuple(say_mistake(trial, one) for one in words)
    number = {2: "two", 3: "three"}.get(len(words), str(len(words)))
    return (f"{EQUAL} {trial.title} with {number} mistakes: {'; and '.join(words)}",)


def name_mistakes(trial: Mismatch) -> tuple[str, ...]:
    """Name the known mistakes that have exactly these iterates, made from the start or from a later round on."""
    for since in (0, *range(trial.first - 1, max(trial.first - 1 - _BEFORE, 0), -1)):
        found = all_mistakes(trial.made.card.id)
        late = [mistake for mistake in found if not since or not mistake.from_start]
        if names := name_known(trial, late, since):
            return names
    return ()


def name_known(trial: Mismatch, known: Iterable[Mistake], since: int = 0) -> tuple[str, ...]:
    """Return a sentence for every mistake that has the iterates; those to rounding in single precision if none has."""
    loose = trial.explainer(max(trial.tolerance, ROUNDED)).matching(known, since)
    exact = trial.explainer().matching(loose, since)
    exact, loose = (_hold_elsewhere(trial, found, since) for found in (exact, loose))
    if not loose:
        return ()
    sentence = say_alternatives(trial, [mistake.words for mistake in exact or loose], since)
    rounded = f"this holds to {ROUNDED:g} and not to {trial.found.tolerance:g}: besides, {ONE_NUMBER}"
    return (sentence,) if exact else (sentence, rounded)


def _hold_elsewhere(trial: Mismatch, found: list[Mistake], since: int) -> list[Mistake]:
    """Return those of the mistakes that have the iterates at numbers that they were not sought at, too."""
    if (other := trial.try_held_out()) is None or not found:
        return found
    return other.explainer(max(trial.tolerance, ROUNDED)).matching(found, since)


def say_alternatives(trial: Mismatch, words: Sequence[str], since: int = 0) -> str:
    """Return the sentence for mistakes of which each has the iterates."""
    return say_mistake(trial, "; or, with the same iterates: ".join([*dict.fromkeys(words)][:MOST]), since)
