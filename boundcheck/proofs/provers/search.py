"""Statements that stay undecided: the largest lhs/rhs over instances and parameters is searched for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.proofs.language.claim import Outcome
from boundcheck.proofs.provers.ascent import LENGTHS, ascend_gradient, structured_points
from boundcheck.proofs.provers.numeric import assignments, call, exceeds, plain, script

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Array = np.ndarray[Any, np.dtype[Any]]

DECADES = 100.0
STARTS = 3
MANY = 40
"""Dimensions from which on a simplex of points finds no way."""
CLIMBS = 8
"""Gradient ascents, half of them from structured points."""
STEPS = 20
"""Gradient steps that one start should have."""
CERTAIN = 1e-2
"""Relative difference between two precisions up to which a gap counts as seen."""
OUTSIDE = -1.0
HUGE = 1e300


@dataclass(frozen=True)
class Search:
    """``lhs <= rhs`` on a box, searched by random starts, differential evolution and simplex descent.

    From `MANY` dimensions on it is searched by gradient ascent, from points with a structure and random ones.
    `refuted` when a point with lhs > rhs is found and survives the recheck in extended precision, else `supported` with
    the largest lhs/rhs met; `undecided` in more dimensions than `reach`, where finding nothing says nothing.

    Parameters
    ----------
    sides : callable
        Takes every name of `box` as an array of n instances, shape (n,) or (n, count), and returns (lhs, rhs) of shape
        (n,).  Plain numpy, written with `def`.  NaN marks a point outside the domain.  Keep rhs positive (move negative
        terms to the other side): only then is lhs/rhs a slack.
    box : dict of str to (low, high) or (low, high, count)
        Range of a number, or of each of `count` coordinates; positive ranges over two decades and more are searched
        on a logarithmic scale.
    tries : int
        Evaluations, roughly.
    seed : int
        Fixes the search.
    scale : float
        Factor of rhs, for `tightened`.
    """

    sides: Callable[..., tuple[Array, Array]]
    box: Mapping[str, tuple[float, float] | tuple[float, float, int]]
    tries: int = 20000
    seed: int = 0
    scale: float = 1.0
    prover = "attack"

    def __post_init__(self) -> None:
        require_count(self.tries, "tries", 100)
        for name, (low, high, *_) in self.box.items():
            require(low < high, f"box[{name!r}]", (low, high), "low < high")

    def tighten(self, factor: float, seed: int | None = None) -> Search:
        """Return the same statement with rhs multiplied by `factor`."""
        return replace(self, scale=self.scale * factor, seed=self.seed if seed is None else seed)

    tightened = tighten
    """Its former name, which older code has."""

    @property
    def dimensions(self) -> int:
        """Numbers that are searched over."""
        return sum(entry[2] if len(entry) == 3 else 1 for entry in self.box.values())

    @property
    def reach(self) -> int:
        """Most dimensions in which `tries` suffice for `STEPS` gradient steps from every start."""
        return max(self.tries // (CLIMBS * STEPS) - len(LENGTHS), MANY - 1)

    def decide(self, timeout: float) -> Outcome:
        """Search; recheck the worst point."""
        del timeout  # the number of tries bounds the work
        points, ratios, tries = self._search() if self.dimensions < MANY else self._climb()
        for point in points[ratios > 1]:
            values = self.instance(point[None])
            lhs, rhs = self._at(values)
            fine = self._at({name: value.astype(np.longdouble) for name, value in values.items()})
            if exceeds(lhs, rhs) and exceeds(*fine) and _agree(lhs - rhs, fine[0] - fine[1]):
                return self._refutation(values, lhs, rhs)
        # What is above 1 here differs from it by rounding.
        slack = float(min(ratios[0], 1.0))
        met = f"largest lhs/rhs {slack:.6g} in {tries} tries in {self.dimensions} dimensions"
        if self.dimensions > self.reach:
            detail = f"{met}: {self.tries} tries search {self.reach} dimensions at most"
            return Outcome("undecided", detail=detail, slack=slack, tries=tries)
        return Outcome("supported", detail=met, slack=slack, tries=tries)

    def instance(self, cube: Array) -> dict[str, Array]:
        """Return the values that points of the unit cube, shape (n, dimensions), stand for."""
        values, column = {}, 0
        for name, (low, high, *count) in self.box.items():
            u = cube[:, column] if not count else cube[:, column : column + count[0]]
            column += count[0] if count else 1
            wide = low > 0 and high / low >= DECADES
            values[name] = low * (high / low) ** u if wide else low + (high - low) * u
        return values

    def ratios(self, cube: Array) -> Array:
        """Return lhs/rhs at points of the unit cube, above 1 exactly where lhs > rhs and -1 outside the domain."""
        # Extended precision, so that a search is not drawn to differences that are rounding.
        values = {name: value.astype(np.longdouble) for name, value in self.instance(cube).items()}
        with np.errstate(all="ignore"):
            lhs, rhs = (np.asarray(side, dtype=float) for side in self.sides(**values))
            rhs = self.scale * rhs
            below = np.where(lhs > rhs, HUGE, np.where(lhs < 0, rhs / lhs, 0.0))
            ratios = np.where(rhs > 0, np.maximum(lhs / rhs, 0.0), below)
        return np.where(np.isfinite(lhs) & np.isfinite(rhs), np.minimum(ratios, HUGE), OUTSIDE)

    def _search(self) -> tuple[Array, Array, int]:
        """Return the ends of all searches, the largest ratio first, their ratios, and the number of tries."""
        # Half a second that most claims, and all kept answers, do without.
        from scipy.optimize import Bounds, differential_evolution, minimize

        dimensions = self.dimensions
        rng = np.random.default_rng(self.seed)
        starts = rng.random((self.tries // 4, dimensions))
        order = np.argsort(-self.ratios(starts))
        people = min(max(8 * dimensions, 32), len(starts))
        evolved = differential_evolution(
            self._losses,  # type: ignore[arg-type]  # vectorised: takes (dimensions, n) and returns n values
            Bounds(np.zeros(dimensions), np.ones(dimensions)),
            init=starts[order[:people]],
            maxiter=max(self.tries // (2 * people), 1),
            vectorized=True,
            updating="deferred",
            polish=False,
            tol=0.0,
            rng=rng,
        )
        tries, found = len(starts) + int(evolved.nfev), [np.asarray(evolved.x)]
        for start in (evolved.x, *starts[order[:STARTS]]):
            share = max(self.tries // (8 * STARTS), 50)
            down = minimize(self._inside, start, method="Nelder-Mead", options={"maxfev": share, "xatol": 1e-10})
            tries += int(down.nfev)
            found.append(np.clip(down.x, 0.0, 1.0))
        points = np.array(found)
        ratios = self.ratios(points)
        order = np.argsort(-ratios)
        return points[order], ratios[order], tries

    def _climb(self) -> tuple[Array, Array, int]:
        """Return what `_search` does, by gradient ascent from the best structured and random points."""
        rng = np.random.default_rng(self.seed)
        shaped, drawn = structured_points(self.box), rng.random((self.tries // 4, self.dimensions))
        starts = [some[np.argsort(-self.ratios(some))[: CLIMBS // 2]] for some in (shaped, drawn)]
        steps = max((self.tries - len(shaped) - len(drawn)) // (CLIMBS * (self.dimensions + len(LENGTHS))), 1)
        found = [ascend_gradient(self.ratios, start, steps) for some in starts for start in some]
        points = np.array([*(point for point, _ in found), *(start for some in starts for start in some)])
        ratios = self.ratios(points)
        order = np.argsort(-ratios)
        return points[order], ratios[order], len(shaped) + len(drawn) + sum(tries for _, tries in found)

    def _losses(self, columns: Array, /) -> Array:
        return -self.ratios(columns.T)

    def _inside(self, point: Array) -> float:
        return -float(self.ratios(np.clip(point, 0.0, 1.0)[None])[0])

    def _at(self, values: Mapping[str, Array]) -> tuple[Any, Any]:
        with np.errstate(all="ignore"):
            lhs, rhs = self.sides(**values)
        return np.asarray(lhs)[0], np.asarray(rhs)[0] * self.scale

    def _refutation(self, values: Mapping[str, Array], lhs: Any, rhs: Any) -> Outcome:
        arguments = ", ".join(f"{name}={name}" for name in values)
        factor = "" if self.scale == 1.0 else f"{self.scale} * "
        lines = [
            *assignments(values),
            f"lhs, rhs = {call(self.sides, arguments)}",
            f"assert lhs[0] > {factor}rhs[0], (lhs, rhs)",
        ]
        witness = {name: plain(value[0]) for name, value in values.items()}
        detail = f"lhs = {float(lhs):.6g}, rhs = {float(rhs):.6g}"
        return Outcome("refuted", witness, script(lines, self.sides), detail)


def _agree(gap: Any, fine: Any) -> bool:
    """Return whether a gap is the same in double and extended precision: else it is made of rounding."""
    return bool(abs(gap - fine) <= CERTAIN * abs(fine))
