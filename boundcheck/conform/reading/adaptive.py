"""The adaptive server read off: which versions of its rule lead from iterate to iterate, several changes at a time.

The server is given the displacements D_t of our local steps from the implementation's own iterates, so that its moments
are a recursion in D_t alone; a version is right if it gives the next iterate in every round of every run.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.conform.mistakes.anywhere import ANYWHERE
from boundcheck.conform.mistakes.averaging import AVERAGES
from boundcheck.conform.mistakes.updates import COMMON_WEIGHTS
from boundcheck.conform.reading.forced import RecordedDisplacements, displacements
from boundcheck.conform.reading.words import EXACT, fit, text
from boundcheck.methods.server_adaptive import FedOpt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from boundcheck.conform.faults.wrong import Mistake
    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array

_LOCAL = {
    **{name: ANYWHERE[name] for name in ("one-step-less", "stale-gradient", "ascent", "by-size", "last-only")},
    **AVERAGES,
    **{mistake.words: mistake for mistake in COMMON_WEIGHTS},
}
"""Mistakes before the server's rule that are tried together with its versions."""
_PLAIN = 0.99
"""The second weight of a method that has none, for laws of others."""
_MOST = 3
"""Most changes of the rule at a time."""


class Slot(NamedTuple):
    """One place of the rule where versions differ: the right one, and words to function of the others."""

    name: str
    others: dict[str, Any]


@dataclass
class _Moments:
    """The server before a round."""

    m: Array
    v: Array
    top: Array
    t: int
    n: Any
    """The method, for its numbers."""
    D: Array
    squares: Array
    before: Array
    """The second moment before it was refreshed."""
    m_before: Array
    """Likewise the first."""


def _correct(n: Any, weight: float, count: int) -> float:
    return float(1.0 - weight**count)


def _factor(ahead: int) -> Callable[[_Moments, Array, Array], tuple[Array, Array]]:
    def correct(s: _Moments, m: Array, v: Array) -> tuple[Array, Array]:
        count = s.t + ahead
        by = np.sqrt(_correct(s.n, s.n.beta2, count)) / _correct(s.n, s.n.beta1, count)
        return by * m, v

    return correct


def _hats(ahead: int, *, first: bool = True, second: bool = True) -> Callable[..., tuple[Array, Array]]:
    def correct(s: _Moments, m: Array, v: Array) -> tuple[Array, Array]:
        count = s.t + ahead
        return (
            m / _correct(s.n, s.n.beta1, count) if first else m,
            v / _correct(s.n, s.n.beta2, count) if second else v,
        )

    return correct


_AHEAD = ", with a counter that is one ahead (its exponent is 2 in round 1)"
_BIAS = "moments are corrected for their bias, which the method does not do"

