"""A trial: a bound put on a problem at a setting, with the method at the bound's parameters.

The one place where it is decided whether a bound and a problem fit.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.engine import simulate
from boundcheck.engine.exact import PATHS, average_on_paths
from boundcheck.engine.setting import Setting
from boundcheck.errors import NotApplicableError, require
from boundcheck.evidence.verdict import Verdict, decide, order_only
from boundcheck.methods import METHODS
from boundcheck.methods.quantise import Flip
from boundcheck.metrics import METRICS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.bounds.bound import Bound, Evaluation, Values
    from boundcheck.engine import Run
    from boundcheck.methods.base import Method
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Array, Indices, Problem


_COUNTS = {"int", "int | None"}
"""Types of hyperparameters that count something."""


@dataclass(frozen=True)
class Trial:
    """A bound evaluated on a problem at a setting, and the method at the bound's parameters."""

    bound: Bound
    problem: Problem
    setting: Setting
    evaluation: Evaluation
    method: Method

    @classmethod
    def of(
        cls, bound: Bound, problem: Problem, setting: Setting, overrides: Values | None = None, *, strict: bool = True
    ) -> Trial:
        """Evaluate `bound` on `problem` and build its method at the prescribed parameters.

        Raises
        ------
        NotApplicableError
            If a constant or a measured letter is missing, there is noise where the theorem has none, or (when
            `strict`) a condition fails.
        """
        kind = "minimise" if problem.blocks is None else "minimax"
        method = METHODS[bound.method]
        if method.card.kind != kind:
            msg = f"bound {bound.id} is about a {method.card.kind} problem, but {problem.name} is a {kind} problem"
            raise NotApplicableError(msg)
        if bound.exact_gradients and problem.is_noisy:
            msg = f"bound {bound.id} is about exact local gradients, but {problem.name} has noise"
            raise NotApplicableError(msg)
        constants = {letter: constant.value for letter, constant in problem.constants.items()}
        resolved = bound.resolve(constants | setting.letters | {"d": problem.d}, overrides)
        return cls(bound, problem, setting, bound.evaluate(resolved, strict=strict), _built(method, bound, resolved))

    @property
    def metric(self) -> Metric:
        """Return the left-hand side, with the growth of its weights if it has one."""
        metric = METRICS[self.bound.metric]
        grows = "growth" in self.bound.parameters
        return dataclasses.replace(metric, growth=float(self.evaluation.values["growth"])) if grows else metric

    @property
    def is_random(self) -> bool:
        """Return whether two runs can differ: gradient noise, sampled clients, or a method's quantiser."""
        quantised = getattr(self.method, "quantiser", "none") != "none"
        return self.problem.is_noisy or self.setting.N > self.setting.S or quantised

    def run(
        self, replicates: Indices, seed: int, *, metrics: Sequence[str | Metric] = (), quantities: Sequence[str] = ()
    ) -> Run:
        """Return the run of the method at this setting, one lane a replicate; only its end is kept."""
        setting = self.setting
        return simulate(
            self.problem,
            self.method,
            K=setting.K,
            T=setting.T,
            S=setting.S,
            b=setting.b,
            lanes=replicates,
            seed=seed,
            metrics=metrics,
            quantities=quantities,
            points=1,
        )

    def measure(self, seed: int, first: int, count: int) -> Array:
        """Return the left-hand side of the bound for replicates first, first + 1, ..., shape (count,)."""
        return self.run(np.arange(first, first + count), seed, metrics=[self.metric]).average(self.metric.name)

    def outcomes(self, *, most: int = PATHS) -> Array:
        """Return the left-hand side of the bound on every path of a run: see `boundcheck.engine.exact`.

        Raises
        ------
        InputError
            If `most` is not an integer >= 0.
        NotApplicableError
            If a draw has no list of outcomes, or the paths are more than `most`.
        """
        return average_on_paths(self.problem, self.method, self.metric, self.setting, most=most)

    def judge(self, y: Array, *, alpha: float, cells: int = 1, stage: int = 1, exact: bool = False) -> Verdict:
        """Return the verdict on replicates `y` that were measured for this trial (if `exact`, on all its paths)."""
        verdict = decide(
            y,
            self.evaluation,
            bound=self.bound.id,
            problem=self.problem.name,
            alpha=alpha,
            cells=cells,
            stage=stage,
            noisy=self.is_random and not exact,
            sure_ceiling=self.bound.trivial_is_sure,
        )
        return order_only(verdict) if self.bound.kind == "order" else verdict


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
) -> Trial:
    """Return the trial of `bound` on `problem`; see `Trial.of`.

    Raises
    ------
    InputError
        If K, T, S or b is not legal.
    NotApplicableError
        If they do not fit.
    """
    return Trial.of(bound, problem, Setting.of(problem, K=K, T=T, S=S, b=b), overrides, strict=strict)


def _built(cls: type[Method], bound: Bound, resolved: Values) -> Method:
    """Return the method with the hyperparameters that the bound prescribes."""
    hyper: dict[str, Any] = dict(bound.choices)
    for f in dataclasses.fields(cls):  # type: ignore[arg-type]
        letter = bound.hyper.get(f.name, f.name)
        if letter in bound.parameters:
            hyper[f.name] = _count(bound, letter, resolved) if f.type in _COUNTS else resolved[letter]
    if "q_omega" in bound.parameters:
        hyper["quantiser"] = str(Flip(float(resolved["q_omega"]))) if resolved["q_omega"] else "none"
    return cls(**hyper)


def _count(bound: Bound, name: str, resolved: Values) -> int:
    value = float(resolved[name])
    require(value >= 1 and value.is_integer(), f"{bound.id}: {name}", value, "an integer >= 1")
    return int(value)
