"""A run that meets all that a claim stands on: what is proved from leaves that no run meets says nothing.

The run is a model as in `unrolled`, evaluated in fractions: every equation, every leaf at all its indices or points,
and what is given.  Where none is met the leaves may still be met together: the search is short, its models small.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.chain.deciding.laws import NotProvedError
from boundcheck.proofs.chain.deciding.prover import Attempt, Prover
from boundcheck.proofs.chain.refuting.model import NoModelError
from boundcheck.proofs.chain.refuting.unrolled import FailureSearch, failure
from boundcheck.proofs.chain.whole.proof import ProofTree
from boundcheck.proofs.language.grammar import read_relation

if TYPE_CHECKING:
    from boundcheck.proofs.chain.deciding.decided import ClaimOutcome
    from boundcheck.proofs.chain.refuting.unrolled import Failure
    from boundcheck.proofs.language.claim import Claim

_WORK = 60_000
"""Most expressions that are evaluated in one search for a run."""


@dataclass
class SatisfyingRuns:
    """Runs of a file that meet leaves and hypotheses; one that is found for a claim often serves the next."""

    prover: Prover
    found: list[Failure] = field(default_factory=list)
    none: set[tuple[object, ...]] = field(default_factory=set)
    """Leaves and hypotheses for which no run is met."""

    def meets(self, one: ClaimOutcome) -> bool | None:
        """Return whether a run is met in which all holds that a claim stands on; None where that is not asked.

        All leaves of the file are asked for first, then those alone that the claim stands on.
        """
        claim = one.claim
        if claim.at or claim.cases or self.prover.setting.coordinates:
            return None
        absurd = replace(_absurd(one), steps=(), base=(), induction="", vanishing="")
        used = ProofTree(claim.id, self.prover.setting, self.prover.found, ())
        names = frozenset().union(*(self.prover.found[name].leaves for name in used.below(claim.id)))
        return self._is_met(self.prover, absurd, "") or self._is_met(self._with_leaves(names), absurd, names)

    def excludes(self, one: ClaimOutcome) -> bool:
        """Return whether what is absurd follows from the steps of a claim, so that it says nothing."""
        if one.claim.induction or one.claim.vanishing:
            return False
        absurd = _absurd(one)
        absurd = replace(absurd, steps=tuple(replace(step, multiplier=None) for step in (*absurd.steps, *one.added)))
        try:
            return Attempt(self.prover, absurd).conclude().proved
        except (NotProvedError, InputError):
            return False

    def _with_leaves(self, names: frozenset[str]) -> Prover:
        setting = self.prover.setting
        leaves = {name: leaf for name, leaf in setting.leaves.items() if name in names}
        return Prover(replace(setting, leaves=leaves), book=self.prover.book)

    def _is_met(self, prover: Prover, absurd: Claim, leaves: object) -> bool:
        key = (leaves, absurd.given, tuple(absurd.over.items()))
        if key in self.none:
            return False
        if any(_holds_in(run, prover, absurd) for run in self.found):
            return True
        run = failure(prover, absurd, work=_WORK)
        if run is None:
            self.none.add(key)
            return False
        self.found.append(run)
        return True


def _absurd(one: ClaimOutcome) -> Claim:
    """Return the claim that 1 <= 0 wherever a claim speaks."""
    return one.claim.restate(shows=read_relation("1 <= 0"), given=one.given)


def _holds_in(run: Failure, prover: Prover, absurd: Claim) -> bool:
    """Return whether a run that was found before meets what this claim stands on, at an index of its own."""
    try:
        search = FailureSearch(prover, absurd)
        return any(search.fails(replace(run, at=at)) for at in run.shape.places(absurd.over))
    except (NoModelError, InputError, KeyError):
        return False
