"""The law in T from above: a potential over the last rounds, which is exact where multipliers are periodic.

A worst case of T rounds has multipliers that are alike in all rounds but the first and the last few.  The potential V
is linear in the values and quadratic in all vectors of a window: the state before it, its w rounds, and the server
point after them.  Three forms are asked to be sums of squares, as in `systems`:

* round: V(window) - V(window a round later) - |grad F|^2 at the end of the first, minus what is known of both;
* start: constants - V(first window) - |grad F|^2 at its rounds, minus what is known of them;
* end:   constants + V(window) - |grad F|^2 at its end and in the rounds after it, minus what is known.

With w = 0 and nothing after the end it is the potential of one round.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.errors import NotApplicableError
from boundcheck.worst.facts.forms import Form
from boundcheck.worst.facts.hypotheses import at_start, forms_of, hypotheses
from boundcheck.worst.gram.exact import exact_oracle
from boundcheck.worst.gram.units import with_fractions
from boundcheck.worst.theorems.generic import generic_round, run_step, unknown_state
from boundcheck.worst.theorems.lmi import minimise
from boundcheck.worst.theorems.one_round import require_smooth
from boundcheck.worst.theorems.proof import proof_near
from boundcheck.worst.theorems.reading import deviation, gradient, number_of
from boundcheck.worst.theorems.sharpened import weights_of
from boundcheck.worst.theorems.systems import FIXED, FormSystem, SquaresProblem, near, useful
from boundcheck.worst.theorems.theorem import rounded_up

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.methods.base import Method
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.facts.hypotheses import Hypothesis, Name
    from boundcheck.worst.gram.oracle import GramOracle
    from boundcheck.worst.gram.vectors import GramVector
    from boundcheck.worst.theorems.lmi import Costs
    from boundcheck.worst.theorems.proof import SquaresProof
    from boundcheck.worst.theorems.reading import StateReading

_MARGINS = (1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5)
"""Least eigenvalues that are left for rounding, until a proof survives it."""
_CLOSE = 1e-7
"""Relative distance from the worst case, or gain, at which no wider window is tried."""
WIDEST, AFTER = 5, 2
"""Rounds of the widest window; rounds that the end looks at, its last window's end among them."""
_POINTS = 24
"""Points of a window and one round more, beyond which a wider one takes too long."""


@dataclass(frozen=True)
class RoundsMet:
    """Some rounds of a method, with the points that its code asked for."""

    oracle: GramOracle
    reading: StateReading
    states: list[Any]
    asked: list[list[int]]
    """Numbers of the points that each round asks for, after those of its state."""

    def numbers(self, first: int, width: int) -> list[int]:
        """Return the points of a window, as often as they are asked for."""
        found = self._at(first)
        for k in range(first, first + width):
            found += [*self.asked[k], *self._at(k + 1)]
        return found

    def _at(self, k: int) -> list[int]:
        return [number_of(self.oracle, getattr(self.states[k], name)) for name in self.reading.gradients]


def follow(method: Method, oracle: GramOracle, reading: StateReading, state: Any, rounds: int) -> RoundsMet:
    """Run some rounds from a state."""
    states, asked = [state], []
    for k in range(rounds + 1):
        for name in reading.gradients:
            oracle.point(getattr(states[k], name))
        if k == rounds:
            break
        before = len(oracle.asked)
        oracle.begin_round()
        states.append(run_step(method, lambda: method.round(oracle, states[-1])))
        asked.append(oracle.asked[before:])
    return RoundsMet(oracle, reading, states, asked)


class Window(NamedTuple):
    """What a potential may use of some rounds."""

    points: list[int]
    """Numbers of the points whose values it may use."""
    means: list[GramVector]
    deviations: list[GramVector]

    @property
    def vectors(self) -> list[GramVector]:
        """Return all vectors."""
        return [*self.means, *self.deviations]

    def potential(self, forms: Any) -> dict[Name, Form]:
        """Return the form that each number of the potential multiplies."""
        found: dict[Name, Form] = {("p", i): forms.value(k) for i, k in enumerate(self.points)}
        for letter, vectors in (("W", self.means), ("U", self.deviations)):
            read = [forms.vector(v) for v in vectors]
            for i, j in combinations_with_replacement(range(len(read)), 2):
                found[letter, i, j] = forms.product(read[i], read[j]) * (1 if i == j else 2)
        return {name: form for name, form in found.items() if form}


