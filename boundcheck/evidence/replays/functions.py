"""The clients' functions of a counterexample in numpy: formulas, or their values where a run looks at them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.evidence.replays.expressions import UnspelledError
from boundcheck.evidence.replays.own_source import spell_function
from boundcheck.problems.noise.base import PointNoise
from boundcheck.problems.noise.common import CommonNoise
from boundcheck.problems.noise.signs import SignNoise
from boundcheck.problems.own.functions import OwnProblem

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound
    from boundcheck.problems.base import Problem
    from boundcheck.problems.types import Array

_NUMBERS = 32
"""Most numbers of matrices."""
_SEEN = 400
"""Most numbers of points and gradients."""
_LISTED = 64
"""Most numbers of samples."""
_CALLS = 50_000
"""Most calls of a function of one point, which takes some microseconds each."""
_OUTCOMES = 16
"""Most outcomes of a noise."""


def spell_functions(problem: Problem, *, values: bool) -> list[str] | None:
    """Return lines that define `grad`, and `value` = f - f_star, where they have short formulas; None for others.

    Points have shape (runs, 1 or N, d), gradients (runs, N, d), values (runs,).
    """
    if formula := problem.spelled_gradient():
        lines = [f"grad = lambda x: {formula}  # of client i in row i"]
        height = problem.spelled_value() if values else ""
        return None if values and not height else lines + [f"value = lambda x: {height}  # f - f_star"] * values
    found = _parabolas(problem)
    if found is None:
        return None
    A, a = found
    if problem.d == 1 or not (A - A * np.eye(problem.d)).any():
        diagonal = np.diagonal(A, axis1=1, axis2=2)
        lines = [f"A, a = np.array({diagonal.tolist()!r}), np.array({a.tolist()!r})"]
        lines.append("grad = lambda x: A*x + a  # of client i in row i")
    else:
        lines = [f"A = np.array({A.tolist()!r}); a = np.array({a.tolist()!r})"]
        lines.append("grad = lambda x: (A*x[..., None, :]).sum(-1) + a  # of client i in row i")
    if values:
        at_zero = float(problem.value(np.zeros((1, 1, problem.d)))[0]) - problem.constant("f_star")
        more = f" + {at_zero!r}" if at_zero else ""
        lines.append(f"value = lambda x: ((grad(x) + a)*x/2).sum(-1).mean(1){more}  # f - f_star")
    return lines


def spell_own_functions(problem: Problem, *, values: bool, calls: int) -> list[str] | None:
    """Return lines that define `grad` and `value` by the source of the user's functions; None for other problems.

    Parameters
    ----------
    problem : Problem
    values : bool
        Whether `value` is asked for.
    calls : int
        Gradients of a client that the script takes: functions of one point are slow.

    Raises
    ------
    UnspelledError
        If there is no source, or it uses more than numbers and numpy.
    """
    if not isinstance(problem, OwnProblem) or (calls > _CALLS and problem.calls == "point"):
        return None
    N, d = problem.N, problem.d
    rows = f"np.broadcast_to(x, (len(x), {N}, {d}))"
    every = {
        "point": f"np.array([[{{0}}(i, y[i]) for i in range({N})] for y in {rows}])",
        "client": f"np.stack([{{0}}(i, {rows}[:, i]) for i in range({N})], 1)",
        "lanes": f"{{0}}({rows}.copy(), np.tile(np.arange({N}), (len(x), 1)))",
    }[problem.calls]
    lines = [*spell_function("own_gradient", problem.own_gradient), f"grad = lambda x: {every.format('own_gradient')}"]
    if values:
        p = problem.client_weights
        mean = f"{every.format('own_value')}{'.mean(1)' if p is None else f' @ np.array({p.tolist()!r})'}"
        lines += spell_function("own_value", problem.own_value)
        lines.append(f"value = lambda x: {mean} - {problem.constant('f_star')!r}  # f - f_star")
    return lines


def _parabolas(problem: Problem) -> tuple[Array, Array] | None:
    """Return matrices (N, d, d) and tilts (N, d) of clients that are parabolas, as far as probing can tell."""
    N, d = problem.N, problem.d
    if 2 * N * d > _NUMBERS:
        return None
    at = np.concatenate([np.zeros((1, d)), np.eye(d)])
    g = problem.exact_gradient(np.broadcast_to(at[:, None, :], (d + 1, N, d)))
    tilts, matrices = g[0], np.moveaxis(g[1:] - g[0], 0, -1)
    scales = np.geomspace(1e-3, 1e3, 13)[:, None]
    probes = np.concatenate([problem.start + s * np.resize([1.0, -0.7, 0.4], (1, d)) for s in (*scales, *-scales)])
    found = problem.exact_gradient(np.broadcast_to(probes[:, None, :], (len(probes), N, d)))
    off = (matrices - matrices * np.eye(d)).any()
    if off and N * d * (d + 1) > _NUMBERS:
        return None
    expected = np.einsum("icd,pd->pic", matrices, probes) + tilts
    size = 1 + np.abs(found).max()
    return (matrices, tilts) if np.allclose(found, expected, rtol=1e-9, atol=1e-12 * size) else None


class SeenFunctions:
    """The clients' functions at the points where a run looks at them; a function of the class goes through these."""

    def __init__(self, problem: Problem, digits: int) -> None:
        self._problem, self._digits = problem, digits
        self._points: list[Array] = []

    def grad(self, x: Array) -> Array:
        """Return the gradients, and remember the points."""
        y = np.broadcast_to(x, (len(x), self._problem.N, self._problem.d))
        self._points.append(y[0].copy())
        return self._problem.exact_gradient(y)

    def value(self, x: Array) -> Array:
        """Return f - f_star, and remember the point."""
        self._points.append(np.broadcast_to(x[0], (self._problem.N, self._problem.d)).copy())
        return self._problem.value(x) - self._problem.constant("f_star")

    def lines(self, bound: Bound, *, values: bool) -> list[str] | None:
        """Return lines with the points, gradients and values, and the check that a function of the class has them."""
        problem = self._problem
        if problem.x_star is not None:
            self._points.append(np.tile(problem.x_star, (problem.N, 1)))
        # Points of equal clients that agree to rounding are one.
        points = [p for n, p in enumerate(self._points) if not any(np.allclose(p, q) for q in self._points[:n])]
        if 2 * len(points) * problem.N * problem.d > _SEEN or "L" not in bound.needs:
            return None
        x = np.array(points)
        g, f = problem.exact_gradient(x), self._client_values(x)
        head = f"X, G = np.array({_short(x, self._digits)}), np.array({_short(g, self._digits)})"
        near = "near = lambda x: ((X - x[:, None])**2).sum((2, 3)).argmin(1)"
        if f is None:
            said = "# points of the run, and the clients' gradients there (shape: points, clients, coordinates)"
            lines = [said, head, near, "grad = lambda x: G[near(x)]"]
            if values:
                means = problem.value(x[:, :1]) - problem.constant("f_star")
                lines.append(f"value = lambda x: np.array({_short(means, self._digits)})[near(x)]")
            return lines
        L = problem.constant("L")
        mu = problem.constant("mu") if "mu" in bound.needs else 0.0 if bound.convex else -L
        return [
            "# points of the run, and the clients' gradients and values there (shape: points, clients, coordinates)",
            head,
            f"F, L, mu = np.array({_short(f, self._digits)}), {L!r}, {mu!r}",
            "dx, dg = X[:, None] - X, G[:, None] - G  # a function with curvatures in [mu, L] has them if and only if",
            "gap = F[:, None] - F - (G*dx).sum(-1) - ((dg - mu*dx)**2).sum(-1)/(2*(L - mu)) - mu/2*(dx**2).sum(-1)",
            f"assert gap.min() >= -{_SLACK!r}*abs(F).max()",
            near,
            "grad, value = lambda x: G[near(x)], lambda x: F[near(x)].mean(1)",
        ]

    def _client_values(self, x: Array) -> Array | None:
        """Return f_i - f_star at points (P, N, d), None where the problem knows f alone."""
        problem: Any = self._problem
        if "f_star" not in problem.constants:
            return None
        floor = problem.constant("f_star")
        if problem.N == 1:
            found: Array = (problem.value(x) - floor)[:, None]
            return found
        if not hasattr(problem, "client_value"):
            return None
        return np.array([[problem.client_value(p[i], i) - floor for i in range(problem.N)] for p in x])


