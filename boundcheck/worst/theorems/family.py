"""The conditions of one round of a method as polynomials in its steps: read off its own code, at exact points.

A step that goes to 0 makes all gradients of a round equal, and every matrix singular.  With h = eta K, forms are
therefore written in vectors that stay apart:

* means: grad F(x), the server's vectors, v_k = grad at local point k less grad at x, w = (grad at x+ less that)/h^s;
* deviations: h grad f_i(x), h times the clients' vectors, v_k and w;

x+ - x being of order h^s.  An unknown has the power of h at which its form neither vanishes nor explodes at h = 0.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError
from boundcheck.worst.gram.exact import ExactNumber, fraction
from boundcheck.worst.gram.trace import ORIGIN
from boundcheck.worst.theorems.bernstein.polynomials import Poly, add, interpolate, multiply, shift
from boundcheck.worst.theorems.generic import start_method
from boundcheck.worst.theorems.systems import FIXED, conditions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.methods.base import Method
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.facts.hypotheses import Name
from boundcheck.worst.theorems.systems import PotentialConditions

_DEGREES = (2, 4)
"""Degrees in each step that are tried."""
_LENGTH_OF_STEP = "h"
"""Letter of h = eta K, the length of a round's way in units in which L = 1."""


@dataclass(frozen=True)
class StepFamily:
    """A method whose steps are letters.

    Attributes
    ----------
    method : Method
        With hyperparameters that are fractions; those of the letters are not used.
    letters : tuple of str
        Hyperparameters that vary, or ``("h",)`` for h = eta K.
    K : int
        Local steps.
    given : ProblemClass
    """

    method: Method
    letters: tuple[str, ...]
    K: int
    given: ProblemClass

    def at(self, point: Sequence[Any]) -> Method:
        """Return the method at values of the letters."""
        named = dict(zip(self.letters, point, strict=True))
        if _LENGTH_OF_STEP in named:
            named["eta"] = named.pop(_LENGTH_OF_STEP) / self.K
        exact = all(isinstance(v, Fraction) for v in point)
        changed = {n: ExactNumber(v) if exact else v for n, v in named.items()}
        return dataclasses.replace(self.method, **changed)  # type: ignore[type-var]

    def conditions(self, point: Sequence[Any]) -> PotentialConditions:
        """Return what a potential must meet at one point."""
        return conditions(self.at(point), self.given, K=self.K)


@dataclass(frozen=True)
class RoundPolynomials:
    """All forms of a family, as polynomials in its letters.

    Attributes
    ----------
    family : StepFamily
    sample : PotentialConditions
        At one point: names and kinds of what the round meets.
    forms : dict
        System and unknown to the form it multiplies: product of vectors, value or constant to a polynomial.
    places : dict
        Number of a point, block, and basis vector to its coefficient in the point less x.
    after, start : dict
        Block, number of a state's coordinate, and basis vector to its coefficient, after the round and at the start.
    short : dict
        Basis vector to the power of h that it stands over, where the method keeps sums of steps.
    """

    family: StepFamily
    sample: PotentialConditions
    forms: dict[str, dict[Name, dict[tuple[Any, ...], Poly]]]
    places: dict[tuple[int, ...], Poly]
    after: dict[tuple[int, ...], Poly]
    start: dict[tuple[int, ...], Poly]
    short: dict[int, int] = field(default_factory=dict)

    @property
    def dimension(self) -> int:
        """Return the number of letters."""
        return len(self.family.letters)


def polynomials(family: StepFamily) -> RoundPolynomials:
    """Return the forms of a family.

    Raises
    ------
    NotApplicableError
        If they are no polynomials of low degree, or the round meets what has no words here.
    """
    count = len(family.letters)
    nodes = [[Fraction(k + 1, 7 + 2 * axis) for k in range(max(_DEGREES) + 1)] for axis in range(count)]
    for degree in _DEGREES:
        try:
            found = interpolate(lambda point: _sample(family, point), (degree,) * count, nodes)
        except ValueError:
            continue
        sample = family.conditions(tuple(node[0] for node in nodes))
        forms: dict[str, dict[Name, dict[tuple[Any, ...], Poly]]] = {s: {} for s in sample.systems}
        rows: dict[str, dict[tuple[int, ...], Poly]] = {"at": {}, "next": {}, "start": {}}
        for name, p in found.items():
            if name[0] in rows:
                rows[name[0]][name[1:]] = p
            else:
                forms[name[1]].setdefault(name[2], {})[name[3]] = p
        made = RoundPolynomials(family, sample, forms, rows["at"], rows["next"], rows["start"])
        return _in_lengths(made) if family.letters == (_LENGTH_OF_STEP,) else made
    named = ", ".join(family.letters)
    msg = f"method {family.method.card.id}: its round is no polynomial of degree {max(_DEGREES)} in {named}"
    raise NotApplicableError(msg)


