"""What was decided in the studies of a report, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.evidence.statistics.betting import BETS
from boundcheck.report.pages.papers import in_order
from boundcheck.report.pages.status import count_verdicts, status, verdict_on
from boundcheck.report.typst.markup import badge, code, interval, letter, number, paper_title, prose
from boundcheck.verdicts.words import BOUND_WORDS, meanings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.sweep import Recipe, StudyResult

CLEAR = 1e4
"""Margins beyond this many standard errors are not told apart."""


def verdicts(results: Sequence[StudyResult]) -> str:
    """Return the table of verdicts, a row a bound and study."""
    return f"{_verdicts(results)}\n#note[{_columns()}.]\n\n"


def method(recipe: Recipe) -> str:
    """Return the section on how verdicts are reached: on bounds their words and error rates, then on experiments."""
    parts = [_bounds(recipe) if recipe.study or not recipe.experiment else "", _answers() if recipe.experiment else ""]
    return "= How verdicts are reached\n\n" + "\n\n".join(part for part in parts if part)


def _bounds(recipe: Recipe) -> str:
    words = "; ".join(f"{badge(k)}: {v}" for k, v in meanings(BOUND_WORDS).items())
    guide = "A bound is a theorem's right-hand side, evaluated with exact constants; a verdict compares it with the "
    return f"{guide}measured left-hand side: {words}.\n\n{_error_rate(recipe)}\n"


def _answers() -> str:
    return """\
#strong[Answers on experiments.] Runs of two methods are paired: the same seed gives both the same noise. An
answer is an interval of the mean difference, of logarithms where scores are positive, that holds at all numbers
of runs at once, so that one may stop at any: a bet on the $t$ statistic, exact where differences are normal.
The intervals of one readout of an assertion hold together with probability at least $1 - alpha$, and so do
those of its controls. What is shown to lie within the margin is _the same_; what reaches beyond it on either
side is _open_.
"""


def _columns() -> str:
    return (
        "A study has the weakest word of its cells. _Worst ratio_: largest measured / bound. _Margin_: smallest "
        "(bound - measured) / standard error"
    )


def _verdicts(results: Sequence[StudyResult]) -> str:
    rows: list[list[str]] = []
    papers = in_order(BOUNDS[b].paper for r in results for b in r.study.bounds)
    for paper in papers:
        rows.append([f"#strong[{paper_title(paper)}]"])
        for result in results:
            rows += [_row(b, result) for b in result.study.bounds if BOUNDS[b].paper == paper]
    head = ["Bound and its status", "Study and problem", "Verdict here", "Cells", "Worst ratio", "Margin"]
    body = "".join(
        f"  table.cell(colspan: 6, fill: luma(240))[{row[0]}],\n"
        if len(row) == 1
        else "  " + ", ".join(f"[{c}]" for c in row) + ",\n"
        for row in rows
    )
    top = ", ".join(f"[{h}]" for h in head)
    columns = "(2.5fr, 2.4fr, auto, auto, auto, auto)"
    return f"#rows(columns: {columns}, align: left,\n  table.header({top}),\n{body})\n"


def _row(name: str, result: StudyResult) -> list[str]:
    bound = BOUNDS[name]
    named = f"{code(name.removeprefix(bound.paper + '.'))}, {bound.form}"
    first = f"{prose(bound.title)} #linebreak() {named} #linebreak() {status(name)}"
    where = f"{prose(result.study.title)} #linebreak() {code(result.study.problem)}"
    verdict = verdict_on(name, result.verdict(name))
    if name in result.grids:
        grid = result.grids[name]
        cells = count_verdicts(name, {v: grid.counts[v] for v in BOUND_WORDS if grid.counts.get(v)})
        return [first, where, verdict, cells, number(grid.worst_ratio), _margin(grid.smallest_margin)]
    shapes = [shape for _, shape in result.shapes.get(name, [])]
    at_least = result.constant_at_least(name)
    limit = "--" if at_least is None else f"$C >=$ {number(at_least)}"
    if not shapes:
        return [first, where, verdict, "order only", limit, "--"]
    worst = max(shapes, key=lambda s: s.growth)
    growth = f"{limit} #linebreak() like ${letter(worst.letter)}^({worst.growth:.2f})$ #linebreak() "
    return [first, where, verdict, "order only", growth + interval(worst.low, worst.high), "--"]


def _margin(margin: float | None) -> str:
    if margin is None:
        return "no noise"
    return f"{number(margin)} s.e." if margin < CLEAR else "$> 10^4$ s.e."


def _error_rate(recipe: Recipe) -> str:
    return f"""\
#strong[Error rate.] If a bound is true, some cell of a study calls it violated with probability at most $alpha
= {recipe.alpha:g}$; a false _holds_ has the same rate. A cell is one setting of the grid, run
{recipe.replicates} times with independent noise; iterations of one run are never pooled. _Violated_: the wealth
of a bet against the bound (a mixture of {len(BETS)} stakes, a nonnegative supermartingale if the bound is true)
passes $m \\/ alpha$ for one of the $m$ cells, or Holm's procedure on the inverse wealths rejects one; this is
valid for every sample size and any skewness. _Holds_: the same bet in the other direction, against a proved
ceiling of every run. _Consistent_: a one-sided upper limit of the mean at the nominal rate $alpha \\/ (2m)$
stays below the bound, the $t$ limit if the mean clears the bound by more than six standard errors, else the BCa
bootstrap with at least 50 runs; these limits are approximate. Without noise the comparison is exact. _Order
only_: a bound that hides a constant is neither violated nor holds; the smallest constant that the bet does not
exclude is given.
"""