_ZERO, _ALL = 1e-13, 17
_SLACK = 1e-7
"""What the inequalities may miss by, of the largest value: numbers may be printed with twelve digits."""


def _short(values: Array, digits: int) -> str:
    """Return numbers with so many digits, and 0 for what is left of it by rounding; all digits as they are."""
    if digits >= _ALL:
        return repr(values.tolist())
    size = np.abs(values).max()
    rounded: Any = np.vectorize(lambda v: float(f"{v:.{digits}g}") if abs(v) > _ZERO * size else 0.0)(values)
    return repr(rounded.tolist())


def spell_samples(problem: Problem, lanes: int) -> list[str]:
    """Return lines that define `draw`, which numbers samples, and `sample`, their gradients, which are affine.

    Raises
    ------
    UnspelledError
        If they are not affine, or too many numbers.
    """
    N, d = problem.N, problem.d

    def gradients(x: Array) -> Array:
        return np.array([problem.outcomes(x, i) for i in range(N)])

    tilts = gradients(np.zeros(d))
    n = tilts.shape[1]
    if N * n * d * (d + 1) > _LISTED:
        msg = "many samples"
        raise UnspelledError(msg)
    matrices = np.stack([gradients(e) - tilts for e in np.eye(d)], axis=-1)
    for probe in (problem.start, -3.0 * problem.start + 1.0, 100.0 * problem.start):
        if not np.allclose(gradients(probe), matrices @ probe + tilts, rtol=1e-9):
            msg = "samples that are not affine"
            raise UnspelledError(msg)
    return [
        f"B, b = np.array({matrices.tolist()!r}), np.array({tilts.tolist()!r})  # of client i and sample s in row i, s",
        f"draw = lambda: (np.arange({N}), rng.integers({n}, size=({lanes}, {N})))",
        "sample = lambda x, s: (B[s]*x[..., None, :]).sum(-1) + b[s]",
    ]


