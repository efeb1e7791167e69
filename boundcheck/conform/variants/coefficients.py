"""Which coefficients of a method's rule are others: several at once, solved for by least squares and held out.

All terms of the rule are opened; a few of them, in one line or in two, are moved until the method has the iterates of
an implementation in one run.  What each coefficient is by formula is told from its values in runs of other sizes.
"""

from __future__ import annotations

import dataclasses
import itertools
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.conform.reading.words import text
from boundcheck.conform.variants.building import BROKEN
from boundcheck.conform.variants.opening import OpenedMethod, calls, open_changed, open_rule, write_whole
from boundcheck.conform.variants.wording import definitions

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from boundcheck.conform.explaining import Explainer
    from boundcheck.conform.runs.battery import BatterySetting
    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.conform.variants.building import Change
    from boundcheck.conform.variants.opening import OpenedRule
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array

    Solution = dict[int, float]
    """Values of coefficients by their number."""

_MOST = 3
"""Most ways that are named for the same iterates."""
_DIFFERENCE = 1e-6
"""Change of a coefficient from which its effect is told."""
_STEPS = 8
"""Gauss-Newton steps."""
_LESS, _MORE = 0.9, 3.0
"""What a step, and the first one, may leave of the difference: two coefficients of a product overshoot at first."""
_GRID, _BEST = (0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 5.0, 10.0), 2
"""Factors of a product that are looked at, and how many of them are started from."""
_PLAIN = (0.5, 0.0, 2.0, -1.0)
"""Where a coefficient is started from besides that does not show in the first rounds."""
_ASIDE = 0.5
"""Share of the difference in the first rounds that effects may leave, which are not quite lines."""
_ROUNDS = (0, 1, 2)
"""How many rounds after the first that differs are solved for, in turn: few first, in which coefficients hardly
multiply each other."""
_SAME = 1e-7
"""Relative difference of a value from a formula, as far as solutions go."""
_PARALLEL = 1e-9
"""One minus the cosine of two effects that are one."""
_SHORT = 3
"""Digits and points of a number that is likelier than a formula."""
_COMBINED = 24
"""Most combinations of formulas that are tried."""


class ProbedRun(NamedTuple):
    """One run in which coefficients are solved for."""

    explainer: Explainer
    opened: OpenedMethod
    run: RecordedRun
    path: Array

    def off(self, values: Solution, rounds: int) -> Array | None:
        """Return the differences of the first rounds, (rounds d,); None if the method makes no sense so."""
        try:
            method = self.explainer.with_beside(self.opened.at(values))
            states = self.run.states(method, rounds=rounds)
            rows = [state.x[0, 0] - x for state, x in zip(states, self.path[1 : rounds + 1], strict=True)]
        except BROKEN:
            return None
        if any(state.x.shape != self.run.states_of_ours[0].x.shape for state in states):
            return None
        found = np.concatenate(rows)
        return found if np.isfinite(found).all() else None

    def first_difference(self, rounds: int) -> tuple[int, Array] | None:
        """Return from how many rounds on, some at least, the iterates differ, and by what; None if they do nowhere."""
        for more in range(rounds, self.run.setting.T + 1):
            here = self.off({}, more)
            if here is None:
                return None
            if _size(here) > self.largest_error():
                return more, here
        return None

    def effects(self, at: Solution, which: Sequence[int], rounds: int, here: Array) -> Array | None:
        """Return the derivative by each coefficient, (rounds d, coefficients)."""
        columns = []
        for j in which:
            there = self.off({**at, j: at[j] + _DIFFERENCE}, rounds)
            if there is None:
                return None
            columns.append((there - here) / _DIFFERENCE)
        return np.stack(columns, axis=1)

    def effects_of_all(self, rounds: int, among: Collection[int] | None = None) -> dict[int, Array]:
        """Return the effect of every coefficient that has one, or of those among some, (rounds d,)."""
        found: dict[int, Array] = {}
        here = self.off({}, rounds)
        if here is None:
            return found
        count = len(self.opened.nominal)
        for j in range(count) if among is None else (j for j in among if j < count):
            effect = self.effects({j: self.opened.nominal[j]}, (j,), rounds, here)
            if effect is not None and effect.any():
                found[j] = effect[:, 0]
        return found

    def largest_error(self) -> float:
        """Return how far off the iterates may be."""
        return 10.0 * self.explainer.tolerance * float(np.abs(self.path).max())

    def solve(self, start: Solution, rounds: int, near: Array | None = None, *, rough: bool = False) -> Solution | None:
        """Return the coefficients at which the first rounds agree, from a start; `near` are the effects there.

        A rough solution is good enough to start from where more rounds are looked at.
        """
        values, which = dict(start), list(start)
        here = self.off(values, rounds)
        if here is None:
            return None
        for tries in range(_STEPS):
            if rough and _size(here) <= self.largest_error():
                break
            effects = near if near is not None else self.effects(values, which, rounds, here)
            near = None
            if effects is None or not effects.any():
                break
            step = np.linalg.lstsq(effects, -here, rcond=1e-8)[0]
            closer = {j: values[j] + float(s) for j, s in zip(which, step, strict=True)}
            there = self.off(closer, rounds)
            if there is None or not _size(there) <= (_LESS if tries else _MORE) * _size(here):
                break
            values, here = closer, there
        return values if _size(here) <= self.largest_error() else None

    def is_settled(self, values: Solution, rounds: int) -> bool:
        """Whether no other coefficients have the same iterates near these."""
        here = self.off(values, rounds)
        effects = None if here is None else self.effects(values, list(values), rounds, here)
        return effects is not None and np.linalg.matrix_rank(effects, tol=1e-6) == len(values)


