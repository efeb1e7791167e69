"""What runs of both methods of FedGLOMO share: clients that all run, some heard; on symbols and on fractions."""

import itertools
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import sympy
from chain_runs import exact_array, rational

from boundcheck.conform.equations.statements import StatementRun

HALF = Fraction(1, 2)


@dataclass
class Heard:
    """An oracle whose clients all run, some of them heard.  A minibatch is noise, a function of the point."""

    N: int
    K: int
    gradient: object
    noise: object
    """``noise(number, y)``: what minibatch `number` adds to the gradient at y."""
    samples: list
    one: object
    xp = np
    weights_add_up = True
    shown: list = field(default_factory=list)
    asked: list = field(default_factory=list)

    @property
    def round(self):
        return (len(self.shown) - 1) // self.K

    def fori(self, step, carry, steps=None):
        for k in range(self.K if steps is None else steps):
            carry = step(k, carry)
        return carry

    def observe(self, y):
        self.shown.append(y)

    def full(self, y):
        return self.gradient(y)

    def draw(self):
        self.asked.append([])
        return len(self.asked) - 1

    def grad(self, y, batch):
        noise = self.noise(batch, y, len(self.asked[batch]))
        self.asked[batch].append(noise)
        return self.gradient(y) + noise

    def mean(self, v):
        heard = self.samples[self.round]
        return (v * heard).sum(axis=1, keepdims=True) * (self.one / int(sum(heard[0].ravel())))

    def to_clients(self, x, *, free=False):
        del free
        return np.repeat(x, self.N, axis=1)


class Symbolic:
    """A setting of symbols: a new one for each gradient and each sample's noise at a point; one client is heard."""

    def __init__(self, file, oracle, *, K, N, T):
        self.made, self.N = {}, N
        self.letters = {letter: sympy.Symbol(letter, positive=True) for letter in file.setting.letters}
        self.letters |= {"N": sympy.Integer(N), "S": sympy.Integer(1), "K": sympy.Integer(K), "T": sympy.Integer(T)}
        heard = [np.array([[[sympy.Integer(i == t % N)] for i in range(N)]], dtype=object) for t in range(T)]
        self.oracle = oracle(
            N,
            K,
            lambda y: self.called("h", y.tolist()),
            lambda n, y, again: self.called("b", n, again),
            heard,
            sympy.Integer(1),
        )
        self.x0 = np.array([[[sympy.Symbol("x0")]]], dtype=object)

    def called(self, kind, *key):
        """Return the clients' symbols of a kind for a key: new ones for a new key."""
        number = self.made.setdefault((kind, str(key)), len(self.made))
        return np.array([[[sympy.Symbol(f"{kind}{number}_{i}")] for i in range(self.N)]], dtype=object)

    @staticmethod
    def value(_):
        """Return a value of f, which no equation of a method speaks of."""
        return sympy.Integer(0)


def signs_of(size, count):
    """Return all signs of `count` draws; one where what they turn has no size."""
    return list(itertools.product((1, -1) if size else (1,), repeat=count))


class Enumerated:
    """Clients f_i(x) = a_i x^2/2 + c_i x, a_i > 0, with every outcome of a run a lane; alpha = N always serves.

    A sample's gradient is (a_i + s wobble) x + c_i with a sign s; messages have signs of their own, given by what they
    turn and how many of a client there are.
    """

    def __init__(self, oracle, *messages, K, T, S, curvature, tilt, wobble, start):
        N = self.N = len(curvature)
        chosen = [[Fraction(i in one) for i in range(N)] for one in itertools.combinations(range(N), S)]
        signs = [signs_of(size, N * count) for size, count in messages]
        lanes = itertools.product(signs_of(wobble, N * T * (K - 1)), *signs, itertools.product(chosen, repeat=T))
        batches, *turned, samples = zip(*lanes, strict=True)
        self.lanes = len(batches)
        drawn = exact_array(batches).reshape(self.lanes, T * (K - 1), N, 1) if K > 1 else None
        self.turned = [exact_array(one).reshape(self.lanes, -1, N, 1) for one in turned]
        self.heard = list(np.moveaxis(np.array(samples, dtype=object).reshape(self.lanes, T, N, 1), 1, 0))
        a, c = (exact_array(values).reshape(1, N, 1) for values in (curvature, tilt))
        self.one, (self.a, self.c) = exact_array([1])[0], (rational(a), rational(c))
        self.oracle = oracle(
            N, K, lambda y: a * y + c, lambda n, y, _: drawn[:, n] * y * (self.one * wobble), self.heard, self.one
        )
        self.x0 = np.full((self.lanes, 1, 1), self.one * start, dtype=object)
        self.mean_a, self.mean_c = sum(curvature) / Fraction(N), sum(tilt) / Fraction(N)
        f_low = -sum(Fraction(y * y) / (2 * x) for x, y in zip(curvature, tilt, strict=True)) / N
        self.letters = {
            "N": N, "S": Fraction(S), "K": K, "T": T, "L": max(curvature) + wobble, "alpha": Fraction(N),
            "spread": Fraction(N - S, S * max(N - 1, 1)), "f_low": f_low, "f_star": f_low, "sigma": Fraction(0),
            "Delta": self.value(start) - f_low, "euler": Fraction(2718281828, 10**9), "half": Fraction(1),
            "third": Fraction(1),
        }  # fmt: skip

    def value(self, x):
        """Return f(x)."""
        return self.mean_a * x * x / 2 + self.mean_c * x

    def run(self, file, letters, vectors):
        """Return the run of a file with what was recorded as fractions."""
        plain = {key: rational(value) for key, value in vectors.items()}
        return StatementRun(file.setting, letters, plain, lambda y: self.a * y + self.c, self.value)
