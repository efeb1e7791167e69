"""Vectors and numbers at which a form is negative though others are not: a local search, rounded and multiplied out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.proofs.algebra.semidefinite import component, subsets
from boundcheck.proofs.language.forms import CLIENT, ONE, Entry, Inner

if TYPE_CHECKING:
    from boundcheck.proofs.algebra.points import Array
    from boundcheck.proofs.algebra.relation import Premise
    from boundcheck.proofs.language.forms import Atom, Scalar

DENOMINATORS = (1, 2, 4, 10, 100, 1000)
"""Of the values that are tried, simple ones first."""
_STARTS = 3
_DIMENSIONS = 2
"""A quadratic form with two quadratic conditions fails in two dimensions if it fails at all."""
Place = tuple["Atom", frozenset[str]]
"""A vector's component in one part of the space."""


def value_at(polynomial: Any, point: list[Fraction]) -> Fraction:
    """Return the value of a polynomial."""
    total = Fraction(0)
    for monomial, number in polynomial.terms():
        term = Fraction(int(number.numerator), int(number.denominator))
        for x, exponent in zip(point, monomial, strict=True):
            term *= x**exponent
        total += term
    return total


def coefficients(form: Scalar, point: list[Fraction]) -> dict[Any, Fraction] | None:
    """Return a form's coefficients, None where one is not defined."""
    denominators = {term: value_at(value.denom, point) for term, value in form.items()}
    if not all(denominators.values()):
        return None
    return {term: value_at(value.numer, point) / denominators[term] for term, value in form.items()}


@dataclass(frozen=True)
class Values:
    """Coordinates of vectors, part by part, and numbers."""

    vectors: dict[Place, tuple[Fraction, ...]]
    numbers: dict[Entry, Fraction]

    @property
    def spread(self) -> bool:
        """Whether clients differ."""
        return any(CLIENT in atom.varies and not part and any(x) for (atom, part), x in self.vectors.items())

    def texts(self) -> dict[str, str]:
        """Return the values as text: a vector of which there is one a client by mean and deviation."""
        found: dict[str, str] = {}
        for atom in sorted({atom for atom, _ in self.vectors}, key=str):
            parts = {bool(part): x for (other, part), x in self.vectors.items() if other == atom}
            mean, deviation = (_text(parts.get(key)) for key in (True, False))
            # What the clients share has the same coordinates in every part.
            whole = _text(next(iter(parts.values())))
            found[str(atom)] = f"mean {mean}, deviation {deviation}" if CLIENT in atom.varies else whole
        return found | {str(entry): str(x) for entry, x in self.numbers.items()}


def _text(coordinates: tuple[Fraction, ...] | None) -> str:
    """Return a vector as text."""
    return f"({', '.join(map(str, coordinates))})" if coordinates else "0"


@dataclass(frozen=True)
class _FixedForm:
    """A form at fixed letters: a constant, numbers with their weights, a symmetric matrix for each part."""

    constant: Fraction
    numbers: dict[Entry, Fraction]
    matrices: dict[tuple[Place, Place], Fraction]

    def exact(self, at: Values) -> Fraction:
        total = self.constant + sum((w * at.numbers[entry] for entry, w in self.numbers.items()), Fraction(0))
        for (left, right), w in self.matrices.items():
            total += w * dot(at.vectors[left], at.vectors[right])
        return total


