"""FedLALR, the bounds of one step on states of real runs, every outcome of the noise enumerated.

Two clients with f_i = height log(1 + (x - centre)^2)/2 + tilt x in one dimension and noise +-nu, in the second round of
two local steps: before its first gradient, or before its second.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.proofs.language.claim import Goal

Pair = tuple[Any, Any]


def _gradient(x: Any, height: Any, centre: Any, tilt: Any) -> Any:
    return height * (x - centre) / (1 + (x - centre) ** 2) + tilt


def _value(x: Any, height: Any, centre: Any, tilt: Any) -> Any:
    import numpy as np

    return np.mean(height / 2 * np.log(1 + (x - centre) ** 2) + tilt * x)


def _mid_run(draw: Any) -> dict[str, Any]:
    import numpy as np

    height, centre, tilt = (np.array([float(draw.number()) for _ in range(2)]) for _ in range(3))
    nu, beta1, beta2 = float(draw.part()), draw.choose([0.0, 0.5, 0.9]), draw.choose([0.0, 0.5, 0.9])
    G, L = np.max(np.abs(height) / 2 + np.abs(tilt)) + nu, np.max(np.abs(height)) + 1e-9
    eps = G * draw.choose([0.5, 0.9, 0.99])
    eta, floor, m, x = 3 * eps / (20 * L), np.full(2, eps**2), np.zeros(2), np.full(2, float(draw.number()))
    for steps in (2, draw.choose([0, 1])):
        v, vh, M, X, before = floor, floor, m, x, x
        for _ in range(steps):
            g = _gradient(X, height, centre, tilt) + nu * np.array([draw.choose([-1, 1]) for _ in range(2)])
            M, v = beta1 * M + (1 - beta1) * g, beta2 * v + (1 - beta2) * g * g
            vh = np.maximum(vh, v)
            before, X = X, X - eta * M / np.sqrt(vh)
        if steps == 2:
            old, x, m, floor = (M, vh, before), np.full(2, X.mean()), np.full(2, M.mean()), np.full(2, vh.mean())
    M_old, vh_old, before = old if steps == 0 else (M, vh, before)
    shape = {"height": height, "centre": centre, "tilt": tilt}
    made = {"X": X, "M": M, "v": v, "base": vh, "M_old": M_old, "vh_old": vh_old, "xbar_old": before.mean()}
    return made | shape | {"nu": nu, "G": G, "L": L, "eps": eps, "eta": eta, "beta1": beta1, "beta2": beta2}


def _two_signs(**state: Any) -> Any:
    import numpy as np

    return [np.array([first, second]) for first in (-1, 1) for second in (-1, 1)]


def _terms(s: Any, **a: Any) -> dict[str, Pair]:
    import numpy as np

    height, centre, tilt, X, eta, eps, G, L = (a[n] for n in ("height", "centre", "tilt", "X", "eta", "eps", "G", "L"))
    F = _gradient(X, height, centre, tilt)
    g, share, xbar = F + a["nu"] * s, a["beta1"] / (1 - a["beta1"]), X.mean()
    M = a["beta1"] * a["M"] + (1 - a["beta1"]) * g
    vh = np.maximum(a["base"], a["beta2"] * a["v"] + (1 - a["beta2"]) * g * g)
    Z, new = xbar + share * (xbar - a["xbar_old"]), xbar - eta * np.mean(M / np.sqrt(vh))
    step = new + share * (new - xbar) - Z
    slope, target = (np.mean(_gradient(x, height, centre, tilt)) for x in (Z, xbar))
    apart, jump, weight = a["vh_old"] - a["vh_old"].mean(), vh - a["vh_old"], a["vh_old"].mean() ** -0.5
    jumps = np.mean(np.abs(a["vh_old"] - a["base"]) + np.abs(vh - a["base"]))
    root, direct = np.mean(F) ** 2 * weight, np.mean(g / np.sqrt(vh))
    rate = G**2 / (2 * eps**3)
    first = eta * L**2 / (2 * eps) * (4 * (Z - xbar) ** 2 + np.mean((X - xbar) ** 2))
    first += eta * rate * np.mean(np.abs(apart) + np.abs(jump))
    momentum = (share * eta) ** 2 * rate**2 / G**2 * 2 * (G**2 - eps**2) * jumps
    lemma2 = 4 / eps * root + 4 * rate**2 / G**2 * np.mean(apart**2 + jump**2 / 2) + a["nu"] ** 2 / eps**2
    joint = slope * (step + eta * direct)
    drop = _value(Z, height, centre, tilt) - _value(Z + step, height, centre, tilt)
    rest = first + eta * share * rate * jumps + L / 2 * (5 * momentum + 1.25 * eta**2 * (lemma2 - 4 / eps * root))
    return {
        "A1": (-eta * slope * direct + eta / 2 * target**2 * weight + 3 * eta / 8 * root, first),
        "joint": (joint, eta * share * rate * jumps + 1e-12),  # rounding, where nothing moves
        "lemma2": (direct**2, lemma2),
        "A3": (L / 2 * step**2, L / 2 * (5 * momentum + 1.25 * eta**2 * lemma2)),
        "step": (eta / (2 * G) * target**2 - drop, rest),
    }


def _sides(s: Any, which: str = "step", **state: Any) -> Pair:
    return _terms(s, **state)[which]


def _enumerate(which: str) -> Goal:
    from boundcheck.proofs.provers import Expected

    return Expected(_mid_run, _two_signs, partial(_sides, which=which), states=150)


GOALS: dict[str, Callable[[], Goal]] = {
    "fedlalr.term-a1-enumerated": partial(_enumerate, "A1"),
    "fedlalr.joint-enumerated": partial(_enumerate, "joint"),
    "fedlalr.lemma2-enumerated": partial(_enumerate, "lemma2"),
    "fedlalr.term-a3-enumerated": partial(_enumerate, "A3"),
    "fedlalr.step-enumerated": partial(_enumerate, "step"),
}
"""Claim to what builds its goal."""
