"""A round in words that the checker reads, with unknown polynomials where a proof has its numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boundcheck.proofs.kernel.all_steps import FORM

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

Fact = tuple[Any, ...]
"""A hypothesis as the checker names it, ``("smooth", 0, 1)``; ``("given", name)`` is one that the round states."""


@dataclass(frozen=True)
class Term:
    """An unknown polynomial of the letters, times something.

    Attributes
    ----------
    name : str
        Terms of one name have one polynomial; without a name it is 1.
    times : str
        What multiplies it; the checker reads it.
    degree : tuple of int
        Its largest degree in each letter; empty for a number.
    """

    name: str
    times: str = "1"
    degree: tuple[int, ...] = ()


@dataclass(frozen=True)
class DescribedRound:
    """A round, the shape of its potential and what its proof may use, in units in which L = 1.

    With numbers a, q_i, u_i: mean_t E|grad F(x_t)|^2 <= (a Delta over the step + u_i ...)/T + q_i ..., or, with `fall`,
    what is measured falls by 1 - fall in a round.

    Attributes
    ----------
    name : str
        The method's, where the room has one of this round.
    title, says : str
        What it is about, for readers; the hypotheses in words.
    method : mapping
        The file's key ``method``: the method's id, and steps in terms of the letters.
    box : mapping
        Letter to the ends of its range.
    letters : mapping
        Name of a vector or number to its sort.
    points, state, after, start : as in the file
        `after` is the next state.
    given : mapping
        Name of a hypothesis to its left side, ``<=`` or ``=``, and right side.
    potential : mapping
        Part of the state, as text, to its factor.
    first, always : mapping
        Constant of the start, of a round, to its factor.
    proofs : mapping
        Lemma to (hypothesis, terms of its multiplier).
    fall, measured : str
        Where the potential falls: by which share, and what it is above of.
    costs : mapping
        Name of a number to what it counts for.
    signed : frozenset of str
        Names that may be negative.
    lengths : mapping
        Family to a letter: the letter times a deviation of it is a vector of the form.
    """

    name: str
    title: str
    says: str
    method: Mapping[str, str]
    box: Mapping[str, tuple[Fraction, Fraction]]
    letters: Mapping[str, str]
    points: tuple[Mapping[str, str], ...]
    state: Mapping[str, str]
    after: Mapping[str, str]
    start: Mapping[str, str]
    potential: Mapping[str, tuple[Term, ...]]
    first: Mapping[str, tuple[Term, ...]]
    proofs: Mapping[str, tuple[tuple[Fact, tuple[Term, ...]], ...]]
    given: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)
    always: Mapping[str, tuple[Term, ...]] = field(default_factory=dict)
    fall: str = ""
    measured: str = ""
    costs: Mapping[str, float] = field(default_factory=dict)
    signed: frozenset[str] = frozenset()
    lengths: Mapping[str, str] = field(default_factory=dict)

    @property
    def up_to(self) -> Fraction:
        """Return the largest c, the step over what limits it."""
        return self.box["c"][1]

    def file(self) -> dict[str, Any]:
        """Return the file with nothing in the place of what is unknown."""
        found: dict[str, Any] = {
            "form": FORM,
            "id": self.title,
            "method": dict(self.method),
            "box": {name: [str(low), str(high)] for name, (low, high) in self.box.items()},
            "letters": dict(self.letters),
            "lengths": dict(self.lengths),
            "points": [dict(point) for point in self.points],
            "given": [list(one) for one in self.given.values()],
            "state": dict(self.state),
            "next": dict(self.after),
            "start": dict(self.start),
            "potential": "0",
            "round": {},
            "first": {},
            "proofs": {lemma: [] for lemma in ("round", "start", "end")},
        }
        return found | ({"fall": self.fall, "measured": self.measured} if self.fall else {"rate": "1"})

    def fact(self, fact: Fact) -> list[Any]:
        """Return a hypothesis as the checker numbers it."""
        kind, *about = fact
        return [kind, list(self.given).index(about[0])] if kind == "given" else [kind, *about]
