"""Which method is another one at some of its hyperparameters: it then never has to lose to it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boundcheck.sweep.recipes.experiment import Entrant
    from boundcheck.sweep.recipes.fields import Number

    Values = Mapping[str, Number]


class Nesting(NamedTuple):
    """One method is another one at the hyperparameters that `image` returns."""

    inner: str
    outer: str
    image: Callable[[Values, int], dict[str, Number]]
    """Hyperparameters of `inner`, K to those of `outer` that decide it."""
    exact: bool = True
    """Whether runs are equal; else their first estimate alone is drawn in another way."""


def _fresh(at: Values, K: int) -> dict[str, Number]:
    """Return momentum-fl's hyperparameters without momentum; its server step is in units of the local ones."""
    return {"eta": at["eta"], "gamma": float(at.get("gamma", 1.0)) * float(at["eta"]) * K, "beta": 1.0}


def _fresh_control(at: Values, K: int) -> dict[str, Number]:
    """Return the same of SCAFFOLD, whose first control variates must be from as many samples."""
    return {**_fresh(at, K), "B": at.get("B", 0)}


def _with(**off: float) -> Callable[[Values, int], dict[str, Number]]:
    # A server step that the inner method does not have is 1.
    return lambda at, K: {"gamma": 1.0, **at, **off}


NESTED = (
    Nesting("fedavg", "fedavg-m", _fresh),
    Nesting("fedavg", "fedavg-m-kept", _fresh),
    Nesting("fedavg", "fedavg-m-vr", _fresh, exact=False),
    Nesting("scaffold", "scaffold-m", _fresh_control),
    Nesting("scaffold", "scaffold-m-vr", _fresh_control),
    Nesting("fedavg", "fedavg-server-m", _with(beta=0.0)),
    Nesting("fedavg", "slowmo", _with(beta=0.0)),
    Nesting("fedavg", "mimelite", _with(beta=0.0)),
    Nesting("fedavg", "mimelite-mvr", _with(a=1.0)),
    Nesting("fedavg", "fedprox", _with(rho=0.0)),
    Nesting("fedavg", "moon", _with(mu=0.0)),
    Nesting("fedprox", "fedprox-m", _with(beta=0.0)),
    Nesting("moon", "moonm", _with(beta=0.0)),
    Nesting("fedmlb", "fedmlbm", _with(beta=0.0)),
    Nesting("fedavg-server-m", "fedprox-m", _with(rho=0.0)),
    Nesting("fedavg-server-m", "moonm", _with(mu=0.0)),
)
"""Each is checked by runs of both."""


def image_of(inner: Entrant, outer: Entrant, tuned: Values, K: int) -> dict[str, Number] | None:
    """Return the point at which an entrant is another one that was tuned, None where it never is.

    Parameters
    ----------
    inner, outer : Entrant
    tuned : mapping
        Hyperparameters of `inner`.
    K : int
        Local steps.
    """
    found = next((one for one in NESTED if (one.inner, one.outer) == (inner.method, outer.method)), None)
    same_runs = (inner.K, inner.schedule, inner.weight_decay) == (outer.K, outer.schedule, outer.weight_decay)
    if found is None or not same_runs:
        return None
    defaults = {f.name: f.default for f in dataclasses.fields(METHODS[outer.method])}  # type: ignore[arg-type]
    point = {name: values[0] for name, values in outer.grid.items()}
    for name, value in found.image(tuned, K).items():
        free = len(outer.grid.get(name, ())) > 1
        # A step that the outer method does not have is 1 there.
        if not free and value != point.get(name, defaults.get(name, 1.0)):
            return None
        if free:
            point[name] = value
    return point


def contains(outer: Entrant, inner: Entrant) -> bool:
    """Return whether an entrant is another one at some of the hyperparameters that its recipe leaves free."""
    return outer is not inner and image_of(inner, outer, {k: v[0] for k, v in inner.grid.items()}, 1) is not None


def innermost_first(runners: Sequence[Entrant]) -> list[Entrant]:
    """Return entrants such that each stands behind those that it contains."""

    def depth(outer: Entrant) -> int:
        return max((1 + depth(inner) for inner in runners if contains(outer, inner)), default=0)

    return sorted(runners, key=depth)
