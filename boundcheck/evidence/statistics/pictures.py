"""Verdicts as a picture: what is measured, the right-hand side, and what holds without the theorem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.errors import require
from boundcheck.files.pictures import axes_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes


_INK, _BOUND, _TRIVIAL = "#1f4e8c", "#b5521b", "#8a8a8a"


def draw_verdicts(verdicts: Sequence[Any], ax: Axes | None = None) -> Axes:
    """Draw measured with its interval beside the right-hand side, a place for each horizon.

    Parameters
    ----------
    verdicts : sequence of Verdict
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Raises
    ------
    InputError
        If nothing was measured.
    """
    shown = [v for v in verdicts if v.measured is not None and v.rhs is not None and v.setting]
    reason = verdicts[0].reason if verdicts else "no verdict"
    require(bool(shown), "verdict", reason, "one with a measurement and a right-hand side")
    axes = axes_for(ax)
    T = [float((v.setting or {})["T"]) for v in shown]
    measured = [float(v.measured or 0.0) for v in shown]
    spread = [[max(m - (v.low if v.low is not None else m), 0.0) for m, v in zip(measured, shown, strict=True)]]
    spread += [[max((v.high if v.high is not None else m) - m, 0.0) for m, v in zip(measured, shown, strict=True)]]
    axes.errorbar(T, measured, yerr=spread, fmt="o-", color=_INK, capsize=3, label="measured, 95 % interval")
    axes.plot(T, [float(v.rhs or 0.0) for v in shown], "s--", color=_BOUND, label="right-hand side")
    trivial = [v.vacuity for v in shown]
    if all(value is not None and 0 < value < float("inf") for value in trivial):
        axes.plot(T, [float(value or 0.0) for value in trivial], ":", color=_TRIVIAL, label="trivial bound")
    if min(measured) > 0:
        axes.set_yscale("log")
    if len(T) > 1:
        axes.set_xscale("log")
    axes.set_xticks(T, [f"{value:g}" for value in T])
    axes.minorticks_off()
    axes.set_xlabel("rounds T")
    axes.set_ylabel("left-hand side")
    words = ", ".join(dict.fromkeys(v.verdict for v in shown))
    axes.set_title(f"{shown[0].bound} on {shown[0].problem}: {words}", fontsize=10)
    axes.legend(frameon=False, fontsize=9)
    return axes
