"""What a claim is, what a prover answers, and what the ledger records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

from boundcheck.errors import BoundcheckError, InputError, require
from boundcheck.files.display import shows
from boundcheck.proofs.language.stated import TextStatement
from boundcheck.proofs.language.steps import Relation, Step
from boundcheck.verdicts.words import ProverWord

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.proofs.language.affine import Range
    from boundcheck.proofs.language.grammar import Node
    from boundcheck.verdicts.words import ClaimWord

STRENGTH: tuple[ProverWord, ...] = get_args(ProverWord)
NOT_LEGAL: ClaimWord = "not legal"
"""The word for a claim of a file whose text, or a step of it, is not legal: the others are decided all the same."""
Trust = Literal[
    "",
    "certificate checked",
    "solver",
    "exact arithmetic",
    "witness rechecked",
    "searched",
    "kernel",
]
"""What a verdict rests on; of several parts the weakest."""
Kind = Literal["printed line", "arithmetic", "repair", "sharpening", "textbook fact", "remark", "rewriting", "reading"]
"""What a claim decides: `boundcheck.proofs.ledger.classes.MEANINGS` has the meanings."""
Weight = Literal["", "theorem", "step"]
"""Where a refuted line weighs more than the ledger can see; see `boundcheck.proofs.ledger.classes.severity_of`."""
Statement = TextStatement | Relation | Callable[[], "Goal"]
"""What a claim says, before any prover is asked."""
Witness = Mapping[str, "float | str | tuple[object, ...]"]


@dataclass(frozen=True)
class Outcome:
    """What a prover answers about one goal."""

    verdict: ProverWord
    """``proved`` is exact by the prover's own word, which makes a claim *proved* only once the kernel has accepted a
    certificate, ``solver only`` otherwise; ``refuted`` is rechecked at its witness; ``vacuous``: no values meet the
    hypotheses with both sides defined; ``supported`` is what a search could not break."""
    witness: Witness | None = None
    """Values (numbers, exact rationals as strings, or coordinates of vectors) where the goal fails."""
    replay: str | None = None
    """Plain numpy lines that show the failure; only ``import numpy as np`` is needed."""
    detail: str = ""
    """How it was decided, in one line."""
    slack: float | None = None
    """Largest lhs/rhs that a search met; 1 for a sharp bound."""
    tries: int = 0
    """How many instances a search evaluated."""
    prover: str = ""
    """Which prover answered, where a goal has several."""


class Goal(Protocol):
    """A statement that one prover can decide."""

    @property
    def prover(self) -> str:
        """Name of the prover that decides this goal."""

    def decide(self, timeout: float) -> Outcome:
        """Decide; a question to a solver may take the work of `timeout` seconds of an idle machine."""


@dataclass(frozen=True)
class AllOf:
    """The conjunction of several goals: proved when all are, refuted as soon as one is.

    Parameters
    ----------
    goals : tuple of Goal
        At least one.  Decided in order; the first one that is not proved gives the answer.
    """

    goals: tuple[Goal, ...]

    def __post_init__(self) -> None:
        require(bool(self.goals), "goals", self.goals, "at least one goal: nothing is shown by none")

    @property
    def prover(self) -> str:
        """Names of the provers involved, each once."""
        return "+".join(dict.fromkeys(goal.prover for goal in self.goals))

    def decide(self, timeout: float) -> Outcome:
        """Decide every goal; a refutation outweighs an undecided one, and that a vacuous one."""
        outcomes = [goal.decide(timeout) for goal in self.goals]
        for verdict in ("refuted", "undecided", "vacuous"):
            for outcome in outcomes:
                if outcome.verdict == verdict:
                    return outcome
        searched = [o for o in outcomes if o.verdict == "supported"]
        detail = "; ".join(o.detail for o in searched or outcomes if o.detail)
        if not searched:
            return Outcome("proved", detail=detail)
        slack = max((o.slack for o in searched if o.slack is not None), default=None)
        return Outcome("supported", detail=detail, slack=slack, tries=sum(o.tries for o in searched))


@dataclass(frozen=True)
class AnyOf:
    """One statement given to several provers: the strongest answer stands.

    Parameters
    ----------
    goals : tuple of Goal
        Forms of the same statement, at least one.  Proved or refuted beats supported, supported beats undecided.
    """

    goals: tuple[Goal, ...]

    def __post_init__(self) -> None:
        require(bool(self.goals), "goals", self.goals, "at least one goal: nothing is shown by none")

    @property
    def prover(self) -> str:
        """Names of the provers asked, each once."""
        return "|".join(dict.fromkeys(goal.prover for goal in self.goals))

    def decide(self, timeout: float) -> Outcome:
        """Ask every prover and say which one gave the answer.

        Raises
        ------
        BoundcheckError
            If one prover proves what another refutes: the forms are then not the same statement, or a prover is wrong.
        """
        answers = [(goal, goal.decide(timeout)) for goal in self.goals]
        found = {outcome.verdict for _, outcome in answers}
        if {"proved", "refuted"} <= found:
            who = ", ".join(f"{outcome.verdict} by {goal.prover}" for goal, outcome in answers)
            msg = f"the provers contradict each other: {who}"
            raise BoundcheckError(msg)
        goal, best = min(answers, key=lambda answer: STRENGTH.index(answer[1].verdict))
        return replace(best, prover=best.prover or goal.prover)


@shows("id", "title", "where", "repaired_by")
@dataclass(frozen=True)
class Claim:
    """One step of a proof: a statement, its place in a text, and the claims that it stands on.

    A short claim is about numbers and vectors and is decided alone; a long one is a relation of a whole proof, decided
    with its file from its steps.  No claim stores an expected verdict: what decides it answers.
    """

    id: str
    """Of a paper's claim its id from `boundcheck.notation.PAPERS`, a dot, and a short name."""
    title: str
    """What the step does, in one line."""
    where: str
    """Where it is printed: lemma, equation, line of the paper's text."""
    prose: str
    """Words that are not decided, such as the line in the paper's notation; shown as words, never as a formula."""
    goal: Statement
    """What is said: text, from which `boundcheck.proofs.goals.goal_of` makes the goal; a relation of a whole proof; for
    a search or an enumeration a function that builds the goal, so that listing claims imports no solver."""
    hypotheses: tuple[str, ...] = ()
    """What the statement stands under, in words, beyond what it takes as given; ``unstated: ...`` where the paper does
    not say so."""
    repaired_by: str | None = None
    """Claim that stands in the place of this one, should it be refuted."""
    steps: tuple[Step, ...] = ()
    """The claims that the proof of this one uses; ids, as text, are read as steps."""
    renaming: Mapping[str, str] = field(default_factory=dict)
    """For letters of the statement what is printed in their place: ``{"ekl": "eta*K*L"}``."""
    kind: Kind = "printed line"
    """What the claim decides."""
    weight: Weight = ""
    """How much it weighs should it be refuted, where the steps of other claims do not tell."""
    base: tuple[Step, ...] = ()
    """Steps of the first case: of an induction, of two cases that are given, or that a letter is 0."""
    induction: str = ""
    """Index letter of an induction; the hypothesis is the step ``self``."""
    vanishing: str = ""
    """Letter >= 0 that is 0 in one case, in which `base` takes the place of `steps`, and positive in the other."""

    def __post_init__(self) -> None:
        steps = tuple(Step(step) if isinstance(step, str) else step for step in self.steps)
        object.__setattr__(self, "steps", steps)

    @property
    def paper(self) -> str:
        """Paper id: what precedes the dot."""
        return self.id.partition(".")[0]

    @property
    def step_ids(self) -> tuple[str, ...]:
        """The ids of the claims that it stands on."""
        return tuple(step.id for step in self.steps)

    @property
    def statement(self) -> tuple[str, ...]:
        """What is decided, a line each; of a search or an enumeration the words."""
        text: tuple[str, ...] = getattr(self.goal, "text", (self.prose,))
        return text

    @property
    def printed(self) -> tuple[str, ...]:
        """What a short claim decides as a paper would print it, a line each; empty for a search or an enumeration."""
        return self._typeset_part("shows")

    @property
    def printed_given(self) -> tuple[str, ...]:
        """What every line of a short claim takes as given, as a paper would print it."""
        return self._typeset_part("given")

    def _typeset_part(self, part: str) -> tuple[str, ...]:
        from boundcheck.proofs.language.printing import typeset_line

        lines = () if isinstance(self.goal, Relation) else getattr(self.goal, part, ())
        return tuple(typeset_line(line, self.renaming) for line in lines)

    @property
    def text(self) -> str:
        """The statement, with how it follows: what is hashed and exported."""
        by = [f"by induction on {self.induction}"] * bool(self.induction)
        by += [f"by cases of {self.vanishing} = 0 and > 0"] * bool(self.vanishing)
        by += [f"base {step}" for step in self.base] + [f"step {step}" for step in self.steps]
        if isinstance(self.goal, Relation):
            return "\n".join([*self.goal.premises, *by, *self.goal.conclusion])
        return "\n".join([*by, *self.statement])

    @property
    def hash(self) -> str:
        """The hash of the statement and its steps."""
        return sha256(self.text.encode()).hexdigest()

    def sentence(self, more: Iterable[Node] = ()) -> str:
        """Return what the claim shows and under which hypotheses in one line, `more` of a whole proof among these."""
        if isinstance(self.goal, Relation):
            return self.goal.sentence(more)
        given = getattr(self.goal, "given", ())
        shows = "; ".join(getattr(self.goal, "shows", self.statement))
        return shows + (f" if {', '.join(given)}" if given else "")

    @property
    def relation(self) -> Relation:
        """The statement of a claim of a whole proof.

        Raises
        ------
        InputError
            If the claim stands alone.
        """
        if isinstance(self.goal, Relation):
            return self.goal
        msg = f"claim = {self.id!r} is not legal: it stands alone; a claim of a whole proof has a relation and steps"
        raise InputError(msg)

    def restate(self, **changes: Any) -> Claim:
        """Return the claim of a whole proof with parts of its relation changed: ``restate(shows=node)``."""
        return replace(self, goal=replace(self.relation, **changes))

    @property
    def shows(self) -> Node:
        """The relation that a claim of a whole proof shows."""
        return self.relation.shows

    @property
    def over(self) -> Mapping[str, Range]:
        """Its index letters, with their ranges."""
        return self.relation.over

    @property
    def given(self) -> tuple[Node, ...]:
        """What it takes as given, relations between letters."""
        return self.relation.given

    @property
    def cases(self) -> tuple[tuple[Node, ...], ...]:
        """What is given besides in each of two cases; `base` are the steps of the first."""
        return self.relation.cases

    @property
    def at(self) -> Mapping[str, Node]:
        """Letters with what is put for them in the one step."""
        return self.relation.at

    @property
    def letters(self) -> set[str]:
        """The letters of the statement of a whole proof."""
        return self.relation.letters


@shows("id", "verdict", "trust", "witness", "detail")
@dataclass(frozen=True)
class Proof:
    """The ledger's line about one claim."""

    id: str
    """Claim id."""
    paper: str
    """Paper id."""
    where: str
    """Where the step is printed."""
    verdict: ProverWord
    """What the prover found."""
    prover: str
    """Which prover decided."""
    seconds: float
    """Wall time, building the goal included."""
    witness: Witness | None
    """Values at which a refuted claim fails."""
    replay: str | None
    """Plain numpy lines that show a refuted claim failing."""
    repaired_by: str | None
    """Claim that stands in the place of a refuted one."""
    detail: str
    """How it was decided, in one line."""
    slack: float | None = None
    """Largest lhs/rhs that a search met."""
    tries: int = 0
    """How many instances a search evaluated."""
    trust: Trust = ""
    """What the verdict rests on; empty where there is none."""
