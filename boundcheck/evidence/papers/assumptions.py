"""Does a problem satisfy an assumption of a paper?  Read off its certified constants, with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.bounds.assumptions import ASSUMPTIONS, of_paper
from boundcheck.errors import UnknownNameError
from boundcheck.notation import PAPERS

if TYPE_CHECKING:
    from boundcheck.bounds.assumptions import Assumption
    from boundcheck.problems.base import Problem
    from boundcheck.verdicts.words import AssumptionWord

_OF_SADDLES = {"mu", "Phi_star", "L_block"}
"""Letters that only problems with a max block have."""


@dataclass(frozen=True)
class AssumptionAnswer:
    """An answer, and what it rests on."""

    assumption: str
    problem: str
    status: AssumptionWord
    constants: dict[str, float]
    """Values of the letters that the assumption asks for, as far as they are known."""
    reason: str

    def __str__(self) -> str:
        return f"{self.assumption} on {self.problem}: {self.status} ({self.reason})"


def satisfies(problem: Problem, assumption: str | Assumption) -> AssumptionAnswer:
    """Return whether a problem satisfies an assumption.

    Parameters
    ----------
    problem : Problem
        With its certified constants.
    assumption : str or Assumption
        A name of `boundcheck.bounds.assumptions.ASSUMPTIONS`, or a record.

    Returns
    -------
    AssumptionAnswer

    Raises
    ------
    UnknownNameError
        If there is no such assumption.
    """
    if isinstance(assumption, str):
        if assumption not in ASSUMPTIONS:
            raise UnknownNameError("assumption", assumption, ASSUMPTIONS)
        assumption = ASSUMPTIONS[assumption]
    status, reason = _answer(problem, assumption)
    known = {x: problem.constants[x].value for x in assumption.letters if x in problem.constants}
    return AssumptionAnswer(assumption.id, problem.name, status, known, reason)


def satisfies_paper(problem: Problem, paper: str) -> list[AssumptionAnswer]:
    """Return the answers for all assumptions of a paper.

    Raises
    ------
    UnknownNameError
        If there is no such paper.
    """
    if paper not in PAPERS:
        raise UnknownNameError("paper", paper, PAPERS)
    return [satisfies(problem, assumption) for assumption in of_paper(paper)]


def _answer(problem: Problem, assumption: Assumption) -> tuple[AssumptionWord, str]:
    if assumption.about == "run":
        return "asks a run", assumption.note or "about a method's trajectory"
    if assumption.about == "quantiser":
        return "asks the quantiser", "every quantiser of boundcheck.methods.quantise satisfies it with omega = q(d)"
    if not problem.is_minimax and (assumption.paper == "fmgda" and _OF_SADDLES & set(assumption.letters)):
        return "no", f"{problem.name} has no max block"
    if assumption.independent and not problem.has_independent_noise:
        return "no", "the noise is common to the clients"
    absent = [x for x in assumption.letters if x not in problem.constants]
    if absent:
        return _without(problem, absent)
    status: AssumptionWord = "yes" if problem.radius is None else "on a ball"
    return status, _reasons(problem, assumption)


def _without(problem: Problem, absent: list[str]) -> tuple[AssumptionWord, str]:
    """Return what follows from constants that a problem does not have: its family says which do not exist."""
    declared = problem.certified_constants()
    missing = [x for x in absent if x in declared]
    if missing:
        return "no", f"there is no {', '.join(missing)} on this problem"
    return "not known", f"no {', '.join(absent)} is claimed"


def _reasons(problem: Problem, assumption: Assumption) -> str:
    """Return the reasons of the constants, where they hold, and how they are known."""
    said = [_describe_constant(problem, letter) for letter in assumption.letters]
    if assumption.independent:
        said.append("clients draw independently")
    if problem.radius is not None:
        said.append(f"for |x| <= {problem.radius:g}")
    return "; ".join(said)


def _describe_constant(problem: Problem, letter: str) -> str:
    constant = problem.constants[letter]
    word = ", vouched for" if constant.vouched else ""
    return f"{letter} = {constant.value:.4g} ({constant.kind}{word}: {constant.reason})"
