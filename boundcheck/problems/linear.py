"""Exact moments of any linear method on quadratics, from the method's own source.

A method that combines gradients with sums and multiples only maps (state, noise) to the next state affinely when the
clients are quadratic.  Running its round on unit vectors, one a lane, reads off the matrices; mean and covariance then
follow a recursion.  `boundcheck.problems.moments` has the same for three methods put together by hand.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.problems.moments import Law, advanced, linear_problem, squared_gradient

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boundcheck.problems.base import Array, Indices, Problem
    from boundcheck.problems.synthetic.quadratic import Quadratic

_SCALES = np.array([[1.0], [1e2], [1e4]])
"""Of the random inputs on which the map that was read off must agree with the method: clipping shows on large ones."""
_CHECKS = len(_SCALES)
_ROUNDING = 1e-9
"""Relative error that this may have."""
_SUBSETS = 1000
"""Most sets of active clients that are enumerated."""


class LinearMethod(Protocol):
    """What `linear_moments` needs of a method: the contract of `boundcheck.methods.base`."""

    def init(self, oracle: Any, x0: Any) -> Any:
        """Return the state before the first round."""

    def round(self, oracle: Any, state: Any) -> Any:
        """Return the state after one more round."""


def linear_moments(
    problem: Problem, method: LinearMethod, *, K: int, T: int, S: int | None = None, b: int = 1
) -> Array:
    """Return E|grad f(x_t)|^2 of a linear method on a quadratic, for t = 0..T-1.

    Exact for any method whose next iterate is affine in its state and the sample noise: FedAvg, FedAvg-M, SCAFFOLD,
    their variance-reduced versions, STORM with a constant step, FedLOMO and FedGLOMO without a quantiser, MIFA and
    others.  Whether a method is one of them is found out by trying.

    Parameters
    ----------
    problem : Quadratic
    method : LinearMethod
        A method of `boundcheck.methods`, its hyperparameters numbers.
    K, T : int
        Local steps a round and rounds.
    S : int, optional
        Active clients of a round, by default all; the expectation is over all sets of S clients.
    b : int
        Minibatch.

    Returns
    -------
    Array
        Shape (T,).

    Raises
    ------
    InputError
        If K, T, S or b is not legal, or a hyperparameter is an array.
    NotApplicableError
        If the problem is not quadratic with white noise; if the method is not linear, flips coins, or evaluates one
        sample at two points while the noise is not the same at both; or if there are too many sets of clients.
    """
    problem = linear_problem(problem, K=K, T=T, b=b)
    S = problem.N if S is None else S
    require_count(S, "S")
    require(S <= problem.N, "S", S, f"at most N = {problem.N}")
    for name, value in vars(method).items():
        require(not isinstance(value, np.ndarray), name, value, "one number: the expectation is of one setting")
    if comb(problem.N, S) > _SUBSETS:
        msg = f"closed-form moments enumerate the sets of active clients: {comb(problem.N, S)} are too many"
        raise NotApplicableError(msg)
    sets = [np.array(chosen) for chosen in combinations(range(problem.N), S)]
    mean, spread, template = _initial(problem, method, K, b, S)
    rounds = _Rounds(problem, method, K, b, sets)
    moments = np.empty(T)
    for t in range(T):
        x = _place(template)
        moments[t] = squared_gradient(problem, mean[x], spread[x, x])
        laws, template = rounds.laws(template)
        mean, spread = advanced(laws, mean, spread)
    return moments


class _Batch:
    """The noise of one minibatch on every lane, and how often it was evaluated."""

    def __init__(self, noise: Array) -> None:
        self.noise = noise
        self.points = 0


class _Probe:
    """An oracle (`boundcheck.methods.base.Oracle`) whose noise is what each lane is given: zero, unit or random."""

    def __init__(self, problem: Quadratic, K: int, b: int, chosen: Indices, lanes: int, first: int) -> None:
        self._problem, self._b, self._chosen, self._lanes, self._next = problem, b, chosen, lanes, first
        self.N, self.S, self.K, self.xp = problem.N, len(chosen), K, np
        self.used = 0
        self.random: list[Array] = []
        self._rng = np.random.default_rng(0)

    def __getattr__(self, name: str) -> Any:
        msg = f"closed-form moments need a linear method; this one asks the oracle for {name}"
        raise NotApplicableError(msg)

    def _noise(self, rows: int, b: int) -> Array:
        """Return noise (lanes, rows, d): one new unit input a row and coordinate, random ones on the last lanes."""
        count = rows * self._problem.d
        noise = np.zeros((self._lanes, count))
        if self._lanes > 1:
            self.random.append(_SCALES * self._rng.standard_normal((_CHECKS, count)))
            noise[-_CHECKS:] = self.random[-1]
            noise[self._next + np.arange(count), np.arange(count)] = 1.0
        self._next += count
        self.used += count
        noise *= self._problem.noise.sigma / np.sqrt(self._problem.d * b)
        return noise.reshape(self._lanes, rows, self._problem.d)

    def draw(self, b: int | None = None) -> _Batch:
        """Return the noise of one minibatch of the active clients."""
        return _Batch(self._noise(self.S, self._b if b is None else b))

    def grad(self, y: Array, batch: _Batch) -> Array:
        """Return the exact gradients plus the noise."""
        batch.points += 1
        if batch.points > 1 and self._problem.noise.curvature:
            needed = f"noise without curvature, not {self._problem.noise.kind}"
            raise NotApplicableError(f"closed-form moments of methods that evaluate a sample twice need {needed}")
        return self.full(y) + batch.noise

    def full(self, y: Array) -> Array:
        """Return the active clients' exact gradients."""
        return self._problem.exact_gradient(y, np.broadcast_to(self._chosen, (len(y), self.S)))

    def full_all(self, y: Array) -> Array:
        """Return all clients' exact gradients."""
        return self._problem.exact_gradient(np.broadcast_to(y, (len(y), self.N, self._problem.d)))

    def initial(self, x0: Array, b: int) -> Array:
        """Return all clients' gradients at x0 on `b` samples each."""
        require_count(b, "B")
        return self.full_all(x0) + self._noise(self.N, b)

    def mean(self, v: Array, *, free: bool = False) -> Array:
        """Average over the active clients."""
        mean: Array = v.mean(axis=1, keepdims=True)
        return mean

    def mean_all(self, v: Array) -> Array:
        """Average over all clients."""
        return self.mean(v)

    def to_all(self, x: Array) -> Array:
        """Return a memory with the server vector in every row."""
        return np.repeat(x, self.N, axis=1)

    def fori(self, step: Callable[[int, Any], Any], carry: Any, steps: int | None = None) -> Any:
        """Run the local steps one by one."""
        for k in range(self.K if steps is None else steps):
            carry = step(k, carry)
        return carry

    def to_clients(self, x: Array, *, free: bool = False) -> Array:
        """Broadcast a server vector."""
        return np.broadcast_to(x, (len(x), self.S, x.shape[-1]))

    def active(self, memory: Array) -> Array:
        """Return the active rows."""
        rows: Array = memory[:, self._chosen]
        return rows

    def remember(self, memory: Array, rows: Array) -> Array:
        """Replace the active rows."""
        fresh = memory.copy()
        fresh[:, self._chosen] = rows
        return fresh

    def observe(self, y: Array, weight: float = 1.0) -> None:
        """Do nothing."""


