"""One attack a constant: how large can the defining ratio be made?  `ATTACKS` is the table, by letter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from boundcheck.problems.certification.search import (
    STEP,
    Search,
    client_gradient,
    client_gradients,
    inner_maximum,
    jacobian,
    lengths,
    minimum,
    quotients,
    rounding,
    stretch,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.base import Array, Problem

Sense = Literal["sup", "inf", "floor", "error"]


@dataclass(frozen=True)
class Attack:
    """How one letter is attacked.

    `sup`: the constant is a supremum, ratio = attained/claimed.  `inf`: an infimum of positive numbers, ratio =
    claimed/attained.  `floor`: an infimum of a function, ratio = share of the claimed descent from the start that was
    found.  `error`: not a constant but an identity, ratio = relative error/tolerance.
    """

    run: Callable[[Search], float]
    sense: Sense = "sup"


def _one(x: Array) -> Array:
    return x[None, None, :]


def _smoothness(search: Search) -> float:
    """Climb the difference quotient of one client along the direction that its Hessian stretches most."""
    problem, best = search.problem, 0.0
    for start in search.starts:
        x = start
        for _ in range(2):
            hessians = jacobian(lambda p: client_gradients(problem, p), x)
            i = int(np.linalg.norm(hessians, 2, axis=(1, 2)).argmax())
            u = stretch(hessians[i : i + 1], search.rng)[0]

            def quotient(points: Array, i: int = i, u: Array = u) -> Array:
                return quotients(lambda p: client_gradient(problem, p, i), points, u)

            x, value = search.climb(quotient, x, 10)
            best = max(best, value)
    return best


def _samples(problem: Problem, client: int) -> Callable[[Array], Array]:
    """Return the sample gradients of one client as a function of points (n, d), shape (n, outcomes, d)."""
    return lambda points: np.stack([problem.outcomes(x, client) for x in points])


def _sample_quotient(search: Search, rows: slice, columns: slice) -> float:
    """Return the largest quotient of sample gradients (their `rows`) for moves in the `columns` of x."""
    problem, best = search.problem, 0.0
    for x in search.starts[:3]:
        for client in range(problem.N):
            at = _samples(problem, client)
            axes = np.eye(problem.d)[columns]
            slopes = jacobian(at, x, axes)[:, rows]
            directions = stretch(slopes, search.rng)
            top = int(np.linalg.norm(np.matmul(slopes, directions[:, :, None])[..., 0], axis=1).argmax())
            move = directions[top] @ axes
            moved = at(np.stack([x + STEP * move, x - STEP * move]))[:, :, rows]
            best = max(best, float(lengths(moved[0], moved[1]).max()))
    return best


def _sample_smoothness(search: Search) -> float:
    return _sample_quotient(search, slice(None), slice(None))


def _mean_square_smoothness(search: Search) -> float:
    """Move along the direction in which the sample gradients of a client change most in mean square."""
    problem, best = search.problem, 0.0
    for x in search.starts[:3]:
        for client in range(problem.N):
            at = _samples(problem, client)
            slopes = jacobian(at, x)
            move = np.linalg.eigh(np.einsum("orc,ore->ce", slopes, slopes, optimize=True))[1][:, -1]
            moved = at(np.stack([x + STEP * move, x - STEP * move]))
            best = max(best, float(np.sqrt((lengths(moved[0], moved[1]) ** 2).mean())))
    return best


def _block_smoothness(search: Search) -> float:
    d1 = (search.problem.blocks or (0, 0))[0]
    blocks = (slice(0, d1), slice(d1, None))
    return max(_sample_quotient(search, rows, columns) for rows in blocks for columns in blocks)


def _deviation(search: Search) -> float:
    """Enumerate the samples of every client; the mean square distance from their mean."""
    problem = search.problem

    def worst(points: Array) -> Array:
        clouds = [[problem.outcomes(x, client) for client in range(problem.N)] for x in points]
        return np.array([max(cloud.var(axis=0).sum() for cloud in at) for at in clouds])

    return float(np.sqrt(search.best(worst, climbs=1)))


def _heterogeneity(search: Search) -> float:
    def spread(points: Array) -> Array:
        spreads: Array = client_gradients(search.problem, points).var(axis=1).sum(axis=1)
        return spreads

    return float(np.sqrt(search.best(spread)))


def _pairs(search: Search) -> float:
    """Climb the distance of one pair of gradients, the most distant one at each start."""
    problem, best = search.problem, 0.0
    for x in search.starts:
        g = client_gradients(problem, x[None])[0]
        gaps = ((g[:, None] - g[None]) ** 2).sum(axis=-1)
        i, j = np.unravel_index(int(gaps.argmax()), gaps.shape)

        def distance(points: Array, i: int = int(i), j: int = int(j)) -> Array:
            g = client_gradients(problem, points)
            squares: Array = ((g[:, i] - g[:, j]) ** 2).sum(axis=1)
            return squares

        best = max(best, search.climb(distance, x, 10)[1])
    return float(np.sqrt(best))


def _largest_coordinate(search: Search) -> float:
    """Climb the largest coordinate of a client gradient at each start, then enumerate the samples there."""
    problem, best = search.problem, 0.0
    for x in search.starts:
        g = client_gradients(problem, x[None])[0]
        i, c = np.unravel_index(int(np.abs(g).argmax()), g.shape)

        def size(points: Array, i: int = int(i), c: int = int(c)) -> Array:
            return np.abs(client_gradient(problem, points, i)[:, c])

        top, value = search.climb(size, x)
        clouds = (problem.outcomes(p, client) for p in (x, top) for client in range(problem.N))
        best = max(best, value, *(float(np.abs(cloud).max()) for cloud in clouds))
    return best


def _lowest(search: Search, function: Callable[[Array], tuple[float, Array]]) -> float:
    return min(function(minimum(function, x))[0] for x in search.starts)


def _floor(search: Search) -> float:
    problem = search.problem
    return _lowest(search, lambda x: (float(problem.value(_one(x))[0]), problem.mean_gradient(_one(x))[0, 0]))


def _gap(search: Search) -> float:
    problem = search.problem
    return float(problem.value(_one(problem.start))[0]) - _floor(search)


def _client_gap(search: Search) -> float:
    """Minimise every client function from the start; values are line integrals of its gradient."""
    problem, nodes = search.problem, np.polynomial.legendre.leggauss(64)
    shares, weights = (nodes[0] + 1) / 2, nodes[1] / 2

    def descent(z: Array, client: int) -> tuple[float, Array]:
        line = problem.start + shares[:, None] * (z - problem.start)
        rise = weights @ (client_gradient(problem, line, client) @ (z - problem.start))
        return float(rise), client_gradient(problem, z[None], client)[0]

    lowest = []
    for client in range(problem.N):
        ends = [minimum(lambda z, i=client: descent(z, i), x) for x in search.starts[:3]]  # type: ignore[misc]
        lowest.append(min(descent(z, client)[0] for z in ends))
    return -float(np.mean(lowest))


def _envelope_floor(search: Search) -> float:
    problem = search.problem
    rest = np.zeros((problem.blocks or (0, 0))[1])

    def envelope(x: Array) -> tuple[float, Array]:
        slope = problem.envelope_gradient(_one(x))[0, 0]
        return float(problem.envelope(_one(x))[0]), np.concatenate([slope, rest])

    return _lowest(search, envelope)


def _envelope_gap(search: Search) -> float:
    _, initial = inner_maximum(search.problem, search.problem.start, search.rng)
    return initial - _envelope_floor(search)


def _envelope_smoothness(search: Search) -> float:
    """Climb the quotient of grad Phi along the direction that its Hessian stretches most."""
    problem, best = search.problem, 0.0
    d1 = (problem.blocks or (0, 0))[0]
    axes = np.eye(problem.d)[:d1]

    def slope(points: Array) -> Array:
        return problem.envelope_gradient(points[:, None, :])[:, 0]

    for x in search.starts:
        u = stretch(jacobian(slope, x, axes)[None], search.rng)[0] @ axes

        def quotient(points: Array, u: Array = u) -> Array:
            return quotients(slope, points, u)

        best = max(best, search.climb(quotient, x, 10)[1])
    return best


def _concavity(search: Search) -> float:
    """Return the smallest curvature of -f_i in y that was found, over clients and starts."""
    problem = search.problem
    d1 = (problem.blocks or (0, 0))[0]
    axes = np.eye(problem.d)[d1:]
    lowest = np.inf
    for x in search.starts:
        hessians = jacobian(lambda p: client_gradients(problem, p)[..., d1:], x, axes)
        curvatures = np.linalg.eigvalsh(-(hessians + np.swapaxes(hessians, 1, 2)) / 2)
        lowest = min(lowest, float(curvatures.min()) + rounding(client_gradients(problem, x[None])))
    return lowest


def _condition(search: Search) -> float:
    return _block_smoothness(search) / _concavity(search)


def _dual_miss(search: Search) -> float:
    problem = search.problem
    d1 = (problem.blocks or (0, 0))[0]
    best, _ = inner_maximum(problem, problem.start, search.rng)
    return float(((problem.start[d1:] - best) ** 2).sum())


def _initial(search: Search) -> float:
    g = client_gradients(search.problem, search.problem.start[None])[0]
    return float((g * g).sum(axis=1).mean())


def _relative(found: Array, claimed: Array) -> float:
    return float(np.abs(found - claimed).max() / (1.0 + np.abs(claimed).max()))


def _gradient_error(search: Search) -> float:
    """Compare grad f with difference quotients of f, and with the mean of the client gradients."""
    problem, worst = search.problem, 0.0
    for x in search.starts:
        claimed = problem.mean_gradient(_one(x))[0, 0]
        missed = _relative(_five_points(problem, x, STEP), claimed)
        if missed > STEP**2:
            missed = min(missed, _relative(_five_points(problem, x, STEP**2), claimed))
        mean = client_gradients(problem, x[None])[0].mean(axis=0)
        worst = max(worst, missed, _relative(mean, claimed))
    return worst


def _five_points(problem: Problem, x: Array, step: float) -> Array:
    """Return difference quotients of f at `x`; where the curvature jumps, only a short step agrees with grad f."""
    wide = [problem.value(x + k * step * np.eye(problem.d)[:, None, :]) for k in (-2, -1, 1, 2)]
    slopes: Array = (wide[0] - 8 * wide[1] + 8 * wide[2] - wide[3]) / (12 * step)
    return slopes


def _bias(search: Search) -> float:
    """Compare the enumerated mean of the samples with grad f_i."""
    problem, worst = search.problem, 0.0
    for x in search.starts:
        g = client_gradients(problem, x[None])[0]
        for client in range(problem.N):
            worst = max(worst, _relative(problem.outcomes(x, client).mean(axis=0), g[client]))
    return worst


def _envelope_error(search: Search) -> float:
    """Compare Phi, y_star and grad Phi with a numerical inner maximisation (grad Phi by Danskin's theorem)."""
    problem, worst = search.problem, 0.0
    d1 = (problem.blocks or (0, 0))[0]
    for x in search.starts:
        y, top = inner_maximum(problem, x, search.rng)
        slope = problem.mean_gradient(_one(np.concatenate([x[:d1], y])))[0, 0, :d1]
        worst = max(
            worst,
            _relative(np.array([top]), problem.envelope(_one(x))),
            _relative(y, problem.best_response(_one(x))[0, 0]),
            _relative(slope, problem.envelope_gradient(_one(x))[0, 0]),
        )
    return worst


ATTACKS: dict[str, Attack] = {
    "L": Attack(_smoothness),
    "L_sample": Attack(_sample_smoothness),
    "L_rms": Attack(_mean_square_smoothness),
    "L_block": Attack(_block_smoothness),
    "L_Phi": Attack(_envelope_smoothness),
    "sigma": Attack(_deviation),
    "zeta": Attack(_heterogeneity),
    "zeta_pair": Attack(_pairs),
    "G_inf": Attack(_largest_coordinate),
    "G_0": Attack(_initial),
    "mu": Attack(_concavity, "inf"),
    "kappa": Attack(_condition),
    "f_star": Attack(_floor, "floor"),
    "Delta": Attack(_gap),
    "Delta_mean": Attack(_client_gap),
    "Phi_star": Attack(_envelope_floor, "floor"),
    "Delta_Phi": Attack(_envelope_gap),
    "delta_y": Attack(_dual_miss),
}
"""The attack on every constant, by letter."""

IDENTITIES: dict[str, Attack] = {
    "grad f": Attack(_gradient_error, "error"),
    "unbiased": Attack(_bias, "error"),
    "Phi": Attack(_envelope_error, "error"),
}
"""What is checked beside the constants; Phi on minimax problems only."""
