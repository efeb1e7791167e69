"""Print how near random rounds and worst cases come to the theorems for all steps that ship.

``python -m benchmarks.theorem_rounds [NAME ...]`` prints a row for each theorem that is named, or for all: how many
rounds of random quadratic problems; the largest left-hand side over the right; the same for the last
value under the Polyak-Lojasiewicz condition, where the theorem has one; and for the worst functions over some rounds.
Expectations over noise are exact: the method's own code is run on unit vectors, and means and covariances follow.
"""

import sys
from typing import NamedTuple

import numpy as np

from boundcheck import METHODS
from boundcheck.engine.exact import iterate_moments
from boundcheck.engine.exact.law import squared_gradient
from boundcheck.errors import InputError
from boundcheck.problems.synthetic.quadratic import Quadratic
from boundcheck.worst import ProblemClass, worst
from boundcheck.worst.gram.units import hyperparameters
from boundcheck.worst.theorems.bernstein.polynomials import evaluate, read_polynomial
from boundcheck.worst.theorems.collection.shipped import shipped, shipped_theorem

ROUNDS, SEED = 10_000, 42
MOST_K, MOST_N, MOST_T = 8, 4, 60
LONG = 4
"""Rounds of the worst cases, of two local steps and two clients."""


class Row(NamedTuple):
    """What random rounds of one theorem said.

    Attributes
    ----------
    rounds, runs : int
    nearest, nearest_last : float
        Largest left-hand side over the right: of the average gradient, and of the last value (NaN where there is none).
    """

    rounds: int
    runs: int
    nearest: float
    nearest_last: float


def problem(rng, *, noisy):
    """Return a random quadratic problem: clients of curvature up to 1, some of them bent downwards."""
    while True:
        mu = float(rng.choice([rng.uniform(-0.4, 0.2), rng.uniform(0.2, 1.0), 1.0]))
        N = int(rng.integers(1, MOST_N + 1))
        try:
            return Quadratic(
                N=N,
                d=int(rng.integers(1, 3)),
                mu=mu,
                L=1.0,
                spread=float(rng.choice([0.0, rng.uniform(0, 1), 1.0])),
                zeta=float(rng.choice([0.0, 1.0])) if N > 1 else 0.0,
                sigma=float(rng.choice([0.0, 10 ** rng.uniform(-1, 1)])) if noisy else 0.0,
                start=float(rng.choice([0.0, 10 ** rng.uniform(-1, 2)])),
                structure_seed=int(rng.integers(1, 10_000)),
            )
        except InputError:
            # The average has a curvature below 0.
            continue


def made(theorem, h, K):
    """Return a theorem's method at h = eta K in floating point."""
    hyper = {name: float(value) for name, value in hyperparameters(theorem.method).items() if name != "eta"}
    return METHODS[theorem.method.card.id](eta=h / K, **hyper)


def longest(theorem):
    """Return the largest h = eta K."""
    return float(dict(zip(theorem.letters, theorem.box, strict=True))["h"][1])


def spread_of(f, mean, covariance):
    """Return E of the mean of |grad f_i - grad f|^2 over the clients."""
    apart = [(a - f.mean_A) @ mean + c for a, c in zip(f.A, f.tilts, strict=True)]
    over = [np.trace((a - f.mean_A) @ covariance @ (a - f.mean_A).T) for a in f.A]
    return float(np.mean([v @ v for v in apart]) + np.mean(over))


def last_side(theorem, values, constants, *, mu, T, N):
    """Return what E[f(x_T) - f_star] is at most under the Polyak-Lojasiewicz condition, from the file; None without."""
    if (said := theorem.proof.get("polyak")) is None:
        return None
    point = [values[x] for x in theorem.letters]
    fall, over = (float(evaluate(read_polynomial(said[key], theorem.letters), point)) for key in ("fall", "over"))
    rate = float(evaluate(theorem.rate, point))
    powers = {name: 2 if name == "zeta" else 1 for name in theorem.first}
    first = sum(constants[name] ** powers[name] * float(evaluate(p, point)) for name, p in theorem.first.items())
    always = rate * theorem.right_side(values, T=1, N=N, **constants) - first
    return ((1 - mu * fall) ** T * first + always / (mu * fall)) / over


