"""Known wrong variants of the methods that are most often got wrong, with the words of a diagnosis."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from boundcheck.conform.plain import fedavg, fedavg_m, server_momentum
from boundcheck.conform.plain_scaffold import scaffold

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.base import Array

_ANY = {
    "over-N": "the clients' results are averaged over all N clients instead of the S active ones",
    "sum": "the clients' results are added up instead of averaged",
    "one-sample": "every local step uses the sample of the first one",
}
_MOMENTUM = {
    "swapped": "beta and 1-beta are swapped",
    "extra-factor": "the momentum has an extra factor (1-beta)",
    "momentum-sign": "the momentum has the wrong sign",
    "old-momentum": "the momentum is that of one round earlier",
}
_VARIATES = {
    "sign": "the correction of the local gradient has the wrong sign",
    "c-over-S": "the change of the server variate c is divided by the S active clients instead of all N",
    "no-K": "the number of local steps K is missing in the denominator of the control variate",
    "no-eta": "the step eta is missing in the denominator of the control variate",
    "no-c": "the server variate c is not subtracted from the new control variate",
    "frozen": "the control variates never change (their change is zero)",
    "whole-variate": "the server adds the whole new control variates instead of their changes",
    "forgotten": "the clients do not keep their new control variates",
    "one-sided": "the server variate c is missing in the local correction",
}
_WORDS: dict[str, dict[str, str]] = {
    "fedavg": {**_ANY, "no-server-step": "the server step gamma is not applied"},
    "fedprox": {
        **_ANY,
        "prox-sign": "the proximal term has the wrong sign",
        "prox-double": "the proximal gradient is 2 rho (y - x) instead of rho (y - x)",
        "prox-none": "the proximal term is missing",
    },
    "fedavg-server-m": {
        **_ANY,
        "damped": "the displacement enters the velocity with an extra factor (1-beta)",
        "momentum-sign": "the momentum has the wrong sign",
        "old-momentum": "the server moves along the velocity before it is refreshed",
        "nesterov": "the momentum is Nesterov's",
    },
    "fedavg-m": {
        **_ANY,
        **_MOMENTUM,
        "no-K": "the number of local steps K is missing in the denominator of the direction",
        "undamped-gradient": "the factor beta of the fresh gradient is missing",
        "undamped-momentum": "the factor (1-beta) of the momentum is missing",
        "momentum-none": "the momentum is never used",
    },
    "scaffold": {**_ANY, **_VARIATES, "start-at-x0": "the control variates start as the model parameters"},
    "scaffold-m": {
        **_ANY,
        **_VARIATES,
        **_MOMENTUM,
        "undamped-correction": "the correction is not multiplied by beta",
        "option-II": "the control variates are those of SCAFFOLD's option II, which takes the momentum into them",
    },
}
"""Method to mistake to words."""


def _scaffold_m(
    clients: Any, x0: Array, *, K: int, eta: float, gamma: float, refresh: str = "gradient", **rest: Any
) -> Array:
    return scaffold(clients, x0, K=K, eta=eta, gamma=gamma / (eta * K), refresh=refresh, **rest)


_PLAIN: dict[str, Callable[..., Array]] = {
    "fedavg": fedavg,
    "fedprox": fedavg,
    "fedavg-server-m": server_momentum,
    "fedavg-m": fedavg_m,
    "scaffold": scaffold,
    "scaffold-m": _scaffold_m,
}
"""Method to its plain loop."""


_SOUND = {("no-eta", "gradient"), ("no-c", "gradient"), ("option-II", "displacement")}
"""A mistake in the formula of option II cannot be made in the mean of the gradients, and is one already."""


@dataclass(frozen=True)
class Mistake:
    """A way to get a method wrong; several implementations may make the same one."""

    id: str
    method: str
    words: str
    variants: tuple[Callable[..., Array], ...]


def mistakes(method: str) -> list[Mistake]:
    """Return the known mistakes of a method, none for most."""
    found = []
    for wrong, words in _WORDS.get(method, {}).items():
        rules: tuple[dict[str, str], ...] = ({},)
        if method.startswith("scaffold"):
            rules = tuple({"refresh": rule} for rule in ("displacement", "gradient") if (wrong, rule) not in _SOUND)
        variants = tuple(partial(_PLAIN[method], wrong=wrong, **rule) for rule in rules)
        found.append(Mistake(wrong, method, words, variants))
    return found


def plain(method: str) -> Callable[..., Array]:
    """Return the plain loop of a method without a mistake."""
    return _PLAIN[method]


KNOWN = tuple(_WORDS)
"""Methods with known mistakes."""
