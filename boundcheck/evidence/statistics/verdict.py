"""The record of a verdict: measured against bound, with how it was reached."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from boundcheck.files.display import brief, html_card, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    from matplotlib.axes import Axes

    from boundcheck.bounds.bound import Checked
    from boundcheck.evidence.statistics.shape import Shape
    from boundcheck.verdicts.words import BoundWord, How


@dataclass(frozen=True)
class Verdict:
    """What the measurements say about one bound on one problem at one setting."""

    bound: str
    problem: str
    verdict: BoundWord
    reason: str
    """How it was decided, or the condition that fails."""
    measured: float | None
    """Mean of the left-hand side over the replicates."""
    low: float | None
    high: float | None
    """Two-sided 95 % interval of that mean."""
    rhs: float | None
    terms: dict[str, float]
    conditions: list[Checked]
    vacuity: float | None
    """The trivial bound; a larger rhs is vacuous."""
    margin: float | None = None
    """(rhs - measured) / standard error; None without noise."""
    e_value: float | None = None
    """Evidence against the bound: 1/e_value bounds the chance of so much evidence if the bound holds."""
    wealth: float | None = None
    """The same at the last replicate: an e-value, so its average over cells is one, whatever the cells share."""
    replicates: int = 0
    """Runs behind the verdict: replicates, or all paths of an exact expectation."""
    setting: dict[str, float] | None = None
    """N, S, K, T, b and every parameter used."""
    shape: Shape | None = None
    """How measured / rhs grows along the grid this verdict belongs to (bounds of order only)."""
    how: How = ""
    """The means by which it was reached: `boundcheck.verdicts.words.MEANS`."""
    settle: str = ""
    """What would settle the question; empty when it is settled."""
    alpha: float | None = None
    """Error rate of what the verdict says; None where nothing was compared."""
    constant_at_least: float | None = None
    """Lower limit of the hidden constant, wrong with probability at most alpha (bounds of order only)."""
    needed: int | None = None
    """Replicates in all after which a betting test would say "holds", at the rate so far; None where none would."""
    vouched: tuple[str, ...] = ()
    """Constants the right-hand side rests on for which there is the word of whoever wrote the functions alone."""
    defaults: dict[str, float] = field(default_factory=dict)
    """Hyperparameters that the theorem does not name, at the neutral defaults of its method."""
    moved: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Parameters at other values than the theorem prescribes: the value, and the prescribed one."""

    def __bool__(self) -> NoReturn:
        """Refuse to be true or false: a verdict has seven words.

        Raises
        ------
        TypeError
            Always; it says what to ask in its place.
        """
        msg = (
            f"a verdict is not true or false, this one is {self.verdict!r}: ask verdict.verdict == 'holds', "
            "or verdict.verdict != 'violated' for what is not contradicted"
        )
        raise TypeError(msg)

    def __repr__(self) -> str:
        at = " ".join(f"{key}={text_of(value)}" for key, value in self._at.items())
        fields = {"": f"{self.bound} on {self.problem}{f' at {at}' if at else ''}: {self.verdict}"}
        return brief("Verdict", fields | {"measured": self.measured, "rhs": self.rhs, "ratio": self.ratio})

    def _repr_html_(self) -> str:
        from boundcheck.findings.places import without_lines

        compared = f"{text_of(self.measured)} against {text_of(self.rhs)}" if self.rhs is not None else ""
        entries = {
            "verdict": f"{self.words}: {self.reason}",
            "setting": self._at,
            "measured against right-hand side": compared,
            "ratio": self.ratio,
            "terms": self.terms,
            "trivial bound": self.vacuity,
            "conditions": "\n".join(
                f"{'✓' if c.holds else '✗'} {without_lines(c.label)}: {c.relation}" for c in self.conditions
            ),
            "to settle it": self.settle,
        }
        return html_card(f"{self.bound} on {self.problem}", entries)

    @property
    def _at(self) -> dict[str, float]:
        """The counts of the setting."""
        return {key: value for key, value in (self.setting or {}).items() if key in ("N", "S", "K", "T", "b")}

    @property
    def frame(self) -> pd.DataFrame:
        """One row: bound, problem, setting, verdict, measured with its interval, right-hand side, ratio, margin."""
        import pandas as pd

        names = ("verdict", "measured", "low", "high", "rhs", "ratio", "margin", "replicates", "how")
        row = {
            "bound": self.bound,
            "problem": self.problem,
            **self._at,
            **{name: getattr(self, name) for name in names},
        }
        return pd.DataFrame([row])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw what is measured beside the right-hand side; return the Axes.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; a new figure when left out.

        Raises
        ------
        InputError
            If nothing was measured.
        """
        from boundcheck.evidence.statistics.pictures import draw_verdicts

        return draw_verdicts([self], ax)

    @property
    def words(self) -> str:
        """Return the verdict as it is said: of what was seen at other parameters than the prescribed ones, which."""
        return self.verdict + (f" {ELSEWHERE} ({name_moved(self.moved)})" if self.moved else "")

    @property
    def ratio(self) -> float | None:
        """Return measured / rhs, None where either is missing or the rhs is 0."""
        return self.measured / self.rhs if self.measured is not None and self.rhs else None

    def gains_from(self, budget: int) -> bool:
        """Return whether more replicates, up to `budget` in all, may lead to a stronger verdict."""
        within = self.needed is not None and self.needed <= budget
        return self.verdict == "undecided" or (self.verdict == "consistent" and within)

    def data(self) -> dict[str, Any]:
        """Return the verdict as plain data, its ratio included."""
        plain = asdict(self)
        # Files that users keep name the wealth so.
        return {("capital" if name == "wealth" else name): value for name, value in plain.items()} | {
            "ratio": self.ratio
        }


ELSEWHERE = "at other parameters than the prescribed ones"


def name_moved(moved: Mapping[str, tuple[float, float]]) -> str:
    """Return parameters that are not at the prescribed value, with both values, in words."""
    return ", ".join(f"{name} = {value:.6g}, not {prescribed:.6g}" for name, (value, prescribed) in moved.items())


def not_applicable(bound: str, problem: str, reason: str) -> Verdict:
    """Return the verdict for a pair that does not go together: an outcome, not an error."""
    return Verdict(bound, problem, "not applicable", reason, None, None, None, None, {}, [], None)
