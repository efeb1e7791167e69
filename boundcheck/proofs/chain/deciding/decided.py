"""What came out about a claim of a whole proof: the parts that were decided, and what it takes as given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.proofs.algebra.relation import Premise
    from boundcheck.proofs.algebra.semidefinite import Square
    from boundcheck.proofs.algebra.signs import Signs
    from boundcheck.proofs.language.affine import Affine
    from boundcheck.proofs.language.claim import Claim
    from boundcheck.proofs.language.forms import Coefficient, Term
    from boundcheck.proofs.language.grammar import Node
    from boundcheck.proofs.language.setting import ProofSetting
    from boundcheck.proofs.language.steps import Step


@dataclass(frozen=True)
class ProofPart:
    """One inequality that was decided: the whole claim, or a case of an induction."""

    multipliers: tuple[tuple[str, Coefficient], ...]
    """Each premise with what it is multiplied by."""
    squares: tuple[Square, ...]
    weights: tuple[tuple[Term, Coefficient], ...]
    """Nonnegative terms with their nonnegative weights."""
    target: Premise = field(compare=False)
    """What was decided, after all equations."""
    premises: tuple[Premise, ...] = field(compare=False)
    """What it was decided from, in the order of the multipliers."""
    signs: Signs = field(compare=False, repr=False)
    """What showed the signs of multipliers and weights."""
    own: int = field(default=0, compare=False)
    """How many hypotheses, the first ones, the claim has in every case."""
    least: Affine | None = None
    """The index at which what is least over all indices is shown to be small; None where their mean is."""
    searched: bool = field(default=False, compare=False)
    """Whether the multipliers were looked for, as those of the steps do not serve or are not said."""

    @property
    def hypotheses(self) -> Sequence[Any]:
        """Return what the claim takes as given of letters, as polynomials that are not negative."""
        return self.signs.hypotheses[: self.own]


@dataclass(frozen=True)
class AtValues:
    """A claim at values of horizons and sizes: those that it is given, or all cases of a horizon, one by one."""

    given: tuple[str, ...]
    """Letters whose values the claim is given."""
    split: Mapping[str, int]
    """Horizons of which cases are distinguished, with the first value of the last case."""
    label: str
    """The case, as the kernel calls it."""
    outcome: ClaimOutcome
    setting: ProofSetting
    """The setting at these values."""


@dataclass(frozen=True)
class ClaimOutcome:
    """What came out about one claim."""

    claim: Claim
    proved: bool
    """Whether it follows from its steps under all that is `given`; with something `inherited`, not as it is stated."""
    why: str = ""
    """What is missing, where it is not proved."""
    parts: tuple[ProofPart, ...] = ()
    inherited: tuple[Node, ...] = ()
    """Hypotheses of steps that do not follow from what is given here."""
    leaves: frozenset[str] = frozenset()
    """Assumptions, facts and equations that the claim itself uses."""
    rules: frozenset[str] = frozenset()
    equal: frozenset[str] = frozenset()
    """Leaves and claims |w|^2 = 0 that are used as equations, beside the claims about an entry that always are."""
    added: tuple[Step, ...] = ()
    """Equations and laws of the file that the claim does not name and follows with."""
    refused: bool = False
    """Whether the search has a proof that the kernel does not accept."""
    cases: tuple[AtValues, ...] = ()
    """What was decided at values of horizons and sizes, where that is how it is proved."""

    @property
    def word(self) -> str:
        """Return what is known of the claim as it is stated: proved, conditional or not proved."""
        return "not proved" if not self.proved else "conditional" if self.inherited else "proved"

    @property
    def statement(self) -> str:
        """Return what was proved: the claim with all that it takes as given, what is inherited included."""
        return self.claim.sentence(self.inherited)

    @property
    def given(self) -> tuple[Node, ...]:
        """Return all that the claim takes as given."""
        return (*self.claim.given, *self.inherited)
