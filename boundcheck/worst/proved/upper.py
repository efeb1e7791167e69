"""The upper side of a worst case as a proof over Q: multipliers of what is true of the run, and squares.

The solver proposes the multipliers of the programme's dual; they are rounded, the function values are balanced exactly,
and what is left is written as squares.  What is then shown holds for every problem of the class, whatever the solver's
last digits were.
"""

from __future__ import annotations

import dataclasses
import math
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.errors import NotApplicableError, require
from boundcheck.worst.facts.classes import ProblemClass
from boundcheck.worst.facts.forms import Ground
from boundcheck.worst.facts.hypotheses import Hypothesis, forms_of, of_a_run
from boundcheck.worst.facts.measures import OF_DISTANCE, OF_VALUES, left_hand_side_of, rounds_of
from boundcheck.worst.facts.natural import lengths
from boundcheck.worst.gram.exact import fraction_as_written
from boundcheck.worst.gram.kernel import require_kernel
from boundcheck.worst.gram.trace import Trace, trace_method
from boundcheck.worst.gram.units import as_asked
from boundcheck.worst.proved.certificate import constants, linear
from boundcheck.worst.proved.long import long_proof
from boundcheck.worst.proved.words import FormWriter, total
from boundcheck.worst.sides.programme import SOLVED
from boundcheck.worst.sides.whole import minimiser_of
from boundcheck.worst.theorems.lmi import minimise
from boundcheck.worst.theorems.proof import SquaresProof, proof_near
from boundcheck.worst.theorems.reading import gradient, number_of
from boundcheck.worst.theorems.sharpened import weights_of
from boundcheck.worst.theorems.systems import FIXED, FormSystem, SquaresProblem, near
from boundcheck.worst.theorems.theorem import rounded_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.methods.base import Method
    from boundcheck.worst.facts.forms import Form, Forms
    from boundcheck.worst.facts.hypotheses import Pairs
    from boundcheck.worst.facts.measures import LeftHandSide
    from boundcheck.worst.gram.kernel import Certificate
    from boundcheck.worst.theorems.lmi import Frame

_MARGINS = (1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5)
"""Least eigenvalues that are left for rounding, the first that survives it being the best."""
_NEAR_ONE = (0.125, 8.0)
"""Values at which margins and nine decimals of multipliers are small enough as they are."""
_AGAIN = 3
"""Most further proofs of a left-hand side near 1, each in the frame of the one before."""
_AGREED = 1e-6
"""Relative difference below which two proofs agree."""
_GAIN = 1e-8
"""Least relative gain of a further one."""
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
        rounded up to nine digits.
    certificate : dict
        What `boundcheck verify` reads: the left-hand side is at most the sum of the constants times their factors.
    seconds : float
    constants : dict
        The factors before they are rounded up: the same multipliers and squares prove them.
    """

    method: Method
    given: ProblemClass
    K: int
    T: int
    measure: str
    factors: dict[str, Fraction]
    certificate: Certificate
    seconds: float
    constants: dict[str, Fraction]

    @property
    def value(self) -> Fraction:
        """Return the right-hand side of the certificate at the constants of the class."""
        squares = lengths(self.given, Fraction(1))
        return sum((squares[c] * factor for c, factor in self.factors.items()), Fraction(0))


def proved_upper(
    method: Method,
    *,
    K: int,
    T: int,
    b: int = 1,
    measure: str = "average",
    given: ProblemClass | None = None,
    near: float = math.nan,
    pairs: Pairs | None = None,
    **chosen: Any,
) -> Upper:
    """Return what no problem of a class exceeds, proved over Q: at most about 1e-6 above the worst case.

    Parameters
    ----------
    method : Method
        Its hyperparameters are in units in which L = 1, and are taken as the fractions that were asked for: a short one
        that is the same float, else the decimal as which it is printed.
    K, T, b : int
        Local steps a round, rounds, samples of a minibatch.
    measure : str
        A name in `boundcheck.worst.MEASURES`, or ``average(0.25)`` for weights of growth 0.25.
    given : ProblemClass, optional
        With L = 1; or its constants by name.
    near : float, optional
        What a solver says of the worst case: a proof so close to it is not sharpened.
    pairs : frozenset of (int, int), optional
        Numbers of points between which conditions are used, for long runs; all by default.

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
    require(not given.is_parabolic, "mu", given.mu, "below L = 1: certificates are about interpolation")
    exact = as_asked(method)
    given = _over_q(given)
    trace = trace_method(exact, N=given.N, K=K, T=rounds_of(measure, T), b=b, noisy=given.sigma > 0, exact=True)
    looked = left_hand_side_of(measure, trace)
    posed = _pose_squares(trace, looked, given, pairs)
    what = f"method {exact.card.id}, K = {K}, T = {T}"
    if pairs is None:
        proof = _proof(posed, given, what, near)
    else:
        found = long_proof(posed, _weights(given)[0], _PART)
        if found is None:
            msg = f"{what}: no proof of an upper bound was found"
            raise NotApplicableError(msg)
        proof = found
    name = certificate_name(exact, given, measure, K=K, T=T, b=b)
    certificate = _certificate(name, trace, looked, given, posed, proof)
    require_kernel(what, certificate)
    constants_of = proof.constants[_PART]
    factors = {c: rounded_up(factor) for c, factor in constants_of.items()}
    return Upper(exact, given, K, T, measure, factors, certificate, time.perf_counter() - began, constants_of)


