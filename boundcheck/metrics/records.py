"""The left-hand sides of the theorems: all that is known of a metric stands in its one record.

A metric is a name of `METRICS`, or ``file.py:NAME`` for a record of the user's own.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boundcheck.errors import UnknownNameError
from boundcheck.files.display import html_table, some
from boundcheck.files.own import HINT, absolute, is_reference, load_reference
from boundcheck.metrics.measuring import (
    accuracy,
    by_rounds,
    client_spread,
    composite,
    distance,
    drift,
    drift_correlation,
    dual_gap,
    envelope_gradient,
    gradient_mapping,
    gradient_norm,
    gradient_size,
    local_gradient,
    moreau_gradient,
    ranking,
    server_gradient,
    suboptimality,
    value,
)
from boundcheck.metrics.metric import Metric, is_metric
from boundcheck.metrics.transitions import (
    control_error,
    estimator_error,
    forgetting,
    rise,
    second_moment_change,
    second_moment_spread,
)

if TYPE_CHECKING:
    from boundcheck.metrics.metric import Measure


class Metrics(dict[str, Metric]):
    """The metrics by name; ``file.py:NAME`` or ``module:NAME`` is a record of the user's own, whose code runs."""

    def __repr__(self) -> str:
        return f"{len(self)} metrics: {some(self)}"

    def _repr_html_(self) -> str:
        rows = ((name, metric.meaning) for name, metric in self.items())
        return html_table(f"{len(self)} metrics", ("name", "meaning"), rows)

    def __missing__(self, name: str) -> Metric:
        """Return the record that a reference names.

        Raises
        ------
        UnknownNameError
            If there is no such metric.
        InputError
            If the reference names no metric.
        """
        if not is_reference(name):
            raise UnknownNameError("metric", name, self, also=HINT)
        found: Any = load_reference("metric", absolute(name), is_metric)[0]
        own: Metric = replace(found, name=name)
        return own


def _squared_gradient(name: str, meaning: str, measure: Measure, **more: Any) -> Metric:
    """Return what is made of squares of gradients."""
    return Metric(name, meaning, measure, unit=(2, -2), rounds="lengths", **more)


def _squared_length(name: str, meaning: str, measure: Measure, **more: Any) -> Metric:
    """Return what is made of squares of differences of points."""
    return Metric(name, meaning, measure, unit=(0, 2), rounds="lengths", **more)


def _value(name: str, meaning: str, measure: Measure, **more: Any) -> Metric:
    """Return what is made of values of f."""
    return Metric(name, meaning, measure, unit=(1, 0), rounds="values", **more)