def _size(v: Array) -> float:
    return float(np.abs(v).max())


class _Formula(NamedTuple):
    """What a coefficient is."""

    words: str
    value: Callable[[Method, BatterySetting], float]


class FoundCoefficients(NamedTuple):
    """Coefficients of a rule that have an implementation's iterates."""

    words: str
    rule: OpenedRule
    formulas: Mapping[int, _Formula]

    def method_at(self, made: Method, setting: BatterySetting) -> Method:
        """Return the method with these coefficients."""
        values = {j: one.value(made, setting) for j, one in self.formulas.items()}
        return OpenedMethod(made, self.rule).at(values)

    def holds(self, explainer: Explainer) -> bool:
        """Return whether they have the iterates of an implementation at other hyperparameters and settings."""
        return _has_iterates(explainer, OpenedMethod(explainer.made, self.rule), self.formulas)


def _has_iterates(explainer: Explainer, opened: OpenedMethod, formulas: Mapping[int, _Formula]) -> bool:
    def make(run: RecordedRun) -> Method:
        values = {j: one.value(explainer.made, run.setting) for j, one in formulas.items()}
        return explainer.with_beside(opened.at(values))

    try:
        return explainer.has_iterates_by(make)
    except BROKEN:
        return False


def find_coefficients(explainer: Explainer, held_out: Explainer | None = None) -> list[FoundCoefficients]:
    """Return the coefficients of the rule, one, two, or three of a line, that have an implementation's iterates.

    Of the formulas that have a coefficient's value, those count that have it at the settings that are held out, too.
    """
    if (one := _probe(explainer)) is None:
        return []
    rounds = explainer.telling[2]
    effects = one.effects_of_all(min(rounds + _ROUNDS[-1], one.run.setting.T))
    for supports in _supports(one.opened.rule, effects):
        if found := _find_among(one, held_out, supports, effects, rounds):
            return found
    return []


def find_coefficient(
    explainer: Explainer, held_out: Explainer | None, among: Collection[int], change: Change | None = None
) -> FoundCoefficients | None:
    """Return likewise the one coefficient, among some by their numbers; of the rule with a change, if there is one."""
    one = _probe(explainer, change)
    begun = None if one is None else one.first_difference(explainer.telling[2])
    if one is None or begun is None:
        return None
    rounds, here = begun
    effects = one.effects_of_all(rounds, _leading_in_smallest_run(one, among))
    supports = [(j,) for j, effect in effects.items() if _leads_there(effect[:, None], here)]
    return next(iter(_find_among(one, held_out, supports, effects, rounds)), None)


def _leading_in_smallest_run(one: ProbedRun, among: Collection[int]) -> Collection[int]:
    """Return which of some coefficients make most of the difference in the smallest run: few do, at little cost."""
    run, path = one.explainer.smallest
    small = one._replace(run=run, path=path)
    begun = small.first_difference(1)
    if begun is None:
        return among
    effects = small.effects_of_all(begun[0], among)
    return [j for j, effect in effects.items() if _leads_there(effect[:, None], begun[1])]


def telling_coefficients(explainer: Explainer) -> list[int]:
    """Return one of all coefficients that have the same effect in the first rounds, by their numbers."""
    if (one := _probe(explainer)) is None:
        return []
    effects = one.effects_of_all(min(explainer.telling[2] + _ROUNDS[-1], one.run.setting.T))
    return _distinct(one.opened.rule.by_nominal(effects), effects)


