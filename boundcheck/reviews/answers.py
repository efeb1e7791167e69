"""What a review found: one record a question."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from boundcheck.files.display import shows
from boundcheck.findings.places import place_words, without_lines

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound
    from boundcheck.evidence.checks.exponents import Fit
    from boundcheck.evidence.search.extremes import Tightness
    from boundcheck.evidence.search.refutation import Refutation
    from boundcheck.evidence.statistics.verdict import Verdict
    from boundcheck.verdicts.status import StatusRecord


@dataclass(frozen=True)
class InformativeHorizon:
    """From which number of rounds on a theorem beats what holds without it."""

    first: int | None
    """None where there is none, or none can be named."""
    where: str
    """The problem and the setting."""
    why: str = ""
    """Why no horizon can be named."""
    at_zero: tuple[str, ...] = ()
    """Letters of a run that are 0 there: with those of a run it is later."""
    looked_to: int = 0
    """The last horizon that was looked at."""


@dataclass(frozen=True)
class RateSeen:
    """The power of T that a theorem promises, and what runs show."""

    promised: str
    """In words."""
    fit: Fit | None = None
    where: str = ""
    why: str = ""
    """Why nothing was fitted."""
    factors: tuple[float, float] | None = None
    """Of a linear rate: by which a round multiplies the right-hand side, and what was measured."""
    room: float | None = None
    """How many times the left-hand side the right one is at the last horizon of a fit."""


@dataclass(frozen=True)
class WorstOfClass:
    """The worst case of the theorem's class beside its right-hand side."""

    case: Tightness | None
    where: str = ""
    why: str = ""
    """Why there is none."""


@dataclass(frozen=True)
class ProofAnswer:
    """What is known of a proof."""

    words: str
    claims: tuple[tuple[str, str], ...] = ()
    """Claims of the file that was given, each with its verdict."""


@shows("bound.id", "verdict", "status.status", "horizon.first", "search.verdict", "worst.where", "unasked")
@dataclass(frozen=True)
class Review:
    """A theorem, and the answers to a reviewer's questions.

    Attributes
    ----------
    bound : Bound
    status : StatusRecord
        The status of a statement: shipped for a registered one, else what this review ran; a violation comes first.
    feasible : bool or None
        Whether the conditions can be met, with `feasible_because` and an example; None is open.
    units : tuple of str
        Places where units are mixed.
    horizon : InformativeHorizon
    spoken_of, looked_at : int
        Problems that meet its assumptions, of so many; `silent_because` is the commonest reason of the others.
    measured : tuple of Verdict
        One a problem.
    search : Refutation or None
        None where nothing could be searched.
    worst : WorstOfClass
    rate : RateSeen
    proof : ProofAnswer
    unasked : tuple of str
        What this review did not ask.
    seconds : float
    cut : tuple of str
        What the seconds cut off, of `unasked`; empty where the outcome depends on the seed alone, but for the search,
        which says by `stopped_by` what ended it.
    """

    bound: Bound
    status: StatusRecord
    feasible: bool | None
    feasible_because: str
    example: dict[str, float]
    units: tuple[str, ...]
    horizon: InformativeHorizon
    spoken_of: int
    looked_at: int
    silent_because: str
    measured: tuple[Verdict, ...]
    search: Refutation | None
    worst: WorstOfClass
    rate: RateSeen
    proof: ProofAnswer
    unasked: tuple[str, ...]
    seconds: float
    cut: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """Return the word that decides: violated if some run of this review is, else the weakest that was said."""
        said = [v.verdict for v in self.measured]
        if self.search is not None and self.search.confirmed is not None:
            said.append(self.search.confirmed.verdict)
        if "violated" in said:
            return "violated"
        order = ("order only", "undecided", "consistent", "holds", "vacuous")
        return next((word for word in order if word in said), "not applicable")

    @property
    def verdicts(self) -> set[str]:
        """Return every word that `--fail-on` may name."""
        return {self.verdict, self.status.status, *(v.verdict for v in self.measured)}

    def data(self) -> dict[str, Any]:
        """Return it as plain data."""
        b = self.bound
        case = self.worst.case
        return {
            "bound": b.id,
            "title": b.title,
            "where": place_words(b.paper, b.where),
            "verdict": self.verdict,
            "status": self.status.status,
            "because": list(self.status.because),
            "statement": {
                "metric": b.metric,
                "method": b.method,
                "kind": b.kind,
                "form": b.form,
                "needs": list(b.needs),
                "terms": {name: str(e) for name, e in b.terms.items()},
                "parameters": {name: str(e) for name, e in b.parameters.items()},
                "conditions": {without_lines(c.label): c.text for c in b.conditions},
                "trivial": str(b.trivial),
            },
            "feasible": self.feasible,
            "feasible_because": self.feasible_because,
            "example": self.example,
            "units": list(self.units),
            "horizon": asdict(self.horizon),
            "spoken_of": self.spoken_of,
            "looked_at": self.looked_at,
            "silent_because": self.silent_because,
            "measured": [v.data() for v in self.measured],
            "search": _without_seconds(self.search.data()) if self.search else None,
            "worst": {
                "where": self.worst.where,
                "why": self.worst.why,
                "case": _without_seconds(case.data()) if case else None,
            },
            "rate": {
                "promised": self.rate.promised,
                "seen": self.rate.fit.exponent if self.rate.fit else None,
                "low": self.rate.fit.low if self.rate.fit else None,
                "high": self.rate.fit.high if self.rate.fit else None,
                "promise": self.rate.fit.promise if self.rate.fit else None,
                "factors": list(self.rate.factors) if self.rate.factors else None,
                "where": self.rate.where,
                "why": self.rate.why,
            },
            "proof": {"words": self.proof.words, "claims": dict(self.proof.claims)},
            "unasked": list(self.unasked),
        }


def _without_seconds(found: dict[str, Any]) -> dict[str, Any]:
    """Return plain data that is the same on every machine."""
    return {name: value for name, value in found.items() if name != "seconds"}
