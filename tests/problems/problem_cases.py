"""What the tests of this room share: every family in every setting, and a stream of random words."""

from __future__ import annotations

import inspect
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems import FAMILIES, instance, instances, load_problem
from boundcheck.problems.catalog import _DIFFERENCES, parse_name

if TYPE_CHECKING:
    from boundcheck.problems import Problem

_ORDER = (
    "ridge-ratio",
    "common",
    "ridge-log",
    "ridge-cosine",
    "ridge-ratio-phases",
    "quadratic",
    "quadratic-spread",
    "quadratic-tilt",
    "ridge-split",
    "ridge-mixture",
    "ridge-shift",
    "ridge-bend",
    "ridge-waves",
    "ridge-two-phase",
    "ridge-rotated",
    "ridge-frame",
    "ridge-coercive",
    "ridge-sigmoid",
    "ridge-signs",
    "ridge-spikes",
    "ridge-dropout",
    "finite-sum",
    "finite-sum-interpolated",
    "chain",
    "chain-mean-square",
    "chain-split",
    "ridge-table",
    "stress-huber",
    "stress-parabola",
    "stress-travelling",
    "stress-tilt",
    "stress-participation",
    "fedlalr-a1",
    "fedlalr-a2",
    "fedlalr-a3",
    "fedlalr-a4",
    "fedlalr-a7",
    "fedlalr-a8",
    "fedlalr-a12",
    "momentum-fl-e2",
    "momentum-fl-e6",
    "fedglomo-v2",
    "fedglomo-v3",
    "fedglomo-v5",
    "fedglomo-v17",
    "fmgda-e1",
    "fmgda-e9",
    "gradma-e3",
    "gradma-e7",
    "ncsc-p1",
    "ncsc-small-mu",
    "ncsc-additive",
    "ncsc-log",
    "ncsc-cosine",
    "ncsc-sign-clients",
    "ncsc-tight",
    "ncsc-dual-noise",
    "ncsc-newton",
    "mlp-wine",
    "softmax-wine",
    "softmax-digits",
    "mlp-digits",
    "auc-two-point",
    "auc-gauss",
    "auc-digits",
    "auc-net-wine",
    "auc-net-digits",
    "auc-net-digits-skew",
    "logistic-cancer",
    "logistic-digits",
    "logistic-wine",
    "least-squares",
    "robust-diabetes",
    "robust-wine",
    "extremal",
    "sine-bowl",
    "strong-bowl",
    "piecewise",
    "piecewise-steep",
    "unstable-saddle",
    "stiff-clients",
    "ncsc-unstable",
    "ncsc-circling",
    "online-cycle",
    "tail",
    "tail-clients",
    "ncsc-tail",
)
"""Pages of `problems/` in the order in which a quick run takes one in so many."""
SHIPPED = (*_ORDER, *(page.id for page in instances() if page.id not in _ORDER))
"""Every page, those that came later after the others."""
MORE = (
    "quadratic[noise=phases]",
    "quadratic-spread[noise=phases,omega=3]",
    "ridge-ratio[heterogeneity=phase]",
    "ridge-ratio[noise=sparse,link=huber,start=1.5,d=4]",
    "ridge-ratio-phases[noise=common-finite-phases,d=4]",
    "ridge-dropout[heterogeneity=phase,odds=3]",
    "ridge-sigmoid[heterogeneity=phase]",
    "quadratic[noise=dropout,sigma=0]",
    "ridge-split[link=quadratic,split=3]",
    "ridge-shift[link=coercive:0.2:3,noise=dropout,sigma=0,d=3]",
    "ridge-bend[link=coercive,d=3]",
    "ridge-waves[link=log-cosh,noise=dropout,sigma=0,d=3,frequency=2]",
    "ridge-two-phase[link=quadratic,noise=phases]",
    "ridge-rotated[directions=axes,ridges=3,link=pseudo-huber,noise=phases]",
    "fedlalr-a4[weight=1.0,sigma=0.5,noise=spikes,d=2]",
    "finite-sum[link=quadratic]",
    "chain[d=3,noise=phases,sigma=1]",
    "chain[d=2,odds=2]",
    "chain[d=1]",
    "chain-mean-square[d=1]",
    "chain-mean-square[d=3,odds=2,sigma=0]",
    "chain-split[block=2,d=7,noise=smooth-zero-chain]",
    "chain-split[d=1]",
    "chain-split[d=4,noise=zero-chain,sigma=0.5]",
    "chain-split[d=3,block=3,noise=phases,sigma=1]",
    "ridge-table[link=log-cosh,spread=0.9,shift=2,noise=signs,d=3]",
    "ridge-table[link=quadratic,d=1]",
    "ridge-table[link=cosine,noise=dropout,sigma=0,stretch=0.5,d=3]",
    "ncsc-p1[wave_share=0.5,dual_share=0.2,d1=3,d2=5]",
    "mlp-wine[depth=2,width=3,split=skew,skew=1]",
    "softmax-wine[split=skew,skew=1]",
    "mlp-wine[split=shards,holdout=4]",
    "ncsc-newton[wave_share=0.3,nu=0.9,link=cosine]",
    "sine-bowl[wave=0.5,noise=dropout,sigma=0,d=2]",
    "online-cycle[peak=5,period=4,start=0.5]",
    "piecewise[zeta=1,sigma=1,noise=skewed,odds=16]",
    "piecewise[left=2,middle=-0.5,right=3,first=-2,second=1,d=3,noise=dropout]",
    "stiff-clients[stiff=2,d=3,noise=common-skewed,odds=4,sigma=1]",
    "tail[link=tail:0.5,heterogeneity=phase,zeta=0.4,noise=phases,sigma=0.3,d=2]",
    "ncsc-tail[link=tail:2,zeta_pair=0.5,wave_share=0.4,sigma=0.3,noise=phases,d1=2]",
    "ncsc-p1[B=0]",
    "extremal[which=gd-convex]",
    "extremal[which=fedavg-tilts]",
)


