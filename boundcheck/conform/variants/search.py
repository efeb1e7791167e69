"""Which one change of a method's rule has an implementation's iterates, and at which number."""

from __future__ import annotations

import ast
import copy
import dataclasses
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.optimize import brentq

from boundcheck.conform.explaining import is_far, same
from boundcheck.conform.runs.held_out import with_numbers_of
from boundcheck.conform.variants import grammar
from boundcheck.conform.variants.building import (
    BOUND,
    BROKEN,
    FACTOR,
    Change,
    RuleFunction,
    Variant,
    VariantTrial,
    compile_rule,
    rules_of,
)
from boundcheck.conform.variants.wording import formula, sentence

if TYPE_CHECKING:
    from boundcheck.conform.explaining import Explainer
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array

_MOST = 3
"""Most changes that are named for the same iterates."""
_TRIES = 8
"""Secant steps to a number."""
_STEP, _WORSE, _NO_CHANGE = 1e-13, 0.9, 1e-9
"""Secants end at such a step, give up where they leave so much of the difference, and are nothing so near to 1."""
_LATER = 2
"""Rounds after the first that differs in which a slip may show that is not alone."""
_POWERS = (-10, 7)
"""Bounds are sought between these powers of 2."""


class FoundVariant(NamedTuple):
    """A change that has the iterates, and the words for it."""

    words: str
    method: Method
    change: Change
    factor: float | None

    def reads_alike(self, made: Method) -> bool:
        """Return whether its formula is written as the method's is, as where clients that sit out keep nothing."""
        return self.change.write(made) == self.change.rewrite(made)

    def holds(self, explainer: Explainer) -> bool:
        """Return whether the change has the iterates of an implementation at other hyperparameters and settings.

        A number in it may be another one there, as one that follows from hyperparameters is.
        """
        if _has_iterates(explainer, with_numbers_of(self.method, explainer.made)):
            return True
        if self.factor is None:
            return False
        variant = Variant(self.change, explainer.made, VariantTrial(explainer.made))
        numbers = _relations(explainer.made)
        follows = (numbers[words] for words in _matching_relations(self.method, self.factor))
        sought = (number for number in (_number(explainer, variant),) if number is not None)
        return any(_has_iterates(explainer, variant.method(number)) for number in (*follows, *sought))


def find_variants(explainer: Explainer) -> list[FoundVariant]:
    """Return the changes of one expression that have the implementation's iterates, those of the first kind alone.

    Signs, factors, parentheses, averages and calls that are left out; other names in the place of one.
    """
    return _first(explainer, "slips", "wholes", "names")


def find_numbers(explainer: Explainer) -> list[FoundVariant]:
    """Return likewise the changes by a number that is sought, by a value of another time, and what is seldom done."""
    return _first(explainer, "numbers", "time", "oddities")


def find_bounds(explainer: Explainer) -> list[FoundVariant]:
    """Return likewise the changes that hold a vector within a bound, whose size is sought.

    Of a network also those by a value of another time, of which a reading says less.
    """
    return _first(explainer, "bounds", *(["time"] if hasattr(explainer.made, "graph") else []))


def _first(explainer: Explainer, *kinds: str) -> list[FoundVariant]:
    for kind in kinds:
        if found := _matching(explainer, kind):
            return found
    return []


_Kind = Callable[[grammar.ExpressionPlace, grammar.Ingredients, int], Iterator[ast.expr]]
"""What may stand in a place, of a scope, that has a number."""
_KINDS: dict[str, _Kind] = {
    "slips": lambda place, scope, n: grammar.slips(place, scope),
    "wholes": lambda place, scope, n: grammar.wholes(place, scope),
    "names": lambda place, scope, n: grammar.names(place, scope),
    "bounds": lambda place, scope, n: grammar.bounds(place, scope),
    "time": lambda place, scope, n: grammar.earlier(place, scope, f"value {n}"),
    "oddities": lambda place, scope, n: grammar.oddities(place, scope, f"value {n}"),
    "numbers": lambda place, scope, n: grammar.factors(place, scope),
}


def planted_slips(explainer: Explainer) -> list[list[Variant]]:
    """Return the slips in a method's rule that make another run of the first rounds that differ, or of those after.

    Those that make the same run are in one list.
    """
    trial = VariantTrial(explainer.made)
    run, _, rounds = explainer.telling
    rounds = min(rounds + _LATER, run.setting.T)
    alike: list[tuple[Array, list[Variant]]] = [(run.path[: rounds + 1], [])]
    for change in _changes_of(explainer, "slips"):
        variant = Variant(change, explainer.made, trial)
        begun = _path(explainer, variant.method(), run, rounds)
        if begun is None:
            continue
        known = next((slips for path, slips in alike if same(path, begun, explainer.tolerance)), None)
        if known is None:
            alike.append((begun, [variant]))
        else:
            known.append(variant)
    return [slips for _, slips in alike[1:]]


