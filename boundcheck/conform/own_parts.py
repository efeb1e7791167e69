"""Parts of a user's own: whether a compressor is unbiased, with which omega, and whom a sampler takes how often.

Both are decided by draws, with an error rate by the central limit theorem: a bias or a frequency is called wrong where
it is further off than draws of a right one would be in one of 1/alpha tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from boundcheck.errors import InputError, require, require_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boundcheck.problems.base import Array

_EXACT = 1e-12
"""Relative error of an answer that is not random."""
_OFTEN = 30
"""Times that an entry has to be sent for its spread to be known from draws."""


@dataclass(frozen=True)
class CompressorCheck:
    """What draws say about a compressor Q."""

    unbiased: bool
    """Whether no bias was seen: E Q(x) = x at all points, at the error rate."""
    bias: float
    """The largest |mean of Q(x) - x| over the points, relative to |x|."""
    omega: float
    """The largest mean of |Q(x) - x|^2 / |x|^2 over the points: what omega is at least, up to the error of draws."""
    omega_low: float
    """What omega is at least at the error rate."""
    contraction: float
    """1 - omega: a biased Q with error feedback needs it above 0."""
    random: bool
    claimed: float | None
    """The omega that the user claims."""
    point: Array
    """Where the bias is largest, or the variance if there is no bias."""
    alpha: float

    @property
    def ok(self) -> bool:
        """Return whether it is unbiased, and no omega that is claimed is exceeded."""
        return self.unbiased and (self.claimed is None or self.omega_low <= self.claimed)

    @property
    def sentence(self) -> str:
        """Return the verdict in words."""
        if not self.unbiased:
            contracts = (
                f"it contracts, |Q(x) - x|^2 <= {self.omega:.3g} |x|^2 at all points seen: fit for error feedback"
            )
            use = (
                contracts if self.omega < 1.0 else "and it does not contract: at some point |Q(x) - x| is at least |x|"
            )
            return f"biased: the mean of Q(x) is off by {self.bias:.3g} |x|; {use}"
        if self.claimed is not None and self.omega_low > self.claimed:
            return f"no bias seen, but omega is at least {self.omega_low:.3g} and not {self.claimed:g}"
        return f"no bias seen; omega is {self.omega:.3g} at the worst of the points"


def _points(d: int, rng: np.random.Generator) -> Array:
    """Return points at which compressors differ: one entry, equal ones, alternating signs, steep ones, random ones."""
    steep = 0.1 ** np.arange(d)
    return np.array(
        [np.eye(d)[0], np.ones(d), (-1.0) ** np.arange(d), steep, -steep[::-1], *rng.standard_normal((3, d))]
    )


def check_compressor(
    function: Callable[..., Any],
    *,
    d: int = 8,
    omega: float | None = None,
    alpha: float = 1e-3,
    draws: int = 4000,
    seed: int = 0,
) -> CompressorCheck:
    """Test a compressor for E Q(x) = x, and estimate omega in E|Q(x) - x|^2 <= omega |x|^2.

    Parameters
    ----------
    function : callable
        ``function(x, rng)`` returns Q(x), an array like x, (d,), with coins from a numpy generator.
    d : int
        Dimension of the points.
    omega : float, optional
        The relative variance that is claimed.
    alpha : float
        Error rate of the test for a bias, and of that for the claim.
    draws : int
        Draws a point.
    seed : int
        Of points and coins.

    Raises
    ------
    InputError
        If a number is not legal, or the function does not return vectors of its argument's shape.
    """
    require_count(d, "check_compressor: d")
    require_count(draws, "check_compressor: draws", 2)
    require(0.0 < alpha < 1.0, "check_compressor: alpha", alpha, "a number in (0, 1)")
    require(omega is None or omega >= 0.0, "check_compressor: omega", omega, "a number >= 0")
    rng = np.random.default_rng(seed)
    points = _points(d, rng)
    z = float(stats.norm.isf(alpha / (2 * len(points) * d)))
    z_claim = float(stats.norm.isf(alpha / len(points)))
    biases, worst, lows, wrong, random = [], [], [], [], False
    for x in points:
        sent = np.array([_compress(function, x, rng) for _ in range(draws)])
        size = float(x @ x)
        off, spread = sent.mean(axis=0) - x, sent.std(axis=0, ddof=1)
        varies = bool((sent != sent[0]).any())
        random = random or varies
        allowed = z * spread / np.sqrt(draws) + _EXACT * np.sqrt(size)
        if varies:
            allowed += _unseen_spread(x, float(np.abs(sent).max()), draws, z)
        wrong.append(bool((np.abs(off) > allowed).any()))
        biases.append(float(np.sqrt(off @ off / size)))
        errors = ((sent - x) ** 2).sum(axis=1) / size
        worst.append(float(errors.mean()))
        lows.append(float(errors.mean() - z_claim * errors.std(ddof=1) / np.sqrt(draws)) - _EXACT)
    unbiased = not any(wrong)
    at = int(np.argmax(worst)) if unbiased else max(np.flatnonzero(wrong), key=lambda n: biases[n])
    shown = biases[at] if not unbiased else max(biases)
    return CompressorCheck(unbiased, shown, max(worst), max(lows), 1.0 - max(worst), random, omega, points[at], alpha)


def _unseen_spread(x: Array, largest: float, draws: int, z: float) -> Array:
    """Return how far off the mean of an entry may be that is seldom sent, as something large: draws show none of it.

    One that is sent with probability |x_i|/M, as M, has the variance |x_i| M at most (Bernstein's inequality).
    """
    seldom = draws * np.abs(x) < _OFTEN * largest
    off: Array = z * np.sqrt(np.abs(x) * largest / draws) + z * z * largest / (3.0 * draws)
    return np.where(seldom, off, 0.0)


def _compress(function: Callable[..., Any], x: Array, rng: np.random.Generator) -> Array:
    try:
        found = np.asarray(function(x.copy(), rng), dtype=float)
    except InputError:
        raise
    except Exception as error:
        msg = f"compressor: raised {type(error).__name__} at x = {x.tolist()}: {error}"
        raise InputError(msg) from error
    require(found.shape == x.shape, "compressor: shape of Q(x)", found.shape, f"{x.shape}")
    require(bool(np.isfinite(found).all()), "compressor: Q(x)", found.tolist(), "finite numbers")
    return found


@dataclass(frozen=True)
class SamplerCheck:
    """What draws say about a sampler of active clients."""

    frequencies: Array
    """Mean number of times that each client is taken in a round, (N,)."""
    expected: Array
    """What it is to be, (N,)."""
    repeats: bool
    """Whether a client is taken twice in a round: sampling with replacement."""
    even: bool
    """Whether the frequencies are as expected, at the error rate."""
    independent: bool
    """Whether a round's clients say nothing about those of the next, at the error rate."""

    @property
    def ok(self) -> bool:
        """Return whether the clients are taken as expected, in every round anew."""
        return self.even and self.independent

    @property
    def sentence(self) -> str:
        """Return the verdict in words."""
        way = "with replacement" if self.repeats else "without replacement"
        if not self.even:
            i = int(np.argmax(np.abs(self.frequencies - self.expected)))
            taken = f"client {i} is taken {self.frequencies[i]:.3g} times a round and not {self.expected[i]:.3g}"
            return f"{way}; {taken}: the average is biased"
        if not self.independent:
            return f"{way}; the rounds are not independent: who was taken says who is taken next (cyclic, or shuffled)"
        return f"{way}; every client is taken as often as expected, in every round anew"


def check_sampler(
    function: Callable[..., Any],
    *,
    N: int = 10,
    S: int = 3,
    p: Sequence[float] | None = None,
    alpha: float = 1e-3,
    rounds: int = 4000,
    seed: int = 0,
) -> SamplerCheck:
    """Test how often a sampler takes each client, and whether it does so in every round anew.

    Parameters
    ----------
    function : callable
        ``function(N, S, t, rng)`` returns the numbers of the S active clients of round t.
    N, S : int
        Clients, and active ones a round.
    p : sequence of float, optional
        Probabilities by which clients are to be taken, such as n_i/n; equal ones by default.
    alpha : float
        Error rate.
    rounds : int
        Rounds.
    seed : int
        Of the generator.

    Raises
    ------
    InputError
        If a number is not legal, or the function returns other than S client numbers.
    """
    require_count(N, "check_sampler: N")
    require_count(S, "check_sampler: S")
    require_count(rounds, "check_sampler: rounds", 3)
    shares = np.full(N, 1.0 / N) if p is None else np.asarray(p, dtype=float)
    legal = shares.shape == (N,) and bool((shares >= 0.0).all()) and abs(float(shares.sum()) - 1.0) < 1e-9
    require(legal, "check_sampler: p", p, f"{N} numbers >= 0 that add up to 1")
    rng = np.random.default_rng(seed)
    counts = np.zeros((rounds, N))
    for t in range(rounds):
        chosen = [int(i) for i in function(N, S, t, rng)]
        require(len(chosen) == S, "sampler: number of clients", len(chosen), f"S = {S}")
        require(all(0 <= i < N for i in chosen), "sampler: clients", chosen, f"numbers from 0 to {N - 1}")
        np.add.at(counts[t], chosen, 1.0)
    expected = S * shares
    z = float(stats.norm.isf(alpha / (4 * N)))
    # The spread that independent draws of this share have: a sampler that takes turns has none of its own.
    spread = np.sqrt(np.maximum(expected * (1.0 - np.minimum(shares, 1.0)), 1e-12) / rounds)
    even = bool((np.abs(counts.mean(axis=0) - expected) <= z * spread + 1e-9).all())
    centred = counts - counts.mean(axis=0)
    size = np.maximum((centred**2).mean(axis=0), 1e-12)
    lag = (centred[1:] * centred[:-1]).mean(axis=0) / size
    moving = size > 1e-9
    independent = bool((np.abs(lag[moving]) * np.sqrt(rounds - 1) <= z).all())
    return SamplerCheck(counts.mean(axis=0), expected, bool((counts > 1.0).any()), even, independent)
