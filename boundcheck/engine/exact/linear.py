"""Exact moments of any linear method on quadratics, from the method's own source.

A method that combines gradients with sums and multiples only maps (state, noise) to the next state affinely when the
clients are quadratic.  Running its round on unit vectors, one a lane, reads off the matrices; mean and covariance then
follow a recursion.  `boundcheck.engine.exact.moments` has the same for three methods put together by hand.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations, islice
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.engine.exact.affine import AffineMap, flatten_state, place_of_x, read_off, unflatten_state
from boundcheck.engine.exact.law import Law, advance_moments, linear_problem, squared_gradient
from boundcheck.engine.exact.probe import Probe
from boundcheck.engine.setting import Setting
from boundcheck.errors import NotApplicableError, require
from boundcheck.methods.outside import is_own, require_repeated, watching

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.methods.base import Method
    from boundcheck.problems.base import Array, Problem
    from boundcheck.problems.synthetic.quadratic import Quadratic

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
    problem = linear_problem(problem)
    iterates = islice(iterate_moments(problem, method, K=K, T=T, S=S, b=b), T)
    return np.array([squared_gradient(problem, *at) for at in iterates])


def iterate_moments(
    problem: Problem, method: Method, *, K: int, T: int, S: int | None = None, b: int = 1
) -> Iterator[tuple[Array, Array]]:
    """Yield mean (d,) and covariance (d, d) of x_0, .., x_T, of what `linear_moments` speaks of.

    Raises
    ------
    InputError, NotApplicableError
        As `linear_moments`.
    """
    problem = linear_problem(problem)
    setting = Setting.of(problem, K=K, T=T, S=S, b=b)
    for name, value in vars(method).items():
        require(not isinstance(value, np.ndarray), name, value, "one number: the expectation is of one setting")
    rounds = _ExactRounds(problem, method, setting)
    mean, spread, template = _initial(problem, method, setting)
    for t in range(T + 1):
        x = place_of_x(template)
        yield mean[x], spread[x, x]
        if t < T:
            laws, template = rounds.laws(template)
            mean, spread = advance_moments(laws, mean, spread)


def _initial(problem: Quadratic, method: Method, setting: Setting) -> tuple[Array, Array, Any]:
    """Return mean and covariance of the state before the first round, and a state of its shapes."""
    x0 = problem.start[None, None, :]

    def run(oracle: Probe, states: Array) -> Any:
        return method.init(oracle, np.repeat(x0, len(states), axis=0))

    found = read_off(partial(Probe, problem, setting, np.arange(setting.S)), 0, run)
    return found.shift, found.matrix @ found.matrix.T, found.template


class _ExactRounds:
    """The laws of one round for every set of active clients; they are read off again when a round counter moves."""

    def __init__(self, problem: Quadratic, method: Method, setting: Setting) -> None:
        if (sets := comb(setting.N, setting.S)) > _SUBSETS:
            msg = f"closed-form moments enumerate the sets of active clients: {sets} are too many"
            raise NotApplicableError(msg)
        self._method = method
        self._probes = [
            partial(Probe, problem, setting, np.array(chosen)) for chosen in combinations(range(setting.N), setting.S)
        ]
        self._known: tuple[Any, list[Law], Any] | None = None

    def laws(self, template: Any) -> tuple[list[Law], Any]:
        """Return the laws of the round after a state like `template`, and a state of the shapes that come out."""
        counters = [value for value in template if not isinstance(value, np.ndarray)]
        if self._known is None or self._known[0] != counters:
            maps = [self._map(template, probe) for probe in self._probes]
            self._known = (counters, [_law(found, template) for found in maps], maps[0].template)
        return self._known[1], self._known[2]

    def _map(self, template: Any, probe: Callable[[int, int], Probe]) -> AffineMap:
        def run(oracle: Probe, states: Array) -> Any:
            with watching(self._method):
                return self._method.round(oracle, unflatten_state(states, template))

        size = flatten_state(template).shape[1]
        found = read_off(probe, size, run)
        if is_own(self._method):
            require_repeated(self._method, same=np.array_equal(found.matrix, read_off(probe, size, run).matrix))
        return found


def _law(found: AffineMap, template: Any) -> Law:
    """Return the law of one round, with entries that are not affine left at 0.

    Raises
    ------
    NotApplicableError
        If the iterate, or an entry that it depends on, is one of them.
    """
    size = found.matrix.shape[0]
    other = np.logical_not(found.affine)
    transition, noise = found.matrix[:, :size].copy(), found.matrix[:, size:].copy()
    leaning = np.abs(transition[np.ix_(found.affine, other)]).max(initial=0.0) > 0
    if other[place_of_x(template)].any() or leaning:
        raise NotApplicableError("closed-form moments need a linear method; this one's step is not affine in its state")
    transition[other], noise[other] = 0.0, 0.0
    return Law(transition, np.where(other, 0.0, found.shift), noise @ noise.T)
