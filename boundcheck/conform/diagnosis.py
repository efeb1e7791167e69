"""What is wrong with an implementation: how it keeps its numbers, known mistakes, another method, what is read off."""

from __future__ import annotations

import itertools
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.conform.battery import PROBES
from boundcheck.conform.calling import ReturnedRun, iterates_at_clients
from boundcheck.conform.comparison import ROUNDED, SINGLE, check_setting
from boundcheck.conform.explaining import Explainer, same
from boundcheck.conform.held_out import with_numbers_of
from boundcheck.conform.hints import hints
from boundcheck.conform.mistakes import (
    all_mistakes,
    further_mistakes,
    neutral_numbers,
    own_mistakes,
    paired_mistakes,
)
from boundcheck.conform.mistakes.anywhere import ANYWHERE
from boundcheck.conform.others import other_method
from boundcheck.conform.pairs import possible_pairs
from boundcheck.conform.reading import read_mistakes, read_words
from boundcheck.conform.reading.adaptive import has_versions, read_adaptive
from boundcheck.conform.reading.hyper import OtherNumber, by_setting, other_number
from boundcheck.conform.reading.listing import wrong_list
from boundcheck.conform.reading.start import other_start
from boundcheck.conform.reading.states import compare_states
from boundcheck.conform.reading.uneven import uneven_words
from boundcheck.conform.variants import find_bounds, find_numbers, find_variants
from boundcheck.conform.wrong import WrongMethod
from boundcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from boundcheck.conform.battery import BatterySetting
    from boundcheck.conform.comparison import Comparison
    from boundcheck.conform.replay import RecordedRun
    from boundcheck.conform.variants.search import FoundVariant
    from boundcheck.conform.wrong import Mistake
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array

