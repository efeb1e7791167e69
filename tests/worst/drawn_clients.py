"""Runs with active clients on explicit quadratics, draw by draw: what the basis of a trace stands for there."""

import itertools

import numpy as np

from boundcheck.worst.gram.trace import ORIGIN

N, K = 3, 2


class Clients:
    """f_i(x) = (x - c_i)' A_i (x - c_i)/2 with eigenvalues in [0.4, 1.6], in two dimensions."""

    def __init__(self):
        rng = np.random.default_rng(0)
        turns = np.linalg.qr(rng.standard_normal((N, 2, 2)))[0]
        self.A = np.einsum("iab,ib,icb->iac", turns, rng.uniform(0.4, 1.6, (N, 2)), turns)
        self.c = rng.standard_normal((N, 2))
        self.start = np.array([1.3, -0.4])
        best = np.linalg.solve(self.A.sum(axis=0), np.einsum("iab,ib->a", self.A, self.c))
        self.f_star = self.value(np.broadcast_to(best, (N, 2)))

    def gradient(self, y):
        """Return the clients' gradients (..., N, d)."""
        return np.einsum("iab,...ib->...ia", self.A, y - self.c)

    def value(self, y):
        """Return the mean over clients of f_i(y_i), (...)."""
        return np.einsum("...ia,...ia->...i", y - self.c, self.gradient(y)).mean(axis=-1) / 2


class Draws:
    """Every sequence of draws of S of N clients; a vector is an array (sequences, N, d).

    Parameters
    ----------
    trace : Trace
    clients : Clients
    S : int
    """

    def __init__(self, trace, clients, S):
        self.clients, self.trace = clients, trace
        rounds = len(trace.states) - 1
        subsets = list(itertools.combinations(range(N), S))
        self.active = np.zeros((len(subsets) ** rounds, rounds, N), dtype=bool)
        for sequence, chosen in enumerate(itertools.product(subsets, repeat=rounds)):
            for t, members in enumerate(chosen):
                self.active[sequence, t, list(members)] = True
        self.basis = np.zeros((len(trace.oracle.basis), len(self.active), N, 2))
        points = {p.gradient: p for p in trace.oracle.points}
        for k, element in enumerate(trace.oracle.basis):
            self.basis[k] = self._element(k, element, points)

    def _element(self, k, element, points):
        if k == ORIGIN:
            return self.clients.start
        if k in points:
            return self.clients.gradient(self.at(points[k].at))
        own, here = self.at(element.of), self.active[:, element.draw, :, None]
        if element.kind == "sampled":
            return np.broadcast_to((own * here).sum(axis=1, keepdims=True) / here.sum(axis=1, keepdims=True), own.shape)
        return own * here - (own * here).mean(axis=1, keepdims=True)

    def at(self, v):
        """Return a vector."""
        mean, deviation = v.pad_to(len(self.basis)).astype(float)
        centre = self.basis.mean(axis=2, keepdims=True)
        return np.einsum("a,asid->sid", mean, centre + 0 * self.basis) + np.einsum(
            "a,asid->sid", deviation, self.basis - centre
        )

    def unknowns(self, whole):
        """Return the unknowns of `Whole` on these runs, in expectation."""
        P, Q = (gram(part) for part in split(self.basis))
        values = [(self.clients.value(self.at(p.at)) - self.clients.f_star).mean() for p in whole.points]
        blocks = (P[np.ix_(whole._means, whole._means)], Q[np.ix_(whole._deviations, whole._deviations)])
        return np.concatenate([*map(stacked, blocks), values, [0.0]])


def split(v):
    """Return means over the clients, and deviations from them."""
    centre = v.mean(axis=2, keepdims=True)
    return centre + 0 * v, v - centre


def gram(v):
    """Return all products, averaged over sequences and clients."""
    return np.einsum("asid,bsid->ab", v, v) / (v.shape[1] * v.shape[2])


def stacked(matrix):
    """Return the upper triangle column by column, off the diagonal times the root of two."""
    size = len(matrix)
    return np.array([matrix[i, j] * (1 if i == j else 2**0.5) for j in range(size) for i in range(j + 1)])


def unknowns_of_kinds(drawn, split_whole):
    """Return the unknowns of `Split` on these runs: vectors of the active clients and of the others apart."""
    whole, basis = split_whole, drawn.basis
    here = drawn.active[:, -1, :, None]
    inside = (basis * here).sum(axis=2, keepdims=True) / here.sum(axis=1, keepdims=True)
    outside = (basis * ~here).sum(axis=2, keepdims=True) / (~here).sum(axis=1, keepdims=True)
    centre, late = basis.mean(axis=2, keepdims=True), whole._late
    means = np.concatenate([centre[whole._means], (inside - centre)[whole._deviations], inside[late], outside[late]])
    apart = [*whole._deviations, *late]
    blocks = [gram(means)]
    for mean, members in ((inside, here), (outside, ~here)):
        if members[0].sum() > 1:
            count = members[0].sum()
            off = (basis - mean)[apart] * members
            blocks.append(np.einsum("asid,bsid->ab", off, off) / (off.shape[1] * count))
    values = []
    for p in whole.points:
        own = _values(drawn.clients, drawn.at(p.at)) - drawn.clients.f_star
        parts = [(own * h[..., 0]).sum(axis=1) / h[0].sum() for h in (here, ~here)]
        values += [part.mean() for part in parts] if whole._is_late(p) else [own.mean()]
    return np.concatenate([*map(stacked, blocks), values, [0.0]])


def _values(clients, y):
    return np.einsum("sia,sia->si", y - clients.c, clients.gradient(y)) / 2
