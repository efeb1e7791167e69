"""The left-hand sides of the theorems: all that is known of a metric stands in its one record."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from boundcheck.errors import NotApplicableError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable

Array: TypeAlias = NDArray[np.float64]


class Measurable(Protocol):
    """What a metric asks of a problem; `boundcheck.problems.base.Problem` documents it."""

    name: str
    blocks: tuple[int, int] | None

    def value(self, x: Array) -> Array:
        """Return f at server points."""

    def mean_gradient(self, x: Array) -> Array:
        """Return grad f at server points."""

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
    local: bool = False
    """Whether every local step is a measurement (else every round, before its steps)."""
    weighted: bool = False
    """Whether the method's weights form a weighted sum (else the plain average is kept)."""
    growth: float = 0.0
    """z of an average with weights (1 + z)^(T-1-t) over the rounds t, the law of a theorem's random output."""
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
            If the metric needs Phi and the problem is not a minimax problem, or AUROC and the problem ranks nothing.
        """
        if self.minimax and problem.blocks is None:
            msg = f"metric {self.name} needs Phi, but problem {problem.name} is not a minimax problem"
            raise NotApplicableError(msg)
        if self.name == "auroc":
            _auroc_of(problem)


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


def _ranking(problem: Measurable, y: Array, x: Array) -> Array:
    return _auroc_of(problem)(x)


def _auroc_of(problem: Measurable) -> Callable[[Array], Array]:
    measure: Callable[[Array], Array] | None = getattr(problem, "auroc", None)
    if measure is None:
        msg = f"metric auroc needs a problem that ranks rows (family auc), but {problem.name} has no auroc"
        raise NotApplicableError(msg)
    return measure


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
            axis="auroc",
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
