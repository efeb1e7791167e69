"""The upper side of a worst case as a proof over Q: multipliers of what is true of the run, and squares.

The solver proposes the multipliers of the programme's dual; they are rounded, the function values are balanced exactly,
and what is left is written as squares.  What is then shown holds for every problem of the class, whatever the solver's
last digits were.
"""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError, require
from boundcheck.worst.certificate import constants, linear
from boundcheck.worst.classes import ProblemClass
from boundcheck.worst.exact import rationalised
from boundcheck.worst.forms import Ground
from boundcheck.worst.hypotheses import Hypothesis, forms_of, of_a_run
from boundcheck.worst.lmi import minimise
from boundcheck.worst.measures import OF_VALUES, measured, rounds_of
from boundcheck.worst.proof import proved
from boundcheck.worst.reading import gradient, number_of
from boundcheck.worst.sharpened import weights_of
from boundcheck.worst.systems import FIXED, Asked, System, near
from boundcheck.worst.theorem import rounded_up
from boundcheck.worst.trace import Trace, traced
from boundcheck.worst.units import PRECISE, with_fractions
from boundcheck.worst.whole import minimiser_of
from boundcheck.worst.words import Words, total

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.methods.base import Method
    from boundcheck.worst.certificate import Certificate
    from boundcheck.worst.forms import Form, Forms
    from boundcheck.worst.measures import Measured
    from boundcheck.worst.proof import Proof

_MARGINS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5)
"""Least eigenvalues that are left for rounding, the first that survives it being the best."""
_PART = "run"


@dataclass(frozen=True)
class Upper:
    """What no problem of a class exceeds, with its proof.

    Attributes
    ----------
    method : Method
        With the fractions that it is about.
    given : ProblemClass
    K, T : int
    measure : str
    factors : dict
        Constant of the class ('Delta', 'Delta_mean', 'G_0'; 'zeta' and 'sigma' squared) to what multiplies it,
        rounded up.
    certificate : dict
        What `boundcheck verify` reads: the left-hand side is at most the sum of the constants times their factors.
    seconds : float
    """

    method: Method
    given: ProblemClass
    K: int
    T: int
    measure: str
    factors: dict[str, Fraction]
    certificate: Certificate
    seconds: float

    @property
    def value(self) -> Fraction:
        """Return the right-hand side at the constants of the class."""
        weights = weights_of(self.given) | {"Delta_mean": self.given.Delta_mean or 0.0}
        return sum((Fraction(weights[c]) * factor for c, factor in self.factors.items()), Fraction(0))


def proved_upper(
    method: Method, *, K: int, T: int, measure: str = "average", given: ProblemClass | None = None, **chosen: Any
) -> Upper:
    """Return what no problem of a class exceeds, proved over Q: at most about 1e-6 above the worst case.

    Parameters
    ----------
    method : Method
        Its hyperparameters are in units in which L = 1; those that are no short fractions are rounded to twelve digits.
    K, T : int
        Local steps a round, rounds.
    measure : str
        A name in `boundcheck.worst.MEASURES`, or ``average(0.25)`` for weights of growth 0.25.
    given : ProblemClass, optional
        With L = 1; or its constants by name.

    Raises
    ------
    InputError
        If a number is not legal, or L is not 1.
    NotApplicableError
        If the method is not linear, or no proof was found.
    """
    given = ProblemClass(**chosen) if given is None else given
    require(given.L == 1.0, "L", given.L, "1: certificates are in units in which L = 1")
    began = time.perf_counter()
    exact = with_fractions(method, PRECISE)
    given = _over_q(given)
    trace = traced(exact, N=given.N, K=K, T=rounds_of(measure, T), noisy=given.sigma > 0, exact=True)
    looked = measured(measure, trace)
    asked = _asked(trace, looked, given)
    proof = _proof(asked, given, f"method {exact.card.id}, K = {K}, T = {T}")
    certificate = _certificate(f"worst.{exact.card.id}", trace, looked, given, asked, proof)
    factors = {c: rounded_up(factor) for c, factor in proof.constants[_PART].items()}
    return Upper(exact, given, K, T, measure, factors, certificate, time.perf_counter() - began)


