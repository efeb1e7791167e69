"""Straight-line references of the methods with a memory: MIFA(M) and the GradMA family, one client at a time.

Conventions as in `straightline`: `g(r, k, i)` is the gradient of client `i` on the sample of local step `k` of round
`r`, `active[r]` lists the clients of the round; every function returns the server iterates.  The projections are
solved by scipy's nonnegative least squares on the dual.
"""

import numpy as np
from scipy.optimize import nnls


def project(g, rows):
    """Return argmin |v - g| subject to <row, v> >= 0 for every row, and the multipliers of the rows."""
    g = np.asarray(g, dtype=float)
    multipliers = np.zeros(len(rows))
    used = [k for k, row in enumerate(rows) if np.abs(row).max() > 0]
    length = np.abs(g).max()
    if not used or length == 0:
        return g.copy(), multipliers
    largest = [np.abs(rows[k]).max() for k in used]
    norms = [s * np.linalg.norm(rows[k] / s) for k, s in zip(used, largest, strict=True)]
    columns = np.array([rows[k] / n for k, n in zip(used, norms, strict=True)]).T
    u, _ = nnls(columns, -g / length, maxiter=10_000)
    multipliers[used] = length * u / norms
    return g + length * (columns @ u), multipliers


def mifam(x0, g, *, N, K, active, eta, gamma, beta, start="zero"):
    """Run MIFAM (arXiv 2302.14307, Algorithm 6); beta = 0 is MIFA (arXiv 2106.04159), which starts with a full pass.

    With start='full' the sample of the k-th step of the pass is g(0, k - K, i).
    """
    x, m = x0.copy(), np.zeros_like(x0)
    old = []
    for i in range(N):
        y = x0.copy()
        if start == "full":
            for k in range(K):
                y = y - eta * g(0, k - K, i)(y)
        old.append(x0 - y)
    path = [x]
    for r, chosen in enumerate(active):
        for i in chosen:
            y = x.copy()
            for k in range(K):
                y = y - eta * g(r, k, i)(y)
            old[i] = x - y
        m = beta * m + sum(old) / N
        x = x - gamma * m
        path.append(x)
    return path


def worker(g, own, x, *, r, i, K, eta, previous):
    """Run GradMA's worker update: K projected steps; all three gradients of a step on the same minibatch."""
    before = own if previous == "stored" else x
    y, moved = x.copy(), np.zeros_like(x)
    for k in range(K):
        grad = g(r, k, i)
        rows = [grad(before), grad(x), -moved]
        direction, _ = project(grad(y), rows)
        moved = moved + direction
        before, y = y, y - eta * direction
    return y


def reduce_memory(capacity, chosen, counts, held):
    """Make room for this round's clients by evicting the least used of the others, oldest first; return the new."""
    fresh = []
    for i in chosen:
        if i not in held:
            if len(held) == capacity:
                idle = [k for k in held if k not in chosen]
                out = min(idle, key=lambda k: counts[k])
                held.remove(out)
                counts[out] = 0
            held.append(i)
            fresh.append(i)
        counts[i] += 1
    return fresh


def gradma(
    x0,
    g,
    *,
    N,
    K,
    active,
    eta,
    gamma=1.0,
    beta=0.0,
    beta_mem=0.0,
    memory=None,
    previous="stored",
    unseen="start",
    on_worker=True,
    on_server=True,
):
    """Run GradMA (arXiv 2302.14307): Algorithm 1, and 7 (on_worker only) and 8 (on_server only)."""
    x, m = x0.copy(), np.zeros_like(x0)
    own, seen = [x0.copy() for _ in range(N)], [False] * N
    held, counts, rows = [], [0] * N, {}
    path, log = [x], []
    for r, chosen in enumerate(active):
        fresh = reduce_memory(N if memory is None else memory, chosen, counts, held)
        rows = {k: v for k, v in rows.items() if k in held}
        displacement = {}
        for i in chosen:
            if on_worker:
                last = own[i] if seen[i] or unseen == "start" else x
                end = worker(g, last, x, r=r, i=i, K=K, eta=eta, previous=previous)
            else:
                end = x.copy()
                for k in range(K):
                    end = end - eta * g(r, k, i)(end)
            own[i], seen[i] = end, True
            displacement[i] = x - end
        for c in held:
            if c in fresh:
                rows[c] = displacement[c]
            elif c in chosen:
                rows[c] = beta_mem * rows[c] + displacement[c]
            else:
                rows[c] = beta_mem * rows[c]
        m = beta * m + sum(displacement.values()) / len(chosen)
        if on_server:
            m, _ = project(m, [rows[c] for c in held])
        x = x - gamma * m
        path.append(x)
        log.append({"held": list(held), "counts": list(counts), "rows": dict(rows), "fresh": fresh})
    return path, log
