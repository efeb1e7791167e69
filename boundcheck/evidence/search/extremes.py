"""Worst cases beside the engine and the theorems: what extremal problems measure, what a bound leaves open."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.bounds.given import bound_of
from boundcheck.engine import simulate
from boundcheck.engine.quantities import QUANTITIES
from boundcheck.errors import NotApplicableError
from boundcheck.evidence.trials.fitting import build_prescribed_method
from boundcheck.files.display import shows
from boundcheck.metrics import METRICS
from boundcheck.worst import ProblemClass, worst
from boundcheck.worst.facts.measures import OF_VALUES, weights_of

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound, Values
    from boundcheck.methods.base import Method
    from boundcheck.problems.base import Problem
    from boundcheck.problems.types import Array
    from boundcheck.worst import WorstCase


MEASURED = {
    "server_gradient": "average",
    "output_gradient": "average",
    "local_gradient": "local",
    "best_gradient": "best",
    "final_gradient": "last",
    "suboptimality": "suboptimality",
    "final_suboptimality": "value",
    "centre_suboptimality": "centre",
    "final_distance": "distance",
    "drift": "drift",
}
"""Left-hand sides of bounds that worst cases know."""
_METRICS = {
    "centre": "centre_suboptimality",
    "average": "server_gradient",
    "local": "local_gradient",
    "suboptimality": "suboptimality",
    "drift": "drift",
}
RUNS = 4096
"""Runs of which an expectation is the mean where there is noise."""
_KNOWN = {"L", "L_sample", "L_rms", "Delta", "Delta_mean", "sigma", "zeta", "G_0", "delta_x", "mu", "mu_PL", "f_star"}
"""Constants that a class of problems has; adding a number to f changes nothing, so that f_star is 0."""
_CURVED = 0.1
"""mu over L of the class of a theorem about strongly convex clients, where nothing else is said."""


def measured_on(problem: Problem, method: Method, *, K: int, T: int, measure: str) -> float:
    """Return a left-hand side of a worst case as the engine measures it on a problem without noise.

    Parameters
    ----------
    problem, method, K, T
        What is run.
    measure : str
        A name in `boundcheck.worst.MEASURES`, with a growth if weights grow.
    """
    return float(_levels(problem, method, lanes=1, K=K, T=T, b=1, measure=measure).min())


def expected_on(
    problem: Problem, method: Method, *, K: int, T: int, b: int, measure: str, S: int | None = None
) -> tuple[float, float]:
    """Return the mean of a left-hand side over `RUNS` runs with noise, or with draws, and its standard error.

    Parameters
    ----------
    problem, method, K, T, b, S
        What is run.
    measure : str
        A name in `boundcheck.worst.MEASURES`; 'best' is the smallest of the means over the runs.
    """
    levels = _levels(problem, method, lanes=RUNS, K=K, T=T, b=b, measure=measure, S=S)
    y = levels[:, levels.mean(axis=0).argmin()]
    return float(y.mean()), float(y.std(ddof=1) / len(y) ** 0.5)


def _levels(
    problem: Problem, method: Method, *, lanes: int, K: int, T: int, b: int, measure: str, S: int | None = None
) -> Array:
    """Return a left-hand side of every run, (lanes, 1); that of 'best' at every round, (lanes, T)."""
    if problem.blocks is not None:
        return np.array([[_on_envelope(problem, method, K=K, T=T, measure=measure)]])
    metric = _metric(measure)
    # So many points a decade that every round is one.
    run = simulate(problem, method, K=K, T=T, S=S, b=b, lanes=lanes, metrics=[metric], points=1000)
    if measure == "best":
        return run.instant[metric]
    if measure == "distance":
        away: Array = run.final - np.asarray(problem.constants["f_star"].at)
        squares: Array = (away * away).sum(axis=-1)[:, None]
        return squares
    if measure in ("last", "value"):
        at = run.final[:, None, :]
        g = problem.mean_gradient(at)
        ends = (g * g).sum(axis=(1, 2)) if measure == "last" else problem.value(at) - problem.constant("f_star")
        return ends[:, None]
    return run.average(metric)[:, None]


def _on_envelope(problem: Problem, method: Method, *, K: int, T: int, measure: str) -> float:
    """Return a left-hand side of Phi at the server points of a run without noise."""
    rounds = (T,) if measure in ("last", "value") else range(T)
    ends = [problem.start if not t else simulate(problem, method, K=K, T=t, lanes=1).final[0] for t in rounds]
    at = np.array(ends)[:, None, :]
    of_values = measure in OF_VALUES
    slopes = problem.envelope_gradient(at)
    found = problem.envelope(at) - problem.constant("Phi_star") if of_values else (slopes * slopes).sum(axis=(1, 2))
    if measure == "best":
        return float(found.min())
    weights = [1.0] if len(rounds) == 1 else [float(weight) for weight in weights_of(measure, len(rounds))]
    return float(np.array(weights) @ found)


def _metric(measure: str) -> str:
    # An average with growing weights, "average(0.25)", is of the output of a run: "output_gradient(0.25)".
    growing = measure.replace("average", "output_gradient")
    return _METRICS.get(measure) or (growing if "average" in measure else "server_gradient")


@dataclass(frozen=True)
class TheoremOnClass:
    """A theorem put on a class of problems: its right-hand side, and its method at its parameters.

    Attributes
    ----------
    bound : str
        Name of the bound.
    rhs : float
        Its right-hand side; of a bound of order with hidden constant 1.
    kind : {'explicit', 'order'}
        Of the bound.
    conditions : list of str
        Labels of its conditions that fail: the theorem does not speak here.
    method : Method
        The theorem's method at its parameters.
    parameters : dict
        The method's steps.
    given : ProblemClass
        The class that it is about.
    measure : str
        Its left-hand side, as worst cases call it.
    K, T : int
        Local steps a round and rounds.
    trivial : float
        What the left-hand side cannot exceed anyway.
    """

    bound: str
    rhs: float
    kind: str
    conditions: list[str]
    method: Method
    parameters: dict[str, float]
    given: ProblemClass
    measure: str
    K: int
    T: int
    trivial: float


@shows("bound", "kind", "rhs", "case.verdict", "case.upper")
@dataclass(frozen=True)
class Tightness(TheoremOnClass):
    """A theorem's right-hand side beside the worst case of its own class, at its own parameters.

    Attributes
    ----------
    case : WorstCase
        The worst case.
    """

    case: WorstCase

    @property
    def looseness(self) -> float:
        """How many times the worst case fits into the right-hand side, at least."""
        return self.rhs / self.case.upper

    @property
    def excess(self) -> float | None:
        """By what factor a function of the class exceeds the right-hand side.

        Above 1 it refutes an explicit bound whose conditions hold; for a bound of order it is a lower limit on the
        hidden constant.  None where there is no function.
        """
        return None if self.case.lower is None else self.case.lower / self.rhs

    def data(self) -> dict[str, Any]:
        """Return it as plain data."""
        names = ("bound", "kind", "rhs", "looseness", "excess", "conditions", "parameters")
        return {**{name: getattr(self, name) for name in names}, **self.case.data()}


def tightness(
    bound: Bound | str,
    *,
    K: int,
    T: int,
    S: int | None = None,
    b: int = 1,
    overrides: Values | None = None,
    **constants: Any,
) -> Tightness:
    """Return how much of a theorem's right-hand side is real: the worst case of its class at its own parameters.

    Takes and raises what `place_on_class` does; with S < N nothing is proved.
    """
    at = place_on_class(bound, K=K, T=T, S=S, b=b, overrides=overrides, **constants)
    case = worst(at.method, K=K, T=T, S=S, b=b, measure=at.measure, given=at.given)
    return Tightness(**vars(at), case=case)


def place_on_class(
    bound: Bound | str,
    *,
    K: int,
    T: int,
    S: int | None = None,
    b: int = 1,
    overrides: Values | None = None,
    **constants: Any,
) -> TheoremOnClass:
    """Return a theorem on its own class, at its own parameters.

    Parameters
    ----------
    bound : Bound or str
        A theorem about a method that is linear.
    K, T, b : int
        Local steps a round, rounds, samples of a minibatch.
    S : int, optional
        Clients that are active in a round; by default all.
    overrides : mapping, optional
        Parameters in the place of the prescribed ones, and letters that belong to a run; those that have a value which
        always serves take it.
    **constants
        Of `boundcheck.worst.ProblemClass`.  What the bound is about is 1 where it is not given (Delta, distance), mu
        is L/10, and 0 for a bound about convex clients.  zeta (which then holds at every x), G_0 and sigma have to be
        given where the bound needs them, sigma = 0 by default.  Where zeta is given in the place of G_0, it holds at
        the server points, and G_0 is the largest that it allows, 2 L Delta + zeta^2.

    Raises
    ------
    InputError
        If a number is not legal.
    NotApplicableError
        If the bound is about constants or a left-hand side that worst cases do not know, its method is not linear, or
        it prescribes no finite step.
    """
    bound = bound_of(bound)
    given = _class_of(bound, constants)
    values = _values(bound, given, S=given.N if S is None else S, K=K, T=T, b=b)
    resolved = bound.resolve(values, {**_ceilings(bound, given.N), **(overrides or {})})
    method = build_prescribed_method(bound, f"the class {_format_values(values)}", resolved)
    evaluation = bound.evaluate(resolved, strict=False)
    letter = METRICS[bound.metric].growth_letter
    growth = f"({resolved[letter]!r})" if letter in bound.parameters else ""
    steps = {name: float(resolved[name]) for name in bound.parameters}
    failed = [f"{c.label}: {c.relation}" for c in evaluation.conditions if not c.holds]
    measure = _measure(bound) + growth
    return TheoremOnClass(
        bound.id, evaluation.rhs, bound.kind, failed, method, steps, given, measure, K, T, evaluation.trivial
    )


def _class_of(bound: Bound, constants: dict[str, Any]) -> ProblemClass:
    """Return the class that a theorem is about: what it needs beyond the constants given is refused."""
    unknown = sorted(set(bound.needs) - _KNOWN)
    if unknown:
        msg = f"bound {bound.id} is about {', '.join(unknown)}, which worst cases do not know; known: {_list(_KNOWN)}"
        raise NotApplicableError(msg)
    if "Delta_mean" in bound.needs:
        constants = {"Delta": None, "Delta_mean": 1.0, **constants}
    if "mu" in bound.needs:
        constants = {"mu": _CURVED * constants.get("L", 1.0), **constants}
    elif bound.convex or "delta_x" in bound.needs:
        constants = {"mu": 0.0, **constants}
    if "mu_PL" in bound.needs:
        constants = {"pl": _CURVED * constants.get("L", 1.0), **constants}
    if "delta_x" in bound.needs:
        # The squared distance of the start is 1 where it is not given.
        constants = {"distance": 1.0, **({} if "Delta" in bound.needs else {"Delta": None}), **constants}
    given = ProblemClass(**constants)
    if bound.exact_gradients and given.sigma > 0:
        msg = f"bound {bound.id} is about exact gradients, not about sigma = {given.sigma:g}"
        raise NotApplicableError(msg)
    # A bound that needs zeta has it at every x; the other constants are of the start, or of noise.
    everywhere = "zeta" in bound.needs and given.zeta is not None and given.Delta is not None and given.convexity < 0
    return dataclasses.replace(given, everywhere=everywhere)


def _values(bound: Bound, given: ProblemClass, **setting: int) -> dict[str, float]:
    """Return the letters of a class, as bounds read them."""
    distance2 = None if given.distance is None else given.distance**2
    letters = {
        "delta_x": distance2,
        "mu": given.mu,
        "mu_PL": given.pl,
        "Delta": given.Delta,
        "Delta_mean": given.Delta_mean,
        "zeta": given.zeta,
        "G_0": _start(given),
    }
    found = {name: value for name, value in letters.items() if value is not None}
    smooth = dict.fromkeys(("L", "L_sample", "L_rms"), given.L)
    return {**found, **smooth, "f_star": 0.0, "sigma": given.sigma, "N": given.N, "d": 1, **setting}


def _start(given: ProblemClass) -> float | None:
    """Return G_0, where it is not given the largest that zeta allows: |grad f(x_0)|^2 <= 2 L Delta."""
    if given.G_0 is not None or given.zeta is None or given.Delta is None:
        return given.G_0
    return 2 * given.L * given.Delta + given.zeta**2


def _ceilings(bound: Bound, N: int) -> dict[str, float]:
    """Return values that always serve for letters that belong to a run."""
    makers = {letter: QUANTITIES[name].ceiling for letter, name in bound.measured.items()}
    return {letter: maker(N) for letter, maker in makers.items() if maker is not None}


def _measure(bound: Bound) -> str:
    if bound.metric not in MEASURED:
        known = _list(MEASURED)
        msg = f"bound {bound.id} is about {bound.metric}, which worst cases do not know; known: {known}"
        raise NotApplicableError(msg)
    return MEASURED[bound.metric]


def _format_values(values: dict[str, float]) -> str:
    return ", ".join(f"{name} = {np.format_float_positional(value, trim='-')}" for name, value in values.items())


def _list(names: Any) -> str:
    return ", ".join(sorted(names))