def _probe(explainer: Explainer, change: Change | None = None) -> ProbedRun | None:
    """Return the run in which coefficients are solved for; None if its iterates are no numbers."""
    run, path, _ = explainer.telling
    if not np.isfinite(path).all():
        return None
    made = explainer.made
    fields = getattr(type(run.states_of_ours[0]), "_fields", ())
    numbers = tuple(f.name for f in dataclasses.fields(made) if isinstance(getattr(made, f.name), float))  # type: ignore[arg-type]
    names = (type(made), fields, numbers)
    rule = open_rule(*names) if change is None else open_changed(*names, change)
    return ProbedRun(explainer, OpenedMethod(made, rule), run, path)


def _find_among(
    one: ProbedRun,
    held_out: Explainer | None,
    supports: Sequence[tuple[int, ...]],
    effects: Mapping[int, Array],
    rounds: int,
) -> list[FoundCoefficients]:
    """Return the coefficients of some supports, with the ways to write them that have the same iterates."""
    rule, made = one.opened.rule, one.explainer.made
    found: dict[str, FoundCoefficients] = {}
    for solution in _solutions(one, supports, effects, rounds):
        formulas = _find_formulas(one, solution, held_out, rule)
        for same in () if formulas is None else _with_one_effect(one, formulas, effects):
            words = _sentence(rule, same, made)
            found.setdefault(words, FoundCoefficients(words, rule, same))
        if len(found) >= _MOST:
            break
    return list(found.values())[:_MOST]


def _leads_there(effects: Array, here: Array) -> bool:
    """Whether the effects of coefficients, (rounds d, coefficients), make most of a difference."""
    step = np.linalg.lstsq(effects, -here, rcond=1e-8)[0]
    return bool(np.linalg.norm(here + effects @ step) <= _ASIDE * np.linalg.norm(here))


def _supports(rule: OpenedRule, effects: Mapping[int, Array]) -> Iterator[list[tuple[int, ...]]]:
    """Yield which coefficients are moved together: one, two or three of a line, two of different lines.

    What a helper returns belongs to the line that calls it.
    """
    line_of = _lines(rule)
    every = rule.by_nominal(effects)
    lines = [_distinct([j for j in every if line_of[rule.terms[j].whole] == line], effects) for line in set(line_of)]
    yield [(j,) for j in _distinct(every, effects)]
    yield [two for line in lines for two in itertools.combinations(line, 2)]
    yield [three for line in lines for three in itertools.combinations(line, 3)]
    there = _distinct([j for j in every if rule.terms[j].nominal], effects)
    pairs = itertools.combinations(there, 2)
    yield [(a, b) for a, b in pairs if line_of[rule.terms[a].whole] != line_of[rule.terms[b].whole]]


def _distinct(coefficients: Sequence[int], effects: Mapping[int, Array]) -> list[int]:
    """Return the first ones of those that have the same effect."""
    found: list[int] = []
    for j in coefficients:
        if not any(_is_parallel(effects[j], effects[i]) for i in found):
            found.append(j)
    return found


def _lines(rule: OpenedRule) -> list[int]:
    """Return of every whole the line that it belongs to: that of the only one that calls the helper which it ends."""
    found = list(range(len(rule.wholes)))
    for n, whole in enumerate(rule.wholes):
        name = whole.rule.tree.name
        callers = [m for m, other in enumerate(rule.wholes) if m != n and calls(other.tree, name)]
        if len(callers) == 1 and whole.context.startswith("what `"):
            found[n] = callers[0]
    return found


def _solutions(
    one: ProbedRun, supports: Sequence[tuple[int, ...]], effects: Mapping[int, Array], first: int
) -> Iterator[Solution]:
    """Yield the coefficients that make the iterates of a run, sought from the method's own."""
    T, d = one.run.setting.T, len(one.path[0])
    stages = list(dict.fromkeys(min(first + more, T) for more in _ROUNDS))
    here = one.off({}, first)
    if here is None:
        return
    for support in supports:
        own = {j: one.opened.nominal[j] for j in support}
        near = [effects[j][: first * d] for j in support]
        columns = np.stack(near, axis=1)
        if not _leads_there(columns, here):
            continue
        begun = one.solve(own, first, columns, rough=True)
        starts = [begun] if begun is not None else []
        if len(support) == 2 and all(v.any() for v in near) and _is_parallel(*near):
            starts = _factors_of(one, begun or own, support, stages)
        unseen = [j for j, v in zip(support, near, strict=True) if not v.any()]
        if begun is not None and len(support) == 2 and len(unseen) == 1:
            starts += [{**begun, unseen[0]: number} for number in _PLAIN]
        for start in starts:
            values: Solution | None = start
            for upto in (*stages, T):
                values = None if values is None else one.solve(values, upto, rough=upto < T)
            if values is not None and all(abs(values[j] - own[j]) > _SAME for j in support):
                yield values
                break


