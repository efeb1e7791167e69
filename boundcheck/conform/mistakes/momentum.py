"""Mistakes in momentum: of the server in every local step, of the server's velocity, of the clients' buffers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boundcheck.conform.mistakes.averaging import around, scale_displacement
from boundcheck.conform.wrong import Mistake, Weights
from boundcheck.conform.wrong_methods import Buffers, LocalBuffers
from boundcheck.conform.wrong_oracle import ChangedGradients
from boundcheck.methods.local_momentum import PRSGDM

if TYPE_CHECKING:
    from collections.abc import Callable


def _change_weights(weights: Callable[[float], tuple[float, float]]) -> Callable[[Any, int], Any]:
    """Return the change of beta and 1 - beta to other weights."""
    return lambda m, t: replace(m, beta=Weights(*weights(m.beta)))


DIRECTION = {
    "swapped": Mistake("beta and 1-beta are swapped", numbers=_change_weights(lambda beta: (1 - beta, beta))),
    "extra-factor": Mistake(
        "the momentum has an extra factor (1-beta)",
        numbers=_change_weights(lambda beta: (beta, (1 - beta) ** 2)),
    ),
    "momentum-sign": Mistake("the momentum has the wrong sign", numbers=_change_weights(lambda beta: (beta, beta - 1))),
    "old-momentum": Mistake(
        "the momentum is that of one round earlier",
        reads=lambda m, state, earlier: state._replace(g=earlier.g),
    ),
}
"""Of FedAvg-M and SCAFFOLD-M."""
FEDAVG_M = {
    **DIRECTION,
    "no-K": Mistake(
        "the number of local steps K is missing in the denominator of the direction",
        oracle=around(lambda m, oracle: oracle.K),
    ),
    "undamped-gradient": Mistake(
        "the factor beta of the fresh gradient is missing",
        numbers=_change_weights(lambda beta: (1.0, 1 - beta)),
    ),
    "undamped-momentum": Mistake(
        "the factor (1-beta) of the momentum is missing",
        numbers=_change_weights(lambda beta: (beta, 1.0)),
    ),
    "momentum-none": Mistake("the momentum is never used", numbers=_change_weights(lambda beta: (beta, 0.0))),
}
VELOCITY = {
    "damped": Mistake(
        "the displacement enters the velocity with an extra factor (1-beta)",
        oracle=around(lambda m, oracle: 1 - m.beta),
    ),
    "momentum-sign": Mistake("the momentum has the wrong sign", numbers=lambda m, t: replace(m, beta=-m.beta)),
    "momentum-none": Mistake("the momentum is never used", numbers=lambda m, t: replace(m, beta=0.0)),
    "forgotten-velocity": Mistake(
        "the velocity of the last round is lost", server=lambda m, oracle, state, after, t: after._replace(v=state.v)
    ),
}
"""Of the server's heavy ball."""
FEDAVG_SERVER_M = {
    **{name: mistake for name, mistake in VELOCITY.items() if name in {"damped", "momentum-sign"}},
    "old-momentum": Mistake(
        "the server moves along the velocity before it is refreshed",
        server=lambda m, oracle, state, after, t: after._replace(x=state.x - m.gamma * state.v),
    ),
    "nesterov": Mistake(
        "the momentum is Nesterov's",
        server=lambda m, oracle, state, after, t: after._replace(
            x=after.x - m.gamma * m.beta * (after.v - state.v),
        ),
    ),
}
MORE_VELOCITY = {
    "swapped": Mistake(
        "beta and 1-beta are swapped in a damped velocity: v <- (1-beta) v + beta d",
        server=lambda m, oracle, state, after, t: _swap(m, state, after),
    ),
    "lagged": Mistake(
        "the velocity keeps the last displacement alone, and not what came before it",
        server=lambda m, oracle, state, after, t: after._replace(v=after.v - m.beta * state.v),
    ),
    "from-average": Mistake(
        "the server's step starts at the average of the clients and not at x",
        server=lambda m, oracle, state, after, t: after._replace(x=after.x - (after.v - m.beta * state.v)),
    ),
    "corrected": Mistake(
        "the velocity is corrected for its bias as in Adam: it is v/(1-beta^t), with v <- beta v + (1-beta) d",
        oracle=around(lambda m, oracle: 1 - m.beta),
        server=lambda m, oracle, state, after, t: after._replace(
            x=state.x - m.gamma * after.v / (1.0 - m.beta ** (t + 1))
        ),
    ),
    "nesterov-average": Mistake(
        "the momentum is Nesterov's, and both of its parts are averages with the weights beta and 1-beta (lerp): v <- "
        "beta v + (1-beta) d, and the step is along beta v + (1-beta) d",
        oracle=around(lambda m, oracle: 1 - m.beta),
        server=lambda m, oracle, state, after, t: after._replace(
            x=state.x - m.gamma * ((after.v - m.beta * state.v) + m.beta * after.v)
        ),
    ),
    "nesterov-alone": Mistake(
        "the step is along beta v alone after v is refreshed, without the displacement: a half of Nesterov's",
        server=lambda m, oracle, state, after, t: after._replace(x=state.x - m.gamma * m.beta * after.v),
    ),
}
"""Of FedAvg with server momentum, sought where none of the first has the iterates."""


