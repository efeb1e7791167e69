"""The tables of a study: observed orders, growths, the tightest cells and the refusals."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.report.pages.status import verdict_on
from boundcheck.report.plots.curves import varying
from boundcheck.report.typst.markup import (
    badge,
    code,
    formulas,
    interval,
    letter,
    number,
    prose,
    rational,
    setting,
    table,
    three_decimals,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from boundcheck.evidence.checks.exponents import Fit
    from boundcheck.evidence.statistics.verdict import Verdict
    from boundcheck.sweep import StudyResult
    from boundcheck.sweep.results.results import Slice, StudyPoint

TIGHTEST = 5
ONE_PAGE = 16
"""Most rows of a table that is never broken."""
PAIRS = 5
"""Most local orders in a row of the table."""


def captioned_table(head: Sequence[str], rows: Sequence[Sequence[str]], columns: str, caption: str) -> str:
    """Return a numbered table, kept on one page if it is short."""
    body = table(head, rows, columns).strip().removeprefix("#")
    breakable = "true" if len(rows) > ONE_PAGE else "false"
    return f"#[#show figure: set block(breakable: {breakable})\n#figure({body}, kind: table, caption: [{caption}])]\n"


def growths(result: StudyResult) -> Iterable[str]:
    """Yield a table of the hidden constant and its growth for every bound of order only."""
    for name, found in result.shapes.items():
        rows = [
            [
                slice_label(result, at),
                f"${letter(shape.letter)}^({shape.growth:.2f})$",
                _range(shape.low, shape.high),
                number(shape.constant_at_least),
                prose(shape.reason),
            ]
            for at, shape in found
        ]
        head = ["Slice", "Growth", "95 % interval", "Constant at least", "What follows"]
        if rows:
            caption = f"Lower limit of the hidden constant, and growth of measured / shape, for {code(name)}."
            yield captioned_table(head, rows, "(auto, auto, auto, auto, 1fr)", caption)


def slice_label(result: StudyResult, at: Slice) -> str:
    """Return the letters that tell a slice from the others."""
    moving = varying(result)
    kept = {k: v for k, v in at if k in moving}
    return setting(kept) if kept else "whole grid"


def orders(result: StudyResult) -> Iterable[str]:
    """Yield a table of observed orders for every fitted letter."""
    for along in dict.fromkeys(fit.letter for _, fit in result.fits):
        found = [(at, fit) for at, fit in result.fits if fit.letter == along]
        pairs = list(dict.fromkeys((o.start, o.stop) for _, fit in found for o in fit.local_orders))[-PAIRS:]
        head = ["Slice", *(f"{a:g}--{b:g}" for a, b in pairs), "Fitted", "Promised", "Verdict", "Settled"]
        rows = [_order_row(result, at, fit, pairs) for at, fit in found]
        caption = (
            f"Observed orders in ${letter(along)}$: $p$ in $a {letter(along)}^(-p)$ between neighbouring grid points, "
            "then fitted with the theorem's own terms, with 95 % intervals for noise and one term more."
        )
        yield captioned_table(head, rows, "(1fr, " + "auto, " * (len(head) - 1) + ")", caption)


def _order_row(result: StudyResult, at: Slice, fit: Fit, pairs: list[tuple[float, float]]) -> list[str]:
    local = {
        (o.start, o.stop): f"{three_decimals(o.order)} #linebreak() {_range(o.low, o.high)}" for o in fit.local_orders
    }
    return [
        slice_label(result, at) + (f" #linebreak() #text(8pt)[{prose(fit.note)}]" if fit.note else ""),
        *(local.get(p, "--") for p in pairs),
        f"#strong[{three_decimals(fit.exponent)}] #linebreak() {_range(fit.low, fit.high)}",
        f"${rational(fit.promised)}$",
        badge(fit.promise),
        "yes" if fit.asymptotic else "no",
    ]


def _range(low: float, high: float) -> str:
    return f"#text(8pt)[$[{three_decimals(low)[1:-1]}, {three_decimals(high)[1:-1]}]$]"


def tightest(result: StudyResult) -> str:
    """Return the cells where measurements come closest to a bound, or pass it."""
    found: list[tuple[float, StudyPoint, str, Verdict]] = []
    for point in result.points:
        for name, v in point.verdicts.items():
            if v.measured is not None and v.rhs and BOUNDS[name].kind == "explicit":
                found.append((v.measured / v.rhs, point, name, v))
    if not found:
        return ""
    found.sort(key=lambda item: -item[0])
    rows = [
        [
            code(name.removeprefix(f"{BOUNDS[name].paper}.")),
            setting({k: p.setting[k] for k in varying(result)} or p.setting),
            f"{number(v.measured)} #text(8pt)[{interval(v.low, v.high)}]",
            number(v.rhs),
            number(ratio),
            verdict_on(name, v.verdict),
        ]
        for ratio, p, name, v in found[:TIGHTEST]
    ]
    head = ["Bound", "Cell", "Measured", "Right-hand side", "Ratio", "Verdict"]
    return captioned_table(head, rows, "(auto, 1fr, auto, auto, auto, auto)", "The cells where a bound is tightest.")


def refusals(result: StudyResult) -> str:
    """Return why cells are not applicable, each reason once."""
    reasons = Counter(
        (name, v.reason) for p in result.points for name, v in p.verdicts.items() if v.verdict == "not applicable"
    )
    if not reasons:
        return ""
    lines = [
        f"- {code(name)}, {'one cell' if n == 1 else f'{n} cells'}: {formulas(why.removeprefix(f'bound {name}: '))}"
        for (name, why), n in reasons.most_common(TIGHTEST)
    ]
    rest = len(reasons) - TIGHTEST
    more = [f"- and {rest} more reasons of this kind."] if rest > 0 else []
    return "=== Where a bound does not apply\n" + "\n".join(lines + more) + "\n"
