"""Ridges as Dirichlet mixtures of shared components: label skew with an exact zeta."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.problems.synthetic.heterogeneity import mixtures
from boundcheck.problems.synthetic.weighted import Weighted


@dataclass(kw_only=True, eq=False, repr=False)
class MixtureRidge(Weighted):
    """f_i = sum_m p_im psi_m with M shared components psi_m(x) = M weight sum_(c = m mod M) phi(x_c).

    The shares p_i are drawn from Dirichlet(dirichlet_omega) and balanced, so that every client's add up to 1 and the
    average client has all components in equal shares: f(x) = weight sum_c phi(x_c) whatever the shares.  Small
    dirichlet_omega gives each client few components, as label skew does.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    link : str
        phi, an even link.
    weight : float
        Of f.
    components : int
        M, at most d.
    dirichlet_omega : float
        Concentration of the shares; large means equal clients.
    structure_seed : int
        Which shares.
    sigma, noise, omega, odds, start
        As for `boundcheck.problems.synthetic.ridge.Ridge`.
    """

    family = "ridge-mixture"
    scale: float = field(default=1.0, init=False)
    components: int = 4
    dirichlet_omega: float = 0.5
    structure_seed: int = 0

    def __post_init__(self, start: float, noise: str) -> None:
        super().__post_init__(start, noise)
        self.require_even()
        require_count(self.structure_seed, "ridge-mixture: structure_seed", 0)
        require_count(self.components, "ridge-mixture: components")
        M = self.components
        require(self.d >= M, "ridge-mixture: components", M, f"at most d = {self.d}")
        if self.N > 1:
            shares = mixtures(self.N, M, self.dirichlet_omega, self.structure_seed)
            self.shares = M * shares[:, np.arange(self.d) % M]
