"""Equations as rewriting: an entry is replaced by what it equals, in every premise and in the conclusion.

All equations are used until nothing changes, so that the order in which they are named does not matter.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.algebra.discount import DISCOUNT, star
from boundcheck.proofs.algebra.evaluate import scalar, vector
from boundcheck.proofs.algebra.sums import as_coefficient
from boundcheck.proofs.chain.deciding.premises import inner_scope, renaming
from boundcheck.proofs.language.affine import Affine
from boundcheck.proofs.language.expressions import as_node
from boundcheck.proofs.language.forms import CLIENT, Inner, add_forms, inner, replace_atom, replace_mean, scale_form
from boundcheck.proofs.language.grammar import Node
from boundcheck.proofs.language.members import depends, with_members
from boundcheck.proofs.language.setting import Definition
from boundcheck.proofs.language.steps import substitute_letters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from boundcheck.proofs.algebra.scope import Scope
    from boundcheck.proofs.language.claim import Claim
    from boundcheck.proofs.language.forms import Atom, Coefficient, Scalar, Term, Vector
    from boundcheck.proofs.language.setting import Leaf
    from boundcheck.proofs.language.steps import Step

    Use = tuple[str, str, Callable[[Scalar], Scalar]]
    """Name and kind of an equation, and what uses it in a form."""


def same(claim: Claim) -> Definition | None:
    """Return a claim ``|u - v|^2 = 0`` about an entry u as the equation u = v, None if it is no such claim.

    A vector of norm zero is zero: all its inner products vanish, and functions are the same at u and at v.
    """
    left, right = claim.shows.parts
    if claim.shows.name != "=" or left.kind != "norm2" or right != Node("number", "0"):
        return None
    (inside,) = left.parts
    if inside.kind != "add" or inside.parts[0].kind != "entry" or inside.parts[1].kind != "neg":
        return None
    return Definition(claim.id, inside.parts[0], inside.parts[1].parts[0], claim.over)


def zero(source: Claim | Leaf) -> Definition | None:
    """Return a statement ``|w|^2 = 0`` as the equation w = 0, None if it is no such statement, or a conditional one."""
    left, right = source.shows.parts
    if source.shows.name != "=" or left.kind != "norm2" or right != Node("number", "0") or source.given:
        return None
    return None if getattr(source, "points", {}) else Definition(source.id, left.parts[0], right, source.over, "zero")


def rewriting(step: Step, one: Definition, scope: Scope) -> Callable[[Scalar], Scalar]:
    """Return what uses an equation, renamed and under ``[mean k]`` at every index k, in a form.

    Raises
    ------
    InputError
        If the rule is another, or the index leaves its range.
    """
    if step.rule not in {"", "mean", DISCOUNT} or CLIENT in step.letters or step.multiplier is not None:
        msg = f"step {step}: an equation is used as it stands, or at every index: [mean k], [discount t g]"
        raise InputError(msg)
    inside = inner_scope(step, scope, one.over)
    values = renaming(step, one.over, {}, inside)
    left, right = substitute_letters(one.left, values), substitute_letters(one.right, values)
    stars = {letter: Affine.letter("*" + letter) for letter in step.letters}
    if step.rule == DISCOUNT:
        stars = star(step.letters[0], step.bounds[0], scope)
    if one.kind == "zero":
        return _vanishing(vector(left, inside), step)
    if one.left.name in scope.setting.scalars:
        ((entry, _),) = scalar(left, inside).items()
        new = add_forms(*({term.substitute(stars): value} for term, value in scalar(right, inside).items()))
        _require_constant(new.values(), step, scope)
        return partial(_with_scalar, entry.substitute(stars), new)
    ((atom, _),) = vector(left, inside)
    put = add_forms(*({(a.substitute(stars), done): value} for (a, done), value in vector(right, inside).items()))
    _require_constant(put.values(), step, scope)
    old = atom.substitute(stars)
    return lambda form: replace_atom(form, old, put)


def _vanishing(found: Vector, step: Step) -> Callable[[Scalar], Scalar]:
    """Return what puts -rest/c for P a, where c P a + rest is a vector of norm zero and P a its first part."""
    if not found:
        msg = f"step {step}: it says 0 = 0"
        raise InputError(msg)
    (atom, done), c = next(iter(found.items()))
    put = {key: -value / c for key, value in found.items() if key != (atom, done)}
    return (lambda form: replace_mean(form, atom, done, put)) if done else (lambda form: replace_atom(form, atom, put))


def zero_mean(step: Step, one: Definition, scope: Scope) -> tuple[Atom, frozenset[str]] | None:
    """Return u and the indices of the mean, of an equation ``mean(i) u = 0``; None for another."""
    if one.kind != "zero" or step.rule:
        return None
    inside = inner_scope(step, scope, one.over)
    found = vector(substitute_letters(one.left, renaming(step, one.over, {}, inside)), inside)
    ((atom, done), *more) = found
    return None if more or not done else (atom, done)


def off_mean(form: Scalar, atom: Atom, done: frozenset[str]) -> Scalar:
    """Return a form with u - mean(i) u for u, mean(i) u being 0: then u has no part in the space of means."""
    more = [
        {inner(term.left, term.right, term.averaged | done): -value}
        for term, value in form.items()
        if isinstance(term, Inner) and atom in (term.left, term.right) and not done <= term.averaged
    ]
    return add_forms(form, *more)


def moved_window(step: Step, scope: Scope) -> Callable[[Scalar], Scalar]:
    """Return what uses mean(d) u[d] = mean(d) u[d + 1] + (u[low] - u[high + 1])/n in a form.

    Raises
    ------
    InputError
        If `u` is no entry at an index with d, or leaves its range.
    """
    legal = step.rule == "mean" and set(step.renamed) == {"u"} and len(step.letters) == 1 and CLIENT not in step.letters
    if not legal or step.multiplier is not None:
        msg = f"step {step}: write window(u -> g[t - d]) [mean d]"
        raise InputError(msg)
    (letter,), node = step.letters, step.renamed["u"]
    inside = inner_scope(step, scope, {})
    low, high = scope.setting.indices[letter]
    values = [{letter: as_node(at)} for at in (Affine.letter(letter) + 1, low, high + 1)]
    atom = vector(node, inside)
    ahead, first, last = (
        vector(substitute_letters(node, at), around) for at, around in zip(values, (inside, scope, scope), strict=True)
    )
    if any(len(one) != 1 or next(iter(one))[1] for one in (atom, ahead, first, last)):
        msg = f"step {step}: u is one entry of a sequence of vectors"
        raise InputError(msg)
    star, over = {letter: Affine.letter("*" + letter)}, frozenset(["*" + letter])
    share = 1 / as_coefficient(scope.setting.length(letter), scope)
    ((old, _),) = atom
    put = add_forms(
        {(a.substitute(star), over): value for (a, _), value in ahead.items()},
        {key: value * share for key, value in first.items()},
        {key: -value * share for key, value in last.items()},
    )
    return lambda form: replace_mean(form, old.substitute(star), over, put)


def rewritten(form: Scalar, uses: Sequence[Callable[[Scalar], Scalar]]) -> Scalar:
    """Return a form after all equations, each used wherever it applies, until nothing changes.

    Equations that lead back to themselves, u = v and v = u, are used once each in the order in which they are named,
    which is as true.
    """
    once = _after(form, uses)
    before, now = form, once
    # Where no equation leads back to itself, each pass settles one more of them.
    for _ in uses:
        if now == before:
            return now
        before, now = now, _after(now, uses)
    return now if now == before else once


def _after(form: Scalar, uses: Sequence[Callable[[Scalar], Scalar]]) -> Scalar:
    for use in uses:
        form = use(form)
    return form


def _with_scalar(old: Term, new: Scalar, form: Scalar) -> Scalar:
    if old not in form:
        return form
    return add_forms(*(scale_form(new, value) if term == old else {term: value} for term, value in form.items()))


def _require_constant(values: Iterable[Coefficient], step: Step, scope: Scope) -> None:
    """Raise InputError where a weight depends on an index over which an equation is averaged."""
    for value in values:
        for letter in step.letters:
            if depends(value, letter, scope.setting):
                weight = with_members(str(value), scope.setting)
                msg = f"step {step}: the weight {weight} of {step.id} depends on {letter}, at which no mean is taken"
                raise InputError(msg)
