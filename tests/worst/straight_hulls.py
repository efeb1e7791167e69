"""Extremal functions and two methods in plain numpy, written out from the definitions: a referee for worst cases.

``f_i(x) = mu/2 |x|^2 + min over the simplex of (L-mu)/2 |x - sum a w|^2 + sum a t``: the minimum is looked for over all
sets of parabolas by their stationary weights.
"""

from itertools import combinations

import numpy as np


class Client:
    """One function of a table of parabolas."""

    def __init__(self, pieces, k):
        self.L, self.mu, self.w, self.t = pieces.L, pieces.mu, pieces.w[k], pieces.t[k]
        self.bend = self.L - self.mu
        # In units of the vertices the linear systems are well scaled.
        self.size = float(np.abs(self.w).max()) or 1.0

    def at(self, x):
        """Return value and gradient at a point (d,)."""
        best = None
        for size in range(1, min(len(self.t), len(x) + 1) + 1):
            for used in map(list, combinations(range(len(self.t)), size)):
                a = self._weights(x, used)
                if a is None:
                    continue
                vertex = a @ self.w[used]
                value = self.bend / 2 * ((x - vertex) ** 2).sum() + a @ self.t[used]
                if best is None or value < best[0]:
                    best = value, vertex
        value, vertex = best
        return value + self.mu / 2 * x @ x, self.L * x - self.bend * vertex

    def _weights(self, x, used):
        """Return weights at which the derivatives along the simplex vanish, None if some are negative."""
        w, t, x = self.w[used] / self.size, self.t[used] / (self.bend * self.size**2), x / self.size
        size = len(used)
        system = np.zeros((size + 1, size + 1))
        system[:size, :size] = w @ w.T
        system[:size, size] = system[size, :size] = 1.0
        right = np.append(w @ x - t, 1.0)
        a = np.linalg.lstsq(system, right, rcond=1e-13)[0][:size]
        if abs(a.sum() - 1) > 1e-9 or a.min() < -1e-9:
            return None
        return a


def clients_of(problem):
    """Return the clients of an extremal problem, each as often as the table says."""
    pieces, tables = problem.pieces, len(problem.pieces.w)
    return [Client(pieces, i * tables // problem.N) for i in range(problem.N)]


def gradient_of(clients, x):
    """Return the mean of the clients' gradients."""
    return np.mean([c.at(x)[1] for c in clients], axis=0)


def value_of(clients, x):
    """Return the mean of the clients' values."""
    return np.mean([c.at(x)[0] for c in clients])


def local_steps(problem, *, eta, K, T):
    """Return x_0, ..., x_T of local gradient steps and averages: FedAvg, or gradient descent where K = 1."""
    clients, x = clients_of(problem), problem.start.astype(float)
    path = [x]
    for _ in range(T):
        ends = []
        for client in clients:
            y = x
            for _ in range(K):
                y = y - eta * client.at(y)[1]
            ends.append(y)
        x = np.mean(ends, axis=0)
        path.append(x)
    return clients, path


def left_hand_side(problem, measure, *, eta, K, T):
    """Return a left-hand side of local steps on an extremal problem."""
    clients, path = local_steps(problem, eta=eta, K=K, T=T)
    squares = [float(g @ g) for g in (gradient_of(clients, x) for x in path)]
    if measure == "value":
        return float(value_of(clients, path[-1]) - problem.constant("f_star"))
    return {"average": np.mean(squares[:T]), "best": min(squares[:T]), "last": squares[T]}[measure]
