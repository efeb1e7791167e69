"""Where a bound's slack comes from: measured <= worst case <= sharpened, and the right-hand side, all in one class."""

from __future__ import annotations

import dataclasses
import math
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.given import bound_of
from boundcheck.errors import BoundcheckError, require
from boundcheck.evidence.search.extreme_candidates import unit
from boundcheck.evidence.search.extremes import RUNS, expected_on, measured_on, tightness
from boundcheck.evidence.slack.sharper import between
from boundcheck.files.display import shows
from boundcheck.problems import load_problem
from boundcheck.worst import certificates, proved_upper
from boundcheck.worst.gram.units import PRECISE, for_share, hyperparameters, with_fractions

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound, Values
    from boundcheck.evidence.search.extremes import Tightness
    from boundcheck.problems.base import Problem
    from boundcheck.worst import ProblemClass, Sharpened, Upper

PROBLEMS = {"momentum-fl": "ridge-ratio", "fedglomo": "ridge-waves", "gradma": "ridge-split"}
"""Paper to the problem on which its theorems are audited."""
_ELSE = "ridge-ratio"
_CONVEX = "quadratic"
"""What a theorem about convex clients is measured on."""
_DIALS = {"d": 4, "zeta": 0.5, "sigma": 0.0}
"""Of that problem; a single client has no zeta."""
_FORM = re.compile(r"(?P<stem>.+?\d+)(?:[RSA]|-proof|-printed|-full)?(?P<case>-(?:alt|w|s|fedavg|fedavgm|fedproxm))?")


@dataclass(frozen=True)
class WaterfallLevel:
    """One level of a waterfall.

    Attributes
    ----------
    name : str
        'measured', 'worst case', 'sharpened' or 'right-hand side'.
    value : float or None
        None where there is none; `why` has the reason.
    source : str
        What the number rests on.
    lower : float or None
        Of a worst case: what the engine measures on a function of the class.
    exact : str
        The value as a fraction, where it is proved over Q.
    why : str
        Why there is no value.
    """

    name: str
    value: float | None
    source: str
    lower: float | None = None
    exact: str = ""
    why: str = ""


@shows("found.bound", "found.case.K", "found.case.T", "levels", "factors")
@dataclass(frozen=True)
class Waterfall:
    """A bound's slack, level by level.

    Attributes
    ----------
    found : Tightness
        The bound beside the worst case of its class, with the steps.
    upper : Upper or None
        The proof of the worst case's upper side.
    theorem : Sharpened or None
        The best theorem of one round.
    stages : tuple of Stage
        From what is measured up to the right-hand side.
    printed : Stage
        The form that the paper prints, at its own parameters; of a bound of order with hidden constant 1.
    """

    found: Tightness
    upper: Upper | None
    theorem: Sharpened | None
    stages: tuple[WaterfallLevel, ...]
    printed: WaterfallLevel

    @property
    def levels(self) -> dict[str, float | None]:
        """Return the value of each level, from what is measured up."""
        return {stage.name: stage.value for stage in self.stages}

    @property
    def factors(self) -> dict[str, float]:
        """Return by what factor each level is above the one below it."""
        known = [stage for stage in self.stages if stage.value]
        return {high.name: _number(high) / _number(low) for low, high in pairwise(known)}

    def certificates(self) -> list[dict[str, Any]]:
        """Return the proofs of the levels that have one, which `boundcheck verify` reads; named by their methods."""
        found = [self.upper.certificate | {"id": f"worst.{self.upper.method.card.id}"}] if self.upper else []
        return [*found, *(certificates(self.theorem) if self.theorem else [])]

    def data(self) -> dict[str, Any]:
        """Return it as plain data."""
        case = self.found.case
        bound = BOUNDS.get(self.found.bound)
        steps = with_fractions(self.found.method, PRECISE)
        return {
            "bound": self.found.bound,
            "kind": self.found.kind,
            "form": bound.form if bound else "",
            "method": case.method,
            "K": case.K,
            "T": case.T,
            "measure": case.measure,
            "class": {k: v for k, v in dataclasses.asdict(case.given).items() if v is not None},
            "steps": {name: str(value) for name, value in hyperparameters(steps).items()},
            "conditions": self.found.conditions,
            "stages": [_plain(stage) for stage in self.stages],
            "factors": self.factors,
            "printed": _plain(self.printed),
        }


def _number(stage: WaterfallLevel) -> float:
    return float(stage.value or 0.0)


def _plain(stage: WaterfallLevel) -> dict[str, Any]:
    return {k: v for k, v in dataclasses.asdict(stage).items() if v is not None and v != ""}


def waterfall(
    bound: Bound | str,
    *,
    K: int,
    T: int,
    b: int = 1,
    overrides: Values | None = None,
    problem: str | None = None,
    **constants: Any,
) -> Waterfall:
    """Return what becomes of a bound's right-hand side on the way down to a measured value, in one class.

    Every level is at the same steps: those that the bound prescribes for the class, with twelve digits.

    Parameters
    ----------
    bound : Bound or str
        A theorem that worst cases know (`boundcheck.evidence.search.extremes.tightness`).
    K, T, b : int
        Local steps a round, rounds, samples of a minibatch.
    overrides : mapping, optional
        Parameters in the place of the prescribed ones.
    problem : str, optional
        What is measured, in units in which it is in the class; by default what the audit of the paper runs.
    **constants
        Of `boundcheck.worst.ProblemClass`.

    Raises
    ------
    InputError
        If a number is not legal.
    NotApplicableError
        If worst cases do not know what the bound is about.
    """
    bound = bound_of(bound)
    found = tightness(bound, K=K, T=T, b=b, overrides=overrides, **constants)
    upper, worst_case = _worst(found)
    theorem, why = between(found)
    stages = (
        _measured_stage(found, problem or PROBLEMS.get(bound.paper, _ELSE), bound, b),
        worst_case,
        _sharpened_stage(theorem, why),
        WaterfallLevel("right-hand side", found.rhs, f"{bound.id} ({bound.form})"),
    )
    return Waterfall(found, upper, theorem, stages, _printed_stage(bound, found, b, constants))


