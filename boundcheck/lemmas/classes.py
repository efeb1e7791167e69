"""What kind of line a claim is, and how much a refuted one weighs: what is counted, and as what.

A claim's `where` says where it comes from; the tables below name what that does not tell.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Literal, get_args

from boundcheck.lemmas.tree import above

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.lemmas.claim import Claim

Class = Literal["printed line", "repair", "sharpening", "textbook fact", "arithmetic", "remark"]
CLASSES: tuple[Class, ...] = get_args(Class)
Severity = Literal["theorem", "step", "slip", "reading"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)

MEANINGS: dict[Class, str] = {
    "printed line": "the paper prints it, at the line that is named",
    "repair": "stands in the place of a printed line that is false, or leads to what does",
    "sharpening": "says more than is printed, by the same proof",
    "textbook fact": "true in every paper: Young, Jensen, polarisation, projections, samples without replacement",
    "arithmetic": "constants of a printed line put together: nothing about functions or methods",
    "remark": "what the audit says of a paper: limits of a theorem, its instances, readings of its text",
}
WEIGHTS: dict[Severity, str] = {
    "theorem": "a theorem, corollary or lemma as it is stated",
    "step": "a step: something in the ledger rests on it, or it is a lemma that others use",
    "slip": "a slip of the pen: nothing rests on it",
    "reading": "one reading of a sentence that can be read otherwise; no paper prints it, and it is not counted",
}

FACTS = frozenset(
    f"{paper}.{name}"
    for paper, names in {
        "fedlalr": "lemma6 term-217 lemma7 lemma8 lemma9 lemma10 lemma11 lemma12 remark4",
        "fmgda": "norm-of-mean lemma2-clients lemma3-20 lemma6-descent lemma6-smooth eq9",
        "gradma": "qp-moreau qp-pythagoras "
        "qp-zero jensen young polarisation smooth-above eq28-pairs eq28 eq29 "
        "drift-young",
        "momentum-fl": "lemma5-expand lemma5-young lemma6-markov lemma7 lemma7-lines",
        "fedglomo": "polarisation two-squares jensen young lemma9-triangle lemma11 lemma11-93 sampled-deviation "
        "eq126 quantised-square theorem2-bernoulli eq122",
    }.items()
    for name in names.split()
)
"""Facts that hold in every paper, whether or not one prints them as a lemma of its own."""

REMARKS = frozenset(
    f"{paper}.{name}"
    for paper, names in {
        "fmgda": "conditions-clash conditions-clash-auc "
        "conditions-meet-2-1 first-block "
        "remark1-constant-steps rho-grows units units-printed",
        "fedlalr": "theorem1-units theorem1R-below-37 term-b7-speedup interval-window corollary1-order-printed",
        "gradma": "pareto momentum-bound freeze-squeezed "
        "freeze-recursion freeze freeze-update freeze-removed "
        "vacuous-step vacuous worst-case cascade cascade-smooth "
        "lemma6-wider lemma6-redundant "
        "jensen-printed",
        "momentum-fl": "theorem15-eta-fails theorem15-alt-grows theorem19-rate-grows theorem22-alt-grows "
        "theorem15-rate-grows theorem22-rate-grows eq4-least eq4-few faster faster-printed huber-path "
        "frozen-path shrinks shrink-round shrink-first shrink-sum shrink-admissible shrink-stays "
        "shrink-stays-sampled table1-stem theorem11-constant-step theorem11-plain "
        "theorem15-decays minibatches-printed "
        "drift-definition-printed ",
        "fedglomo": "lemma8-70-decaying offset "
        "theorem1-range-full theorem1-range-outside theorem1-range-experiments "
        "theorem1-order-path theorem1-order-admissible theorem1-order-grows appendix-a-rounds "
        "appendix-a-printed appendix-a-two appendix-a-quarter theorem3-first",
    }.items()
    for name in names.split()
)
"""What the audit says of a paper in its own words."""

READINGS = frozenset(
    {
        "fmgda.units-printed",
        "fedlalr.corollary1-order-printed",
        "momentum-fl.faster-printed",
        "momentum-fl.minibatches-printed",
        "momentum-fl.drift-definition-printed",
        "gradma.jensen-printed",
        "fedglomo.appendix-a-printed",
    }
)
"""Refuted lines that no paper prints: what a sentence would say if it were read in one way."""

TAUTOLOGIES = frozenset(
    f"{paper}.{name}"
    for paper, names in {
        "fmgda": "lemma5-28 lemma5-29 lemma5-30 ",
        "fedlalr": "term-18 eps-24-25 theorem1-units remark4",
        "gradma": "eq17 drift-split ",
        "momentum-fl": "lemma12-split lemma17-regroup lemma20-parts recovered",
        "fedglomo": "lemma9-81 lemma1-38 offset lemma13-130 theorem3-114 theorem3-first",
    }.items()
    for name in names.split()
)
"""Claims both sides of which are one expression by the way in which they are built: true, and not counted."""

STATEMENTS = frozenset(
    {
        *(f"fedlalr.{name}-printed" for name in ("theorem1-eps", "theorem1-eps4", "theorem1-noise", "corollary2-224")),
        *(f"fedlalr.{name}-printed" for name in ("corollary2-225", "lemma4", "lemma5", "lemma32", "lemma35")),
        *(
            f"momentum-fl.theorem{name}-printed"
            for name in ("15-alt", "15-rate", "19-rate", "22-alt", "22-rate", "22-bracket")
        ),
        "momentum-fl.lemma21-printed",
        *(
            f"fedglomo.{name}-printed"
            for name in ("theorem1", "theorem1-order", "theorem2-statement", "theorem3-range")
        ),
        *(f"fedglomo.{name}-printed" for name in ("lemma10", "lemma13")),
        *(f"gradma.{name}-printed" for name in ("lemma2", "lemma3")),
        *(f"fmgda.{name}-printed" for name in ("lemma7", "lemma7-first-moment", "lemma8-38-first-block", "a3")),
    }
)
"""Refuted claims that are the statement of a theorem, corollary, lemma or assumption."""

USED = frozenset(
    {
        "fedglomo.eq123-printed",
        "fedglomo.eq124-printed",
        "fedglomo.theorem1-round0-printed",
        "fmgda.a2-printed",
        "fmgda.lemma8-41-printed",
        "gradma.drift-ratio-printed",
        *(f"momentum-fl.theorem{name}-printed" for name in ("15-eta", "19-eta", "19-conditions", "19-gamma")),
        *(f"momentum-fl.theorem{name}-printed" for name in ("22-conditions", "22-gamma")),
    }
)
"""Refuted lines that a proof in the paper stands on, though no claim of the ledger is put together from them."""

_ARITHMETIC = re.compile(
    r"-(constants|assembly|collect|weights|powers|factors|budget|merge|bracket|units|coefficients|powers?-sums)$"
    r"|\.(power-sums|step-merge|noise-weights|kappa|drift-five|drift-four|lemma8-4[67]|theorem1-(eta|ratio|weight-range))$"
)


def class_of(claim: Claim, claims: Mapping[str, Claim]) -> Class:
    """Return what kind of line a claim is.

    Parameters
    ----------
    claim : Claim
        Of the ledger.
    claims : mapping of str to Claim
        The ledger.
    """
    if claim.id in REMARKS:
        return "remark"
    if claim.id in FACTS:
        return "textbook fact"
    if claim.id.endswith("-printed"):
        return "printed line"
    if "sharper" in claim.where or re.search(r"-sharp(er)?\b|-pathwise|-coupled|-coupling", claim.id):
        return "sharpening"
    if _mends(claim, claims):
        return "repair"
    if _ARITHMETIC.search(claim.id) or not re.search(r"\bl\.\d", claim.where):
        return "arithmetic"
    return "printed line"


def _mends(claim: Claim, claims: Mapping[str, Claim]) -> bool:
    """Return whether a claim stands in the place of a printed line, or says that it belongs to a repair."""
    named = "repair" in claim.where or "missing part" in claim.where or re.search(r"\dR(-|$)", claim.id)
    return bool(named) or any(one.repaired_by == claim.id and one.id not in READINGS for one in claims.values())


def severity_of(name: str, claims: Mapping[str, Claim]) -> Severity:
    """Return how much a refuted claim weighs."""
    if name in READINGS:
        return "reading"
    if name in STATEMENTS:
        return "theorem"
    return "step" if name in USED or above(claims, name) else "slip"


def counted(claims: Mapping[str, Claim], verdicts: Mapping[str, str]) -> dict[Class, Counter[str]]:
    """Return for each class how many claims have which verdict; readings and tautologies are not counted.

    Parameters
    ----------
    claims : mapping of str to Claim
        The ledger.
    verdicts : mapping of str to str
        Verdict of every claim.
    """
    found: dict[Class, Counter[str]] = {name: Counter() for name in CLASSES}
    for name, claim in claims.items():
        if name not in READINGS and name not in TAUTOLOGIES:
            found[class_of(claim, claims)][verdicts[name]] += 1
    return found


def headline(claims: Mapping[str, Claim], verdicts: Mapping[str, str]) -> str:
    """Return in one sentence what came out about the lines that the papers print."""
    counts = counted(claims, verdicts)["printed line"]
    false = [name for name in claims if verdicts[name] == "refuted" and name not in READINGS]
    weights = Counter(severity_of(name, claims) for name in false)
    parts = [f"{counts[word]} {word}" for word in ("proved", "refuted") if counts[word]]
    rest = sum(counts.values()) - counts["proved"] - counts["refuted"]
    parts += [f"{rest} searched or open"] if rest else []
    weighed = ", ".join(f"{weights[w]} {w}{'s' if weights[w] != 1 else ''}" for w in SEVERITIES if weights[w])
    return f"{sum(counts.values())} printed lines: {', '.join(parts)}" + (f" ({weighed})" if weighed else "")
