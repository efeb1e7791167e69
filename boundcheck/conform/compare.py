"""Compare somebody's implementation of a method with the registered one, on the same samples."""

from __future__ import annotations

import dataclasses
import inspect
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.battery import BATTERY
from boundcheck.conform.calling import call
from boundcheck.conform.comparison import Comparison, check_setting
from boundcheck.conform.diagnosis import Mismatch, diagnose_mismatch
from boundcheck.conform.harness import method as built
from boundcheck.conform.identity import TOLERANCE
from boundcheck.conform.replay import RecordedRun, record_run
from boundcheck.errors import require
from boundcheck.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boundcheck.conform.battery import BatterySetting
    from boundcheck.methods import Method

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


def compare(
    function: Callable[..., Any],
    *,
    method: str,
    hyper: Mapping[str, Any] | None = None,
    settings: Sequence[BatterySetting] | None = None,
    tolerance: float = TOLERANCE,
) -> Comparison:
    """Compare an implementation with the registered method, round by round on the same samples.

    Parameters
    ----------
    function : callable
        ``function(clients, x0, *, K, T, active, **hyper)`` returns the server iterates x_0..x_T, (T + 1, d), or
        mappings with the iterate as ``x`` and more of the state for `judge`; what clients answer: `replay.Client`.
        ``active[t]`` lists the active clients.  Hyperparameters that it does not name are not passed.  Or a class of
        methods of your own (`boundcheck.methods.Method`).
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
    made = _make_method(method, hyper or {})
    numbers = {f.name: getattr(made, f.name) for f in dataclasses.fields(made)}  # type: ignore[arg-type]
    passed = _select_accepted(function, numbers, hyper or {})
    with np.errstate(all="ignore"):
        runs = _runs(made, BATTERY if settings is None else settings)
        answers = [call(function, run, passed) for run in runs]
        checked = tuple(check_setting(run, answer.path, tolerance) for run, answer in zip(runs, answers, strict=True))
        single = all(answer.single for answer in answers)
        found = Comparison(method, numbers, tolerance, checked, (), single)
        trial = Mismatch(made, runs, answers, found, lambda run: call(function, record_run(made, run.setting), passed))
        diagnosis = () if found.ok else diagnose_mismatch(trial)
    return dataclasses.replace(found, diagnosis=diagnosis)


def _runs(made: Method, settings: Sequence[BatterySetting]) -> list[RecordedRun]:
    """Return our own runs; without one there would be nothing to compare."""
    chosen = [s for s in settings if made.card.partial or s.S == s.N]
    require(
        bool(chosen), f"{made.card.id}: settings", [str(s) for s in settings], "at least one that it is defined for"
    )
    return [record_run(made, setting) for setting in chosen]


def _make_method(name: str, hyper: Mapping[str, Any]) -> Method:
    cls: Any = METHODS[name]
    fields = {f.name: f for f in dataclasses.fields(cls)}
    for given in hyper:
        require(given in fields, f"{name}: hyperparameter", given, f"one of {', '.join(fields)}")
    required = {n: _NUMBERS.get(n, 0.1) for n, f in fields.items() if f.default is dataclasses.MISSING}
    return built(name, **{**required, **hyper})


def _select_accepted(function: Callable[..., Any], numbers: dict[str, Any], hyper: Mapping[str, Any]) -> dict[str, Any]:
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