def _worst(found: Tightness) -> tuple[Upper | None, WaterfallLevel]:
    """Return the proof of the upper side, and the level; the solver's word where there is no proof."""
    case = found.case
    try:
        method = with_fractions(found.method, PRECISE)
        upper = proved_upper(method, K=case.K, T=case.T, measure=case.measure, given=case.given)
    except BoundcheckError as error:
        if case.is_proved:
            # In units in which L is not 1 certificates are of f/L.
            source = "proved over Q, for f/L"
            return None, WaterfallLevel("worst case", case.upper, source, lower=case.lower, exact=str(case.proved))
        if not math.isfinite(case.upper):
            return None, WaterfallLevel("worst case", None, "", why=f"the solver gave no number; {error}")
        return None, WaterfallLevel("worst case", case.upper, "a solver, not proved", lower=case.lower, why=str(error))
    value = upper.value
    return upper, WaterfallLevel("worst case", float(value), "proved over Q", lower=case.lower, exact=str(value))


def _sharpened_stage(theorem: Sharpened | None, why: str) -> WaterfallLevel:
    if theorem is None:
        return WaterfallLevel("sharpened", None, "", why=why)
    value = theorem.right_hand_side()
    return WaterfallLevel("sharpened", float(value), "the best potential of one round, proved over Q", exact=str(value))


def _measured_stage(found: Tightness, name: str, bound: Bound, b: int) -> WaterfallLevel:
    case, sigma = found.case, found.case.given.sigma
    dials = _DIALS | ({"zeta": 0.0} if case.given.N == 1 else {})
    if case.given.has_minimiser:
        name, dials = _CONVEX, {"sigma": 0.0}
    try:
        problem = load_problem(name, N=case.given.N, **dials)
        L = max(problem.constant(name) for name in ("L", "L_sample", "L_rms") if name in bound.needs)
        depth = _depth(problem, case.given, L)
        method = for_share(found.method, 1 / L)
        share = unit(case.measure, case.given.L, 1.0) / unit(case.measure, L, depth)
        if sigma:
            noise = {"noise": "signs", "sigma": sigma * (L * depth / case.given.L) ** 0.5}
            problem = load_problem(name, N=case.given.N, **(dials | noise))
            run, error = expected_on(problem, method, K=case.K, T=case.T, b=b, measure=case.measure)
            more = f"; mean of {RUNS} runs, standard error {error * share:.2g}"
        else:
            run, more = measured_on(problem, method, K=case.K, T=case.T, measure=case.measure), ""
    except BoundcheckError as error:
        return WaterfallLevel("measured", None, "", why=str(error))
    return WaterfallLevel("measured", run * share, f"the engine on {problem.name}, scaled into the class{more}")


def _depth(problem: Problem, given: ProblemClass, L: float) -> float:
    """Return how many times deeper than the class a problem is, in units in which its L is that of the class.

    a f(x/r) with a = 1/depth and r^2 = a L has L = 1, and squares of gradients divided by L depth: Delta and zeta^2 are
    within those of the class if the depth is large enough.
    """
    values = {"Delta": given.Delta, "Delta_mean": given.Delta_mean}
    shares = [problem.constant(name) / value for name, value in values.items() if value]
    if given.distance:
        # The square of a distance times L has the unit of f.
        shares.append(L * problem.constant("delta_x") / (given.L * given.distance**2))
    squares = {"zeta": given.zeta**2 if given.zeta is not None else None, "G_0": given.G_0}
    for name, square in squares.items():
        if square is not None:
            own = problem.constant(name) ** (2 if name == "zeta" else 1)
            # A square below the smallest number is no unit to measure in.
            require(square > 0 or own == 0, name, getattr(given, name), "a number whose square is above 0")
            shares.append(given.L * own / (L * square) if own else 0.0)
    return max(shares)


def printed_form(bound: Bound) -> Bound | None:
    """Return the form of a bound that the paper prints, itself where it is that."""
    if bound.form == "printed":
        return bound
    match = _FORM.fullmatch(bound.id.removesuffix("-rate"))
    if match is None:
        return None
    stem = match["stem"] + (match["case"] or "")
    return next((b for b in map(BOUNDS.get, (f"{stem}-printed", stem)) if b and b.form == "printed"), None)


def _printed_stage(bound: Bound, found: Tightness, b: int, constants: dict[str, Any]) -> WaterfallLevel:
    form = printed_form(bound)
    if form is None:
        return WaterfallLevel("printed", None, "", why="no printed form is registered")
    try:
        own = tightness(form, K=found.case.K, T=found.case.T, b=b, **constants) if form is not bound else found
    except BoundcheckError as error:
        return WaterfallLevel("printed", None, form.id, why=str(error))
    words = ["with hidden constant 1"] if form.kind == "order" else []
    words += [f"outside its conditions: {'; '.join(own.conditions)}"] if own.conditions else []
    return WaterfallLevel("printed", own.rhs, ", ".join([form.id, *words]))
