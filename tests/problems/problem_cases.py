"""What the tests of this room share: every family in every setting, and a stream of random words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems import load_problem

if TYPE_CHECKING:
    from boundcheck.problems import Problem

SHIPPED = (
    "ridge-ratio",
    "ridge-log",
    "ridge-cosine",
    "ridge-ratio-phases",
    "quadratic",
    "quadratic-spread",
    "quadratic-tilt",
    "ncsc-p1",
    "ncsc-small-mu",
    "logistic-cancer",
)
MORE = (
    "quadratic[noise=phases]",
    "quadratic-spread[noise=phases,omega=3]",
    "ridge-ratio[heterogeneity=phase]",
    "ncsc-p1[wave_share=0.5,dual_share=0.2,d1=3,d2=5]",
)


def problem_of(spec: str, N: int) -> Problem:
    """Load an instance; a single client gets no heterogeneity."""
    if N > 1:
        return load_problem(spec, N=N)
    family = spec.split("-", maxsplit=1)[0].split("[")[0]
    dial = {"ridge": "zeta", "quadratic": "zeta", "ncsc": "zeta_pair"}.get(family)
    return load_problem(spec, N=1, **({dial: 0.0} if dial else {}))


class Words:
    """Independent random words for lanes named by integers: the same name, the same words."""

    def __init__(self, lanes: range, seed: int = 0) -> None:
        self.lanes = len(lanes)
        self._bits = [np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(lane,))) for lane in lanes]

    def raw(self, words: int) -> np.ndarray:
        """Return the next words of every lane."""
        return np.stack([bits.random_raw(words) for bits in self._bits])


def points(lanes: int, clients: int, d: int, seed: int = 0) -> np.ndarray:
    """Random points of which lane k is the same whatever the number of lanes."""
    return np.stack([np.random.default_rng([seed, k]).standard_normal((clients, d)) for k in range(lanes)])
