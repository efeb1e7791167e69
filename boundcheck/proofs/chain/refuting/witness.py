"""Letters, vectors and numbers at which a claim fails though all that is given and all of its steps hold.

Chance and a local search propose; what is returned is multiplied out over the rationals.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, islice, product
from math import ceil, floor
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.proofs.algebra.hypotheses import is_minimum
from boundcheck.proofs.algebra.sums import as_coefficient
from boundcheck.proofs.chain.deciding.laws import NotProvedError
from boundcheck.proofs.chain.deciding.prover import Attempt
from boundcheck.proofs.chain.refuting.failing import DENOMINATORS, CounterexampleProblem, dot, value_at
from boundcheck.proofs.language.affine import ONE as ONE_PART
from boundcheck.proofs.language.forms import CLIENT, ONE, inner
from boundcheck.proofs.language.members import texts
from boundcheck.proofs.language.setting import EULER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.proofs.algebra.points import Array
    from boundcheck.proofs.algebra.scope import Scope
    from boundcheck.proofs.algebra.signs import Signs
    from boundcheck.proofs.chain.deciding.prover import Prover
    from boundcheck.proofs.chain.refuting.failing import Values
    from boundcheck.proofs.language.claim import Claim
    from boundcheck.proofs.language.forms import Scalar

Witness = dict[str, str]
_POINTS = 60
"""How many values of the letters are tried where vectors are looked for at each."""
_CORNERS = 12
"""How many of them are moved to where something given is tight."""
_EULER = 10**12
"""The denominator of what is put for Euler's number, which has a narrow range."""
_FAR = 1e6
_ROUNDING = 1e-9


def counterexample(prover: Prover, claim: Claim) -> Witness | None:
    """Return rational values at which a claim fails though what is given and its steps hold, None if none are met.

    They need not satisfy what the file declares beside: the claim does not follow from its steps, and may be true.

    Vectors are given by their coordinates; one for each client by its mean over the clients and by its deviation from
    that, which is orthogonal to all that the clients share (every such deviation is attained from two clients on).
    None too for an induction, a minimum, cases, an average over another index than the client's.
    """
    if claim.induction or claim.cases or any(map(is_minimum, claim.given)):
        return None
    attempt = Attempt(prover, claim)
    try:
        target, premises, signs, scope = attempt.question()
    except NotProvedError:
        return None
    forms = [target.difference, *(one.difference for one in premises)]
    if any(term.varies - {CLIENT} for form in forms for term in form):
        return None
    whole = {*prover.setting.horizons, *prover.setting.sizes, *claim.over}
    finest = {name: 1 if name in whole else _EULER if name == EULER else 0 for name in prover.setting.names}
    used = [n for n, name in enumerate(prover.setting.names) if name in _used(forms, claim, prover)]
    bare = not any(set(form) - {ONE} for form in forms)
    for point in _places(signs, list(finest.values()), used, None if bare else _POINTS):
        question = CounterexampleProblem.at(point, target, premises, prover.square_names | set(attempt.nonnegative))
        fits = question is not None and _one_value(point, used, prover) and _has_sense(scope, point)
        found = question.failing() if question is not None and fits else None
        if found is not None and _consistent(found, attempt, scope, point):
            return _witness_of(point, forms, found, claim, prover) | found.texts()
    return None


def _has_sense(scope: Scope, point: list[Fraction]) -> bool:
    """Return whether no divisor is 0 at a point, and no sum or mean over too short a range."""
    tops = [(need, value_at(need.value.numer, point), value_at(need.value.denom, point)) for need in scope.needs]
    return all(below != 0 and (top != 0 if need.divides else top * below >= 0) for need, top, below in tops)


