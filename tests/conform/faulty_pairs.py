"""More faults of public codes: two at a time, and in methods that are asked about less often."""

from __future__ import annotations

import numpy as np
from faulty_codes import Fault, dsgd, fedavg, fedopt, mean, moved, norm, scaffold, server_momentum, sgda, sizes


def regularised(decay=0.0, squared=True, momentum=0.0, by_size=False):
    """FedProx with weight decay, a norm that is not squared, momentum left on, weights n_i/n."""

    def code(clients, x0, *, K, T, active, eta, rho):
        x, path = x0, [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                y, u = x, 0 * x
                for k in range(K):
                    pull = rho * (y - x) if squared else 0.5 * rho * (y - x) / norm(y - x)
                    u = momentum * u + clients[i].grad(y, k, t) + pull + decay * y
                    y = y - eta * u
                ends.append(y)
            weights = [clients[i].size for i in active[t]] if by_size else None
            x = np.average(ends, axis=0, weights=weights)
            path.append(x)
        return path

    return code


FEDPROX = [
    Fault(
        "not squared, and n_i/n", "fedprox", regularised(squared=False, by_size=True), ("not squared", "sizes n_i/n")
    ),
    Fault("weight decay of the optimiser", "fedprox", regularised(1e-4), ("weight decay", "0.0001")),
    Fault("weight decay of 0.02", "fedprox", regularised(0.02), ("0.02 y", "0.9 (y - x)")),
    Fault("weight decay, and n_i/n", "fedprox", regularised(1e-4, by_size=True), ("weight decay", "sizes n_i/n")),
    Fault("momentum of the optimiser", "fedprox", regularised(momentum=0.9), ("0.9 times the last move", "momentum")),
    Fault(
        "not squared, and weight decay", "fedprox", regularised(1e-4, squared=False), ("not squared", "weight decay")
    ),
]


def options(first=False, by_size=False, over_active=False):
    """SCAFFOLD by option I, with weights n_i/n, with c over the active clients."""

    def code(clients, x0, *, K, T, active, eta, gamma):
        x, c, own, path = x0, 0 * x0, [0 * x0 for _ in clients], [x0]
        for t in range(T):
            ends, change = [], 0 * x0
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * (clients[i].grad(y, k, t) - own[i] + c)
                new = clients[i].full(x) if first else own[i] - c + (x - y) / (K * eta)
                change, own[i], ends = change + new - own[i], new, [*ends, y]
            weights = [clients[i].size for i in active[t]] if by_size else None
            x = x + gamma * (np.average(ends, axis=0, weights=weights) - x)
            c = c + change / (len(active[t]) if over_active else len(clients))
            path.append(x)
        return path

    return code


SCAFFOLD = [
    Fault(
        "c by S, and gamma not used",
        "scaffold",
        scaffold(common=lambda c, d, S, N, own: c + d / S, server=lambda x, e, g: mean(e)),
        ("S active", "gamma"),
    ),
    Fault(
        "K is missing, and the sign",
        "scaffold",
        scaffold(
            fresh=lambda own, c, i, x, y, K, eta, new: own[i] - c + (x - y) / eta,
            correct=lambda own, c, i, K: own[i] - c,
        ),
        ("K is missing", "sign"),
    ),
    Fault("option I", "scaffold", options(first=True), ("option = I",)),
    Fault("c by S, and n_i/n", "scaffold", options(by_size=True, over_active=True), ("S active", "sizes n_i/n")),
]


def adagrad(start=None, law=lambda v, D: v + D**2, floor=None):
    """FedAdagrad."""

    def code(clients, x0, *, K, T, active, eta, gamma, tau):
        x, v, path = x0, 0 * x0 + (tau**2 if start is None else start), [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * clients[i].grad(y, k, t)
                ends.append(y)
            v = law(v, moved(x, ends))
            x = x + gamma * moved(x, ends) / (np.sqrt(v) + (tau if floor is None else floor))
            path.append(x)
        return path

    return code


def of_clients(top=False):
    """FedAdam whose v is made of the clients' own squares, or AMSGrad's."""

    def code(clients, x0, *, K, T, active, eta, gamma, tau, beta1, beta2):
        x, m, v, path = x0, 0 * x0, 0 * x0 + tau**2, [x0]
        largest = v
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * clients[i].grad(y, k, t)
                ends.append(y)
            D = moved(x, ends)
            m = beta1 * m + (1 - beta1) * D
            v = beta2 * v + (1 - beta2) * (D**2 if top else mean([(y - x) ** 2 for y in ends]))
            largest = np.maximum(largest, v) if top else v
            x = x + gamma * m / (np.sqrt(largest) + tau)
            path.append(x)
        return path

    return code


FEDOPT = [
    Fault("v from 0", "fedadagrad", adagrad(0.0), ("starts at 0",)),
    Fault(
        "an average of squares", "fedadagrad", adagrad(law=lambda v, D: 0.99 * v + 0.01 * D**2), ("averaged", "FedAdam")
    ),
    Fault("no floor", "fedadagrad", adagrad(floor=0.0), ("tau is missing",)),
    Fault(
        "a sum of squares from 0",
        "fedadam",
        fedopt(second=lambda v, D, m, b2: v + D**2, v0=lambda tau: 0.0),
        ("FedAdagrad", "starts at 0"),
    ),
    Fault("AMSGrad", "fedadam", of_clients(top=True), ("AMSGrad",)),
    Fault("squares of the clients", "fedadam", of_clients(), ("mean of the clients' squares",)),
    Fault("a sum of models", "fedadam", fedopt(average=lambda e, s: sum(e)), ("added up",)),
]
MOMENTUM = [
    Fault(
        "weights swapped",
        "fedavg-server-m",
        server_momentum(lambda x, v, d, b, g, t: (x - g * ((1 - b) * v + b * d), (1 - b) * v + b * d)),
        ("swapped",),
    ),
    Fault(
        "the last displacement alone",
        "fedavg-server-m",
        server_momentum(lambda x, v, d, b, g, t: (x - g * (d + b * v), d)),
        ("last displacement alone",),
    ),
    Fault(
        "the velocity is not kept",
        "fedavg-server-m",
        server_momentum(lambda x, v, d, b, g, t: (x - g * d, d)),
        ("FedAvg",),
    ),
    Fault(
        "from the average on",
        "fedavg-server-m",
        server_momentum(lambda x, v, d, b, g, t: (x - d - g * (b * v + d), b * v + d)),
        ("starts at the average",),
    ),
]


def heavy_ball(damp=1.0, first=False):
    """Local heavy ball with a dampening, of which the first step may be free as in torch."""

    def code(clients, x0, *, K, T, active, eta, mu):
        x, path = x0, [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                y, u = x, 0 * x
                for k in range(K):
                    g = clients[i].grad(y, k, t)
                    u = g if first and k == 0 else mu * u + damp * g
                    y = y - eta * u
                ends.append(y)
            x = mean(ends)
            path.append(x)
        return path

    return code


def tracking(sign=1.0, by=lambda d, K, eta: d / (eta * K), server=lambda x, e, gamma: x + gamma * (mean(e) - x)):
    """FedGATE."""

    def code(clients, x0, *, K, T, active, eta, gamma):
        delta, x, path = [0 * x0 for _ in clients], x0, [x0]
        for t in range(T):
            ends = {}
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * (clients[i].grad(y, k, t) - sign * delta[i])
                ends[i] = y
            rows = list(ends.values())
            for i in active[t]:
                delta[i] = delta[i] + by(mean(rows) - ends[i], K, eta)
            x = server(x, rows, gamma)
            path.append(x)
        return path

    return code


OTHERS = [
    Fault("dampening of torch", "fedavg-local-m", heavy_ball(0.4, first=True), ("momentum", "dampening")),
    Fault("the sign", "fedgate", tracking(-1.0), ("sign",)),
    Fault("K is missing", "fedgate", tracking(by=lambda d, K, eta: d / eta), ("K is missing",)),
    Fault(
        "gamma on models",
        "fedgate",
        tracking(server=lambda x, e, gamma: gamma * mean(e)),
        ("gamma multiplies the models",),
    ),
    Fault("never corrected", "fedgate", tracking(by=lambda d, K, eta: 0 * d), ("FedAvg",)),
    Fault(
        "steps by the data",
        "fedavg",
        fedavg(last=lambda K, i, t: K if i % 2 == 0 else max(1, K - 1)),
        ("numbers of local steps",),
    ),
    Fault(
        "a step for every client",
        "fedavg",
        fedavg(lambda y, g, eta, x, t, k, i, u: y - eta * (1 + 0.1 * i) * g),
        ("local step", "client's number"),
    ),
    Fault(
        "a drop in round 4",
        "fedavg",
        fedavg(lambda y, g, eta, x, t, k, i, u: y - eta * (0.1 if t >= 3 else 1) * g),
        ("local step", "1, 1, 1, 0.1"),
    ),
    Fault(
        "weight decay, and a moving average",
        "fedavg",
        fedavg(lambda y, g, eta, *r: y - eta * (g + 1e-3 * y), server=lambda x, e, t, s: 0.5 * x + 0.5 * mean(e)),
        ("weight decay", "0.5"),
    ),
    Fault(
        "noise with a seed",
        "fedavg",
        fedavg(lambda y, g, eta, x, t, *r: y - eta * (g + 0.01 * np.random.default_rng(t).standard_normal(len(g)))),
        ("noise",),
    ),
    Fault(
        "weights n_i/n in single precision",
        "fedavg",
        fedavg(
            server=lambda x, e, t, s: sum(
                float(np.float32(n / sizes(s).sum())) * y for n, y in zip(sizes(s), e, strict=True)
            )
        ),
        ("n_i/n", "single precision"),
    ),
    Fault("nan", "fedavg", fedavg(server=lambda x, e, t, s: np.nan * mean(e)), ("nan from round 1",)),
    Fault("updates doubled", "dsgd", dsgd(lambda X, Y, W: W @ X + 2 * (Y - X)), ("2 m_1",)),
    Fault("updates over N", "dsgd", dsgd(lambda X, Y, W: W @ X + (Y - X) / len(X)), ("0.2 m_1",)),
    Fault("one step for both", "local-sgda", sgda(steps=lambda a, b: (a, a)), ("eta_x",)),
]

MORE_FAULTS = [*FEDPROX, *SCAFFOLD, *FEDOPT, *MOMENTUM, *OTHERS]


def descent(clients, x0, *, K, T, active, gamma):
    """Gradient descent: MARINA and PP-MARINA, as far as asked."""
    x, path = x0, [x0]
    for _ in range(T):
        x = x - gamma * mean([client.full(x) for client in clients])
        path.append(x)
    return path


UNASKED = [
    ("fednova", fedavg(), "K_i"),
    ("fedpaq", fedavg(), "compressed messages"),
    ("marina", descent, "compressed messages"),
    ("pp-marina", descent, "compressed messages"),
]
"""Method, a simpler one, and what was not asked."""
