"""The worst case of a method over all problems of a class."""

from __future__ import annotations

import dataclasses
import math
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.problems.extremal.family import Extremal
from boundcheck.worst.cases.case import LOOSE, RESIDUAL, ROUNDING, VERDICTS, WorstCase
from boundcheck.worst.cases.expected import lower_over_draws, lower_with_noise
from boundcheck.worst.cases.lower import SHORT, lower_side
from boundcheck.worst.facts.classes import ProblemClass
from boundcheck.worst.facts.measures import OF_CLIENTS, OF_DISTANCE, OF_VALUES
from boundcheck.worst.facts.natural import natural, power_of
from boundcheck.worst.gram.rationals import rounded_up
from boundcheck.worst.gram.units import with_floats
from boundcheck.worst.proved.saddles import prove_on_saddles
from boundcheck.worst.proved.upper import proved_upper
from boundcheck.worst.sides.draws import MOST_DRAWS, count_of_draws
from boundcheck.worst.sides.neighbours import NeighbourConstraints
from boundcheck.worst.sides.parabolic import Corner, pieces_of_parabolas, worst_parabola
from boundcheck.worst.sides.posed import solve_programme, trace_and_locate
from boundcheck.worst.sides.programme import SOLVED, Solution
from boundcheck.worst.sides.saddle import require_saddles
from boundcheck.worst.sides.saddle_search import AttainedSaddle, worst_saddle
from boundcheck.worst.sides.unbounded import from_the_minimum

if TYPE_CHECKING:
    from boundcheck.methods.base import Method
    from boundcheck.problems.extremal.data import Pieces
    from boundcheck.problems.synthetic.saddle_quadratics import SaddleQuadratics
    from boundcheck.worst.facts.measures import LeftHandSide
    from boundcheck.worst.facts.natural import NaturalUnits
    from boundcheck.worst.gram.trace import Trace
    from boundcheck.worst.proved.upper import Upper
    from boundcheck.worst.sides.instance import AttainedValue
    from boundcheck.worst.sides.posed import SolvedProgramme

_MOST_STEPS = 4096


def worst(
    method: Method,
    *,
    K: int,
    T: int,
    S: int | None = None,
    b: int = 1,
    measure: str = "average",
    given: ProblemClass | None = None,
    prove: bool = True,
    **constants: Any,
) -> WorstCase:
    """Return the worst case of a method over all problems of a class.

    It is solved in natural units (`boundcheck.worst.facts.natural`), the programme proposes a proof of the upper side
    over Q, and the method is run on the function that attains it.

    Parameters
    ----------
    method : Method
        Its own code runs on Gram coordinates.
    K, T, b : int
        Local steps a round, rounds, samples of a minibatch.
    S : int, optional
        Clients that are active in a round, drawn without replacement; by default all.  With S < N the left-hand side is
        an expectation over draws, and nothing is proved.
    measure : str
        A name in `boundcheck.worst.MEASURES`, or ``average(0.25)`` for weights of growth 0.25.
    given : ProblemClass, optional
        The class; or its constants by name, by default L = 1, N = 2, without noise, and Delta = 1 unless another start
        (Delta_mean, or for minimisation distance) is named.
    prove : bool
        Whether the upper side is proved over Q; without, it is the solver's number and no case is exact.

    Returns
    -------
    WorstCase

    Raises
    ------
    InputError
        If a number is not legal.
    NotApplicableError
        If the method is not linear.

    Examples
    --------
    >>> from boundcheck.methods.fedavg import FedAvg
    >>> found = worst(FedAvg(eta=0.5), K=2, T=2, zeta=1.0)
    >>> f"{found.upper:.6f}", found.exact
    ('1.093750', True)
    """
    given = _class_of(method, constants) if given is None else dataclasses.replace(given, **constants)
    _require_legal(measure, given, K, T, S)
    if method.card.kind == "minimax":
        require(measure not in (*OF_DISTANCE, "centre"), "measure", measure, "of minimisation")
        require_saddles(method.card.id, given, S)
    cases: list[WorstCase] = []
    for units in natural(method, given):
        question = _WorstCaseTask(units, given, measure, K=K, T=T, S=S, b=b)
        cases.append(question.answer(prove=prove))
        if cases[-1].verdict in ("exact", "infinite"):
            break
    return _join_cases(cases)


