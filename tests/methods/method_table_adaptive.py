"""The adaptive, momentum, proximal, dual and normalised methods: hyperparameters, options and references."""

from functools import partial

import straightline_adaptive as plain
from method_case import Case

_STEPS = {"eta": 0.1, "gamma": 0.2, "beta1": 0.6}
_ADAM = {**_STEPS, "beta2": 0.7}
_LOCAL = {"eta": 0.05, "beta1": 0.6, "beta2": 0.7, "eps": 0.3}
_CORRECTED = {**_LOCAL, "gamma": 1.3, "v0": 0.2}
_HEAVY = {"eta": 0.1, "beta": 0.6, "gamma": 0.8}
_NOVA = {"eta": 0.1, "beta": 0.5, "rho": 0.7}
_DUAL = {"eta": 0.1, "eta_pd": 0.8}
_EVERY_ROUND = 4
"""Rounds of the contract tests: no round of the adaptive interval but the first has K steps."""

CASES = [
    Case("fedadagrad", {**_STEPS, "tau": 0.3}, reference=partial(plain.fedopt, rule="adagrad")),
    Case("fedadam", {**_ADAM, "tau": 0.3}, reference=partial(plain.fedopt, rule="adam")),
    Case("fedyogi", {**_ADAM, "tau": 0.3}, reference=partial(plain.fedopt, rule="yogi")),
    *(Case("fedams", {**_ADAM, "eps": 0.01}, {"version": version}, plain.fedams) for version in (1, 2)),
    *(
        Case("lafedopt", _CORRECTED, {"client": client, "correction": correction}, plain.lafedopt)
        for client, correction in (("adam", "joint"), ("yogi", "local"), ("adagrad", "none"), ("sgd", "joint"))
    ),
    Case("lafedopt", _CORRECTED, {"client": "adam", "correction": "local", "weights": "exact"}, plain.lafedopt),
    Case("local-adaalter", {"eta": 0.1, "eps": 0.4, "b0": 0.5}, reference=plain.local_adaalter),
    Case("local-amsgrad", _LOCAL, reference=plain.local_amsgrad, partial=False),
    *(Case("local-adam", _LOCAL, options, plain.local_adam) for options in ({}, {"amsgrad": True}, {"reset": True})),
    Case("fedavg-server-m", _HEAVY, reference=plain.server_momentum),
    Case("slowmo", _HEAVY, reference=plain.slowmo),
    Case("fedprox", {"eta": 0.1, "rho": 0.9}, reference=plain.fedprox),
    Case("fedprox-m", {**_HEAVY, "rho": 0.9}, reference=plain.server_momentum),
    *(
        Case("pr-sgd-m", {"eta": 0.1, "beta": 0.6}, options, plain.pr_sgd_momentum)
        for options in ({}, {"nesterov": True}, {"restart": True})
    ),
    Case("fednova", _NOVA, reference=plain.fednova),
    Case("fednova", _NOVA, {"fewest": 1}, plain.fednova),
    Case("feddyn", {"eta": 0.1, "alpha": 0.9}, reference=plain.feddyn),
    Case("fedpd", {**_DUAL, "skip": 0.0}, {"warm": False}, plain.fedpd, partial=False),
    Case("fedpd", {**_DUAL, "skip": 0.15}, {"warm": True}, plain.fedpd, partial=False),
    Case("fedlalr", {**_LOCAL, "eta": 0.1}, {"growth": 2}, plain.fedlalr_adaptive, warm=_EVERY_ROUND),
    Case("fedlalr", {**_LOCAL, "eta": 0.1}, {"growth": 3, "sync": "max"}, plain.fedlalr_adaptive, warm=_EVERY_ROUND),
]
"""Every method of these families, each variant once."""
