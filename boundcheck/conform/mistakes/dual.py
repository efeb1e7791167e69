"""Mistakes in gradient tracking and in dual vectors: of FedGATE and FedDyn."""

from __future__ import annotations

from typing import Any

from boundcheck.conform.mistakes.proximal import change_shape
from boundcheck.conform.wrong import Mistake
from boundcheck.conform.wrong_oracle import ChangedGradients, lasting_memory


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


class _LateTerms:
    """Makes a round in which the clients refresh their linear terms at its start, from where they ended last."""

    def __init__(self, m: Any) -> None:
        self._m = m

    def round(self, oracle: Any, state: Any) -> Any:
        """Refresh by the new x, make the round, and leave the terms as they were used."""
        memory, nobody = lasting_memory(oracle), 0.0 * state.l_i
        seen, ends = memory.get("seen", nobody), memory.get("ends", nobody)
        l_i = state.l_i - seen * self._m.alpha * (ends - oracle.to_all(state.x))
        used = state._replace(l_i=oracle.remember(state.l_i, oracle.active(l_i)))
        after = self._m.round(oracle, used)
        moved = (oracle.active(used.l_i) - oracle.active(after.l_i)) / self._m.alpha
        memory["ends"] = oracle.remember(ends, oracle.to_clients(state.x, free=True) + moved)
        memory["seen"] = oracle.remember(seen, 1.0 + 0.0 * moved)
        return after._replace(l_i=used.l_i)


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
    "late": Mistake(
        "the linear terms are refreshed when the client takes part next, by y_i - x with the new x, and not by the x "
        "that its local steps came from",
        numbers=lambda m, t: _LateTerms(m),
    ),
    **change_shape("alpha"),
}
"""Of FedDyn, likewise."""