def window(met: RoundsMet, first: int, width: int, chosen: list[int]) -> Window:
    """Return the window of some rounds: of what its code asks for, what stands at the chosen places."""
    numbers = met.numbers(first, width)
    points = [numbers[place] for place in chosen]
    gradients = [gradient(met.oracle, met.oracle.points[k].at) for k in points]
    state, reading = met.states[first], met.reading
    means = [reading.relative(state, name).mean for name in reading.free(reading.means)]
    apart = [deviation(reading.relative(state, name)) for name in reading.free(reading.deviations)]
    return Window(points, [g.mean for g in gradients] + means, [deviation(g) for g in gradients] + apart)


@dataclass(frozen=True)
class WindowConditions(SquaresProblem):
    """What a potential over windows must meet, and the runs and windows that the forms are of."""

    width: int
    shift: int
    """The first round that is like all later ones."""
    round: tuple[RoundsMet, Window, Window]
    start: tuple[RoundsMet, Window]
    end: tuple[RoundsMet, Window]

    @property
    def taken(self) -> int:
        """Return the rounds of the start and of the end: no run is shorter."""
        return self.shift + self.width + AFTER


def window_conditions(method: Method, given: ProblemClass, *, K: int, width: int) -> WindowConditions:
    """Return what a potential over windows of some rounds must meet, all clients taking part, L = 1.

    Raises
    ------
    InputError
        If a hyperparameter is an array.
    NotApplicableError
        If the method is not linear, its rounds are not alike, or nothing bounds how clients differ.
    """
    if given.zeta is None and given.N > 1:
        msg = f"method {method.card.id}: zeta has to bound how clients differ"
        raise NotApplicableError(msg)
    noisy = given.sigma > 0
    one = generic_round(method, N=given.N, K=K, noisy=noisy)
    reading, shift = one.reading, one.first

    def from_unknown(rounds: int) -> RoundsMet:
        oracle = exact_oracle(N=given.N, K=K, noisy=noisy)
        return follow(method, oracle, reading, unknown_state(oracle, one.before, reading, shift), rounds)

    middle, last = from_unknown(width + 1), from_unknown(width + AFTER - 1)
    oracle = exact_oracle(N=given.N, K=K, noisy=noisy)
    first = follow(method, oracle, reading, method.init(oracle, oracle.server("x_0")), shift + width)
    numbers = middle.numbers(0, width)
    if any(len(found) != len(numbers) for found in (middle.numbers(1, width), first.numbers(shift, width))):
        msg = f"method {method.card.id}: its rounds ask for gradients at different numbers of points"
        raise NotApplicableError(msg)
    # A place that repeats an earlier one does so in every window.
    chosen = [place for place, k in enumerate(numbers) if k not in numbers[:place]]
    before, after = (window(middle, k, width, chosen) for k in (0, 1))
    opening, closing = window(first, shift, width, chosen), window(last, 0, width, chosen)
    made = _Systems(given)
    made.add("round", middle, {1: before, -1: after}, middle.states[width : width + 1])
    made.add("start", first, {-1: opening}, first.states[:-1], _of_start(first, given))
    made.add("end", last, {1: closing}, last.states[width:])
    free = {name for name in made.systems["round"].parts if name != FIXED and name[0] in ("p", "W", "U")}
    free |= {name for name, known in made.known.items() if known.equal}
    return WindowConditions(
        made.systems,
        made.known,
        frozenset(free),
        width,
        shift,
        (middle, before, after),
        (first, opening),
        (last, closing),
        grounded=frozenset({"end"}),
    )


def _of_start(met: RoundsMet, given: ProblemClass) -> Any:
    return lambda forms: at_start(met.oracle, met.states[0].x, given, forms)


class _Systems:
    """The three forms, as they are made."""

    def __init__(self, given: ProblemClass) -> None:
        self._given = given
        self.systems: dict[str, FormSystem] = {}
        self.known: dict[Name, Hypothesis] = {}

    def add(
        self, name: str, met: RoundsMet, windows: dict[int, Window], paid: Iterable[Any], more: Any = lambda _: ()
    ) -> None:
        """Add a form: potentials by their signs, less |grad F|^2 at some states, less what is known."""
        oracle = met.oracle
        vectors = [v for found in windows.values() for v in found.vectors]
        forms = forms_of(oracle, self._given, vectors, tilted=False)
        parts: dict[Name, Form] = {}
        for sign, found in windows.items():
            for number, form in found.potential(forms).items():
                parts[number] = parts.get(number, Form()) + sign * form
        squares = [forms.square(forms.means(forms.vector(gradient(oracle, state.x)))) for state in paid]
        parts[FIXED] = -1 * sum(squares[1:], squares[0]) if squares else Form()
        told = useful([*hypotheses(oracle, self._given, forms), *more(forms)], parts)
        if name == "round":
            told = [known for known in told if known.name[0] != "floor"]
        parts |= {(name, *known.name): -1 * known.form for known in told}
        self.known |= {(name, *known.name): known for known in told}
        self.systems[name] = FormSystem(parts, forms.scale, near(oracle, forms)).whole()


