"""Runs of FedGLOMO's own code: on symbols, and on fractions with all minibatches, bits and samples enumerated."""

from dataclasses import dataclass, field
from fractions import Fraction

from heard_runs import HALF, Enumerated, Heard, Symbolic, signs_of

from boundcheck.conform.equations.statements import StatementRun
from boundcheck.methods import METHODS
from boundcheck.proofs.language.grammar import read


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
    return StatementRun(file.setting, letters, found, oracle.gradient, value)


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
    on = Symbolic(file, Both, K=K, N=N, T=T)
    run = glomo_run(file, on.oracle, on.x0, T, on.letters, lambda name, t, v: on.called(f"q{name}", t), on.value)
    return deviating(run, T, lambda x: on.called("d", x.tolist()))


def exact_glomo(file, *, K, T, S, curvature, tilt, eta, beta, wobble=0, flip=0, rough=0, start=1):
    """Return a run with every outcome a lane; a message v becomes v (1 + s' flip), in round 0 v (1 + s' rough)."""
    sizes = {"K": K, "T": T, "S": S, "curvature": curvature, "tilt": tilt, "wobble": wobble, "start": start}
    on = Enumerated(Both, (flip, 2 * T - 2), (rough, 1), **sizes)
    turned, first = on.turned
    letters = on.letters | {
        "eta": eta, "beta": beta, "q": Fraction(flip) ** 2, "rough": Fraction(rough) ** 2, "local": Fraction(0),
        "growth": Fraction(1),
    }  # fmt: skip

    def bits(name, t, v):
        if name == "b":
            return first[:, 0] * v * (on.one * rough)
        return turned[:, (T - 1) * int(name == "zd") + t - 1] * v * (on.one * flip) if t else v * 0

    def expected(x):
        """Return the mean over the minibatches of a round of the direction from x."""
        ends = []
        for batch in signs_of(wobble, K - 1):
            v = on.a * x + on.c
            old, y = x, x - v * eta
            for sign in batch:
                v = v + (on.a + sign * wobble) * (y - old)
                old, y = y, y - v * eta
            ends.append(y)
        return (x - sum(ends) * Fraction(1, len(ends))) / (K * eta)

    steps = letters | {"eta": on.one * eta, "beta": on.one * beta}
    run = glomo_run(file, on.oracle, on.x0, T, steps, bits, None)
    return deviating(on.run(file, letters, run.vectors), T, expected)


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
