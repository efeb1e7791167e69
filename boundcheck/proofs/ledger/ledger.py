"""The list of claims and the function that decides them."""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from boundcheck.errors import require
from boundcheck.files.display import Catalogue
from boundcheck.files.own import absolute
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.language.alone import read_claims
from boundcheck.proofs.language.claim import Claim, Outcome, Proof
from boundcheck.proofs.ledger.own import claims_named
from boundcheck.proofs.papers import fedglomo, fedlalr, fmgda, gradma, momentum_fl

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Executor

    from boundcheck.proofs.language.claim import Goal, Trust
    from boundcheck.workers.progress import Progress

ROOMS = (fmgda, fedlalr, gradma, momentum_fl, fedglomo)
FILES = tuple(Path(str(room.__file__)).parent / f"{part}.toml" for room in ROOMS for part in room.PARTS)
"""Claim files, in the order of the papers."""
CLAIMS: dict[str, Claim] = Catalogue("claims", ((claim.id, claim) for file in FILES for claim in read_claims(file)))
"""Every registered claim by id, in the order of the papers."""
CHECKED: Trust = "certificate checked"
"""What a claim that stands alone rests on where the kernel has accepted a certificate of each of its parts."""
Named = tuple[str, str]
"""A name that was asked for, and the id of one of the claims that it stands for."""


def prove(
    ids: Iterable[str] | None = None,
    *,
    workers: int = 1,
    timeout: float = 20.0,
    kept: bool = False,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> list[Proof]:
    """Decide claims of the ledger.

    Parameters
    ----------
    ids : iterable of str, optional
        Claims to decide, in this order; all of them when omitted.  ``file.py:NAME`` is a claim or a list of claims.
    workers : int
        Processes to use; 1 stays in this one.
    timeout : float
        Work a solver may spend on one question before the claim is left ``undecided``, in seconds of an idle machine;
        the same on every machine, however busy.
    kept : bool
        Whether answers of earlier runs are taken from the user's cache folder, and new ones kept there.
    progress : callable, optional
        Called with (claims decided, claims in all, share of them).
    executor : Executor, optional
        Any `concurrent.futures` executor in place of local processes.

    Returns
    -------
    list of Proof
        One line a claim, in the order asked for.

    Raises
    ------
    InputError
        If an id is not in `CLAIMS` and names no claim of the user's.
    """
    names = claims_asked(ids)
    require(workers >= 1, "workers", workers, "at least 1")
    require(timeout > 0, "timeout", timeout, "a positive number of seconds")
    one = partial(prove_named, timeout=timeout, kept=kept)
    if executor is None and (workers == 1 or len(names) < 2):
        return list(with_progress(map(one, names), len(names), progress))
    from boundcheck.workers.processes import pool

    with pool(workers) if executor is None else contextlib.nullcontext(executor) as given:
        return list(with_progress(given.map(one, names, chunksize=4), len(names), progress))


def claims_asked(ids: Iterable[str] | None = None) -> list[Named]:
    """Return the claims that names stand for, all registered ones for None, as workers can be told of them.

    Raises
    ------
    InputError
        If a name is that of no claim.
    """
    require(not isinstance(ids, str), "ids", ids, "a list of names")
    return [(absolute(n), one) for n in (CLAIMS if ids is None else ids) for one in claims_named(n, CLAIMS)]


def with_progress(proofs: Iterable[Proof], total: int, progress: Progress | None) -> Iterator[Proof]:
    """Yield proofs as they come, with `progress` told of each."""
    for done, proof in enumerate(proofs, start=1):
        if progress is not None:
            progress(done, total, done / total)
        yield proof


def prove_named(named: Named, timeout: float = 20.0, *, kept: bool = False) -> Proof:
    """Decide the claim with an id among those that a name stands for: functions of a file do not travel to workers."""
    name, one = named
    return prove_claim(claims_named(name, CLAIMS)[one], timeout=timeout, kept=kept)


def _decide_cached(goal: Goal, timeout: float) -> Outcome:
    from boundcheck.proofs.ledger import cache

    return cache.decide(goal, timeout)


def prove_claim(claim: Claim, *, timeout: float = 20.0, kept: bool = False) -> Proof:
    """Decide one claim, registered or not.

    Parameters
    ----------
    claim : Claim
        The claim; a reader's own works as well.
    timeout : float
        Work a solver may spend on one question, in seconds of an idle machine.
    kept : bool
        Whether to take the shipped certificates, once checked, for an answer, then to look into the user's cache
        folder, and to keep the answer there.

    Returns
    -------
    Proof
        The verdict with witness and timing.
    """
    start = time.perf_counter()
    goal = goal_of(claim.goal)
    passed = _check_certificates(claim, goal) if kept else []
    if passed and all(passed):
        outcome = Outcome("proved", detail="every certificate was checked")
    else:
        outcome = _decide_cached(goal, timeout) if kept else goal.decide(timeout)
    outcome, trust = _by_kernel(claim, goal, outcome, passed)
    return proof_of(claim, outcome, trust, outcome.prover or goal.prover, time.perf_counter() - start)


def proof_of(claim: Claim, outcome: Outcome, trust: Trust, prover: str = "", seconds: float = 0.0) -> Proof:
    """Return the ledger's line about a claim, of what came out."""
    return Proof(
        id=claim.id,
        paper=claim.paper,
        where=claim.where,
        verdict=outcome.verdict,
        prover=prover or outcome.prover,
        seconds=seconds,
        witness=outcome.witness,
        replay=outcome.replay,
        repaired_by=claim.repaired_by if outcome.verdict == "refuted" else None,
        detail=outcome.detail,
        slack=outcome.slack,
        tries=outcome.tries,
        trust=trust,
    )


def _check_certificates(claim: Claim, goal: Goal) -> list[bool]:
    """Return of each part of a claim whether a certificate comes with the package and passes the checker."""
    from boundcheck.proofs.ledger.certify import check_parts

    return check_parts(claim.id, goal, claim.goal)


def _certificates_found(claim: Claim, goal: Goal, passed: list[bool]) -> bool:
    """Return whether a certificate is found and passes for each part that none is shipped for."""
    from boundcheck.proofs.ledger.certify import fresh_certificate, parts
    from boundcheck.proofs.ledger.expectations import untaken_goals

    goals = list(parts(goal))
    every = zip(passed, goals, untaken_goals(claim.goal, len(goals)), strict=True)
    return all(one or fresh_certificate(part, said) is not None for one, part, said in every)


def _by_kernel(claim: Claim, goal: Goal, outcome: Outcome, passed: list[bool]) -> tuple[Outcome, Trust]:
    """Return an outcome and what it rests on: what a solver proves is *proved* once the kernel has a certificate."""
    if outcome.verdict != "proved":
        found: dict[str, Trust] = {"refuted": "witness rechecked", "supported": "searched"}
        return outcome, found.get(outcome.verdict, "")
    passed = passed or _check_certificates(claim, goal)
    if all(passed) or _certificates_found(claim, goal, passed):
        return outcome, CHECKED
    why = f"{outcome.detail}; no certificate was found".removeprefix("; ")
    by: Trust = "exact arithmetic" if goal.prover == "identity" else "solver"
    return replace(outcome, verdict="solver only", detail=why), by
