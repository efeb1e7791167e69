"""Problems that differ in their number of clients, and in tables of them, as one problem with a row a client."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.base import Problem
from boundcheck.problems.stacked import alike, common_constants, table_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from boundcheck.problems.types import Indices


def mix_problems(problems: Sequence[Problem], lanes: Indices, letters: Collection[str] = ()) -> Problem | None:
    """Return a problem whose clients are those of ``problems[lanes[0]]``, then those of ``problems[lanes[1]]``, ...

    Points are (clients of all lanes, 1, d), and every row has the gradient that it has in its own problem, bit for bit.

    Parameters
    ----------
    problems : sequence of Problem
        Of one family that says `Problem.any_clients`.
    lanes : (lanes,) array of int
        The problem of every lane.
    letters : collection of str
        Constants that it keeps; they must be the same for all.

    Returns
    -------
    Problem or None
        None where they differ in more than clients, or where samples are not made client by client.
    """
    first = problems[0]
    known = common_constants(problems, letters)
    if known is None or not _mixable(first) or not all(alike(first, other, {"N"}) for other in problems[1:]):
        return None
    whole = copy.copy(first)
    for table, dial in first.lane_tables.items():
        parts = [table_of(problem, table, dial)[:, None] for problem in problems]
        setattr(whole, table, np.concatenate([parts[i] for i in lanes]))
    dials = {dial: max(getattr(problem, dial) for problem in problems) for dial in first.dials}
    counts = np.array([problem.N for problem in problems])[lanes]
    vars(whole).update(dials, N=1, clients_of_lanes=counts, _constants=known, _ceilings={})
    return whole


def _mixable(problem: Problem) -> bool:
    """Return whether a problem's functions and samples can be asked for client by client."""
    samples = type(problem).sample is Problem.sample and problem.noise.clients_axis is not None
    # Sums over the coordinates of one number are sums over rows where these are few.
    return "any_clients" in vars(type(problem)) and type(problem).any_clients and samples and problem.d > 1
