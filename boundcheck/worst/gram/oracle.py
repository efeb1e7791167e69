"""The oracle on Gram coordinates: every gradient at a new point, and every noise, is a new basis vector.

One generic client stands for all N: a vector of the clients is split into its mean over them and the deviation from
it.  Averaging a Gram matrix over permutations of the clients leaves two blocks, the Gram matrix P of the means and Q,
the mean over the clients of the Gram matrices of the deviations, with no products between them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from boundcheck.errors import NotApplicableError, require_count
from boundcheck.worst.gram.vectors import (
    COINS,
    DEVIATION,
    MEAN,
    GramVector,
    Nonlinear,
    NonlinearError,
    VectorFunctions,
    vector_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.methods.base import Hyper

Kind = Literal["server", "client", "gradient", "noise", "sampled", "kept", "spread", "mixed"]

SERVER = ("server", "sampled")
"""Kinds of basis vectors without deviations."""
NO_MEAN = ("kept", "spread", "mixed")
"""Kinds of basis vectors without means."""
_EQUAL = 1e-12
"""By how much weights of mixing differ that are the same."""
_DIGITS = 12
"""Points are the same whose coefficients agree to so many digits."""


@dataclass(frozen=True)
class Element:
    """One basis vector.

    Attributes
    ----------
    label : str
        What it is, for messages and certificates.
    kind : {'server', 'client', 'gradient', 'noise', 'sampled', 'kept', 'spread', 'mixed'}
        A server vector has no deviation, nor has a sampled one; the others have both parts.  Sampled, kept and spread
        ones are what the draw of a round's active clients brings (`boundcheck.worst.facts.participation`); of a mixed
        one only the spectrum of the matrix is known, and it has no mean.
    own, shared : frozenset of int
        Noises (by their index in the basis) that it depends on: those of its own client alone, and those of all
        clients, through an average.  A noise depends on itself, as its own.
    samples : int
        Samples of a noise, whose variance is sigma^2 over them.
    drawn : frozenset of int
        Draws of active clients that it depends on.
    of : GramVector or None
        What was averaged, or kept, by the active clients alone.
    draw : int
        Which draw that was.
    spectrum : tuple of Fraction, optional
        Least and largest eigenvalue of the matrix that mixed what `of` has beside its mean.
    """

    label: str
    kind: Kind
    own: frozenset[int] = frozenset()
    shared: frozenset[int] = frozenset()
    samples: int = 1
    drawn: frozenset[int] = frozenset()
    of: GramVector | None = None
    draw: int = -1
    spectrum: tuple[Fraction, Fraction] | None = None


@dataclass(frozen=True)
class GradientPoint:
    """A point at which the clients' gradients were asked for."""

    at: GramVector
    gradient: int
    """Index in the basis of the generic client's gradient there."""

    @property
    def is_server(self) -> bool:
        """Whether all clients stand at it: then the mean of the gradient is grad F there."""
        return not self.at.coefficients[DEVIATION].any()


@dataclass
class GramBatch:
    """A minibatch of every client, whose additive noise is the same at every point; a basis vector once it is used."""

    samples: int
    noise: GramVector | None = None


@dataclass
class Tosses:
    """The outcomes of a method's coins along one path of a run: those that are told, then heads.

    Attributes
    ----------
    told : list of bool
        Outcomes of the first coins.
    made : list of (bool, Fraction)
        Outcomes of all coins so far, each with its probability.
    """

    told: list[bool] = field(default_factory=list)
    made: list[tuple[bool, Fraction]] = field(default_factory=list)

    def toss(self, heads: Fraction) -> bool:
        """Return the outcome of the next coin."""
        outcome = self.told[len(self.made)] if len(self.made) < len(self.told) else True
        self.made.append((outcome, heads if outcome else 1 - heads))
        return outcome


@dataclass
class Coin:
    """A uniform number of the method's own: it is compared with a probability, and its outcome told by `tosses`."""

    tosses: Tosses | None = None

    def __lt__(self, other: Any) -> bool:
        if not 0.0 < float(other) < 1.0:
            return float(other) >= 1.0
        if self.tosses is None:
            raise NonlinearError(COINS)
        return self.tosses.toss(Fraction(other))


