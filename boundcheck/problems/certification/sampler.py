"""The sampler that runs use, against the enumerated law of one sample: mean, variance, clients, one sample twice.

Every check is a mean of n independent draws whose variance v and bound m follow from `Problem.outcomes`; by Bernstein's
inequality the mean of a right sampler is further than t from what it should be with probability at most
2 exp(-n t^2 / (2 v + 2 m t / 3)), whatever the law.  With all coordinates of all clients together that is `ERROR_RATE`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.base import Problem
    from boundcheck.problems.types import Array, Words

ERROR_RATE = 1e-6
"""Largest probability that one row of a right sampler is called exceeded."""
DRAWS = (400, 20_000)
"""Fewest and most draws of a minibatch for all clients."""
_NUMBERS = 1_000_000
"""How many coordinates one evaluation of the draws may have."""
_BATCH = 3
_SAME = 1e-9
"""Relative distance within which two norms of noise are one."""
_ROUNDING = 1e-9


class _RandomWords:
    """Independent words for lanes that are drawn together."""

    def __init__(self, lanes: int, seed: int) -> None:
        self.lanes = lanes
        self._bits = np.random.PCG64DXSM(np.random.SeedSequence(seed))

    def raw(self, words: int) -> Words:
        """Return the next words of every lane."""
        return self._bits.random_raw(self.lanes * words).reshape(self.lanes, words)


@dataclass(frozen=True)
class _NoiseLaw:
    """The enumerated noise of one sample at two points, centred: for every client (outcomes, d)."""

    first: list[Array]
    second: list[Array]

    def moments(self, function: str) -> tuple[Array, Array, Array]:
        """Return mean, variance and bound (N, d) of the noise, of its square, or of the square of its change."""
        clouds = [_MADE[function](a, b) for a, b in zip(self.first, self.second, strict=True)]
        mean, variance, most = ([f(cloud) for cloud in clouds] for f in (_mean, _variance, _most))
        return np.stack(mean), np.stack(variance), np.stack(most)


_MADE: dict[str, Callable[[Array, Array], Array]] = {
    "noise": lambda a, b: a,
    "square": lambda a, b: a * a,
    "change": lambda a, b: (a - b) ** 2,
}


def _mean(cloud: Array) -> Array:
    mean: Array = cloud.mean(axis=0)
    return mean


def _variance(cloud: Array) -> Array:
    variance: Array = cloud.var(axis=0)
    return variance


def _most(cloud: Array) -> Array:
    """Return the largest size; phases that are not enumerated may exceed it by 1 part in 10^4."""
    most: Array = 1.001 * np.abs(cloud).max(axis=0)
    return most


def sampler_errors(problem: Problem, seed: int) -> dict[str, float]:
    """Return how far the sampler is from the law that `outcomes` enumerates, in units of what chance allows.

    Returns
    -------
    dict
        ``sampler mean``: of a sample and of a minibatch of 3; ``sampler variance``: sigma^2 and sigma^2/3 in every
        coordinate; ``sampler clients``: covariances of neighbouring clients, where noise is independent; ``sampler
        twice``: the mean square change of one sample between two points, infinite if a second look at the first
        point differs.  Of noise without variance only ``sampler sizes``, how often norms of samples exceed those of its
        law, and ``sampler signs``, their means.  Above 1 the sampler is wrong, but for a probability of `ERROR_RATE`.
    """
    if problem.samples_are_noise and problem.noise.moment is not None:
        return _errors_of_sizes(problem, seed)
    n = int(np.clip(_NUMBERS / (problem.N * problem.d * problem.sample_cost), *DRAWS))
    stream = _RandomWords(n, seed)
    x = problem.start
    y = x + 0.5 * np.cos(1.0 + np.arange(problem.d))
    (first, bias), (second, bias_there) = _noises(problem, x), _noises(problem, y)
    law = _NoiseLaw(first, second)
    one, moved, same = _twice(problem, stream, x, y)
    batch = _batch(problem, stream, x)
    _, v, m = law.moments("noise")
    square, v2, m2 = law.moments("square")
    change, v3, m3 = law.moments("change")
    slack = _ROUNDING * (1.0 + float(np.abs(_exact(problem, x)).max()))
    in_batch = v2 / _BATCH**3 + 2 * (_BATCH - 1) * square**2 / _BATCH**3
    mean = max(_off(one, 0 * v, v, m, slack), _off(batch, 0 * v, v / _BATCH, m, slack))
    one, batch, moved = one - bias, batch - bias, moved - (bias - bias_there)
    found = {
        "sampler mean": mean,
        "sampler variance": max(
            _off(one**2, square, v2, m2, slack), _off(batch**2, square / _BATCH, in_batch, m2, slack)
        ),
        "sampler twice": _off(moved**2, change, v3, m3, slack) if same else np.inf,
    }
    if problem.has_independent_noise and problem.N > 1:
        pairs = one[:, 1:] * one[:, :-1]
        found["sampler clients"] = _off(pairs, 0 * v[1:], square[1:] * square[:-1], m[1:] * m[:-1], slack)
    return found


def _errors_of_sizes(problem: Problem, seed: int) -> dict[str, float]:
    """Return how far samples of a law without variance are from its sizes, and from a fair sign in every coordinate.

    Shares above a size are held against its level by the inequality of Dvoretzky, Kiefer and Wolfowitz, means of
    signs against 0 by that of Hoeffding.
    """
    n = int(np.clip(_NUMBERS / (problem.N * problem.d), *DRAWS))
    token = problem.sample(_RandomWords(n, seed))
    here = np.broadcast_to(problem.start, (n, problem.N, problem.d))
    noise = problem.gradient(here, None, token) - _exact(problem, problem.start)
    norms = np.linalg.norm(noise, axis=-1).ravel()
    levels = np.geomspace(1.0 / len(norms), 1.0, 40)
    shares = (norms[:, None] >= problem.noise.sizes(levels) * (1 - _SAME)).mean(axis=0)
    signs = np.where(np.abs(noise) > _SAME * norms.max(), np.sign(noise), 0.0).mean(axis=(0, 1))
    return {
        "sampler sizes": float(np.abs(shares - levels).max() / np.sqrt(np.log(2 / ERROR_RATE) / (2 * len(norms)))),
        "sampler signs": float(np.abs(signs).max() / np.sqrt(2 * np.log(2 * problem.d / ERROR_RATE) / len(norms))),
    }


def _exact(problem: Problem, x: Array) -> Array:
    gradients: Array = problem.exact_gradient(problem.everyone_at(x[None, None, :]))[0]
    return gradients


def _noises(problem: Problem, x: Array) -> tuple[list[Array], Array]:
    """Return the outcomes of every client less their mean, and how far that is from its gradient (N, d)."""
    clouds = [problem.outcomes(x, client) for client in range(problem.N)]
    means = np.stack([cloud.mean(axis=0) for cloud in clouds])
    return [cloud - mean for cloud, mean in zip(clouds, means, strict=True)], means - _exact(problem, x)


def _twice(problem: Problem, stream: _RandomWords, x: Array, y: Array) -> tuple[Array, Array, bool]:
    """Return the noise of samples at `x`, how it changes to `y`, and whether a second look at `x` is the first."""
    shape = (stream.lanes, problem.N, problem.d)
    here, there = np.broadcast_to(x, shape), np.broadcast_to(y, shape)
    token = problem.sample(stream)
    one = problem.gradient(here, None, token) - _exact(problem, x)
    other = problem.gradient(there, None, token) - _exact(problem, y)
    again = problem.gradient(here, None, token) - _exact(problem, x)
    return one, one - other, bool(np.array_equal(one, again))


def _batch(problem: Problem, stream: _RandomWords, x: Array) -> Array:
    """Return the noise of minibatches that are drawn for the clients in reverse order, in their usual order."""
    backwards = np.broadcast_to(np.arange(problem.N)[::-1], (stream.lanes, problem.N))
    points = np.broadcast_to(x, (stream.lanes, problem.N, problem.d))
    token = problem.sample(stream, backwards, _BATCH)
    noise: Array = problem.gradient(points, backwards, token)[:, ::-1] - _exact(problem, x)
    return noise


def _off(draws: Array, mean: Array, variance: Array, most: Array, slack: float) -> float:
    """Return the largest distance of the mean of draws (n, N, d) from `mean`, over what chance allows."""
    n = len(draws)
    log = np.log(2 * 2 * mean.size / ERROR_RATE)
    linear = (most + np.abs(mean)) * log / (3 * n)
    allowed = linear + np.sqrt(linear**2 + 2 * variance * log / n) + slack
    distance = np.abs(draws.mean(axis=0) - mean)
    return float((distance / allowed).max())
