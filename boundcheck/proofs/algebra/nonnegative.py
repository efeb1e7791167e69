"""Whether a form is nonnegative: squares with nonnegative weights, and nonnegative terms with nonnegative weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.proofs.algebra.semidefinite import Square, squares
from boundcheck.proofs.algebra.sums import as_coefficient
from boundcheck.proofs.language.affine import Affine
from boundcheck.proofs.language.forms import ONE, Entry, Inner

if TYPE_CHECKING:
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
        if not known or not (signs.nonnegative(value) or _within_sum(term, form, signs, scope)):
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
        taken = sum(debts, scope.number(0))
        length = as_coefficient(scope.setting.length(letter), scope)
        inside = ranges.surely_at_least(at, low) and ranges.surely_at_least(high, at)
        if star in form and inside and signs.nonnegative(form[star] + length * taken):
            return True
    return False


def _replace_index(term: Entry, place: int, index: Affine) -> Entry:
    return Entry(term.name, (*term.indices[:place], index, *term.indices[place + 1 :]), term.argument)


def form_text(form: Scalar) -> str:
    """Return a form as text."""
    return " + ".join(f"({value}) {term}" for term, value in form.items()) or "0"
