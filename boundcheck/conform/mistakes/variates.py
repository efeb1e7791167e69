"""Mistakes in control variates, gradient tracking and dual vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.conform.mistakes.proximal import change_shape
from boundcheck.conform.wrong import Mistake
from boundcheck.conform.wrong_oracle import ChangedGradients, OracleProxy

if TYPE_CHECKING:
    from collections.abc import Callable

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


def _set_idle(rule: Callable[[Any, Any, Any], Any], *, common: bool = False) -> Callable[..., Any]:
    """Return the server rule that gives the clients that sit out other variates, and with `common` moves c by them."""

    def server(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
        nobody = 0.0 * after.c_i
        active = oracle.remember(nobody, 1.0 + 0.0 * oracle.active(nobody))
        own = active * after.c_i + (1.0 - active) * rule(after.c_i, state, after)
        c = after.c + (own - after.c_i).mean(axis=1, keepdims=True) if common else after.c
        return after._replace(c_i=own, c=c)

    return server


MORE_VARIATES = {
    "half": Mistake(
        "the correction has a factor 1/2",
        reads=lambda m, state, earlier: state._replace(c_i=0.5 * state.c_i, c=0.5 * state.c),
    ),
    "over-K": Mistake(
        "the correction is divided by K: it is spread over the local steps and not added to each of them",
        oracle=lambda m, oracle, state: _CorrectionOverK(oracle, m, state),
    ),
    "common-only": Mistake(
        "the own variate c_i is missing in the local correction",
        reads=lambda m, state, earlier: state._replace(c_i=0.0 * state.c_i),
    ),
    "old-c": Mistake(
        "the local correction uses the server variate c of one round earlier",
        reads=lambda m, state, earlier: state._replace(c=earlier.c),
    ),
    "by-data": Mistake(
        "the new control variate is divided by the number of data points and not by that of local steps K",
        refresh=lambda r: r._replace(gradient=r.K * r.gradient / r.sizes, displacement=r.K * r.displacement / r.sizes),
    ),
    "idle-common": Mistake(
        "the control variates of clients that sit out are overwritten by the server's c",
        server=_set_idle(lambda own, state, after: after.c),
    ),
    "idle-old": Mistake(
        "the control variates of clients that sit out are refreshed too, as if they had not moved: c_i - c, and c with "
        "them",
        server=_set_idle(lambda own, state, after: own - state.c, common=True),
    ),
    "idle-kept-c": Mistake(
        "the control variates of clients that sit out are refreshed too, as if they had not moved: c_i - c",
        server=_set_idle(lambda own, state, after: own - state.c),
    ),
    "idle-move": Mistake(
        "the control variates of all clients are moved by the change of c, those of clients that sit out too",
        server=_set_idle(lambda own, state, after: own + after.c - state.c),
    ),
    "K-and-one": Mistake(
        "the new control variate is divided by K + 1 steps and not by K",
        refresh=lambda r: r._replace(
            gradient=r.K * r.gradient / (r.K + 1), displacement=r.K * r.displacement / (r.K + 1)
        ),
    ),
    "c-all-variates": Mistake(
        "the control variates of all clients themselves are added to the server variate c, and not their changes",
        server=lambda m, oracle, state, after, t: after._replace(c=state.c + oracle.mean_all(after.c_i)),
    ),
    "c-dropped": Mistake(
        "the old server variate c is dropped: the new one is the mean change alone, and not c and the change",
        server=lambda m, oracle, state, after, t: after._replace(c=after.c - state.c),
    ),
    "c-frozen": Mistake(
        "the server variate c is never refreshed",
        server=lambda m, oracle, state, after, t: after._replace(c=state.c),
    ),
    "c-is-mean": Mistake(
        "the server variate c is the mean of the active clients' new control variates, and forgets the others",
        server=lambda m, oracle, state, after, t: after._replace(c=oracle.mean(oracle.active(after.c_i))),
    ),
    "c-summed": Mistake(
        "the changes of the control variates are added up in c and not averaged",
        server=lambda m, oracle, state, after, t: after._replace(c=state.c + oracle.N * (after.c - state.c)),
    ),
    "c-sign": Mistake(
        "the server variate c moves against the changes of the control variates",
        server=lambda m, oracle, state, after, t: after._replace(c=2.0 * state.c - after.c),
    ),
    "c-plus": Mistake(
        "the server variate c is added to the new control variate and not subtracted",
        refresh=lambda r: r._replace(common=-1.0 * r.common),
        rules=("displacement",),
    ),
    "no-own": Mistake(
        "the old control variate c_i is missing in the new one",
        refresh=lambda r: r._replace(own=0.0 * r.own),
        rules=("displacement",),
    ),
    "own-average": Mistake(
        "the new control variate takes x+ - y_i, the displacement from the new average, and not x - y_i",
        server=lambda m, oracle, state, after, t: _from_new_average(m, oracle, state, after),
        rules=("displacement",),
    ),
    "displacement-sign": Mistake(
        "the displacement enters the new control variate with the wrong sign: y_i - x and not x - y_i",
        refresh=lambda r: r._replace(displacement=-1.0 * r.displacement),
        rules=("displacement",),
    ),
    "gamma-on-models": Mistake(
        "gamma multiplies the models and not the displacement: x+ = gamma mean_i y_i and not "
        "x + gamma (mean_i y_i - x)",
        server=lambda m, oracle, state, after, t: after._replace(x=after.x - (1.0 - _gamma(m, oracle)) * state.x),
    ),
    "no-gamma": Mistake(
        "the server step gamma is not applied",
        server=lambda m, oracle, state, after, t: after._replace(x=state.x + (after.x - state.x) / _gamma(m, oracle)),
    ),
}
"""Of the same, likewise."""


class _CorrectionOverK(OracleProxy):
    """Adds 1/K of the correction in the place of all of it."""

    def __init__(self, oracle: Any, m: Any, state: Any) -> None:
        super().__init__(oracle)
        self._change = (1.0 / oracle.K - 1.0) * (oracle.to_clients(state.c, free=True) - oracle.active(state.c_i))

    def grad(self, y: Any, batch: Any) -> Any:
        """Return the gradient with what makes up for the method's own correction."""
        return self._oracle.grad(y, batch) + self._change


