"""The pages of experiments: a table of all verdicts, then a page for every assertion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.report.contest_figures import budget_figure
from boundcheck.report.markup import badge, code, escape, interval, number, paper_title, prose, setting
from boundcheck.report.pages.board import board
from boundcheck.report.pages.figure import place_figure
from boundcheck.report.pages.papers import in_order, short
from boundcheck.report.pages.scores import score_tables
from boundcheck.report.pages.tables import captioned_table
from boundcheck.sweep.experiments.answers import OUTCOMES
from boundcheck.sweep.recipes.experiment import READS, RULE
from boundcheck.sweep.results.verdicts import verdict_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from boundcheck.sweep.experiments.answers import AnsweredQuestion, AssertionResult
    from boundcheck.sweep.experiments.contest import ContestEntry, ExperimentResult, SettingResult

PANELS = 2
"""Most settings of an experiment that a page draws."""


def experiments(told: Sequence[AssertionResult], found: Sequence[ExperimentResult], folder: Path) -> str:
    """Return the section: the rule of tuning, the verdicts at one glance, and a page an assertion."""
    known = {result.experiment.id: result for result in found}
    parts = ["= Experiments\n", _guide(), *([overview(verdict_rows(told))] if told else [])]
    parts += ["#pagebreak()\n" + _page(one, known, folder) for one in told]
    asked = {ask.experiment for one in told for ask in one.assertion.ask}
    parts += [_tables_page(result) for result in found if result.experiment.table and result.experiment.id not in asked]
    parts += [board(result) for result in found if result.experiment.epsilons]
    return "\n\n".join(parts)


def _guide() -> str:
    words = "; ".join(f"{badge(name)}: {escape(meaning)}" for name, meaning in OUTCOMES.items())
    return f"#strong[Tuning.] {escape(RULE)}\n\n#strong[Verdicts.] {words}.\n"


def overview(found: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the table of all assertions with their verdicts, as `boundcheck.sweep.results.verdicts` has them."""
    rows: list[list[str]] = []
    for paper in in_order(row["paper"] for row in found.values()):
        rows.append([f"*{escape(short(paper))}*", "", "", ""])
        rows += [
            [prose(row["title"]), badge(row["verdict"]), _counts(row), escape(row["lines"])]
            for row in found.values()
            if row["paper"] == paper
        ]
    head = ["Asserted", "Verdict", "Answers", "Lines"]
    return captioned_table(
        head, rows, "(1fr, auto, auto, auto)", "What the papers' experiments assert, and what ours say."
    )


def _counts(row: Mapping[str, Any]) -> str:
    return ", ".join(f"{row[word]} {word}" for word in ("yes", "open", "no") if row[word]) or "--"


