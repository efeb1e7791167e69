"""FedGLOMO and its relatives on small instances: whole lemmas against rounds that are enumerated exactly.

Two clients, each with two equally likely sample gradients h (w - c), |h| <= L = 1, of either sign; batches of one
sample, one client drawn, the quantiser that keeps a vector with probability 1/2 and doubles it (omega = 1); ``alpha``
is N = 2, which always holds.  Numbers that contain e are rounded down, which makes the right sides smaller.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.proofs.language.claim import Goal


def _batches(steps: int, **_: Any) -> Iterator[Any]:
    picks = list(product((0, 1), repeat=steps - 1))
    yield from product(picks, repeat=2)


def _rounds(steps: int, **_: Any) -> Iterator[Any]:
    yield from product(_batches(steps), (0, 1), (0, 2), (0, 2))


def _gradient(w: Any, h: Any, c: Any) -> Any:
    return (h[0] * (w - c[0]) + h[1] * (w - c[1])) / 2


def _value(w: Any, h: Any, c: Any) -> Any:
    return sum(h[i][j] * (w - c[i][j]) ** 2 for i in (0, 1) for j in (0, 1)) / 8


def _local(w: Any, h: Any, c: Any, eta: Any, picks: Any) -> list[Any]:
    """Return the directions v_0 .. v_(K-1) of one client."""
    v = _gradient(w, h, c)
    used, x = [v], w - eta * v
    for j in picks:
        v = v - eta * h[j] * v
        used.append(v)
        x = x - eta * v
    return used


def _mean_move(w: Any, h: Any, c: Any, eta: Any, steps: int) -> Any:
    picks = list(product((0, 1), repeat=steps - 1))
    moves = [eta * sum(_local(w, h[i], c[i], eta, pick)) for i in (0, 1) for pick in picks]
    return sum(moves) / len(moves)


def _lemma2(outcome: Any, h: Any, c: Any, w: Any, eta: Any, steps: int) -> tuple[Any, Any]:
    used = [_local(w, h[i], c[i], eta, outcome[i]) for i in (0, 1)]
    own = [_gradient(w, h[i], c[i]) for i in (0, 1)]
    g, x = (own[0] + own[1]) / 2, eta * steps
    average = [(a + b) / 2 for a, b in zip(*used, strict=True)]
    kept = eta * steps / 2 * g**2 + eta / 2 * (1 - x**2) * sum(v**2 for v in average)
    return kept - g * eta * sum(average), 16 * eta * x**2 * (2 * steps + 4) / 4 * (own[0] ** 2 + own[1] ** 2)


def _lemma10(outcome: Any, h: Any, c: Any, w: Any, eta: Any, steps: int) -> tuple[Any, Any]:
    picks, chosen, first, second = outcome
    used = [_local(w, h[i], c[i], eta, picks[i]) for i in (0, 1)]
    sent = eta * sum(used[chosen]) * (first, second)[chosen]
    energy = sum(v**2 for i in (0, 1) for v in used[i])
    noise = 16487 * eta**2 * steps / 20000
    return (sent - _mean_move(w, h, c, eta, steps)) ** 2, 4 * eta**2 * steps * ((1 + noise) / 4 + 1) * energy


def _lemma12(outcome: Any, h: Any, c: Any, w: Any, eta: Any, steps: int) -> tuple[Any, Any]:
    picks, chosen, first, second = outcome
    used = [_local(w, h[i], c[i], eta, picks[i]) for i in (0, 1)]
    new = w - eta * sum(used[chosen]) * (first, second)[chosen]
    own = [_gradient(w, h[i], c[i]) for i in (0, 1)]
    g, x = (own[0] + own[1]) / 2, eta * steps
    average = [(a + b) / 2 for a, b in zip(*used, strict=True)]
    kept = eta * steps / 2 * g**2 + eta / 2 * (1 - x**2 - x) * sum(v**2 for v in average)
    weight = eta**2 * (2 * steps + 4) / 4 + eta / 2 * (1 + 16) / 4
    right = 16 * eta * steps**2 * weight * (own[0] ** 2 + own[1] ** 2)
    return _value(new, h, c) - _value(w, h, c) + kept, right


def _lemma8(outcome: Any, h: Any, c: Any, w: Any, eta: Any, steps: int, old: Any, u: Any, beta: Any) -> tuple[Any, Any]:
    picks, chosen, first, second = outcome
    move = eta * sum(_local(w, h[chosen], c[chosen], eta, picks[chosen]))
    hat = eta * sum(_local(old, h[chosen], c[chosen], eta, picks[chosen]))
    fresh = move * (first, second)[chosen]
    change = (move - hat) * (first, second)[chosen]
    delta, before = _mean_move(w, h, c, eta, steps), _mean_move(old, h, c, eta, steps)
    new = beta * fresh + (1 - beta) * (u + change)
    moved = 4 * 7389 * (eta * steps * (steps + 1) * (w - old)) ** 2 / 1000
    right = (1 - beta) ** 2 * ((u - before) ** 2 + moved) + 2 * beta**2 * (fresh - delta) ** 2
    return (new - delta) ** 2, right


def _noisy_rounds(steps: int, **_: Any) -> Iterator[Any]:
    yield from product(product((-1, 1), repeat=steps), product((-1, 1), repeat=steps), (0, 1))


def _lemma13(outcome: Any, h: Any, c: Any, w: Any, eta: Any, sigma: Any, steps: int) -> tuple[Any, Any]:
    signs, chosen, x = outcome[:2], outcome[2], w
    for sign in signs[chosen]:
        x = x - eta * (h[chosen] * (x - c[chosen]) + sign * sigma)
    own = h * (w - c)
    g, y = sum(own) / 2, eta * steps
    gain = sum(h * (x - c) ** 2 - h * (w - c) ** 2) / 4 + eta * steps / 2 * g**2
    gradients = y**2 * (12 + 8 * y) / 9 * sum(own**2) / 2
    noise = eta**2 * steps * (y * (9 + 8 * steps) / 18 + 1) + y**2 / 6
    return gain, gradients + noise * sigma**2


def _average_sides(lemma: Any, outcomes: Any, h: Any, c: Any, **rest: Any) -> tuple[Any, Any]:
    """Return both sides of a lemma, averaged over all outcomes, for arrays of instances."""
    pairs = [lemma(outcome, h.T, c.T, **rest) for outcome in outcomes(rest["steps"])]
    return sum(lhs for lhs, _ in pairs) / len(pairs), sum(rhs for _, rhs in pairs) / len(pairs)


def _sides2(h: Any, c: Any, w: Any, eta: Any) -> tuple[Any, Any]:
    return _average_sides(_lemma2, _batches, _pairs(h), _pairs(c), w=w, eta=eta, steps=3)


def _sides8(h: Any, c: Any, w: Any, eta: Any, old: Any, u: Any, beta: Any) -> tuple[Any, Any]:
    rest = {"old": old, "u": u, "beta": beta}
    return _average_sides(_lemma8, _rounds, _pairs(h), _pairs(c), w=w, eta=eta, steps=2, **rest)


def _sides10(h: Any, c: Any, w: Any, eta: Any) -> tuple[Any, Any]:
    return _average_sides(_lemma10, _rounds, _pairs(h), _pairs(c), w=w, eta=eta, steps=2)


def _sides12(h: Any, c: Any, w: Any, eta: Any) -> tuple[Any, Any]:
    return _average_sides(_lemma12, _rounds, _pairs(h), _pairs(c), w=w, eta=eta, steps=2)


def _sides13(h: Any, c: Any, w: Any, eta: Any, sigma: Any) -> tuple[Any, Any]:
    return _average_sides(_lemma13, _noisy_rounds, h, c, w=w, eta=eta, sigma=sigma, steps=2)


def _pairs(values: Any) -> Any:
    """Return four numbers an instance as two samples of two clients, instances last after transposing."""
    return values.reshape(-1, 2, 2).swapaxes(1, 2)


def _search(sides: Any, limit: float, curvatures: int, **more: tuple[float, float]) -> Goal:
    from boundcheck.proofs.provers import Search

    box: dict[str, tuple[float, float] | tuple[float, float, int]] = {
        "h": (-1.0, 1.0, curvatures),
        "c": (-3.0, 3.0, curvatures),
        "w": (-3.0, 3.0),
        "eta": (0.001, limit),
    }
    return Search(sides, {**box, **more}, tries=2000)


GOALS: dict[str, Callable[[], Goal]] = {
    "fedglomo.search-lemma2": partial(_search, _sides2, 1 / 12, 4),
    "fedglomo.search-lemma8": partial(_search, _sides8, 1 / 8, 4, old=(-3.0, 3.0), u=(-1.0, 1.0), beta=(0.001, 1.0)),
    "fedglomo.search-lemma10": partial(_search, _sides10, 1 / 8, 4),
    "fedglomo.search-lemma12": partial(_search, _sides12, 1 / 8, 4),
    "fedglomo.search-lemma13": partial(_search, _sides13, 1 / 4, 2, sigma=(0.001, 3.0)),
}
"""Claim to what builds its goal."""
