"""Unbiased quantisers of messages: E Q(z) = z and E |Q(z) - z|^2 <= q |z|^2.

A quantiser draws the uniforms it needs from the method's own coin flips, so that the same seed gives the same bits.
Methods take a quantiser by name, as recipes write it; `quantiser_named` reads the name.
"""

from __future__ import annotations

import inspect
import math
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar

from boundcheck.errors import InputError, require, require_count
from boundcheck.files.own import absolute, is_reference, load_reference
from boundcheck.methods.base import Method, described_by
from boundcheck.methods.encoding import WORD, elias_bits, fixed_bits

if TYPE_CHECKING:
    from boundcheck.methods.base import Coins, Oracle, Traffic, Vector


class Quantiser(ABC):
    """A random map of every client's row with mean the row and variance at most q times its square."""

    coins: ClassVar[Coins] = "other"
    """What it draws."""

    @abstractmethod
    def __call__(self, oracle: Oracle, z: Vector) -> Vector:
        """Return Q(z), every row (lanes, clients, :) on its own coins."""

    @abstractmethod
    def q(self, d: int) -> float:
        """Return the relative variance constant in dimension `d`."""

    def bits(self, d: int) -> float:
        """Return the length of the message of a vector of dimension `d`: plain floats, unless a class says otherwise.

        It is an expectation over the quantiser's own coins where these decide the length.
        """
        return float(WORD * d)


@dataclass(frozen=True)
class NoCompression(Quantiser):
    """No compression: q = 0."""

    coins = "none"

    def __call__(self, oracle: Oracle, z: Vector) -> Vector:
        """Return `z`, without a coin flip."""
        return z

    def q(self, d: int) -> float:
        """Return 0, nothing being lost."""
        return 0.0


@dataclass(frozen=True)
class QSGD(Quantiser):
    """Random rounding of |z_j| / |z| to one of the two neighbouring multiples of 1/levels.

    With a_j = levels |z_j| / |z| and p_j = a_j - floor(a_j), ``Q(z)_j = |z| sign(z_j) (floor(a_j) + Bernoulli(p_j)) /
    levels`` and Q(0) = 0; the variance is exactly |z|^2 sum_j p_j (1 - p_j) / levels^2.

    References: [1] Alistarh, Grubic, Li, Tomioka, Vojnovic, arXiv:1610.02132, section 3.1.

    Attributes
    ----------
    levels : int
        Positive levels of the grid.
    elias : bool
        Count the bits of a message by the bound for Elias coding, and not by the fixed code.
    """

    levels: int
    elias: bool = False

    def __post_init__(self) -> None:
        """Refuse an empty grid."""
        require_count(self.levels, "qsgd: levels")

    def __call__(self, oracle: Oracle, z: Vector) -> Vector:
        """Return Q(z), one coin a coordinate."""
        xp = oracle.xp
        norm = xp.sqrt((z * z).sum(axis=-1, keepdims=True))
        # dividing before scaling keeps a lone coordinate at its level exactly: its ratio is 1, never above
        a = self.levels * (xp.abs(z) / xp.where(norm > 0, norm, 1.0))
        low = xp.floor(a)
        return norm * xp.sign(z) * ((low + (oracle.uniform(*z.shape[1:]) < a - low)) / self.levels)

    def q(self, d: int) -> float:
        """Return min(d / (4 levels^2), sqrt(d) / levels): the usual bound with p (1 - p) <= 1/4 used."""
        return min(d / (4.0 * self.levels**2), math.sqrt(d) / self.levels)

    def bits(self, d: int) -> float:
        """Return the length in the fixed code, or the bound of its expectation in Elias' code."""
        return elias_bits(d, self.levels) if self.elias else float(fixed_bits(d, self.levels))


@dataclass(frozen=True)
class Dropout(Quantiser):
    """The whole vector divided by p with probability p, else zero: q = 1/p - 1, reached at every z.

    Attributes
    ----------
    p : float
        Probability of sending.
    """

    p: float

    def __post_init__(self) -> None:
        """Refuse what is not a positive probability."""
        require(0.0 < self.p <= 1.0, "dropout: p", self.p, "a number in (0, 1]")

    def __call__(self, oracle: Oracle, z: Vector) -> Vector:
        """Return Q(z), one coin a row."""
        return z * ((oracle.uniform(z.shape[1], 1) < self.p) / self.p)

    def q(self, d: int) -> float:
        """Return 1/p - 1."""
        return 1.0 / self.p - 1.0

    def bits(self, d: int) -> float:
        """Return the expected length: a bit that says whether the vector follows, which it does with probability p."""
        return 1.0 + self.p * WORD * d


