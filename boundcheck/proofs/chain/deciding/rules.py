"""Rules that are more than adding premises up: growth and discounts over an index, and averages of fresh noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.algebra.discount import discount_form, star
from boundcheck.proofs.algebra.evaluate import vector
from boundcheck.proofs.algebra.relation import Premise
from boundcheck.proofs.algebra.sums import as_coefficient, sum_form
from boundcheck.proofs.language.affine import Affine
from boundcheck.proofs.language.expressions import as_node
from boundcheck.proofs.language.forms import (
    CLIENT,
    ONE,
    Entry,
    Inner,
    add_forms,
    averaged_over,
    product,
    scale_form,
)
from boundcheck.proofs.language.members import depends
from boundcheck.proofs.language.setting import EULER
from boundcheck.proofs.language.steps import SERIES, substitute_letters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.algebra.scope import Scope
    from boundcheck.proofs.chain.deciding.births import Filtration
    from boundcheck.proofs.language.affine import Range
    from boundcheck.proofs.language.forms import Coefficient, Scalar, Vector
    from boundcheck.proofs.language.steps import Step

GROWTHS = ("growth", "growth-sum", SERIES)


def growth(step: Step, made: Premise, over: Mapping[str, Range], scope: Scope, inside: Scope) -> Premise:
    """Return what follows from ``A[k + 1] <= (1 + q/n) A[k] + b[k]`` over at most n steps; A and b are not negative.

    ``growth``: A[k] <= e^q (A[low] + (k - low) b) for b without k.  ``growth-sum``: the sum of all A[k] is at most
    e^q times (number of terms) A[low] + (number of steps) sum of b[k], each b[k] standing in at most that many terms.
    ``series``: (n - 1) A[k + 1] <= n A[k] + (n - 1) b over at most n - 1 steps gives A[k] <= e A[low] + b times the sum
    of the first n - 1 powers of n/(n - 1), for which there is a letter.

    Raises
    ------
    InputError
        If the premise has another shape, or takes more than n steps.
    """
    (letter,) = step.letters
    if letter == CLIENT:
        msg = f"step {step}: the clients have no order; legal are {', '.join(set(scope.setting.indices) - {CLIENT})}"
        raise InputError(msg)
    low, high = over[letter]
    next_entry, rest = _recursion(step, made, inside)
    scope.require_length(scope.setting.length(letter), 1)
    most = scope.setting.length(letter) - (step.rule == SERIES)
    if not scope.ranges.surely_at_least(most, high - low + 1):
        msg = f"step {step}: {high} - {low} + 1 steps may be more than {most}"
        raise InputError(msg)
    if step.rule != "growth-sum":
        return _pointwise(step, (letter, low, high), next_entry, rest, scope)
    first: Scalar = {next_entry.substitute({letter: low - 1}): scope.number(1)}
    steps = as_coefficient(high - low + 1, scope)
    entry: Scalar = {next_entry.substitute({letter: Affine.letter(letter) - 1}): scope.number(1)}
    left = sum_form(entry, letter, (low, high + 1), inside)
    right = add_forms(scale_form(first, steps + 1), scale_form(sum_form(rest, letter, (low, high), inside), steps))
    factor = scope.setting.generators[EULER] ** int(step.bounds[0].name)
    scope.require_length(high - low + 1, 0)
    return Premise(left, scale_form(right, factor), equal=False, step=step, rest=add_forms(rest, first), inside=inside)


def _pointwise(step: Step, over: tuple[str, Affine, Affine], entry: Entry, rest: Scalar, scope: Scope) -> Premise:
    letter, low, high = over
    star = {letter: Affine.letter("*")}
    if any(term.substitute(star) != term or depends(value, letter, scope.setting) for term, value in rest.items()):
        msg = f"step {step}: what is added at each step depends on {letter}; use [growth-sum {letter} q]"
        raise InputError(msg)
    here = Affine.letter(letter)
    if letter not in scope.over:
        msg = f"step {step}: the claim must hold for a range of {letter} (`for`)"
        raise InputError(msg)
    if not (scope.ranges.surely_at_least(here, low) and scope.ranges.surely_at_least(high + 1, here)):
        msg = f"step {step}: {letter} may leave {low} .. {high + 1}"
        raise InputError(msg)
    factor = scope.setting.generators[EULER] ** (1 if step.rule == SERIES else int(step.bounds[0].name))
    weight = _series(step, scope) if step.rule == SERIES else factor * as_coefficient(here - low, scope)
    first: Scalar = {entry.substitute({letter: low - 1}): scope.number(1)}
    left: Scalar = {entry.substitute({letter: here - 1}): scope.number(1)}
    grown = add_forms(scale_form(first, factor), scale_form(rest, weight))
    return Premise(left, grown, equal=False, step=step, rest=add_forms(rest, first))


def _series(step: Step, scope: Scope) -> Coefficient:
    """Return the letter that is declared for the sum of the powers in a growth."""
    (letter,) = step.letters
    names = [name for name, index in scope.setting.series.items() if index == letter]
    if not names:
        msg = f'step {step}: no letter is the sum of these powers; declare one: total = "{SERIES} {letter}"'
        raise InputError(msg)
    return scope.setting.generators[names[0]]


def _recursion(step: Step, made: Premise, scope: Scope) -> tuple[Entry, Scalar]:
    """Return the entry A[k + 1] and the rest b[k] of a recursion of the shape that `growth` needs."""
    (letter,) = step.letters
    here = {letter: Affine.letter(letter) - 1}
    n, one = as_coefficient(scope.setting.length(letter), scope), scope.number(1)
    if step.rule == SERIES:
        shape = f"({n} - 1) A[{letter} + 1] <= {n} A[{letter}] + ({n} - 1) b"
        weight, expected = n - 1, n
    else:
        q = int(step.bounds[0].name)
        shape = f"A[{letter} + 1] <= (1 + {q}/{n}) A[{letter}] + b"
        weight, expected = one, 1 + q / n
    entries = [term for term in made.left if isinstance(term, Entry)]
    if len(made.left) != 1 or not entries or made.left[entries[0]] != weight or made.equal:
        msg = f"step {step}: {step.id} is not of the shape {shape}"
        raise InputError(msg)
    after = entries[0]
    before = after.substitute(here)
    plus_one = all(
        letter not in index.letters or (index - Affine.letter(letter)).constant == 1 for index in after.indices
    )
    rest = {term: value / weight for term, value in made.right.items() if term != before}
    whole = weight == one or not any(value.denom.rem(weight.numer) == 0 for value in rest.values())
    if after == before or not plus_one or not whole or made.right.get(before) != expected:
        msg = f"step {step}: {step.id} is not of the shape {shape}"
        raise InputError(msg)
    return after, rest


def discount(step: Step, made: Premise, inside: Scope) -> Premise:
    """Return what follows from ``0 <= A[t + 1] <= (1 + g) A[t] - b[t] + c`` over the whole range of t, T values.

    Unrolled, ``sum w_t (b_t - c) <= (1 + g)^T A_0 - A_T`` with w_t = (1 + g)^(T-1-t).  The weights add up to
    W = ((1 + g)^T - 1)/g, at least T, so that the discounted mean of b is at most (g + 1/T) A_0 + c.

    Raises
    ------
    InputError
        If the premise has another shape.
    """
    (letter,), growth = step.letters, step.bounds[0]
    star(letter, growth, inside)
    g = inside.setting.generators[growth.name]
    before = _before(step, made, letter, 1 + g)
    rest = discount_form({term: v for term, v in made.right.items() if term != before}, letter, growth, inside)
    moving = {term: -v for term, v in rest.items() if any("~" in name for name in term.varies)}
    fixed = {term: v for term, v in rest.items() if term not in moving}
    low, high = inside.setting.indices[letter]
    factor: Coefficient = g + 1 / as_coefficient(high - low + 1, inside)
    first: Scalar = {before.substitute({letter: low}): inside.number(1)}
    ends = add_forms(first, {before.substitute({letter: high + 1}): inside.number(1)})
    return Premise(moving, add_forms(scale_form(first, factor), fixed), equal=False, step=step, rest=ends)


def _before(step: Step, made: Premise, letter: str, expected: Coefficient) -> Entry:
    """Return A[t] of a recursion for A[t + 1] with the given factor."""
    shape = f"A[{letter} + 1] <= (1 + {step.bounds[0]}) A[{letter}] - b[{letter}] + c"
    entries = [term for term in made.left if isinstance(term, Entry)]
    if len(made.left) == 1 and entries and made.left[entries[0]] == 1 and not made.equal:
        after = entries[0]
        before = after.substitute({letter: Affine.letter(letter) - 1})
        plus_one = [(index - Affine.letter(letter)).constant for index in after.indices if letter in index.letters]
        if plus_one == [1] and after.argument is None and made.right.get(before) == expected:
            return before
    msg = f"step {step}: {step.id} is not of the shape {shape}"
    raise InputError(msg)


def spread(step: Step, point: Vector, births: Filtration, scope: Scope) -> tuple[Scalar, Scalar]:
    """Return the square of an average of noise, and what it equals: the mean square over the number of entries.

    A combination of noises at the same indices is noise again: what is drawn at once is independent of all else.

    Raises
    ------
    InputError
        If the point is not made of entries of noises at the same indices, or an index of the average is none of these.
    """
    places = {atom.indices for atom, _ in point}
    weights = {name for value in point.values() for name in step.letters if depends(value, name, scope.setting)}
    if len(places) != 1 or weights or any(done or not births.spread(atom) for atom, done in point):
        msg = f"step {step}: fresh(u -> xi[t, k]) [mean i, k] needs an entry of a noise, or of several at one index"
        raise InputError(msg)
    free = _apart(places.pop(), set(scope.setting.indices) - set(scope.over))
    if not step.letters or any(letter != CLIENT and letter not in free for letter in step.letters):
        msg = f"step {step}: {step.renamed['u']} has no such index to average over; legal are i, {', '.join(free)}"
        raise InputError(msg)
    stars = {letter: Affine.letter("*" + letter) for letter in step.letters if letter != CLIENT}
    bound: Vector = {(atom.substitute(stars), done): value for (atom, done), value in point.items()}
    indices = frozenset("*" + letter if letter != CLIENT else letter for letter in step.letters)
    average = averaged_over(bound, indices)
    number = scope.number(1)
    for letter in step.letters:
        scope.require_length(scope.setting.length(letter), 1)
        number *= as_coefficient(scope.setting.length(letter), scope)
    return product(average, average), scale_form(product(bound, bound), 1 / number)


def _apart(indices: tuple[Affine, ...], bound: set[str]) -> list[str]:
    """Return the letters of which different values are different indices: each is counted once in one of its own."""
    places = [index.letters & bound for index in indices]
    own = [place.copy().pop() for place in places if len(place) == 1]
    counted = {name: abs(value) for index in indices for name, value in index.parts}
    return [name for name in own if counted[name] == 1 and sum(name in place for place in places) == 1]


def telescope(step: Step, scope: Scope) -> Premise:
    """Return ``sum <u[t + 1], v[t + 1]>`` as the sum of ``<u[t], v[t]>`` and what the ends differ by."""
    if step.rule != "sum" or step.bounds or len(step.letters) != 1 or set(step.renamed) not in ({"u"}, {"u", "v"}):
        msg = f"step {step}: write telescope(u -> x[t] - s) [sum t]"
        raise InputError(msg)
    (letter,) = step.letters
    if letter == CLIENT:
        msg = f"step {step}: the clients have no order; legal are {', '.join(set(scope.setting.indices) - {CLIENT})}"
        raise InputError(msg)
    scope.setting.require_index(letter)
    low, high = scope.setting.indices[letter]

    def at(index: Affine, where: Scope) -> Scalar:
        moved = {letter: as_node(index)}
        u, *v = (vector(substitute_letters(step.renamed[name], moved), where) for name in sorted(step.renamed))
        return product(u, *(v or [u]))

    inside, t = scope.inside(letter, low, high), Affine.letter(letter)
    now, later = (sum_form(at(index, inside), letter, (low, high), inside) for index in (t, t + 1))
    ends = add_forms(at(high + 1, scope), scale_form(at(low, scope), scope.number(-1)))
    return Premise(later, add_forms(now, ends), equal=True, step=step)


def nonnegative_terms(form: Scalar, squares: frozenset[str]) -> bool:
    """Return whether every term is one, a square, or an entry of a sequence of squares."""
    return all(
        term == ONE
        or (isinstance(term, Entry) and term.name in squares)
        or (isinstance(term, Inner) and term.left == term.right)
        for term in form
    )
