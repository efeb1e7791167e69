"""FedLALR, statements that a run breaks, and the lemmas on sums followed along random runs.

Every run is a straight-line reading of Algorithm 1, 2 or 3 in numpy, in one dimension where not said otherwise.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.proofs.language.claim import Goal

Pair = tuple[Any, Any]


def _bound_37(
    steps: Any, rounds: Any, N: Any, eta: Any, eps: Any, G: Any, L: Any, beta1: Any, sigma: Any, gap: Any
) -> Any:
    span, rest = G**2 - eps**2, 1 - beta1
    a2 = 2 * (L * beta1 * G / rest) ** 2 / eps**4 + (steps * L * G) ** 2 / eps**4 * (1 + 4 * (steps * rest) ** 2)
    c3 = ((2 - beta1) * steps + 1.5) * G**2 * span / (rest * eps**3)
    c4 = 5 * L * (G * span) ** 2 / eps**6 * ((2 * beta1**2 + rest**2) / (8 * rest**2) + steps / 2)
    noise = 1.25 * L * sigma**2 * eta / (eps**2 * N)
    return 2 * G * (gap / (eta * rounds) + noise + a2 * eta**2 + (c3 + c4 * eta * N) / rounds)


def _large_floor(rng: Any) -> Iterator[Pair]:
    eps, eta, start, rounds = 3.0, 0.45, 1000.0, 6333
    x, total = start, 0.0
    for _ in range(rounds):
        g = x / (1 + x * x) ** 0.5
        total += g * g
        x -= eta * g / eps
    gap = (1 + start * start) ** 0.5 - 1
    yield total / rounds, _bound_37(1, rounds, 1, eta, eps, 1.0, 1.0, 0.0, 0.0, gap)


def _large_scale(rng: Any) -> Iterator[Pair]:
    import numpy as np

    scale, eta, rounds, steps = 1e5, 0.15, 500, 2
    size, curve, centre = np.array([0.95, 0.5]), np.array([1.0, 0.001]), np.array([0.0, -1e4])
    x, total = -0.5557838550, 0.0
    for _ in range(rounds):
        client = np.full(2, x)
        for _ in range(steps):
            slope = scale * size * np.tanh(curve * (client.mean() - centre) / size)
            total += float(np.mean(slope)) ** 2
            client = client - eta * size * np.tanh(curve * (client - centre) / size)
        x = float(client.mean())
    yield total / (rounds * steps), _bound_37(steps, rounds * steps, 2, eta, scale, scale, scale, 0.0, 0.0, 0.0)


def _common_noise(rng: Any) -> Iterator[Pair]:
    import numpy as np

    eta, rounds, clients, copies = 0.001, 5000, 100, 200
    x, total = np.zeros(copies), 0.0
    for _ in range(rounds):
        g = x / (1 + x * x)
        total += float(np.mean(g * g))
        x = x - eta * (g + 0.5 * rng.choice([-1, 1], copies))
    yield total / rounds, _bound_37(1, rounds, clients, eta, 1.0, 1.0, 1.0, 0.0, 0.5, 0.0)


def _momentum_restart(rng: Any, at_cap: int = 0) -> Iterator[Pair]:
    beta1, start, rounds = 0.9, 20.0, 36100 if at_cap else 19000
    eta = rounds**-0.5 if at_cap else 0.01
    x, total = start, 0.0
    for _ in range(rounds):
        g = x / (1 + x * x) ** 0.5
        total += g * g
        x -= eta * (1 - beta1) * g
    gap = (1 + start * start) ** 0.5 - 1
    squares = 2 * (beta1 / (1 - beta1)) ** 2 + 4 * (1 - beta1) ** 2
    yield total / rounds, 2 * (gap / (eta * rounds) + squares * eta**2)


def _equilibrium(rng: Any) -> Iterator[Pair]:
    import numpy as np

    N, G, eps, beta1, K, nu = 12, 1.06, 1.0, 0.999, 15000, 4.0
    g, m, vh = np.full(N, eps), np.zeros(N), np.full(N, eps**2)
    g[0] = -G
    for _ in range(K):
        m = beta1 * m + (1 - beta1) * g
        vh = np.maximum(vh, g * g)
    old_m, old = m, vh
    floor = vh.mean()
    m = beta1 * m.mean() + (1 - beta1) * g
    vh = np.maximum(floor, g * g)
    s = beta1 / (1 - beta1)
    step = (1 + s) * np.mean(m / vh**0.5) - s * np.mean(old_m / old**0.5)
    jump, apart = np.mean((vh - old) ** 2), np.mean((old - floor) ** 2)
    lemma2 = 4 / eps * g.mean() ** 2 / floor**0.5 + G**2 / eps**6 * (apart + jump / 2)
    yield step**2, (1 + nu) * s**2 * G**2 / (4 * eps**6) * jump + (1 + 1 / nu) * lemma2


def _shrinking(rng: Any) -> Iterator[Pair]:
    import numpy as np

    g, eps, intervals = np.array([1.0, 0.0]), 0.1, (10, 1)
    vh, total = np.full(2, eps**2), 0.0
    for steps in intervals:
        for _ in range(steps):
            vh = np.maximum(vh, g * g)
            total += np.abs(vh - vh.mean()).sum()
        vh = np.full(2, vh.mean())
    yield total, 2 * (2 - 1) * intervals[-1] * (1 - eps**2)


def _once(run: Any, **fixed: Any) -> Goal:
    from boundcheck.proofs.provers import Pathwise

    return Pathwise(partial(run, **fixed) if fixed else run, runs=1)


GOALS: dict[str, Callable[[], Goal]] = {
    "fedlalr.theorem1-eps-printed": partial(_once, _large_floor),
    "fedlalr.theorem1-eps4-printed": partial(_once, _large_scale),
    "fedlalr.theorem1-noise-printed": partial(_once, _common_noise),
    "fedlalr.term-a3-111-printed": partial(_once, _equilibrium),
    "fedlalr.corollary2-224-printed": partial(_once, _momentum_restart),
    "fedlalr.corollary2-225-printed": partial(_once, _momentum_restart, at_cap=1),
    "fedlalr.lemma32-printed": partial(_once, _shrinking),
}
"""Claim to what builds its goal."""