@dataclass(frozen=True)
class LawTheorem:
    """The average of E|grad f(x_t)|^2 is at most ``a + b/T`` for every T from some on, in units in which L = 1.

    Both are sums of the constants of the class, of Delta, zeta^2, sigma^2 and G_0, with factors.

    Attributes
    ----------
    method : Method
        With the hyperparameters, fractions, that it is about.
    given : ProblemClass
    K : int
    conditions : WindowConditions
    proof : SquaresProof
    seconds : float
    """

    method: Method
    given: ProblemClass
    K: int
    conditions: WindowConditions
    proof: SquaresProof
    seconds: float

    def factors(self, *systems: str) -> dict[str, Fraction]:
        """Return what multiplies the constants in some systems, rounded up to nine digits as in the certificates."""
        found: dict[str, Fraction] = {}
        for name in systems:
            for constant, factor in self.proof.constants[name].items():
                found[constant] = found.get(constant, Fraction(0)) + rounded_up(factor)
        return found

    @property
    def a(self) -> dict[str, Fraction]:
        """Return what multiplies the constants in every round."""
        return self.factors("round")

    @property
    def b(self) -> dict[str, Fraction]:
        """Return what the start and the end cost more than as many other rounds."""
        ends, always = self.factors("start", "end"), self.a
        return {name: ends.get(name, 0) - self.holds_from * always.get(name, Fraction(0)) for name in ends | always}

    @property
    def holds_from(self) -> int:
        """Return the least T."""
        return self.conditions.taken


def prove_law(method: Method, *, K: int, T: int, given: ProblemClass, near: float = 0.0) -> LawTheorem:
    """Find a potential over the fewest rounds that is exact at T, or the best up to `WIDEST` rounds, with its proof.

    Parameters
    ----------
    method : Method
        Its hyperparameters are in units in which L = 1.
    K, T : int
        Local steps; rounds for which the right-hand side is to be smallest (the theorem holds for all).
    given : ProblemClass
        Smooth clients, with Delta, and zeta where there are several.
    near : float
        The worst case of T rounds: a potential that comes to 1e-7 is taken.

    Raises
    ------
    InputError
        If a hyperparameter is not legal.
    NotApplicableError
        If there is no such theorem, or rounding leaves none.
    """
    require_smooth(given)
    began, exact = time.perf_counter(), with_fractions(method)
    found: list[tuple[float, WindowConditions]] = []
    for width in range(WIDEST + 1):
        try:
            posed = window_conditions(exact, given, K=K, width=width)
        except NotApplicableError:
            if found:
                break
            raise
        if posed.taken > T or (found and len(posed.round[0].oracle.points) > _POINTS):
            break
        answer = minimise(posed, costs(posed, given, T), margin=_MARGINS[1])
        gain = found[-1][0] / answer.value - 1 if found else 1.0
        if gain > _CLOSE or not found:
            found.append((answer.value, posed))
        if answer.value <= T * near * (1 + _CLOSE) or gain <= _CLOSE:
            break
    for value, posed in reversed(found):
        proof = _proof(posed, costs(posed, given, T), value)
        if proof is not None:
            return LawTheorem(exact, given, K, posed, proof, time.perf_counter() - began)
    msg = f"method {method.card.id}: no potential over {WIDEST} rounds was found, or rounding left none"
    raise NotApplicableError(msg)


def costs(posed: WindowConditions, given: ProblemClass, T: int) -> Costs:
    """Return what constants count for in T rounds."""
    weights = weights_of(given)
    middle = {name: (T - posed.taken) * weight for name, weight in weights.items()}
    return {"start": weights, "end": weights, "round": middle}


def _proof(posed: WindowConditions, weights: Costs, value: float) -> SquaresProof | None:
    """Return the proof that loses least to rounding, of the margins up to one that loses more than is gained."""
    best: tuple[float, SquaresProof] | None = None
    for margin in _MARGINS:
        if best is not None and margin > 10 * _CLOSE * value:
            break
        answer = minimise(posed, weights, margin=margin)
        proof = proof_near(posed, answer.unknowns)
        if proof is None:
            continue
        counted = ((weights[name][c], by) for name, found in proof.constants.items() for c, by in found.items())
        least = sum(weight * float(by) for weight, by in counted)
        if best is None or least < best[0]:
            best = least, proof
        else:
            break
    return None if best is None else best[1]
