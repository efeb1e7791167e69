"""Try to refute every constant that a problem claims, numerically and independently of its closed form."""

from __future__ import annotations

import os
from concurrent.futures import as_completed
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require_count
from boundcheck.problems.catalog import instance, load_problem, parse_name
from boundcheck.problems.certification.certificate import TOLERANCE, Certificate, status_of
from boundcheck.problems.certification.maximise import CEILINGS, IDENTITIES, MAXIMISERS
from boundcheck.problems.certification.sampler import ERROR_RATE, sampler_errors
from boundcheck.problems.certification.scan import scan
from boundcheck.problems.certification.search import multistart
from boundcheck.workers.processes import pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from boundcheck.problems.base import Problem
    from boundcheck.problems.certification.maximise import Maximiser, Sense
    from boundcheck.problems.certification.search import Multistart
    from boundcheck.problems.constants import Constant
    from boundcheck.problems.types import Array
    from boundcheck.verdicts.words import ConstantWord
    from boundcheck.workers.progress import Progress


def certify(problem: Problem, *, seed: int = 0, effort: int = 1, progress: Progress | None = None) -> list[Certificate]:
    """Try to refute every constant of `problem` and check its gradients.

    Parameters
    ----------
    problem : Problem
    seed : int
        Of the random start points.
    effort : int
        Multiplies the number of random start points.
    progress : callable, optional
        Called with (constants done, constants in all, share done) after each constant.

    Returns
    -------
    list of Certificate
        One a constant, in the problem's order, one for a sure ceiling of |grad f|^2, one an identity, and one
        for each thing that is asked of the sampler.

    Raises
    ------
    InputError
        If seed or effort is not a count.
    """
    require_count(effort, "effort")
    require_count(seed, "seed", 0)
    ceilings = {name: problem.ceiling(metric) for name, (metric, _) in CEILINGS.items()}
    claims = {**problem.constants, **ceilings}
    made = {name: claim for name, claim in claims.items() if claim is not None}
    rows = certify_claims(problem, made, seed, effort, progress)
    # Noise without a list of outcomes has its own rows among those of the sampler.
    asked = {"Phi": problem.is_minimax, "convex": problem.convex, "unbiased": problem.noise.moment is None}
    names = [name for name in IDENTITIES if asked.get(name, True)]
    rows += [_certify_identity(problem, name, seed, effort) for name in names]
    return rows + [_certify_sampler(problem, name, error) for name, error in sampler_errors(problem, seed).items()]


def certify_claims(
    problem: Problem,
    claims: Mapping[str, Constant],
    seed: int = 0,
    effort: int = 1,
    progress: Progress | None = None,
) -> list[Certificate]:
    """Try to refute constants, by letter, or ceilings, by name, of `problem` alone: a row each, as in `certify`."""
    extremes = scan(problem, seed)
    maximisers = MAXIMISERS | {name: maximiser for name, (_, maximiser) in CEILINGS.items()}
    ends: dict[tuple[str, bytes], Array] = {}
    rows = []
    for name, claim in claims.items():
        search = multistart(problem, claim.at, seed, effort, extremes.get(maximisers[name].seek), ends)
        rows.append(_certify_constant(search, name, maximisers[name], claim))
        if progress:
            progress(len(rows), len(claims), len(rows) / len(claims))
    return rows


def certify_named(
    names: Sequence[str],
    *,
    N: int,
    seed: int = 0,
    effort: int = 1,
    workers: int | None = None,
    progress: Progress | None = None,
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
        Called with (problems done, problems in all, share done) after each problem; of one problem with its constants.

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
    alone = len(names) == 1
    one = partial(_certify_named, N=N, seed=seed, effort=effort, progress=progress if alone else None)
    found: dict[int, list[Certificate]] = {}
    for k, rows in _certify_each(one, names, min(workers or os.cpu_count() or 1, len(names))):
        found[k] = rows
        if progress and not alone:
            progress(len(found), len(names), len(found) / len(names))
    return [row for k in range(len(names)) for row in found[k]]


def _certify_each(
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


def _certify_named(name: str, *, N: int, seed: int, effort: int, progress: Progress | None) -> list[Certificate]:
    return certify(load_problem(name, N=N), seed=seed, effort=effort, progress=progress)


def _certify_constant(search: Multistart, name: str, maximiser: Maximiser, constant: Constant) -> Certificate:
    problem, kind, claimed = search.problem, constant.kind, constant.value
    # A climb may leap to where numbers overflow: it keeps the place where it was.
    with np.errstate(over="ignore", invalid="ignore"):
        attained = maximiser.run(search)
    ratio = _ratio(problem, maximiser.sense, name, claimed, attained)
    status = status_of(kind, claimed, ratio)
    ok = status != "exceeded" and kind != "estimate" and (kind != "exact" or status == "stands")
    return Certificate(problem.name, name, kind, claimed, attained, ratio, ok, constant.reason, status)


def _certify_identity(problem: Problem, name: str, seed: int, effort: int) -> Certificate:
    with np.errstate(over="ignore", invalid="ignore"):
        error = IDENTITIES[name].run(multistart(problem, None, seed, effort))
    ratio = error / TOLERANCE
    reason = "largest relative error against difference quotients, enumeration or inner maximisation"
    ok = ratio <= 1
    status: ConstantWord = "stands" if ok else "exceeded"
    return Certificate(problem.name, name, "identity", TOLERANCE, error, ratio, ok, reason, status)


def _certify_sampler(problem: Problem, name: str, error: float) -> Certificate:
    ok = error <= 1
    reason = f"draws against the enumerated law, in units of what chance allows with probability {ERROR_RATE:g}"
    status: ConstantWord = "stands" if ok else "exceeded"
    return Certificate(problem.name, name, "sampler", 1.0, error, error, ok, reason, status)


def _ratio(problem: Problem, sense: Sense, letter: str, claimed: float, attained: float) -> float:
    if sense == "floor":
        start = problem.start[None, None, :]
        of = {"f_star": problem.value, "F_star": problem.sum_value}.get(letter, problem.envelope)
        initial = float(of(start)[0])
        return _quotient(initial - attained, initial - claimed)
    return _quotient(claimed, attained) if sense == "inf" else _quotient(attained, claimed)


def _quotient(found: float, claimed: float) -> float:
    """Return found/claimed; 1 when both vanish up to rounding."""
    if abs(claimed) < 1e-13 and abs(found) < 1e-10:
        return 1.0
    return found / claimed if claimed > 0 else float("inf")
