"""From a statement that stands alone to a goal: what it says decides which prover answers.

Read `letters` (what names stand for), `reader` (from trees to numbers) and `lines` (from a line to a goal).  Nothing
of these is imported until a goal is asked for: listing claims loads no solver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.language.stated import TextStatement
from boundcheck.proofs.language.steps import Relation

if TYPE_CHECKING:
    from boundcheck.proofs.language.claim import Goal, Statement


def goal_of(statement: Statement) -> Goal:
    """Return the goal of a statement, `Claim.goal`: of text what it spells, of a function what it builds.

    Parameters
    ----------
    statement : TextStatement, Relation or callable

    Raises
    ------
    InputError
        If a text is not legal; names it and what would be.  For a relation of a whole proof always: no prover answers
        for it alone.
    """
    if isinstance(statement, TextStatement):
        from boundcheck.proofs.goals.lines import goal

        return goal(statement.shows, statement.given, statement.letters)
    if isinstance(statement, Relation):
        shows = "; ".join(statement.conclusion)
        msg = f"{shows!r} is a relation of a whole proof: its claim file is decided, boundcheck prove FILE"
        raise InputError(msg)
    return statement()
