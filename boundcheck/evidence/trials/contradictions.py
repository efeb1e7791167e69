"""Constants that contradict each other: no function has them, so that no theorem speaks about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.engine.longer import DOUBLES
from boundcheck.errors import NotApplicableError
from boundcheck.evidence.trials.digits import apart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.problems.base import Problem

_SLACK = 1e-9
"""Relative rounding that is no contradiction."""
_OUTCOMES = 4096
"""Most sample gradients that are looked at for the noise at the start."""


def contradiction(problem: Problem) -> str:
    """Return which constants of a problem contradict each other or its function at the start, with both numbers.

    Asked are 0 <= Delta and mu, mu_PL <= L; at the start |grad f|^2 <= 2 L Delta, which every L-smooth function
    obeys, Delta >= f(x_0) - f_star where f_star is attained, and a deviation of the samples of at most sigma.

    Returns
    -------
    str
        Empty where nothing contradicts.
    """
    for words, smaller, larger, rounding in _claims(problem):
        if smaller > larger + _SLACK * abs(larger) + rounding:
            left, _, right = words.partition(" <= ")
            first, second = apart(smaller, larger, ">").split(" > ")
            return f"constants contradict each other: {left} = {first} > {right} = {second}"
    return ""


def _claims(problem: Problem) -> Iterator[tuple[str, float, float, float]]:
    """Yield what must hold: in words, both sides, and how far rounding may lift the left one."""
    # An estimate claims nothing.
    known = {letter: constant.value for letter, constant in problem.constants.items() if constant.kind != "estimate"}
    if problem.is_minimax:
        return
    values = abs(problem.initial_value) + abs(known.get("f_star", 0.0))
    eps = 8 * DOUBLES
    if "Delta" in known:
        yield "0 <= Delta", 0.0, known["Delta"], eps * values
    for letter in ("mu", "mu_PL"):
        if {letter, "L"} <= set(known):
            yield f"{letter} <= L", known[letter], known["L"], 0.0
    if {"Delta", "f_star"} <= set(known) and problem.constants["f_star"].kind == "exact":
        yield "f(x_0) - f_star <= Delta", problem.initial_value - known["f_star"], known["Delta"], eps * values
    if {"L", "Delta"} <= set(known) and problem.radius is None:
        gradient = problem.mean_gradient(problem.start[None, None, :])
        size = float((gradient * gradient).sum())
        lift = 2 * known["L"] * eps * values + eps**2 * known.get("G_0", 0.0)
        yield "|grad f(x_0)|^2 <= 2 L Delta", size, 2 * known["L"] * known["Delta"], lift
    sigma = problem.constants.get("sigma")
    if sigma is not None and sigma.vouched and (deviation := _deviation(problem)) is not None:
        yield "deviation of the samples at x_0 <= sigma", deviation, sigma.value, eps * np.sqrt(known.get("G_0", 0.0))


def _deviation(problem: Problem) -> float | None:
    """Return the largest deviation of a client's samples at the start; None where they have no short list."""
    largest = 0.0
    for client in range(problem.N):
        try:
            found = problem.outcomes(problem.start, client)
        except NotApplicableError:
            return None
        away = found - found.mean(axis=0)
        largest = max(largest, float((away * away).sum(axis=1).mean()))
        if (client + 1) * len(found) > _OUTCOMES:
            break
    return float(np.sqrt(largest))
