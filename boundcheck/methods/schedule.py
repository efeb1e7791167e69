"""Step schedules for every method: a hyperparameter times a factor that follows a law of the round."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from boundcheck.errors import require
from boundcheck.methods.kinds import reals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.methods.base import Method

M = TypeVar("M", bound="Method")
_NUMBER = r"(\d+(?:\.\d+)?(?:e[+-]?\d+)?)"
_GEOMETRIC, _POWER = re.compile(rf"{_NUMBER}\^t"), re.compile(rf"\(t(?:/{_NUMBER})?\+1\)\^-{_NUMBER}")
_LINEAR = re.compile(rf"1-t/{_NUMBER}|\(1-t/{_NUMBER}\)(?:\^{_NUMBER})?")
_TABLE = re.compile(rf"{_NUMBER}(?:,{_NUMBER})+")
LEGAL = (
    "0.99^t (0 < factor <= 1) or (t+1)^-0.5, (t/20+1)^-1 (power > 0) or (1-t/20)^1, t = 0, 1, ... the rounds done; or "
    "factors of the first rounds such as 1,1.4,0.5, of which the last stays"
)


def factor(law: str, t: int) -> float:
    """Return the factor of a law after t rounds.

    Parameters
    ----------
    law : str
        ``0.99^t`` for a geometric decay, ``(t+1)^-0.5`` for a power of the round, ``(t/20+1)^-1`` for one that begins
        to fall after about 20 rounds, ``(1-t/20)^2`` or ``1-t/20`` for one that is 0 from round 20 on, ``1,1.4,0.5``
        for factors of the first rounds, of which the last stays.
    t : int
        Rounds done.

    Raises
    ------
    InputError
        If the law is not one of these.
    """
    text = law.replace(" ", "")
    if (found := _GEOMETRIC.fullmatch(text)) and 0 < float(found[1]) <= 1:
        return float(found[1]) ** t
    if _TABLE.fullmatch(text):
        return float(text.split(",")[min(t, text.count(","))])
    if (found := _LINEAR.fullmatch(text)) and (end := float(found[1] or found[2])) > 0:
        return float(max(0.0, 1.0 - t / end) ** float(found[3] or 1))
    found = _POWER.fullmatch(text)
    legal = found is not None and float(found[2]) > 0 and float(found[1] or 1) > 0
    require(legal, "schedule", law, LEGAL)
    assert found is not None
    return float((t / float(found[1] or 1) + 1.0) ** -float(found[2]))


@dataclass(frozen=True)
class Schedule:
    """Laws of hyperparameters by name."""

    laws: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, laws: Mapping[str, str], method: Method) -> Schedule:
        """Return the schedule of a method.

        Raises
        ------
        InputError
            If the method has no number of a name, or a law is not legal.
        """
        cls.check(laws, reals(method), method.card.id)
        return cls(tuple(laws.items()))

    @staticmethod
    def check(laws: Mapping[str, str], numbers: Sequence[str], where: str) -> None:
        """Refuse laws that are not legal, or of a name that is not in `numbers`.

        Raises
        ------
        InputError
            With the name or the law, and what is legal.
        """
        for name, law in laws.items():
            require(name in numbers, f"{where}: schedule", name, f"one of {', '.join(numbers)}")
            factor(law, 0)

    def at(self, method: M, t: int) -> M:
        """Return the method as it is in the round after t others."""
        if not self.laws:
            return method
        changes = {name: getattr(method, name) * factor(law, t) for name, law in self.laws}
        return dataclasses.replace(method, **changes)  # type: ignore[type-var]


CONSTANT = Schedule()
"""No law: every hyperparameter stays."""