def _class_of(method: Method, constants: dict[str, Any]) -> ProblemClass:
    """Return the class of constants: where another start is named, nothing is said of f(x_0) - f_star."""
    starts = ("Delta_mean",) if method.card.kind == "minimax" else ("Delta_mean", "distance")
    is_named = any(constants.get(name) is not None for name in starts)
    return ProblemClass(**({"Delta": None} if is_named else {}) | constants)


def _join_cases(cases: list[WorstCase]) -> WorstCase:
    """Return the case that says most, with the best function of all of them."""
    best = max(cases, key=_rank)
    attained = [case for case in cases if case.lower is not None]
    if not attained or not math.isfinite(best.upper):
        return best
    found = max(attained, key=lambda case: case.lower or 0.0)
    return best.attained_by(found.problem, found.lower or 0.0, why=best.why if best.proof is None else found.why)


def _rank(case: WorstCase) -> tuple[int, float]:
    """Return how much a case says: what is proved before what is not, then how close its two sides are."""
    apart = (case.upper - (case.lower or 0.0)) / case.upper if case.upper > 0 else 0.0
    return -list(VERDICTS).index(case.verdict), -apart if math.isfinite(apart) else -math.inf


SMALL = 1e-4
"""Heterogeneity zeta, in natural units, below which functions of clients that are alike are tried."""
NARROW = Fraction(99, 100)
"""Share mu/L beyond which a proof for a smaller mu serves where none is found."""
_CLOSED = "closed form"
"""The status of a case for which no programme is solved."""
_SHARP = 1e-8
"""Part of a solver's number beyond which it is said how far off it may be."""
PROVED = 32
"""Points of a run beyond which no proof is looked for: it takes a minute, and the checker as long."""


