"""What is given about letters, as polynomials that are not negative."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError
from boundcheck.proofs.algebra.book import ProductStore
from boundcheck.proofs.algebra.evaluate import coefficient
from boundcheck.proofs.algebra.samples import size_of, spread_facts
from boundcheck.proofs.algebra.scope import Scope
from boundcheck.proofs.algebra.signs import Signs
from boundcheck.proofs.algebra.sums import as_coefficient
from boundcheck.proofs.language.affine import Affine
from boundcheck.proofs.language.forms import CLIENT
from boundcheck.proofs.language.grammar import BINDERS
from boundcheck.proofs.language.setting import EULER
from boundcheck.proofs.language.steps import letters_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from boundcheck.proofs.language.affine import Range
    from boundcheck.proofs.language.claim import Claim
    from boundcheck.proofs.language.forms import Coefficient
    from boundcheck.proofs.language.grammar import Node
    from boundcheck.proofs.language.indexed import Sign
    from boundcheck.proofs.language.setting import ProofSetting

EULER_RANGE = ("2718/1000", "2719/1000")
"""What is used of Euler's number."""
EULER_NARROW = ("2718281828459/1000000000000", "271828182846/100000000000")
"""What is used of it where that is not enough."""


def signs_of(
    given: Iterable[Node],
    setting: ProofSetting,
    over: Mapping[str, Range],
    scope: Scope | None = None,
    book: ProductStore | None = None,
    positive: str = "",
    shown: Iterable[Node] = (),
    above: Mapping[str, Affine] | None = None,
) -> Signs:
    """Return what decides signs where `given` and what is `shown` holds, indices in range and one letter positive.

    Of index letters in `above` only the first value is known: that there is one at all is nowhere said.

    Raises
    ------
    InputError
        If a hypothesis is not a relation between letters.
    """
    scope = scope or Scope(setting, over)
    ring = setting.field.ring
    book = ProductStore() if book is None else book
    lowest = {name: ends[0] for name, ends in over.items()} | dict(above or {})
    declared = ["> 0" if name == positive else _sign(name, setting, lowest, over) for name in setting.names]
    signs = Signs(ring, declared, _domain(setting, over, scope, above or {}), book)
    for node in given:
        facts = polynomials(node, scope, signs)
        signs = Signs(ring, signs.signs, (*signs.hypotheses, *(_clear_denominator(v, signs) for v in facts)), book)
    lifted = _signs_with_bounds(signs)
    signs = Signs(ring, lifted, signs.hypotheses, book) if lifted != list(signs.signs) else signs
    steps = [_clear_denominator(v, signs) for node in shown for v in polynomials(node, scope, signs)]
    divided = [_divide_letters(one, signs) for one in steps if one != 0]
    return Signs(ring, signs.signs, (*signs.hypotheses, *divided), book) if divided else signs


def _signs_with_bounds(signs: Signs) -> list[Any]:
    """Return the signs of letters, positive where what is given bounds one from below by a positive number."""
    found = list(signs.signs)
    for one in signs.hypotheses:
        if len(one) == 2 and sum(one.LM) == 1 and one.LC > 0 and one.coeff(1) < 0:
            found[one.LM.index(1)] = "> 0"
    return found


def _sign(name: str, setting: ProofSetting, lowest: Mapping[str, Affine], over: Mapping[str, Range]) -> Sign:
    """Return the sign of a letter: an index letter is not negative if its first value is surely none below 0."""
    if name not in lowest:
        return setting.sign(name)
    return ">= 0" if setting.ranges(over).surely_at_least(lowest[name], Affine()) else "real"


@dataclass
class SignCache:
    """What decides signs within one attempt, made once for a scope and hypotheses.

    Both are known by identity and held, so that no other takes their place; so are the signs that were found.
    """

    _made: dict[tuple[Any, ...], tuple[Signs, tuple[Any, ...]]] = field(default_factory=dict)

    def of(
        self,
        given: Sequence[Node],
        setting: ProofSetting,
        scope: Scope,
        book: ProductStore,
        positive: str,
        shown: Sequence[Node],
    ) -> Signs:
        """Return what `signs_of` returns."""
        held = (scope, *given, None, *shown)
        key = (positive, *map(id, held))
        if key not in self._made:
            self._made[key] = signs_of(given, setting, scope.over, scope, book, positive, shown), held
        return self._made[key][0]


