"""How a state is read: which of its fields are points, and of which independent parts all are made."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import NotApplicableError
from boundcheck.worst.gram.exact import ExactNumber, fraction
from boundcheck.worst.gram.rationals import combination
from boundcheck.worst.gram.trace import ORIGIN
from boundcheck.worst.gram.vectors import DEVIATION, MEAN, GramVector, Nonlinear

if TYPE_CHECKING:
    from boundcheck.worst.gram.oracle import GramOracle

Ties = dict[str, dict[str, Fraction]]
"""Field to the coefficients of the independent fields of which it is made."""


@dataclass(frozen=True)
class StateReading:
    """How a state is read: which of its fields are points, and of which independent parts all are made.

    Attributes
    ----------
    points : tuple of str
        Fields that are points, x first; they are read relative to x.
    gradients : tuple of str
        Those of them where all clients stand: potentials may use the gradients there.
    means, deviations : dict
        Field to the independent fields whose means (deviations) make up its own.
    """

    points: tuple[str, ...]
    gradients: tuple[str, ...]
    means: Ties
    deviations: Ties
    counts: tuple[str, ...] = ()
    """Fields that count rounds or steps."""
    tilts: dict[str, Fraction] | None = None
    """Field to the multiple of a tilt that it holds, where potentials must not notice tilts."""

    @staticmethod
    def free(ties: Ties) -> list[str]:
        """Return the independent fields."""
        return [name for name, parts in ties.items() if parts == {name: 1}]

    def relative(self, state: Any, name: str) -> GramVector:
        """Return a field, relative to x if it is a point."""
        v: GramVector = getattr(state, name)
        return v - state.x if name in self.points else v

    def coordinates(self, oracle: GramOracle, state: Any) -> tuple[list[GramVector], list[GramVector]]:
        """Return what a potential may use of a state: gradients at its points, and its independent parts.

        Returns
        -------
        means, deviations : list of GramVector
            Where tilts go unnoticed, deviations are relative to that of the gradient at x, which is left out.
        """
        gradients = [gradient(oracle, getattr(state, name)) for name in self.gradients]
        means = [self.relative(state, name).mean for name in self.free(self.means)]
        apart = [deviation(self.relative(state, name)) for name in self.free(self.deviations)]
        first, *others = map(deviation, gradients)
        if self.tilts is None:
            return [g.mean for g in gradients] + means, [first, *others, *apart]
        multiples = [self.tilts[name] for name in self.free(self.deviations)]
        apart = [v - ExactNumber(c) * first for v, c in zip(apart, multiples, strict=True)]
        return [g.mean for g in gradients] + means, [g - first for g in others] + apart

    def broken(self, state: Any) -> tuple[str, str] | None:
        """Return what is told here and not true at a state, if there is any: 'means' or 'deviations', and the field."""
        for part, row in (("means", MEAN), ("deviations", DEVIATION)):
            for name, parts in getattr(self, part).items():
                off = self.relative(state, name)
                for other, c in parts.items():
                    off = off - ExactNumber(c) * self.relative(state, other)
                if off.coefficients[row].any():
                    return part, name
        return None

    def without(self, part: str, name: str) -> StateReading:
        """Return the reading with one part of a field independent."""
        return dataclasses.replace(self, **{part: getattr(self, part) | {name: {name: Fraction(1)}}})


def gradient(oracle: GramOracle, at: GramVector) -> GramVector:
    """Return the generic client's gradient at a point."""
    index = oracle.point(at).gradient
    unit = np.zeros((2, index + 1))
    unit[:, index] = 1.0
    return GramVector(unit)


def number_of(oracle: GramOracle, at: GramVector) -> int:
    """Return the number of a point that was met."""
    point = oracle.point(at)
    return next(k for k, p in enumerate(oracle.points) if p is point)


def deviation(v: GramVector) -> GramVector:
    """Return what the generic client has beside the mean."""
    return GramVector(v.coefficients * np.array([[0.0], [1.0]]))


def guess_reading(name_of_method: str, states: list[Any], size: int) -> StateReading:
    """Return the relations that hold in all of these states."""
    names = [name for name in states[0]._fields if isinstance(getattr(states[0], name), GramVector)]
    counts: list[str] = []
    for name in sorted(set(states[0]._fields) - set(names)):
        values = [_plain(getattr(state, name)) for state in states]
        if all(isinstance(value, Nonlinear) for value in values):
            # No point may depend on it.
            continue
        if _is_counter(values):
            counts.append(name)
        elif not all(isinstance(value, _PLAIN) for value in values):
            what = f"{name} is neither a vector nor a number, but of type {type(values[0]).__name__}"
            msg = f"method {name_of_method}: its rounds cannot be compared ({what}), and one theorem is for all"
            raise NotApplicableError(msg)
        elif len(set(values)) > 1:
            msg = f"method {name_of_method}: its rounds are not alike ({name} changes), and one theorem is for all"
            raise NotApplicableError(msg)
    points = tuple(name for name in names if all(getattr(s, name).coefficients[MEAN, ORIGIN] == 1 for s in states))
    moved = {name: any(getattr(s, name).coefficients[DEVIATION].any() for s in states) for name in names}
    bare = StateReading(points, (), {}, {})
    others = [name for name in names if name != "x"]
    ties: list[Ties] = []
    for part in (MEAN, DEVIATION):
        rows = {n: np.concatenate([bare.relative(s, n).pad_to(size)[part] for s in states]) for n in others}
        ties.append(_tied(rows))
    gradients = tuple(name for name in points if name == "x" or (ties[0][name] and not moved[name]))
    return dataclasses.replace(bare, counts=tuple(counts), gradients=gradients, means=ties[0], deviations=ties[1])


_PLAIN = (bool, int, float, Fraction, ExactNumber, str, type(None))
"""What a state may hold beside vectors: it stays the same from round to round, or is a count."""


def _plain(value: object) -> object:
    """Return a number of numpy's as one of Python's."""
    return value.item() if isinstance(value, np.generic) else value


def _is_counter(values: list[Any]) -> bool:
    """Return whether whole numbers grow by the same number every round."""
    if not all(isinstance(value, (int, ExactNumber)) and value == int(value) for value in values):
        return False
    steps = {values[k + 1] - values[k] for k in range(len(values) - 1)}
    return len(steps) == 1 and min(steps) > 0


def _tied(rows: dict[str, Any]) -> Ties:
    ties: Ties = {}
    for name, row in rows.items():
        free = StateReading.free(ties)
        parts = combination([[fraction(v) for v in rows[f]] for f in free], [fraction(v) for v in row])
        found = {} if parts is None else {f: c for f, c in zip(free, parts, strict=True) if c}
        ties[name] = {name: Fraction(1)} if parts is None else found
    return ties