def spell_noise(problem: Problem, lanes: int) -> list[str]:
    """Return the line that defines `noise`, whose outcomes are listed.

    Raises
    ------
    UnspelledError
        If samples are no gradient and a vector of few outcomes.
    """
    noise = problem.noise
    rows = 1 if isinstance(noise, CommonNoise) else problem.N
    inner: Any = noise.inner if isinstance(noise, CommonNoise) else noise
    if not (problem.samples_are_noise and isinstance(inner, PointNoise)):
        msg = "noise that is no vector"
        raise UnspelledError(msg)
    size = f"({lanes}, {rows})"
    if isinstance(inner, SignNoise):
        return [f"noise = lambda: {inner.sup!r}*rng.choice([-1.0, 1.0], ({lanes}, {rows}, {problem.d}))"]
    outcomes = inner.every(1)[:, 0]
    values, counts = np.unique(outcomes, axis=0, return_counts=True)
    if len(values) > _OUTCOMES:
        msg = f"noise of {len(values)} outcomes"
        raise UnspelledError(msg)
    weights = (counts / counts.sum()).tolist()
    law = "" if len(set(weights)) == 1 else f", p={weights!r}"
    return [f"E = np.array({values.tolist()!r}); noise = lambda: E[rng.choice({len(values)}, {size}{law})]"]
