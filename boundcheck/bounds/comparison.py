"""The papers' comparison tables whole: what a row prints, what follows, the value at common constants, who wins.

Hidden constants are taken as 1 on all rows alike, and logarithms as printed: the numbers rank orders, no more.
What a theorem guarantees with its constants stands beside, where the package has it as an explicit bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from boundcheck.bounds import BOUNDS, RATES
from boundcheck.bounds.analysis import PER_DECADE, Crossover, move_letter
from boundcheck.bounds.complexity import LONGEST, rounds_to
from boundcheck.bounds.rate import EPS
from boundcheck.errors import BoundcheckError, UnknownNameError, require

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boundcheck.bounds.bound import Values
    from boundcheck.bounds.rate import Rate

Axis = Literal["rounds", "samples"]
"""What the rows are ranked by: rounds, or gradients of all clients that take part."""
Form = Literal["printed", "ours"]
"""The rows as printed, or with those that a cited or derived one replaces."""

COMMON: dict[str, float] = {
    "N": 100,
    "S": 100,
    "K": 10,
    "b": 1,
    "d": 10,
    "L": 1.0,
    "L_sample": 1.0,
    "Delta": 1.0,
    "Delta_mean": 1.0,
    "sigma": 1.0,
    "zeta": 1.0,
    "G_norm": 3.0,
    "G_0": 3.0,
    "alpha_div": 1.0,
    "q_omega": 0.0,
    "eps_acc": 0.1,
}
"""Constants at which tables are evaluated; G_norm^2 and G_0 are at least 2 L Delta + zeta^2, as they must be."""


_SHORTEST = 200.0
"""No cost is below exp(-200)."""


@dataclass(frozen=True)
class Table:
    """A comparison table of a paper."""

    id: str
    """Start of the names of its rows."""
    paper: str
    title: str
    where: str
    dials: tuple[str, str]
    """The two letters of its map."""
    constants: Mapping[str, float]
    """Where it is evaluated."""

    def rows(self, form: Form = "printed") -> list[Rate]:
        """Return its rows in the order of the paper; with form 'ours', mended rows in the place of printed ones."""
        rows = [RATES[name] for name in RATES if name.startswith(f"{self.id}-")]
        mended = {row.row: row for row in rows if row.row}
        printed = [row for row in rows if not row.row]
        return printed if form == "printed" else [mended.get(row.id, row) for row in printed]


def _table(id: str, title: str, where: str, dials: tuple[str, str], **constants: float) -> Table:  # noqa: A002
    return Table(id, id.partition(".")[0], title, where, dials, {**COMMON, **constants})


TABLES: dict[str, Table] = {
    table.id: table
    for table in (
        _table("momentum-fl.table1", "Full participation", "Table 1 [48-79]", ("sigma", "L_sample")),
        _table("momentum-fl.table2", "Partial participation", "Table 2 [97-117]", ("S", "L_sample"), S=10),
        _table("fedglomo.table1", "Gradient updates to epsilon", "Table 1, L63-74", ("eps_acc", "alpha_div"), S=20),
        _table(
            "fmgda.table1",
            "Nonconvex-strongly-concave problems",
            "Table 1, l.32-37",
            ("eps_acc", "N"),
            L_block=1.0,
            mu=0.1,
            zeta_pair=1.0,
            Delta_Phi=1.0,
            delta_y=1.0,
        ),
    )
}
"""Every comparison table by name."""


def table_named(name: str) -> Table:
    """Return a table.

    Raises
    ------
    UnknownNameError
        If there is none of that name.
    """
    if name not in TABLES:
        raise UnknownNameError("comparison table", name, TABLES)
    return TABLES[name]


class AccuracyCost(NamedTuple):
    """What |grad| <= eps_acc costs by a row, its hidden constant taken as 1."""

    rounds: float
    samples: float
    """Gradients of all clients that take part."""


def cost_of(row: Rate, values: Values) -> AccuracyCost:
    """Return what a row says the accuracy `values["eps_acc"]` costs: a printed cost stands, a rate is solved for T.

    Raises
    ------
    NotApplicableError
        If the row is in words, or a letter is missing.
    """
    printed = row.printed_costs(values)
    clients = values["S"] if row.partial else values["N"]
    a_round = values["K"] * clients
    if "rounds" in printed:
        rounds = printed["rounds"]
    elif "steps" in printed:
        rounds = printed["steps"] / values["K"]
    elif "samples" in printed:
        rounds = printed["samples"] / a_round
    else:
        rounds = _solve_rounds(row, values)
    steps = printed.get("steps", rounds * values["K"])
    return AccuracyCost(rounds, printed.get("samples", steps * clients))


def _solve_rounds(row: Rate, values: Values) -> float:
    """Return T with total(T) = eps_acc^2 to twelve digits, infinity beyond the longest horizon."""
    from scipy.optimize import brentq

    goal, low, high = 2 * math.log(values["eps_acc"]), -_SHORTEST, math.log(LONGEST)

    at = dict(values)

    def above(u: float) -> float:
        at["T"] = math.exp(u)
        return math.log(sum(row.evaluate(at).values())) - goal

    return math.inf if above(high) > 0 else math.exp(brentq(above, low, high, xtol=1e-13))


def powers_of(row: Rate) -> dict[str, str]:
    """Return the powers of eps_acc that a row prints or amounts to, as text by kind of cost."""
    from boundcheck.bounds.orders import exponents, order

    found = {str(name): -order(cost, EPS) for name, cost in row.complexity.items()}
    if row.terms:
        powers = exponents(row)
        found = {"rounds": powers.rounds, "samples": powers.samples} | found
    return {name: f"eps^(-{power})" for name, power in found.items()}


def guaranteed_rounds(row: Rate, values: Values) -> int | str:
    """Return the rounds that the last explicit bound of a row guarantees with its constants, or why there are none."""
    names = [name for name in row.bounds if BOUNDS[name].kind == "explicit" and BOUNDS[name].form != "printed"]
    if not names:
        return "no explicit bound"
    try:
        return rounds_to(BOUNDS[names[-1]], dict(values), values["eps_acc"]) or "no horizon meets the conditions"
    except BoundcheckError as error:
        return str(error)


def replace_constants(table: Table, changes: Values | None) -> dict[str, float]:
    """Return the table's constants with some replaced.

    Raises
    ------
    InputError
        If a letter does not belong to a table, or its value is not a number > 0 (>= 0 where that is legal).
    """
    for name, value in (changes or {}).items():
        require(name in table.constants, "constant", name, f"one of {', '.join(table.constants)}")
        least = 0.0 if name in {"sigma", "zeta", "alpha_div", "q_omega"} else math.nextafter(0.0, 1.0)
        require(least <= value < math.inf, name, value, "a finite number, > 0 (sigma, zeta, alpha_div, q_omega: >= 0)")
    at = {**table.constants, **(changes or {})}
    if "N" in (changes or {}) and "S" not in (changes or {}):
        at["S"] = min(at["S"], at["N"]) if table.constants["S"] < table.constants["N"] else at["N"]
    require(at["S"] <= at["N"], "S", at["S"], f"at most N = {at['N']:g}")
    return at


def ranking(
    table: Table, changes: Values | None = None, *, by: Axis = "rounds", form: Form = "printed"
) -> list[tuple[Rate, AccuracyCost]]:
    """Return the rows with their costs, the cheapest first; rows that cost the same stay in the table's order."""
    at = replace_constants(table, changes)
    costs = [(row, cost_of(row, at)) for row in table.rows(form)]
    return sorted(costs, key=lambda found: _round_cost(getattr(found[1], by)))