@dataclass(frozen=True)
class CounterexampleProblem:
    """Is there a point at which the premises hold and the target is negative."""

    target: _FixedForm
    target_equal: bool
    premises: tuple[tuple[_FixedForm, bool], ...]
    places: tuple[Place, ...]
    entries: tuple[Entry, ...]
    positive: frozenset[Entry]
    """Numbers that cannot be negative."""

    @classmethod
    def at(
        cls, point: list[Fraction], target: Premise, premises: list[Premise], square_names: frozenset[str]
    ) -> CounterexampleProblem | None:
        """Return the question at values of the letters, None where it is not defined."""
        made = [coefficients(one.difference, point) for one in (target, *premises)]
        if any(one is None for one in made):
            return None
        products = [t for one in made if one for t in one if isinstance(t, Inner)]
        everything = frozenset[str]().union(*(t.left.varies | t.right.varies for t in products))
        forms = [_form(one, everything) for one in made if one is not None]
        places = sorted({place for form in forms for pair in form.matrices for place in pair}, key=str)
        entries = sorted({entry for form in forms for entry in form.numbers}, key=str)
        return cls(
            forms[0],
            target.equal,
            tuple((form, one.equal) for form, one in zip(forms[1:], premises, strict=True)),
            tuple(places),
            tuple(entries),
            frozenset(entry for entry in entries if entry.name in square_names),
        )

    def failing(self) -> Values | None:
        """Return exact values at which the premises hold and the target does not."""
        if not self.places and not self.entries:
            nothing = Values({}, {})
            return nothing if self._fails(nothing) else None
        rng = np.random.default_rng(3)
        for _ in range(_STARTS):
            x = self._propose_values(rng)
            for denominator in DENOMINATORS:
                values = self._round_values(x, denominator)
                if self._fails(values):
                    return values
        return None

    def _fails(self, at: Values) -> bool:
        if any((form.exact(at) != 0) if equal else (form.exact(at) < 0) for form, equal in self.premises):
            return False
        if any(at.numbers[entry] < 0 for entry in self.positive):
            return False
        value = self.target.exact(at)
        return value != 0 if self.target_equal else value < 0

    def _round_values(self, x: Array, denominator: int) -> Values:
        exact = [Fraction(round(float(v) * denominator), denominator) for v in x]
        size = _DIMENSIONS * len(self.places)
        rows = [tuple(exact[k : k + _DIMENSIONS]) for k in range(0, size, _DIMENSIONS)]
        return Values(dict(zip(self.places, rows, strict=True)), dict(zip(self.entries, exact[size:], strict=True)))

    def _propose_values(self, rng: np.random.Generator) -> Array:
        """Return values that a local search finds from a random start, the margin being made large."""
        from scipy.optimize import minimize

        size = _DIMENSIONS * len(self.places)
        target = self._numeric(self.target)
        start = np.append(rng.normal(size=size + len(self.entries)), 0.0)
        low = [-4.0] * size + [0.0 if entry in self.positive else -4.0 for entry in self.entries] + [0.0]
        sign = 1.0 if not self.target_equal else rng.choice([-1.0, 1.0])
        bounds = list(zip(low, [4.0] * (len(low) - 1) + [1.0], strict=True))
        conditions: list[dict[str, Any]] = [{"type": "ineq", "fun": lambda z: -sign * target(z[:-1]) - z[-1]}]
        for form, equal in self.premises:
            value = self._numeric(form)
            conditions.append(
                {"type": "eq", "fun": lambda z, value=value: value(z[:-1])}
                if equal
                else {"type": "ineq", "fun": lambda z, value=value: value(z[:-1]) - z[-1]}
            )
        start = np.clip(start, *np.array(bounds).T)
        search: Any = minimize
        found = search(
            lambda z: -z[-1], start, method="SLSQP", bounds=bounds, constraints=conditions, options={"maxiter": 60}
        )
        return np.asarray(np.nan_to_num(found.x[:-1]))

    def _numeric(self, form: _FixedForm) -> Any:
        """Return a form as a function of all coordinates and numbers."""
        order = {place: k for k, place in enumerate(self.places)}
        weights = np.zeros((len(order), len(order)))
        for (left, right), w in form.matrices.items():
            weights[order[left], order[right]] += float(w)
        linear = np.array([float(form.numbers.get(entry, Fraction(0))) for entry in self.entries])
        constant, size = float(form.constant), _DIMENSIONS * len(order)

        def value(z: Array) -> float:
            x = z[:size].reshape(len(order), _DIMENSIONS)
            return float(constant + linear @ z[size:] + np.sum(weights * (x @ x.T)))

        return value


def _form(values: dict[Any, Fraction], everything: frozenset[str]) -> _FixedForm:
    products = {term: value for term, value in values.items() if isinstance(term, Inner)}
    matrices = {
        ((a, part), (b, part)): value
        for part in subsets(everything)
        for (a, b), value in component(products, part, everything).items()
    }
    numbers = {term: value for term, value in values.items() if isinstance(term, Entry)}
    return _FixedForm(values.get(ONE, Fraction(0)), numbers, matrices)


def dot(x: tuple[Fraction, ...], y: tuple[Fraction, ...]) -> Fraction:
    """Return the inner product of two vectors."""
    return sum((u * v for u, v in zip(x, y, strict=True)), Fraction(0))
