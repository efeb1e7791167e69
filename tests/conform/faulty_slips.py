"""Faults of public codes: two slips in one rule, slips in what is kept between rounds, and such as show with S < N.

Written before the diagnosis was asked; what was missing was added by its kind afterwards.
"""

from __future__ import annotations

import numpy as np
from faulty_codes import Fault, ef21, fedavg, fedcm, feddyn, fedopt, mean, scaffold, server_momentum, top
from faulty_fresh import arrived, both, saddle
from faulty_rules import CLIP, cut, diffusion, dp_fedavg, ef_sgd, led, mime, sgd, tracking
from faulty_seldom import belief, drifting, fair, recursive, remembering, two_trajectories
from faulty_stranger import averaged_buffers, imitated, normalised, primal_dual, proximal_momentum, slow


def gated(
    correct=lambda own: -own,
    refresh=lambda own, P_i, P, K: own + (P_i - P) / K,
    server=lambda x, P, eta, gamma: x - gamma * eta * P,
    idle=lambda own, P, K: own,
):
    """FedGATE with hooks for the correction, its refresh, the server, and what clients that sit out do."""

    def code(clients, x0, *, K, T, active, eta, gamma):
        x, own, path = x0, [0 * x0 for _ in clients], [x0]
        for t in range(T):
            sent = {}
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * (clients[i].grad(y, k, t) + correct(own[i]))
                sent[i] = (x - y) / eta
            P = mean(list(sent.values()))
            own = [refresh(c, sent[i], P, K) if i in sent else idle(c, P, K) for i, c in enumerate(own)]
            x = server(x, P, eta, gamma)
            path.append(x)
        return path

    return code


def variates(
    start=lambda own, c, since: own,
    fresh=lambda own, c, move: own - c + move,
    common=lambda c, change, own, fresh, S, N: c + change / N,
    idle=lambda own, c: own,
    late=False,
):
    """SCAFFOLD with hooks for what a client begins with, its new variate, the server's, and who sits out."""

    def code(clients, x0, *, K, T, active, eta, gamma):
        N, x, c, own, path = len(clients), x0, 0 * x0, [0 * x0 for _ in clients], [x0]
        waiting = 0 * x0
        for t in range(T):
            ends, change, new = [], 0 * x0, {}
            for i in active[t]:
                y = x
                mine = start(own[i], c, t)
                for k in range(K):
                    y = y - eta * (clients[i].grad(y, k, t) + c - mine)
                new[i] = fresh(mine, c, (x - y) / (K * eta))
                change = change + new[i] - own[i]
                ends.append(y)
            x = x + gamma * (mean(ends) - x)
            after = common(c, waiting if late else change, own, new, len(ends), N)
            own = [new[i] if i in new else idle(v, c) for i, v in enumerate(own)]
            c, waiting = after, change
            path.append(x)
        return path

    return code


def dynamic(
    change=lambda h, moves, a, N, t: h - a / N * sum(moves), over_all=False, kept=lambda l, y, x, a: l - a * (y - x)
):
    """FedDyn with hooks for h and the linear terms, and with a mean of all clients' last models."""

    def code(clients, x0, *, K, T, active, eta, alpha):
        x, h, path, terms, last = x0, 0 * x0, [x0], [0 * x0 for _ in clients], [x0 for _ in clients]
        for t in range(T):
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * (clients[i].grad(y, k, t) - terms[i] + alpha * (y - x))
                terms[i], last[i] = kept(terms[i], y, x, alpha), y
            h = change(h, [last[i] - x for i in active[t]], alpha, len(clients), t)
            x = mean(last if over_all else [last[i] for i in active[t]]) - h / alpha
            path.append(x)
        return path

    return code


def last_models(clients, x0, *, K, T, active, eta):
    """FedAvg that averages the last models of all clients, x_0 for those that have not been asked yet."""
    x, own, path = x0, [x0 for _ in clients], [x0]
    for t in range(T):
        for i in active[t]:
            own[i] = sgd(clients[i], x, eta, K, t)
        x = mean(own)
        path.append(x)
    return path


