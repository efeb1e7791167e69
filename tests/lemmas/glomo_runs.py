"""Runs of FedGLOMO's own code: on symbols, and on fractions with all minibatches, bits and samples enumerated."""

import itertools
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import sympy
from chain_runs import exact_array, rational
from lomo_runs import HALF, Heard

from boundcheck.conform.statements import Run
from boundcheck.lemmas.chain.grammar import read
from boundcheck.methods import METHODS


@dataclass
class Both(Heard):
    """An oracle that is asked for two trajectories on the same minibatches, after a round of exact gradients."""

    exact: bool = False
    """Whether this is the exact round, whose points are no local steps of the proof."""
    points: list = field(default_factory=list)
    """Where each minibatch was evaluated."""
    fulls: list = field(default_factory=list)
    """Where exact gradients start a round."""

    def observe(self, y):
        if not self.exact:
            super().observe(y)

    def draw(self):
        self.points.append([])
        return super().draw()

    def grad(self, y, batch):
        self.points[batch].append(y)
        return super().grad(y, batch)

    def full(self, y):
        self.fulls.append(y)
        return self.gradient(y)

    def full_all(self, y):
        return self.gradient(y)

    def to_all(self, x):
        return self.to_clients(x)

    def mean_all(self, v):
        return v.sum(axis=1, keepdims=True) * (self.one / self.N)


def glomo_run(file, oracle, x0, T, letters, bits, value):
    """Return a run of the code of FedGLOMO, each message changed by ``bits(name, t, v)``."""
    changes = []

    class Quantising(METHODS["fedglomo"]):
        def Q(self, oracle, v):
            name = "b" if oracle.exact else "z" if ("z", oracle.round) not in dict(changes) else "zd"
            changes.append(((name, oracle.round), bits(name, oracle.round, v)))
            return v + changes[-1][1]

    method, K = Quantising(eta=letters["eta"], beta=letters["beta"], quantised_start=True), oracle.K
    method.ends(oracle, (oracle.to_clients(x0),))  # what d[0] is the mean of
    state, found = method.init(oracle, x0), {}
    travel = oracle.one / K / letters["eta"]
    for t in range(T):
        found["x", (t,)] = oracle.to_clients(state.x)
        oracle.exact = t == 0
        state = method.round(oracle, state)
        oracle.exact = False
        found["u", (t,)] = oracle.to_clients(state.u) * travel
    found["x", (T,)] = oracle.to_clients(state.x)
    found |= {("y", divmod(n, K)): y for n, y in enumerate(oracle.shown)}
    for number, noises in enumerate(oracle.asked):
        t, k = divmod(number, K - 1)
        found["xi", (t, k)] = noises[0] - noises[1]
        if t:
            found["xh", (t, k)] = noises[2] - noises[3]
            found["h", (t, k + 1)] = oracle.points[number][2]
    found |= {("h", (t, 0)): oracle.fulls[2 * t] for t in range(1, T)}
    made = dict(changes)
    found["b", (0,)] = made.pop(("b", 0)) * travel
    found["z", (0, K - 1)] = bits("z", 0, found["x", (0,)] * 0)  # no message is sent, but bits could be
    found |= {(name, (t, K - 1)): change for (name, t), change in made.items()}
    found |= {("A", (t,)): heard for t, heard in enumerate(oracle.samples)}
    return Run(file.setting, letters, found, oracle.gradient, value)


def deviating(run, T, expected):
    """Return a run with d, the means ``expected(x)`` of directions, and n and o, what the directions are off them."""
    for t in range(T):
        run.vectors["d", (t,)] = expected(run.vectors["x", (t,)])
        run.vectors["n", (t,)] = run.vector(read("mean(k) v[t, k]"), {"t": t}) - run.vectors["d", (t,)]
        if t:
            old = run.vector(read("mean(k) vh[t, k]"), {"t": t})
            run.vectors["o", (t,)] = old - run.vectors["d", (t - 1,)]
    return run


def symbolic_glomo(file, K, N=2, T=3):
    """Return a run on symbols: a new one for each gradient, each sample's noise at a point, each quantised message."""
    made = {}

    def called(kind, *key):
        number = made.setdefault((kind, str(key)), len(made))
        return np.array([[[sympy.Symbol(f"{kind}{number}_{i}")] for i in range(N)]], dtype=object)

    letters = {letter: sympy.Symbol(letter, positive=True) for letter in file.setting.letters}
    letters |= {"N": sympy.Integer(N), "S": sympy.Integer(1), "K": sympy.Integer(K), "T": sympy.Integer(T)}
    heard = [np.array([[[sympy.Integer(i == t % N)] for i in range(N)]], dtype=object) for t in range(T)]
    oracle = Both(
        N, K, lambda y: called("h", y.tolist()), lambda n, y, again: called("b", n, again), heard, sympy.Integer(1)
    )
    x0 = np.array([[[sympy.Symbol("x0")]]], dtype=object)
    run = glomo_run(file, oracle, x0, T, letters, lambda name, t, v: called(f"q{name}", t), lambda _: sympy.Integer(0))
    return deviating(run, T, lambda x: called("d", x.tolist()))


