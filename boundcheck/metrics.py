"""The left-hand sides of the theorems: all that is known of a metric stands in its one record."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from boundcheck.errors import NotApplicableError, UnknownNameError
from boundcheck.transitions import (
    Seen,
    control_error,
    estimator_error,
    forgetting,
    rise,
    second_moment_change,
    second_moment_spread,
)

if TYPE_CHECKING:
    from collections.abc import Callable

Array: TypeAlias = NDArray[np.float64]


class Measurable(Protocol):
    """What a metric asks of a problem; `boundcheck.problems.base.Problem` documents it."""

    name: str
    N: int
    blocks: tuple[int, int] | None

    def value(self, x: Array) -> Array:
        """Return f at server points."""

    def mean_gradient(self, x: Array) -> Array:
        """Return grad f at server points."""

    def exact_gradient(self, x: Array) -> Array:
        """Return the clients' gradients."""

    def envelope(self, x: Array) -> Array:
        """Return Phi at the min block of server points."""

    def envelope_gradient(self, x: Array) -> Array:
        """Return grad Phi at the min block of server points."""

    def constant(self, letter: str) -> float:
        """Return the value of one constant."""


@dataclass(frozen=True)
class Metric:
    """One quantity measured at the server iterates or at the local iterates of a run, and averaged over it."""

    name: str
    meaning: str
    measure: Callable[[Measurable, Array, Array], Array]
    """``measure(problem, y, x)`` with local points y (lanes, clients, d), server point x; returns (lanes,)."""
    unit: tuple[int, int]
    """Powers of the scales of f and of x."""
    transition: Callable[[Seen], Array] | None = None
    """What measures a whole round in place of `measure`."""
    local: bool = False
    """Whether every local step is a measurement (else every round, before its steps)."""
    weighted: bool = False
    """Whether the method's weights form a weighted sum (else the plain average is kept)."""
    growth: float = 0.0
    """z of an average with weights (1 + z)^(T-1-t) over the rounds t, the law of a theorem's random output."""
    higher: bool = False
    """Whether large values are good."""
    reads: tuple[str, ...] = ()
    """Constants of the problem that it reads."""
    minimax: bool = False
    """Whether it is about Phi, which minimax problems alone have."""
    axis: str = ""
    """Label of an axis, in matplotlib's mathematics."""
    formula: str = ""
    """The left-hand side in Typst's mathematics; empty where it is set by name."""

    @property
    def label(self) -> str:
        """Return the name, with the growth of the weights if they grow: the text that `metric_of` reads."""
        return f"{self.name}({self.growth!r})" if self.growth else self.name

    def require_on(self, problem: Measurable) -> None:
        """Refuse a problem on which it cannot be measured.

        Raises
        ------
        NotApplicableError
            If the metric needs Phi and the problem is not a minimax problem, or what the problem does not measure.
        """
        if self.minimax and problem.blocks is None:
            msg = f"metric {self.name} needs Phi, but problem {problem.name} is not a minimax problem"
            raise NotApplicableError(msg)
        if self.name in _RANKED:
            _held_out(problem, self.name)


def _square(v: Array) -> Array:
    squares: Array = np.vecdot(v, v).sum(axis=1)
    return squares


def _mean(y: Array) -> Array:
    mean: Array = y.mean(axis=1, keepdims=True)
    return mean


def _server_gradient(problem: Measurable, y: Array, x: Array) -> Array:
    return _square(problem.mean_gradient(x))


def _local_gradient(problem: Measurable, y: Array, x: Array) -> Array:
    return _square(problem.mean_gradient(_mean(y)))


def _envelope_gradient(problem: Measurable, y: Array, x: Array) -> Array:
    return _square(problem.envelope_gradient(_mean(y)))


def _suboptimality(problem: Measurable, y: Array, x: Array) -> Array:
    return problem.value(x) - problem.constant("f_star")


def _drift(problem: Measurable, y: Array, x: Array) -> Array:
    mean: Array = _square(y - x) / y.shape[1]
    return mean