def ratios(theorem, rng):
    """Return T and both left-hand sides over the right ones in a random run."""
    noisy = "mean noise" in theorem.always
    f = problem(rng, noisy=noisy)
    K = theorem.K or int(rng.integers(round(1 / theorem.box[0][1]), MOST_K + 1))
    top = longest(theorem)
    # At a step of exactly 1/L clients of curvature L are at their minimiser at once, and nothing is left to read off.
    h = top * float(rng.choice([0.999, rng.uniform(0.05, 1)]))
    T = int(rng.choice([1, 2, 3, rng.integers(4, MOST_T)], p=[0.1, 0.1, 0.1, 0.7]))
    S = int(rng.integers(1, f.N + 1)) if "p" in theorem.letters else f.N
    moments = list(iterate_moments(f, made(theorem, h, K), K=K, T=T, S=S))
    x0 = f.start
    gradients = f.A @ x0 + f.tilts
    constants = {
        "Delta": 0.5 * x0 @ f.mean_A @ x0,
        "G_0": float(np.mean(np.sum(gradients**2, axis=1))),
        "zeta": max(spread_of(f, *at) for at in moments[:T]) ** 0.5,
        "sigma": f.noise.sigma,
    }
    values = {"h": h, "e": 1 / K, "p": (f.N - S) / (S * max(1, f.N - 1))}
    right = theorem.right_side(values, T=T, N=f.N, **constants)
    left = float(np.mean([squared_gradient(f, *at) for at in moments[:T]]))
    last = last_side(theorem, values, constants, mu=f.lowest, T=T, N=f.N)
    mean, covariance = moments[T]
    value = 0.5 * float(mean @ f.mean_A @ mean + np.trace(f.mean_A @ covariance))
    # At rest at the minimiser both sides are 0.
    found = [left / right if right else 0.0, np.nan if last is None else value / last if last else 0.0]
    return T, *found


def random_rounds(theorem, rounds=ROUNDS, seed=SEED):
    """Return what so many random rounds say of a theorem."""
    rng, done, sides = np.random.default_rng(seed), 0, []
    while done < rounds:
        T, *both = ratios(theorem, rng)
        done += T
        sides.append(both)
    return Row(done, len(sides), *(float(side) for side in np.max(sides, axis=0)))


def worst_ratio(theorem, T=LONG, N=2):
    """Return the worst case over the right-hand side at the largest step, where all terms are of one size.

    The worst case is over all problems of the theorem's class, from the same method's code, without noise: its lower
    side, attained by functions.  Where a theorem is for some of the clients, one of two takes part, and it is the upper
    side.
    """
    K, top = theorem.K or 2, longest(theorem)
    S = 1 if "p" in theorem.letters else N
    values = {"h": top, "e": 1 / K, "p": float(S < N)}
    factors = theorem.factors(values, T=T, N=N)
    zeta = (factors["Delta"] / factors["zeta"]) ** 0.5 if factors.get("zeta") else None
    constants = {"Delta": 1.0, "zeta": zeta, "G_0": 2.0 if "G_0" in theorem.first else None}
    known = {name: value for name, value in constants.items() if value is not None}
    found = worst(made(theorem, top, K), K=K, T=T, S=S, given=ProblemClass(N=N, **known))
    value = found.upper if found.lower is None else found.lower
    return value / theorem.right_side(values, T=T, N=N, **known)


def row(name):
    """Return the row of a theorem, for a page."""
    theorem = shipped_theorem(name)
    found, near = random_rounds(theorem), worst_ratio(theorem)
    last = "" if np.isnan(found.nearest_last) else f"{found.nearest_last:.2f}"
    return f"| `{name}` | {found.rounds:,} | {found.nearest:.2f} | {last} | {near:.2f} |"


def main():
    """Print the rows."""
    print("| theorem | rounds | average | last value | worst case |\n|---|---|---|---|---|")
    for name in sys.argv[1:] or shipped():
        print(row(name), flush=True)


if __name__ == "__main__":
    main()