def _in_lengths(made: RoundPolynomials) -> RoundPolynomials:
    """Return the forms with vectors of the server and the clients that are as short as h (sums of steps) over h."""
    one = made.sample.round
    reading = one.reading
    basis = {e.label: k for k, e in enumerate(one.oracle.basis) if e.kind in ("server", "client")}
    gradients = {p.gradient for p in one.oracle.points}
    offsets = len(reading.gradients), 0 if reading.tilts is not None else len(reading.gradients)
    places: list[dict[int, int]] = [{}, {}]
    short: dict[int, int] = {}
    for block, ties in enumerate((reading.means, reading.deviations)):
        for n, name in enumerate(reading.free(ties), offsets[block]):
            places[block][n] = basis[name]
            fed = [e[0] for (b, m, i), p in made.after.items() if (b, m) == (block, n) and i in gradients for e in p]
            least = min(fed, default=0)
            short[basis[name]] = min(short.get(basis[name], least), least)
    short = {k: power for k, power in short.items() if power > 0}
    if not short:
        return made

    def vector(i: int) -> int:
        return short.get(i, 0)

    def coordinate(block: int, n: int) -> int:
        return short.get(places[block].get(n, -1), 0)

    found: dict[str, dict[Name, dict[tuple[Any, ...], Poly]]] = {}
    for system, parts in made.forms.items():
        for unknown, form in parts.items():
            of = {"W": 0, "U": 1}.get(str(unknown[0]), -1) if unknown else -1
            over = sum(coordinate(of, int(n)) for n in unknown[1:]) if of >= 0 and system != "end" else 0
            lifts = {
                key: sum(map(vector, key[1:])) if key[0] in ("P", "Q") and system == "round" else 0 for key in form
            }
            own = {key: shift(p, (lifts[key] - over,)) for key, p in form.items()}
            found.setdefault(system, {})[unknown] = own
    return RoundPolynomials(
        made.family,
        made.sample,
        found,
        {key: shift(p, (vector(key[-1]),)) for key, p in made.places.items()},
        {key: shift(p, (vector(key[-1]) - coordinate(*key[:2]),)) for key, p in made.after.items()},
        {key: shift(p, (-coordinate(*key[:2]),)) for key, p in made.start.items()},
        short,
    )


def _sample(family: StepFamily, point: Sequence[Any]) -> dict[Any, Fraction]:
    """Return all numbers of a round at one point: coefficients of forms, of the points met, of the states."""
    asked = family.conditions(point)
    found: dict[Any, Fraction] = {}
    for system, one in asked.systems.items():
        for name, form in one.parts.items():
            for key, c in form.items():
                found["form", system, name, key] = Fraction(c) / one.scale
    oracle, reading = asked.round.oracle, asked.round.reading
    first = oracle.points[0].at
    for k, met in enumerate(oracle.points):
        for block, row in enumerate((met.at - first).coefficients):
            found |= {("at", k, block, i): fraction(c) for i, c in enumerate(row) if c and i != ORIGIN}
    noisy = family.given.sigma > 0
    own, states = start_method(family.at(point), N=family.given.N, K=family.K, noisy=noisy, rounds=asked.round.first)
    for when, coordinates in (
        ("next", reading.coordinates(oracle, asked.round.after)),
        ("start", reading.coordinates(own, states[-1])),
    ):
        for block, vectors in enumerate(coordinates):
            for n, v in enumerate(vectors):
                row = v.coefficients[block]
                found |= {(when, block, n, i): fraction(c) for i, c in enumerate(row) if c and i != ORIGIN}
    return found


@dataclass(frozen=True)
class ScaledForms:
    """Forms in vectors and unknowns that stay of one size as h goes to 0.

    Attributes
    ----------
    forms : dict
        System to unknown to matrices, values and constants.  Negative exponents stand in the round's matrices where
        they cancel, and have to.
    power : dict
        Unknown to the power of h that multiplies it.
    order : int
        s: x+ - x is of order h^s.
    """

    forms: dict[str, dict[Name, dict[tuple[Any, ...], Poly]]]
    power: dict[Name, int]
    order: int


