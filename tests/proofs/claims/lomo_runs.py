"""Runs of FedLOMO's own code: on symbols, and on fractions with all minibatches, bits and samples enumerated."""

from fractions import Fraction

from heard_runs import HALF, Enumerated, Heard, Symbolic

from boundcheck.conform.equations.statements import StatementRun
from boundcheck.methods import METHODS


def lomo_run(file, oracle, x0, T, letters, bits, value):
    """Return a run of the code of FedLOMO, each message changed by ``bits(t, v)``."""
    changes = []

    class Quantising(METHODS["fedlomo"]):
        def Q(self, oracle, v):
            changes.append(bits(oracle.round, v))
            return v + changes[-1]

    method, K = Quantising(eta=letters["eta"]), oracle.K
    state, found = method.init(oracle, x0), {}
    for t in range(T):
        found["x", (t,)] = oracle.to_clients(state.x)
        state = method.round(oracle, state)
    found["x", (T,)] = oracle.to_clients(state.x)
    found |= {("y", divmod(n, K)): y for n, y in enumerate(oracle.shown)}
    for number, (later, earlier) in enumerate(oracle.asked):
        found["xi", divmod(number, K - 1)] = later - earlier
    found |= {("z", (t, K - 1)): change * -1 for t, change in enumerate(changes)}
    found |= {("A", (t,)): heard for t, heard in enumerate(oracle.samples)}
    return StatementRun(file.setting, letters, found, oracle.gradient, value)


def symbolic_lomo(file, K, N=2, T=2):
    """Return a run on symbols: a new one for each gradient, each sample's noise at a point, each quantised message."""
    on = Symbolic(file, Heard, K=K, N=N, T=T)
    return lomo_run(file, on.oracle, on.x0, T, on.letters, lambda t, v: on.called("q", t), on.value)


def exact_lomo(file, *, K, T, S, curvature, tilt, eta, wobble=0, flip=0, start=1, growth=Fraction(1)):
    """Return a run with every outcome a lane; a message v becomes v (1 + s' flip) with a sign s'."""
    on = Enumerated(Heard, (flip, T), K=K, T=T, S=S, curvature=curvature, tilt=tilt, wobble=wobble, start=start)
    (turned,) = on.turned
    letters = on.letters | {"eta": eta, "q": Fraction(flip) ** 2, "growth": growth, "root": Fraction(1)}
    steps = letters | {"eta": on.one * eta}
    run = lomo_run(file, on.oracle, on.x0, T, steps, lambda t, v: turned[:, t] * v * (on.one * flip), None)
    return on.run(file, letters, run.vectors)


LOMO_CASES = {
    "one of two, bits": {
        "K": 1, "T": 2, "S": 1, "curvature": (1, HALF), "tilt": (1, -1), "eta": Fraction(1, 8), "flip": HALF,
    },
    "one of two, minibatches": {
        "K": 2, "T": 2, "S": 1, "curvature": (HALF, 1), "tilt": (2, -1), "eta": Fraction(1, 16), "wobble": HALF,
    },
    "all of two, everything": {
        "K": 2, "T": 1, "S": 2, "curvature": (HALF, 1), "tilt": (3, -2), "eta": Fraction(1, 16), "wobble": 1,
        "flip": 1, "start": 3,
    },
    "two of three, three steps": {
        "K": 3, "T": 2, "S": 2, "curvature": (1, 1, 2), "tilt": (5, -3, 0), "eta": Fraction(1, 25), "start": 0,
    },
    "one client, three steps": {
        "K": 3, "T": 2, "S": 1, "curvature": (1,), "tilt": (1,), "eta": Fraction(1, 24), "wobble": 1,
    },
}  # fmt: skip
"""Runs whose parameters meet the conditions of Theorem 2: eta L K is at most 1/4."""
