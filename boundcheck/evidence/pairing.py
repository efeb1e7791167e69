"""A bound and a problem put together: the one place where it is decided whether they fit."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.engine import simulate
from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.methods import METHODS
from boundcheck.metrics import METRICS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.bounds.bound import Bound, Evaluation, Values
    from boundcheck.engine import Run
    from boundcheck.methods.base import Method
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Indices, Problem


_COUNTS = {"int", "int | None"}
"""Types of hyperparameters that count something."""


@dataclass(frozen=True)
class Pairing:
    """A bound evaluated on a problem, and the method at the bound's parameters."""

    bound: Bound
    problem: Problem
    evaluation: Evaluation
    method: Method
    K: int
    T: int
    S: int
    b: int

    @property
    def metric(self) -> Metric:
        """Return the left-hand side, with the growth of its weights if it has one."""
        metric = METRICS[self.bound.metric]
        grows = "growth" in self.bound.parameters
        return dataclasses.replace(metric, growth=float(self.evaluation.values["growth"])) if grows else metric

    def run(
        self, replicates: Indices, seed: int, *, metrics: Sequence[str | Metric] = (), quantities: Sequence[str] = ()
    ) -> Run:
        """Return the run of the method at this setting, one lane a replicate; only its end is kept."""
        return simulate(
            self.problem,
            self.method,
            K=self.K,
            T=self.T,
            S=self.S,
            b=self.b,
            lanes=replicates,
            seed=seed,
            metrics=metrics,
            quantities=quantities,
            points=1,
        )


def pair(
    bound: Bound,
    problem: Problem,
    *,
    K: int,
    T: int,
    S: int | None = None,
    b: int = 1,
    overrides: Values | None = None,
    strict: bool = True,
) -> Pairing:
    """Evaluate `bound` on `problem` and build its method at the prescribed parameters.

    Raises
    ------
    InputError
        If K, T, S or b is not legal.
    NotApplicableError
        If a constant or a measured letter is missing, there is noise where the theorem has none, or (when `strict`) a
        condition fails.
    """
    S = problem.N if S is None else S
    for name, value in (("K", K), ("T", T), ("S", S), ("b", b)):
        require_count(value, name)
    require(problem.N >= S, "S", S, f"at most N = {problem.N}")
    kind = "minimise" if problem.blocks is None else "minimax"
    cls = METHODS[bound.method]
    if cls.card.kind != kind:
        msg = f"bound {bound.id} is about a {cls.card.kind} problem, but {problem.name} is a {kind} problem"
        raise NotApplicableError(msg)
    if bound.exact_gradients and problem.is_noisy:
        msg = f"bound {bound.id} is about exact local gradients, but {problem.name} has noise"
        raise NotApplicableError(msg)
    settings = {"N": problem.N, "S": S, "K": K, "T": T, "b": b, "d": problem.d}
    constants = {letter: constant.value for letter, constant in problem.constants.items()}
    resolved = bound.resolve(constants | settings, overrides)
    evaluation = bound.evaluate(resolved, strict=strict)
    return Pairing(bound, problem, evaluation, build(cls, bound, resolved), K, T, S, b)


def build(cls: type[Method], bound: Bound, resolved: Values) -> Method:
    """Return the method with the hyperparameters that the bound prescribes."""
    hyper: dict[str, Any] = dict(bound.choices)
    for f in dataclasses.fields(cls):  # type: ignore[arg-type]
        letter = bound.hyper.get(f.name, f.name)
        if letter in bound.parameters:
            hyper[f.name] = _count(bound, letter, resolved) if f.type in _COUNTS else resolved[letter]
    if "q_omega" in bound.parameters:
        hyper["quantiser"] = _quantiser(resolved["q_omega"])
    return cls(**hyper)


def _quantiser(q: float) -> str:
    """Return the name of a quantiser that reaches q at every point."""
    return f"flip-{np.format_float_positional(q, trim='-')}" if q else "none"


def _count(bound: Bound, name: str, resolved: Values) -> int:
    value = float(resolved[name])
    require(value >= 1 and value.is_integer(), f"{bound.id}: {name}", value, "an integer >= 1")
    return int(value)
