"""A measured headline: readings, slopes, the word, and all that is needed to run it again."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.analysis import thresholds
from boundcheck.errors import NotApplicableError
from boundcheck.files.display import shows
from boundcheck.problems import load_problem
from boundcheck.rates.declared import declare_constants
from boundcheck.rates.headline import Headline  # noqa: TC001 (certificates are read by these types)
from boundcheck.rates.judge import Slope, Slopes, fit_slope, judge_slopes, local_turn
from boundcheck.rates.runs import read_grid
from boundcheck.verdicts.status import of_bound
from boundcheck.verdicts.words import AttainedWord  # noqa: TC001

FLAT = 0.01
"""A power below which nothing falls."""


@dataclass(frozen=True)
class Point:
    """One point of the grid: what ran there, what was read and what the bound says."""

    x: float
    N: int
    S: int
    K: int
    T: int
    steps: dict[str, Any]
    """Hyperparameters of the method."""
    average: list[float]
    """The theorem's average, lane by lane."""
    late: list[float]
    """The average over the second half of the rounds."""
    rhs: float | None
    trivial: float | None
    control_steps: dict[str, Any]
    control: list[float]
    """The control's second half."""


@shows("headline.id", "word", "printed", "ratio", "status")
@dataclass(frozen=True)
class Attained:
    """A headline rate with its word, and the runs that it rests on."""

    headline: Headline
    word: AttainedWord
    note: str
    printed: float
    """The promised power of the axis, signed."""
    late: Slope | None = None
    average: Slope | None = None
    bound_slope: float | None = None
    control_slope: Slope | None = None
    points: tuple[Point, ...] = ()

    @property
    def ratio(self) -> float | None:
        """Guaranteed over attained power: 1 where the theorem could not promise more, below 1 where it is beaten.

        None where nothing was run, or what was run does not fall.
        """
        falls = self.late is not None and self.late.value < -FLAT
        return self.printed / self.late.value if self.late and falls else None

    @property
    def status(self) -> str:
        """What the ledger says of the printed statement, or of the bound behind a row of a table; empty without one."""
        named = next((name for name in (self.headline.printed, self.headline.bound) if name in BOUNDS), "")
        return of_bound(named).status if named else ""


def attain(headline: Headline, *, seed: int = 0) -> Attained:
    """Run a headline's grid and its control, and say whether the printed rate is attained.

    Parameters
    ----------
    headline : Headline
    seed : int
        Root seed; without noise and sampled clients nothing depends on it.
    """
    try:
        plans = [headline.plan(x) for x in headline.grid]
    except NotApplicableError as error:
        return Attained(headline, "not attainable", str(error), headline.printed_power())
    controls = [headline.control.method(plans[0], plan) for plan in plans]
    found = read_grid(plans, [p.method for p in plans], headline.metric, lanes=headline.lanes, seed=seed)
    other = read_grid(plans, controls, headline.metric, lanes=headline.lanes, seed=seed)
    points = tuple(
        Point(
            plan.x,
            plan.setting.N,
            plan.setting.S,
            plan.setting.K,
            plan.setting.T,
            dataclasses.asdict(plan.method),  # type: ignore[call-overload]
            found.average[i].tolist(),
            found.late[i].tolist(),
            plan.rhs,
            plan.trivial,
            dataclasses.asdict(controls[i]),  # type: ignore[call-overload]
            other.late[i].tolist(),
        )
        for i, plan in enumerate(plans)
    )
    return judge_points(headline, points)


def judge_points(headline: Headline, points: tuple[Point, ...]) -> Attained:
    """Return the word that readings lead to; nothing is run."""
    axis = [point.x for point in points]

    def slope(values: list[list[float]]) -> Slope:
        return fit_slope(axis, values)

    right = [point.rhs for point in points]
    bound = slope([[r] for r in right if r is not None]).value if None not in right else None
    slopes = Slopes(
        headline.printed_power(),
        slope([p.average for p in points]),
        slope([p.late for p in points]),
        bound,
        slope([p.control for p in points]),
        headline.control.power,
        local_turn(axis, [p.late for p in points]),
    )
    word, note = judge_slopes(slopes)
    if note and bound is not None and (leads := leads_from(headline)):
        note += f"; its leading part leads from T = {leads:.2g} on"
    found = slopes.late, slopes.average, bound, slopes.control
    return Attained(headline, word, note, slopes.printed, *found, points)


def leads_from(headline: Headline) -> float | None:
    """Return the horizon from which the bound's leading part leads, at the last point of the grid.

    None where there is no bound, or where the theorem lets other letters grow along with T.
    """
    if not headline.bound or BOUNDS[headline.bound].regime:
        return None
    bound, last = BOUNDS[headline.bound], headline.setting_at(headline.grid[-1])
    problem = declare_constants(load_problem(headline.problem, N=last.N), headline.declared)
    constants = {letter: constant.value for letter, constant in problem.constants.items()}
    values = bound.resolve(constants | last.letters | {"d": problem.d}, headline.overrides)
    try:
        with np.errstate(all="ignore"):
            found = [one.value(values) for one in thresholds(bound) if one.kind != "until"]
    except ZeroDivisionError:
        # Without noise, no horizon from which noise leads.
        return None
    return max(found) if found and np.isfinite(found).all() else None
