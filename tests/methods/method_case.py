"""What a line of the tables of methods is, and the problem that it runs on."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from method_problems import PlainRidge, Saddle

from boundcheck.methods import METHODS
from boundcheck.problems.data.mlp import Perceptron

TOLERANCE = 1e-12
"""Agreement with the references, relative to the largest iterate."""


@dataclass(frozen=True)
class Case:
    """A registered method with hyperparameters; `reference(x0, g, active, K, **numbers)` is optional."""

    name: str
    numbers: dict[str, float]
    options: dict[str, Any] = field(default_factory=dict)
    reference: Callable[..., list] | None = None
    partial: bool = True
    """Whether S < N is legal."""
    warm: int = 0
    """First rounds that cost something else than the card says."""
    gradients: str = ""
    """Formula of this variant, where the card gives several; "drawn" where coins decide."""

    @property
    def start(self) -> int:
        """Return the number of draws before the first round."""
        return int("B" in self.options)

    @property
    def kind(self) -> str:
        """Return 'minimise' or 'minimax'."""
        return METHODS[self.name].card.kind

    @property
    def network(self) -> bool:
        """Return whether it needs a network."""
        return "layers" in METHODS[self.name].card.needs

    def method(self, **numbers):
        """Return the method, with some numbers replaced."""
        return METHODS[self.name](**{**self.numbers, **numbers}, **self.options)

    def lane_numbers(self, lanes):
        """Return hyperparameter arrays, one value a lane and no two alike."""
        spread = 1.0 - 0.05 * np.arange(lanes)
        return {name: value * spread for name, value in self.numbers.items()}

    def __str__(self) -> str:
        return "-".join([self.name, *(f"{k}={v}" for k, v in self.options.items())])


def problem_for(case, N=5, d=3, sigma=0.7, noise="phases", zeta=0.8):
    """Return a fresh noisy heterogeneous problem of the kind that the case needs."""
    if case.network:
        return Perceptron(N=N, width=3, concentration=0.3)
    if case.kind == "minimax":
        return Saddle(N=N, sigma=sigma, kind=noise)
    return PlainRidge(N=N, d=d, zeta=zeta if N > 1 else 0.0, sigma=sigma, noise=noise, omega=1.3)