def exact_glomo(file, *, K, T, S, curvature, tilt, eta, beta, wobble=0, flip=0, rough=0, start=1):
    """Return a run on f_i(x) = a_i x^2/2 + c_i x, a_i > 0, every outcome a lane; alpha = N always serves.

    A sample's gradient is (a_i + s wobble) x + c_i with a sign s; a message v becomes v (1 + s' flip), in round 0
    v (1 + s' rough).
    """
    N = len(curvature)
    batches = list(itertools.product((1, -1) if wobble else (1,), repeat=N * T * (K - 1)))
    signs = list(itertools.product((1, -1) if flip else (1,), repeat=N * (2 * T - 2)))
    firsts = list(itertools.product((1, -1) if rough else (1,), repeat=N))
    chosen = [[Fraction(i in one) for i in range(N)] for one in itertools.combinations(range(N), S)]
    lanes = list(itertools.product(batches, signs, firsts, itertools.product(chosen, repeat=T)))
    drawn = exact_array([one[0] for one in lanes]).reshape(len(lanes), T * (K - 1), N, 1) if K > 1 else None
    turned = exact_array([one[1] for one in lanes]).reshape(len(lanes), 2, T - 1, N, 1)
    first = exact_array([one[2] for one in lanes]).reshape(len(lanes), N, 1)
    samples = np.array([one[3] for one in lanes], dtype=object).reshape(len(lanes), T, N, 1)
    a, c = (exact_array(values).reshape(1, N, 1) for values in (curvature, tilt))
    one, heard = exact_array([1])[0], list(np.moveaxis(samples, 1, 0))
    oracle = Both(N, K, lambda y: a * y + c, lambda n, y, _: drawn[:, n] * y * (one * wobble), heard, one)
    mean_a, mean_c = sum(curvature) / Fraction(N), sum(tilt) / Fraction(N)
    f_low = -sum(Fraction(y * y) / (2 * x) for x, y in zip(curvature, tilt, strict=True)) / N
    letters = {
        "N": N, "S": Fraction(S), "K": K, "T": T, "L": max(curvature) + wobble, "eta": eta, "beta": beta,
        "alpha": Fraction(N), "q": Fraction(flip) ** 2, "rough": Fraction(rough) ** 2, "local": Fraction(0),
        "spread": Fraction(N - S, S * max(N - 1, 1)), "f_low": f_low, "f_star": f_low, "sigma": Fraction(0),
        "Delta": mean_a * start**2 / 2 + mean_c * start - f_low, "growth": Fraction(1),
        "euler": Fraction(2718281828, 10**9), "half": Fraction(1), "third": Fraction(1),
    }  # fmt: skip

    def bits(name, t, v):
        if name == "b":
            return first * v * (one * rough)
        return turned[:, int(name == "zd"), t - 1] * v * (one * flip) if t else v * 0

    x0 = np.full((len(lanes), 1, 1), one * start, dtype=object)
    run = glomo_run(file, oracle, x0, T, letters | {"eta": one * eta, "beta": one * beta}, bits, None)
    plain_a, plain_c = rational(a), rational(c)
    vectors = {key: rational(value) for key, value in run.vectors.items()}

    def expected(x):
        """Return the mean over the minibatches of a round of the direction from x."""
        ends = []
        for batch in itertools.product((1, -1) if wobble else (1,), repeat=K - 1):
            v = plain_a * x + plain_c
            old, y = x, x - v * eta
            for sign in batch:
                v = v + (plain_a + sign * wobble) * (y - old)
                old, y = y, y - v * eta
            ends.append(y)
        return (x - sum(ends) * Fraction(1, len(ends))) / (K * eta)

    run = Run(
        file.setting, letters, vectors, lambda y: plain_a * y + plain_c, lambda x: mean_a * x * x / 2 + mean_c * x
    )
    return deviating(run, T, expected)


GLOMO_CASES = {
    "one of two, bits": {
        "K": 1, "T": 2, "S": 1, "curvature": (1, HALF), "tilt": (1, -1), "eta": Fraction(1, 32), "beta": HALF,
        "flip": HALF, "rough": 1,
    },
    "one of two, minibatches": {
        "K": 2, "T": 2, "S": 1, "curvature": (HALF, 1), "tilt": (2, -1), "eta": Fraction(1, 192),
        "beta": Fraction(1, 4), "wobble": HALF,
    },
    "one of two, three rounds": {
        "K": 2, "T": 3, "S": 1, "curvature": (1, 1), "tilt": (5, -3), "eta": Fraction(1, 128), "beta": Fraction(1, 5),
        "start": 0,
    },
    "two of three, three steps": {
        "K": 3, "T": 2, "S": 2, "curvature": (1, 1, 2), "tilt": (5, -3, 0), "eta": Fraction(1, 576), "beta": HALF,
    },
    "one client, everything": {
        "K": 3, "T": 2, "S": 1, "curvature": (1,), "tilt": (1,), "eta": Fraction(1, 576), "beta": Fraction(1),
        "wobble": 1, "flip": HALF, "rough": HALF,
    },
}  # fmt: skip
"""Runs whose parameters meet the conditions of Theorem 1's explicit form, but for those on the number of rounds."""
