"""From the tree of an expression to linear forms: every name is looked up, every index checked against its range."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError, UnknownNameError
from boundcheck.proofs.algebra.discount import discount_form
from boundcheck.proofs.algebra.sums import as_coefficient, average_form, sum_form
from boundcheck.proofs.language.affine import Affine, index_of
from boundcheck.proofs.language.expressions import as_node
from boundcheck.proofs.language.forms import (
    CLIENT,
    ONE,
    Atom,
    Entry,
    add_forms,
    averaged_over,
    product,
    scale_form,
)
from boundcheck.proofs.language.grammar import LEAST, SOME, TAKEN, Node, read
from boundcheck.proofs.language.members import depends, member
from boundcheck.proofs.language.steps import substitute_letters

if TYPE_CHECKING:
    from boundcheck.proofs.algebra.scope import Scope
    from boundcheck.proofs.language.affine import Range
    from boundcheck.proofs.language.forms import Coefficient, Scalar, Vector
    from boundcheck.proofs.language.setting import ProofSetting


Value = tuple[str, Any]
"""``("scalar", form)`` or ``("vector", form)``."""


def scalar(node: Node, scope: Scope) -> Scalar:
    """Return the linear form of a number-valued expression.

    Raises
    ------
    InputError
        If a name is not declared, an index leaves its range, or kinds do not fit; the expression is named.
    """
    kind, form = value(node, scope)
    if kind == "vector" and form:
        msg = f"{str(node)!r} is a vector where a number is needed: |u|^2 or <u, v>"
        raise InputError(msg)
    return form  # type: ignore[no-any-return]


def vector(node: Node, scope: Scope) -> Vector:
    """Return the combination of atoms of a vector-valued expression (0 is one); errors as in `scalar`."""
    kind, form = value(node, scope)
    if kind == "scalar" and form:
        msg = f"{str(node)!r} is a number where a vector is needed"
        raise InputError(msg)
    return form if kind == "vector" else {}


def coefficient(node: Node, scope: Scope) -> Coefficient:
    """Return a number made of letters alone; errors as in `scalar`."""
    form = scalar(node, scope)
    if set(form) - {ONE}:
        msg = f"{str(node)!r} is not a number made of letters alone"
        raise InputError(msg)
    return form.get(ONE, scope.setting.field.zero)


def value(node: Node, scope: Scope) -> Value:
    """Return what an expression is, a number or a vector, and its linear form."""
    parts = node.parts
    match node.kind:
        case "number":
            return "scalar", scale_form({ONE: scope.number(1)}, scope.number(Fraction(node.name)))
        case "letter" if _is_fixed(node.name, scope.setting):
            return _entry(node, scope)
        case "letter":
            return "scalar", {ONE: _letter(node.name, scope)}
        case "entry":
            return _entry(node, scope)
        case "call":
            return _call(node, scope)
        case "neg":
            kind, form = value(parts[0], scope)
            return kind, scale_form(form, scope.number(-1))
        case "add":
            return _sum(node, scope)
        case "mul":
            return _times(node, scope)
        case "div":
            kind, form = value(parts[0], scope)
            return kind, scale_form(form, 1 / _divisor(parts[1], scope))
        case "power":
            return _power(node, scope)
        case "inner":
            return "scalar", product(vector(parts[0], scope), vector(parts[1], scope))
        case "norm2":
            inside = vector(parts[0], scope)
            return "scalar", product(inside, inside)
        case "mean":
            return _mean(node, scope)
        case "sum":
            return "scalar", _total(node, scope)
        case "discounted":
            return "scalar", _discounted_mean(node, scope)
    if node.kind == "min":
        msg = f"{str(node)!r} is not legal here: a minimum is given, as in beta = min(c, r)"
        raise InputError(msg)
    if node.kind == LEAST:
        msg = f"{str(node)!r} is legal alone on the smaller side of what a claim shows, which is no step of others then"
        raise InputError(msg)
    msg = f"{str(node)!r} is a relation where an expression is needed"
    raise InputError(msg)


def _is_fixed(name: str, setting: ProofSetting) -> bool:
    """Return whether a name is that of a vector without an index."""
    return name in setting.vectors and not setting.vectors[name].indices


def _letter(name: str, scope: Scope) -> Coefficient:
    setting = scope.setting
    if name in setting.indices and name not in scope.over:
        msg = f"index {name!r} is free: no range is declared for it here (`for`), and no mean or sum binds it"
        raise InputError(msg)
    if name in setting.vectors or name in setting.scalars or name in setting.indexed:
        msg = f"{name!r} is a sequence: write its index, {name}[{', '.join(_indices(name, setting))}]"
        raise InputError(msg)
    if name not in setting.generators:
        raise UnknownNameError("letter", name, setting.generators)
    if name in scope.over:
        return as_coefficient(scope.at_one_value(Affine.letter(name)), scope)
    return setting.generators[name]


def _indices(name: str, setting: ProofSetting) -> tuple[str, ...]:
    if name in setting.indexed:
        return setting.indexed[name].indices
    return setting.vectors[name].indices if name in setting.vectors else setting.scalars[name]


def _entry(node: Node, scope: Scope) -> Value:
    setting, name = scope.setting, node.name
    if name not in setting.vectors and name not in setting.scalars and name not in setting.indexed:
        raise UnknownNameError("sequence", name, {*setting.vectors, *setting.scalars, *setting.indexed})
    indices = _places(node, scope)
    if name in setting.indexed:
        return "scalar", {ONE: member(name, indices, setting)}
    if name in setting.scalars:
        return "scalar", {Entry(name, indices): setting.field.one}
    if setting.vectors[name].kind == "sample":
        msg = (
            f"{str(node)!r} is a sample of clients: write {TAKEN}({node}, u), u being an entry of a sequence of vectors"
        )
        raise InputError(msg)
    client = setting.vectors[name].kind != "server" and setting.several_clients
    return "vector", {(Atom(name, indices, client=client), frozenset()): setting.field.one}


def _places(node: Node, scope: Scope) -> tuple[Affine, ...]:
    """Return the indices of an entry, each in its range."""
    setting, name = scope.setting, node.name
    letters = _indices(name, setting)
    if len(letters) != len(node.parts):
        msg = f"{str(node)!r}: {name} has the indices [{', '.join(letters)}]"
        raise InputError(msg)
    legal = {*scope.over, *setting.horizons}
    indices = tuple(index_of(part, legal) for part in node.parts)
    for index, (low, high) in zip(indices, _ranges(name, setting), strict=True):
        if not (scope.ranges.surely_at_least(index, low) and scope.ranges.surely_at_least(high, index)):
            msg = f"{str(node)!r}: index {index} may leave the range {low} .. {high} of {name}"
            raise InputError(msg)
    return tuple(scope.at_one_value(index) for index in indices)


def _ranges(name: str, setting: ProofSetting) -> tuple[Range, ...]:
    for declared in (setting.vectors, setting.numbers, setting.indexed):
        if name in declared:
            return declared[name].ranges
    return tuple(setting.definitions[name].over.values())


def _call(node: Node, scope: Scope) -> Value:
    if node.name == SOME:
        msg = f"{str(node)!r} says only what a vector is made from, as the whole right side of an equation"
        raise InputError(msg)
    if len(node.parts) != 1 + (node.name == TAKEN):
        msg = f"{str(node)!r}: f and grad take one point, {TAKEN}(A[t], u[t]) two"
        raise InputError(msg)
    point = vector(node.parts[-1], scope)
    if len(point) != 1 or next(iter(point.values())) != 1 or next(iter(point))[1]:
        msg = f"{str(node)!r}: the argument must be one entry of a sequence; give the point a name"
        raise InputError(msg)
    ((atom, _),) = point
    if node.name == TAKEN:
        return _sampled_vector(node, atom, scope)
    if node.name == "grad":
        gradients = Atom("grad", (), atom, client=scope.setting.several_clients)
        return "vector", {(gradients, frozenset()): scope.setting.field.one}
    if CLIENT in atom.varies:
        msg = f"{str(node)!r}: f takes one point, and {atom} is one for each client"
        raise InputError(msg)
    return "scalar", {Entry("f", (), atom): scope.setting.field.one}


def _sampled_vector(node: Node, atom: Atom, scope: Scope) -> Value:
    sample, vectors = node.parts[0], scope.setting.vectors
    if sample.kind != "entry" or sample.name not in vectors or vectors[sample.name].kind != "sample":
        msg = f'{str(node)!r}: {sample} is no entry of a sample; declare one: "A[t]" = "sample of S"'
        raise InputError(msg)
    made = Atom(sample.name, _places(sample, scope), atom, client=scope.setting.several_clients)
    everybody = scope.setting.length(CLIENT) == index_of(read(vectors[sample.name].size), scope.setting.whole)
    return "vector", {(atom if everybody or not made.client else made, frozenset()): scope.setting.field.one}


def _sum(node: Node, scope: Scope) -> Value:
    (first, left), (second, right) = (value(part, scope) for part in node.parts)
    if first != second and left and right:
        msg = f"{str(node)!r} adds a number and a vector"
        raise InputError(msg)
    return (first if left else second), add_forms(left, right)


def _times(node: Node, scope: Scope) -> Value:
    (first, left), (second, right) = (value(part, scope) for part in node.parts)
    if first == "scalar" and not set(left) - {ONE}:
        return second, scale_form(right, left.get(ONE, scope.number(0)))
    if second == "scalar" and not set(right) - {ONE}:
        return first, scale_form(left, right.get(ONE, scope.number(0)))
    msg = f"{str(node)!r} is not linear: one factor must be made of letters alone (products of vectors are <u, v>)"
    raise InputError(msg)


def _divisor(node: Node, scope: Scope) -> Coefficient:
    by = coefficient(node, scope)
    if by == 0:
        msg = f"division by {str(node)!r}, which is 0"
        raise InputError(msg)
    scope.divide(by)
    return by


def _power(node: Node, scope: Scope) -> Value:
    exponent = int(node.name)
    base = _divisor(node.parts[0], scope) if exponent < 0 else coefficient(node.parts[0], scope)
    return "scalar", {ONE: base**exponent}


def _mean(node: Node, scope: Scope) -> Value:
    letters = tuple(part.strip() for part in node.name.split(","))
    if single := scope.setting.one_valued(letters):
        body = substitute_letters(node.parts[0], {letter: as_node(value) for letter, value in single.items()})
        others = ", ".join(letter for letter in letters if letter not in single)
        return value(Node("mean", others, (body,)) if others else body, scope)
    inner, stars = scope, {}
    for letter in letters:
        scope.setting.require_index(letter)
        if letter != CLIENT:
            scope.require_length(scope.setting.length(letter), 1)
            inner = inner.inside(letter, *scope.setting.indices[letter])
            stars[letter] = Affine.letter("*" + letter)
    kind, form = value(node.parts[0], inner)
    if kind == "vector":
        put = {(atom.substitute(stars), frozenset(done)): c for (atom, done), c in form.items()}
        _require_constant(put.values(), letters, node, scope)
        over = frozenset("*" + letter if letter != CLIENT else letter for letter in letters)
        return kind, averaged_over(put, over)
    if CLIENT in letters:
        msg = (
            f"{str(node)!r}: numbers do not depend on the client; inner products are averaged over the clients already"
        )
        raise InputError(msg)
    for letter in letters:
        form = average_form(form, letter, inner)
    return kind, form


def _require_constant(values: Any, letters: tuple[str, ...], node: Node, scope: Scope) -> None:
    if any(depends(c, letter, scope.setting) for c in values for letter in letters):
        msg = f"{str(node)!r}: a weight that depends on the index of the mean; name the weighted vector"
        raise InputError(msg)


def _discounted_mean(node: Node, scope: Scope) -> Scalar:
    scope.setting.require_index(node.name)
    inner = scope.inside(node.name, *scope.setting.indices[node.name])
    return discount_form(scalar(node.parts[0], inner), node.name, node.parts[1], inner)


def _total(node: Node, scope: Scope) -> Scalar:
    scope.setting.require_index(node.name)
    if node.name == CLIENT:
        msg = f"{str(node)!r}: numbers do not depend on the client, whose number {CLIENT} is no index of a sum"
        raise InputError(msg)
    low, high = scope.setting.indices[node.name]
    if len(node.parts) > 1:
        legal = {*scope.over, *scope.setting.horizons}
        low, high = (index_of(part, legal) for part in node.parts[1:])
    if low == high:  # over one value, it is what stands there
        return scalar(substitute_letters(node.parts[0], {node.name: as_node(low)}), scope)
    if scope.ranges.surely_at_least(low, high + 1):  # over no value, it is 0
        return {}
    inner = scope.inside(node.name, low, high)
    return sum_form(scalar(node.parts[0], inner), node.name, (low, high), inner)
