"""Is a quantiser unbiased, and is its variance what it says?  Draws at vectors of several shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.setting import Setting
from boundcheck.errors import require_count
from boundcheck.methods.quantise import Quantiser, quantiser_named
from boundcheck.problems.synthetic.constant import ConstantClients

if TYPE_CHECKING:
    from boundcheck.problems.base import Array

_DEVIATIONS = 5.0
"""Standard errors that chance is allowed: of a Gaussian mean, beyond them with probability 6e-7."""


class QuantiserRow(NamedTuple):
    """What draws of a quantiser at one vector say."""

    vector: str
    """Its shape, in words."""
    bias: float
    """Largest deviation of a coordinate's mean, in standard errors; infinite where a constant is off."""
    variance: float
    """Mean of |Q(z) - z|^2/|z|^2."""
    claimed: float
    """q of the quantiser."""
    ok: bool
    """Whether chance alone can explain the bias, and an excess of the variance."""


def examine_quantiser(
    quantiser: Quantiser | str, *, d: int = 16, draws: int = 4000, seed: int = 0
) -> list[QuantiserRow]:
    """Draw a quantiser at several vectors, and compare means with the vectors and variances with q.

    Parameters
    ----------
    quantiser : Quantiser or str
        An object, or a name as `boundcheck.methods.quantise.quantiser_named` takes it, ``file.py:NAME`` among them.
    d : int
        Dimension.
    draws : int
        Draws at each vector.
    seed : int
        Of the draws and of the random vector.

    Returns
    -------
    list of QuantiserRow
        One a vector: one coordinate, equal coordinates, falling ones, random ones, and tiny ones.

    Raises
    ------
    InputError
        If a number is no count, or there is no such quantiser.
    """
    require_count(d, "d")
    require_count(draws, "draws", 2)
    require_count(seed, "seed", 0)
    Q = quantiser_named(quantiser) if isinstance(quantiser, str) else quantiser
    at = np.arange(d)
    shapes = {
        "one coordinate": np.eye(d)[0],
        "equal coordinates": np.ones(d),
        "falling coordinates": 0.5**at * (-1.0) ** at,
        "random coordinates": np.random.default_rng(seed).standard_normal(d),
        "tiny coordinates": 1e-12 * np.cos(at),
    }
    return [_examine(Q, words, z, draws, seed) for words, z in shapes.items()]


def _examine(Q: Quantiser, words: str, z: Array, draws: int, seed: int) -> QuantiserRow:
    problem = ConstantClients(N=1, d=len(z))
    setting = Setting.of(problem, K=1, T=1)
    keys = [setting.key(lane) for lane in range(draws)]
    oracle = LaneOracle(problem, setting, seed=seed, keys=keys, observers=[])
    size = float(np.sqrt(z @ z))
    # In units of the vector, so that tiny ones are judged like others.
    errors = (Q(oracle, np.tile(z, (draws, 1, 1))) - z)[:, 0] / size
    mean, spread = errors.mean(axis=0), errors.std(axis=0) / np.sqrt(draws)
    rounding = 1e-13
    off = np.abs(mean) > rounding
    bias = np.where(off, np.abs(mean) / np.where(spread > rounding, spread, np.where(off, 1e-300, 1.0)), 0.0)
    squares = (errors**2).sum(axis=1)
    slack = _DEVIATIONS * float(squares.std()) / np.sqrt(draws) + rounding
    worst, variance, claimed = float(bias.max()), float(squares.mean()), Q.q(len(z))
    worst = worst if worst < 1e100 else float("inf")
    return QuantiserRow(words, worst, variance, claimed, worst <= _DEVIATIONS and variance <= claimed + slack)
