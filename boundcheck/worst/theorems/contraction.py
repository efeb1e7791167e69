"""One round of a method over strongly convex functions: the least factor by which a potential falls, proved over Q.

The potential is V = p (F - F*) + W[x - x_star, gradients, server vectors] + U[deviations], as in `systems`.  For a
factor rho three forms, linear in p, W, U and the multipliers, are asked to be sums of squares:

* round: rho V(state) + constants - V(next), minus multiples of what is known of the round;
* end:   V less what is measured, |x - x_star|^2 or F(x) - F*;
* start: constants - V(start), where only what is measured is bounded.

They say that after T rounds what is measured is at most rho^T times the start's, times a factor, and constants over
1 - rho.  The least rho is found by bisection, since it multiplies the potential.
"""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any, Literal, get_args

from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.files.display import shows
from boundcheck.worst.facts.classes import ProblemClass
from boundcheck.worst.facts.forms import Form, Ground
from boundcheck.worst.facts.hypotheses import Hypothesis, basis, forms_of, hypotheses
from boundcheck.worst.gram.exact import fraction_as_written
from boundcheck.worst.gram.units import with_fractions
from boundcheck.worst.sides.programme import SOLVED
from boundcheck.worst.theorems.generic import generic_round, start_method
from boundcheck.worst.theorems.lmi import minimise
from boundcheck.worst.theorems.proof import proof_near
from boundcheck.worst.theorems.reading import deviation, gradient, number_of
from boundcheck.worst.theorems.systems import FIXED, FormSystem, SquaresProblem, near, potential

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.methods.base import Method
    from boundcheck.worst.facts.hypotheses import Name
    from boundcheck.worst.gram.oracle import GramOracle
    from boundcheck.worst.gram.vectors import GramVector
    from boundcheck.worst.theorems.generic import GenericRound
    from boundcheck.worst.theorems.proof import SquaresProof
    from boundcheck.worst.theorems.reading import StateReading

Measured = Literal["distance", "value"]
MEASURED: tuple[Measured, ...] = get_args(Measured)
_START = {"distance": "distance", "value": "Delta"}
"""Constant that bounds what is measured at the start."""
_HALVINGS = 32
_DIGITS = 8
"""Decimals of the factor."""
_SLACK = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
"""What is added to the least factor, in shares of its distance from 1, until a proof survives rounding."""
_MARGINS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5)
"""Least eigenvalues that are left for rounding."""
_LITTLE = 1e-4
"""What a constant counts for that is 0 in the class: its factor is still to be finite."""


@dataclass(frozen=True)
class ContractionConditions(SquaresProblem):
    """What a potential must meet for a factor, with the round and the start that the forms are of."""

    round: GenericRound
    start: GramOracle
    first: Any
    """The state in which the method starts."""


@shows("method", "K", "measured", "given.mu", "rate")
@dataclass(frozen=True)
class Contraction:
    """A theorem about one round: what is measured falls by a factor, up to constants, for every T.

    ``E m(x_T) <= rate^T (start m(x_0) + a) + b`` in units in which L = 1, where m is |x - x_star|^2 or F - F*, and a
    and b are multiples of zeta^2 and sigma^2.

    Attributes
    ----------
    method : Method
        With the hyperparameters, fractions, that the theorem is about.
    given : ProblemClass
        mu is its smallest curvature; zeta^2 bounds mean_i |grad f_i(x_star)|^2.
    assumed : tuple of str
        'zeta' where there is no theorem without a bound on heterogeneity at x_star.
    K : int
        Local steps of the round.
    measured : str
        'distance' or 'value'.
    rate : Fraction
        The factor of a round, < 1.
    conditions, proof
        What had to be met, and the numbers that meet it.
    seconds : float
    """

    method: Method
    given: ProblemClass
    assumed: tuple[str, ...]
    K: int
    measured: Measured
    rate: Fraction
    conditions: ContractionConditions
    proof: SquaresProof
    seconds: float

    def at_start(self, constant: str) -> Fraction:
        """Return what multiplies a constant of the start, whose share falls: 'start', or 'zeta', 'sigma' squared."""
        name = _START[self.measured] if constant == "start" else constant
        return self.proof.constants["start"].get(name, Fraction(0))

    def at_end(self, constant: str) -> Fraction:
        """Return what multiplies zeta^2 or sigma^2 ('zeta', 'sigma') after many rounds."""
        return self.proof.constants["round"].get(constant, Fraction(0)) / (1 - self.rate)

    def value(self, T: int, *, start: float = 1.0, zeta: float = 0.0, sigma: float = 0.0) -> float:
        """Return the right-hand side after T rounds, from |x_0 - x_star|^2 or F(x_0) - F* equal to `start`."""
        given = {"start": start, "zeta": zeta**2, "sigma": sigma**2}
        once = sum(float(self.at_start(name)) * value for name, value in given.items())
        return float(self.rate) ** T * once + sum(float(self.at_end(name)) * value for name, value in given.items())


