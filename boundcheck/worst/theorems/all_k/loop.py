"""What a round does with any number of local steps, read off the method's own code at a few.

With h = eta K, e = 1/K and t = k/K, a plain local loop starts at x and adds the same at every step:

    y_k - x = h (-t D + d_k + m_k),    d_(k+1) = d_k - e b v_k,    m_(k+1) = m_k + e b n_k,

D being made of vectors that do not change in a round (the gradient at x, vectors of the server and the clients), v_k
the gradient at y_k less that at x, n_k minus its noise.  The state after the round is a sum of the same vectors, of
d_K + m_K and of the gradient at the new x, by coefficients that are polynomials in h and do not depend on K.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.errors import NotApplicableError
from boundcheck.worst.gram.trace import ORIGIN
from boundcheck.worst.theorems.bernstein.polynomials import Poly, add, constant, letter, multiply, scale, shift
from boundcheck.worst.theorems.family import StepFamily, polynomials
from boundcheck.worst.theorems.generic import start_method, tilt

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from boundcheck.methods.base import Method
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.theorems.family import RoundPolynomials

Row = dict[str, Poly]
"""Vector to its coefficient, a polynomial in h alone."""
GRADIENT, DRIFT, NOISE, TURN = "g", "d", "m", "w"
"""The gradient at x; d_K; m_K; the gradient at the new x less that at x, over h^order."""
_COUNTS = (3, 4)
"""Numbers of local steps at which the code is run."""
_NOT_PLAIN = "its local loop is not y <- y - (a g(y) + fixed vectors)"
_WORD = re.compile(r"\W+")
_H = letter(0, 1)


@dataclass(frozen=True)
class LocalLoop:
    """A round of a method with a plain local loop; every pair is of means and deviations.

    Attributes
    ----------
    method : Method
    given : ProblemClass
    fixed : pair of tuple of str
        Vectors that do not change in a round.
    families : frozenset of str
        Those of them that clients have of their own.
    drift : pair of dict
        D.
    weight : Fraction
        b.
    order : int
        x+ - x is of order h^order.
    move : dict
        (x+ - x)/h^order, a mean.
    state : pair of tuple of str
        Coordinates of the potential beside F: the gradient first.
    after : pair of dict
        Coordinate to its value after the round.
    start : pair of dict
        Coordinate to its multiple of the gradient at the start.
    """

    method: Method
    given: ProblemClass
    fixed: tuple[tuple[str, ...], tuple[str, ...]]
    families: frozenset[str]
    drift: tuple[Row, Row]
    weight: Fraction
    order: int
    move: Row
    state: tuple[tuple[str, ...], tuple[str, ...]]
    after: tuple[dict[str, Row], dict[str, Row]]
    start: tuple[dict[str, Poly], dict[str, Poly]]


def local_loop(method: Method, given: ProblemClass) -> LocalLoop:
    """Return the loop of a method whose hyperparameters, but for eta, are fractions.

    Raises
    ------
    NotApplicableError
        If its rounds are no plain local loop; the message says where they are not.
    """
    if not any(f.name == "eta" for f in dataclasses.fields(method)):  # type: ignore[arg-type]
        raise _refusal(method, "it has no local step eta")
    quiet = dataclasses.replace(given, sigma=0.0)
    try:
        found = [_read(method, quiet, K) for K in _COUNTS]
    except NotApplicableError as error:
        text = str(error).removeprefix(f"method {method.card.id}: ")
        if text.startswith(_NOT_PLAIN):
            raise
        raise _refusal(method, text) from error
    if found[0] != found[1]:
        raise _refusal(
            method, f"a round of K = {_COUNTS[0]} and one of K = {_COUNTS[1]} steps of one length h = eta K differ"
        )
    if given.sigma:
        _require_plain_noise(method, given)
    return dataclasses.replace(found[0], given=given)


def _refusal(method: Method, why: str) -> NotApplicableError:
    msg = f"method {method.card.id}: {_NOT_PLAIN}: {why}"
    return NotApplicableError(msg)


class _LoopReader:
    """Turns rows over basis vectors into rows over the vectors of a loop."""

    def __init__(self, made: RoundPolynomials, K: int) -> None:
        self.made, self.K, self.one = made, K, made.sample.round
        self.method = made.family.method
        points = self.one.oracle.points
        if len(self.one.reading.gradients) > 1:
            raise _refusal(self.method, f"the potential needs gradients at {', '.join(self.one.reading.gradients)}")
        if self.one.first or self.one.reading.counts:
            raise _refusal(self.method, "its rounds are counted, and the first ones are other rounds")
        servers = [k for k, p in enumerate(points) if p.is_server]
        if len(points) != K + 1 or servers != [0, K]:
            raise _refusal(
                self.method, f"a round of {K} steps meets {len(points)} points, {len(servers)} of them the server's"
            )
        self.local = [p.gradient for p in points[1:K]]
        self.first, self.last = points[0].gradient, points[K].gradient
        self.fields = {
            k: f"u_{_WORD.sub('_', e.label)}"
            for k, e in enumerate(self.one.oracle.basis)
            if k != ORIGIN and e.kind in ("server", "client")
        }
        self.is_tilted = self.one.reading.tilts is not None
        self.tilts = (tilt(self.one) or {}) if self.is_tilted else {}

    def row(self, block: int, table: Mapping[int, Poly], *, of: str, order: int = 0) -> tuple[Row, Poly]:
        """Return a row over g, fields and w, and the common coefficient of the local gradients."""
        found: Row = {}
        common = table.get(self.local[0], {})
        for k in self.local:
            if table.get(k, {}) != common:
                raise _refusal(self.method, f"{of} weighs local gradients by different numbers")
        for k, p in table.items():
            if k in self.local or k == self.first:
                parts = {GRADIENT: p}
            elif k == self.last:
                parts = {GRADIENT: p, TURN: shift(p, (order,))}
            elif k in self.fields:
                parts = {self.fields[k]: p}
                if block and (by := self.tilts.get(k)):
                    parts[GRADIENT] = scale(p, by)
            else:
                raise _refusal(self.method, f"{of} holds {self.one.oracle.basis[k].label}")
            for name, q in parts.items():
                found[name] = add(found.get(name, {}), q)
        return {name: p for name, p in found.items() if p}, common


def _read(method: Method, given: ProblemClass, K: int) -> LocalLoop:
    """Return what the code does in a round of K steps, in words that do not depend on K, where there are some."""
    made = polynomials(StepFamily(method, ("h",), K, given))
    reader = _LoopReader(made, K)
    weight, drifts = _local_step(reader)
    ends = _table(made.places, K, 0)
    if _table(made.places, K, 1):
        raise _refusal(method, "clients end the round at points of their own")
    order = min(e[0] for p in ends.values() for e in p)
    move = _with_drift(*reader.row(0, ends, of="the new x"), weight, K)
    move = {name: shift(p, (-order,)) for name, p in move.items()}
    state = _coordinates(reader)
    after: list[dict[str, Row]] = [{}, {}]
    start: list[dict[str, Poly]] = [{}, {}]
    for block in range(2):
        for n, name in enumerate(state[block]):
            row = reader.row(block, _table(made.after, block, n), of=name, order=order)
            after[block][name] = _with_drift(*row, weight, K)
            at_start = _table(made.start, block, n)
            start[block][name] = add(*at_start.values()) if at_start else {}
    _require_no_tilts(reader, {"drift": [drifts[1]], "state": list(after[1].values())})
    families = {GRADIENT, *(reader.fields[k] for k, e in enumerate(reader.one.oracle.basis) if e.kind == "client")}
    fixed = tuple(reader.fields.values())
    felt = _felt_means({GRADIENT, *drifts[0], *move}, after[0])
    apart = (*(() if reader.is_tilted else (GRADIENT,)), *(f for f in fixed if f in families))
    return LocalLoop(
        method,
        given,
        (tuple(n for n in (GRADIENT, *fixed) if n in felt), apart),
        frozenset(families),
        drifts,
        weight,
        order,
        move,
        (tuple(n for n in state[0] if n in felt), state[1]),
        (after[0], after[1]),
        (start[0], start[1]),
    )


def _local_step(reader: _LoopReader) -> tuple[Fraction, tuple[Row, Row]]:
    """Return b and D: what every local step adds, of means and of deviations."""
    steps = [_step_of_block(reader, block) for block in range(2)]
    weights, drifts = [own for own, _ in steps], []
    for block, (own, fields) in enumerate(steps):
        drift, _ = reader.row(block, {reader.first: own, **fields}, of="a local step")
        drifts.append({name: shift(p, (-1,)) for name, p in drift.items()})
    steady = all(set(p) == {(0,)} for drift in drifts for p in drift.values())
    if weights[0] != weights[1] or set(weights[0]) != {(1,)} or not steady:
        raise _refusal(reader.method, "a local step is no multiple of eta")
    return weights[0][1,], (drifts[0], drifts[1])


def _step_of_block(reader: _LoopReader, block: int) -> tuple[Poly, dict[int, Poly]]:
    """Return by what a local step multiplies its own gradient, and fixed vectors: all K of them do the same."""
    before: dict[int, Poly] = {}
    rows = []
    for k in range(1, reader.K):
        place = _table(reader.made.places, k, block)
        step = {i: add(place.get(i, {}), scale(before.get(i, {}), -1)) for i in {*place, *before}}
        before = place
        newest = reader.first if k == 1 else reader.local[k - 2]
        own = scale(step.pop(newest, {}), -reader.K)
        fields: dict[int, Poly] = {i: scale(p, -reader.K) for i, p in step.items() if p}
        if not set(fields) <= {reader.first, *reader.fields} or (k > 1 and fields.get(reader.first)):
            labels = ", ".join(reader.one.oracle.basis[i].label for i in fields)
            raise _refusal(reader.method, f"local step {k} adds {labels}")
        rows.append((own, {i: p for i, p in fields.items() if i != reader.first}))
    if any(row != rows[0] for row in rows):
        raise _refusal(reader.method, "local steps differ")
    return rows[0]


def _coordinates(reader: _LoopReader) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the potential's coordinates: of means, of deviations."""
    reading = reader.one.reading
    means, apart = ([f"u_{_WORD.sub('_', n)}" for n in reading.free(t)] for t in (reading.means, reading.deviations))
    return (GRADIENT, *means), (*(() if reader.is_tilted else (GRADIENT,)), *apart)


