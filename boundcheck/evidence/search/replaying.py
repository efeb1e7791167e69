"""A counterexample as a few lines of numpy that anybody can run without this package, where it is simple enough."""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import BoundcheckError

if TYPE_CHECKING:
    from boundcheck.evidence.trials.trial import Trial
    from boundcheck.problems.base import Problem
    from boundcheck.problems.types import Array

_NUMBERS = 24
"""Most numbers of the matrices that are printed."""
_RUNS = 64
"""Of which the mean is taken where there is noise."""
_SAME = 1e-6
"""Relative difference that the last digits of printed numbers and another order of sums may make."""
_METHODS: dict[str, tuple[str, str]] = {
    "fedavg": ("", "x = x + gamma*(y.mean(0) - x)"),
    "fedavg-server-m": ("v = 0*x; ", "v = beta*v - (y.mean(0) - x); x = x - gamma*v"),
    "sgd": ("", "x = y.mean(0)"),
}
"""What a method has beside its point, and its server's step after the local ones."""
_METRICS: dict[str, tuple[str, str]] = {
    "server_gradient": ("(grad(X).mean(0)**2).sum()", "np.mean(seen)"),
    "best_gradient": ("(grad(X).mean(0)**2).sum()", "min(seen)"),
    "suboptimality": ("value(X)", "np.mean(seen)"),
    "best_suboptimality": ("value(X)", "min(seen)"),
    "distance": ("((x - x_star)**2).sum()", "np.mean(seen)"),
}
"""What a left-hand side takes at the server's point of every round, and what it makes of it."""
_AT_THE_END = {
    "final_gradient": "(grad(X).mean(0)**2).sum()",
    "final_suboptimality": "value(X)",
    "final_distance": "((x - x_star)**2).sum()",
}
"""Left-hand sides that are taken after the last round."""


def replay(trial: Trial, seed: int, command: str) -> str:
    """Return a script of about ten lines that repeats a run and prints both sides.

    Where clients are parabolas or piecewise parabolas, nothing is drawn and the method is plain local steps with a
    server step, it is numpy alone.  Otherwise the functions or the run come from this package.

    Parameters
    ----------
    trial : Trial
        What is repeated.
    seed : int
        Root seed.
    command : str
        The command that repeats it, for the last resort.
    """
    plain = None if trial.is_random else _in_numpy(trial)
    return plain if plain is not None and _is_right(plain, trial, seed) else _by_package(trial, seed, command)


def _in_numpy(trial: Trial) -> str | None:
    problem, setting = trial.problem, trial.setting
    method, metric = trial.method.card.id, trial.bound.metric
    if method not in _METHODS or metric not in {*_METRICS, *_AT_THE_END} or problem.blocks is not None:
        return None
    begun, server = _METHODS[method]
    names = [name for name in ("eta", "gamma", "beta") if hasattr(trial.method, name)]
    steps = ", ".join(repr(float(getattr(trial.method, name))) for name in names)
    said = {**{name: pair[0] for name, pair in _METRICS.items()}, **_AT_THE_END}[metric]
    lines = ["import numpy as np", *_functions(problem)]
    if "value(" in said:
        spelled = _values(problem)
        if not spelled:
            return None
        lines.append(spelled)
    if "x_star" in said:
        lines.append(f"x_star = np.array({_minimiser(problem)!r})")
    lines += [
        f"{', '.join(names)} = {steps}  # as {trial.bound.id} prescribes",
        f"x = np.array({problem.start.tolist()!r}); {begun}seen = []",
    ]
    lines += [f"for t in range({setting.T}):", f"    X = np.tile(x, ({setting.N}, 1)); y = X"]
    for name, law in getattr(trial.method, "laws", ()):
        lines.append(f"    {name} = {float(getattr(trial.method, name))!r}*{law.replace('^', '**')}")
    if metric in _METRICS:
        lines.append(f"    seen.append({_METRICS[metric][0]})")
    lines += [f"    for k in range({setting.K}): y = y - eta*grad(y)", f"    {server}"]
    if metric in _AT_THE_END:
        lines.append(f"X = np.tile(x, ({setting.N}, 1))")
    found = _METRICS[metric][1] if metric in _METRICS else _AT_THE_END[metric]
    terms = " + ".join(f"{value!r}" for value in trial.evaluation.terms.values())
    lines.append(f'print({found}, ">", {terms})  # {" + ".join(trial.evaluation.terms)}')
    return "\n".join(lines) + "\n"