def winners(
    table: Table, changes: Values | None = None, *, by: Axis = "rounds", form: Form = "printed"
) -> tuple[str, ...]:
    """Return the names of the cheapest rows: several where they cost the same."""
    found = ranking(table, changes, by=by, form=form)
    best = _round_cost(getattr(found[0][1], by))
    return tuple(row.id for row, cost in found if _round_cost(getattr(cost, by)) == best)


def _round_cost(value: float) -> float:
    """Return a cost to nine digits, so that rows with one formula tie."""
    return float(f"{value:.9g}")


@dataclass(frozen=True)
class Map:
    """Who wins where, over two letters."""

    x: str
    y: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    cells: tuple[tuple[tuple[str, ...], ...], ...]
    """Names of the cheapest rows, a row of the map for every y."""

    @property
    def parties(self) -> tuple[tuple[str, ...], ...]:
        """Return the different sets of winners, in the order in which they appear."""
        return tuple(dict.fromkeys(cell for row in self.cells for cell in row))


def winners_map(
    table: Table,
    x: str,
    y: str,
    xs: Sequence[float],
    ys: Sequence[float],
    changes: Values | None = None,
    *,
    by: Axis = "rounds",
    form: Form = "printed",
) -> Map:
    """Return who wins over two letters, the others fixed.

    Raises
    ------
    InputError
        If x and y are one letter, or a value is not legal.
    """
    require(x != y, "dials", (x, y), "two different letters")
    fixed = {k: v for k, v in (changes or {}).items() if k not in (x, y)}
    cells = tuple(tuple(winners(table, {**fixed, x: float(a), y: float(b)}, by=by, form=form) for a in xs) for b in ys)
    return Map(x, y, tuple(map(float, xs)), tuple(map(float, ys)), cells)


