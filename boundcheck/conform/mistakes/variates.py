"""Mistakes in control variates: of SCAFFOLD and SCAFFOLD-M."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.conform.faults.changes import (
    PLACES,
    change_gradients,
    change_method,
    change_oracle,
    change_state,
    mask,
    set_first,
    set_new,
    set_read,
    tabulate,
)
from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.faults.wrong_oracle import (
    ChangedGradients,
    KeptGradient,
    OracleProxy,
    ReplayingOracle,
    lasting_memory,
)
from boundcheck.conform.mistakes.rounding import in_half_precision

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.faults.changes import Pieces
    from boundcheck.conform.faults.wrong import Refresh, Round
    from boundcheck.methods.base import Vector

    _Displacement = Callable[[Any, Any, Any, int, int], Any]
    """Of x, the point before a step, that after it, the number of steps made and K."""

_ONE_RULE = ("displacement",)
"""For mistakes in the formula by displacements alone."""


def _refresh(**rules: Callable[[Refresh], Vector]) -> Pieces:
    """Return the piece `refresh` with other parts of the new control variate."""
    return {"refresh": lambda r: r._replace(**{name: rule(r) for name, rule in rules.items()})}


def _scale_moves(factor: Callable[[Refresh], Any]) -> Pieces:
    """Return the piece whose denominator has a factor 1/`factor` too many, whichever the formula is."""
    return _refresh(gradient=lambda r: factor(r) * r.gradient, displacement=lambda r: factor(r) * r.displacement)


VARIATES = {
    "sign": Mistake(
        "the correction of the local gradient has the wrong sign",
        **set_read(c_i=lambda r: -r.old.c_i, c=lambda r: -r.old.c),
    ),
    "c-over-S": Mistake(
        "the change of the server variate c is divided by the S active clients instead of all N",
        **set_new(c=lambda r: r.old.c + (r.N / r.S) * (r.new.c - r.old.c)),
    ),
    "no-K": Mistake(
        "the number of local steps K is missing in the denominator of the control variate",
        **_scale_moves(lambda r: r.K),
    ),
    "no-eta": Mistake(
        "the step eta is missing in the denominator of the control variate",
        **_refresh(displacement=lambda r: r.eta * r.displacement),
        rules=_ONE_RULE,
    ),
    "no-c": Mistake(
        "the server variate c is not subtracted from the new control variate",
        **_refresh(common=lambda r: 0.0 * r.common),
        rules=_ONE_RULE,
    ),
    "frozen": Mistake(
        "the control variates never change (their change is zero)",
        **_refresh(gradient=lambda r: r.own, displacement=lambda r: r.common),
    ),
    "whole-variate": Mistake(
        "the server adds the whole new control variates instead of their changes",
        **set_new(c=lambda r: r.old.c + (r.S / r.N) * r.oracle.mean(r.oracle.active(r.new.c_i))),
    ),
    "forgotten": Mistake("the clients do not keep their new control variates", **set_new(c_i=lambda r: r.old.c_i)),
    "one-sided": Mistake(
        "the server variate c is missing in the local correction", **set_read(c=lambda r: 0.0 * r.old.c)
    ),
    "without-eta": Mistake(
        "the correction is not multiplied by the step eta",
        **set_read(c_i=lambda r: r.old.c_i / r.m.eta, c=lambda r: r.old.c / r.m.eta),
    ),
}
"""Of SCAFFOLD and SCAFFOLD-M."""


def _set_idle(rule: Callable[[Round], Vector], *, common: bool = False) -> Pieces:
    """Return the piece that gives the clients that sit out other variates, and with `common` moves c by them."""

    def server(r: Round) -> Any:
        nobody = 0.0 * r.new.c_i
        active = r.oracle.remember(nobody, 1.0 + 0.0 * r.oracle.active(nobody))
        own = active * r.new.c_i + (1.0 - active) * rule(r)
        moved = (own - r.new.c_i).mean(axis=1, keepdims=True)
        return r.new._replace(c_i=own, c=r.new.c + moved if common else r.new.c)

    return change_state(server)


def _renew(fresh: Callable[[Round], Vector]) -> Pieces:
    """Return the piece whose active clients have other new variates, by whose changes c moves."""

    def server(r: Round) -> Any:
        found = fresh(r)
        c = r.old.c + (r.S / r.N) * r.oracle.mean(found - r.oracle.active(r.old.c_i))
        return r.new._replace(c_i=r.oracle.remember(r.old.c_i, found), c=c)

    return change_state(server)


def _correction(r: Round) -> Vector:
    """Return c - c_i as the active clients add it."""
    found: Vector = r.oracle.to_clients(r.old.c, free=True) - r.oracle.active(r.old.c_i)
    return found


def _displacement(r: Round) -> Vector:
    """Return (x - y_i)/(eta K), if the new variate was made by it."""
    found: Vector = r.oracle.active(r.new.c_i) + _correction(r)
    return found


def _one_gradient(*, last: bool) -> Pieces:
    """Return the pieces of a mistake whose new variates are the gradient of one local step."""
    return {
        **change_oracle(lambda r: KeptGradient(r.oracle, last=last)),
        **_renew(lambda r: KeptGradient.of(r.oracle)),
    }


class _CorrectionAtTimes(OracleProxy):
    """Multiplies the correction in the local steps k = 0, 1, ... by factors."""

    def __init__(self, r: Round, factor: Callable[[int, int], float]) -> None:
        super().__init__(r.oracle)
        self._correction, self._factor, self._k = _correction(r), factor, -1

    def grad(self, y: Any, batch: Any) -> Any:
        """Return the gradient with what makes up for the method's own correction."""
        self._k += 1
        return self._oracle.grad(y, batch) + (self._factor(self._k, self._oracle.K) - 1.0) * self._correction


