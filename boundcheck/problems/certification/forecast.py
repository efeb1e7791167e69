"""How long an attack on the constants of a problem with many clients will take, from two with few."""

from __future__ import annotations

import time

from boundcheck.errors import BoundcheckError
from boundcheck.problems.catalog import load_problem
from boundcheck.problems.certification.certify import certify

_CLIENTS = (8, 104)
"""Clients of the two, whose difference is what a client takes."""
_WORTH = 8
"""How many times as many clients as the longer of them a problem has, at least, that is worth a forecast."""


def forecast_certify(name: str, *, N: int, seed: int = 0) -> float:
    """Return the processor seconds of `certify` on a named problem, 0 where clients are few or it cannot be known.

    Parameters
    ----------
    name : str
        What `load_problem` takes.
    N : int
        Clients.
    seed : int
        As for `certify`.
    """
    if _WORTH * _CLIENTS[1] > N:
        return 0.0
    try:
        # More clients than memory holds are refused here.
        load_problem(name, N=N)
        # The first of all loads what the others find.
        few = min(_seconds(name, _CLIENTS[0], seed) for _ in range(2))
        more = _seconds(name, _CLIENTS[1], seed)
    except BoundcheckError:
        # Whatever it is, certify itself says it; some problems have a number of clients of their own.
        return 0.0
    return more + max(more - few, 0.0) / (_CLIENTS[1] - _CLIENTS[0]) * (N - _CLIENTS[1])


def _seconds(name: str, clients: int, seed: int) -> float:
    problem = load_problem(name, N=clients)
    began = time.process_time()
    certify(problem, seed=seed)
    return time.process_time() - began
