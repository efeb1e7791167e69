"""Mistakes in normalised and in compressed messages: FedNova and EF21."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.faults.changes import (
    change_averages,
    change_oracle,
    change_state,
    set_first,
    set_new,
    tabulate,
)
from boundcheck.conform.faults.wrong_oracle import OracleProxy, by_size, lasting_memory
from boundcheck.conform.mistakes.rounding import in_half_precision
from boundcheck.methods.field.top import top

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.faults.changes import Pieces
    from boundcheck.conform.faults.wrong import Round
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


def _means(steps: Callable[[Any, Vector], Any], average: Any = None) -> Pieces:
    return change_oracle(lambda r: _OtherMeans(r.oracle, steps, average))


def _most_steps(oracle: Any) -> Any:
    return getattr(oracle, "most_steps", oracle.K)


def _momentum_steps(n: Vector, rho: float) -> Vector:
    """Return by how much momentum makes n steps longer, together."""
    return (n - rho * (1.0 - rho**n) / (1.0 - rho)) / (1.0 - rho)


FEDNOVA = tabulate(
    {
        "the displacements are not normalised by the clients' steps K_i: it is FedAvg with K_i steps": _means(
            lambda oracle, n: 1.0, lambda oracle, d, n: oracle.mean(n * d)
        ),
        "tau_eff is missing: the normalised displacements are averaged and not multiplied by the mean of the K_i": (
            _means(lambda oracle, n: 1.0)
        ),
        "tau_eff is K and not the mean of the active clients' K_i": _means(lambda oracle, n: _most_steps(oracle)),
        "the displacements are divided by K and not by the clients' own K_i": _means(
            lambda oracle, n: oracle.mean(n), lambda oracle, d, n: oracle.mean(n * d) / _most_steps(oracle)
        ),
        "tau_eff is the largest K_i of the active clients and not their mean": _means(
            lambda oracle, n: n.max(axis=1, keepdims=True)
        ),
        "tau_eff is the mean of the K_i weighted by the clients' sizes n_i/n, where the method gives all of them the "
        "same weight": _means(lambda oracle, n: by_size(oracle)(n, n[:, :1])),
        "tau_eff is the median K_i of the active clients and not their mean": _means(
            lambda oracle, n: np.median(n, axis=1, keepdims=True)
        ),
        "tau_eff is rounded down to a whole number, and is the mean of the K_i": _means(
            lambda oracle, n: np.floor(oracle.mean(n) + 1e-9)
        ),
        "tau_eff is rounded to a whole number, and is the mean of the K_i": _means(
            lambda oracle, n: np.round(oracle.mean(n))
        ),
        "the displacements are divided by K_i twice": _means(
            lambda oracle, n: oracle.mean(n), lambda oracle, d, n: oracle.mean(d / n)
        ),
        "tau_eff is the harmonic mean of the active clients' K_i and not their mean": _means(
            lambda oracle, n: 1.0 / oracle.mean(1.0 / n)
        ),
        "tau_eff is the root of the mean of the K_i^2 and not their mean": _means(
            lambda oracle, n: oracle.mean(n * n) ** 0.5
        ),
        "tau_eff is the sum of the K_i and not their mean": _means(lambda oracle, n: oracle.S * oracle.mean(n)),
        "tau_eff is the mean of the K_i of all N clients and not of the active ones": change_oracle(
            lambda r: _OtherMeans(r.oracle, lambda _, n: r.oracle.mean_all(r.old.steps))
        ),
        "the displacements are weighted by the clients' steps K_i and not normalised": _means(
            lambda oracle, n: 1.0, lambda oracle, d, n: oracle.mean(n * n * d) / oracle.mean(n)
        ),
        **{
            f"the displacements are normalised by the length a_i that K_i steps have with a local momentum of {rho:g}, "
            "where the steps have none and a_i is K_i": _means(
                lambda oracle, n, rho=rho: oracle.mean(_momentum_steps(n, rho)),  # type: ignore[misc]
                lambda oracle, d, n, rho=rho: oracle.mean(n * d / _momentum_steps(n, rho)),
            )
            for rho in (0.9, 0.5)
        },
    }
)
"""Of FedNova with K_i steps."""


def _send(r: Round, v: Vector) -> Vector:
    return top(np, v, r.m.k)


def _believe(rule: Callable[[Round, Vector], Vector]) -> Pieces:
    """Return the piece whose believed gradients are ``rule(round, exact gradients at x+)``."""
    return set_new(believed=lambda r: rule(r, r.oracle.full_all(r.new.x)))


def _start(factor: float) -> Pieces:
    return set_first(believed=lambda r: factor * r.oracle.full_all(r.old.x))


def _estimate(factor: Callable[[Round], Any]) -> Pieces:
    """Return the piece with an estimate of the server's own, which moves by a factor of what the clients send."""

    def server(r: Round) -> Any:
        memory = lasting_memory(r.oracle)
        estimate = memory.get("estimate", r.oracle.mean_all(r.old.believed))
        x = r.old.x - r.m.gamma * estimate
        sent = _send(r, r.oracle.full_all(x) - r.old.believed)
        memory["estimate"] = estimate + factor(r) * r.oracle.mean_all(sent)
        return r.new._replace(x=x, believed=r.old.believed + sent)

    return change_state(server)


_MOVES = "the server's estimate moves by"
SENT_BACK = tabulate(
    {
        "the average is compressed once more before the server uses it, without error feedback of its own": (
            change_averages(lambda r, rows, mean: _send(r, mean))
        )
    }
)
"""Of methods that send the k largest entries."""
EF21 = (
    *SENT_BACK,
    *tabulate(
        {
            "messages are sent in half precision (float16)": _believe(
                lambda r, g: r.old.believed + in_half_precision(_send(r, g - r.old.believed))
            ),
            f"{_MOVES} gamma times what is sent, and not by all of it": _estimate(lambda r: r.m.gamma),
            f"{_MOVES} the sum of what is sent and not by its mean": _estimate(lambda r: r.N),
            f"{_MOVES} what is sent divided by N twice": _estimate(lambda r: 1.0 / r.N),
            "there is no error feedback: the gradient itself is compressed and not what the server lacks of it": (
                _believe(_send)
            ),
            "what the server believes starts at 0 and not at the compressed gradients": _start(0.0),
            "what the server believes starts at the whole gradients and not at compressed ones": _start(1.0),
            "what is sent stands in the place of what is believed and is not added to it": _believe(
                lambda r, g: _send(r, g - r.old.believed)
            ),
            "what is sent is subtracted from what is believed and not added to it": _believe(
                lambda r, g: r.old.believed - _send(r, g - r.old.believed)
            ),
        }
    ),
)
"""Of EF21."""
