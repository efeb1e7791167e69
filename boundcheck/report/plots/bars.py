"""Measured over printed of the findings that a script shows, as bars."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from boundcheck.report.plots import style

if TYPE_CHECKING:
    from boundcheck.findings import Finding

NUMBER = r"\d+(?:\.\d+)?(?:e-?\d+)?"


def ratios(one: Finding) -> dict[str, float]:
    """Return measured / printed of a finding's script by instance, none where no script shows it."""
    shown = one.says.get("shown by", "")
    if not shown.startswith("script:"):
        return {}
    if above := re.match(rf"script: ({NUMBER}) > ({NUMBER})", shown):
        return {"": float(above[1]) / float(above[2])}
    listed = rf"((?:{NUMBER}, )*{NUMBER})"
    grown = re.match(rf"script: \D*{listed} at (\w+) = {listed}(?: and (\w+) = {listed})?", shown)
    if grown is None:
        return {}
    values, places = grown[1].split(", "), grown[3].split(", ")
    more = [f", {grown[4]} = {v}" for v in grown[5].split(", ")] if grown[4] else [""] * len(places)
    return {f"{grown[2]} = {p}{m}": float(v) for p, m, v in zip(places, more, values, strict=True)}


def picture(one: Finding, *, slim: bool = False) -> Figure:
    """Draw measured / printed, a bar an instance, on a logarithmic axis that begins at 1; `slim` beside a text."""
    found = ratios(one)
    size = (style.HALF, 0.5 + 0.2 * len(found)) if slim else (style.HALF * 1.4, 0.7 + 0.28 * len(found))
    with style.look():
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.subplots()
        # Numbers, not names: from Python 3.14 on, an axis of categories cannot be sent to the process that draws it.
        places = range(len(found))
        bars = axes.barh(places, [v - 1 for v in found.values()], left=1.0, color=style.VERMILLION, height=0.6)
        axes.set_yticks(places, [name or "instance" for name in found])
        axes.bar_label(bars, [figure_of(v) for v in found.values()], padding=3)
        axes.axvline(1.0, color=style.BLACK, linewidth=1.0)
        axes.set(xscale="log", xlim=(0.8, 4 * max(found.values())), xlabel="measured / printed")
        about = [*([] if slim else [one.where]), *([f"grows: {_set(one.grows)}"] if one.grows else [])]
        axes.set_title("\n".join(about), fontsize=7, loc="left")
        axes.invert_yaxis()
        axes.grid(visible=False, axis="y")
    return figure


def _set(words: str) -> str:
    """Return words with powers raised and indices below, as a figure sets them."""
    return re.sub(r"\b([A-Za-z])_(\w)\b", r"$\1_{\2}$", re.sub(r"\^(\d+)", r"$^{\1}$", words))


def figure_of(ratio: float) -> str:
    """Return a ratio as a figure: whole numbers up to a million."""
    return f"{ratio:,.0f}" if 100 <= ratio < 1e6 else f"{ratio:.3g}"
