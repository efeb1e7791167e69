"""The script that repeats a counterexample: numpy alone wherever functions, noise and method can be spelled."""

from __future__ import annotations

import contextlib
import dataclasses
import io
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import BoundcheckError
from boundcheck.evidence.replays.expressions import ScriptPage, UnspelledError
from boundcheck.evidence.replays.functions import (
    SeenFunctions,
    spell_functions,
    spell_noise,
    spell_own_functions,
    spell_samples,
)
from boundcheck.evidence.replays.rounds import real_fields, spell_run
from boundcheck.files.display import list_values

if TYPE_CHECKING:
    from boundcheck.evidence.trials.trial import Trial
    from boundcheck.problems import Problem

_RUNS, _FEWER = 10_000, 64
"""Runs of which the mean is taken where there is noise: in a script of numpy, and with this package."""
_SAME = 1e-6
"""Relative difference that the last digits of printed numbers and another order of sums may make."""
_DEVIATIONS = 6.0
"""Standard errors by which the means of two samples of runs may differ."""
_WAYS = ((True, 12), (True, 17), (False, 17))
"""Whether hyperparameters stand by their names, and the digits of values that are listed."""
_DESCENTS = 1000
"""Steps to a client's minimiser."""
_FAILURES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NameError,
    NotImplementedError,
    SyntaxError,
    TypeError,
    ValueError,
    BoundcheckError,
)
"""What code may raise on values that it was not written for; the script is then written otherwise."""


def replay(trial: Trial, seed: int, command: str) -> str:
    """Return a script of about ten lines that repeats a run and prints both sides.

    It is numpy alone wherever the clients are parabolas, have a short formula, or are looked at in few points, where
    what is drawn has few outcomes, and where the method's own code runs on expressions.  A script is kept only if it
    prints what was measured.  Otherwise the run is this package's.

    Parameters
    ----------
    trial : Trial
        What is repeated.
    seed : int
        Root seed.
    command : str
        The command that repeats it, for the last resort.
    """
    for named, digits in _WAYS:
        # A script is a convenience: where one way does not give what was measured, there is another one.
        with contextlib.suppress(*_FAILURES), np.errstate(all="ignore"):
            script = _in_numpy(trial, named=named, digits=digits)
            if script and _is_right(script, trial, seed):
                return script
    return _by_package(trial, seed, command)


def _in_numpy(trial: Trial, *, named: bool, digits: int) -> str | None:
    problem, setting = trial.problem, trial.setting
    if trial.metric.weighted or trial.metric.transition is not None or trial.bound.failure:
        return None
    lanes = _RUNS if trial.is_random else 1
    page = ScriptPage(lanes, setting.N, problem.d)
    oracle = spell_run(page, trial, named=named)
    body = page.lines()
    text = "\n".join(body)
    random = ["rng = np.random.default_rng(0)"] if trial.is_random else []
    noise = spell_noise(problem, lanes) if oracle.has_noise else []
    noise += spell_samples(problem, lanes) if oracle.has_samples else []
    hyper = real_fields(trial.method) if named else []
    start = repr(problem.start.tolist())
    point = f"np.tile({start}, ({lanes}, 1, 1))" if lanes > 1 else f"np.array([[{start}]])"
    given = f"{', '.join(hyper)} = {', '.join(repr(float(getattr(trial.method, n))) for n in hyper)}" if hyper else ""
    setup = [f"{given}  # as {trial.bound.id} prescribes"] if given else []
    setup += [f"x_star = np.array({_minimiser(trial)})"] if "x_star" in text else []
    setup += [f"x, seen = {point}, []" if "seen" in text else f"x = {point}"]
    terms = " + ".join(repr(float(value)) for value in trial.evaluation.terms.values())
    last = [f'print(np.mean(found), ">", {terms})  # {" + ".join(trial.evaluation.terms)}']
    run = ["import numpy as np", *random, *noise, *setup, *body, *last]
    asked = oracle.has_minimisers or "grad(" in text or "value(" in text
    noise += _spell_minimisers(problem) if oracle.has_minimisers else []
    functions = spell_functions(problem, values="value(" in text) if asked else []
    if functions is None:
        calls = lanes * setting.N * setting.K * setting.T
        with contextlib.suppress(UnspelledError):
            functions = spell_own_functions(problem, values="value(" in text, calls=calls)
    if functions is None:
        if trial.is_random:
            return None
        seen = SeenFunctions(problem, digits)
        _run_and_read("\n".join(run), {"grad": seen.grad, "value": seen.value})
        functions = seen.lines(trial.bound, values="value(" in text)
    return None if functions is None else "\n".join([run[0], *random, *noise, *functions, *setup, *body, *last, ""])


