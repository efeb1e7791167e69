"""Adagrad and RMSProp on one machine, in the form of a common analysis."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Card, Floor, Hyper, Method, Oracle, Step, Vector, Weight


class SquaresState(NamedTuple):
    """Server iterate, sum of squares and count."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    v: Vector
    """Discounted sum of the squares of all gradients (lanes, 1, d)."""
    n: Vector
    """Steps so far, in every coordinate (lanes, 1, d)."""


@dataclass(frozen=True, kw_only=True)
class _Squares(Method[SquaresState]):
    eta: Step
    eps: Floor

    state_type = SquaresState

    def round(self, oracle: Oracle, state: SquaresState) -> SquaresState:
        """K steps along the mean of the clients' gradients."""
        xp = oracle.xp

        def step(_: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
            x, v, n = carry
            y = oracle.to_clients(x)
            oracle.observe(y)
            g = oracle.mean(oracle.grad(y, oracle.draw()))
            n = n + 1.0
            share, length = self.law(xp, n)
            v = share * v + g * g
            return x - length * g / xp.sqrt(self.eps**2 + v), v, n

        return SquaresState(*oracle.fori(step, tuple(state)))

    @abstractmethod
    def law(self, xp: Any, n: Vector) -> tuple[Hyper, Hyper]:
        """Return the share of the old squares and the step before the n-th one."""


@dataclass(frozen=True, kw_only=True)
class Adagrad(_Squares):
    """Adagrad without momentum.

    Problem: minimise f; g is the mean of the clients' minibatch gradients.

    **Update**: ``v <- v + g^2``, ``x <- x - eta g / sqrt(eps^2 + v)``, K times a round; v starts at 0.

    References: [1] Defossez, Bottou, Bach, Usunier, arXiv:2003.02395, section 2.2.

    Attributes
    ----------
    eta : Hyper
        Step, a length.
    eps : Hyper
        Floor: eps^2 is added to the squares.
    """

    card = Card(
        "adagrad",
        "Adagrad on one machine",
        "field",
        "section 2.2 of arXiv:2003.02395",
        rule="cited",
        up="0",
        down="0",
        partial=False,
        server="2 d",
        distinguishes=("T > 1",),
        cost=1.1,
    )

    def law(self, xp: Any, n: Vector) -> tuple[Hyper, Hyper]:
        """Keep all squares, and the step."""
        return 1.0, self.eta


@dataclass(frozen=True, kw_only=True)
class CorrectedRMSProp(_Squares):
    """Adam without momentum, the correction of its bias in the step.

    Problem: minimise f; g is the mean of the clients' minibatch gradients.

    **Update**: ``v <- beta2 v + g^2``, ``x <- x - eta sqrt((1 - beta2^n)/(1 - beta2)) g / sqrt(eps^2 + v)`` in step n,
    K times a round; v starts at 0.

    References: [1] Defossez, Bottou, Bach, Usunier, arXiv:2003.02395, section 2.2.

    Attributes
    ----------
    eta : Hyper
        Step, a length.
    eps : Hyper
        Floor: eps^2 is added to the squares.
    beta2 : Hyper
        Share of the old squares.
    """

    beta2: Weight

    card = Card(
        "rmsprop-corrected",
        "Adam without momentum on one machine",
        "field",
        "section 2.2 of arXiv:2003.02395",
        rule="cited",
        up="0",
        down="0",
        partial=False,
        server="2 d",
        distinguishes=("beta2", "T > 1"),
        cost=1.4,
    )

    def law(self, xp: Any, n: Vector) -> tuple[Hyper, Hyper]:
        """Forget squares, and let the step grow to its limit."""
        return self.beta2, self.eta * xp.sqrt((1.0 - self.beta2**n) / (1.0 - self.beta2))
