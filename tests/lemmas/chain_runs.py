"""Exact runs with enumerated noise: quadratic clients, signs as noise, every outcome a lane."""

import itertools
import operator
from fractions import Fraction

import numpy as np

from boundcheck.conform.recursion import Recorder, recorded
from boundcheck.conform.statements import Run
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


def quadratic_run(file, *, K, T, curvature, tilt, noise, hyper, start=Fraction(1), b=Fraction(4)):
    """Return the run of the file's method on f_i(x) = a_i x^2/2 + c_i x, from `start`, with noise +-`noise`.

    The constants are exact: L = max |a_i|, f* at the vertex of the mean, sigma^2 = b noise^2, G_0 and Delta at `start`.
    """
    N = len(curvature)
    a, c = (np.array([Exact(v) for v in values], dtype=object).reshape(1, N, 1) for values in (curvature, tilt))
    signs = np.array(list(itertools.product((1, -1), repeat=N * K * T)), dtype=object)
    draws = np.vectorize(lambda s: Exact(s * noise), otypes=[object])(signs).reshape(len(signs), T * K, N, 1)
    (name,) = (name for name, one in file.setting.vectors.items() if one.kind == "noise")
    places = {divmod(n, K)[: len(file.setting.vectors[name].indices)]: draws[:, n] for n in range(T * K)}
    oracle = Recorder(N, K, lambda y, number: a * y + c + draws[:, number], Exact)
    x0 = np.full((len(signs), 1, 1), Exact(start), dtype=object)
    kind = METHODS[file.method]
    given = {key: Exact(value) for key, value in hyper.items() if key in kind.__dataclass_fields__}
    found = recorded(kind(**given), oracle, x0, T) | {(name, at): draw for at, draw in places.items()}
    vectors = {key: rational(value) for key, value in found.items()}
    smooth = hyper.get("L", max(map(abs, curvature)))
    mean_a, mean_c = sum(curvature) / Fraction(N), sum(tilt) / Fraction(N)
    f_star = -(mean_c**2) / (2 * mean_a)
    letters = {
        "N": N, "S": N, "K": K, "T": T, "L": smooth, "b": b, "c": Fraction(1), "sigma": None,
        "f_star": f_star, "Delta": mean_a * start**2 / 2 + mean_c * start - f_star,
        "G_0": sum((x * start + y) ** 2 for x, y in zip(curvature, tilt, strict=True)) / Fraction(N),
        "euler": Fraction(2718281828, 10**9), "a": Fraction(1, 10), "root": Fraction(1), **hyper,
    }  # fmt: skip
    letters["sigma"] = 2 * noise  # sigma^2 = b noise^2 with b = 4
    assert b == 4
    rational_a, rational_c = rational(a), rational(c)
    return Run(
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
"""Runs whose parameters meet the conditions of the theorem."""