class _Image(NamedTuple):
    """An affine map read off from a method."""

    matrix: Array
    """(outputs, inputs): one column a state entry, then one a noise entry."""
    shift: Array
    """(outputs,)."""
    affine: Array
    """(outputs,): whether the random lanes agree."""
    template: Any
    """The states that came out, for their shapes and whatever is no array."""


def _read(
    problem: Quadratic, K: int, b: int, chosen: Indices, size: int, run: Callable[[_Probe, Array], Any]
) -> _Image:
    """Run on zero, on every unit input and on random inputs; `run` takes the oracle and states (lanes, size)."""
    with np.errstate(all="ignore"):
        dry = _Probe(problem, K, b, chosen, 1, 0)
        run(dry, np.zeros((1, size)))
        states = np.zeros((1 + size + dry.used + _CHECKS, size))
        states[1 : size + 1] = np.eye(size)
        states[-_CHECKS:] = _SCALES * np.random.default_rng(1).standard_normal((_CHECKS, size))
        oracle = _Probe(problem, K, b, chosen, len(states), 1 + size)
        out = run(oracle, states)
        flat = _flat(out)
        matrix = (flat[1:-_CHECKS] - flat[0]).T
        given = np.concatenate([states[-_CHECKS:], *oracle.random], axis=1)
        missed = np.abs(flat[-_CHECKS:] - (given @ matrix.T + flat[0]))
        sizes = np.abs(given) @ np.abs(matrix).T + np.abs(flat[0])
    return _Image(matrix, flat[0], (missed <= _ROUNDING * sizes).all(axis=0), out)


