"""Known mistakes in the methods that are most often got wrong, each with the words of its diagnosis."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.faults.changes import change_method, change_state, set_new, set_numbers, tabulate
from boundcheck.conform.faults.wrong import Mistake, WrongMethod, WrongScaffold
from boundcheck.conform.faults.wrong_oracle import lasting_memory
from boundcheck.conform.mistakes.adaptive import FED_ADAGRAD, FED_ADAM, FED_YOGI, LOCAL_ADAM, MORE_LOCAL_ADAM, MORE_YOGI
from boundcheck.conform.mistakes.anywhere import ANYWHERE, STEPS
from boundcheck.conform.mistakes.averaging import AVERAGES, FIRST_MODEL, IN_TURN, POINTS, SCALED, SHARED
from boundcheck.conform.mistakes.dual import DUAL, MORE_DUAL, TRACKING
from boundcheck.conform.mistakes.keeping import KEEPING
from boundcheck.conform.mistakes.messages import EF21, FEDNOVA, SENT_BACK
from boundcheck.conform.mistakes.minimax import ALTERNATING, EXTRAGRADIENT, MORE_STEPS, TWO_STEPS
from boundcheck.conform.mistakes.momentum import (
    DIRECTION,
    FEDAVG_M,
    FEDAVG_SERVER_M,
    LOCAL_BUFFERS,
    LOCAL_HEAVY_BALL,
    MORE_BUFFERS,
    MORE_SLOWMO,
    MORE_VELOCITY,
    SLOWMO,
)
from boundcheck.conform.mistakes.network import NETWORK
from boundcheck.conform.mistakes.one_block import ONE_BLOCK
from boundcheck.conform.mistakes.optimisers import LASTING, OPTIMISERS
from boundcheck.conform.mistakes.private import CLIPPED_SGD, DP_FEDAVG
from boundcheck.conform.mistakes.proximal import MORE_PROXIMAL, PROXIMAL
from boundcheck.conform.mistakes.quantised import QUANTISED
from boundcheck.conform.mistakes.rounding import ROUNDING
from boundcheck.conform.mistakes.rounds import ROUNDS, TWO_SAMPLES, laws_of
from boundcheck.conform.mistakes.starts import RESTARTED, STARTS
from boundcheck.conform.mistakes.updates import ENTRIES, OWN, SENT, WEIGHTS, clipped_updates
from boundcheck.conform.mistakes.variates import MORE_VARIATES, SCAFFOLD, SCAFFOLD_M
from boundcheck.methods import METHODS
from boundcheck.methods.composed import Composed
from boundcheck.methods.quantise import Quantised
from boundcheck.methods.scaffold import ScaffoldM

if TYPE_CHECKING:
    from boundcheck.conform.faults.wrong import Round
    from boundcheck.conform.runs.harness import Make
    from boundcheck.methods import Method

_GAMMA = {"no-server-step": Mistake("the server step gamma is not applied", **set_numbers(gamma=lambda m: 1.0))}


def _step_along(r: Round, d: Any) -> Any:
    """Return the state of MIFA or MIFAM after a step along another mean displacement."""
    m = r.new.m - r.new.d + d
    return r.new._replace(x=r.old.x - r.m.gamma * m, m=m)


def _keep_models(r: Round) -> Any:
    """Move towards the mean of the last models of all clients, those that have not taken part yet at x_0."""
    memory, x = lasting_memory(r.oracle), r.old.x
    ends = r.oracle.to_clients(x, free=True) - r.oracle.active(r.new.G)
    memory["models"] = r.oracle.remember(memory.get("models", r.oracle.to_all(x)), ends)
    return _step_along(r, x - r.oracle.mean_all(memory["models"]))


def _fade(r: Round, by: float) -> Any:
    """Let the displacements of clients that sit out fade."""
    memory = lasting_memory(r.oracle)
    memory["faded"] = r.oracle.remember(by * memory.get("faded", 0.0 * r.old.G), r.oracle.active(r.new.G))
    return _step_along(r, r.oracle.mean_all(memory["faded"]))


_GAMMA_ON_MODELS = tabulate(
    {
        "gamma multiplies the models and not the displacement: x+ = gamma mean_i y_i and not "
        "x + gamma (mean_i y_i - x)": set_new(x=lambda r: r.new.x - (1.0 - r.m.gamma) * r.old.x)
    }
)
_SEEN = tabulate(
    {
        "the displacements are averaged over the clients that have taken part so far and not over all N": set_new(
            x=lambda r: (
                r.old.x - r.m.gamma * r.new.G.sum(axis=1, keepdims=True) / max(1, np.any(r.new.G[0], axis=1).sum())
            )
        )
    }
)
_MEMORY = tabulate(
    {
        "the memory has the clients' last models and not their displacements: those of clients that sit out count from "
        "the newest x and not from the one that they had": change_state(_keep_models),
        **{
            f"the displacements of clients that sit out fade: they are multiplied by {by} every round": change_state(
                partial(_fade, by=by)
            )
            for by in (0.99, 0.9, 0.5)
        },
    }
)
_MISTAKES: dict[str, dict[str, Mistake]] = {
    "fedavg": {**AVERAGES, **POINTS, **SHARED, **_GAMMA},
    "fedprox": {**AVERAGES, **POINTS, **PROXIMAL},
    "fedavg-server-m": {**AVERAGES, **SHARED, **FEDAVG_SERVER_M},
    "slowmo": {**AVERAGES, **SHARED, **SLOWMO},
    "fedavg-local-m": {**AVERAGES, **POINTS, **LOCAL_HEAVY_BALL},
    "pr-sgd-m": {**POINTS, **LOCAL_BUFFERS},
    "fedavg-m": {**AVERAGES, **SHARED, **FEDAVG_M},
    "scaffold": {**AVERAGES, **SCAFFOLD},
    "scaffold-m": {**AVERAGES, **SCAFFOLD_M, **DIRECTION},
    "fedgate": {**SCALED, **TRACKING},
    "feddyn": dict(DUAL),
    "fedadagrad": {**AVERAGES, **SHARED, **FED_ADAGRAD},
    "fedadam": {**AVERAGES, **SHARED, **FED_ADAM},
    "fedyogi": {**AVERAGES, **SHARED, **FED_YOGI},
    "local-adam": {**POINTS, **LOCAL_ADAM},
    "local-sgda": {"sum": AVERAGES["sum"], **TWO_STEPS},
}
"""Method to its own mistakes by name."""
_MORE: dict[str, tuple[Mistake, ...]] = {
    "fedavg": (*_GAMMA_ON_MODELS, *FIRST_MODEL),
    "fedprox": MORE_PROXIMAL,
    "fedprox-m": (*PROXIMAL.values(), *MORE_PROXIMAL),
    "fedgate": _GAMMA_ON_MODELS,
    "scaffold": MORE_VARIATES,
    "scaffold-m": MORE_VARIATES,
    "feddyn": MORE_DUAL,
    "vrl-sgd": tuple(TRACKING.values()),
    "dsgd": NETWORK,
    "fedavg-server-m": (*MORE_VELOCITY, *FIRST_MODEL),
    "slowmo": (*MORE_SLOWMO, *FIRST_MODEL),
    "fedavg-local-m": MORE_BUFFERS,
    "pr-sgd-m": MORE_BUFFERS,
    "mifa": (*_SEEN, *_MEMORY),
    "mifam": _MEMORY,
    "fednova": FEDNOVA,
    "fedasync": IN_TURN,
    "fedyogi": MORE_YOGI,
    "ef21": EF21,
    "ef-sgd": SENT_BACK,
    "local-adam": MORE_LOCAL_ADAM,
    "local-sgda": MORE_STEPS,
    "dp-fedavg": DP_FEDAVG,
    "clipped-sgd": CLIPPED_SGD,
    "sgda-projected": ALTERNATING,
    "extragradient": EXTRAGRADIENT,
}
"""Likewise, those that are sought where none of the first has the iterates."""

_UNCORRECTED = replace(
    ANYWHERE["stale-gradient"],
    words="all gradients of a round are taken at the server's newest iterate: none is taken at the point before, or at "
    "the client's own, so that the difference of two gradients corrects nothing",
)
"""For methods that take two gradients on one sample."""

KNOWN = tuple(_MISTAKES)
"""Methods with mistakes of their own."""


def mistakes(method: str) -> dict[str, Mistake]:
    """Return the known mistakes of a method by name: its own, none for most, and those that any method can have."""
    two_points = {"stale-gradient": _UNCORRECTED} if "same sample" in METHODS[method].card.needs else {}
    return {**_MISTAKES.get(method, {}), **ANYWHERE, **two_points}


def own_mistakes(method: str) -> tuple[Mistake, ...]:
    """Return the mistakes that are listed for a method alone."""
    return (*_MISTAKES.get(method, {}).values(), *_MORE.get(method, ()))


def all_mistakes(method: str) -> tuple[Mistake, ...]:
    """Return what `mistakes` does, and more of the method's own."""
    return (*mistakes(method).values(), *_MORE.get(method, ()))


