"""A one-round theorem as linear conditions on unknown numbers: potential and multipliers.

The potential is V = p F + W[gradients and server vectors] + U[deviations of gradients and of client vectors].  Three
forms, linear in p, W, U and the multipliers, are asked to be sums of squares:

* round: V(state) - V(next) - |grad F(x)|^2 minus multiples of what is known of the round;
* start: minus V(start), minus multiples of what is known of the start;
* end:   V minus p F* (the floor of F used), so that V cannot fall for ever.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.worst.facts.forms import Form
from boundcheck.worst.facts.hypotheses import Hypothesis, Name, at_start, forms_of, hypotheses
from boundcheck.worst.theorems.generic import generic_round, ignore_tilts, start_method
from boundcheck.worst.theorems.reading import gradient

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.methods.base import Method
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.facts.forms import Key
    from boundcheck.worst.gram.oracle import GramOracle
    from boundcheck.worst.gram.vectors import GramVector
    from boundcheck.worst.theorems.generic import GenericRound

FIXED: Name = ()
"""Name of the part of a form that no unknown multiplies."""
SYSTEMS = ("round", "start", "end")


@dataclass(frozen=True)
class FormSystem:
    """A form that must be a sum of squares.

    Attributes
    ----------
    parts : dict
        Unknown to the form that it multiplies; the fixed part under `FIXED`.
    """

    parts: dict[Name, Form]
    scale: int
    """What the coefficients of the parts stand over."""
    near: dict[int, tuple[int, float]] = field(default_factory=dict)
    """Gradient to the first gradient, and how far apart their points are."""

    @property
    def blocks(self) -> list[str]:
        """Return the names of the blocks of Gram matrices that the form speaks of."""
        return sorted({str(key[0]) for form in self.parts.values() for key in form} - {"f", "1"})

    def indices(self, block: str) -> list[int]:
        """Return the basis vectors that a block of the form speaks of."""
        keys = {key for form in self.parts.values() for key in form if key[0] == block}
        return sorted({int(k) for key in keys for k in key[1:]})

    def whole(self) -> FormSystem:
        """Return it with coefficients that are integers: their sums are faster."""
        scale = lcm(*(Fraction(c).denominator for form in self.parts.values() for c in form.values()))
        parts = {name: Form({k: int(c * scale) for k, c in form.items()}) for name, form in self.parts.items()}
        return FormSystem(parts, self.scale * scale, self.near)

    def at(self, unknowns: Mapping[Name, Fraction]) -> Form:
        """Return the form at values of the unknowns, its coefficients as they are."""
        values = {name: Fraction(1) if name == FIXED else unknowns[name] for name in self.parts}
        # Sums of integers over one denominator are much faster than sums of fractions.
        common = lcm(*(v.denominator for v in values.values()))
        total: dict[Key, Any] = {}
        for name, form in self.parts.items():
            if by := values[name].numerator * (common // values[name].denominator):
                for key, c in form.items():
                    total[key] = total.get(key, 0) + by * c
        return Form(total).over(self.scale * common)


@dataclass(frozen=True)
class SquaresProblem:
    """Forms that must be sums of squares, for some values of unknown numbers.

    Attributes
    ----------
    systems : dict
        Name to form.
    known : dict
        What is known, by the names of their multipliers.
    free : frozenset
        Unknowns of either sign; the others are >= 0.
    base : int
        Point at which the function values of all others are balanced: the first one, or the minimiser.
    bases : dict
        System to its base, where they have points of their own.
    level : int or None
        Number of a value that is below those named ``level``.
    """

    systems: dict[str, FormSystem]
    known: dict[Name, Hypothesis]
    free: frozenset[Name]
    base: int = field(default=0, kw_only=True)
    bases: dict[str, int] = field(default_factory=dict, kw_only=True)
    level: int | None = field(default=None, kw_only=True)
    grounded: frozenset[str] = field(default=frozenset(), kw_only=True)


@dataclass(frozen=True)
class PotentialConditions(SquaresProblem):
    """All that a potential must meet: systems by the names in `SYSTEMS`; what is known of the round and the start."""

    round: GenericRound
    """The round, with its basis."""
    start: GramOracle
    """The oracle of the start, with its basis."""


def conditions(method: Method, given: ProblemClass, *, K: int, S: int | None = None) -> PotentialConditions:
    """Return what a potential of a method must meet over a class of problems with L = 1.

    Raises
    ------
    InputError
        If a hyperparameter is an array.
    NotApplicableError
        If the method is not linear, or its rounds are not alike.
    """
    noisy = given.sigma > 0
    one = generic_round(method, N=given.N, K=K, S=S, noisy=noisy)
    one = ignore_tilts(one) if given.zeta is None else one
    first_form, known = round_form(one, given, tilted=one.reading.tilts is not None)
    oracle, states = start_method(method, N=given.N, K=K, S=S, noisy=noisy, rounds=one.first)
    *others, first = states
    means, deviations = one.reading.coordinates(oracle, first)
    forms = forms_of(oracle, given, [*means, *deviations], tilted=False)
    start = {name: -1 * form for name, form in potential(forms, oracle, first.x, means, deviations).items()}
    # Rounds before the potential's first count as they are.
    for state in others:
        start[FIXED] = start.get(FIXED, Form()) - forms.square(forms.means(forms.vector(gradient(oracle, state.x))))
    told = useful([*hypotheses(oracle, given, forms), *at_start(oracle, states[0].x, given, forms)], start)
    start |= {("start", *h.name): -1 * h.form for h in told}
    known |= {("start", *h.name): h for h in told}
    free = {name for name, h in known.items() if h.equal} | {
        name for name in first_form.parts if name != FIXED and name[0] in ("W", "U")
    }
    end = _end(one.reading.coordinates(one.oracle, one.before))
    systems = {"round": first_form, "start": FormSystem(start, forms.scale).whole(), "end": FormSystem(end, 1)}
    return PotentialConditions(systems, known, frozenset(free), one, oracle)


def useful(told: list[Hypothesis], parts: dict[Name, Form]) -> list[Hypothesis]:
    """Return what is known without equations on products that nothing else speaks of: their squares would be 0."""
    spoken = [*parts.values(), *(h.form for h in told if not h.equal)]
    squared = {(key[0], k) for form in spoken for key in form if key[0] not in ("f", "1") for k in key[1:]}
    return [h for h in told if not h.equal or all((key[0], k) in squared for key in h.form for k in key[1:])]


def round_form(one: GenericRound, given: ProblemClass, *, tilted: bool) -> tuple[FormSystem, dict[Name, Hypothesis]]:
    """Return the round's form, and what is known of the round; if `tilted`, the gradients at x are all equal."""
    oracle = one.oracle
    both = [one.reading.coordinates(oracle, state) for state in (one.before, one.after)]
    vectors = [v for found in both for vectors in found for v in vectors]
    forms = forms_of(oracle, given, vectors, tilted=tilted)
    before, after = (
        potential(forms, oracle, state.x, *found) for state, found in zip((one.before, one.after), both, strict=True)
    )
    parts = {name: before[name] - after[name] for name in before}
    parts[FIXED] = -1 * forms.square(forms.means(forms.vector(gradient(oracle, one.before.x))))
    known = {("round", *h.name): h for h in hypotheses(oracle, given, forms) if h.name[0] != "floor"}
    parts |= {name: -1 * h.form for name, h in known.items()}
    return FormSystem(parts, forms.scale, near(oracle, forms)).whole(), known


