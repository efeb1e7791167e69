"""Verdicts on what a paper asserts of its experiments: the answers to its questions, each with an interval."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.errors import InputError
from boundcheck.evidence.statistics.anytime import plan
from boundcheck.evidence.statistics.paired import below, within
from boundcheck.sweep.experiments.contest import collect_experiments
from boundcheck.sweep.experiments.controls import ControlResult, controls
from boundcheck.sweep.experiments.questions import questions
from boundcheck.sweep.experiments.where import factors_of, split_answers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from boundcheck.evidence.statistics.anytime import ReplicatePlan
    from boundcheck.evidence.statistics.paired import Answer, MeanTest
    from boundcheck.sweep.cells.store import Store
    from boundcheck.sweep.experiments.contest import ExperimentResult
    from boundcheck.sweep.experiments.questions import AssertionQuestion
    from boundcheck.sweep.experiments.setting import ExperimentSetting
    from boundcheck.sweep.recipes.assertion import Assertion
    from boundcheck.sweep.recipes.experiment import Reading
    from boundcheck.sweep.recipes.recipe import Recipe
    from boundcheck.verdicts.words import ExperimentWord

_ALONE: dict[Answer, ExperimentWord] = {
    "yes": "reproduced",
    "no": "contradicted",
    "same": "no difference above the margin",
    "open": "undecided",
}
"""Answer to the verdict where all answers are that one."""


@dataclass(frozen=True)
class AnsweredQuestion:
    """A question with its answer."""

    question: AssertionQuestion
    answer: MeanTest
    plan: ReplicatePlan
    """What the runs could have told, and how many would decide."""
    controlled: bool = True
    """Whether no control fails at its settings by its reading; else its answer is not counted."""

    @property
    def word(self) -> Answer:
        """Return what the answer says of the assertion: where a yes speaks against it, yes and no change places.

        Where a control fails, which answer comes out hangs on what tuning happened to choose: it counts as open.
        """
        if not self.controlled:
            return "open"
        swapped: dict[Answer, Answer] = {"yes": "no", "no": "yes", "same": "yes"}
        found = self.answer.answer
        return swapped.get(found, found) if self.question.ask.against else found

    @property
    def speaks_for(self) -> bool:
        """Return whether it supports the assertion; an open answer never does."""
        return self.word == "yes"


@dataclass(frozen=True)
class AssertionResult:
    """An assertion with its verdict."""

    assertion: Assertion
    readings: Mapping[Reading, list[AnsweredQuestion]]
    """Its answers by every readout and share of the budget, the reading that is shown first."""
    controls: list[ControlResult]
    level: float
    """Of every interval, so that those of one reading hold together at the recipe's error rate."""

    @property
    def shown_answers(self) -> list[AnsweredQuestion]:
        """Return the answers by the reading that is shown."""
        return next(iter(self.readings.values()), [])

    @property
    def every(self) -> list[AnsweredQuestion]:
        """Return the answers by all readings."""
        return [told for answers in self.readings.values() for told in answers]

    @property
    def words(self) -> dict[Reading, ExperimentWord]:
        """Return the verdict by every reading alone."""
        return {reading: judge_words([told.word for told in answers]) for reading, answers in self.readings.items()}

    @property
    def failed(self) -> list[str]:
        """Return the controls that did not come out as they must, with the readings by which they did not."""
        readings: dict[str, dict[str, None]] = {}
        for told in (told for told in self.controls if not told.holds):
            readings.setdefault(told.control.what, {})[told.control.reading.words] = None
        return [f"{what} (by {', '.join(words)})" for what, words in readings.items()]

    @property
    def outcome(self) -> ExperimentWord:
        """Return the verdict: a word without a qualifier only where every readout, budget and start says it.

        Where a control fails, only answers that differ elsewhere still say something; no other word stands.
        """
        if not self.readings:
            return "cannot be tested here"
        word = judge_words([told.word for told in self.every])
        if any(told.is_of_recipe and not told.holds for told in self.controls):
            return "could not have told"
        return "could not have told" if self.failed and word != "mixed" else word

    @property
    def where(self) -> str:
        """Return where it holds: the factor that says most about answers that count; empty where they are the same."""
        return split_answers(
            [
                (factors_of(reading, told.question), told.word)
                for reading, answers in self.readings.items()
                for told in answers
                if told.controlled
            ]
        )

    @property
    def on_edges(self) -> dict[str, int]:
        """Return of which entrants what has its optimum on an edge, after widening, and in how many answers."""
        return dict(sorted(Counter(edge for told in self.every for edge in told.question.on_edges).items()))

    @property
    def replicates_needed(self) -> int | None:
        """Return about how many replicates would decide every open question; None where no number is known to."""
        wanted = [told.plan.needed for told in self.every if told.word == "open" and told.controlled]
        return max(known) if (known := [n for n in wanted if n is not None]) and len(known) == len(wanted) else None