def _value(problem: Measurable, y: Array, x: Array) -> Array:
    return problem.value(x)


def _dual_gap(problem: Measurable, y: Array, x: Array) -> Array:
    return problem.envelope(x) - problem.value(x)


def _drift_correlation(problem: Measurable, y: Array, x: Array) -> Array:
    """Return |sum_i e_i|^2 / (N sum_i |e_i|^2), e_i = grad f_i(y_i) - grad f_i(mean of y); 0 where no e_i is left."""
    if y.shape[1] != problem.N:
        msg = f"metric drift_correlation needs all clients in every round, but {y.shape[1]} of {problem.N} take part"
        raise NotApplicableError(msg)
    errors = problem.exact_gradient(y) - problem.exact_gradient(np.broadcast_to(_mean(y), y.shape))
    apart, together = _square(errors), np.square(errors.sum(axis=1)).sum(axis=1)
    share: Array = np.divide(together, problem.N * apart, out=np.zeros_like(apart), where=apart > 1e-24)
    return share


def _client_spread(problem: Measurable, y: Array, x: Array) -> Array:
    return _drift(problem, y, _mean(y))


def _ranking(problem: Measurable, y: Array, x: Array) -> Array:
    return _held_out(problem, "auroc")(x)


def _accuracy(problem: Measurable, y: Array, x: Array) -> Array:
    return _held_out(problem, "accuracy")(x)


_RANKED = {
    "auroc": "a problem that ranks rows (family auc)",
    "accuracy": "a problem with classes (families softmax, mlp)",
}
"""Metrics that the problem itself measures, and which problems do."""


def _held_out(problem: Measurable, name: str) -> Callable[[Array], Array]:
    measure: Callable[[Array], Array] | None = getattr(problem, name, None)
    if measure is None:
        msg = f"metric {name} needs {_RANKED[name]}, but {problem.name} has no {name}"
        raise NotApplicableError(msg)
    return measure