def contract(
    method: Method,
    *,
    K: int,
    mu: float,
    measured: Measured = "distance",
    N: int = 2,
    zeta: float | None = None,
    sigma: float = 0.0,
    rate: float | None = None,
) -> Contraction:
    """Find the least factor by which a potential of one round falls over L-smooth, mu-strongly convex clients, L = 1.

    Parameters
    ----------
    method : Method
        Its hyperparameters are in units in which L = 1; all clients take part.
    K : int
        Local steps a round.
    mu : float
        Smallest curvature of every client, in (0, 1).
    measured : {'distance', 'value'}
        |x - x_star|^2, or F(x) - F*.
    N : int
        Clients.
    zeta : float, optional
        mean_i |grad f_i(x_star)|^2 <= zeta^2; by default nothing is assumed where there is a theorem without.
    sigma : float
        Additive noise of a minibatch.
    rate : float, optional
        A factor for which the constants are to be least, in the place of the least factor.

    Raises
    ------
    InputError
        If a number is not legal.
    NotApplicableError
        If the method is not linear, its rounds are not alike, or no potential falls.

    Examples
    --------
    Gradient descent falls by (1 - eta mu)^2 a round, and nothing does better:

    >>> from boundcheck import METHODS
    >>> theorem = contract(METHODS["sgd"](eta=1.0), K=1, mu=0.1, N=1)
    >>> round(float(theorem.rate), 5)
    0.81
    """
    require_count(K, "K")
    require(0 < mu < 1, "mu", mu, "a number in (0, 1): L = 1, and at mu = L clients are parabolas")
    require(measured in MEASURED, "measured", measured, " or ".join(MEASURED))
    require(rate is None or 0 < rate < 1, "rate", rate, "a number in (0, 1)")
    curved: Any = fraction_as_written(mu)
    given = ProblemClass(
        N=N,
        mu=curved,
        zeta=zeta,
        sigma=sigma,
        **{"Delta": None} | {_START[measured]: 1.0},  # type: ignore[arg-type]
    )
    exact = with_fractions(method)
    for candidate, assumed in _classes(given):
        began = time.perf_counter()
        posed = _Posed(exact, candidate, K, measured)
        found = posed.best_proof(None if rate is None else fraction_as_written(rate))
        if found is not None:
            factor, conditions, proof = found
            seconds = time.perf_counter() - began
            return Contraction(exact, candidate, assumed, K, measured, factor, conditions, proof, seconds)
    at = f"mu = {mu:g}, K = {K}" + ("" if rate is None else f", rate = {rate:g}")
    msg = f"method {method.card.id}: no potential of one round that falls was found at {at}"
    raise NotApplicableError(msg)


