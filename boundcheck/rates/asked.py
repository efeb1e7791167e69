"""The rate of any bound in any letter, with a family and a control that suit it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from boundcheck.bounds import BOUNDS
from boundcheck.errors import NotApplicableError, require
from boundcheck.methods import METHODS
from boundcheck.rates.control import frozen, plain
from boundcheck.rates.headline import LETTERS, SADDLE, TAIL, Headline, Letter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.rates.control import Control

NEXT = 1 / 6
"""How far from the printed power that of the control is: a half has a third beside it, two thirds have a half."""


def headline_of(
    bound: str,
    letter: str,
    grid: tuple[int, ...],
    *,
    problem: str | None = None,
    declared: Mapping[str, Any] | None = None,
    overrides: Mapping[str, Any] | None = None,
    N: int = 1,
    S: int | None = None,
    K: int = 1,
    T: int = 100_000,
) -> Headline:
    """Return what it takes to look for the rate of a bound in a letter.

    Parameters
    ----------
    bound : str
        Name of a bound with a method; its own power is the printed one.
    letter : str
        T, N, S, K, NK or rounds.
    grid : tuple of int
        Three or more increasing values of the letter.
    problem : str, optional
        The family; by default the tail, for a minimax bound its saddle.
    declared : mapping, optional
        Constants that the class allows and the instance does not have.
    overrides : mapping, optional
        Letters of a run and free parameters of the bound.
    N, S, K, T : int
        The letters that stay.

    Raises
    ------
    InputError
        If the letter is none, the grid does not increase or is short, or a number is not legal.
    NotApplicableError
        If the bound promises nothing in the letter.
    """
    require(letter in LETTERS, "letter", letter, f"one of {', '.join(LETTERS)}")
    minimax = METHODS[BOUNDS[bound].method].card.kind == "minimax"
    for what, given in (("declared", declared), ("set", overrides)):
        for name, value in (given or {}).items():
            legal = isinstance(value, (int, float)) and not isinstance(value, bool)
            require(legal, f"{what} {name}", value, "a number")
    made = Headline(
        f"{bound}:{letter}",
        bound,
        cast("Letter", letter),
        grid,
        frozen("nothing falls with the letter then"),
        bound=bound,
        problem=problem or (SADDLE if minimax else TAIL),
        declared={name: float(value) for name, value in (declared or {}).items()},
        overrides={name: float(value) for name, value in (overrides or {}).items()},
        N=N,
        S=S,
        K=K,
        T=T,
    )
    printed = made.printed_power()
    if printed >= 0:
        msg = f"bound {bound} promises nothing in {letter}: its leading part goes like {letter}^({printed:g})"
        raise NotApplicableError(msg)
    return Headline(**{**vars(made), "control": _suitable(letter, printed)})


def _suitable(letter: str, printed: float) -> Control:
    """Return a control whose power is another one than the printed."""
    if letter in {"T", "rounds"}:
        power = max(printed + NEXT, -1 / 2) if printed < -2 * NEXT else printed - NEXT
        return plain(1 + power, f"T^({power:.3g}), where T^({printed:.3g}) is promised")
    return frozen("nothing falls with the letter then")
