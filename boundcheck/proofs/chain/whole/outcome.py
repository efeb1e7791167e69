"""What came out about the claims of a file, as plain data: verdict, witness, certificate."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boundcheck.proofs.algebra.hypotheses import of_letters
from boundcheck.proofs.chain.refuting.described import describe_failure
from boundcheck.proofs.chain.refuting.missing import missing
from boundcheck.proofs.chain.refuting.unrolled import failure
from boundcheck.proofs.chain.refuting.witness import counterexample
from boundcheck.proofs.chain.whole.certificate import written_for
from boundcheck.proofs.chain.whole.proof import ProofTree
from boundcheck.proofs.chain.whole.vacuous import vacuous
from boundcheck.proofs.language.grammar import node_text
from boundcheck.proofs.language.members import with_members

if TYPE_CHECKING:
    from boundcheck.proofs.chain.deciding.decided import ClaimOutcome, ProofPart
    from boundcheck.proofs.chain.deciding.prover import Prover
    from boundcheck.verdicts.words import ClaimWord
    from boundcheck.workers.progress import Progress

DOES_NOT_FOLLOW: ClaimWord = "does not follow"
"""The verdict on a claim whose steps hold somewhere where it fails, which need not be what the file declares."""


def outcomes_of(prover: Prover, progress: Progress | None = None) -> list[dict[str, Any]]:
    """Return one entry a claim that a prover has decided, in their order; `progress` as for `outcomes`."""
    found, count = [], len(prover.found)
    for done, one in enumerate(prover.found.values(), start=1):
        found.append(_outcome(prover, one))
        if progress is not None:
            progress(done, count, done / count)
    return found


def _all_parts(one: ClaimOutcome) -> list[ProofPart]:
    return [*one.parts, *(part for case in one.cases for part in case.outcome.parts)]


def _weights(prover: Prover, one: ClaimOutcome) -> list[list[str]]:
    """Return the premises of a claim, each with its weight, one list after the other for its parts and cases."""
    parts = [(prover.setting, part) for part in one.parts]
    parts += [(case.setting, part) for case in one.cases for part in case.outcome.parts]
    return [
        [name, with_members(str(value), setting).replace("**", "^")]
        for setting, part in parts
        for name, value in part.multipliers
    ]


def _apart_from(prover: Prover, one: ClaimOutcome) -> list[str]:
    """Return the claims of the ledger that a claim stands on, through its steps."""
    return ProofTree(one.claim.id, prover.setting, prover.found, ()).claims_of_ledger


def _outcome(prover: Prover, one: ClaimOutcome) -> dict[str, Any]:
    claim = one.claim
    # No models are made of what is said by coordinates: nothing is refuted there, and no clash of leaves is seen.
    searched = not prover.setting.coordinates
    seen = vacuous(prover, one if searched else replace(one, proved=False))
    verdict = "vacuous" if seen else one.word.replace("not proved", "undecided")
    point = room = None
    why = one.why
    if not searched:
        pass
    elif verdict == "undecided" and not one.refused and (lacks := missing(prover, claim)):
        # With what the file says it is true, so that nothing in it refutes the claim.
        verdict, why, room = DOES_NOT_FOLLOW, lacks, counterexample(prover, claim)
    elif verdict in ("undecided", "conditional"):
        letters = of_letters(claim.shows, prover.setting)
        room = counterexample(prover, claim) if letters and not one.proved else None
        found = failure(prover, claim, room)
        point = None if found is None else describe_failure(found, claim)
        if found is None and not letters and not one.proved:
            room = counterexample(prover, claim)
        if verdict == "undecided":  # a conditional one is no more than that: its witness breaks what it inherits
            verdict = "refuted" if point else DOES_NOT_FOLLOW if room else verdict
    return {
        "id": claim.id,
        "title": claim.title,
        "verdict": verdict,
        "for": {letter: f"{low} .. {high}" for letter, (low, high) in claim.over.items()},
        "given": [node_text(node) for node in claim.given],
        "inherited": [node_text(node) for node in one.inherited],
        "shows": node_text(claim.shows),
        "statement": claim.sentence(),
        "steps": [str(step) for step in (*claim.base, *claim.steps)],
        "added": [str(step) for step in one.added],
        "weights": _weights(prover, one),
        "weights_searched": any(part.searched for part in _all_parts(one)),
        "leaves": sorted(one.leaves),
        "apart_from": _apart_from(prover, one),
        "rules": sorted(one.rules),
        "why": why,
        "witness": point,
        "steps_allow": None if point else room,
        "certificate": written_for(prover, one),
        "hash": claim.hash,
    }
