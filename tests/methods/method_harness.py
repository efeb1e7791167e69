"""Record what the engine draws, replay it one client at a time, and step a method by hand."""

import numpy as np

from boundcheck.engine.oracle import LaneOracle


class Record:
    """Every minibatch, active set, server point and gradient count of one block of lanes."""

    def __init__(self, problem):
        self.problem = problem
        self.calls, self.points, self.values, self.evaluations = [], [], [], 0
        self._sample, self._gradient, self._mean = problem.sample, problem.gradient, problem.mean_gradient
        problem.sample, problem.gradient, problem.mean_gradient = self.sample, self.gradient, self.mean_gradient

    def sample(self, stream, clients=None, b=1):
        """Record a minibatch."""
        token = self._sample(stream, clients, b)
        self.calls.append((clients, token, b))
        return token

    def gradient(self, x, clients=None, sample=None):
        """Keep the value and count one-sample gradients of one lane: rows times the size of the last minibatch."""
        self.evaluations += x.shape[1] * self.calls[-1][2]
        self.values.append(self._gradient(x, clients, sample))
        return self.values[-1].copy()

    def mean_gradient(self, x):
        """Record the server points, which the metric server_gradient shows once a round."""
        self.points.append(x[:, 0].copy())
        return self._mean(x)

    def active(self, lane, K, rounds, start):
        """Return the active clients of every round of a lane; `start` draws precede the first round."""
        sets = [self.calls[start + r * K][0] for r in range(rounds)]
        return [list(range(self.problem.N)) if s is None else [int(i) for i in s[lane]] for s in sets]

    def samples(self, lane, K, start):
        """Return g(r, k, i): the stochastic gradient of one client on the recorded minibatch."""

        def g(r, k, i):
            clients, token, _ = self.calls[0 if k < 0 else start + r * K + k]
            row = i if clients is None else [int(j) for j in clients[lane]].index(i)

            def at(*blocks):
                x = np.concatenate(blocks)
                value = self.problem.client(i, x) + self._noise(token, lane, row, x)
                return value if len(blocks) == 1 else np.split(value, [len(blocks[0])])

            return at

        return g

    def _noise(self, token, lane, row, x):
        if token is None:
            return np.zeros_like(x)
        noise = self.problem.noise
        if noise.kind == "signs":
            return token[lane, row]
        waves = [np.sin(angle + noise.omega * x) for angle in token[lane, :, row]]
        return noise.sigma * np.sqrt(2 / len(x)) * sum(waves) / len(waves)


def drive(problem, method, *, K, rounds, S=None, lanes=2, seed=3):
    """Yield (state before, state after) of every round, stepping the method by hand."""
    S = problem.N if S is None else S
    keys = [(problem.N, S, K, rounds, 1, lane) for lane in range(lanes)]
    oracle = LaneOracle(
        problem,
        S=S,
        K=K,
        b=1,
        seed=seed,
        keys=keys,
        observers=[],
    )
    state = method.init(oracle, np.tile(problem.start, (lanes, 1, 1)))
    for _ in range(rounds):
        oracle.begin_round(state.x)
        after = method.round(oracle, state)
        yield state, after
        state = after


def last(problem, method, **setting):
    """Return the server iterates (rounds + 1, lanes, d) of `drive`."""
    pairs = list(drive(problem, method, **setting))
    return np.stack([pairs[0][0].x[:, 0]] + [after.x[:, 0] for _, after in pairs])