def _correct(factor: Callable[[int, int], float]) -> Pieces:
    """Return the piece of a mistake whose correction has a factor of the step k and of K."""
    return change_oracle(lambda r: _CorrectionAtTimes(r, factor))


class _RefreshedEveryStep(OracleProxy):
    """Corrects by variates that are refreshed after every local step, by some displacement from x or from before."""

    def __init__(self, r: Round, displacement: _Displacement) -> None:
        super().__init__(r.oracle)
        self._r, self._displacement = r, displacement
        self._x, self._k = r.oracle.to_clients(r.old.x, free=True), 0
        self._before = self._x
        self._first = self._own = r.oracle.active(r.old.c_i)

    def grad(self, y: Any, batch: Any) -> Any:
        """Return the gradient with what the correction has changed by."""
        if self._k:
            self._own = self._own - self._c + self._displacement(self._x, self._before, y, self._k, self._r.K)
        self._before, self._k = y, self._k + 1
        lasting_memory(self)["every step"] = self
        return self._oracle.grad(y, batch) + self._first - self._own

    @property
    def _c(self) -> Any:
        return self._r.oracle.to_clients(self._r.old.c, free=True)

    def last(self, y: Any) -> Any:
        """Return the variates after the last step."""
        moved = self._displacement(self._x, self._before, y, self._k, self._r.K)
        return self._own - self._c + moved


def _every_step(displacement: _Displacement) -> Pieces:
    """Return the change of a mistake with new variates after every local step; a displacement is divided by eta."""

    def over_eta(r: Round) -> _Displacement:
        return lambda *places: displacement(*places) / r.m.eta

    def fresh(r: Round) -> Vector:
        end = r.oracle.to_clients(r.old.x, free=True) - r.m.eta * r.K * _displacement(r)
        found: Vector = lasting_memory(r.oracle)["every step"].last(end)
        return found

    return {**change_oracle(lambda r: _RefreshedEveryStep(r, over_eta(r))), **_renew(fresh), "rules": _ONE_RULE}


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


def _divide_by_all_steps(turns: Callable[[Round], Any]) -> Pieces:
    """Return the piece whose displacements are divided by more steps: K for each of so many rounds."""
    return _renew(lambda r: _displacement(r) / turns(r) - _correction(r))


def _own_turns(r: Round) -> Any:
    memory = lasting_memory(r.oracle)
    before = memory.get("turns", 0.0 * r.old.c_i[..., :1])
    memory["turns"] = r.oracle.remember(before, r.oracle.active(before) + 1.0)
    return r.oracle.active(memory["turns"])


def _end_gradient(r: Round) -> Vector:
    x, g = (r.oracle.to_clients(part, free=True) for part in (r.old.x, r.old.g))
    moved = r.m.beta * _displacement(r) + (1.0 - r.m.beta) * g
    found: Vector = r.oracle.full(x - r.m.eta * r.K * moved)
    return found


