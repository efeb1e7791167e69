"""Mistakes in gradient tracking and in dual vectors: of FedGATE and FedDyn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.conform.faults.changes import (
    change_gradients,
    change_method,
    change_oracle,
    change_state,
    set_new,
    set_read,
    tabulate,
)
from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.faults.wrong_oracle import KeptGradient, lasting_memory
from boundcheck.conform.mistakes.proximal import change_shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.faults.changes import Pieces
    from boundcheck.conform.faults.wrong import Round


def _read(name: str, factor: Callable[[Any], Any]) -> Pieces:
    """Return the pieces of a mistake whose local steps read a memory with a factor, while the memory stays right."""
    kept = set_new(**{name: lambda r: getattr(r.new, name) + (1.0 - factor(r.m)) * getattr(r.old, name)})
    return {**set_read(**{name: lambda r: factor(r.m) * getattr(r.old, name)}), **kept}


def _change(name: str, factor: Callable[[Round], Any]) -> Pieces:
    """Return the piece of a mistake whose memory changes by a factor too much."""

    def part(r: Round) -> Any:
        old = getattr(r.old, name)
        return old + factor(r) * (getattr(r.new, name) - old)

    return set_new(**{name: part})


_NEVER = "never change"
TRACKING = {
    "sign": Mistake("the correction, or its refresh, has the wrong sign", **_read("delta", lambda m: -1.0)),
    "without-eta": Mistake("the correction is not multiplied by the step eta", **_read("delta", lambda m: 1.0 / m.eta)),
    "no-K": Mistake(
        "the number of local steps K is missing in the denominator of the correction", **_change("delta", lambda r: r.K)
    ),
    "no-eta": Mistake(
        "the displacement is not divided by eta before it enters the correction", **_change("delta", lambda r: r.m.eta)
    ),
    "frozen": Mistake(f"the corrections {_NEVER}", **_change("delta", lambda r: 0.0)),
}
"""Of FedGATE."""


def _change_h(factor: Callable[[Round], Any]) -> Pieces:
    """Return the piece whose h changes by a factor too much, and x by it."""

    def server(r: Round) -> Any:
        h = r.old.h + factor(r) * (r.new.h - r.old.h)
        return r.new._replace(x=r.new.x + (r.new.h - h) / r.m.alpha, h=h)

    return change_state(server)


def _take_all_moves(r: Round) -> Any:
    """Let h move by the last moves of all clients, those that sit out too."""
    memory = lasting_memory(r.oracle)
    fresh = r.oracle.active(r.new.l_i) - r.oracle.active(r.old.l_i)
    memory["moves"] = r.oracle.remember(memory.get("moves", 0.0 * r.old.l_i), fresh)
    h = r.old.h + r.oracle.mean_all(memory["moves"])
    return r.new._replace(x=r.new.x + (r.new.h - h) / r.m.alpha, h=h)


def _subtract(h: Callable[[Round], Any]) -> Pieces:
    """Return the piece whose server subtracts something else than h/alpha from the average."""
    return set_new(x=lambda r: r.new.x + r.new.h / r.m.alpha - h(r))


def _sum_less_x(r: Round) -> Any:
    """Take h <- h - (alpha/N) (sum_i y_i - x), the parenthesis at another place."""
    mean = r.new.x + r.new.h / r.m.alpha
    h = r.old.h - r.m.alpha / r.N * (r.S * mean - r.old.x)
    return r.new._replace(x=mean - h / r.m.alpha, h=h)


def _pull(factor: float) -> Pieces:
    """Return the piece of a mistake whose local steps have a factor on the proximal term of the regulariser."""
    return change_gradients(
        lambda r, g, y: g + (factor - 1.0) * r.m.alpha * (y - r.oracle.to_clients(r.old.x, free=True))
    )


def _by_weight(power: float) -> Pieces:
    """Return the change by which the clients' coefficients are alpha times a power of their weights n_i N/n."""

    def factors(r: Round) -> Any:
        """Return them for everybody (lanes, N, 1)."""
        weights = r.oracle.sizes / r.oracle.sizes.mean()
        return 0.0 * r.old.l_i[..., :1] + weights[:, None] ** power

    def change(r: Round, g: Any, y: Any) -> Any:
        away = y - r.oracle.to_clients(r.old.x, free=True)
        return g + (r.oracle.active(factors(r)) - 1.0) * r.m.alpha * away

    return {
        **change_gradients(change),
        **set_new(l_i=lambda r: r.old.l_i + factors(r) * (r.new.l_i - r.old.l_i)),
    }


