"""Identities of methods on one machine: adaptive steps, projections, extragradient, samples in turn.

Every one restates the printed recursion from the mean gradients g that a round asked for.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.conform.checks import law, same_iterates
from boundcheck.conform.families.momentum import ALL
from boundcheck.conform.identity import MethodIdentity
from boundcheck.conform.runs.harness import over_clients, use
from boundcheck.conform.runs.small_problems import noisy, saddle
from boundcheck.problems.synthetic.parabolas import Parabolas

if TYPE_CHECKING:
    from boundcheck.conform.checks import Pair
    from boundcheck.conform.runs.harness import SteppedRound
    from boundcheck.problems.base import Array

_DESCENT = use("sgd", eta=0.1)
_SQUARES = {"eta": 0.1, "eps": 0.3}
_X_OF_SADDLE = 3
"""Entries of the minimiser in the small saddle; the others are the maximiser's."""
_SIGNS = np.array([1.0, 1.0, 1.0, -1.0, -1.0])
_PASS = 4
"""Samples of a client's list."""


def _one_parabola() -> Parabolas:
    """Return clients whose lists have one sample, so that its order is none."""
    return Parabolas(N=3, d=2, m=1, split=0.8)


def _alike_in_curvature() -> Parabolas:
    """Return clients whose samples differ in their minima alone: the gradient of one is y - b."""
    return Parabolas(N=3, d=2, m=_PASS, mu=1.0, L=1.0, offset=0.6, split=0.8)


def _adds_squares(r: SteppedRound) -> list[Pair]:
    g, v = r.gradient, r.before.v + r.gradient**2
    return [(r.after.v, v), (r.after.x, r.before.x - 0.1 * g / np.sqrt(0.09 + v))]


def _corrects_the_step(r: SteppedRound) -> list[Pair]:
    g, v = r.gradient, 0.7 * r.before.v + r.gradient**2
    length = 0.1 * np.sqrt(sum(0.7**j for j in range(r.t + 1)))
    return [(r.after.v, v), (r.after.x, r.before.x - length * g / np.sqrt(0.09 + v))]


def _adds_norms(r: SteppedRound) -> list[Pair]:
    total = r.before.total + (r.gradient**2).sum(axis=-1, keepdims=True)
    return [(r.after.total, total), (r.after.x, r.before.x - 0.1 * r.gradient / np.sqrt(0.09 + total))]


def _boxed(x: Array, half: float) -> Array:
    found: Array = np.clip(x, -half, half)
    return found


def _moves_as_adam(r: SteppedRound) -> list[Pair]:
    """Return beta1 = 0.6, which falls by 0.8 a round, beta2 = 0.7 and a box of half the side 0.6."""
    n, g = r.t + 1, r.gradient
    share = 0.6 * 0.8**r.t
    m, v = share * r.before.m + (1 - share) * g, 0.7 * r.before.v + 0.3 * g**2
    step = 0.3 / np.sqrt(n) * m / (1 - 0.6**n) / np.sqrt(v / (1 - 0.7**n))
    return [(r.after.m, m), (r.after.v, v), (r.after.x, _boxed(r.before.x - step, 0.6))]


def _moves_as_adabound(r: SteppedRound) -> list[Pair]:
    """Return beta2 = 0.7, bounds that close on 0.2 from both sides, and a box of half the side 0.6."""
    n, v = r.t + 1, 0.7 * r.before.v + 0.3 * r.gradient**2
    size = np.clip(0.1 / np.sqrt(v), 0.2 - 0.2 / (2 * n + 1), 0.2 + 0.2 / (3 * n))
    return [(r.after.v, v), (r.after.x, _boxed(r.before.x - size * r.gradient / np.sqrt(n), 0.6))]


def _extrapolates(r: SteppedRound) -> list[Pair]:
    """Return, for K = 1, the second gradient at the end of the trial step, and the step along it."""
    first, second = (_SIGNS * over_clients(g) for g in r.seen)
    trial = r.before.x - 0.1 * first
    at = r.problem.exact_gradient(r.problem.everyone_at(trial))
    return [(second, _SIGNS * over_clients(at)), (r.after.x, r.before.x - 0.1 * second)]


def _stays_in_the_box(r: SteppedRound) -> list[Pair]:
    steps = np.where(_SIGNS > 0, 0.1, -0.2)
    moved = r.before.x - steps * r.gradient
    y = _boxed(moved[..., _X_OF_SADDLE:], 0.55)
    return [(r.after.x, np.concatenate([moved[..., :_X_OF_SADDLE], y], axis=-1))]