def _require_no_tilts(reader: _LoopReader, rows: Mapping[str, list[Row]]) -> None:
    """Refuse a method where deviations of the gradient, which tilts stand for, are part of anything else."""
    for name, rows_of in rows.items():
        if reader.is_tilted and any(GRADIENT in row for row in rows_of):
            raise _refusal(reader.method, f"its {name} depends on how the clients' functions are tilted")


def _felt_means(felt: set[str], after: Mapping[str, Row]) -> set[str]:
    """Return the means that a step or the new x ever feels: the others say nothing."""
    while more := {n for name in felt & set(after) for n in after[name]} - felt:
        felt = felt | more
    return felt


def _with_drift(row: Row, common: Poly, weight: Fraction, K: int) -> Row:
    """Return a row where d stands for the sum of the v_k, which is -K d/b."""
    if not common:
        return row
    return row | {DRIFT: scale(common, -K / weight)}


def _table(rows: Mapping[tuple[int, ...], Poly], *chosen: int) -> dict[int, Poly]:
    return {key[-1]: p for key, p in rows.items() if key[:-1] == chosen}


def _require_plain_noise(method: Method, given: ProblemClass) -> None:
    """Refuse a method in which the noise of a gradient is weighed otherwise than the gradient."""
    K = _COUNTS[0]
    if "same sample" in method.card.needs:
        raise _refusal(method, "it evaluates a sample twice")
    made = polynomials(StepFamily(method, ("h",), K, given))
    oracle = made.sample.round.oracle
    noises = [k for k, e in enumerate(oracle.basis) if e.kind == "noise"]
    points = [p.gradient for p in oracle.points]
    own, _ = start_method(method, N=given.N, K=K, noisy=True)
    drawn = {k for k, e in enumerate(own.basis) if e.kind == "noise"}
    if any(key[-1] in drawn for key in made.start):
        raise _refusal(method, "its start draws samples")
    if len(noises) != K:
        raise _refusal(method, f"a round of {K} steps draws {len(noises)} noises")
    # The noise at x comes with the gradient at x, which stands elsewhere too: the noises are compared with each other.
    for rows in (made.places, made.after):
        keys = {key[:-1] for key in rows}
        for key in keys:
            seen = [rows.get((*key, k), {}) for k in noises]
            wanted = [rows.get((*key, g), {}) for g in points[1:K]]
            if seen[1:] != wanted or (rows is made.after and seen[0] != seen[1]):
                raise _refusal(method, "noise is weighed otherwise than the gradient it belongs to")


def in_letters(p: Poly) -> Poly:
    """Return a polynomial in h as one in (t, e, h)."""
    return {(0, 0, e[0]): c for e, c in p.items()}


def unit() -> Poly:
    """Return 1, in h alone."""
    return constant(1, 1)


__all__ = ["DRIFT", "GRADIENT", "NOISE", "TURN", "LocalLoop", "Row", "in_letters", "local_loop", "multiply"]
