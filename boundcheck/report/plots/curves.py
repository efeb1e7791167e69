"""From a study's result to the numbers that figures draw; no ink here."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from boundcheck.bounds import BOUNDS, RATES
from boundcheck.errors import NotApplicableError
from boundcheck.evidence.statistics.intervals import t_interval
from boundcheck.findings import findings
from boundcheck.notation import LETTERS
from boundcheck.report.typst.markup import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.evidence.statistics.verdict import Verdict
    from boundcheck.sweep.recipes.fields import Number
    from boundcheck.sweep.results.results import StudyPoint, StudyResult

Item = TypeVar("Item")

PANELS = 4
"""Most panels of one figure."""


@dataclass(frozen=True)
class Curve:
    """What was measured along one letter, and what the bounds say there."""

    fixed: Mapping[str, Number]
    """The letters that tell this curve from its neighbours."""
    x: tuple[float, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    totals: Mapping[str, tuple[float, ...]]
    """Bound name to right-hand sides."""
    terms: Mapping[str, tuple[float, ...]]
    """Terms of the study's first bound."""
    vacuity: tuple[float, ...]
    compared: Mapping[str, tuple[float, ...]]
    overlays: Mapping[str, tuple[float, ...]]
    """Rate to its slope, drawn through the first measured mean."""
    promised: float | None
    """Decay exponent that the first bound promises, if the study fits this letter."""

    @property
    def label(self) -> str:
        """Return the fixed letters in plain text."""
        return label_of(self.fixed)


