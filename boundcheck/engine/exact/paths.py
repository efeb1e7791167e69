"""Every path of a short run is a lane, and a plain mean over the lanes is the expectation.

A run draws minibatches and active clients a known number of times, each draw with equally likely outcomes.  So path
number p takes at draw j the outcome that is the j-th digit of p in mixed radix.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.engine.observers import observer_of
from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.rounds import initial_state, rounds
from boundcheck.errors import NotApplicableError, require_count
from boundcheck.methods.outside import watching
from boundcheck.problems.base import Problem

if TYPE_CHECKING:
    from boundcheck.engine.observers import Observer
    from boundcheck.engine.setting import Setting
    from boundcheck.methods.base import Method
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Array, Indices, Token

PATHS = 4096
"""Most paths that are enumerated by default."""


class EnumeratingOracle(LaneOracle):
    """The oracle of `paths` lanes, lane p on path p; `outcomes` counts the paths of the draws made so far.

    Raises
    ------
    NotApplicableError
        By a draw that has no list of outcomes (continuous noise, minibatches of several samples, the method's own
        coins), or that takes the number of paths beyond `most`.
    """

    def __init__(self, problem: Problem, setting: Setting, *, paths: int, most: int, observers: list[Observer]) -> None:
        super().__init__(problem, setting, seed=0, keys=[], observers=observers)
        self._paths, self._most = np.arange(paths), most
        self.outcomes = 1
        subsets = itertools.combinations(range(self.N), self.S) if self.S < self.N else ()
        self._subsets = np.array(list(itertools.islice(subsets, most + 1)), dtype=np.intp)
        self._samples: dict[int, Token] = {}

    def _drawn_clients(self) -> Indices:
        chosen: Indices = self._subsets[self._digit(len(self._subsets))]
        return chosen

    def draw(self, b: int | None = None) -> Token:
        """Give every path its joint sample of the active clients."""
        self._batch = self._single(self.b if b is None else b)
        return self._joint(self.S)

    def _drawn_orders(self) -> Indices:
        """Give every path orders of its own, of all that there are."""
        count = self.problem.sample_count
        if math.factorial(count) > self._most:
            msg = f"more than {self._most} orders of {count} samples"
            raise NotApplicableError(msg)
        orders = np.array(list(itertools.permutations(range(count))), dtype=np.intp)
        return np.stack([orders[self._digit(len(orders))] for _ in range(self.N)], axis=1)

    def initial(self, x0: Array, b: int) -> Array:
        """Return all N clients' gradients at x0 on one sample each, path by path."""
        self.gradients += self.N * self._single(b)
        return self.problem.gradient(self.everywhere(x0), None, self._joint(self.N))

    def uniform(self, *shape: int) -> Array:
        """Refuse: a uniform number has no list of outcomes."""
        msg = "the method tosses coins of its own: its paths cannot be enumerated"
        raise NotApplicableError(msg)

    def _single(self, b: int) -> int:
        if b > 1 and self.problem.is_noisy:
            msg = f"minibatches of {b} samples are not enumerated"
            raise NotApplicableError(msg)
        return b

    def _joint(self, clients: int) -> Token:
        if not self.problem.is_noisy:
            # Whoever draws, and however: a gradient without a sample is the exact one.
            return None
        if clients not in self._samples:
            # Counted before they are listed: a list of 2^18 samples takes longer than most runs.
            if self.outcomes * 2.0 ** min(self._joint_bits(clients), 64.0) > self._most:
                raise self._too_many()
            self._samples[clients] = _joint_samples(self.problem, clients)
        token = self._samples[clients]
        chosen = self._digit(len(token[0] if isinstance(token, tuple) else token))
        return type(token)(*(part[chosen] for part in token)) if isinstance(token, tuple) else token[chosen]

    def _digit(self, radix: int) -> Indices:
        """Return which of `radix` outcomes every path takes next."""
        digit: Indices = self._paths // self.outcomes % radix
        self.outcomes *= radix
        if self.outcomes > self._most:
            raise self._too_many()
        return digit

    def _joint_bits(self, clients: int) -> float:
        """Return log2 of how many joint samples there are; 0 where only a list of them tells."""
        return self.problem.noise.every_bits(clients) if type(self.problem).sample is Problem.sample else 0.0

    def _too_many(self) -> NotApplicableError:
        return NotApplicableError(f"more than {self._most} paths")


def _joint_samples(problem: Problem, clients: int) -> Token:
    """Return all equally likely joint samples of `clients` clients as the lanes of one token."""
    if type(problem).sample is Problem.sample:
        return problem.noise.every(clients)
    if type(problem).enumerate is Problem.enumerate or clients < problem.N:
        msg = f"the joint samples of {clients} clients of {problem.name} are not enumerated"
        raise NotApplicableError(msg)
    return problem.enumerate()[0]


def average_on_paths(problem: Problem, method: Method, metric: Metric, setting: Setting, *, most: int = PATHS) -> Array:
    """Return the average of a metric on every path of a run, shape (paths,), all equally likely; inf if it diverges.

    Their mean is the expectation up to rounding.

    Parameters
    ----------
    problem, method, metric, setting
        What is run and measured.
    most : int
        Paths beyond which the run is not enumerated.

    Raises
    ------
    InputError
        If `most` is not an integer >= 0.
    NotApplicableError
        If a draw has no list of outcomes, or the paths are more than `most`.
    """
    require_count(most, "most", 0)
    metric.require_on(problem)

    def run(paths: int) -> tuple[EnumeratingOracle, Observer]:
        observer = observer_of(metric, paths)
        oracle = EnumeratingOracle(problem, setting, paths=paths, most=most, observers=[observer])
        with watching(method), np.errstate(all="ignore"):
            for step in rounds(method, oracle, initial_state(method, oracle, paths), setting.T):
                after = step.after
            observer.end(problem, method, after)
        return oracle, observer

    # What is drawn does not depend on values, so one path tells how many there are.
    counted = run(1)[0].outcomes
    y = run(counted)[1].running
    return np.where(np.isfinite(y), y, np.inf)