def scale_forms(made: RoundPolynomials) -> ScaledForms:
    """Return forms in the vectors of the module's text; the only letter is h."""
    one = made.sample.round
    points = one.oracle.points
    last = max(k for k, p in enumerate(points) if p.is_server)
    orders = [e[0] for (k, _, _), p in made.places.items() if k == last for e in p]
    order = min(orders, default=0)
    first = points[0].gradient
    bases = {block: _vectors(made, block, order, last) for block in "PQ"}
    forms: dict[str, dict[Name, dict[tuple[Any, ...], Poly]]] = {}
    for system, parts in made.forms.items():
        for name, form in parts.items():
            if name[:2] == ("U", 0) and made.family.given.zeta is not None:
                continue
            own: dict[tuple[Any, ...], Poly] = {}
            for key, p in form.items():
                block = key[0]
                if block not in ("P", "Q"):
                    own[key] = add(own.get(key, {}), p)
                elif system == "round":
                    for a, by in bases[block][key[1]].items():
                        for b, of in bases[block][key[2]].items():
                            pair = (block, min(a, b), max(a, b))
                            own[pair] = add(own.get(pair, {}), multiply(p, by, of))
                else:
                    # At the start and the end all vectors are those of a state.
                    own[key] = add(own.get(key, {}), shift(p, (-2,)) if block == "Q" else p)
            forms.setdefault(system, {})[name] = {key: p for key, p in own.items() if p}
    steady = {first} | {k for k, e in enumerate(one.oracle.basis) if e.kind == "client"}
    power = {}
    for name in {name for parts in forms.values() for name in parts}:
        system = "round" if name in forms["round"] else "start"
        form = forms[system].get(name, {})
        # What a tilt of the clients' functions adds to conditions of smoothness is gone once values are balanced.
        tilted = name[:2] == ("round", "interpolation")
        exponents: dict[str, list[int]] = {"P": [], "Q": []}
        for key, p in form.items():
            if key[0] == "P" or (key[0] == "Q" and not (tilted and steady.issuperset(key[1:]))):
                exponents[str(key[0])] += [e[0] for e in p]
        # At the start blocks are scaled each by itself; means come first there.
        chosen = exponents["P"] + exponents["Q"] if system == "round" else exponents["P"] or exponents["Q"]
        power[name] = -min(chosen, default=0)
    power["p",] = -order
    power["start", "start", 0] = -order
    power[FIXED] = 0
    _raise_powers(forms, power)
    return ScaledForms(
        {s: _clear_denominators(parts, power, lift=s != "round") for s, parts in forms.items()}, power, order
    )


def _raise_powers(forms: dict[str, dict[Name, dict[tuple[Any, ...], Poly]]], power: dict[Name, int]) -> None:
    """Raise powers until at h = 0 no product of two vectors stands beside a square that vanishes for all unknowns."""
    while True:
        at_zero: dict[tuple[Any, ...], set[Name]] = {}
        for name, form in forms["round"].items():
            for key, p in form.items():
                if key[0] in ("P", "Q") and p.get((-power[name],)):
                    at_zero.setdefault(key, set()).add(name)
        squares_of = {(block, i) for block, i, j in at_zero if i == j}
        wrong = {
            name
            for (block, i, j), names in at_zero.items()
            if i != j and not {(block, i), (block, j)} <= squares_of
            for name in names
            if name[0] in ("W", "U")
        }
        if not wrong:
            return
        for name in wrong:
            power[name] += 1


def _vectors(made: RoundPolynomials, block: str, order: int, last: int) -> dict[int, dict[int, Poly]]:
    """Return the basis vectors of a block, each as a sum of the scaled ones (by the same numbers)."""
    one = made.sample.round
    points = one.oracle.points
    first = points[0].gradient
    spoken = made.sample.systems["round"].indices(block)
    own: Poly = {(0 if block == "P" else -1,): Fraction(1)}
    found: dict[int, dict[int, Poly]] = {}
    local = {p.gradient: k for k, p in enumerate(points) if k}
    for k in spoken:
        if k not in local:
            found[k] = {k: own}
            continue
        apart: Poly = {(order if local[k] == last else 0,): Fraction(1)}
        found[k] = ({first: own} if first in spoken else {}) | {k: apart}
    return found


def _clear_denominators(
    parts: dict[Name, dict[tuple[Any, ...], Poly]], power: dict[Name, int], *, lift: bool
) -> dict[Name, Any]:
    """Return the forms of a system times the powers of their unknowns; values, and blocks, times one power more."""
    moved = {n: {key: shift(p, (power[n],)) for key, p in form.items()} for n, form in parts.items()}
    exponents: dict[str, list[int]] = {"f": [], "P": [0], "Q": [0], "1": [0]}
    for form in moved.values():
        for key, p in form.items():
            exponents[str(key[0])] += [e[0] for e in p]
    lifts = {kind: -min(found, default=0) if lift or kind == "f" else 0 for kind, found in exponents.items()}
    lifts["1"] = 0
    return {n: {key: shift(p, (lifts[str(key[0])],)) for key, p in form.items()} for n, form in moved.items()}
