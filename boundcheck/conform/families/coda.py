"""Identities of CODA and CODASCA."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.checks import law, same_iterates
from boundcheck.conform.families.momentum import ALL
from boundcheck.conform.identity import MethodIdentity
from boundcheck.conform.runs.harness import use
from boundcheck.conform.runs.small_problems import saddle
from boundcheck.problems.synthetic.ridge import Ridge

if TYPE_CHECKING:
    from boundcheck.conform.runs.harness import SteppedRound


_STEPS = {"eta_x": 0.1, "eta_y": 0.2}


_STAGES: dict[str, Any] = {**_STEPS, "lam": 0.7, "rounds": 2, "growth": 2, "decay": 1.5}


_DOWN, _UP = np.array([1.0, 1.0, 1.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.0, 1.0, 1.0])


_alone = partial(saddle, N=1)


def _one_block() -> Ridge:
    problem = Ridge(N=4, d=3, zeta=0.8, sigma=0.7, noise="phases")
    problem.blocks = (3, 0)
    return problem


def _stages(r: SteppedRound) -> list[Any]:
    """Return, without centre and with stages of 1 and 2 rounds from last pairs, Local SGDA's step."""
    shrink = 1.5 ** -(1 if r.t else 0)
    moved = shrink * r.oracle.K * r.gradient
    return [(r.after.x, r.before.x - 0.1 * _DOWN * moved + 0.2 * _UP * moved)]


def _law_of_centre(r: SteppedRound) -> list[Any]:
    """Return, for K = 1, the step with the pull to the centre; a stage of two rounds ends at its average."""
    pulled = r.gradient + 0.7 * _DOWN * (r.before.x - r.before.ref)
    x = r.before.x - (0.1 * _DOWN - 0.2 * _UP) * pulled
    return [(r.after.x, 0.5 * (r.before.x + x) if r.before.done == 1 else x)] if r.t < 2 else []


def _variates(r: SteppedRound) -> list[Any]:
    return [(r.after.c_i, r.own)]


CODA = (
    MethodIdentity(
        "coda.local-sgda",
        "lam = 0, one stage: CODA = Local SGDA",
        same_iterates(
            use("coda", **{**_STAGES, "lam": 0.0, "rounds": 9}), use("local-sgda", **_STEPS), on=saddle, S=ALL
        ),
        also=("local-sgda",),
    ),
    MethodIdentity(
        "coda.stages",
        "lam = 0, stages of 1 and 2 rounds from last pairs: Local SGDA with steps eta / decay^s",
        law(use("coda", **{**_STAGES, "lam": 0.0, "rounds": 1}, output="last"), _stages, on=saddle, K=(3,), S=ALL, T=3),
    ),
    MethodIdentity(
        "coda.centre",
        "K = 1: x+ = x - eta_x (g^x + lam (x - ref)); the stage ends at its average",
        law(use("coda", **_STAGES), _law_of_centre, on=saddle, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "codasca.one-client",
        "N = 1: CODASCA = CODA from last pairs",
        same_iterates(use("codasca", **_STAGES), use("coda", **_STAGES, output="last"), on=_alone, S=ALL, T=7),
        also=("coda",),
    ),
    MethodIdentity(
        "codasca.scaffold",
        "no max block, lam = 0, one stage: CODASCA(gamma) = SCAFFOLD(eta, gamma, option II) from zero",
        same_iterates(
            use("codasca", **{**_STAGES, "lam": 0.0, "rounds": 9}, gamma=1.3),
            use("scaffold", eta=0.1, gamma=1.3),
            on=_one_block,
            S=ALL,
        ),
        also=("scaffold",),
    ),
    MethodIdentity(
        "codasca.variates",
        "c_i+ = mean_k g_i(z_ik), without the proximal term",
        law(use("codasca", **_STAGES), _variates, on=saddle, S=ALL),
    ),
)
