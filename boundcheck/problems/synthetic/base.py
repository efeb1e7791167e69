"""What problems written as formulas share: parameters as fields, a start with equal coordinates, a noise model."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require_count
from boundcheck.problems.base import Problem
from boundcheck.problems.noise.base import NoNoise
from boundcheck.problems.noise.models import make_noise

if TYPE_CHECKING:
    from boundcheck.problems.noise.base import Noise
    from boundcheck.problems.types import Array


@dataclass(kw_only=True, eq=False, repr=False)
class Formula(Problem):
    """A problem written as a formula, without noise.

    A family is a dataclass whose fields are its parameters, under the names of ``problems/*.toml``; what follows from
    them is made in ``__post_init__``, after that of this class.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    start : float
        Every coordinate of x_0.
    """

    N: int
    d: int = 8
    # An `InitVar` is a parameter whose name then stands for what was made of it: here the point x_0, below the model.
    start: InitVar[float] = 1.0

    def __post_init__(self, start: float) -> None:
        require_count(self.d, f"{self.family}: d")
        Problem.__init__(self, N=self.N, d=self.d, start=self.everywhere(start), noise=NoNoise(0.0, self.d))

    def everywhere(self, z: float) -> Array:
        """Return the point with every coordinate z."""
        return np.full(self.d, float(z))


@dataclass(kw_only=True, eq=False, repr=False)
class NoisyFormula(Formula):
    """A problem written as a formula, with a noise model of choice.

    Parameters
    ----------
    N, d, start
        As for `Formula`.
    sigma : float
        Noise of one sample; 0 for dropout.
    noise : str
        A name in `boundcheck.problems.noise.models.NOISES`.
    omega : float
        Frequency of phases.
    odds : int
        Dropout keeps one sample gradient in `odds`.
    """

    sigma: float = 0.0
    noise: InitVar[str] = "signs"
    omega: float = 1.0
    odds: int = 2

    def __post_init__(self, start: float, noise: str) -> None:
        super().__post_init__(start)
        self.noise = self._model(noise)

    @property
    def convex_samples(self) -> bool:
        """Whether samples add a linear function to convex clients."""
        return self.convex and self.noise.linear

    def _model(self, noise: str) -> Noise:
        return make_noise(noise, self.sigma, self.d, self.omega, self.odds)
