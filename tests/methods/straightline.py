"""Straight-line reference implementations, written from the papers' pseudocode.

One lane, one client, one step at a time; no arrays over clients and nothing shared with the package.
`g(r, k, i)` is the stochastic gradient of client `i` with the sample of local step `k` of round `r`: a function of the
point, so that the same sample can be used at two points. `k = -1`, `r = 0` is the sample of the initialisation.
`active[r]` lists the clients of round `r`. Every function returns the server iterates x^0, x^1, ... as a list and, as
a second value, whatever the identities of the papers speak about.
"""

from typing import Any

import numpy as np

Vector = np.ndarray
Samples = Any  # (r, k, i) -> (point -> gradient)


def fedavg(x0: Vector, g: Samples, *, K: int, active: list[list[int]], eta: float, gamma: float) -> tuple[list, dict]:
    """Run "Momentum Benefits Non-IID Federated Learning" (arXiv 2306.16504), Algorithm 1 with beta = 1."""
    x = x0.copy()
    path = [x.copy()]
    for r, chosen in enumerate(active):
        displacement = np.zeros_like(x)
        for i in chosen:
            y = x.copy()
            for k in range(K):
                y = y - eta * g(r, k, i)(y)
            displacement += x - y
        x = x - gamma * displacement / (eta * len(chosen) * K)
        path.append(x.copy())
    return path, {}


def fedavg_m(
    x0: Vector, g: Samples, *, K: int, active: list[list[int]], eta: float, gamma: float, beta: float
) -> tuple[list, dict]:
    """Run arXiv 2306.16504, Algorithm 1 (FedAvg-M): direction beta * grad + (1 - beta) * g^r."""
    x = x0.copy()
    server = np.zeros_like(x)
    path, directions, gradients = [x.copy()], [server.copy()], []
    for r, chosen in enumerate(active):
        total = np.zeros_like(x)
        seen = np.zeros_like(x)
        for i in chosen:
            y = x.copy()
            for k in range(K):
                grad = g(r, k, i)(y)
                seen += grad
                y = y - eta * (beta * grad + (1 - beta) * server)
            total += x - y
        server = total / (eta * len(chosen) * K)
        x = x - gamma * server
        path.append(x.copy())
        directions.append(server.copy())
        gradients.append(seen / (len(chosen) * K))
    return path, {"g": directions, "mean_gradient": gradients}


def scaffold_m(
    x0: Vector,
    g: Samples,
    *,
    N: int,
    K: int,
    active: list[list[int]],
    eta: float,
    gamma: float,
    beta: float,
    controls: list[Vector],
) -> tuple[list, dict]:
    """Run arXiv 2306.16504, Algorithm 2 (SCAFFOLD-M); `active[r]` is S_r and `controls` the initial c_i."""
    x = x0.copy()
    server = np.zeros_like(x)
    own = [c.copy() for c in controls]
    common = sum(own) / N
    path, trace = [x.copy()], [(server.copy(), common.copy(), [c.copy() for c in own])]
    for r, chosen in enumerate(active):
        total = np.zeros_like(x)
        change = np.zeros_like(x)
        fresh = [c.copy() for c in own]
        for i in chosen:
            y = x.copy()
            seen = np.zeros_like(x)
            for k in range(K):
                grad = g(r, k, i)(y)
                seen = seen + grad
                y = y - eta * (beta * (grad - own[i] + common) + (1 - beta) * server)
            fresh[i] = seen / K
            total = total + (x - y)
            change = change + (fresh[i] - own[i])
        server = total / (eta * len(chosen) * K)
        x = x - gamma * server
        common = common + change / N
        own = fresh
        path.append(x.copy())
        trace.append((server.copy(), common.copy(), [c.copy() for c in own]))
    return path, {"trace": trace}


def fedlalr(
    x0: Vector,
    g: Samples,
    *,
    K: int,
    active: list[list[int]],
    alpha: float,
    beta1: float,
    beta2: float,
    eps: float,
    sync: str = "average",
    restart: bool = False,
) -> tuple[list, dict]:
    """Run "FedLALR" (arXiv 2309.09719), Algorithms 1 (average), 2 (restart) and 3 (max)."""
    x, m, vh = x0.copy(), np.zeros_like(x0), np.full_like(x0, eps**2)
    path, log = [x.copy()], []
    for r, chosen in enumerate(active):
        ends, momenta, maxima = [], [], []
        round_log = [[] for _ in range(K)]
        for i in chosen:
            y, v, top = x.copy(), vh.copy(), vh.copy()
            momentum = np.zeros_like(m) if restart else m.copy()
            for k in range(K):
                at = y.copy()
                grad = g(r, k, i)(y)
                momentum = beta1 * momentum + (1 - beta1) * grad
                v = beta2 * v + (1 - beta2) * grad * grad
                before = top
                top = np.maximum(top, v)
                y = y - alpha * momentum / np.sqrt(top)
                round_log[k].append({"x": at, "g": grad, "m": momentum, "vh": top, "vh_before": before})
            ends.append(y)
            momenta.append(momentum)
            maxima.append(top)
        x = sum(ends) / len(chosen)
        m = sum(momenta) / len(chosen)
        vh = np.max(maxima, axis=0) if sync == "max" else sum(maxima) / len(chosen)
        path.append(x.copy())
        log.append({"steps": round_log, "x": x, "m": m, "vh": vh})
    return path, {"log": log}