def with_mistake(made: Method, mistake: Mistake, since: int = 0) -> tuple[Make, ...]:
    """Return the method with a mistake from a round on; SCAFFOLD in two ways, as its variates have two formulas."""
    if made.card.id in {"scaffold", "scaffold-m"}:
        return tuple(partial(_wrong_scaffold, made, mistake, since, rule) for rule in mistake.rules)
    return (lambda K: WrongMethod(made, mistake, since),)


def _wrong_scaffold(made: Any, mistake: Mistake, since: int, rule: str, K: int) -> Method:
    if isinstance(made, ScaffoldM):
        return WrongScaffold(made, mistake, since, rule=rule)
    # SCAFFOLD is SCAFFOLD-M at beta = 1: the identity scaffold-m.I6.
    same = ScaffoldM(eta=made.eta, gamma=made.gamma * made.eta * K, beta=1.0, B=made.B)
    return WrongScaffold(same, mistake, since, rule=rule)


def further_mistakes(made: Method) -> list[Mistake]:
    """Return more of what can be wrong with rounds and, where the server averages the clients' ends, with averages."""
    found = [*ROUNDS.values(), *laws_of(made), *STEPS.values(), *LASTING]
    if "same sample" in made.card.needs:
        found += TWO_SAMPLES
    if "K" in made.card.gradients:  # a memory of one step is a factor
        found += [*OPTIMISERS.values(), *STARTS]
    if isinstance(made, Composed) or made.card.id in {"scaffold", "scaffold-m", "feddyn", "local-sgda"}:
        found += [*WEIGHTS, *ENTRIES, *OWN, *SENT, *clipped_updates(), *KEEPING]
    if isinstance(made, Quantised):
        found += QUANTISED
    if made.card.id == "local-sgda":
        found += [*ONE_BLOCK, *RESTARTED]
    return [*found, *ROUNDING]


