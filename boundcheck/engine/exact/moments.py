"""Exact moments of three methods on quadratics: what a simulation must reproduce, without simulating.

The law of a round of FedAvg, FedAvg-M and SCAFFOLD-M is put together by hand from the clients' matrices, not by calling
the method: `boundcheck.engine.exact.linear` must agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.engine.exact.law import Law, linear_problem, propagate

if TYPE_CHECKING:
    from boundcheck.problems.base import Array, Problem
    from boundcheck.problems.synthetic.quadratic import Quadratic


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
    problem = linear_problem(problem, K=K, T=T, b=b)
    law = _round_map(problem, eta, gamma, K, problem.noise.sigma**2 / (problem.d * b))
    return propagate(problem, law, problem.start, np.zeros((problem.d, problem.d)), T)


def fedavg_m_moments(problem: Problem, eta: float, gamma: float, beta: float, K: int, T: int, *, b: int = 1) -> Array:
    """Return E|grad f(x_t)|^2 of FedAvg-M with full participation on a quadratic, for t = 0..T-1.

    The state is (x, g); parameters are those of `boundcheck.methods.fedavg.FedAvgM`.
    """
    problem = linear_problem(problem, K=K, T=T, b=b)
    d = problem.d
    inputs = _Inputs(2 * d, problem, K)
    server, direction = inputs.state(0), inputs.state(1)
    y, _ = _local_steps(problem, inputs, eta, beta, (1 - beta) * direction[None])
    fresh = (server - y.mean(axis=0)) / (eta * K)
    law = inputs.law(np.concatenate([server - gamma * fresh, fresh]), problem.noise.sigma**2 / (d * b))
    return propagate(problem, law, np.concatenate([problem.start, np.zeros(d)]), np.zeros((2 * d, 2 * d)), T)


def scaffold_m_moments(
    problem: Problem, eta: float, gamma: float, beta: float, K: int, T: int, *, B: int = 1, b: int = 1
) -> Array:
    """Return E|grad f(x_t)|^2 of SCAFFOLD-M with full participation on a quadratic, for t = 0..T-1.

    The state is (x, g, c_1, ..., c_N); the server's control variate is the mean of the clients'.  Parameters are
    those of `boundcheck.methods.scaffold.ScaffoldM`; the first c_i are gradients on `B` samples.
    """
    problem = linear_problem(problem, K=K, T=T, b=b, B=B)
    d, N = problem.d, problem.N
    variance = problem.noise.sigma**2 / d
    inputs = _Inputs((2 + N) * d, problem, K)
    server, direction = inputs.state(0), inputs.state(1)
    controls = np.stack([inputs.state(2 + i) for i in range(N)])
    drive = beta * (controls.mean(axis=0) - controls) + (1 - beta) * direction
    y, total = _local_steps(problem, inputs, eta, beta, drive)
    fresh = (server - y.mean(axis=0)) / (eta * K)
    law = inputs.law(np.concatenate([server - gamma * fresh, fresh, *(total / K)]), variance / b)
    first = (problem.A @ problem.start + problem.tilts).ravel()
    spread = np.diag(np.concatenate([np.zeros(2 * d), np.full(N * d, variance / B)]))
    return propagate(problem, law, np.concatenate([problem.start, np.zeros(d), first]), spread, T)


class _Inputs:
    """Affine maps as matrices (d, columns): columns for the state, for 1, and for each client's noise at each step."""

    def __init__(self, size: int, problem: Quadratic, K: int) -> None:
        self.size, self.d, self.N, self.K = size, problem.d, problem.N, K
        self.columns = size + 1 + problem.N * K * problem.d

    def state(self, block: int) -> Array:
        """Return the map that reads one block of the state."""
        return np.eye(self.d, self.columns, block * self.d)

    def noise(self, k: int) -> Array:
        """Return the maps that read every client's noise of local step `k`, (N, d, columns)."""
        first = self.size + 1 + k * self.N * self.d
        return np.eye(self.N * self.d, self.columns, first).reshape(self.N, self.d, self.columns)

    def law(self, image: Array, variance: float) -> Law:
        """Split the map from inputs to the next state (size, columns)."""
        noise = image[:, self.size + 1 :]
        return Law(image[:, : self.size], image[:, self.size], variance * noise @ noise.T)


def _local_steps(problem: Quadratic, inputs: _Inputs, eta: float, beta: float, drive: Array) -> tuple[Array, Array]:
    """Return the last iterate and the sum of the gradients of K steps y <- y - eta (beta g_i(y) + drive_i)."""
    y = np.repeat(inputs.state(0)[None], inputs.N, axis=0)
    total = np.zeros_like(y)
    for k in range(inputs.K):
        g = problem.A @ y + inputs.noise(k)
        g[..., inputs.size] += problem.tilts
        total += g
        y = y - eta * (beta * g + drive)
    return y, total


def _round_map(problem: Quadratic, eta: float, gamma: float, K: int, variance: float) -> Law:
    """Return the law of one round of FedAvg."""
    step = np.eye(problem.d) - eta * problem.A
    powers = [np.linalg.matrix_power(step, k) for k in range(K + 1)]
    pull = sum(powers[:K]) @ problem.tilts[:, :, None]
    transition = (1 - gamma) * np.eye(problem.d) + gamma * powers[K].mean(axis=0)
    shift = -gamma * eta * pull[:, :, 0].mean(axis=0)
    squares = sum(power @ power for power in powers[:K])
    covariance = (gamma * eta) ** 2 * variance * squares.mean(axis=0) / problem.N
    return Law(transition, shift, covariance)