@dataclass(frozen=True)
class RatioCurve:
    """Measured divided by a bound along one letter."""

    bound: str
    slice: str
    """The fixed letters in plain text, empty if there is only one slice."""
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class Trajectory:
    """The running average of one cell against the rounds."""

    label: str
    rounds: tuple[float, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


def label_of(values: Mapping[str, Number]) -> str:
    """Return ``N = 4, σ = 10`` for figures."""
    return ", ".join(f"{in_figure(k)} = {_plain(v)}" for k, v in values.items())


def in_figure(letter: str) -> str:
    """Return a letter for a figure, an index below it."""
    text = LETTERS[letter].text if letter in LETTERS else letter
    head, underscore, tail = text.partition("_")
    return rf"{head}$_{{\mathrm{{{tail}}}}}$" if underscore and letter in LETTERS else text


def _plain(value: Number) -> str:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return legend_name(str(value))
    mantissa, _, power = f"{value:g}".partition("e")
    if not power:
        return mantissa
    return f"$10^{{{int(power)}}}$" if mantissa == "1" else rf"${mantissa}\cdot10^{{{int(power)}}}$"


def legend_name(text: str) -> str:
    """Return a user's text for a figure, where a dollar sign would start mathematics; powers and letters as printed."""
    return re.sub(r"\^\(?(-?[0-9]+(?:/[0-9]+)?)\)?", r"$^{\1}$", plain(text.replace("$", r"\$")))


def main_letter(result: StudyResult) -> str:
    """Return the letter of the horizontal axis: T where T varies, else the first letter with positive numbers.

    Where letters vary together it is the one whose power is fitted, or of which a finding says that it grows.
    """
    varied = [k for k in varying(result) if has_log_axis(result, k)]
    fitted = [k for k in result.study.fit if k in varied] if result.study.zip else []
    if fitted or result.study.zip:
        study = result.study.repairs or result.study.id
        grows = next((one.grows.partition(",")[0] for one in findings() if one.id == study), "")
        lead = [*fitted, *(k for k in varied if k == grows)]
        if lead:
            return lead[0]
    return "T" if "T" in varied or not varied else varied[0]


def has_log_axis(result: StudyResult, letter: str) -> bool:
    """Return whether a letter can run along a logarithmic axis: all its values are positive numbers."""
    return all(isinstance(p.setting[letter], (int, float)) and float(p.setting[letter]) > 0 for p in result.points)


def varying(result: StudyResult) -> list[str]:
    """Return the letters that take more than one value, in the order of the grid."""
    if not result.points:
        return []
    return [k for k in result.points[0].setting if len({p.setting[k] for p in result.points}) > 1]


def constant(result: StudyResult) -> dict[str, Number]:
    """Return the letters that keep one value over the whole study."""
    moving = varying(result)
    return {k: v for k, v in result.points[0].setting.items() if k not in moving} if result.points else {}


def metrics(result: StudyResult) -> list[str]:
    """Return the left-hand sides of the study's bounds, each once: what may share one figure."""
    return list(dict.fromkeys(BOUNDS[name].metric for name in result.study.bounds))


def curves(result: StudyResult, letter: str, metric: str | None = None) -> list[Curve]:
    """Cut the study along one letter, a curve for every setting of the others.

    Only bounds on `metric` take part, by default those on the first bound's.
    """
    metric = metric or metrics(result)[0]
    names = [name for name in result.study.bounds if BOUNDS[name].metric == metric]
    others = [] if result.study.zip else [k for k in varying(result) if k != letter]
    groups: dict[tuple[Number, ...], list[StudyPoint]] = defaultdict(list)
    for point in result.points:
        if point.measured is not None:
            groups[tuple(point.setting[k] for k in others)].append(point)
    promised = next((fit.promised for _, fit in result.fits if fit.letter == letter), None)
    if metric != metrics(result)[0]:
        promised = None
    return [
        _curve(letter, names, dict(zip(others, values, strict=True)), points, result.study.overlays, promised)
        for values, points in groups.items()
    ]


def _curve(
    letter: str,
    names: Sequence[str],
    fixed: dict[str, Number],
    points: list[StudyPoint],
    overlays: Sequence[str],
    promised: float | None,
) -> Curve:
    points = sorted(points, key=lambda p: float(p.setting[letter]))
    first = [p.verdicts[names[0]] for p in points]
    return Curve(
        fixed,
        tuple(float(p.setting[letter]) for p in points),
        _finite(v.measured for v in first),
        _finite(v.low for v in first),
        _finite(v.high for v in first),
        {name: _finite(p.verdicts[name].rhs for p in points) for name in names},
        {t: _finite(v.terms.get(t) for v in first) for t in BOUNDS[names[0]].terms},
        _finite(v.vacuity for v in first),
        {
            label: _finite(float(p.compared[label].final(BOUNDS[names[0]].metric).mean()) for p in points)
            for label in points[0].compared
        },
        {name: slope for name in overlays if (slope := _slope(name, first))},
        promised,
    )


def _slope(name: str, verdicts: Sequence[Verdict]) -> tuple[float, ...]:
    """Return a rate through the first measured mean, nothing where a constant is missing."""
    try:
        shape = [sum(RATES[name].evaluate(at.setting or {}).values()) for at in verdicts]
    except NotApplicableError:
        return ()
    start = next((v.measured / y for v, y in zip(verdicts, shape, strict=True) if v.measured and y), None)
    return () if start is None else _finite(start * y for y in shape)


def ratios(result: StudyResult) -> list[RatioCurve]:
    """Return measured / right-hand side along the main letter, a line for every bound and slice."""
    return [
        RatioCurve(name, curve.label, curve.x, tuple(m / b for m, b in zip(curve.mean, total, strict=True)))
        for metric in metrics(result)
        for curve in curves(result, main_letter(result), metric)
        for name, total in curve.totals.items()
    ]


def _finite(values: object) -> tuple[float, ...]:
    """Return floats, with not-a-number for what is missing or infinite (it leaves a gap in a figure)."""
    numbers = [np.nan if v is None else float(v) for v in values]  # type: ignore[attr-defined]
    return tuple(v if np.isfinite(v) else np.nan for v in numbers)


def thin(items: Sequence[Item], limit: int = PANELS) -> list[Item]:
    """Return at most `limit` of the items, evenly spaced, the first and the last among them."""
    if len(items) <= limit:
        return list(items)
    return [items[round(i * (len(items) - 1) / (limit - 1))] for i in range(limit)]


def trajectories(result: StudyResult, limit: int = PANELS) -> list[Trajectory]:
    """Return running averages of a few cells with the longest horizon; none where they hardly move."""
    metric = BOUNDS[result.study.bounds[0]].metric
    others = [k for k in varying(result) if k != "T"]
    longest = max((float(p.setting["T"]) for p in result.points if p.measured is not None), default=0.0)
    found = []
    for point in result.points:
        if point.measured is None or point.setting["T"] != longest or len(point.measured.rounds) < 4:
            continue
        values = point.measured.average[metric]
        ends = [t_interval(column) for column in values.T]
        found.append(
            Trajectory(
                label_of({k: point.setting[k] for k in others}) or f"T = {longest:g}",
                tuple(float(r) for r in point.measured.rounds),
                _finite(values.mean(axis=0)),
                _finite(low for low, _ in ends),
                _finite(high for _, high in ends),
            )
        )
    if not any(_moves(t.mean) for t in found):
        return []
    return thin(found, limit)


def _moves(values: Sequence[float]) -> bool:
    """Return whether a curve changes enough to be worth a figure."""
    finite = [v for v in values if v > 0]
    return len(finite) > 1 and max(finite) > 1.05 * min(finite)