SLOTS: tuple[Slot, ...] = (
    Slot(
        "scale",
        {
            "the displacement D is multiplied by gamma before it enters the moments": lambda n, K, S: n.gamma,
            "the displacement D is divided by eta before it enters the moments": lambda n, K, S: 1.0 / n.eta,
            "the displacement D is divided by eta K before it enters the moments": lambda n, K, S: 1.0 / (n.eta * K),
            "the displacement D is divided by K before it enters the moments": lambda n, K, S: 1.0 / K,
            "the displacement D has the wrong sign: the server moves against it": lambda n, K, S: -1.0,
            "the displacement D is divided by S twice": lambda n, K, S: 1.0 / S,
        },
    ),
    Slot(
        "first",
        {
            "the first moment is never used: D stands in its place": lambda s: s.D,
            "the factor (1-beta1) of the displacement is missing in the first moment": lambda s: s.n.beta1 * s.m + s.D,
            "the weights beta1 and 1-beta1 of the first moment are swapped": lambda s: (
                (1 - s.n.beta1) * s.m + s.n.beta1 * s.D
            ),
            "the first moment starts as the first displacement and not at 0": lambda s: (
                s.D if s.t == 0 else s.n.beta1 * s.m + (1 - s.n.beta1) * s.D
            ),
            "the first moment is made of sign(D)": lambda s: s.n.beta1 * s.m + (1 - s.n.beta1) * np.sign(s.D),
            "the first moment is weighted by beta2": lambda s: s.n.beta2 * s.m + (1 - s.n.beta2) * s.D,
        },
    ),
    Slot(
        "made of",
        {
            "the second moment v is made of m^2 and not of D^2": lambda s: s.m**2,
            "the second moment v is made of |D| and not of D^2": lambda s: np.abs(s.D),
            "the second moment v is made of the mean of the clients' squares and not of the square of their mean D^2": (
                lambda s: s.squares
            ),
            "the second moment v is made of |D|^2, one number for all entries, and not of D^2 entry by entry": (
                lambda s: np.full_like(s.D, (s.D**2).sum())
            ),
            "the second moment v is made of D, without the square: D and not D^2": lambda s: s.D,
            "the second moment v is made of (D - m)^2 and not of D^2": lambda s: (s.D - s.m) ** 2,
        },
    ),
    Slot(
        "law",
        {
            "the squares are averaged in v, as in FedAdam": lambda s, q, b: b * s.v + (1 - b) * q,
            "the squares are added up in v, as in FedAdagrad": lambda s, q, b: s.v + q,
            "the second moment v moves by (1-beta2) D^2 towards the square, as in FedYogi": lambda s, q, b: (
                s.v - (1 - b) * q * np.sign(s.v - q)
            ),
            "the second moment v moves away from the square: the sign is reversed": lambda s, q, b: (
                s.v + (1 - b) * q * np.sign(s.v - q)
            ),
            "the sign of Yogi's move is squared away: v always loses (1-beta2) D^2": lambda s, q, b: (
                s.v - (1 - b) * (q * np.sign(s.v - q)) ** 2 / np.maximum(q, 1e-300)
            ),
            "Yogi's move is the square of the signed square: (D^2 sign(v - D^2))^2 and not D^2 sign(v - D^2)": (
                lambda s, q, b: s.v - (1 - b) * (q * np.sign(s.v - q)) ** 2
            ),
            "Yogi's move is the square of the signed square, and added: (1-beta2) D^4": lambda s, q, b: (
                s.v + (1 - b) * q**2
            ),
            "Yogi's sign is that of D - v and not of v - D^2": lambda s, q, b: s.v - (1 - b) * q * np.sign(s.v - s.D),
            "Yogi's sign is that of v - m^2 and not of v - D^2": lambda s, q, b: (
                s.v - (1 - b) * q * np.sign(s.v - s.m**2)
            ),
            "Yogi's move is (1-beta2) sign(v - D^2), without the factor D^2": lambda s, q, b: (
                s.v - (1 - b) * np.sign(s.v - q)
            ),
            "the second moment v is the last square alone": lambda s, q, b: q,
            "the second moment v is not kept: it is (1-beta2) D^2": lambda s, q, b: (1 - b) * q,
            "the second moment v is never refreshed": lambda s, q, b: s.v,
            "the factor (1-beta2) of the square is missing in v": lambda s, q, b: b * s.v + q,
            "the weights beta2 and 1-beta2 of v are swapped": lambda s, q, b: (1 - b) * s.v + b * q,
            "the second moment v is weighted by beta1": lambda s, q, b: s.n.beta1 * s.v + (1 - s.n.beta1) * q,
            "tau is added to v in every round": lambda s, q, b: b * s.v + (1 - b) * q + s.n.tau,
            "tau^2 is added to v in every round": lambda s, q, b: b * s.v + (1 - b) * q + s.n.tau**2,
            "v grows by the factor (1-beta2) and keeps all of the old one: v + (1-beta2) D^2": lambda s, q, b: (
                s.v + (1 - b) * q
            ),
        },
    ),
    Slot(
        "start",
        {
            "the second moment v starts at 0 instead of tau^2": lambda n, D: 0.0 * D,
            "the second moment v starts at tau instead of tau^2": lambda n, D: 0.0 * D + n.tau,
            "the second moment v starts at 1 instead of tau^2": lambda n, D: 0.0 * D + 1.0,
            "the second moment v starts at 1e-6 instead of tau^2": lambda n, D: 0.0 * D + 1e-6,
            "the second moment v starts at 0.001 instead of tau^2": lambda n, D: 0.0 * D + 0.001,
            "the second moment v starts at 0.1 instead of tau^2": lambda n, D: 0.0 * D + 0.1,
            "the second moment v starts at the first D^2 instead of tau^2": lambda n, D: D**2,
        },
    ),
    Slot(
        "bias",
        {
            f"both {_BIAS}": _hats(1),
            f"both {_BIAS}{_AHEAD}": _hats(2),
            "the first moment is corrected for its bias, which the method does not do": _hats(1, second=False),
            "the second moment is corrected for its bias, which the method does not do": _hats(1, first=False),
            f"the first moment is corrected for its bias{_AHEAD}": _hats(2, second=False),
            f"both {_BIAS}, and the step by sqrt(1-beta2^t)/(1-beta1^t) besides: the correction is made twice": (
                lambda s, m, v: _factor(1)(s, *_hats(1)(s, m, v))
            ),
            "the step has the factor sqrt(1-beta2)^t/(1-beta1)^t, whose powers stand outside of their parentheses, and "
            "which the method does not have": (
                lambda s, m, v: ((np.sqrt(1.0 - s.n.beta2) / (1.0 - s.n.beta1)) ** (s.t + 1) * m, v)
            ),
            "the step has a bias correction sqrt(1-beta2^t)/(1-beta1^t), which the method does not have": _factor(1),
            f"the step has a bias correction sqrt(1-beta2^t)/(1-beta1^t), which the method does not have{_AHEAD}": (
                _factor(2)
            ),
        },
    ),
    Slot(
        "along",
        {
            "the step is along beta1 m + (1-beta1) D and not along m: Nesterov's look-ahead (NAdam)": lambda s, m: (
                s.n.beta1 * m + (1 - s.n.beta1) * s.D
            ),
            "the step is along m + D and not along m": lambda s, m: m + s.D,
            "the step is along the first moment before it is refreshed": lambda s, m: s.m_before,
            "the step is along sign(m) and not along m": lambda s, m: np.sign(m),
        },
    ),
    Slot(
        "divisor",
        {
            "tau is added inside the root": lambda s, v: np.sqrt(v + s.n.tau),
            "tau^2 is added inside the root and not tau outside it": lambda s, v: np.sqrt(v + s.n.tau**2),
            "tau is missing in the denominator": lambda s, v: np.sqrt(v),
            "the root of the second moment is missing": lambda s, v: v + s.n.tau,
            "the step is divided by the second moment before it is refreshed": lambda s, v: np.sqrt(s.before) + s.n.tau,
            "the step is divided by the running maximum of v, as in AMSGrad": lambda s, v: (
                np.sqrt(np.maximum(s.top, v)) + s.n.tau
            ),
            "the denominator is max(sqrt(v), tau) and not sqrt(v) + tau": lambda s, v: np.maximum(np.sqrt(v), s.n.tau),
            "the denominator is 1: the step is not divided by sqrt(v) + tau": lambda s, v: np.ones_like(v),
            "the denominator has tau^2 in the place of tau": lambda s, v: np.sqrt(v) + s.n.tau**2,
            "the denominator has one number for all entries: the largest sqrt(v)": lambda s, v: (
                np.full_like(v, np.sqrt(v.max())) + s.n.tau
            ),
            "the denominator has a root of one number for all entries: the norm of sqrt(v)": lambda s, v: (
                np.full_like(v, np.sqrt(v.sum())) + s.n.tau
            ),
        },
    ),
    Slot(
        "step",
        {
            "the server step gamma is not applied": lambda n: 1.0,
            "the server moves by eta and not by gamma": lambda n: n.eta,
            "the server step is gamma^2": lambda n: n.gamma**2,
            "the server moves against the first moment": lambda n: -n.gamma,
        },
    ),
    Slot("from", {"the server's step starts at the average of the clients and not at x": True}),
    Slot("times", {"the server's step is made twice a round": 2}),
)
_AT = {slot.name: slot for slot in SLOTS}


