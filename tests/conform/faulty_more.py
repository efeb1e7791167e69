"""More faults of public codes, restated: aliased models, optimisers' defaults, asynchronous servers, error memories.

What was reported stands beside each in a few words; the words of a fault are what a maintainer has to read.
"""

from __future__ import annotations

import numpy as np
from faulty_codes import (
    Fault,
    dsgd,
    fedavg,
    feddyn,
    fednova,
    fedopt,
    fedprox,
    mean,
    norm,
    scaffold,
    server_momentum,
    sgda,
    top,
)


def on_one_model(ends_of):
    """FedAvg whose clients train one object, each from where the last one ended."""

    def code(clients, x0, *, K, T, active, eta):
        x, path = x0, [x0]
        for t in range(T):
            y, ends = x, []
            for i in active[t]:
                for k in range(K):
                    y = y - eta * clients[i].grad(y, k, t)
                ends.append(y)
            x = ends_of(ends)
            path.append(x)
        return path

    return code


def adamw(y, g, eta, x, t, k, i, u):
    return (1 - 0.01) * y - eta * g


def later(y, g, eta, x, t, k, i, u):
    """Step by a tenth from a milestone on."""
    return y - (eta if t < 2 else 0.1 * eta) * g


def second_batch(clients, x0, *, K, T, active, eta):
    """Draw the first batch of the loader in vain, to look at its shape."""
    x, path = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(1, K):
                y = y - eta * clients[i].grad(y, k, t)
            ends.append(y)
        x = mean(ends)
        path.append(x)
    return path


def first_of_all(x, ends, t, s):
    """Displacements from the very first model, added to this one."""
    return x + mean(ends) - s["path"][0]


FEDAVG = [
    Fault("one model object", "fedavg", on_one_model(lambda e: e[-1]), ("goes on where the one before",)),
    Fault("one model object, ends copied", "fedavg", on_one_model(mean), ("in place", "ends are averaged")),
    Fault("decoupled decay without the step", "fedavg", fedavg(adamw), ("weight decay",)),
    Fault(
        "decay subtracts a number",
        "fedavg",
        fedavg(lambda y, g, eta, *r: y - eta * (g + 0.05)),
        ("constant", "0.05 in every entry"),
    ),
    Fault(
        "L1 penalty left on",
        "fedavg",
        fedavg(lambda y, g, eta, *r: y - eta * (g + 0.02 * np.sign(y))),
        ("sign(y)", "0.02 in every entry"),
    ),
    Fault("milestones", "fedavg", fedavg(later), ("local step", "0.01")),
    Fault("the first batch is drawn in vain", "fedavg", second_batch, ("step 0 is never asked",)),
    Fault(
        "weights by the squares of sizes",
        "fedavg",
        fedavg(
            server=lambda x, e, t, s: np.average(e, axis=0, weights=[s["clients"][i].size ** 2.0 for i in s["active"]])
        ),
        ("size",),
    ),
    Fault(
        "weights by the roots of sizes",
        "fedavg",
        fedavg(
            server=lambda x, e, t, s: np.average(e, axis=0, weights=[s["clients"][i].size ** 0.5 for i in s["active"]])
        ),
        ("size",),
    ),
    Fault("updates from the first model", "fedavg", fedavg(server=first_of_all), ("x_0",)),
    Fault("a sum of updates", "fedavg", fedavg(server=lambda x, e, t, s: x + sum(y - x for y in e)), ("added up",)),
    Fault(
        "divided by all clients",
        "fedavg",
        fedavg(server=lambda x, e, t, s: x + sum(y - x for y in e) / len(s["clients"])),
        ("all N",),
    ),
    Fault("only the first client", "fedavg", fedavg(server=lambda x, e, t, s: e[0]), ("first",)),
    Fault(
        "trimmed mean",
        "fedavg",
        fedavg(server=lambda x, e, t, s: mean(np.sort(e, axis=0)[1:-1]) if len(e) > 2 else mean(e)),
        ("trimmed",),
    ),
    Fault(
        "noise-free clipping of the model",
        "fedavg",
        fedavg(server=lambda x, e, t, s: mean([y * min(1.0, 2.0 / norm(y)) for y in e])),
        ("clip",),
    ),
]


