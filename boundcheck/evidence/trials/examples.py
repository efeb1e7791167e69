"""Where a bound is looked at when nothing else is said: its problem, and letters that have one value before a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.methods import METHODS
from boundcheck.notation import PAPERS, letter_named

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound


def example_of(bound: Bound) -> str:
    """Return the problem of a bound's example: its paper's, or for a paper of the user's one that suits the method."""
    if bound.example:
        return bound.example
    if bound.paper in PAPERS:
        return PAPERS[bound.paper].example
    return PAPERS["fmgda" if METHODS[bound.method].card.kind == "minimax" else "momentum-fl"].example


def initial_values(bound: Bound, N: int) -> dict[str, float]:
    """Return the letters of a bound that belong to the run: the value that always serves, else 0 until measured."""
    from boundcheck.engine.quantities import QUANTITIES

    ceilings = {letter: QUANTITIES[name].ceiling for letter, name in bound.measured.items()}
    return {letter: ceiling(N) if ceiling else 0.0 for letter, ceiling in ceilings.items()}


def letters_at_zero(bound: Bound) -> list[str]:
    """Return the letters that `initial_values` sets to 0: in a run they are larger, and so is the right-hand side."""
    from boundcheck.engine.quantities import QUANTITIES

    return [letter for letter, name in bound.measured.items() if QUANTITIES[name].ceiling is None]


def pinned_letters(bound: Bound) -> dict[str, Any]:
    """Return the letters of the setting to which a condition gives one value (T = 1 for the drift of one round)."""
    pins: dict[str, Any] = {}
    for condition in bound.conditions:
        letter, value = str(condition.relation.lhs), condition.relation.rhs
        if condition.relation.rel_op == "==" and letter in {"N", "K", "T", "S", "b"} and value.is_Integer:
            pins[letter] = int(value)
    return pins


def chooses_horizons(bound: Bound) -> bool:
    """Return whether an equation is about T, or a whole number follows from it, so that few T are legal."""
    if "T" in pinned_letters(bound):
        return False
    equations = [c.relation for c in bound.conditions if c.relation.rel_op == "=="]
    counted = [e for name, e in bound.parameters.items() if letter_named(name).kind.whole]
    return any("T" in {symbol.name for symbol in one.free_symbols} for one in (*equations, *counted))


_HORIZONS = (10**4, 100, 1, 2, 10, 10**6)
"""At which a setting is tried."""
_SIZES = ((2, 1), (1, 1), (8, 1), (2, 2), (4, 10), (32, 1))
"""N and K that are tried where the conditions do not allow what was asked for."""


class SettingSize(NamedTuple):
    """Clients, those that take part in a round, and local steps."""

    N: int
    S: int
    K: int

    @property
    def shown(self) -> dict[str, int]:
        """Return its letters with their values, S only where not all clients take part."""
        return {name: value for name, value in self._asdict().items() if name != "S" or value < self.N}

    def __str__(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.shown.items())


def size_within(bound: Bound, problem: str, N: int, K: int) -> SettingSize:
    """Return clients, active ones and local steps at which the conditions of a bound hold on a problem at some horizon.

    Those that were asked for come first, with what a condition fixes in their place, and all clients before half of
    them; they are returned where none is found.

    Parameters
    ----------
    bound : Bound
    problem : str
        Name of a problem.
    N, K : int
        What was asked for.
    """
    pins = pinned_letters(bound)
    sizes = [(pins.get("N", n), pins.get("K", k)) for n, k in ((N, K), (N, 1), *_SIZES)]
    everyone = [SettingSize(n, pins.get("S", n), k) for n, k in sizes]
    half = [SettingSize(n, pins.get("S", max(n // 2, 1)), k) for n, k in sizes]
    tried = dict.fromkeys((*everyone, *half))
    return next((size for size in tried if _holds_somewhere(bound, problem, size)), everyone[0])


def _holds_somewhere(bound: Bound, name: str, size: SettingSize) -> bool:
    from boundcheck.errors import BoundcheckError
    from boundcheck.problems import load_problem

    try:
        problem = load_problem(name, N=size.N)
        constants = {letter: c.value for letter, c in problem.constants.items()} | initial_values(bound, size.N)
        here = {**size._asdict(), "b": 1, "d": problem.d}
        horizons = [pinned_letters(bound)["T"]] if "T" in pinned_letters(bound) else _HORIZONS
        return any(
            all(c.holds for c in bound.check(bound.resolve(constants | here | {"T": horizon}))) for horizon in horizons
        )
    except (BoundcheckError, ArithmeticError):
        return False
