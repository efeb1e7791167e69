"""Where a theorem is put on trial: problems of which it speaks, at settings that its conditions allow."""

from __future__ import annotations

import dataclasses
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.errors import BoundcheckError
from boundcheck.evidence.search.effort import OutOfTimeError
from boundcheck.evidence.search.instances import TrialInstance, fit_horizon, put_on_line, quiet
from boundcheck.evidence.search.suitable import suitable
from boundcheck.evidence.trials.examples import pinned_letters
from boundcheck.methods import METHODS
from boundcheck.problems import instance
from boundcheck.problems.catalog import parse_name
from boundcheck.problems.families import reads_data
from boundcheck.problems.own.letters import ATTACKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.bounds.bound import Bound

_CLIENTS = (4, 2, 1, 8)
_LOCAL_STEPS = (4, 1, 2, 10)
_HORIZONS = tuple(2**k for k in range(15))
_PROBES = (256, 16384, 1)
"""Horizons at one of which a setting must be legal to be looked at."""
_GIVEN_UP = 8
"""Problems without a legal setting after which a few sizes are tried on each."""
_FEW = 6
_LONGEST = 20_000
"""Local steps of a run at most."""
_ATTACKED = 24
"""Problems that are looked at where a letter of the user's own has to be computed on each."""
_GAIN = 2.0
"""How much better than trivial a theorem should be where it is measured."""
_ROUNDED = 1e-9
"""Share of the trivial bound below which what is measured may be rounding."""
_LATER = 4
"""Times so many rounds that it is put on trial, a run of one round saying little."""


class SuitablePlace(NamedTuple):
    """A problem and a setting that meet every assumption of a theorem."""

    at: TrialInstance
    rhs: float
    trivial: float
    """What holds here without the theorem."""

    @property
    def says_something(self) -> bool:
        """Whether the theorem beats the trivial bound here, with a right-hand side that rounding leaves alone."""
        return _ROUNDED * self.trivial < self.rhs < self.trivial


class Choice(NamedTuple):
    """What was chosen, and why other problems were not."""

    places: tuple[SuitablePlace, ...]
    spoken_of: int
    """Problems of which the theorem speaks at some setting."""
    looked_at: int
    """Rows of data are left out where others are enough."""
    why_not: str
    """The commonest reason why it does not speak of others; empty where it speaks of all."""
    left_some: bool = False
    """Whether the seconds ended before all were looked at."""


def choose_places(bound: Bound, most: int, late: Callable[[], bool] = lambda: False) -> Choice:
    """Return problems of different families on which a theorem says something, at settings within its conditions.

    Problems of the theorem's own file come first, then those on which it says most.

    Parameters
    ----------
    bound : Bound
    most : int
        Places that are returned at most.
    late : callable
        Whether no other problem is to be looked at; one that fits is looked for until the seconds of the question end.
    """
    reasons: Counter[str] = Counter()
    found: list[SuitablePlace] = []
    names = suitable(bound)
    computed = any(letter in ATTACKS for letter in bound.needs)
    if computed:
        names = _quick_first(names)[:_ATTACKED]
    own = {name for name in names if ":" in parse_name(name)[0]}
    sizes = list(_sizes(bound))
    allowed: set[tuple[int, int, int | None]] = set()
    left_some = False
    for looked_at, name in enumerate(names):
        if left_some := bool(found) and late():
            names = names[:looked_at]
            break
        # Rows of data are slow to load, and come last; so is a letter that has to be computed.
        if _is_enough(found, most) and (computed or reads_data(instance(parse_name(name)[0]).family)):
            names = names[:looked_at]
            break
        # What one problem allows, the next one is likely to allow as well.
        # Of one client alone a theorem about clients says least; some speak of nothing else.
        alone = len(found) >= _FEW and all(N == 1 for N, _, _ in allowed)
        ordered = sorted(sizes, key=lambda size: (size[0] == 1 and not alone, size not in allowed))
        if looked_at > _GIVEN_UP and not allowed:
            ordered = ordered[:_FEW]
        try:
            place = _place_on(bound, _prepare_problem(name, bound), ordered, reasons)
        except OutOfTimeError:
            names, left_some = names[:looked_at], True
            break
        if place is not None:
            found.append(place)
            allowed.add((place.at.N, place.at.K, place.at.S))
    found.sort(key=lambda place: _rank(place, own))
    families: dict[str, SuitablePlace] = {}
    # Where it says nothing is shown only where it says nothing anywhere.
    telling = [place for place in found if place.says_something]
    for place in telling or found:
        families.setdefault(instance(parse_name(place.at.problem)[0]).family, place)
    # Where nothing fits, the second reason is likely to be what a reader can mend.
    reason = "; and ".join(text for text, _ in reasons.most_common(1 if found else 2))
    return Choice(tuple(families.values())[:most], len(found), len(names), reason, left_some)


def _quick_first(names: list[str]) -> list[str]:
    """Return problems in the order in which letters are computed on them: own ones, one of each family, chains last."""
    seen: Counter[str] = Counter()
    ranks: dict[str, tuple[bool, int]] = {}
    for name in names:
        base = parse_name(name)[0]
        family = instance(base).family
        ranks[name] = ("chain" in family and ":" not in base, seen[family])
        seen[family] += 1
    return sorted(names, key=ranks.__getitem__)