def in_the_last_step(clients, x0, *, K, T, active, eta, rho):
    """Add the proximal gradient once a round, after the loop over the batches was meant to go on."""
    x, path = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * (clients[i].grad(y, k, t) + (rho * (y - x) if k == K - 1 else 0.0))
            ends.append(y)
        x = mean(ends)
        path.append(x)
    return path


PROX = [
    Fault("in the last step alone", "fedprox", in_the_last_step, ("add nothing", "all steps but the last")),
    Fault("the reference is taken at every step", "fedprox", fedprox(lambda y, x, r, p, k: 0 * y), ("missing",)),
    Fault("half of mu", "fedprox", fedprox(lambda y, x, r, p, k: r / 2 * (y - x)), ("rho/2",)),
    Fault(
        "mu by the step",
        "fedprox",
        fedprox(lambda y, x, r, p, k: r / (k + 1) * (y - x)),
        ("proximal", "any, 0.45, 0.3"),
    ),
    Fault(
        "mu in thousandths",
        "fedprox",
        fedprox(None, lambda y, g, x, eta, r: y - eta * (g + 0.001 * r * (y - x))),
        ("rho is 0.0009",),
    ),
    Fault(
        "pulled to the mean of both",
        "fedprox",
        fedprox(lambda y, x, r, p, k: r * (y - (x + p[0]) / 2)),
        ("proximal", "first iterate"),
    ),
]


def by_data(clients, x0, *, K, T, active, eta, gamma):
    """Take the length of the data set for the number of steps."""
    code = scaffold(fresh=lambda own, c, i, x, y, K, eta, new: own[i] - c + (x - y) / (clients[i].size * eta))
    return code(clients, x0, K=K, T=T, active=active, eta=eta, gamma=gamma)


VARIATES = [
    Fault(
        "variates and not their changes are sent",
        "scaffold",
        scaffold(common=lambda c, d, S, N, own: c + sum(own) / N),
        ("and not their changes",),
    ),
    Fault(
        "c is the mean of all variates, once more",
        "scaffold",
        scaffold(common=lambda c, d, S, N, own: c + d / N + d / N),
        ("old_c + c",),
    ),
    Fault(
        "by the size of the data",
        "scaffold",
        by_data,
        ("data points",),
    ),
    Fault(
        "K + 1 steps are counted",
        "scaffold",
        scaffold(fresh=lambda own, c, i, x, y, K, eta, new: own[i] - c + (x - y) / ((K + 1) * eta)),
        ("K + 1",),
    ),
    Fault(
        "c starts anew",
        "scaffold",
        scaffold(common=lambda c, d, S, N, own: d / N),
        ("old server variate c is dropped",),
    ),
    Fault(
        "half of the old variate is kept",
        "scaffold",
        scaffold(fresh=lambda own, c, i, x, y, K, eta, new: 0.5 * own[i] + 0.5 * (own[i] - c + (x - y) / (K * eta))),
        ("-0.5 G_i + 0.5 mean_j G_j",),
    ),
    Fault(
        "corrections grow with the step",
        "scaffold",
        scaffold(correct=lambda own, c, i, K: K * (c - own[i])),
        ("K is missing",),
    ),
]


def bias(first, second):
    """Adam's step with one bias correction alone."""

    def step(m, v, tau, t, b1, b2, D):
        m = m / (1 - b1 ** (t + 1)) if first else m
        v = v / (1 - b2 ** (t + 1)) if second else v
        return m / (np.sqrt(v) + tau)

    return step


ADAPTIVE = [
    Fault(
        "only m is corrected", "fedadam", fedopt(step=bias(True, False)), ("first moment is corrected for its bias",)
    ),
    Fault(
        "only v is corrected", "fedadam", fedopt(step=bias(False, True)), ("second moment is corrected for its bias",)
    ),
    Fault("betas swapped", "fedadam", fedopt(first=lambda m, D, b1: 0.99 * m + 0.01 * D), ("beta1 is 0.99",)),
    Fault(
        "m of the signed root",
        "fedadam",
        fedopt(first=lambda m, D, b1: b1 * m + (1 - b1) * np.sign(D)),
        ("made of sign(D)",),
    ),
    Fault("absolute values", "fedadam", fedopt(second=lambda v, D, m, b2: b2 * v + (1 - b2) * np.abs(D)), ("|D|",)),
    Fault(
        "v of the squared step of K",
        "fedadam",
        fedopt(scale=lambda eta, K, gamma: 1 / (eta * K)),
        ("divided by eta K",),
    ),
    Fault("v is not kept", "fedadam", fedopt(second=lambda v, D, m, b2: (1 - b2) * D**2), ("not kept",)),
    Fault("AdaGrad by absolute values", "fedadagrad", None, ("|D|",)),
]