def paired_mistakes(made: Method) -> list[Mistake]:
    """Return what is tried two at a time: the method's own, and the commonest of those that any method can have."""
    name = made.card.id
    common = [mistake for key, mistake in ANYWHERE.items() if not key.startswith("clip-")]
    steps = [STEPS[key] for key in ("decay-0.0001", "added-up", "over-K", "one-step")]
    rounds = [ROUNDS[key] for key in ("first-lost", "alone-lost", "on-places")]
    weights = WEIGHTS if isinstance(made, Composed) else ()
    return [*_MISTAKES.get(name, {}).values(), *_MORE.get(name, ()), *common, *steps, *rounds, *weights]


def neutral_numbers(made: Method) -> list[Mistake]:
    """Return the mistakes by which one hyperparameter is 0, 1 or the other choice, whatever was passed, or has S/N."""
    numbers = {f.name: getattr(made, f.name) for f in fields(made) if f.init}  # type: ignore[arg-type]
    found = [
        Mistake(
            f"{name} does nothing: it is {neutral:g} and not {value:g}",
            **set_numbers(**{name: lambda m, neutral=neutral: neutral}),
        )
        for name, value in numbers.items()
        if isinstance(value, float) and not name.startswith("eta")
        for neutral in (1.0, 0.0)
        if value != neutral
    ]
    found += [
        Mistake(f"{name} = {not value} and not {value}", **set_numbers(**{name: lambda m, other=not value: other}))
        for name, value in numbers.items()
        if isinstance(value, bool)
    ]
    if isinstance(numbers.get("gamma"), float) and made.card.partial:
        over_all = change_method(lambda r: replace(r.m, gamma=r.m.gamma * r.S / r.N))
        found.append(Mistake("gamma is multiplied by S/N, as in an average over all N clients", **over_all))
    return found
