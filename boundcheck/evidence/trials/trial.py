"""A trial: a bound put on a problem at a setting, with the method at the bound's parameters."""

from __future__ import annotations

import dataclasses
import math
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.engine import simulate
from boundcheck.engine.exact import PATHS, average_on_paths
from boundcheck.engine.setting import Setting
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.evidence.trials.chances import decide_chance, exceeding, quantile
from boundcheck.evidence.trials.close_calls import close_call, unless_close
from boundcheck.evidence.trials.coins import tosses_coins
from boundcheck.evidence.trials.divergence import (
    AllDivergedError,
    FarLanes,
    watch_problem,
    watched_method,
    watched_metric,
)
from boundcheck.evidence.trials.fitting import at_defaults, build_prescribed_method, require_fit, require_legal
from boundcheck.evidence.trials.judging import decide, order_only, require_finite
from boundcheck.evidence.trials.known import ceiling
from boundcheck.evidence.trials.rounding import Rounding
from boundcheck.evidence.trials.vouched import vouched_for
from boundcheck.metrics import METRICS, metric_of
from boundcheck.problems.own.computed import with_own_letters

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.bounds.bound import Bound, Evaluation, Values
    from boundcheck.engine import Run
    from boundcheck.evidence.statistics.verdict import Verdict
    from boundcheck.methods.base import Method
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Array, Indices, Problem


