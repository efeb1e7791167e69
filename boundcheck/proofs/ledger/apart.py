"""Claims of the ledger as leaves of a proof: each is decided on its own, and the proof is one apart from it."""

from __future__ import annotations

from functools import cache

from boundcheck.errors import InputError, UnknownNameError
from boundcheck.proofs.ledger.ledger import CLAIMS, prove


@cache
def verdict_of(name: str) -> str:
    """Return what the ledger says about a claim, from its shipped certificate where there is one."""
    return prove([name], kept=True)[0].verdict


def require_proved(name: str) -> None:
    """Raise InputError unless the ledger proves a claim: only what is decided can be taken as a leaf.

    Raises
    ------
    UnknownNameError
        If the ledger has no claim of this id.
    """
    if name not in CLAIMS:
        raise UnknownNameError("claim", name, CLAIMS)
    if (verdict := verdict_of(name)) != "proved":
        msg = f"claim = {name!r} is not legal: the ledger finds it {verdict}; a leaf must be proved there"
        raise InputError(msg)
