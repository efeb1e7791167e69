"""A method's run on Gram coordinates: its own code, from a start of which nothing is known."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.methods.outside import is_own, require_repeated, watching
from boundcheck.worst.gram.blocks import PairOracle
from boundcheck.worst.gram.exact import made_oracle
from boundcheck.worst.gram.oracle import GramOracle, Tosses
from boundcheck.worst.gram.vectors import MEAN, GramVector, NonlinearError, vector_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.methods.base import Method

_PATHS = 64
"""Most paths of a method's coins that are followed."""
ORIGIN = 0
"""Index in the basis of the start x_0 of a run."""


_MIXING = (
    "mixing where pairs of clients weigh each other differently: only the spectrum of the matrix is known, which "
    "--maximise and files FILE.worst take"
)


class Path(NamedTuple):
    """What a run is for some outcomes of the method's coins."""

    probability: Fraction
    states: tuple[Any, ...]


@dataclass(frozen=True)
class Trace:
    """What a run is on Gram coordinates.

    Attributes
    ----------
    oracle : GramOracle
        Basis vectors and points that were met.
    states : tuple
        States before the first round and after each, T + 1 of them.
    """

    oracle: GramOracle
    states: tuple[Any, ...]
    others: tuple[Path, ...] = ()
    """The paths of the method's coins where it tosses any, the one of `states` first."""

    @property
    def iterates(self) -> tuple[GramVector, ...]:
        """Return the server iterates x_0, ..., x_T, of the first path."""
        return _iterates(self.states)

    @property
    def paths(self) -> list[tuple[Fraction, tuple[GramVector, ...]]]:
        """Return the probability and the server iterates of every path of the method's coins."""
        paths = self.others or (Path(Fraction(1), self.states),)
        return [(path.probability, _iterates(path.states)) for path in paths]


def trace_method(
    method: Method,
    *,
    N: int,
    K: int,
    T: int,
    S: int | None = None,
    b: int = 1,
    noisy: bool = False,
    exact: bool = False,
    pairs: bool = False,
    spectral: bool = False,
) -> Trace:
    """Run a method's own `init` and `round` on Gram coordinates.

    Parameters
    ----------
    method : Method
        Its hyperparameters are numbers.
    N, K, T : int
        Clients (which the coordinates do not depend on), local steps a round, rounds.
    S : int, optional
        Clients that are active in a round; by default all.
    b : int
        Samples of a minibatch.
    noisy : bool
        Whether sampled gradients carry noise.
    exact : bool
        Whether to compute over Q; the hyperparameters are then fractions
        (`boundcheck.worst.gram.units.with_fractions`).
    pairs : bool
        Whether the method is for minimax problems and runs on pairs (x, y), with all clients.
    spectral : bool
        Whether mixing matrices may be known by their spectrum alone.

    Returns
    -------
    Trace

    Raises
    ------
    InputError
        If N, K or b is not an integer >= 1 or T not one >= 0, or a hyperparameter is an array.
    NotApplicableError
        If the method is for minimax problems and not `pairs`, or not linear; the message names the method and the
        operation.
    """
    require_count(T, "T", 0)
    (require_numbers if pairs else require_linear)(method)
    require_partial(method, N=N, S=S)
    of_all = PairOracle if pairs else GramOracle

    def make() -> GramOracle:
        return made_oracle(N=N, S=S, K=K, b=b, noisy=noisy, exact=exact, of_all=of_all)

    def run(oracle: GramOracle) -> tuple[Path, ...]:
        with watching(method):
            return tuple(_paths(method, oracle, T, tosses=not noisy and oracle.S == oracle.N))

    oracle = make()
    try:
        paths = run(oracle)
        if is_own(method):
            ends = [path.states[-1] for path in paths], [path.states[-1] for path in run(make())]
            require_repeated(method, same=all(same_vectors(a, b) for a, b in zip(*ends, strict=True)))
        for point in oracle.points:
            _require_invariant(oracle, point.at)
        if not spectral and any(element.kind == "mixed" for element in oracle.basis):
            raise NonlinearError(_MIXING)
    except NonlinearError as error:
        msg = f"method {method.card.id}: {error}"
        raise NotApplicableError(msg) from error
    # What a method's code asks of arrays, and these vectors are not.
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        msg = f"method {method.card.id}: its code does not run on Gram vectors: {error}"
        raise NotApplicableError(msg) from error
    return Trace(oracle, paths[0].states, paths if len(paths) > 1 else ())


def _paths(method: Method, oracle: GramOracle, T: int, *, tosses: bool) -> Iterator[Path]:
    """Yield the run for all outcomes of the method's coins; what paths have in common has the same basis vectors."""
    start, told = oracle.server("x_0"), list[bool]()
    for count in itertools.count(1):
        oracle.tosses = Tosses(told) if tosses else None
        states = [method.init(oracle, start)]
        for _ in range(T):
            oracle.begin_round()
            states.append(method.round(oracle, states[-1]))
            _require_invariant(oracle, vector_of(states[-1].x))
        made = oracle.tosses.made if oracle.tosses else []
        if count > _PATHS:
            msg = f"method {method.card.id}: its coins have more than {_PATHS} paths in {T} rounds"
            raise NotApplicableError(msg)
        yield Path(prod((p for _, p in made), start=Fraction(1)), tuple(states))
        heads = [k for k, (outcome, _) in enumerate(made) if outcome]
        if not heads:
            return
        told = [outcome for outcome, _ in made[: heads[-1]]] + [False]


def same_vectors(one: Any, other: Any) -> bool:
    """Return whether two states hold the same vectors."""
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if isinstance(a, GramVector)]
    return all(np.array_equal(a.coefficients, b.coefficients) for a, b in pairs)


def _iterates(states: tuple[Any, ...]) -> tuple[GramVector, ...]:
    return tuple(vector_of(state.x) for state in states)


def require_linear(method: Method) -> None:
    """Refuse what is known not to run on Gram coordinates before running it.

    Raises
    ------
    InputError
        If a hyperparameter is an array.
    NotApplicableError
        If the method is for minimax problems.
    """
    if method.card.kind != "minimise":
        msg = f"method {method.card.id}: of minimisation only; a minimax method has an upper side alone"
        raise NotApplicableError(msg)
    require_numbers(method)


def require_numbers(method: Method) -> None:
    """Refuse hyperparameters that are arrays.

    Raises
    ------
    InputError
        If one is.
    """
    for field in dataclasses.fields(method):  # type: ignore[arg-type]
        value = getattr(method, field.name)
        where = f"{method.card.id}: {field.name}"
        require(
            not isinstance(value, (np.ndarray, list, tuple)), where, value, "one number: a worst case is of one run"
        )


def require_partial(method: Method, *, N: int, S: int | None) -> None:
    """Refuse what is not defined where some clients are inactive.

    Raises
    ------
    NotApplicableError
        If the method is about all clients.
    """
    if S is not None and S != N and not method.card.partial:
        msg = f"method {method.card.id} is about all clients in every round, not S = {S} of N = {N}"
        raise NotApplicableError(msg)


def _require_invariant(oracle: GramOracle, at: GramVector) -> None:
    """Refuse points that would move differently if the origin did."""
    if any(abs(at.coefficients[MEAN, origin] - 1.0) > 1e-9 for origin in oracle.origins):
        raise NonlinearError("points that depend on where the origin is")
