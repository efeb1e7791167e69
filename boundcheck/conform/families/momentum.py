"""Identities of FedAvg, FedAvg-M and FedAvg-M-VR (the letters I and F number those of momentum-fl)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from boundcheck.conform.checks import LIMIT, ends_at, law, same_iterates
from boundcheck.conform.identity import MethodIdentity
from boundcheck.conform.runs.harness import method, over_clients, use
from boundcheck.conform.runs.small_problems import alone, curved_clients
from boundcheck.methods.base import Card, Method
from boundcheck.methods.fedavg import FedAvgM, MomentumState
from boundcheck.methods.scaffold import ScaffoldState
from boundcheck.problems.synthetic.quadratic import Quadratic

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.runs.harness import Make, SteppedRound
    from boundcheck.problems.base import Array, Problem


STEP: dict[str, float] = {"eta": 0.1, "gamma": 0.4, "beta": 0.3}


@dataclass(frozen=True)
class Rescaled(Method):
    """FedAvg-M or SCAFFOLD-M in the letters of I5: direction g_i - c_i + c + (1-beta) g, steps beta eta, beta gamma."""

    eta: float
    gamma: float
    beta: float
    controlled: bool
    card: ClassVar[Card] = FedAvgM.card

    def init(self, oracle: Any, x0: Any) -> ScaffoldState:
        """Start at rest, with one gradient of every client as control variate if they are used."""
        c_i = oracle.initial(x0, 1) if self.controlled else np.zeros((len(x0), oracle.N, x0.shape[2]))
        return ScaffoldState(x0, 0.0 * x0, c_i, c_i.mean(axis=1, keepdims=True))

    def round(self, oracle: Any, state: Any) -> ScaffoldState:
        """Take K steps on every active client; c is computed from all c_i anew."""
        x, g, c_i, c = state
        y, seen = oracle.to_clients(x), []
        for _ in range(oracle.K):
            seen.append(oracle.grad(y, oracle.draw()))
            y = y - self.beta * self.eta * (seen[-1] - oracle.active(c_i) + c + (1 - self.beta) * g)
        g = (x - oracle.mean(y)) / (self.beta * self.eta * oracle.K)
        c_i = oracle.remember(c_i, np.mean(seen, axis=0)) if self.controlled else c_i
        return ScaffoldState(x - self.beta * self.gamma * g, g, c_i, c_i.mean(axis=1, keepdims=True))


def use_rescaled(*, controlled: bool) -> Make:
    """Return the form of I5 at the numbers of `STEP`."""
    return lambda K: Rescaled(**STEP, controlled=controlled)


def _direction(r: SteppedRound) -> list[Any]:
    return [(r.after.g, 0.3 * r.gradient + 0.7 * r.before.g), (r.after.x, r.before.x - 0.4 * r.after.g)]


def large_batch(r: SteppedRound) -> list[Any]:
    """Return the direction with all gradients of the round taken at the server iterate."""
    at = r.oracle.to_clients(r.before.x)
    fresh = np.mean([over_clients(r.oracle.grad(at, batch)) for batch in r.oracle.record.minibatches], axis=0)
    return [(r.after.g, 0.3 * fresh + 0.7 * r.before.g), (r.after.x, r.before.x - 0.4 * r.after.g)]


def _constant(state: Any) -> Any:
    return MomentumState(state.x, state.g + np.array([0.3, -1.0, 2.0]))


def _frozen(r: SteppedRound) -> list[Any]:
    return [(r.after.g, r.before.g), (r.after.x, r.before.x - 0.4 * r.before.g)]


def _recursive(r: SteppedRound) -> list[Any]:
    fresh, old = (np.mean(part, axis=0).mean(axis=1, keepdims=True) for part in (r.seen[0::2], r.seen[1::2]))
    direction = fresh + 0.7 * (r.before.g - old)
    moved = r.before.x - 0.4 * r.after.g
    return [(r.after.g, direction), (r.after.x, moved), (r.after.previous, r.before.x)]


def root(eta: float, K: int = 5) -> Callable[[Problem], Array]:
    """Return the fixed point of FedAvg on `curved`: sum_i (I - (I - eta A_i)^K)(x - b_i) = 0 with A_i b_i = -a_i."""

    def target(problem: Any) -> Array:
        identity = np.eye(problem.d)
        pulls = [identity - np.linalg.matrix_power(identity - eta * A, K) for A in problem.A]
        centres = [-np.linalg.solve(A, a) for A, a in zip(problem.A, problem.tilts, strict=True)]
        at: Array = np.linalg.solve(sum(pulls), sum(P @ b for P, b in zip(pulls, centres, strict=True)))
        return at

    return target


def _shrinks(r: SteppedRound) -> list[Any]:
    q = (1 - 0.9**r.oracle.K) / (0.1 * r.oracle.K)
    return [(r.after.g - r.before.x, q * 0.7 * (r.before.g - r.before.previous) - (1 - q) * r.before.x)]


def _unit() -> Quadratic:
    return Quadratic(N=3, d=2, mu=1.0, L=1.0, noise="none")


def _steps(r: SteppedRound) -> list[Any]:
    return [(r.after.x, r.before.x - 0.17 * r.oracle.K * r.gradient)]


ALL: tuple[None] = (None,)


_F1: dict[str, Any] = {"on": curved_clients, "T": 250}


MOMENTUM = (
    MethodIdentity(
        "fedavg.step",
        "x+ = x - gamma eta sum_k mean_i g_i(y_ik)",
        law(use("fedavg", eta=0.1, gamma=1.7), _steps),
    ),
    MethodIdentity(
        "fedavg.one-step",
        "K = 1: FedAvg(eta, gamma) = FedAvg(gamma eta, 1)",
        same_iterates(use("fedavg", eta=0.1, gamma=1.7), use("fedavg", eta=0.17), K=(1,)),
    ),
    MethodIdentity(
        "fedavg.one-client",
        "N = 1: FedAvg(eta) = SGD(eta)",
        same_iterates(use("fedavg", eta=0.1), use("sgd", eta=0.1), on=alone, S=ALL),
        also=("sgd",),
    ),
    MethodIdentity(
        "fedavg.tilted-step",
        "K = 1, S = N: FedAvg(eta) = SGD(eta) on f, whatever the clients",
        same_iterates(use("fedavg", eta=0.1), use("sgd", eta=0.1), K=(1,), S=ALL),
        also=("sgd",),
    ),
    MethodIdentity(
        "fedavg.floor",
        "quadratics: x_oo solves sum_i (I - (I - eta A_i)^K) (x - b_i) = 0",
        ends_at(use("fedavg", eta=0.12), root(0.12), **_F1),
    ),
    MethodIdentity(
        "fedavg-m.I1",
        "g+ = beta mean_ik g_i(y_ik) + (1-beta) g and x+ = x - gamma g+ (I1, I4)",
        law(use("fedavg-m", **STEP), _direction),
    ),
    MethodIdentity(
        "fedavg-m.I5",
        "with g/beta, beta eta, beta gamma for g, eta, gamma the local direction is g_i + (1-beta) g",
        same_iterates(use("fedavg-m", **STEP), use_rescaled(controlled=False)),
    ),
    MethodIdentity(
        "fedavg-m.I6",
        "beta = 1: FedAvg-M(eta, gamma) = FedAvg(eta, gamma / (eta K))",
        same_iterates(
            use("fedavg-m", eta=0.1, gamma=0.4, beta=1.0), lambda K: method("fedavg", eta=0.1, gamma=4.0 / K)
        ),
        also=("fedavg",),
    ),
    MethodIdentity(
        "fedavg-m.I7",
        "beta = 0: g+ = g and x+ = x - gamma g, whatever the gradients",
        law(use("fedavg-m", eta=0.1, gamma=0.4, beta=0.0), _frozen, begin=_constant),
    ),
    MethodIdentity(
        "fedavg-m.I8",
        "K = 1: FedAvg-M(eta, gamma, beta) = FedAvg with server momentum(1-beta), server step gamma beta / eta",
        same_iterates(use("fedavg-m", **STEP), use("fedavg-server-m", eta=0.1, beta=0.7, gamma=1.2), K=(1,)),
        also=("fedavg-server-m",),
    ),
    MethodIdentity(
        "fedavg-m.I9",
        "eta -> 0: g+ = beta mean_ik g_i(x) + (1-beta) g, all gradients at the server iterate",
        law(use("fedavg-m", eta=1e-7, gamma=0.4, beta=0.3), large_batch, K=(3,), tolerance=LIMIT),
    ),
    MethodIdentity(
        "fedavg-m.F1",
        "quadratics: FedAvg-M(eta, beta) ends where FedAvg(beta eta) does",
        ends_at(use("fedavg-m", eta=0.3, gamma=0.5, beta=0.5), root(0.15), **_F1),
    ),
    MethodIdentity(
        "fedavg-m-kept.same",
        "all clients: FedAvg-M with g recovered from the last iterate = FedAvg-M",
        same_iterates(use("fedavg-m-kept", **STEP), use("fedavg-m", **STEP), S=ALL),
        also=("fedavg-m",),
    ),
    MethodIdentity(
        "fedavg-m-vr.I1",
        "g+ = mean_ik (g_i(y_ik) - (1-beta) g_i(x_prev)) + (1-beta) g and x+ = x - gamma g+ (I1, I4)",
        law(use("fedavg-m-vr", **STEP), _recursive),
    ),
    MethodIdentity(
        "fedavg-m-vr.I6",
        "beta = 1: FedAvg-M-VR(eta, gamma) = FedAvg(eta, gamma / (eta K))",
        same_iterates(
            use("fedavg-m-vr", eta=0.1, gamma=0.4, beta=1.0),
            lambda K: method("fedavg", eta=0.1, gamma=4.0 / K),
            late=True,
        ),
        also=("fedavg",),
    ),
    MethodIdentity(
        "fedavg-m-vr.I8",
        "K = 1: FedAvg-M-VR(eta, gamma, beta) = minibatch STORM(gamma, a = beta), whatever eta",
        same_iterates(use("fedavg-m-vr", eta=0.7, gamma=0.4, beta=0.3), use("mb-storm", gamma=0.4, a=0.3), K=(1,)),
        also=("mb-storm",),
    ),
    MethodIdentity(
        "fedavg-m-vr.I9",
        "eta -> 0: FedAvg-M-VR(gamma, beta) -> minibatch STORM(gamma, a = beta)",
        same_iterates(
            use("fedavg-m-vr", eta=1e-7, gamma=0.4, beta=0.3),
            use("mb-storm", gamma=0.4, a=0.3),
            K=(3,),
            tolerance=LIMIT,
        ),
        also=("mb-storm",),
    ),
    MethodIdentity(
        "fedavg-m-vr.F2",
        "quadratics: FedAvg-M-VR(eta, beta) ends where FedAvg(eta) does, for every beta",
        ends_at(use("fedavg-m-vr", eta=0.12, gamma=0.4, beta=0.5), root(0.12), on=curved_clients, T=400),
    ),
    MethodIdentity(
        "fedavg-m-vr.F4",
        "f_i = |x|^2/2, q = (1 - (1-eta)^K) / (K eta): g+ - x = q (1-beta) (g - x_prev) - (1-q) x",
        law(use("fedavg-m-vr", **STEP), _shrinks, on=_unit, S=ALL),
    ),
)
