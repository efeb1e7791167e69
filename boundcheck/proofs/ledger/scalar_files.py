"""Claim files of one's own in the form of the ledger: statements about numbers and vectors, without sequences."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError
from boundcheck.proofs.language.claim import NOT_LEGAL
from boundcheck.proofs.language.stated import TextStatement
from boundcheck.proofs.language.texts import toml_of
from boundcheck.proofs.ledger.claim_file import read_claims
from boundcheck.proofs.ledger.ledger import prove_claim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from boundcheck.proofs.language.claim import Claim, Proof

_TABLES = ("indices", "vectors", "numbers", "start", "equations", "definitions", "leaf", "claim", "theorem", "uses")
"""Keys that only claim files with sequences have."""
_EXPONENT = re.compile(r"\^\s*\(?\s*([A-Za-z_]\w*)")
_WHOLE = (1, 2, 3)
"""Values at which a power with a letter as exponent is tried."""


def is_scalar_file(path: Path) -> bool:
    """Return whether a claim file has the ledger's form: ``about``, ``letters`` as a text, tables ``[PAPER.NAME]``.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    _, data = toml_of(path)
    return not set(data) & set(_TABLES) and ("about" in data or isinstance(data.get("letters"), str))


def decide_scalar_file(
    path: Path,
    progress: Callable[[int, int, float], None] | None = None,
    illegal: dict[str, str] | None = None,
) -> list[tuple[Claim, Proof]]:
    """Return the claims of such a file, each with what was decided of it.

    A power with a letter as its exponent is beyond the provers: it is tried at the exponents 1, 2 and 3, which may
    refute the claim and proves nothing.

    Parameters
    ----------
    path : Path
    progress : callable, optional
        Called with (claims decided, claims in all, share of them).
    illegal : dict, optional
        Where the ids of claims go whose statement is not legal, each with what is wrong; without it the first one is an
        error.

    Raises
    ------
    InputError
        If a key, a statement or a letter is not legal; names the file and the claim.
    """
    claims, found = read_claims(path), []
    for done, claim in enumerate(claims, start=1):
        try:
            proof = prove_claim(claim)
            if proof.verdict == "undecided" and (both := _both_ways(claim)) is not None:
                # An equality under what is given, or of maxima, where the prover of equalities expands both sides.
                proof = next((one for one in [prove_claim(both)] if one.verdict == "proved"), proof)
            found.append((claim, proof))
        except InputError as error:
            tried = _at_whole_exponents(claim)
            msg = f"{path.name}: claim {claim.id!r}: {error}"
            if tried is not None:
                found.append((claim, tried))
            elif illegal is None:
                raise InputError(msg) from None
            else:
                illegal[claim.id] = msg
        if progress is not None:
            progress(done, len(claims), done / len(claims))
    return found


def entries_of_scalar_file(
    path: Path, progress: Callable[[int, int, float], None] | None = None
) -> list[dict[str, Any]]:
    """Return one entry a claim, with the keys of `boundcheck.proofs.search.outcomes.outcomes` that it has.

    A claim whose statement is not legal has that verdict; parameters and errors are otherwise those of
    `decide_scalar_file`.
    """
    illegal: dict[str, str] = {}
    found = {claim.id: proof for claim, proof in decide_scalar_file(path, progress, illegal)}
    return [_entry(claim, found.get(claim.id), illegal.get(claim.id, "")) for claim in read_claims(path)]


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


def _entry(claim: Claim, proof: Proof | None = None, why: str = "") -> dict[str, Any]:
    """Return the entry of a claim that was decided, or is not legal, and why."""
    given = list(getattr(claim.goal, "given", ()))
    statement = "; ".join(getattr(claim.goal, "shows", claim.statement))
    return {
        "id": claim.id,
        "title": claim.title,
        "verdict": proof.verdict if proof else NOT_LEGAL,
        "trust": proof.trust if proof else "",
        "given": given,
        "inherited": [],
        "shows": statement,
        "statement": statement + (f" if {', '.join(given)}" if given else ""),
        "steps": list(claim.steps),
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
    for name, value, goal in _instances(claim.goal):
        last = prove_claim(replace(claim, goal=goal))
        if last.verdict == "refuted":
            return replace(last, witness={name: str(value), **(last.witness or {})})
    if last is None:
        return None
    why = f"a power with a letter as exponent is decided at the exponents {', '.join(map(str, _WHOLE))} alone"
    return replace(last, verdict="undecided", trust="", witness=None, detail=why)


def _instances(goal: object) -> Iterator[tuple[str, int, TextStatement]]:
    """Yield a statement with whole numbers for the first letter that stands in an exponent."""
    if not isinstance(goal, TextStatement):
        return
    names = _EXPONENT.findall(" ".join((*goal.shows, *goal.given)))
    for value in _WHOLE if names else ():

        def put(lines: tuple[str, ...], value: int = value) -> tuple[str, ...]:
            return tuple(re.sub(rf"\b{names[0]}\b", str(value), line) for line in lines)

        made = TextStatement(put(goal.shows), put(goal.given), goal.letters)
        try:
            made()
        except InputError:
            continue
        yield names[0], value, made
