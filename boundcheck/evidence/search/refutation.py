"""The outcome of a search for a violation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boundcheck.files.display import shows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.evidence.search.instances import TrialInstance
    from boundcheck.evidence.statistics.verdict import Verdict


@shows("bound", "verdict", "ratio", "tried", "work", "stopped_by", "command")
@dataclass(frozen=True)
class Refutation:
    """The outcome of a search."""

    bound: str
    verdict: str
    """"violated", with the error rate alpha over the whole search; "not contradicted"; for a bound of order only "order
    only"; "not applicable" where no instance was legal."""
    ratio: float | None
    """Measured over right-hand side: of the confirmed instance, else the largest that the search met."""
    instance: TrialInstance | None
    command: str
    """The command line that repeats that instance."""
    tried: int
    """Legal instances that were measured."""
    refused: int
    """Instances outside the conditions."""
    seconds: float
    work: int = 0
    """Local steps that were spent: the unit of `boundcheck.evidence.search.effort`."""
    stopped_by: str = "work"
    """"violation", "work", "seconds" where the ceiling came first, or "conditions" where no instance was legal."""
    confirmed: Verdict | None = None
    """The verdict on replicates of its own."""
    why: str = ""
    """Why no instance was legal: the assumptions exclude each other, or the commonest reason of the search."""
    factors: Mapping[str, float] = field(default_factory=dict)
    """Of a violation: by which factor a term alone has to grow for the right-hand side to reach what was measured."""
    replay: str = ""
    """Of a violation: a script of about ten lines that repeats it."""
    moved: tuple[str, ...] = ()
    """Of a violation: parameters that have another value than the theorem prescribes, which no condition forbids."""

    @property
    def remark(self) -> str:
        """What a violation at other parameters than the prescribed ones says, and what it does not."""
        if not self.moved:
            return ""
        return (
            f"the theorem prescribes another {', '.join(self.moved)}, but states no condition that forbids this one: "
            "if it holds at the prescribed one alone, say rigid=True"
        )

    def data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "bound": self.bound,
            "verdict": self.verdict,
            "ratio": self.ratio,
            "instance": self.instance.data() if self.instance else None,
            "command": self.command,
            "tried": self.tried,
            "refused": self.refused,
            "seconds": self.seconds,
            "work": self.work,
            "stopped_by": self.stopped_by,
            "why": self.why,
            "factors": dict(self.factors),
            "replay": self.replay,
            "moved": list(self.moved),
            "constant_at_least": self.confirmed.constant_at_least if self.confirmed is not None else None,
        }
