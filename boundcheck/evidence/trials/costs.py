"""What a run costs: sampled gradients, exact gradients, floats and bits, counted by the oracle along one lane."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.engine.meter import Meter
from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.rounds import initial_state, rounds
from boundcheck.engine.setting import Setting
from boundcheck.engine.simulate import check_setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.methods.base import Method
    from boundcheck.problems.base import Indices, Problem

_ROUNDS = 16
"""Rounds that are counted one by one; if all after the first cost the same, the others are taken to."""


class Cost(NamedTuple):
    """What one active client spends in a run, what is done before the first round included (N/S of it, if S < N)."""

    samples: float
    """Sampled gradients."""
    exact: float
    """Exact gradients."""
    floats: float
    """Floats up and down, a compressed vector counting as a vector."""
    bits: float
    """Bits up and down, compressed vectors by their code."""


def cost(problem: Problem, method: Method, *, K: int, T: int, S: int, b: int = 1) -> Cost:
    """Return what `T` rounds of `method` cost an active client; see `cost_at`.

    Raises
    ------
    InputError
        If K, T, S or b is not legal.
    """
    return cost_at(problem, method, Setting.of(problem, K=K, T=T, S=S, b=b))


def cost_at(problem: Problem, method: Method, setting: Setting) -> Cost:
    """Count what a run of `method` costs an active client.

    Shapes decide the counts, not values; what the method's own coins decide to send is counted in expectation.

    Raises
    ------
    NotApplicableError
        If method and problem do not go together.
    """
    return costs_along(problem, method, setting, [setting.T])[0]


def costs_along(problem: Problem, method: Method, setting: Setting, marks: Sequence[int] | Indices) -> list[Cost]:
    """Count what a run of `method` has cost an active client after each of these numbers of rounds, as `cost_at`."""
    check_setting(problem, method, setting)
    oracle = LaneOracle(problem, setting, seed=0, keys=[setting.key(0)], observers=[])
    meter = Meter(oracle)
    with np.errstate(all="ignore"):
        state = initial_state(method, oracle, 1)
        meter.start()
        counts = [meter.read(method, 0)]
        for step in rounds(method, oracle, state, setting.T):
            counts.append(meter.read(method, step.t + 1))
            if step.t + 1 == _ROUNDS:
                steps = np.diff(counts, axis=0)[1:]
                if (steps == steps[0]).all():
                    counts += [counts[-1] + more * steps[0] for more in range(1, setting.T - _ROUNDS + 1)]
                    break
    return [Cost(*counts[mark].mean(axis=1)[1:].tolist()) for mark in marks]
