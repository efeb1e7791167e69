"""Whether a comparison asked what distinguishes the method, or a simpler one has the same iterates at all of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.harness import method as built
from boundcheck.conform.identity import TOLERANCE
from boundcheck.methods.base import SITUATIONS, Card, Method, ServerState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.conform.replay import RecordedRun
    from boundcheck.methods.base import Oracle

SIMPLE = ("fedavg", "fedgate", "fedavg-local-m", "fedavg-server-m", "fedprox")
"""Methods that others are while what distinguishes them is off."""
_SERVER_STEP = "gamma"
"""A server step is a number of many methods, and makes none of them."""
_MEANING = {
    "fewest": "fewest (clients that make K_i steps of their own)",
    "quantiser": "quantiser (compressed messages)",
    "beta": "beta (momentum)",
    "rho": "rho (the proximal term)",
    "mu": "mu (local momentum)",
}


@dataclass(frozen=True, kw_only=True)
class ExactDescent(Method[ServerState]):
    """Gradient descent on f, for comparisons only."""

    gamma: Any

    card = Card("descent", "gradient descent", "", "", partial=False)

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """Take one step along the mean of all exact gradients."""
        return ServerState(state.x - self.gamma * oracle.mean_all(oracle.full_all(state.x)))


def what_was_not_asked(made: Method, runs: Sequence[RecordedRun]) -> tuple[str, tuple[str, ...]]:
    """Return the title of the simpler method that ours is in all its runs, and the sentence; nothing if it is none.

    Only a method with a hyperparameter that distinguishes it and is neutral can be another one without being wrong.
    """
    neutral = [name for name in made.card.distinguishes if name not in SITUATIONS and _is_neutral(made, name)]
    if not neutral:
        return "", ()
    for simple in _simpler(made):
        if all(_same(run, simple) for run in runs):
            words = " and ".join(_MEANING.get(name, name) for name in neutral)
            title = simple.card.title
            return title, (_words(made.card.title, words, title),)
    return "", ()


def _words(method: str, left_out: str, simple: str) -> str:
    return (
        f"the iterates agree as far as asked: nothing that makes it {method} was. With {left_out} left out, the method "
        f"is {simple}: let the function take what is left out, or give it with --set"
    )


def _is_neutral(made: Method, name: str) -> bool:
    value = getattr(made, name)
    return name != _SERVER_STEP and (value is None or value == "none" or value in (0.0, 1.0))


def _simpler(made: Method) -> list[Method]:
    numbers = vars(made)
    found: list[Method] = [ExactDescent(gamma=numbers["gamma"])] if "gamma" in numbers else []
    for name in SIMPLE:
        if name == made.card.id or "eta" not in numbers:
            continue
        wanted = {"fedavg-local-m": ("mu",), "fedavg-server-m": ("beta",), "fedprox": ("rho",)}.get(name, ())
        if all(one in numbers for one in wanted):
            gamma = {"gamma": numbers.get("gamma", 1.0)} if name in {"fedavg", "fedgate", "fedavg-server-m"} else {}
            found.append(built(name, eta=made.eta, **gamma, **{one: numbers[one] for one in wanted}))  # type: ignore[attr-defined]
    return found


def _same(run: RecordedRun, simple: Method) -> bool:
    begun = run.iterates(lambda K: simple, rounds=1)
    scale = np.abs(run.path).max()
    if not np.abs(begun - run.path[:2]).max() <= TOLERANCE * scale:
        return False
    return bool(np.abs(run.iterates(lambda K: simple) - run.path).max() <= TOLERANCE * scale)
