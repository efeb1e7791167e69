"""The list of claims and the function that decides them."""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import TYPE_CHECKING

from boundcheck.errors import UnknownNameError, require
from boundcheck.lemmas import (
    fedlalr,
    fedlalr_theorem,
    fmgda,
    fmgda_conditions,
    fmgda_dual,
    fmgda_theorem,
    momentum_fl,
    momentum_fl_sampled,
    momentum_fl_theorem,
)
from boundcheck.lemmas.claim import Claim, Proof

if TYPE_CHECKING:
    from collections.abc import Iterable

PAGES = (
    fmgda,
    fmgda_dual,
    fmgda_theorem,
    fmgda_conditions,
    fedlalr,
    fedlalr_theorem,
    momentum_fl,
    momentum_fl_sampled,
    momentum_fl_theorem,
)
CLAIMS: dict[str, Claim] = {claim.id: claim for page in PAGES for claim in page.CLAIMS}
"""Every registered claim by id, in the order of the papers."""


def prove(ids: Iterable[str] | None = None, *, workers: int = 1, timeout: float = 20.0) -> list[Proof]:
    """Decide claims of the ledger.

    Parameters
    ----------
    ids : iterable of str, optional
        Claims to decide, in this order; all of them when omitted.
    workers : int
        Processes to use; 1 stays in this one.
    timeout : float
        Seconds a solver may spend on one question before the claim is left ``undecided``.

    Returns
    -------
    list of Proof
        One line a claim, in the order asked for.

    Raises
    ------
    UnknownNameError
        If an id is not in `CLAIMS`.
    """
    names = list(CLAIMS if ids is None else ids)
    for name in names:
        if name not in CLAIMS:
            raise UnknownNameError("claim", name, CLAIMS)
    require(workers >= 1, "workers", workers, "at least 1")
    require(timeout > 0, "timeout", timeout, "a positive number of seconds")
    one = partial(_prove_named, timeout=timeout)
    if workers == 1:
        return [one(name) for name in names]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        return list(pool.map(one, names))


def _prove_named(name: str, timeout: float) -> Proof:
    return prove_claim(CLAIMS[name], timeout=timeout)


def prove_claim(claim: Claim, *, timeout: float = 20.0) -> Proof:
    """Decide one claim, registered or not.

    Parameters
    ----------
    claim : Claim
        The claim; a reader's own works as well.
    timeout : float
        Seconds a solver may spend on one question.

    Returns
    -------
    Proof
        The verdict with witness and timing.
    """
    start = time.perf_counter()
    goal = claim.goal()
    outcome = goal.decide(timeout)
    return Proof(
        id=claim.id,
        paper=claim.paper,
        where=claim.where,
        verdict=outcome.verdict,
        prover=goal.prover,
        seconds=time.perf_counter() - start,
        witness=outcome.witness,
        replay=outcome.replay,
        repaired_by=claim.repaired_by if outcome.verdict == "refuted" else None,
        detail=outcome.detail,
    )
