"""Times to epsilon of a study: rounds, samples and floats, with what was not reached, against what is promised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.report.pages.figure import place_figure, stem
from boundcheck.report.pages.tables import captioned_table
from boundcheck.report.plots import figures
from boundcheck.report.plots.curves import varying
from boundcheck.report.typst.markup import badge, code, interval, number, prose, rational, setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from boundcheck.evidence.checks.time_to_epsilon import Crossing
    from boundcheck.sweep import StudyResult, Timed

SHOWN = 4
"""Most lines of the figure."""


def times(result: StudyResult, folder: Path) -> Iterable[str]:
    """Yield the figure, the table of times and the table of exponents."""
    if not result.times:
        return
    caption = (
        "Rounds with 95 % intervals, and floats, until the left-hand side is at most eps squared. Every horizon has "
        f"runs of its own. An arrow is a lower limit: the accuracy was not reached on the grid.{_silent(result)}"
    )
    figure, alt = figures.times_figure(result.times[:SHOWN], varying(result)), "Rounds and floats against 1/eps"
    yield place_figure(figure, f"{stem(result)}-times", folder, caption=caption, alt=alt)
    yield _spending_table(result)
    yield _exponents(result)


def all_times(results: Sequence[StudyResult], folder: Path) -> str:
    """Return the section: of every study with accuracies the figure, and all exponents in one table."""
    parts = ["= Rounds to epsilon\n", TIMES]
    for result in (r for r in results if r.times):
        figure = figures.times_figure(result.times[:SHOWN], varying(result))
        caption = (
            f"_{prose(result.study.title)}_: rounds with 95 % intervals, and floats, at {code(result.study.problem)}."
            f"{_silent(result)}"
        )
        parts.append(place_figure(figure, f"{stem(result)}-all-times", folder, caption=caption, alt=result.study.title))
        parts.append(_exponents(result))
    return "\n".join(parts)


def _silent(result: StudyResult) -> str:
    """Return which methods have no line of floats, since they send none."""
    names = [
        prose(item.label)
        for item in result.times[:SHOWN]
        if not any(item.cost(found).floats for found in item.times.reached)
    ]
    return f" No floats are sent by {', '.join(names)}." if names else ""


TIMES = """\
Until the left-hand side is at most epsilon squared; every horizon has runs of its own, since the theorems set their
steps from it. An arrow is a lower limit: the accuracy was not reached on the grid.
"""


def _row_label(result: StudyResult, item: Timed) -> str:
    moving = {k: v for k, v in item.fixed if k in varying(result)}
    return prose(item.label) + (f" #linebreak() {setting(moving)}" if moving else "")


def _spending_table(result: StudyResult) -> str:
    rows = []
    for item in result.times:
        for found in item.times.reached:
            cost = item.cost(found)
            sign = f"${found.sign.strip()}$ " if found.sign else ""
            spent = [f"{sign}{number(v)}" for v in (found.rounds, *cost)]
            rows.append([_row_label(result, item), number(found.epsilon), spent[0], _between(found), *spent[1:]])
    head = ["Method", "$epsilon$", "Rounds", "95 % interval", "Samples", "Exact gradients", "Floats", "Bits"]
    columns = "(1fr, auto, auto, auto, auto, auto, auto, auto)"
    return captioned_table(head, rows, columns, "What an active client spends until epsilon is reached.")


def _between(found: Crossing) -> str:
    if found.relation == ">=":
        return "not reached"
    if found.relation == "<=":
        return "at once"
    return interval(found.low, found.high)


def _exponents(result: StudyResult) -> str:
    rows: list[Sequence[str]] = []
    for item in result.times:
        fit = item.times.complexity
        if fit is None:
            rows.append([_row_label(result, item), "--", "--", "--", "fewer than three accuracies inside the grid", ""])
            continue
        promised = "--" if fit.promised is None else f"${rational(float(fit.promised))}$"
        verdict = badge(fit.promise) if fit.promise else "--"
        found = [promised, number(fit.exponent), interval(fit.low, fit.high), verdict]
        rows.append([_row_label(result, item), *found, fit.note])
    head = ["Method", "Promised power", "Measured", "95 % interval", "Verdict", "Note"]
    caption = (
        "Rounds grow like this power of $1\\/epsilon$: 2 over the power of $T$ with which the averages fall along the "
        "horizons."
    )
    return captioned_table(head, rows, "(1fr, auto, auto, auto, auto, 1.2fr)", caption)
