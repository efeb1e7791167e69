"""Known mistakes in the methods that are most often got wrong, each with the words of its diagnosis."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from boundcheck.conform.wrong import FirstSample, Mistake, Weights, Wrong, WrongScaffold
from boundcheck.methods.scaffold import ScaffoldM

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.harness import Make
    from boundcheck.methods import Method


def _displaced(factor: Callable[[Any, Any], float]) -> Callable[..., Any]:
    """Return the change of a round whose mean displacement has a factor too many; directions g are in proportion."""

    def server(m: Any, oracle: Any, state: Any, after: Any) -> Any:
        by = factor(m, oracle)
        after = after._replace(x=state.x + by * (after.x - state.x))
        return after._replace(g=by * after.g) if hasattr(after, "g") else after

    return server


def _weighted(weights: Callable[[float], tuple[float, float]]) -> Callable[[Any], Any]:
    """Return the change of beta and 1 - beta to other weights."""
    return lambda m: replace(m, beta=Weights(*weights(m.beta)))


_ANY = {
    "over-N": Mistake(
        "the clients' results are averaged over all N clients instead of the S active ones",
        server=_displaced(lambda m, oracle: oracle.S / oracle.N),
    ),
    "sum": Mistake(
        "the clients' results are added up instead of averaged",
        server=_displaced(lambda m, oracle: oracle.S),
    ),
    "one-sample": Mistake("every local step uses the sample of the first one", samples=FirstSample),
}
_MOMENTUM = {
    "swapped": Mistake("beta and 1-beta are swapped", numbers=_weighted(lambda beta: (1 - beta, beta))),
    "extra-factor": Mistake(
        "the momentum has an extra factor (1-beta)",
        numbers=_weighted(lambda beta: (beta, (1 - beta) ** 2)),
    ),
    "momentum-sign": Mistake("the momentum has the wrong sign", numbers=_weighted(lambda beta: (beta, beta - 1))),
    "old-momentum": Mistake(
        "the momentum is that of one round earlier",
        reads=lambda m, state, earlier: state._replace(g=earlier.g),
    ),
}
_VARIATES = {
    "sign": Mistake(
        "the correction of the local gradient has the wrong sign",
        reads=lambda m, state, earlier: state._replace(c_i=-state.c_i, c=-state.c),
    ),
    "c-over-S": Mistake(
        "the change of the server variate c is divided by the S active clients instead of all N",
        server=lambda m, oracle, state, after: after._replace(c=state.c + (oracle.N / oracle.S) * (after.c - state.c)),
    ),
    "no-K": Mistake(
        "the number of local steps K is missing in the denominator of the control variate",
        refresh=lambda r: r._replace(gradient=r.K * r.gradient, displacement=r.K * r.displacement),
    ),
    "no-eta": Mistake(
        "the step eta is missing in the denominator of the control variate",
        refresh=lambda r: r._replace(displacement=r.eta * r.displacement),
        rules=("displacement",),
    ),
    "no-c": Mistake(
        "the server variate c is not subtracted from the new control variate",
        refresh=lambda r: r._replace(common=0.0 * r.common),
        rules=("displacement",),
    ),
    "frozen": Mistake(
        "the control variates never change (their change is zero)",
        refresh=lambda r: r._replace(gradient=r.own, displacement=r.common),
    ),
    "whole-variate": Mistake(
        "the server adds the whole new control variates instead of their changes",
        server=lambda m, oracle, state, after: after._replace(
            c=state.c + (oracle.S / oracle.N) * oracle.mean(oracle.active(after.c_i))
        ),
    ),
    "forgotten": Mistake(
        "the clients do not keep their new control variates",
        server=lambda m, oracle, state, after: after._replace(c_i=state.c_i),
    ),
    "one-sided": Mistake(
        "the server variate c is missing in the local correction",
        reads=lambda m, state, earlier: state._replace(c=0.0 * state.c),
    ),
}
_MISTAKES: dict[str, dict[str, Mistake]] = {
    "fedavg": {
        **_ANY,
        "no-server-step": Mistake("the server step gamma is not applied", numbers=lambda m: replace(m, gamma=1.0)),
    },
    "fedprox": {
        **_ANY,
        "prox-sign": Mistake("the proximal term has the wrong sign", numbers=lambda m: replace(m, rho=-m.rho)),
        "prox-double": Mistake(
            "the proximal gradient is 2 rho (y - x) instead of rho (y - x)",
            numbers=lambda m: replace(m, rho=2 * m.rho),
        ),
        "prox-none": Mistake("the proximal term is missing", numbers=lambda m: replace(m, rho=0.0)),
    },
    "fedavg-server-m": {
        **_ANY,
        "damped": Mistake(
            "the displacement enters the velocity with an extra factor (1-beta)",
            server=_displaced(lambda m, oracle: 1 - m.beta),
        ),
        "momentum-sign": Mistake("the momentum has the wrong sign", numbers=lambda m: replace(m, beta=-m.beta)),
        "old-momentum": Mistake(
            "the server moves along the velocity before it is refreshed",
            server=lambda m, oracle, state, after: after._replace(x=state.x - m.gamma * state.v),
        ),
        "nesterov": Mistake(
            "the momentum is Nesterov's",
            server=lambda m, oracle, state, after: after._replace(x=after.x - m.gamma * m.beta * (after.v - state.v)),
        ),
    },
    "fedavg-m": {
        **_ANY,
        **_MOMENTUM,
        "no-K": Mistake(
            "the number of local steps K is missing in the denominator of the direction",
            server=_displaced(lambda m, oracle: oracle.K),
        ),
        "undamped-gradient": Mistake(
            "the factor beta of the fresh gradient is missing",
            numbers=_weighted(lambda beta: (1.0, 1 - beta)),
        ),
        "undamped-momentum": Mistake(
            "the factor (1-beta) of the momentum is missing",
            numbers=_weighted(lambda beta: (beta, 1.0)),
        ),
        "momentum-none": Mistake("the momentum is never used", numbers=_weighted(lambda beta: (beta, 0.0))),
    },
    "scaffold": {
        **_ANY,
        **_VARIATES,
        "start-at-x0": Mistake(
            "the control variates start as the model parameters",
            start=lambda m, state: state if m.B else state._replace(c_i=state.c_i + state.x, c=state.x),
        ),
    },
    "scaffold-m": {
        **_ANY,
        **_VARIATES,
        **_MOMENTUM,
        "undamped-correction": Mistake(
            "the correction is not multiplied by beta",
            reads=lambda m, state, earlier: state._replace(c_i=state.c_i / m.beta, c=state.c / m.beta),
        ),
        "option-II": Mistake(
            "the control variates are those of SCAFFOLD's option II, which takes the momentum into them",
            refresh=lambda r: r._replace(gradient=r.own - r.common + r.displacement),
            rules=("gradient",),
        ),
    },
}
"""Method to its mistakes by name."""

KNOWN = tuple(_MISTAKES)
"""Methods with known mistakes."""


def mistakes(method: str) -> dict[str, Mistake]:
    """Return the known mistakes of a method by name, none for most."""
    return _MISTAKES.get(method, {})


def with_mistake(made: Method, mistake: Mistake) -> tuple[Make, ...]:
    """Return the method with a mistake; SCAFFOLD in two ways, as its control variates have two formulas."""
    if made.card.id in {"scaffold", "scaffold-m"}:
        return tuple(partial(_wrong_scaffold, made, mistake, rule) for rule in mistake.rules)
    return (lambda K: Wrong(made, mistake),)


def _wrong_scaffold(made: Any, mistake: Mistake, rule: str, K: int) -> Method:
    if isinstance(made, ScaffoldM):
        return WrongScaffold(made, mistake, rule)
    # SCAFFOLD is SCAFFOLD-M at beta = 1: the identity scaffold-m.I6.
    same = ScaffoldM(eta=made.eta, gamma=made.gamma * made.eta * K, beta=1.0, B=made.B)
    return WrongScaffold(same, mistake, rule)
