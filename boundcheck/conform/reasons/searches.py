"""Searches for what has an implementation's iterates: mistakes, numbers, other methods, changes of the rule."""

from __future__ import annotations

import itertools
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.conform.explaining import UNFIT, same
from boundcheck.conform.faults.wrong import WrongMethod
from boundcheck.conform.mistakes import (
    all_mistakes,
    further_mistakes,
    neutral_numbers,
    own_mistakes,
    paired_mistakes,
)
from boundcheck.conform.mistakes.anywhere import ANYWHERE
from boundcheck.conform.mistakes.parts import part_mistakes
from boundcheck.conform.reading import read_mistakes
from boundcheck.conform.reading.adaptive import has_versions, read_adaptive
from boundcheck.conform.reading.hyper import OtherNumber, by_setting, other_number
from boundcheck.conform.reasons.mismatch import EQUAL, MOST, name_known, say_alternatives, say_together
from boundcheck.conform.reasons.others import other_method
from boundcheck.conform.reasons.pairs import not_seen_earlier, possible_pairs
from boundcheck.conform.runs.comparison import ROUNDED
from boundcheck.conform.runs.held_out import with_numbers_of
from boundcheck.conform.variants import (
    find_bounds,
    find_coefficient,
    find_coefficients,
    find_variants,
    planted_slips,
    sentence,
    telling_coefficients,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from boundcheck.conform.explaining import Explainer
    from boundcheck.conform.faults.wrong import Mistake
    from boundcheck.conform.reasons.mismatch import Mismatch
    from boundcheck.conform.runs.battery import BatterySetting
    from boundcheck.conform.variants.coefficients import FoundCoefficients
    from boundcheck.conform.variants.search import FoundVariant
    from boundcheck.methods import Method

_LATE = 4
"""Two mistakes that show no earlier than in this round are not sought."""


_PARTS: tuple[Callable[[BatterySetting], bool], ...] = (
    lambda setting: setting.S == setting.N,
    lambda setting: setting.K == 1,
    lambda setting: setting.N == 1,
)
"""Settings in which one of two mistakes may do nothing."""


class FaultySettings(NamedTuple):
    """What is wrong at some of the settings, and whether it is at others."""

    sentences: tuple[str, ...]
    holds: Callable[[Mismatch], bool]
    holds_by_size: Callable[[Mismatch], bool] = lambda other: False
    """Whether it is at others, with clients weighted by their sizes."""


def first_that_holds(
    trial: Mismatch, searches: Iterable[Callable[[Mismatch], FaultySettings | None]], whole: Mismatch | None = None
) -> FaultySettings | None:
    """Return what the first search finds that holds at numbers, too, at which it was not sought.

    What holds at more settings, `whole`, comes before what does not, there too with clients weighted by their sizes.
    """
    in_part = None
    for search in searches:
        found = search(trial)
        if found is None or not ((other := trial.try_held_out()) is None or found.holds(other)):
            continue
        if whole is None or found.holds(whole) or found.holds_by_size(whole):
            return found
        in_part = in_part or found
    return in_part


def find_mistake(trial: Mismatch) -> FaultySettings | None:
    """Name mistakes in averages and rounds, and mistakes whose numbers are read off."""
    read = [*further_mistakes(trial.made), *read_mistakes(trial.made, trial.pairs)]
    if not trial.whole:
        read += all_mistakes(trial.made.card.id)
    return _find_among(trial, read)


def find_part(trial: Mismatch) -> FaultySettings | None:
    """Name a part of the state that is forgotten, refreshed seldom, or too old; a change of one line says more."""
    return _find_among(trial, part_mistakes(max(trial.runs, key=lambda run: run.setting.N).states_of_ours[0]))


def _find_among(trial: Mismatch, mistakes: Sequence[Mistake]) -> FaultySettings | None:
    """Name those of some mistakes that have the iterates."""
    loose = max(trial.tolerance, ROUNDED)
    if not (matching := trial.explainer(loose).matching(mistakes)):
        return None
    return FaultySettings(
        name_known(trial, matching),
        lambda other: bool(other.explainer(loose).matching(matching)),
        partial(_explained_by_size, matching, loose),
    )


def find_number(trial: Mismatch) -> FaultySettings | None:
    """Name a hyperparameter that is another number, or one change of an adaptive server."""
    loose = max(trial.tolerance, ROUNDED)
    explainer, other = trial.explainer(loose), trial.try_held_out()
    number = other_number(explainer, None if other is None else other.explainer(loose))
    factor, version = by_setting(explainer), read_adaptive(trial.made, trial.pairs, loose, 1)
    words = [*version, *([number.words] if number else []), *factor]
    if len(version) > 1:  # one before the server's rule, and one of it
        return FaultySettings(say_together(trial, version), _same_versions(version, loose))
    if not words:
        return None
    return FaultySettings(
        (say_alternatives(trial, words),),
        partial(_is_number, number, factor, version, loose),
        partial(_versions_by_size, version, loose),
    )


def find_version(trial: Mismatch, most: int) -> FaultySettings | None:
    """Name several changes of an adaptive server."""
    loose = max(trial.tolerance, ROUNDED)
    if not (versions := read_adaptive(trial.made, trial.pairs, loose, most)):
        return None
    return FaultySettings(
        say_together(trial, versions),
        _same_versions(versions, loose),
        partial(_versions_by_size, versions, loose),
    )


def _is_number(
    number: OtherNumber | None,
    factor: tuple[str, ...],
    version: tuple[str, ...],
    tolerance: float,
    other: Mismatch,
) -> bool:
    """Whether what was read off at some settings has the iterates at others."""
    explainer = other.explainer(tolerance)
    if number is not None and number.holds(explainer):
        return True
    if factor and by_setting(explainer) == factor:
        return True
    return bool(version) and has_versions(other.made, other.pairs, tolerance, version)


def _explained_by_size(found: Sequence[Mistake], tolerance: float, other: Mismatch) -> bool:
    """Whether one of the mistakes has the iterates if clients are weighted by their sizes as well."""
    weights = ANYWHERE["by-size"]
    both = [*(weights.and_then(one) for one in found), *(one.and_then(weights) for one in found)]
    return any(other.explainer(tolerance).explains(one) for one in both)


def _versions_by_size(versions: tuple[str, ...], tolerance: float, other: Mismatch) -> bool:
    by_size = ANYWHERE["by-size"]
    found = read_adaptive(other.made, other.pairs, tolerance, len(versions), before=(by_size,))
    return found == (by_size.words, *versions)


def _same_versions(versions: tuple[str, ...], tolerance: float) -> Callable[[Mismatch], bool]:
    return lambda other: has_versions(other.made, other.pairs, tolerance, versions)


def find_other(trial: Mismatch) -> FaultySettings | None:
    """Name another method; before it a change of the rule that leads to it, unless it is one of the commonest."""
    loose = max(trial.tolerance, ROUNDED)
    found = other_method(trial.explainer(loose))
    if not found:
        return None
    change = None if other_method(trial.explainer(loose), quick=True) else find_variant(trial)
    sentences = (*(change.sentences if change else ()), *found)
    return FaultySettings(sentences, lambda more: bool(other_method(more.explainer(loose))))


def find_variant(
    trial: Mismatch, search: Callable[[Explainer], list[FoundVariant]] = find_variants, *, any_words: bool = False
) -> FaultySettings | None:
    """Name changes of one line of the method's own rule that have the iterates; with any words only if that is asked.

    A formula may be written as the method's: what it does to clients that sit out stands in no formula.
    """
    loose = max(trial.tolerance, ROUNDED)
    found = [one for one in search(trial.explainer(loose)) if any_words or not one.reads_alike(trial.made)]
    if not found:
        return None
    made, by_size = found[0].method, ANYWHERE["by-size"]
    return FaultySettings(
        (say_alternatives(trial, [one.words for one in found]),),
        lambda other: found[0].holds(other.explainer(loose)),
        lambda other: other.explainer(loose).has_iterates_of(WrongMethod(made, by_size)),
    )


def find_two(trial: Mismatch) -> FaultySettings | None:
    """Name two mistakes that have the iterates together, if they show early."""
    if trial.first >= _LATE:
        return None
    pool = [*paired_mistakes(trial.made), *read_mistakes(trial.made, trial.pairs)]
    loose = max(trial.tolerance, ROUNDED)
    explainer = trial.explainer(loose)
    for one, other in possible_pairs(explainer, pool):
        orders = [one.and_then(other), *([other.and_then(one)] if one.pieces & other.pieces else [])]
        for both in orders:
            if explainer.explains(both):
                sentences = say_together(trial, (one.words, other.words))
                return FaultySettings(
                    sentences,
                    lambda more, both=both: more.explainer(loose).explains(both),  # type: ignore[misc]
                    partial(_explained_by_size, [both], loose),
                )
    return None


def find_lines(trial: Mismatch) -> FaultySettings | None:
    """Name coefficients of the rule, several of one line or of two, that are other numbers or formulas."""
    loose, held_out = max(trial.tolerance, ROUNDED), trial.try_held_out()
    found = find_coefficients(trial.explainer(loose), None if held_out is None else held_out.explainer(loose))
    if not found:
        return None
    return FaultySettings(
        (say_alternatives(trial, [one.words for one in found]),),
        lambda other: found[0].holds(other.explainer(loose)),
        lambda other: other.explainer(loose).has_iterates_by(
            lambda run: WrongMethod(found[0].method_at(other.made, run.setting), ANYWHERE["by-size"])
        ),
    )


def find_in_parts(trial: Mismatch) -> FaultySettings | None:
    """Name a known mistake and a change of the rule, of which one explains some of the settings alone."""
    loose = max(trial.tolerance, ROUNDED)
    explainer = trial.explainer(loose)
    known = [*all_mistakes(trial.made.card.id), *further_mistakes(trial.made)]
    for keep in _PARTS:
        if (part := trial.only(keep)) is None:
            continue
        single = part.explainer(loose)
        besides = (m for m in known if single.has_iterates_of(WrongMethod(trial.made, m)))
        for mistake in itertools.islice(besides, 2):
            beside = replace(explainer, beside=mistake)
            if variants := find_variants(beside) or find_bounds(beside):
                return _beside_variant(trial, mistake, variants[0], loose)
        for variant in find_variants(single) if keep is _PARTS[0] else ():
            for mistake in known:
                if explainer.has_iterates_of(WrongMethod(variant.method, mistake)):
                    return _beside_variant(trial, mistake, variant, loose)
    return None


def find_beside_mistake(trial: Mismatch) -> FaultySettings | None:
    """Name a mistake of the method's own, and besides a hyperparameter of another number or one other coefficient."""
    loose, held_out = max(trial.tolerance, ROUNDED), trial.try_held_out()
    known = own_mistakes(trial.made.card.id) if trial.first < _LATE else ()
    explainer = trial.explainer(loose)
    besides = [(mistake, replace(explainer, beside=mistake)) for mistake in not_seen_earlier(explainer, known)]
    telling = telling_coefficients(explainer)
    for search in (partial(other_number, quick=True), partial(find_coefficient, among=telling)):
        for mistake, beside in besides:
            other = None if held_out is None else replace(held_out.explainer(loose), beside=mistake)
            with suppress(*UNFIT):
                if found := search(beside, other):
                    return FaultySettings(
                        say_together(trial, (mistake.words, found.words)),
                        lambda more, f=found, m=mistake: f.holds(replace(more.explainer(loose), beside=m)),  # type: ignore[misc]
                    )
    return None


def find_beside_slip(trial: Mismatch) -> FaultySettings | None:
    """Name a slip in the rule, and besides a hyperparameter of another number or one other coefficient."""
    loose, held_out = max(trial.tolerance, ROUNDED), trial.try_held_out()
    explainer = trial.explainer(loose)
    elsewhere = None if held_out is None else held_out.explainer(loose)
    telling = telling_coefficients(explainer)
    words: list[str] = []
    holds: list[Callable[[Mismatch], bool]] = []
    for alike in planted_slips(explainer):
        for variant in alike:
            with_slip = partial(_with_slip, variant.own_method())
            found: OtherNumber | FoundCoefficients | None = None
            with suppress(*UNFIT):
                found = other_number(with_slip(explainer), elsewhere and with_slip(elsewhere), quick=True)
                if found is not None:
                    holds.append(lambda more, n=found, s=with_slip: n.holds(s(more.explainer(loose))))  # type: ignore[misc]
                elif found := find_coefficient(explainer, elsewhere, telling, variant.change):
                    holds.append(lambda more, c=found: c.holds(more.explainer(loose)))  # type: ignore[misc]
            if found is None:
                break  # the others make the same run
            words.append(f"{sentence(variant, None)}; and {found.words}")
        if len(words) >= MOST:
            break
    if not words:
        return None
    said = "; or, with the same iterates: ".join(words[:MOST])
    return FaultySettings((f"{EQUAL} {trial.title} with two mistakes: {said}",), holds[0])


def _with_slip(slip: Method, explainer: Explainer) -> Explainer:
    """Return who decides likewise of a method with a slip."""
    return replace(explainer, made=with_numbers_of(slip, explainer.made))


def find_beside_number(trial: Mismatch) -> FaultySettings | None:
    """Name a hyperparameter that does nothing, being 0 or 1, and a change of the rule besides."""
    loose = max(trial.tolerance, ROUNDED)
    explainer = trial.explainer(loose)
    run, _, _ = explainer.telling
    for mistake in neutral_numbers(trial.made):
        with suppress(*UNFIT):  # a method that divides by it
            beside = replace(explainer, beside=mistake)
            changed = beside.unchanged_path(run)
            stands_still = bool((changed == changed[0]).all())
            if stands_still or same(run.path, changed, explainer.tolerance):
                continue
            if variants := find_variants(beside):
                return _beside_variant(trial, mistake, variants[0], loose)
    return None


def _beside_variant(trial: Mismatch, mistake: Mistake, variant: FoundVariant, loose: float) -> FaultySettings:
    def build_wrong(made: Method) -> Method:
        return WrongMethod(with_numbers_of(variant.method, made), mistake)

    weights = ANYWHERE["by-size"]
    return FaultySettings(
        say_together(trial, (mistake.words, variant.words)),
        lambda other: variant.holds(replace(other.explainer(loose), beside=mistake)),
        lambda other: other.explainer(loose).has_iterates_of(WrongMethod(build_wrong(other.made), weights)),
    )
