"""Parameters of a theorem of the user's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.errors import require
from boundcheck.notation import NUMBER, WHOLE, declare

if TYPE_CHECKING:
    import sympy as sp

    from boundcheck.notation import Unit


def parameter(name: str, unit: Unit = NUMBER, *, whole: bool = False, meaning: str = "") -> sp.Symbol:
    """Declare a parameter of a theorem that the notation does not have, and return its positive symbol.

    It stands among the `parameters` of a bound: a delay, a period, a share.  A constant of problems is another thing,
    see `boundcheck.problems.own.own_letter`.

    Parameters
    ----------
    name : str
        A Python name that no letter of the notation has.
    unit : (int, int)
        Powers of the scales of f and of x; (-1, 2) for a step.
    whole : bool
        Whether it counts something: a search then tries whole numbers alone.
    meaning : str
        What it is.

    Raises
    ------
    InputError
        If the name is taken, or no Python name.

    Examples
    --------
    >>> parameter("tau", whole=True, meaning="largest delay in rounds")
    tau
    """
    require(not whole or unit == NUMBER, f"parameter {name}: unit", unit, f"{NUMBER} for a whole number")
    return declare(name, meaning or "a parameter of the theorem", unit, WHOLE if whole else None)