def adagrad(second, step=lambda m, v, tau: m / (np.sqrt(v) + tau), v0=lambda tau: tau**2):
    """FedAdagrad with a hook for the sum and the step."""

    def code(clients, x0, *, K, T, active, eta, gamma, tau, beta1):
        x, m, v, path = x0, 0 * x0, 0 * x0 + v0(tau), [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * clients[i].grad(y, k, t)
                ends.append(y)
            D = mean(ends) - x
            m = beta1 * m + (1 - beta1) * D
            v = second(v, D)
            x = x + gamma * step(m, v, tau)
            path.append(x)
        return path

    return code


ADAPTIVE[-1] = ADAPTIVE[-1]._replace(code=adagrad(lambda v, D: v + np.abs(D)))

MOMENTUM = [
    Fault(
        "displacement from the first model",
        "fedavg-server-m",
        None,
        ("x_0",),
    ),
    Fault(
        "weight decay of the server's optimiser",
        "fedavg-server-m",
        server_momentum(lambda x, v, d, b, g, t: (x - g * (b * v + d + 0.01 * x), b * v + d + 0.01 * x)),
        ("0.996", "weight decay"),
    ),
    Fault(
        "velocity halved",
        "fedavg-server-m",
        server_momentum(lambda x, v, d, b, g, t: (x - g * (b * v + d) / 2, b * v + d)),
        ("gamma/2",),
    ),
    Fault(
        "reset every second round",
        "fedavg-server-m",
        server_momentum(lambda x, v, d, b, g, t: (x - g * ((b * v if t % 2 else 0) + d), (b * v if t % 2 else 0) + d)),
        ("forgotten after every 2 rounds",),
    ),
]


def from_the_first(clients, x0, *, K, T, active, eta, beta, gamma):
    """Count updates from the initial parameters, which a strategy keeps."""
    x, v, path = x0, 0 * x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * clients[i].grad(y, k, t)
            ends.append(y)
        v = beta * v + (x0 - mean(ends))
        x = x0 - gamma * v
        path.append(x)
    return path


MOMENTUM[0] = MOMENTUM[0]._replace(code=from_the_first)

DYN = [
    Fault("alpha is halved in the pull", "feddyn", feddyn(pull=lambda y, x, a: a / 2 * (y - x)), ("alpha/2",)),
    Fault("h never moves", "feddyn", feddyn(h_change=lambda e, x, a, N: 0 * x), ("h is not subtracted",)),
    Fault("linear terms stay", "feddyn", feddyn(l_change=lambda y, x, a: 0 * x), ("linear",)),
    Fault("linear terms without alpha", "feddyn", feddyn(l_change=lambda y, x, a: y - x), ("alpha",)),
]

GRAPH = [
    Fault(
        "gradients are mixed, models are not", "dsgd", dsgd(lambda X, Y, W: X + W @ (Y - X)), ("the models are not",)
    ),
    Fault(
        "own model left out",
        "dsgd",
        dsgd(
            lambda X, Y, W: (
                (W - np.diag(np.diag(W))) @ X / np.maximum(1 - np.diag(W), 1e-9)[:, None] + Y - X if len(X) > 1 else Y
            )
        ),
        ("without the own one",),
    ),
]


def feedback(rule):
    """EF-SGD, one gradient a round: the rule takes it, what is owed, the step and k."""

    def code(clients, x0, *, K, T, active, eta, k):
        x, path, owed = x0, [x0], [0 * x0 for _ in clients]
        for t in range(T):
            sent = []
            for i in active[t]:
                s, owed[i] = rule(clients[i].grad(x, 0, t), owed[i], eta, k)
                sent.append(s)
            x = x - mean(sent)
            path.append(x)
        return path

    return code


NOVA = [
    Fault(
        "normalised by the K of all",
        "fednova",
        fednova(lambda m, own, K, counts: mean(own) * mean([v / K for v in m])),
        ("divided by K and not by the clients' own K_i",),
    ),
]
FEEDBACK = [
    Fault(
        "nothing is owed",
        "ef-sgd",
        feedback(lambda g, e, eta, k: (top(eta * g, k), 0 * g)),
        ("forgotten after every round",),
    ),
]
RIGHT = [("ef-sgd", feedback(lambda g, e, eta, k: (top(eta * g + e, k), eta * g + e - top(eta * g + e, k))))]
"""With no fault: right."""

DUAL = [
    Fault("the dual by K", "local-sgda", sgda(steps=lambda a, b: (a, 3 * b)), ("eta_y is 0.6",)),
    Fault("the primal is frozen", "local-sgda", sgda(steps=lambda a, b: (0.0, b)), ("minimiser does not move",)),
]


def buffered(start=lambda x, own, i: own[i], weight=lambda age: 1.0, server=None, refresh=True):
    """FedBuff with hooks: where a client starts, what an update weighs, what is added."""

    def code(clients, x0, *, K, T, active, eta, gamma):
        x, path = x0, [x0]
        own, since = [x0 for _ in clients], [0] * len(clients)
        for t in range(T):
            moves, ends = [], []
            for i in active[t]:
                begun = start(x, own, i)
                y = begun
                for k in range(K):
                    y = y - eta * clients[i].grad(y, k, t)
                moves.append(weight(t - since[i]) * (y - begun))
                ends.append(y)
            x = x + gamma * mean(moves) if server is None else server(x, ends, gamma)
            for i in active[t] if refresh else range(len(clients)):
                own[i], since[i] = x, t + 1
            path.append(x)
        return path

    return code


BUFFER = [
    Fault("no staleness", "fedbuff", buffered(start=lambda x, own, i: x), ("another method, FedAvg",)),
    Fault("everybody gets the model", "fedbuff", buffered(refresh=False), ("another method, FedAvg",)),
    Fault(
        "staleness weights of FedAsync",
        "fedbuff",
        buffered(weight=lambda age: (1 + age) ** -0.5),
        ("ages 0, 1, 2", "0.282843"),
    ),
    Fault(
        "differences from the new model",
        "fedbuff",
        buffered(server=lambda x, e, g: x + g * (mean(e) - x)),
        ("mean(local_sgd(start, eta) - old_x)",),
    ),
    Fault("gamma not used", "fedbuff", None, ("gamma is 1",)),
]
BUFFER[-1] = BUFFER[-1]._replace(code=buffered(server=None, weight=lambda age: 2.5))


def arriving(weight=lambda a, age, b: a * (1 + age) ** -b, pull=lambda y, begun, x, rho: rho * (y - begun), old=False):
    """FedAsync with hooks for the weight and the proximal term."""

    def code(clients, x0, *, K, T, active, eta, alpha, decay, rho):
        x, path = x0, [x0]
        own, age = [x0 for _ in clients], [0] * len(clients)
        for t in range(T):
            mixed = []
            for i in active[t]:
                begun = own[i]
                y = begun
                for k in range(K):
                    y = y - eta * (clients[i].grad(y, k, t) + pull(y, begun, x, rho))
                mixed.append(weight(alpha, age[i], decay) * (y - (begun if old else x)))
            x = x + mean(mixed)
            age = [a + 1 for a in age]
            for i in active[t]:
                own[i], age[i] = x, 0
            path.append(x)
        return path

    return code


ASYNC = [
    Fault("no staleness weight", "fedasync", arriving(lambda a, age, b: a), ("decay is 0 ",)),
    Fault("age counted from 1", "fedasync", arriving(lambda a, age, b: a * (2 + age) ** -b), ("ages 0, 1",)),
    Fault(
        "hinge of the paper",
        "fedasync",
        arriving(lambda a, age, b: a / (10 * (age - 1) + 1) if age > 1 else a),
        ("ages 0, 1", "where the method has"),
    ),
    Fault("alpha alone on old models", "fedasync", arriving(old=True), ("y_i - x_i and not y_i - x",)),
    Fault(
        "pulls to the new model",
        "fedasync",
        arriving(pull=lambda y, begun, x, rho: rho * (y - x)),
        ("rho * (y - old_x)",),
    ),
]


FAULTS = [*FEDAVG, *PROX, *VARIATES, *ADAPTIVE, *MOMENTUM, *DYN, *GRAPH, *NOVA, *FEEDBACK, *DUAL, *BUFFER, *ASYNC]
