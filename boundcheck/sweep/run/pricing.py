"""Seconds that bundles will take, from short runs of some of them on this machine."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from boundcheck.sweep.cells.bundles import metrics_of, problem_of, simulation, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.sweep.cells.cells import Cell

_ROUNDS = (12, 32)
"""Rounds of the two runs whose difference is what a round takes: both have three checkpoints, which are rare later."""
_MANY = 120
"""Rounds where most of the seconds are spent before the first one."""
_TRIES, _FEWER = 4, 2
"""Runs of which the fastest one counts: a machine that others use is slow for a moment. Fewer where they are long."""
_SHORT = 0.01
"""Seconds of the shorter run up to which it is clocked more often."""
_SLOW = 0.1
"""Seconds of the shorter run from which on it says enough."""
_ENOUGH = 2e5
"""Numbers of an array from which on more of them take as much longer: larger bundles are priced by a part of them."""
_MEASURED = 0.9
"""Share of the seconds, by one run of every kind, that is measured by several: the rest is not worth its own time."""
_FILE = 2.5e-3
"""Seconds to read, check and write the result of a cell."""


@dataclass(frozen=True)
class Price:
    """What bundles of a kind take."""

    start: float
    """Seconds before the first round, a lane."""
    round: float
    """Seconds a round, however few numbers."""
    number: float
    """Seconds a round and number of an array (lanes, S, d)."""

    def seconds(self, bundle: Sequence[Cell]) -> float:
        """Return the seconds of a bundle: lanes leave when their horizon is reached."""
        spent, before = _FILE * len(bundle) + self.start * sum(len(cell.lanes) for cell in bundle), 0
        left = sorted(bundle, key=lambda cell: cell.setting.T)
        numbers = sum(map(size, left))
        for cell in left:
            spent += (cell.setting.T - before) * (self.round + self.number * numbers)
            before, numbers = cell.setting.T, numbers - size(cell)
        return spent


def price_bundles(bundles: Sequence[list[Cell]]) -> list[float]:
    """Return the seconds of every bundle, on one core.

    Of every kind (problem, method, K, metrics) the largest bundle is run once for a few rounds.  The kinds that most of
    the seconds go to are then measured: that bundle and a single lane of the smallest one, several times each.
    """
    kinds: dict[Any, list[list[Cell]]] = defaultdict(list)
    for bundle in bundles:
        kinds[_kind(bundle)].append(bundle)
    prices = {kind: _price_by_one_run(alike) for kind, alike in kinds.items()} if len(kinds) > 1 else {}
    seconds = {kind: sum(map(price.seconds, kinds[kind])) for kind, price in prices.items()}
    todo = sorted(kinds, key=lambda kind: seconds.get(kind, 0.0))
    # One run takes what comes before the first round for rounds: the sum falls as kinds are measured.
    while todo and (not prices or sum(seconds[kind] for kind in todo) > (1.0 - _MEASURED) * sum(seconds.values())):
        kind = todo.pop()
        prices[kind] = _price(kinds[kind])
        seconds[kind] = sum(map(prices[kind].seconds, kinds[kind]))
    return [prices[_kind(bundle)].seconds(bundle) for bundle in bundles]


def _kind(bundle: Sequence[Cell]) -> Any:
    cell, metrics = bundle[0], metrics_of(bundle)
    at, choices = cell.setting, tuple((k, v) for k, v in cell.hyper if not isinstance(v, float))
    return cell.problem, cell.method, choices, at.K, at.b, at.S < at.N, metrics, cell.quantities, cell.schedule


def _price(bundles: list[list[Cell]]) -> Price:
    """Measure the price of a kind."""
    large = _part(max(bundles, key=lambda bundle: sum(map(size, bundle))))
    small = [replace(min(bundles, key=lambda bundle: size(bundle[0]))[0], replicates=1, after=0)]
    (start, many), (_, one) = _measure_rounds(large), _measure_rounds(small)
    more = sum(map(size, large)) - size(small[0])
    number = max(many - one, 0.0) / more if more else 0.0
    lanes = sum(len(cell.lanes) for cell in large)
    return Price(start / lanes, max(one - number * size(small[0]), 0.0), number)


def _price_by_one_run(bundles: list[list[Cell]]) -> Price:
    """Return the price of a kind from one run of its largest bundle, half of it put down to how many numbers it has."""
    large = _part(max(bundles, key=lambda bundle: sum(map(size, bundle))))
    problem = problem_of(large)
    assert problem is not None
    longer = [replace(cell, setting=cell.setting.at(_MANY)) for cell in large]
    each = _clock_run(longer, problem, _ROUNDS[0]) / _ROUNDS[0]
    return Price(0.0, each / 2, each / 2 / sum(map(size, large)))


def _part(bundle: list[Cell]) -> list[Cell]:
    """Return a bundle with so few replicates that its arrays have about as many numbers as are enough."""
    share = min(1.0, _ENOUGH / sum(map(size, bundle)))
    return [replace(cell, replicates=max(1, round(share * cell.replicates)), after=0) for cell in bundle]


def _measure_rounds(bundle: list[Cell]) -> tuple[float, float]:
    """Return the seconds before the first round and those of a round, all lanes running."""
    problem = problem_of(bundle)
    assert problem is not None
    longer = [replace(cell, setting=cell.setting.at(_MANY)) for cell in bundle]
    # The first run of all takes memory that the others find.
    once = min(_clock_run(longer, problem, _ROUNDS[0]) for _ in range(_FEWER))
    repeats = _TRIES if once <= _SHORT else _FEWER
    if once > _SLOW:
        first = min(_clock_run(longer, problem, 1) for _ in range(repeats))
        # Large samples before the first round may be most of it: more rounds, so that their jitter is little of each.
        rounds = _ROUNDS[0] if once > 2 * first else _MANY
        whole = once if rounds == _ROUNDS[0] else _clock_run(longer, problem, rounds)
        each = max(whole - first, 0.0) / (rounds - 1)
        return max(first - each, 0.0), each
    # In turn, so that a slow moment strikes both.
    tries = [[_clock_run(longer, problem, rounds) for rounds in _ROUNDS] for _ in range(repeats)]
    few, many = map(min, zip(*tries, strict=True))
    each = max(many - few, 0.0) / (_ROUNDS[1] - _ROUNDS[0])
    return max(few - _ROUNDS[0] * each, 0.0), each


def _clock_run(bundle: list[Cell], problem: Any, rounds: int) -> float:
    run = simulation(bundle, problem, rounds)
    start = time.process_time()
    run(points=1)
    return time.process_time() - start
