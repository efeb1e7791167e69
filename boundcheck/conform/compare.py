"""Compare somebody's implementation of a method with the registered one, on the same samples."""

from __future__ import annotations

import warnings
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.asked import what_was_not_asked
from boundcheck.conform.battery import BATTERY, UNEVEN
from boundcheck.conform.calling import DETACH, GradientsRequiredError, ReturnedRun, call, takes
from boundcheck.conform.comparison import Comparison, check_setting
from boundcheck.conform.diagnosis import diagnose
from boundcheck.conform.held_out import HELD_OUT, shift_numbers
from boundcheck.conform.identity import TOLERANCE
from boundcheck.conform.mismatch import Mismatch
from boundcheck.conform.numbers import make_method, select_accepted
from boundcheck.conform.replay import RecordedRun, record_run
from boundcheck.errors import InputError, require
from boundcheck.methods import METHODS
from boundcheck.methods.schedule import Schedule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boundcheck.conform.battery import BatterySetting
    from boundcheck.methods import Method


def compare(
    function: Callable[..., Any],
    *,
    method: str,
    hyper: Mapping[str, Any] | None = None,
    settings: Sequence[BatterySetting] | None = None,
    tolerance: float = TOLERANCE,
    weights: str = "equal",
    schedule: Mapping[str, str] | None = None,
) -> Comparison:
    """Compare an implementation with the registered method, round by round on the same samples.

    Parameters
    ----------
    function : callable
        ``function(clients, x0, *, K, T, active, **hyper)`` returns the server iterates x_0..x_T, (T + 1, d), or
        mappings with the iterate as ``x`` and more of the state for `judge`; what clients answer: `replay.Client`.
        ``active[t]`` lists the active clients.  Hyperparameters that it does not name are not passed.  One that takes
        ``coins`` gets the uniform numbers that our method draws for itself, ``coins[t]`` those of round t in order;
        one that takes ``K_i`` gets the local steps of every client, and is compared where they differ, too.  Or a
        class of methods of your own (`boundcheck.methods.Method`).
    method : str
        Name of the registered method.
    hyper : mapping, optional
        Hyperparameters of the method; those left out are its defaults, or numbers that make every term count.
    settings : sequence of BatterySetting, optional
        Runs, `BATTERY` by default; a method that needs all clients skips those with S < N.
    tolerance : float
        Relative to the largest iterate; 1e-4 suits an implementation in single precision.
    weights : {'equal', 'sizes'}
        Whether our averages over the active clients give all of them the same weight, or p_i = n_i/n by their sizes.
    schedule : mapping, optional
        Laws of hyperparameters as in `boundcheck.methods.schedule`, such as ``{"eta": "0.99^t"}``; the function is
        passed the first value and keeps the law itself.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        If the function or the hyperparameters do not fit the method.
    """
    require(tolerance > 0, "tolerance", tolerance, "a number > 0")
    require(weights in {"equal", "sizes"}, "weights", weights, "equal or sizes")
    method = METHODS.own_name(method)
    made = make_method(method, function, hyper or {})
    numbers = {f.name: getattr(made, f.name) for f in fields(made) if f.init}  # type: ignore[arg-type]
    passed = select_accepted(function, numbers, hyper or {})
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a wrong method may average nothing, or divide by 0
        laws = Schedule.of(schedule or {}, made)
        chosen = [
            replace(one, weighted=weights == "sizes", schedule=laws)
            for one in (BATTERY if settings is None else settings)
        ]
        runs = _runs(made, chosen)
        if settings is None and takes(function, "K_i"):
            runs += _runs(made, [replace(one, weighted=weights == "sizes", schedule=laws) for one in UNEVEN])
        try:
            answers = [call(function, run, passed) for run in runs]
        except GradientsRequiredError:
            return Comparison(method, numbers, tolerance, (), (DETACH,), unreadable=True)
        checked = tuple(check_setting(run, answer.path, tolerance) for run, answer in zip(runs, answers, strict=True))
        single = all(answer.single for answer in answers)
        found = Comparison(method, numbers, tolerance, checked, (), single)
        if found.same:
            unasked, words = what_was_not_asked(made, runs, passed)
            return replace(found, unasked=unasked, diagnosis=words)

        def call_at(setting: BatterySetting) -> tuple[RecordedRun, ReturnedRun]:
            run = record_run(made, replace(setting, weighted=weights == "sizes", schedule=laws))
            return run, call(function, run, passed)

        def try_held_out() -> Mismatch | None:
            moved = shift_numbers(passed, hyper or {})
            if schedule or settings is not None or not moved:
                return None
            other = replace(made, **moved)  # type: ignore[type-var]
            try:
                others = _runs(other, [replace(one, weighted=weights == "sizes") for one in HELD_OUT])
                theirs = [call(function, run, {**passed, **moved}) for run in others]
            except InputError:
                return None  # a code for numbers of its own
            apart = tuple(check_setting(run, a.path, tolerance) for run, a in zip(others, theirs, strict=True))
            return Mismatch(other, others, theirs, replace(found, checked=apart), call_at)

        return replace(found, diagnosis=diagnose(Mismatch(made, runs, answers, found, call_at, cache(try_held_out))))


def _runs(made: Method, settings: Sequence[BatterySetting]) -> list[RecordedRun]:
    """Return our own runs; without one there would be nothing to compare."""
    chosen = [s for s in settings if made.card.partial or s.S == s.N]
    require(
        bool(chosen), f"{made.card.id}: settings", [str(s) for s in settings], "at least one that it is defined for"
    )
    return [record_run(made, setting) for setting in chosen]
