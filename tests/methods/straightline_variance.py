"""Straight-line references of the variance-reduced and drift-corrected methods, written from the specifications.

One lane, one client, one step at a time; see `straightline`. `g(r, k, i)` is minibatch k of round r at client i as a
function of the point (k = -1: the one before the first round), `g.full(i)` the exact gradient, `next(g.coins)` the
next uniform of the lane's own coin flips. Every function returns the server iterates.
"""

import numpy as np


def mean(vectors):
    vectors = list(vectors)
    return sum(vectors) / len(vectors)


def fedavg_m_vr(x0, g, active, K, *, N, eta, gamma, beta, B):
    """Run arXiv 2306.16504, Algorithm 3."""
    direction = mean(g(0, -1, i)(x0) for i in range(N))
    path, previous = [x0], x0
    for r, chosen in enumerate(active):
        x, moved = path[-1], []
        for i in chosen:
            y = x
            for k in range(K):
                sample = g(r, k, i)
                y = y - eta * (sample(y) + (1 - beta) * (direction - sample(previous)))
            moved.append(x - y)
        direction = mean(moved) / (eta * K)
        previous = x
        path.append(x - gamma * direction)
    return path


def scaffold(x0, g, active, K, *, N, eta, gamma=1.0, option="II", B=0):
    """Run arXiv 1910.06378, Algorithm 1."""
    own = [g(0, -1, i)(x0) if B else np.zeros_like(x0) for i in range(N)]
    common = mean(own)
    path = [x0]
    for r, chosen in enumerate(active):
        x, moved, changed = path[-1], [], []
        for i in chosen:
            y = x
            for k in range(K):
                y = y - eta * (g(r, k, i)(y) - own[i] + common)
            fresh = g.full(i)(x) if option == "I" else own[i] - common + (x - y) / (K * eta)
            moved.append(y - x)
            changed.append(fresh - own[i])
            own[i] = fresh
        path.append(x + gamma * mean(moved))
        common = common + sum(changed) / N
    return path


def scaffold_m_vr(x0, g, active, K, *, N, eta, gamma, beta, B):
    """Run arXiv 2306.16504, Algorithm 4."""
    own = [g(0, -1, i)(x0) for i in range(N)]
    common = mean(own)
    direction = common
    path, previous = [x0], x0
    for r, chosen in enumerate(active):
        x, moved, changed = path[-1], [], []
        for i in chosen:
            y, seen = x, []
            for k in range(K):
                sample = g(r, k, i)
                seen.append(sample(y))
                corrected = seen[-1] - beta * (own[i] - common)
                y = y - eta * (corrected + (1 - beta) * (direction - sample(previous)))
            moved.append(x - y)
            changed.append(mean(seen) - own[i])
            own[i] = mean(seen)
        direction = mean(moved) / (eta * K)
        common = common + sum(changed) / N
        previous = x
        path.append(x - gamma * direction)
    return path


def mime(x0, g, active, K, *, eta, beta, gamma=1.0, lite=False):
    """Run arXiv 2008.03606 with SGDm as base optimiser; `lite` drops the local correction."""
    path, s = [x0], np.zeros_like(x0)
    for r, chosen in enumerate(active):
        x, moved = path[-1], []
        c = mean(g.full(i)(x) for i in chosen)
        for i in chosen:
            y = x
            for k in range(K):
                sample = g(r, k, i)
                h = sample(y) if lite else sample(y) - sample(x) + c
                y = y - eta * ((1 - beta) * h + beta * s)
            moved.append(y - x)
        s = (1 - beta) * c + beta * s
        path.append(x + gamma * mean(moved))
    return path


def mimelite(x0, g, active, K, **numbers):
    """Run MimeLite with SGDm."""
    return mime(x0, g, active, K, lite=True, **numbers)


def mime_mvr(x0, g, active, K, *, eta, a, gamma=1.0, lite=False):
    """Run MimeMVR (MimeLiteMVR with `lite`), x_(-1) = x_0 and m = 0 at the start."""
    path, previous, m = [x0], x0, np.zeros_like(x0)
    for r, chosen in enumerate(active):
        x, moved = path[-1], []
        now = mean(g.full(i)(x) for i in chosen)
        before = mean(g.full(i)(previous) for i in chosen)
        for i in chosen:
            y = x
            for k in range(K):
                sample = g(r, k, i)
                h = sample(y) if lite else sample(y) - sample(x) + now
                y = y - eta * (a * h + (1 - a) * (m + sample(y) - sample(previous)))
            moved.append(y - x)
        m = a * now + (1 - a) * (now - before) + (1 - a) * m
        previous = x
        path.append(x + gamma * mean(moved))
    return path


