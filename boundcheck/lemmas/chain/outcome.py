"""What came out about the claims of a file, as plain data: verdict, witness, certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.lemmas.chain.book import Book
from boundcheck.lemmas.chain.certificate import written_for
from boundcheck.lemmas.chain.described import described
from boundcheck.lemmas.chain.files import load
from boundcheck.lemmas.chain.grammar import written
from boundcheck.lemmas.chain.hypotheses import signs_of
from boundcheck.lemmas.chain.missing import missing
from boundcheck.lemmas.chain.proof import Tree, decided
from boundcheck.lemmas.chain.scope import Scope
from boundcheck.lemmas.chain.unrolled import failure
from boundcheck.lemmas.chain.witness import counterexample

if TYPE_CHECKING:
    from pathlib import Path

    from boundcheck.lemmas.chain.claims import ChainClaim
    from boundcheck.lemmas.chain.prover import Decided, Prover
    from boundcheck.lemmas.chain.setting import Setting
    from boundcheck.lemmas.chain.signs import Signs

DOES_NOT_FOLLOW = "does not follow"
"""The verdict on a claim whose steps hold somewhere where it fails, which need not be what the file declares."""


def outcomes(path: Path) -> list[dict[str, Any]]:
    """Return one entry a claim of a claim file, in the order of the file.

    Raises
    ------
    FileError
        If something in the file is not legal; names the file, the line and what would be.
    """
    file = load(path)
    prover = decided(file)
    return [_outcome(prover, one) for one in prover.found.values()]


def _apart_from(prover: Prover, one: Decided) -> list[str]:
    """Return the claims of the ledger that a claim stands on, through its steps."""
    return Tree(one.claim.id, prover.setting, prover.found, ()).claims_of_ledger


def _outcome(prover: Prover, one: Decided) -> dict[str, Any]:
    claim = one.claim
    verdict = "vacuous" if contradictory(one, prover.setting) else "proved" if one.proved else "undecided"
    point = room = None
    why = one.why
    if verdict == "undecided":
        found = failure(prover, claim)
        point = None if found is None else described(found, claim)
        room = counterexample(prover, claim) if found is None else None
        verdict = "refuted" if point else DOES_NOT_FOLLOW if room else verdict
        why = missing(prover, one) if room else why
    return {
        "id": claim.id,
        "title": claim.title,
        "verdict": verdict,
        "for": {letter: f"{low} .. {high}" for letter, (low, high) in claim.over.items()},
        "given": [written(node) for node in claim.given],
        "inherited": [written(node) for node in one.inherited],
        "shows": written(claim.shows),
        "steps": [str(step) for step in (*claim.base, *claim.steps)],
        "leaves": sorted(one.leaves),
        "apart_from": _apart_from(prover, one),
        "rules": sorted(one.rules),
        "why": why,
        "witness": point,
        "steps_allow": room,
        "certificate": written_for(prover, one),
        "hash": claim.hash,
    }


def _signs(claim: ChainClaim, given: tuple[Any, ...], setting: Setting) -> Signs:
    return signs_of(given, setting, claim.over, Scope(setting, claim.over), Book())


def contradictory(one: Decided, setting: Setting) -> bool:
    """Return whether what a claim takes as given excludes itself, so that it says nothing."""
    if not one.given:
        return False
    signs = _signs(one.claim, one.given, setting)
    if len(signs.points):
        return False
    positive = [setting.generators[name] for name in setting.names if setting.sign(name) == "> 0"]
    return any(signs.nonnegative(-value) for value in (setting.field.one, *positive))
