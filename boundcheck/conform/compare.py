"""Compare somebody's implementation of a method with the registered one, on the same samples."""

from __future__ import annotations

import dataclasses
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.harness import method as built
from boundcheck.conform.mistakes import mistakes, with_mistake
from boundcheck.conform.replay import BatterySetting, Recorded, recorded, state_of
from boundcheck.errors import InputError, require
from boundcheck.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boundcheck.conform.harness import Make
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array

BATTERY = (
    *(BatterySetting(N, N, K) for N in (1, 2, 5) for K in (1, 3)),
    *(BatterySetting(N, S, K) for N, S in ((2, 1), (5, 2)) for K in (1, 3)),
    BatterySetting(5, 5, 3, noise="phases"),
    BatterySetting(5, 2, 3, noise="phases"),
)
"""Full and partial participation, one step and three, one client and several, noise that does not or does change."""

_NUMBERS: dict[str, float] = {
    "gamma": 0.4,
    "beta": 0.3,
    "rho": 0.9,
    "alpha": 0.9,
    "eta_y": 0.2,
    "tau": 0.3,
    "eps": 0.3,
    "eta_pd": 0.8,
    "a": 0.3,
    "c1": 0.9,
    "h": 1.1,
    "t_flat": 4.0,
    "beta_mem": 0.5,
    "p": 0.4,
    "w": 2.0,
    "m": 2.5,
    "rounds": 2,
}
"""What a required hyperparameter is when the user does not give it; 0.1 for all others."""


@dataclass(frozen=True)
class CheckedSetting:
    """One setting of the battery."""

    setting: BatterySetting
    deviation: float
    """Largest difference relative to the largest iterate; inf if it is not finite."""
    parts: int | None
    """First round after which the iterates differ, 1 for the first; None if they never do."""


@dataclass(frozen=True)
class Comparison:
    """What came out of comparing an implementation with a registered method."""

    method: str
    hyper: dict[str, Any]
    tolerance: float
    checked: tuple[CheckedSetting, ...]
    diagnosis: tuple[str, ...]
    """Sentences, the likeliest first; empty if the implementation agrees."""

    @property
    def ok(self) -> bool:
        """Return whether all iterates agree."""
        return all(c.parts is None for c in self.checked)


def compare(
    function: Callable[..., Any],
    *,
    method: str,
    hyper: Mapping[str, Any] | None = None,
    settings: Sequence[BatterySetting] | None = None,
    tolerance: float = 1e-9,
) -> Comparison:
    """Compare an implementation with the registered method, round by round on the same samples.

    Parameters
    ----------
    function : callable
        ``function(clients, x0, *, K, T, active, **hyper)`` returns the server iterates x_0..x_T, (T + 1, d), or
        mappings with the iterate as ``x`` and more of the state for `judge`; what clients answer: `replay.Client`.
        ``active[t]`` lists the active clients.  Hyperparameters that it does not name are not passed.
    method : str
        Name of the registered method.
    hyper : mapping, optional
        Hyperparameters of the method; those left out are its defaults, or numbers that make every term count.
    settings : sequence of BatterySetting, optional
        Runs, `BATTERY` by default; a method that needs all clients skips those with S < N.
    tolerance : float
        Relative to the largest iterate; 1e-4 suits an implementation in single precision.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        If the function or the hyperparameters do not fit the method.
    """
    require(tolerance > 0, "tolerance", tolerance, "a number > 0")
    made = _made(method, hyper or {})
    numbers = {f.name: getattr(made, f.name) for f in dataclasses.fields(made)}  # type: ignore[arg-type]
    passed = _accepted(function, numbers, hyper or {})
    with np.errstate(all="ignore"):
        runs = _runs(made, BATTERY if settings is None else settings)
        paths = [_called(function, run, passed) for run in runs]
        checked = tuple(_parted(run, path, tolerance) for run, path in zip(runs, paths, strict=True))
        found = Comparison(method, numbers, tolerance, checked, ())
        diagnosis = () if found.ok else _diagnosis(made, runs, paths, tolerance) or _hints(checked)
    return dataclasses.replace(found, diagnosis=diagnosis)


def _runs(made: Method, settings: Sequence[BatterySetting]) -> list[Recorded]:
    """Return our own runs; without one there would be nothing to compare."""
    chosen = [s for s in settings if made.card.partial or s.S == s.N]
    require(
        bool(chosen), f"{made.card.id}: settings", [str(s) for s in settings], "at least one that it is defined for"
    )
    return [recorded(made, setting) for setting in chosen]


