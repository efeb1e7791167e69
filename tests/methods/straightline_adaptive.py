"""Straight-line references of the adaptive, momentum, proximal and normalised methods.

Same conventions as `straightline`: one lane, one client, one step at a time, nothing shared with the package.
Every function takes (x0, g, active, K) and the method's own numbers and options, and returns [x^0, x^1, ...].
"""

import numpy as np


def _average(vectors):
    return sum(vectors) / len(vectors)


def _sgd(x, g, r, i, K, eta):
    for k in range(K):
        x = x - eta * g(r, k, i)(x)
    return x


def fedopt(x0, g, active, K, *, rule, eta, gamma, beta1, tau, beta2=None):
    """Run arXiv 2003.00295, Algorithm 2: Adagrad, Yogi or Adam on the server, v_(-1) = tau^2."""
    path, m, v = [x0], np.zeros_like(x0), np.full_like(x0, tau**2)
    for r, chosen in enumerate(active):
        x = path[-1]
        delta = _average([_sgd(x, g, r, i, K, eta) - x for i in chosen])
        m = beta1 * m + (1 - beta1) * delta
        for c in range(len(x)):
            square = delta[c] ** 2
            if rule == "adagrad":
                v[c] = v[c] + square
            elif rule == "adam":
                v[c] = beta2 * v[c] + (1 - beta2) * square
            elif v[c] > square:
                v[c] = v[c] - (1 - beta2) * square
            elif v[c] < square:
                v[c] = v[c] + (1 - beta2) * square
        path.append(x + gamma * m / (np.sqrt(v) + tau))
    return path


def fedams(x0, g, active, K, *, eta, gamma, beta1, beta2, eps, version):
    """Run arXiv 2205.02719: AMSGrad on the server, eps inside the maximum (1) or added to the root (2)."""
    path, m, v, top = [x0], np.zeros_like(x0), np.zeros_like(x0), np.zeros_like(x0)
    for r, chosen in enumerate(active):
        x = path[-1]
        delta = _average([_sgd(x, g, r, i, K, eta) - x for i in chosen])
        m = beta1 * m + (1 - beta1) * delta
        v = beta2 * v + (1 - beta2) * delta**2
        top = np.array([max(a, b, eps) if version == 1 else max(a, b) for a, b in zip(top, v, strict=True)])
        path.append(x + gamma * m / (np.sqrt(top) if version == 1 else np.sqrt(top) + eps))
    return path


def lafedopt(x0, g, active, K, *, eta, gamma, beta1, beta2, eps, v0, client, correction, weights="filtered"):
    """Run arXiv 2106.02305 with an SGD server: client optimisers restart, A_i is the weight of the gradients."""
    path = [x0]
    for r, chosen in enumerate(active):
        x = path[-1]
        moves, totals = [], []
        for i in chosen:
            y, m, v = x, np.zeros_like(x), np.full_like(x, v0)
            used = []
            for k in range(K):
                grad = g(r, k, i)(y)
                if client == "adagrad":
                    v = v + grad**2
                elif client == "adam":
                    v = beta2 * v + (1 - beta2) * grad**2
                elif client == "yogi":
                    v = v - (1 - beta2) * grad**2 * np.sign(v - grad**2)
                used.append(np.ones_like(x) if client == "sgd" else 1 / (np.sqrt(v) + eps))
                m = beta1 * m + (1 - beta1) * grad
                y = y - eta * used[-1] * m
            moves.append(y - x)
            power = {j: (K - j if weights == "filtered" else j + 1) for j in range(K)}
            totals.append(sum(p * (1 - beta1 ** power[j]) for j, p in enumerate(used)))
        if correction == "none":
            delta = _average(moves)
        else:
            delta = _average([move / total for move, total in zip(moves, totals, strict=True)])
            if correction == "joint":
                delta = delta / _average([1 / total for total in totals])
        path.append(x + gamma * delta)
    return path