def _swap(m: Any, state: Any, after: Any) -> Any:
    v = (1.0 - m.beta) * state.v + m.beta * (after.v - m.beta * state.v)
    return after._replace(x=state.x - m.gamma * v, v=v)


SLOWMO = {
    **{name: mistake for name, mistake in VELOCITY.items() if name in {"damped", "momentum-sign"}},
    "no-eta": Mistake(
        "the displacement is not divided by eta before it enters the slow momentum",
        oracle=around(lambda m, oracle: m.eta),
    ),
    "no-eta-back": Mistake(
        "the server's move along the slow momentum is not multiplied by eta",
        server=scale_displacement(lambda m, oracle: 1.0 / m.eta),
    ),
    "old-momentum": Mistake(
        "the server moves along the velocity before it is refreshed",
        server=lambda m, oracle, state, after, t: after._replace(x=state.x - m.gamma * m.eta * state.v),
    ),
}


def _weight(m: Any) -> Any:
    """Return the weight of the old buffer, whatever the method calls it."""
    return m.beta if isinstance(m, PRSGDM) else m.mu


def _with_weight(m: Any, weight: Any, **more: Any) -> PRSGDM:
    return PRSGDM(eta=m.eta, beta=weight, **more)


def _keep_buffers(*, shared: bool, restart: bool = False) -> dict[str, Any]:
    return {
        "start": lambda m, oracle, state: Buffers(state.x, oracle.to_all(0.0 * state.x)),
        "numbers": lambda m, t: LocalBuffers(m.eta, _weight(m), shared=shared, restart=restart),
    }


_BUFFERS = {
    "kept": Mistake("every client keeps its momentum buffer from round to round", **_keep_buffers(shared=False)),
    "one-buffer": Mistake(
        "one momentum buffer passes from client to client and from round to round", **_keep_buffers(shared=True)
    ),
    "damped": Mistake(
        "the gradient enters the local momentum with an extra factor (1-beta)",
        oracle=lambda m, oracle, state: ChangedGradients(oracle, lambda g, _: (1.0 - _weight(m)) * g),
    ),
}
MORE_BUFFERS = {
    "one-buffer-restarted": Mistake(
        "one momentum buffer passes from client to client within a round, and restarts in the next",
        **_keep_buffers(shared=True, restart=True),
    ),
}
"""Of local momentum, sought where none of the first has the iterates."""
LOCAL_BUFFERS = {
    **_BUFFERS,
    "nesterov": Mistake("the local momentum is Nesterov's", numbers=lambda m, t: replace(m, nesterov=True)),
    "momentum-sign": Mistake("the local momentum has the wrong sign", numbers=lambda m, t: replace(m, beta=-m.beta)),
    "restart": Mistake("the momentum buffers restart every round", numbers=lambda m, t: replace(m, restart=True)),
    "momentum-none": Mistake("the local momentum is never used", numbers=lambda m, t: replace(m, beta=0.0)),
}
"""Of PR-SGD with momentum, whose buffers are averaged."""


class _Restarted:
    """Puts PR-SGD with momentum in the place of local heavy ball, from the zero buffer every round."""

    def __init__(self, m: Any, sign: float, *, nesterov: bool) -> None:
        self._m, self._weight, self._nesterov = m, sign * _weight(m), nesterov

    def round(self, oracle: Any, state: Any) -> Any:
        """Make the round of PR-SGD with momentum, and keep its iterate."""
        m = _with_weight(self._m, self._weight, nesterov=self._nesterov, restart=True)
        return state._replace(x=m.round(oracle, PRSGDM.state_type(state.x, 0.0 * state.x)).x)


LOCAL_HEAVY_BALL = {
    **_BUFFERS,
    "nesterov": Mistake("the local momentum is Nesterov's", numbers=lambda m, t: _Restarted(m, 1.0, nesterov=True)),
    "momentum-sign": Mistake(
        "the local momentum has the wrong sign", numbers=lambda m, t: _Restarted(m, -1.0, nesterov=False)
    ),
    "momentum-none": Mistake("the local momentum is never used", numbers=lambda m, t: replace(m, mu=0.0)),
}
"""Of FedAvg with local heavy ball, whose buffers restart every round."""
