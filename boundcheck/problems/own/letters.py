"""A letter of the user's own: its unit, its meaning, and what tries to refute a value that a problem claims for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from boundcheck.errors import require
from boundcheck.notation import declare
from boundcheck.problems.certification.maximise import MAXIMISERS, Maximiser

if TYPE_CHECKING:
    from collections.abc import Callable

    import sympy as sp

    from boundcheck.notation import Kind, Unit
    from boundcheck.problems.base import Problem
    from boundcheck.problems.certification.maximise import Sense
    from boundcheck.problems.certification.search import Multistart
    from boundcheck.problems.types import Array


class Attack(NamedTuple):
    """What a letter of the user's own bounds."""

    ratio: Callable[[Problem, Array], Array]
    """Of a problem, at points (n, d): shape (n,)."""
    sense: Sense
    """'sup' or 'inf'."""


ATTACKS: dict[str, Attack] = {}
"""Every letter of the user's own in this process."""


def own_letter(
    name: str,
    meaning: str,
    *,
    unit: Unit,
    attack: Callable[[Problem, Array], Array],
    sense: Sense = "sup",
    kind: Kind | None = None,
) -> sp.Symbol:
    """Declare a constant of problems that the notation does not have, and return its positive symbol.

    Bounds of the same file may use the symbol and `needs`, problems may claim a value, and `certify` attacks it.  On a
    problem of one dimension that claims none it is computed, see `boundcheck.problems.own.computed`.

    Parameters
    ----------
    name : str
        A Python name that no letter of the notation has.
    meaning : str
        What it is, with the definition that fixes its scale.
    unit : (int, int)
        Powers of the scales of f and of x.
    attack : callable
        ``attack(problem, points)`` with points (n, d) returns (n,): at every point the ratio that the constant bounds.
        `certify` makes it large from several starts (small for the sense 'inf').
    sense : {'sup', 'inf'}
        Whether the constant is a supremum, or an infimum of positive numbers.
    kind : Kind, optional
        What values it takes, such as `boundcheck.notation.COUNT` or `WHOLE`: a search for violations tries no others.

    Raises
    ------
    InputError
        If the name is taken, no Python name, or the sense is neither.

    Examples
    --------
    >>> def squares(problem, points):
    ...     return (problem.mean_gradient(points[:, None]) ** 2).sum(axis=(1, 2))
    >>> own_letter("G2_f", "largest |grad f|^2", unit=(2, -2), attack=squares)
    G2_f
    """
    require(sense in {"sup", "inf"}, f"letter {name}: sense", sense, "sup or inf")
    symbol = declare(name, meaning, unit, kind)
    sign = 1.0 if sense == "sup" else -1.0

    def run(search: Multistart) -> float:
        return sign * search.best(lambda points: sign * attack(search.problem, points))

    MAXIMISERS[name] = Maximiser(run, sense)
    ATTACKS[name] = Attack(attack, sense)
    return symbol