@dataclass
class GramOracle:
    """Implements `boundcheck.methods.base.Oracle` on `GramVector`, all N clients taking part.

    Attributes
    ----------
    N, K, b : int
        Clients, local steps a round, samples of a minibatch.
    noisy : bool
        Whether sampled gradients carry noise; without it they are exact.
    basis : list of Element
        Basis vectors in the order in which they were met.
    points : list of Point
        Points in the order in which gradients were first asked for there.
    shown : list of (GramVector, float)
        Local iterates and their weights, as the method shows them to observers.
    """

    N: int
    K: int
    b: int = 1
    noisy: bool = False
    basis: list[Element] = field(default_factory=list)
    points: list[GradientPoint] = field(default_factory=list)
    shown: list[tuple[GramVector, Any]] = field(default_factory=list)
    tosses: Tosses | None = None
    """Outcomes of the method's coins, where a path of them is followed."""
    weights_add_up: ClassVar[bool] = True
    origins: ClassVar[tuple[int, ...]] = (0,)
    """Indices in the basis of the start, which every point contains once."""

    def __post_init__(self) -> None:
        """Refuse counts that do not exist."""
        for name in ("N", "K", "b"):
            require_count(getattr(self, name), name)
        self.S = self.N
        self.xp: Any = VectorFunctions()
        self._known: dict[bytes, int] = {}
        self.asked: list[int] = []
        """Numbers of points, as often as gradients were asked for there."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NonlinearError(f"what the oracle calls {name}")

    def new(self, element: Element) -> GramVector:
        """Return a vector that is a new basis vector."""
        self.basis.append(element)
        coefficients = np.zeros((2, len(self.basis)))
        coefficients[MEAN, -1] = float(element.kind != "mixed")
        coefficients[DEVIATION, -1] = float(element.kind not in SERVER)
        return GramVector(coefficients)

    def server(self, label: str) -> GramVector:
        """Return a new server vector of which nothing is known: a start, or part of a generic state."""
        return self.new(Element(label, "server"))

    def client(self, label: str) -> GramVector:
        """Return a new vector of the clients of which nothing is known: part of a generic state."""
        return self.new(Element(label, "client"))

    def point(self, y: Any) -> GradientPoint:
        """Return the point at `y`, a new one with its gradient unless gradients were asked for there before."""
        at = vector_of(y)
        key = self._key(at)
        if key not in self._known:
            self._known[key] = len(self.points)
            own, shared = self.depends(at)
            label = f"gradient at point {len(self.points)}"
            self.new(Element(label, "gradient", own, shared, drawn=self.draws_behind(at)))
            self.points.append(GradientPoint(at, len(self.basis) - 1))
        self.asked.append(self._known[key])
        return self.points[self._known[key]]

    def depends(self, v: GramVector) -> tuple[frozenset[int], frozenset[int]]:
        """Return the noises that a vector depends on: those of the generic client alone, and those of all clients."""
        own: frozenset[int] = frozenset()
        shared: frozenset[int] = frozenset()
        for element, (mean, deviation) in zip(self.basis, v.coefficients.T, strict=False):
            if mean or deviation:
                shared |= element.shared
                # Equal coefficients mean the client's own vector; any others hold an average over all of them.
                own, shared = (own | element.own, shared) if mean == deviation else (own, shared | element.own)
        return own - shared, shared

    def draws_behind(self, v: GramVector) -> frozenset[int]:
        """Return the draws of active clients that a vector depends on."""
        used = [e.drawn for e, column in zip(self.basis, v.coefficients.T, strict=False) if column.any()]
        return frozenset[int]().union(*used)

    def _key(self, at: GramVector) -> bytes:
        kept = np.round(at.coefficients.astype(float), _DIGITS) + 0.0
        return kept[:, : 1 + int(np.flatnonzero(kept.any(axis=0)).max(initial=-1))].tobytes()

    def _gradient(self, y: Any) -> GramVector:
        index = self.point(y).gradient
        coefficients = np.zeros((2, index + 1))
        coefficients[:, index] = 1.0
        return GramVector(coefficients)

    def client_prox(self, v: Any, step: Hyper) -> GramVector:
        """Return the clients' points y = v - step grad f_i(y), each a new one: stationary, as their minimisers are."""
        start = vector_of(v)
        own, shared = self.depends(start)
        k = len(self.points)
        gradient = self.new(Element(f"gradient at point {k}", "gradient", own, shared, drawn=self.draws_behind(start)))
        at = vector_of(start - step * gradient)
        self._known[self._key(at)] = k
        self.points.append(GradientPoint(at, len(self.basis) - 1))
        self.asked.append(k)
        return at

    def draw(self, b: int | None = None) -> GramBatch:
        """Return a minibatch of every client."""
        return GramBatch(self.b if b is None else b)

    def grad(self, y: Any, batch: GramBatch) -> GramVector:
        """Return the gradients at `y` plus the minibatch's noise."""
        gradient = self._gradient(y)
        if not self.noisy:
            return gradient
        if batch.noise is None:
            index = len(self.basis)
            batch.noise = self.new(Element(f"noise {index}", "noise", frozenset({index}), samples=batch.samples))
        total: GramVector = gradient + batch.noise
        return total

    def full(self, y: Any) -> GramVector:
        """Return the exact gradients at `y`."""
        return self._gradient(y)

    def full_all(self, y: Any) -> GramVector:
        """Return the exact gradients at `y`: all clients take part."""
        return self._gradient(y)

    def initial(self, x0: Any, b: int) -> GramVector:
        """Return the gradients at x0 on `b` samples each."""
        require_count(b, "B")
        return self.grad(x0, GramBatch(b))

    def begin_round(self) -> None:
        """Say that a round begins: all clients are active in every one."""

    def fori(self, step: Callable[[int, Any], Any], carry: Any, steps: int | None = None) -> Any:
        """Return `carry` after ``carry = step(k, carry)`` for every local step k."""
        for k in range(self.K if steps is None else steps):
            carry = step(k, carry)
        return carry

    def mean(self, v: Any, *, free: bool = False) -> Any:
        """Average over the clients."""
        return v if isinstance(v, Nonlinear) else vector_of(v).mean

    def mix(self, v: Any, weights: Any) -> Any:
        """Return what mixing makes of a vector of the clients: exactly, where all pairs weigh each other alike.

        Of any other symmetric matrix the spectrum is known, beside the eigenvalue 1 of the mean.
        """
        vector, table = vector_of(v), np.asarray(weights, dtype=float)
        apart = table[~np.eye(len(table), dtype=bool)]
        mean = vector.mean
        if len(table) == 1:
            return vector
        if np.ptp(apart) <= _EQUAL:
            kept = Fraction(float(table[0, 0] - apart[0])).limit_denominator(10**12)
            return mean + (vector - mean) * (kept if vector.coefficients.dtype == object else float(kept))
        eigenvalues = np.sort(np.linalg.eigvalsh(table))[:-1]
        spectrum = tuple(Fraction(float(v)).limit_denominator(10**9) for v in (eigenvalues[0], eigenvalues[-1]))
        label = f"mixed {len(self.basis)}"
        return mean + self.new(Element(label, "mixed", of=vector, spectrum=(spectrum[0], spectrum[1])))

    def mean_all(self, v: Any) -> Any:
        """Average over the clients."""
        return self.mean(v)

    def largest(self, v: Any) -> Nonlinear:
        """Remember that the largest entries over clients are not linear."""
        return Nonlinear.first_of((v,), "largest entries over the clients")

    def to_clients(self, x: Any, *, free: bool = False) -> Any:
        """Return the server vector: every client has it."""
        return x

    def to_all(self, x: Any) -> Any:
        """Return the server vector: every client has it."""
        return x

    def active(self, memory: Any) -> Any:
        """Return the memory: all clients are active."""
        return memory

    def remember(self, memory: Any, rows: Any) -> Any:
        """Return the rows: all clients are active."""
        return rows

    def uniform(self, *shape: int) -> Coin:
        """Return a coin; one for each coordinate or client is told by nobody, and decides only what is not random."""
        return Coin(self.tosses if all(size == 1 for size in shape) else None)

    def observe(self, y: Any, weight: Hyper = 1.0) -> None:
        """Keep the local iterates for left-hand sides that speak of them."""
        if isinstance(y, GramVector):
            self.shown.append((y, weight))

    def blockwise(self, x: Hyper, y: Hyper) -> Any:
        """Refuse the blocks of a minimax problem, which `boundcheck.worst.gram.blocks.PairOracle` has."""
        msg = "the blocks of a minimax problem need pairs (x, y)"
        raise NotApplicableError(msg)
