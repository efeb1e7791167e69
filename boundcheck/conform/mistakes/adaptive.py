"""Mistakes in adaptive steps: of the server (FedAdam and its kin), of the clients (local Adam)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.mistakes.averaging import around
from boundcheck.conform.wrong import Mistake
from boundcheck.conform.wrong_methods import CorrectedAdam, CountedState, OtherAdam

if TYPE_CHECKING:
    from collections.abc import Callable


def _server_rule_of(step: Callable[[Any, Any, Any, int], Any]) -> Callable[..., Any]:
    """Return the server rule that moves by gamma times another function of the fresh moments."""
    return lambda m, oracle, state, after, t: after._replace(x=state.x + m.gamma * step(m, after.m, after.v, t))


def _correct_bias(m: Any, first: Any, second: Any, t: int) -> Any:
    first, second = first / (1.0 - m.beta1 ** (t + 1)), second / (1.0 - m.beta2 ** (t + 1))
    return first / (np.sqrt(second) + m.tau)


def _at_zero(m: Any, oracle: Any, state: Any) -> Any:
    return state._replace(v=0.0 * state.v)


def _skip_damping(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
    D = (after.m - m.beta1 * state.m) / (1.0 - m.beta1)
    first = m.beta1 * state.m + D
    return after._replace(x=state.x + m.gamma * first / (np.sqrt(after.v) + m.tau), m=first)


_SERVER = {
    "v-zero": Mistake("the second moment v starts at 0 instead of tau^2", start=_at_zero),
    "tau-inside": Mistake(
        "tau is added inside the root", server=_server_rule_of(lambda m, first, v, t: first / np.sqrt(v + m.tau))
    ),
    "tau-squared-inside": Mistake(
        "tau^2 is added inside the root and not tau outside it",
        server=_server_rule_of(lambda m, first, v, t: first / np.sqrt(v + m.tau**2)),
    ),
    "v-zero-tau-inside": Mistake(
        "the second moment v starts at 0 instead of tau^2, and tau is added inside the root",
        start=_at_zero,
        server=_server_rule_of(lambda m, first, v, t: first / np.sqrt(v + m.tau)),
    ),
    "no-tau": Mistake(
        "tau is missing in the denominator", server=_server_rule_of(lambda m, first, v, t: first / np.sqrt(v))
    ),
    "no-root": Mistake(
        "the root of the second moment is missing", server=_server_rule_of(lambda m, first, v, t: first / (v + m.tau))
    ),
    "sign": Mistake(
        "the server moves against the mean displacement",
        server=_server_rule_of(lambda m, first, v, t: -first / (np.sqrt(v) + m.tau)),
    ),
    "old-v": Mistake(
        "the step is divided by the second moment before it is refreshed",
        server=lambda m, oracle, state, after, t: after._replace(
            x=state.x + m.gamma * after.m / (np.sqrt(state.v) + m.tau)
        ),
    ),
    "forgotten-v": Mistake(
        "the second moment is not kept from round to round",
        server=lambda m, oracle, state, after, t: after._replace(v=state.v),
    ),
    "of-gradients": Mistake(
        "the mean displacement is divided by eta K before it enters the moments",
        oracle=around(lambda m, oracle: 1.0 / (m.eta * oracle.K)),
    ),
}


def _lawful(law: Callable[[Any, Any, Any], Any]) -> Callable[..., Any]:
    """Return the server rule whose second moment is another function of the old one and of the mean displacement."""

    def server(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
        D = (after.m - m.beta1 * state.m) / (1.0 - m.beta1)
        v = law(m, state.v, D)
        return after._replace(x=state.x + m.gamma * after.m / (np.sqrt(v) + m.tau), v=v)

    return server


_SUMMED = Mistake("the squares are added up, as in FedAdagrad", server=_lawful(lambda m, v, D: v + D * D))
_AVERAGED = Mistake(
    "the squares are averaged, as in FedAdam", server=_lawful(lambda m, v, D: m.beta2 * v + (1.0 - m.beta2) * D * D)
)
_AS_YOGI = Mistake(
    "the second moment moves by (1-beta2) D^2 towards the square, as in FedYogi",
    server=_lawful(lambda m, v, D: v - (1.0 - m.beta2) * D * D * np.sign(v - D * D)),
)
_AWAY = Mistake(
    "the second moment moves away from the square: the sign is reversed",
    server=_lawful(lambda m, v, D: v + (1.0 - m.beta2) * D * D * np.sign(v - D * D)),
)
_LAST = Mistake("the second moment is the last square alone", server=_lawful(lambda m, v, D: D * D))
_SIZES = Mistake("the second moment is made of |D| and not of D^2", server=_lawful(lambda m, v, D: v + np.abs(D)))
FED_ADAGRAD = {**_SERVER, "last-square": _LAST, "sizes": _SIZES}
_MOMENTS = {
    **_SERVER,
    "undamped": Mistake(
        "the factor (1-beta1) of the displacement is missing in the first moment", server=_skip_damping
    ),
    "swapped": Mistake("beta1 and beta2 are swapped", numbers=lambda m, t: replace(m, beta1=m.beta2, beta2=m.beta1)),
    "bias": Mistake(
        "both moments are corrected for their bias, which the method does not do", server=_server_rule_of(_correct_bias)
    ),
    "bias-first": Mistake(
        "the first moment is corrected for its bias, which the method does not do",
        server=_server_rule_of(lambda m, first, v, t: first / (1.0 - m.beta1 ** (t + 1)) / (np.sqrt(v) + m.tau)),
    ),
    "v-zero-bias": Mistake(
        "the second moment v starts at 0 instead of tau^2 and both moments are corrected for their bias, as in Adam",
        start=_at_zero,
        server=_server_rule_of(_correct_bias),
    ),
    "momentum-none": Mistake("the first moment is never used", numbers=lambda m, t: replace(m, beta1=0.0)),
}
FED_ADAM = {**_MOMENTS, "adagrad-law": _SUMMED, "yogi-law": _AS_YOGI}
FED_YOGI = {**_MOMENTS, "adagrad-law": _SUMMED, "adam-law": _AVERAGED, "reversed": _AWAY}


def _start_counts(m: Any, oracle: Any, state: Any) -> CountedState:
    return CountedState(state.x, state.m, state.v, 0.0 * state.v[..., :1])


LOCAL_ADAM = {
    "bias": Mistake(
        "the clients' moments are corrected for their bias, which the method does not do",
        start=_start_counts,
        numbers=lambda m, t: CorrectedAdam(m),
    ),
    "reset": Mistake("the clients' moments restart every round", numbers=lambda m, t: replace(m, reset=True)),
    "amsgrad": Mistake(
        "the step is divided by the running maximum of the second moment, as in AMSGrad",
        numbers=lambda m, t: replace(m, amsgrad=True),
    ),
    "swapped": Mistake("beta1 and beta2 are swapped", numbers=lambda m, t: replace(m, beta1=m.beta2, beta2=m.beta1)),
    "momentum-none": Mistake("the first moment is never used", numbers=lambda m, t: replace(m, beta1=0.0)),
    "no-eps": Mistake("eps is missing in the denominator", numbers=lambda m, t: replace(m, eps=0.0)),
    "eps-inside": Mistake(
        "eps is added inside the root", numbers=lambda m, t: OtherAdam(m, divisor=lambda xp, v, eps: xp.sqrt(v + eps))
    ),
    "no-root": Mistake(
        "the root of the second moment is missing",
        numbers=lambda m, t: OtherAdam(m, divisor=lambda xp, v, eps: v + eps),
    ),
    "adagrad-law": Mistake(
        "the clients add their squares up, as in Adagrad",
        numbers=lambda m, t: OtherAdam(m, law=lambda m, v, g: v + g * g),
    ),
    "undamped": Mistake(
        "the factor (1-beta2) of the square is missing in the second moment",
        numbers=lambda m, t: OtherAdam(m, law=lambda m, v, g: m.beta2 * v + g * g),
    ),
    "averaged": Mistake(
        "the clients' moments are averaged at the end of a round", numbers=lambda m, t: OtherAdam(m, averaged=True)
    ),
}
MORE_LOCAL_ADAM = {
    "bias-reset": Mistake(
        "the clients' moments restart every round and are corrected for their bias: a new optimiser every round",
        start=_start_counts,
        numbers=lambda m, t: CorrectedAdam(m, reset=True),
    ),
}
"""Likewise, sought where none of the first has the iterates."""
