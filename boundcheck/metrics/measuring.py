"""What is measured at one point of a run: functions of the problem, the local points and the server's point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from boundcheck.errors import NotApplicableError

if TYPE_CHECKING:
    from collections.abc import Callable

Array: TypeAlias = NDArray[np.float64]


class SecondPart(Protocol):
    """What is asked of h in F = f + h; `boundcheck.problems.penalty.Penalty` documents it."""

    def prox(self, v: Array, step: Array | float) -> Array:
        """Return argmin_x h(x) + |x - v|^2/(2 step)."""


class Measurable(Protocol):
    """What a metric asks of a problem; `boundcheck.problems.base.Problem` documents it."""

    name: str
    N: int
    x_star: Array | None
    client_weights: Array | None

    def over_clients(self, v: Array) -> Array:
        """Return the mean over clients, with their weights."""

    @property
    def h(self) -> SecondPart:
        """The second part of a composite objective."""

    def sum_value(self, x: Array) -> Array:
        """Return F = f + h at server points."""

    @property
    def is_minimax(self) -> bool:
        """Whether it has Phi and its envelope."""

    @property
    def online(self) -> bool:
        """Whether every round has a loss of its own."""

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

    def envelope_prox(self, x: Array, step: float) -> Array:
        """Return the proximal point of Phi at the min block of server points."""

    def constant(self, letter: str) -> float:
        """Return the value of one constant."""


def square(v: Array) -> Array:
    """Return the sum of the squares over clients and coordinates, (lanes,)."""
    squares: Array = np.vecdot(v, v)
    # A sum over one client takes as long as its product.
    total: Array = squares[:, 0] if v.shape[1] == 1 else squares.sum(axis=1)
    return total


def mean_point(problem: Measurable, y: Array) -> Array:
    """Return the mean of the clients' points, (lanes, 1, d), with their weights where all of them are there."""
    if problem.client_weights is not None and y.shape[1] == problem.N:
        return problem.over_clients(y)[:, None]
    # The bits of y.mean() in a third of its time.
    mean: Array = y.sum(axis=1, keepdims=True)
    mean /= y.shape[1]
    return mean


def server_gradient(problem: Measurable, y: Array, x: Array) -> Array:
    """Return |grad f(x)|^2."""
    return square(problem.mean_gradient(x))


def gradient_norm(problem: Measurable, y: Array, x: Array) -> Array:
    """Return |grad f| at the mean of the clients' points."""
    norm: Array = np.sqrt(square(problem.mean_gradient(mean_point(problem, y))))
    return norm


def gradient_size(problem: Measurable, y: Array, x: Array) -> Array:
    """Return |grad f|_1, the sum of absolute coordinates, at the mean of the clients' points."""
    size: Array = np.abs(problem.mean_gradient(mean_point(problem, y))).sum(axis=(1, 2))
    return size


def local_gradient(problem: Measurable, y: Array, x: Array) -> Array:
    """Return |grad f|^2 at the mean of the clients' points."""
    return square(problem.mean_gradient(mean_point(problem, y)))


def envelope_gradient(problem: Measurable, y: Array, x: Array) -> Array:
    """Return |grad Phi|^2 at the mean of the clients' points."""
    return square(problem.envelope_gradient(mean_point(problem, y)))


def moreau_gradient(problem: Measurable, y: Array, x: Array) -> Array:
    """Return |grad Phi_L(x)|^2 = 4 L^2 |x - z|^2, z = argmin Phi + L |. - x|^2, at the min block."""
    L = problem.constant("L")
    z = problem.envelope_prox(x, 1.0 / (2.0 * L))
    return square(2.0 * L * (x[..., : z.shape[-1]] - z))


def suboptimality(problem: Measurable, y: Array, x: Array) -> Array:
    """Return f(x) - f_star."""
    return problem.value(x) - problem.constant("f_star")


def composite(problem: Measurable, y: Array, x: Array) -> Array:
    """Return F(x) - F_star."""
    return problem.sum_value(x) - problem.constant("F_star")


def gradient_mapping(problem: Measurable, y: Array, x: Array) -> Array:
    """Return L^2 |x - prox(x - grad f(x)/L)|^2: |grad f(x)|^2 where h = 0."""
    L = problem.constant("L")
    return square(L * (x - problem.h.prox(x - problem.mean_gradient(x) / L, 1.0 / L)))


def minimiser(problem: Measurable, name: str) -> Array:
    """Return x_star (d,).

    Raises
    ------
    NotApplicableError
        If the problem does not know it, or it is not the only one.
    """
    if problem.x_star is None:
        msg = f"metric {name} needs x_star, but the minimiser of {problem.name} is not known or not unique"
        raise NotApplicableError(msg)
    return problem.x_star


def distance(problem: Measurable, y: Array, x: Array) -> Array:
    """Return |x - x_star|^2."""
    return square(x - minimiser(problem, "distance"))


def drift(problem: Measurable, y: Array, x: Array) -> Array:
    """Return mean_i |y_i - x|^2."""
    if problem.client_weights is not None and y.shape[1] == problem.N:
        return problem.over_clients(((y - x) ** 2).sum(axis=-1))
    mean: Array = square(y - x) / y.shape[1]
    return mean


def value(problem: Measurable, y: Array, x: Array) -> Array:
    """Return f(x)."""
    return problem.value(x)


def dual_gap(problem: Measurable, y: Array, x: Array) -> Array:
    """Return Phi(x) - f(x, y)."""
    return problem.envelope(x) - problem.value(x)


def drift_correlation(problem: Measurable, y: Array, x: Array) -> Array:
    """Return |sum_i e_i|^2 / (N sum_i |e_i|^2), e_i = grad f_i(y_i) - grad f_i(mean of y); 0 where no e_i is left."""
    if y.shape[1] != problem.N:
        msg = f"metric drift_correlation needs all clients in every round, but {y.shape[1]} of {problem.N} take part"
        raise NotApplicableError(msg)
    errors = problem.exact_gradient(y) - problem.exact_gradient(np.broadcast_to(mean_point(problem, y), y.shape))
    apart, together = square(errors), np.square(errors.sum(axis=1)).sum(axis=1)
    share: Array = np.divide(together, problem.N * apart, out=np.zeros_like(apart), where=apart > 1e-24)
    return share


def client_spread(problem: Measurable, y: Array, x: Array) -> Array:
    """Return mean_i |y_i - ybar|^2."""
    return drift(problem, y, mean_point(problem, y))


def ranking(problem: Measurable, y: Array, x: Array) -> Array:
    """Return the AUROC on held-out rows."""
    return held_out(problem, "auroc")(x)


def accuracy(problem: Measurable, y: Array, x: Array) -> Array:
    """Return the share of held-out rows that are classified correctly."""
    return held_out(problem, "accuracy")(x)


RANKED = {
    "auroc": "a problem that ranks rows (family auc)",
    "accuracy": "a problem with classes (families softmax, mlp)",
}
"""Metrics that the problem itself measures, and which problems do."""


def held_out(problem: Measurable, name: str) -> Callable[[Array], Array]:
    """Return what the problem itself measures on held-out rows; refuse a problem without it."""
    measure: Callable[[Array], Array] | None = getattr(problem, name, None)
    if measure is None:
        msg = f"metric {name} needs {RANKED[name]}, but {problem.name} has no {name}"
        raise NotApplicableError(msg)
    return measure


def by_rounds(problem: Measurable, y: Array, x: Array) -> Array:
    """Stand for metrics of whole rounds, which no single point measures."""
    raise AssertionError