def one_round_late(clients, x0, *, K, T, active, eta, beta, gamma):
    """FedAvgM whose server overlaps: it steps by the displacement of the round before."""
    x, v, waiting, path = x0, 0 * x0, 0 * x0, [x0]
    for t in range(T):
        d = x - mean([sgd(clients[i], x, eta, K, t) for i in active[t]])
        v = beta * v + waiting
        x, waiting = x - gamma * v, d
        path.append(x)
    return path


def old_second(clients, x0, *, K, T, active, eta, gamma, tau, beta1, beta2):
    """FedAdam that divides by the root of v before it refreshes it."""
    x, m, v, path = x0, 0 * x0, 0 * x0 + tau**2, [x0]
    for t in range(T):
        D = mean([sgd(clients[i], x, eta, K, t) for i in active[t]]) - x
        m = beta1 * m + (1 - beta1) * D
        x = x + gamma * m / (np.sqrt(v) + tau)
        v = beta2 * v + (1 - beta2) * D**2
        path.append(x)
    return path


def fresh_first_moment(clients, x0, *, K, T, active, eta, beta1, beta2, eps):
    """Local Adam that keeps v and begins m anew in every round."""
    x, own, path = x0, {}, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y, m, v = x, 0 * x, own.get(i, 0 * x)
            for k in range(K):
                g = clients[i].grad(y, k, t)
                m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g * g
                y = y - eta * m / (np.sqrt(v) + eps)
            own[i] = v
            ends.append(y)
        x = mean(ends)
        path.append(x)
    return path


