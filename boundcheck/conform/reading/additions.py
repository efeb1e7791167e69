"""What local steps add to their gradients: weight decay, proximal terms of any shape, momentum, one vector for all.

``s_k = (y_k - y_(k+1)) / eta`` is what a step used in the place of a gradient.  It is seen for all steps of a round but
the last, after which nobody asks.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.conform.reading.words import EXACT, fit, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boundcheck.conform.reading.asked import LocalRound
    from boundcheck.problems.base import Array


class Addition(NamedTuple):
    """Something that local steps add to gradients: words, and the columns of its coefficients."""

    words: str
    columns: Callable[[LocalRound, int], Array]


def _length(v: Array) -> float:
    return max(float(np.sqrt((v * v).sum())), 1e-300)


_SIGN = "{c} sign(y): a penalty of absolute values, which pulls to 0"
ADDITIONS = (
    Addition("{c} y: a weight decay, which pulls to 0", lambda r, k: r.y[k]),
    Addition("{c} (y - x): a proximal term", lambda r, k: r.y[k] - r.x),
    Addition(
        "{c} (y - x)/|y - x|: a proximal term whose norm is not squared",
        lambda r, k: (r.y[k] - r.x) / _length(r.y[k] - r.x),
    ),
    Addition(
        "{c} |y - x| (y - x): a proximal term with a norm too much", lambda r, k: (r.y[k] - r.x) * _length(r.y[k] - r.x)
    ),
    Addition(
        "{c} |y - x|^2 in every entry: the proximal term itself and not its gradient",
        lambda r, k: np.full_like(r.x, ((r.y[k] - r.x) ** 2).sum()),
    ),
    Addition("{c} sign(y - x): a proximal term of absolute values", lambda r, k: np.sign(r.y[k] - r.x)),
    Addition(_SIGN, lambda r, k: np.sign(r.y[k])),
    Addition(
        "{c} (y - x_(t-1)): a proximal term held at the server's iterate of one round earlier",
        lambda r, k: r.y[k] - r.earlier,
    ),
    Addition("{c} (y - x_0): a proximal term held at the first iterate of the run", lambda r, k: r.y[k] - r.first),
    Addition("{m} times the last move: a momentum in the local steps", lambda r, k: r.moves[k - 1] if k else 0.0 * r.x),
    Addition(
        "{c} times the gradient of the step before: local steps mix two gradients",
        lambda r, k: r.g[k - 1] if k else 0.0 * r.x,
    ),
    Addition(
        "{c} g from the second local step on: a dampening",
        lambda r, k: r.g[k] if k else 0.0 * r.x,
    ),
    Addition(
        "{c} (y_(k-1) - x): a proximal term that is taken at the point before",
        lambda r, k: r.y[k - 1] - r.x if k else 0.0 * r.x,
    ),
)


class StepLaw(NamedTuple):
    """What local steps use: a factor of the gradient, and what is added to it."""

    factor: Callable[[LocalRound, int], float]
    terms: tuple[tuple[float, Addition], ...]

    def end(self, r: LocalRound, eta: float) -> Array:
        """Return where a client ends after its last step, which nobody sees."""
        k = len(r.y) - 1
        used = self.factor(r, k) * r.g[k]
        for c, addition in self.terms:
            used = used + c * addition.columns(r, k)
        end: Array = r.y[k] - eta * used
        return end


def plain(r: LocalRound, k: int) -> float:
    """Return the factor of a gradient that is used as it is."""
    return 1.0


def read_additions(
    theirs: Sequence[LocalRound], ours: Sequence[LocalRound], eta: float
) -> tuple[tuple[str, ...], StepLaw | None]:
    """Return what the local steps add to their gradients, where it is something else than ours add, and the law.

    Ours are read in the same way, so that a method with a proximal term is compared with its own.  What is constant in
    a round (a correction) is taken out by looking at how the rest changes, for methods that have one.
    """
    should, corrects = _find_addition(ours, eta, constant=False), False
    if should is None:
        should, corrects = _find_addition(ours, eta, constant=True), True
    said = _find_addition(theirs, eta, constant=corrects)
    if said is None:
        return _same_for_all(theirs, eta) or ((by_step,) if (by_step := _by_step(theirs, eta)) else ()), None
    law = None if corrects else StepLaw(plain, said)
    a, b = (_in_words(terms, eta) for terms in (said, should or ()))
    if a == b:
        return (), law
    beside = ", beside a correction that is constant in the round" if corrects else ""
    has = f"adds {b}" if b else "adds nothing to them"
    if not a:
        seen = "the local steps add nothing to their gradients, as far as is seen: of all steps but the last"
        return (f"{seen}{beside}, where the method {has}",), law
    return (f"the local steps add to every gradient {a}{beside}, where the method {has}",), law


def _in_words(terms: Sequence[tuple[float, Addition]], eta: float) -> str:
    return " and ".join(addition.words.format(c=text(c), m=text(c * eta)) for c, addition in terms)


def _find_addition(
    rounds: Sequence[LocalRound], eta: float, *, constant: bool
) -> tuple[tuple[float, Addition], ...] | None:
    """Return what is added, one or two terms, none if nothing is; None if it is nothing that is known."""
    rest = [(r, r.moves / eta - r.g[:-1]) for r in rounds if len(r.moves) > 1]
    if not rest:
        return None
    scale = max(float(np.abs(r.g).max()) for r, _ in rest)
    change = _from_first if constant else np.asarray
    target = np.concatenate([change(extra).ravel() for _, extra in rest])
    if np.abs(target).max() < EXACT * scale:
        return ()
    columns = [
        np.concatenate([change(np.array([one.columns(r, k) for k in range(len(r.moves))])).ravel() for r, _ in rest])
        for one in ADDITIONS
    ]
    for count in (1, 2):
        for chosen in itertools.combinations(range(len(ADDITIONS)), count):
            found, fits = fit([columns[n] for n in chosen], target)
            if fits:
                terms = tuple((float(c), ADDITIONS[n]) for c, n in zip(found, chosen, strict=True))
                return tuple((c, _ambiguous(rest, one)) for c, one in terms)
    return None


def _ambiguous(rest: Sequence[tuple[LocalRound, Array]], one: Addition) -> Addition:
    """Return a penalty of absolute values in words that leave open what it is where all entries have one sign."""
    signs = {float(s) for r, _ in rest for s in np.sign(r.y[:-1]).ravel()}
    if one.words != _SIGN or len(signs) > 1:
        return one
    return Addition("{c} in every entry: a constant, or sign(y), as all entries have one sign here", one.columns)


_GROUPS: dict[str, tuple[str, Callable[[LocalRound, int], int]]] = {
    "k": ("steps", lambda r, k: k),
    "t": ("rounds", lambda r, k: r.t),
    "i": ("clients", lambda r, k: r.i),
}
"""Letter of an index to what it counts, and the index of a step."""


def _by_step(rounds: Sequence[LocalRound], eta: float) -> str:
    """Say that one term is added with a coefficient of its own for every step, round or client."""
    rest = [(r, k, extra) for r in rounds for k, extra in enumerate(r.moves / eta - r.g[:-1])]
    for (letter, (what, index)), addition in itertools.product(_GROUPS.items(), ADDITIONS):
        found = _by_group(rest, index, addition)
        if len(found) > 1:
            listed = ", ".join("any" if np.isnan(c) else text(c) for _, c in sorted(found.items()))
            words = addition.words.format(c=f"c_{letter}", m=f"c_{letter} eta")
            names = ", ".join(str(n) for n in sorted(found)[:3])
            told = f"the local steps add to every gradient {words}; c_{letter} is {listed}"
            return f"{told} in the {what} {letter} = {names}, ..."
    return ""


def _by_group(
    rest: Sequence[tuple[LocalRound, int, Array]], index: Callable[[LocalRound, int], int], addition: Addition
) -> dict[int, float]:
    """Return the coefficient of a term in every group, none if it does not fit; nan where nothing of it is seen."""
    scale = max((float(np.abs(r.g).max()) for r, _, _ in rest), default=0.0)
    groups: dict[int, list[tuple[Array, Array]]] = {}
    for r, k, extra in rest:
        groups.setdefault(index(r, k), []).append((addition.columns(r, k), extra))
    found: dict[int, float] = {}
    for n, here in groups.items():
        column, target = (np.concatenate(side) for side in zip(*here, strict=True))
        if np.abs(target).max() < EXACT * scale:
            # In the first step y = x: what a proximal term is there, nobody sees.
            found[n] = 0.0 if column.any() else np.nan
            continue
        c, fits = fit([column], target)
        if not fits:
            return {}
        found[n] = float(c[0])
    return found if any(c and not np.isnan(c) for c in found.values()) else {}


def _same_for_all(rounds: Sequence[LocalRound], eta: float) -> tuple[str, ...]:
    """Say that one vector is added to the gradients of all clients and steps of a round, if it is."""
    seen: dict[tuple[int, int], Array] = {}
    scale = max((float(np.abs(r.g).max()) for r in rounds), default=0.0)
    for r in rounds:
        for extra in r.moves / eta - r.g[:-1]:
            first = seen.setdefault((id(r.run), r.t), extra)
            if np.abs(extra - first).max() > EXACT * scale:
                return ()
    if not seen or max(np.abs(one).max() for one in seen.values()) < EXACT * scale:
        return ()
    size = float(np.mean([np.sqrt(one @ one) for one in seen.values()]))
    words = f"the local steps add one vector, of norm {size:.3g} on average, to the gradients of all clients and steps"
    return (f"{words} of a round: noise, or a term of the server's",)


def _from_first(values: Array) -> Array:
    return values[1:] - values[:1]
