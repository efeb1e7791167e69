"""One page on which the rates of several methods stand side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS, RATES
from boundcheck.bounds.orders import exponents
from boundcheck.report.pages.figure import place_figure
from boundcheck.report.pages.tables import captioned_table
from boundcheck.report.plots import figures
from boundcheck.report.plots.curves import curves
from boundcheck.report.typst.markup import code, epsilon, escape, power

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boundcheck.bounds import Bound
    from boundcheck.bounds.rate import Rate
    from boundcheck.sweep import StudyResult


def rates(results: Sequence[StudyResult], folder: Path) -> str:
    """Return the section: a panel a study, then a table of what the drawn bounds promise."""
    drawn = [r for r in results if curves(r, "T")]
    if not drawn:
        return ""
    caption = (
        "Measured mean along T (black), the bounds of its theorem, methods that run beside, and slopes that comparison "
        "tables promise for other methods (grey, drawn through the first measurement: their constants are hidden)."
    )
    alt = "Rates of several methods along T"
    figure = place_figure(figures.rates_figure(drawn), "rates", folder, caption=caption, alt=alt)
    return "\n".join(["= Rates side by side\n\n", figure, _table(drawn)])


def _table(results: Sequence[StudyResult]) -> str:
    bounds = [BOUNDS[name] for name in dict.fromkeys(r.study.bounds[0] for r in results)]
    rates = [RATES[name] for name in dict.fromkeys(name for r in results for name in r.study.overlays)]
    rows = [*map(_row, bounds), *map(_row, rates)]
    head = ["Bound or rate", "Method", "Name", "As $T$ grows", "Rounds", "Local steps"]
    return captioned_table(
        head, rows, "(1.5fr, 1fr, 1.5fr, auto, auto, auto)", "What the drawn bounds and rates promise."
    )


def _row(stated: Bound | Rate) -> list[str]:
    found = exponents(stated)
    rate = " ".join(power(k, float(p)) for k in ("T", "N", "S", "K") if (p := getattr(found, k)) != 0)
    method = code(stated.method) if stated.method else "--"
    return [escape(stated.title), method, code(stated.id), rate or "$1$", epsilon(found.rounds), epsilon(found.samples)]