METRICS = Metrics(
    (metric.name, metric)
    for metric in (
        _squared_gradient(
            "server_gradient",
            "average of |grad f(x_t)|^2 over the server iterates x_0..x_(T-1)",
            server_gradient,
            axis=r"average of $|\nabla f\,|^2$",
            formula="1/T sum_(t=0)^(T-1) EE norm(nabla f(x_t))^2",
        ),
        _squared_gradient(
            "output_gradient",
            "average of |grad f(x_t)|^2 over the law of a random output, P(t) ~ (1 + growth)^(T-1-t)",
            server_gradient,
            growth_letter="growth",
            axis="output gradient",
            formula="sum_(t=0)^(T-1) P(t) thin EE norm(nabla f(x_t))^2",
        ),
        _squared_gradient(
            "local_gradient",
            "average of |grad f(xbar)|^2 over all local steps, xbar the mean of the clients' points",
            local_gradient,
            local=True,
            axis=r"average of $|\nabla f(\bar x)|^2$",
            formula="1/(K T) sum_(t=0)^(T-1) sum_(k=0)^(K-1) EE norm(nabla f(macron(x)_(t,k)))^2",
        ),
        Metric(
            "gradient_norm",
            "average of |grad f(xbar)|, no square, over all local steps, xbar the mean of the clients' points",
            gradient_norm,
            unit=(1, -1),
            rounds="lengths",
            local=True,
            axis=r"average of $|\nabla f(\bar x)|$",
            formula="1/(K T) sum_(t=0)^(T-1) sum_(k=0)^(K-1) EE norm(nabla f(macron(x)_(t,k)))",
        ),
        Metric(
            "gradient_size",
            "average of |grad f(xbar)|_1, the sum of absolute coordinates, over all local steps",
            gradient_size,
            unit=(1, -1),
            rounds="lengths",
            local=True,
            axis=r"average of $|\nabla f(\bar x)|_1$",
            formula="1/(K T) sum_(t=0)^(T-1) sum_(k=0)^(K-1) EE norm(nabla f(macron(x)_(t,k)))_1",
        ),
        _squared_gradient(
            "envelope_gradient",
            "average of |grad Phi(xbar)|^2 over all local steps",
            envelope_gradient,
            local=True,
            minimax=True,
            axis=r"average of $|\nabla \Phi|^2$",
            formula="1/(K T) sum_(j=1)^(K T) EE norm(nabla Phi(macron(x)_j))^2",
        ),
        Metric(
            "envelope_gradient_sum",
            "sum over all local steps of (chat eta_t / 2) |grad Phi(xbar)|^2",
            envelope_gradient,
            unit=(1, 0),
            rounds="lengths",
            local=True,
            weighted=True,
            minimax=True,
            axis=r"weighted sum of $|\nabla \Phi|^2$",
            formula="sum_(j=1)^(K T) (hat(c) eta_j)/2 thin EE norm(nabla Phi(macron(x)_j))^2",
        ),
        _value(
            "suboptimality",
            "average of f(x_t) - f_star over the server iterates",
            suboptimality,
            reads=("f_star",),
            axis="suboptimality",
            formula="1/T sum_(t=0)^(T-1) EE [f(x_t) - f^*]",
        ),
        Metric(
            "auroc",
            "average of the AUROC of x_t on held-out rows over the server iterates",
            ranking,
            unit=(0, 0),
            higher=True,
            axis="auroc",
        ),
        Metric(
            "accuracy",
            "average of the share of held-out rows that x_t classifies correctly over the server iterates",
            accuracy,
            unit=(0, 0),
            higher=True,
            axis="accuracy",
        ),
        _value(
            "value",
            "average of f(x_t) over the server iterates",
            value,
            axis=r"$f$",
        ),
        Metric(
            "moreau_gradient",
            "average of |grad Phi_L(x_t)|^2 over the server iterates, Phi_L(x) = min_z Phi(z) + L |z - x|^2",
            moreau_gradient,
            unit=(2, -2),
            rounds="lengths",
            minimax=True,
            reads=("L",),
            axis="gradient of the Moreau envelope",
            formula="1/T sum_(t=0)^(T-1) EE norm(nabla Phi_L (x_t))^2",
        ),
        _value(
            "dual_gap",
            "average of Phi(x_t) - f(x_t, y_t) over the server iterates",
            dual_gap,
            minimax=True,
            axis="dual gap",
        ),
        Metric(
            "drift_correlation",
            "average of |sum_i e_i|^2 / (N sum_i |e_i|^2) over all local steps, e_i = grad f_i(y_i) - grad f_i(ybar)",
            drift_correlation,
            unit=(0, 0),
            local=True,
            axis=r"$\alpha / n$",
        ),
        _value(
            "forgetting",
            "average of sum_i max(0, f_i(x_(t+1)) - f_i(x_t)) over the rounds",
            by_rounds,
            transition=forgetting,
            axis="forgetting",
        ),
        _value(
            "rise",
            "average of max(0, f(x_(t+1)) - f(x_t)) over the rounds",
            by_rounds,
            transition=rise,
            axis="rise of $f$",
        ),
        _squared_length(
            "client_spread",
            "average of mean_i |y_i - ybar|^2 over all local steps, ybar the mean of the clients' points",
            client_spread,
            local=True,
            axis="spread of clients",
        ),
        _squared_gradient(
            "estimator_error",
            "average of |g_(t+1) - grad f(x_t)|^2 over the rounds, g the server's direction",
            by_rounds,
            transition=estimator_error,
            axis="estimator error",
        ),
        _squared_gradient(
            "control_error",
            "average of mean_i |c_i - grad f_i(x_t)|^2 over the rounds, c_i the control variates",
            by_rounds,
            transition=control_error,
            axis="error of control variates",
        ),
        Metric(
            "second_moment_spread",
            "average over coordinates and rounds of the clients' second moments' rms deviation / mean",
            by_rounds,
            unit=(0, 0),
            transition=second_moment_spread,
            axis="spread of second moments",
        ),
        Metric(
            "second_moment_change",
            "average of |vh_(t+1) - vh_t| / |vh_t| over the rounds, vh the server's second moment",
            by_rounds,
            unit=(0, 0),
            transition=second_moment_change,
            axis="change of second moments",
        ),
        _squared_length(
            "drift",
            "average of mean_i |y_i - x_t|^2 over all local steps",
            drift,
            local=True,
            axis="drift",
            formula="1/(K T) sum_(t,k) 1/N sum_i EE norm(y_(i,t,k) - x_t)^2",
        ),
        _squared_gradient(
            "final_gradient",
            "|grad f(x_T)|^2 after the last round",
            server_gradient,
            over="end",
            axis=r"last $|\nabla f\,|^2$",
            formula="EE norm(nabla f(x_T))^2",
        ),
        _squared_gradient(
            "best_gradient",
            "E min_t |grad f(x_t)|^2 over x_0..x_(T-1); at most min_t E|grad f(x_t)|^2",
            server_gradient,
            over="least",
            axis=r"least $|\nabla f\,|^2$",
            formula="EE min_(t < T) norm(nabla f(x_t))^2",
        ),
        _squared_gradient(
            "least_local_gradient",
            "E min |grad f(xbar)|^2 over all local steps, xbar the mean of the clients' points",
            local_gradient,
            local=True,
            over="least",
            axis=r"least $|\nabla f(\bar x)|^2$",
            formula="EE min_(t, k) norm(nabla f(macron(x)_(t,k)))^2",
        ),
        _value(
            "final_suboptimality",
            "f(x_T) - f_star after the last round",
            suboptimality,
            over="end",
            reads=("f_star",),
            axis="last suboptimality",
            formula="EE f(x_T) - f^*",
        ),
        _value(
            "best_suboptimality",
            "E min_t f(x_t) - f_star over x_0..x_(T-1); at most min_t E f(x_t) - f_star",
            suboptimality,
            over="least",
            reads=("f_star",),
            axis="least suboptimality",
            formula="EE min_(t < T) f(x_t) - f^*",
        ),
        _value(
            "centre_suboptimality",
            "f - f_star at the average of x_0..x_(T-1), with weights ~ (1 + growth)^(T-1-t)",
            suboptimality,
            over="centre",
            growth_letter="growth",
            reads=("f_star",),
            axis="suboptimality of the average",
            formula="EE f(macron(x)_T) - f^*",
        ),
        _value(
            "local_centre_suboptimality",
            "f - f_star at the average of the clients' mean points over all local steps",
            suboptimality,
            local=True,
            over="centre",
            reads=("f_star",),
            axis="suboptimality of the average",
            formula="EE f(1/(K T) sum_(t,k) macron(x)_(t,k)) - f^*",
        ),
        _value(
            "final_composite",
            "F(x_T) - F_star after the last round, F = f + h",
            composite,
            over="end",
            reads=("F_star",),
            axis="last suboptimality of $F$",
            formula="EE F(x_T) - F^*",
        ),
        _squared_gradient(
            "gradient_mapping",
            "average of L^2 |x_t - prox(x_t - grad f(x_t)/L)|^2 over the server iterates, the prox of h/L",
            gradient_mapping,
            reads=("L",),
            axis="gradient mapping",
            formula='1/T sum_(t=0)^(T-1) EE norm(L (x_t - op("prox")_(h\\/L) (x_t - nabla f(x_t)\\/L)))^2',
        ),
        _squared_length(
            "distance",
            "average of |x_t - x_star|^2 over the server iterates",
            distance,
            reads=("x_star",),
            axis="squared distance",
            formula="1/T sum_(t=0)^(T-1) EE norm(x_t - x^*)^2",
        ),
        _squared_length(
            "final_distance",
            "|x_T - x_star|^2 after the last round",
            distance,
            over="end",
            reads=("x_star",),
            axis="last squared distance",
            formula="EE norm(x_T - x^*)^2",
        ),
        _value(
            "regret",
            "sum over the rounds of f_t(x_t), less that of the best fixed point",
            by_rounds,
            over="regret",
            signed=True,
            axis="regret",
            formula="sum_(t=0)^(T-1) f_t (x_t) - min_x sum_(t=0)^(T-1) f_t (x)",
        ),
    )
)
"""Every metric by name."""


_WITH_GROWTH = re.compile(r"(.+)\((\d+(?:\.\d*)?(?:e[+-]?\d+)?)\)")


def metric_of(text: str) -> Metric:
    """Return a metric from what a user writes: a name, ``file.py:NAME``, or ``output_gradient(0.25)`` with a growth.

    Raises
    ------
    UnknownNameError
        If there is no such metric.
    """
    found = _WITH_GROWTH.fullmatch(text)
    if found is None:
        return METRICS[text]
    metric = METRICS[found[1]]
    if not metric.growth_letter:
        raise UnknownNameError("metric", text, METRICS)
    return replace(metric, growth=float(found[2]))
