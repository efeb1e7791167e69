"""Claims of the user's own in a Python file: ``file.py:NAME`` where a claim of the ledger is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.errors import UnknownNameError
from boundcheck.files.own import HINT, is_reference, load_reference
from boundcheck.proofs.language.claim import Claim

if TYPE_CHECKING:
    from collections.abc import Mapping


def is_claims(found: object) -> bool:
    """Return whether an object is a claim, or a list of claims."""
    some = found if isinstance(found, (list, tuple)) else (found,)
    return bool(some) and all(isinstance(one, Claim) for one in some)


def claims_named(name: str, known: Mapping[str, Claim]) -> dict[str, Claim]:
    """Return the claims that a name stands for, by id: one of those known, or those that a reference names.

    Raises
    ------
    InputError
        If there is no such claim.
    """
    if name in known:
        return {name: known[name]}
    if not is_reference(name):
        raise UnknownNameError("claim", name, known, also=HINT)
    found, _ = load_reference("claim", name, is_claims)
    assert isinstance(found, (Claim, list, tuple))
    return {claim.id: claim for claim in (found if isinstance(found, (list, tuple)) else (found,))}