def _changes_of(explainer: Explainer, kind: str) -> tuple[Change, ...]:
    made = explainer.made
    fields = getattr(type(explainer.pairs[0][0].states_of_ours[0]), "_fields", ())
    numbers = tuple(f.name for f in dataclasses.fields(made) if isinstance(getattr(made, f.name), float))  # type: ignore[arg-type]
    return _changes(type(made), kind, fields, numbers)


def _matching(explainer: Explainer, kind: str) -> list[FoundVariant]:
    made, trial = explainer.made, VariantTrial(explainer.made)
    found: dict[str, FoundVariant] = {}
    for change in _changes_of(explainer, kind):
        variant = Variant(change, made, trial)
        factor = _number(explainer, variant) if change.number else None
        if change.number and factor is None:
            continue
        number = 1.0 if factor is None else factor
        if _has_iterates(explainer, variant.method(number)):
            words = sentence(variant, factor, _hints(made, factor))
            found.setdefault(words, FoundVariant(words, variant.own_method(number), change, factor))
            if len(found) == _MOST:
                break
    return list(found.values())


@cache
def _changes(cls: type[Method], kind: str, fields: tuple[str, ...], numbers: tuple[str, ...]) -> tuple[Change, ...]:
    """Return the changes of a kind in the rule of a method whose state and hyperparameters have these names."""
    found: list[Change] = []
    for rule in rules_of(cls):
        if kind == "bounds" and rule.tree.name == "init":
            continue  # what a state begins with is no vector to hold back: it is another number
        scope = grammar.ingredients_of(rule, fields, numbers, blocks=cls.card.kind == "minimax")
        seen: set[str] = set()
        for n, (place, statement, context, root) in enumerate(_contexts(rule)):
            for new in _KINDS[kind](place, scope, n):
                ast.fix_missing_locations(new)
                place.put(new)
                try:
                    source = ast.unparse(statement)
                    if source in seen:
                        continue
                    seen.add(source)
                    code = compile_rule(rule)
                except (SyntaxError, ValueError):
                    continue
                finally:
                    place.put(place.node)
                number = next((name for name in (FACTOR, BOUND) if name in source), "")
                write, rewrite = partial(_write_formula, root), partial(_rewrite_formula, place, new, root)
                plant = partial(_plant, rule, place, new)
                found.append(Change(rule, context, write, rewrite, plant, code, number))
    return tuple(found)


def _plant(rule: RuleFunction, place: grammar.ExpressionPlace, new: ast.expr) -> ast.FunctionDef:
    """Return a copy of a function with another expression at a place."""
    place.put(new)
    try:
        return copy.deepcopy(rule.tree)
    finally:
        place.put(place.node)


def _write_formula(root: Callable[[], ast.AST], made: Method) -> str:
    """Return the formula around a place."""
    return formula(root(), made)


def _rewrite_formula(place: grammar.ExpressionPlace, new: ast.expr, root: Callable[[], ast.AST], made: Method) -> str:
    """Return the formula around a place with another expression there."""
    place.put(new)
    try:
        return formula(root(), made)
    finally:
        place.put(place.node)


def _contexts(rule: RuleFunction) -> Iterator[tuple[grammar.ExpressionPlace, ast.stmt, str, Callable[[], ast.AST]]]:
    """Yield the places of a function with the statement that they are in, what of it, and how to get that."""
    todo: list[tuple[ast.AST, str]] = [(rule.tree, rule.tree.name)]
    while todo:
        node, function = todo.pop(0)
        if isinstance(node, (ast.Assign, ast.Return)) and node.value is not None:
            for place in grammar.places(ast.Module([node], [])):
                yield (place, node, *_context(rule, node, place.node, function))
        todo += [
            (child, node.name if isinstance(node, ast.FunctionDef) else function)
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.stmt)
        ]


def _context(
    rule: RuleFunction, statement: ast.Assign | ast.Return, node: ast.expr, function: str
) -> tuple[str, Callable[[], ast.AST]]:
    """Return the name of what an expression stands in: a variable, a part of the state, the function."""
    value = statement.value
    name = ast.unparse(statement.targets[0]).strip("()") if isinstance(statement, ast.Assign) else ""
    starred = isinstance(value, ast.Call) and any(isinstance(argument, ast.Starred) for argument in value.args)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id[:1].isupper() and not starred:
        fields = getattr(rule.function.__globals__.get(value.func.id), "_fields", ())
        for i, argument in enumerate(value.args):
            if i < len(fields) and any(inner is node for inner in ast.walk(argument)):
                return f"the new {fields[i]}", partial(value.args.__getitem__, i)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "_replace":
        for keyword in value.keywords:
            if any(inner is node for inner in ast.walk(keyword.value)):
                return f"the new {keyword.arg}", partial(getattr, keyword, "value")
    if name:
        return name, lambda: statement.value  # type: ignore[return-value]
    inside = "the end of a local step" if function == "step" else f"what `{function.strip('_')}` returns"
    return inside, lambda: statement.value  # type: ignore[return-value]


