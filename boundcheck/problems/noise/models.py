"""The explicit list of noise models: `make_noise` gives the one that a problem file names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.errors import require
from boundcheck.problems.noise.base import NoNoise
from boundcheck.problems.noise.common import CommonNoise
from boundcheck.problems.noise.dropout import DropoutNoise
from boundcheck.problems.noise.heavy import ParetoNoise
from boundcheck.problems.noise.phases import FinitePhaseNoise, PhaseNoise
from boundcheck.problems.noise.signs import SignNoise
from boundcheck.problems.noise.skewed import SkewedNoise
from boundcheck.problems.noise.sparse import SparseNoise

if TYPE_CHECKING:
    from boundcheck.problems.noise.base import Noise

_ADDITIVE = ("signs", "phases", "finite-phases", "sparse", "spikes", "skewed")
NOISES = ("none", *_ADDITIVE, *(f"common-{kind}" for kind in _ADDITIVE), "dropout")
"""Every noise by the name that problem files use."""
_TAILS = {f"pareto-{tail:g}": tail for tail in (1.2, 1.5, 1.8)}
HEAVY = tuple(_TAILS)
"""Noises without a variance: nothing that lists outcomes, and no theorem about sigma, speaks of them."""
_SPIKE_RARITY = 16


def make_noise(kind: str, sigma: float, d: int, omega: float = 1.0, odds: int = 2) -> Noise:
    """Return the noise model called `kind`; sigma = 0 always gives the exact oracle, except for dropout.

    Parameters
    ----------
    kind : str
        One of `NOISES` or `HEAVY`; ``common-`` gives all clients of a lane the same draw.
    sigma : float
        Standard deviation of one sample, over all coordinates; 0 for dropout, whose deviation follows from `odds`; of a
        noise without variance the root of the moment that it has.
    d : int
        Dimension.
    omega : float
        Frequency of phases.
    odds : int
        Dropout keeps one sample gradient in `odds`; skewed noise has its large atom once in `odds` samples.

    Raises
    ------
    InputError
        If `kind` is not a name, or sigma is negative.
    """
    require(kind in (*NOISES, *HEAVY), "noise", kind, f"one of {', '.join((*NOISES, *HEAVY))}")
    require(sigma >= 0, "sigma", sigma, "a number >= 0")
    require(kind not in {"none", "dropout"} or sigma == 0, "sigma", sigma, f"0 when noise = '{kind}'")
    if kind == "dropout":
        return DropoutNoise(odds, d)
    if sigma == 0:
        return NoNoise(0.0, d)
    if kind in HEAVY:
        return ParetoNoise(sigma, d, _TAILS[kind])
    if kind.startswith("common-"):
        return CommonNoise(make_noise(kind.removeprefix("common-"), sigma, d, omega, odds))
    if kind in {"phases", "finite-phases"}:
        return (PhaseNoise if kind == "phases" else FinitePhaseNoise)(sigma, d, omega)
    if kind == "skewed":
        return SkewedNoise(sigma, d, odds)
    return SignNoise(sigma, d) if kind == "signs" else SparseNoise(sigma, d, 1 if kind == "sparse" else _SPIKE_RARITY)