def _by_rounds(problem: Measurable, y: Array, x: Array) -> Array:
    """Stand for metrics of whole rounds, which no single point measures."""
    raise AssertionError


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric(
            "server_gradient",
            "average of |grad f(x_t)|^2 over the server iterates x_0..x_(T-1)",
            _server_gradient,
            unit=(2, -2),
            axis=r"average of $|\nabla f\,|^2$",
            formula="1/T sum_(t=0)^(T-1) EE norm(nabla f(x_t))^2",
        ),
        Metric(
            "output_gradient",
            "average of |grad f(x_t)|^2 over the law of a random output, P(t) ~ (1 + growth)^(T-1-t)",
            _server_gradient,
            unit=(2, -2),
            axis="output gradient",
        ),
        Metric(
            "local_gradient",
            "average of |grad f(xbar)|^2 over all local steps, xbar the mean of the clients' points",
            _local_gradient,
            unit=(2, -2),
            local=True,
            axis=r"average of $|\nabla f(\bar x)|^2$",
            formula="1/(K T) sum_(t=0)^(T-1) sum_(k=0)^(K-1) EE norm(nabla f(macron(x)_(t,k)))^2",
        ),
        Metric(
            "envelope_gradient",
            "average of |grad Phi(xbar)|^2 over all local steps",
            _envelope_gradient,
            unit=(2, -2),
            local=True,
            minimax=True,
            axis=r"average of $|\nabla \Phi|^2$",
            formula="1/(K T) sum_(j=1)^(K T) EE norm(nabla Phi(macron(x)_j))^2",
        ),
        Metric(
            "envelope_gradient_sum",
            "sum over all local steps of (chat eta_t / 2) |grad Phi(xbar)|^2",
            _envelope_gradient,
            unit=(1, 0),
            local=True,
            weighted=True,
            minimax=True,
            axis=r"weighted sum of $|\nabla \Phi|^2$",
            formula="sum_(j=1)^(K T) (hat(c) eta_j)/2 thin EE norm(nabla Phi(macron(x)_j))^2",
        ),
        Metric(
            "suboptimality",
            "average of f(x_t) - f_star over the server iterates",
            _suboptimality,
            unit=(1, 0),
            reads=("f_star",),
            axis="suboptimality",
            formula="1/T sum_(t=0)^(T-1) EE [f(x_t) - f^*]",
        ),
        Metric(
            "auroc",
            "average of the AUROC of x_t on held-out rows over the server iterates",
            _ranking,
            unit=(0, 0),
            higher=True,
            axis="auroc",
        ),
        Metric(
            "accuracy",
            "average of the share of held-out rows that x_t classifies correctly over the server iterates",
            _accuracy,
            unit=(0, 0),
            higher=True,
            axis="accuracy",
        ),
        Metric(
            "value",
            "average of f(x_t) over the server iterates",
            _value,
            unit=(1, 0),
            axis=r"$f$",
        ),
        Metric(
            "dual_gap",
            "average of Phi(x_t) - f(x_t, y_t) over the server iterates",
            _dual_gap,
            unit=(1, 0),
            minimax=True,
            axis="dual gap",
        ),
        Metric(
            "drift_correlation",
            "average of |sum_i e_i|^2 / (N sum_i |e_i|^2) over all local steps, e_i = grad f_i(y_i) - grad f_i(ybar)",
            _drift_correlation,
            unit=(0, 0),
            local=True,
            axis=r"$\alpha / n$",
        ),
        Metric(
            "forgetting",
            "average of sum_i max(0, f_i(x_(t+1)) - f_i(x_t)) over the rounds",
            _by_rounds,
            unit=(1, 0),
            transition=forgetting,
            axis="forgetting",
        ),
        Metric(
            "rise",
            "average of max(0, f(x_(t+1)) - f(x_t)) over the rounds",
            _by_rounds,
            unit=(1, 0),
            transition=rise,
            axis="rise of $f$",
        ),
        Metric(
            "client_spread",
            "average of mean_i |y_i - ybar|^2 over all local steps, ybar the mean of the clients' points",
            _client_spread,
            unit=(0, 2),
            local=True,
            axis="spread of clients",
        ),
        Metric(
            "estimator_error",
            "average of |g_(t+1) - grad f(x_t)|^2 over the rounds, g the server's direction",
            _by_rounds,
            unit=(2, -2),
            transition=estimator_error,
            axis="estimator error",
        ),
        Metric(
            "control_error",
            "average of mean_i |c_i - grad f_i(x_t)|^2 over the rounds, c_i the control variates",
            _by_rounds,
            unit=(2, -2),
            transition=control_error,
            axis="error of control variates",
        ),
        Metric(
            "second_moment_spread",
            "average over coordinates and rounds of the clients' second moments' rms deviation / mean",
            _by_rounds,
            unit=(0, 0),
            transition=second_moment_spread,
            axis="spread of second moments",
        ),
        Metric(
            "second_moment_change",
            "average of |vh_(t+1) - vh_t| / |vh_t| over the rounds, vh the server's second moment",
            _by_rounds,
            unit=(0, 0),
            transition=second_moment_change,
            axis="change of second moments",
        ),
        Metric(
            "drift",
            "average of mean_i |y_i - x_t|^2 over all local steps",
            _drift,
            unit=(0, 2),
            local=True,
            axis="drift",
            formula="1/(K T) sum_(t,k) 1/N sum_i EE norm(y_(i,t,k) - x_t)^2",
        ),
    )
}
"""Every metric by name."""


_WITH_GROWTH = re.compile(r"output_gradient\((\d+(?:\.\d*)?(?:e[+-]?\d+)?)\)")


def metric_of(text: str) -> Metric:
    """Return a metric from what a user writes: a name, or ``output_gradient(0.25)`` for weights of growth 0.25.

    Raises
    ------
    UnknownNameError
        If there is no such metric.
    """
    if text in METRICS:
        return METRICS[text]
    found = _WITH_GROWTH.fullmatch(text)
    if found is None:
        raise UnknownNameError("metric", text, METRICS)
    return replace(METRICS["output_gradient"], growth=float(found[1]))
