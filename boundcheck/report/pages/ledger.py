"""The steps of the proofs that were decided, and the witnesses against those that are false."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.lemmas import CLAIMS
from boundcheck.notation import PAPERS
from boundcheck.report.markup import badge, box, code, escape, prose, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.lemmas import Proof


def ledger(claims: Sequence[Proof]) -> str:
    """Return the section on claims: a table a paper, then a box for every refuted step."""
    parts = [
        "= Steps of the proofs\n",
        (
            "Every step is decided by an exact prover: an identity, a Gram form that is positive semidefinite, or "
            "real arithmetic over all parameters. A refuted step comes with a witness that plain numpy replays; "
            "_undecided_ means that the solver gave no answer in its time.\n"
        ),
    ]
    for paper in dict.fromkeys(p.paper for p in claims):
        mine = [p for p in claims if p.paper == paper]
        known = PAPERS.get(paper)
        parts += [f"== {escape(known.title if known else paper)}\n", _table(mine)]
        refuted = [p for p in mine if p.verdict == "refuted"]
        if refuted:
            parts.append("=== Refuted steps\n")
            parts += [_refuted(p) for p in refuted]
    return "\n".join(parts)


def _title(claim: str) -> str:
    return prose(CLAIMS[claim].title) if claim in CLAIMS else ""


def _short(claim: str) -> str:
    return code(claim.partition(".")[2])


def _table(proofs: Sequence[Proof]) -> str:
    rows = [
        [
            f"{_title(p.id)} {_short(p.id)}",
            escape(p.where),
            badge(p.verdict) + (f" #linebreak() repaired by {_short(p.repaired_by)}" if p.repaired_by else ""),
            escape(p.prover),
        ]
        for p in proofs
    ]
    return table(["Step", "Where", "Verdict", "Prover"], rows, "(2.4fr, 1.3fr, 1.3fr, auto)")


def _refuted(proof: Proof) -> str:
    claim = CLAIMS.get(proof.id)
    body = [f"{badge(proof.verdict)} #h(0.6em) #strong[{_title(proof.id) or code(proof.id)}], {escape(proof.where)}\n"]
    if claim is not None:
        body.append(f"Printed: {prose(claim.statement)}\n")
        if claim.hypotheses:
            body.append(f"Under: {prose('; '.join(claim.hypotheses))}\n")
    if proof.witness:
        body.append(f"Fails at {prose(_witness(proof.witness))}: {prose(proof.detail)}\n")
    if proof.replay:
        body.append(code(proof.replay, block=True) + "\n")
    if proof.repaired_by and proof.repaired_by in CLAIMS:
        repaired = CLAIMS[proof.repaired_by]
        body.append(f"True instead ({_short(proof.repaired_by)}): {prose(repaired.statement)}\n")
    return box("\n".join(body))


def _witness(witness: object) -> str:
    pairs = dict(witness)  # type: ignore[call-overload]
    return ", ".join(
        f"{k} = ({', '.join(map(str, v))})" if isinstance(v, tuple) else f"{k} = {v}" for k, v in pairs.items()
    )