class Version(NamedTuple):
    """The rule with some changes, slot to words."""

    changes: dict[str, str]

    def of(self, slot: str) -> Any:
        """Return the function of a slot, None for the right one."""
        words = self.changes.get(slot)
        return None if words is None else _AT[slot].others[words]


def versions(most: int = _MOST) -> Iterator[Version]:
    """Yield the versions of the rule, those with the fewest changes first."""
    for count in range(most + 1):
        for slots in itertools.combinations(SLOTS, count):
            for words in itertools.product(*(slot.others for slot in slots)):
                yield Version({slot.name: one for slot, one in zip(slots, words, strict=True)})


def next_iterates(
    made: Any, version: Version, K: int, S: int, path: Array, given: RecordedDisplacements
) -> Iterator[Array]:
    """Yield x_(t+1) of the rule for every round from x_t of the path and the displacements."""
    b2 = getattr(made, "beta2", _PLAIN)
    scale, law, made_of = version.of("scale"), version.of("law"), version.of("made of")
    by = 1.0 if scale is None else scale(made, K, S)
    start = version.of("start")
    v = 0.0 * path[0] + made.tau**2 if start is None else start(made, by * given.D[0])
    s = _Moments(0.0 * path[0], v, v, 0, made, v, v, v, v)
    for t in range(len(path) - 1):
        s.D, s.squares, s.t = by * given.D[t], by**2 * given.squares[t], t
        x = path[t] + (given.D[t] if version.of("from") else 0.0)
        for _ in range(version.of("times") or 1):
            first = version.of("first")
            s.m_before = s.m
            s.m = made.beta1 * s.m + (1.0 - made.beta1) * s.D if first is None else first(s)
            square = s.D * s.D if made_of is None else made_of(s)
            s.before = s.v
            s.v = made.second(np, s.v, square) if law is None else law(s, square, b2)
            m, v = s.m, s.v
            bias = version.of("bias")
            if bias is not None:
                m, v = bias(s, m, v)
            along = version.of("along")
            if along is not None:
                m = along(s, m)
            divisor = version.of("divisor")
            root = np.sqrt(v) + made.tau if divisor is None else divisor(s, v)
            s.top = np.maximum(s.top, v)
            step = version.of("step")
            x = x + (made.gamma if step is None else step(made)) * m / root
        yield x


