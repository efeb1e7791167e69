"""The shipped theorems as rows of a page, as a table of the literature would have them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from boundcheck.worst.theorems.all_steps.statement import falling_inequality, inequality, where
from boundcheck.worst.theorems.collection.shipped import FOLDER, shipped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.worst.theorems.all_steps.theorem import StepTheorem

_LEFT = "mean_t E|grad f(x_t)|^2 <= "


def rows_for_all_k() -> list[str]:
    """Return the rows of theorems for every K with few constants: name, method, range, right-hand side."""
    found = []
    for name, theorem in shipped().items():
        if theorem.K is None and not is_near(theorem):
            right = inequality(theorem).removeprefix(_LEFT)
            found.append(f"| `{name}` | {theorem.method.card.title} | {_range(theorem)} | {_code(right)} |")
    return found


def rows_that_fall() -> list[str]:
    """Return the rows of theorems under the Polyak-Lojasiewicz condition: name, method, range, right-hand side."""
    found = []
    for name, theorem in shipped().items():
        if (said := falling_inequality(theorem)) is not None:
            right = _code(said.partition(" <= ")[2])
            found.append(f"| `{name}` | {theorem.method.card.title} | {_range(theorem).strip('`')} | {right} |")
    return found


def rows_for_one_k() -> list[str]:
    """Return the rows of theorems for one K: name, method, range, excess over the best one-round theorem, size."""
    return _rows_with_excess({name: theorem for name, theorem in shipped().items() if theorem.K is not None})


def rows_near() -> list[str]:
    """Return the rows of theorems for every K that are near the best one-round theorems, as those for one K."""
    return _rows_with_excess({name: theorem for name, theorem in shipped().items() if is_near(theorem)})


def is_near(theorem: StepTheorem) -> bool:
    """Whether a theorem for every K has polynomials, rather than few constants."""
    return theorem.K is None and len(theorem.rate) > 1


def _rows_with_excess(theorems: Mapping[str, StepTheorem]) -> list[str]:
    found = []
    for name, theorem in theorems.items():
        size = len(json.dumps(theorem.proof)) / 1000
        words = f"{100 * theorem.gap:.2f} %"
        found.append(f"| `{name}` | {theorem.method.card.title} | {_range(theorem)} | {words} | {size:.1f} kB |")
    return found


def _range(theorem: StepTheorem) -> str:
    """Return the range without what all of them hold for."""
    said = where(theorem).replace("every K, N, T, ", "").replace(", every N, T", "")
    return _code(said.replace("; in units in which L = 1", "").replace("; h = eta K L", ""))


def _code(text: str) -> str:
    return f"`{text}`".replace("|", "\\|")


def main() -> None:
    """Print the tables."""
    parts = (rows_for_all_k(), rows_that_fall(), rows_near(), rows_for_one_k())
    print("\n\n".join("\n".join(rows) for rows in parts))
    print(f"\n{len(list(FOLDER.glob('*.json')))} theorems")


if __name__ == "__main__":
    main()