def _meets_every_sample(r: SteppedRound) -> list[Pair]:
    """Return the mean over a pass of y - g_i(y), which is the mean of the samples' minima."""
    y, minima = r.before.x, []
    for g in r.seen:
        minima.append(y - g)
        y = y - 0.1 * over_clients(g)
    lists = r.problem.centres.mean(axis=1)
    return [(np.mean(minima, axis=0), np.broadcast_to(lists, minima[0].shape)), (r.after.x, y)]


ONE_MACHINE = (
    MethodIdentity(
        "adagrad.step",
        "K = 1: v+ = v + g^2, x+ = x - eta g / sqrt(eps^2 + v+)",
        law(use("adagrad", **_SQUARES), _adds_squares, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "rmsprop-corrected.step",
        "K = 1: v+ = beta2 v + g^2, x+ = x - eta sqrt(1 + beta2 + ... + beta2^(n-1)) g / sqrt(eps^2 + v+)",
        law(use("rmsprop-corrected", **_SQUARES, beta2=0.7), _corrects_the_step, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "rmsprop-corrected.first-step",
        "T = 1, K = 1: Adam without momentum(eta, eps, beta2) = Adagrad(eta, eps)",
        same_iterates(use("rmsprop-corrected", **_SQUARES, beta2=0.7), use("adagrad", **_SQUARES), K=(1,), S=ALL, T=1),
        also=("adagrad",),
    ),
    MethodIdentity(
        "adagrad-norm.step",
        "K = 1: w+ = w + |g|^2, x+ = x - eta g / sqrt(eps^2 + w+)",
        law(use("adagrad-norm", **_SQUARES), _adds_norms, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "adagrad-norm.one-coordinate",
        "d = 1: AdaGrad-Norm(eta, eps) = Adagrad(eta, eps)",
        same_iterates(use("adagrad-norm", **_SQUARES), use("adagrad", **_SQUARES), on=partial(noisy, d=1), S=ALL),
        also=("adagrad",),
    ),
    MethodIdentity(
        "adam-projected.step",
        "m+, v+ with beta1 decay1^(t-1) and beta2, x+ = P(x - eta/sqrt(t) m+/(1-beta1^t) / sqrt(v+/(1-beta2^t)))",
        law(
            use("adam-projected", eta=0.3, beta1=0.6, beta2=0.7, decay1=0.8, D_inf=1.2),
            _moves_as_adam,
            K=(1,),
            S=ALL,
        ),
    ),
    MethodIdentity(
        "adabound.step",
        "v+ = beta2 v + (1-beta2) g^2, x+ = P(x - s g/sqrt(t)), s = eta/sqrt(v+) between its two bounds",
        law(
            use("adabound", eta=0.1, beta2=0.7, eta_end=0.2, D_inf=1.2, rise=2.0, fall=3.0),
            _moves_as_adabound,
            K=(1,),
            S=ALL,
        ),
    ),
    MethodIdentity(
        "extragradient.step",
        "K = 1, no noise: w = z - eta F(z), z+ = z - eta F(w), with F = (g_x, -g_y)",
        law(use("extragradient", eta=0.1), _extrapolates, on=partial(saddle, sigma=0.0), K=(1,), S=ALL),
    ),
    MethodIdentity(
        "sgda-projected.far-reach",
        "a box that nothing reaches: SGDA(eta_x, eta_y)",
        same_iterates(
            use("sgda-projected", eta_x=0.1, eta_y=0.2, reach=1e6), use("sgda", eta_x=0.1, eta_y=0.2), on=saddle, S=ALL
        ),
        also=("sgda",),
    ),
    MethodIdentity(
        "sgda-projected.step",
        "K = 1: x+ = x - eta_x g^x, y+ = P(y + eta_y g^y), P the nearest point of the box",
        law(use("sgda-projected", eta_x=0.1, eta_y=0.2, reach=0.55), _stays_in_the_box, on=saddle, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "reshuffled-sgd.one-sample",
        "lists of one sample: SGD(eta), in every order",
        same_iterates(use("reshuffled-sgd", eta=0.1), _DESCENT, on=_one_parabola, S=ALL),
    ),
    MethodIdentity(
        "reshuffled-sgd.pass",
        "curvature 1, K steps a pass: the mean of y - g_i(y) over a pass is the mean of the samples' minima",
        law(use("reshuffled-sgd", eta=0.1), _meets_every_sample, on=_alike_in_curvature, K=(_PASS,), S=ALL),
    ),
)