def local_adaalter(x0, g, active, K, *, eta, eps, b0):
    """Run arXiv 1911.09030, local AdaAlter: frozen denominator with the placeholder (k + 1) eps^2."""
    path, common = [x0], np.full_like(x0, b0**2)
    for r, chosen in enumerate(active):
        ends, sums = [], []
        for i in chosen:
            y, own = path[-1], common
            for k in range(K):
                grad = g(r, k, i)(y)
                y = y - eta * grad / np.sqrt(common + (k + 1) * eps**2)
                own = own + grad**2
            ends.append(y)
            sums.append(own)
        common = _average(sums)
        path.append(_average(ends))
    return path


def local_amsgrad(x0, g, active, K, *, N, eta, beta1, beta2, eps):
    """Run arXiv 2109.05109: local moments for ever, one shared vh refreshed just before the communicating step."""
    path, top = [x0], np.full_like(x0, eps)
    y, m, v = ([z.copy() for _ in range(N)] for z in (x0, 0 * x0, 0 * x0))
    for step in range(1, K * len(active) + 1):
        r, k = divmod(step - 1, K)
        for i in range(N):
            grad = g(r, k, i)(y[i])
            m[i] = beta1 * m[i] + (1 - beta1) * grad
            v[i] = beta2 * v[i] + (1 - beta2) * grad**2
        if step % K == 0:
            top = np.maximum(top, _average(v))
        y = [y[i] - eta * m[i] / np.sqrt(top) for i in range(N)]
        if step % K == 0:
            y = [_average(y)] * N
            path.append(y[0])
    return path


def local_adam(x0, g, active, K, *, N, eta, beta1, beta2, eps, amsgrad=False, reset=False):
    """Run Adam (AMSGrad) on every client for ever and average the iterates only."""
    path = [x0]
    m, v, top = ([np.zeros_like(x0) for _ in range(N)] for _ in range(3))
    for r, chosen in enumerate(active):
        ends = []
        for i in chosen:
            y = path[-1]
            if reset:
                m[i], v[i], top[i] = 0 * y, 0 * y, 0 * y
            for k in range(K):
                grad = g(r, k, i)(y)
                m[i] = beta1 * m[i] + (1 - beta1) * grad
                v[i] = beta2 * v[i] + (1 - beta2) * grad**2
                top[i] = np.maximum(top[i], v[i]) if amsgrad else v[i]
                y = y - eta * m[i] / (np.sqrt(top[i]) + eps)
            ends.append(y)
        path.append(_average(ends))
    return path


def server_momentum(x0, g, active, K, *, eta, beta, gamma, rho=0.0):
    """Run GradMA's Algorithm 5 (FedAvgM, FedProxM): undamped velocity of the displacement x - y."""
    path, velocity = [x0], np.zeros_like(x0)
    for r, chosen in enumerate(active):
        x = path[-1]
        moves = []
        for i in chosen:
            y = x
            for k in range(K):
                y = y - eta * (g(r, k, i)(y) + rho * (y - x))
            moves.append(x - y)
        velocity = beta * velocity + _average(moves)
        path.append(x - gamma * velocity)
    return path


def slowmo(x0, g, active, K, *, eta, beta, gamma):
    """Run arXiv 1910.00643, Algorithm 1 with SGD inside: the velocity is in gradient units."""
    path, u = [x0], np.zeros_like(x0)
    for r, chosen in enumerate(active):
        x = path[-1]
        u = beta * u + (x - _average([_sgd(x, g, r, i, K, eta) for i in chosen])) / eta
        path.append(x - gamma * eta * u)
    return path


def pr_sgd_momentum(x0, g, active, K, *, eta, beta, nesterov=False, restart=False):
    """Run arXiv 1905.03817, Algorithm 1: local heavy ball, iterate and buffer averaged together."""
    path, common = [x0], np.zeros_like(x0)
    for r, chosen in enumerate(active):
        ends, buffers = [], []
        for i in chosen:
            y, u = path[-1], 0 * common if restart else common
            for k in range(K):
                grad = g(r, k, i)(y)
                u = beta * u + grad
                y = y - eta * (beta * u + grad if nesterov else u)
            ends.append(y)
            buffers.append(u)
        common = _average(buffers)
        path.append(_average(ends))
    return path


