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
from boundcheck.proofs.certificates.statement import text_of
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.kernel.certificates import ERRORS, EXPECTATION, check
from boundcheck.proofs.language.claim import AllOf, AnyOf
from boundcheck.proofs.ledger.expectations import (
    Relations,
    UntakenGoal,
    statement_of,
    untaken_goals,
    with_statement,
)
from boundcheck.proofs.provers import AllFrom, Feasible, GramBound, Identity, Infeasible, LengthBound, OnBox, Real
from boundcheck.proofs.provers.defined import divisors_of_form, plain_divisors
from boundcheck.proofs.provers.hilbert import INNER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from boundcheck.proofs.language.claim import Claim, Goal, Statement

Certificate = dict[str, Any]
Said = UntakenGoal | None
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
    for name, goal, said in zip(names(claim.id, len(goals)), goals, untaken_goals(claim.goal, len(goals)), strict=True):
        kept = shipped_certificates().get(name)
        made = (
            kept
            if _is_certified(kept, goal, said)
            else (said and fresh_certificate(goal, said)) or certificate_of(goal, said)
        )
        if made is not None:
            found.append({"id": name, **made})
    return found


@singledispatch
def relations(goal: Goal) -> Relations | None:
    """Return the hypotheses and the conclusion of a goal, or None for one that has no certificate."""
    del goal
    return None


@relations.register
def _real(goal: Real) -> Relations | None:
    return list(goal.given), sp.Le(goal.lhs, goal.rhs, evaluate=False)


@relations.register
def _infeasible(goal: Infeasible) -> Relations | None:
    return list(goal.conditions), sp.false


@relations.register
def _identity(goal: Identity) -> Relations | None:
    where = [sp.Eq(a, b, evaluate=False) for a, b in goal.where.items()]
    return where, sp.Eq(goal.lhs, goal.rhs, evaluate=False)


@relations.register
def _gram(goal: GramBound) -> Relations | None:
    premises = [sp.Ge(e, 0, evaluate=False) for _, e in goal.given]
    return [*goal.domain, *premises], sp.Le(goal.lhs, goal.rhs, evaluate=False)


@relations.register
def _lengths(goal: LengthBound) -> Relations | None:
    where = [sp.Eq(a, b, evaluate=False) for a, b in (goal.where or {}).items()]
    return [*where, *goal.domain], sp.Le(goal.lhs, goal.rhs, evaluate=False)


@relations.register
def _feasible(goal: Feasible) -> Relations | None:
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


def certificate_of(goal: Goal, said: Said = None) -> Certificate | None:
    """Return a certificate of a goal that passes the checker, or None where none was found.

    `said` is the goal with its expectations as they stand, if it has any: then the certificate states it, too.
    """
    try:
        found = _certificate_of(goal)
        found = _with_statement(found, goal, said) if found and said else found
    except InputError:
        # The grammar has no words for the goal.
        return None
    return found if found is not None and _passes({"id": "goal", **found}) else None


def fresh_certificate(goal: Goal, said: Said = None) -> Certificate | None:
    """Return a certificate of a goal with no more hypotheses than the goal has, or None where none was found.

    What is divided by is shown not to be 0, but for the N - 1 that only what deviates from a mean is divided by.
    `said` is the goal with its expectations as they stand, if it has any.
    """
    if isinstance(goal, AnyOf):
        return next(filter(None, map(fresh_certificate, goal.goals)), None)
    if isinstance(goal, (AllFrom, OnBox, Feasible)):
        made = certificate_of(goal)
        if made is not None or not isinstance(goal, AllFrom):
            return made
        # By what is known of exp, log and powers everywhere.
        start = sp.Ge(goal.variable, goal.start, evaluate=False)
        return fresh_certificate(Real(goal.lhs, goal.rhs, (start,), (), goal.divides))
    found = relations(goal)
    if found is None:
        return None
    known, shows = _whole_relations(goal, found)
    divided = list(getattr(goal, "divides", ()))
    if isinstance(goal, (Identity, GramBound)):
        divided += [d for side in (goal.lhs, goal.rhs) for d in divisors_of_form(side)[0]]
        shows = shows.func(_by_products(shows.lhs), _by_products(shows.rhs), evaluate=False)
    try:
        asked = StatementDraft(known, shows)
        wanted = (*goal.domain, *goal.laws) if isinstance(goal, GramBound) else ()
        made = gram(shows.lhs, shows.rhs, wanted, goal.given) if isinstance(goal, GramBound) else None
        made = made or real(known, shows)
        apart = made is not None and all(_is_nonzero(known, d) for d in plain_divisors(dict.fromkeys(divided)))
        made = _with_statement(made, goal, said) if made and said else made
    except InputError:
        return None
    if made is None or not apart or not _passes({"id": "goal", **made}):
        return None
    differ = {text_of(sp.Ne(h.lhs - h.rhs, 0, evaluate=False)) for h in known if isinstance(h, sp.Ne)}
    more = set(made["given"]) - set(asked.statement.given) - differ
    spread = any(sort == "family" for sort in made["letters"].values())
    return made if not more or (spread and more <= {"N - 1 != 0"}) else None


