"""Certificates of claims: made from goals, shipped a file a paper, and checked on reading.

A claim whose goal has several parts has a certificate for each: identities, bounds between numbers, between vectors and
between functions of a number have one; what was searched or enumerated has none.
"""

from __future__ import annotations

import json
from functools import cache, singledispatch
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import sympy as sp

from boundcheck.errors import InputError
from boundcheck.files.atomic import write_whole
from boundcheck.proofs.certificates import gram, real
from boundcheck.proofs.certificates.build import StatementDraft
from boundcheck.proofs.certificates.functions import (
    box_certificate,
    box_statement,
    tail_certificate,
    tail_statement,
)
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.kernel.certificates import ERRORS, check
from boundcheck.proofs.language.claim import AllOf
from boundcheck.proofs.provers import AllFrom, Feasible, GramBound, Identity, Infeasible, LengthBound, OnBox, Real
from boundcheck.proofs.provers.defined import plain_divisors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from boundcheck.proofs.language.claim import Claim, Goal

Certificate = dict[str, Any]
TIMEOUT = 20.0
FOLDER = files("boundcheck.proofs.papers") / "certificates"


def parts(goal: Goal) -> Iterator[Goal]:
    """Yield the goals of a conjunction, or the goal itself."""
    if isinstance(goal, AllOf):
        for part in goal.goals:
            yield from parts(part)
    else:
        yield goal


def names(claim: str, count: int) -> list[str]:
    """Return the ids of the certificates of a claim with so many parts."""
    return [claim] if count == 1 else [f"{claim}/{k}" for k in range(1, count + 1)]


def best(claim: Claim) -> list[Certificate]:
    """Return the shipped certificates of a claim where they pass, and for its other parts those that are found."""
    goals = list(parts(goal_of(claim.goal)))
    found = []
    for name, goal in zip(names(claim.id, len(goals)), goals, strict=True):
        kept = shipped_certificates().get(name)
        made = kept if _is_certified(kept, goal) else certificate_of(goal)
        if made is not None:
            found.append({"id": name, **made})
    return found


@singledispatch
def relations(goal: Goal) -> tuple[list[sp.Basic], sp.Basic] | None:
    """Return the hypotheses and the conclusion of a goal, or None for one that has no certificate."""
    del goal
    return None


@relations.register
def _real(goal: Real) -> tuple[list[sp.Basic], sp.Basic] | None:
    return list(goal.given), sp.Le(goal.lhs, goal.rhs, evaluate=False)


@relations.register
def _infeasible(goal: Infeasible) -> tuple[list[sp.Basic], sp.Basic] | None:
    return list(goal.conditions), sp.false


@relations.register
def _identity(goal: Identity) -> tuple[list[sp.Basic], sp.Basic] | None:
    where = [sp.Eq(a, b, evaluate=False) for a, b in goal.where.items()]
    return where, sp.Eq(goal.lhs, goal.rhs, evaluate=False)


@relations.register
def _gram(goal: GramBound) -> tuple[list[sp.Basic], sp.Basic] | None:
    premises = [sp.Ge(e, 0, evaluate=False) for _, e in goal.given]
    return [*goal.domain, *premises], sp.Le(goal.lhs, goal.rhs, evaluate=False)


@relations.register
def _lengths(goal: LengthBound) -> tuple[list[sp.Basic], sp.Basic] | None:
    where = [sp.Eq(a, b, evaluate=False) for a, b in (goal.where or {}).items()]
    return [*where, *goal.domain], sp.Le(goal.lhs, goal.rhs, evaluate=False)


@relations.register
def _feasible(goal: Feasible) -> tuple[list[sp.Basic], sp.Basic] | None:
    return list(goal.conditions), sp.true


def function_statement(goal: Goal) -> Certificate | None:
    """Return what a certificate of an inequality between functions states, None for another goal.

    What was divided by and is no longer seen is not in its text, so that such a goal has no certificate.
    """
    if isinstance(goal, AllFrom) and not goal.divides:
        return tail_statement(goal.lhs, goal.rhs, goal.variable, goal.start)
    if isinstance(goal, OnBox) and not goal.divides:
        return box_statement(goal.lhs, goal.rhs, goal.box)
    return None


def certificate_of(goal: Goal) -> Certificate | None:
    """Return a certificate of a goal that passes the checker, or None where none was found."""
    try:
        found = _certificate_of(goal)
    except InputError:
        # The grammar has no words for the goal.
        return None
    return found if found is not None and _passes({"id": "goal", **found}) else None