def fedprox(x0, g, active, K, *, eta, rho):
    """Run arXiv 1812.06127, Algorithm 2 with K gradient steps on f_i + (rho / 2) |y - x|^2."""
    path = [x0]
    for r, chosen in enumerate(active):
        ends = []
        for i in chosen:
            y = path[-1]
            for k in range(K):
                y = y - eta * (g(r, k, i)(y) + rho * (y - path[-1]))
            ends.append(y)
        path.append(_average(ends))
    return path


def fednova(x0, g, active, K, *, N, eta, beta, rho, fewest=None):
    """Run arXiv 2007.07481: norm_i is what the local optimiser makes of a gradient that is -1/eta for ever."""
    path = [x0]
    least = K if fewest is None else min(fewest, K)
    for r, chosen in enumerate(active):
        x = path[-1]
        norms, directions = [], []
        for i in chosen:
            steps = least + i * (K - least) // max(N - 1, 1)
            y, u, probe, probe_u = x, 0 * x, 0.0, 0.0
            for k in range(steps):
                u = beta * u + g(r, k, i)(y)
                y = y - eta * (u + rho * (y - x))
                probe_u = beta * probe_u - 1 / eta
                probe = probe - eta * (probe_u + rho * probe)
            norms.append(probe)
            directions.append((x - y) / (eta * probe))
        path.append(x - _average(norms) * eta * _average(directions))
    return path


def feddyn(x0, g, active, K, *, N, eta, alpha):
    """Run arXiv 2111.04263, Algorithm 1 with K gradient steps; 1/N in h and 1/S in the mean."""
    path, h = [x0], np.zeros_like(x0)
    own = [np.zeros_like(x0) for _ in range(N)]
    for r, chosen in enumerate(active):
        x = path[-1]
        ends = []
        for i in chosen:
            y = x
            for k in range(K):
                y = y - eta * (g(r, k, i)(y) - own[i] + alpha * (y - x))
            own[i] = own[i] - alpha * (y - x)
            ends.append(y)
        h = h - alpha / N * sum(y - x for y in ends)
        path.append(_average(ends) - h / alpha)
    return path


def fedpd(x0, g, active, K, *, N, eta, eta_pd, skip=0.0, warm=True):
    """Run arXiv 2005.11418, Algorithm 1 with K gradient steps; a coin below `skip` skips communication."""
    path = [x0]
    y, anchor, dual = ([z] * N for z in (x0, x0, 0 * x0))
    for r in range(len(active)):
        for i in range(N):
            end = y[i] if warm else anchor[i]
            for k in range(K):
                end = end - eta * (g(r, k, i)(end) + dual[i] + (end - anchor[i]) / eta_pd)
            y = [*y[:i], end, *y[i + 1 :]]
            dual = [*dual[:i], dual[i] + (end - anchor[i]) / eta_pd, *dual[i + 1 :]]
            anchor = [*anchor[:i], end + eta_pd * dual[i], *anchor[i + 1 :]]
        if next(g.coins) < skip:
            path.append(path[-1])
        else:
            path.append(_average(anchor))
            anchor = [path[-1]] * N
    return path


def fedlalr_adaptive(x0, g, active, K, *, eta, beta1, beta2, eps, growth, sync="average", restart=False):
    """Run arXiv 2309.09719 with K_t = K + floor(log_growth t), t = 1, 2, ..., counted by trial multiplication."""
    path, m, top = [x0], np.zeros_like(x0), np.full_like(x0, eps**2)
    for r, chosen in enumerate(active):
        steps = K
        while growth ** (steps - K + 1) <= r + 1:
            steps += 1
        ends, momenta, maxima = [], [], []
        for i in chosen:
            y, own, v, vh = path[-1], 0 * m if restart else m, top, top
            for k in range(steps):
                grad = g(r, k, i)(y)
                own = beta1 * own + (1 - beta1) * grad
                v = beta2 * v + (1 - beta2) * grad**2
                vh = np.maximum(vh, v)
                y = y - eta * own / np.sqrt(vh)
            ends.append(y)
            momenta.append(own)
            maxima.append(vh)
        m, top = _average(momenta), np.max(maxima, axis=0) if sync == "max" else _average(maxima)
        path.append(_average(ends))
    return path