def fmgda(
    th0: Vector,
    w0: Vector,
    g: Samples,
    *,
    N: int,
    K: int,
    R: int,
    chat: float,
    c: float,
    eta: Any,
    alpha: Any,
    beta: Any,
    synchronised: bool = False,
    averaged_old: bool = False,
) -> tuple[list, dict]:
    """Run FMGDA, Algorithm 1; `g(r, k, i)(th, w)` returns both blocks, eta, alpha, beta are functions of t.

    The pseudocode's step t = 1, 2, ... is local step k = (t - 1) mod K of round r = (t - 1) // K; the batch drawn at
    the end of step t belongs to the same (r, k), the initial batch is g(0, -1, i).
    """
    th = [th0.copy() for _ in range(N)]
    w = [w0.copy() for _ in range(N)]
    u, v = [], []
    for i in range(N):
        gu, gv = g(0, -1, i)(th0, w0)
        u.append(gu)
        v.append(gv)
    if synchronised:
        u, v = [sum(u) / N] * N, [sum(v) / N] * N
    path, steps = [(th0.copy(), w0.copy())], []
    for t in range(1, K * R + 1):
        old_th, old_w = list(th), list(w)
        mean_of_old = sum(old_th) / N, sum(old_w) / N
        if t % K == 0:
            u, v = [sum(u) / N] * N, [sum(v) / N] * N
            mean_th = sum(old_th[i] - chat * eta(t) * u[i] for i in range(N)) / N
            mean_w = sum(old_w[i] + c * eta(t) * v[i] for i in range(N)) / N
            th, w = [mean_th] * N, [mean_w] * N
            path.append((mean_th.copy(), mean_w.copy()))
        else:
            th = [old_th[i] - chat * eta(t) * u[i] for i in range(N)]
            w = [old_w[i] + c * eta(t) * v[i] for i in range(N)]
        fresh_u, fresh_v = [], []
        for i in range(N):
            batch = g((t - 1) // K, (t - 1) % K, i)
            if averaged_old and t % K == 0:
                old_th[i], old_w[i] = mean_of_old
            new, old = batch(th[i], w[i]), batch(old_th[i], old_w[i])
            fresh_u.append(new[0] + (1 - alpha(t)) * (u[i] - old[0]))
            fresh_v.append(new[1] + (1 - beta(t)) * (v[i] - old[1]))
        u, v = fresh_u, fresh_v
        steps.append((sum(th) / N, sum(w) / N))
    return path, {"steps": steps}


def local_sgda(
    th0: Vector, w0: Vector, g: Samples, *, N: int, K: int, R: int, eta_x: float, eta_y: float
) -> tuple[list, dict]:
    """Run Local SGDA (arXiv 2203.04850): simultaneous local steps, plain averaging after K of them."""
    th, w = th0.copy(), w0.copy()
    path = [(th.copy(), w.copy())]
    for r in range(R):
        ths, ws = [], []
        for i in range(N):
            a, b = th.copy(), w.copy()
            for k in range(K):
                gu, gv = g(r, k, i)(a, b)
                a, b = a - eta_x * gu, b + eta_y * gv
            ths.append(a)
            ws.append(b)
        th, w = sum(ths) / N, sum(ws) / N
        path.append((th.copy(), w.copy()))
    return path, {}


def storm_gda(
    th0: Vector, w0: Vector, batches: list, start: Any, *, eta_x: float, eta_y: float, alpha: float, beta: float
) -> list:
    """Run single-machine STORM-GDA (arXiv 2008.08170 with eta_t = 1): `batches[t]` serves two points."""
    th, w = th0.copy(), w0.copy()
    u, v = start(th, w)
    path = [(th, w)]
    for batch in batches:
        new_th, new_w = th - eta_x * u, w + eta_y * v
        (nu, nv), (ou, ov) = batch(new_th, new_w), batch(th, w)
        u, v = nu + (1 - alpha) * (u - ou), nv + (1 - beta) * (v - ov)
        th, w = new_th, new_w
        path.append((th, w))
    return path
