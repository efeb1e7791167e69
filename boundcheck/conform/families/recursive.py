"""Identities of the recursive estimators: STORM, SARAH, SPIDER, SNVRG, STEM, BVR-L-SGD, CE-LSGD."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.checks import law, same_iterates, stays_at_zero
from boundcheck.conform.families.momentum import ALL
from boundcheck.conform.identity import MethodIdentity
from boundcheck.conform.runs.harness import method, over_clients, use
from boundcheck.conform.runs.small_problems import alone, calm, curved_clients, signs

if TYPE_CHECKING:
    from boundcheck.conform.runs.harness import SteppedRound


def _storm(r: SteppedRound) -> list[Any]:
    fresh = np.mean([over_clients(g) for g in r.seen[0::2]], axis=0)
    old = np.mean([over_clients(g) for g in r.seen[1::2]], axis=0)
    return [(r.after.g, fresh + 0.7 * (r.before.g - old)), (r.after.x, r.before.x - 0.2 * r.after.g)]


def _steps_of_one_length(r: SteppedRound) -> list[Any]:
    return [(np.linalg.norm(r.after.x - r.before.x, axis=-1), np.full((len(r.before.x), 1), 0.01))]


def _schedule(r: SteppedRound) -> list[Any]:
    squares = (over_clients(r.seen[0]) ** 2).sum(axis=-1, keepdims=True)
    return [
        (r.after.x, r.before.x - 0.3 / np.cbrt(2.0 + r.before.total) * r.before.v),
        (r.after.total, r.before.total + squares),
    ]


def _flat(a: float) -> Any:
    return lambda K: method("stem", kappa=0.1, w=1.0, growth=0.0, c=a / 0.1**2)


def _unforgotten(r: SteppedRound) -> list[Any]:
    errors = [state.v - r.problem.mean_gradient(state.x) for state in (r.after, r.before)]
    return [(errors[0], errors[1])]


_DESCENT = use("sgd", eta=0.1)


RECURSIVE = (
    MethodIdentity(
        "sgd.descent",
        "K = 1: x+ = x - eta mean_i g_i(x)",
        law(use("sgd", eta=0.1), lambda r: [(r.after.x, r.before.x - 0.1 * r.oracle.K * r.gradient)], S=ALL),
    ),
    MethodIdentity(
        "storm.a-1",
        "a = 1, no noise: STORM(eta) = gradient descent(eta)",
        same_iterates(use("storm", eta=0.1, a=1.0), _DESCENT, on=calm, S=ALL),
        also=("sgd",),
    ),
    MethodIdentity(
        "storm.a-0",
        "a = 0, noise that does not depend on x: v - grad f(x) never changes",
        law(use("storm", eta=0.1, a=0.0), _unforgotten, on=signs, S=ALL),
    ),
    MethodIdentity(
        "storm-adaptive.schedule",
        "K = 1: eta = k / (w + sum |G|^2)^(1/3), x+ = x - eta v",
        law(use("storm-adaptive", k=0.3, w=2.0, c=4.0), _schedule, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "storm-adaptive.storm",
        "w -> oo at k / w^(1/3) = eta, c eta^2 = a: STORM(eta, a)",
        same_iterates(
            use("storm-adaptive", k=0.1e5, w=1e15, c=30.0), use("storm", eta=0.1, a=0.3), S=ALL, tolerance=1e-9
        ),
        also=("storm",),
    ),
    MethodIdentity(
        "sarah.common-noise",
        "noise that does not depend on x: SARAH(eta) = gradient descent(eta)",
        same_iterates(use("sarah", eta=0.1), _DESCENT, on=signs, against=calm, S=ALL),
        also=("sgd",),
    ),
    MethodIdentity(
        "spider.sarah",
        "length -> oo: SPIDER(eta) = SARAH(eta)",
        same_iterates(use("spider", eta=0.1, length=1e6), use("sarah", eta=0.1), S=ALL),
        also=("sarah",),
    ),
    MethodIdentity(
        "spider.length",
        "K = 1, eta -> oo: |x+ - x| = length",
        law(use("spider", eta=10.0, length=0.01), _steps_of_one_length, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "snvrg.common-noise",
        "noise that does not depend on x: SNVRG(eta) = gradient descent(eta)",
        same_iterates(use("snvrg", eta=0.1), _DESCENT, on=signs, against=calm, K=(1, 5), S=ALL),
        also=("sgd",),
    ),
    MethodIdentity(
        "snvrg.base-1",
        "base = 1, or depth = 1: every step compares with the epoch's start (SVRG)",
        same_iterates(use("snvrg", eta=0.1, depth=3, base=1), use("snvrg", eta=0.1, depth=1, base=2), K=(1, 5), S=ALL),
    ),
    MethodIdentity(
        "snvrg.sarah",
        "K = 2: one step after the exact one, SNVRG(eta) = SARAH(eta)",
        same_iterates(use("snvrg", eta=0.1), use("sarah", eta=0.1), K=(2,), S=ALL),
        also=("sarah",),
    ),
    MethodIdentity(
        "mb-storm.recursion",
        "g+ = G(x) + (1-a) (g - G(x_prev)) on the same K minibatches, x+ = x - gamma g+",
        law(use("mb-storm", gamma=0.2, a=0.3), _storm),
    ),
    MethodIdentity(
        "stem.one-step",
        "K = 1, constant step, c eta^2 = a: STEM = STORM(eta, a)",
        same_iterates(_flat(0.3), use("storm", eta=0.1, a=0.3), K=(1,), S=ALL),
        also=("storm",),
    ),
    MethodIdentity(
        "stem.one-client",
        "N = 1, constant step: STEM = STORM(eta, a) for every K",
        same_iterates(_flat(0.3), use("storm", eta=0.1, a=0.3), on=alone, S=ALL),
        also=("storm",),
    ),
    MethodIdentity(
        "stem.fresh",
        "a = 1, K = 1, no noise: STEM = gradient descent(eta)",
        same_iterates(_flat(1.0), _DESCENT, on=calm, S=ALL, K=(1,)),
        also=("sgd",),
    ),
    MethodIdentity(
        "bvr-l-sgd.one-client",
        "N = 1: BVR-L-SGD(eta) = SARAH(eta) restarted every round",
        same_iterates(use("bvr-l-sgd", eta=0.1), use("sarah", eta=0.1), on=alone, S=ALL),
        also=("sarah",),
    ),
    MethodIdentity(
        "bvr-l-sgd.tilt",
        "equal Hessians, no noise: BVR-L-SGD(eta) = gradient descent(eta), whatever the tilts",
        same_iterates(use("bvr-l-sgd", eta=0.1), _DESCENT, on=calm, S=ALL),
        also=("sgd",),
    ),
    MethodIdentity(
        "bvr-l-sgd.rest",
        "no noise: the minimiser of f does not move",
        stays_at_zero(use("bvr-l-sgd", eta=0.1), on=partial(curved_clients, start=0.0)),
    ),
    MethodIdentity(
        "ce-lsgd.one-step",
        "K = 1: CE-LSGD(eta, a) = minibatch STORM(gamma = eta, a)",
        same_iterates(use("ce-lsgd", eta=0.2, a=0.3), use("mb-storm", gamma=0.2, a=0.3), K=(1,)),
        also=("mb-storm",),
    ),
    MethodIdentity(
        "ce-lsgd.bvr-l-sgd",
        "a = 1, no noise: CE-LSGD(eta) = BVR-L-SGD(eta), the same client drawn",
        same_iterates(
            use("ce-lsgd", eta=0.1, a=1.0),
            use("bvr-l-sgd", eta=0.1),
            on=partial(calm, heterogeneity="phase"),
            S=ALL,
        ),
        also=("bvr-l-sgd",),
    ),
)