def _factors_of(one: ProbedRun, known: Solution, support: tuple[int, ...], stages: Sequence[int]) -> list[Solution]:
    """Return where to start from where the first rounds show the product of two coefficients alone: the best of a grid.

    The negative of the product is looked at, too, where no product was found.
    """
    a, b = support
    product = known[a] * known[b]
    grid = [(sign * f, product / (sign * f)) for f in _GRID for sign in (1.0, -1.0)]
    starts = [{a: one_a, b: one_b} for one_a, one_b in grid]
    if product == 1.0:
        starts += [{a: one_a, b: -one_b} for one_a, one_b in grid]
    sizes = []
    for start in starts:
        off = one.off(start, stages[min(1, len(stages) - 1)])
        sizes.append(np.inf if off is None else _size(off))
    return [starts[n] for n in np.argsort(sizes)[:_BEST]]


def _with_one_effect(
    one: ProbedRun, formulas: Mapping[int, _Formula], effects: Mapping[int, Array]
) -> Iterator[Mapping[int, _Formula]]:
    """Yield formulas, and those in other places of the rule that have the iterates as well."""
    yield formulas
    nominal = one.opened.nominal
    for j, formula in formulas.items():
        rest = {i: f for i, f in formulas.items() if i != j}
        for other, effect in effects.items():
            if other in formulas or nominal[other] != nominal[j] or not _is_parallel(effect, effects[j]):
                continue
            moved = {**rest, other: formula}
            if _has_iterates(one.explainer, one.opened, moved):
                yield moved


def _is_parallel(one: Array, other: Array) -> bool:
    product = float(one @ other)
    return abs(product) >= (1.0 - _PARALLEL) * float(np.linalg.norm(one) * np.linalg.norm(other))


def _find_formulas(
    one: ProbedRun, solution: Solution, held_out: Explainer | None, rule: OpenedRule
) -> dict[int, _Formula] | None:
    """Return what the coefficients are by formula, as runs of other sizes say; None if nothing."""
    made, setting = one.explainer.made, one.run.setting
    left = {j: _matching(value, made, setting) for j, value in solution.items()}
    others = [
        one._replace(run=pair[0], path=pair[1]) for pair in one.explainer.pairs if _is_other(pair[0].setting, setting)
    ]
    if held_out is not None:
        opened = OpenedMethod(held_out.made, rule)
        others += [ProbedRun(held_out, opened, run, path) for run, path in held_out.pairs if not run.setting.steep]
    for other in others:
        rounds = min(4, other.run.setting.T)
        guess = {j: formulas[0].value(other.explainer.made, other.run.setting) for j, formulas in left.items()}
        values = other.solve(guess, rounds)
        if values is None or not other.is_settled(values, rounds):
            continue
        for j, formulas in left.items():
            fits = [f for f in formulas if _is_near(f, values[j], other.explainer.made, other.run.setting)]
            if not fits:
                return None
            left[j] = fits
    for chosen in itertools.islice(itertools.product(*left.values()), _COMBINED):
        by_number = dict(zip(left, chosen, strict=True))
        if _has_iterates(one.explainer, one.opened, by_number) and (
            held_out is None or _has_iterates(held_out, OpenedMethod(held_out.made, rule), by_number)
        ):
            return by_number
    return None


def _is_other(setting: BatterySetting, known: BatterySetting) -> bool:
    """Whether a run is of another size, and mild."""
    return (setting.N, setting.S, setting.K) != (known.N, known.S, known.K) and not setting.steep


def _is_near(formula: _Formula, value: float, made: Method, setting: BatterySetting) -> bool:
    try:
        return abs(formula.value(made, setting) - value) <= 10 * _SAME * max(1.0, abs(value))
    except ArithmeticError:
        return False