def _over_q(given: ProblemClass) -> ProblemClass:
    """Return the class with a curvature that is a fraction."""
    mu: Any = None if given.mu is None else fraction_as_written(given.mu)
    pl: Any = None if given.pl is None else fraction_as_written(given.pl)
    return dataclasses.replace(given, mu=mu, pl=pl)


def certificate_name(method: Method, given: ProblemClass, measure: str, *, K: int, T: int, b: int) -> str:
    """Return the id of a certificate: all that it is about, constants that are letters by their names."""
    chosen = {f.name: getattr(method, f.name) for f in dataclasses.fields(method)}  # type: ignore[arg-type]
    counts = {"N": given.N, "K": K, "T": T} | ({"b": b} if given.sigma else {})
    bounds = [name for name in ("Delta", "Delta_mean", "distance", "zeta", "G_0") if getattr(given, name) is not None]
    bounds = ["zeta=0" if name == "zeta" and given.zeta == 0 else name for name in bounds]
    bounds += ["sigma"] if given.sigma else []
    parts = (
        counts,
        {k: v for k, v in chosen.items() if v is not None},
        {"L": 1, "mu": fraction_as_written(given.convexity)} | ({} if given.pl is None else {"pl": given.pl}),
    )
    settings = ", ".join(f"{k}={v}" for part in parts for k, v in part.items())
    return f"worst.{method.card.id}/{measure}/{settings}, {', '.join(bounds)}"


def _pose_squares(
    trace: Trace, looked: LeftHandSide, given: ProblemClass, pairs: Pairs | None = None
) -> SquaresProblem:
    """Return the form that must be a sum of squares: minus the left-hand side, minus multiples of what is known."""
    oracle, start = trace.oracle, trace.iterates[0]
    ground = _ground(trace, given)
    used = [*trace.iterates, *(x for _, x in looked.points), *(v for _, v in looked.vectors)]
    forms = forms_of(oracle, given, used, tilted=False, ground=ground)
    known = {(_PART, *h.name): h for h in of_a_run(oracle, start, given, forms, pairs) if h.form}
    level = len(oracle.points) if looked.name == "best" else None
    if level is not None:
        known |= {(_PART, *h.name): h for h in _levels(forms, trace, looked, level)}
    parts = {FIXED: -1 * _left_hand_side(forms, trace, looked)} | {name: -1 * h.form for name, h in known.items()}
    system = FormSystem(parts, forms.scale, near(oracle, forms))
    free = frozenset(name for name, h in known.items() if h.equal)
    return SquaresProblem({_PART: system}, known, free, base=ground.point if ground else 0, level=level)


def _ground(trace: Trace, given: ProblemClass) -> Ground | None:
    """Return the minimiser, a new point, where something bounds how far it is; elsewhere the floor says enough."""
    if given.convexity <= 0 and given.distance is None:
        return None
    point = minimiser_of(trace)
    return Ground(len(trace.oracle.points) - 1, point.gradient)


def _levels(forms: Forms, trace: Trace, looked: LeftHandSide, level: int) -> Iterator[Hypothesis]:
    """Yield that the level is below |grad f|^2 at all points of 'best'."""
    for k, (_, x) in enumerate(looked.points):
        square = forms.square(forms.vector(gradient(trace.oracle, x)).means)
        yield Hypothesis(("level", k), square - forms.value(level))


def _left_hand_side(forms: Forms, trace: Trace, looked: LeftHandSide) -> Form:
    if looked.name == "best":
        return forms.value(len(trace.oracle.points))
    if looked.name in OF_VALUES:
        values = [weight * forms.value(number_of(trace.oracle, x)) for weight, x in looked.points]
        return sum(values[1:], values[0])
    if looked.name in OF_DISTANCE and forms.ground is not None:
        x_star = forms.vector(trace.oracle.points[forms.ground.point].at)
        away = [weight * forms.square(forms.vector(x) - x_star) for weight, x in looked.points]
        return sum(away[1:], away[0])
    squares = [weight * forms.square(forms.vector(gradient(trace.oracle, x)).means) for weight, x in looked.points]
    squares += [weight * forms.square(forms.vector(v)) for weight, v in looked.vectors]
    return sum(squares[1:], squares[0])