@dataclass(frozen=True)
class _WorstCaseTask:
    """A run, a class and a left-hand side, in natural units and in the user's."""

    units: NaturalUnits
    asked: ProblemClass
    """The class in the user's units."""
    measure: str
    K: int
    T: int
    S: int | None
    b: int

    @property
    def _length(self) -> dict[str, Any]:
        return {"K": self.K, "T": self.T, "S": self.S, "b": self.b}

    @property
    def _is_minimax(self) -> bool:
        return self.units.method.card.kind == "minimax"

    def answer(self, *, prove: bool) -> WorstCase:
        """Return the worst case in the user's units."""
        if self.units.given.is_parabolic and not self._is_minimax:
            return self._of_parabolas()
        if self.units.is_still:
            return self._at_rest(prove=prove)
        began = time.perf_counter()
        method, given = with_floats(self.units.method), self.units.given
        trace, looked = trace_and_locate(method, self.measure, given, **self._length)
        if given.lets_clients_differ and given.pl is None and not self._is_minimax:
            endless = from_the_minimum(trace, looked, given)
            if endless is not None:
                why = _INFINITE.format(_about(trace, endless.value))
                return self._make_infinite(endless, why, time.perf_counter() - began)
        question, found, why = self._solve(method, trace, looked)
        proof, unproved = self._proof(question) if prove else (None, "no proof was asked for")
        proved = None if proof is None else self.units.right_hand_side(proof.constants, self.measure)
        if self._is_minimax and unproved:
            why = "; ".join(part for part in (why, unproved) if part)
        return self._make_case(question, found, why or unproved, proved, proof, time.perf_counter() - began)

    def _solve(
        self, method: Method, trace: Trace, looked: LeftHandSide
    ) -> tuple[SolvedProgramme, AttainedValue | AttainedSaddle | None, str]:
        """Return the programme with its solution, the best function that is found, and why there is none."""
        given = self.units.given
        question = solve_programme(trace, looked, given)
        if self._is_minimax:
            saddle = worst_saddle(trace, looked, given) if question.solution.status in SOLVED else None
            return question, saddle, "" if saddle else question.whole.reason_unattained
        at = {"K": self.K, "T": self.T, "b": self.b}
        if trace.oracle.S < given.N and question.solution.status in SOLVED:
            found, why = lower_over_draws(method, trace, looked, given, **at)
        elif given.sigma > 0 and question.solution.status in SOLVED:
            found, why = lower_with_noise(method, trace, looked, given, **at)
        else:
            found, why = lower_side(question)
        if found is not None and 0 < (given.zeta or 0) < SMALL and found.value < (1 - LOOSE) * question.upper:
            # Clients that hardly differ are lost in rounding: those that are alike are of the class, too.
            alike = lower_side(solve_programme(trace, looked, dataclasses.replace(given, zeta=0.0)))[0]
            found = max(found, alike or found, key=lambda one: one.value)
        return question, found, why

    def _proof(self, question: SolvedProgramme) -> tuple[Upper | None, str]:
        """Return the proof of the upper side, or why there is none."""
        given = self.units.over_q
        if question.whole.trace.oracle.S < given.N:
            return None, "not proved: proofs are of all clients"
        if len(question.whole.points) > PROVED:
            return None, f"not proved: a proof over Q is of at most {PROVED} points of a run"
        if given.L != 1.0:
            return None, "not proved: the method's hyperparameters have no units, and proofs are in units of L = 1"
        if self._is_minimax:
            return self._proof_on_saddles(given)
        at: dict[str, Any] = {"K": self.K, "T": self.T, "b": self.b, "measure": self.measure}
        pairs = question.whole.pairs if isinstance(question.whole, NeighbourConstraints) else None
        if pairs is not None and len(question.whole.points) > SHORT:
            at["pairs"] = pairs
        try:
            return proved_upper(self.units.method, given=given, near=question.upper, **at), ""
        except NotApplicableError as error:
            if given.pl is None and 1 > given.convexity > NARROW:
                return self._proof_for_more(given, at)
            return None, f"not proved: {error}"

    def _proof_on_saddles(self, given: ProblemClass) -> tuple[Upper | None, str]:
        limits = {name: square / self.units.size for name, square in self.units.squares.items()}
        at: dict[str, Any] = {"K": self.K, "T": self.T, "measure": self.measure, "limits": limits}
        try:
            return prove_on_saddles(self.units.method, given=given, **at), ""
        except NotApplicableError as error:
            return None, f"not proved: {error}"

    def _proof_for_more(self, given: ProblemClass, at: dict[str, Any]) -> tuple[Upper | None, str]:
        """Return the proof for a class of which this one is a part: near mu = L a solver sees hardly any curvature."""
        why = ""
        for wider in (10, 100, 1000):
            mu: Any = 1 - wider * (1 - Fraction(self.units.mu or 0))
            if mu < 1 - 10 * (1 - NARROW):
                break
            try:
                found = proved_upper(self.units.method, given=dataclasses.replace(given, mu=mu), **at)
            except NotApplicableError as error:
                why = str(error)
            else:
                return found, f"proved for all functions with mu = {float(mu):g} L"
        return None, f"not proved: {why}"

    def _make_case(
        self,
        question: SolvedProgramme,
        found: AttainedValue | AttainedSaddle | None,
        why: str,
        proved: Fraction | None,
        proof: Upper | None,
        seconds: float,
    ) -> WorstCase:
        unit, solution = float(self.units.unit(self.measure)), question.solution
        upper = unit * question.upper
        # A solver that failed says nan, which no number is below; one that did not come to rest may be too low.
        rests = solution.residual <= RESIDUAL * question.upper
        if proved is not None and not (rests and proved > upper * (1 + LOOSE)):
            upper = rounded_up(proved)
        else:
            # Nothing but a number: by so much the solver's two values, and its conditions, are off.
            off = unit * question.gap + solution.residual * upper
            if off > _SHARP * upper:
                between = (
                    f"the solver's number is right to {off / upper:.1g} only: {upper - off:.9g} to {upper + off:.9g}"
                )
                why = "; ".join(part for part in (why, between) if part)
            upper += off
        case = self._case(
            upper=upper,
            dual=unit * solution.dual,
            gap=unit * question.gap,
            lower=None,
            problem=None if found is None else self._problem_of(found),
            status=solution.status,
            seconds=seconds,
            sizes=question.whole.programme.sizes,
            why=why,
            solution=solution,
            proved=proved,
            proof=proof,
            residual=solution.residual,
        )
        if found is None:
            return case
        return case.attained_by(case.problem, unit * max(found.value - ROUNDING, 0.0), why=case.why)

    def _make_infinite(self, found: AttainedValue, why: str, seconds: float) -> WorstCase:
        """Return the case of a function whose multiples have left-hand sides without limit: no programme is needed."""
        none = np.zeros((0, 0))
        return self._case(
            upper=math.inf,
            dual=math.inf,
            gap=math.nan,
            lower=None,
            problem=self._problem_of(found),
            status=_CLOSED,
            seconds=seconds,
            sizes={},
            why=why,
            solution=Solution(math.inf, math.inf, _CLOSED, seconds, none, none, np.zeros(0), {}),
        )

    def _problem_of(self, found: AttainedValue | AttainedSaddle) -> Extremal | SaddleQuadratics:
        if isinstance(found, AttainedSaddle):
            return found.problem(float(self.units.curvature), math.sqrt(self.units.size))
        return self._problem(found.problem.pieces)

    def _problem(self, pieces: Pieces) -> Extremal:
        """Return a function in the user's units, with its noise."""
        return Extremal.of(self.units.pieces(pieces), sigma=self.asked.sigma)

    def _at_rest(self, *, prove: bool) -> WorstCase:
        """Return the worst case where all constants are 0: a bound that is a multiple of them is 0."""
        case = dataclasses.replace(self, units=self.units.with_ones()).answer(prove=prove)
        if not math.isfinite(case.upper):
            return case
        none = Fraction(0)
        still = self._problem(pieces_of_parabolas(Corner(none, none, none), self.asked.N))
        zero: dict[str, Any] = {"upper": 0.0, "dual": 0.0, "gap": 0.0, "lower": 0.0}
        return dataclasses.replace(case, **zero, problem=still, why="", proved=none if case.proof else None)

    def _of_parabolas(self) -> WorstCase:
        """Return the worst case of mu = L, in closed form."""
        began = time.perf_counter()
        corner = worst_parabola(self.units, measure=self.measure, **self._length)
        value = math.inf
        unit = self.units.curvature ** power_of(self.measure)
        if corner.value is not None:
            value = rounded_up(unit * corner.value)
        plain = dataclasses.replace(self.units, size=Fraction(1))
        problem = Extremal.of(plain.pieces(pieces_of_parabolas(corner, self.asked.N)), sigma=self.asked.sigma)
        gram = [np.array([[float(square)]]) for square in (corner.start, corner.spread)]
        seconds = time.perf_counter() - began
        return self._case(
            upper=value,
            dual=value,
            gap=0.0 if corner.value is not None else math.nan,
            lower=-rounded_up(-unit * corner.value) if corner.value is not None else None,
            problem=problem,
            status=_CLOSED,
            seconds=seconds,
            sizes={"means": 1, "deviations": int(self.asked.N > 1), "constraints": len(self.units.squares)},
            why="" if corner.value is not None else _APART,
            solution=Solution(value, value, _CLOSED, seconds, gram[0], gram[1], np.zeros(0), {}),
            proved=None if corner.value is None else unit * corner.value,
        )

    def _case(self, **found: Any) -> WorstCase:
        S = self.asked.N if self.S is None else self.S
        setting: dict[str, Any] = {"method": self.units.method.card.id, "K": self.K, "T": self.T, "S": S}
        return WorstCase(**setting, given=self.asked, measure=self.measure, **found)


