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

    @property
    def moved(self) -> dict[str, tuple[float, float]]:
        """Of a violation: parameters at other values than the theorem prescribes, and the prescribed ones."""
        return self.confirmed.moved if self.verdict == "violated" and self.confirmed is not None else {}

    @property
    def words(self) -> str:
        """Return the verdict as it is said: of a violation at other parameters than the prescribed ones, which."""
        return self.confirmed.words if self.moved and self.confirmed is not None else self.verdict

    @property
    def remark(self) -> str:
        """What a violation at other parameters than the prescribed ones says, and what it does not."""
        if not self.moved:
            return ""
        names = ", ".join(self.moved)
        return (
            f"at the prescribed {names} no instance was found that violates it; no condition forbids the other one: "
            "a theorem about the prescribed one alone says rigid=True"
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
            "moved": {name: list(pair) for name, pair in self.moved.items()},
            "constant_at_least": self.confirmed.constant_at_least if self.confirmed is not None else None,
        }
