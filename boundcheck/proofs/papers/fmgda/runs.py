"""FMGDA along simulated runs of Algorithm 1: the lemmas as wholes, with all clients and steps at once.

Clients F_i(theta, w) = s_i theta^2/(1 + theta^2) + a_i theta + e_i w + theta w/2 - w^2/2 without noise, with s_i <= 1
and sum a_i = sum e_i = 0: L_block = 2, mu = 1, and the slope of theta^2/(1 + theta^2) is at most 0.65.  The first
estimators are not averaged; eta = 1/(20 L_Phi K), which the constant 8000 gives for the whole run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.proofs.language.claim import Goal

BLOCK, MU, CHAT, C_DUAL, N, K, ROUNDS = 2.0, 1.0, 0.0004, 0.0275, 4, 5, 8
KAPPA = BLOCK / MU
SMOOTH = BLOCK * (1 + KAPPA)
ETA = 1 / (20 * SMOOTH * K)
C1 = SMOOTH**2 / (20 * K * N**2) + 60 * SMOOTH**2 / N


def _gradients(clients: Any, theta: Any, w: Any) -> tuple[Any, Any]:
    s, a, e = clients
    return 2 * s * theta / (1 + theta**2) ** 2 + a + w / 2, e + theta / 2 - w


def _clients(rng: Any) -> tuple[Any, Any, Any, float]:
    """Return curvatures, tilts and a bound on the squared heterogeneity over pairs."""
    s, a, e = rng.uniform(0.6, 1.0, N), rng.normal(size=N), rng.normal(size=N)
    a, e = a - a.mean(), e - e.mean()
    pairs = [(abs(a[i] - a[j]) + 0.65 * abs(s[i] - s[j])) ** 2 + (e[i] - e[j]) ** 2 for i in range(N) for j in range(i)]
    return s, a, e, max(pairs)


def _run(rng: Any) -> Iterator[dict[str, Any]]:
    """Yield each step of Algorithm 1: models before and after, averaged or own directions, new estimators."""
    s, a, e, zeta2 = _clients(rng)
    clients = (s, a, e)
    theta, w = (rng.normal() + 0 * s for _ in range(2))
    u, v = _gradients(clients, theta, w)
    for t in range(1, K * ROUNDS + 1):
        if t % K == 0:
            u, v = u.mean() + 0 * s, v.mean() + 0 * s
        new, dual = theta - CHAT * ETA * u, w + C_DUAL * ETA * v
        if t % K == 0:
            new, dual = new.mean() + 0 * s, dual.mean() + 0 * s
        g, g_dual = _gradients(clients, new, dual)
        old, old_dual = _gradients(clients, theta, w)
        after = g + (1 - C1 * ETA**2) * (u - old), g_dual + (1 - C1 * ETA**2) * (v - old_dual)
        yield {
            "t": t, "s": s, "zeta2": zeta2, "theta": theta, "w": w, "u": u, "v": v, "new": new, "dual": dual,
            "after": after, "mean_old": (old.mean(), old_dual.mean()), "mean_new": (g.mean(), g_dual.mean()),
        }  # fmt: skip
        theta, w, (u, v) = new, dual, after


def _spread(x: Any) -> float:
    return float(x.var())


def _lemma4(rng: Any) -> Iterator[tuple[float, float]]:
    moves = 0.0
    for step in _run(rng):
        moves = 0.0 if step["t"] % K == 0 else moves + (CHAT * ETA) ** 2 * _spread(step["u"])
        yield _spread(step["new"]), (K - 1) * moves


def _lemma8(rng: Any) -> Iterator[tuple[float, float]]:
    whole = together = cubes = start = 0.0
    for step in _run(rng):
        own = _spread(step["u"]) + _spread(step["v"])
        start = start or own
        whole += ETA * own
        together += ETA * (CHAT**2 * step["u"].mean() ** 2 + C_DUAL**2 * step["v"].mean() ** 2)
        cubes += ETA**3
        noise = 2 * C1**2 / SMOOTH**2 * step["zeta2"] / 5 * cubes
        yield 24 * whole / 25, together / 4 + noise + 3 / (20 * SMOOTH) * start


def _envelope(s: Any, theta: float) -> tuple[float, float]:
    """Return Phi and its derivative."""
    mean = float(s.mean())
    return mean * theta**2 / (1 + theta**2) + theta**2 / 8, 2 * mean * theta / (1 + theta**2) ** 2 + theta / 4


def _potential(s: Any, theta: Any, w: Any, estimators: Any, gradients: Any) -> float:
    (phi, _), gap = _envelope(s, float(theta.mean())), float(w.mean() - theta.mean() / 2)
    errors = [float(x.mean() - g) ** 2 / ETA for x, g in zip(estimators, gradients, strict=True)]
    weight = CHAT * N / (40 * SMOOTH**2)
    return phi + 6 * CHAT * BLOCK**2 / (C_DUAL * MU) * gap**2 + weight * (errors[0] + 50 * KAPPA**2 * errors[1])


def _bound(rng: Any) -> Iterator[tuple[float, float]]:
    total = start = 0.0
    for step in _run(rng):
        s, theta, w = step["s"], step["theta"], step["w"]
        start = start or _potential(s, theta, w, (step["u"], step["v"]), step["mean_old"])
        total += CHAT * ETA / 2 * _envelope(s, theta.mean())[1] ** 2
        yield total, start + step["zeta2"] * CHAT * 2 * C1**2 / (8 * SMOOTH**2) * step["t"] * ETA**3


def _along(run: Callable[[Any], Iterator[tuple[float, float]]], runs: int = 20) -> Callable[[], Goal]:
    """Return the builder of a goal that follows `run`."""

    def goal() -> Goal:
        from boundcheck.proofs.provers import Pathwise

        return Pathwise(run, runs=runs)

    return goal


def _mirrored_steps(clients: int, q: int) -> Iterator[tuple[float, float, float, float, float, float]]:
    """Yield u, v, theta, w before each step of the first round and the new u, v, for clients F +- (theta + w).

    The run starts at the stationary point of F = theta^2 + 2 theta w - w^2/2, so that all means stay there: u, v,
    theta and w are those of a client with the sign +, and the other clients have the opposite.
    """
    eta, c1 = 1 / (20 * SMOOTH * q), SMOOTH**2 / (20 * q * clients**2) + 60 * SMOOTH**2 / clients
    theta, w, u, v, keep = 0.0, 0.0, 1.0, 1.0, 1 - c1 * eta**2
    for t in range(1, q + 1):
        there = t % q != 0
        u, v = there * u, there * v
        new, dual = there * (theta - CHAT * eta * u), there * (w + C_DUAL * eta * v)
        after = BLOCK * (new + dual) + 1 + keep * (u - BLOCK * (theta + w) - 1)
        dual_after = BLOCK * new - MU * dual + 1 + keep * (v - BLOCK * theta + MU * w - 1)
        yield u, v, theta, w, after, dual_after
        theta, w, u, v = new, dual, after, dual_after


def _dispersion_41(_: Any) -> Iterator[tuple[float, float]]:
    clients, q, past = 16, 100, 0.0
    eta, c1 = 1 / (20 * SMOOTH * q), SMOOTH**2 / (20 * q * clients**2) + 60 * SMOOTH**2 / clients
    squares, zeta2 = 2 * (c1 * eta**2) ** 2, 8.0
    for t, (u, v, _theta, _w, after, dual_after) in enumerate(_mirrored_steps(clients, q), 1):
        past = 0.0 if t == q else past
        growth = 1 + 1 / q + 16 * BLOCK**2 * (1 + q) * eta**2
        feedback = 48 * BLOCK**2 * (1 + q) * squares * (q - 1) * past
        yield after**2 + dual_after**2, growth * (u**2 + v**2) + 12 * zeta2 * (1 + q) * squares + feedback
        past += eta**2 * (CHAT**2 * u**2 + C_DUAL**2 * v**2)


def _carried_drift(_: Any) -> Iterator[tuple[float, float]]:
    clients, q, total = 20, 400, 0.0
    eta = 1 / (20 * SMOOTH * q)
    share = (BLOCK / SMOOTH) ** 2 * (1 / 5 + 10 * KAPPA**2)
    for u, v, theta, w, *_after in _mirrored_steps(clients, q):
        last = theta**2 + w**2
        total += eta * (u**2 + v**2)
    yield share / eta * last, 51 / 180 * total


GOALS: dict[str, Callable[[], Goal]] = {
    "fmgda.lemma8-41-printed": _along(_dispersion_41, runs=1),
    "fmgda.theorem1-55-run-printed": _along(_carried_drift, runs=1),
    "fmgda.lemma4-runs": _along(_lemma4),
    "fmgda.lemma8R-runs": _along(_lemma8),
    "fmgda.theorem1-runs": _along(_bound),
}
"""Claim to what builds its goal."""
