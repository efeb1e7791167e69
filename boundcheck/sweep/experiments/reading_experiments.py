"""What can be seen of experiments and assertions before work: every mistake is one line."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import TYPE_CHECKING

from boundcheck.errors import InputError, UnknownNameError, require
from boundcheck.files.own import CodeRefusedError
from boundcheck.methods import METHODS
from boundcheck.methods.kinds import kind_of, reals
from boundcheck.methods.schedule import Schedule
from boundcheck.metrics import metric_of
from boundcheck.problems import instance
from boundcheck.problems.catalog import parse_name
from boundcheck.sweep.recipes.assertion import KINDS, AssertionAsk, along_letters
from boundcheck.sweep.recipes.recipe import axes_of, settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.sweep.recipes.experiment import Entrant, Experiment
    from boundcheck.sweep.recipes.recipe import Recipe

_TWO = {"better", "equal", "widens", "narrows", "steadier"}
"""Kinds of questions about two entrants; the others are about one."""
_ALONG = {"widens", "narrows", "falls", "rises", "order"}
MOST_TRIED = 10_000
"""Most points of a tuning grid."""


@contextlib.contextmanager
def naming(where: str) -> Iterator[None]:
    """Begin the message of every mistake with where it is, once."""
    try:
        yield
    except InputError as error:
        if isinstance(error, CodeRefusedError) or str(error).startswith(where):
            raise
        msg = f"{where}: {error}"
        raise InputError(msg) from None


def validate_experiment(experiment: Experiment, where: str) -> None:
    """Refuse an experiment that could not run.

    Raises
    ------
    InputError
        With the key, the value and what is legal.
    """
    _each_once(experiment.problems, f"{where}: problems")
    for problem in experiment.problems:
        instance(parse_name(problem)[0])
    for name in (experiment.metric, *experiment.metrics):
        metric_of(name)
    measured = (experiment.metric, *experiment.metrics)
    for name in experiment.table:
        require(name in measured, f"{where}: table", name, f"one of {', '.join(measured)}")
    _each_once(experiment.axes, f"{where}: axes")
    _each_once(experiment.readouts, f"{where}: readouts")
    _each_once(experiment.shares, f"{where}: shares")
    timed = experiment.reach is not None or bool(metric_of(experiment.metric).gradient_of)
    words = f"another one, or the key reach: {experiment.metric} is no squared gradient, so that no level is known"
    require(experiment.read != "time" or timed, f"{where}: read", experiment.read, words)
    least = experiment.replicates or 2
    require(
        (experiment.budget or least) >= least, f"{where}: budget", experiment.budget, f"at least replicates = {least}"
    )
    axes = axes_of(experiment)
    taken = sorted({"problem", "N", "K", "S", "T"} & experiment.parameters.keys())
    require(not taken, f"{where}: parameters", taken, "names of problem parameters; problems, N, K, S, T are keys")
    for name, values in axes.items():
        _each_once(values, f"{where}: {name}")
    for at in settings(experiment):
        require(at.get("S", 1) <= at["N"], f"{where}: S", at.get("S"), f"at most N = {at['N']}")  # type: ignore[operator]
    _each_once([entrant.name for entrant in experiment.entrant], f"{where}: label")
    for entrant in experiment.entrant:
        _validate_entrant(entrant, f"{where}: {entrant.name}")


def _each_once(values: Sequence[object], where: str) -> None:
    require(len(values) >= 1, where, values, "at least one value")
    require(len(set(values)) == len(values), where, values, "every value once")


def _validate_entrant(entrant: Entrant, where: str) -> None:
    fields = {f.name: f for f in dataclasses.fields(METHODS[entrant.method])}  # type: ignore[arg-type]
    tried = 1
    for name, values in entrant.grid.items():
        require(name in fields, f"{where}: hyper", name, f"one of {', '.join(fields)}")
        _each_once(values, f"{where}: {name}")
        steps = not kind_of(fields[name]).ends and len(values) > 1
        positive = all(isinstance(v, (int, float)) and v > 0 for v in values)
        require(not steps or positive, f"{where}: {name}", values, "numbers > 0, as the grid of a step may be widened")
        tried *= len(values)
    require(tried <= MOST_TRIED, f"{where}: points of the grid", tried, f"at most {MOST_TRIED}")
    for name in entrant.schedule:
        require(name in entrant.hyper, f"{where}: schedule", name, f"a name in hyper: {', '.join(entrant.hyper)}")
    Schedule.check(entrant.schedule, reals(METHODS[entrant.method]), where)


def validate_assertions(recipe: Recipe, file: str) -> None:
    """Refuse assertions whose questions nothing can answer.

    Raises
    ------
    InputError
        With the key, the value and what is legal.
    """
    ids = [assertion.id for assertion in recipe.assertion]
    require(len(set(ids)) == len(ids), f"{file}: assertion ids", ids, "every id once")
    known = {experiment.id: experiment for experiment in recipe.experiment}
    require(len(known) == len(recipe.experiment), f"{file}: experiment ids", list(known), "every id once")
    for assertion in recipe.assertion:
        where = f"{file}: assertion {assertion.id}"
        either = bool(assertion.ask) != bool(assertion.cannot)
        require(either, where, len(assertion.ask), "questions, or else the reason in cannot")
        for ask in assertion.ask:
            require(not ask.expect, f"{where}: expect", ask.expect, "a key of questions in control alone")
            _validate_ask(ask, known, where)
        for ask in assertion.control:
            require(bool(ask.expect), f"{where}: control: expect", ask.expect, "the answer that is known beforehand")
            _validate_ask(ask, known, f"{where}: control")


def _validate_ask(ask: AssertionAsk, known: dict[str, Experiment], where: str) -> None:
    if ask.experiment not in known:
        raise InputError(f"{where}: {UnknownNameError('experiment', ask.experiment, known)}")
    about = known[ask.experiment]
    labels = [entrant.name for entrant in about.entrant]
    for label in (*ask.of, *ask.than):
        require(label in labels, f"{where}: of, than", label, f"an entrant of {about.id}: {', '.join(labels)}")
    require(bool(ask.of), f"{where}: of", ask.of, "at least one entrant")
    two = ask.kind in _TWO
    words = f"{'at least one' if two else 'no'} entrant: {ask.kind} asks whether {KINDS[ask.kind]}"
    require(bool(ask.than) == two, f"{where}: than", ask.than, words)
    letters = axes_of(about)
    require(
        (ask.kind in _ALONG) == bool(ask.along), f"{where}: along", ask.along, f"a letter for {sorted(_ALONG)} only"
    )
    for letter in (*ask.where, *along_letters(ask.along, letters)):
        require(letter in letters, f"{where}: where, along", letter, f"one of {', '.join(letters)}")
    for axis in ask.axes:
        require(axis in about.axes, f"{where}: axes", axis, f"one of {', '.join(about.axes)}")
    measured = [about.metric, *about.metrics]
    levels = not ask.level_with or (ask.level_with in measured and ask.kind in {"better", "equal"})
    require(levels, f"{where}: level_with", ask.level_with, f"one of {', '.join(measured)}, of better and equal")
    require(not ask.metric or ask.metric in measured, f"{where}: metric", ask.metric, f"one of {', '.join(measured)}")
