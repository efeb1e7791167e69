"""The straight-line references as implementations under test, right and with one change in their source."""

import inspect
from functools import cache

import numpy as np
import straightline
import straightline_adaptive
import straightline_glomo
import straightline_variance
from wrong_sources import CHANGES, LATE, UNLISTED


class Samples:
    """The clients' gradients in the way the references ask for them."""

    def __init__(self, clients):
        self._clients = clients

    def __call__(self, r, k, i):
        """Return the gradient of client i on our minibatch k of round r, k = -1 being before the first round."""
        client = self._clients[i]
        return client.first if k < 0 else lambda x: client.grad(x, k, r)

    coins = None

    def size(self, i):
        """Return the size of client i."""
        return self._clients[i].size

    def full(self, i):
        """Return the exact gradient of client i."""
        return self._clients[i].full


def _momentum_fl(run, x0, g, N, K, active, **hyper):
    return run(x0, g, K=K, active=active, **hyper)[0]


def _two_sided(run, x0, g, N, K, active, eta, gamma=1.0):
    return _momentum_fl(run, x0, g, N, K, active, eta=eta, gamma=gamma * eta * K)


def _scaffold_m(run, x0, g, N, K, active, B=1, **hyper):
    return run(x0, g, N=N, K=K, active=active, controls=[g(0, -1, i)(x0) for i in range(N)], **hyper)[0]


def _plain(run, x0, g, N, K, active, **hyper):
    return run(x0, g, active, K, **hyper)


def _numbered(run, x0, g, N, K, active, **hyper):
    return run(x0, g, active, K, N=N, **hyper)


def _rule(rule):
    return lambda run, x0, g, N, K, active, **hyper: run(x0, g, active, K, rule=rule, **hyper)


def _saddle(run, z0, g, N, K, active, **hyper):
    """Call a reference that has the two blocks apart: three coordinates against two."""

    def split(r, k, i):
        return lambda th, w: np.split(g(r, k, i)(np.concatenate([th, w])), [3])

    path = run(z0[:3], z0[3:], split, N=N, K=K, R=len(active), **hyper)[0]
    return [np.concatenate(point) for point in path]


REFERENCES = {
    "fedavg": (straightline.fedavg, _two_sided),
    "fedprox": (straightline_adaptive.fedprox, _plain),
    "fedavg-server-m": (straightline_adaptive.server_momentum, _plain),
    "slowmo": (straightline_adaptive.slowmo, _plain),
    "fedavg-local-m": (straightline_glomo.fedpaq_family, _plain),
    "pr-sgd-m": (straightline_adaptive.pr_sgd_momentum, _plain),
    "fedavg-m": (straightline.fedavg_m, _momentum_fl),
    "scaffold": (straightline_variance.scaffold, _numbered),
    "scaffold-m": (straightline.scaffold_m, _scaffold_m),
    "fedgate": (straightline_variance.fedgate, _numbered),
    "feddyn": (straightline_adaptive.feddyn, _numbered),
    "fedadagrad": (straightline_adaptive.fedopt, _rule("adagrad")),
    "fedadam": (straightline_adaptive.fedopt, _rule("adam")),
    "fedyogi": (straightline_adaptive.fedopt, _rule("yogi")),
    "local-adam": (straightline_adaptive.local_adam, _numbered),
    "local-sgda": (straightline.local_sgda, _saddle),
}
"""Method to its reference and how it is called."""


_TABLES = {"start": CHANGES, "late": LATE, "unlisted": UNLISTED}


@cache
def _compiled(method, mistake, when):
    source = inspect.getsource(REFERENCES[method][0])
    for right, wrong in _TABLES[when][method][mistake] if mistake else ():
        assert right in source, (method, mistake, right)
        source = source.replace(right, wrong)
    return compile(source, f"{method} {mistake}", "exec")


def loop(method, mistake=None, *, when="start"):
    """Return the reference of a method as an implementation under test, with a mistake if one is named.

    `when` says which table it is from: made from the start, made late, or not listed.
    """
    reference, call = REFERENCES[method]

    def run(clients, x0, *, K, T, active, **hyper):
        namespace = {**reference.__globals__, "N": len(clients)}
        exec(_compiled(method, mistake, when), namespace)
        changed = namespace[reference.__name__]
        return call(changed, x0, Samples(clients), len(clients), K, active, **hyper)

    return run