def polynomials(node: Node, scope: Scope, signs: Signs) -> list[Coefficient]:
    """Return what a relation between letters says is not negative: two expressions for an equality."""
    del signs
    found: list[Coefficient] = []
    if node.kind != "relation":
        msg = f"given {str(node)!r} is not legal: a relation between letters, with <=, >= or ="
        raise InputError(msg)
    if is_minimum(node):
        smallest = coefficient(node.parts[0], scope)
        return [coefficient(part, scope) - smallest for part in node.parts[1].parts]
    values = [coefficient(part, scope) for part in node.parts]
    for sign, left, right in zip(node.name.split(), values, values[1:], strict=False):
        found += [right - left] * (sign in {"<=", "="}) + [left - right] * (sign in {">=", "="})
    return found


def of_letters(node: Node, setting: ProofSetting) -> bool:
    """Return whether an expression or a relation is about letters, members included, alone."""
    other = node.kind in {"call", "inner", "norm2", *BINDERS} or (
        node.kind == "entry" and node.name not in setting.indexed
    )
    return not other and all(of_letters(part, setting) for part in node.parts)


def is_minimum(node: Node) -> bool:
    """Return whether a hypothesis says that a number is the smallest of several: ``beta = min(c, r)``."""
    return node.kind == "relation" and node.name == "=" and node.parts[1].kind == "min"


def nonnegative_sequence(claim: Claim, given: Iterable[Node], setting: ProofSetting) -> str:
    """Return the sequence of numbers that a claim shows nonnegative at every index, empty if it shows another thing."""
    if claim.at or any(letters_of(node) & set(claim.over) for node in given):
        return ""
    parts = claim.shows.parts
    small, large = parts if claim.shows.name == "<=" else parts[::-1]
    if claim.shows.name == "=" or str(small) != "0" or large.name not in setting.scalars:
        return ""
    if large.name in setting.coordinates:
        number, letters = setting.numbers[large.name], setting.scalars[large.name]
        everywhere = dict(claim.over) == dict(zip(letters, number.ranges, strict=True))
        return large.name if everywhere and all(part.name in letters for part in large.parts) else ""
    one = setting.definitions.get(large.name)
    return large.name if one and large == one.left and dict(claim.over) == dict(one.over) else ""


def same_minimum(first: Node, second: Node, scope: Scope, signs: Signs) -> bool:
    """Return whether two hypotheses say the same of a minimum, up to a positive factor and order.

    With a negative factor one of the two would be about a maximum.
    """
    if not (is_minimum(first) and is_minimum(second)):
        return False
    one, other = (coefficient(node.parts[0], scope) for node in (first, second))
    if one == 0 or other == 0:
        return False
    factor = one / other
    mine, theirs = ({coefficient(part, scope) for part in node.parts[1].parts} for node in (first, second))
    return mine == {factor * part for part in theirs} and signs.positive(factor)


def branches(given: Iterable[Node]) -> list[tuple[Node, ...]]:
    """Return the cases that minima leave: each is one of its arguments."""
    from boundcheck.proofs.language.grammar import Node

    choices = [[Node("relation", "=", (n.parts[0], part)) for part in n.parts[1].parts] for n in given if is_minimum(n)]
    return list(product(*choices))


def _clear_denominator(value: Coefficient, signs: Signs) -> Any:
    """Return a polynomial of the same sign: without the denominator where that is positive, else times it."""
    denominator = value.field.new(value.denom)
    return value.numer if value.denom.is_ground or signs.positive(denominator) else value.numer * value.denom


def _divide_letters(polynomial: Any, signs: Signs) -> Any:
    """Return a polynomial of the same sign, without the positive letters that divide all of it."""
    powers = zip(*polynomial.monoms(), strict=True)
    least = [min(each) if sign == "> 0" else 0 for each, sign in zip(powers, signs.signs, strict=True)]
    return polynomial.ring.from_dict({tuple(map(int.__sub__, m, least)): v for m, v in polynomial.terms()})


def _domain(
    setting: ProofSetting, over: Mapping[str, Range], scope: Scope, above: Mapping[str, Affine]
) -> tuple[object, ...]:
    """Return what holds of itself: horizons are at least 1, samples have 1 to N clients, indices their ranges."""
    generators = setting.generators
    facts = [generators[name] - 1 for name in sorted(setting.horizons)]
    for bounds in (EULER_RANGE, EULER_NARROW):
        least, most = (scope.number(Fraction(text)) for text in bounds)
        facts += [generators[EULER] - least, most - generators[EULER]]
    for size in (size_of(one, scope) for one in setting.sizes):
        facts += [size - 1, as_coefficient(setting.length(CLIENT), scope) - size]
    facts += spread_facts(scope)
    for letter, ends in over.items():
        if letter != CLIENT:
            facts += [
                generators[letter] - as_coefficient(ends[0], scope),
                as_coefficient(ends[1], scope) - generators[letter],
            ]
    facts += [generators[letter] - as_coefficient(low, scope) for letter, low in above.items()]
    return tuple(fact.numer for fact in facts if not fact.numer.is_ground)
