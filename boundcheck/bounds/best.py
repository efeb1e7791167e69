"""The step sizes that make a bound smallest, among those that its conditions allow."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import NotApplicableError, UnknownNameError, require
from boundcheck.notation import LETTERS, letter_named, symbol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from boundcheck.bounds.bound import Bound, Evaluation, Values

_STARTS = 3
_FAR = 700.0
_WIDE = float(np.log(1e6))
"""How far from the prescribed values the search goes, in both directions."""
_FURTHER = float(np.log(100.0))
"""How far a parameter is moved to see whether it has a best value."""
_HALVINGS = 30
_MARGIN = 1e-9
"""By how much a condition is kept away from equality, in the logarithm."""


@dataclass(frozen=True)
class BestSteps:
    """The smallest right-hand side at given constants and settings."""

    parameters: dict[str, float]
    rhs: float
    prescribed: dict[str, float]
    prescribed_rhs: float
    edges: dict[str, str]
    """Parameters without a best value: "0" or "infinity" is what they tend to."""

    @property
    def ratio(self) -> float:
        """Return how many times larger the bound is at the prescribed values, infinity if the best one is not above 0.

        A right-hand side that is not positive cannot bound a square: the conditions allow too much.
        """
        return self.prescribed_rhs / self.rhs if self.rhs > 0 else float("inf")


def steps_of(bound: Bound) -> tuple[str, ...]:
    """Return the parameters that the right-hand side depends on and the theorem leaves open: steps, weights, floors.

    Those are the free ones and, unless the terms hold at the prescribed values only, those that a condition limits.
    """
    limited = {s.name for c in bound.conditions for s in c.relation.free_symbols}
    chosen = set(bound.free) | (set() if bound.rigid else limited)
    chosen = {name for name in chosen - {*bound.definitions} if letter_named(name).kind.chosen}
    return tuple(name for name in bound.parameters if name in chosen and _enters(bound, name, chosen))


def _enters(bound: Bound, name: str, chosen: set[str]) -> bool:
    """Return whether the right-hand side depends on a parameter otherwise than through others that are chosen."""
    if name not in LETTERS:
        return False
    reached = {symbol(name)}
    for other, e in bound.parameters.items():
        if other not in chosen and reached & e.free_symbols:
            reached.add(symbol(other))
    return bool(reached & bound.total.free_symbols)


def best_steps(
    bound: Bound, values: Values, *, over: Sequence[str] | None = None, overrides: Values | None = None, seed: int = 0
) -> BestSteps:
    """Minimise the right-hand side over the steps that the conditions allow.

    Sequential quadratic programming in the logarithms of the parameters, in which products of powers are convex, from
    the prescribed values and from random ones; what is returned meets every condition.

    Parameters
    ----------
    bound : Bound
    values : mapping
        Constants of the problem and the settings N, S, K, T, b, d.
    over : sequence of str, optional
        Parameters to choose; by default those of `steps_of` that are prescribed above 0.
    overrides : mapping, optional
        Parameters to hold at other than the prescribed values.
    seed : int
        Seed of the random starts.

    Raises
    ------
    NotApplicableError
        If nothing can be chosen, or no choice that meets the conditions was found; the message names what fails.
    UnknownNameError
        If a name of `over` is not a parameter.
    """
    for name in over or ():
        if name not in bound.parameters:
            raise UnknownNameError(f"parameter of {bound.id}", name, bound.parameters)
    if bound.metric == "envelope_gradient_sum":
        msg = f"bound {bound.id} is on a sum weighted with the steps: its left-hand side changes with them"
        raise NotApplicableError(msg)
    start = bound.resolve(values, overrides)
    open_ones = (n for n in steps_of(bound) if n not in (overrides or {}) and start[n] > 0)
    names = tuple(over if over is not None else open_ones)
    for name in names:
        require(start[name] > 0, f"over: {name}", start[name], "a parameter that starts above 0")
    if not names:
        msg = f"bound {bound.id} leaves no step to choose"
        raise NotApplicableError(msg)
    search = _StepSearch(bound, dict(values), dict(overrides or {}), names)
    before = bound.evaluate(start, strict=False)
    origin = np.log([start[name] for name in names])
    point, found = search.minimum(origin, np.random.default_rng(seed))
    prescribed = {name: start[name] for name in names}
    return BestSteps(search.parameters_at(point), found.rhs, prescribed, before.rhs, search.edges(point, found.rhs))


@dataclass(frozen=True)
class _StepSearch:
    bound: Bound
    values: dict[str, float]
    overrides: dict[str, float]
    names: tuple[str, ...]
    seen: dict[bytes, Evaluation] = field(default_factory=dict)
    """What was evaluated: objective and conditions are asked at the same points."""

    def parameters_at(self, point: NDArray[np.float64]) -> dict[str, float]:
        return {name: float(np.exp(u)) for name, u in zip(self.names, point, strict=True)}

    def at(self, point: NDArray[np.float64]) -> Evaluation:
        key = point.tobytes()
        if key not in self.seen:
            resolved = self.bound.resolve(self.values, self.overrides | self.parameters_at(point))
            self.seen[key] = self.bound.evaluate(resolved, strict=False)
        return self.seen[key]

    def objective(self, point: NDArray[np.float64]) -> float:
        rhs = self.at(point).rhs
        return float(np.log(rhs)) if rhs > 0 else -_FAR

    def margins(self, point: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.array(
            [
                _margin(c.relation.rel_op, found.left, found.right) - _MARGIN
                for c, found in zip(self.bound.conditions, self.at(point).conditions, strict=True)
            ]
        )

    def descend_from(self, first: NDArray[np.float64], origin: NDArray[np.float64]) -> NDArray[np.float64]:
        from scipy.optimize import minimize

        options: dict[str, Any] = {
            "bounds": [(float(u) - _WIDE, float(u) + _WIDE) for u in origin],
            "constraints": [{"type": "ineq", "fun": self.margins}],
            "options": {"ftol": 1e-11, "maxiter": 80},
        }
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.asarray(minimize(self.objective, first, method="SLSQP", **options).x)

    def pulled_back(self, point: NDArray[np.float64], origin: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the point, or where the way back to the origin meets every condition, if the origin does."""
        if not self.at(point).unmet or self.at(origin).unmet:
            return point
        inside, outside = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            met = not self.at(origin + middle * (point - origin)).unmet
            inside, outside = (middle, outside) if met else (inside, middle)
        return origin + inside * (point - origin)

    def edges(self, point: NDArray[np.float64], rhs: float) -> dict[str, str]:
        """Return the parameters that may shrink or grow further without loss."""
        out = {}
        for i, name in enumerate(self.names):
            for shift, limit in ((-_FURTHER, "0"), (_FURTHER, "infinity")):
                found = self.at(point + shift * np.eye(point.size)[i])
                if not found.unmet and rhs > 0 and found.rhs <= rhs * (1 + 1e-6):
                    out[name] = limit
        return out

    def minimum(self, origin: NDArray[np.float64], rng: np.random.Generator) -> tuple[NDArray[np.float64], Evaluation]:
        """Return the best point found that meets every condition."""
        tried = [(origin, self.at(origin))]
        for i in range(_STARTS):
            first = origin + (rng.normal(size=origin.size) * 2.0 if i else 0.0)
            point = self.descend_from(first, origin)
            # A descent may stop outside of what is allowed, by the last digits of its algebra: another one from inside.
            inside = self.pulled_back(point, origin)
            ends = (point,) if inside is point else (inside, self.descend_from(inside, origin))
            tried += [(end, self.at(end)) for end in ends]
        allowed = [(u, e) for u, e in tried if not e.unmet and np.isfinite(e.rhs)]
        if not allowed:
            worst = next((f"'{c.label}' fails" for c in tried[-1][1].unmet), "its right-hand side is not finite")
            msg = f"bound {self.bound.id}: no step found that meets its conditions; {worst}"
            raise NotApplicableError(msg)
        return min(allowed, key=lambda found: found[1].rhs)


def _margin(operator: str, left: float, right: float) -> float:
    """Return how far a condition is from equality, positive if it holds: a logarithm where both sides are positive."""
    small, large = (left, right) if operator in {"<=", "<"} else (right, left)
    if small > 0 and large > 0:
        return float(np.log(large / small))
    return float((large - small) / max(abs(large), abs(small), 1.0))
