"""MOON and FedMLB one client, one step and one row at a time; the losses are differentiated by complex steps."""

import numpy as np


def levels(problem, y, z):
    """Return the outputs of all layers on one row, at one point or at many, (..., units)."""
    out, h = [], np.broadcast_to(z, (*y.shape[:-1], len(z)))
    for n, layer in enumerate(problem.layers):
        W = y[..., layer.weights].reshape(*y.shape[:-1], layer.outputs, layer.inputs)
        h = (W @ h[..., None])[..., 0] + y[..., layer.biases]
        h = h if n == len(problem.layers) - 1 else np.tanh(h)
        out.append(h)
    return out


def slope(loss, y):
    """Return the gradient of an analytic function at a real point: the imaginary part of a step of 1e-30 i."""
    return loss(y + 1e-30j * np.eye(len(y))).imag / 1e-30


def _entropy(o, c):
    return np.log(np.exp(o).sum(axis=-1)) - o @ c


def _cos(a, b):
    return (a * b).sum(axis=-1) / np.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1))


def _mean(values):
    return sum(values) / len(values)


def moon_loss(problem, rows, x, before, mu, tau):
    """Return MOON's local loss as a function of y; `before` is None for a client without a model of its own."""

    def row(y, z, c):
        r, o = levels(problem, y, z)[-2:]
        if before is None:
            return _entropy(o, c)
        p, q = (np.exp(_cos(r, levels(problem, w, z)[-2]) / tau) for w in (x, before))
        return _entropy(o, c) - mu * np.log(p / (p + q))

    return lambda y: _mean([row(y, z, c) for z, c in rows])


def mlb_loss(problem, rows, x, lam, tau):
    """Return FedMLB's local loss as a function of y."""
    hidden = len(problem.layers) - 1

    def softmax(o):
        return np.exp(o / tau) / np.exp(o / tau).sum(axis=-1, keepdims=True)

    def row(y, z, c):
        o = levels(problem, y, z)[-1]
        total = lam[0] * _entropy(o, c)
        for m in range(hidden):
            end = problem.layers[m].biases.stop
            theirs = np.broadcast_to(x[end:], (*y.shape[:-1], len(x) - end))
            o_m = levels(problem, np.concatenate([y[..., :end], theirs], axis=-1), z)[-1]
            p_m, p = softmax(o_m), softmax(o)
            divergence = (p_m * (np.log(p_m) - np.log(p))).sum(axis=-1)
            total = total + (lam[1] * _entropy(o_m, c) + lam[2] * divergence) / hidden
        return total

    return lambda y: _mean([row(y, z, c) for z, c in rows])


def _federated(x0, active, K, local, eta, beta, gamma):
    x, v, path = x0, 0 * x0, [x0]
    for r, clients in enumerate(active):
        ends = []
        for i in clients:
            y, loss = x, local(r, i, x)
            for k in range(K):
                y = y - eta * slope(loss(k), y)
            ends.append((i, y))
        v = beta * v - (_mean([y for _, y in ends]) - x)
        x = x - gamma * v
        path.append(x)
        yield ends
    return path


def _run(rounds, own):
    while True:
        try:
            own.update(next(rounds))
        except StopIteration as end:
            return end.value


def moon(x0, g, active, K, *, eta, mu, tau=0.5, beta=0.0, gamma=1.0):
    """Run MOON (arXiv 2103.16257), with beta MOONM; own models are those of finished rounds."""
    own = {}

    def local(r, i, x):
        return lambda k: moon_loss(g.problem, g.rows(r, k, i), x, own.get(i), mu, tau)

    return _run(_federated(x0, active, K, local, eta, beta, gamma), own)


def fedmlb(x0, g, active, K, *, eta, lam1=1.0, lam2=1.0, lam3=1.0, tau=1.0, beta=0.0, gamma=1.0):
    """Run FedMLB (arXiv 2207.06936), with beta FedMLBM."""

    def local(r, i, x):
        return lambda k: mlb_loss(g.problem, g.rows(r, k, i), x, (lam1, lam2, lam3), tau)

    return _run(_federated(x0, active, K, local, eta, beta, gamma), {})
