"""What came out about the claims of a file that stand alone, as plain data."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.kernel.chance import law_text
from boundcheck.proofs.language.claim import NOT_LEGAL, STRENGTH, Outcome
from boundcheck.proofs.language.files import locate_error
from boundcheck.proofs.language.stated import TextStatement
from boundcheck.proofs.ledger.certify import fresh_certificate, parts
from boundcheck.proofs.ledger.expectations import untaken_goals
from boundcheck.proofs.ledger.ledger import CHECKED, proof_of, prove_claim
from boundcheck.proofs.provers import AllFrom
from boundcheck.proofs.provers.points import is_elementary, refute_at_points

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.proofs.language.claim import Claim, Proof, Trust
    from boundcheck.proofs.language.files import ClaimFile
    from boundcheck.workers.progress import Progress

_EXPONENT = re.compile(r"\^\s*\(?\s*([A-Za-z_]\w*)")
_WHOLE = (1, 2, 3)
"""Values at which a power with a letter as exponent is tried."""
_MOST_EXPONENTS = 2
_BY_FACTS = "by what is known of exp, log and powers everywhere"


def outcomes_alone(file: ClaimFile, progress: Progress | None = None) -> list[dict[str, Any]]:
    """Return one entry a claim that stands alone, with those keys of `boundcheck.proofs.search.outcomes` that it has.

    A claim whose statement is not legal has that verdict.  Exponentials, logarithms and powers of several letters are
    beyond the solver: they are tried at simple values, and proved where a certificate is found that uses what is known
    of them everywhere.

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
            found.append(_entry(claim, _decide_elementary(claim), str(locate_error(file, claim.id, error))))
        if progress is not None:
            progress(done, len(file.alone), done / len(file.alone))
    return found


def _decide(claim: Claim) -> Proof:
    proof = prove_claim(claim)
    goal = goal_of(claim.goal)
    if proof.verdict not in ("undecided", "solver only"):
        return proof
    if isinstance(goal, AllFrom) and proof.verdict == "undecided" and fresh_certificate(goal) is not None:
        return proof_of(claim, Outcome("proved", detail=_BY_FACTS), CHECKED)
    if (both := _both_ways(claim)) is None:
        return proof
    # An equality under what is given, or of maxima: the prover of equalities expands both sides and knows neither.
    return min(proof, prove_claim(both), key=lambda found: STRENGTH.index(found.verdict))


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
        "stands_on": _laws(claim.goal) if proof and proof.verdict == "proved" else {},
        "apart_from": [],
        "why": proof.detail if proof else why,
        "witness": {name: _text(value) for name, value in proof.witness.items()} if proof and proof.witness else None,
        "replay": proof.replay if proof else None,
    }


def _laws(goal: object) -> dict[str, str]:
    """Return the noises and draws over which a statement takes expectations, with their laws, which the kernel uses."""
    if not isinstance(goal, TextStatement):
        return {}
    one = next(filter(None, untaken_goals(goal, len(list(parts(goal_of(goal)))))), None)
    return (
        {line.partition(" over ")[0].partition(" of ")[0]: law_text(line) for line in one.letters.random} if one else {}
    )


def _text(value: object) -> str:
    return f"({', '.join(map(str, value))})" if isinstance(value, tuple) else str(value)


def _decide_elementary(claim: Claim) -> Proof | None:
    """Decide a claim with exponentials, logarithms or powers of several letters; None for one that is not legal."""
    goals = []
    for one in (claim, _both_ways(claim)):
        with suppress(InputError):
            goals += [] if one is None else [goal_of(one.goal)]
    goals = [goal for goal in goals if is_elementary(goal)]
    if not goals:
        return None
    if (broken := _at_whole_exponents(claim)) is not None:
        return broken
    outcome = next((found for goal in goals if (found := refute_at_points(goal)) is not None), None)
    trust: Trust = "witness rechecked"
    if outcome is None and any(all(map(fresh_certificate, parts(goal))) for goal in goals):
        outcome, trust = Outcome("proved", detail=_BY_FACTS), CHECKED
    if outcome is None:
        why = "it fails at no simple values, and was not found to follow from what is known of exp, log and powers"
        outcome, trust = Outcome("undecided", detail=why), ""
    return proof_of(claim, outcome, trust)


def _at_whole_exponents(claim: Claim) -> Proof | None:
    """Return how a claim fails at whole numbers in the place of letters that are exponents, None where it does not."""
    for values, goal in _instances(claim.goal):
        try:
            last = prove_claim(replace(claim, goal=goal))
        except InputError:  # it is not the exponent alone that is beyond the solver
            return None
        if last.verdict == "refuted":
            return replace(last, witness={**values, **(last.witness or {})})
    return None


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