@cache
def shared_problem(spec: str, N: int) -> Problem:
    """Return a problem that tests only read: its constants are worked out once."""
    return problem_of(spec, N)


def problem_of(spec: str, N: int) -> Problem:
    """Load an instance; a single client gets no heterogeneity, what the spec itself asks for included."""
    if N > 1:
        return load_problem(spec, N=N)
    base, chosen = parse_name(spec)
    legal = inspect.signature(FAMILIES[instance(base).family]).parameters
    asked = {dial: 0.0 for dial in chosen if dial in _DIFFERENCES and isinstance(legal[dial].default, float)}
    return load_problem(spec, N=1, **asked)


class Words:
    """Independent random words for lanes named by integers: the same name, the same words."""

    def __init__(self, lanes: range, seed: int = 0) -> None:
        self.lanes = len(lanes)
        self._named, self._seed, self._used = lanes, seed, 0

    def raw(self, words: int) -> np.ndarray:
        """Return the next words of every lane."""
        first, self._used = self._used, self._used + words
        # A power of two, so that streams of about one length are made once: seeding a lane costs more than a sample.
        count = max(16, 1 << (self._used - 1).bit_length())
        return _streams(self._named, self._seed, count)[:, first : self._used].copy()


@lru_cache(maxsize=16)
def _streams(lanes: range, seed: int, count: int) -> np.ndarray:
    """Return the first words of every lane."""
    return np.stack(
        [np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(lane,))).random_raw(count) for lane in lanes]
    )


def points(lanes: int, clients: int, d: int, seed: int = 0) -> np.ndarray:
    """Random points of which lane k is the same whatever the number of lanes."""
    return np.stack([np.random.default_rng([seed, k]).standard_normal((clients, d)) for k in range(lanes)])