def _page(one: AssertionResult, known: Mapping[str, ExperimentResult], folder: Path) -> str:
    about = one.assertion
    where = f"{paper_title(about.paper)}, lines {escape(about.lines)}"
    head = f"== {prose(about.title)}\n\n{badge(one.outcome)} #h(1em) {where}"
    parts = [head, f"_Asserted:_ {prose(about.says)}", prose(about.text)]
    if about.cannot:
        return "\n\n".join([*parts, f"_Cannot be tested here:_ {prose(about.cannot)}"]) + "\n"
    tables = [table for name in _experiments_of(one, known) for table in score_tables(known[name])]
    parts += [_answers(one), *tables, *_pictures(one, known, folder), *_tuned_table(one, known)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _tables_page(result: ExperimentResult) -> str:
    """Return the page of an experiment that no assertion asks: its tables."""
    about = result.experiment
    return "\n\n".join([f"#pagebreak()\n== {prose(about.title)}", prose(about.text), *score_tables(result)]) + "\n"


def _answers(one: AssertionResult) -> str:
    rows = [
        [_question(told), _where(told), escape(told.question.axis), _estimate(told), _answer(told)] for told in one.told
    ]
    caption = (
        f"Answers. Ratios of scores (below 1: the first is better), differences, or powers, with intervals of level "
        f"{one.level:.4f}, so that all of them together hold at the recipe's error rate."
    )
    return captioned_table(
        ["Question", "Setting", "Budget", "Estimate", "Answer"], rows, "(1.6fr, 1.4fr, auto, auto, auto)", caption
    )


def _question(told: AnsweredQuestion) -> str:
    q = told.question
    metric = f" ({q.ask.metric.replace('_', ' ')})" if q.ask.metric else ""
    level = f" {q.ask.level:g}" if q.ask.kind in {"below", "above"} else ""
    return escape(f"{q.of} {q.ask.kind}{level} {q.than}{metric}")


def _where(told: AnsweredQuestion) -> str:
    return setting({k: v for k, v in told.question.setting.items() if k != "problem"}) + _problem(told.question.setting)


def _problem(at: Mapping[str, object]) -> str:
    return f" {code(str(at['problem']))}"


def _estimate(told: AnsweredQuestion) -> str:
    a, relative = told.answer, told.question.relative
    if told.question.ask.kind == "order":
        power = [told.question.ask.level - v for v in (a.mean, a.high, a.low)]
        return f"power {number(-power[0])} {interval(-power[2], -power[1])}"
    with np.errstate(over="ignore"):
        values = [float(np.exp(v)) if relative else v for v in (a.mean, a.low, a.high)]
    return f"{number(values[0])} {interval(*values[1:])}"


def _answer(told: AnsweredQuestion) -> str:
    lost = ", a run diverged" if told.question.lost else ""
    return f"{told.answer.answer}{' (speaks against)' if told.question.ask.against else ''}{lost}"


def _experiments_of(one: AssertionResult, known: Mapping[str, ExperimentResult]) -> dict[str, list[str]]:
    """Return the experiments that an assertion asks, with the entrants it is about."""
    found: dict[str, dict[str, None]] = {}
    for ask in one.assertion.ask:
        found.setdefault(ask.experiment, {}).update(dict.fromkeys((*ask.of, *ask.than)))
    return {name: list(labels) for name, labels in found.items() if name in known}


def _pictures(one: AssertionResult, known: Mapping[str, ExperimentResult], folder: Path) -> Iterator[str]:
    for name, labels in _experiments_of(one, known).items():
        result = known[name]
        metrics = dict.fromkeys(a.metric or result.experiment.metric for a in one.assertion.ask if a.experiment == name)
        for metric in list(metrics)[:PANELS]:
            for i, at in enumerate(_ends(result.settings)):
                figure = budget_figure(at, result.experiment.axes, labels, metric)
                what = f"{escape(metric.replace('_', ' '))}: {_short_setting(at)} on {_problem(at.setting)}"
                caption = f"{what}; decided by {escape(READS[result.experiment.read])}. Dotted: the budget."
                file = f"{one.assertion.id}-{name}-{metric}-{i}"
                yield place_figure(figure, file, folder, caption=caption, alt=f"{metric} against what was spent")


def _ends(settings: Sequence[SettingResult]) -> list[SettingResult]:
    """Return the first and the last setting."""
    return [settings[0], settings[-1]] if len(settings) > 1 else list(settings)


def _tuned_table(one: AssertionResult, known: Mapping[str, ExperimentResult]) -> Iterator[str]:
    for name, labels in _experiments_of(one, known).items():
        result = known[name]
        rows = [
            [escape(label), _short_setting(at), ", ".join(axes), _hyper(entry.tuned.hyper), _edges(entry.tuned.edges)]
            for at in _ends(result.settings)
            for label in labels
            if label in at.entries
            for entry, axes in _group_axes(at, label)
        ]
        rows += [
            [escape(label), _short_setting(at), "--", escape(reason), "--"]
            for at in _ends(result.settings)
            for label, reason in at.refused.items()
        ]
        head = ["Method", "Setting", "Tuned for", "Values", "Optimum on the edge of the grid"]
        caption = f"Tuned values: {escape(result.experiment.title)}."
        yield captioned_table(head, rows, "(auto, 1fr, auto, 1.4fr, auto)", caption)


def _short_setting(at: SettingResult) -> str:
    return setting({k: v for k, v in at.setting.items() if k != "problem"})


def _group_axes(at: SettingResult, label: str) -> Iterator[tuple[ContestEntry, list[str]]]:
    """Yield the entries of a label with the axes that share their tuned values."""
    groups: dict[tuple[tuple[str, object], ...], tuple[ContestEntry, list[str]]] = {}
    for axis, entry in at.entries[label].items():
        groups.setdefault(tuple(entry.tuned.hyper.items()), (entry, []))[1].append(axis)
    yield from groups.values()


def _hyper(hyper: Mapping[str, object]) -> str:
    shown = {k: float(f"{v:.3g}") if isinstance(v, float) else v for k, v in hyper.items()}
    return escape(", ".join(f"{k} = {v}" for k, v in shown.items()))


def _edges(edges: Sequence[str]) -> str:
    return escape(", ".join(edges)) if edges else "no"