def _over_q(given: ProblemClass) -> ProblemClass:
    """Return the class with a curvature that is a fraction."""
    mu: Any = None if given.mu is None else rationalised(given.mu, PRECISE)
    return dataclasses.replace(given, mu=mu)


def _asked(trace: Trace, looked: Measured, given: ProblemClass) -> Asked:
    """Return the form that must be a sum of squares: minus the left-hand side, minus multiples of what is known."""
    oracle, start = trace.oracle, trace.iterates[0]
    ground = _ground(trace, given)
    used = [*trace.iterates, *(v for _, v in looked.vectors)]
    forms = forms_of(oracle, given, used, tilted=False, ground=ground)
    known = {(_PART, *h.name): h for h in of_a_run(oracle, start, given, forms) if h.form}
    level = len(oracle.points) if looked.name == "best" else None
    if level is not None:
        known |= {(_PART, *h.name): h for h in _levels(forms, trace, looked, level)}
    parts = {FIXED: -1 * _left(forms, trace, looked)} | {name: -1 * h.form for name, h in known.items()}
    system = System(parts, forms.scale, near(oracle, forms))
    free = frozenset(name for name, h in known.items() if h.equal)
    return Asked({_PART: system}, known, free, base=ground.point if ground else 0, level=level)


def _ground(trace: Trace, given: ProblemClass) -> Ground | None:
    """Return the minimiser, a new point, where something bounds how far it is; elsewhere the floor says enough."""
    if given.convexity <= 0 and given.distance is None:
        return None
    point = minimiser_of(trace)
    return Ground(len(trace.oracle.points) - 1, point.gradient)


def _levels(forms: Forms, trace: Trace, looked: Measured, level: int) -> Iterator[Hypothesis]:
    """Yield that the level is below |grad f|^2 at all points of 'best'."""
    for k, (_, x) in enumerate(looked.points):
        square = forms.square(forms.vector(gradient(trace.oracle, x)).means)
        yield Hypothesis(("level", k), square - forms.value(level))


def _left(forms: Forms, trace: Trace, looked: Measured) -> Form:
    if looked.name == "best":
        return forms.value(len(trace.oracle.points))
    if looked.name in OF_VALUES:
        values = [weight * forms.value(number_of(trace.oracle, x)) for weight, x in looked.points]
        return sum(values[1:], values[0])
    squares = [weight * forms.square(forms.vector(gradient(trace.oracle, x)).means) for weight, x in looked.points]
    squares += [weight * forms.square(forms.vector(v)) for weight, v in looked.vectors]
    return sum(squares[1:], squares[0])


def _proof(asked: Asked, given: ProblemClass, what: str) -> Proof:
    weights = {_PART: weights_of(given) | {"Delta_mean": given.Delta_mean or 0.0}}
    for margin in _MARGINS:
        answer = minimise(asked, weights, margin=margin)
        proof = proved(asked, answer.unknowns)
        if proof is not None:
            return proof
    msg = f"{what}: no proof of an upper bound was found; zeta or G_0 may have to bound how clients differ"
    raise NotApplicableError(msg)


def _certificate(
    name: str, trace: Trace, looked: Measured, given: ProblemClass, asked: Asked, proof: Proof
) -> Certificate:
    iterates = [x for _, x in looked.points] if looked.name == "best" else []
    words = Words(trace.oracle, given, minimum=asked.base, levels=iterates)
    added, spare = constants(proof, _PART)
    if looked.name == "best":
        left = "best"
    elif looked.name in OF_VALUES:
        left = total(f"{weight}*f{number_of(trace.oracle, x)}" for weight, x in looked.points)
    else:
        points = [f"{weight}*|{words.mean(gradient(trace.oracle, x))}|^2" for weight, x in looked.points]
        left = total([*points, *(f"{weight}*|{words.vector(v)}|^2" for weight, v in looked.vectors)])
    return linear(name, asked, proof, words, _PART, f"{left} <= {total(added)}", spare)
