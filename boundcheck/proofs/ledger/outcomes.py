"""What came out about the claims of a file that stand alone, as plain data."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.language.claim import NOT_LEGAL
from boundcheck.proofs.language.files import locate_error
from boundcheck.proofs.language.stated import TextStatement
from boundcheck.proofs.ledger.ledger import prove_claim
from boundcheck.proofs.provers.powers import by_elementary_facts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.proofs.language.claim import Claim, Proof
    from boundcheck.proofs.language.files import ClaimFile
    from boundcheck.workers.progress import Progress

_EXPONENT = re.compile(r"\^\s*\(?\s*([A-Za-z_]\w*)")
_WHOLE = (1, 2, 3)
"""Values at which a power with a letter as exponent is tried."""
_MOST_EXPONENTS = 2


def outcomes_alone(file: ClaimFile, progress: Progress | None = None) -> list[dict[str, Any]]:
    """Return one entry a claim that stands alone, with those keys of `boundcheck.proofs.search.outcomes` that it has.

    A claim whose statement is not legal has that verdict.  A power with a letter as its exponent is beyond the provers:
    it is tried at the exponents 1, 2 and 3, which may refute the claim and proves nothing; what is left of these, and
    of exponentials and logarithms, may follow from what is known of them everywhere.

    Parameters
    ----------
    file : ClaimFile
    progress : callable, optional
        Called with (claims decided, claims in all, share of them).
    """
    found = []
    for done, claim in enumerate(file.alone, start=1):
        try:
            found.append(_entry(claim, _decide(claim)))
        except InputError as error:
            tried = _at_whole_exponents(claim)
            if tried is None or tried.verdict == "undecided":
                tried = _by_facts(claim) or tried
            found.append(_entry(claim, tried, str(locate_error(file, claim.id, error))))
        if progress is not None:
            progress(done, len(file.alone), done / len(file.alone))
    return found


def _decide(claim: Claim) -> Proof:
    proof = prove_claim(claim)
    if proof.verdict != "undecided" or (both := _both_ways(claim)) is None:
        return proof
    # An equality under what is given, or of maxima: the prover of equalities expands both sides and knows neither.
    again = prove_claim(both)
    return again if again.verdict == "proved" else proof


def _both_ways(claim: Claim) -> Claim | None:
    """Return a claim ``a = b`` as ``a <= b`` and ``b <= a``, None for another."""
    goal = claim.goal
    if not isinstance(goal, TextStatement) or len(goal.shows) != 1:
        return None
    sides = re.split(r"(?<![<>=])=(?!=)", goal.shows[0])
    if len(sides) != 2 or re.search(r"\b(if|for)\b|[<>]=?\s", goal.shows[0]):
        return None
    left, right = map(str.strip, sides)
    return replace(claim, goal=replace(goal, shows=(f"{left} <= {right}", f"{right} <= {left}")))


def _entry(claim: Claim, proof: Proof | None, why: str = "") -> dict[str, Any]:
    """Return the entry of a claim that was decided, or is not legal, and why."""
    given = list(getattr(claim.goal, "given", ()))
    return {
        "id": claim.id,
        "title": claim.title,
        "verdict": proof.verdict if proof else NOT_LEGAL,
        "trust": proof.trust if proof else "",
        "given": given,
        "inherited": [],
        "shows": "; ".join(getattr(claim.goal, "shows", claim.statement)),
        "statement": claim.sentence(),
        "steps": list(claim.step_ids),
        "stands_on": {},
        "apart_from": [],
        "why": proof.detail if proof else why,
        "witness": {name: _text(value) for name, value in proof.witness.items()} if proof and proof.witness else None,
        "replay": proof.replay if proof else None,
    }


def _text(value: object) -> str:
    return f"({', '.join(map(str, value))})" if isinstance(value, tuple) else str(value)


def _at_whole_exponents(claim: Claim) -> Proof | None:
    """Return what is known of a claim with a letter as an exponent, None for one that has none."""
    last = None
    for values, goal in _instances(claim.goal):
        try:
            last = prove_claim(replace(claim, goal=goal))
        except InputError:  # it is not the exponent alone that is not legal
            return None
        if last.verdict == "refuted":
            return replace(last, witness={**values, **(last.witness or {})})
    if last is None:
        return None
    why = f"a power with a letter as exponent is decided at the exponents {', '.join(map(str, _WHOLE))} alone"
    return replace(last, verdict="undecided", trust="", witness=None, detail=why)


def _by_facts(claim: Claim) -> Proof | None:
    """Return the proof of a claim about powers, exponentials and logarithms of letters, None where there is none."""
    for one in (claim, _both_ways(claim)):
        try:
            found = None if one is None else _from_elementary_facts(one)
        except InputError:
            continue
        if found is not None and found.verdict == "proved":
            return replace(found, detail="by Bernoulli's inequality, 1 + x <= exp(x), log(y) <= y - 1, and their like")
    return None


def _from_elementary_facts(claim: Claim) -> Proof | None:
    goal = by_elementary_facts(goal_of(claim.goal))
    return None if goal is None else prove_claim(replace(claim, goal=lambda: goal))


def _instances(goal: object) -> Iterator[tuple[dict[str, str], TextStatement]]:
    """Yield a statement with whole numbers for the letters that stand alone in exponents."""
    if not isinstance(goal, TextStatement):
        return
    names = dict.fromkeys(_EXPONENT.findall(" ".join((*goal.shows, *goal.given))))
    for numbers in product(_WHOLE, repeat=len(names)) if 1 <= len(names) <= _MOST_EXPONENTS else ():
        values = dict(zip(names, map(str, numbers), strict=True))

        def put_values(lines: tuple[str, ...], values: dict[str, str] = values) -> tuple[str, ...]:
            return tuple(re.sub(r"\b[A-Za-z_]\w*\b", lambda m: values.get(m[0], m[0]), line) for line in lines)

        made = TextStatement(put_values(goal.shows), put_values(goal.given), goal.letters)
        try:
            goal_of(made)
        except InputError:
            continue
        yield values, made
