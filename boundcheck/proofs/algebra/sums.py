"""Sums and means over an index: linear rules, boundary terms (so that telescoping follows), sums of powers."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.language.affine import Affine
from boundcheck.proofs.language.forms import Entry, add_forms, scale_form
from boundcheck.proofs.language.members import by_members, depends, with_members

if TYPE_CHECKING:
    from boundcheck.proofs.algebra.scope import Scope
    from boundcheck.proofs.language.affine import Range
    from boundcheck.proofs.language.forms import Coefficient, Scalar, Term

_FAR = 8
"""Most boundary terms that a sum over a shifted index may leave."""


def as_coefficient(index: Affine, scope: Scope) -> Coefficient:
    """Return an index as an element of the field."""
    total = scope.number(0)
    for name, value in index.parts:
        total += value * (scope.setting.generators[name] if name else scope.number(1))
    return total


def average_form(form: Scalar, letter: str, scope: Scope) -> Scalar:
    """Return the mean of a form over the whole range of an index, which must not be empty."""
    whole = scope.setting.indices[letter]
    scope.around(letter).require_length(scope.setting.length(letter), 1)
    length = as_coefficient(scope.setting.length(letter), scope)
    if length == 0:
        msg = f"mean over {letter}: its range {whole[0]} .. {whole[1]} is empty"
        raise InputError(msg)
    return scale_form(sum_form(form, letter, whole, scope), 1 / length)


def sum_form(form: Scalar, letter: str, over: Range, scope: Scope) -> Scalar:
    """Return the sum of a form over an index from first to last value.

    Parameters
    ----------
    form : Scalar
        Depends on the index `letter`, which is free in it.
    letter : str
        The index.
    over : Range
        First and last value.  A sum over an empty range is 0, which is what the closed forms give for last = first - 1
        and for no range that is shorter: that none is, is noted in the scope around the sum as what has to be shown.
    scope : Scope
        The scope in which the form was read.

    Raises
    ------
    InputError
        If a weight and an entry both depend on the index, or the sum is no whole range up to a few boundary terms.
    """
    scope.around(letter).require_length(over[1] - over[0] + 1, 0)
    return add_forms(*(_one_term(term, value, letter, over, scope) for term, value in form.items()))


def _one_term(term: Term, value: Coefficient, letter: str, over: Range, scope: Scope) -> Scalar:
    star = {letter: Affine.letter("*" + letter)}
    constant = term.substitute(star) == term
    if by_members(value, letter, scope.setting) or (not constant and depends(value, letter, scope.setting)):
        weight = with_members(str(value), scope.setting)
        msg = f"sum over {letter}: the weight {weight} of {term} depends on {letter} too; bound it first, or name it"
        raise InputError(msg)
    if constant:
        return {term: power_sum(value, letter, over, scope)}
    low, high = scope.setting.indices[letter]
    whole_range = over == (low, high)
    shift = 0 if not isinstance(term, Entry) or (whole_range and _is_mixed(term, letter)) else _shift(term, letter)
    # The entry at `letter + shift` runs over (low', high'); what differs from the whole range are boundary terms.
    first, last = over[0] + shift, over[1] + shift
    start, end = (first - low).constant, (last - high).constant
    if start is None or end is None or max(abs(start), abs(end)) > _FAR:
        what = f"not the whole range {low} .. {high}; at most a few terms may be missing"
        msg = f"sum over {letter} from {first} to {last} of {term}: {what}"
        raise InputError(msg)
    scope.around(letter).require_length(scope.setting.length(letter), 0)
    length = as_coefficient(scope.setting.length(letter), scope)
    whole: Scalar = {term.substitute({letter: Affine.letter("*" + letter) - shift}): value * length}
    boundary = [(high + n, 1) for n in range(1, end + 1)] + [(high - n, -1) for n in range(-end)]
    boundary += [(low + n, -1) for n in range(start)] + [(low - n, 1) for n in range(1, -start + 1)]
    return add_forms(whole, *({term.substitute({letter: at - shift}): value * sign} for at, sign in boundary))


def _is_mixed(term: Entry, letter: str) -> bool:
    """Return whether an index is not the letter plus a number, as t - 1 - d: summed over the whole range alone."""
    indices = [*term.indices, *(term.argument.indices if term.argument else ())]
    return any((index - Affine.letter(letter)).constant is None for index in indices if letter in index.letters)


def _shift(term: Entry, letter: str) -> int:
    indices = [*term.indices, *(term.argument.indices if term.argument else ())]
    shifts = {(index - Affine.letter(letter)).constant for index in indices if letter in index.letters}
    if len(shifts) != 1 or None in shifts:
        msg = f"sum over {letter} of {term}: its index must be {letter} plus a number"
        raise InputError(msg)
    return next(iter(shifts)) or 0


def power_sum(value: Coefficient, letter: str, over: Range, scope: Scope) -> Coefficient:
    """Return the sum of a polynomial weight over an index, by the closed forms of sums of powers."""
    k = scope.setting.generators[letter]
    place = scope.setting.names.index(letter)
    if any(monomial[place] for monomial in value.denom):
        msg = f"sum over {letter}: the weight {value} divides by {letter}"
        raise InputError(msg)
    low, end = as_coefficient(over[0], scope), as_coefficient(over[1] + 1, scope)
    total, field = scope.number(0), scope.setting.field
    for monomial, number in value.numer.terms():
        power = monomial[place]
        rest = field.new(k.numer.ring({(*monomial[:place], 0, *monomial[place + 1 :]): number}))
        total += rest * (_below(end, power, scope) - _below(low, power, scope))
    return total / field.new(value.denom)


def _below(n: Coefficient, power: int, scope: Scope) -> Coefficient:
    """Return ``0^power + ... + (n - 1)^power`` as a polynomial in n (Bernoulli's numbers with B_1 = -1/2)."""
    numbers = [Fraction(1)]
    for m in range(1, power + 1):
        numbers.append(-sum((comb(m + 1, j) * numbers[j] for j in range(m)), Fraction(0)) / (m + 1))
    terms = (
        scope.number(comb(power + 1, j) * numbers[j] / (power + 1)) * n ** (power + 1 - j) for j in range(power + 1)
    )
    return sum(terms, scope.number(0))
