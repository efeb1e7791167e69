"""Mistakes in normalised and in compressed messages: FedNova and EF21."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.mistakes.rounding import in_half_precision
from boundcheck.conform.wrong import Mistake
from boundcheck.conform.wrong_oracle import ChangedAverages, OracleProxy, by_size, lasting_memory
from boundcheck.methods.field.top import top

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.methods.base import Vector


class _OtherMeans(OracleProxy):
    """Gives FedNova another tau_eff, and another average of the normalised displacements d_i = (y_i - x)/n_i."""

    def __init__(
        self,
        oracle: Any,
        steps: Callable[[Any, Vector], Any],
        average: Callable[[Any, Vector, Vector], Vector] | None = None,
    ) -> None:
        super().__init__(oracle)
        self._steps, self._average = steps, average
        self._n: Any = None

    def mean(self, v: Vector, *, free: bool = False) -> Vector:
        """Return tau_eff at the first question of a round and the average at the second."""
        if self._n is None:
            self._n = v
            return self._steps(self._oracle, v)
        return self._oracle.mean(v, free=free) if self._average is None else self._average(self._oracle, v, self._n)


def _means(steps: Callable[[Any, Vector], Any], average: Any = None) -> Callable[..., Any]:
    return lambda m, oracle, state: _OtherMeans(oracle, steps, average)


def _by_steps(oracle: Any, d: Vector, n: Vector) -> Vector:
    return oracle.mean(n * n * d) / oracle.mean(n)


def _most_steps(oracle: Any) -> Any:
    return getattr(oracle, "most_steps", oracle.K)


FEDNOVA = {
    "plain": Mistake(
        "the displacements are not normalised by the clients' steps K_i: it is FedAvg with K_i steps",
        oracle=_means(lambda oracle, n: 1.0, lambda oracle, d, n: oracle.mean(n * d)),
    ),
    "no-steps": Mistake(
        "tau_eff is missing: the normalised displacements are averaged and not multiplied by the mean of the K_i",
        oracle=_means(lambda oracle, n: 1.0),
    ),
    "K": Mistake(
        "tau_eff is K and not the mean of the active clients' K_i", oracle=_means(lambda oracle, n: _most_steps(oracle))
    ),
    "over-K": Mistake(
        "the displacements are divided by K and not by the clients' own K_i",
        oracle=_means(lambda oracle, n: oracle.mean(n), lambda oracle, d, n: oracle.mean(n * d) / _most_steps(oracle)),
    ),
    "largest": Mistake(
        "tau_eff is the largest K_i of the active clients and not their mean",
        oracle=_means(lambda oracle, n: n.max(axis=1, keepdims=True)),
    ),
    "tau-by-sizes": Mistake(
        "tau_eff is the mean of the K_i weighted by the clients' sizes n_i/n, where the method gives all of them the "
        "same weight",
        oracle=_means(lambda oracle, n: by_size(oracle)(n, n[:, :1])),
    ),
    "harmonic": Mistake(
        "tau_eff is the harmonic mean of the active clients' K_i and not their mean",
        oracle=_means(lambda oracle, n: 1.0 / oracle.mean(1.0 / n)),
    ),
    "root-square": Mistake(
        "tau_eff is the root of the mean of the K_i^2 and not their mean",
        oracle=_means(lambda oracle, n: oracle.mean(n * n) ** 0.5),
    ),
    "sum": Mistake(
        "tau_eff is the sum of the K_i and not their mean", oracle=_means(lambda oracle, n: oracle.S * oracle.mean(n))
    ),
    "everybody": Mistake(
        "tau_eff is the mean of the K_i of all N clients and not of the active ones",
        oracle=lambda m, oracle, state: _OtherMeans(oracle, lambda _, n: oracle.mean_all(state.steps)),
    ),
    "by-steps": Mistake(
        "the displacements are weighted by the clients' steps K_i and not normalised",
        oracle=_means(lambda oracle, n: 1.0, _by_steps),
    ),
}
"""Of FedNova with K_i steps."""


def _believe(rule: Callable[[Any, Any, Any], Any]) -> Callable[..., Any]:
    """Return the server rule whose believed gradients are ``rule(m, exact gradients at x+, what was believed)``."""

    def server(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
        return after._replace(believed=rule(m, oracle.full_all(after.x), state.believed))

    return server


def _start(rule: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    return lambda m, oracle, state: state._replace(believed=rule(m, oracle.full_all(state.x)))


def _send(m: Any, v: Vector) -> Vector:
    return top(np, v, m.k)


def _estimate(factor: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Return the server rule with an estimate of its own, which moves by a factor of what the clients send."""

    def server(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
        memory = lasting_memory(oracle)
        estimate = memory.get("estimate", oracle.mean_all(state.believed))
        x = state.x - m.gamma * estimate
        sent = _send(m, oracle.full_all(x) - state.believed)
        memory["estimate"] = estimate + factor(m, oracle) * oracle.mean_all(sent)
        return after._replace(x=x, believed=state.believed + sent)

    return server


def _send_back(m: Any, oracle: Any, state: Any) -> ChangedAverages:
    return ChangedAverages(oracle, lambda _, mean: _send(m, mean))


SENT_BACK = {
    "sent-back": Mistake(
        "the average is compressed once more before the server uses it, without error feedback of its own",
        oracle=_send_back,
    ),
}
"""Of methods that send the k largest entries."""
EF21 = {
    **SENT_BACK,
    "half": Mistake(
        "messages are sent in half precision (float16)",
        server=_believe(lambda m, g, old: old + in_half_precision(_send(m, g - old))),
    ),
    "estimate-gamma": Mistake(
        "the server's estimate moves by gamma times what is sent, and not by all of it",
        server=_estimate(lambda m, oracle: m.gamma),
    ),
    "estimate-sum": Mistake(
        "the server's estimate moves by the sum of what is sent and not by its mean",
        server=_estimate(lambda m, oracle: oracle.N),
    ),
    "estimate-twice": Mistake(
        "the server's estimate moves by what is sent divided by N twice",
        server=_estimate(lambda m, oracle: 1.0 / oracle.N),
    ),
    "direct": Mistake(
        "there is no error feedback: the gradient itself is compressed and not what the server lacks of it",
        server=_believe(lambda m, g, old: _send(m, g)),
    ),
    "start-zero": Mistake(
        "what the server believes starts at 0 and not at the compressed gradients", start=_start(lambda m, g: 0.0 * g)
    ),
    "start-full": Mistake(
        "what the server believes starts at the whole gradients and not at compressed ones",
        start=_start(lambda m, g: g),
    ),
    "forgotten": Mistake(
        "what is sent stands in the place of what is believed and is not added to it",
        server=_believe(lambda m, g, old: _send(m, g - old)),
    ),
    "sign": Mistake(
        "what is sent is subtracted from what is believed and not added to it",
        server=_believe(lambda m, g, old: old - _send(m, g - old)),
    ),
}
"""Of EF21."""
