"""Local steps of another optimiser than the method's: Adam, RMSprop, Adagrad, Nesterov's momentum, optimistic steps.

With the numbers that the libraries have for defaults; from a fresh memory in every round, or from a lasting one.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.faults.changes import change_gradients
from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.faults.wrong_oracle import OracleProxy, lasting_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.methods.base import Vector

    Memory = dict[str, Vector]
    Rule = Callable[[Memory, Vector, Vector], Vector]
    """The direction, given what the client keeps (which the rule refreshes), the gradient and the point."""


class OtherOptimiser(OracleProxy):
    """Gives the direction of another optimiser in the place of every gradient."""

    def __init__(self, oracle: Any, rule: Rule, *, lasting: bool) -> None:
        super().__init__(oracle)
        self._rule, self._lasting = rule, lasting
        self._fresh: Memory = {}

    def grad(self, y: Vector, batch: Any) -> Vector:
        """Return the direction."""
        g = self._oracle.grad(y, batch)
        if not self._lasting:
            return self._rule(self._fresh, g, y)
        memory = lasting_memory(self)
        everyone: Memory = memory.setdefault("optimisers", {})
        own = {name: self._oracle.active(rows) for name, rows in everyone.items()}
        direction = self._rule(own, g, y)
        for name, rows in own.items():
            before = everyone.get(name, self._oracle.to_all(0.0 * g[:, :1]))
            everyone[name] = self._oracle.remember(before, rows)
        return direction


def _adam(memory: Memory, g: Vector, y: Vector, *, decay: float = 0.0, eps: float = 1e-8) -> Vector:
    memory["n"] = memory.get("n", 0.0 * g) + 1.0
    memory["m"] = 0.9 * memory.get("m", 0.0 * g) + 0.1 * g
    memory["v"] = 0.999 * memory.get("v", 0.0 * g) + 0.001 * g * g
    mean, square = memory["m"] / (1.0 - 0.9 ** memory["n"]), memory["v"] / (1.0 - 0.999 ** memory["n"])
    return mean / (np.sqrt(square) + eps) + decay * y


def _rmsprop(memory: Memory, g: Vector, y: Vector, *, by: float, eps: float) -> Vector:
    memory["v"] = by * memory.get("v", 0.0 * g) + (1.0 - by) * g * g
    return g / (np.sqrt(memory["v"]) + eps)


def _adagrad(memory: Memory, g: Vector, y: Vector, *, start: float, eps: float) -> Vector:
    memory["v"] = memory.get("v", 0.0 * g + start) + g * g
    return g / (np.sqrt(memory["v"]) + eps)


def _nesterov(memory: Memory, g: Vector, y: Vector, *, mu: float) -> Vector:
    memory["u"] = mu * memory.get("u", 0.0 * g) + g
    return g + mu * memory["u"]


def _heavy_ball(memory: Memory, g: Vector, y: Vector, *, mu: float, damp: float) -> Vector:
    memory["u"] = mu * memory.get("u", 0.0 * g) + damp * g
    return memory["u"]


def _optimistic(memory: Memory, g: Vector, y: Vector, *, from_zero: bool) -> Vector:
    before = memory.get("before", 0.0 * g if from_zero else g)
    memory["before"] = g
    return 2.0 * g - before


_RULES: dict[str, tuple[str, Rule]] = {
    "adam": ("Adam (0.9, 0.999, bias corrections), the default of the libraries,", _adam),
    "adam-keras": ("Adam (0.9, 0.999, bias corrections, 1e-7)", partial(_adam, eps=1e-7)),
    "adamw": ("AdamW (0.9, 0.999, bias corrections, weight decay 0.01)", partial(_adam, decay=0.01)),
    "rmsprop": ("RMSprop (0.99)", partial(_rmsprop, by=0.99, eps=1e-8)),
    "rmsprop-0.9": ("RMSprop (0.9)", partial(_rmsprop, by=0.9, eps=1e-7)),
    "adagrad": ("Adagrad (sums of squares from 0)", partial(_adagrad, start=0.0, eps=1e-10)),
    "adagrad-0.1": ("Adagrad (sums of squares from 0.1)", partial(_adagrad, start=0.1, eps=1e-7)),
    **{
        f"heavy-{mu:g}-{damp:g}": (
            f"a local heavy ball, mu = {mu:g}{'' if damp == 1.0 else ' (damped by 1 - mu)'}, a momentum,",
            partial(_heavy_ball, mu=mu, damp=damp),
        )
        for mu in (0.9, 0.5, 0.99, 0.95, 0.1)
        for damp in (1.0, 1.0 - mu)
    },
    **{
        f"nesterov-{mu:g}": (f"a gradient with Nesterov's momentum of {mu:g}", partial(_nesterov, mu=mu))
        for mu in (0.9, 0.5, 0.99)
    },
    "optimistic": ("an optimistic gradient, 2 g_k - g_(k-1),", partial(_optimistic, from_zero=False)),
    "optimistic-zero": (
        "an optimistic gradient, 2 g_k - g_(k-1) with g_(-1) = 0 (so that the first step is 2 g_0),",
        partial(_optimistic, from_zero=True),
    ),
}


def _optimiser(words: str, rule: Rule, *, lasting: bool) -> Mistake:
    keeps = ", of which a client keeps the memory from round to round" if lasting else ""
    return Mistake(
        f"the local steps are made by {words} in the place of the gradient{keeps}",
        oracle=lambda r: OtherOptimiser(r.oracle, rule, lasting=lasting),
    )


def _sum_gradients(memory: Memory, g: Vector, y: Vector, *, every: int, by: float, last: int | None) -> Vector:
    memory["n"] = memory.get("n", 0.0 * g) + 1.0
    total = memory.get("sum", 0.0 * g) + g
    n = int(memory["n"].flat[0])
    moves = n % every == 0 or n == last
    memory["sum"] = 0.0 * g if moves else total
    return by * total if moves else 0.0 * g


def _accumulate(every: int, *, average: bool, flush: bool) -> Mistake:
    how = "averaged" if average else "added up"
    rest = "the rest at the end of the round is used too" if flush else "the rest at the end of the round is lost"
    return Mistake(
        f"gradients are accumulated: those of {every} local steps are {how} and make one step; {rest}",
        oracle=lambda r: OtherOptimiser(
            r.oracle,
            partial(_sum_gradients, every=every, by=1.0 / every if average else 1.0, last=r.K if flush else None),
            lasting=False,
        ),
    )


class SecondGradient(OracleProxy):
    """Takes a second gradient on the sample, where a step along the first one leads to, in its place or besides."""

    def __init__(self, oracle: Any, eta: Any, *, besides: bool) -> None:
        super().__init__(oracle)
        self._eta, self._besides = eta, besides

    def grad(self, y: Vector, batch: Any) -> Vector:
        """Return the second gradient, or the sum of both."""
        g: Vector = self._oracle.grad(y, batch)
        second: Vector = self._oracle.grad(y - self._eta * g, batch)
        return g + second if self._besides else second


OPTIMISERS = {
    "ahead": Mistake(
        "every gradient is taken where a step along the gradient leads to, on the same sample: a step of an inner loop "
        "(first-order MAML, as in Per-FedAvg) or of the extragradient method",
        oracle=lambda r: SecondGradient(r.oracle, r.m.eta, besides=False),
    ),
    "two-steps": Mistake(
        "two steps are made on every sample in the place of one",
        oracle=lambda r: SecondGradient(r.oracle, r.m.eta, besides=True),
    ),
    **{f"{name}-fresh": _optimiser(words, rule, lasting=False) for name, (words, rule) in _RULES.items()},
    **{
        f"accumulate-{every}-{average}-{flush}": _accumulate(every, average=average, flush=flush)
        for every in (2, 3, 4)
        for average in (True, False)
        for flush in (True, False)
    },
    "centred": Mistake(
        "the mean of its entries is subtracted from every gradient (gradient centralisation)",
        **change_gradients(lambda r, g, y: g - g.mean(axis=-1, keepdims=True)),
    ),
}
"""For methods of K local steps."""
LASTING = tuple(_optimiser(words, rule, lasting=True) for words, rule in reversed(_RULES.values()))
"""For every method, the simplest first: of a method that takes signs a plain momentum and Adam are the same."""
