"""One status a statement: what the ledger, the findings, the audit and the studies say of it together.

A statement is a bound (a theorem, corollary or lemma with its right-hand side) or a claim (a line of a proof).  They
are joined here and nowhere else; what came out is shipped as data, so that nothing is proved or run to show it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.verdicts.status import StatusRecord, StudyWords, of_runs
from boundcheck.verdicts.status import of_bound as of_bound  # where it was documented before

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from boundcheck.bounds import Bound
    from boundcheck.proofs import Claim
    from boundcheck.proofs.language.claim import Kind
    from boundcheck.proofs.ledger.tree import Standing
    from boundcheck.verdicts.words import ProverWord


def claim_statements(claims: Mapping[str, Claim], verdicts: Mapping[str, ProverWord]) -> dict[str, StatusRecord]:
    """Return the status of every claim: its own verdict, unless something it rests on is not proved.

    Parameters
    ----------
    claims : mapping
        The ledger.
    verdicts : mapping
        Verdict of every claim.
    """
    from boundcheck.proofs.ledger.tree import standings_at

    standing = standings_at(claims, {name: verdicts[name] for name in claims})
    return {name: _of_claim(standing[name], verdicts, claim.kind) for name, claim in claims.items()}


def _of_claim(found: Standing, verdicts: Mapping[str, ProverWord], kind: Kind) -> StatusRecord:
    if verdicts[found.id] == "refuted":
        return StatusRecord("open" if kind == "reading" else "false as printed", _claims(found.id))
    unknown = [name for name in found.open if verdicts[name] in {"undecided", "vacuous"}]
    if found.broken or unknown:
        return StatusRecord("open", _claims(*found.broken, *unknown))
    if found.open:
        return StatusRecord("not contradicted", _claims(*found.open))
    return StatusRecord("proved", _claims(found.id))


def bound_statements(
    bounds: Mapping[str, Bound],
    verdicts: Mapping[str, ProverWord],
    studies: StudyWords,
    audit: Mapping[str, str],
    proofs: Collection[str] = (),
) -> dict[str, StatusRecord]:
    """Return the status of every bound.

    A counterexample outweighs everything.  A bound is proved by a chain of claims from its assumptions to the bound
    itself, and by nothing else: the last line of its printed proof is a claim like any other.

    Parameters
    ----------
    bounds : mapping
        What is registered.
    verdicts : mapping
        Verdict of every claim.
    studies : mapping
        Name of a study to the verdict on each of its bounds.
    audit : mapping
        Name of a bound to the audit's verdict on it.
    proofs : collection of str
        Bounds with a whole chain (`boundcheck.proofs.chain.whole.proof`).
    """
    found: dict[str, StatusRecord] = {}
    for name, bound in bounds.items():
        ran = {f"study:{study}": words[name] for study, words in studies.items() if name in words}
        ran |= {f"audit:{name}": audit[name]} if name in audit else {}
        found[name] = _of_bound(bound, verdicts, ran, chain=name in proofs)
    return {name: _inherit_status(bounds[name], statement, found) for name, statement in found.items()}


def _of_bound(bound: Bound, verdicts: Mapping[str, ProverWord], ran: Mapping[str, str], *, chain: bool) -> StatusRecord:
    against = [name for name in bound.refuted_by if verdicts[name] in {"refuted", "proved"}]
    # A refuted claim is about one value of a hidden constant; that none serves is what a proved one says.
    counts = "refuted" if bound.kind == "explicit" else "proved"
    run = of_runs(ran)
    if run.status == "false as printed" or any(verdicts[name] == counts for name in against):
        violated = run.because if run.status == "false as printed" else ()
        return StatusRecord("false as printed", (*_claims(*against), *violated))
    return StatusRecord("proved", (f"proof:{bound.id}",)) if chain else run


def _inherit_status(bound: Bound, statement: StatusRecord, found: Mapping[str, StatusRecord]) -> StatusRecord:
    """Return the status of the bound from which an open one follows."""
    if statement.status != "open" or not bound.follows_from:
        return statement
    return StatusRecord(found[bound.follows_from].status, (f"bound:{bound.follows_from}",))


def _claims(*names: str) -> tuple[str, ...]:
    return tuple(f"claim:{name}" for name in names)