def _proof(posed: SquaresProblem, given: ProblemClass, what: str, near: float) -> SquaresProof:
    """Return the best proof; where it is far from 1 or of little accuracy, of a multiple near 1 in a better frame."""
    weights, unit = _weights(given)
    found = _best_proof(posed, weights, near=near / unit)
    low, high = _NEAR_ONE
    if found is not None and found.cost > 0 and not (low <= found.cost <= high and found.is_settled):
        for _ in range(_AGAIN):
            scale = Fraction(2) ** -round(math.log2(found.cost))
            sharper = _best_proof(_scale_left_hand_side(posed, scale), weights, found.frame.of_multiple(float(scale)))
            if sharper is None or sharper.cost >= found.cost * float(scale) * (1 - _GAIN):
                break
            found = _FoundProof(
                _divide_proof(sharper.proof, scale),
                sharper.cost / float(scale),
                sharper.frame.of_multiple(1 / float(scale)),
                sharper.is_settled,
            )
    if found is not None:
        return found.proof
    msg = f"{what}: no proof of an upper bound was found; zeta or G_0 may have to bound how clients differ"
    raise NotApplicableError(msg)


def _weights(given: ProblemClass) -> tuple[dict[str, float], float]:
    """Return what constants count for and in which unit: the largest is 1 if it is far from it, all if they are 0."""
    weights = weights_of(given) | {"Delta_mean": given.Delta_mean or 0.0}
    largest = max(weights.values())
    if not largest:
        return dict.fromkeys(weights, 1.0), 1.0
    low, high = _NEAR_ONE
    unit = 1.0 if low <= largest <= high else largest
    return {c: w / unit for c, w in weights.items()}, unit


class _FoundProof(NamedTuple):
    """A proof, its value, and the frame of the solver's answer."""

    proof: SquaresProof
    cost: float
    frame: Frame
    is_settled: bool
    """Whether two margins agree, and the solver is content."""


def _best_proof(
    posed: SquaresProblem, weights: dict[str, float], frame: Frame | None = None, near: float = math.nan
) -> _FoundProof | None:
    """Return the best proof that survives rounding, of margins that grow until two agree: solvers stop early.

    One that is near what another solver says is enough.
    """
    best: _FoundProof | None = None
    for margin in _MARGINS:
        answer = minimise(posed, {_PART: weights}, margin=margin, frame=frame)
        proof = proof_near(posed, answer.unknowns) if np.isfinite(list(answer.unknowns.values())).all() else None
        if proof is None:
            continue
        cost = _cost(proof, weights)
        if cost <= near * (1 + _AGREED / 10):
            return _FoundProof(proof, cost, answer.frame, is_settled=True)
        agree = best is not None and abs(cost - best.cost) <= _AGREED * best.cost and answer.status in SOLVED
        if best is None or cost < best.cost:
            best = _FoundProof(proof, cost, answer.frame, is_settled=agree)
        if agree:
            return best._replace(is_settled=True)
    return best


def _cost(proof: SquaresProof, weights: dict[str, float]) -> float:
    return float(sum(weights[c] * float(factor) for c, factor in proof.constants[_PART].items()))


def _scale_left_hand_side(posed: SquaresProblem, scale: Fraction) -> SquaresProblem:
    """Return the same with a multiple of the left-hand side."""
    system = posed.systems[_PART]
    parts = system.parts | {FIXED: system.parts[FIXED] * scale}
    return dataclasses.replace(posed, systems={_PART: dataclasses.replace(system, parts=parts)})


def _divide_proof(proof: SquaresProof, scale: Fraction) -> SquaresProof:
    """Return the proof of a left-hand side from that of a multiple."""
    squares = [
        dataclasses.replace(block, terms=[(weight / scale, row) for weight, row in block.terms])
        for block in proof.squares[_PART]
    ]
    unknowns = {name: v / scale for name, v in proof.unknowns.items()}
    factors = {c: factor / scale for c, factor in proof.constants[_PART].items()}
    return SquaresProof(unknowns, {_PART: factors}, {_PART: squares})


def _certificate(
    name: str, trace: Trace, looked: LeftHandSide, given: ProblemClass, posed: SquaresProblem, proof: SquaresProof
) -> Certificate:
    iterates = [x for _, x in looked.points] if looked.name == "best" else []
    words = FormWriter(trace.oracle, given, minimum=posed.base, levels=iterates)
    added, spare = constants(proof, _PART)
    if looked.name == "best":
        left = "best"
    elif looked.name in OF_VALUES:
        left = total(f"{weight}*f{number_of(trace.oracle, x)}" for weight, x in looked.points)
    elif looked.name in OF_DISTANCE:
        x_star = trace.oracle.points[posed.base].at
        left = total(f"{weight}*|{words.vector(x - x_star)}|^2" for weight, x in looked.points)
    else:
        points = [f"{weight}*|{words.mean(gradient(trace.oracle, x))}|^2" for weight, x in looked.points]
        left = total([*points, *(f"{weight}*|{words.vector(v)}|^2" for weight, v in looked.vectors)])
    return linear(name, posed, proof, words, _PART, f"{left} <= {total(added)}", spare)
