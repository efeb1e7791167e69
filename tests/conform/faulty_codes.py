"""Faults of public codes, restated: what was wrong, in loops of our own that have one hook a fault.

Nothing here knows what the diagnosis lists; the words beside a fault are what a maintainer has to read to know what to
change.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Fault(NamedTuple):
    """One wrong code."""

    id: str
    method: str
    code: Any
    words: tuple[str, ...]
    """All of them are in the diagnosis."""
    hyper: dict[str, Any] = {}  # noqa: RUF012 - never changed


def mean(rows):
    return np.mean(rows, axis=0)


def norm(v):
    return max(float(np.linalg.norm(v)), 1e-300)


def fedavg(
    step=lambda y, g, eta, x, t, k, i, u: y - eta * g,
    server=lambda x, ends, t, s: mean(ends),
    begin=lambda x, i, t, s: x,
    listed=lambda path: path,
    last=lambda K, i, t: K,
):
    """FedAvg with a hook for the local step, the server, the start of a client, the list and the steps of a client."""

    def code(clients, x0, *, K, T, active, eta):
        x, path, s = x0.copy(), [x0.copy()], {"clients": clients, "own": {}, "path": [x0.copy()]}
        for t in range(T):
            ends = []
            s["active"] = active[t]
            for i in active[t]:
                y, u = begin(x, i, t, s), s["own"].setdefault(i, {})
                u["moved"], u["g"] = 0 * x, 0 * x
                for k in range(last(K, i, t)):
                    y = step(y, clients[i].grad(y, k, t), eta, x, t, k, i, u)
                u["end"] = y
                ends.append(y)
            x = server(x, ends, t, s)
            s["path"].append(x)
            path.append(x)
        return listed(path)

    return code


def heavy(mu, damp=1.0, nesterov=False):
    def step(y, g, eta, x, t, k, i, u):
        u["moved"] = mu * u["moved"] + damp * g
        return y - eta * (g + mu * u["moved"] if nesterov else u["moved"])

    return step


def summed(y, g, eta, x, t, k, i, u):
    u["g"] = u["g"] + g
    return y - eta * u["g"]


def entries(which, rule):
    def server(x, ends, t, s):
        new = mean(ends)
        new[which] = rule(x, ends)[which]
        return new

    return server


def moved(x, ends):
    return mean(ends) - x


def top(v, k):
    out, at = 0 * v, np.argsort(-np.abs(v), kind="stable")[:k]
    out[at] = v[at]
    return out


def noise_multiplier(x, ends, t, s):
    return x + mean([(y - x) * min(1.0, 3.0 / norm(y - x)) for y in ends])


def sizes(s):
    return np.array([s["clients"][i].size for i in s["active"]], dtype=float)


FEDAVG = [
    Fault(
        "weight decay left on",
        "fedavg",
        fedavg(lambda y, g, eta, *r: y - eta * (g + 5e-4 * y)),
        ("weight decay", "0.0005"),
    ),
    Fault(
        "weight decay of a number of its own",
        "fedavg",
        fedavg(lambda y, g, eta, *r: y - eta * (g + 0.03 * y)),
        ("weight decay", "0.03"),
    ),
    Fault("momentum left on in the optimiser", "fedavg", fedavg(heavy(0.9)), ("local heavy ball", "mu = 0.9")),
    Fault("zero_grad is missing", "fedavg", fedavg(summed), ("zero_grad",)),
    Fault("one epoch is one batch", "fedavg", fedavg(last=lambda K, i, t: 1), ("one local step",)),
    Fault("gradients divided by the accumulation steps", "fedavg", None, ("K",)),
    Fault(
        "lr scheduler per local step",
        "fedavg",
        fedavg(lambda y, g, eta, x, t, k, i, u: y - eta * 0.9**k * g),
        ("0.9", "every local step"),
    ),
    Fault("lr scheduler that lives on over clients", "fedavg", None, ("0.95", "every client")),
    Fault(
        "warm-up", "fedavg", fedavg(lambda y, g, eta, x, t, k, i, u: y - eta * min(1.0, (t + 1) / 4) * g), ("warms up",)
    ),
    Fault(
        "inverse time decay",
        "fedavg",
        fedavg(lambda y, g, eta, x, t, k, i, u: y - eta / (1 + 0.5 * t) * g),
        ("1 + 0.5 n",),
    ),
    Fault(
        "step halved every second round",
        "fedavg",
        fedavg(lambda y, g, eta, x, t, k, i, u: y - eta * 0.5 ** (t // 2) * g),
        ("local step", "0.05"),
    ),
    Fault(
        "moving average of models",
        "fedavg",
        fedavg(server=lambda x, e, t, s: 0.9 * x + 0.1 * mean(e)),
        ("gamma", "0.1"),
    ),
    Fault("server lr hard-coded", "fedavg", fedavg(server=lambda x, e, t, s: x + 0.5 * moved(x, e)), ("gamma", "0.5")),
    Fault(
        "server lr decays",
        "fedavg",
        fedavg(server=lambda x, e, t, s: x + 0.9**t * moved(x, e)),
        ("gamma is multiplied by 0.9 every round",),
    ),
    Fault(
        "the last client twice",
        "fedavg",
        fedavg(server=lambda x, e, t, s: (e[-1] + sum(e)) / (len(e) + 1)),
        ("weight", "2 y_S"),
    ),
    Fault(
        "weights 1, 2, 3 by place",
        "fedavg",
        fedavg(server=lambda x, e, t, s: np.average(e, axis=0, weights=np.arange(1, len(e) + 1))),
        ("weight", "y_1"),
    ),
    Fault(
        "weights of all clients in partial rounds",
        "fedavg",
        fedavg(
            server=lambda x, e, t, s: (
                x + sum(n * (y - x) for n, y in zip(sizes(s), e, strict=True)) / sum(c.size for c in s["clients"])
            )
        ),
        ("size of all N",),
    ),
    Fault(
        "models weighted by all sizes",
        "fedavg",
        fedavg(
            server=lambda x, e, t, s: (
                sum(n * y for n, y in zip(sizes(s), e, strict=True)) / sum(c.size for c in s["clients"])
            )
        ),
        ("N",),
    ),
    Fault("running mean by pairs", "fedavg", None, ("pairs",)),
    Fault(
        "the server is averaged as a client",
        "fedavg",
        fedavg(server=lambda x, e, t, s: (x + sum(e)) / (len(e) + 1)),
        (
            "weight",
            "(x + y_1",
        ),
    ),
    Fault("median", "fedavg", fedavg(server=lambda x, e, t, s: np.median(e, axis=0)), ("median",)),
    Fault("update clipped at an odd norm", "fedavg", fedavg(server=noise_multiplier), ("clipped at norm 3",)),
    Fault(
        "mean update clipped",
        "fedavg",
        fedavg(server=lambda x, e, t, s: x + moved(x, e) * min(1, 1 / norm(moved(x, e)))),
        ("mean displacement", "clipped at norm 1"),
    ),
    Fault(
        "update clipped entry by entry",
        "fedavg",
        fedavg(server=lambda x, e, t, s: x + mean([np.clip(y - x, -0.5, 0.5) for y in e])),
        ("entries", "clipped at 0.5"),
    ),
    Fault(
        "updates normalised",
        "fedavg",
        fedavg(server=lambda x, e, t, s: x + mean([(y - x) / norm(y - x) for y in e])),
        ("scaled to norm 1",),
    ),
    Fault(
        "gradient clipped per tensor",
        "fedavg",
        fedavg(
            lambda y, g, eta, *r: (
                y - eta * np.concatenate([g[:1] * min(1, 1 / norm(g[:1])), g[1:] * min(1, 1 / norm(g[1:]))])
            )
        ),
        ("clipped at 1", "tensor"),
    ),
    Fault(
        "normalised gradients", "fedavg", fedavg(lambda y, g, eta, *r: y - eta * g / norm(g)), ("divided by its norm",)
    ),
    Fault(
        "a head is not aggregated",
        "fedavg",
        fedavg(server=entries(slice(-1, None), lambda x, e: x)),
        ("last entry", "frozen"),
    ),
    Fault(
        "buffers of the first client",
        "fedavg",
        fedavg(server=entries(slice(0, 1), lambda x, e: e[0])),
        ("first entry", "first client"),
    ),
    Fault(
        "the middle is not aggregated",
        "fedavg",
        fedavg(server=entries(slice(1, 2), lambda x, e: x)),
        ("entr", "frozen"),
    ),
    Fault(
        "a frozen layer",
        "fedavg",
        fedavg(lambda y, g, eta, *r: y - eta * np.concatenate([0 * g[:1], g[1:]])),
        ("first entry", "frozen"),
    ),
    Fault(
        "models in half precision",
        "fedavg",
        fedavg(server=lambda x, e, t, s: mean([y.astype(np.float16).astype(float) for y in e])),
        ("half precision",),
    ),
    Fault("listed before the update", "fedavg", fedavg(listed=lambda path: [path[0], *path[:-1]]), ("late",)),
    Fault("listed after the last round only", "fedavg", fedavg(listed=lambda path: [path[0]] * len(path)), ("x_0",)),
    Fault(
        "averaged iterates",
        "fedavg",
        fedavg(listed=lambda path: [mean(path[: t + 1]) for t in range(len(path))]),
        ("running averages",),
    ),
    Fault("stale start", "fedavg", fedavg(begin=lambda x, i, t, s: s["path"][max(t - 1, 0)]), ("one round earlier",)),
    Fault(
        "clients keep half of their own model",
        "fedavg",
        fedavg(begin=lambda x, i, t, s: 0.5 * (x + s["own"].get(i, {}).get("end", x))),
        ("start", "0.5 x + 0.5 (where the client ended last)"),
    ),
    Fault(
        "every second round is lost",
        "fedavg",
        fedavg(server=lambda x, e, t, s: x if t % 2 else mean(e)),
        ("second round",),
    ),
    Fault(
        "server momentum left on",
        "fedavg",
        fedavg(server=lambda x, e, t, s: mean(e) + 0.5 * (x - s["path"][max(t - 1, 0)])),
        ("momentum",),
    ),
    Fault(
        "sign of the update",
        "fedavg",
        fedavg(server=lambda x, e, t, s: x + np.sign(moved(x, e))),
        ("sign of the mean",),
    ),
    Fault(
        "top-1 without error feedback",
        "fedavg",
        fedavg(server=lambda x, e, t, s: x + mean([top(y - x, 1) for y in e])),
        ("largest",),
    ),
]


def per_client_scheduler(clients, x0, *, K, T, active, eta):
    x, path, n = x0, [x0], 0
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * 0.95**n * clients[i].grad(y, k, t)
            ends, n = [*ends, y], n + 1
        x = mean(ends)
        path.append(x)
    return path


def accumulated(clients, x0, *, K, T, active, eta):
    x, path = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta / K * clients[i].grad(y, k, t)
            ends.append(y)
        x = mean(ends)
        path.append(x)
    return path


def pairwise(x, ends, t, s):
    out = ends[0]
    for y in ends[1:]:
        out = (out + y) / 2
    return out


_LATER = {
    "gradients divided by the accumulation steps": accumulated,
    "lr scheduler that lives on over clients": per_client_scheduler,
    "running mean by pairs": fedavg(server=pairwise),
}
FEDAVG = [fault._replace(code=fault.code or _LATER[fault.id]) for fault in FEDAVG]


def fedprox(pull, whole=None):
    """FedProx with a hook for the gradient of the proximal term, or for the whole local step."""

    def code(clients, x0, *, K, T, active, eta, rho):
        path, x = [x0], x0
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    g = clients[i].grad(y, k, t)
                    y = whole(y, g, x, eta, rho) if whole else y - eta * (g + pull(y, x, rho, path, k))
                ends.append(y)
            x = mean(ends)
            path.append(x)
        return path

    return code


def one_layer(y, x, rho, path, k):
    p = rho * (y - x)
    p[1:] = 0
    return p


FEDPROX = [
    Fault("mu times the square", "fedprox", fedprox(lambda y, x, r, p, k: 2 * r * (y - x)), ("2 rho",)),
    Fault(
        "norm not squared, mu whole",
        "fedprox",
        fedprox(lambda y, x, r, p, k: r * (y - x) / norm(y - x)),
        ("proximal", "not squared"),
    ),
    Fault("pulls to zero", "fedprox", fedprox(lambda y, x, r, p, k: r * y), ("proximal", "to 0")),
    Fault(
        "pulls to the first model",
        "fedprox",
        fedprox(lambda y, x, r, p, k: r * (y - p[0])),
        ("proximal", "first iterate"),
    ),
    Fault(
        "pulls to the model of a round before",
        "fedprox",
        fedprox(lambda y, x, r, p, k: r * (y - p[max(len(p) - 2, 0)])),
        ("proximal", "earlier"),
    ),
    Fault("one layer", "fedprox", fedprox(one_layer), ("proximal", "first entry")),
    Fault("detached", "fedprox", fedprox(lambda y, x, r, p, k: 0 * y), ("proximal term is missing",)),
    Fault("mean of squares", "fedprox", fedprox(lambda y, x, r, p, k: r * (y - x) / len(x)), ("proximal", "mean")),
    Fault("absolute values", "fedprox", fedprox(lambda y, x, r, p, k: r * np.sign(y - x)), ("proximal", "|y - x|_1")),
    Fault("mu fixed at 0.01", "fedprox", fedprox(lambda y, x, r, p, k: 0.01 * (y - x)), ("rho is 0.01",)),
    Fault(
        "applied after the step",
        "fedprox",
        fedprox(None, lambda y, g, x, eta, r: (y - eta * g) - eta * r * (y - eta * g - x)),
        ("proximal", "after"),
    ),
    Fault(
        "mu without the step size",
        "fedprox",
        fedprox(None, lambda y, g, x, eta, r: y - eta * g - r * (y - x)),
        ("proximal", "eta"),
    ),
    Fault("pulls away", "fedprox", fedprox(lambda y, x, r, p, k: r * (x - y)), ("proximal", "sign")),
    Fault("the cube", "fedprox", fedprox(lambda y, x, r, p, k: r * norm(y - x) * (y - x)), ("proximal", "too much")),
]


def scaffold(
    correct=lambda own, c, i, K: c - own[i],
    fresh=lambda own, c, i, x, y, K, eta, new: own[i] - c + (x - y) / (K * eta),
    common=lambda c, change, S, N, own: c + change / N,
    server=lambda x, ends, gamma: x + gamma * (mean(ends) - x),
    place=lambda i, j: i,
    late=False,
    after=lambda t, c, own, active, old: (c, own),
):
    """SCAFFOLD with a hook for the correction, the new variates, the server and what is kept after a round."""

    def code(clients, x0, *, K, T, active, eta, gamma):
        N, x, c = len(clients), x0, 0 * x0
        own, path = [0 * x0 for _ in clients], [x0]
        for t in range(T):
            ends, change = [], 0 * x0
            for j, i in enumerate(active[t]):
                y, at = x, place(i, j)
                for k in range(K):
                    y = y - eta * (clients[i].grad(y, k, t) + correct(own, c, at, K))
                ends.append(y)
                if not late:
                    new = fresh(own, c, at, x, y, K, eta, None)
                    change, own[at] = change + new - own[at], new
            moved = server(x, ends, gamma)
            if late:
                for i, y in zip(active[t], ends, strict=True):
                    new = fresh(own, c, i, x, y, K, eta, moved)
                    change, own[i] = change + new - own[i], new
            x = moved
            c, own = after(t, common(c, change, len(active[t]), N, own), own, active[t], c)
            path.append(x)
        return path

    return code


SCAFFOLD = [
    Fault("the correction is never written", "scaffold", scaffold(correct=lambda own, c, i, K: 0 * c), ("FedAvg",)),
    Fault("the sign", "scaffold", scaffold(correct=lambda own, c, i, K: own[i] - c), ("wrong sign",)),
    Fault("c is missing", "scaffold", scaffold(correct=lambda own, c, i, K: -own[i]), ("server variate c is missing",)),
    Fault("c_i is missing", "scaffold", scaffold(correct=lambda own, c, i, K: c), ("c_i is missing",)),
    Fault("c by S", "scaffold", scaffold(common=lambda c, d, S, N, own: c + d / S), ("divided by the S",)),
    Fault("c not divided", "scaffold", scaffold(common=lambda c, d, S, N, own: c + d), ("added up",)),
    Fault("c never moves", "scaffold", scaffold(common=lambda c, d, S, N, own: c), ("c is never refreshed",)),
    Fault(
        "K is missing",
        "scaffold",
        scaffold(fresh=lambda own, c, i, x, y, K, eta, new: own[i] - c + (x - y) / eta),
        ("K is missing",),
    ),
    Fault(
        "eta is missing",
        "scaffold",
        scaffold(fresh=lambda own, c, i, x, y, K, eta, new: own[i] - c + (x - y) / K),
        ("eta is missing",),
    ),
    Fault(
        "minus c is missing",
        "scaffold",
        scaffold(fresh=lambda own, c, i, x, y, K, eta, new: own[i] + (x - y) / (K * eta)),
        ("c is not subtracted",),
    ),
    Fault(
        "plus c",
        "scaffold",
        scaffold(fresh=lambda own, c, i, x, y, K, eta, new: own[i] + c + (x - y) / (K * eta)),
        ("c is added",),
    ),
    Fault(
        "y - x",
        "scaffold",
        scaffold(fresh=lambda own, c, i, x, y, K, eta, new: own[i] - c + (y - x) / (K * eta)),
        ("wrong sign",),
    ),
    Fault(
        "gamma on models",
        "scaffold",
        scaffold(server=lambda x, e, gamma: gamma * mean(e)),
        ("gamma multiplies the models",),
    ),
    Fault("gamma not used", "scaffold", scaffold(server=lambda x, e, gamma: mean(e)), ("gamma",)),
    Fault("indexed by place", "scaffold", scaffold(place=lambda i, j: j), ("place among the active",)),
    Fault("one variate for all", "scaffold", scaffold(place=lambda i, j: 0), ("share",)),
    Fault(
        "from the new model",
        "scaffold",
        scaffold(fresh=lambda own, c, i, x, y, K, eta, new: own[i] - c + (new - y) / (K * eta), late=True),
        ("full participation agrees",),
    ),
    Fault(
        "a third of the correction",
        "scaffold",
        scaffold(correct=lambda own, c, i, K: (c - own[i]) / 3),
        ("correction", "1/3"),
    ),
]


def fedopt(
    second=lambda v, D, m, b2: b2 * v + (1 - b2) * D**2,
    first=lambda m, D, b1: b1 * m + (1 - b1) * D,
    step=lambda m, v, tau, t, b1, b2, D: m / (np.sqrt(v) + tau),
    v0=lambda tau: tau**2,
    scale=lambda eta, K, gamma: 1.0,
    gamma_of=lambda gamma, t: gamma,
    average=lambda ends, s: mean(ends),
    times=1,
    after=lambda t, m, v, old_m, old_v: (m, v),
):
    """FedOpt with a hook for every line of the server, and for the moments that are kept after a round."""

    def code(clients, x0, *, K, T, active, eta, gamma, tau, beta1, beta2):
        x, m, v, path = x0, 0 * x0, 0 * x0 + v0(tau), [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * clients[i].grad(y, k, t)
                ends.append(y)
            D = scale(eta, K, gamma) * (average(ends, {"clients": clients, "active": active[t]}) - x)
            old_m, old_v = m, v
            for _ in range(times):
                m = first(m, D, beta1)
                v = second(v, D, m, beta2)
                x = x + gamma_of(gamma, t) * step(m, v, tau, t, beta1, beta2, D)
            m, v = after(t, m, v, old_m, old_v)
            path.append(x)
        return path

    return code


def yogi(v, D, m, b2):
    return v - (1 - b2) * D**2 * np.sign(v - D**2)


def by_sizes(ends, s):
    return np.average(ends, axis=0, weights=sizes(s))


def hats(ahead):
    return lambda m, v, tau, t, b1, b2, D: m / (1 - b1 ** (t + ahead)) / (np.sqrt(v / (1 - b2 ** (t + ahead))) + tau)


FEDOPT = [
    Fault(
        "tau inside the root and v from 0",
        "fedadam",
        fedopt(step=lambda m, v, tau, *r: m / np.sqrt(v + tau), v0=lambda tau: 0.0),
        ("starts at 0", "inside the root"),
    ),
    Fault(
        "tau is 1e-8",
        "fedadam",
        fedopt(step=lambda m, v, tau, *r: m / (np.sqrt(v) + 1e-8), v0=lambda tau: 1e-16),
        ("tau is 1e-08",),
    ),
    Fault(
        "Adam of the library, v from 0", "fedadam", fedopt(step=hats(1), v0=lambda tau: 0.0), ("starts at 0", "bias")
    ),
    Fault("Adam of the library, counter ahead", "fedadam", fedopt(step=hats(2)), ("bias", "one ahead")),
    Fault("pseudo-gradient by gamma", "fedadam", fedopt(scale=lambda eta, K, gamma: gamma), ("multiplied by gamma",)),
    Fault("pseudo-gradient by eta", "fedadam", fedopt(scale=lambda eta, K, gamma: 1 / eta), ("divided by eta",)),
    Fault("wrong sign of the pseudo-gradient", "fedadam", fedopt(scale=lambda *r: -1.0), ("against",)),
    Fault(
        "Yogi of squares of the signed square",
        "fedyogi",
        fedopt(second=lambda v, D, m, b2: v - (1 - b2) * (D**2 * np.sign(v - D**2)) ** 2),
        ("Yogi", "square"),
    ),
    Fault("Yogi by Adam", "fedyogi", fedopt(), ("as in FedAdam",)),
    Fault(
        "Yogi reversed",
        "fedyogi",
        fedopt(second=lambda v, D, m, b2: v + (1 - b2) * D**2 * np.sign(v - D**2)),
        ("reversed",),
    ),
    Fault("Yogi of m", "fedyogi", fedopt(second=lambda v, D, m, b2: yogi(v, m, m, b2)), ("m^2",)),
    Fault(
        "Yogi of m, v from 0",
        "fedyogi",
        fedopt(second=lambda v, D, m, b2: yogi(v, m, m, b2), v0=lambda tau: 0.0),
        ("m^2", "starts at 0"),
    ),
    Fault("n_i/n and v from 0", "fedadam", fedopt(v0=lambda tau: 0.0, average=by_sizes), ("starts at 0", "size")),
    Fault(
        "m^2, v from 0, and n_i/n",
        "fedadam",
        fedopt(second=lambda v, D, m, b2: b2 * v + (1 - b2) * m**2, v0=lambda tau: 0.0, average=by_sizes),
        ("m^2", "starts at 0", "size"),
    ),
    Fault("m without 1-beta1", "fedadam", fedopt(first=lambda m, D, b1: b1 * m + D), ("(1-beta1)",)),
    Fault(
        "twice a round and v from tau",
        "fedyogi",
        fedopt(second=yogi, v0=lambda tau: tau, times=2),
        ("twice", "tau instead"),
    ),
    Fault("no root", "fedadam", fedopt(step=lambda m, v, tau, *r: m / (v + tau)), ("root",)),
    Fault(
        "D in the place of m",
        "fedadam",
        fedopt(step=lambda m, v, tau, t, b1, b2, D: D / (np.sqrt(v) + tau)),
        ("first moment",),
    ),
    Fault(
        "decaying server step",
        "fedadam",
        fedopt(gamma_of=lambda gamma, t: gamma * 0.9**t),
        ("gamma is multiplied by 0.9 every round",),
    ),
    Fault("norm of v", "fedadam", fedopt(second=lambda v, D, m, b2: b2 * v + (1 - b2) * D @ D), ("one number",)),
]


def server_momentum(rule):
    """FedAvg with server momentum: the rule takes the velocity, the displacement from x and what is known."""

    def code(clients, x0, *, K, T, active, eta, beta, gamma):
        x, v, path = x0, 0 * x0, [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * clients[i].grad(y, k, t)
                ends.append(y)
            x, v = rule(x, v, x - mean(ends), beta, gamma, t)
            path.append(x)
        return path

    return code


def _from_first(x, v, d, beta, gamma, t):
    v = d if t == 0 else beta * v + (1 - beta) * d
    return x - gamma * v, v


def _heavy(x, v, d, beta, gamma, t, damp=None, lag=False, nesterov=False, by=1.0):
    new = beta * v + (1.0 if damp is None else damp) * d
    along = v if lag else (d + beta * new if nesterov else new)
    return x - by * gamma * along, new


MOMENTUM = [
    Fault("dampening as in torch, first step undamped", "fedavg-server-m", server_momentum(_from_first), ("momentum",)),
    Fault("Nesterov", "fedavg-server-m", server_momentum(lambda *a: _heavy(*a, nesterov=True)), ("Nesterov",)),
    Fault(
        "old velocity", "fedavg-server-m", server_momentum(lambda *a: _heavy(*a, lag=True)), ("before it is refreshed",)
    ),
    Fault(
        "beta fixed at 0.9",
        "fedavg-server-m",
        server_momentum(lambda x, v, d, b, g, t: _heavy(x, v, d, 0.9, g, t)),
        ("beta is 0.9",),
    ),
    Fault(
        "gamma not used",
        "fedavg-server-m",
        server_momentum(lambda x, v, d, b, g, t: _heavy(x, v, d, b, 1.0, t)),
        ("gamma is 1",),
    ),
    Fault(
        "gamma in the velocity too",
        "fedavg-server-m",
        server_momentum(lambda x, v, d, b, g, t: _heavy(x, v, d, b, g, t, damp=g)),
        ("gamma",),
    ),
    Fault(
        "minus", "fedavg-server-m", server_momentum(lambda x, v, d, b, g, t: _heavy(x, v, d, -b, g, t)), ("wrong sign",)
    ),
]


def feddyn(h_change=None, l_change=None, server=None, pull=None, after=lambda t, h, own, active: (h, own)):
    """FedDyn with a hook for h, the linear terms, the server's model, the local step and what is kept after a round."""

    def code(clients, x0, *, K, T, active, eta, alpha):
        x, h, own, path = x0, 0 * x0, [0 * x0 for _ in clients], [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    p = alpha * (y - x) if pull is None else pull(y, x, alpha)
                    y = y - eta * (clients[i].grad(y, k, t) - own[i] + p)
                own[i] = own[i] - (alpha * (y - x) if l_change is None else l_change(y, x, alpha))
                ends.append(y)
            h = h - (
                alpha * (sum(ends) - len(ends) * x) / len(clients)
                if h_change is None
                else h_change(ends, x, alpha, len(clients))
            )
            x = mean(ends) - h / alpha if server is None else server(mean(ends), h, alpha)
            h, own = after(t, h, own, active[t])
            path.append(x)
        return path

    return code


FEDDYN = [
    Fault(
        "h by the active clients",
        "feddyn",
        feddyn(h_change=lambda e, x, a, N: a * (mean(e) - x)),
        ("divided by the S",),
    ),
    Fault("h as a sum", "feddyn", feddyn(h_change=lambda e, x, a, N: a * (sum(e) - len(e) * x)), ("not divided",)),
    Fault("a parenthesis", "feddyn", feddyn(h_change=lambda e, x, a, N: a / N * (sum(e) - x)), ("parenthesis",)),
    Fault("plus h", "feddyn", feddyn(server=lambda y, h, a: y + h / a), ("adds h",)),
    Fault("h not divided by alpha", "feddyn", feddyn(server=lambda y, h, a: y - h), ("alpha",)),
    Fault("no server correction", "feddyn", feddyn(server=lambda y, h, a: y), ("h is not subtracted",)),
    Fault("linear terms grow", "feddyn", feddyn(l_change=lambda y, x, a: -a * (y - x)), ("sign",)),
    Fault("no proximal term", "feddyn", feddyn(pull=lambda y, x, a: 0 * y), ("proximal", "missing")),
    Fault(
        "norm not squared",
        "feddyn",
        feddyn(pull=lambda y, x, a: 0.5 * a * (y - x) / norm(y - x)),
        ("proximal", "not squared"),
    ),
]


def dsgd(mix):
    """Decentralised SGD on a ring: the rule takes old and moved models and the matrix."""

    def code(clients, x0, *, K, T, active, eta):
        N = len(clients)
        W = np.zeros((N, N))
        for i in range(N):
            for j in {(i - 1) % N, i, (i + 1) % N}:
                W[i, j] = 1 / min(N, 3)
        X, path = np.tile(x0, (N, 1)), [x0]
        for t in range(T):
            Y = X.copy()
            for i in range(N):
                for k in range(K):
                    Y[i] = Y[i] - eta * clients[i].grad(Y[i], k, t)
            X = mix(X, Y, W)
            path.append(mean(X))
        return path

    return code


DSGD = [
    Fault("no exchange", "dsgd", dsgd(lambda X, Y, W: Y), ("do not mix",)),
    Fault("all reduce", "dsgd", dsgd(lambda X, Y, W: np.tile(mean(Y), (len(Y), 1))), ("averaged",)),
    Fault("twice", "dsgd", dsgd(lambda X, Y, W: W @ W @ X + Y - X), ("twice",)),
    Fault("combine, adapt, combine", "dsgd", dsgd(lambda X, Y, W: W @ (W @ X + Y - X)), ("combine",)),
]


def sgda(x_of=lambda z: z, alternate=False, share=(True, True), signs=(-1, 1), steps=None):
    """Local SGDA: three coordinates against two."""

    def code(clients, z0, *, K, T, active, eta_x, eta_y):
        z, path, own = z0.copy(), [z0.copy()], {}
        a, b = (eta_x, eta_y) if steps is None else steps(eta_x, eta_y)
        for t in range(T):
            ends = []
            for i in active[t]:
                w = z.copy()
                if not share[1] and i in own:
                    w[3:] = own[i]
                for k in range(K):
                    g = clients[i].grad(w, k, t)
                    moved = w.copy()
                    moved[:3] += signs[0] * a * g[:3]
                    if alternate:
                        g = clients[i].grad(moved, k, t)
                    moved[3:] += signs[1] * b * g[3:]
                    w = moved
                own[i] = w[3:].copy()
                ends.append(w)
            z = mean(ends)
            path.append(z)
        return path

    return code


SGDA = [
    Fault("both descend", "local-sgda", sgda(signs=(-1, -1)), ("descends",)),
    Fault("both ascend", "local-sgda", sgda(signs=(1, 1)), ("ascends",)),
    Fault("one learning rate", "local-sgda", sgda(steps=lambda a, b: (b, b)), ("eta_y",)),
    Fault("the dual is not averaged", "local-sgda", sgda(share=(True, False)), ("maximiser stays",)),
    Fault("swapped steps", "local-sgda", sgda(steps=lambda a, b: (b, a)), ("swapped",)),
]

FAULTS = [*FEDAVG, *FEDPROX, *SCAFFOLD, *FEDOPT, *MOMENTUM, *FEDDYN, *DSGD, *SGDA]

RIGHT = [
    ("fedavg", fedavg()),
    ("fedprox", fedprox(lambda y, x, r, p, k: r * (y - x))),
    ("scaffold", scaffold()),
    ("fedadam", fedopt()),
    ("fedyogi", fedopt(second=yogi)),
    ("fedavg-server-m", server_momentum(_heavy)),
    ("feddyn", feddyn()),
    ("dsgd", dsgd(lambda X, Y, W: W @ X + Y - X)),
    ("local-sgda", sgda()),
]
"""The same loops with no hook: right."""


def fednova(rule):
    """FedNova: clients with K_i steps, evenly spaced from `fewest` to K; the rule takes x, the moves, K_i and K."""

    def code(clients, x0, *, K, T, active, eta, fewest):
        N, x, path = len(clients), x0, [x0]
        low = min(fewest, K)
        counts = [low + i * (K - low) // max(N - 1, 1) for i in range(N)]
        for t in range(T):
            moves = []
            for i in active[t]:
                y = x
                for k in range(counts[i]):
                    y = y - eta * clients[i].grad(y, k, t)
                moves.append(y - x)
            x = x + rule(moves, [counts[i] for i in active[t]], K, counts)
            path.append(x)
        return path

    return code


def nova(moves, own, K, counts):
    return mean(own) * mean([m / n for m, n in zip(moves, own, strict=True)])


FEDNOVA = [
    Fault("plain average", "fednova", fednova(lambda m, own, K, counts: mean(m)), ("not normalised",)),
    Fault(
        "tau_eff is missing",
        "fednova",
        fednova(lambda m, own, K, counts: mean([v / n for v, n in zip(m, own, strict=True)])),
        ("tau_eff",),
    ),
    Fault(
        "tau_eff is K",
        "fednova",
        fednova(lambda m, own, K, counts: K * mean([v / n for v, n in zip(m, own, strict=True)])),
        ("tau_eff", "K"),
    ),
    Fault(
        "tau_eff over all clients",
        "fednova",
        fednova(lambda m, own, K, counts: mean(counts) * mean([v / n for v, n in zip(m, own, strict=True)])),
        ("tau_eff", "all N"),
    ),
    Fault(
        "weighted by K_i",
        "fednova",
        fednova(lambda m, own, K, counts: sum(n * v for v, n in zip(m, own, strict=True)) / sum(own)),
        ("K_i",),
    ),
]


def ef21(rule, first=lambda g, k: top(g, k)):
    """EF21 with top-k: the rule takes a gradient, what is believed of it and k."""

    def code(clients, x0, *, K, T, active, gamma, k):
        x, path = x0, [x0]
        believed = [first(c.full(x), k) for c in clients]
        for _ in range(T):
            x = x - gamma * mean(believed)
            believed = [rule(c.full(x), g, k) for c, g in zip(clients, believed, strict=True)]
            path.append(x)
        return path

    return code


EF = [
    Fault("no error feedback", "ef21", ef21(lambda g, b, k: top(g, k)), ("error feedback",)),
    Fault("starts at full gradients", "ef21", ef21(lambda g, b, k: b + top(g - b, k), lambda g, k: g), ("starts",)),
    Fault("starts at zero", "ef21", ef21(lambda g, b, k: b + top(g - b, k), lambda g, k: 0 * g), ("starts",)),
    Fault(
        "k entries too many",
        "ef21",
        ef21(lambda g, b, k: b + top(g - b, k + 1), lambda g, k: top(g, k + 1)),
        ("k = 2",),
    ),
    Fault("nothing compressed", "ef21", ef21(lambda g, b, k: g, lambda g, k: g), ("gradient descent",)),
]


def local_adam(moments, step, keep=True):
    """Adam at the clients, the moments kept."""

    def code(clients, x0, *, K, T, active, eta, beta1, beta2, eps):
        x, path, own = x0, [x0], {}
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                m, v, n = own.get(i, (0 * x, 0 * x, 0)) if keep else (0 * x, 0 * x, 0)
                for k in range(K):
                    m, v, n = *moments(m, v, clients[i].grad(y, k, t), beta1, beta2), n + 1
                    y = y - eta * step(m, v, n, beta1, beta2, eps)
                own[i] = (m, v, n)
                ends.append(y)
            x = mean(ends)
            path.append(x)
        return path

    return code


def _moments(m, v, g, b1, b2):
    return b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g


LOCAL_ADAM = [
    Fault(
        "eps of the library",
        "local-adam",
        local_adam(_moments, lambda m, v, n, b1, b2, eps: m / (np.sqrt(v) + 1e-8)),
        ("eps is 1e-08",),
    ),
    Fault(
        "a new optimiser every round",
        "local-adam",
        local_adam(_moments, lambda m, v, n, b1, b2, eps: m / (np.sqrt(v) + eps), keep=False),
        ("restart",),
    ),
    Fault(
        "a new optimiser and bias correction",
        "local-adam",
        local_adam(
            _moments, lambda m, v, n, b1, b2, eps: m / (1 - b1**n) / (np.sqrt(v / (1 - b2**n)) + eps), keep=False
        ),
        ("restart", "bias"),
    ),
    Fault(
        "beta1 of the library",
        "local-adam",
        local_adam(
            lambda m, v, g, b1, b2: _moments(m, v, g, 0.5, b2), lambda m, v, n, b1, b2, eps: m / (np.sqrt(v) + eps)
        ),
        ("beta1 is 0.5",),
    ),
]


def fedcm(
    local=lambda g, old, b: b * g + (1 - b) * old,
    fresh=lambda x, ends, eta, K, S, N: (x - mean(ends)) / (eta * K),
    by=lambda gamma, eta, K: gamma,
):
    """FedAvg-M, which is FedCM."""

    def code(clients, x0, *, K, T, active, eta, gamma, beta):
        x, old, path = x0, 0 * x0, [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * local(clients[i].grad(y, k, t), old, beta)
                ends.append(y)
            old = fresh(x, ends, eta, K, len(ends), len(clients))
            x = x - by(gamma, eta, K) * old
            path.append(x)
        return path

    return code


FEDCM = [
    Fault("weights swapped", "fedavg-m", fedcm(lambda g, old, b: (1 - b) * g + b * old), ("swapped",)),
    Fault("heavy ball", "fedavg-m", fedcm(lambda g, old, b: g + (1 - b) * old), ("factor beta",)),
    Fault("K is missing", "fedavg-m", fedcm(fresh=lambda x, e, eta, K, S, N: (x - mean(e)) / eta), ("K is missing",)),
    Fault(
        "over all clients",
        "fedavg-m",
        fedcm(fresh=lambda x, e, eta, K, S, N: (len(e) * x - sum(e)) / (eta * K * N)),
        ("all N",),
    ),
    Fault("gamma by eta K", "fedavg-m", fedcm(by=lambda gamma, eta, K: gamma * eta * K), ("eta",)),
    Fault("beta fixed", "fedavg-m", fedcm(lambda g, old, b: 0.1 * g + 0.9 * old), ("beta is 0.1",)),
]

FAULTS += [*FEDNOVA, *EF, *LOCAL_ADAM, *FEDCM]
RIGHT += [
    ("fednova", fednova(nova)),
    ("ef21", ef21(lambda g, b, k: b + top(g - b, k))),
    ("local-adam", local_adam(_moments, lambda m, v, n, b1, b2, eps: m / (np.sqrt(v) + eps))),
    ("fedavg-m", fedcm()),
]
