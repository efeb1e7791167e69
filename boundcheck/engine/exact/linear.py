"""Exact moments of any linear method on quadratics, from the method's own source.

A method that combines gradients with sums and multiples only maps (state, noise) to the next state affinely when the
clients are quadratic.  Running its round on unit vectors, one a lane, reads off the matrices; mean and covariance then
follow a recursion.  `boundcheck.engine.exact.moments` has the same for three methods put together by hand.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.engine.exact.law import Law, advanced, linear_problem, squared_gradient
from boundcheck.engine.exact.probe import CHECKS, SCALES, Probe
from boundcheck.errors import NotApplicableError, require, require_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boundcheck.methods.base import Method
    from boundcheck.problems.base import Array, Indices, Problem
    from boundcheck.problems.synthetic.quadratic import Quadratic

_ROUNDING = 1e-9
"""Relative error that this may have."""
_SUBSETS = 1000
"""Most sets of active clients that are enumerated."""


def linear_moments(problem: Problem, method: Method, *, K: int, T: int, S: int | None = None, b: int = 1) -> Array:
    """Return E|grad f(x_t)|^2 of a linear method on a quadratic, for t = 0..T-1.

    Exact for any method whose next iterate is affine in its state and the sample noise: FedAvg, FedAvg-M, SCAFFOLD,
    their variance-reduced versions, STORM with a constant step, FedLOMO and FedGLOMO without a quantiser, MIFA and
    others.  Whether a method is one of them is found out by trying.

    Parameters
    ----------
    problem : Quadratic
    method : Method
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


def _read(problem: Quadratic, K: int, b: int, chosen: Indices, size: int, run: Callable[[Probe, Array], Any]) -> _Image:
    """Run on zero, on every unit input and on random inputs; `run` takes the oracle and states (lanes, size)."""
    with np.errstate(all="ignore"):
        dry = Probe(problem, K, b, chosen, 1, 0)
        run(dry, np.zeros((1, size)))
        states = np.zeros((1 + size + dry.used + CHECKS, size))
        states[1 : size + 1] = np.eye(size)
        states[-CHECKS:] = SCALES * np.random.default_rng(1).standard_normal((CHECKS, size))
        oracle = Probe(problem, K, b, chosen, len(states), 1 + size)
        out = run(oracle, states)
        flat = _flat(out)
        matrix = (flat[1:-CHECKS] - flat[0]).T
        given = np.concatenate([states[-CHECKS:], *oracle.random], axis=1)
        missed = np.abs(flat[-CHECKS:] - (given @ matrix.T + flat[0]))
        sizes = np.abs(given) @ np.abs(matrix).T + np.abs(flat[0])
    return _Image(matrix, flat[0], (missed <= _ROUNDING * sizes).all(axis=0), out)


def _initial(problem: Quadratic, method: Method, K: int, b: int, S: int) -> tuple[Array, Array, Any]:
    """Return mean and covariance of the state before the first round, and a state of its shapes."""
    x0 = problem.start[None, None, :]

    def run(oracle: Probe, states: Array) -> Any:
        return method.init(oracle, np.repeat(x0, len(states), axis=0))

    image = _read(problem, K, b, np.arange(S), 0, run)
    return image.shift, image.matrix @ image.matrix.T, image.template


class _Rounds:
    """The laws of one round for every set of active clients; they are read off again when a round counter moves."""

    def __init__(self, problem: Quadratic, method: Method, K: int, b: int, sets: Sequence[Indices]) -> None:
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
        def run(oracle: Probe, states: Array) -> Any:
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
