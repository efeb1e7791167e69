"""Coordinates: relations of vectors, which hold in each coordinate, for each client and each outcome.

``u <= v`` for vectors says that v - u is nowhere negative.  It is a premise of two kinds of claims: of numbers,
E of the mean over the clients of the sum over the coordinates of m (v - u) being >= 0 for each vector m >= 0; and of
relations of vectors, as v - u >= 0 exactly where <v - u, w> >= 0 for every w >= 0.  So a claim about vectors is one
about numbers in which a factor stands of which nothing is known but its sign.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .algebra import Rational, Refused
from .evaluate import is_sure, number, sure_difference, value, vector
from .rules import Premise
from .space import (
    ANY,
    CLIENT,
    NUMBER,
    ONES,
    Atom,
    Inner,
    cores,
    multiplied_vectors,
    negate,
    product,
    project,
    scale,
    single,
    total,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .context import Context
    from .file import Step
    from .space import Form, Term, Vector
    from .text import Tree

SQUARE, CONTRARY, SHARE = "vector-square", "contrary", "client-share"
"""Steps: u u >= 0 for any vector u; the opposite of what is shown; a client's share of a sum over the clients."""


class SurePremise(NamedTuple):
    """``vector = 0`` or ``vector >= 0``, in each coordinate."""

    equal: bool
    vector: Vector
    there: bool = False
    """Whether it is known only where the contrary of what is shown holds: of no mean over others, then."""


def sure_premise(step: Step, shows: Tree, here: Context) -> SurePremise | None:
    """Return a relation of vectors as a premise, None for a relation of numbers."""
    if not is_sure(shows, here):
        return None
    equal, found = sure_difference(shows, here)
    if (step.rule, step.of) == ("mean", CLIENT):  # the mean of what is nowhere negative is not
        return SurePremise(equal, project(found, frozenset([CLIENT])))
    if step.rule:
        raise Refused(f"{step.text}: a relation of vectors has the rule [mean i] alone; sum what it says of numbers")
    return SurePremise(equal, found)


def square_of(step: Step, here: Context) -> SurePremise | Premise:
    """Square: u u >= 0; where a mean beside what varies has no square in normal form, |u|^2 >= 0.

    Sound: a square of a real number, in each coordinate.
    """
    if step.rule or set(step.renamed) != {"u"}:
        raise Refused(f"{step.text}: {SQUARE}(u -> expression)")
    u = vector(step.renamed["u"], here)
    try:
        return SurePremise(equal=False, vector=multiplied_vectors(u, u))
    except Refused:
        return Premise(equal=False, form=product(u, u))


def contrary_of(step: Step, shows: Tree, here: Context) -> SurePremise:
    """Contrary: where a <= b is to be shown, a - b >= 0 may be used, and -(a - b)^2 >= 0 is then to be shown.

    Sound, in each coordinate, for each client and each outcome: were a > b there, then -(a - b)^2 >= 0 would be false.
    It says nothing of other clients, so that no mean of a - b, and no share in it, is seen to be >= 0.
    """
    equal, found = sure_difference(shows, here) if is_sure(shows, here) else (True, {})
    if equal or step.rule or step.renamed:
        raise Refused(f"{step.text}: what is shown is no inequality of vectors")
    return SurePremise(equal=False, vector=negate(found), there=True)


def share_of(step: Step, known: Iterable[SurePremise], here: Context) -> SurePremise:
    """Share: u <= N mean(i) u, where steps show that u is nowhere negative, on no client.

    Sound: one of N numbers that are not negative is at most their sum.
    """
    if step.rule or set(step.renamed) != {"u"}:
        raise Refused(f"{step.text}: {SHARE}(u -> expression)")
    u = vector(step.renamed["u"], here)
    if not any(_same(u, one.vector) for one in known if not one.there):
        raise Refused(f"{step.text}: no step shows that it is nowhere negative")
    whole_sum = scale(project(u, frozenset([CLIENT])), Rational.index(here.file.clients))
    return SurePremise(equal=False, vector=total(whole_sum, negate(u)))


