"""The best potential of one round, with every client's own vectors after every draw, written out by hand."""

import itertools
import warnings

import cvxpy as cp
import numpy as np
from enumerated import METHODS, Run, mean, plus


class Form:
    """A form in products of basis vectors and in the clients' function values."""

    def __init__(self, run):
        self.run, self.matrix = run, np.zeros((run.size, run.size))
        self.values = [np.zeros(len(points)) for points in run.points]

    def add(self, factor, u, v):
        """Add a multiple of <u, v>."""
        for (i, a), (j, b) in itertools.product(u.items(), v.items()):
            self.matrix[i, j] += factor * a * b / 2
            self.matrix[j, i] += factor * a * b / 2
        return self

    def stacked(self):
        return np.concatenate([self.matrix.ravel(), *self.values])


def theorem_by_enumeration(name, *, N, S, K, T, zeta=1.0, across=True):
    """Return the best right-hand side for T rounds at L = Delta = 1.

    At the server points the clients' gradients are equal if zeta = 0, and anything if it is None; else zeta is 1.  With
    `across` all conditions of smoothness hold, else none between points that different draws reach.
    """
    run, draws = Run(N), list(itertools.combinations(range(N), S))
    before = ({0: 1.0}, [run.new() for _ in range(N)]) if name == "scaffold" else ({0: 1.0},)
    after = [METHODS[name][1](run, before, A, (), K) for A in draws]
    states = [(before, 1.0), *((state, -1 / len(draws)) for state in after)]
    for k, ((x, *_), _) in enumerate(states):
        for i in range(N):
            run.gradient(i, x, () if k == 0 else (draws[k - 1],))
    return _least(run, [(_read(run, state), weight) for state, weight in states], T, zeta, across)


def _read(run, state):
    """Return the points of the clients at x, and their vectors: gradients, and control variates where there are any."""
    x, *memory = state
    met = [next(p for p in points if p[0] == x) for points in run.points]
    return met, [[p[1] for p in met], *memory]


def _least(run, states, T, zeta, across):
    N, letters = run.N, len(states[0][0][1])
    p, q = cp.Variable(nonneg=True), cp.Variable(len(states), nonneg=True)
    W, U = (cp.Variable((letters, letters), symmetric=True) for _ in range(2))
    fall = Form(run)
    for (met, _), weight in states:
        for i, point in enumerate(met):
            fall.values[i][point[2]] += weight / N
    total = p * fall.stacked()
    for a, b in itertools.product(range(letters), repeat=2):
        means, apart = Form(run), Form(run)
        for (_, vectors), weight in states:
            (u, v), (mu, mv) = (vectors[a], vectors[b]), (mean(vectors[a]), mean(vectors[b]))
            means.add(weight, mu, mv)
            for own, other in zip(u, v, strict=True):
                apart.add(weight / N, plus((1.0, own), (-1.0, mu)), plus((1.0, other), (-1.0, mv)))
        total = total + W[a, b] * means.stacked() + U[a, b] * apart.stacked()
    for k, ((_, vectors), _) in enumerate(states):
        middle, spread = mean(vectors[0]), Form(run)
        for own in vectors[0]:
            off = plus((1.0, own), (-1.0, middle))
            spread.add(1 / N, off, off)
        total = total + q[k] * spread.stacked()
    first = mean(states[0][0][1][0])
    total = total - Form(run).add(1.0, first, first).stacked()
    known = np.array([form.stacked() for form in _smooth(run, across)])
    total = total - known.T @ cp.Variable(len(known), nonneg=True)
    square = run.size**2
    one = _one(run, states) if zeta == 0 else np.eye(run.size)
    matrix = one.T @ cp.reshape(total[:square], (run.size, run.size), order="C") @ one
    at_start = cp.sum(W), cp.sum(U)
    rules = [total[square:] == 0, matrix >> 0]
    rules += [W + np.eye(letters)[:, :1] @ np.eye(letters)[:1] * p / 2 >> 0, U >> 0]
    # At the start control variates are gradients; |grad F|^2 is anything from 0 to 2 F.
    cost = (p + 2 * cp.pos(at_start[0])) / T + (cp.pos(at_start[1]) / T + cp.sum(q) if zeta else 0.0)
    rules += [q == 0, at_start[1] <= 0] if zeta is None else []
    problem = cp.Problem(cp.Minimize(cost), rules)
    # A warning that the last digits are open: what is compared are six of them.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem.solve(solver=cp.CLARABEL, tol_gap_rel=1e-10, tol_gap_abs=1e-10, tol_feas=1e-10)
    return problem.value


def _one(run, states):
    """Return the matrix that makes the clients' gradients at a server point one."""
    found = np.eye(run.size)
    for (_, vectors), _ in states:
        first, *others = (next(iter(g)) for g in vectors[0])
        found[others] = found[first]
    return found[:, found.any(axis=0)]


def _smooth(run, across):
    """Yield the conditions of smoothness, >= 0, of every client."""
    for i, points in enumerate(run.points):
        for (x, g, k, d), (y, h, j, e) in itertools.permutations(points, 2):
            if across or d[: len(e)] == e or e[: len(d)] == d:
                moved, bent = plus((1.0, x), (-1.0, y)), plus((1.0, g), (-1.0, h))
                form = Form(run).add(-1.0, h, moved).add(-0.25, bent, bent).add(0.25, moved, moved)
                form.add(-0.5, bent, moved)
                form.values[i][k], form.values[i][j] = 1.0, -1.0
                yield form
