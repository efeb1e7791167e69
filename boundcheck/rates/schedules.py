"""Schedules of cited works whose theorem is no bound here: only a row of a comparison table has their rate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.methods.central import AdaptiveSTORM

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.methods.base import Method
    from boundcheck.problems.base import Problem

_SHARE = 0.25
"""The free constant b of STORM's theorem: the smaller, the sooner the noise decides the steps."""


def storm(problem: Problem) -> Method:
    """Return STORM at the steps of its Theorem 1.

    G bounds the stochastic gradients: k = b G^(2/3)/L, c = 28 L^2 + G^2/(7 L k^3) and
    w = max((4 L k)^3, 2 G^2, (c k/(4 L))^3).

    References
    ----------
    .. [1] Cutkosky, Orabona, arXiv:1905.10018, Theorem 1.
    """
    L, G = problem.constant("L"), problem.constant("G_inf")
    k = _SHARE * G ** (2 / 3) / L
    c = 28 * L**2 + G**2 / (7 * L * k**3)
    w = max((4 * L * k) ** 3, 2 * G**2, (c * k / (4 * L)) ** 3)
    return AdaptiveSTORM(k=k, w=w, c=c)


SCHEDULES: dict[str, Callable[[Problem], Method]] = {"storm": storm}
"""Name to what makes the method on a problem of one coordinate."""