_LEAST_WEIGHT = 1e-100
"""Of the points of an average: one beyond the largest number, 1e308, that weighs less may leave it any size."""


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
            If a constant or a measured letter is missing, the noise is not what the theorem assumes, a prescribed
            parameter is no finite number, or (when `strict`) a condition fails.
        InputError
            If (when `strict`) a term of the right-hand side is no finite number.
        """
        require_fit(bound, problem)
        problem = with_own_letters(problem, bound.needs)
        constants = problem.values_for(bound.needs)
        resolved = bound.resolve(constants | setting.letters | {"d": problem.d}, overrides)
        method, evaluation = (
            build_prescribed_method(bound, problem.name, resolved),
            bound.evaluate(resolved, strict=strict),
        )
        if strict:
            require_legal(bound, method)
            # As at the minimum, where Delta = 0; a step that is 0 by an overflow is another matter.
            at_rest = any(constants.get(need) == 0 for need in bound.needs)
            still = [name for name in bound.parameters if resolved.get(name) == 0]
            if at_rest and still and any(map(math.isnan, evaluation.terms.values())):
                msg = f"bound {bound.id} prescribes {still[0]} = 0 on {problem.name}, where its right-hand side is 0/0"
                raise NotApplicableError(msg)
            require_finite(bound.id, evaluation)
        return cls(bound, problem, setting, evaluation, method)

    @property
    def metric(self) -> Metric:
        """Return the left-hand side, with the growth of its weights if it has one."""
        metric = METRICS[self.bound.metric]
        letter = metric.growth_letter
        grows = letter in self.bound.parameters
        return dataclasses.replace(metric, growth=float(self.evaluation.values[letter])) if grows else metric

    @cached_property
    def is_random(self) -> bool:
        """Whether two runs can differ: gradient noise, sampled clients, or coins of the method's own."""
        drawn = self.problem.is_noisy or self.setting.N > self.setting.S
        return drawn or tosses_coins(self.problem, self.method, self.setting)

    @cached_property
    def ceiling(self) -> float | None:
        """What no run's left-hand side exceeds, proved; None if nothing is known."""
        sure = [self.evaluation.trivial] if self.bound.trivial_is_sure and not self.vouched_constants else []
        found = ceiling(self.problem, self.metric)
        return min([*sure, *([] if found is None else [found])], default=None)

    @cached_property
    def rounds(self) -> Rounding:
        """What rounding may do to the comparison."""
        values, rhs = self.evaluation.values, self.evaluation.rhs
        return Rounding(self.bound, self.problem, self.metric, self.setting, values, rhs)

    @cached_property
    def rounding(self) -> float:
        """How far rounding alone may lift the left-hand side above the right-hand side."""
        return self.rounds.limit() - self.evaluation.rhs

    @property
    def failure(self) -> float:
        """The probability with which the inequality may fail in a run; 0 where it is about the expectation."""
        return float(self.evaluation.values[self.bound.failure]) if self.bound.failure else 0.0

    def estimate(self, y: Array) -> float:
        """Return what the theorem bounds, estimated from replicates: their mean, or a quantile of them."""
        return quantile(y, self.failure) if self.bound.failure else float(y.mean())

    def is_above(self, y: Array) -> bool:
        """Return whether replicates are above the right-hand side by more than a standard error of their mean.

        Where the theorem holds with high probability: whether more of them are than may be.
        """
        rhs = self.evaluation.rhs
        if self.bound.failure:
            return float(exceeding(y, rhs).mean()) > self.failure
        with np.errstate(invalid="ignore"):
            return not float(y.mean() - y.std(ddof=1) / len(y) ** 0.5) <= rhs

    @cached_property
    def vouched_constants(self) -> tuple[str, ...]:
        """The constants that the bound needs and that somebody's word alone stands for."""
        return vouched_for(self.bound, self.problem)

    def run(
        self, replicates: Indices, seed: int, *, metrics: Sequence[str | Metric] = (), quantities: Sequence[str] = ()
    ) -> Run:
        """Return the run of the method at this setting, one lane a replicate; only its end is kept.

        Raises
        ------
        InputError
            If a gradient is no number at a finite point, or the method or the metric makes none out of numbers (0/0);
            the message names the client and the point, the method, the round and the replicate, or metric and point.
        """
        run = self.simulate_replicates(replicates, seed, metrics, quantities)
        ends = [values[:, -1] for values in run.curves.values()]
        broken = ~np.isfinite(np.array(ends).reshape(-1, len(replicates))).all(axis=0)
        if broken.any():
            self.require_divergence(replicates[broken], seed, metrics=metrics)
        return run

    def require_divergence(self, replicates: Indices, seed: int, *, metrics: Sequence[str | Metric] = ()) -> None:
        """Run replicates that end in no number once more, and watched: one that runs away is what is measured.

        Raises
        ------
        InputError
            If a function, the method's own rule or that of the metric broke; see `run`.
        """
        measured = [watched_metric(metric_of(one) if isinstance(one, str) else one) for one in metrics]
        with suppress(AllDivergedError):
            self._watch_numbers(replicates).simulate_replicates(replicates, seed, measured, ())

    def _watch_numbers(self, replicates: Indices) -> Trial:
        """Return the trial with a problem and a method that raise where they make no number out of numbers."""
        reached = FarLanes()
        method = watched_method(self.method, reached, replicates)
        return dataclasses.replace(self, problem=watch_problem(self.problem, reached), method=method)

    def simulate_replicates(
        self,
        replicates: Indices,
        seed: int,
        metrics: Sequence[str | Metric],
        quantities: Sequence[str],
    ) -> Run:
        """Return the run of some replicates as it is, whatever it ends in; see `run`."""
        setting = self.setting
        with self._no_division_by_zero():
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

    @contextmanager
    def _no_division_by_zero(self) -> Iterator[None]:
        """Say of a method that divides by a number which is 0 that it does, with the hyperparameters that are 0.

        Raises
        ------
        NotApplicableError
            If the bound prescribes a 0 here.
        InputError
            If it is the method's own rule.
        """
        try:
            yield
        except ZeroDivisionError as error:
            values = {f.name: getattr(self.method, f.name) for f in dataclasses.fields(self.method)}  # type: ignore[arg-type]
            zero = [name for name, value in values.items() if not isinstance(value, (bool, str)) and value == 0]
            words = f"method {self.method.card.id} divides by 0 on {self.problem.name}"
            if not zero:
                raise InputError(f"{words}; a rule that divides by numbers other than 0 is legal") from error
            msg = f"bound {self.bound.id}: {words}, where it prescribes {', '.join(f'{name} = 0' for name in zero)}"
            raise NotApplicableError(msg) from error

    def measure(self, seed: int, first: int, count: int) -> Array:
        """Return the left-hand side of the bound for replicates first, first + 1, ..., shape (count,).

        Raises
        ------
        NotApplicableError
            If a run outgrows the numbers while the weights of its points vanish.
        """
        return self._averages(self.run(np.arange(first, first + count), seed, metrics=[self.metric]))

    def _averages(self, run: Run) -> Array:
        """Return the averages of a run, unless one is an infinity that its weights may outweigh."""
        y = run.average(self.metric.name)
        with np.errstate(under="ignore"):
            weight = float((1.0 + self.metric.growth) ** -float(self.setting.T))
        if weight < _LEAST_WEIGHT and not np.isfinite(y).all():
            msg = f"bound {self.bound.id}: a run outgrows the numbers while its points weigh below {_LEAST_WEIGHT:.0e}"
            raise NotApplicableError(msg)
        return y

    def measure_along(self, seed: int, first: int, count: int) -> tuple[Array, dict[str, float]]:
        """Return the left-hand side for replicates first, first + 1, ..., and the bound's letters along these runs.

        A letter is the worst over all rounds and replicates; with no replicates asked for it is 0.

        Raises
        ------
        NotApplicableError
            If a letter is infinite (the run diverged, or did not move), or as `measure`.
        """
        measured = self.bound.measured
        if count < 1:
            return np.empty(0), dict.fromkeys(measured, 0.0)
        replicates = np.arange(first, first + count)
        run = self.run(replicates, seed, metrics=[self.metric], quantities=list(measured.values()))
        letters = {letter: float(run.worst[name].max()) for letter, name in measured.items()}
        for letter, value in letters.items():
            if not np.isfinite(value):
                msg = f"bound {self.bound.id}: no finite {letter} serves along the run: it diverged or did not move"
                raise NotApplicableError(msg)
        return self._averages(run), letters

    def outcomes(self, *, most: int = PATHS) -> Array:
        """Return the left-hand side of the bound on every path of a run: see `boundcheck.engine.exact`.

        Raises
        ------
        InputError
            If `most` is not an integer >= 0, or as `run`.
        NotApplicableError
            If a draw has no list of outcomes, or the paths are more than `most`.
        """
        with self._no_division_by_zero():
            y = average_on_paths(self.problem, self.method, self.metric, self.setting, most=most)
        if not np.isfinite(y).all():
            seen = self._watch_numbers(np.arange(len(y)))
            average_on_paths(seen.problem, seen.method, watched_metric(self.metric), self.setting, most=most)
        return y

    def judge(self, y: Array, *, alpha: float, cells: int = 1, stage: int = 1, exact: bool = False) -> Verdict:
        """Return the verdict on replicates `y` that were measured for this trial (if `exact`, on all its paths)."""
        verdict = self._compare(y, alpha=alpha, cells=cells, stage=stage, exact=exact)
        moved = self.bound.departures(self.evaluation.values)
        return dataclasses.replace(verdict, defaults=at_defaults(self.bound), moved=moved)

    def _compare(self, y: Array, *, alpha: float, cells: int, stage: int, exact: bool) -> Verdict:
        noisy = self.is_random and not exact
        if self.bound.failure and self.is_random:
            return decide_chance(
                y,
                self.evaluation,
                self.failure,
                bound=self.bound.id,
                problem=self.problem.name,
                alpha=alpha,
                cells=cells,
                noisy=noisy,
                rounding=self.rounding if (y > self.evaluation.rhs).any() else 0.0,
            )
        if noisy and self.metric.signed:
            msg = f"bound {self.bound.id}: {self.metric.name} may be negative, so that random draws decide nothing"
            raise NotApplicableError(msg)
        explicit = self.bound.kind == "explicit"
        # A close comparison without draws is repeated in longer numbers; one with draws cannot be: `unless_close`.
        close = close_call(self.rounds, y, on_paths=self.is_random) if explicit and not noisy else None
        verdict = decide(
            y,
            self.evaluation,
            bound=self.bound.id,
            problem=self.problem.name,
            alpha=alpha,
            cells=cells,
            stage=stage,
            noisy=noisy,
            ceiling=self.ceiling,
            # What rounding may do matters only above the right-hand side.
            rounding=close.rounding if close else (self.rounding if y.mean() > self.evaluation.rhs else 0.0),
        )
        if close is not None:
            return close.told_in(verdict)
        if explicit:
            return unless_close(verdict, self.rounds) if noisy else verdict
        return order_only(verdict, y, noisy=noisy, refuted_by=self.bound.refuted_by)


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