def mimelite_mvr(x0, g, active, K, **numbers):
    """Run MimeLiteMVR."""
    return mime_mvr(x0, g, active, K, lite=True, **numbers)


def fedgate(x0, g, active, K, *, N, eta, gamma=1.0):
    """Run arXiv 2007.01154 without compression, among the online clients."""
    delta = [np.zeros_like(x0) for _ in range(N)]
    path = [x0]
    for r, chosen in enumerate(active):
        x, sent = path[-1], {}
        for i in chosen:
            y = x
            for k in range(K):
                y = y - eta * (g(r, k, i)(y) - delta[i])
            sent[i] = (x - y) / eta
        P = mean(sent.values())
        for i in chosen:
            delta[i] = delta[i] + (sent[i] - P) / K
        path.append(x - gamma * eta * P)
    return path


def vrl_sgd(x0, g, active, K, *, N, eta):
    """Run arXiv 1912.12844."""
    delta = [np.zeros_like(x0) for _ in range(N)]
    path = [x0]
    for r in range(len(active)):
        ends = []
        for i in range(N):
            y = path[-1]
            for k in range(K):
                y = y - eta * (g(r, k, i)(y) - delta[i])
            ends.append(y)
        x = mean(ends)
        delta = [delta[i] + (x - ends[i]) / (K * eta) for i in range(N)]
        path.append(x)
    return path


def led(x0, g, active, K, *, N, eta, beta):
    """Run arXiv 2302.00620 on a server: all mixing weights 1/N."""
    z = [np.zeros_like(x0) for _ in range(N)]
    path = [x0]
    for r in range(len(active)):
        ends = []
        for i in range(N):
            phi = path[-1]
            for k in range(K):
                phi = phi - (eta * g(r, k, i)(phi) + beta * z[i])
            ends.append(phi)
        x = mean(ends)
        z = [z[i] + ends[i] - x for i in range(N)]
        path.append(x)
    return path


