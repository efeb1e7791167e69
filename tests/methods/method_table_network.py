"""The methods that look into a network: hyperparameters and references."""

import straightline_network as plain
from method_case import Case

_CONTRAST = {"eta": 0.3, "mu": 1.5, "tau": 0.6}
_BRANCHES = {"eta": 0.3, "lam1": 0.9, "lam2": 0.7, "lam3": 1.2, "tau": 0.8}
_SERVER = {"beta": 0.6, "gamma": 0.8}
_TWO = {"gradients": "2K"}

CASES = [
    Case("moon", _CONTRAST, reference=plain.moon),
    Case("moonm", {**_CONTRAST, **_SERVER}, reference=plain.moon),
    Case("fedmlb", _BRANCHES, reference=plain.fedmlb, **_TWO),
    Case("fedmlbm", {**_BRANCHES, **_SERVER}, reference=plain.fedmlb, **_TWO),
]
"""Every method once."""