def _relations(made: Any) -> dict[str, float]:
    """Return the numbers that follow from one hyperparameter, by their formulas."""
    numbers: dict[str, float] = {}
    for field in dataclasses.fields(made):
        value = getattr(made, field.name)
        if not isinstance(value, float) or not value:
            continue
        numbers |= {field.name: value, f"1/{field.name}": 1.0 / value}
        if field.name.startswith(("beta", "mu")) or field.name == "a":
            numbers[f"1 - {field.name}"] = 1.0 - value
            numbers[f"1/(1 - {field.name})"] = 1.0 / (1.0 - value) if value != 1.0 else np.inf
    return numbers


def _matching_relations(made: Any, factor: float) -> list[str]:
    """Return the formulas whose number is a factor."""
    return [words for words, number in _relations(made).items() if abs(number - factor) < 1e-7 * abs(factor)]


def _hints(made: Any, factor: float | None) -> str:
    """Return which number of the method a factor is, if it is one."""
    if factor is None:
        return ""
    relations = _matching_relations(made, factor)
    several = "are such numbers" if len(relations) > 1 else "is such a number"
    return f" ({' and '.join(relations)} {several})" if relations else ""


def _path(explainer: Explainer, method: Method, run: Any, rounds: int | None) -> Array | None:
    try:
        states = run.states(explainer.with_beside(method), rounds=rounds)
        path = np.stack([run.problem.start, *(state.x[0, 0] for state in states)])
    except BROKEN:
        return None
    return path if all(state.x.shape == run.states_of_ours[0].x.shape for state in states) else None


def _has_iterates(explainer: Explainer, method: Method) -> bool:
    """Return whether a method has the iterates: first by the rounds that tell most mistakes apart."""
    run, path, rounds = explainer.telling
    begun = _path(explainer, method, run, rounds)
    if begun is None:
        return False
    if is_far(path[: rounds + 1], begun):
        return False
    try:
        return explainer.has_iterates_of(explainer.with_beside(method))
    except BROKEN:
        return False


def _size(v: Array) -> float:
    return float(np.abs(v).max())


def _number(explainer: Explainer, variant: Variant) -> float | None:
    """Return the number at which a change has the first round that differs."""
    run, path, rounds = explainer.telling
    target, right = path[rounds], explainer.unchanged_path(run)[rounds]
    if not np.isfinite(target).all():
        return None

    def off(factor: float) -> Array:
        made = _path(explainer, variant.method(factor), run, rounds)
        return np.full_like(target, np.nan) if made is None else made[rounds] - target

    allowed = explainer.tolerance * float(np.abs(target).max())
    unchanged = right - target
    found = _factor(off, unchanged, 0.1 * allowed) if variant.change.number == FACTOR else _bound(off, unchanged)
    if found is None or not _size(off(found)) <= 10 * allowed:
        return None
    shorter = (float(f"{found:.{digits}g}") for digits in (2, 4, 6))
    return next((short for short in shorter if _size(off(short)) <= 10 * allowed), float(f"{found:.13g}"))


def _factor(off: Callable[[float], Array], unchanged: Array, near: float) -> float | None:
    """Return a factor at which nothing is off, by secants from 1, which is no change."""
    at, here, other = 1.0, unchanged, 0.9
    there = off(other)
    for _ in range(_TRIES):
        slope = (there - here) / (other - at)
        if not np.isfinite(slope).all() or not slope.any():
            return None
        step = -float(slope @ there) / float(slope @ slope)
        at, here, other = other, there, other + step
        there = off(other)
        if _size(there) <= near or abs(step) < _STEP:
            break
        if not _size(there) <= _WORSE * _size(here):
            return None
    return None if abs(other - 1.0) < _NO_CHANGE else other


def _bound(off: Callable[[float], Array], unchanged: Array) -> float | None:
    """Return a bound at which nothing is off: between one that changes too little and one that changes too much."""

    def remaining(bound: float) -> float:
        return float(off(bound) @ unchanged)

    low, high = _POWERS
    sides = remaining(2.0**low), remaining(2.0**high)
    if not min(sides) < 0.0 < max(sides):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if (remaining(2.0**middle) < 0.0) == (sides[0] < 0.0):
            low = middle
        else:
            high = middle
    try:
        found = float(brentq(remaining, 2.0**low, 2.0**high, xtol=1e-15, rtol=1e-14, maxiter=40))
    except (ValueError, RuntimeError):  # two powers of the same side, as numbers that are no numbers
        return None
    return found
