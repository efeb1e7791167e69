"""Straight-line references of the minimax baselines, one client, one block and one step at a time.

Conventions as in `straightline`: `g(r, k, i)(th, w)` returns both blocks of the gradient of client `i` on the sample of
local step `k` of round `r`; `k = -1` is the sample of the start.  Every function returns the pairs after each round.
"""

import numpy as np


def average(vectors):
    """Return the plain mean of a list of vectors."""
    return sum(vectors) / len(vectors)


def momentum_local_sgda(th0, w0, g, *, N, K, R, eta_x, eta_y, alpha, bx, by):
    """Run Momentum Local SGDA (arXiv 2203.04850): averaged directions, gradients at the new pair."""
    th, w = [th0.copy() for _ in range(N)], [w0.copy() for _ in range(N)]
    dx, dy = [], []
    for i in range(N):
        a, b = g(0, -1, i)(th0, w0)
        dx.append(a)
        dy.append(b)
    path = [(th0.copy(), w0.copy())]
    for t in range(K * R):
        for i in range(N):
            aim_th, aim_w = th[i] - eta_x * dx[i], w[i] + eta_y * dy[i]
            th[i] = th[i] + alpha * (aim_th - th[i])
            w[i] = w[i] + alpha * (aim_w - w[i])
            a, b = g(t // K, t % K, i)(th[i], w[i])
            dx[i] = (1 - bx * alpha) * dx[i] + bx * alpha * a
            dy[i] = (1 - by * alpha) * dy[i] + by * alpha * b
        if (t + 1) % K == 0:
            th, w, dx, dy = ([average(v)] * N for v in (th, w, dx, dy))
            path.append((th[0].copy(), w[0].copy()))
    return path


def coda(th0, w0, g, *, N, K, R, eta_x, eta_y, lam, rounds, growth, decay, output):
    """Run CODA (arXiv 2005.02426) with the dual restarted at the stage's dual output.

    Stage s has rounds * growth^s rounds and steps divided by decay^s.
    """
    th, w, ref = th0.copy(), w0.copy(), th0.copy()
    path, stage, done = [(th, w)], 0, 0
    seen_th, seen_w = [], []
    for r in range(R):
        ths, ws = [th.copy() for _ in range(N)], [w.copy() for _ in range(N)]
        for k in range(K):
            for i in range(N):
                a, b = g(r, k, i)(ths[i], ws[i])
                ths[i] = ths[i] - eta_x / decay**stage * (a + lam * (ths[i] - ref))
                ws[i] = ws[i] + eta_y / decay**stage * b
            seen_th.append(average(ths))
            seen_w.append(average(ws))
        th, w = average(ths), average(ws)
        done += 1
        if done == rounds * growth**stage:
            if output == "mean":
                th, w = average(seen_th), average(seen_w)
            ref = th.copy()
            stage, done, seen_th, seen_w = stage + 1, 0, [], []
        path.append((th.copy(), w.copy()))
    return path


def codasca(th0, w0, g, *, N, K, R, eta_x, eta_y, lam, gamma, rounds, growth, decay, prox_inside=False):
    """Run CODASCA (arXiv 2102.04635): CODA with control variates in both blocks, zero at the start."""
    th, w, ref = th0.copy(), w0.copy(), th0.copy()
    own_x, own_y = [np.zeros_like(th0)] * N, [np.zeros_like(w0)] * N
    path, stage, done = [(th, w)], 0, 0
    for r in range(R):
        common_x, common_y = average(own_x), average(own_y)
        ends_th, ends_w, new_x, new_y = [], [], [], []
        for i in range(N):
            a, b = th.copy(), w.copy()
            seen_x, seen_y = [], []
            for k in range(K):
                u, v = g(r, k, i)(a, b)
                prox = lam * (a - ref)
                seen_x.append(u + prox if prox_inside else u)
                seen_y.append(v)
                a = a - eta_x / decay**stage * (u + prox - own_x[i] + common_x)
                b = b + eta_y / decay**stage * (v - own_y[i] + common_y)
            ends_th.append(a)
            ends_w.append(b)
            new_x.append(average(seen_x))
            new_y.append(average(seen_y))
        own_x, own_y = new_x, new_y
        th, w = th + gamma * (average(ends_th) - th), w + gamma * (average(ends_w) - w)
        done += 1
        if done == rounds * growth**stage:
            ref, stage, done = th.copy(), stage + 1, 0
        path.append((th.copy(), w.copy()))
    return path


def sgda(th0, w0, g, *, N, K, R, eta_x, eta_y, alternating=False):
    """Run SGDA (arXiv 1906.00331) on one machine that holds all N clients' data: K steps a round."""
    th, w = th0.copy(), w0.copy()
    path = [(th, w)]
    for r in range(R):
        for k in range(K):
            new = th - eta_x * average([g(r, k, i)(th, w)[0] for i in range(N)])
            at = new if alternating else th
            w = w + eta_y * average([g(r, k, i)(at, w)[1] for i in range(N)])
            th = new
        path.append((th, w))
    return path


def storm_gda(th0, w0, g, *, N, K, R, c_x, c_y, c1, c2, h, m):
    """Run Acc-MDA (arXiv 2008.08170) on one machine: recursive momentum, interpolated steps, K of them a round."""
    th, w = th0.copy(), w0.copy()
    u = average([g(0, -1, i)(th, w)[0] for i in range(N)])
    v = average([g(0, -1, i)(th, w)[1] for i in range(N)])
    path = [(th, w)]
    for t in range(1, K * R + 1):
        eta = h / (m + t) ** (1 / 3)
        new_th = th + eta * ((th - c_x * u) - th)
        new_w = w + eta * ((w + c_y * v) - w)
        batches = [g((t - 1) // K, (t - 1) % K, i) for i in range(N)]
        new = [batch(new_th, new_w) for batch in batches]
        old = [batch(th, w) for batch in batches]
        u = average([p[0] for p in new]) + (1 - c1 * eta**2) * (u - average([p[0] for p in old]))
        v = average([p[1] for p in new]) + (1 - c2 * eta**2) * (v - average([p[1] for p in old]))
        th, w = new_th, new_w
        if t % K == 0:
            path.append((th, w))
    return path


def sreda(th0, w0, g, *, N, K, R, eta, length, lam, period=1):
    """Run SREDA (arXiv 2001.03724) on one machine, exact large batches, last inner iterate; a descent step a round."""
    th, w, u, v = th0.copy(), w0.copy(), None, None
    path = [(th, w)]
    for r in range(R):
        if r % period == 0:
            exact = [g.full(i)(np.concatenate([th, w])) for i in range(N)]
            u, v = np.split(average(exact), [len(th)])
        a, b, aim = th, w, th - min(eta, length / np.linalg.norm(u)) * u
        at = w
        for j in range(K):
            if j:
                at = b + lam * v
            batches = [g(r, j, i) for i in range(N)]
            u = u + average([batch(aim, at)[0] for batch in batches]) - average([batch(a, b)[0] for batch in batches])
            v = v + average([batch(aim, at)[1] for batch in batches]) - average([batch(a, b)[1] for batch in batches])
            a, b = aim, at
        th, w = aim, at
        path.append((th, w))
    return path
