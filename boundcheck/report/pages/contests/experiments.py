"""The pages of experiments: a table of all verdicts, then a page for every assertion."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from boundcheck.findings.places import place_words
from boundcheck.metrics import metric_of
from boundcheck.report.pages.contests.board import board
from boundcheck.report.pages.contests.scores import score_tables
from boundcheck.report.pages.figure import place_figure
from boundcheck.report.pages.papers import in_order, short
from boundcheck.report.pages.tables import captioned_table
from boundcheck.report.plots.contest_figures import budget_figure
from boundcheck.report.typst.markup import badge, code, escape, interval, number, paper_title, prose, setting
from boundcheck.sweep.experiments.readouts import start_share
from boundcheck.sweep.experiments.where import word_counts
from boundcheck.sweep.recipes.experiment import READS, RULE
from boundcheck.sweep.results.verdicts import shipped_seeds, shipped_verdicts, verdict_rows
from boundcheck.verdicts.words import EXPERIMENT_WORDS, meanings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from boundcheck.sweep.experiments.answers import AnsweredQuestion, AssertionResult
    from boundcheck.sweep.experiments.contest import ContestEntry, ExperimentResult, SettingResult
    from boundcheck.sweep.experiments.controls import ControlQuestion
    from boundcheck.sweep.experiments.questions import AssertionQuestion
    from boundcheck.sweep.recipes.experiment import Reading

Number = TypeVar("Number", int, float)
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
    words = "; ".join(f"{badge(name)}: {escape(meaning)}" for name, meaning in meanings(EXPERIMENT_WORDS).items())
    readouts = "; ".join(f"_{name}_: {escape(meaning)}" for name, meaning in READS.items())
    return (
        f"#strong[Tuning.] {escape(RULE)}\n\n#strong[Readouts.] {readouts}.\n\n#strong[Verdicts.] {words}. {CONTROLS}\n"
    )


CONTROLS = (
    "Every page has controls, whose answer is known beforehand: a copy of a method, tuned on other seeds, must neither "
    "win nor lose; a method that contains another one must not lose to it; what a recipe adds. If one comes out "
    "otherwise, answers from its runs count as open; where the others do not differ, the page _could not have told_."
)


def shipped_assertions() -> str:
    """Return the section of the shipped verdicts: of what problems and seeds they are, their words, and the table."""
    found = shipped_verdicts()
    said = {row["verdict"] for row in found.values()}
    words = "; ".join(
        f"{badge(w)}: {escape(meaning)}" for w, meaning in meanings(EXPERIMENT_WORDS).items() if w in said
    )
    return (
        "= What the papers' experiments assert\n\n"
        "Asked of small problems, on which every method is tuned: what comes out on them need not come out where a "
        f"paper made its experiment. {agreement_of_seeds(found, shipped_seeds())} The answers, with controls "
        f"and maps, are those of {code('boundcheck report experiments')}.\n\n#note[{words}.]\n\n{overview(found)}"
    )


def agreement_of_seeds(
    first: Mapping[str, Mapping[str, Any]], others: Mapping[str, Mapping[str, Mapping[str, Any]]]
) -> str:
    """Return in a sentence how many verdicts of those asked at all seeds are the same, and which are not.

    Parameters
    ----------
    first : mapping
        Assertion to its row at the recipe's own seed.
    others : mapping
        Assertion to its rows at the others, by seed.
    """
    everywhere = max(map(len, others.values()), default=0)
    asked = {
        name: [first[name]["verdict"], *(row["verdict"] for row in rows.values())]
        for name, rows in others.items()
        if len(rows) == everywhere
    }
    same = sum(len(set(words)) == 1 for words in asked.values())
    differ = [
        f"_{prose(first[name]['title'])}_ ({', '.join(words)})" for name, words in asked.items() if len(set(words)) > 1
    ]
    return f"Tuned and run anew, {same} of {len(asked)} have the same verdict at {everywhere + 1} seeds" + (
        f"; not so: {'; '.join(differ)}." if differ else "."
    )


def overview(found: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the table of all assertions with their verdicts, as `boundcheck.sweep.results.verdicts` has them."""
    rows = []
    for paper in in_order(row["paper"] for row in found.values()):
        rows.append(f"  table.cell(colspan: 4, fill: luma(240))[#strong[{escape(short(paper))}]],\n")
        for row in (row for row in found.values() if row["paper"] == paper):
            cells = [
                prose(row["title"]),
                badge(row["verdict"]),
                word_counts(row) or "--",
                escape(place_words(paper, row["lines"])),
            ]
            rows.append("  " + ", ".join(f"[{cell}]" for cell in cells) + ",\n")
    head = ", ".join(f"[{word}]" for word in ("Asserted", "Verdict", "Answers", "Where in the paper"))
    table = (
        f"rows(size: 8pt, columns: (2.7fr, 1fr, 1.55fr, 1.3fr), align: left,\n  table.header({head}),\n{''.join(rows)})"
    )
    caption = "What the papers' experiments assert, and what ours say."
    return f"#tight[#figure({table}, kind: table, caption: [{caption}])]\n"


