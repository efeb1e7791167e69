"""SNVRG on one machine: a gradient estimator with nested reference points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boundcheck.errors import require_count
from boundcheck.methods.base import Card, Method, Oracle, ServerState, Step, Vector
from boundcheck.methods.central import mean_grad, show_at_clients
from boundcheck.methods.estimators import starting_gradients


@dataclass(frozen=True, kw_only=True)
class SNVRG(Method[ServerState]):
    """Stochastic nested variance reduction.

    Problem: minimise f.

    **Update**, a round is one epoch of K steps t = 0, 1, ...: all references ``r_l = x``, ``g_0 = grad f(x)`` and no
    other g_l.  At t > 0 level l = 1..depth starts anew if base^(depth-l) divides t; with j the first level that does
    and r the reference of the level above it, on a fresh minibatch ``g_j <- G(x) - G(r)``; below it the g_l become 0,
    and from it on the r_l become x.  Every step is ``x <- x - eta sum_l g_l``; the last iterate is kept (the analysis
    takes one at random).

    **Guarantee**: none in the papers under audit; depth = 1 is SVRG's estimator.

    References: [1] Zhou, Xu, Gu, arXiv:1806.07811.  The source takes larger minibatches in the outer levels; here all
    have the run's.

    Attributes
    ----------
    eta : Hyper
        Step, 1/(10 M) with M >= L in the source.
    depth : int
        Levels of reference points below the epoch's own.
    base : int
        Steps of a level in one step of the level above it.
    batch : int
        Samples of the gradient that starts a round; 0 is exact.
    """

    eta: Step
    depth: int = 2
    base: int = 2
    batch: int = 0

    card = Card(
        "snvrg",
        "SNVRG on one machine",
        "fedglomo",
        "rule from the cited work (Zhou et al. 2018)",
        rule="cited",
        gradients="2(K-1) + 1 full",
        up="0",
        down="0",
        partial=False,
        needs=("exact gradients", "same sample"),
        note="with N > 1 clients d floats go up and down a client and step",
        distinguishes=("depth", "base", "K > 1", "noise"),
        cost=1.2,
    )

    def __post_init__(self) -> None:
        """Check the two numbers of the nest."""
        require_count(self.depth, "snvrg: depth")
        require_count(self.base, "snvrg: base")

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """One epoch."""
        x = state.x
        g = oracle.mean(starting_gradients(oracle, (show_at_clients(oracle, x),), self.batch)[0])
        none = (0.0 * x,) * self.depth
        carry = x - self.eta * g, (x,) * self.depth, (g, *none)

        def step(k: Any, carry: tuple[Vector, tuple[Vector, ...], tuple[Vector, ...]]) -> Any:
            x, references, parts = carry
            references, parts = self.refresh(oracle, k + 1, x, references, parts)
            return x - self.eta * sum(parts[1:], parts[0]), references, parts

        return ServerState(oracle.fori(step, carry, oracle.K - 1)[0])

    def refresh(
        self, oracle: Oracle, t: Any, x: Vector, references: tuple[Vector, ...], parts: tuple[Vector, ...]
    ) -> tuple[tuple[Vector, ...], tuple[Vector, ...]]:
        """Return references r_0..r_(depth-1) and parts g_0..g_depth after the levels that start at step t did."""
        where, levels = oracle.xp.where, range(1, self.depth + 1)
        starts = [True if l == self.depth else t % self.base ** (self.depth - l) == 0 for l in levels]
        before = references[-1]
        for level in reversed(levels[:-1]):
            before = where(starts[level - 1], references[level - 1], before)
        batch = oracle.draw()
        change = oracle.mean(oracle.grad(show_at_clients(oracle, x), batch)) - mean_grad(oracle, before, batch)
        news, earlier = [parts[0]], False
        for level in levels:
            begins = starts[level - 1]
            news.append(where(begins, where(earlier, 0.0 * change, change), parts[level]))
            earlier = begins
        kept = (references[0], *(where(starts[l - 1], x, references[l]) for l in levels[:-1]))
        return kept, tuple(news)