@dataclass(frozen=True)
class _Forced:
    """The displacements of every run, under one mistake before the server's rule."""

    made: Any
    pairs: Sequence[tuple[RecordedRun, Array]]
    given: Sequence[RecordedDisplacements]
    tolerance: float

    @cached_property
    def _tolerances(self) -> list[float]:
        """How far off the iterates of every run may be."""
        finite = [path[np.isfinite(path).all(axis=1)] for _, path in self.pairs]
        return [self.tolerance * float(np.abs(path).max()) for path in finite]

    def leads_on(self, version: Version) -> bool:
        """Return whether a version gives the next iterate in every round of every run."""
        return all(self._leads(version, n) for n in range(len(self.pairs)))

    def _leads(self, version: Version, n: int) -> bool:
        run, path = self.pairs[n]
        allowed = self._tolerances[n]
        found = next_iterates(self.made, version, run.setting.K, run.setting.S, path, self.given[n])
        try:
            for x, y in zip(found, path[1:], strict=True):
                if not np.isfinite(y).all():
                    return not np.isfinite(x).all()  # both stop being numbers in the same round
                if not np.abs(x - y).max() <= allowed:
                    return False
        except AttributeError:  # a version with a weight that the method does not have
            return False
        return True


def read_adaptive(
    made: Method,
    pairs: Sequence[tuple[RecordedRun, Array]],
    tolerance: float,
    most: int = _MOST,
    before: Sequence[Mistake] | None = None,
) -> tuple[str, ...]:
    """Return the words of what is wrong with an adaptive server; empty if no version has the iterates.

    One mistake of the local steps or of the average is tried besides where few changes of the rule do not explain all;
    with `before` one of these is made in any case.
    """
    if not isinstance(made, FedOpt) or 2 * sum(bool(np.isfinite(path).all()) for _, path in pairs) < len(pairs):
        return ()
    tries: list[tuple[str, Mistake | None, int]] = [("", None, most), *((m.words, m, 1) for m in _LOCAL.values())]
    if before is not None:
        tries = [(m.words, m, most) for m in before]
    told = sorted(pairs, key=lambda pair: (pair[0].setting.T, -pair[0].setting.S, -pair[0].setting.K))
    for words, mistake, limit in tries:
        given = [one for run, path in told if (one := displacements(made, run, path, mistake)) is not None]
        forced = _Forced(made, told, given, tolerance)
        for version in versions(limit):
            if forced.leads_on(version):
                return tuple(part for part in (words, *version.changes.values()) if part)
    return ()


def has_versions(
    made: Method, pairs: Sequence[tuple[RecordedRun, Array]], tolerance: float, words: Sequence[str]
) -> bool:
    """Return whether an adaptive server with the changes of these words has the iterates."""
    if not isinstance(made, FedOpt):
        return False
    mistake = next((one for one in _LOCAL.values() if one.words in words), None)
    version = Version({slot.name: one for slot in SLOTS for one in words if one in slot.others})
    given = [one for run, path in pairs if (one := displacements(made, run, path, mistake)) is not None]
    return _Forced(made, pairs, given, tolerance).leads_on(version)


def read_server_step(made: Method, pairs: Sequence[tuple[RecordedRun, Array]]) -> tuple[str, ...]:
    """Return how the step of an adaptive server changes from round to round, where it is a multiple of ours."""
    if not isinstance(made, FedOpt):
        return ()
    table: dict[int, float] = {}
    for run, path in pairs:
        given = displacements(made, run, path)
        if given is None or not np.isfinite(path).all():
            return ()
        ours = next_iterates(made, Version({}), run.setting.K, run.setting.S, path, given)
        for t, x in enumerate(ours):
            found, fits = fit([x - path[t]], path[t + 1] - path[t])
            if not fits or abs(table.setdefault(t, float(found[0])) - found[0]) > EXACT:
                return ()
    if len(set(np.round(list(table.values()), 7))) < 2:
        return ()
    factors = ", ".join(text(table[t]) for t in sorted(table))
    return (f"the server step gamma changes from round to round, by the factors {factors}",)