def _gamma(m: Any, oracle: Any) -> Any:
    """Return the server step on the displacement of SCAFFOLD, which runs as SCAFFOLD-M at beta = 1."""
    return m.gamma / (m.eta * oracle.K)


def _from_new_average(m: Any, oracle: Any, state: Any, after: Any) -> Any:
    """Add (x+ - x)/(K eta) to every new control variate: (x+ - y_i) in the place of (x - y_i)."""
    moved = (after.x - state.x) / (m.eta * oracle.K)
    fresh = oracle.active(after.c_i) + oracle.to_clients(moved, free=True)
    c = after.c + (oracle.S / oracle.N) * moved
    return after._replace(c_i=oracle.remember(state.c_i, fresh), c=c)


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


def _sum_less_x(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
    """Take h <- h - (alpha/N) (sum_i y_i - x), the parenthesis at another place."""
    mean = after.x + after.h / m.alpha
    h = state.h - m.alpha / oracle.N * (oracle.S * mean - state.x)
    return after._replace(x=mean - h / m.alpha, h=h)


def _add_h(weight: Any) -> Any:
    """Return the server step of FedDyn that subtracts h with another weight."""

    def server(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
        return after._replace(x=after.x + after.h / m.alpha - weight(m) * after.h)

    return server


def _without_pull(factor: float) -> dict[str, Any]:
    """Return the piece of a mistake whose local steps have a factor on the proximal term of the regulariser."""

    def change(m: Any, oracle: Any, state: Any) -> ChangedGradients:
        x = oracle.to_clients(state.x, free=True)
        return ChangedGradients(oracle, lambda g, y: g + (factor - 1.0) * m.alpha * (y - x))

    return {"oracle": change}


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
MORE_DUAL = {
    "h-parenthesis": Mistake(
        "the server correction h takes sum_i y_i - x and not sum_i (y_i - x): a parenthesis is missing",
        server=_sum_less_x,
    ),
    "h-plus": Mistake(
        "the server adds h/alpha to the average and does not subtract it",
        server=_add_h(lambda m: -1.0 / m.alpha),
    ),
    "h-undivided": Mistake(
        "the server subtracts h and not h/alpha: the division by alpha is missing", server=_add_h(lambda m: 1.0)
    ),
    "h-times": Mistake("the server subtracts alpha h and not h/alpha", server=_add_h(lambda m: m.alpha)),
    "forgotten": Mistake(
        "the clients do not keep their new linear terms",
        server=lambda m, oracle, state, after, t: after._replace(l_i=state.l_i),
    ),
    "no-anchor": Mistake(
        "the proximal term alpha (y - x) of the regulariser is missing in the local steps",
        **_without_pull(0.0),
    ),
    "anchor-double": Mistake(
        "the proximal gradient of the regulariser is 2 alpha (y - x) in the local steps instead of alpha (y - x)",
        **_without_pull(2.0),
    ),
    "anchor-half": Mistake(
        "the proximal gradient of the regulariser is alpha/2 (y - x) in the local steps instead of alpha (y - x)",
        **_without_pull(0.5),
    ),
    "anchor-sign": Mistake(
        "the proximal term alpha (y - x) of the regulariser has the wrong sign in the local steps",
        **_without_pull(-1.0),
    ),
    "no-linear": Mistake("the linear terms are never used in the local steps", **_read("l_i", lambda m: 0.0)),
    "h-twice": Mistake("the server correction h moves twice a round", server=_with_h(lambda oracle: 2.0)),
    "h-sum": Mistake(
        "the change of the server correction h is not divided by the number of clients",
        server=_with_h(lambda oracle: oracle.N),
    ),
    **change_shape("alpha"),
}
"""Of FedDyn, likewise."""
