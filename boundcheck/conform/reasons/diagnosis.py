"""What is wrong with an implementation: how it keeps its numbers, known mistakes, another method, what is read off."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.conform.explaining import same
from boundcheck.conform.mistakes import (
    all_mistakes,
)
from boundcheck.conform.reading import read_words
from boundcheck.conform.reading.listing import wrong_list
from boundcheck.conform.reading.start import other_start
from boundcheck.conform.reading.states import compare_states
from boundcheck.conform.reading.uneven import uneven_words
from boundcheck.conform.reasons.hints import hints
from boundcheck.conform.reasons.mismatch import EQUAL, MOST, ONE_NUMBER, Mismatch, name_mistakes, say_together
from boundcheck.conform.reasons.others import other_method
from boundcheck.conform.reasons.searches import (
    find_beside_mistake,
    find_beside_number,
    find_beside_slip,
    find_in_parts,
    find_lines,
    find_mistake,
    find_number,
    find_other,
    find_part,
    find_two,
    find_variant,
    find_version,
    first_that_holds,
)
from boundcheck.conform.runs.battery import PROBES
from boundcheck.conform.runs.calling import ReturnedRun, iterates_at_clients
from boundcheck.conform.runs.comparison import ROUNDED, SINGLE, check_setting
from boundcheck.conform.variants import find_bounds, find_numbers, find_variants
from boundcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.problems.base import Array

_BY_SIZE = "and the clients are weighted by their sizes n_i/n, where the method gives all of them the same weight"
_SIZES = "clients of different size are told apart besides: look for weights n_i/n"
_ORDER = 1e-12
"""Relative difference of two calls that another order of sums makes."""
_ANOTHER_MODEL = (
    "your clients start every round where ours do, so the model is right, and what you return is another one (such as "
    "the mean of the clients' models): return what the next round starts from"
)
_PERHAPS_NOT_ALONE = (
    "that is where all clients make K local steps; where they make K_i of their own, it may not be that alone: look at "
    "what divides by K_i and at their mean"
)


def diagnose(trial: Mismatch) -> tuple[str, ...]:
    """Return sentences on what is wrong, the likeliest first.

    A mistake that explains all settings comes before one that is read off where all clients make K steps.
    """
    even = trial.only(lambda setting: not setting.uneven)
    if even is None:
        return _diagnose_uneven(trial)
    if len(even.runs) == len(trial.runs):
        return _diagnose_even(even)
    if names := name_mistakes(trial):
        return (*names, *_beside(trial))
    whole = _diagnose_even(trial)
    return whole if whole[0].startswith(EQUAL) else (*_diagnose_even(even), _PERHAPS_NOT_ALONE)


def diagnose_held_out(trial: Mismatch, held_out: Mismatch, alone: Mapping[str, Mismatch]) -> tuple[str, ...]:
    """Return sentences on an implementation that agrees at the numbers asked and differs at others.

    `alone` has the hyperparameters of which each makes it differ, whatever the others are, and its runs there.
    """
    ours, others = trial.found.hyper, held_out.found.hyper
    moved = [name for name, value in ours.items() if others[name] != value]
    if not moved:
        first = next(one.setting for one in held_out.found.checked if one.parts is not None)
        return (f"the iterates agree in the battery, and differ at {first}", *diagnose(held_out))
    asked, other = (", ".join(f"{name} = {of[name]:g}" for name in alone or moved) for of in (ours, others))
    words = f"the iterates agree at {asked}, and differ at {other}"
    constant = {name: ours[name] for name, one in alone.items() if _has_iterates_at(one, {name: ours[name]})}
    if not _has_iterates_at(held_out, constant):
        return (words, *diagnose(held_out))
    mistakes = [f"{name} is {value:g}, whatever is passed" for name, value in constant.items()]
    return (*say_together(trial, mistakes), words)


def _has_iterates_at(trial: Mismatch, numbers: Mapping[str, float]) -> bool:
    """Return whether the method at some other hyperparameters has the iterates."""
    return trial.explainer().has_iterates_of(replace(trial.made, **numbers))  # type: ignore[type-var]


def _diagnose_uneven(trial: Mismatch) -> tuple[str, ...]:
    """Return sentences on what is wrong where clients make K_i steps, the settings with K for all being right."""
    words = uneven_words(trial.explainer())
    explainer = trial.only(lambda setting: setting.uneven).explainer()  # type: ignore[union-attr]
    words = words or "; or, with the same iterates: ".join(
        mistake.words for mistake in explainer.matching(all_mistakes(trial.made.card.id))[:MOST]
    )
    words = words or "; or, with the same iterates: ".join(one.words for one in find_variants(explainer))
    words = words or "no known mistake has these iterates: look at every K, and at the number of minibatches"
    return (f"it agrees where all clients make K local steps; where they make K_i of their own, {words}",)


def _diagnose_even(trial: Mismatch) -> tuple[str, ...]:
    """Return sentences on what is wrong where all clients make K local steps."""
    if listed := wrong_list(trial.pairs, trial.tolerance):
        return (*listed, *name_mistakes(trial))
    found = _random(trial) or (_diagnose_overwriting(trial) if _is_aliased(trial) else ()) or _single(trial)
    if found := found or _nearly(trial):
        return found
    if names := name_mistakes(trial):
        return (*names, *_beside(trial))
    return _diagnose_overwriting(trial) or _elsewhere(trial)


def _beside(trial: Mismatch) -> tuple[str, ...]:
    """Say beside a name where it shows, and which other method has the iterates too."""
    shows = () if _shows_at_full(trial) else ("full participation agrees: it shows where S < N",)
    return (*shows, *other_method(trial.explainer(), quick=True))


def _is_aliased(trial: Mismatch) -> bool:
    return all(answer.aliased for answer in trial.answers)


def _diagnose_overwriting(trial: Mismatch) -> tuple[str, ...]:
    """Say that what was listed has been changed afterwards, and what is wrong with the iterates that clients met."""
    paths = [iterates_at_clients(run, answer) for run, answer in zip(trial.runs, trial.answers, strict=True)]
    met = [path for path in paths if path is not None]
    if len(met) < len(paths) or all(same(a.path, x, trial.tolerance) for a, x in zip(trial.answers, met, strict=True)):
        return ()
    if not _is_aliased(trial) and all(
        same(run.path[:-1], x[:-1], trial.tolerance) for run, x in zip(trial.runs, met, strict=True)
    ):
        return (_ANOTHER_MODEL,)
    words = "the iterates that you return are not those that your clients start from: changed later, in place, perhaps"
    if _is_aliased(trial):
        words = "the list that you return holds one array for several rounds, updated in place: return copies"
    checked = tuple(check_setting(run, x, trial.found.tolerance) for run, x in zip(trial.runs, met, strict=True))
    if all(c.parts is None for c in checked):
        return (f"{words}; the ones that your clients start from agree",)
    answers = [ReturnedRun(x, aliased=False, single=a.single) for a, x in zip(trial.answers, met, strict=True)]
    # What is held out has the returned iterates, and these are not they.
    rest = trial._replace(answers=answers, found=replace(trial.found, checked=checked), try_held_out=lambda: None)
    found = _single(rest) or name_mistakes(rest) or (_elsewhere(rest) if _is_aliased(trial) else ())
    return (words, *found) if found else ()


def _single(trial: Mismatch) -> tuple[str, ...]:
    if trial.found.verdict != "single precision":
        return ()
    largest = max(c.deviation for c in trial.found.checked)
    words = (
        f"single precision: the clients compute in float32, and the iterates agree as far as that goes, {largest:.1g}"
    )
    return (f"{words}; compute in float64, or compare with a tolerance of {SINGLE:g}",)


def _nearly(trial: Mismatch) -> tuple[str, ...]:
    """Say that the iterates agree but for a number in single precision, or a term of that size."""
    largest = max(c.deviation for c in trial.found.checked)
    if largest > ROUNDED:
        return ()
    words = f"the iterates agree to {largest:.1g} and not to {trial.found.tolerance:g}: {ONE_NUMBER}"
    return (f"{words}; or there is a small term such as eps",)


def _random(trial: Mismatch) -> tuple[str, ...]:
    """Say that two calls on the same samples differ."""
    for run, answer, checked in zip(trial.runs, trial.answers, trial.found.checked, strict=True):
        if checked.parts is None:
            continue
        other = trial.call_at(run.setting)[1]
        # Sums in a random order differ by rounding, and by nothing else.
        apart = np.abs(other.path - answer.path).max()
        if np.array_equal(other.path, answer.path, equal_nan=True) or apart <= _ORDER * np.abs(run.path).max():
            return ()
        start = other_start(trial.made, trial.pairs, trial.tolerance)
        words = "two calls on the same samples differ: the implementation draws random numbers of its own"
        return (*start, f"{words} (initial variates, an order, dropout, noise, a sampler)")
    return ()


def _elsewhere(trial: Mismatch) -> tuple[str, ...]:
    """Name what a number has to be read off for, another method, two mistakes; or say what is read.

    Clients of different size are looked at last: whether these weigh by n_i/n is a question of its own.
    """
    if words := _not_finite(trial):
        return (words,)
    loose = max(trial.tolerance, ROUNDED)
    if start := other_start(trial.made, trial.pairs, loose) or wrong_list(trial.pairs, loose):
        return start
    core = trial.only(lambda setting: not setting.unequal)
    two_changes, three_changes = (partial(find_version, most=most) for most in (2, 3))
    if core is None:
        more = first_that_holds(trial, (find_mistake, find_number, two_changes, three_changes))
        return more.sentences if more else _read_and_place(trial)
    variants = cache(lambda: find_variants(core.explainer(loose)))
    variant, written = (partial(find_variant, search=lambda _: variants(), any_words=words) for words in (False, True))
    found = first_that_holds(core, (find_mistake, find_number, two_changes, find_other, variant), trial)
    found = found or first_that_holds(core, (find_part, written, three_changes, find_two), trial)
    if found is None and (lines := first_that_holds(core, (find_lines,))) is not None:
        found = lines._replace(sentences=(*lines.sentences, *_read(trial)))
    found = found or first_that_holds(core, (partial(find_variant, search=find_bounds), find_beside_mistake))
    if found is None:
        read = _read(trial)
        found = first_that_holds(core, (partial(find_variant, search=find_numbers),))
        found = found or (
            None if read else first_that_holds(core, (find_in_parts, find_beside_number, find_beside_slip))
        )
        if found is None or read:
            formula = () if found is None or not found.holds(trial) else found.sentences
            return (*formula, *read, *hints(trial.runs, trial.found.checked, trial.tolerance, read=bool(read)))
    beside = _beside(trial)
    if found.holds(trial):
        return (*found.sentences, *(one for one in beside if one not in found.sentences))
    sizes = _BY_SIZE if found.holds_by_size(trial) else _SIZES
    return (*found.sentences, f"that is with clients of equal size; {sizes}", *beside)


def _not_finite(trial: Mismatch) -> str:
    """Say that the iterates are no numbers, if they are in every setting that differs."""
    wrong = [
        (c.parts, answer.path)
        for c, answer in zip(trial.found.checked, trial.answers, strict=True)
        if c.parts is not None
    ]
    if all(not np.isfinite(path[parts]).all() for parts, path in wrong):
        kind = "nan" if all(np.isnan(path[parts]).any() for parts, path in wrong) else "not finite"
        return (
            f"the iterates are {kind} from round {trial.first} on wherever they differ: look for a division by 0 (a "
            "norm of y - x at y = x, a moment that starts at 0, an empty average) or a step that is far too long"
        )
    return ""


def _shows_at_full(trial: Mismatch) -> bool:
    """Return whether a setting with all clients active differs."""
    return trial.only(lambda setting: setting.S == setting.N) is not None


def _read_and_place(trial: Mismatch) -> tuple[str, ...]:
    """Say what is read off, and where the implementation parts."""
    read = _read(trial)
    return (*read, *hints(trial.runs, trial.found.checked, trial.tolerance, read=bool(read)))


def _read(trial: Mismatch) -> tuple[str, ...]:
    """Say what is read off runs in more dimensions."""
    probes: list[tuple[RecordedRun, Array]] = []
    for setting in PROBES if trial.made.card.kind != "minimax" else ():
        if trial.made.card.partial or setting.S == setting.N:
            try:
                run, answer = trial.call_at(setting)
            except InputError:
                return ()  # a code of fixed dimension, perhaps
            probes.append((run, answer.path))
    return (*compare_states(trial.runs, trial.answers, trial.tolerance), *read_words(trial.made, trial.pairs, probes))
