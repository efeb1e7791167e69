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

from boundcheck.errors import NotApplicableError
from boundcheck.methods.outside import is_own, require_repeated, watching
from boundcheck.worst.gram.counts import COUNTS, SymbolicCount
from boundcheck.worst.gram.exact import ExactNumber, exact_oracle, fraction
from boundcheck.worst.gram.rationals import combination
from boundcheck.worst.gram.trace import require_linear, require_partial, same_vectors
from boundcheck.worst.gram.vectors import DEVIATION, MEAN, NonlinearError
from boundcheck.worst.theorems.reading import StateReading, deviation, guess_reading

if TYPE_CHECKING:
    from boundcheck.methods.base import Method
    from boundcheck.worst.gram.oracle import GramOracle

_UNLIKE = (
    "its rounds are not alike: a count of them decides what they do. A theorem for every T has one potential, whose "
    "fall pays for |grad f(x_t)|^2 in every round; steps that stay the same may have one, steps that go to 0 have none"
)
_ROUNDS, _STEPS = 2, 2
"""Rounds, and local steps of each, from which relations between the fields of a state are guessed."""


@dataclass(frozen=True)
class GenericRound:
    """One round from a generic state.

    Attributes
    ----------
    oracle : GramOracle
        Basis vectors and points.
    before, after : tuple
        The state, and the state after it.
    reading : Reading
    first : int
    """

    oracle: GramOracle
    before: Any
    after: Any
    reading: StateReading
    first: int = 0
    """The first round that is like this one."""


def start_method(
    method: Method, *, N: int, K: int, S: int | None = None, noisy: bool = False, rounds: int = 0
) -> tuple[GramOracle, list[Any]]:
    """Return an oracle, the state in which a method starts on it, and those after some rounds."""
    oracle = exact_oracle(N=N, K=K, S=S, noisy=noisy)
    states = [run_step(method, lambda: method.init(oracle, oracle.server("x_0")))]
    for _ in range(rounds):
        run_step(method, lambda: oracle.point(states[-1].x))
        oracle.begin_round()
        states.append(run_step(method, lambda: method.round(oracle, states[-1])))
    return oracle, states


def generic_round(method: Method, *, N: int, K: int, S: int | None = None, noisy: bool = False) -> GenericRound:
    """Run one round of a method from a generic state, S of N clients (by default all) taking part.

    Raises
    ------
    InputError
        If a hyperparameter is an array.
    NotApplicableError
        If the method is not linear, or its rounds are not alike; the message says why.
    """
    require_linear(method)
    require_partial(method, N=N, S=S)
    try:
        return _from(method, 0, N=N, K=K, S=S, noisy=noisy)
    except NotApplicableError as error:
        if not (isinstance(error.__cause__, NonlinearError) and error.__cause__.operation == COUNTS):
            raise
    # The first round may be another one than all the later ones.
    return _from(method, 1, N=N, K=K, S=S, noisy=noisy)


def _from(method: Method, start: int, *, N: int, K: int, S: int | None, noisy: bool) -> GenericRound:
    """Return a round that is like all from the one of number `start` on."""
    _, states = start_method(method, N=N, K=K, S=S, noisy=noisy, rounds=start)
    first = states[-1]
    reading = _rehearse_rounds(method, start, N=N, K=min(K, _STEPS), S=S)
    while (broken := reading.broken(first)) is not None:
        reading = reading.without(*broken)
    while True:
        one = _round_from_unknown(method, first, reading, start, exact_oracle(N=N, K=K, S=S, noisy=noisy))
        broken = reading.broken(one.after)
        if broken is None:
            break
        reading = reading.without(*broken)
    if is_own(method):
        again = _round_from_unknown(method, first, reading, start, exact_oracle(N=N, K=K, S=S, noisy=noisy))
        require_repeated(method, same=same_vectors(one.after, again.after))
    return one


