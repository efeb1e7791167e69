"""Lower sides that are expectations: with noise, and over draws of the active clients.

Worst functions of what is not random are tried, with one more coordinate along which noise, or draws, do what they do
on a parabola.
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

from boundcheck.worst.cases.lower import has_tilts, lower_side
from boundcheck.worst.sides.draws import MOST_DRAWS, count_of_draws, with_sideways_tilts
from boundcheck.worst.sides.instance import AttainedValue, run_and_scale
from boundcheck.worst.sides.noisy import added_at_points, added_by_noise
from boundcheck.worst.sides.posed import solve_programme, trace_and_locate
from boundcheck.worst.sides.unbounded import from_the_minimum

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.methods.base import Method
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.facts.measures import LeftHandSide
    from boundcheck.worst.gram.trace import Trace


def lower_with_noise(
    method: Method, trace: Trace, looked: LeftHandSide, given: ProblemClass, *, K: int, T: int, b: int
) -> tuple[AttainedValue | None, str]:
    """Return the worst function without noise and one more coordinate for the noise, or why there is none."""
    quiet = dataclasses.replace(given, sigma=0.0)
    run, seen = trace_and_locate(method, looked.name, quiet, K=K, T=T, S=None, b=b)
    added = added_by_noise(trace, looked, given)
    if looked.name == "best":
        seen, added = dataclasses.replace(seen, added=added_at_points(trace, looked, given)), 0.0
    found, why = lower_side(solve_programme(run, seen, quiet))
    if found is None:
        return None, why
    return AttainedValue(found.problem, found.value + added), ""


def lower_over_draws(
    method: Method, trace: Trace, looked: LeftHandSide, given: ProblemClass, *, K: int, T: int, b: int
) -> tuple[AttainedValue | None, str]:
    """Return the best function in expectation over all draws of the active clients, or why there is none.

    Tried are clients that start at the minimum of their mean, and the worst functions where all clients take part, with
    none, half or all of zeta^2 spent on a coordinate of its own.
    """
    if given.sigma > 0 or given.pl is not None:
        return None, "partial participation: conditions on expectations over draws are necessary only"
    if (count := count_of_draws(trace.oracle)) > MOST_DRAWS:
        return None, f"no function is looked for beyond {MOST_DRAWS} sequences of draws, and there are {count}"
    tried, why = [from_the_minimum(trace, looked, given)], ""
    for share in (0.0, 0.5, 1.0) if given.zeta else (0.0,):
        aside = math.sqrt(share) * (given.zeta or 0.0)
        for own in _classes_of_all(given, share):
            run, seen = trace_and_locate(method, looked.name, own, K=K, T=T, S=None, b=b)
            of_all, why = lower_side(solve_programme(run, seen, own))
            if of_all is not None:
                pieces = with_sideways_tilts(of_all.problem.pieces, aside, given.N)
                tried.append(run_and_scale(trace, looked, given, pieces))
    best = max((found for found in tried if found), key=lambda found: found.value, default=None)
    return best, "" if best else why or "no function that is known for all clients keeps to the class over all draws"


def _classes_of_all(given: ProblemClass, share: float) -> Iterator[ProblemClass]:
    """Yield classes without a share of zeta^2: any functions; tilts, the same wherever draws lead; one function."""
    if share == 1:
        yield dataclasses.replace(given, N=1, zeta=None)
        return
    own = dataclasses.replace(given, zeta=given.zeta * math.sqrt(1 - share)) if given.zeta else given
    yield own
    if has_tilts(given):
        yield dataclasses.replace(own, everywhere=True)
