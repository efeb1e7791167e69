"""What a paper asserts of its experiments, as questions to experiments of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from boundcheck.sweep.recipes.experiment import Axis
from boundcheck.sweep.recipes.fields import NonNegative, Number

if TYPE_CHECKING:
    from collections.abc import Container

Kind = Literal[
    "better", "equal", "widens", "narrows", "falls", "rises", "order", "below", "above", "settles", "steadier"
]
KINDS: dict[Kind, str] = {
    "better": "the score of `of` is smaller than that of every method in `than`",
    "equal": "the score of `of` and of every method in `than` differ by at most the margin",
    "widens": "the advantage of `of` over `than` is larger at the last value of `along` than at the first",
    "narrows": "the advantage of `of` over `than` is smaller at the last value of `along` than at the first",
    "falls": "the score of `of` is smaller at the last value of `along` than at the first",
    "rises": "the score of `of` is larger at the last value of `along` than at the first",
    "order": "the score of `of` falls like the power -`level` of `along`, up to the margin, or faster",
    "below": "the score of `of` is at most `level`",
    "above": "the score of `of` is at least `level`",
    "settles": "the metric of `of` is smaller in the last quarter of the rounds than in the first",
    "steadier": "over the values of its grid, the score of `of` is less far above its best than that of `than`",
}
"""What can be asked, and when the answer is yes."""


class AssertionAsk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question to one experiment, asked at every setting of its grid."""

    kind: Kind
    experiment: str
    of: list[str]
    """Entrants it is asked of, by label."""
    than: list[str] = []
    axes: list[Axis] = msgspec.field(default_factory=lambda: ["rounds"])
    metric: str = ""
    """By default the metric of the experiment."""
    along: str = ""
    """A letter of the experiment's grid, or several in a row, as in NK: their product."""
    where: dict[str, Number | list[Number]] = {}
    """Settings of the experiment at which it is asked; all when left out."""
    margin: NonNegative = 0.05
    """Share by which scores must differ to be called different."""
    level: float = 0.0
    against: bool = False
    """Whether a yes speaks against the assertion."""
    expect: Literal["", "yes", "no", "same", "not no", "not yes"] = ""
    """Of a control: the answer that is known beforehand."""
    level_with: str = ""
    """A metric: both are read where it first is what the slower of the two has reached, as forgetting at equal loss."""


class CopiedEntrant(NamedTuple):
    """An entrant of which a copy is a control, and the budget at which they are compared: the first that is asked."""

    label: str
    axis: Axis


class Assertion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A claim about experiments, as a paper makes it."""

    id: str
    paper: str
    lines: str
    """Where the paper says it."""
    title: str
    says: str
    """The assertion in one sentence."""
    ask: list[AssertionAsk] = []
    control: list[AssertionAsk] = []
    """Questions whose answer is known beforehand: if one does not come out so, the runs could not have told."""
    cannot: str = ""
    """Why it cannot be tested here; it has no questions then."""
    text: str = ""
    """What the reader should know of the way it is tested."""

    @property
    def every(self) -> list[AssertionAsk]:
        """Return the questions with those of the controls."""
        return [*self.ask, *self.control]

    def copied_entrant(self, experiment: str) -> CopiedEntrant | None:
        """Return the entrant of an experiment of which a copy is a control, None where no score is compared."""
        asks = (ask for ask in self.ask if ask.experiment == experiment and ask.kind in _COPIED)
        return next((CopiedEntrant(ask.of[0], ask.axes[0]) for ask in asks), None)


_COPIED = {"better", "equal", "widens", "narrows", "falls", "rises"}
"""Kinds of questions of which a copy of a method is a control."""


def along_letters(along: str, letters: Container[str]) -> list[str]:
    """Return the letters whose product a question runs along: the name itself where there is a letter of that name."""
    return list(along) if along not in letters and all(letter in letters for letter in along) else [along]
