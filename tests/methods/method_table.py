"""One line a method and variant: hyperparameters, legal settings and the straight-line reference.

A new method needs one line here; every contract test then runs on it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import straightline
from method_problems import PlainRidge, Saddle

from boundcheck.methods import METHODS


@dataclass(frozen=True)
class Case:
    """A registered method with hyperparameters; `reference(x0, g, active, K, **numbers)` is optional."""

    name: str
    numbers: dict[str, float]
    options: dict[str, Any] = field(default_factory=dict)
    reference: Callable[..., list] | None = None
    partial: bool = True
    """Whether S < N is legal."""

    @property
    def start(self) -> int:
        """Return the number of draws before the first round."""
        return int("B" in self.options)

    @property
    def kind(self) -> str:
        """Return 'minimise' or 'minimax'."""
        return METHODS[self.name].card.kind

    def method(self, **numbers):
        """Return the method, with some numbers replaced."""
        return METHODS[self.name](**{**self.numbers, **numbers}, **self.options)

    def lane_numbers(self, lanes):
        """Return hyperparameter arrays, one value a lane and no two alike."""
        spread = 1.0 - 0.05 * np.arange(lanes)
        return {name: value * spread for name, value in self.numbers.items()}

    def __str__(self) -> str:
        return "-".join([self.name, *(f"{k}={v}" for k, v in self.options.items())])


def problem_for(case, N=5, d=3, sigma=0.7, noise="phases", zeta=0.8):
    """Return a fresh noisy heterogeneous problem of the kind that the case needs."""
    if case.kind == "minimax":
        return Saddle(N=N, sigma=sigma, kind=noise)
    return PlainRidge(N=N, d=d, zeta=zeta if N > 1 else 0.0, sigma=sigma, noise=noise, omega=1.3)


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


def _fmgda(x0, g, active, K, *, N, chat, c_dual, c1, h, t_flat, synchronised_start=False, **_):
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
    Case("scaffold-m", _MOMENTUM, {"B": 1}, _scaffold_m),
    Case("scaffold-m", _MOMENTUM, {"B": 3}, _scaffold_m),
    Case("fedlalr", _MOMENTS, {"sync": "average"}, _fedlalr),
    Case("fedlalr", _MOMENTS, {"sync": "max"}, _fedlalr),
    Case("fedlalr", _MOMENTS, {"restart": True}, _fedlalr),
    Case("fmgda", _RECURSION, {"B": 1}, _fmgda, partial=False),
    Case("fmgda", _RECURSION, {"B": 2, "synchronised_start": True}, _fmgda, partial=False),
    Case("local-sgda", {"eta_x": 0.1, "eta_y": 0.2}, reference=_local_sgda, partial=False),
]
"""Every registered method, each variant once."""
