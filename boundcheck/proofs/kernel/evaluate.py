"""From the tree of an expression to a number or a vector: names are looked up, indices stay in their ranges.

Every divisor is shown to differ from zero on the spot; there is no division elsewhere.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .algebra import Index, Rational, Refused, plus, whole
from .file import EULER
from .space import (
    CLIENT,
    NUMBER,
    ONES,
    Atom,
    Entry,
    Form,
    Vector,
    bound,
    multiplied_vectors,
    negate,
    product,
    project,
    require_unbound,
    scale,
    single,
    sum_form,
    total,
)
from .text import Tree, expression, index_of, index_tree, substitute

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .context import Context
    from .file import Range

Value = tuple[bool, Any]
"""Whether it is a vector, and its form."""


def number(tree: Tree, context: Context) -> Rational:
    """Return a number that is made of letters alone."""
    return _in_letters(scalar(tree, context))


def _in_letters(form: Form) -> Rational:
    if form.keys() - {NUMBER}:
        raise Refused("a number that is not made of letters alone")
    return form.get(NUMBER, Rational.of(0))


def scalar(tree: Tree, context: Context) -> Form:
    """Return a number."""
    is_vector, form = value(tree, context)
    if is_vector and form:
        raise Refused("a vector where a number is needed")
    return form  # type: ignore[no-any-return]


def vector(tree: Tree, context: Context) -> Vector:
    """Return a vector; 0 is one."""
    is_vector, form = value(tree, context)
    if not is_vector and form:
        raise Refused("a number where a vector is needed")
    return form  # type: ignore[no-any-return]


def value(tree: Tree, context: Context) -> Value:
    """Return what an expression is: whether it is a vector, and its form."""
    parts = tree.parts
    match tree.kind:
        case "number":
            return False, _of_letters(_constant(tree.name))
        case "name" if tree.name in context.file.vectors:
            return _entry(tree, context)
        case "name":
            return False, _of_letters(_letter(tree.name, context))
        case "entry":
            return _entry(tree, context)
        case "call":
            return _call(tree, context)
        case "neg":
            is_vector, form = value(parts[0], context)
            return is_vector, negate(form)
        case "add" | "sub":
            (one, left), (two, right) = value(parts[0], context), value(parts[1], context)
            if one != two and left and right:
                raise Refused("a number plus a vector")
            return (one if left else two), total(left, right if tree.kind == "add" else negate(right))
        case "mul":
            return _times(value(parts[0], context), value(parts[1], context), context)
        case "div":
            is_vector, form = value(parts[0], context)
            return is_vector, scale(form, divisor(parts[1], context).inverse())
        case "power":
            return _power(value(parts[0], context), int(tree.name), context)
        case "inner":
            return False, product(vector(parts[0], context), vector(parts[1], context))
        case "mean" | "sum":
            return _average(tree, context)
        case "discounted":
            return False, _discount(tree, context)
        case "least":
            raise Refused("least(t) s is legal alone on the smaller side of what a claim shows, which is no step then")
    raise Refused(f"{tree.kind} is not legal here")


@lru_cache(maxsize=2**10)
def _constant(text: str) -> Rational:
    return Rational.of(Fraction(text))


def _of_letters(value: Rational) -> Form:
    return {} if value.is_zero() else {NUMBER: value}


def several_clients(context: Context) -> bool:
    """Return whether there may be more than one client: of one alone, a vector for each is one vector."""
    return context.file.clients != whole(1)


def divisor(tree: Tree, context: Context) -> Rational:
    """Return a number that is shown to differ from zero."""
    by = number(tree, context)
    context.require_nonzero(by, "division")
    return by


def _power(base: Value, power: int, context: Context) -> Value:
    """Return a power of a number, or of a vector coordinate by coordinate; what is divided by is not 0."""
    if base[0]:
        _require_coordinates(context)
        return True, _vector_power(base[1], power)
    by = _in_letters(base[1])
    if power < 0:
        context.require_nonzero(by, "division")
    return False, _of_letters(by**power)


def _letter(name: str, context: Context) -> Rational:
    if name in context.values:
        return context.values[name]
    if name not in context.over and name not in context.file.letters:
        raise Refused(f"{name} is no letter, or a free index")
    return Rational.index(context.at_one_value(((name, 1),))) if name in context.over else Rational.letter(name)


def _vector_power(base: Vector, power: int) -> Vector:
    """Return a power of a vector, coordinate by coordinate; legal are exponents from 1."""
    if power < 1:
        raise Refused(f"a vector to the power {power}: from 1")
    found = base
    for _ in range(power - 1):
        found = multiplied_vectors(found, base)
    return found


def _require_coordinates(context: Context) -> None:
    """Refuse what is said by coordinates in a file that does not say how many there are."""
    if not context.file.dimension:
        raise Refused("by coordinates: the file declares ones = 'ones of d', d being their number")


def _times(first: Value, second: Value, context: Context) -> Value:
    if first[0] and second[0]:
        _require_coordinates(context)
        return True, multiplied_vectors(first[1], second[1])
    for (_, a), (is_vector, b) in ((first, second), (second, first)):
        if (is_vector or not (first[0] or second[0])) and a.keys() <= {NUMBER}:
            return is_vector, scale(b, a[NUMBER]) if a else {}
    raise Refused("a product that is not linear: one factor is made of letters alone")


def places(tree: Tree, spans: Iterable[tuple[str, Range]], context: Context) -> tuple[Index, ...]:
    """Return the indices of an entry, each shown to be in its range."""
    indices, ranges = tuple(index_of(part) for part in tree.parts), [ends for _, ends in spans]
    if len(indices) != len(ranges):
        raise Refused(f"{tree.name} has {len(ranges)} indices")
    for index, ends in zip(indices, ranges, strict=True):
        context.require_within(index, ends, tree.name)
    return tuple(map(context.at_one_value, indices))


def _entry(tree: Tree, context: Context) -> Value:
    file, name = context.file, tree.name
    if name in file.members:
        return False, {NUMBER: Rational.letter(name, places(tree, file.members[name][1], context))}
    if name in file.scalars:
        return False, {Entry(name, places(tree, file.scalars[name], context)): Rational.of(1)}
    if name not in file.vectors or file.vectors[name].kind == "sample":
        raise Refused(f"{name} is no sequence of numbers or vectors")
    one = file.vectors[name]
    client = one.kind not in ("server", ONES) and several_clients(context)
    atom = Atom(name, places(tree, one.spans, context), None, client)
    return True, {(atom, frozenset()): Rational.of(1)}


def _call(tree: Tree, context: Context) -> Value:
    if tree.name not in ("f", "grad", "taken") or len(tree.parts) != 1 + (tree.name == "taken"):
        raise Refused(f"{tree.name} is not legal here, or has other arguments")
    atom = single(vector(tree.parts[-1], context))
    if atom is None or atom.factors or atom.name == ONES:
        raise Refused(f"{tree.name}: the argument is one entry of a sequence; give it a name")
    if tree.name == "taken":
        sample = tree.parts[0]
        if sample.kind != "entry" or context.file.vectors.get(sample.name, None) is None:
            raise Refused("taken(A[t], u[t]): A is a sample")
        declared = context.file.vectors[sample.name]
        if declared.kind != "sample":
            raise Refused("taken(A[t], u[t]): A is a sample")
        made = Atom(sample.name, places(sample, declared.spans, context), atom, client=several_clients(context))
        everybody = context.file.size(sample.name) == context.file.clients or not several_clients(context)
        return True, {(atom if everybody else made, frozenset()): Rational.of(1)}
    if tree.name == "grad":
        return True, {(Atom("grad", (), atom, client=several_clients(context)), frozenset()): Rational.of(1)}
    if CLIENT in atom.varies():
        raise Refused(f"f takes one point, and {atom.text()} is one for each client")
    return False, {Entry("f", (), atom): Rational.of(1)}


def _average(tree: Tree, context: Context) -> Value:
    letter, body, ends = tree.name, tree.parts[0], tree.parts[1:]
    if letter == CLIENT:
        is_vector, form = value(body, context)
        if tree.kind == "sum" or not is_vector:
            raise Refused("mean(i) is of vectors; numbers do not depend on the client")
        return True, project(form, frozenset([CLIENT]))
    if letter not in context.file.indices:
        raise Refused(f"{letter} is no index")
    declared = context.file.indices[letter]
    over = (index_of(ends[0]), index_of(ends[1])) if ends else declared
    for index in over if ends else ():
        if {x for x, _ in index if x} - {*context.over, *context.file.horizons}:
            raise Refused(f"a sum over {letter} with a free end")
    if over[0] == over[1]:  # over one value, it is what stands there
        return value(substitute(body, {letter: index_tree(over[0])}), context)
    if tree.kind == "sum" and context.at_least(over[0], plus(over[1], whole(1))):  # over no value, it is 0
        return False, {}
    context.require_length(over, int(tree.kind == "mean"), f"{tree.kind} over {letter}")
    context.require_length(declared, 0, f"{tree.kind} over {letter}")  # as sums are closed over the declared range
    inside = context.inside(letter, over)
    is_vector, form = value(body, inside)
    if is_vector:
        if tree.kind == "sum":
            raise Refused("a sum of vectors: write the mean times its length")
        return True, project(bound_vector(form, letter), frozenset(x for x, _ in bound(letter)))
    require_defined(form, over, context, f"{tree.kind} over {letter}")
    found = sum_form(form, letter, over, declared)
    return False, average(found, letter, context) if tree.kind == "mean" else found


def require_defined(form: Mapping[Any, Rational], over: Range, outside: Context, what: str) -> None:
    """Refuse weights that divide by what may be 0 where a range is empty.

    Inside of the range it is known not to be 0, since there the range has a value.  A sum over nothing is 0, but its
    closed form is not defined then: the sum of 1/(K - 1) over k = 0 .. K - 2 is 1 for K >= 2 and 0 for K = 1.
    """
    if not outside.at_least(over[1], over[0]):
        for by in form.values():
            for factor in by.factors:
                outside.require_nonzero(Rational(dict(factor)), what)


def average(form: Form, letter: str, context: Context) -> Form:
    """Return a sum over the declared range, which is not empty, divided by its length."""
    context.require_length(context.file.indices[letter], 1, f"mean over {letter}")
    return scale(form, Rational.index(context.file.length(letter)).inverse())


def bound_vector(form: Vector, letter: str, weight: str = "") -> Vector:
    """Return a vector at the bound index in the place of a letter; a weight must not depend on it."""
    for (atom, _), by in form.items():
        if by.depends(letter):
            raise Refused(f"the weight {by.text()} of {atom.text()} depends on {letter}: give it a name")
        require_unbound(atom, letter, weight)
    return total(*({(atom.substitute(letter, bound(letter, weight)), done): by} for (atom, done), by in form.items()))


def bound_form(form: Form, letter: str, weight: str = "") -> Form:
    """Return the mean of a number over a bound index; a weight must not depend on it."""
    for term, by in form.items():
        if by.depends(letter):
            raise Refused(f"the weight {by.text()} of {term.text()} depends on {letter}: give it a name")
        require_unbound(term, letter, weight)
    return total(*({term.substitute(letter, bound(letter, weight)): by} for term, by in form.items()))


def _discount(tree: Tree, context: Context) -> Form:
    """Return the mean with weights (1 + g)^(last - t): a probability, as 1 + g > 0."""
    body, growth = tree.parts
    inside = context.inside(tree.name, context.file.indices[tree.name])
    context.require_length(context.file.indices[tree.name], 1, f"discounted mean over {tree.name}")
    return bound_form(scalar(body, inside), tree.name, growth_letter(growth.name, context))


def growth_letter(name: str, context: Context) -> str:
    """Return the letter of a discounted mean: >= 0, and without a value of its own."""
    if context.file.letters.get(name, "real") == "real" or name in (EULER, *context.values):
        raise Refused(f"discounted mean: {name} is no letter >= 0")
    return name


def is_sure(relation: Tree, context: Context) -> bool:
    """Return whether a relation is one of vectors: in each coordinate, for each client and outcome."""
    return any(_is_vector(part, context) for part in relation.parts)


def _is_vector(tree: Tree, context: Context) -> bool:
    """Return whether an expression is a vector by its shape; to take it for what it is not is refused later."""
    match tree.kind:
        case "name" | "entry":
            return tree.name in context.file.vectors
        case "call":
            return tree.name in ("grad", "taken")
        case "inner" | "discounted":
            return False
        case "div" | "power" | "mean" | "sum":
            return _is_vector(tree.parts[0], context)
    return any(_is_vector(part, context) for part in tree.parts)


def sure_difference(relation: Tree, context: Context) -> tuple[bool, Vector]:
    """Return whether a relation of vectors is an equality, and right minus left."""
    _require_coordinates(context)
    left, right = (vector(part, context) for part in relation.parts)
    return relation.kind == "=", total(right, negate(left))


def difference(relation: Tree, context: Context) -> tuple[bool, Form]:
    """Return whether a relation is an equality, and right minus left."""
    left, right = (scalar(part, context) for part in relation.parts)
    return relation.kind == "=", total(right, negate(left))


def without_least(relation: Tree, at: str, context: Context) -> Tree:
    """Return what ``least(t) s <= b`` follows from, ``s <= b`` at an index or ``mean(t) s <= b``; others as they stand.

    Least: the least of finitely many numbers is no larger than any of them, nor than their mean, there being one.
    """
    left, right = relation.parts
    if relation.kind != "<=" or left.kind != "least":
        return relation
    if not at:
        return Tree("<=", "", (Tree("mean", left.name, left.parts), right))
    index = index_of(expression(at))
    if left.name not in context.file.indices:
        raise Refused(f"{left.name} is no index")
    context.require_within(index, context.file.indices[left.name], f"least over {left.name}")
    return Tree("<=", "", (substitute(left.parts[0], {left.name: index_tree(index)}), right))


def minimum(relation: Tree) -> tuple[Tree, tuple[Tree, ...]] | None:
    """Return x and the arguments of ``x = min(a, b)``, None for other relations."""
    left, right = relation.parts
    left, right = (right, left) if left.kind == "min" else (left, right)
    return (left, right.parts) if relation.kind == "=" and right.kind == "min" else None


def sides(relation: Tree, context: Context) -> list[Rational]:
    """Return what a relation between letters says is >= 0; of a minimum, that it is at most each argument."""
    if (least := minimum(relation)) is not None:
        return [number(part, context) - number(least[0], context) for part in least[1]]
    left, right = (number(part, context) for part in relation.parts)
    return [right - left] if relation.kind == "<=" else [right - left, left - right]


def with_given(context: Context, given: Iterable[Tree]) -> Context:
    """Return the context in which relations between letters are given.

    One may divide by what the others show to differ from zero, so that the order in which they stand does not matter.
    """
    given = tuple(given)
    context = replace(context, given=(*context.given, *given))
    waiting = sorted(given, key=lambda one: any(map(_divides_by_a_sum, one.parts)))
    while waiting:
        later, why = [], Refused("")
        for relation in waiting:
            try:
                for one in sides(relation, context):
                    context = context.with_fact(one)
            except Refused as reason:
                later.append(relation)
                why = reason
        if len(later) == len(waiting):
            raise why
        waiting = later
    return context


def _divides_by_a_sum(tree: Tree) -> bool:
    negative = tree.kind == "power" and tree.name.startswith("-")
    below = tree.parts if negative else tree.parts[1:] if tree.kind == "div" else ()
    return any(part.kind in ("add", "sub") for part in below) or any(map(_divides_by_a_sum, tree.parts))
