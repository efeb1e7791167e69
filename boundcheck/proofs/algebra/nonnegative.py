"""Whether a form is nonnegative: squares with nonnegative weights, and nonnegative terms with nonnegative weights."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations
from typing import TYPE_CHECKING

from boundcheck.proofs.algebra.semidefinite import Square, squares
from boundcheck.proofs.algebra.sums import as_coefficient
from boundcheck.proofs.language.affine import Affine
from boundcheck.proofs.language.forms import ONE, Entry, Inner

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.algebra.scope import Scope
    from boundcheck.proofs.algebra.signs import Signs
    from boundcheck.proofs.language.forms import Coefficient, Scalar, Term


def parts_of(
    form: Scalar, signs: Signs, square_names: frozenset[str], scope: Scope
) -> tuple[tuple[Square, ...], tuple[tuple[Term, Coefficient], ...]] | None:
    """Return squares and nonnegative weights that make up a form, None if none are found."""
    plain = [(term, value) for term, value in form.items() if not isinstance(term, Inner)]
    for term, value in plain:
        known = term == ONE or (isinstance(term, Entry) and term.name in square_names)
        known_sign = known and (
            signs.nonnegative(value) or _within_sum(term, form, signs, scope) or _can_exchange(term, form, signs, scope)
        )
        if not known_sign:
            return None
    found = squares(form, signs)
    return None if found is None else (tuple(found), tuple(plain))


def _within_sum(term: Term, form: Scalar, signs: Signs, scope: Scope) -> bool:
    """Return whether entries that are taken off stand in a sum over the whole range with at least that weight."""
    if not isinstance(term, Entry) or term.varies:
        return False
    for place, letter in enumerate(scope.setting.scalars.get(term.name, ())):
        low, high = scope.setting.indices[letter]
        star = _replace_index(term, place, Affine.letter("*" + letter))
        ranges, at = scope.ranges, term.indices[place]
        off = [
            (t, v)
            for t, v in form.items()
            if isinstance(t, Entry) and _replace_index(t, place, Affine.letter("*" + letter)) == star
        ]
        debts = [v for t, v in off if t != star and not signs.nonnegative(v)]
        if not all(signs.nonnegative(-v) for v in debts):  # a weight of unknown sign could hide what another one owes
            continue
        places = [t.indices[place] for t, v in off if t != star and not signs.nonnegative(v)]
        apart = all(
            ranges.surely_at_least(a, b + 1) or ranges.surely_at_least(b, a + 1) for a, b in combinations(places, 2)
        )
        taken = debts if apart else [sum(debts, scope.number(0))]
        length = as_coefficient(scope.setting.length(letter), scope)
        inside = ranges.surely_at_least(at, low) and ranges.surely_at_least(high, at)
        if star in form and inside and all(signs.nonnegative(form[star] + length * one) for one in taken):
            return True
    return False


def _can_exchange(term: Term, form: Scalar, signs: Signs, scope: Scope) -> bool:
    """Return whether sums of entries that are taken off are part of other sums of them, with at least that weight.

    Over the first of its indices no entry of such a sum is counted twice.
    """
    if not isinstance(term, Entry) or not term.varies or len(term.indices) != 1 or term.argument is not None:
        return False
    mine = {t: v for t, v in form.items() if isinstance(t, Entry) and t.name == term.name and t.varies}
    debts = {t: v for t, v in mine.items() if not signs.nonnegative(v)}
    paying = {t: v for t, v in mine.items() if t not in debts and len(t.varies) == 1}
    share = scope.number(0)
    for one, value in debts.items():
        letter = next((name for name in scope.setting.indices if f"*{name}" in one.varies), "")
        if not letter or abs(dict(one.indices[0].parts)[f"*{letter}"]) != 1 or not signs.nonnegative(-value):
            return False
        share -= value / as_coefficient(scope.setting.length(letter), scope)
    ends = []
    for one, value in paying.items():
        (star,) = one.varies
        if "~" in star or abs(dict(one.indices[0].parts)[star]) != 1:
            return False
        letter = star[1:]
        if not signs.nonnegative(value / as_coefficient(scope.setting.length(letter), scope) - share):
            return False
        pair = [one.indices[0].substitute({star: end}) for end in scope.setting.indices[letter]]
        ends.append(pair if dict(one.indices[0].parts)[star] > 0 else pair[::-1])
    return any(_cover(debts, list(order), scope) for order in permutations(ends))


def _cover(debts: Mapping[Entry, object], ends: list[list[Affine]], scope: Scope) -> bool:
    """Return whether intervals, end to end, hold the places of all debts."""
    ranges = scope.ranges
    joined = ends and all(ranges.surely_at_least(a[1] + 1, b[0]) for a, b in pairwise(ends))
    return bool(joined) and all(
        ranges.surely_at_least(one.indices[0], ends[0][0]) and ranges.surely_at_least(ends[-1][1], one.indices[0])
        for one in debts
    )


def _replace_index(term: Entry, place: int, index: Affine) -> Entry:
    return Entry(term.name, (*term.indices[:place], index, *term.indices[place + 1 :]), term.argument)


def form_text(form: Scalar) -> str:
    """Return a form as text."""
    return " + ".join(f"({value}) {term}" for term, value in form.items()) or "0"