def _initial(problem: Quadratic, method: LinearMethod, K: int, b: int, S: int) -> tuple[Array, Array, Any]:
    """Return mean and covariance of the state before the first round, and a state of its shapes."""
    x0 = problem.start[None, None, :]

    def run(oracle: _Probe, states: Array) -> Any:
        return method.init(oracle, np.repeat(x0, len(states), axis=0))

    image = _read(problem, K, b, np.arange(S), 0, run)
    return image.shift, image.matrix @ image.matrix.T, image.template


class _Rounds:
    """The laws of one round for every set of active clients; they are read off again when a round counter moves."""

    def __init__(self, problem: Quadratic, method: LinearMethod, K: int, b: int, sets: Sequence[Indices]) -> None:
        self._problem, self._method, self._K, self._b, self._sets = problem, method, K, b, sets
        self._known: tuple[Any, list[Law], Any] | None = None

    def laws(self, template: Any) -> tuple[list[Law], Any]:
        """Return the laws of the round after a state like `template`, and a state of the shapes that come out."""
        counters = [value for value in template if not isinstance(value, np.ndarray)]
        if self._known is None or self._known[0] != counters:
            images = [self._image(template, chosen) for chosen in self._sets]
            self._known = (counters, [_law(image, template) for image in images], images[0].template)
        return self._known[1], self._known[2]

    def _image(self, template: Any, chosen: Indices) -> _Image:
        def run(oracle: _Probe, states: Array) -> Any:
            return self._method.round(oracle, _shaped(states, template))

        size = _flat(template).shape[1]
        return _read(self._problem, self._K, self._b, chosen, size, run)


def _law(image: _Image, template: Any) -> Law:
    """Return the law of one round, with entries that are not affine left at 0.

    Raises
    ------
    NotApplicableError
        If the iterate, or an entry that it depends on, is one of them.
    """
    size = image.matrix.shape[0]
    x, bent = _place(template), np.logical_not(image.affine)
    transition, noise = image.matrix[:, :size].copy(), image.matrix[:, size:].copy()
    leaning = np.abs(transition[np.ix_(image.affine, bent)]).max(initial=0.0) > 0
    if bent[x].any() or leaning:
        raise NotApplicableError("closed-form moments need a linear method; this one's step is not affine in its state")
    transition[bent], noise[bent] = 0.0, 0.0
    return Law(transition, np.where(bent, 0.0, image.shift), noise @ noise.T)


def _flat(state: Any) -> Array:
    """Return the arrays of a state side by side, (lanes, entries)."""
    arrays = [value.reshape(len(value), -1) for value in state if isinstance(value, np.ndarray)]
    return np.concatenate(arrays, axis=1)


def _shaped(flat: Array, template: Any) -> Any:
    """Return a state like `template` with the entries of `flat`."""
    fields, first = [], 0
    for value in template:
        if isinstance(value, np.ndarray):
            last = first + value[0].size
            value, first = flat[:, first:last].reshape(len(flat), *value.shape[1:]), last
        fields.append(value)
    return type(template)(*fields)


def _place(template: Any) -> slice:
    """Return where the server iterate stands among the entries of a state."""
    first = 0
    for name, value in zip(template._fields, template, strict=True):
        if name == "x":
            return slice(first, first + value[0].size)
        first += value[0].size if isinstance(value, np.ndarray) else 0
    raise NotApplicableError("closed-form moments need a state that holds the server iterate as x")