def _places(signs: Signs, fixed: list[int], used: list[int], most: int | None) -> Iterator[list[Fraction]]:
    """Yield values of the letters to try: simple ones, where what is given is tight, and fractions; `most` of each."""
    yield from islice(_letters(signs, fixed, used), most)
    yield from islice(_edges(signs, fixed, used), most)
    if most is not None:
        for denominator in DENOMINATORS[1:]:
            yield from islice(_letters(signs, fixed, used, (denominator,)), most // len(DENOMINATORS))


def _letters(
    signs: Signs, fixed: list[int], used: list[int], denominators: tuple[int, ...] = DENOMINATORS
) -> Iterator[list[Fraction]]:
    """Yield rational values of the letters at which all that is given about them holds, simple ones first.

    `fixed` are the denominators of letters whose denominator is not free, 0 for others; `used` the letters that matter.
    """
    met: set[tuple[Fraction, ...]] = set()
    for denominator in denominators:
        ends = [end or denominator for end in fixed]
        points = [_near(row, ends, signs) for row in signs.points]
        for point in sorted(points, key=lambda point: sum(point[n].numerator + point[n].denominator for n in used)):
            key = tuple(point[n] for n in used)
            if key not in met and all(value_at(h, point) >= 0 for h in signs.hypotheses):
                met.add(key)
                yield point


def _edges(signs: Signs, fixed: list[int], used: list[int]) -> Iterator[list[Fraction]]:
    """Yield values near the simplest ones at which something given holds with nothing or little to spare."""
    met: set[tuple[Fraction, ...]] = set()
    places = product(islice(_letters(signs, fixed, used), _CORNERS), signs.hypotheses, used)
    for point, hypothesis, n in places:
        for x in _zeros(hypothesis, point, n):
            end = fixed[n] or DENOMINATORS[-2]
            for whole in (floor(x * end), ceil(x * end)):
                moved = [*point[:n], Fraction(whole, end), *point[n + 1 :]]
                key = tuple(moved[k] for k in used)
                legal = signs.signs[n] == "real" or moved[n] > 0 or (moved[n] == 0 and signs.signs[n] == ">= 0")
                if legal and key not in met and all(value_at(h, moved) >= 0 for h in signs.hypotheses):
                    met.add(key)
                    yield moved


def _zeros(polynomial: Any, point: list[Fraction], place: int) -> list[Fraction]:
    """Return where a polynomial in one letter vanishes, the others being fixed: up to rounding."""
    powers: dict[int, Fraction] = {}
    for monomial, number in polynomial.terms():
        term = Fraction(int(number.numerator), int(number.denominator))
        for k, exponent in enumerate(monomial):
            term *= 1 if k == place else point[k] ** exponent
        powers[monomial[place]] = powers.get(monomial[place], Fraction(0)) + term
    roots = np.roots([float(powers.get(k, 0)) for k in range(max(powers), -1, -1)])
    real = roots[np.abs(roots.imag) <= _ROUNDING * np.abs(roots)].real
    return [Fraction(float(x)).limit_denominator(DENOMINATORS[-1] ** 2) for x in real if abs(x) < _FAR]


def _near(row: Array, ends: list[int], signs: Signs) -> list[Fraction]:
    """Return the nearest values with these denominators that have the letters' signs."""
    least = [Fraction(sign == "> 0", end) for sign, end in zip(signs.signs, ends, strict=True)]
    near = [Fraction(float(x)).limit_denominator(end) for x, end in zip(row, ends, strict=True)]
    return [x if sign == "real" else max(x, low) for x, low, sign in zip(near, least, signs.signs, strict=True)]


def _one_value(point: list[Fraction], used: list[int], prover: Prover) -> bool:
    """Return whether members of a letter whose indices are the same numbers have the same value."""
    setting = prover.setting
    at = dict(zip(setting.names, point, strict=True)) | {ONE_PART: Fraction(1)}
    seen: dict[tuple[str, tuple[Fraction, ...]], Fraction] = {}
    for (name, indices), slot in setting.members.items():
        place = name, tuple(sum((v * at[x] for x, v in one.parts), Fraction(0)) for one in indices)
        if setting.names.index(slot) in used and seen.setdefault(place, at[slot]) != at[slot]:
            return False
    return True


def _consistent(found: Values, attempt: Attempt, scope: Scope, point: list[Fraction]) -> bool:
    """Return whether there are such vectors: clients differ if there are two, and what a law makes orthogonal is."""
    births = attempt.prover.births
    if found.spread:
        clients = as_coefficient(attempt.setting.length(CLIENT), scope)
        if value_at(clients.numer, point) < 2 * value_at(clients.denom, point):
            return False
    pairs = combinations(sorted(found.vectors, key=str), 2)
    meeting = [(a[0], b[0], a[1]) for a, b in pairs if a[1] == b[1] and dot(found.vectors[a], found.vectors[b])]
    return all(births.fresh({inner(*pair): scope.number(1)}, scope)[0] for pair in meeting)


def _used(forms: list[Scalar], claim: Claim, prover: Prover) -> set[str]:
    """Return the letters that the claim or a premise depends on."""
    polynomials = [p for form in forms for value in form.values() for p in (value.numer, value.denom)]
    places = {n for p in polynomials for m in p.monoms() for n, e in enumerate(m) if e}
    return {prover.setting.names[n] for n in places} | set(claim.letters)


def _witness_of(point: list[Fraction], forms: list[Scalar], found: Values, claim: Claim, prover: Prover) -> Witness:
    """Return the letters that matter; how many clients there are, where they differ."""
    used = _used(forms, claim, prover) | (prover.setting.length(CLIENT).letters if found.spread else set())
    rows = zip(prover.setting.names, texts(prover.setting), point, strict=True)
    return {text: str(x) for name, text, x in rows if name in used}