def _spell_minimisers(problem: Problem) -> list[str]:
    """Return a function of the clients' proximal steps, by gradient descent."""
    return [
        "def nearest(v, step):",
        "    y = v",
        f"    for _ in range({_DESCENTS}):",
        f"        y = y - (grad(y) + (y - v)/step)/({problem.constant('L')!r} + 1/step)",
        "    return y",
    ]


def _minimiser(trial: Trial) -> str:
    if trial.problem.x_star is None:
        msg = "the minimiser is not known"
        raise UnspelledError(msg)
    return repr(trial.problem.x_star.tolist())


def _run_and_read(script: str, names: dict[str, Any] | None = None) -> float:
    """Return the left-hand side that a script prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(script, "<replay>", "exec"), dict(names or {}))
    return float(printed.getvalue().partition(" > ")[0])


def _is_right(script: str, trial: Trial, seed: int) -> bool:
    """Return whether a script prints what the trial measures: to rounding, or to the error of its means."""
    printed = _run_and_read(script)
    measured = trial.measure(seed, 0, 4 * _FEWER if trial.is_random else 1)
    if not np.isfinite(printed + measured.mean()):
        return bool(not np.isfinite(printed) and not np.isfinite(measured).all())
    if not trial.is_random:
        return bool(np.isclose(printed, measured[0], rtol=_SAME, atol=0.0))
    error = measured.std(ddof=1) / len(measured) ** 0.5
    return bool(abs(printed - measured.mean()) <= _DEVIATIONS * error + _SAME * abs(printed))


def _by_package(trial: Trial, seed: int, command: str) -> str:
    setting = trial.setting
    given = {name: trial.evaluation.values[name] for name in trial.bound.parameters}
    used = list_values(given, ".6g")
    laws = dict(getattr(trial.method, "laws", ()))
    falls = f", schedule={laws!r}" if laws else ""
    return "\n".join(
        [
            f"# {command}",
            "import numpy as np",
            "from boundcheck import load_problem",
            "from boundcheck.engine import simulate",
            f"from boundcheck.methods import METHODS  # {used}",
            f"problem = load_problem({trial.problem.name!r}, N={setting.N})",
            f"method = METHODS[{trial.bound.method!r}](**{_hyper(trial)!r})",
            f"setting = dict(K={setting.K}, T={setting.T}, S={setting.S}, b={setting.b}, seed={seed}{falls})",
            f"runs = dict(lanes=np.arange({_FEWER if trial.is_random else 1}), metrics=[{trial.bound.metric!r}])",
            "run = simulate(problem, method, **setting, **runs)",
            f"found = run.average({trial.bound.metric!r})",
            _last(trial),
            "",
        ]
    )


def _last(trial: Trial) -> str:
    rhs = float(trial.evaluation.rhs)
    if trial.bound.failure:
        return f'print((found > {rhs!r}).mean(), ">", {trial.failure!r})  # a share of the runs'
    return f'print(found.mean(), ">", {rhs!r})'


def _hyper(trial: Trial) -> dict[str, object]:
    values = {f.name: getattr(trial.method, f.name) for f in dataclasses.fields(trial.method)}  # type: ignore[arg-type]
    return {name: float(value) if isinstance(value, np.floating) else value for name, value in values.items()}
