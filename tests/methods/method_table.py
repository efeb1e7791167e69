"""One line a method and variant: hyperparameters, legal settings and the straight-line reference.

A new method needs one line here; every contract test then runs on it.
"""

import method_table_adaptive
import method_table_memory
import method_table_network
import method_table_variance
import numpy as np
import straightline
from method_case import Case, problem_for

__all__ = ["CASES", "Case", "problem_for"]


def _fedavg(x0, g, active, K, *, eta, gamma=1.0):
    return straightline.fedavg(x0, g, K=K, active=active, eta=eta, gamma=gamma * eta * K)[0]


def _fedavg_m(x0, g, active, K, *, eta, gamma, beta):
    return straightline.fedavg_m(x0, g, K=K, active=active, eta=eta, gamma=gamma, beta=beta)[0]


def _scaffold_m(x0, g, active, K, *, N, eta, gamma, beta, **_):
    controls = [g(0, -1, i)(x0) for i in range(N)]
    step = {"eta": eta, "gamma": gamma, "beta": beta}
    return straightline.scaffold_m(x0, g, N=N, K=K, active=active, controls=controls, **step)[0]


def _fedlalr(x0, g, active, K, *, eta, **rest):
    return straightline.fedlalr(x0, g, K=K, active=active, alpha=eta, **rest)[0]


def _fmgda(x0, g, active, K, *, N, chat, c_dual, c1, h, t_flat, synchronised_start=False, averaged_old=False, **_):
    def eta(t):
        return h / (max(1.5, t_flat - t) + t) ** (1 / 3)

    def weight(t):
        return c1 * eta(t) ** 2

    path = straightline.fmgda(
        x0[:3],
        x0[3:],
        g,
        N=N,
        K=K,
        R=len(active),
        chat=chat,
        c=c_dual,
        eta=eta,
        alpha=weight,
        beta=weight,
        synchronised=synchronised_start,
        averaged_old=averaged_old,
    )[0]
    return [np.concatenate(pair) for pair in path]


def _local_sgda(x0, g, active, K, *, N, **steps):
    path = straightline.local_sgda(x0[:3], x0[3:], g, N=N, K=K, R=len(active), **steps)[0]
    return [np.concatenate(pair) for pair in path]


_MOMENTS = {"eta": 0.1, "beta1": 0.6, "beta2": 0.7, "eps": 0.3}
_RECURSION = {"chat": 0.2, "c_dual": 0.4, "c1": 0.9, "h": 1.1, "t_flat": 4.0}
_MOMENTUM = {"eta": 0.1, "gamma": 0.4, "beta": 0.3}

CASES = [
    Case("fedavg", {"eta": 0.1}, reference=_fedavg),
    Case("fedavg", {"eta": 0.1, "gamma": 1.7}, reference=_fedavg),
    Case("fedavg-m", _MOMENTUM, reference=_fedavg_m),
    Case("fedavg-m-kept", _MOMENTUM, reference=_fedavg_m, partial=False),
    Case("scaffold-m", _MOMENTUM, {"B": 1}, _scaffold_m),
    Case("scaffold-m", _MOMENTUM, {"B": 3}, _scaffold_m),
    Case("fedlalr", _MOMENTS, {"sync": "average"}, _fedlalr),
    Case("fedlalr", _MOMENTS, {"sync": "max"}, _fedlalr),
    Case("fedlalr", _MOMENTS, {"restart": True}, _fedlalr),
    Case("fmgda", _RECURSION, {"B": 1}, _fmgda, partial=False),
    Case("fmgda", _RECURSION, {"B": 2, "synchronised_start": True}, _fmgda, partial=False),
    Case("fmgda", _RECURSION, {"B": 1, "averaged_old": True}, _fmgda, partial=False),
    Case("local-sgda", {"eta_x": 0.1, "eta_y": 0.2}, reference=_local_sgda, partial=False),
    *method_table_adaptive.CASES,
    *method_table_variance.CASES,
    *method_table_memory.CASES,
    *method_table_network.CASES,
]
"""Every registered method, each variant once."""