def near(oracle: GramOracle, forms: Any) -> dict[int, tuple[int, float]]:
    """Return how far the other points are from the first: gradient to the first gradient and the distance."""
    first, *others = oracle.points
    apart = {p.gradient: (p.at - first.at).coefficients.astype(float) for p in others}
    found = {k: (first.gradient, min(1.0, float(np.abs(c).sum(axis=1).max()))) for k, c in apart.items()}
    named: dict[int, tuple[int, float]] = forms.near(found)
    return named


def potential(
    forms: Any, oracle: GramOracle, x: GramVector, means: Sequence[GramVector], deviations: Sequence[GramVector]
) -> dict[Name, Form]:
    """Return the form that each number of the potential multiplies, at one state."""
    point = oracle.point(x)
    k = next(k for k, p in enumerate(oracle.points) if p is point)
    found: dict[Name, Form] = {("p",): forms.value(k)}
    for letter, vectors in (("W", means), ("U", deviations)):
        read = [forms.vector(v) for v in vectors]
        for i, j in combinations_with_replacement(range(len(read)), 2):
            found[letter, i, j] = _symmetric_product(forms, read[i], read[j], same=i == j)
    return found


def _symmetric_product(forms: Any, u: Any, v: Any, *, same: bool) -> Form:
    form: Form = forms.product(u, v) * (1 if same else 2)
    return form


def _end(coordinates: tuple[Sequence[GramVector], Sequence[GramVector]]) -> dict[Name, Form]:
    """Return the parts of V - p F*, over the coordinates of a state; the first is grad F(x), F >= |grad F|^2/2."""
    parts: dict[Name, Form] = {("p",): Form({("P", 0, 0): Fraction(1, 2)})}
    for letter, block, vectors in (("W", "P", coordinates[0]), ("U", "Q", coordinates[1])):
        for i, j in combinations_with_replacement(range(len(vectors)), 2):
            parts[letter, i, j] = Form({(block, i, j): Fraction(1 if i == j else 2)})
    return parts