def _is_enough(found: list[SuitablePlace], most: int) -> bool:
    """Return whether problems of so many families say something."""
    return len({instance(parse_name(place.at.problem)[0]).family for place in found if place.says_something}) >= most


def _rank(place: SuitablePlace, own: set[str]) -> tuple[bool, bool, bool, float]:
    """Return what sorts places: the theorem's own problems, where it says something, rows of data last."""
    base = parse_name(place.at.problem)[0]
    share = place.rhs / place.trivial if place.trivial > 0 else float("inf")
    is_own = base in own
    return not is_own, not place.says_something, not is_own and reads_data(instance(base).family), share


def _prepare_problem(name: str, bound: Bound) -> str:
    """Return a problem without noise where the theorem is about exact gradients, on a line where letters ask for it."""
    try:
        name = put_on_line(name, bound)
        return quiet(name) if bound.exact_gradients else name
    except BoundcheckError:
        return name


def _sizes(bound: Bound) -> Iterator[tuple[int, int, int | None]]:
    """Yield N, K and S that no pinned letter forbids: all clients first, then some."""
    pins = pinned_letters(bound)
    clients = (pins["N"],) if "N" in pins else _CLIENTS
    steps = (pins["K"],) if "K" in pins else _LOCAL_STEPS
    yield from ((N, K, None) for N, K in product(clients, steps))
    if METHODS[bound.method].card.partial:
        yield from ((N, K, max(1, N // 2)) for N, K in product(clients, steps) if N > 1)


def _place_on(
    bound: Bound, name: str, sizes: list[tuple[int, int, int | None]], reasons: Counter[str]
) -> SuitablePlace | None:
    """Return the first setting on a problem at which a theorem says something, else the first that is legal."""
    legal: SuitablePlace | None = None
    for N, K, S in sizes:
        horizons = _horizons(bound, TrialInstance(name, N, K, 1, S, b=_minibatch(bound)))
        probes = [T for T in _PROBES if T in horizons] or horizons
        if not any(_evaluate(bound, name, (N, K, S), T, reasons) for T in probes):
            if _never_fits(bound, name, N):
                return None
            continue
        here = [found for T in horizons if (found := _evaluate(bound, name, (N, K, S), T, reasons))]
        clear = [place for place in here if place.says_something and place.rhs * _GAIN <= place.trivial]
        if clear:
            return [place for place in clear if place.at.T <= _LATER * clear[0].at.T][-1]
        useful = next((place for place in here if place.says_something), None)
        if useful is not None:
            return useful
        legal = legal or (here[-1] if here else None)
    return legal


def _horizons(bound: Bound, at: TrialInstance) -> list[int]:
    pins = pinned_letters(bound)
    grid = [pins["T"]] if "T" in pins else [T for T in _HORIZONS if T * at.K <= _LONGEST]
    return list(dict.fromkeys(fit_horizon(dataclasses.replace(at, T=T), bound).T for T in grid))


def _evaluate(
    bound: Bound, name: str, size: tuple[int, int, int | None], T: int, reasons: Counter[str]
) -> SuitablePlace | None:
    N, K, S = size
    at = TrialInstance(name, N, K, T, S, b=_minibatch(bound))
    try:
        trial = at.trial(bound)
    except (BoundcheckError, ArithmeticError, MemoryError) as error:
        reasons[str(error).replace(name, "PROBLEM").partition(" (left side")[0]] += 1
        return None
    # What no run on this problem exceeds is trivial as well.
    known = trial.evaluation.trivial if trial.ceiling is None else min(trial.evaluation.trivial, trial.ceiling)
    return SuitablePlace(at, trial.evaluation.rhs, known)


def _minibatch(bound: Bound) -> int:
    """Return the minibatch that conditions ask for, else 1."""
    return int(pinned_letters(bound).get("b", 1))


def _never_fits(bound: Bound, name: str, N: int) -> bool:
    """Return whether the problem is the reason, not the setting: it lacks a constant, or is of another kind."""
    from boundcheck.evidence.trials.fitting import require_fit
    from boundcheck.problems.own.computed import with_own_letters

    try:
        problem = TrialInstance(name, N, 1, 1).load()
        require_fit(bound, problem)
        return not set(bound.needs) <= set(with_own_letters(problem, bound.needs).letters)
    except BoundcheckError:
        return True


def along_horizons(bound: Bound, place: SuitablePlace, points: int) -> list[TrialInstance]:
    """Return a place at horizons that double, all within the conditions, those of the place among the first.

    Parameters
    ----------
    bound : Bound
    place : SuitablePlace
    points : int
        Horizons at most.
    """
    if "T" in pinned_letters(bound):
        return []
    grid = [place.at.T * 2**k for k in range(points)]
    grid = [T for T in grid if T * place.at.K <= _LONGEST]
    while len(grid) < points and grid and grid[0] % 2 == 0:
        grid.insert(0, grid[0] // 2)
    along = list(dict.fromkeys(fit_horizon(dataclasses.replace(place.at, T=T), bound) for T in grid))
    return [at for at in along if _evaluate(bound, at.problem, (at.N, at.K, at.S), at.T, Counter()) is not None]
