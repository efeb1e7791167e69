"""Horizons beyond any simulation: the second moments of a linear method on equal parabolas, by powers of their map.

Where a round is a linear map of the method's state, drawn from a few equally likely ones (sampled clients, a quantiser
that flips coins), E z z^T follows a linear recursion, and its sum over T rounds takes log T products of small matrices.

All rounds after the first are taken for one, so that a method that counts rounds is refused: its state holds a
`Count`, of which nothing can be asked but whether it is the first.
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.engine.exact.paths import EnumeratingOracle
from boundcheck.errors import NotApplicableError
from boundcheck.evidence.search.instances import TrialInstance
from boundcheck.methods import METHODS
from boundcheck.methods.kinds import coins, variances
from boundcheck.methods.outside import watching
from boundcheck.worst.gram.counts import SymbolicCount
from boundcheck.worst.gram.vectors import NonlinearError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.bounds.bound import Bound
    from boundcheck.evidence.trials.trial import Trial
    from boundcheck.problems.base import Array

PARABOLA = "stress-parabola"
"""Equal parabolas in one dimension, without noise."""
HORIZONS = (10**4, 10**6, 10**8, 10**10)
NOISES = (1.0, 100.0)
"""Relative variances of the quantiser that are tried where the theorem leaves it to the user."""
REACHED = 10**4
"""Rounds of a real run that a longer one without randomness is compared with."""
_MOST = 4096
_CLOSE = 1e-9
_DECADES = np.arange(-12, 13, 3)
"""Sizes at which a round must be linear: a threshold far away is none."""


class CoinOracle(EnumeratingOracle):
    """Enumerates the two branches of every coin of a `Flip` besides the active clients."""

    def uniform(self, *shape: int) -> Array:
        """Return 1/4 or 3/4: one number in each half of [0, 1), which is all that a flip looks at."""
        digits = [self._digit(2) for _ in range(math.prod(shape))]
        found: Array = (np.stack(digits, axis=1).astype(float) / 2 + 0.25).reshape(-1, *shape)
        return found


def candidates(bound: Bound) -> Iterator[TrialInstance]:
    """Yield long runs on equal parabolas that the recursion covers, short ones first."""
    if bound.metric != "server_gradient" or bound.kind != "explicit":
        return
    noises: list[tuple[tuple[str, float], ...]] = [()]
    for letter in variances(METHODS[bound.method]):
        noises += [((letter, omega),) for omega in NOISES if letter in bound.free]
    for T in HORIZONS:
        for N, S, K in ((2, None, 1), (2, 1, 1), (4, 1, 1), (4, 2, 2)):
            for chosen in noises:
                yield TrialInstance(PARABOLA, N, K, T, S=S, overrides=chosen)


def average(trial: Trial) -> float:
    """Return the expectation of the average of |grad f(x_t)|^2 over x_0..x_(T-1), up to rounding.

    Raises
    ------
    NotApplicableError
        If a round is no linear map of the state, may not be the same in every round after the first (the method counts
        rounds, or keeps more than vectors), or draws what is not enumerated.
    """
    problem, T = trial.problem, trial.setting.T
    _require_flips(trial)
    curvature = float(problem.mean_gradient(np.ones((1, 1, 1)))[0, 0, 0])
    begun = _first(trial)
    parts = _parts(begun)
    rows = np.concatenate([np.asarray(getattr(begun, name)).reshape(len(begun.x), -1) for name in parts], axis=1)
    moments = (rows[:, :, None] * rows[:, None, :]).mean(axis=0)
    maps = _maps(trial, begun)
    m = rows.shape[1]
    step = np.mean([np.kron(one, one) for one in maps], axis=0)
    both = np.block([[step, np.zeros((m * m, m * m))], [np.eye(m * m), np.eye(m * m)]])
    with np.errstate(all="ignore"):
        total = np.linalg.matrix_power(both, T - 1) @ np.concatenate([moments.ravel(), np.zeros(m * m)])
    start = float(problem.start[0])
    # `x` is the first part of every state: its square is the first entry of the moments.
    found = float(curvature**2 * (start**2 + total[m * m]) / T)
    # Moments that overflow have diverged.
    return found if math.isfinite(found) else math.inf


def require_agreement(trial: Trial) -> None:
    """Compare the recursion with a real run of at most `REACHED` rounds where nothing is drawn.

    Raises
    ------
    NotApplicableError
        If they differ, or as `average`.
    """
    shorter = dataclasses.replace(trial.setting, T=min(trial.setting.T, REACHED))
    trial = dataclasses.replace(trial, setting=shorter)
    if trial.is_random:
        return
    found, expected = float(trial.measure(0, 0, 1)[0]), average(trial)
    if found != expected and not math.isclose(found, expected, rel_tol=1e-6):
        msg = f"{trial.method.card.id}: a run of {shorter.T} rounds gives {found:.6g}, the recursion {expected:.6g}"
        raise NotApplicableError(msg)


def _require_flips(trial: Trial) -> None:
    """Refuse noise, several dimensions, and methods that toss other coins than those of a flip."""
    if trial.problem.is_noisy or trial.problem.d != 1 or coins(trial.method) == "other":
        msg = f"{trial.method.card.id} on {trial.problem.name}: rounds are not drawn from a few linear maps"
        raise NotApplicableError(msg)


def _parts(state: Any) -> list[str]:
    return [name for name, value in zip(state._fields, state, strict=True) if isinstance(value, np.ndarray)]


def _rounds(trial: Trial, state: Any, paths: int) -> tuple[Any, int]:
    """Return the state after one round of `paths` lanes, and how many outcomes the round has."""
    oracle = CoinOracle(trial.problem, trial.setting, paths=paths, most=_MOST, observers=[])
    with watching(trial.method), np.errstate(all="ignore"):
        oracle.begin_round(state.x)
        return trial.method.round(oracle, state), oracle.outcomes


def _initial_state(trial: Trial, paths: int) -> Any:
    oracle = CoinOracle(trial.problem, trial.setting, paths=paths, most=_MOST, observers=[])
    return trial.method.init(oracle, np.tile(trial.problem.start, (paths, 1, 1)))


def _first(trial: Trial) -> Any:
    """Return the states after the first round, one lane an outcome."""
    outcomes = _rounds(trial, _initial_state(trial, 1), 1)[1]
    return _rounds(trial, _initial_state(trial, outcomes), outcomes)[0]


def _maps(trial: Trial, begun: Any) -> list[Array]:
    """Return the matrices of a later round, one an outcome, and check that they are all there is to it."""
    parts, begun = _parts(begun), _in_a_later_round(trial, begun)
    if any(getattr(begun, name).dtype.kind != "f" for name in parts):
        msg = f"{trial.method.card.id}: its state holds arrays of other things than numbers"
        raise NotApplicableError(msg)
    shapes = [np.asarray(getattr(begun, name)).shape[1:] for name in parts]
    sizes = [math.prod(shape) for shape in shapes]

    def of(rows: Array, like: Any) -> Any:
        pieces = np.split(rows, np.cumsum(sizes)[:-1], axis=1)
        arrays = {p: piece.reshape(-1, *shape) for p, piece, shape in zip(parts, pieces, shapes, strict=True)}
        return like._replace(**arrays)

    def after(rows: Array, like: Any, outcomes: int) -> Array:
        """Return the rows after a round, (outcomes, states, m)."""
        many = np.repeat(rows, outcomes, axis=0)
        end, _ = _rounds(trial, of(many, like), len(many))
        flat = np.concatenate([np.asarray(getattr(end, p)).reshape(len(many), -1) for p in parts], axis=1)
        return flat.reshape(len(rows), outcomes, -1).swapaxes(0, 1)

    m = sum(sizes)
    try:
        later, outcomes = _rounds(trial, of(np.eye(m)[:1], begun), 1)
        columns = after(np.eye(m), begun, outcomes)
        rng = np.random.default_rng(0)
        tried = np.concatenate([10.0**power * rng.standard_normal((3, m)) for power in _DECADES])
        found = after(tried, begun, outcomes)
    except NonlinearError as error:
        msg = f"{trial.method.card.id}: a round depends on the number of rounds done"
        raise NotApplicableError(msg) from error
    except (LookupError, TypeError, ValueError) as error:
        # Of a run it would be an error: here it may be that no run leads to such a state.
        msg = f"{trial.method.card.id}: a round is not defined at every state ({type(error).__name__}: {error})"
        raise NotApplicableError(msg) from error
    others = set(begun._fields) - set(parts)
    if not all(_is_alike(getattr(begun, name), getattr(later, name)) for name in others):
        msg = f"{trial.method.card.id}: its state holds more than vectors and a count of rounds"
        raise NotApplicableError(msg)
    size = np.abs(tried).max(axis=1, keepdims=True)
    if not np.allclose(found / size, tried / size @ columns, rtol=_CLOSE, atol=_CLOSE):
        msg = f"{trial.method.card.id}: a round is no linear map of the state"
        raise NotApplicableError(msg)
    return [one.T for one in columns]


def _in_a_later_round(trial: Trial, begun: Any) -> Any:
    """Return a state after the first round, with an unknown number in the place of every count.

    A count is an integer that the first round raised.
    """
    before = _initial_state(trial, 1)
    counts = {
        name: SymbolicCount(new)
        for name, new in begun._asdict().items()
        if type(new) is int and type(old := getattr(before, name)) is int and new > old
    }
    return begun._replace(**counts)


def _is_alike(old: Any, new: Any) -> bool:
    """Return whether a part of a state that is no vector says the same after a round as before it."""
    if isinstance(old, SymbolicCount):
        return isinstance(new, SymbolicCount)
    return old is new or (isinstance(old, (bool, int, float, str)) and type(old) is type(new) and bool(old == new))