_INFINITE = (
    "no worst case is finite: zeta or G_0 has to bound how clients differ.  A function that starts at its minimum has "
    "a left-hand side of {} at L = 1 and tilts of size 1; s^2 f_i(x/s) is of the class for every s, and has "
    "s^2 times that"
)
_APART = (
    "no worst case is finite: zeta or G_0 has to bound how clients differ.  Clients L |x - c_i|^2/2 have a left-hand "
    "side that grows with mean |c_i|^2"
)


def _about(trace: Trace, value: float) -> str:
    """Return a left-hand side in words: of a sample of draws it is an estimate."""
    return f"{'about ' if count_of_draws(trace.oracle) > MOST_DRAWS else ''}{value:.4g}"


def _require_legal(measure: str, given: ProblemClass, K: int, T: int, S: int | None) -> None:
    of_values = measure in OF_VALUES
    near = measure not in OF_DISTANCE or (given.has_minimiser and (given.distance is not None or given.convexity > 0))
    require(near, "measure", measure, "for mu > 0, or mu = 0 with distance: else nothing bounds it")
    require(not of_values or given.Delta_mean is None, "measure", measure, "for Delta or distance, not for Delta_mean")
    require_count(T, "T")
    require_count(K, "K")
    require(K * T <= _MOST_STEPS, "K T", K * T, f"at most {_MOST_STEPS} local steps: each is a vector of the programme")
    all_active = S is None or S == given.N
    require(all_active or measure not in OF_CLIENTS, "measure", measure, "about server points, where S < N")
