"""The methods that run on Gram coordinates, with hyperparameters at which nothing is degenerate."""

from boundcheck.methods import METHODS

_MOMENTUM = {"eta": 0.1, "gamma": 0.3, "beta": 0.6}

LINEAR = {
    "fedavg": {"eta": 0.1, "gamma": 1.3},
    "fedavg-m": _MOMENTUM,
    "fedavg-m-vr": _MOMENTUM,
    "scaffold": {"eta": 0.1, "gamma": 1.3, "B": 1},
    "scaffold-m": _MOMENTUM,
    "scaffold-m-vr": _MOMENTUM,
    "fedavg-server-m": {"eta": 0.1, "beta": 0.6},
    "slowmo": {"eta": 0.1, "beta": 0.6},
    "pr-sgd-m": {"eta": 0.1, "beta": 0.6},
    "fedprox": {"eta": 0.1, "rho": 0.4},
    "fedprox-m": {"eta": 0.1, "rho": 0.4, "beta": 0.6},
    "feddyn": {"eta": 0.1, "alpha": 0.4},
    "fedpd": {"eta": 0.1, "eta_pd": 0.4},
    "mifa": {"eta": 0.1, "start": "full"},
    "mifam": {"eta": 0.1, "beta": 0.6},
    "fedgate": {"eta": 0.1},
    "vrl-sgd": {"eta": 0.1},
    "led": {"eta": 0.1, "beta": 0.6},
    "fedglomo": {"eta": 0.1, "beta": 0.6},
    "fedlomo": {"eta": 0.1},
    "fedpaq": {"eta": 0.1},
    "fedpaq-m": {"eta": 0.1, "mu": 0.6},
    "fedpaq-scm": {"eta": 0.1, "mu": 0.6, "server_mu": 0.3},
    "fedavg-local-m": {"eta": 0.1, "mu": 0.6},
    "stem": {"kappa": 0.1, "w": 1.0, "growth": 0.5, "c": 2.0},
    "mb-storm": {"gamma": 0.1, "a": 0.6},
    "ce-lsgd": {"eta": 0.1, "a": 0.6, "server": "mean"},
    "mime": {"eta": 0.1, "beta": 0.6},
    "mimelite": {"eta": 0.1, "beta": 0.6},
    "mime-mvr": {"eta": 0.1, "a": 0.6},
    "mimelite-mvr": {"eta": 0.1, "a": 0.6},
    "sgd": {"eta": 0.1},
    "sarah": {"eta": 0.1},
    "storm": {"eta": 0.1, "a": 0.6},
}


def method(name, **changed):
    """Return one of these methods, with some hyperparameters changed."""
    return METHODS[name](**{**LINEAR[name], **changed})
