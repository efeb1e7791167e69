"""The page a claim: what is printed where, what we decided, and how it hangs together with the rest of the proof."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from boundcheck.proofs import Claim, Proof
    from boundcheck.proofs.ledger.tree import Standing


def claim_card(name: str, N: int) -> dict[str, Any] | None:
    """Return the page of a claim, None if there is none of this name: it is decided, its steps are as shipped."""
    from boundcheck.proofs import CLAIMS, prove
    from boundcheck.proofs.ledger.tree import draw_tree, standings_at
    from boundcheck.verdicts.status import of_claim, shipped_statuses

    del N
    if name not in CLAIMS:
        return None
    claim, statement, (proof,) = CLAIMS[name], of_claim(name), prove([name], kept=True)
    before = shipped_statuses()["claims"]
    verdicts = {one: before[one]["verdict"] for one in CLAIMS if one in before} | {name: proof.verdict}
    entries = {
        "heading": f"claim {name}: {claim.title}",
        **_place_in_paper(claim),
        "status": statement.status,
        "because": list(statement.because),
        **_what(claim, proof),
        **_around(claim, standings_at(CLAIMS, verdicts)[name]),
        "steps": "\n".join(draw_tree(CLAIMS, verdicts, name)) if claim.steps else "",
        **_failure_entries(proof),
    }
    return {key: value for key, value in entries.items() if value}


def own_claim_cards(name: str) -> list[dict[str, Any]]:
    """Return the pages of a reader's own claims, ``file.py:NAME``: what they say, and what was decided.

    Raises
    ------
    InputError
        If the file has no such object, or it is none of the kinds that have a page.
    """
    from boundcheck.errors import require
    from boundcheck.files.own import load_reference
    from boundcheck.proofs import CLAIMS, prove
    from boundcheck.proofs.ledger.own import claims_named, is_claims

    found, _ = load_reference("name", name, lambda _: True)
    require(is_claims(found), "name", name, "a bound, a method, a problem, a claim or a list of claims")
    named = claims_named(name, CLAIMS)
    pages = []
    for claim, proof in zip(named.values(), prove([name]), strict=True):
        entries = {
            "heading": f"claim {claim.id}: {claim.title}",
            "where": claim.where,
            **_what(claim, proof),
            "stands on": list(claim.step_ids),
            **_failure_entries(proof),
        }
        pages.append({key: value for key, value in entries.items() if value})
    return pages


def claim_file_cards(path: Path) -> list[dict[str, Any]]:
    """Return the pages of the claims of a file: what they say, and from what; `boundcheck prove` decides them.

    Raises
    ------
    InputError
        If something in the file is not legal.
    """
    from boundcheck.proofs.language.files import load

    file = load(path)
    alone = [
        {"heading": f"claim {one.id}: {one.title}", "where": one.where, **_statement(one), "steps": list(one.step_ids)}
        for one in file.alone
    ]
    joined = [
        {
            "heading": f"claim {one.id}: {one.title}",
            "where": one.where,
            "statement": one.sentence(),
            "steps": [str(step) for step in (*one.base, *one.steps)],
        }
        for one in file.claims
    ]
    return [{key: value for key, value in page.items() if value} for page in (*alone, *joined)]


def _failure_entries(proof: Proof) -> dict[str, Any]:
    """Return where a claim fails, and what stands in its place."""
    return {
        "witness": {k: str(v) for k, v in (proof.witness or {}).items()},
        "replay": proof.replay or "",
        "repaired by": proof.repaired_by or "",
    }


def _place_in_paper(claim: Claim) -> dict[str, Any]:
    """Return where the paper has it, with the paper's own numbers, and what kind of line it is."""
    from boundcheck.bounds import BOUNDS
    from boundcheck.findings.places import place_words
    from boundcheck.proofs.ledger.classes import MEANINGS
    from boundcheck.verdicts.status import of_bound

    same = f"{of_bound(claim.id).status}: this claim is a line of a proof" if claim.id in BOUNDS else ""
    return {
        "where": place_words(claim.paper, claim.where),
        "equation": equation(claim.where),
        "kind": f"{claim.kind}: {MEANINGS[claim.kind]}",
        "bound of this name": same,
    }


def _what(claim: Claim, proof: Proof) -> dict[str, Any]:
    """Return the statement with its hypotheses and letters, and the verdict with what it rests on."""
    return {
        **_statement(claim),
        "verdict": f"{proof.verdict} by {proof.prover}: {proof.detail}",
        "rests on": proof.trust,
        "weight": _weight(claim, proof),
    }


def _statement(claim: Claim) -> dict[str, Any]:
    """Return what a claim says, with its hypotheses and letters."""
    return {
        "printed": list(claim.printed),
        "given": list(claim.printed_given),
        "hypotheses": [_hypothesis(text) for text in claim.hypotheses],
        "in words, not decided": claim.prose if claim.printed else "",
        "statement": list(claim.statement),
        "letters": letters_in(claim),
    }


def _weight(claim: Claim, proof: Proof) -> str:
    from boundcheck.proofs import CLAIMS
    from boundcheck.proofs.ledger.classes import WEIGHTS, severity_of

    if proof.verdict != "refuted" or claim.id not in CLAIMS:
        return ""
    weight = severity_of(claim.id, CLAIMS)
    return f"{weight}: {WEIGHTS[weight]}"


def _around(claim: Claim, standing: Standing) -> dict[str, Any]:
    """Return what the claim stands on, and what stands on it."""
    from boundcheck.proofs import CLAIMS

    broken = f": {', '.join(standing.broken)}" if standing.broken else ""
    return {
        "its steps": f"{standing.steps}{broken}; that they give this line is not decided" if claim.steps else "",
        "stands on": list(claim.step_ids),
        "stands on it": [one.id for one in CLAIMS.values() if claim.id in one.step_ids],
        "falls with it": list(standing.falls_with),
    }


def equation(where: str) -> str:
    """Return the paper's own numbers of the equations that a place names: ``(20)-(21)``; empty if it names none."""
    named = r"\([\w.*]+\)(?:-\([\w.*]+\))?"
    found = [
        part for group in re.findall(rf"eq\. ((?:{named}(?:, | and )?)+)", where) for part in re.findall(named, group)
    ]
    return ", ".join(dict.fromkeys(found))


def letters_in(claim: Claim) -> dict[str, str]:
    """Return the letters of the notation that a statement uses, with what the paper writes for them.

    A letter that the claim declares is its own, whatever the notation means by it.
    """
    from boundcheck.notation import LETTERS

    text = " ".join((*claim.printed, *claim.hypotheses, *claim.statement))
    words = set(re.findall(r"[A-Za-z]\w*", text)) - getattr(claim.goal, "names", set())
    found = {name: letter for name, letter in LETTERS.items() if name in words}
    return {
        name: letter.meaning + (f"; printed {letter.papers[claim.paper]}" if claim.paper in letter.papers else "")
        for name, letter in found.items()
    }


def _hypothesis(text: str) -> str:
    """Return a hypothesis, marked when the paper does not state it."""
    return f"! not stated: {text.removeprefix('unstated: ')}" if text.startswith("unstated: ") else text
