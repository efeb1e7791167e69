"""What the claims of the ledger decide, how much a refuted one weighs, and what is counted as what.

Both are said by the claim itself, `Claim.kind` and `Claim.weight`; here is what the words mean.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal, get_args

from boundcheck.proofs.language.claim import Kind
from boundcheck.proofs.ledger.tree import above

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.language.claim import Claim

Severity = Literal["theorem", "step", "slip", "reading"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
KINDS: tuple[Kind, ...] = get_args(Kind)
COUNTED: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind not in ("rewriting", "reading"))
"""Kinds that counts are about."""

MEANINGS: dict[Kind, str] = {
    "printed line": "the line that the paper prints, at the place that is named, in its own letters",
    "arithmetic": "the arithmetic in a printed line: its norms, sums and expectations are letters here, so that "
    "nothing is said about functions, methods or noise",
    "repair": "stands in the place of a printed line that is false, or leads to what does",
    "sharpening": "says more than is printed, by the same proof",
    "textbook fact": "true in every paper: Young, Jensen, polarisation, projections, samples without replacement",
    "remark": "what the audit says of a paper: limits of a theorem, its instances, readings of its text",
    "rewriting": "both sides are one expression once brackets are opened: true by the way it is written, not counted",
    "reading": "one reading of a sentence that can be read otherwise: no paper prints it, and it is not counted",
}
WEIGHTS: dict[Severity, str] = {
    "theorem": "a theorem, corollary or lemma as it is stated",
    "step": "a step: something in the ledger rests on it, or it is a lemma that others use",
    "slip": "a slip of the pen: nothing rests on it",
    "reading": "one reading of a sentence that can be read otherwise; no paper prints it, and it is not counted",
}


def severity_of(name: str, claims: Mapping[str, Claim]) -> Severity:
    """Return how much a refuted claim weighs.

    Parameters
    ----------
    name : str
        Id of a refuted claim.
    claims : mapping of str to Claim
        The ledger: a claim on which another one stands is a step.
    """
    claim = claims[name]
    if claim.kind == "reading":
        return "reading"
    return claim.weight or ("step" if above(claims, name) else "slip")


def count_kinds(claims: Mapping[str, Claim], verdicts: Mapping[str, str]) -> dict[Kind, Counter[str]]:
    """Return for each kind that is counted how many claims have which verdict.

    Parameters
    ----------
    claims : mapping of str to Claim
        The ledger.
    verdicts : mapping of str to str
        Verdict of every claim.
    """
    found: dict[Kind, Counter[str]] = {kind: Counter() for kind in COUNTED}
    for name, claim in claims.items():
        if claim.kind in found:
            found[claim.kind][verdicts[name]] += 1
    return found


def headline(claims: Mapping[str, Claim], verdicts: Mapping[str, str]) -> str:
    """Return in two sentences what came out about the lines that the papers print, and about the arithmetic in others.

    A printed line is counted as proved only if the claim decides the line itself.  Of a line about functions, methods
    or noise of which a claim decides the arithmetic alone, that is what is said.
    """
    kinds = count_kinds(claims, verdicts)
    counts = kinds["printed line"]
    false = [name for name, claim in claims.items() if verdicts[name] == "refuted" and claim.kind == "printed line"]
    weights = Counter(severity_of(name, claims) for name in false)
    parts = [f"{counts[word]} {word}" for word in ("proved", "refuted") if counts[word]]
    rest = sum(counts.values()) - counts["proved"] - counts["refuted"]
    parts += [f"{rest} searched or open"] if rest else []
    weighed = ", ".join(f"{weights[w]} {w}{'s' if weights[w] != 1 else ''}" for w in SEVERITIES if weights[w])
    lines = f"{sum(counts.values())} printed lines: {', '.join(parts)}" + (f" ({weighed})" if weighed else "")
    arithmetic = kinds["arithmetic"]
    if not arithmetic:
        return lines
    words = ", ".join(f"{count} {verdict}" for verdict, count in arithmetic.most_common())
    return f"{lines}. Of {sum(arithmetic.values())} more lines the arithmetic alone is decided: {words}"
