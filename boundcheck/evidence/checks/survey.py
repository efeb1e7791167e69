"""What a theorem promises and whether it can keep it, computed without running anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.bounds.orders import exponents
from boundcheck.bounds.units import findings
from boundcheck.errors import BoundcheckError, NotApplicableError
from boundcheck.evidence.checks.feasibility import feasibility, informative_from, longest_of
from boundcheck.evidence.trials.examples import SettingSize, example_of, letters_at_zero, size_within
from boundcheck.evidence.trials.fitting import units_of
from boundcheck.files.display import shows
from boundcheck.problems import load_problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.bounds import Bound
    from boundcheck.bounds.orders import Exponents


SURVEYED = (8, 4)
"""Clients and local steps at which the first horizon that says something is looked for."""


@shows("id", "form", "kind", "feasible", "exponents", "informative_from")
@dataclass(frozen=True)
class SurveyLine:
    """One line about a bound."""

    id: str
    paper: str
    title: str
    form: str
    kind: str
    feasible: bool | None
    """Whether its conditions can be met; None if that is open."""
    feasible_because: str
    example: dict[str, float]
    """Values that meet every condition."""
    units: list[str]
    """Places where units are mixed; none if the bound is homogeneous."""
    exponents: dict[str, str]
    """Power of N, S, K and T with which the right-hand side grows; empty where it is none, as of a product."""
    rounds: str | None
    """p in: rounds ~ eps^(-p)."""
    local_steps: str | None
    """p in: local steps of a client ~ eps^(-p)."""
    problem: str
    N: int
    S: int
    K: int
    """Clients, those that take part in a round, and local steps at which it is asked."""
    informative_from: int | None
    """First horizon at which it beats the trivial bound on `problem`."""
    informative_note: str
    """Why no horizon can be named."""
    at_zero: list[str]
    """Letters of a run that are 0 there, since nothing smaller always serves: with those of a run it is later."""
    looked_to: int
    """The last horizon that was looked at."""

    @property
    def size(self) -> SettingSize:
        """Return where it is asked."""
        return SettingSize(self.N, self.S, self.K)

    @property
    def silence(self) -> str:
        """Return up to where a bound is vacuous, in words; empty where no horizon can be named."""
        if self.informative_note:
            return ""
        if self.informative_from:
            return f"vacuous below T = {self.informative_from:,}"
        return "no T meets its conditions" if self.feasible is False else f"vacuous up to T = {self.looked_to:g}"


def survey(
    bound: Bound,
    problem: str | None = None,
    *,
    N: int = SURVEYED[0],
    K: int = SURVEYED[1],
    at: Mapping[str, float] | None = None,
) -> SurveyLine:
    """Return what `bound` promises.

    Parameters
    ----------
    bound : Bound
    problem : str, optional
        Where to look for the first horizon that says something; by default one a paper.
    N, K : int
        Clients and local steps there; where its conditions do not allow them, others that they allow.
    at : mapping, optional
        Letters to fix while asking whether the conditions can be met.
    """
    named = problem or example_of(bound)
    size = size_within(bound, named, N, K)
    where = load_problem(named, N=size.N)
    found, powers = feasibility(bound, at=at), _known_powers(bound)
    try:
        start, why = informative_from(bound, where, K=size.K, S=size.S), ""
    except NotApplicableError as error:
        start, why = None, str(error)
    return SurveyLine(
        id=bound.id,
        paper=bound.paper,
        title=bound.title,
        form=bound.form,
        kind=bound.kind,
        feasible=found.feasible,
        feasible_because=found.detail,
        example=found.example,
        units=[f"{f.place}: {f.reason}" for f in findings(bound, units_of(bound))],
        exponents={letter: str(getattr(powers, letter)) for letter in ("N", "S", "K", "T")} if powers else {},
        rounds=None if powers is None or powers.rounds is None else str(powers.rounds),
        local_steps=None if powers is None or powers.samples is None else str(powers.samples),
        problem=where.name,
        **size._asdict(),
        informative_from=start,
        informative_note=why,
        at_zero=letters_at_zero(bound),
        looked_to=longest_of(bound),
    )


def _known_powers(bound: Bound) -> Exponents | None:
    """Return the powers that a bound promises, None where its formulas have parts of no known order."""
    try:
        return exponents(bound)
    except BoundcheckError:
        return None
