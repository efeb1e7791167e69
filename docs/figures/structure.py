"""Draw the pictures of docs/internals.md: rooms, and sub-rooms, as their imports order them.

``python docs/figures/structure.py [FOLDER]``.  An arrow goes from who imports to what is imported, imports inside
functions and for types included; one that follows from others is left out.
"""

from __future__ import annotations

import ast
import graphlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.figure import Figure

import boundcheck
from boundcheck.report.plots import style
from boundcheck.report.plots.figures import save

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from matplotlib.axes import Axes

HERE = Path(__file__).parent
PACKAGE = Path(boundcheck.__file__).parent
LARGE = ("proofs", "worst", "evidence", "sweep", "conform", "cli")
"""Rooms whose sub-rooms have a picture."""


def imported_by(path: Path) -> Iterator[str]:
    """Yield what a file of the package imports of the package, as dotted names, wherever the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("boundcheck"):
            yield from (f"{node.module}.{one.name}" for one in node.names)
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name.startswith("boundcheck."))


def arrows(room: Path) -> dict[str, set[str]]:
    """Return which folders of a room import which others."""
    parts = {one.name for one in room.iterdir() if (one / "__init__.py").is_file()}
    above = ".".join(room.relative_to(PACKAGE.parent).parts) + "."
    found: dict[str, set[str]] = {part: set() for part in sorted(parts)}
    for part, others in found.items():
        for path in (room / part).rglob("*.py"):
            inside = (name.removeprefix(above) for name in imported_by(path) if name.startswith(above))
            others.update({name.partition(".")[0] for name in inside} & parts - {part})
    return found


def reduce_arrows(graph: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the arrows that follow from no others.

    Raises
    ------
    graphlib.CycleError
        If they close a circle.
    """
    below: dict[str, set[str]] = {}
    for name in graphlib.TopologicalSorter(graph).static_order():
        below[name] = set().union(*(below[one] | {one} for one in graph.get(name, ())))
    return {
        name: {one for one in others if not any(one in below[two] for two in others)} for name, others in graph.items()
    }


def levels(graph: Mapping[str, set[str]]) -> dict[str, int]:
    """Return how far above the ground each part stands: one more than the highest that it imports."""
    found: dict[str, int] = {}
    for name in graphlib.TopologicalSorter(graph).static_order():
        found[name] = max((found[one] + 1 for one in graph.get(name, ())), default=0)
    return found


def draw_parts(axes: Axes, graph: Mapping[str, set[str]]) -> None:
    """Draw the parts of a room, each above all that it imports."""
    height = levels(graph)
    rows = [[name for name in graph if height[name] == level] for level in range(max(height.values()) + 1)]
    at = {name: ((k + 0.5) / len(row), height[name]) for row in rows for k, name in enumerate(row)}
    box = {"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": style.BLACK, "lw": 0.6}
    text = {
        name: axes.annotate(name, place, ha="center", va="center", fontsize=7, bbox=box) for name, place in at.items()
    }
    for name, others in reduce_arrows(graph).items():
        for other in sorted(others):
            ends = {"patchA": text[name].get_bbox_patch(), "patchB": text[other].get_bbox_patch()}
            arrow = {"arrowstyle": "-|>", "color": style.BLUE, "lw": 0.6, "shrinkA": 0, "shrinkB": 0, **ends}
            axes.annotate("", at[other], at[name], arrowprops=arrow)
    axes.set(xlim=(0, 1), ylim=(-0.5, max(height.values()) + 0.5))
    axes.axis("off")


def house() -> Figure:
    """Draw the rooms of the package."""
    figure = Figure(figsize=(style.WIDTH, 5.6), layout="constrained")
    draw_parts(figure.subplots(), arrows(PACKAGE))
    return figure


def rooms() -> Figure:
    """Draw the sub-rooms of the larger rooms."""
    figure = Figure(figsize=(style.WIDTH, 7.5), layout="constrained")
    for axes, room in zip(figure.subplots(3, 2).flat, LARGE, strict=True):
        draw_parts(axes, arrows(PACKAGE / room))
        axes.set_title(f"{room}/", fontsize=8)
    return figure


DRAWINGS = {"structure": house, "structure-rooms": rooms}
"""File name to drawing."""


def main(folder: Path = HERE) -> None:
    """Write the pictures; the same code writes the same bytes."""
    for name, draw in DRAWINGS.items():
        with mpl.rc_context(style.RC):
            save(draw(), folder / f"{name}.svg")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
