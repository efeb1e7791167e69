"""One round of a method from a state of which nothing is known but what is true of every state.

The fields of a state that is not known are basis vectors.  What is true of every state (that the server's control
variate is the mean of the clients') is read off the first rounds, and shown by induction: one round from the unknown
state keeps it.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import NotApplicableError
from boundcheck.worst.exact import Exact, exact_oracle, fraction
from boundcheck.worst.rationals import combination
from boundcheck.worst.trace import ORIGIN, require_linear
from boundcheck.worst.vectors import DEVIATION, MEAN, GramVector, NonlinearError

if TYPE_CHECKING:
    from boundcheck.methods.base import Method
    from boundcheck.worst.oracle import GramOracle

_ROUNDS, _STEPS = 2, 2
"""Rounds, and local steps of each, from which relations between the fields of a state are guessed."""

Sparse = dict[int, Fraction]
Ties = dict[str, dict[str, Fraction]]
"""Field to the coefficients of the independent fields of which it is made."""


@dataclass(frozen=True)
class Reading:
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
        apart = [v - Exact(c) * first for v, c in zip(apart, multiples, strict=True)]
        return [g.mean for g in gradients] + means, [g - first for g in others] + apart

    def keeps(self, state: Any) -> str | None:
        """Return a field of which what is told here is not true at a state, if there is one."""
        for ties, part in ((self.means, MEAN), (self.deviations, DEVIATION)):
            for name, parts in ties.items():
                off = self.relative(state, name)
                for other, c in parts.items():
                    off = off - Exact(c) * self.relative(state, other)
                if off.coefficients[part].any():
                    return name
        return None


@dataclass(frozen=True)
class Round:
    """One round from a generic state.

    Attributes
    ----------
    oracle : GramOracle
        Basis vectors and points.
    before, after : tuple
        The state, and the state after it.
    reading : Reading
    """

    oracle: GramOracle
    before: Any
    after: Any
    reading: Reading


def gradient(oracle: GramOracle, at: GramVector) -> GramVector:
    """Return the generic client's gradient at a point."""
    index = oracle.point(at).gradient
    unit = np.zeros((2, index + 1))
    unit[:, index] = 1.0
    return GramVector(unit)


def deviation(v: GramVector) -> GramVector:
    """Return what the generic client has beside the mean."""
    return GramVector(v.coefficients * np.array([[0.0], [1.0]]))


def started(method: Method, *, N: int, K: int, noisy: bool = False) -> tuple[GramOracle, Any]:
    """Return an oracle, and the state in which a method starts on it."""
    oracle = exact_oracle(N=N, K=K, noisy=noisy)
    return oracle, _run(method, lambda: method.init(oracle, oracle.server("x_0")))


def generic_round(method: Method, *, N: int, K: int, noisy: bool = False) -> Round:
    """Run one round of a method from a generic state.

    Raises
    ------
    InputError
        If a hyperparameter is an array.
    NotApplicableError
        If the method is not linear, or its rounds are not alike; the message says why.
    """
    require_linear(method)
    _, first = started(method, N=N, K=K, noisy=noisy)
    reading = _rehearsed(method, N=N, K=min(K, _STEPS))
    while (broken := reading.keeps(first)) is not None:
        reading = _loosened(reading, broken)
    while True:
        fresh = exact_oracle(N=N, K=K, noisy=noisy)
        before = _unknown(fresh, first, reading)
        for name in reading.gradients:
            fresh.point(getattr(before, name))
        after = _run(method, lambda: method.round(fresh, before))  # noqa: B023
        broken = reading.keeps(after)
        if broken is None:
            return Round(fresh, before, after, reading)
        reading = _loosened(reading, broken)


def tilt(one: Round) -> Sparse | None:
    """Return what a tilt <v_i, x> of the clients' functions adds to deviations, where a round does not notice it.

    Then v_i is added to the gradients of client i, and a multiple of it to each of its vectors.

    Returns
    -------
    dict or None
        Index in the basis to the multiple of v_i; None if points of the round move.
    """
    basis = one.oracle.basis
    gradients = [k for k, e in enumerate(basis) if e.kind == "gradient"]
    fields = [k for k, e in enumerate(basis) if e.kind == "client"]
    after = [one.reading.relative(one.after, basis[k].label) for k in fields]
    equations = [(p.at, None) for p in one.oracle.points] + [(v, k) for v, k in zip(after, fields, strict=True)]
    lines = [[fraction(c) for c in v.padded(len(basis))[DEVIATION]] for v, _ in equations]
    columns = [[line[k] - (k == own) for line, (_, own) in zip(lines, equations, strict=True)] for k in fields]
    found = combination(columns, [-sum((line[k] for k in gradients), Fraction(0)) for line in lines])
    return None if found is None else dict.fromkeys(gradients, Fraction(1)) | dict(zip(fields, found, strict=True))


