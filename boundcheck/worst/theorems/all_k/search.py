"""The search for a theorem for all K: as near as possible to the best one-round theorem of each K and step."""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.worst.sides.programme import SOLVED
from boundcheck.worst.theorems.bernstein.polynomials import Poly, add, evaluate, scale
from boundcheck.worst.theorems.bernstein.programme import Inequality
from boundcheck.worst.theorems.lmi import minimise
from boundcheck.worst.theorems.systems import conditions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.worst.theorems.all_k.lemmas import Lemmas, Unknown
    from boundcheck.worst.theorems.all_k.loop import LocalLoop
    from boundcheck.worst.theorems.bernstein.programme import Values
    from boundcheck.worst.theorems.lmi import Costs

_GAP: Unknown = ("gap",)
_MARGINS = (1e-7, 1e-6, 1e-5)
_DIGITS = (8, 11)
_ROOMY_MARGINS = (1e-3, 1e-4, 1e-5)
_ROOMY_DIGITS = (3, 4, 5, 7)
"""Where nothing is minimised: the largest margin at which a proof is found has the shortest numbers."""

_ROOM = 0.001
"""Excess that is given away for numbers of few digits."""


@dataclass(frozen=True)
class StepCell:
    """One K, one step, one N, and what constants count for there.

    Attributes
    ----------
    K, N : int
    h : float
        eta K.
    costs : dict
        Weights of the constants at the start and in a round; of sigma its square's.
    best : float
        The right-hand side of the best one-round theorem there.
    rate : float
        What multiplies |grad F|^2 in it, where F stands over h^order.
    """

    K: int
    N: int
    h: float
    costs: Costs
    best: float
    rate: float


def cell_at(loop: LocalLoop, K: int, N: int, h: float, costs: Costs) -> StepCell | None:
    """Return a cell with its best one-round theorem, or None where there is none."""
    given = dataclasses.replace(loop.given, N=N)
    method = dataclasses.replace(loop.method, eta=h / K)  # type: ignore[type-var]
    answer = minimise(conditions(method, given, K=K), costs, margin=0.0)
    if answer.status not in SOLVED:
        return None
    return StepCell(K, N, h, costs, answer.value, 1 / (answer.unknowns["p",] * h**loop.order))


@dataclass(frozen=True)
class AllKProof:
    """Polynomials over Q that meet all conditions.

    Attributes
    ----------
    lemmas : Lemmas
    values : dict
        Coefficients of all unknowns.
    seconds : float
        Of the search.
    """

    lemmas: Lemmas
    values: Values
    seconds: float

    def polynomial(self, *name: Any) -> Poly:
        """Return an unknown as a polynomial in (t, e, h)."""
        return add(*({u[-1]: c} for u, c in self.values.items() if u[:-1] == name and c))

    def noise(self, block: int) -> Poly:
        """Return the factor of e sigma^2/N (means) or e sigma^2 (1 - 1/N) (deviations) in (e, h)."""
        return add(*(scale(p, self.values[u]) for u, p in self.lemmas.noise[block].items()))

    def right_side(self, cell: StepCell) -> float:
        """Return the right-hand side at a cell, for its weights."""
        point = (0.0, 1 / cell.K, cell.h)
        rho = cell.h**self.lemmas.loop.order
        start, always = cell.costs["start"], cell.costs["round"]
        total = start.get("Delta", 0.0) * (1 / rho + float(evaluate(self.polynomial("floor"), point)))
        total += start.get("G_0", 0.0) * float(evaluate(self.polynomial("G_0"), point))
        total += always.get("zeta", 0.0) * cell.h**2 * float(evaluate(self.polynomial("zeta"), point))
        if always.get("sigma"):
            mean, apart = (float(evaluate(self.noise(block), point)) for block in range(2))
            total += always["sigma"] / cell.K * (mean / cell.N + apart * (1 - 1 / cell.N))
        return total / float(evaluate(self.polynomial("rate"), point))

    def gap(self, cells: Sequence[StepCell]) -> float:
        """Return the largest relative excess over the best one-round theorems."""
        return max(self.right_side(cell) / cell.best - 1 for cell in cells)


def nearest(lemmas: Lemmas, cells: Sequence[StepCell]) -> AllKProof | None:
    """Return the theorem whose largest excess over the best one of each cell is smallest, proved over Q; or None."""
    rows = [_row(lemmas, cell) for cell in cells]
    return find_proof(lemmas, {_GAP: -1.0}, rows)


def nearest_in_few_digits(lemmas: Lemmas, cells: Sequence[StepCell]) -> AllKProof | None:
    """Return a theorem nearly as near as the nearest one, of numbers with few digits, proved over Q; or None.

    Excesses are weighed by the rate of the nearest theorem, in the place of that of each cell's best one.
    """
    for _ in range(2):
        found = lemmas.programme.minimise({_GAP: -1.0}, [_row(lemmas, cell) for cell in cells], margin=_MARGINS[0])
        if not found.solved:
            return None
        rate = {u[-1]: Fraction(c) for u, c in found.unknowns.items() if u[0] == "rate"}
        cells = [dataclasses.replace(c, rate=float(evaluate(rate, (0.0, 1 / c.K, c.h)))) for c in cells]
    most = Inequality({_GAP: -1.0}, _ROOM - found.unknowns[_GAP])
    return find_proof(lemmas, {}, [*(_row(lemmas, cell) for cell in cells), most], roomy=True)


def find_proof(
    lemmas: Lemmas, cost: Mapping[Any, float], rows: Sequence[Inequality] = (), *, roomy: bool = False
) -> AllKProof | None:
    """Return a proof over Q near what minimises a cost, or None; a roomy one has numbers of few digits."""
    began = time.perf_counter()
    margins, digits = (_ROOMY_MARGINS, _ROOMY_DIGITS) if roomy else (_MARGINS, _DIGITS)
    values = lemmas.programme.minimise_exactly(cost, rows, margins=margins, digits=digits)
    return None if values is None else AllKProof(lemmas, values, time.perf_counter() - began)


def _row(lemmas: Lemmas, cell: StepCell) -> Inequality:
    """Return ``best * rate - costs >= gap * size`` at a cell."""
    point = (0.0, 1 / cell.K, cell.h)
    rho = cell.h**lemmas.loop.order
    start, always = cell.costs["start"], cell.costs["round"]
    weights = {
        "rate": -cell.best,
        "floor": start.get("Delta", 0.0),
        "G_0": start.get("G_0", 0.0),
        "zeta": always.get("zeta", 0.0) * cell.h**2,
    }
    size = cell.best * cell.rate
    row: dict[Any, float] = {}
    for m in lemmas.degrees.once:
        power = point[1] ** m[1] * point[2] ** m[2]
        for name, weight in weights.items():
            if weight and (name, m) in lemmas.programme.unknowns:
                row[name, m] = weight * power / size
    if sigma := always.get("sigma"):
        for block, share in enumerate((1 / cell.N, 1 - 1 / cell.N)):
            for u, p in lemmas.noise[block].items():
                row[u] = sigma / cell.K * share * float(evaluate(p, point)) / size
    return Inequality(row | {_GAP: 1.0}, -start.get("Delta", 0.0) / rho / size)
