"""Whether a comparison asked what distinguishes the method, or a simpler one has the same iterates at all of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.identity import TOLERANCE
from boundcheck.conform.runs.harness import method as built
from boundcheck.errors import BoundcheckError
from boundcheck.methods.base import SITUATIONS, Card, Method, ServerState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.methods.base import Oracle
    from boundcheck.problems.base import Array

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


def what_was_not_asked(
    made: Method, runs: Sequence[RecordedRun], passed: Iterable[str] = ()
) -> tuple[str, tuple[str, ...]]:
    """Return what was not asked, and the sentence: the simpler method that ours is in all its runs, h, or numbers.

    Only a method with a hyperparameter that distinguishes it and is neutral can be another one without being wrong.
    Of the hyperparameters that the code is passed, those count that change some run.
    """
    asked = {*SITUATIONS, _SERVER_STEP}
    neutral = [
        name
        for name in made.card.distinguishes
        if name not in asked and ((value := getattr(made, name)) is None or value in ("none", 0.0, 1.0))
    ]
    for simple in _simpler(made) if neutral else ():
        if all(_are_same(run, run.path_of(simple, rounds=1)) for run in runs) and all(
            _are_same(run, run.path_of(simple)) for run in runs
        ):
            words = " and ".join(_MEANING.get(name, name) for name in neutral)
            title = simple.card.title
            return title, (_words(made.card.title, words, title),)
    if runs[0].takes_penalty:
        words = "the iterates agree as far as asked: the penalty h, whose prox the method takes, is 0 in every run"
        return "h", (f"{words}; look at that line yourself",)
    if idle := [name for name in passed if not _changes_a_run(made, runs, name)]:
        names = " and ".join(idle)
        words = f"the iterates agree as far as asked: no run reaches {names}"
        values = ", ".join(f"{name} = {getattr(made, name):g}" for name in idle)
        return names, (f"{words} (with {values} they are what they are with twice that): give another with --set",)
    return "", ()


def _changes_a_run(made: Any, runs: Sequence[RecordedRun], name: str) -> bool:
    """Return whether twice a number, such as a floor or a bound, has other iterates in some run; a 0 has no twice."""
    value = getattr(made, name)
    if not isinstance(value, float) or value == 0.0:
        return True
    try:
        twice = replace(made, **{name: 2.0 * value})
    except (BoundcheckError, ValueError):
        return True
    return any(not _are_same(run, run.path_of(twice)) for run in runs)


def _words(method: str, left_out: str, simple: str) -> str:
    return (
        f"the iterates agree as far as asked: nothing that makes it {method} was. With {left_out} left out, the method "
        f"is {simple}: let the function take what is left out, or give it with --set"
    )


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


def _are_same(run: RecordedRun, path: Array) -> bool:
    """Return whether the first iterates of a run are these."""
    return bool(np.abs(path - run.path[: len(path)]).max() <= TOLERANCE * np.abs(run.path).max())
