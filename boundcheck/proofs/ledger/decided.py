"""Proofs of the ledger's claims as an earlier run decided them, for as long as nothing that they follow from changes.

`boundcheck.proofs.ledger.cache` knows the answer to one goal and builds the goal, and checks its certificates, to
find it. Here a list of claims that was decided whole is known by the source, as other data in `boundcheck.files.kept`
are.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from boundcheck.files.kept import keep, load_kept
from boundcheck.proofs.language.claim import Proof
from boundcheck.proofs.ledger.cache import as_witness
from boundcheck.proofs.ledger.ledger import CLAIMS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def decided_before(ids: Iterable[str] | None = None) -> list[Proof] | None:
    """Return the proofs of these claims, all of them for None; None where they were not decided together before.

    Claims that are not the ledger's own are never known.
    """
    names = list(CLAIMS if ids is None else ids)
    lines = load_kept(_question(names)) if CLAIMS.keys() >= set(names) else None
    return None if lines is None else [Proof(**line | {"witness": as_witness(line["witness"])}) for line in lines]


def keep_decided(ids: Iterable[str] | None, proofs: Sequence[Proof]) -> None:
    """Keep proofs for `decided_before`, unless a solver left one open: that is asked again."""
    names = list(CLAIMS if ids is None else ids)
    if CLAIMS.keys() >= set(names) and all(proof.verdict != "undecided" for proof in proofs):
        keep(_question(names), [asdict(proof) for proof in proofs])


def _question(names: Sequence[str]) -> str:
    return f"claims {names}"