def dial(table: Table, letter: str, points: int = 13) -> tuple[float, ...]:
    """Return values of a letter around the table's own: counts up to N, else two decades to either side."""
    centre = table.constants[letter]
    if letter == "S":
        return tuple(float(v) for v in np.unique(np.rint(np.geomspace(1, table.constants["N"], points))))
    low, high = (1.0, 1e4) if letter in {"N", "K"} else (centre / 100, centre * 100)
    # |grad|^2 <= 2 L Delta anyway, a sample is no smoother than its mean, alpha <= N, S <= N.
    low = {"L_sample": centre, "N": table.constants["S"] % table.constants["N"] or 1.0}.get(letter, low)
    high = {"alpha_div": table.constants["N"], "eps_acc": 1.0}.get(letter, high)
    values = np.geomspace(low, high, points)
    return tuple(float(v) for v in (np.rint(values) if letter in {"N", "K"} else values))


def takeovers(
    table: Table,
    letter: str,
    low: float,
    high: float,
    changes: Values | None = None,
    *,
    by: Axis = "rounds",
    form: Form = "printed",
) -> list[Crossover]:
    """Return where in [low, high] the cheapest row changes, in order; each to nine digits.

    Raises
    ------
    InputError
        If not 0 < low < high, both finite.
    """
    require(letter in table.constants, "letter", letter, f"one of {', '.join(table.constants)}")
    require(0 < low < high < math.inf, "low, high", (low, high), "0 < low < high, both finite")
    at = replace_constants(table, changes)

    @cache
    def best(value: float) -> tuple[str, ...]:
        return winners(table, move_letter(at, letter, value), by=by, form=form)

    grid = [float(v) for v in np.geomspace(low, high, max(2, round(PER_DECADE * math.log10(high / low)) + 1))]
    found: list[Crossover] = []
    for left, right in pairwise(grid):
        before, after = best(left), best(right)
        while before != after:
            at_change = _bisect_change(best, before, left, right)
            # Where two costs cross they tie, for as long as nine digits do not tell them apart.
            left = min(at_change * (1 + 1e-6), right)
            new = best(left)
            found.append(Crossover(letter, at_change, ", ".join(before), ", ".join(new)))
            before = new
    return found


def _bisect_change(best: Callable[[float], object], before: object, low: float, high: float) -> float:
    """Return the first point of a bracket where others win, by halving in the logarithm."""
    while high / low > 1 + 1e-10:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if best(middle) == before else (low, middle)
    return high
