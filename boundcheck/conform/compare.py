"""Compare somebody's implementation of a method with the registered one, on the same samples."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.identity import TOLERANCE
from boundcheck.conform.reasons.asked import what_was_not_asked
from boundcheck.conform.reasons.diagnosis import diagnose, diagnose_held_out
from boundcheck.conform.reasons.mismatch import Mismatch
from boundcheck.conform.runs.battery import BATTERY, UNEVEN
from boundcheck.conform.runs.calling import DETACH, GradientsRequiredError, call, takes
from boundcheck.conform.runs.comparison import Comparison, check_setting
from boundcheck.conform.runs.held_out import AGREED, HELD_OUT, shift_numbers
from boundcheck.conform.runs.numbers import make_method, select_accepted
from boundcheck.conform.runs.replay import record_run
from boundcheck.errors import InputError, require
from boundcheck.methods import METHODS
from boundcheck.methods.schedule import Schedule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boundcheck.conform.runs.battery import BatterySetting
    from boundcheck.conform.runs.calling import ReturnedRun
    from boundcheck.conform.runs.replay import RecordedRun
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
    passed = select_accepted(function, read_numbers(made), hyper or {})
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a wrong method may average nothing, or divide by 0
        code = ComparedCode(function, weights == "sizes", Schedule.of(schedule or {}, made), tolerance)
        chosen = [*(BATTERY if settings is None else settings)]
        if settings is None and takes(function, "K_i"):
            chosen += UNEVEN

        moved = {} if schedule or settings is not None else shift_numbers(passed, hyper or {})

        @cache
        def try_held_out() -> Mismatch | None:
            return code.try_numbers(made, passed, moved, HELD_OUT) if moved else None

        try:
            trial = code.run_at(made, passed, chosen, try_held_out)
        except GradientsRequiredError:
            return Comparison(method, read_numbers(made), tolerance, (), (DETACH,), unreadable=True)
        found = trial.found
        if not found.same:
            return replace(found, diagnosis=diagnose(trial))
        held_out = code.try_numbers(made, passed, moved, AGREED) if moved else None
        if held_out is not None and not held_out.found.same:
            unmoved = code.try_numbers(made, passed, {}, AGREED)
            by_settings = unmoved is not None and not unmoved.found.same
            shifts: Mapping[str, float] = {} if by_settings else moved
            one_by_one = {name: code.try_numbers(made, passed, {name: value}, AGREED) for name, value in shifts.items()}
            alone = {name: one for name, one in one_by_one.items() if one is not None and not one.found.same}
            held_out = unmoved if by_settings and unmoved is not None else held_out
            words = diagnose_held_out(trial, held_out, alone)
            return replace(found, checked=(*found.checked, *held_out.found.checked), diagnosis=words)
        unasked, words = what_was_not_asked(made, trial.runs, passed)
        return replace(found, unasked=unasked, diagnosis=words)


@dataclass(frozen=True)
class ComparedCode:
    """An implementation, and how it is compared with ours."""

    function: Callable[..., Any]
    weighted: bool
    """Whether our averages weigh the clients by their sizes."""
    schedule: Schedule
    """The laws of our hyperparameters."""
    tolerance: float

    def run_at(
        self,
        made: Method,
        passed: Mapping[str, Any],
        settings: Sequence[BatterySetting],
        try_held_out: Callable[[], Mismatch | None] = lambda: None,
    ) -> Mismatch:
        """Return our runs of those settings that the method is defined for, and the implementation's."""
        chosen = [one for one in settings if made.card.partial or one.S == one.N]
        legal = "at least one that it is defined for"
        require(bool(chosen), f"{made.card.id}: settings", [str(one) for one in settings], legal)

        def call_at(setting: BatterySetting) -> tuple[RecordedRun, ReturnedRun]:
            run = record_run(made, replace(setting, weighted=self.weighted, schedule=self.schedule))
            return run, call(self.function, run, passed)

        called = [call_at(setting) for setting in chosen]
        runs, answers = [run for run, _ in called], [answer for _, answer in called]
        checked = tuple(check_setting(run, answer.path, self.tolerance) for run, answer in called)
        single = all(answer.single for answer in answers)
        found = Comparison(made.card.id, read_numbers(made), self.tolerance, checked, (), single)
        return Mismatch(made, runs, answers, found, call_at, try_held_out)

    def try_numbers(
        self, made: Method, passed: Mapping[str, Any], moved: Mapping[str, float], settings: Sequence[BatterySetting]
    ) -> Mismatch | None:
        """Return the runs at other hyperparameters; None for a code for numbers of its own."""
        try:
            return self.run_at(replace(made, **moved), {**passed, **moved}, settings)  # type: ignore[type-var]
        except InputError:
            return None


def read_numbers(made: Method) -> dict[str, Any]:
    """Return the hyperparameters of a method."""
    return {f.name: getattr(made, f.name) for f in fields(made) if f.init}  # type: ignore[arg-type]