_MOST = 3
"""Most mistakes that are named for the same iterates."""
_ORDER = 1e-12
"""Relative difference of two calls that another order of sums makes."""
_LATE = 4
"""Two mistakes that show no earlier than in this round are not sought."""
_BEFORE = 3
"""A mistake in the state shows in the iterates of one of the next rounds."""
_UNFIT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a mistake raises that does not go together with another one."""
_EQUAL = "your iterates equal those of"
_PERHAPS_NOT_ALONE = (
    "that is where all clients make K local steps; where they make K_i of their own, it may not be that alone: look at "
    "what divides by K_i and at their mean"
)
_ONE_NUMBER = (
    "a number is in single precision somewhere, such as a weight of the average; compute it in float64, or compare "
    f"with a tolerance of {ROUNDED:g}"
)


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


def diagnose(trial: Mismatch) -> tuple[str, ...]:
    """Return sentences on what is wrong, the likeliest first.

    A mistake that explains all settings comes before one that is read off where all clients make K steps.
    """
    even = trial.only(lambda setting: not setting.uneven)
    if even is None:
        return _diagnose_uneven(trial)
    if len(even.runs) == len(trial.runs):
        return _diagnose_even(even)
    if names := _name_mistakes(trial):
        return (*names, *_beside(trial))
    whole = _diagnose_even(trial)
    return whole if whole[0].startswith(_EQUAL) else (*_diagnose_even(even), _PERHAPS_NOT_ALONE)


def _diagnose_uneven(trial: Mismatch) -> tuple[str, ...]:
    """Return sentences on what is wrong where clients make K_i steps, the settings with K for all being right."""
    words = uneven_words(trial.explainer())
    explainer = trial.only(lambda setting: setting.uneven).explainer()  # type: ignore[union-attr]
    words = words or "; or, with the same iterates: ".join(
        mistake.words for mistake in explainer.matching(all_mistakes(trial.made.card.id))[:_MOST]
    )
    words = words or "; or, with the same iterates: ".join(one.words for one in find_variants(explainer))
    words = words or "no known mistake has these iterates: look at every K, and at the number of minibatches"
    return (f"it agrees where all clients make K local steps; where they make K_i of their own, {words}",)


def _diagnose_even(trial: Mismatch) -> tuple[str, ...]:
    """Return sentences on what is wrong where all clients make K local steps."""
    if listed := wrong_list(trial.pairs, trial.tolerance):
        return (*listed, *_name_mistakes(trial))
    found = _random(trial) or (_diagnose_overwriting(trial) if _is_aliased(trial) else ()) or _single(trial)
    if found := found or _nearly(trial):
        return found
    if names := _name_mistakes(trial):
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
    words = "the iterates that you return are not those that your clients start from: changed later, in place, perhaps"
    if _is_aliased(trial):
        words = "the list that you return holds one array for several rounds, updated in place: return copies"
    checked = tuple(check_setting(run, x, trial.found.tolerance) for run, x in zip(trial.runs, met, strict=True))
    if all(c.parts is None for c in checked):
        return (f"{words}; the ones that your clients start from agree",)
    answers = [ReturnedRun(x, aliased=False, single=a.single) for a, x in zip(trial.answers, met, strict=True)]
    # What is held out has the returned iterates, and these are not they.
    rest = trial._replace(answers=answers, found=replace(trial.found, checked=checked), try_held_out=lambda: None)
    found = _single(rest) or _name_mistakes(rest) or (_elsewhere(rest) if _is_aliased(trial) else ())
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
    words = f"the iterates agree to {largest:.1g} and not to {trial.found.tolerance:g}: {_ONE_NUMBER}"
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


def _sentence(trial: Mismatch, words: str, since: int = 0) -> str:
    late = f"from round {since + 1} on, " if since else ""
    return f"{_EQUAL} {trial.title} with a mistake: {late}{words}"


def _sentences(trial: Mismatch, words: Sequence[str]) -> tuple[str, ...]:
    """Return the sentence for mistakes that have the iterates together."""
    if len(words) < 2:
        return tuple(_sentence(trial, one) for one in words)
    number = {2: "two", 3: "three"}.get(len(words), str(len(words)))
    return (f"{_EQUAL} {trial.title} with {number} mistakes: {'; and '.join(words)}",)


def _name_mistakes(trial: Mismatch) -> tuple[str, ...]:
    """Name the known mistakes that have exactly these iterates, made from the start or from a later round on."""
    for since in (0, *range(trial.first - 1, max(trial.first - 1 - _BEFORE, 0), -1)):
        found = all_mistakes(trial.made.card.id)
        late = [mistake for mistake in found if not since or not mistake.from_start]
        if names := _names(trial, late, since):
            return names
    return ()


def _names(trial: Mismatch, known: Iterable[Mistake], since: int = 0) -> tuple[str, ...]:
    """Return a sentence for every mistake that has the iterates; those to rounding in single precision if none has."""
    loose = trial.explainer(max(trial.tolerance, ROUNDED)).matching(known, since)
    exact = trial.explainer().matching(loose, since)
    exact, loose = (_hold_elsewhere(trial, found, since) for found in (exact, loose))
    if not loose:
        return ()
    sentence = _alternatives(trial, [mistake.words for mistake in exact or loose], since)
    rounded = f"this holds to {ROUNDED:g} and not to {trial.found.tolerance:g}: besides, {_ONE_NUMBER}"
    return (sentence,) if exact else (sentence, rounded)


def _hold_elsewhere(trial: Mismatch, found: list[Mistake], since: int) -> list[Mistake]:
    """Return those of the mistakes that have the iterates at numbers that they were not sought at, too."""
    if (other := trial.try_held_out()) is None or not found:
        return found
    return other.explainer(max(trial.tolerance, ROUNDED)).matching(found, since)


def _alternatives(trial: Mismatch, words: Sequence[str], since: int = 0) -> str:
    """Return the sentence for mistakes of which each has the iterates."""
    return _sentence(trial, "; or, with the same iterates: ".join([*dict.fromkeys(words)][:_MOST]), since)


class FaultySettings(NamedTuple):
    """What is wrong at some of the settings, and whether it is at others."""

    sentences: tuple[str, ...]
    holds: Callable[[Mismatch], bool]
    holds_by_size: Callable[[Mismatch], bool] = lambda other: False
    """Whether it is at others, with clients weighted by their sizes."""


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
    if core is None:
        more = _first_that_holds(trial, (_find_mistake, _find_number, _find_version))
        return more.sentences if more else _read_and_place(trial)
    found = _first_that_holds(core, (_find_mistake, _find_number, _find_version, _find_other, _find_variant))
    found = found or _first_that_holds(
        core, (_find_two, partial(_find_variant, search=find_bounds), _find_number_beside)
    )
    if found is None:
        read = _read(trial)
        found = _first_that_holds(core, (partial(_find_variant, search=find_numbers),))
        found = found or (None if read else _first_that_holds(core, (_find_in_parts, _find_beside_number)))
        if found is None or read:
            formula = () if found is None or not found.holds(trial) else found.sentences
            return (*formula, *read, *hints(trial.runs, trial.found.checked, trial.tolerance, read=bool(read)))
    beside = _beside(trial)
    if found.holds(trial):
        return (*found.sentences, *(one for one in beside if one not in found.sentences))
    sizes = _BY_SIZE if found.holds_by_size(trial) else _SIZES
    return (*found.sentences, f"that is with clients of equal size; {sizes}", *beside)


def _first_that_holds(
    trial: Mismatch, searches: Iterable[Callable[[Mismatch], FaultySettings | None]]
) -> FaultySettings | None:
    """Return what the first search finds that holds at numbers, too, at which it was not sought."""
    for search in searches:
        found = search(trial)
        if found is not None and ((other := trial.try_held_out()) is None or found.holds(other)):
            return found
    return None


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


def _find_mistake(trial: Mismatch) -> FaultySettings | None:
    """Name mistakes in averages and rounds, and mistakes whose numbers are read off."""
    loose = max(trial.tolerance, ROUNDED)
    read = [*further_mistakes(trial.made), *read_mistakes(trial.made, trial.pairs)]
    if not trial.whole:
        read += all_mistakes(trial.made.card.id)
    explainer = trial.explainer(loose)
    if not (matching := explainer.matching(read)):
        return None
    return FaultySettings(
        _names(trial, matching),
        lambda other: bool(other.explainer(loose).matching(matching)),
        partial(_explained_by_size, matching, loose),
    )


def _find_number(trial: Mismatch) -> FaultySettings | None:
    """Name a hyperparameter that is another number, or one change of an adaptive server."""
    loose = max(trial.tolerance, ROUNDED)
    explainer, other = trial.explainer(loose), trial.try_held_out()
    number = other_number(explainer, None if other is None else other.explainer(loose))
    factor, version = by_setting(explainer), read_adaptive(trial.made, trial.pairs, loose, 1)
    words = [*version, *([number.words] if number else []), *factor]
    if len(version) > 1:  # one before the server's rule, and one of it
        return FaultySettings(_sentences(trial, version), _same_versions(version, loose))
    if not words:
        return None
    return FaultySettings(
        (_alternatives(trial, words),),
        partial(_is_number, number, factor, version, loose),
        partial(_versions_by_size, version, loose),
    )


def _find_version(trial: Mismatch) -> FaultySettings | None:
    """Name two or three changes of an adaptive server."""
    loose = max(trial.tolerance, ROUNDED)
    if not (versions := read_adaptive(trial.made, trial.pairs, loose)):
        return None
    return FaultySettings(
        _sentences(trial, versions),
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


def _find_other(trial: Mismatch) -> FaultySettings | None:
    """Name another method; before it a change of the rule that leads to it, unless it is one of the commonest."""
    loose = max(trial.tolerance, ROUNDED)
    found = other_method(trial.explainer(loose))
    if not found:
        return None
    change = None if other_method(trial.explainer(loose), quick=True) else _find_variant(trial)
    sentences = (*(change.sentences if change else ()), *found)
    return FaultySettings(sentences, lambda more: bool(other_method(more.explainer(loose))))


def _find_variant(
    trial: Mismatch, search: Callable[[Explainer], list[FoundVariant]] = find_variants
) -> FaultySettings | None:
    """Name changes of one line of the method's own rule that have the iterates."""
    loose = max(trial.tolerance, ROUNDED)
    found = search(trial.explainer(loose))
    if not found:
        return None
    made, by_size = found[0].method, ANYWHERE["by-size"]
    return FaultySettings(
        (_alternatives(trial, [one.words for one in found]),),
        lambda other: found[0].holds(other.explainer(loose)),
        lambda other: other.explainer(loose).has_iterates(lambda K: WrongMethod(made, by_size)),
    )


