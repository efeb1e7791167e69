"""The numbers of a figure as plain data, from which a page can draw it again with values under the pointer."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation

from boundcheck.files.atomic import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DIGITS = 4
_WORDS: WeakKeyDictionary[Artist, tuple[str, str]] = WeakKeyDictionary()


def describe(artist: Artist, words: str, link: str = "") -> None:
    """Say what a mark of a figure is, for where it is drawn again with words under the pointer; `link` leads there."""
    _WORDS[artist] = words, link


def write_numbers(figure: Figure, path: Path) -> bool:
    """Write what `numbers` finds, nothing where a figure has no lines; return whether it has."""
    found = numbers(figure)
    has_lines = any(panel["lines"] for panel in found["panels"])
    if has_lines:
        write_whole(path, json.dumps(found, separators=(",", ":")))
    return has_lines


def numbers(figure: Figure) -> dict[str, Any]:
    """Return size (inches) and panels of a figure: labels, scales, lines and filled areas."""
    keys = [handle for legend in figure.legends for handle in legend.legend_handles if isinstance(handle, Line2D)]
    return {
        "size": list(map(float, figure.get_size_inches())),
        "panels": [_panel(axes) for axes in figure.axes],
        "legend": [_line(key) | {"x": [], "y": []} for key in keys],
    }


def _panel(axes: Axes) -> dict[str, Any]:
    box = axes.get_subplotspec()
    row, column = (box.rowspan.start, box.colspan.start) if box else (0, 0)
    ticks = [t.get_text() for t in axes.get_yticklabels()]
    named = axes.get_yscale() == "linear" and any(text and not _numeric(text) for text in ticks)
    return {
        "row": row,
        "column": column,
        "title": plain_label(axes.get_title()),
        "x": plain_label(axes.get_xlabel()),
        "y": plain_label(axes.get_ylabel()),
        "log": [axes.get_xscale() == "log", axes.get_yscale() == "log"],
        "range": [list(map(_short, axes.get_xlim())), list(map(_short, axes.get_ylim()))],
        "ticks": {str(_short(at)): text for at, text in zip(axes.get_yticks(), ticks, strict=False)} if named else {},
        "at": [_short(at) for at in axes.get_xticks()],
        "lines": [_line(line) for line in axes.get_lines() if len(line.get_xdata()) and not _whole(line)],  # type: ignore[arg-type]
        "areas": [_area(c) for c in axes.collections if isinstance(c, PolyCollection)],
        "levels": [_level(line) for line in axes.get_lines() if len(line.get_xdata()) and _whole(line)],  # type: ignore[arg-type]
        "spans": [_span(patch) for patch in axes.patches if isinstance(patch, Rectangle)],
        "texts": [text for item in axes.texts if (text := _text(item, axes))],
        "arrows": [_arrow(item) for item in axes.texts if isinstance(item, Annotation) and item.arrow_patch],
    }


_COMMANDS = {
    "nabla": "∇", "zeta": "ζ", "epsilon": "ε", "Phi": "Φ", "cdot": "·", "eta": "η", "sigma": "σ", "bar": "", "|": "‖",
}  # fmt: skip
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain_label(text: str) -> str:
    """Return a label of a figure without the signs of its mathematics."""
    text = re.sub(r"\\[,;! ]", " ", text.replace(r"\$", "\x00"))
    text = re.sub(r"\^\{?(-?\d+)\}?(?!/)", lambda m: m[1].translate(_RAISED), text)
    text = re.sub(r"\\(?:mathrm|mathbb|mathdefault|overline|bar)\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"\\([A-Za-z]+|\|)", lambda m: _COMMANDS.get(m[1], m[1]), text)
    text = re.sub(r"\^\{([^{}]*)\}", r"^(\1)", text)
    return re.sub(r"[${}]", "", text).replace("\x00", "$")


def _whole(line: Any) -> bool:
    """Return whether a line runs over the whole axis (`axhline`): its ends are no data."""
    return bool(line.get_transform() != line.axes.transData)


def _line(line: Any) -> dict[str, Any]:
    label = str(line.get_label())
    return {
        "label": "" if label.startswith("_") else plain_label(label),
        "color": to_hex(line.get_color()),
        "dash": {"-": "solid", "--": "dashed", "-.": "dashdot", "None": "none"}.get(line.get_linestyle(), "dotted"),
        "marker": "" if line.get_marker() in {"None", "", None} else str(line.get_marker()),
        "hollow": _is_white(line.get_markerfacecolor()),
        "words": list(_WORDS.get(line, ())),
        "x": [_short(v) for v in np.asarray(line.get_xdata(), dtype=float)],
        "y": [_short(v) for v in np.asarray(line.get_ydata(), dtype=float)],
    }


def _is_white(color: Any) -> bool:
    return bool(to_hex(color) == "#ffffff") if isinstance(color, str) and color != "none" else color == "none"


def _level(line: Any) -> dict[str, Any]:
    """Return a line that runs over the whole axis."""
    x, y = line.get_xdata(), line.get_ydata()
    upright = x[0] == x[1]
    return _line(line) | {"upright": bool(upright), "x": [], "y": [], "value": _short(float((x if upright else y)[0]))}


def _span(patch: Any) -> dict[str, Any]:
    """Return a band over the whole height of a panel."""
    *_, alpha = patch.get_facecolor()
    ends = [_short(float(patch.get_x())), _short(float(patch.get_x() + patch.get_width()))]
    return {"color": to_hex(patch.get_facecolor()), "alpha": round(float(alpha), 2), "ends": ends}


def _text(item: Any, axes: Axes) -> dict[str, Any] | None:
    """Return a text in a panel; one beside a mark is moved a little."""
    words = plain_label(item.get_text())
    if not words:
        return None
    place = item.xy if isinstance(item, Annotation) else item.get_position()
    return {
        "text": words,
        "x": _short(float(place[0])),
        "y": _short(float(place[1])),
        "inside": bool(item.get_transform() == axes.get_yaxis_transform()),
        "bold": item.get_fontweight() == "bold",
        "side": item.get_horizontalalignment(),
        "beside": isinstance(item, Annotation),
    }


def _arrow(item: Any) -> dict[str, Any]:
    """Return an arrow from one place to another."""
    start = item.xyann if item.xyann is not None else item.xy
    return {"from": [_short(float(v)) for v in start], "to": [_short(float(v)) for v in item.xy]}


def _area(area: Any) -> dict[str, Any]:
    path = area.get_paths()[0].vertices if area.get_paths() else np.empty((0, 2))
    color = area.get_facecolor()
    return {
        "color": to_hex(color[0]) if len(color) else "#888888",
        "alpha": round(float(color[0][3]), 2) if len(color) else 0.2,
        "x": [_short(v) for v in path[:, 0]],
        "y": [_short(v) for v in path[:, 1]],
    }


def _short(value: float) -> float | None:
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None


def _numeric(text: str) -> bool:
    return all(c in "0123456789.$^{}\\mathdefault·-−×½ " for c in text)
