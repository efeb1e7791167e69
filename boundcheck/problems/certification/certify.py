"""Try to refute every constant that a problem claims, numerically and independently of its closed form."""

from __future__ import annotations

import os
from concurrent.futures import as_completed
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require_count
from boundcheck.problems.catalog import instance, load_problem, parse_name
from boundcheck.problems.certification.maximise import IDENTITIES, MAXIMISERS
from boundcheck.problems.certification.search import multistart
from boundcheck.processes import pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from boundcheck.problems.base import Problem
    from boundcheck.problems.certification.maximise import Sense
    from boundcheck.problems.constants import Constant

_ROUNDING = 1e-9
"""How far above 1 a ratio may lie, relatively."""
_REACHED = 0.99
"""What share of an exact constant must be found."""
_TOLERANCE = 1e-6
"""Largest relative error of an identity."""


@dataclass(frozen=True)
class Certificate:
    """How far one constant could be pushed."""

    problem: str
    """Name of the problem."""
    constant: str
    """Letter, or the name of an identity ('grad f', 'unbiased', 'Phi')."""
    kind: str
    """exact, upper, lower or estimate; identity for an identity."""
    claimed: float
    """Value claimed; for an identity the tolerance."""
    attained: float
    """Most extreme value found; for an identity the largest relative error."""
    ratio: float
    """How close the search came: 1 is attained, above 1 refutes the claim.

    attained/claimed for a supremum, claimed/attained for `mu`, and for `f_star` and `Phi_star` the descent from the
    start that was found over the descent claimed.
    """
    ok: bool
    """No refutation, an exact value is reached up to 1 %, and the value is not a mere estimate."""
    reason: str
    """Why the claim holds (as the problem says it)."""


def certify(problem: Problem, *, seed: int = 0, effort: int = 1) -> list[Certificate]:
    """Try to refute every constant of `problem` and check its gradients.

    Parameters
    ----------
    problem : Problem
    seed : int
        Of the random start points.
    effort : int
        Multiplies the number of random start points.

    Returns
    -------
    list of Certificate
        One a constant, in the problem's order, then one an identity.

    Raises
    ------
    InputError
        If seed or effort is not a count.
    """
    require_count(effort, "effort")
    require_count(seed, "seed", 0)
    rows = [_maximised(problem, letter, constant, seed, effort) for letter, constant in problem.constants.items()]
    names = [name for name in IDENTITIES if name != "Phi" or problem.blocks]
    return rows + [_checked(problem, name, seed, effort) for name in names]


def certify_named(
    names: Sequence[str],
    *,
    N: int,
    seed: int = 0,
    effort: int = 1,
    workers: int | None = None,
    progress: Callable[[int, int, float], None] | None = None,
) -> list[Certificate]:
    """Try to refute every constant of several named problems, in several processes.

    Parameters
    ----------
    names : sequence of str
        What `load_problem` takes; the problem is loaded by the process that certifies it.
    N : int
        Number of clients.
    seed, effort : int
        As for `certify`.
    workers : int, optional
        Processes; by default one a core, and at most one a problem.  One worker stays in this process.
    progress : callable, optional
        Called with (problems done, problems in all, share done) after each problem.

    Returns
    -------
    list of Certificate
        The certificates of one problem after those of another, in the order of `names`.

    Raises
    ------
    InputError
        If a name, seed, effort or workers is not legal.
    """
    require_count(effort, "effort")
    require_count(seed, "seed", 0)
    if workers is not None:
        require_count(workers, "workers")
    one = partial(_certify_named, N=N, seed=seed, effort=effort)
    found: dict[int, list[Certificate]] = {}
    for k, rows in _finished(one, names, min(workers or os.cpu_count() or 1, len(names))):
        found[k] = rows
        if progress:
            progress(len(found), len(names), len(found) / len(names))
    return [row for k in range(len(names)) for row in found[k]]


def _finished(
    one: Callable[[str], list[Certificate]], names: Sequence[str], workers: int
) -> Iterator[tuple[int, list[Certificate]]]:
    """Yield the place and the certificates of each name as they come."""
    if workers < 2:
        for k, name in enumerate(names):
            yield k, one(name)
        return
    for name in names:
        instance(parse_name(name)[0])
    with pool(workers) as executor:
        futures = {executor.submit(one, name): k for k, name in enumerate(names)}
        for future in as_completed(futures):
            yield futures[future], future.result()


def _certify_named(name: str, *, N: int, seed: int, effort: int) -> list[Certificate]:
    return certify(load_problem(name, N=N), seed=seed, effort=effort)


def _maximised(problem: Problem, letter: str, constant: Constant, seed: int, effort: int) -> Certificate:
    maximiser = MAXIMISERS[letter]
    attained = maximiser.run(multistart(problem, constant.at, seed, effort))
    ratio = _ratio(problem, maximiser.sense, letter, constant.value, attained)
    reached = constant.kind != "exact" or ratio >= _REACHED
    proved = constant.kind != "estimate" and bool(np.isfinite(constant.value))
    ok = proved and bool(ratio <= 1 + _ROUNDING) and reached
    return Certificate(problem.name, letter, constant.kind, constant.value, attained, ratio, ok, constant.reason)


def _checked(problem: Problem, name: str, seed: int, effort: int) -> Certificate:
    error = IDENTITIES[name].run(multistart(problem, None, seed, effort))
    ratio = error / _TOLERANCE
    reason = "largest relative error against difference quotients, enumeration or inner maximisation"
    return Certificate(problem.name, name, "identity", _TOLERANCE, error, ratio, ratio <= 1, reason)


def _ratio(problem: Problem, sense: Sense, letter: str, claimed: float, attained: float) -> float:
    if sense == "floor":
        start = problem.start[None, None, :]
        initial = float((problem.value(start) if letter == "f_star" else problem.envelope(start))[0])
        return _quotient(initial - attained, initial - claimed)
    return _quotient(claimed, attained) if sense == "inf" else _quotient(attained, claimed)


def _quotient(found: float, claimed: float) -> float:
    """Return found/claimed; 1 when both vanish up to rounding."""
    if abs(claimed) < 1e-13 and abs(found) < 1e-10:
        return 1.0
    return found / claimed if claimed > 0 else float("inf")