_BY_SIZE = "and the clients are weighted by their sizes n_i/n, where the method gives all of them the same weight"
_SIZES = "clients of different size are told apart besides: look for weights n_i/n"


def _shows_at_full(trial: Mismatch) -> bool:
    """Return whether a setting with all clients active differs."""
    return trial.only(lambda setting: setting.S == setting.N) is not None


def _find_two(trial: Mismatch) -> FaultySettings | None:
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
                sentences = _sentences(trial, (one.words, other.words))
                return FaultySettings(
                    sentences,
                    lambda more, both=both: more.explainer(loose).explains(both),  # type: ignore[misc]
                    partial(_explained_by_size, [both], loose),
                )
    return None


_PARTS: tuple[Callable[[BatterySetting], bool], ...] = (
    lambda setting: setting.S == setting.N,
    lambda setting: setting.K == 1,
    lambda setting: setting.N == 1,
)
"""Settings in which one of two mistakes may do nothing."""


def _find_in_parts(trial: Mismatch) -> FaultySettings | None:
    """Name a known mistake and a change of the rule, of which one explains some of the settings alone."""
    loose = max(trial.tolerance, ROUNDED)
    explainer = trial.explainer(loose)
    known = [*all_mistakes(trial.made.card.id), *further_mistakes(trial.made)]
    for keep in _PARTS:
        if (part := trial.only(keep)) is None:
            continue
        single = part.explainer(loose)
        besides = (m for m in known if single.has_iterates(lambda K, m=m: WrongMethod(trial.made, m)))  # type: ignore[misc]
        for mistake in itertools.islice(besides, 2):
            beside = replace(explainer, beside=mistake)
            if variants := find_variants(beside) or find_bounds(beside):
                return _beside_variant(trial, mistake, variants[0], loose)
        for variant in find_variants(single) if keep is _PARTS[0] else ():
            for mistake in known:
                if explainer.has_iterates(lambda K, m=mistake, v=variant: WrongMethod(v.method, m)):  # type: ignore[misc]
                    return _beside_variant(trial, mistake, variant, loose)
    return None


