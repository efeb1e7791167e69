"""From a step to a premise: what it says in the place where it is used, under its rule."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.algebra.discount import DISCOUNT
from boundcheck.proofs.algebra.evaluate import vector
from boundcheck.proofs.algebra.relation import Premise, premise_of
from boundcheck.proofs.algebra.sums import average_form, sum_form
from boundcheck.proofs.chain.deciding import rules
from boundcheck.proofs.language.affine import index_of
from boundcheck.proofs.language.forms import CLIENT
from boundcheck.proofs.language.grammar import Node
from boundcheck.proofs.language.steps import letters_of, substitute_letters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.algebra.scope import Scope
    from boundcheck.proofs.language.affine import Range
    from boundcheck.proofs.language.claim import Claim
    from boundcheck.proofs.language.setting import Leaf
    from boundcheck.proofs.language.steps import Step


def inner_scope(step: Step, scope: Scope, over: Mapping[str, Range]) -> Scope:
    """Return the scope in which a step is read: its rule binds index letters."""
    for letter in step.letters:
        if letter == CLIENT:
            continue
        scope.setting.require_index(letter)
        low, high = scope.setting.indices[letter]
        if step.rule == "sum" and step.bounds:
            legal = {*scope.over, *scope.setting.horizons}
            low, high = (index_of(node, legal) for node in step.bounds)
        if step.rule in rules.GROWTHS:
            if letter not in over:
                msg = f"step {step}: {step.id} does not hold for a range of {letter}"
                raise InputError(msg)
            low, high = over[letter]
        free = {name: value for name, value in scope.over.items() if name != letter or step.rule not in rules.GROWTHS}
        scope = replace(scope, over=free).inside(letter, low, high)
    return scope


def renaming(step: Step, over: Mapping[str, Range], points: Mapping[str, str], scope: Scope) -> dict[str, Node]:
    """Return what the letters of a claim, leaf or equation stand for here.

    Raises
    ------
    InputError
        If a letter is unknown or left out, an index may leave its range, or a point is one for each client where one
        for all is needed.
    """
    values = {**{name: Node("letter", name) for name in over}, **step.renamed}
    for name in values:
        if name not in over and name not in points:
            legal = ", ".join([*over, *points]) or "none"
            msg = f"step {step}: {step.id} has no letter {name!r} to rename; it has {legal}"
            raise InputError(msg)
    for name in points:
        if name not in values:
            msg = f"step {step}: the point {name!r} of {step.id} is missing: {step.id}({name} -> x[t])"
            raise InputError(msg)
        _require_point(step, name, points[name], values[name], scope)
    for name, (low, high) in over.items():
        _require_inside(step, name, values[name], (low, high), values, scope)
    return values


def _require_point(step: Step, name: str, kind: str, node: Node, scope: Scope) -> None:
    clients = any(CLIENT in atom.varies and CLIENT not in done for atom, done in vector(node, scope))
    if kind == "server" and clients:
        msg = f"step {step}: {name} must be one point for all clients, and {node} is one for each"
        raise InputError(msg)


def _require_inside(step: Step, name: str, node: Node, over: Range, values: Mapping[str, Node], scope: Scope) -> None:
    legal = {*scope.over, *scope.setting.horizons}
    if node.kind == "letter" and node.name not in legal:
        msg = f"step {step}: index {name} of {step.id} is free: write {step.id}({name} -> ...) or [sum {name}]"
        raise InputError(msg)
    index = index_of(node, legal)
    others = {other: index_of(value, legal) for other, value in values.items() if other in scope.setting.indices}
    low, high = (end.substitute(others) for end in over)
    if not (scope.ranges.surely_at_least(index, low) and scope.ranges.surely_at_least(high, index)):
        msg = f"step {step}: index {index} may leave the range {name} = {low} .. {high} in which {step.id} holds"
        raise InputError(msg)


def premise(step: Step, source: Claim | Leaf, scope: Scope) -> Premise:
    """Return what a claim or a leaf says where a step uses it."""
    inside = inner_scope(step, scope, source.over)
    points = getattr(source, "points", {})
    relation = substitute_letters(source.shows, renaming(step, source.over, points, inside))
    made = premise_of(relation, inside)
    made.step = step
    if step.rule in rules.GROWTHS:
        return rules.growth(step, made, source.over, scope, inside)
    if step.rule == DISCOUNT:
        return rules.discount(step, made, inside)
    for letter in reversed(step.letters):
        made = _bound(step, made, letter, inside)
    return made


def _bound(step: Step, made: Premise, letter: str, scope: Scope) -> Premise:
    if letter == CLIENT:
        msg = f"step {step}: inner products are averaged over the clients already"
        raise InputError(msg)
    if step.rule == "mean":
        return Premise(
            average_form(made.left, letter, scope), average_form(made.right, letter, scope), made.equal, step
        )
    over = scope.over[letter]
    return Premise(
        sum_form(made.left, letter, over, scope), sum_form(made.right, letter, over, scope), made.equal, step
    )


def hypotheses(step: Step, source: Claim | Leaf, given: tuple[Node, ...], scope: Scope) -> UsedHypotheses:
    """Return what a claim or a leaf takes as given, in the letters of the place where it is used."""
    inside = inner_scope(step, scope, source.over)
    values = renaming(step, source.over, getattr(source, "points", {}), inside)
    found = tuple(substitute_letters(node, values) for node in given)
    bound = {node: min(caught) for node in found if (caught := letters_of(node) & set(step.letters))}
    return UsedHypotheses(step, tuple(node for node in found if node not in bound), bound, inside)


@dataclass(frozen=True)
class UsedHypotheses:
    """What a step takes as given in the place where it is used."""

    step: Step
    once: tuple[Node, ...]
    """What is one relation there."""
    everywhere: Mapping[Node, str]
    """What is another relation at each value of an index that the step's rule binds, with that index."""
    inside: Scope
    """The scope in which the rule binds it."""