def directions_of_all(clients, x0, *, K, T, active, eta, gamma, beta):
    """FedCM whose direction is the mean over the last ones of all clients."""
    x, g, own, path = x0, 0 * x0, [0 * x0 for _ in clients], [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * (beta * clients[i].grad(y, k, t) + (1 - beta) * g)
            own[i] = (x - y) / (eta * K)
            ends.append(y)
        g = mean(own)
        x = x - gamma * g
        path.append(x)
    return path


def halved_memory(clients, x0, *, K, T, active, eta, gamma):
    """MIFA that smooths what it keeps of a client."""
    x, own, path = x0, [0 * x0 for _ in clients], [x0]
    for t in range(T):
        for i in active[t]:
            own[i] = 0.5 * own[i] + 0.5 * (x - sgd(clients[i], x, eta, K, t))
        x = x - gamma * mean(own)
        path.append(x)
    return path


TWO = [
    Fault(
        "damped, and Nesterov",
        "fedavg-server-m",
        server_momentum(lambda x, v, d, b, g, t: (x - g * (d + b * (b * v + (1 - b) * d)), b * v + (1 - b) * d)),
        ("(1 - gamma) * old_x - beta * (1 - beta) * (gamma * v) + gamma * y",),
    ),
    Fault(
        "damped, and not in units of eta",
        "slowmo",
        slow(lambda x, v, d, b, g, eta: (x - g * (b * v + (1 - b) * d / eta), b * v + (1 - b) * d / eta)),
        ("with two mistakes", "extra factor (1-beta)", "not multiplied by eta"),
    ),
    Fault(
        "K is missing, and c by the server step",
        "scaffold",
        scaffold(
            fresh=lambda own, c, i, x, y, K, eta, new: own[i] - c + (x - y) / eta,
            common=lambda c, d, S, N, own: c + 0.5 * d / N,
        ),
        ("K * ((start - y)", "mean + 0.5 * (S / N * mean(change))"),
    ),
    Fault(
        "h by the active clients, and not over alpha",
        "feddyn",
        feddyn(h_change=lambda e, x, a, N: a * (mean(e) - x), server=lambda y, h, a: y - h),
        ("with two mistakes", "S active clients", "h/alpha"),
    ),
    Fault(
        "m undamped, and v of m",
        "fedadam",
        fedopt(first=lambda m, D, b: b * m + D, second=lambda v, D, m, b: b * v + (1 - b) * m**2),
        ("with two mistakes", "D is y - x + beta1 * old_m"),
    ),
    Fault(
        "K is missing, and the step of the server",
        "fedgate",
        gated(refresh=lambda own, P_i, P, K: own + P_i - P, server=lambda x, P, eta, gamma: x - eta * P),
        ("with two mistakes", "K is missing", "gamma is 1 and not 0.4"),
    ),
    Fault(
        "undamped twice",
        "mime",
        mime(lambda g, at_x, c, s, b: g - at_x + c + b * s, lambda s, c, b, move: b * s + c),
        ("1 / (1 - beta)",),
    ),
    Fault(
        "no K twice",
        "fedavg-m",
        fedcm(lambda g, old, b: g + (1 - b) * old, fresh=lambda x, ends, eta, K, S, N: (x - mean(ends)) / eta),
        ("with two mistakes", "K is missing", "factor beta of the fresh gradient is missing"),
    ),
    Fault(
        "a sign, and the weight of the gradient",
        "storm",
        recursive(lambda g, old, v, a: a * g + (1 - a) * (v - old)),
        ("fresh is a * mean_grad(new, batch)",),
    ),
    Fault(
        "damped, and a pull that is halved",
        "fedprox-m",
        proximal_momentum(lambda d, b: (1 - b) * d, lambda y, x, rho, v: rho / 2 * (y - x)),
        ("(1 - beta) * (gamma * v)", "0.5 * pull(y)"),
    ),
]

STATES = [
    Fault(
        "the server's variate a round late",
        "scaffold",
        variates(late=True),
        ("the server variate c of one round earlier",),
    ),
    Fault(
        "the server's variate is smoothed",
        "scaffold",
        variates(common=lambda c, change, own, fresh, S, N: 0.9 * c + 0.1 * mean(list(fresh.values()))),
        ("0.1 * (N / S) * fresh", "0.9 * mean + S / N * mean(change)"),
    ),
    Fault(
        "h decays",
        "feddyn",
        dynamic(lambda h, moves, a, N, t: 0.9 * h - a / N * sum(moves)),
        ("h is 0.9 * h - S / N * mean(moved)",),
    ),
    Fault("the v of the round before", "fedadam", old_second, ("second moment before it is refreshed",)),
    Fault("a smoothed memory", "mifa", halved_memory, ("0.5 * (start - local_sgd(start, eta)) + 0.5 * old_G",)),
    Fault("a displacement a round late", "fedavg-server-m", one_round_late, ("the velocity before it is refreshed",)),
    Fault(
        "corrections decay",
        "fedgate",
        gated(refresh=lambda own, P_i, P, K: 0.9 * (own + (P_i - P) / K)),
        ("delta is 0.9 * memory",),
    ),
    Fault("m anew in every round", "local-adam", fresh_first_moment, ("m is 0 again after every round",)),
    Fault(
        "linear terms decay", "feddyn", dynamic(kept=lambda l, y, x, a: 0.95 * l - a * (y - x)), ("0.95 * l_i - moved",)
    ),
    Fault(
        "buffers times beta", "pr-sgd-m", averaged_buffers(keep=lambda own, shared: 0.5 * shared), ("start is 0.5 *",)
    ),
]

PARTIAL = [
    Fault(
        "last models of all",
        "fedavg",
        last_models,
        ("the models of all clients are averaged, those of clients that sit out as they were",),
    ),
    Fault(
        "c by N twice",
        "scaffold",
        variates(common=lambda c, change, own, fresh, S, N: c + change * S / N**2),
        ("S / N * (mean(fresh - c_i) * (S / N))",),
    ),
    Fault(
        "variates of idle clients decay",
        "scaffold",
        variates(idle=lambda own, c: 0.9 * own),
        ("0.9 * where_active(fresh, c_all)",),
    ),
    Fault("models of all, and h", "feddyn", dynamic(over_all=True), ("mean_of_last_of_all(y)",)),
    Fault("over S", "mifa", remembering(lambda G, last, S, N: sum(G) / S), ("gamma is multiplied by N/S",)),
    Fault(
        "idle clients give way",
        "fedgate",
        gated(idle=lambda own, P, K: own - P / K),
        ("where_active(delta, memory - P / K)",),
    ),
    Fault(
        "weights add up to one",
        "fedbuff",
        arrived(
            lambda D, ages: sum(d / (1 + a) for d, a in zip(D, ages, strict=True)) / sum(1 / (1 + a) for a in ages)
        ),
        ("divided by the sum of their weights",),
    ),
    Fault("directions of all", "fedavg-m", directions_of_all, ("x + mean_of_last_of_all(y - x)",)),
    Fault(
        "c by S, and drift without beta",
        "scaffold-m",
        drifting(lambda c, own, g, b: b * c - own + (1 - b) * g, lambda c, d, S, N: c + d / S),
        ("1 / beta * old_c_i", "N / S * (S / N * mean(change))"),
    ),
    Fault(
        "losses by half of q, and a sum over N",
        "q-fedavg",
        fair(lambda f, q: f ** (q / 2)),
        (),
    ),
]


def by_sampled_share(clients, x0, *, K, T, active, eta, gamma, beta):
    """FedCM whose direction is a moving average by the share of the clients that are active."""
    x, g, path = x0, 0 * x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * (beta * clients[i].grad(y, k, t) + (1 - beta) * g)
            ends.append(y)
        part = len(ends) / len(clients)
        fresh = (x - mean(ends)) / (eta * K)
        x, g = x - gamma * fresh, part * fresh + (1 - part) * g
        path.append(x)
    return path


def smoothed_direction(clients, x0, *, K, T, active, eta, gamma, beta):
    """FedCM that keeps a moving average of its directions, and steps by the fresh one."""
    x, g, path = x0, 0 * x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * (beta * clients[i].grad(y, k, t) + (1 - beta) * g)
            ends.append(y)
        fresh = (x - mean(ends)) / (eta * K)
        g = 0.9 * g + 0.1 * fresh
        x = x - gamma * fresh
        path.append(x)
    return path


def velocities_of_clients(clients, x0, *, K, T, active, eta, beta, gamma):
    """FedAvgM with a velocity for every client, of which those of the active ones are averaged."""
    x, v, path = x0, [0 * x0 for _ in clients], [x0]
    for t in range(T):
        for i in active[t]:
            v[i] = beta * v[i] + x - sgd(clients[i], x, eta, K, t)
        x = x - gamma * mean([v[i] for i in active[t]])
        path.append(x)
    return path


def accumulated_memory(clients, x0, *, K, T, active, eta, gamma):
    """MIFA that adds the update of a client to what it keeps of it."""
    x, own, path = x0, [0 * x0 for _ in clients], [x0]
    for t in range(T):
        for i in active[t]:
            own[i] = own[i] + x - sgd(clients[i], x, eta, K, t)
        x = x - gamma * mean(own)
        path.append(x)
    return path


def m_from_first(clients, x0, *, K, T, active, eta, gamma, tau, beta1, beta2):
    """FedAdam whose first moment starts at the first displacement."""
    x, m, v, path = x0, None, 0 * x0 + tau**2, [x0]
    for t in range(T):
        D = mean([sgd(clients[i], x, eta, K, t) for i in active[t]]) - x
        m = D if m is None else beta1 * m + (1 - beta1) * D
        v = beta2 * v + (1 - beta2) * D**2
        x = x + gamma * m / (np.sqrt(v) + tau)
        path.append(x)
    return path


def m_over_all(clients, x0, *, K, T, active, eta, gamma, tau, beta1, beta2):
    """FedAdam whose first moment is made of the sum over the active clients, divided by all."""
    x, m, v, path = x0, 0 * x0, 0 * x0 + tau**2, [x0]
    for t in range(T):
        D = mean([sgd(clients[i], x, eta, K, t) for i in active[t]]) - x
        m = beta1 * m + (1 - beta1) * D * len(active[t]) / len(clients)
        v = beta2 * v + (1 - beta2) * D**2
        x = x + gamma * m / (np.sqrt(v) + tau)
        path.append(x)
    return path


def tracked_late(clients, x0, *, K, T, active, eta):
    """VRL-SGD without the K, and with the correction added to the gradient."""
    x, own, path = x0, [0 * x0 for _ in clients], [x0]
    for t in range(T):
        ends = []
        for i, client in enumerate(clients):
            y = x
            for k in range(K):
                y = y - eta * (client.grad(y, k, t) + own[i])
            ends.append(y)
        x = mean(ends)
        own = [c + (x - y) / eta for c, y in zip(own, ends, strict=True)]
        path.append(x)
    return path


def half_towards(clients, x0, *, K, T, active, eta, rho):
    """FedProx that pulls twice, and whose server goes half of the way."""
    x, path = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * (clients[i].grad(y, k, t) + 2 * rho * (y - x))
            ends.append(y)
        x = x + 0.5 * (mean(ends) - x)
        path.append(x)
    return path


def fading_terms(clients, x0, *, K, T, active, eta, alpha):
    """FedDyn whose linear terms of clients that sit out fade."""
    x, h, path, terms = x0, 0 * x0, [x0], [0 * x0 for _ in clients]
    for t in range(T):
        ends = []
        for i in range(len(clients)):
            if i not in active[t]:
                terms[i] = 0.8 * terms[i]
                continue
            y = x
            for k in range(K):
                y = y - eta * (clients[i].grad(y, k, t) - terms[i] + alpha * (y - x))
            terms[i] = terms[i] - alpha * (y - x)
            ends.append(y)
        h = h - alpha * (sum(ends) - len(ends) * x) / len(clients)
        x = mean(ends) - h / alpha
        path.append(x)
    return path


MORE_TWO = [
    Fault(
        "no eta_pd twice",
        "fedpd",
        primal_dual(lambda v, y, a, e: v + y - a, lambda y, v, e: y + v),
        ("eta_pd * dual",),
    ),
    Fault(
        "half of the recursion twice",
        "mimelite-mvr",
        imitated(lambda g, old, m, a: a * g + (1 - a) * (m - old), lambda c, b, m, a: a * c + (1 - a) * (m - b)),
        ("a * mean(grad f_i(start))", "g is a * g(y)"),
    ),
    Fault(
        "all mixed, half corrected",
        "exact-diffusion",
        diffusion(lambda W, a, X, b: W @ (a + 0.5 * (X - b))),
        ("own is 0.5 * mix(corrected,", "2 * adapted + old_own - old_adapted"),
    ),
    Fault(
        "nothing mixed, twice the change",
        "gradient-tracking",
        tracking(track=lambda W, Y, g, last: Y + 2 * (g - last)),
        (),
    ),
    Fault(
        "half of the memory, twice the gradient",
        "ef-sgd",
        ef_sgd(lambda e, g, eta: 2 * eta * g + e, lambda w, s, e: 0.5 * (w - s)),
        ("wanted is 2 * (eta * g(y)) + 0.5 * old_error",),
    ),
    Fault(
        "betas swapped, and corrected",
        "slowmo",
        slow(lambda x, v, d, b, g, eta: (x - g * eta / b * ((1 - b) * v + d / eta), (1 - b) * v + d / eta)),
        ("(1 - beta) / beta * (beta * old_v) + 1 / beta * (1 / eta * (old_x - y))",),
    ),
    Fault(
        "Yogi's sign, and no weight",
        "fedyogi",
        fedopt(lambda v, D, m, b2: v + D**2 * np.sign(v - D**2)),
        ("with two mistakes", "beta2", "sign(old - square)"),
    ),
    Fault("K is missing, and the sign", "vrl-sgd", tracked_late, ("with two mistakes", "wrong sign", "K is missing")),
    Fault("pulls twice, goes half", "fedprox", half_towards, ("1.8 (y - x)", "x+ = 0.5 x")),
    Fault(
        "half of the bound, and over all clients",
        "dp-fedavg",
        dp_fedavg(lambda D, c, N: sum(cut(d, c / 2) for d in D) / N),
        ("S / N", "4 * sum(v * v)"),
        CLIP,
    ),
    Fault(
        "half a step, and descent",
        "local-sgda",
        saddle(lambda w, g, a, b, k, u: w + both(a / 2, -b) * g(w)),
        ("with two mistakes", "the maximiser descends", "eta_x is 0.05"),
    ),
    Fault(
        "weights swapped, not normalised",
        "nsgdm",
        normalised(lambda m, g: m, lambda m, g, b: b * m + (1 - b) * g),
        ("x is x - eta * m, where the method has x - eta * unit(m)", "beta is 0.7 (1-beta)"),
    ),
]

MORE_STATES = [
    Fault("a smoothed direction", "fedavg-m", smoothed_direction, ("the new g is 0.1 * g + 0.9 * old_g",)),
    Fault("beliefs decay", "ef21", ef21(lambda g, b, k: 0.9 * b + top(g - b, k)), ("0.9 * old_believed + sent",)),
    Fault(
        "m from the first displacement", "fedadam", m_from_first, ("the first moment starts as the first displacement",)
    ),
    Fault("an accumulated memory", "mifa", accumulated_memory, ("mean_refreshed(old_d, fresh)",)),
    Fault(
        "h of the moves, twice in the first round",
        "feddyn",
        dynamic(lambda h, moves, a, N, t: h - (2 if t == 0 else 1) * a / N * sum(moves)),
        (),
    ),
    Fault("duals decay", "led", led(lambda Z, Y, x: 0.9 * Z + Y - x), ("0.9 * old_z + y - x",)),
    Fault(
        "half of the buffers is shared",
        "pr-sgd-m",
        averaged_buffers(keep=lambda own, shared: 0.5 * own + 0.5 * shared),
        (),
    ),
    Fault(
        "the old direction decays",
        "fedglomo",
        two_trajectories(lambda u, D, H, b: b * D + (1 - b) * (0.9 * u + D - H)),
        ("old * (0.9 * u + mean(Q(D - H)))",),
    ),
    Fault(
        "a smoothed variate of the server",
        "scaffold",
        variates(
            common=lambda c, change, own, fresh, S, N: c + 0.5 * change / N,
            fresh=lambda own, c, move: 0.9 * own - c + move,
        ),
        ("0.9 * c_i - common + moved", "mean + 0.5 * (S / N * mean(change))"),
    ),
    Fault(
        "beliefs by beta",
        "ef21-sgdm",
        belief(lambda v, fresh: 0.5 * v + 0.5 * fresh),
        (),
    ),
]

MORE_PARTIAL = [
    Fault(
        "the root of the share",
        "fedavg",
        fedavg(server=lambda x, ends, t, s: x + (len(ends) / len(s["clients"])) ** 0.5 * (mean(ends) - x)),
        ("0.316228 y_1", "where not all clients are active"),
    ),
    Fault(
        "c as a moving average by the share",
        "scaffold",
        variates(common=lambda c, change, own, fresh, S, N: (1 - S / N) * c + S / N * mean(list(fresh.values()))),
        ("mean_refreshed(c, fresh - old_c)",),
    ),
    Fault("terms of idle clients fade", "feddyn", fading_terms, ("0.8 * where_active(",)),
    Fault(
        "P by the share",
        "fedgate",
        gated(
            server=lambda x, P, eta, gamma: x - gamma * eta * P,
            refresh=lambda own, P_i, P, K: own + (P_i - 0.5 * P) / K,
        ),
        ("own - 0.5 * P",),
    ),
    Fault("m over all clients", "fedadam", m_over_all, ("gamma is multiplied by S/N",)),
    Fault(
        "a velocity of every client",
        "fedavg-server-m",
        velocities_of_clients,
        ("every client has a velocity of its own",),
    ),
    Fault("moving average by the share", "fedavg-m", by_sampled_share, ("S / N * g + (1 - S / N) * old_g",)),
    Fault(
        "x by the share", "mifa", remembering(lambda G, last, S, N: S / N * mean(G)), ("gamma is multiplied by S/N",)
    ),
]

FAULTS = [*TWO, *STATES, *PARTIAL, *MORE_TWO, *MORE_STATES, *MORE_PARTIAL]
RIGHT = [
    ("fedgate", gated(), {}),
    ("scaffold", variates(), {}),
    ("feddyn", dynamic(), {}),
]
"""The loops with no fault: right."""
