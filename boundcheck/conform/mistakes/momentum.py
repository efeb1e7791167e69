"""Mistakes in momentum: of the server in every local step, of the server's velocity, of the clients' buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.conform.faults.changes import (
    Weights,
    average,
    change_gradients,
    change_method,
    change_oracle,
    change_start,
    change_state,
    set_new,
    set_numbers,
    set_read,
    tabulate,
)
from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.faults.wrong_methods import Buffers, LocalBuffers
from boundcheck.conform.faults.wrong_oracle import ChangedAverages, lasting_memory
from boundcheck.conform.mistakes.averaging import around, scale_displacement
from boundcheck.methods.local_momentum import PRSGDM

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.faults.changes import Pieces
    from boundcheck.conform.faults.wrong import Round
    from boundcheck.methods.base import Vector


def _set_weights(weights: Callable[[float], tuple[float, float]]) -> Pieces:
    """Return the piece with other weights than beta and 1 - beta."""
    return set_numbers(beta=lambda m: Weights(*weights(m.beta)))


DIRECTION = {
    "swapped": Mistake("beta and 1-beta are swapped", **_set_weights(lambda beta: (1 - beta, beta))),
    "extra-factor": Mistake(
        "the momentum has an extra factor (1-beta)", **_set_weights(lambda beta: (beta, (1 - beta) ** 2))
    ),
    "momentum-sign": Mistake("the momentum has the wrong sign", **_set_weights(lambda beta: (beta, beta - 1))),
    "old-momentum": Mistake("the momentum is that of one round earlier", **set_read(g=lambda r: r.earlier.g)),
}
"""Of FedAvg-M and SCAFFOLD-M."""
FEDAVG_M = {
    **DIRECTION,
    "no-K": Mistake(
        "the number of local steps K is missing in the denominator of the direction", **around(lambda r: r.K)
    ),
    "undamped-gradient": Mistake(
        "the factor beta of the fresh gradient is missing", **_set_weights(lambda beta: (1.0, 1 - beta))
    ),
    "undamped-momentum": Mistake(
        "the factor (1-beta) of the momentum is missing", **_set_weights(lambda beta: (beta, 1.0))
    ),
    "momentum-none": Mistake("the momentum is never used", **_set_weights(lambda beta: (beta, 0.0))),
}
_DAMPED = around(lambda r: 1.0 - r.m.beta)


def _step_along(velocity: Callable[[Round], Vector]) -> Pieces:
    """Return the piece whose server moves along another velocity, and keeps the right one."""
    return set_new(x=lambda r: r.old.x - r.m.gamma * velocity(r))


def _new_displacement(r: Round) -> Vector:
    """Return the displacement d that has entered the velocity."""
    found: Vector = r.new.v - r.m.beta * r.old.v
    return found


_SERVER = {
    "damped": Mistake("the displacement enters the velocity with an extra factor (1-beta)", **_DAMPED),
    "momentum-sign": Mistake("the momentum has the wrong sign", **set_numbers(beta=lambda m: -m.beta)),
}
_OLD = "the server moves along the velocity before it is refreshed"
FEDAVG_SERVER_M = {
    **_SERVER,
    "old-momentum": Mistake(_OLD, **_step_along(lambda r: r.old.v)),
    "nesterov": Mistake(
        "the momentum is Nesterov's",
        **set_new(x=lambda r: r.new.x - r.m.gamma * r.m.beta * (r.new.v - r.old.v)),
    ),
}


def _swap(r: Round) -> Any:
    v = (1.0 - r.m.beta) * r.old.v + r.m.beta * _new_displacement(r)
    return r.new._replace(x=r.old.x - r.m.gamma * v, v=v)


def _keep_by_client(r: Round) -> ChangedAverages:
    """Return an oracle whose averages of models are x less the mean velocity of clients that keep their own."""
    memory, x = lasting_memory(r.oracle), r.old.x

    def change(rows: Vector, mean: Vector) -> Vector:
        kept = memory.get("velocities", r.oracle.to_all(0.0 * x))
        own = r.m.beta * r.oracle.active(kept) + x - rows
        memory["velocities"] = r.oracle.remember(kept, own)
        return x - average(own)

    return ChangedAverages(r.oracle, change)


MORE_VELOCITY = tabulate(
    {
        "every client has a velocity of its own, refreshed when it is active, and the server moves along the mean of "
        "the active clients'": {**change_oracle(_keep_by_client), **set_numbers(beta=lambda m: 0.0)},
        "beta and 1-beta are swapped in a damped velocity: v <- (1-beta) v + beta d": change_state(_swap),
        "the velocity keeps the last displacement alone, and not what came before it": set_new(v=_new_displacement),
        "the server's step starts at the average of the clients and not at x": set_new(
            x=lambda r: r.new.x - _new_displacement(r)
        ),
        "the velocity is corrected for its bias as in Adam: it is v/(1-beta^t), with v <- beta v + (1-beta) d": {
            **_DAMPED,
            **_step_along(lambda r: r.new.v / (1.0 - r.m.beta ** (r.t + 1))),
        },
        "the momentum is Nesterov's, and both of its parts are averages with the weights beta and 1-beta (lerp): v <- "
        "beta v + (1-beta) d, and the step is along beta v + (1-beta) d": {
            **_DAMPED,
            **_step_along(lambda r: _new_displacement(r) + r.m.beta * r.new.v),
        },
        "the step is along beta v alone after v is refreshed, without the displacement: a half of Nesterov's": (
            _step_along(lambda r: r.m.beta * r.new.v)
        ),
    }
)
"""Of FedAvg with server momentum, sought where none of the first has the iterates."""
SLOWMO = {
    **_SERVER,
    "no-eta": Mistake(
        "the displacement is not divided by eta before it enters the slow momentum", **around(lambda r: r.m.eta)
    ),
    "no-eta-back": Mistake(
        "the server's move along the slow momentum is not multiplied by eta",
        **scale_displacement(lambda r: 1.0 / r.m.eta),
    ),
    "old-momentum": Mistake(_OLD, **_step_along(lambda r: r.m.eta * r.old.v)),
}
MORE_SLOWMO = tabulate(
    {
        "the server's step starts at the average of the clients and not at x": set_new(
            x=lambda r: r.new.x - r.m.eta * _new_displacement(r)
        )
    }
)
"""Likewise."""


def _weight(m: Any) -> Any:
    """Return the weight of the old buffer, whatever the method calls it."""
    return m.beta if isinstance(m, PRSGDM) else m.mu


def _keep_buffers(*, shared: bool, restart: bool = False) -> Pieces:
    return {
        **change_start(lambda r: Buffers(r.old.x, r.oracle.to_all(0.0 * r.old.x))),
        **change_method(lambda r: LocalBuffers(r.m.eta, _weight(r.m), shared=shared, restart=restart)),
    }


_BUFFERS = {
    "kept": Mistake("every client keeps its momentum buffer from round to round", **_keep_buffers(shared=False)),
    "one-buffer": Mistake(
        "one momentum buffer passes from client to client and from round to round", **_keep_buffers(shared=True)
    ),
    "damped": Mistake(
        "the gradient enters the local momentum with an extra factor (1-beta)",
        **change_gradients(lambda r, g, y: (1.0 - _weight(r.m)) * g),
    ),
}
MORE_BUFFERS = tabulate(
    {
        "one momentum buffer passes from client to client within a round, and restarts in the next": _keep_buffers(
            shared=True, restart=True
        )
    }
)
"""Of local momentum, sought where none of the first has the iterates."""
_NESTEROV = "the local momentum is Nesterov's"
_SIGN = "the local momentum has the wrong sign"
_NEVER = "the local momentum is never used"
LOCAL_BUFFERS = {
    **_BUFFERS,
    "nesterov": Mistake(_NESTEROV, **set_numbers(nesterov=lambda m: True)),
    "momentum-sign": Mistake(_SIGN, **set_numbers(beta=lambda m: -m.beta)),
    "restart": Mistake("the momentum buffers restart every round", **set_numbers(restart=lambda m: True)),
    "momentum-none": Mistake(_NEVER, **set_numbers(beta=lambda m: 0.0)),
}
"""Of PR-SGD with momentum, whose buffers are averaged."""


class _Restarted:
    """Puts PR-SGD with momentum in the place of local heavy ball, from the zero buffer every round."""

    def __init__(self, m: Any, sign: float, *, nesterov: bool) -> None:
        self._right = PRSGDM(eta=m.eta, beta=sign * _weight(m), nesterov=nesterov, restart=True)

    def round(self, oracle: Any, state: Any) -> Any:
        """Make the round of PR-SGD with momentum, and keep its iterate."""
        return state._replace(x=self._right.round(oracle, PRSGDM.state_type(state.x, 0.0 * state.x)).x)


LOCAL_HEAVY_BALL = {
    **_BUFFERS,
    "nesterov": Mistake(_NESTEROV, numbers=lambda r: _Restarted(r.m, 1.0, nesterov=True)),
    "momentum-sign": Mistake(_SIGN, numbers=lambda r: _Restarted(r.m, -1.0, nesterov=False)),
    "momentum-none": Mistake(_NEVER, **set_numbers(mu=lambda m: 0.0)),
}
"""Of FedAvg with local heavy ball, whose buffers restart every round."""
