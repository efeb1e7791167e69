"""Printed theorems that are false: their proofs as printed, the step that breaks first, and what falls with it.

A false line of a printed proof stands in the ledger beside the one that stands in its place.  The printed proof is the
tree of the theorem with these put back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.errors import UnknownNameError
from boundcheck.proofs.ledger.classes import severity_of
from boundcheck.proofs.ledger.tree import below

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.language.claim import Claim

TRUNKS = {
    "momentum-fl.theorem15-printed": "momentum-fl.theorem15",
    "momentum-fl.theorem15-alt-printed": "momentum-fl.theorem15-alt",
    "momentum-fl.theorem19-printed": "momentum-fl.theorem19-rate",
    "momentum-fl.theorem19-proof": "momentum-fl.theorem19-rate",
    "momentum-fl.theorem22-printed": "momentum-fl.theorem22",
    "momentum-fl.theorem22-proof": "momentum-fl.theorem22",
    "momentum-fl.theorem22-alt-printed": "momentum-fl.theorem22-alt",
    "fedglomo.theorem1": "fedglomo.theorem1",
    "fedglomo.corollary1": "fedglomo.theorem1-order",
    "fedglomo.remark1": "fedglomo.theorem1-order",
    "fedglomo.lemma13": "fedglomo.lemma13",
    "fedglomo.lemma13A": "fedglomo.lemma13",
    "fedglomo.theorem3A": "fedglomo.theorem3",
    "gradma.lemma2-printed": "gradma.lemma2",
    "fedlalr.theorem1": "fedlalr.theorem1-stated",
    "fedlalr.theorem1-proof": "fedlalr.theorem1-37",
    "fedlalr.corollary2": "fedlalr.corollary2-224",
    "fedlalr.corollary3": "fedlalr.theorem1-stated",
    "fedlalr.theorem2": "fedlalr.theorem2-271",
    "fmgda.theorem1": "fmgda.theorem1-assembly",
    "fmgda.theorem1-proof": "fmgda.theorem1-assembly",
    "fmgda.corollary1": "fmgda.corollary1-assembly",
}
"""Printed bound that does not follow to the claim in which the tree of its proof ends."""
MENDED = {
    "fedglomo.lemma13A": ("fedglomo.lemma13-printed",),
    "fedglomo.theorem3A": ("fedglomo.lemma13-printed", "fedglomo.theorem3-114-printed"),
    # The conditions of the proof and the explicit constants are taken; the printed server step is not mended.
    "momentum-fl.theorem19-proof": tuple(
        f"momentum-fl.theorem19-{line}-printed" for line in ("eta", "conditions", "rate")
    ),
    "momentum-fl.theorem22-proof": (
        "momentum-fl.lemma21-printed",
        *(f"momentum-fl.theorem22-{line}-printed" for line in ("conditions", "rate")),
    ),
    # The assumptions as they are used.
    "fmgda.theorem1-proof": tuple(f"fmgda.{line}-printed" for line in ("a3", "a2", "lemma7-first-moment", "lemma7")),
}
"""Bound to the false lines of the printed proof that it has mended, and breaks all the same."""
ENTERS = {"fedglomo.theorem1-round0-printed": "fedglomo.theorem1-round0-batches"}
"""False line to the claim before which a proof uses it, where that is not the one in its place."""


@dataclass(frozen=True)
class PrintedProof:
    """The proof of a printed theorem, its false lines in their places."""

    bound: str
    trunk: str
    """Claim in which the tree ends."""
    lines: tuple[str, ...]
    """Claims, each after its steps; a false printed line just before the one that mends it."""
    refuted: tuple[str, ...]
    """The false lines that the rest needs, in this order."""
    slips: tuple[str, ...]
    """False lines that the rest does not need."""
    falls: tuple[str, ...]
    """True lines that, as printed, rest on the first of them; the bound last."""

    @property
    def breaks(self) -> str:
        """Return the first false line that the rest needs."""
        return self.refuted[0]


def printed_proof(name: str, claims: Mapping[str, Claim], verdicts: Mapping[str, str]) -> PrintedProof:
    """Return the printed proof of a bound that does not follow.

    Parameters
    ----------
    name : str
        A bound in `TRUNKS`.
    claims : mapping of str to Claim
        The ledger.
    verdicts : mapping of str to str
        Verdict of every claim.

    Raises
    ------
    UnknownNameError
        If the bound has no tree of its own.
    """
    if name not in TRUNKS:
        raise UnknownNameError("printed bound that does not follow", name, TRUNKS)
    trunk = TRUNKS[name]
    tree = (*below(claims, trunk), trunk)
    mended: dict[str, list[str]] = {}
    for one in claims.values():
        place = ENTERS.get(one.id, one.repaired_by)
        left_out = one.kind == "reading" or one.id in MENDED.get(name, ())
        if verdicts[one.id] == "refuted" and place in tree and one.id not in tree and not left_out:
            mended.setdefault(str(place), []).append(one.id)
    lines = [line for step in tree for line in (*mended.get(step, ()), step)]
    false = [line for line in lines if verdicts[line] == "refuted"]
    needed = [line for line in false if line in tree or severity_of(line, claims) != "slip"]
    first = needed[0]
    place = first if first in tree else ENTERS.get(first, claims[first].repaired_by)
    falls = dict.fromkeys([*(step for step in tree if place in below(claims, step) and step not in false), name])
    slips = [line for line in false if line not in needed]
    return PrintedProof(name, trunk, tuple(lines), tuple(needed), tuple(slips), tuple(falls))