def _page(one: AssertionResult, known: Mapping[str, ExperimentResult], folder: Path) -> str:
    about = one.assertion
    where = f"{paper_title(about.paper)}, {escape(place_words(about.paper, about.lines))}"
    told = one.outcome != "could not have told"
    holds = f" #linebreak() Where: {escape(one.where)}" if one.where and told else ""
    if one.failed:
        said = (
            "Not all runs could have told, and these answers count as open" if told else "The runs could not have told"
        )
        holds += f" #linebreak() *{said}*, since a control failed: {escape('; '.join(one.failed))}."
    head = f"== {prose(about.title)}\n\n{badge(one.outcome)} #h(1em) {where}{holds}"
    parts = [head, f"_Asserted:_ {prose(about.says)}", prose(about.text)]
    if about.cannot:
        return "\n\n".join([*parts, f"_Cannot be tested here:_ {prose(about.cannot)}"]) + "\n"
    tables = [table for name in _experiments_of(one, known) for table in score_tables(known[name])]
    parts += [
        _map(one),
        _answers(one),
        _controls(one),
        *tables,
        *_pictures(one, known, folder),
        *_tuned_table(one, known),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _tables_page(result: ExperimentResult) -> str:
    """Return the page of an experiment that no assertion asks: its tables."""
    about = result.experiment
    return "\n\n".join([f"#pagebreak()\n== {prose(about.title)}", prose(about.text), *score_tables(result)]) + "\n"


def _map(one: AssertionResult) -> str:
    """Return where the assertion holds: a row a setting, a column a readout, a table a share of the budget."""
    tables = [_map_at(one, share) for share in dict.fromkeys(reading.share for reading in one.readings)]
    return "\n\n".join([*tables, _start(one), power_paragraph(one), _edge_paragraph(one)])


def _edge_paragraph(one: AssertionResult) -> str:
    """Return which optima lie on an edge of their grid, by all readouts: a wider grid might change these answers."""
    if not one.on_edges:
        return ""
    found = "; ".join(f"{what} ({answers})" for what, answers in one.on_edges.items())
    return (
        f"#strong[Edges.] Optima that still lie on an edge of their widened grid, and in how many of {len(one.every)} "
        f"answers: {escape(found)}.\n"
    )


def _start(one: AssertionResult) -> str:
    """Return which share of the average over the run is the start itself: what every method has in common."""
    entries = [
        entry
        for reading, answers in one.readings.items()
        for told in answers
        for entry in told.question.entries
        if reading.readout == "average" and metric_of(entry.about.metric).gradient_of
    ]
    shares = sorted(start_share(entry.measured, metric_of(entry.about.metric), entry.last) for entry in entries)
    if not shares:
        return ""
    least, most = (f"{100 * share:.0f}" for share in (shares[0], shares[-1]))
    part = f"{least} %" if least == most else f"{least} to {most} %"
    return f"#strong[Start.] The first round alone is {part} of the average over the run; _apart_ leaves it out.\n"


def _map_at(one: AssertionResult, share: float) -> str:
    readings = [reading for reading in one.readings if reading.share == share]
    found: dict[str, dict[Reading, Counter[str]]] = {}
    for reading in readings:
        for told in one.readings[reading]:
            row = found.setdefault(f"{_where(told)} {escape(told.question.axis)}", {})
            row.setdefault(reading, Counter())[told.word] += 1
    rows = [
        [place, *(word_counts(row.get(reading, Counter())) or "--" for reading in readings)]
        for place, row in found.items()
    ]
    words = one.words
    rows.append(["*Verdict by this readout alone*", *(badge(words[reading]) for reading in readings)])
    at = "the whole budget" if share == 1.0 else f"{share:g} of the budget"
    caption = (
        f"Where it holds, at {at}: answers by readout, each with its tuning. Same: no difference above the margin."
    )
    columns = "(1.4fr" + ", 1fr" * len(readings) + ")"
    return captioned_table(["Setting and budget", *(escape(r.readout) for r in readings)], rows, columns, caption)


def power_paragraph(one: AssertionResult) -> str:
    """Return what the runs could have told, how often nothing, and what it would take to decide what is open."""
    if not one.every:
        return ""
    sees = [told for told in one.every if np.isfinite(told.plan.sees)]
    factors = sorted(float(np.exp(min(told.plan.sees, 700.0))) for told in sees if told.question.relative)
    widths = sorted(told.plan.sees for told in sees if not told.question.relative)
    parts = [
        *([f"a factor of {_range_words(factors, number)} between scores"] if factors else []),
        *([f"a difference of {_range_words(widths, number)}"] if widths else []),
    ]
    runs = _range_words(sorted(len(told.question.samples) for told in one.every), str)
    blind = len(one.every) - len(sees)
    text = f"With {runs} runs the smallest effect that could have been seen is {' and '.join(parts)}." if parts else ""
    if blind:
        text += (
            f" For {blind} of {len(one.every)} answers no effect could have been seen, however large: so few runs give "
            "no interval with ends."
        )
    if any(told.word == "open" for told in one.every):
        needed = (
            f"about {one.replicates_needed:,} runs"
            if one.replicates_needed
            else "more runs than can be named, as some lie on the margin"
        )
        text += f" To decide all that is open it would take {needed}."
    return f"#strong[Power.] {text.strip()}\n"


def _range_words(ordered: Sequence[Number], words: Callable[[Number], str]) -> str:
    """Return the first and the last of ordered numbers, one where they read the same."""
    first, last = words(ordered[0]), words(ordered[-1])
    return first if first == last else f"{first} to {last}"


def _answers(one: AssertionResult) -> str:
    rows = [
        [question_words(told.question), _where(told), escape(told.question.axis), _estimate(told), _answer(told)]
        for told in one.shown_answers
    ]
    reading = next(iter(one.readings)).words if one.readings else ""
    caption = (
        f"Answers by the readout that is shown ({escape(reading)}). Ratios of scores (below 1: the first is better), "
        f"differences, or powers, with intervals of level {one.level:.4f} that hold at all numbers of runs, so that "
        "all of them together hold at the recipe's error rate."
    )
    return captioned_table(
        ["Question", "Setting", "Budget", "Estimate", "Answer"], rows, "(1.6fr, 1.4fr, auto, auto, auto)", caption
    )


def _controls(one: AssertionResult) -> str:
    """Return the controls: with estimates by what is shown and where one fails, then by every readout in counts."""
    shown = next(iter(one.readings), None)
    rows = [
        [
            escape(_control_words(result.control, shown)),
            setting({k: v for k, v in result.control.question.setting.items() if k != "problem"})
            + _problem(result.control.question.setting),
            escape(result.control.wanted),
            _range(result.control.question, result.mean, result.low, result.high),
            f"{escape(result.found)}{'' if result.holds else ': *fails*'}",
        ]
        for result in one.controls
        if result.control.reading == shown or not result.holds
    ]
    if not one.controls:
        return ""
    caption = "Controls by the readout that is shown, and any that fails by another one: what must come out, what did."
    table = captioned_table(
        ["Control", "Setting", "Must be", "Estimate", "Came out"], rows, "(1.6fr, 1.4fr, auto, auto, auto)", caption
    )
    return f"{table}\n\n{_controls_by_readout(one)}"


def _control_words(control: ControlQuestion, shown: Reading | None) -> str:
    return control.what if control.reading == shown else f"{control.what} (by {control.reading.words})"


def _controls_by_readout(one: AssertionResult) -> str:
    """Return how controls came out: a row a control and share of the budget, a column a readout."""
    found: dict[tuple[str, str, float], dict[str, Counter[str]]] = {}
    for result in one.controls:
        what, wanted, _, reading = result.control
        row = found.setdefault((what, wanted, reading.share), {})
        row.setdefault(reading.readout, Counter())[result.found] += 1
    readouts = list(dict.fromkeys(readout for row in found.values() for readout in row))
    rows = [
        [
            escape(what),
            escape(wanted),
            f"{share:g}",
            *(word_counts(row.get(readout, {})) or "--" for readout in readouts),
        ]
        for (what, wanted, share), row in found.items()
    ]
    caption = "Controls by every readout: how many came out as what, over all settings; share: of the budget."
    columns = "(1.6fr, auto, auto" + ", 1fr" * len(readouts) + ")"
    return captioned_table(["Control", "Must be", "Share", *readouts], rows, columns, caption)


def question_words(q: AssertionQuestion) -> str:
    """Return what is asked, in words: of a metric up to an equal value of another one it says so."""
    metric = f" ({q.ask.metric.replace('_', ' ')})" if q.ask.metric else ""
    level = f" {q.ask.level:g}" if q.ask.kind in {"below", "above"} else ""
    equal = f" up to an equal {q.ask.level_with.replace('_', ' ')}" if q.ask.level_with else ""
    return escape(f"{q.of} {q.ask.kind}{level} {q.than}{metric}{equal}")


def _where(told: AnsweredQuestion) -> str:
    return setting({k: v for k, v in told.question.setting.items() if k != "problem"}) + _problem(told.question.setting)


def _problem(at: Mapping[str, object]) -> str:
    return f" {code(str(at['problem']))}"


def _estimate(told: AnsweredQuestion) -> str:
    a = told.answer
    return _range(told.question, a.mean, a.low, a.high)


def _range(q: AssertionQuestion, mean: float, low: float, high: float) -> str:
    """Return an estimate with its interval: a power, a ratio or a difference."""
    if q.ask.kind == "order":
        power = [q.ask.level - v for v in (mean, high, low)]
        return f"power {number(-power[0])} {interval(-power[2], -power[1])} for {number(-q.ask.level)}"
    with np.errstate(over="ignore"):
        values = [float(np.exp(v)) if q.relative else v for v in (mean, low, high)]
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
            for label, reason in at.refusals.items()
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
