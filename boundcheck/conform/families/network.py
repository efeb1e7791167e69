"""Identities of the methods that look into a network: MOON and FedMLB, with and without server momentum."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.checks import LIMIT, largest_deviation, law, relative_gap, same_iterates
from boundcheck.conform.families.momentum import ALL
from boundcheck.conform.identity import Deviation, MethodIdentity
from boundcheck.conform.runs.harness import SEED, over_clients, use
from boundcheck.conform.runs.small_problems import network
from boundcheck.methods.network import contrast_slope, divergence_slopes

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.runs.harness import SteppedRound
    from boundcheck.problems.base import Array

_H = 1e-5
"""Step of central differences."""
_HEAVY = {"eta": 0.2, "beta": 0.6, "gamma": 0.8}
_MOON = {"eta": 0.2, "mu": 5.0, "tau": 0.4}
_BRANCHES = {"lam1": 0.7, "lam2": 1.3, "lam3": 0.9, "tau": 1.5}
_single = partial(network, N=1)
_PLAIN = {"lam1": 1.0, "lam2": 0.0, "lam3": 0.0}


def _cos(a: Array, b: Array) -> Array:
    value: Array = np.vecdot(a, b) / np.sqrt(np.vecdot(a, a) * np.vecdot(b, b))
    return value


def _contrast(r: Array, shared: Array, previous: Array, tau: float) -> Array:
    """Return -log(e^p / (e^p + e^q)) with p = cos(r, shared) / tau and q = cos(r, previous) / tau."""
    loss: Array = np.log1p(np.exp((_cos(r, previous) - _cos(r, shared)) / tau))
    return loss


def _divergence(first: Array, second: Array, tau: float) -> Array:
    p, q = (np.exp(z / tau) / np.exp(z / tau).sum(axis=-1, keepdims=True) for z in (first, second))
    value: Array = (p * np.log(p / q)).sum(axis=-1)
    return value


def _differences(loss: Callable[[Array], Array], at: Array) -> Array:
    """Return the gradient of every row's loss by central differences."""
    columns = [(loss(at + _H * e) - loss(at - _H * e)) / (2 * _H) for e in np.eye(at.shape[-1])]
    return np.stack(columns, axis=-1)


def _slopes_of_contrast() -> Deviation:
    r, shared, previous = np.random.default_rng(SEED).standard_normal((3, 20, 4))
    found = contrast_slope(np, r, shared, previous, 0.4)
    return largest_deviation(
        [relative_gap(found, _differences(lambda z: _contrast(z, shared, previous, 0.4), r))], LIMIT
    )


def _slopes_of_divergence() -> Deviation:
    first, second = np.random.default_rng(SEED).standard_normal((2, 20, 3))
    found = divergence_slopes(np, first, second, 1.5)
    expected = (
        _differences(lambda z: _divergence(z, second, 1.5), first),
        _differences(lambda z: _divergence(first, z, 1.5), second),
    )
    return largest_deviation([relative_gap(f, e) for f, e in zip(found, expected, strict=True)], LIMIT)


def _along(start: Array, end: Array, loss: Callable[[Array], Array]) -> tuple[Any, Any]:
    """Return one local step of every client against the derivative of its loss, along fixed directions."""
    taken = (start - end) / 0.2
    found, expected = [], []
    for p in np.random.default_rng(SEED).standard_normal((4, start.shape[-1])):
        found.append(np.vecdot(taken, np.broadcast_to(p, taken.shape)))
        expected.append((loss(start + _H * p) - loss(start - _H * p)) / (2 * _H))
    return found, expected


def _entropy(r: SteppedRound, outputs: Array, batch: Any) -> Array:
    """Return the cross-entropy of the rows of a minibatch."""
    labels = np.take_along_axis(r.problem.labels[None], batch.row[..., None], axis=2)
    rows: Array = np.log(np.exp(outputs).sum(axis=-1)) - (outputs * labels).sum(axis=-1)
    return rows


def _contrastive_step(r: SteppedRound) -> list[Any]:
    """Return, for K = 1, the step on cross-entropy plus mu times the contrast with the client's last model."""
    oracle, batch = r.oracle, r.oracle.record.minibatches[0]
    level = oracle.levels - 2
    start = np.repeat(r.before.x, oracle.N, axis=1)
    shared, previous = (oracle.outputs(y, batch)[level] for y in (start, r.before.own))

    def loss(y: Array) -> Array:
        outputs = oracle.outputs(y, batch)
        contrast = 5.0 * _contrast(outputs[level], shared, previous, 0.4) if r.t else 0.0
        mean: Array = (_entropy(r, outputs[-1], batch) + contrast).mean(axis=-1)
        return mean

    return [_along(start, r.after.own, loss), (r.after.x, over_clients(r.after.own))]


def _branched_step(r: SteppedRound) -> list[Any]:
    """Return, for K = 1, the step where all branches are the network itself: layers count once for every branch."""
    oracle = r.oracle
    g = oracle.grad(oracle.to_clients(r.before.x), oracle.record.minibatches[0])
    masks = [oracle.upstream_mask(level) for level in range(oracle.levels - 1)]
    return [(r.after.x, r.before.x - 0.2 * over_clients((0.7 + 1.3 * np.mean(masks, axis=0)) * g))]


