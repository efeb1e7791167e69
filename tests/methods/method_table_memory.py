"""The methods with a memory and the minimax baselines: hyperparameters, options and references."""

import numpy as np
import straightline_memory as plain
import straightline_minimax
from method_case import Case


def _mifam(x0, g, active, K, *, N, eta, gamma=1.0, beta=0.0):
    return plain.mifam(x0, g, N=N, K=K, active=active, eta=eta, gamma=gamma, beta=beta)


def _gradma(x0, g, active, K, **numbers):
    return plain.gradma(x0, g, K=K, active=active, **numbers)[0]


def _gradma_s(x0, g, active, K, *, N, **numbers):
    return _gradma(x0, g, active, K, N=N, on_worker=False, **numbers)


def _gradma_w(x0, g, active, K, *, N, **numbers):
    return _gradma(x0, g, active, K, N=N, on_server=False, **numbers)


def _gradma_both(x0, g, active, K, *, N, **numbers):
    return _gradma(x0, g, active, K, N=N, **numbers)


def _minimax(name):
    """Return the reference of that name as a function of one vector (x, y): three coordinates, then two."""

    def reference(x0, g, active, K, *, N, B=None, **numbers):
        path = getattr(straightline_minimax, name)(x0[:3], x0[3:], g, N=N, K=K, R=len(active), **numbers)
        return [np.concatenate(pair) for pair in path]

    return reference


_SERVER = {"eta": 1.0, "gamma": 0.8, "beta": 0.6, "beta_mem": 0.5}
"""Steps so long that the projections act in every run of a few rounds."""
_AVERAGED = {"eta_x": 0.2, "eta_y": 0.4, "alpha": 0.6, "bx": 1.1, "by": 0.8}
_STAGED = {"eta_x": 0.1, "eta_y": 0.2, "lam": 0.7, "decay": 1.5}
_RECURSIVE = {"c_x": 0.2, "c_y": 0.4, "c1": 0.9, "c2": 1.2, "h": 1.1, "m": 2.5}
_NORMALISED = {"eta": 0.2, "length": 0.15, "lam": 0.3}

CASES = [
    Case("mifa", {"eta": 0.1}, reference=_mifam),
    Case("mifa", {"eta": 0.1, "gamma": 1.3}, reference=_mifam),
    Case("mifam", {"eta": 0.1, "gamma": 0.8, "beta": 0.6}, reference=_mifam),
    *(
        Case("gradma-w", {"eta": 1.0, "gamma": 0.8}, options, _gradma_w)
        for options in ({}, {"unseen": "current"}, {"previous": "current"})
    ),
    Case("gradma-s", _SERVER, {}, _gradma_s),
    Case("gradma-s", {"eta": 1.0, "beta": 0.6, "beta_mem": 0.0}, {}, _gradma_s),
    Case("gradma", _SERVER, {}, _gradma_both),
    Case("gradma", _SERVER, {"previous": "current"}, _gradma_both),
    *(Case("momentum-local-sgda", _AVERAGED, {"B": B}, _minimax("momentum_local_sgda"), partial=False) for B in (1, 2)),
    *(
        Case("coda", _STAGED, {"rounds": rounds, "growth": growth, "output": output}, _minimax("coda"), partial=False)
        for rounds, growth, output in ((2, 1, "mean"), (1, 2, "last"), (9, 3, "mean"))
    ),
    *(
        Case("codasca", {**_STAGED, "gamma": 1.2}, {"rounds": 2, "growth": growth, **more}, _minimax("codasca"), False)
        for growth, more in ((1, {}), (3, {"prox_inside": True}))
    ),
    Case("sgda", {"eta_x": 0.1, "eta_y": 0.2}, reference=_minimax("sgda"), partial=False),
    Case("sgda", {"eta_x": 0.1, "eta_y": 0.2}, {"alternating": True}, _minimax("sgda"), False, gradients="2K"),
    *(
        Case("sreda", _NORMALISED, options, _minimax("sreda"), partial=False, gradients=formula)
        for options, formula in (({"period": 1}, "2K + 1 full"), ({"period": 3}, "drawn"))
    ),
    *(Case("storm-gda", _RECURSIVE, {"B": B}, _minimax("storm_gda"), partial=False) for B in (1, 2)),
]
"""Every variant once."""
