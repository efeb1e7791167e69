"""Mistakes in control variates, gradient tracking and dual vectors."""

from __future__ import annotations

from typing import Any

from boundcheck.conform.wrong import Mistake

VARIATES = {
    "sign": Mistake(
        "the correction of the local gradient has the wrong sign",
        reads=lambda m, state, earlier: state._replace(c_i=-state.c_i, c=-state.c),
    ),
    "c-over-S": Mistake(
        "the change of the server variate c is divided by the S active clients instead of all N",
        server=lambda m, oracle, state, after, t: after._replace(
            c=state.c + (oracle.N / oracle.S) * (after.c - state.c)
        ),
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
        server=lambda m, oracle, state, after, t: after._replace(
            c=state.c + (oracle.S / oracle.N) * oracle.mean(oracle.active(after.c_i))
        ),
    ),
    "forgotten": Mistake(
        "the clients do not keep their new control variates",
        server=lambda m, oracle, state, after, t: after._replace(c_i=state.c_i),
    ),
    "one-sided": Mistake(
        "the server variate c is missing in the local correction",
        reads=lambda m, state, earlier: state._replace(c=0.0 * state.c),
    ),
    "without-eta": Mistake(
        "the correction is not multiplied by the step eta",
        reads=lambda m, state, earlier: state._replace(c_i=state.c_i / m.eta, c=state.c / m.eta),
    ),
}
"""Of SCAFFOLD and SCAFFOLD-M."""
SCAFFOLD = {
    **VARIATES,
    "start-at-x0": Mistake(
        "the control variates start as the model parameters",
        start=lambda m, oracle, state: state if m.B else state._replace(c_i=state.c_i + state.x, c=state.x),
    ),
    "start-at-gradient": Mistake(
        "the control variates start as the exact gradients at x_0",
        start=lambda m, oracle, state: _gradients(oracle, state),
    ),
}
SCAFFOLD_M = {
    **VARIATES,
    "undamped-correction": Mistake(
        "the correction is not multiplied by beta",
        reads=lambda m, state, earlier: state._replace(c_i=state.c_i / m.beta, c=state.c / m.beta),
    ),
    "option-II": Mistake(
        "the control variates are those of SCAFFOLD's option II, which takes the momentum into them",
        refresh=lambda r: r._replace(gradient=r.own - r.common + r.displacement),
        rules=("gradient",),
    ),
    "start-at-zero": Mistake(
        "the control variates start at zero and not from samples",
        start=lambda m, oracle, state: state._replace(c_i=0.0 * state.c_i, c=0.0 * state.c),
    ),
}


def _gradients(oracle: Any, state: Any) -> Any:
    own = oracle.full_all(oracle.to_all(state.x))
    return state._replace(c_i=own, c=oracle.mean_all(own))


def _read(name: str, factor: Any) -> dict[str, Any]:
    """Return the pieces of a mistake whose local steps read a memory with a factor, while the memory stays right."""

    def reads(m: Any, state: Any, earlier: Any) -> Any:
        return state._replace(**{name: factor(m) * getattr(state, name)})

    def server(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
        return after._replace(**{name: getattr(after, name) + (1.0 - factor(m)) * getattr(state, name)})

    return {"reads": reads, "server": server}


def _scale_change(name: str, factor: Any) -> dict[str, Any]:
    """Return the piece of a mistake whose memory changes by a factor too much."""

    def server(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
        old = getattr(state, name)
        return after._replace(**{name: old + factor(m, oracle) * (getattr(after, name) - old)})

    return {"server": server}


TRACKING = {
    "sign": Mistake("the correction, or its refresh, has the wrong sign", **_read("delta", lambda m: -1.0)),
    "without-eta": Mistake("the correction is not multiplied by the step eta", **_read("delta", lambda m: 1.0 / m.eta)),
    "no-K": Mistake(
        "the number of local steps K is missing in the denominator of the correction",
        **_scale_change("delta", lambda m, oracle: oracle.K),
    ),
    "no-eta": Mistake(
        "the displacement is not divided by eta before it enters the correction",
        **_scale_change("delta", lambda m, oracle: m.eta),
    ),
    "frozen": Mistake("the corrections never change", **_scale_change("delta", lambda m, oracle: 0.0)),
}
"""Of FedGATE."""


def _with_h(factor: Any) -> Any:
    """Return the server step of FedDyn with another change of h."""

    def server(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
        h = state.h + factor(oracle) * (after.h - state.h)
        return after._replace(x=after.x + (after.h - h) / m.alpha, h=h)

    return server


DUAL = {
    "sign": Mistake("the linear term, or its refresh, has the wrong sign", **_read("l_i", lambda m: -1.0)),
    "frozen": Mistake("the linear terms never change", **_scale_change("l_i", lambda m, oracle: 0.0)),
    "no-alpha": Mistake(
        "the coefficient alpha is missing where the linear terms are refreshed",
        **_scale_change("l_i", lambda m, oracle: 1.0 / m.alpha),
    ),
    "h-over-S": Mistake(
        "the change of the server correction h is divided by the S active clients instead of all N",
        server=_with_h(lambda oracle: oracle.N / oracle.S),
    ),
    "h-sign": Mistake(
        "the server correction h moves with the wrong sign",
        server=_with_h(lambda oracle: -1.0),
    ),
    "h-none": Mistake(
        "the server correction h is not subtracted from the average",
        server=lambda m, oracle, state, after, t: after._replace(x=after.x + after.h / m.alpha),
    ),
    "h-old": Mistake(
        "the server subtracts the correction h of the round before",
        server=lambda m, oracle, state, after, t: after._replace(x=after.x + (after.h - state.h) / m.alpha),
    ),
}
"""Of FedDyn."""
