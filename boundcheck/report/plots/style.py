"""How figures look: a palette safe for colour-blind readers, always with a marker and a line style."""

from __future__ import annotations

import contextlib
import functools
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from matplotlib.axes import Axes

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, VERMILLION, PURPLE = "#F0E442", "#0072B2", "#D55E00", "#CC79A7"
GREY = "#777777"
OKABE_ITO = (BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILLION, PURPLE)

WIDTH = 6.9
"""Width of the text on the page, in inches."""
HALF = 3.3
"""Width of one of two figures side by side."""

RC: Any = {
    "font.family": "STIXGeneral",
    "mathtext.fontset": "stix",
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "legend.fontsize": 8.5,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.linewidth": 0.4,
    "grid.color": "#dddddd",
    "lines.linewidth": 1.2,
    "lines.markersize": 4,
    "legend.frameon": False,
    "hatch.linewidth": 0.4,
    "svg.fonttype": "path",
    "svg.hashsalt": "boundcheck",
    "savefig.dpi": 200,
}
"""What differs from matplotlib's own defaults."""


_OF_PROCESSES = ("animation", "backend", "date.epoch", "docstring", "interactive", "keymap", "timezone", "tk", "tool")
"""How the names of parameters begin that belong to a process and decide no file."""


@contextlib.contextmanager
def look(more: Mapping[str, Any] | None = None) -> Iterator[None]:
    """Draw within as boundcheck does, whatever the ``matplotlibrc`` of a folder or of a user says.

    Parameters
    ----------
    more : mapping, optional
        Parameters of matplotlib that differ here.
    """
    import matplotlib as mpl

    with mpl.rc_context():
        parameters: Any = _plain() | RC | dict(more or {})
        mpl.rcParams.update(parameters)
        yield


@functools.cache
def _plain() -> dict[str, Any]:
    """Return matplotlib's own defaults."""
    import matplotlib as mpl

    return {name: value for name, value in mpl.rcParamsDefault.items() if not name.startswith(_OF_PROCESSES)}


@dataclass(frozen=True)
class LineStyle:
    """Colour, marker and line style that always go together."""

    color: str
    marker: str
    line: str | tuple[int, tuple[float, ...]]

    @property
    def keywords(self) -> dict[str, Any]:
        """Return them as keywords of ``Axes.plot``."""
        return {"color": self.color, "marker": self.marker, "linestyle": self.line}


MEASURED = LineStyle(BLACK, "o", "-")
BOUNDS = (
    LineStyle(BLUE, "s", "-"),
    LineStyle(VERMILLION, "^", "--"),
    LineStyle(GREEN, "D", "-."),
    LineStyle(PURPLE, "v", (0, (5, 1, 1, 1))),
)
COMPARED = (LineStyle(ORANGE, "x", ":"), LineStyle(SKY, "+", ":"), LineStyle(GREY, "*", ":"))
SERIES = (
    LineStyle(BLACK, "o", "-"),
    LineStyle(BLUE, "s", "--"),
    LineStyle(VERMILLION, "^", "-."),
    LineStyle(GREEN, "D", ":"),
)
FILLS = (
    ("#0072B2", ""),
    ("#E69F00", "///"),
    ("#a8dcc8", "..."),
    ("#f4c7a8", "\\\\\\"),
    ("#e3c6d8", "xxx"),
    ("#eeeeee", "---"),
    ("#bbbbbb", "|||"),
)
"""Colour and hatch of the shares of a stack."""


def nth(inks: tuple[LineStyle, ...], index: int) -> LineStyle:
    """Return the ink of the series with this index, starting again when they run out."""
    return inks[index % len(inks)]


def exponent_label(text: str, exponent: float) -> str:
    """Return ``$T^{-1/2}$`` for figures."""
    fraction = Fraction(exponent).limit_denominator(24)
    exact = abs(float(fraction) - exponent) < 1e-9
    return f"${text}^{{{fraction if exact else f'{exponent:.2f}'}}}$"


def slope_triangle(axes: Axes, x: tuple[float, float], y: float, slope: float, text: str) -> None:
    """Draw a right triangle with hypotenuse of the given slope on logarithmic axes.

    Parameters
    ----------
    axes : Axes
        Both axes logarithmic.
    x : pair of float
        Where the triangle starts and stops.
    y : float
        Height of the upper left corner (the lower left one for a rising slope).
    slope : float
        Power of x.
    text : str
        What is written beside the hypotenuse.
    """
    a, b = x
    far = y * (b / a) ** slope
    axes.fill([a, a, b], [y, far, far], facecolor="#e8e8e8", edgecolor=GREY, linewidth=0.7, zorder=1)
    axes.annotate(
        text,
        (a, (y * far) ** 0.5),
        xytext=(-3, 0),
        textcoords="offset points",
        ha="right",
        va="center",
        fontsize=8,
        color="#444444",
    )