def _whole_relations(goal: Goal, found: Relations) -> Relations:
    """Return relations of a goal with what its laws, and the domain of an identity, say besides."""
    given, shows = found
    return [*given, *getattr(goal, "laws", ()), *(goal.domain if isinstance(goal, Identity) else ())], shows


def _said_relations(goal: Goal, said: UntakenGoal) -> tuple[Relations, Relations] | None:
    """Return the hypotheses and conclusion of a goal, its expectations taken and as they stand."""
    taken, untaken = relations(goal), relations(said.goal)
    if taken is None or untaken is None:
        return None
    return _whole_relations(goal, taken), _whole_relations(said.goal, untaken)


def _with_statement(certificate: Certificate, goal: Goal, said: UntakenGoal) -> Certificate | None:
    """Return a certificate with the statement that has expectations, that of one client apart where it must be."""
    both = _said_relations(goal, said)
    if both is None:
        return None
    premises = goal.given if isinstance(goal, GramBound) else ()
    several = _speaks_of_several(both[0], said)
    found = with_statement(certificate, *both, said, premises=premises, several=several)
    if found is None or several or _passes({"id": "goal", **found}):
        return found
    return with_statement(certificate, *both, said, premises=premises, several=several, one_client=True)


def _speaks_of_several(taken: Relations, said: UntakenGoal) -> bool:
    """Whether a statement is about two clients at least: by what is given, or as its text divides by N - 1."""
    if said.clients is None:
        return False
    return said.divides_by(said.clients - 1) or _is_nonzero(taken[0], said.clients - 1)


def _by_products(side: sp.Expr) -> sp.Expr:
    """Return a form with one weight an inner product, as a quotient of factors: N (N - 1), not N^2 - N."""
    form = sp.collect(sp.expand(side), sorted(side.atoms(INNER), key=str), evaluate=False)
    return sp.Add(*(product * sp.factor(weight) for product, weight in form.items()))


def _is_nonzero(known: Sequence[sp.Basic], divisor: sp.Expr) -> bool:
    """Whether a divisor is shown to be positive or negative, or is said not to be 0."""
    said = {sign * sp.expand(h.lhs - h.rhs) for h in known if isinstance(h, sp.Ne) for sign in (1, -1)}
    shown = (real(known, relation(divisor, 0)) for relation in (sp.Gt, sp.Lt))
    return sp.expand(divisor) in said or any(c is not None and _passes({"id": "divisor", **c}) for c in shown)


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


def belongs(certificate: Certificate, goal: Goal, said: Said = None) -> bool:
    """Whether a certificate states what a goal asks; hypotheses that denominators are not zero may be added."""
    if said is not None and not _says(certificate, goal, said):
        return False
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


def _says(certificate: Certificate, goal: Goal, said: UntakenGoal) -> bool:
    """Whether a certificate states a goal with its expectations; that of one client is the kernel's to compare."""
    both = _said_relations(goal, said)
    if both is None:
        return False
    asked = statement_of(certificate, *both, said, several=_speaks_of_several(both[0], said))
    found = certificate.get(EXPECTATION, {})
    return asked is not None and asked == {key: part for key, part in found.items() if key != "one"}


@cache
def shipped_certificates() -> dict[str, Certificate]:
    """Return the certificates that come with the package, by id, not yet checked."""
    found: dict[str, Certificate] = {}
    for file in FOLDER.iterdir():
        if file.name.endswith(".json"):
            found |= {c["id"]: c for c in json.loads(file.read_text(encoding="utf-8"))}
    return found


def check_parts(claim: str, goal: Goal, statement: Statement) -> list[bool]:
    """Return for every part of a claim's goal whether a shipped certificate states it and passes the checker."""
    goals = list(parts(goal))
    return [
        _is_certified(shipped_certificates().get(name), part, said)
        for name, part, said in zip(names(claim, len(goals)), goals, untaken_goals(statement, len(goals)), strict=True)
    ]


def _is_certified(certificate: Certificate | None, goal: Goal, said: Said) -> bool:
    if certificate is None or not belongs(certificate, goal, said) or not _passes(certificate):
        return False
    # That a divisor is not 0 may be a hypothesis of the certificate's own, and what cancels is not seen by it.
    return not isinstance(goal, (Real, Identity, GramBound)) or goal.check_defined(TIMEOUT) is None


def write(certificates: Iterable[Certificate], file: Path) -> None:
    """Write certificates into a file, one a line."""
    lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in certificates)
    write_whole(file, f"[\n{lines}\n]\n")
