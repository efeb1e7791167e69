"""Your own Python functions as a problem."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from boundcheck.errors import InputError, require, require_count
from boundcheck.problems.arrays import draw_indices
from boundcheck.problems.base import Problem
from boundcheck.problems.certification.maximise import MAXIMISERS
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.data.rows import Minibatch
from boundcheck.problems.noise.models import make_noise

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boundcheck.problems.constants import Kind
    from boundcheck.problems.types import Array, Indices, Stream, Token

_FLAT = 1e-6
"""Slope at a minimiser, as a share of the slopes of the clients there and at the start."""
Calls: TypeAlias = Literal["point", "client", "lanes"]


class OwnProblem(Problem):
    """A problem made of your functions; `certify` tests its constants like any other's.

    Parameters
    ----------
    value, gradient : callable
        f_i and grad f_i, in the form that `calls` names.
    N, d : int
        Clients and dimension.
    start : sequence of float
        x_0.
    calls : {'point', 'client', 'lanes'}
        ``function(client, x)`` with one x (d,) (the slowest, and the easiest to write); ``function(client, points)``
        with points (n, d), returning (n,) and (n, d); or ``function(x, clients)`` with x (lanes, clients, d) and client
        numbers (lanes, clients), returning (lanes, clients) and (lanes, clients, d).
    sample, samples : callable, int
        ``sample(client, s, x)`` is the gradient of sample s = 0..samples-1, all equally likely, at one x (d,).  Their
        sigma is yours to give, among the constants.
    sigma, noise : float, str
        Without samples: the deviation and the kind of noise that is added to gradients, see
        `boundcheck.problems.noise.models`.  It is then a constant too.  With neither, samples are exact.
    constants : dict
        Letters to `Constant`, or to numbers, which count as bounds.  All of them are `vouched`: nothing but your word
        speaks for them until `certify` has tried to refute them.  Delta follows from f_star where it is left out.
    convex : bool
        Whether every f_i is convex.  It is vouched for: before a theorem that asks for it is called violated, it is
        attacked.
    x_star : sequence of float, optional
        The only minimiser of f, (d,); delta_x and zeta_star follow from it and are vouched for.
    weights : sequence of float, optional
        The clients' weights p_i, (N,), in f = sum_i p_i f_i; all 1/N where they are left out.
    name : str
        For messages and tables.

    Raises
    ------
    InputError
        If a parameter is not legal, or a letter is unknown; when constants are asked for, if a gradient at the start
        is not finite or f_star lies above f(x_0).
    """

    family = "own"
    sample_cost = 200

    def __init__(
        self,
        value: Callable[..., object],
        gradient: Callable[..., object],
        *,
        N: int,
        d: int,
        start: Sequence[float] | Array,
        calls: Calls = "point",
        sample: Callable[..., object] | None = None,
        samples: int = 0,
        sigma: float = 0.0,
        noise: str = "signs",
        constants: Mapping[str, Constant | float] | None = None,
        convex: bool = False,
        x_star: Sequence[float] | Array | None = None,
        weights: Sequence[float] | Array | None = None,
        name: str = "own",
    ) -> None:
        require(calls in {"point", "client", "lanes"}, "own: calls", calls, "point, client or lanes")
        first = np.array(start, dtype=float)
        require(first.shape == (d,), "own: start", start, f"{d} numbers")
        if sample is not None:
            require_count(samples, "own: samples")
            require(sigma == 0, "own: sigma", sigma, "0 when samples are given: they make the noise")
        super().__init__(N=N, d=d, start=first, noise=make_noise(noise, sigma, d))
        self.name = name
        self.own_value, self.own_gradient, self._sample = value, gradient, sample
        self.calls, self._samples = calls, samples
        self._given = {letter: _as_constant(letter, given) for letter, given in (constants or {}).items()}
        self._require_noise()
        require(isinstance(convex, bool), "own: convex", convex, "True or False")
        self._convex = convex
        if x_star is not None:
            self.x_star = np.array(x_star, dtype=float)
            require(self.x_star.shape == (d,), "own: x_star", x_star, f"{d} numbers")
        if weights is not None:
            p = np.array(weights, dtype=float)
            legal = f"{N} numbers > 0 that add up to 1"
            require(p.shape == (N,) and bool((p > 0).all()) and abs(p.sum() - 1) < 1e-9, "own: weights", weights, legal)
            self.client_weights = p / p.sum()

    @property
    def convex(self) -> bool:
        """Whether every client is said to be convex."""
        return self._convex

    @property
    def convex_is_vouched(self) -> bool:
        """Whether nobody proved that: they are the user's functions."""
        return self._convex

    @property
    def samples_are_noise(self) -> bool:
        """Whether no samples were given: what is drawn is the noise that is added."""
        return self._sample is None

    def _require_noise(self) -> None:
        """Refuse a sigma among the constants that the samples do not have."""
        sigma = self._given.get("sigma")
        if sigma is None or self._sample is not None or self.noise.kind == "dropout":
            return
        added = self.noise.sigma
        legal = "0 or left out: it adds no noise; sigma= does, and sample= gives samples of your own"
        if added:
            legal = f"at least {added:g}, the noise that sigma= adds, or left out"
        require(sigma.value >= added if added else sigma.value == 0, "own: constant sigma", sigma.value, legal)

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return the gradients that the user's function gives."""
        owner = self._owners(x, clients)
        if self.calls == "lanes":
            return _of_shape(self.own_gradient(x.copy(), owner), x.shape, self._shape_of("gradient"))
        return self._each(self.own_gradient, x, owner, (self.d,), self._shape_of("gradient"))

    def value(self, x: Array) -> Array:
        everywhere = self.everyone_at(x)
        owner = self._owners(everywhere, None)
        if self.calls == "lanes":
            values = _of_shape(self.own_value(everywhere.copy(), owner), everywhere.shape[:2], self._shape_of("value"))
        else:
            values = self._each(self.own_value, everywhere, owner, (), self._shape_of("value"))
        return self.over_clients(values)

    def _shape_of(self, what: str) -> str:
        """Return what an error calls the numbers of one of the user's functions."""
        return f"{self.name}: shape of the {what}"

    def _owners(self, x: Array, clients: Indices | None) -> Indices:
        return np.broadcast_to(np.arange(self.N) if clients is None else clients, x.shape[:2])

    def _each(
        self, function: Callable[..., object], x: Array, owner: Indices, shape: tuple[int, ...], what: str
    ) -> Array:
        """Call ``function(client, point)`` for every row, or ``function(client, points)`` for every client."""
        if self.calls == "client":
            places = [owner == client for client in np.unique(owner)]
            parts = [function(int(owner[rows][0]), x[rows]) for rows in places]
            shaped = [
                _of_shape(part, (int(rows.sum()), *shape), what) for part, rows in zip(parts, places, strict=True)
            ]
        else:
            places = list(np.ndindex(*x.shape[:2]))
            shaped = [_of_shape(function(int(owner[row]), x[row].copy()), shape, what) for row in places]
        # As few digits as the worst of them: what is stored in longer numbers must have been computed in them.
        found = np.empty(
            (*x.shape[:2], *shape), dtype=min((part.dtype for part in shaped), key=lambda kind: kind.itemsize)
        )
        for where, part in zip(places, shaped, strict=True):
            found[where] = part
        return found

    def sample(self, stream: Stream, clients: Indices | None = None, b: int = 1) -> Token:
        """Draw sample numbers for every lane and client, or noise when no samples were given."""
        if self._sample is None:
            return super().sample(stream, clients, b)
        n = self.N if clients is None else clients.shape[1]
        words = stream.raw(b * n)
        return Minibatch(draw_indices(words, self._samples, (len(words), n, b)))

    def gradient(self, x: Array, clients: Indices | None = None, sample: Token = None) -> Array:
        """Return the mean gradient of the samples drawn at `x` (the exact one without a sample)."""
        if self._sample is None or sample is None:
            return super().gradient(x, clients, sample)
        owner = self._owners(x, clients)
        g = np.empty(x.shape)
        for where in np.ndindex(*x.shape[:2]):
            drawn = [self._sample(int(owner[where]), int(s), x[where].copy()) for s in sample.row[where]]
            g[where] = np.array([_of_shape(one, (self.d,), self._shape_of("sample")) for one in drawn]).mean(axis=0)
        return g

    def outcomes(self, x: Array, client: int) -> Array:
        if self._sample is None:
            return super().outcomes(x, client)
        drawn = (self._sample(client, s, x.copy()) for s in range(self._samples))
        return np.array([_of_shape(one, (self.d,), self._shape_of("sample")) for one in drawn])

    def certified_constants(self) -> dict[str, Constant | None]:
        known = self.stated_constants()
        found: dict[str, Constant | None] = {**self._own_sigma(), **known}
        if "f_star" in known and "Delta" not in known:
            found["Delta"] = self._own_gap(known["f_star"])
        return found

    def stated_constants(self) -> dict[str, Constant]:
        """Return the constants that were given."""
        return dict(self._given)

    def _own_sigma(self) -> dict[str, Constant | None]:
        """Return the sigma of the noise that is added; samples of the user's have one only if it is given."""
        if self._sample is not None:
            return {}
        if not self.noise.sigma and self.noise.kind == "none":
            return {"sigma": exact(0.0, "neither noise nor samples: every sample is the gradient")}
        return {"sigma": self.noise.deviation(None)}

    def _own_gap(self, floor: Constant) -> Constant:
        """Return f(x_0) - f_star."""
        initial = self.initial_value
        require(floor.value <= initial, f"{self.name}: constant f_star", floor.value, f"at most f(x_0) = {initial:.9g}")
        kind: Kind = "upper" if floor.kind == "lower" else floor.kind
        return Constant(initial - floor.value, kind, "f(x_0) - f_star", floor.at, floor.vouched)

    def at_start(self) -> dict[str, Constant]:
        """Return what depends on the start, where all gradients must be finite."""
        g = self.exact_gradient(self.everyone_at(self.start[None, None, :]))[0]
        for client, each in enumerate(g):
            where = f"{self.name}: gradient of client {client} at the start x = {self.start.tolist()}"
            require(bool(np.isfinite(each).all()), where, each.tolist(), "finite numbers")
        if self.x_star is not None:
            self._require_stationary(self.x_star)
        found = super().at_start()
        for letter in found:
            if letter in {"delta_x", "zeta_star"}:
                found[letter] = self._given.get(letter) or replace(found[letter], vouched=True)
        return found

    def _require_stationary(self, point: Array) -> None:
        """Refuse a minimiser at which grad f is not 0, up to rounding."""
        each = self.exact_gradient(self.everyone_at(point[None, None, :]))[0]
        around = self.exact_gradient(self.everyone_at(self.start[None, None, :]))[0]
        slope = float(np.linalg.norm(self.over_clients(each[None])[0]))
        size = max(float(np.linalg.norm(g, axis=1).max()) for g in (each, around))
        legal = "a point at which grad f is 0"
        require(slope <= _FLAT * size, f"{self.name}: x_star", f"{point.tolist()}, where |grad f| = {slope:.3g}", legal)


