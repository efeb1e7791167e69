"""Record what the engine draws, replay it one client at a time, and step a method by hand."""

import numpy as np

from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.setting import Setting
from boundcheck.engine.streams import METHOD, PARTICIPATION, LaneStreams
from boundcheck.problems.layered import Layered


class Round:
    """What one round (or the time before the first) asked for: minibatches, active set, gradients of one lane."""

    def __init__(self):
        self.calls, self.clients, self.sampled, self.full = [], None, 0, 0


class Replay:
    """The noise of one lane: `g(r, k, i)` is a function of the point, `g.full(i)` the exact gradient of a client.

    `k` counts the minibatches of round `r`, k = -1 is the one before the first round; `next(g.coins)` is the lane's
    next uniform of its own coin flips, `next(g.active)` the active clients of the next round.
    """

    def __init__(self, record, lane, K, start, key):
        self._record, self._lane, self._count = record, lane, (K, start)
        self.coins, self.active = (None, None) if key is None else (coins(0, key), active_sets(0, key))
        self.problem = record.problem

    def __call__(self, r, k, i):
        """Return the stochastic gradient of client i on minibatch k of round r."""
        return self._record.at_sample(self._lane, self._record.call(r, k, *self._count), i)

    def rows(self, r, k, i):
        """Return the features and the classes (as indicators) of client i in minibatch k of round r of a network."""
        clients, token, _ = self._record.call(r, k, *self._count)
        at = i if clients is None else [int(j) for j in clients[self._lane]].index(i)
        drawn = token.row[self._lane, at]
        return list(zip(self.problem.rows[i][drawn], self.problem.labels[i][drawn], strict=True))

    def full(self, i):
        """Return the exact gradient of one client as a function of the point."""
        return lambda x: self.problem.client(i, x)


def active_sets(seed, key):
    """Yield the active clients of every round of a lane, from its random stream; `key` starts with N and S."""
    stream = LaneStreams(seed, PARTICIPATION, [key])
    while True:
        yield sorted(np.argsort(stream.raw(key[0])[0])[: key[1]])


def coins(seed, key):
    """Yield the uniforms of a lane's own coin flips, from its random stream."""
    stream = LaneStreams(seed, METHOD, [key])
    while True:
        yield float(stream.raw(1)[0, 0] >> np.uint64(11)) * 2.0**-53


class Record:
    """Every minibatch, active set, server point and gradient count of one block of lanes."""

    def __init__(self, problem):
        self.problem = problem
        self.calls, self.points, self.values, self.evaluations = [], [], [], 0
        self.rounds = [Round()]
        self._sample, self._gradient, self._mean = problem.sample, problem.gradient, problem.mean_gradient
        if isinstance(problem, Layered):
            self._composite, problem.composite_gradient = problem.composite_gradient, self.composite
        problem.sample, problem.gradient, problem.mean_gradient = self.sample, self.gradient, self.mean_gradient

    def sample(self, stream, clients=None, b=1):
        """Record a minibatch."""
        token = self._sample(stream, clients, b)
        self.calls.append((clients, token, b))
        self.rounds[-1].calls.append((clients, token, b))
        self.rounds[-1].clients = clients
        return token

    def gradient(self, x, clients=None, sample=None):
        """Keep the value and count gradients of one lane: rows times the size of the last minibatch, or exact ones."""
        if sample is None and self.problem.noise.sigma > 0:
            self.rounds[-1].full += x.shape[1]
        else:
            self.evaluations += x.shape[1] * self.calls[-1][2]
            self.rounds[-1].sampled += x.shape[1] * self.calls[-1][2]
        if clients is not None:
            self.rounds[-1].clients = clients
        self.values.append(self._gradient(x, clients, sample))
        return self.values[-1].copy()

    def composite(self, x, clients, sample, loss, slopes):
        """Count the gradients of a network's composite loss like those of its own."""
        self.evaluations += x.shape[1] * self.calls[-1][2]
        self.rounds[-1].sampled += x.shape[1] * self.calls[-1][2]
        return self._composite(x, clients, sample, loss, slopes)

    def mean_gradient(self, x):
        """Record the server points, which the metric server_gradient shows once a round, as that round starts."""
        self.points.append(x[:, 0].copy())
        self.rounds.append(Round())
        return self._mean(x)

    def active(self, lane, K, rounds, start=None):
        """Return the active clients of every round of a lane; `start` is not needed."""
        sets = [entry.clients for entry in self.rounds[1 : rounds + 1]]
        return [list(range(self.problem.N)) if s is None else [int(i) for i in s[lane]] for s in sets]

    def samples(self, lane, K, start=None, key=None):
        """Return g(r, k, i): the stochastic gradient of one client on the recorded minibatch.

        Minibatches are counted within their round, or with a number `start` along the run, K a round.  With the
        engine's `key` of the lane (run with the default seed) its coin flips and active sets are replayed too.
        """
        return Replay(self, lane, K, start, key)

    def call(self, r, k, K, start):
        """Return the minibatch k of round r; k = -1 is the one before the first round."""
        if k < 0:
            return self.calls[0]
        return self.rounds[r + 1].calls[k] if start is None else self.calls[start + r * K + k]

    def at_sample(self, lane, call, i):
        """Return the stochastic gradient of one client as a function of the point."""
        clients, token, _ = call
        row = i if clients is None else [int(j) for j in clients[lane]].index(i)

        def at(*blocks):
            x = np.concatenate(blocks)
            value = self.problem.client(i, x) + self._noise(token, lane, row, x)
            return value if len(blocks) == 1 else np.split(value, [len(blocks[0])])

        return at

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
    oracle = LaneOracle(problem, Setting.of(problem, S=S, K=K, T=rounds), seed=seed, keys=keys, observers=[])
    state = method.init(oracle, np.tile(problem.start, (lanes, 1, 1)))
    for _ in range(rounds):
        oracle.begin_round(state.x)
        problem.mean_gradient(state.x)
        after = method.round(oracle, state)
        yield state, after
        state = after


def last(problem, method, **setting):
    """Return the server iterates (rounds + 1, lanes, d) of `drive`."""
    pairs = list(drive(problem, method, **setting))
    return np.stack([pairs[0][0].x[:, 0]] + [after.x[:, 0] for _, after in pairs])