def _gamma(r: Round) -> Any:
    """Return the server step on the displacement of SCAFFOLD, which runs as SCAFFOLD-M at beta = 1."""
    return r.m.gamma / (r.m.eta * r.K)


def _from_new_average(r: Round) -> Any:
    """Add (x+ - x)/(K eta) to every new control variate: (x+ - y_i) in the place of (x - y_i)."""
    moved = (r.new.x - r.old.x) / (r.m.eta * r.K)
    fresh = r.oracle.active(r.new.c_i) + r.oracle.to_clients(moved, free=True)
    return r.new._replace(c_i=r.oracle.remember(r.old.c_i, fresh), c=r.new.c + (r.S / r.N) * moved)


_DENOMINATOR = "the number of local steps in the denominator of the control variate is"
_IDLE = "the control variates of clients that sit out are"
_IN_TURN = "the server variate c moves as soon as a client reports: the clients after it in the round are corrected"
_OWN = "the new control variate is"
MORE_VARIATES = tabulate(
    {
        "the correction has a factor 1/2": _correct(lambda k, K: 0.5),
        "the correction is divided by K: it is spread over the local steps and not added to each of them": _correct(
            lambda k, K: 1.0 / K
        ),
        "the correction c - c_i is added in the first local step only": _correct(lambda k, K: float(k == 0)),
        "the correction c - c_i is added from the second local step on, and not in the first": _correct(
            lambda k, K: float(k > 0)
        ),
        "the correction c - c_i is missing in the last local step": _correct(lambda k, K: float(k < K - 1)),
        "the correction c - c_i is added in the last local step only": _correct(lambda k, K: float(k == K - 1)),
        "all K corrections c - c_i are added at once in the last local step: no gradient is taken where they lead to": (
            _correct(lambda k, K: float(K * (k == K - 1)))
        ),
        "the correction takes the mean of the active clients' control variates in the place of c": set_read(
            c=lambda r: r.oracle.mean(r.oracle.active(r.old.c_i))
        ),
        "the own variate c_i is missing in the local correction": set_read(c_i=lambda r: 0.0 * r.old.c_i),
        "the local correction uses the server variate c of one round earlier": set_read(c=lambda r: r.earlier.c),
        f"{_OWN} divided by the number of data points and not by that of local steps K": _scale_moves(
            lambda r: r.K / r.sizes
        ),
        f"{_OWN} divided by K + 1 steps and not by K": _scale_moves(lambda r: r.K / (r.K + 1)),
        f"{_IDLE} overwritten by the server's c": _set_idle(lambda r: r.new.c),
        f"{_IDLE} set to 0, and c with them: only those of the round are kept": _set_idle(
            lambda r: 0.0 * r.new.c_i, common=True
        ),
        f"{_IDLE} refreshed too, as if they had not moved: c_i - c, and c with them": _set_idle(
            lambda r: r.new.c_i - r.old.c, common=True
        ),
        f"{_IDLE} refreshed too, as if they had not moved: c_i - c": _set_idle(lambda r: r.new.c_i - r.old.c),
        "the control variates of all clients are moved by the change of c, those of clients that sit out too": (
            _set_idle(lambda r: r.new.c_i + r.new.c - r.old.c)
        ),
        "the control variates of all clients themselves are added to the server variate c, and not their changes": (
            set_new(c=lambda r: r.old.c + r.oracle.mean_all(r.new.c_i))
        ),
        "the old server variate c is dropped: the new one is the mean change alone, and not c and the change": set_new(
            c=lambda r: r.new.c - r.old.c
        ),
        "the server variate c is never refreshed": set_new(c=lambda r: r.old.c),
        "the server variate c is the mean of the active clients' new control variates, and forgets the others": set_new(
            c=lambda r: r.oracle.mean(r.oracle.active(r.new.c_i))
        ),
        "the changes of the control variates are added up in c and not averaged": set_new(
            c=lambda r: r.old.c + r.N * (r.new.c - r.old.c)
        ),
        "the server variate c moves against the changes of the control variates": set_new(
            c=lambda r: 2.0 * r.old.c - r.new.c
        ),
        f"{_OWN} the gradient of the last local step and not the mean over all K": _one_gradient(last=True),
        f"{_OWN} the gradient of the first local step and not the mean over all K": _one_gradient(last=False),
        **{
            f"the correction c - c_i is added to {name} (layer) of the gradient only": change_gradients(
                lambda r, g, y, which=which: g - (1.0 - mask(which, g.shape[-1])) * _correction(r)  # type: ignore[misc]
            )
            for name, which in PLACES.items()
        },
        f"{_IN_TURN} by the new one": {
            **change_method(lambda r: _InTurn(r.m, refreshed_too=False)),
            "rules": _ONE_RULE,
        },
        f"{_IN_TURN}, and refresh their own variates, by the new one": {
            **change_method(lambda r: _InTurn(r.m, refreshed_too=True)),
            "rules": ("gradient",),
        },
        **{
            f"the control variate c_i is refreshed after every local step and not once a round, by {words}": (
                _every_step(displacement)
            )
            for words, displacement in {
                "(x - y)/(eta K)": lambda x, before, y, k, K: (x - y) / K,
                "(x - y)/(eta k) with the k steps made so far": lambda x, before, y, k, K: (x - y) / k,
                "(x - y)/eta": lambda x, before, y, k, K: x - y,
                "the step's own (y_k - y_(k+1))/eta": lambda x, before, y, k, K: before - y,
                "the step's own (y_k - y_(k+1))/(eta K)": lambda x, before, y, k, K: (before - y) / K,
            }.items()
        },
        f"{_DENOMINATOR} never reset: it counts all that the client has made so far and not the K of the round": {
            **_divide_by_all_steps(_own_turns),
            "rules": _ONE_RULE,
        },
        f"{_DENOMINATOR} K (t+1), that of all rounds so far, and not K": {
            **_divide_by_all_steps(lambda r: r.t + 1),
            "rules": _ONE_RULE,
        },
        "the clients keep their control variates in half precision (float16)": _renew(
            lambda r: in_half_precision(r.oracle.active(r.new.c_i))
        ),
        f"{_OWN} the exact gradient where the client ended, and not at x or the mean on the way": _renew(_end_gradient),
        "the server variate c is added to the new control variate and not subtracted": {
            **_refresh(common=lambda r: -r.common),
            "rules": _ONE_RULE,
        },
        "the old control variate c_i is missing in the new one": {
            **_refresh(own=lambda r: 0.0 * r.own),
            "rules": _ONE_RULE,
        },
        "the new control variate takes x+ - y_i, the displacement from the new average, and not x - y_i": {
            **change_state(_from_new_average),
            "rules": _ONE_RULE,
        },
        "the displacement enters the new control variate with the wrong sign: y_i - x and not x - y_i": {
            **_refresh(displacement=lambda r: -r.displacement),
            "rules": _ONE_RULE,
        },
        "gamma multiplies the models and not the displacement: x+ = gamma mean_i y_i and not "
        "x + gamma (mean_i y_i - x)": set_new(x=lambda r: r.new.x - (1.0 - _gamma(r)) * r.old.x),
        "the server step gamma is not applied": set_new(x=lambda r: r.old.x + (r.new.x - r.old.x) / _gamma(r)),
    }
)
"""Of the same, sought where none of the first has the iterates."""