def _renew_terms(fresh: Callable[[Round], Any]) -> Pieces:
    """Return the piece whose active clients have other new linear terms."""
    return set_new(l_i=lambda r: r.oracle.remember(r.old.l_i, fresh(r)))


def _end(r: Round) -> Any:
    """Return where the active clients ended."""
    moved = (r.oracle.active(r.old.l_i) - r.oracle.active(r.new.l_i)) / r.m.alpha
    return r.oracle.to_clients(r.old.x, free=True) + moved


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
    "frozen": Mistake(f"the linear terms {_NEVER}", **_change("l_i", lambda r: 0.0)),
    "no-alpha": Mistake(
        "the coefficient alpha is missing where the linear terms are refreshed",
        **_change("l_i", lambda r: 1.0 / r.m.alpha),
    ),
    "h-over-S": Mistake(
        "the change of the server correction h is divided by the S active clients instead of all N",
        **_change_h(lambda r: r.N / r.S),
    ),
    "h-sign": Mistake("the server correction h moves with the wrong sign", **_change_h(lambda r: -1.0)),
    "h-none": Mistake("the server correction h is not subtracted from the average", **_subtract(lambda r: 0.0)),
    "h-old": Mistake(
        "the server subtracts the correction h of the round before", **_subtract(lambda r: r.old.h / r.m.alpha)
    ),
}
"""Of FedDyn."""
_REGULARISER = "the proximal gradient of the regulariser is {} in the local steps instead of alpha (y - x)"
MORE_DUAL = (
    *tabulate(
        {
            "the server correction h takes sum_i y_i - x and not sum_i (y_i - x): a parenthesis is missing": (
                change_state(_sum_less_x)
            ),
            "the server correction h moves by the last moves of all clients in every round, those of clients that sit "
            "out again": change_state(_take_all_moves),
            "the server adds h/alpha to the average and does not subtract it": _subtract(
                lambda r: -r.new.h / r.m.alpha
            ),
            "the server subtracts h and not h/alpha: the division by alpha is missing": _subtract(lambda r: r.new.h),
            "the server subtracts alpha h and not h/alpha": _subtract(lambda r: r.m.alpha * r.new.h),
            "the clients do not keep their new linear terms": set_new(l_i=lambda r: r.old.l_i),
            "the proximal term alpha (y - x) of the regulariser is missing in the local steps": _pull(0.0),
            _REGULARISER.format("2 alpha (y - x)"): _pull(2.0),
            _REGULARISER.format("alpha/2 (y - x)"): _pull(0.5),
            "the proximal term alpha (y - x) of the regulariser has the wrong sign in the local steps": _pull(-1.0),
            "the linear terms are never used in the local steps": _read("l_i", lambda m: 0.0),
            "the server correction h moves twice a round": _change_h(lambda r: 2.0),
            "the change of the server correction h is not divided by the number of clients": _change_h(lambda r: r.N),
            "the clients' alpha is divided by their weights n_i N/n, in the local steps and in the linear terms": (
                _by_weight(-1.0)
            ),
            "the clients' alpha is multiplied by their weights n_i N/n, in the local steps and in the linear terms": (
                _by_weight(1.0)
            ),
            **{
                f"the new linear term is the gradient of the {('first', 'last')[last]} local step and not l_i - alpha "
                "(y_i - x), which is the gradient at an exact minimiser": {
                    **change_oracle(lambda r, last=last: KeptGradient(r.oracle, last=last)),  # type: ignore[misc]
                    **_renew_terms(lambda r: KeptGradient.of(r.oracle)),
                }
                for last in (False, True)
            },
            "the new linear term is the exact gradient where the client ended and not l_i - alpha (y_i - x)": (
                _renew_terms(lambda r: r.oracle.full(_end(r)))
            ),
            "the linear terms are refreshed when the client takes part next, by y_i - x with the new x, and not by the "
            "x that its local steps came from": change_method(lambda r: _LateTerms(r.m)),
        }
    ),
    *change_shape("alpha"),
)
"""Of FedDyn, likewise."""
