"""The extremal problems that ship: ``python -m boundcheck.worst.cases.tables`` makes their table anew."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.files.rows import json_rows
from boundcheck.methods import METHODS
from boundcheck.problems import extremal
from boundcheck.problems.extremal.family import Extremal
from boundcheck.worst.cases.worst_case import worst

if TYPE_CHECKING:
    from boundcheck.methods.base import Method
    from boundcheck.worst.cases.case import WorstCase

_DIGITS = 13
"""Decimal digits that are kept."""


@dataclass(frozen=True)
class ShippedCase:
    """One worst case whose problem ships."""

    method: str
    hyper: dict[str, Any]
    K: int
    T: int
    given: dict[str, Any]
    """Constants of `boundcheck.worst.ProblemClass`, where they are not the usual ones."""
    measure: str = field(default="average")

    def build_method(self) -> Method:
        """Return the method."""
        return METHODS[self.method](**self.hyper)

    def solve(self) -> WorstCase:
        """Return the worst case."""
        return worst(self.build_method(), K=self.K, T=self.T, measure=self.measure, **self.given)

    def origin(self, value: float) -> str:
        """Return where the problem is from, in words."""
        steps, given = (", ".join(f"{k} = {v}" for k, v in row.items()) for row in (self.hyper, self.given))
        run = f"{self.method} ({steps}), K = {self.K}, T = {self.T}"
        return f"worst case of {run} in the class {given or 'of smooth clients'}: {self.measure} {value:.9g}"


_HALF = {"eta": 0.5}
_SHORT = {"eta": 0.25, "gamma": 0.5, "beta": 0.6}

SHIPPED = {
    "gd": ShippedCase("sgd", {"eta": 1.0}, 1, 3, {"N": 1}, "best"),
    "gd-convex": ShippedCase("sgd", {"eta": 1.0}, 1, 3, {"N": 1, "mu": 0.0, "Delta": None, "distance": 1.0}, "value"),
    "sarah": ShippedCase("sarah", _HALF, 2, 2, {"N": 1}),
    "fedavg": ShippedCase("fedavg", _HALF, 2, 2, {"zeta": 1.0}),
    "fedavg-long": ShippedCase("fedavg", _HALF, 2, 3, {"zeta": 1.0}),
    "fedavg-three": ShippedCase("fedavg", {"eta": 1 / 3}, 3, 2, {"zeta": 1.0}),
    "fedavg-start": ShippedCase("fedavg", _HALF, 2, 3, {"G_0": 4.0}),
    "fedavg-tilts": ShippedCase("fedavg", _HALF, 2, 2, {"zeta": 1.0, "everywhere": True}),
    "fedavg-floors": ShippedCase("fedavg", {"eta": 0.25}, 2, 3, {"Delta": None, "Delta_mean": 1.0}, "average(0.25)"),
    "fedavg-best": ShippedCase("fedavg", _HALF, 2, 2, {"zeta": 1.0}, "best"),
    "fedavg-local": ShippedCase("fedavg", _HALF, 2, 2, {"zeta": 1.0}, "local"),
    "fedavg-m": ShippedCase("fedavg-m", _SHORT, 2, 3, {"G_0": 4.0}),
    "scaffold": ShippedCase("scaffold", {"eta": 0.25, "B": 1}, 2, 3, {"G_0": 4.0}),
    "scaffold-m": ShippedCase("scaffold-m", _SHORT, 2, 3, {"G_0": 4.0}),
    "fedglomo": ShippedCase("fedglomo", {"eta": 0.25, "beta": 0.6}, 2, 2, {"Delta": None, "Delta_mean": 1.0}),
    "mime": ShippedCase("mime", {"eta": 0.25, "beta": 0.6}, 2, 2, {"zeta": 1.0}),
    "fedprox-m": ShippedCase("fedprox-m", {"eta": 0.25, "rho": 0.5, "beta": 0.5}, 2, 2, {"zeta": 1.0}),
}
"""Every shipped worst case by the name of its problem."""


def table(name: str) -> dict[str, Any]:
    """Return the table of one shipped problem.

    Raises
    ------
    ValueError
        If no function attains the worst case.
    """
    found = SHIPPED[name].solve()
    if not isinstance(found.problem, Extremal) or not found.exact:
        msg = f"{name}: no function attains the worst case: {found.why or found.lower}"
        raise ValueError(msg)
    pieces = found.problem.pieces
    row = {**pieces.table(), "origin": SHIPPED[name].origin(found.upper), "value": found.upper}
    return {key: _round_values(value) for key, value in row.items()}


def _round_values(value: Any) -> Any:
    if isinstance(value, list):
        return [_round_values(entry) for entry in value]
    return round(value, _DIGITS) + 0.0 if isinstance(value, float) else value


def main() -> None:
    """Write the table of all shipped problems."""
    path = Path(extremal.__file__).with_name("tables.json")
    path.write_text(json_rows({name: table(name) for name in SHIPPED}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