def stem(x0, g, active, K, *, N, kappa, w, growth, c, B):
    """Run arXiv 2106.10435 with its own step counter s; the server iterates are the synchronised means."""

    def step(s):
        return kappa / (w + growth * s) ** (1 / 3)

    d = [mean(g(0, -1, i)(x0) for i in range(N))] * N
    old = [x0] * N
    x = [x0 - step(1) * d[i] for i in range(N)]
    path = [x0]
    for s in range(1, K * len(active) + 1):
        weight = c * step(s) ** 2
        fresh = []
        for i in range(N):
            sample = g((s - 1) // K, (s - 1) % K, i)
            fresh.append(sample(x[i]) + (1 - weight) * (d[i] - sample(old[i])))
        d, old = fresh, x
        if s % K == 0:
            d = [mean(d)] * N
            path.append(mean(x))
            x = [path[-1] - step(s + 1) * d[i] for i in range(N)]
        else:
            x = [x[i] - step(s + 1) * d[i] for i in range(N)]
    return path


def bvr_l_sgd(x0, g, active, K, *, N, eta, batch=0):
    """Run arXiv 2102.03198; `batch` = 0 is the exact gradient at the server iterate."""
    path = [x0]
    for r in range(len(active)):
        x, ends = path[-1], []
        v = mean((g(r, 0, i) if batch else g.full(i))(x) for i in range(N))
        for i in range(N):
            before, y, d = x, x - eta * v, v
            for k in range(1, K):
                sample = g(r, k if batch else k - 1, i)
                d = d + sample(y) - sample(before)
                before, y = y, y - eta * d
            ends.append(y)
        path.append(ends[int(next(g.coins) * N)])
    return path


def mb_storm(x0, g, active, K, *, N, gamma, a, B):
    """Run minibatch STORM, x_(-1) = x_0, v_(-1) a minibatch gradient at x_0."""
    v = mean(g(0, -1, i)(x0) for i in range(N))
    path, previous = [x0], x0
    for r, chosen in enumerate(active):
        x = path[-1]
        terms = [g(r, k, i)(x) + (1 - a) * (v - g(r, k, i)(previous)) for i in chosen for k in range(K)]
        v, previous = mean(terms), x
        path.append(x - gamma * v)
    return path


def ce_lsgd(x0, g, active, K, *, N, eta, a, B, server="client"):
    """Run CE-LSGD (Patel et al., NeurIPS 2022): K samples for the estimator, then K steps with K - 1 samples."""
    v = mean(g(0, -1, i)(x0) for i in range(N))
    path, previous = [x0], x0
    for r, chosen in enumerate(active):
        x, ends = path[-1], []
        now = mean(g(r, k, i)(x) for i in chosen for k in range(K))
        before = mean(g(r, k, i)(previous) for i in chosen for k in range(K))
        v = now + (1 - a) * (v - before)
        for i in chosen:
            old, y, d = x, x - eta * v, v
            for k in range(K, 2 * K - 1):
                sample = g(r, k, i)
                d = d + sample(y) - sample(old)
                old, y = y, y - eta * d
            ends.append(y)
        previous = x
        path.append(mean(ends) if server == "mean" else ends[int(next(g.coins) * len(chosen))])
    return path


def sgd(x0, g, active, K, *, N, eta):
    """Run SGD, K steps a round."""
    path = [x0]
    for r in range(len(active)):
        x = path[-1]
        for k in range(K):
            x = x - eta * mean(g(r, k, i)(x) for i in range(N))
        path.append(x)
    return path


def sarah(x0, g, active, K, *, N, eta, batch=0):
    """Run arXiv 1703.00102: an outer loop of K steps a round, the last iterate kept."""
    path = [x0]
    for r in range(len(active)):
        x = path[-1]
        v = mean((g(r, 0, i) if batch else g.full(i))(x) for i in range(N))
        old, x = x, x - eta * v
        for k in range(K - 1):
            samples = [g(r, k + 1 if batch else k, i) for i in range(N)]
            v = mean(sample(x) - sample(old) for sample in samples) + v
            old, x = x, x - eta * v
        path.append(x)
    return path


def spider(x0, g, active, K, *, N, eta, length, batch=0):
    """Run arXiv 1807.01695, option II with q = K: steps of norm at most `length`."""
    path = [x0]
    for r in range(len(active)):
        x = old = path[-1]
        for j in range(K):
            if j == 0:
                v = mean((g(r, 0, i) if batch else g.full(i))(x) for i in range(N))
            else:
                k = j if batch else j - 1
                v = mean(g(r, k, i)(x) - g(r, k, i)(old) for i in range(N)) + v
            norm = float(np.sqrt(sum(entry**2 for entry in v)))
            old, x = x, x - min(length / norm, eta) * v
        path.append(x)
    return path


def snvrg(x0, g, active, K, *, N, eta, depth=2, base=2, batch=0):
    """Run arXiv 1806.07811: an epoch of K steps a round, reference points x^(0..depth), levels of `base` steps."""
    path = [x0]
    for r in range(len(active)):
        x = path[-1]
        reference = [x] * (depth + 1)
        parts = [mean((g(r, 0, i) if batch else g.full(i))(x) for i in range(N))] + [0 * x] * depth
        x = x - eta * sum(parts)
        for t in range(1, K):
            level = next(j for j in range(1, depth + 1) if t % base ** (depth - j) == 0)
            for l in range(level, depth + 1):
                reference[l] = x
                parts[l] = 0 * x
            samples = [g(r, t if batch else t - 1, i) for i in range(N)]
            parts[level] = mean(sample(reference[level]) - sample(reference[level - 1]) for sample in samples)
            x = x - eta * sum(parts)
        path.append(x)
    return path


def storm(x0, g, active, K, *, N, eta, a, B):
    """Run arXiv 1905.10018 with constant step and weight; K steps a round."""
    d = mean(g(0, -1, i)(x0) for i in range(N))
    path = [x0]
    for r in range(len(active)):
        x = path[-1]
        for k in range(K):
            new = x - eta * d
            d = mean(g(r, k, i)(new) for i in range(N)) + (1 - a) * (d - mean(g(r, k, i)(x) for i in range(N)))
            x = new
        path.append(x)
    return path


def storm_adaptive(x0, g, active, K, *, N, k, w, c, B):
    """Run arXiv 1905.10018 with its adaptive step; K steps a round."""
    d = mean(g(0, -1, i)(x0) for i in range(N))
    total = float((d**2).sum())
    path = [x0]
    for r in range(len(active)):
        x = path[-1]
        for j in range(K):
            eta = k / (w + total) ** (1 / 3)
            new = x - eta * d
            fresh = mean(g(r, j, i)(new) for i in range(N))
            d = fresh + (1 - c * eta**2) * (d - mean(g(r, j, i)(x) for i in range(N)))
            total = total + float((fresh**2).sum())
            x = new
        path.append(x)
    return path