def _minimiser(problem: Problem) -> list[float]:
    return [0.0] * problem.d if problem.x_star is None else problem.x_star.tolist()


def _values(problem: Problem) -> str:
    """Return a line that defines f - f_star at the points (N, d) of clients that are parabolas; empty for others."""
    if _parabolas(problem) is None or "f_star" not in problem.constants:
        return ""
    at_zero = float(problem.value(np.zeros((1, 1, problem.d)))[0]) - problem.constant("f_star")
    if problem.d == 1:
        return f"value = lambda x: (A*x*x/2 + a*x).mean() + {at_zero!r}  # f - f_star"
    return f'value = lambda x: (np.einsum("id,icd,ic->i", x, A, x)/2 + (a*x).sum(1)).mean() + {at_zero!r}  # f - f_star'


def _functions(problem: Problem) -> list[str]:
    """Return lines that define the clients' gradients at the points (N, d)."""
    if formula := problem.spelled_gradient():
        return [f"grad = lambda x: {formula}  # of client i in row i"]
    parabolas = _parabolas(problem)
    if parabolas is not None:
        A, a = parabolas
        if problem.d == 1:
            A = A[:, :, 0]
            return [f"A = np.array({A.tolist()!r}); a = np.array({a.tolist()!r})", "grad = lambda x: A*x + a"]
        return [
            f"A = np.array({A.tolist()!r})",
            f"a = np.array({a.tolist()!r})",
            'grad = lambda x: np.einsum("icd,id->ic", A, x) + a  # of client i in row i',
        ]
    return [
        "from boundcheck import load_problem",
        f"problem = load_problem({problem.name!r}, N={problem.N})",
        "grad = lambda x: problem.exact_gradient(x[None])[0]  # of client i in row i",
    ]


def _parabolas(problem: Problem) -> tuple[Array, Array] | None:
    """Return matrices (N, d, d) and tilts (N, d) of clients that are parabolas, as far as probing can tell."""
    N, d = problem.N, problem.d
    if N * d * (d + 1) > _NUMBERS:
        return None
    at = np.concatenate([np.zeros((1, d)), np.eye(d)])
    g = problem.exact_gradient(np.broadcast_to(at[:, None, :], (d + 1, N, d)))
    tilts, matrices = g[0], np.moveaxis(g[1:] - g[0], 0, -1)
    scales = np.geomspace(1e-3, 1e3, 13)[:, None]
    probes = np.concatenate([problem.start + s * np.resize([1.0, -0.7, 0.4], (1, d)) for s in (*scales, *-scales)])
    found = problem.exact_gradient(np.broadcast_to(probes[:, None, :], (len(probes), N, d)))
    said = np.einsum("icd,pd->pic", matrices, probes) + tilts
    size = 1 + np.abs(found).max()
    return (matrices, tilts) if np.allclose(found, said, rtol=1e-9, atol=1e-12 * size) else None


def _is_right(script: str, trial: Trial, seed: int) -> bool:
    """Return whether a script prints what the trial measures."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), np.errstate(all="ignore"):
            exec(compile(script, "<replay>", "exec"), {})
        printed = float(said.getvalue().partition(" > ")[0])
        measured = float(trial.measure(seed, 0, 1)[0])
    # A script is a convenience: where it does not say the same, there is another one.
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        NameError,
        SyntaxError,
        TypeError,
        ValueError,
        BoundcheckError,
    ):
        return False
    return bool(np.isclose(printed, measured, rtol=_SAME, atol=0.0) or (not np.isfinite(printed + measured)))


def _by_package(trial: Trial, seed: int, command: str) -> str:
    setting = trial.setting
    given = {name: trial.evaluation.values[name] for name in trial.bound.parameters}
    used = ", ".join(f"{name} = {value:.6g}" for name, value in given.items())
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
            f"runs = dict(lanes=np.arange({_RUNS if trial.is_random else 1}), metrics=[{trial.bound.metric!r}])",
            "run = simulate(problem, method, **setting, **runs)",
            f'print(run.average({trial.bound.metric!r}).mean(), ">", {float(trial.evaluation.rhs)!r})',
            "",
        ]
    )


def _hyper(trial: Trial) -> dict[str, object]:
    import dataclasses

    values = {f.name: getattr(trial.method, f.name) for f in dataclasses.fields(trial.method)}  # type: ignore[arg-type]
    return {name: float(value) if isinstance(value, np.floating) else value for name, value in values.items()}
