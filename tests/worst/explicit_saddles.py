"""Explicit saddles of three clients, and what the basis of a run on pairs stands for there."""

import itertools
from functools import cache

import numpy as np
from drawn_clients import stacked
from scipy.optimize import minimize

N, D1, D2 = 3, 2, 1


class Saddles:
    """f_i(x, y) = a sum_c cos(x_c + p_i) + x' A_i x/2 + x' B_i y - y' C_i y/2 + <e_i, (x, y)>."""

    def __init__(self, waves, seed=0):
        rng = np.random.default_rng(seed)
        half = rng.standard_normal((N, D1, D1))
        self.A = 0.2 * np.eye(D1) + 0.1 * (half + half.swapaxes(1, 2))
        self.B, self.C = 0.6 * rng.standard_normal((N, D1, D2)), rng.uniform(0.5, 1.0, (N, D2, D2))
        self.waves, self.angles = waves, rng.uniform(0, 6, (N, 1))
        self.tilts = 0.3 * rng.standard_normal((N, D1 + D2))
        self.start = np.array([0.9, -0.6, 0.4])
        self.mu = float(self.C.min())
        self.L = max(self._norm(i, c) for i in range(N) for c in itertools.product((-1, 1), repeat=D1))
        ends = [minimize(self.phi, 2 * rng.standard_normal(D1), tol=1e-13).fun for _ in range(20)]
        self.phi_star = min(ends)

    def _norm(self, i, curvatures):
        """Return the norm of a client's Hessian at the corners of what the waves add: it is convex in that."""
        upper = self.A[i] + self.waves * np.diag(curvatures)
        hessian = np.block([[upper, self.B[i]], [self.B[i].T, -self.C[i]]])
        return float(np.abs(np.linalg.eigvalsh(hessian)).max())

    def values(self, z):
        """Return f_i(z_i), (N,), for z of shape (N, D1 + D2)."""
        x, y = z[:, :D1], z[:, D1:]
        found = self.waves * np.cos(x + self.angles).sum(axis=1) + np.einsum("ia,iab,ib->i", x, self.A, x) / 2
        found = found + np.einsum("ia,iab,ib->i", x, self.B, y) - np.einsum("ia,iab,ib->i", y, self.C, y) / 2
        return found + (self.tilts * z).sum(axis=1)

    def gradients(self, z):
        """Return the clients' gradients, (N, D1 + D2)."""
        x, y = z[:, :D1], z[:, D1:]
        gx = -self.waves * np.sin(x + self.angles) + np.einsum("iab,ib->ia", self.A, x)
        gx = gx + np.einsum("iab,ib->ia", self.B, y)
        gy = np.einsum("iba,ib->ia", self.B, x) - np.einsum("iab,ib->ia", self.C, y)
        return np.concatenate([gx, gy], axis=1) + self.tilts

    def response(self, x):
        """Return y_star(x)."""
        return np.linalg.solve(self.C.mean(axis=0), self.B.mean(axis=0).T @ x + self.tilts.mean(axis=0)[D1:])

    def phi(self, x):
        """Return Phi(x)."""
        return float(self.values(np.tile(np.concatenate([x, self.response(x)]), (N, 1))).mean())


@cache
def shared_saddles(waves):
    """Return saddles that tests only read: their infimum is searched for once."""
    return Saddles(waves)


class Run:
    """The basis of a programme's trace as arrays (N, D1 + D2)."""

    def __init__(self, programme, saddles):
        self.programme, self.saddles = programme, saddles
        oracle = programme.trace.oracle
        self.basis = np.zeros((len(oracle.basis), N, D1 + D2))
        self.basis[0, :, :D1], self.basis[1, :, D1:] = saddles.start[:D1], saddles.start[D1:]
        stars = {int(np.flatnonzero(p.at.coefficients[0])[-1]): p for p in programme._stars.values()}
        points = {p.gradient: p for p in oracle.points}
        for k in range(2, len(self.basis)):
            if k in stars:
                x = self.at(stars[k].at)[0, :D1]
                self.basis[k, :, D1:] = saddles.response(x) - saddles.start[D1:]
            if k in points:
                g = saddles.gradients(self.at(points[k].at))
                self.basis[k - 1, :, :D1], self.basis[k, :, D1:] = g[:, :D1], g[:, D1:]

    def at(self, v):
        """Return a vector of the clients."""
        mean, deviation = v.pad_to(len(self.basis)).astype(float)
        centre = self.basis.mean(axis=1, keepdims=True)
        return np.einsum("a,aid->id", mean, centre + 0 * self.basis) + np.einsum(
            "a,aid->id", deviation, self.basis - centre
        )

    def unknowns(self):
        """Return the unknowns of the programme."""
        centre = self.basis.mean(axis=1, keepdims=True) + 0 * self.basis
        parts = (centre, centre, self.basis - centre, self.basis - centre)
        blocks = []
        for part, chosen in zip(parts, self.programme.chosen, strict=True):
            blocks.append(stacked(np.einsum("aid,bid->ab", part[chosen], part[chosen]) / N))
        values = [self.saddles.values(self.at(p.at)).mean() - self.saddles.phi_star for p in self.programme.points]
        return np.concatenate([*blocks, values, [0.0]])
