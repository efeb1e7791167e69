"""Mistakes in control variates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.mistakes.rounding import in_half_precision
from boundcheck.conform.wrong import Mistake
from boundcheck.conform.wrong_oracle import ChangedGradients, OracleProxy, ReplayingOracle, lasting_memory

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


class _KeepsGradients(OracleProxy):
    """Keeps the gradient of one of the local steps, the first or the last."""

    def __init__(self, oracle: Any, *, last: bool) -> None:
        super().__init__(oracle)
        self._last, self._kept = last, False

    def grad(self, y: Any, batch: Any) -> Any:
        """Return the gradient, and keep it."""
        g = self._oracle.grad(y, batch)
        if self._last or not self._kept:
            lasting_memory(self)["gradient"] = g
        self._kept = True
        return g


def _one_gradient(*, last: bool) -> dict[str, Any]:
    """Return the pieces of a mistake whose new variates are the gradient of one local step."""

    def server(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
        fresh = lasting_memory(oracle)["gradient"]
        c = state.c + (oracle.S / oracle.N) * oracle.mean(fresh - oracle.active(state.c_i))
        return after._replace(c_i=oracle.remember(state.c_i, fresh), c=c)

    return {"oracle": lambda m, oracle, state: _KeepsGradients(oracle, last=last), "server": server}


class _CorrectionAtTimes(OracleProxy):
    """Takes the correction out of some local steps."""

    def __init__(self, oracle: Any, state: Any, corrected: Callable[[int], bool]) -> None:
        super().__init__(oracle)
        self._correction = oracle.to_clients(state.c, free=True) - oracle.active(state.c_i)
        self._corrected, self._k = corrected, -1

    def grad(self, y: Any, batch: Any) -> Any:
        """Return the gradient, less the method's own correction where there is none."""
        self._k += 1
        g = self._oracle.grad(y, batch)
        return g if self._corrected(self._k) else g - self._correction


class _InTurn:
    """Makes a round in which c moves as each client reports, so that those after it correct by another one."""

    def __init__(self, m: Any, *, refreshed_too: bool) -> None:
        self._m, self._refreshed_too = m, refreshed_too

    def __getattr__(self, name: str) -> Any:
        return getattr(self._m, name)

    def round(self, oracle: Any, state: Any) -> Any:
        """Run the clients as often as there are, each time with what those before them have changed."""
        again, own = ReplayingOracle(oracle), oracle.active(state.c_i)
        ahead = 0.0 * own
        for i in range(own.shape[1]):
            again.rewind()
            after = self._m.round(ChangedGradients(again, lambda g, _: g + ahead), state)  # noqa: B023
            fresh = again.active(after.c_i) - (ahead if self._refreshed_too else 0.0)
            ahead = ahead.copy()
            ahead[:, i + 1 :] += (fresh - own)[:, i : i + 1] / oracle.N
        return after._replace(c_i=oracle.remember(state.c_i, fresh))