class Contests(NamedTuple):
    """What the experiments of a recipe measured, and the verdicts on its assertions."""

    experiments: list[ExperimentResult]
    answers: list[AssertionResult]


def judge_words(words: Sequence[Answer]) -> ExperimentWord:
    """Return the verdict that answers give together: mixed only where decided ones differ."""
    decided = set(words) - {"open"}
    if len(decided) > 1:
        return "mixed"
    return "undecided" if "open" in words or not decided else _ALONE[decided.pop()]


def contests(recipe: Recipe, store: Store) -> Contests:
    """Read the store and return what the experiments of a recipe say.

    Raises
    ------
    InputError
        If a result is missing or cannot be read.
    """
    found = collect_experiments(recipe, store)
    return Contests(found, answer_all(recipe, found, store))


def answer_all(recipe: Recipe, results: Sequence[ExperimentResult], store: Store) -> list[AssertionResult]:
    """Return the verdict on every assertion of a recipe, from what its experiments measured.

    Raises
    ------
    InputError
        If an assertion asks of what no experiment has.
    """
    found = {result.experiment.id: result for result in results}
    return [_judge_assertion(assertion, found, recipe.alpha, store) for assertion in recipe.assertion]


def _judge_assertion(
    assertion: Assertion, found: Mapping[str, ExperimentResult], alpha: float, store: Store
) -> AssertionResult:
    asked = {
        reading: [q for ask in assertion.ask for q in questions(ask, found[ask.experiment], reading, store)]
        for reading in _readings(assertion, found)
    }
    if assertion.ask and not any(asked.values()):
        msg = f"assertion {assertion.id}: its questions meet no setting of their experiments"
        raise InputError(msg)
    level = 1 - alpha / max([1, *map(len, asked.values())])
    known = list(controls(assertion, found, store))
    results = [_answer(control.question, 1 - alpha / len(known)) for control in known]
    came = [
        ControlResult(c, one.answer.answer, *one.answer[:3], one.plan) for c, one in zip(known, results, strict=True)
    ]
    failing = {run for told in came if not told.holds for run in _runs(told.control.question)}
    answers = {
        reading: [replace(_answer(q, level), controlled=failing.isdisjoint(_runs(q))) for q in those]
        for reading, those in asked.items()
        if those
    }
    return AssertionResult(assertion, answers, came, level)


def _runs(q: AssertionQuestion) -> set[tuple[ExperimentSetting, Reading]]:
    """Return of which settings and readings the samples of a question are."""
    return {(entry.place, entry.reading) for entry in q.entries}


def _readings(assertion: Assertion, found: Mapping[str, ExperimentResult]) -> Iterator[Reading]:
    """Yield the readings by which some experiment of an assertion is read, those that are shown first."""
    results = [found[name] for name in dict.fromkeys(ask.experiment for ask in assertion.ask)]
    shown = [result.experiment.shown_reading for result in results]
    yield from dict.fromkeys([*shown, *(reading for r in results for at in r.settings for reading in at.readings)])


def _answer(q: AssertionQuestion, level: float) -> AnsweredQuestion:
    return AnsweredQuestion(q, _test(q, level), plan(q.samples, q.line, level))


def _test(q: AssertionQuestion, level: float) -> MeanTest:
    if q.ask.kind == "equal":
        return within(q.samples, q.line, level=level)
    if q.ask.kind == "order":
        # Samples are the promised power minus the measured one: what is missing may be as large as the margin.
        told = below(q.samples - q.ask.margin, 0.0, level=level)
        mean, low, high = (value + q.ask.margin for value in (told.mean, told.low, told.high))
        return told._replace(mean=mean, low=low, high=high)
    return below(q.samples, q.line, level=level)