def _matching(value: float, made: Method, setting: BatterySetting) -> list[_Formula]:
    """Return the formulas that have a value, plain numbers first where they are short."""
    near = [f for f in _formulas(made) if _is_near(f, value, made, setting)]
    number = _number(value)
    sizes = [_Formula(words, rule) for words, rule in _OF_SIZES.items()]
    shares = [_product(_number(value / size.value(made, setting)), size) for size in sizes if size.value(made, setting)]
    short = [share for share in shares if value and len(share.words.split(" * ")[0]) <= _SHORT]
    return [number, *near, *short] if len(number.words) <= _SHORT else [*near, number, *short]


def _number(value: float) -> _Formula:
    """Return a plain number, a short one without the error of its solution."""
    short = text(value)
    rounded = value if "/" in short else float(short)
    return _Formula(short, lambda m, s: rounded)


def _formulas(made: Any) -> list[_Formula]:
    """Return products of a sign, a function of a hyperparameter or of two, and one of K, S and N."""
    names = [f.name for f in dataclasses.fields(made) if isinstance(getattr(made, f.name), float)]
    hypers: list[_Formula] = []
    for name in names:
        hypers += [_Formula(words.format(name), partial(rule, name)) for words, rule in _OF_ONE.items()]
    singles = [one for one in hypers if _is_number(one, made)]
    plain = [one for one in singles if one.words in names]
    doubles = [_product(a, b) for a in plain for b in singles if a.words not in b.words or b.words.startswith("1 - ")]
    heads = [_Formula("1", lambda m, s: 1.0), *singles, *doubles]
    tails = [_Formula(words, rule) for words, rule in _OF_SIZES.items()]
    halves = [_Formula("2", lambda m, s: 2.0), _Formula("1 / 2", lambda m, s: 0.5)]
    positive = [
        *heads,
        *tails,
        *(_product(a, b) for a in heads[1:] for b in tails),
        *(_product(a, b) for a in halves for b in (*heads[1:], *tails)),
    ]
    negative = [_Formula(f"-({f.words})", lambda m, s, f=f: -f.value(m, s)) for f in positive]  # type: ignore[misc]
    return [*positive, *negative]


def _is_number(one: _Formula, made: Any) -> bool:
    try:
        return bool(np.isfinite(one.value(made, None)))  # type: ignore[arg-type]
    except ArithmeticError:
        return False


def _product(one: _Formula, other: _Formula) -> _Formula:
    parts = [f"({f.words})" if " " in f.words else f.words for f in (one, other)]
    return _Formula(" * ".join(parts), lambda m, s: one.value(m, s) * other.value(m, s))


_OF_ONE: dict[str, Callable[[str, Any, Any], float]] = {
    "{0}": lambda name, m, s: float(getattr(m, name)),
    "1 - {0}": lambda name, m, s: 1.0 - getattr(m, name),
    "1 / {0}": lambda name, m, s: 1.0 / getattr(m, name),
    "1 / (1 - {0})": lambda name, m, s: 1.0 / (1.0 - getattr(m, name)),
    "(1 - {0}) / {0}": lambda name, m, s: (1.0 - getattr(m, name)) / getattr(m, name),
    "{0} / (1 - {0})": lambda name, m, s: getattr(m, name) / (1.0 - getattr(m, name)),
    "1 + {0}": lambda name, m, s: 1.0 + getattr(m, name),
    "{0} ** 2": lambda name, m, s: getattr(m, name) ** 2,
}
_OF_SIZES: dict[str, Callable[[Any, Any], float]] = {
    "K": lambda m, s: float(s.K),
    "1 / K": lambda m, s: 1.0 / s.K,
    "S / N": lambda m, s: s.S / s.N,
    "N / S": lambda m, s: s.N / s.S,
    "1 - S / N": lambda m, s: 1.0 - s.S / s.N,
    "S": lambda m, s: float(s.S),
    "1 / S": lambda m, s: 1.0 / s.S,
    "N": lambda m, s: float(s.N),
    "1 / N": lambda m, s: 1.0 / s.N,
}


def _sentence(rule: OpenedRule, formulas: Mapping[int, _Formula], made: Method) -> str:
    """Return what the lines are, and what the method has."""
    said = []
    for n in dict.fromkeys(rule.terms[j].whole for j in formulas):
        whole = rule.wholes[n]
        words = {j: one.words for j, one in formulas.items() if rule.terms[j].whole == n}
        own = (rule.unchanged or rule.wholes)[n]
        after, before = write_whole(whole, words, made), write_whole(own, {}, made)
        meaning = definitions(whole.rule, f"{after} {before}", whole.context, made)
        said.append(f"{whole.context} is {after}, where the method has {before}{f' ({meaning})' if meaning else ''}")
    return "; and ".join(said)