def _second_step(r: SteppedRound) -> list[Any]:
    """Return, for N = 1 and K = 2, the step from y_1, where the branches are no longer the network itself."""
    oracle, x = r.oracle, r.before.x
    masks = [oracle.upstream_mask(level) for level in range(oracle.levels - 1)]
    first = x - 0.2 * (0.7 + 1.3 * np.mean(masks, axis=0)) * oracle.grad(x, oracle.record.minibatches[0])
    batch = oracle.record.minibatches[1]

    def loss(y: Array) -> Array:
        own = oracle.outputs(y, batch)[-1]
        branches = [oracle.outputs(np.where(mask > 0, y, x), batch)[-1] for mask in masks]
        crossed = [1.3 * _entropy(r, o, batch) + 0.9 * _divergence(o, own, 1.5) for o in branches]
        mean: Array = (0.7 * _entropy(r, own, batch) + np.mean(crossed, axis=0)).mean(axis=-1)
        return mean

    return [_along(first, r.after.x, loss)]


NETWORK = (
    MethodIdentity(
        "moon.mu-0",
        "mu = 0: MOON(eta) = FedAvg(eta)",
        same_iterates(use("moon", eta=0.2, mu=0.0), use("fedavg", eta=0.2), on=network),
        also=("fedavg",),
    ),
    MethodIdentity(
        "moon.first-round",
        "first round, no client having a model of its own: MOON(eta, mu) = FedAvg(eta)",
        same_iterates(use("moon", **_MOON), use("fedavg", eta=0.2), on=network, T=1),
        also=("fedavg",),
    ),
    MethodIdentity(
        "moon.slope",
        "the slope in r of -log(e^p / (e^p + e^q)), p = cos(r, s)/tau, q = cos(r, w)/tau, is its central difference",
        _slopes_of_contrast,
        also=("moonm",),
    ),
    MethodIdentity(
        "moon.step",
        "K = 1, along any direction: (x - y_i) / eta = the derivative of cross-entropy + mu contrast, x+ = mean_i y_i",
        law(use("moon", **_MOON), _contrastive_step, on=network, K=(1,), S=ALL, tolerance=LIMIT),
    ),
    MethodIdentity(
        "moonm.beta-0",
        "beta = 0, gamma = 1: MOONM(eta, mu, tau) = MOON(eta, mu, tau)",
        same_iterates(use("moonm", **_MOON, beta=0.0), use("moon", **_MOON), on=network),
        also=("moon",),
    ),
    MethodIdentity(
        "moonm.mu-0",
        "mu = 0: MOONM(eta, beta, gamma) = FedAvg with server momentum(beta), server step gamma",
        same_iterates(use("moonm", **_HEAVY, mu=0.0), use("fedavg-server-m", **_HEAVY), on=network),
        also=("fedavg-server-m",),
    ),
    MethodIdentity(
        "fedmlb.plain",
        "lam = (1, 0, 0): FedMLB(eta) = FedAvg(eta)",
        same_iterates(use("fedmlb", eta=0.2, **_PLAIN), use("fedavg", eta=0.2), on=network),
        also=("fedavg",),
    ),
    MethodIdentity(
        "fedmlb.step",
        "K = 1: x+ = x - eta mean_i (lam1 + lam2 (share of the branches that train the layer)) g_i(x)",
        law(use("fedmlb", eta=0.2, **_BRANCHES), _branched_step, on=network, K=(1,)),
    ),
    MethodIdentity(
        "fedmlb.second-step",
        "N = 1, K = 2: (y_1 - y_2)/eta = the gradient, along any line, of lam1 CE + mean_m (lam2 CE_m + lam3 KL_m)",
        law(use("fedmlb", eta=0.2, **_BRANCHES), _second_step, on=_single, K=(2,), S=ALL, tolerance=LIMIT),
    ),
    MethodIdentity(
        "fedmlb.slopes",
        "the slopes in both logits of KL(p || q), softmax over tau, are its central differences",
        _slopes_of_divergence,
        also=("fedmlbm",),
    ),
    MethodIdentity(
        "fedmlbm.beta-0",
        "beta = 0, gamma = 1: FedMLBM(eta, lam, tau) = FedMLB(eta, lam, tau)",
        same_iterates(use("fedmlbm", eta=0.2, beta=0.0, **_BRANCHES), use("fedmlb", eta=0.2, **_BRANCHES), on=network),
        also=("fedmlb",),
    ),
    MethodIdentity(
        "fedmlbm.plain",
        "lam = (1, 0, 0): FedMLBM(eta, beta, gamma) = FedAvg with server momentum(beta), server step gamma",
        same_iterates(use("fedmlbm", **_HEAVY, **_PLAIN), use("fedavg-server-m", **_HEAVY), on=network),
        also=("fedavg-server-m",),
    ),
)