def _exact_gradients(r: Round) -> Any:
    own = r.oracle.full_all(r.oracle.to_all(r.old.x))
    return r.old._replace(c_i=own, c=r.oracle.mean_all(own))


SCAFFOLD = {
    **VARIATES,
    "start-at-x0": Mistake(
        "the control variates start as the model parameters",
        start=lambda r: r.old if r.m.B else r.old._replace(c_i=r.old.c_i + r.old.x, c=r.old.x),
    ),
    "start-at-gradient": Mistake("the control variates start as the exact gradients at x_0", start=_exact_gradients),
}
SCAFFOLD_M = {
    **VARIATES,
    "undamped-correction": Mistake(
        "the correction is not multiplied by beta",
        **set_read(c_i=lambda r: r.old.c_i / r.m.beta, c=lambda r: r.old.c / r.m.beta),
    ),
    "option-II": Mistake(
        "the control variates are those of SCAFFOLD's option II, which takes the momentum into them",
        **_refresh(gradient=lambda r: r.own - r.common + r.displacement),
        rules=("gradient",),
    ),
    "start-at-zero": Mistake(
        "the control variates start at zero and not from samples",
        **set_first(c_i=lambda r: 0.0 * r.old.c_i, c=lambda r: 0.0 * r.old.c),
    ),
}
