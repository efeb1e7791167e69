"""The pages of a study: what was measured against the bounds, the observed orders and the tightest cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.report.pages.figure import place_figure, stem
from boundcheck.report.pages.studies.times import times
from boundcheck.report.pages.tables import growths, orders, refusals, tightest
from boundcheck.report.plots import figures
from boundcheck.report.plots.curves import (
    PANELS,
    constant,
    curves,
    has_log_axis,
    label_of,
    main_letter,
    metrics,
    thin,
    varying,
)
from boundcheck.report.typst.markup import code, escape, letter, number, prose, setting
from boundcheck.verdicts.words import MARGIN

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from boundcheck.sweep import StudyResult

GUIDE = f"""\
_Observed orders_ are powers $p$ in $a T^(-p)$. _As promised_: the 95 % interval lies within {MARGIN:g} of the theorem's
exponent; _faster_ and _not reached_ do not by themselves contradict an upper bound: the curve may still be far below.
_Settled_: the last three local orders agree, and so do the bound's with the promise, so the grid reaches the asymptotic
range. Slices are parts of the grid along one letter, the others fixed.
"""
"""What the tables of all studies have in common."""


def study(result: StudyResult, folder: Path) -> str:
    """Return the section of one study; its figures are written to `folder`."""
    about = result.study
    parts = [f"== {prose(about.title)}\n", _grid(result), prose(about.text)]
    if any(p.measured is not None for p in result.points):
        parts += [_main(result, metric, folder) for metric in metrics(result)]
        speedups = [_speedup(result, letter, folder) for letter in about.fit if letter != main_letter(result)]
        small = [*([] if _multiples(result) else speedups), *_shapes(result, folder), _trajectories(result, folder)]
        parts += [
            *(speedups if _multiples(result) else []),
            _side_by_side([figure for figure in small if figure]),
            *times(result, folder),
            *orders(result),
            *growths(result),
            tightest(result),
        ]
    parts.append(refusals(result))
    return "\n\n".join(p for p in parts if p) + "\n"


def _grid(result: StudyResult) -> str:
    about = result.study
    axes = "; ".join(f"${letter(k)}$ in {_values(result, k)}" for k in varying(result))
    same = setting(constant(result))
    side = ", run side by side" if about.zip else ""
    compared = ", ".join(c.name for c in about.compare)
    return (
        f"Problem {code(about.problem)}, method {code(BOUNDS[about.bounds[0]].method)} at the parameters that "
        f"{code(about.bounds[0])} prescribes; "
        + (f"{len(result.points)} cells{side}: {axes}" if axes else "one cell")
        + (f"; {same}" if same else "")
        + (f". Compared: {escape(compared)}" if compared else "")
        + ".\n"
    )


def _values(result: StudyResult, name: str) -> str:
    values = dict.fromkeys(p.setting[name] for p in result.points)
    return ", ".join(number(float(v)) if isinstance(v, (int, float)) else escape(str(v)) for v in values)


def _side_by_side(small: list[str]) -> str:
    """Put figures side by side, two in a row; one that is left over has a row of its own."""
    if not small:
        return ""
    return f"#beside({', '.join(f'[{figure}]' for figure in small)})\n"


def _main(result: StudyResult, metric: str, folder: Path) -> str:
    about, along = result.study, main_letter(result)
    lines = curves(result, along, metric)
    shown = f" {PANELS} of {len(lines)} slices are shown." if len(lines) > PANELS else ""
    shares = (
        " Below: which term of the first bound makes up the right-hand side." if figures.splits(thin(lines)) else ""
    )
    triangle = (
        " The grey triangle has the promised slope: a measured curve that runs parallel to its long side keeps the "
        "promise."
        if any(c.promised for c in lines)
        else ""
    )
    caption = (
        "Measured mean with its 95 % interval (black) and right-hand sides. A theorem holds where its line is above "
        f"the black one, and says something where it is below the dotted one.{triangle}{shares}{shown}"
    )
    alt = f"Measurements and bounds against {along}: {about.title}"
    return place_figure(
        figures.bound_figure(result, metric), f"{stem(result)}-{metric}", folder, caption=caption, alt=alt
    )


def _shapes(result: StudyResult, folder: Path) -> Iterable[str]:
    for name, found in result.shapes.items():
        if not found:
            continue
        lines = [(label_of({k: v for k, v in at if k in varying(result)}), shape) for at, shape in found]
        caption = (
            f"Measured / shape for {code(name)}, a bound whose constant is hidden. The constant is at least as large "
            "as the highest point; the thin lines are fitted powers, which describe this grid alone."
        )
        file, alt = f"{stem(result)}-{name.replace('.', '-')}", f"Ratio to the shape of {name}"
        yield place_figure(figures.shape_figure(name, lines[:PANELS]), file, folder, caption=caption, alt=alt)


def _speedup(result: StudyResult, along: str, folder: Path) -> str:
    if along not in varying(result) or not has_log_axis(result, along) or result.study.zip:
        return ""
    caption = (
        f"Measured means and the first bound (thin lines) against ${letter(along)}$ at fixed $T$. The triangle has the "
        "promised slope; where noise does not dominate, a flat curve is no contradiction."
    )
    file, alt = f"{stem(result)}-by-{along}", f"Measurements against {along}"
    return place_figure(figures.speedup_figure(result, along), file, folder, caption=caption, alt=alt)


def _multiples(result: StudyResult) -> bool:
    """Return whether speed-up figures are wide: several panels, for letters that vary besides T and the axis."""
    return len(varying(result)) - len({"T"} & set(varying(result))) > 1


def _trajectories(result: StudyResult, folder: Path) -> str:
    figure = figures.trajectory_figure(result)
    if figure is None:
        return ""
    caption = (
        "Running averages of single cells at the longest horizon. Parameters depend on the horizon, so a curve here is "
        "not the curve of the figure above: only its last point is."
    )
    alt = "Running averages against the rounds"
    return place_figure(figure, f"{stem(result)}-runs", folder, caption=caption, alt=alt)
