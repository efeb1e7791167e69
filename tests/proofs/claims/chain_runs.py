"""Exact runs with enumerated noise: quadratic clients, signs as noise, every outcome a lane."""

import itertools
import operator
from fractions import Fraction

import numpy as np

from boundcheck.conform.equations.recursion import GradientRecorder, noises_of, record_entries, sample_of
from boundcheck.conform.equations.statements import StatementRun
from boundcheck.methods import METHODS


def exactly(operation):
    """Return the operation on rational numbers; arrays take their turn, entry by entry."""

    def applied(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented
        return Exact(operation(self.value, Exact(other).value))

    return applied


class Exact:
    """A rational number that takes a float in an operation as the exact number that it is."""

    def __init__(self, value):
        self.value = value.value if isinstance(value, Exact) else Fraction(value)

    __add__ = __radd__ = exactly(operator.add)
    __mul__ = __rmul__ = exactly(operator.mul)
    __sub__ = exactly(operator.sub)
    __rsub__ = exactly(lambda a, b: b - a)
    __truediv__ = exactly(operator.truediv)
    __rtruediv__ = exactly(lambda a, b: b / a)


def rational(array):
    """Return the array with plain fractions."""
    return np.vectorize(lambda x: Exact(x).value, otypes=[object])(array)


def exact_array(values):
    """Return the array with exact numbers."""
    return np.vectorize(Exact, otypes=[object])(np.array(values, dtype=object))


def outcomes(N, S, K, T, B, choose, noisy):
    """Return signs (lanes, B + T K, N, 1) and samples (lanes, T, N, 1) of all equally likely outcomes."""
    signs = list(itertools.product((1, -1) if noisy else (1,), repeat=N * (K * T + B)))
    chosen = [[Fraction(i in one) for i in range(N)] for one in itertools.combinations(range(N), S)]
    samples = list(itertools.product(chosen, repeat=T)) if choose else [()]
    both = list(itertools.product(signs, samples))
    return (
        exact_array([one for one, _ in both]).reshape(len(both), B + K * T, N, 1),
        np.array([one for _, one in both], dtype=object).reshape(len(both), T if choose else 0, N, 1),
    )


def quadratic_run(
    file, *, K, T, curvature, tilt, noise, hyper, start=Fraction(1), b=Fraction(4), S=None, B=1, wobble=Fraction(0)
):
    """Return the run of the file's method on f_i(x) = a_i x^2/2 + c_i x, from `start`, all outcomes enumerated.

    A sampled gradient is (a_i + s wobble) x + c_i + s noise with a sign s; S of N clients take part where the method
    samples.  The constants are exact: L = max |a_i| + |wobble|, f* at the vertex of the mean, sigma^2 = b noise^2
    (unless it is given), G_0 and Delta at `start`.
    """
    N, (names, first), sample = len(curvature), noises_of(file), sample_of(file)
    S, B = S or N, B if first else 0
    a, c = (exact_array(values).reshape(1, N, 1) for values in (curvature, tilt))
    signs, samples = outcomes(N, S, K, T, B, bool(sample), noise != 0 or wobble != 0)
    made = {(first, (j,)): signs[:, j] * (wobble * start + noise) for j in range(B)}
    made |= {(sample, (t,)): samples[:, t] for t in range(T if sample else 0)}

    def answer(y, number, again):
        at = divmod(number, K)[: len(file.setting.vectors[names[again]].indices)]
        made[names[again], at] = signs[:, B + number] * (Exact(wobble) * y + Exact(noise))
        return a * y + c + made[names[again], at]

    def first_gradients(x0):
        return a * x0 + c + sum(made[first, (j,)] for j in range(B)) * (1 / Exact(B))

    oracle = GradientRecorder(N, K, answer, Exact, list(np.moveaxis(samples, 1, 0)), first_gradients)
    x0 = np.full((len(signs), 1, 1), Exact(start), dtype=object)
    kind = METHODS[file.method]
    given = {key: Exact(value) for key, value in hyper.items() if key in kind.__dataclass_fields__}
    if first:
        given["B"] = B
    found = record_entries(kind(**given), oracle, x0, T)
    for name in names[2:]:  # noise at the server's own iterate, which no method asks for
        for number in range(T * K):
            at = divmod(number, K)
            made[name, at] = signs[:, B + number] * (Exact(wobble) * found["x", at[:1]] + Exact(noise))
    found |= made
    vectors = {key: rational(value) for key, value in found.items()}
    mean_a, mean_c = sum(curvature) / Fraction(N), sum(tilt) / Fraction(N)
    f_star = -(mean_c**2) / (2 * mean_a)
    assert b == 4
    letters = {
        "N": N, "S": Fraction(S), "K": K, "T": T, "B": B, "L": max(map(abs, curvature)) + abs(wobble), "b": b,
        "c": Fraction(1), "sigma": 2 * noise,  # sigma^2 = b noise^2 with b = 4
        "f_star": f_star, "Delta": mean_a * start**2 / 2 + mean_c * start - f_star,
        "G_0": sum((x * start + y) ** 2 for x, y in zip(curvature, tilt, strict=True)) / Fraction(N),
        "euler": Fraction(2718281828, 10**9), "a": Fraction(1, 10), "root": Fraction(1), **hyper,
    }  # fmt: skip
    rational_a, rational_c = rational(a), rational(c)
    return StatementRun(
        file.setting,
        letters,
        vectors,
        lambda y: rational_a * y + rational_c,
        lambda x: mean_a * x * x / 2 + mean_c * x,
    )


CASES = {
    "both ways": {
        "K": 2, "T": 2, "curvature": (Fraction(1), Fraction(-1, 2)), "tilt": (Fraction(1), Fraction(-2)),
        "noise": Fraction(1, 2), "hyper": {"beta": Fraction(1, 2), "gamma": Fraction(1, 24), "eta": Fraction(1, 80)},
    },
    "no momentum, large noise": {
        "K": 2, "T": 2, "curvature": (Fraction(2), Fraction(1)), "tilt": (Fraction(0), Fraction(3)),
        "noise": Fraction(5), "hyper": {"beta": Fraction(1), "gamma": Fraction(1, 48), "eta": Fraction(1, 200)},
    },
    "one client, three rounds": {
        "K": 2, "T": 3, "curvature": (Fraction(1),), "tilt": (Fraction(0),),
        "noise": Fraction(1), "hyper": {"beta": Fraction(1, 4), "gamma": Fraction(1, 24), "eta": Fraction(1, 100)},
    },
    "prescribed parameters": {
        "K": 1, "T": 1, "curvature": (Fraction(1),), "tilt": (Fraction(0),), "noise": Fraction(2),
        "hyper": {
            "L": Fraction(2), "root": Fraction(1, 2), "beta": Fraction(1, 2), "gamma": Fraction(1, 48),
            "eta": Fraction(1, 1000),
        },
    },
    "one step, heterogeneous": {
        "K": 1, "T": 3, "curvature": (Fraction(1), Fraction(1)), "tilt": (Fraction(10), Fraction(-10)),
        "noise": Fraction(1, 10), "hyper": {"beta": Fraction(1), "gamma": Fraction(1, 24), "eta": Fraction(1, 90)},
    },
}  # fmt: skip
"""Runs of Theorem 11 whose parameters meet the conditions of the theorem."""
VR_CASES = {
    "both ways": {
        "K": 1, "T": 2, "curvature": (Fraction(1), Fraction(-1, 2)), "tilt": (Fraction(1), Fraction(-2)),
        "noise": Fraction(1, 2), "wobble": Fraction(1, 8), "S": 1,
        "hyper": {"beta": Fraction(1, 2), "gamma": Fraction(1, 100), "eta": Fraction(1, 2000), "sigma": Fraction(3)},
    },
    "one step, two of three": {
        "K": 1, "T": 2, "curvature": (Fraction(1), Fraction(0), Fraction(-1, 2)), "S": 2,
        "tilt": (Fraction(1), Fraction(-2), Fraction(5)), "noise": Fraction(0), "wobble": Fraction(0),
        "hyper": {"beta": Fraction(1, 2), "gamma": Fraction(1, 200), "eta": Fraction(1, 2000)},
    },
    "two rounds without noise, heterogeneous": {
        "K": 2, "T": 2, "curvature": (Fraction(1), Fraction(1)), "tilt": (Fraction(10), Fraction(-10)), "S": 1,
        "noise": Fraction(0), "hyper": {"beta": Fraction(1, 4), "gamma": Fraction(1, 100), "eta": Fraction(1, 4000)},
    },
    "noise of the slope alone": {
        "K": 2, "T": 2, "curvature": (Fraction(1),), "tilt": (Fraction(0),), "noise": Fraction(0), "S": 1,
        "wobble": Fraction(2), "B": 1,
        "hyper": {"beta": Fraction(1), "gamma": Fraction(1, 200), "eta": Fraction(1, 4000), "sigma": Fraction(5)},
    },
}  # fmt: skip
"""Runs of Theorems 15 (where all clients take part) and 22; the noise depends on the point."""
SAMPLED_CASES = {
    "one of two": {
        "K": 1, "T": 2, "S": 1, "curvature": (Fraction(1), Fraction(-1, 2)), "tilt": (Fraction(1), Fraction(-2)),
        "noise": Fraction(1, 2), "hyper": {"beta": Fraction(1, 2), "gamma": Fraction(1, 100), "eta": Fraction(1, 1000)},
    },
    "one of two, large noise": {
        "K": 1, "T": 1, "S": 1, "curvature": (Fraction(2), Fraction(1)), "tilt": (Fraction(0), Fraction(3)), "B": 2,
        "noise": Fraction(5), "hyper": {"beta": Fraction(1, 2), "gamma": Fraction(1, 200), "eta": Fraction(1, 4000)},
    },
    "two of three": {
        "K": 2, "T": 1, "S": 2, "curvature": (Fraction(1), Fraction(0), Fraction(-1, 2)), "B": 3,
        "tilt": (Fraction(1), Fraction(-2), Fraction(5)), "noise": Fraction(0),
        "hyper": {"beta": Fraction(1, 2), "gamma": Fraction(1, 100), "eta": Fraction(1, 2000)},
    },
    "three rounds without noise, heterogeneous": {
        "K": 2, "T": 3, "S": 1, "B": 2, "curvature": (Fraction(1), Fraction(1)), "tilt": (Fraction(10), Fraction(-10)),
        "noise": Fraction(0), "hyper": {"beta": Fraction(1, 2), "gamma": Fraction(1, 100), "eta": Fraction(1, 1000)},
    },
    "everyone": {
        "K": 2, "T": 2, "curvature": (Fraction(1),), "tilt": (Fraction(0),),
        "noise": Fraction(1), "hyper": {"beta": Fraction(1, 4), "gamma": Fraction(1, 100), "eta": Fraction(1, 1000)},
    },
}  # fmt: skip
"""Runs of Theorem 19, with samples; B is at least N K/(S T)."""
