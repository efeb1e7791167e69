"""What `show BOUND --proof` says of a printed theorem that does not follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.files.display import list_values

if TYPE_CHECKING:
    from boundcheck.proofs import Claim
    from boundcheck.proofs.ledger.broken import PrintedProof


def broken_proof_of(name: str) -> PrintedProof | None:
    """Return the printed proof of a bound that does not follow, None of any other."""
    from boundcheck.proofs import CLAIMS
    from boundcheck.proofs.ledger.broken import TRUNKS, printed_proof
    from boundcheck.verdicts.status import shipped_statuses

    if name not in TRUNKS:
        return None
    return printed_proof(name, CLAIMS, {key: entry["verdict"] for key, entry in shipped_statuses()["claims"].items()})


def as_data(found: PrintedProof) -> dict[str, Any]:
    """Return where it breaks, at which witness, what falls, and which false lines it has, as plain data."""
    from boundcheck.proofs import CLAIMS, prove

    (proof,) = prove([found.breaks], kept=True)
    return {
        "breaks": found.breaks,
        "witness": {key: str(value) for key, value in (proof.witness or {}).items()},
        "replay": proof.replay or "",
        "instead": CLAIMS[found.breaks].repaired_by or "",
        "refuted": list(found.refuted),
        "slips": list(found.slips),
        "falls": list(found.falls),
    }


def statement_text(claim: Claim) -> str:
    """Return what a claim decides as the paper would print it, or in words, of a search or an enumeration."""
    return "; ".join(claim.printed) or f"in words: {claim.prose}"


def as_lines(found: PrintedProof) -> list[str]:
    """Return the printed proof, a claim a line in its order; the first false line that is needed has its witness."""
    from boundcheck.proofs import CLAIMS

    data = as_data(found)
    lines = []
    for name in found.lines:
        if name == found.breaks:
            at = list_values(data["witness"])
            lines.append(f"> {name}: breaks here: false at {at}: {statement_text(CLAIMS[name])}")
            lines += [f"    in its place: {data['instead']}"] * bool(data["instead"])
        else:
            word = (
                "false too" if name in found.refuted else "slip" if name in found.slips
                else "falls" if name in found.falls else "stands"
            )  # fmt: skip
            lines.append(f"  {name}: {word}: {statement_text(CLAIMS[name])}")
    slips = f"; {len(found.slips)} slips of the pen do no harm" if found.slips else ""
    count = f"{len(found.falls)} of its {len(found.lines)} lines fall with it" if len(found.falls) > 1 else "it falls"
    also = f"; false as well: {', '.join(found.refuted[1:])}" if found.refuted[1:] else ""
    return [*lines, "", f"{found.bound} does not follow: {found.breaks} is false, and {count}{also}{slips}."]