@dataclass(frozen=True)
class Flip(Quantiser):
    """z (1 + sqrt(q)) or z (1 - sqrt(q)), equally likely: q is reached at every z by bounded outcomes.

    It compresses nothing.  It is for theorems that know a quantiser by q alone: no other reaches q with so light tails.

    Attributes
    ----------
    variance : float
        q.
    """

    coins = "fair"
    variance: float

    def __post_init__(self) -> None:
        """Refuse a negative variance."""
        require(self.variance >= 0.0, "flip: q", self.variance, "a number >= 0")

    def __call__(self, oracle: Oracle, z: Vector) -> Vector:
        """Return Q(z), one coin a row."""
        sign = oracle.xp.where(oracle.uniform(z.shape[1], 1) < 0.5, 1.0, -1.0)
        return z * (1.0 + math.sqrt(self.variance) * sign)

    def q(self, d: int) -> float:
        """Return the variance that it was made with."""
        return self.variance

    def __str__(self) -> str:
        """Return the name that `quantiser_named` reads."""
        return f"flip-{Decimal(repr(self.variance)):f}".removesuffix(".0")


def quantiser_named(name: str) -> Quantiser:
    """Return the quantiser called `name`.

    Parameters
    ----------
    name : str
        'none', 'qsgd-s' with s levels ('qsgd-s-elias': the same vectors, their bits by Elias coding), 'dropout-p' with
        probability p of sending, 'flip-q' with variance q, or ``file.py:NAME``: a `Quantiser` of the user's own, or a
        class of them that needs no arguments, whose code runs.  `boundcheck.engine.compressors` tests one.

    Raises
    ------
    InputError
        If there is no such quantiser; the message says what is legal.
    """
    if name == "none":
        return NoCompression()
    if found := re.fullmatch(r"qsgd-(\d+)(-elias)?", name):
        return QSGD(int(found[1]), elias=found[2] is not None)
    if found := re.fullmatch(r"dropout-(\d*\.?\d+)", name):
        return Dropout(float(found[1]))
    if found := re.fullmatch(r"flip-(\d*\.?\d+)", name):
        return Flip(float(found[1]))
    if is_reference(name):
        made: Any = load_reference("quantiser", absolute(name), _is_quantiser)[0]
        return made() if isinstance(made, type) else made  # type: ignore[no-any-return]
    legal = "file.py:NAME, none, qsgd-<levels>[-elias], dropout-<probability> or flip-<variance>"
    msg = f"quantiser = {name!r} is not legal: {legal}"
    raise InputError(msg)


def _is_quantiser(found: object) -> bool:
    """Return whether this is a quantiser, or makes one."""
    own = isinstance(found, type) and issubclass(found, Quantiser) and not inspect.isabstract(found)
    return own or isinstance(found, Quantiser)


def flipping(variance: float) -> str:
    """Return the name of the quantiser that theorems mean where they know its variance alone."""
    return str(Flip(variance)) if variance else "none"


@dataclass(frozen=True, kw_only=True)
class Quantised(Method):
    """A method whose clients send quantised vectors.

    Attributes
    ----------
    quantiser : str
        Q by name: 'none', 'qsgd-<levels>[-elias]' or 'dropout-<probability>'.
    """

    quantiser: str = described_by("q_omega", flipping, default="none", is_variance=True)

    def __post_init__(self) -> None:
        """Check the quantiser's name."""
        quantiser_named(self.quantiser)

    def Q(self, oracle: Oracle, v: Vector) -> Vector:
        """Return the vectors as they are sent."""
        return quantiser_named(self.quantiser)(oracle, v)

    @property
    def message_coins(self) -> Coins:
        """What the quantiser draws."""
        return quantiser_named(self.quantiser).coins

    def traffic(self, d: int) -> Traffic:
        """Return that vectors up within a round are quantised."""
        return super().traffic(d)._replace(bits=quantiser_named(self.quantiser).bits(d))