def _divide_by_all_steps(turns: Callable[[Any, Any, int], Any]) -> Callable[..., Any]:
    """Return the server rule whose displacements are divided by more steps: K for each of so many rounds."""

    def server(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
        own, common = oracle.active(state.c_i), oracle.to_clients(state.c, free=True)
        moved = oracle.active(after.c_i) - own + common
        fresh = own - common + moved / turns(oracle, own, t)
        c = state.c + (oracle.S / oracle.N) * oracle.mean(fresh - own)
        return after._replace(c_i=oracle.remember(state.c_i, fresh), c=c)

    return server


def _round_variates(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
    fresh = in_half_precision(oracle.active(after.c_i))
    c = state.c + (oracle.S / oracle.N) * oracle.mean(fresh - oracle.active(state.c_i))
    return after._replace(c_i=oracle.remember(state.c_i, fresh), c=c)


def _refresh_at_end(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
    own, common = oracle.active(state.c_i), oracle.to_clients(state.c, free=True)
    x, g = (oracle.to_clients(part, free=True) for part in (state.x, state.g))
    moved = m.beta * (oracle.active(after.c_i) - own + common) + (1.0 - m.beta) * g
    fresh = oracle.full(x - m.eta * oracle.K * moved)
    c = state.c + (oracle.S / oracle.N) * oracle.mean(fresh - own)
    return after._replace(c_i=oracle.remember(state.c_i, fresh), c=c)


def _own_turns(oracle: Any, own: Any, t: int) -> Any:
    memory = lasting_memory(oracle)
    before = memory.get("turns", oracle.to_all(0.0 * own[:, :1, :1]))
    memory["turns"] = oracle.remember(before, oracle.active(before) + 1.0)
    return oracle.active(memory["turns"])


def _correct_part(which: Callable[[int], Any]) -> Callable[..., Any]:
    """Return the oracle under which the correction reaches some entries alone."""

    def change(m: Any, oracle: Any, state: Any) -> Any:
        left_out = np.ones(state.x.shape[-1])
        left_out[which(len(left_out))] = 0.0
        correction = oracle.to_clients(state.c, free=True) - oracle.active(state.c_i)
        return ChangedGradients(oracle, lambda g, _: g - left_out * correction)

    return change


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
    "idle-zero": Mistake(
        "the control variates of clients that sit out are set to 0, and c with them: only those of the round are kept",
        server=_set_idle(lambda own, state, after: 0.0 * own, common=True),
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
    "last-gradient": Mistake(
        "the new control variate is the gradient of the last local step and not the mean over all K",
        **_one_gradient(last=True),
    ),
    "first-gradient": Mistake(
        "the new control variate is the gradient of the first local step and not the mean over all K",
        **_one_gradient(last=False),
    ),
    **{
        f"correction-{name}": Mistake(
            f"the correction c - c_i is added to {name} (layer) of the gradient only",
            oracle=_correct_part(which),
        )
        for name, which in (
            ("the first entry", lambda d: slice(0, 1)),
            ("the last entry", lambda d: slice(d - 1, d)),
            ("all entries but the first", lambda d: slice(1, d)),
            ("all entries but the last", lambda d: slice(0, d - 1)),
        )
    },
    "correction-first-step": Mistake(
        "the correction c - c_i is added in the first local step only",
        oracle=lambda m, oracle, state: _CorrectionAtTimes(oracle, state, lambda k: k == 0),
    ),
    "correction-late": Mistake(
        "the correction c - c_i is added from the second local step on, and not in the first",
        oracle=lambda m, oracle, state: _CorrectionAtTimes(oracle, state, lambda k: k > 0),
    ),
    "correction-not-last": Mistake(
        "the correction c - c_i is missing in the last local step",
        oracle=lambda m, oracle, state: _CorrectionAtTimes(oracle, state, lambda k: k < oracle.K - 1),
    ),
    "in-turn": Mistake(
        "the server variate c moves as soon as a client reports: the clients after it in the round are corrected by "
        "the new one",
        numbers=lambda m, t: _InTurn(m, refreshed_too=False),
        rules=("displacement",),
    ),
    "in-turn-refreshed": Mistake(
        "the server variate c moves as soon as a client reports: the clients after it in the round are corrected, and "
        "refresh their own variates, by the new one",
        numbers=lambda m, t: _InTurn(m, refreshed_too=True),
        rules=("gradient",),
    ),
    "K-own-rounds": Mistake(
        "the number of local steps in the denominator of the control variate is never reset: it counts all that the "
        "client has made so far and not the K of the round",
        server=_divide_by_all_steps(_own_turns),
        rules=("displacement",),
    ),
    "K-all-rounds": Mistake(
        "the number of local steps in the denominator of the control variate is K (t+1), that of all rounds so far, "
        "and not K",
        server=_divide_by_all_steps(lambda oracle, own, t: t + 1),
        rules=("displacement",),
    ),
    "half-precision": Mistake(
        "the clients keep their control variates in half precision (float16)", server=_round_variates
    ),
    "end-gradient": Mistake(
        "the new control variate is the exact gradient where the client ended, and not at x or the mean on the way",
        server=_refresh_at_end,
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