def untilted(one: Round) -> Round:
    """Return a round whose potentials do not notice tilts <v_i, x> of the clients' functions, if it does not either."""
    found = tilt(one)
    if found is None:
        return one
    tilts = {element.label: found[k] for k, element in enumerate(one.oracle.basis) if element.kind == "client"}
    return dataclasses.replace(one, reading=dataclasses.replace(one.reading, tilts=tilts))


def _rehearsed(method: Method, *, N: int, K: int) -> Reading:
    """Return the relations that hold at the start and after each of a few short rounds."""
    oracle, first = started(method, N=N, K=K)
    states = [first]
    for _ in range(_ROUNDS):
        states.append(_run(method, lambda: method.round(oracle, states[-1])))
    return _guessed(method, states, size=len(oracle.basis))


def _run(method: Method, step: Any) -> Any:
    try:
        return step()
    except NonlinearError as error:
        msg = f"method {method.card.id}: {error}"
        raise NotApplicableError(msg) from error


def _guessed(method: Method, states: list[Any], size: int) -> Reading:
    """Return the relations that hold in all of these states."""
    names = [name for name in states[0]._fields if isinstance(getattr(states[0], name), GramVector)]
    for name in set(states[0]._fields) - set(names):
        values = [getattr(state, name) for state in states]
        if all(isinstance(value, (int, float, Fraction)) for value in values) and len(set(values)) > 1:
            msg = f"method {method.card.id}: its rounds are not alike ({name} changes), and one theorem is for all"
            raise NotApplicableError(msg)
    points = tuple(name for name in names if all(getattr(s, name).coefficients[MEAN, ORIGIN] == 1 for s in states))
    moved = {name: any(getattr(s, name).coefficients[DEVIATION].any() for s in states) for name in names}
    bare = Reading(points, (), {}, {})
    others = [name for name in names if name != "x"]
    ties: list[Ties] = []
    for part in (MEAN, DEVIATION):
        rows = {n: np.concatenate([bare.relative(s, n).padded(size)[part] for s in states]) for n in others}
        ties.append(_tied(rows))
    gradients = tuple(name for name in points if name == "x" or (ties[0][name] and not moved[name]))
    return dataclasses.replace(bare, gradients=gradients, means=ties[0], deviations=ties[1])


def _tied(rows: dict[str, Any]) -> Ties:
    ties: Ties = {}
    for name, row in rows.items():
        free = Reading.free(ties)
        parts = combination([[fraction(v) for v in rows[f]] for f in free], [fraction(v) for v in row])
        found = {} if parts is None else {f: c for f, c in zip(free, parts, strict=True) if c}
        ties[name] = {name: Fraction(1)} if parts is None else found
    return ties


def _loosened(reading: Reading, name: str) -> Reading:
    """Return the reading with both parts of one field independent."""
    alone = {name: Fraction(1)}
    return dataclasses.replace(
        reading, means=reading.means | {name: alone}, deviations=reading.deviations | {name: alone}
    )


def _unknown(oracle: GramOracle, like: Any, reading: Reading) -> Any:
    """Return a state of which nothing is known but the relations."""
    x = oracle.server("x")
    free = set(reading.free(reading.means)), set(reading.free(reading.deviations))
    parts = {}
    for name in reading.means:
        own = oracle.client(name) if name in free[1] else oracle.server(name) if name in free[0] else None
        if own is not None:
            parts[name] = own.mean, deviation(own)
    fields = {"x": x}
    for name in reading.means:
        v = x if name in reading.points else 0.0 * x
        for other, c in reading.means[name].items():
            v = v + Exact(c) * parts[other][MEAN]
        for other, c in reading.deviations[name].items():
            v = v + Exact(c) * parts[other][DEVIATION]
        fields[name] = v
    return like._replace(**fields)
