"""Constants that follow from others, or that can be counted where a problem knows its minimiser.

Theorems of the field assume less than a bound sigma on the noise everywhere: noise at the minimiser, expected
smoothness, dissimilarity that grows with the gradient, curvature that grows with it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from boundcheck.problems.constants import Constant, exact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.problems.noise.base import Noise
    from boundcheck.problems.penalty import Penalty
    from boundcheck.problems.types import Array

_MOST_CLIENTS = 256
"""Clients whose samples are listed at the minimiser."""


_HALVINGS = 60


class Sampled(Protocol):
    """What is asked of a problem; `boundcheck.problems.base.Problem` documents it."""

    N: int
    x_star: Array | None
    client_weights: Array | None
    noise: Noise
    h: Penalty

    @property
    def samples_are_noise(self) -> bool:
        """Whether a sample is the exact gradient and the noise model."""

    @property
    def convex_samples(self) -> bool:
        """Whether every sample function is convex."""

    def over_clients(self, v: Array) -> Array:
        """Return the mean over clients, with their weights."""

    def outcomes(self, x: Array, client: int) -> Array:
        """Return equally likely sample gradients of one client."""


def implied_constants(problem: Sampled, known: Mapping[str, Constant]) -> dict[str, Constant]:
    """Return what follows from the constants that a problem of minimisation states, but for what it states itself."""
    found = dict(known)
    if "L" in known and "L_0" not in known:
        found["L_0"] = _weaker(known["L"], "L, and no growth with the gradient")
        found["L_1"] = replace(found["L_0"], value=0.0)
    if "G_rms" in known and "sigma" in known:
        quiet = known["sigma"].value == 0
        found["G_norm"] = replace(known["G_rms"], reason=f"{known['G_rms'].reason}; without noise it is the longest")
        if not quiet:
            found["G_norm"] = _weaker(known["G_rms"], "G_rms, since |E g|^2 <= E|g|^2")
    if problem.h.is_none:
        for whole, smooth in (("F_star", "f_star"), ("Delta_F", "Delta"), ("delta_F", "delta_x")):
            if smooth in known:
                found[whole] = replace(known[smooth], reason=f"{smooth}, since h = 0")
    if "zeta" in known and "G_dis" not in known:
        found["G_dis"] = _weaker(known["zeta"], "zeta, since mean_i |grad f_i|^2 = |grad f|^2 + its spread")
        found["B_dis"] = replace(found["G_dis"], value=1.0)
    if "G_dis" in found and found["G_dis"].value == 0:
        found["B_rel"] = replace(found["B_dis"], reason="B_dis, since G_dis = 0")
        factor = problem.noise.second_moment_factor
        if factor and problem.samples_are_noise:
            growth = factor * found["B_rel"].value ** 2
            found["rho_sg"] = replace(found["B_rel"], value=growth, reason=f"{factor:g} B_rel^2")
    p = np.full(problem.N, 1 / problem.N) if problem.client_weights is None else problem.client_weights
    found["p_square"] = exact(float(p @ p), "the weights of the clients")
    found |= _tails(problem, known)
    if problem.x_star is not None:
        found |= _at_minimiser(problem, problem.x_star, known)
    return {letter: constant for letter, constant in found.items() if letter not in known}


def _tails(problem: Sampled, known: Mapping[str, Constant]) -> dict[str, Constant]:
    """Return which moment of the noise exists, and how light its tails are."""
    found: dict[str, Constant] = {}
    if problem.samples_are_noise and (moment := problem.noise.moment) is not None:
        found["p_tail"] = exact(moment[0], f"{problem.noise.kind} noise, by its law")
        found["sigma_p"] = exact(moment[1], f"{problem.noise.kind} noise, the integral of its law")
    elif "sigma" in known:
        found["p_tail"] = replace(
            known["sigma"], value=2.0, kind="exact", reason="sigma bounds the second moment", at=None
        )
        found["sigma_p"] = replace(known["sigma"], reason=f"{known['sigma'].reason}; it is the second moment")
    if problem.samples_are_noise and problem.noise.norms is not None:
        found["sigma_exp"] = exact(_light(problem.noise.norms), "the norms of the noise, listed")
    return found


def _light(norms: Array) -> float:
    """Return s with mean exp(norms^2/s^2) = e, by halving: at the largest norm the mean is at most e."""
    low, high = 0.0, float(norms.max())
    for _ in range(_HALVINGS if high else 0):
        middle = (low + high) / 2
        with np.errstate(over="ignore"):
            inside = float(np.exp((norms / middle) ** 2).mean()) <= np.e
        low, high = (low, middle) if inside else (middle, high)
    return high


def _weaker(constant: Constant, why: str) -> Constant:
    """Return the constant as a bound that another one gives."""
    reason = f"{why}: loose where another pair is smaller"
    return replace(constant, kind="estimate" if constant.kind == "estimate" else "upper", reason=reason, at=None)


def _at_minimiser(problem: Sampled, x_star: Array, known: Mapping[str, Constant]) -> dict[str, Constant]:
    found: dict[str, Constant] = {}
    same = problem.samples_are_noise and problem.noise.linear
    if same and "sigma" in known and known["sigma"].kind == "exact":
        found["sigma_star"] = replace(known["sigma"], reason=f"{known['sigma'].reason}, at x_star too")
    elif problem.N <= _MOST_CLIENTS and problem.noise.moment is None:
        clouds = [problem.outcomes(x_star, client) for client in range(problem.N)]
        square = float(problem.over_clients(np.array([[cloud.var(axis=0).sum() for cloud in clouds]]))[0])
        found["sigma_star"] = exact(np.sqrt(square), "samples listed at x_star", x_star)
    if problem.convex_samples and "L_sample" in known:
        found["L_exp"] = _weaker(known["L_sample"], "L_sample, since convex samples are cocoercive")
    return found
