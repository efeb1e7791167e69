"""Closed-form moments of FedAvg on quadratics: what a simulation must reproduce, without simulating."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import NotApplicableError, require_count
from boundcheck.problems.quadratic import Quadratic

if TYPE_CHECKING:
    from boundcheck.problems.base import Array, Problem


def fedavg_moments(problem: Problem, eta: float, gamma: float, K: int, T: int, *, b: int = 1) -> Array:
    """Return E|grad f(x_t)|^2 of FedAvg with full participation on a quadratic, for t = 0..T-1.

    With M_i = I - eta A_i, K local steps take x to M_i^K x - eta sum_(k<K) M_i^k (a_i + noise of that step).  The
    noise has mean 0 and covariance sigma^2/(d b) I whatever x is, so the mean m_t and the covariance C_t of x_t
    follow linear recursions and E|A x_t|^2 = |A m_t|^2 + tr(A C_t A).

    Parameters
    ----------
    problem : Quadratic
    eta, gamma : float
        Local step, and server step on the averaged displacement (1 is plain averaging).
    K, T : int
        Local steps a round and rounds.
    b : int
        Minibatch.

    Returns
    -------
    Array
        Shape (T,).

    Raises
    ------
    NotApplicableError
        If the problem is not quadratic.
    """
    if not isinstance(problem, Quadratic):
        msg = (
            f"closed-form moments need a problem of family quadratic, but {problem.name} is of family {problem.family}"
        )
        raise NotApplicableError(msg)
    for name, value in (("K", K), ("T", T), ("b", b)):
        require_count(value, name)
    transition, shift, covariance = _round_map(problem, eta, gamma, K, problem.noise.sigma**2 / (problem.d * b))
    mean, spread = problem.start, np.zeros((problem.d, problem.d))
    moments = np.empty(T)
    for t in range(T):
        moments[t] = ((problem.mean_A @ mean) ** 2).sum() + np.trace(problem.mean_A @ spread @ problem.mean_A)
        mean = transition @ mean + shift
        spread = transition @ spread @ transition.T + covariance
    return moments


def _round_map(problem: Quadratic, eta: float, gamma: float, K: int, variance: float) -> tuple[Array, Array, Array]:
    """Return R, s, Q such that one round is x -> R x + s + noise of covariance Q."""
    step = np.eye(problem.d) - eta * problem.A
    powers = [np.linalg.matrix_power(step, k) for k in range(K + 1)]
    pull = sum(powers[:K]) @ problem.tilts[:, :, None]
    transition = (1 - gamma) * np.eye(problem.d) + gamma * powers[K].mean(axis=0)
    shift = -gamma * eta * pull[:, :, 0].mean(axis=0)
    squares = sum(power @ power for power in powers[:K])
    covariance = (gamma * eta) ** 2 * variance * squares.mean(axis=0) / problem.N
    return transition, shift, covariance
