"""What the scripts beside this file share: numpy alone, another generator, another law of noise, another tuner.

A script asks one assertion of a paper again and prints a verdict.  Nothing here is shared with the package: ridges and
tilts are drawn anew, noise is Gaussian from Philox (the package has signs from PCG64), steps are tuned by random search
that shrinks around the best (the package has grids that widen).
"""

import numpy as np

READOUTS = ("average", "second half")


class Ridges:
    """f_i(x) = sum_c sqrt(1+x_c^2) + 0.3 (1 - cos 2 x_c) + <a_i, x>, tilts of root mean square zeta that cancel."""

    def __init__(self, N, zeta, sigma=1.0, d=8, start=4.0, seed=0):
        rng = np.random.Generator(np.random.Philox(seed))
        a = rng.standard_normal((N, d))
        a -= a.mean(axis=0)
        size = np.sqrt((a * a).sum(axis=1).mean())
        self.N, self.d, self.start = N, d, start
        self.tilts = a * (zeta / size if size else 0.0)
        self.noise = sigma / np.sqrt(d)

    def mean_gradient(self, x):
        return x / np.sqrt(1 + x * x) + 0.6 * np.sin(2 * x)

    def sample(self, x, clients, rng, repeats):
        """Return gradients (lanes, clients, d); the same noise for every candidate of a replicate."""
        xi = rng.standard_normal((len(x) // repeats, *x.shape[1:]))
        return self.mean_gradient(x) + self.tilts[clients] + self.noise * np.tile(xi, (repeats, 1, 1))


def choose(rng, lanes, N, S, repeats):
    """Return S of N clients for every lane, the same for every candidate of a replicate."""
    order = np.argsort(rng.random((lanes // repeats, N)), axis=1)[:, :S]
    return np.tile(order, (repeats, 1))


def federated(ridges, method, steps, *, T, K, S, replicates, seed):
    """Return |grad f(x_t)|^2 of FedAvg-M or SCAFFOLD-M, (T, candidates, replicates); beta = 1 is without momentum.

    x - y_i is K local steps along beta (g_i - c_i + c) + (1-beta) g; g becomes their mean over eta K, and
    x <- x - gamma eta K g.
    """
    rng = np.random.Generator(np.random.Philox(seed))
    candidates = len(steps["eta"])
    eta, gamma, beta = (np.repeat(steps[name], replicates)[:, None, None] for name in ("eta", "gamma", "beta"))
    lanes, N, d = candidates * replicates, ridges.N, ridges.d
    x, g = np.full((lanes, 1, d), ridges.start), np.zeros((lanes, 1, d))
    c_i = np.zeros((lanes, N, d)) if method == "scaffold" else None
    rows = np.arange(lanes)[:, None]
    found = np.empty((T, lanes))
    with np.errstate(all="ignore"):
        for t in range(T):
            found[t] = (ridges.mean_gradient(x) ** 2).sum(axis=(1, 2))
            clients = choose(rng, lanes, N, S, candidates)
            drift = 0.0
            if c_i is not None:
                drift = c_i.mean(axis=1, keepdims=True) - c_i[rows, clients]
            y, total = np.repeat(x, S, axis=1), 0.0
            for _ in range(K):
                fresh = ridges.sample(y, clients, rng, candidates)
                total = total + fresh
                y = y - eta * (beta * (fresh + drift) + (1 - beta) * g)
            g = (x - y.mean(axis=1, keepdims=True)) / (eta * K)
            x = x - gamma * eta * K * g
            if c_i is not None:
                c_i[rows, clients] = total / K
    found[~np.isfinite(found)] = 1e9
    return np.minimum(found, 1e9).reshape(T, candidates, replicates)


class Saddle:
    """F_i(x, y) = sum_c x_c^2/(1+x_c^2) + y.Bx - |y|^2/2 + <a_i, (x, y)>, the widest pair of tilts zeta apart."""

    def __init__(self, N, zeta, sigma=1.0, d1=6, d2=3, seed=0):
        rng = np.random.Generator(np.random.Philox(seed))
        self.N, self.d1, self.d2 = N, d1, d2
        self.B = rng.standard_normal((d2, d1))
        self.B *= 0.5 / np.linalg.norm(self.B, 2)
        a = rng.standard_normal((N, d1 + d2))
        a -= a.mean(axis=0)
        self.tilts = a * (zeta / np.linalg.norm(a[:, None] - a, axis=2).max())
        self.noise = sigma / np.sqrt(d1 + d2)

    def gradient(self, z):
        """Return (F_x, F_y) of the average, (lanes, clients, d1 + d2)."""
        x, y = z[..., : self.d1], z[..., self.d1 :]
        return np.concatenate([2 * x / (1 + x * x) ** 2 + y @ self.B, x @ self.B.T - y], axis=-1)

    def envelope(self, z):
        """Return |grad Phi|^2 at the mean point (lanes,)."""
        x = z[..., : self.d1].mean(axis=1)
        g = 2 * x / (1 + x * x) ** 2 + x @ self.B.T @ self.B
        return (g * g).sum(axis=1)


def fmgda(saddle, steps, *, T, K, replicates, seed):
    """Return |grad Phi|^2 at the start of every round, (T, candidates, replicates).

    eta_t = h/max(t + 3/2, 8)^(1/3); x goes chat eta_t down, y goes eta_t up; every K-th step from the averages.
    """
    rng = np.random.Generator(np.random.Philox(seed))
    candidates = len(steps["h"])
    h, chat, c1 = (np.repeat(steps[name], replicates)[:, None, None] for name in ("h", "chat", "c1"))
    lanes, N, d1, d = candidates * replicates, saddle.N, saddle.d1, saddle.d1 + saddle.d2
    along = np.concatenate([np.broadcast_to(chat, (lanes, 1, d1)), -np.ones((lanes, 1, saddle.d2))], axis=2)

    def draw(samples=1):
        size = saddle.noise / np.sqrt(samples)
        return np.tile(size * rng.standard_normal((replicates, N, d)), (candidates, 1, 1)) + saddle.tilts

    z = np.concatenate([np.ones((lanes, N, d1)), np.zeros((lanes, N, saddle.d2))], axis=2)
    u = saddle.gradient(z) + draw(16)
    found, t = np.empty((T, lanes)), 0
    with np.errstate(all="ignore"):
        for r in range(T):
            found[r] = saddle.envelope(z)
            for k in range(K):
                t += 1
                eta = h / np.cbrt(max(t + 1.5, 8.0))
                old = z
                if k == K - 1:
                    u = np.repeat(u.mean(axis=1, keepdims=True), N, axis=1)
                    z = z.mean(axis=1, keepdims=True) - eta * along * u
                else:
                    z = z - eta * along * u
                xi = draw()
                weight = np.minimum(1.0, c1 * eta * eta)
                u = saddle.gradient(z) + xi + (1 - weight) * (u - saddle.gradient(old) - xi)
    found[~np.isfinite(found)] = 1e9
    return np.minimum(found, 1e9).reshape(T, candidates, replicates)


def read(found, readout):
    """Return one number a candidate and replicate."""
    return (found if readout == "average" else found[len(found) // 2 :]).mean(axis=0)


def tune(run, space, readout, *, rounds=3, candidates=24, replicates=3, seed=11, seeds=()):
    """Return the best steps by random search: log-uniform in the space, then twice in a third of it around the best.

    Parameters
    ----------
    run : callable
        ``run(steps, replicates, seed)`` returns what `federated` does.
    space : dict
        Name to (low, high).
    seeds : sequence of dict
        Candidates that must be among the first, such as the best of a method that this one contains.
    """
    rng = np.random.Generator(np.random.Philox(seed))
    box = {name: np.log(ends) for name, ends in space.items()}
    best, score = None, np.inf
    for _ in range(rounds):
        steps = {name: np.exp(rng.uniform(*ends, candidates)) for name, ends in box.items()}
        given = [*seeds, *([best] if best else [])]
        steps = {name: np.concatenate([[one[name] for one in given], steps[name]]) for name in steps}
        means = read(run(steps, replicates, seed), readout).mean(axis=1)
        if means.min() < score:
            score = means.min()
            best = {name: float(values[means.argmin()]) for name, values in steps.items()}
        for name, (low, high) in box.items():
            reach = (high - low) / 6
            middle = np.log(best[name])
            box[name] = np.array(
                [max(np.log(space[name][0]), middle - reach), min(np.log(space[name][1]), middle + reach)]
            )
    return best


def measure(run, steps, readout, *, replicates=32, seed=77):
    """Return the readout of the tuned steps on fresh replicates, (replicates,)."""
    one = {name: np.array([value]) for name, value in steps.items()}
    return read(run(one, replicates, seed), readout)[0]


def ratio(ours, theirs):
    """Return the ratio of means with a 95 % interval, from paired replicates by the delta method."""
    value = ours.mean() / theirs.mean()
    spread = (ours - value * theirs) / theirs.mean()
    reach = 2.04 * spread.std(ddof=1) / np.sqrt(len(spread))
    return value, value - reach, value + reach


def answer(found, margin=0.05):
    """Return yes for a ratio below 1 by more than the margin, no for one above, else no difference or open."""
    _, low, high = found
    if high < 1 - margin:
        return "yes"
    if low > 1 + margin:
        return "no"
    return "no difference" if low > 1 - margin and high < 1 + margin else "open"


def verdict(answers):
    """Return the word for answers by readout: without a qualifier only if they agree."""
    found = {name: set(those) for name, those in answers.items()}
    every = set().union(*found.values())
    if every == {"yes"}:
        return "reproduced"
    if every <= {"no"}:
        return "contradicted"
    if "yes" not in every and "no" not in every:
        return "no difference above the margin" if every == {"no difference"} else "undecided"
    whole = [name for name, those in found.items() if those == {"yes"}]
    if whole:
        return f"reproduced by the {' and the '.join(whole)} alone"
    return "mixed" if "yes" in every else "not reproduced"