def _classes(given: ProblemClass) -> Iterator[tuple[ProblemClass, tuple[str, ...]]]:
    """Yield the class, and the one with heterogeneity at x_star where none is bounded."""
    yield given, ()
    if given.zeta is None and given.N > 1:
        yield dataclasses.replace(given, zeta=1.0), ("zeta",)


class _Posed:
    """The forms of a round, of the start and of the end, at any factor."""

    def __init__(self, method: Method, given: ProblemClass, K: int, measured: Measured) -> None:
        self._given, self._measured = given, measured
        noisy = given.sigma > 0
        one = generic_round(method, N=given.N, K=K, noisy=noisy)
        if one.first:
            msg = f"method {method.card.id}: its first round is another than the later ones"
            raise NotApplicableError(msg)
        self._one = one
        self._start_oracle, (self._first,) = start_method(method, N=given.N, K=K, noisy=noisy)
        self._bases: dict[str, int] = {}
        self._known: dict[Name, Hypothesis] = {}
        self._pose_round()
        self._pose_start()

    def _pose_round(self) -> None:
        """Set the forms of the round and of the end."""
        one, given = self._one, self._given
        x_star = _minimiser(one.oracle, one.before.x)
        before, after = (coordinates_of(one.reading, one.oracle, state, x_star) for state in (one.before, one.after))
        ground = _ground(one.oracle, x_star)
        every = [v for part in (*before, *after) for v in part]
        forms = forms_of(one.oracle, dataclasses.replace(given, zeta=None), every, tilted=False, ground=ground)
        self._before = potential(forms, one.oracle, one.before.x, *before)
        self._after = potential(forms, one.oracle, one.after.x, *after)
        self._scale, self._near = forms.scale, near(one.oracle, forms)
        self._learn("round", one.oracle, forms, ground)
        # Of the end only the state is known, and nothing of constants.
        names = one.reading.gradients
        present = {ground.point, *(number_of(one.oracle, getattr(one.before, name)) for name in names)}
        pairs = frozenset((a, b) for a in present for b in present if a != b)
        told = hypotheses(one.oracle, dataclasses.replace(given, zeta=None), forms, pairs)
        told = (h for h in told if h.name[0] == "interpolation" or (h.name[0] == "floor" and h.name[1] in present))
        self._known |= {("end", *h.name): h for h in told}
        self._bases["end"] = ground.point
        self._at_end = self._measure(forms, one.oracle, one.before.x, ground)

    def _pose_start(self) -> None:
        """Set the form of the start."""
        oracle, given = self._start_oracle, self._given
        x_star = _minimiser(oracle, self._first.x)
        coordinates = coordinates_of(self._one.reading, oracle, self._first, x_star)
        ground = _ground(oracle, x_star)
        every = [v for part in coordinates for v in part]
        forms = forms_of(oracle, dataclasses.replace(given, zeta=None), every, tilted=False, ground=ground)
        self._start = potential(forms, oracle, self._first.x, *coordinates)
        self._start_scale = forms.scale
        self._learn("start", oracle, forms, ground)
        bounded = self._measure(forms, oracle, self._first.x, ground)
        if self._measured == "distance":
            name: Name = ("distance",)
        else:
            name = ("start", number_of(oracle, self._first.x))
        self._known["start", *name] = Hypothesis(name, forms.constant(_START[self._measured]) - bounded)

    def _learn(self, part: str, oracle: GramOracle, forms: Any, ground: Ground) -> None:
        """Note what is true at the points of an oracle."""
        given = self._given
        told = list(hypotheses(oracle, dataclasses.replace(given, zeta=None), forms))
        if given.zeta is not None and given.N > 1:
            apart = forms.square(forms.deviations(basis(forms, ground.gradient)))
            told.append(Hypothesis(("heterogeneity", ground.point), forms.constant("zeta") - apart))
        self._known |= {(part, *h.name): h for h in told if h.form}
        self._bases[part] = ground.point

    def _measure(self, forms: Any, oracle: GramOracle, x: GramVector, ground: Ground) -> Form:
        """Return what is measured at x."""
        form: Form
        if self._measured == "value":
            form = forms.value(number_of(oracle, x))
        else:
            form = forms.square(forms.vector(x - oracle.points[ground.point].at))
        return form

    def at(self, rate: Fraction) -> ContractionConditions:
        """Return what a potential must meet for a factor."""
        by_part: dict[str, dict[Name, Form]] = {
            "round": {name: rate * self._before[name] - self._after[name] for name in self._before},
            "start": {name: -1 * form for name, form in self._start.items()},
            "end": {**self._before, FIXED: -1 * self._at_end},
        }
        for name, h in self._known.items():
            by_part[str(name[0])][name] = -1 * h.form
        scales = {"round": self._scale, "end": self._scale, "start": self._start_scale}
        close = {"round": self._near}
        systems = {
            part: FormSystem(forms, scales[part], close.get(part, {})).whole() for part, forms in by_part.items()
        }
        free = {name for name, h in self._known.items() if h.equal} | {n for n in self._before if n[0] in ("W", "U")}
        return ContractionConditions(
            systems,
            self._known,
            frozenset(free),
            bases=self._bases,
            round=self._one,
            start=self._start_oracle,
            first=self._first,
        )

    def _weights(self, rate: Fraction) -> dict[str, dict[str, float]]:
        """Return what the constants count for: those of a round add up to 1/(1 - rate) times."""
        counts = {letter: (getattr(self._given, letter) or 0.0) ** 2 or _LITTLE for letter in ("zeta", "sigma")}
        every_round = {letter: weight / float(1 - rate) for letter, weight in counts.items()}
        return {"start": {_START[self._measured]: 1.0, **counts}, "round": every_round}

    def _falls(self, rate: Fraction) -> bool:
        return minimise(self.at(rate), self._weights(rate), margin=0.0).status in SOLVED

    def best_proof(self, rate: Fraction | None) -> tuple[Fraction, ContractionConditions, SquaresProof] | None:
        """Return the least factor that a proof has, or the proof of a given one; None where there is none."""
        if rate is not None:
            candidates = [rate]
        else:
            least = self._least_rate()
            if least is None:
                return None
            raised = (least + slack * (1 - least) for slack in _SLACK)
            candidates = [Fraction(ceil(r * 10**_DIGITS), 10**_DIGITS) for r in raised]
        for candidate in candidates:
            conditions = self.at(candidate)
            for margin in _MARGINS:
                answer = minimise(conditions, self._weights(candidate), margin=margin)
                proof = proof_near(conditions, answer.unknowns) if answer.status in SOLVED else None
                if proof is not None:
                    return candidate, conditions, proof
        return None

    def _least_rate(self) -> float | None:
        """Return the least factor at which the solver has a potential."""
        low, high = 0.0, 1.0 - 1e-6
        if not self._falls(Fraction(high)):
            return None
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self._falls(Fraction(middle)) else (middle, high)
            if high - low < 1e-9 * (1 - high):
                break
        return high


def coordinates_of(
    reading: StateReading, oracle: GramOracle, state: Any, x_star: GramVector
) -> tuple[list[GramVector], list[GramVector]]:
    """Return what the potential is a quadratic form of at a state: means, x - x_star among them, and deviations.

    The gradients at x_star are among these: they stay what they are, and control variates tend to them.
    """
    means, deviations = reading.coordinates(oracle, state)
    return [*means, state.x - x_star], [*deviations, deviation(gradient(oracle, x_star))]


def _minimiser(oracle: GramOracle, x: GramVector) -> GramVector:
    """Return x_star, of which nothing is known."""
    x_star: GramVector = x + oracle.server("x_star - x")
    return x_star


def _ground(oracle: GramOracle, x_star: GramVector) -> Ground:
    """Return x_star among the points."""
    return Ground(number_of(oracle, x_star), oracle.point(x_star).gradient)
