"""The straight-line references as implementations under test, right and with one change in their source."""

import inspect
from functools import cache

import straightline
import straightline_adaptive
import straightline_variance


class Samples:
    """The clients' gradients in the way the references ask for them."""

    def __init__(self, clients):
        self._clients = clients

    def __call__(self, r, k, i):
        """Return the gradient of client i on our minibatch k of round r, k = -1 being before the first round."""
        client = self._clients[i]
        return client.first if k < 0 else lambda x: client.grad(x, k, r)

    def full(self, i):
        """Return the exact gradient of client i."""
        return self._clients[i].full


def _momentum_fl(run, x0, g, N, K, active, **hyper):
    return run(x0, g, K=K, active=active, **hyper)[0]


def _two_sided(run, x0, g, N, K, active, eta, gamma=1.0):
    return _momentum_fl(run, x0, g, N, K, active, eta=eta, gamma=gamma * eta * K)


def _scaffold_m(run, x0, g, N, K, active, B=1, **hyper):
    return run(x0, g, N=N, K=K, active=active, controls=[g(0, -1, i)(x0) for i in range(N)], **hyper)[0]


def _gradma(run, x0, g, N, K, active, **hyper):
    return run(x0, g, active, K, **hyper)


def _scaffold(run, x0, g, N, K, active, **hyper):
    return run(x0, g, active, K, N=N, **hyper)


REFERENCES = {
    "fedavg": (straightline.fedavg, _two_sided),
    "fedprox": (straightline_adaptive.fedprox, _gradma),
    "fedavg-server-m": (straightline_adaptive.server_momentum, _gradma),
    "fedavg-m": (straightline.fedavg_m, _momentum_fl),
    "scaffold": (straightline_variance.scaffold, _scaffold),
    "scaffold-m": (straightline.scaffold_m, _scaffold_m),
}
"""Method to its reference and how it is called."""

_ONE_SAMPLE = ("g(r, k, i)", "g(r, 0, i)")
_OPTION_II = ("seen / K", "own[i] - common + (x - y) / (K * eta)")
_MIXED = "beta * grad + (1 - beta) * server"
_CORRECTED = "grad - own[i] + common"
_OLD = "(1 - beta) * server"
CHANGES = {
    "fedavg": {
        "over-N": [("len(chosen)", "N")],
        "sum": [("len(chosen) * ", "")],
        "one-sample": [_ONE_SAMPLE],
        "no-server-step": [("x - gamma", "x - eta * K")],
    },
    "fedprox": {
        "over-N": [("_average(ends)", "path[-1] + sum(y - path[-1] for y in ends) / N")],
        "sum": [("_average(ends)", "path[-1] + sum(y - path[-1] for y in ends)")],
        "one-sample": [_ONE_SAMPLE],
        "prox-sign": [("+ rho", "- rho")],
        "prox-double": [("+ rho", "+ 2 * rho")],
        "prox-none": [("+ rho", "+ 0 * rho")],
    },
    "fedavg-server-m": {
        "over-N": [("_average(moves)", "sum(moves) / N")],
        "sum": [("_average(moves)", "sum(moves)")],
        "one-sample": [_ONE_SAMPLE],
        "damped": [("_average(moves)", "(1 - beta) * _average(moves)")],
        "momentum-sign": [("= beta * velocity", "= -beta * velocity")],
        "old-momentum": [("velocity = beta", "old, velocity = velocity, beta"), ("gamma * velocity", "gamma * old")],
        "nesterov": [("gamma * velocity", "gamma * (beta * velocity + _average(moves))")],
    },
    "fedavg-m": {
        "over-N": [("eta * len(chosen)", "eta * N")],
        "sum": [("eta * len(chosen)", "eta")],
        "one-sample": [_ONE_SAMPLE],
        "swapped": [(_MIXED, "(1 - beta) * grad + beta * server")],
        "extra-factor": [(_OLD, "(1 - beta) ** 2 * server")],
        "momentum-sign": [("+ " + _OLD, "- " + _OLD)],
        "old-momentum": [(_OLD, "(1 - beta) * directions[max(r - 1, 0)]")],
        "no-K": [("(eta * len(chosen) * K)", "(eta * len(chosen))")],
        "undamped-gradient": [("beta * grad", "grad")],
        "undamped-momentum": [(_OLD, "server")],
        "momentum-none": [(_OLD, "0 * server")],
    },
    "scaffold": {
        "over-N": [("mean(moved)", "sum(moved) / N")],
        "sum": [("mean(moved)", "sum(moved)")],
        "one-sample": [_ONE_SAMPLE],
        "sign": [("- own[i] + common)", "+ own[i] - common)")],
        "c-over-S": [("sum(changed) / N", "mean(changed)")],
        "no-K": [("(K * eta)", "eta")],
        "no-eta": [("(K * eta)", "K")],
        "no-c": [("own[i] - common + (x", "own[i] + (x")],
        "frozen": [("own[i] - common + (x - y) / (K * eta)", "own[i]")],
        "whole-variate": [("fresh - own[i]", "fresh")],
        "forgotten": [("own[i] = fresh", "pass")],
        "one-sided": [("- own[i] + common)", "- own[i])")],
        "start-at-x0": [("np.zeros_like(x0)", "x0")],
    },
    "scaffold-m": {
        "over-N": [("eta * len(chosen)", "eta * N")],
        "sum": [("eta * len(chosen)", "eta")],
        "one-sample": [_ONE_SAMPLE],
        "sign": [(_CORRECTED, "grad + own[i] - common")],
        "c-over-S": [("change / N", "change / len(chosen)")],
        "no-K": [("seen / K", "seen")],
        "no-eta": [_OPTION_II, ("(K * eta)", "K")],
        "no-c": [_OPTION_II, ("own[i] - common + (x", "own[i] + (x")],
        "frozen": [("seen / K", "own[i]")],
        "whole-variate": [("(fresh[i] - own[i])", "fresh[i]")],
        "forgotten": [("own = fresh", "pass")],
        "one-sided": [(_CORRECTED, "grad - own[i]")],
        "swapped": [(f"beta * ({_CORRECTED}) + {_OLD}", f"(1 - beta) * ({_CORRECTED}) + beta * server")],
        "extra-factor": [(_OLD, "(1 - beta) ** 2 * server")],
        "momentum-sign": [("+ " + _OLD, "- " + _OLD)],
        "old-momentum": [(_OLD, "(1 - beta) * trace[max(r - 1, 0)][0]")],
        "undamped-correction": [(f"beta * ({_CORRECTED})", f"(beta * {_CORRECTED})")],
        "option-II": [_OPTION_II],
    },
}
"""Method to mistake to the changes of its reference's source that make it."""


@cache
def _compiled(method, mistake):
    source = inspect.getsource(REFERENCES[method][0])
    for right, wrong in CHANGES[method][mistake] if mistake else ():
        assert right in source
        source = source.replace(right, wrong)
    return compile(source, f"{method} {mistake}", "exec")


def loop(method, mistake=None):
    """Return the reference of a method as an implementation under test, with a mistake if one is named."""
    reference, call = REFERENCES[method]

    def run(clients, x0, *, K, T, active, **hyper):
        namespace = {**reference.__globals__, "N": len(clients)}
        exec(_compiled(method, mistake), namespace)
        changed = namespace[reference.__name__]
        return call(changed, x0, Samples(clients), len(clients), K, active, **hyper)

    return run
