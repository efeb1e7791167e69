"""Questions whose answer is known beforehand: if one comes out otherwise, the runs could not have told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from boundcheck.evidence.statistics.paired import below, gaps
from boundcheck.sweep.experiments.nested import contains
from boundcheck.sweep.experiments.questions import (
    AskedQuestion,
    AssertionQuestion,
    common,
    compare,
    is_asked_by,
    is_reached,
    questions,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from boundcheck.evidence.statistics.anytime import ReplicatePlan
    from boundcheck.evidence.statistics.paired import Answer
    from boundcheck.sweep.cells.store import Store
    from boundcheck.sweep.experiments.contest import ContestEntry, ExperimentResult, SettingResult
    from boundcheck.sweep.recipes.assertion import Assertion, AssertionAsk
    from boundcheck.sweep.recipes.experiment import Reading

_LOST = 0.05
"""By how much a method must be behind one that it contains to have lost: a logarithm of a ratio."""


class ControlQuestion(NamedTuple):
    """A question with the answer that must come out."""

    what: str
    """What is done."""
    wanted: str
    """An answer, "not" and one, or two with "or" between them."""
    question: AssertionQuestion
    reading: Reading
    """By which it is asked."""


@dataclass(frozen=True)
class ControlResult:
    """A control with what came out."""

    control: ControlQuestion
    found: Answer
    mean: float
    low: float
    high: float
    plan: ReplicatePlan
    """What the runs could have told, and how many would decide."""

    @property
    def is_of_recipe(self) -> bool:
        """Return whether its recipe asks for it: it is of the design, and what fails there fails everywhere."""
        return bool(self.control.question.ask.expect)

    @property
    def holds(self) -> bool:
        """Return whether it came out as it must."""
        wanted = self.control.wanted
        if wanted.startswith("not "):
            return self.found != wanted.removeprefix("not ")
        return self.found in wanted.split(" or ")


def controls(assertion: Assertion, found: Mapping[str, ExperimentResult], store: Store) -> Iterator[ControlQuestion]:
    """Yield the controls of an assertion: those of its recipe, a copy that must tie, and what must not lose.

    Those of the recipe are asked by what is shown, the others by every reading by which the assertion is asked.  A
    copy is the same method, tuned on seeds of its own and run on those that decide: where it wins or loses, what
    tuning happened to choose decides.  A method that contains another one is tuned at the points of that one too.
    """
    for ask in assertion.control:
        result = found[ask.experiment]
        reading = result.experiment.shown_reading
        for question in questions(ask, result, reading, store):
            yield ControlQuestion(f"{question.of} {ask.kind} {question.than}".strip(), ask.expect, question, reading)
    once: dict[tuple[str, str, str, str, Reading], ControlQuestion] = {}
    for ask in assertion.ask:
        for control in (*_copies(assertion, ask, found, store), *_containers(ask, found[ask.experiment], store)):
            q = control.question
            once.setdefault((ask.experiment, control.what, str(q.setting), q.axis, control.reading), control)
    yield from once.values()


class NestedPair(NamedTuple):
    """Two entrants at a setting, one of which contains the other, and whether it is the better one."""

    outer: str
    inner: str
    answer: Answer
    """*No* where it lost; *open* where the runs cannot tell that it did not."""


def nested_pairs(at: SettingResult, alpha: float) -> list[NestedPair]:
    """Return the pairs of nested entrants of a setting, by the reading that is shown, on the first axis.

    Parameters
    ----------
    at : SettingResult
    alpha : float
        Error rate of all comparisons together.
    """
    about = at.place.grid
    axis, metric = about.axes[0], about.metric
    known = [entrant for entrant in about.entrant if entrant.name in at.entries]
    pairs = [(a, b) for a in known for b in known if contains(a, b)]
    found = []
    for outer, inner in pairs:
        a, b = common(*(at.entries[entrant.name][axis].score(metric) for entrant in (outer, inner)))
        relative = bool(min(a.min(), b.min()) > 0)
        told = below(gaps(a, b, relative=relative), _LOST, level=1 - alpha / len(pairs))
        found.append(NestedPair(outer.name, inner.name, told.answer))
    return found


def _copies(
    assertion: Assertion, ask: AssertionAsk, found: Mapping[str, ExperimentResult], store: Store
) -> Iterator[ControlQuestion]:
    result, copied = found[ask.experiment], assertion.copied_entrant(ask.experiment)
    if copied is None:
        return
    label, axis = copied
    what = f"a copy of {label}, tuned on other seeds, is neither better nor worse"
    for at, reading in _places(ask, result):
        if label in at.copies[reading]:
            asked = AskedQuestion(_better(ask, f"{label} (copy)", label), at, reading, axis, store)
            pair = (at.copies[reading][label][axis], asked.entry(label))
            if is_reached(reading, pair):
                yield ControlQuestion(what, "same or open", _between(asked, *pair), reading)


def _containers(ask: AssertionAsk, result: ExperimentResult, store: Store) -> Iterator[ControlQuestion]:
    known = {entrant.name: entrant for entrant in result.experiment.entrant}
    labels = [*ask.of, *ask.than]
    # Bits are spent by messages, of which a method that contains another may send more: the first axis alone.
    axis = result.experiment.axes[0]
    for outer, inner in ((a, b) for a in labels for b in labels if contains(known[a], known[b])):
        what = f"{outer}, which contains {inner}, does not lose to it"
        for at, reading in _places(ask, result):
            there = at.readings[reading]
            if all(axis in there.get(label, ()) for label in (outer, inner)):
                asked = AskedQuestion(_better(ask, outer, inner), at, reading, axis, store)
                pair = (asked.entry(outer), asked.entry(inner))
                if is_reached(reading, pair):
                    yield ControlQuestion(what, "not no", _between(asked, *pair), reading)


def _places(ask: AssertionAsk, result: ExperimentResult) -> Iterator[tuple[SettingResult, Reading]]:
    """Yield every setting of an experiment with every reading by which a question is asked there."""
    for at in result.settings:
        yield from ((at, reading) for reading in at.readings if is_asked_by(ask, result.experiment, reading))


def _better(ask: AssertionAsk, one: str, other: str) -> AssertionAsk:
    return replace(ask, kind="better", of=[one], than=[other], along="", against=False, metric="", level_with="")


def _between(asked: AskedQuestion, one: ContestEntry, other: ContestEntry) -> AssertionQuestion:
    samples, relative = compare(asked, one, other)
    names = (asked.ask.of[0], asked.ask.than[0])
    return AssertionQuestion(
        asked.ask, asked.at.setting, asked.axis, *names, samples, relative, lost=False, entries=(one, other)
    )