def fresh_certificate(goal: Goal) -> Certificate | None:
    """Return a certificate of a goal with no more hypotheses than the goal has, or None where none was found.

    What is divided by is shown not to be 0, but for the N - 1 that only what deviates from a mean is divided by.
    """
    if function_statement(goal) is not None or isinstance(goal, Feasible):
        return certificate_of(goal)
    found = relations(goal)
    if found is None:
        return None
    given, shows = found
    known = [*given, *getattr(goal, "laws", ()), *(goal.domain if isinstance(goal, Identity) else ())]
    try:
        asked = StatementDraft(known, shows)
        made = gram(goal.lhs, goal.rhs, (*goal.domain, *goal.laws), goal.given) if isinstance(goal, GramBound) else None
        made = made or real(known, shows)
        divisors = plain_divisors(getattr(goal, "divides", ()))
        apart = all(real(known, sp.Gt(d, 0)) or real(known, sp.Lt(d, 0)) for d in divisors)
    except InputError:
        return None
    if made is None or not apart or not _passes({"id": "goal", **made}):
        return None
    more = set(made["given"]) - set(asked.statement.given)
    spread = any(sort == "family" for sort in made["letters"].values())
    return made if not more or (spread and more <= {"N - 1 != 0"}) else None


def _passes(certificate: Certificate) -> bool:
    try:
        check(certificate, {})
    except ERRORS:
        return False
    return True


def _certificate_of(goal: Goal) -> Certificate | None:
    stated = function_statement(goal)
    if stated is not None:
        return tail_certificate(stated) if isinstance(goal, AllFrom) else box_certificate(stated)
    if isinstance(goal, GramBound):
        return gram(goal.lhs, goal.rhs, goal.domain, goal.given)
    found = relations(goal)
    if found is None or not isinstance(goal, Feasible):
        return None if found is None else real(*found)
    witness = goal.decide(TIMEOUT).witness
    point = {name: str(value) for name, value in (witness or {}).items()}
    return {"kind": "point", **StatementDraft(*found).statement.data, "point": point} if point else None


def belongs(certificate: Certificate, goal: Goal) -> bool:
    """Whether a certificate states what a goal asks; hypotheses that denominators are not zero may be added."""
    stated = function_statement(goal)
    if stated is not None:
        return stated == {key: certificate.get(key) for key in stated}
    found = relations(goal)
    if found is None:
        return False
    draft = StatementDraft(*found)
    asked, given = draft.statement, certificate.get("given", [])
    same = (certificate["letters"], certificate.get("shows", "")) == (asked.letters, asked.shows)
    count = len(asked.given)
    added = set(given[count:])
    return same and tuple(given[:count]) == asked.given and (not added or added <= draft.divides)


@cache
def shipped_certificates() -> dict[str, Certificate]:
    """Return the certificates that come with the package, by id, not yet checked."""
    found: dict[str, Certificate] = {}
    for file in FOLDER.iterdir():
        if file.name.endswith(".json"):
            found |= {c["id"]: c for c in json.loads(file.read_text(encoding="utf-8"))}
    return found


def check_parts(claim: str, goal: Goal) -> list[bool]:
    """Return for every part of a goal whether a shipped certificate states it and passes the checker."""
    goals = list(parts(goal))
    return [
        _is_certified(shipped_certificates().get(name), part)
        for name, part in zip(names(claim, len(goals)), goals, strict=True)
    ]


def solvers_agree(claim: str, goal: Goal) -> list[bool]:
    """Return for every part of a goal whether a second solver has given the same answers to the questions it asks.

    The answers come with the package, for the parts without a certificate; each is kept with the hash of its goal.
    """
    from boundcheck.proofs.ledger.cache import header_of

    listed = files("boundcheck.proofs.papers") / "second_solver.json"
    known: dict[str, str] = json.loads(listed.read_text(encoding="utf-8"))
    goals = list(parts(goal))
    named = zip(names(claim, len(goals)), goals, strict=True)
    return [name in known and known[name] == (header_of(part, TIMEOUT) or {}).get("goal") for name, part in named]


def _is_certified(certificate: Certificate | None, goal: Goal) -> bool:
    if certificate is None or not belongs(certificate, goal) or not _passes(certificate):
        return False
    # That a divisor is not 0 may be a hypothesis of the certificate's own, and what cancels is not seen by it.
    return not isinstance(goal, (Real, Identity, GramBound)) or goal.check_defined(TIMEOUT) is None


def write(certificates: Iterable[Certificate], file: Path) -> None:
    """Write certificates into a file, one a line."""
    lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in certificates)
    write_whole(file, f"[\n{lines}\n]\n")