def _same(one: Vector, other: Vector) -> bool:
    return not total(one, negate(other))


def weight_of(shown: Vector) -> Vector:
    """Return w, one for each client where what is shown is."""
    client = any(CLIENT in atom.varies() - done for atom, done in shown)
    return {(Atom(ANY, (), None, client), frozenset()): Rational.of(1)}


def conclusion(plain: Tree, here: Context, *, contrary: bool) -> tuple[bool, Form, Vector]:
    """Return whether a relation of vectors is an equality, <right - left, w>, and w."""
    equal, shown = sure_difference(plain, here)
    weight = weight_of(shown)
    if contrary:
        shown = negate(multiplied_vectors(shown, shown))
    return equal, product(shown, weight), weight


def with_multiplier(
    premise: SurePremise, by: Tree, weight: Vector | None, known: list[SurePremise], here: Context
) -> Form:
    """Return <premise, m w>, the sign of m being shown where the premise is an inequality.

    w is left out where numbers are claimed.
    """
    if not premise.equal:
        require_nowhere_negative(by, known, here)
    m = _as_vector(by, here)
    return product(premise.vector, multiplied_vectors(m, weight) if weight else m)


def _as_vector(tree: Tree, here: Context) -> Vector:
    """Return a multiplier as a vector: a number is that many ones."""
    is_vector, form = value(tree, here)
    if is_vector or not form:
        return form  # type: ignore[no-any-return]
    return {(Atom(ONES), frozenset()): number(tree, here)}


def require_nowhere_negative(tree: Tree, known: list[SurePremise], here: Context) -> None:
    """Refuse a vector that is not seen to be >= 0: products, sums and means of what is, even powers, what steps show.

    Parameters
    ----------
    tree : Tree
        The vector, or a number.
    known : list of SurePremise
        What steps show to be >= 0; under a mean, everywhere.
    here : Context
        The context.
    """
    is_vector, form = value(tree, here)
    if not is_vector:
        here.require_nonnegative(number(tree, here), "multiplier")
    elif (tree.kind == "power" and int(tree.name) % 2 == 0) or any(_same(form, one.vector) for one in known):
        return
    elif set(form) <= {(Atom(ONES), frozenset())}:
        for by in form.values():
            here.require_nonnegative(by, "multiplier")
    elif tree.kind == "mean":
        require_nowhere_negative(tree.parts[0], [one for one in known if not one.there], here)
    elif tree.kind in ("add", "mul", "power"):
        for part in tree.parts:
            require_nowhere_negative(part, known, here)
    elif tree.kind == "div":
        require_nowhere_negative(tree.parts[0], known, here)
        here.require_positive(number(tree.parts[1], here), "divisor")
    else:
        raise Refused("a multiplier that is not seen to be nowhere negative")


def nonnegative_atoms(premises: Iterable[SurePremise]) -> set[Atom]:
    """Return the atoms that premises show to be nowhere negative, and w."""
    found = {Atom(ANY), Atom(ANY, (), None, client=True)}
    return found | {atom for one in premises if (atom := single(one.vector))}


def is_nonnegative(term: Term, known: list[SurePremise]) -> bool:
    """Return whether a product is >= 0: each factor stands there an even number of times, or is nowhere negative.

    With a mean P between its sides it is <c P a, P b>: then a = b, or all factors are nowhere negative, everywhere.
    """
    if not isinstance(term, Inner):
        return term == NUMBER
    (first, second), common = cores(term.left, term.right, term.averaged)
    sides = [one for side in (first, second) for one in side.factors or (side,) if one.name != ONES]
    if not term.averaged or first != second:
        common = [*common, *sides]
    odd = [one for one in common if common.count(one) % 2]
    if term.averaged and first != second:
        odd = common
    atoms = nonnegative_atoms(one for one in known if not (one.there and term.averaged))
    return all(one in atoms for one in odd)