def _made(name: str, hyper: Mapping[str, Any]) -> Method:
    cls: Any = METHODS[name]
    fields = {f.name: f for f in dataclasses.fields(cls)}
    for given in hyper:
        require(given in fields, f"{name}: hyperparameter", given, f"one of {', '.join(fields)}")
    required = {n: _NUMBERS.get(n, 0.1) for n, f in fields.items() if f.default is dataclasses.MISSING}
    return built(name, **{**required, **hyper})


def _accepted(function: Callable[..., Any], numbers: dict[str, Any], hyper: Mapping[str, Any]) -> dict[str, Any]:
    """Return the hyperparameters that the function takes."""
    parameters = inspect.signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return numbers
    unknown = [
        name
        for name, p in parameters.items()
        if p.kind is p.KEYWORD_ONLY and p.default is p.empty and name not in {*numbers, "K", "T", "active"}
    ]
    require(not unknown, "function: parameters", unknown, f"K, T, active and hyperparameters {', '.join(numbers)}")
    missed = [name for name in hyper if name not in parameters]
    require(not missed, "function: hyperparameters not taken", missed, "parameters of the function, or **hyper")
    return {name: value for name, value in numbers.items() if name in parameters}


def _called(function: Callable[..., Any], run: Recorded, numbers: Mapping[str, Any]) -> Array:
    """Return the iterates of an implementation; nan where it has none."""
    setting = run.setting
    try:
        result = function(run.clients, run.problem.start.copy(), K=setting.K, T=setting.T, active=run.active, **numbers)
    except InputError:
        raise
    except Exception as error:
        msg = f"function raised {type(error).__name__} at {setting}: {error}"
        raise InputError(msg) from error
    try:
        path = np.array([np.asarray(state_of(x)["x"], dtype=float).ravel() for x in result])
    except (TypeError, ValueError, KeyError):
        msg = f"function returned {type(result).__name__} at {setting}; legal: T + 1 iterates of dimension d"
        raise InputError(msg) from None
    require(path.shape == run.path.shape, f"shape of the iterates at {setting}", path.shape, f"{run.path.shape}")
    return path


def _parted(run: Recorded, path: Array, tolerance: float) -> CheckedSetting:
    apart = np.abs(path - run.path).max(axis=1) / np.abs(run.path).max()
    wrong = np.flatnonzero(~(apart <= tolerance))
    deviation = float(apart.max()) if np.isfinite(apart).all() else float("inf")
    return CheckedSetting(run.setting, deviation, int(wrong[0]) if len(wrong) else None)


def _same(found: Array, other: Array, tolerance: float) -> bool:
    """Whether two runs agree as long as they are finite, and stop being so together."""
    finite = np.asarray(np.isfinite(found).all(axis=1))
    if not finite[0] or (finite != np.isfinite(other).all(axis=1)).any():
        return False
    scale = np.maximum.accumulate(np.abs(found[finite]).max(axis=1))
    return bool((np.abs(found - other)[finite].max(axis=1) <= tolerance * scale).all())


def _diagnosis(made: Method, runs: list[Recorded], paths: list[Array], tolerance: float) -> tuple[str, ...]:
    """Name the known mistakes that have exactly these iterates."""

    def has(wrong: Make) -> bool:
        return all(_same(path, run.iterates(wrong), tolerance) for run, path in zip(runs, paths, strict=True))

    return tuple(
        f"your iterates equal those of {made.card.title} with a mistake: {mistake.words}"
        for mistake in mistakes(made.card.id).values()
        if any(has(wrong) for wrong in with_mistake(made, mistake))
    )


def _hints(checked: Sequence[CheckedSetting]) -> tuple[str, ...]:
    """Say what the settings that fail have in common."""
    bad = [c.setting for c in checked if c.parts is not None]
    good = [c.setting for c in checked if c.parts is None]
    hints = [f"the iterates part at {bad[0]}; no known mistake has exactly these"]
    if good and all(s.K > 1 for s in bad) and any(s.K == 1 for s in good):
        hints.append("K = 1 agrees: look at what changes from one local step to the next, and at factors K")
    if all(s.S < s.N for s in bad) and any(s.S == s.N for s in good):
        hints.append("full participation agrees: look at what divides by S or N, and at clients that sit out")
    if all(s.N > 1 for s in bad) and any(s.N == 1 for s in good):
        hints.append("one client agrees: look at the averages and at what tells the clients apart")
    first = min(c.parts for c in checked if c.parts is not None)
    hints.append("the start differs" if first == 0 else f"the earliest difference is after round {first}")
    if first > 1:
        hints.append("the first round agrees: look at what is carried from round to round")
    return tuple(hints)