def _round_from_unknown(
    method: Method, like: Any, reading: StateReading, start: int, oracle: GramOracle
) -> GenericRound:
    """Return a round from a state of which nothing is known but the relations."""
    before = unknown_state(oracle, like, reading, start)
    for name in reading.gradients:
        oracle.point(getattr(before, name))
    oracle.begin_round()
    after = run_step(method, lambda: method.round(oracle, before))
    return GenericRound(oracle, before, after, reading, start)


def _rehearse_rounds(method: Method, start: int, *, N: int, K: int, S: int | None) -> StateReading:
    """Return the relations that hold before the round of number `start` and after each of a few short rounds."""
    oracle, states = start_method(method, N=N, K=K, S=S, rounds=start + _ROUNDS)
    return guess_reading(method.card.id, states[start:], size=len(oracle.basis))


def run_step(method: Method, step: Any) -> Any:
    """Return what a step of a method's code returns, or refuse the method by the name of what is not linear."""
    try:
        with watching(method):
            return step()
    except NonlinearError as error:
        msg = f"method {method.card.id}: {_UNLIKE if error.operation == COUNTS else error}"
        raise NotApplicableError(msg) from error
    # What a method's code asks of arrays, and these vectors are not.
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        msg = f"method {method.card.id}: its code does not run on Gram vectors: {error}"
        raise NotApplicableError(msg) from error


def tilt(one: GenericRound) -> dict[int, Fraction] | None:
    """Return what a tilt <v_i, x> of the clients' functions adds to deviations, where a round does not notice it.

    Then v_i is added to the gradients of client i, and a multiple of it to each of its vectors.

    Returns
    -------
    dict or None
        Index in the basis to the multiple of v_i; None if points of the round move, or what a draw averages or keeps.
    """
    basis = one.oracle.basis
    gradients = [k for k, e in enumerate(basis) if e.kind == "gradient"]
    fields = [k for k, e in enumerate(basis) if e.kind == "client"]
    after = [one.reading.relative(one.after, basis[k].label) for k in fields]
    unmoved = [*(p.at for p in one.oracle.points), *(e.of for e in basis if e.of is not None)]
    equations = [(v, None) for v in unmoved] + [(v, k) for v, k in zip(after, fields, strict=True)]
    lines = [[fraction(c) for c in v.pad_to(len(basis))[DEVIATION]] for v, _ in equations]
    columns = [[line[k] - (k == own) for line, (_, own) in zip(lines, equations, strict=True)] for k in fields]
    found = combination(columns, [-sum((line[k] for k in gradients), Fraction(0)) for line in lines])
    return None if found is None else dict.fromkeys(gradients, Fraction(1)) | dict(zip(fields, found, strict=True))


def ignore_tilts(one: GenericRound) -> GenericRound:
    """Return a round whose potentials do not notice tilts <v_i, x> of the clients' functions, if it does not either."""
    found = tilt(one)
    if found is None:
        return one
    tilts = {element.label: found[k] for k, element in enumerate(one.oracle.basis) if element.kind == "client"}
    return dataclasses.replace(one, reading=dataclasses.replace(one.reading, tilts=tilts))


def unknown_state(oracle: GramOracle, like: Any, reading: StateReading, start: int) -> Any:
    """Return a state of which nothing is known but the relations, and that so many rounds are done."""
    x = oracle.server("x")
    free = set(reading.free(reading.means)), set(reading.free(reading.deviations))
    parts = {}
    for name in reading.means:
        own = oracle.client(name) if name in free[1] else oracle.server(name) if name in free[0] else None
        if own is not None:
            parts[name] = own.mean, deviation(own)
    fields: dict[str, Any] = {"x": x} | {name: SymbolicCount(start) for name in reading.counts}
    for name in reading.means:
        v = x if name in reading.points else 0.0 * x
        for other, c in reading.means[name].items():
            v = v + ExactNumber(c) * parts[other][MEAN]
        for other, c in reading.deviations[name].items():
            v = v + ExactNumber(c) * parts[other][DEVIATION]
        fields[name] = v
    return like._replace(**fields)
