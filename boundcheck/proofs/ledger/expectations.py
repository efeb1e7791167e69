"""What a certificate says in words of chance: the statement with its E(...), noises and draws, which the kernel reads.

The search decides a statement once its expectations are taken, and its certificate is about what is left.  Here the
statement itself is written beside it; the kernel takes the expectations anew and compares.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy as sp

from boundcheck.proofs.certificates import gram, real
from boundcheck.proofs.certificates.build import StatementDraft
from boundcheck.proofs.certificates.statement import INNER, rebuilt, sort_of, text_of
from boundcheck.proofs.goals.lines import read_goals
from boundcheck.proofs.kernel.certificates import EXPECTATION
from boundcheck.proofs.language.claim import AllOf
from boundcheck.proofs.language.grammar import node_text
from boundcheck.proofs.language.stated import TextStatement
from boundcheck.proofs.provers.defined import divisors, plain_divisors
from boundcheck.proofs.provers.expectation import NoiseSymbol
from boundcheck.proofs.provers.hilbert import DEVIATION, MEAN

if TYPE_CHECKING:
    from boundcheck.proofs.goals.letters import Letters
    from boundcheck.proofs.language.claim import Goal, Statement

Certificate = dict[str, Any]
Relations = tuple[list[sp.Basic], sp.Basic]
"""What is given, and what is shown."""
Premises = tuple[tuple[sp.Expr, sp.Expr], ...]
"""Multipliers, with what is known to be nonnegative."""
_LETTER = re.compile(r"expectation\d+_")
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class UntakenGoal:
    """A goal with a letter in the place of each E(...)."""

    goal: Goal
    letters: Letters

    def text(self, line: str) -> str:
        """Return a relation with the expectations in the place of their letters."""
        said = {symbol.name: node_text(node) for symbol, node in (self.letters.unread or {}).items()}
        return _LETTER.sub(lambda found: said[found[0]], line)

    @property
    def clients(self) -> sp.Symbol | None:
        """The number of clients that are drawn from, where it is a letter."""
        found = [law.N for law in self.letters.laws.values() if not isinstance(law, NoiseSymbol)]
        return next((n for n in found if n.is_Symbol), None)

    @property
    def ones(self) -> list[sp.Symbol]:
        """The letters that are 1 where there is one client: their number, and the sizes of samples."""
        laws = [law for law in self.letters.laws.values() if not isinstance(law, NoiseSymbol) and law.is_sample]
        sizes = [law.share * law.N for law in laws if law.share is not None]
        return [one for one in (self.clients, *sizes) if one is not None and one.is_Symbol]

    @property
    def apart(self) -> str:
        """The hypothesis that there are two clients at least, empty where their number is no letter."""
        return "" if self.clients is None else text_of(sp.Ne(self.clients - 1, 0, evaluate=False))

    def divides_by(self, divisor: sp.Expr) -> bool:
        """Whether the text of the statement, outside of its expectations, divides by a number."""
        sides = [getattr(self.goal, name) for name in ("lhs", "rhs")]
        found = plain_divisors((*getattr(self.goal, "divides", ()), *divisors(*sides)))
        return any(sp.cancel(one / divisor).is_polynomial() for one in found)


def untaken_goals(statement: Statement, count: int) -> list[UntakenGoal | None]:
    """Return of each of `count` parts of a statement how it reads with its expectations as they stand, if it has any.

    Where its parts are not one for one those in which expectations are taken, each is all of them, and none is proved.
    """
    if not isinstance(statement, TextStatement) or not any("E(" in one for one in (*statement.shows, *statement.given)):
        return [None] * count
    goals, letters = read_goals(statement.shows, statement.given, statement.letters, taken=False)
    if len(goals) != count:
        return [UntakenGoal(AllOf(tuple(goals)), letters)] * count
    return [UntakenGoal(goal, letters) if _mentions(goal, letters) else None for goal in goals]


def _mentions(goal: Goal, letters: Letters) -> bool:
    """Whether an expectation is part of a goal."""
    parts = [getattr(goal, name, ()) for name in ("lhs", "rhs", "given", "domain", "where")]
    used = set[sp.Basic]().union(*(sp.sympify(one).free_symbols for part in parts for one in _expressions(part)))
    return bool(used & set(letters.unread or {}))


def _expressions(part: Any) -> list[sp.Basic]:
    """Return the expressions in a part of a goal."""
    if isinstance(part, dict):
        return [*part.keys(), *part.values()]
    if isinstance(part, (tuple, list)):
        return [one for some in part for one in _expressions(some)]
    return [] if part is None else [part]


def statement_of(
    certificate: Certificate, taken: Relations, untaken: Relations, said: UntakenGoal, *, several: bool
) -> Certificate | None:
    """Return what a certificate says in words of chance; None where its hypotheses are not one for one those said.

    Parameters
    ----------
    certificate : dict
        About what is left once the expectations are taken.
    taken, untaken : (list of relation, relation)
        The goal's hypotheses and conclusion, with their expectations taken, and with letters for them.
    said : UntakenGoal
    several : bool
        Whether the statement is about two clients at least: else it must not say so.
    """
    plain, spoken = StatementDraft(*taken).statement, StatementDraft(*untaken).statement
    if len(plain.given) != len(spoken.given) or plain.values or spoken.values:
        return None
    more = [line for line in certificate.get("given", []) if line not in plain.given]
    more = [line for line in more if several or line != said.apart]
    random, given, shows = said.letters.random, [*map(said.text, spoken.given), *more], said.text(spoken.shows)
    words = set(_NAME.findall(" ".join([*random, *given, shows])))
    sorts = {name: sort for name, sort in spoken.letters.items() if not _LETTER.fullmatch(name)}
    for name in sorted(words - set(sorts) - set(said.letters.laws) - _WORDS):
        vector = said.letters.vectors.get(name)
        family = vector is not None and any(part.endswith((MEAN, DEVIATION)) for part in vector.parts)
        sorts[name] = "family" if family else "vector" if vector else sort_of(said.letters.number(name))
    return {"letters": sorts, "random": random, "given": given, "shows": shows}


_WORDS = {"E", "mean", "deviation", "sampled", "taken"} | {
    *("noise", "over", "of", "draw", "from", "with", "replacement", "chance", "or")
}
"""Words of declarations and functions, which are no letters."""


def with_statement(
    certificate: Certificate,
    taken: Relations,
    untaken: Relations,
    said: UntakenGoal,
    *,
    premises: Premises = (),
    several: bool,
    one_client: bool = False,
) -> Certificate | None:
    """Return a certificate with what it says in words of chance, and if asked with that of one client.

    Parameters
    ----------
    certificate, taken, untaken, said, several
        As for `statement_of`.
    premises : tuple of (multiplier, expression)
        What is used with given multipliers.
    one_client : bool
        Whether one client is to be spoken of apart, as the laws of two do not hold for it.
    """
    found = statement_of(certificate, taken, untaken, said, several=several)
    if found is None:
        return None
    if one_client and said.clients is not None:
        one = _of_one_client(taken, said.ones, premises)
        if one is None:
            return None
        found["one"] = {"clients": said.clients.name, **one}
    return {**certificate, EXPECTATION: found}


def _of_one_client(taken: Relations, ones: list[sp.Symbol], premises: Premises) -> Certificate | None:
    """Return a certificate for one client, of whom nothing deviates from the mean; None where none was found."""

    def put_one(e: sp.Basic) -> sp.Basic:
        deviations = [g for g in e.atoms(sp.Function(INNER)) if any(a.name.endswith(DEVIATION) for a in g.args)]
        return e.xreplace(dict.fromkeys(deviations, sp.S.Zero)).subs(dict.fromkeys(ones, 1))

    given, shows = [rebuilt(one, put_one) for one in taken[0]], rebuilt(taken[1], put_one)
    if any(one.has(sp.zoo, sp.nan) for one in (*given, shows)):
        return None
    if isinstance(shows, sp.Le):
        used = tuple((put_one(multiplier), put_one(e)) for multiplier, e in premises)
        known = [one for one in given if not any(one.lhs == e for _, e in used)]
        found = gram(shows.lhs, shows.rhs, known, used)
        if found is not None:
            return found
    return real(given, shows)