def _find_number_beside(trial: Mismatch) -> FaultySettings | None:
    """Name a mistake of the method's own and a hyperparameter that is another number besides."""
    loose, held_out = max(trial.tolerance, ROUNDED), trial.try_held_out()
    for mistake in own_mistakes(trial.made.card.id) if trial.first < _LATE else ():
        beside = replace(trial.explainer(loose), beside=mistake)
        other = None if held_out is None else replace(held_out.explainer(loose), beside=mistake)
        with suppress(*_UNFIT):
            if number := other_number(beside, other, quick=True):
                return FaultySettings(
                    _sentences(trial, (mistake.words, number.words)),
                    lambda more, n=number, m=mistake: n.holds(replace(more.explainer(loose), beside=m)),  # type: ignore[misc]
                )
    return None


def _find_beside_number(trial: Mismatch) -> FaultySettings | None:
    """Name a hyperparameter that does nothing, being 0 or 1, and a change of the rule besides."""
    loose = max(trial.tolerance, ROUNDED)
    explainer = trial.explainer(loose)
    for mistake in neutral_numbers(trial.made):
        with suppress(*_UNFIT):  # a method that divides by it
            if variants := find_variants(replace(explainer, beside=mistake)):
                return _beside_variant(trial, mistake, variants[0], loose)
    return None


def _beside_variant(trial: Mismatch, mistake: Mistake, variant: FoundVariant, loose: float) -> FaultySettings:
    def build_wrong(made: Method) -> Method:
        return WrongMethod(with_numbers_of(variant.method, made), mistake)

    weights = ANYWHERE["by-size"]
    return FaultySettings(
        _sentences(trial, (mistake.words, variant.words)),
        lambda other: variant.holds(replace(other.explainer(loose), beside=mistake)),
        lambda other: other.explainer(loose).has_iterates(lambda K: WrongMethod(build_wrong(other.made), weights)),
    )


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