from_functions = OwnProblem
"""What users call it."""


def _of_shape(found: object, shape: tuple[int, ...], where: str) -> Array:
    """Return what a function of the user gave as floats; numpy would stretch a wrong shape without a word."""
    try:
        array = np.array(found)
        # Longer numbers stay as they are: a close call is repeated in them.
        array = array if array.dtype == np.longdouble else np.array(found, dtype=float)
    except (TypeError, ValueError):
        msg = f"{where} is not legal: {shape}, all of it numbers, not {found!r:.60}"
        raise InputError(msg) from None
    require(array.shape == shape, where, array.shape, f"{shape}")
    return array


def _as_constant(letter: str, given: Constant | float) -> Constant:
    require(letter in MAXIMISERS, "own: constant", letter, f"one of {', '.join(MAXIMISERS)}")
    number: Any = given.value if isinstance(given, Constant) else given
    signed = letter in {"f_star", "Phi_star"}
    words = "a finite number" if signed else "a finite number >= 0"
    known = isinstance(number, (int, float, np.number)) and not isinstance(number, bool)
    require(known, f"own: constant {letter}", number, f"{words}; one that is not known is left out")
    require(math.isfinite(number) and (signed or number >= 0), f"own: constant {letter}", number, words)
    if isinstance(given, Constant):
        return replace(given, vouched=True)
    below = MAXIMISERS[letter].sense in {"inf", "floor"}
    return Constant(float(given), "lower" if below else "upper", "given with the functions", vouched=True)
