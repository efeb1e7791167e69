"""Mistakes in adaptive steps: of the server (FedAdam and its kin), of the clients (local Adam)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.faults.changes import (
    change_method,
    change_start,
    change_state,
    set_first,
    set_new,
    set_numbers,
    tabulate,
)
from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.faults.wrong_methods import CorrectedAdam, CountedState, OtherAdam
from boundcheck.conform.mistakes.averaging import around

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.faults.changes import Pieces
    from boundcheck.conform.faults.wrong import Round
    from boundcheck.methods.base import Vector


def _step_by(step: Callable[[Any, Vector, Vector, int], Vector]) -> Pieces:
    """Return the piece whose server moves by gamma times another function of the fresh moments."""
    return set_new(x=lambda r: r.old.x + r.m.gamma * step(r.m, r.new.m, r.new.v, r.t))


def _correct_bias(m: Any, first: Vector, second: Vector, t: int) -> Vector:
    first, second = first / (1.0 - m.beta1 ** (t + 1)), second / (1.0 - m.beta2 ** (t + 1))
    found: Vector = first / (np.sqrt(second) + m.tau)
    return found


def _displacement(r: Round) -> Vector:
    """Return the mean displacement D that has entered the first moment."""
    found: Vector = (r.new.m - r.m.beta1 * r.old.m) / (1.0 - r.m.beta1)
    return found


def _skip_damping(r: Round) -> Any:
    first = r.m.beta1 * r.old.m + _displacement(r)
    return r.new._replace(x=r.old.x + r.m.gamma * first / (np.sqrt(r.new.v) + r.m.tau), m=first)


_ZERO = "the second moment v starts at 0 instead of tau^2"
_BOTH = "both moments are corrected for their bias"
_from_zero = set_first(v=lambda r: 0.0 * r.old.v)
_inside = _step_by(lambda m, first, v, t: first / np.sqrt(v + m.tau))
_SERVER = {
    "v-zero": Mistake(_ZERO, **_from_zero),
    "tau-inside": Mistake("tau is added inside the root", **_inside),
    "tau-squared-inside": Mistake(
        "tau^2 is added inside the root and not tau outside it",
        **_step_by(lambda m, first, v, t: first / np.sqrt(v + m.tau**2)),
    ),
    "v-zero-tau-inside": Mistake(f"{_ZERO}, and tau is added inside the root", **_from_zero, **_inside),
    "no-tau": Mistake("tau is missing in the denominator", **_step_by(lambda m, first, v, t: first / np.sqrt(v))),
    "no-root": Mistake(
        "the root of the second moment is missing", **_step_by(lambda m, first, v, t: first / (v + m.tau))
    ),
    "sign": Mistake(
        "the server moves against the mean displacement",
        **_step_by(lambda m, first, v, t: -first / (np.sqrt(v) + m.tau)),
    ),
    "old-v": Mistake(
        "the step is divided by the second moment before it is refreshed",
        **set_new(x=lambda r: r.old.x + r.m.gamma * r.new.m / (np.sqrt(r.old.v) + r.m.tau)),
    ),
    "forgotten-v": Mistake("the second moment is not kept from round to round", **set_new(v=lambda r: r.old.v)),
    "of-gradients": Mistake(
        "the mean displacement is divided by eta K before it enters the moments",
        **around(lambda r: 1.0 / (r.m.eta * r.K)),
    ),
}


def _lawful(law: Callable[[Any, Vector, Vector], Vector]) -> Pieces:
    """Return the piece whose second moment is another function of the old one and of the mean displacement."""

    def server(r: Round) -> Any:
        v = law(r.m, r.old.v, _displacement(r))
        return r.new._replace(x=r.old.x + r.m.gamma * r.new.m / (np.sqrt(v) + r.m.tau), v=v)

    return change_state(server)


def _yogi(sign: Callable[[Vector, Vector], Vector]) -> Pieces:
    """Return the piece whose second moment moves by (1-beta2) D^2 as another sign says, a function of v and of D."""
    return _lawful(lambda m, v, D: v - (1.0 - m.beta2) * D * D * sign(v, D))


_SUMMED = Mistake("the squares are added up, as in FedAdagrad", **_lawful(lambda m, v, D: v + D * D))
FED_ADAGRAD = {
    **_SERVER,
    "last-square": Mistake("the second moment is the last square alone", **_lawful(lambda m, v, D: D * D)),
    "sizes": Mistake("the second moment is made of |D| and not of D^2", **_lawful(lambda m, v, D: v + np.abs(D))),
}
_MOMENTS = {
    **_SERVER,
    "undamped": Mistake(
        "the factor (1-beta1) of the displacement is missing in the first moment", server=_skip_damping
    ),
    "swapped": Mistake("beta1 and beta2 are swapped", **set_numbers(beta1=lambda m: m.beta2, beta2=lambda m: m.beta1)),
    "bias": Mistake(f"{_BOTH}, which the method does not do", **_step_by(_correct_bias)),
    "bias-first": Mistake(
        "the first moment is corrected for its bias, which the method does not do",
        **_step_by(lambda m, first, v, t: first / (1.0 - m.beta1 ** (t + 1)) / (np.sqrt(v) + m.tau)),
    ),
    "v-zero-bias": Mistake(f"{_ZERO} and {_BOTH}, as in Adam", **_from_zero, **_step_by(_correct_bias)),
    "momentum-none": Mistake("the first moment is never used", **set_numbers(beta1=lambda m: 0.0)),
}
FED_ADAM = {
    **_MOMENTS,
    "adagrad-law": _SUMMED,
    "yogi-law": Mistake(
        "the second moment moves by (1-beta2) D^2 towards the square, as in FedYogi",
        **_yogi(lambda v, D: np.sign(v - D * D)),
    ),
}
FED_YOGI = {
    **_MOMENTS,
    "adagrad-law": _SUMMED,
    "adam-law": Mistake(
        "the squares are averaged, as in FedAdam",
        **_lawful(lambda m, v, D: m.beta2 * v + (1.0 - m.beta2) * D * D),
    ),
    "reversed": Mistake(
        "the second moment moves away from the square: the sign is reversed",
        **_yogi(lambda v, D: -np.sign(v - D * D)),
    ),
}
_SIGN = "the second moment moves by (1-beta2) D^2"
MORE_YOGI = tabulate(
    {
        f"{_SIGN} {words}": _yogi(sign)
        for words, sign in {
            "sign(v - D), in whose sign D is not squared": lambda v, D: np.sign(v - D),
            "sign(v - |D|), in whose sign D is not squared": lambda v, D: np.sign(v - np.abs(D)),
            "sign(sqrt(v) - D^2), in whose sign v has a root": lambda v, D: np.sign(np.sqrt(v) - D * D),
            **{
                f"tanh({by}(v - D^2)), where the method has the sign in the place of tanh": (
                    lambda v, D, scale=scale: np.tanh(scale * (v - D * D))  # type: ignore[misc]
                )
                for by, scale in (("", 1.0), *((f"{10**n} ", 10.0**n) for n in range(1, 7)))
            },
            "(v - D^2), where the method has the sign of v - D^2": lambda v, D: v - D * D,
            "(v - D^2)/(|v - D^2| + 1), where the method has the sign": lambda v, D: (
                (v - D * D) / (np.abs(v - D * D) + 1.0)
            ),
        }.items()
    }
)
"""Of FedYogi, sought where none of the first has the iterates."""


def _count(r: Round) -> CountedState:
    return CountedState(r.old.x, r.old.m, r.old.v, 0.0 * r.old.v[..., :1])


def _other(**rules: Any) -> Pieces:
    return change_method(lambda r: OtherAdam(r.m, **rules))


LOCAL_ADAM = {
    "bias": Mistake(
        "the clients' moments are corrected for their bias, which the method does not do",
        start=_count,
        numbers=lambda r: CorrectedAdam(r.m),
    ),
    "reset": Mistake("the clients' moments restart every round", **set_numbers(reset=lambda m: True)),
    "amsgrad": Mistake(
        "the step is divided by the running maximum of the second moment, as in AMSGrad",
        **set_numbers(amsgrad=lambda m: True),
    ),
    "swapped": _MOMENTS["swapped"],
    "momentum-none": _MOMENTS["momentum-none"],
    "no-eps": Mistake("eps is missing in the denominator", **set_numbers(eps=lambda m: 0.0)),
    "eps-inside": Mistake("eps is added inside the root", **_other(divisor=lambda xp, v, eps: xp.sqrt(v + eps))),
    "no-root": Mistake("the root of the second moment is missing", **_other(divisor=lambda xp, v, eps: v + eps)),
    "adagrad-law": Mistake(
        "the clients add their squares up, as in Adagrad", **_other(law=lambda a, v, g, m: v + g * g)
    ),
    "undamped": Mistake(
        "the factor (1-beta2) of the square is missing in the second moment",
        **_other(law=lambda a, v, g, m: a.beta2 * v + g * g),
    ),
    "averaged": Mistake("the clients' moments are averaged at the end of a round", **_other(averaged=True)),
}
MORE_LOCAL_ADAM = tabulate(
    {
        "a step is along the first moment before it is refreshed": _other(late=True),
        **{
            f"the second moment is made of {words} and not of g^2": _other(
                law=lambda a, v, g, m, of=of: a.beta2 * v + (1.0 - a.beta2) * of(g, m)
            )
            for words, of in {
                "(g - m)^2, as in AdaBelief,": lambda g, m: (g - m) ** 2,
                "m^2": lambda g, m: m * m,
                "|g|": lambda g, m: np.abs(g),
                "one number, the mean of the g^2,": lambda g, m: (g * g).mean(axis=-1, keepdims=True) + 0.0 * g,
            }.items()
        },
        "the clients' moments restart every round and are corrected for their bias: a new optimiser every round": {
            **change_start(_count),
            **change_method(lambda r: CorrectedAdam(r.m, reset=True)),
        },
    }
)
"""Likewise."""
