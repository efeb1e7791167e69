"""The verdicts on what papers assert of their experiments, in few numbers: tables, and the file that is shipped."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.evidence.statistics.intervals import t_interval
from boundcheck.evidence.statistics.paired import MeanTest
from boundcheck.files.resources import folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd

    from boundcheck.sweep.experiments.answers import AssertionResult, Contests
    from boundcheck.sweep.experiments.contest import ExperimentResult, SettingResult

SHIPPED = "experiment-verdicts.json"
"""File beside the shipped recipes that holds the verdicts of the recipe `experiments`."""
SEEDS = "experiment-seeds.json"
"""File beside it with the verdicts of the same recipe at other root seeds."""


def counts(one: AssertionResult) -> dict[str, int]:
    """Return how many answers, by all readings, support an assertion, speak against it, show equality, or are open."""
    found = Counter(told.word for told in one.every)
    return {word: found[word] for word in ("yes", "no", "same", "open")}


def verdicts(held: Contests) -> dict[str, dict[str, Any]]:
    """Return for every assertion where it stands, its verdict and the counts of its answers."""
    return verdict_rows(held.answers)


def verdict_rows(answers: Sequence[AssertionResult]) -> dict[str, dict[str, Any]]:
    """Return the same of some assertions."""
    return {
        one.assertion.id: {
            "paper": one.assertion.paper,
            "lines": one.assertion.lines,
            "title": one.assertion.title,
            "verdict": one.outcome,
            "where": one.where,
            "needed": one.replicates_needed,
            "edges": one.on_edges,
            "failed": one.failed,
            "controls": len(one.controls),
            **counts(one),
            **({"powers": rows} if (rows := _powers(one)) else {}),
        }
        for one in answers
    }


def _powers(one: AssertionResult) -> list[dict[str, Any]]:
    """Return the measured powers, with intervals, where a promised one is asked for; then those of the controls."""
    asked = [(at.readout, told.question, told.answer) for at, answers in one.readings.items() for told in answers]
    controls = [("control", c.control.question, MeanTest(c.mean, c.low, c.high, c.found)) for c in one.controls]
    return [
        {
            "of": q.of,
            "along": q.ask.along,
            "readout": readout,
            "axis": q.axis,
            "promised": q.ask.level,
            "power": round(q.ask.level - found.mean, 3),
            "low": round(q.ask.level - found.high, 3),
            "high": round(q.ask.level - found.low, 3),
            "answer": found.answer,
            "replicates": len(q.samples),
        }
        for readout, q, found in [*asked, *controls]
        if q.ask.kind == "order"
    ]


def shipped_verdicts() -> dict[str, dict[str, Any]]:
    """Return the shipped verdicts of the recipe `experiments` (empty when there are none)."""
    path = folder("reports") / SHIPPED
    found: dict[str, dict[str, Any]] = json.loads(path.read_text()) if path.is_file() else {}
    return found


def shipped_seeds() -> dict[str, dict[str, dict[str, Any]]]:
    """Return for every assertion, by seed, the verdict and the counts of its answers where it was asked anew."""
    found = json.loads((folder("reports") / SEEDS).read_text(encoding="utf-8"))
    return {name: {seed: row for seed, row in rows.items() if seed != "budget"} for name, rows in found.items()}


def answer_table(held: Contests) -> pd.DataFrame:
    """Return one row a question and reading: estimate and interval (ratios of scores, or differences), the answer.

    `sees` is the smallest difference (a logarithm, where it is relative) that the runs could have told, `needed` about
    how many of them would decide.
    """
    import pandas as pd

    rows = [
        {
            "assertion": one.assertion.id,
            "readout": reading.readout,
            "share": reading.share,
            "kind": q.ask.kind,
            "experiment": q.ask.experiment,
            "of": q.of,
            "than": q.than,
            "metric": q.ask.metric,
            "level_with": q.ask.level_with,
            "axis": q.axis,
            **q.setting,
            "relative": q.relative,
            **dict(zip(("estimate", "low", "high"), map(scale, told.answer[:3]), strict=True)),
            "answer": told.answer.answer,
            "replicates": len(q.samples),
            "sees": told.plan.sees,
            "needed": told.plan.needed,
            "supports": told.speaks_for,
            "diverged": q.lost,
        }
        for one in held.answers
        for reading, answers in one.readings.items()
        for told in answers
        for q in [told.question]
        for scale in [np.exp if q.relative else float]
    ]
    return pd.DataFrame(rows)


def score_table(held: Contests) -> pd.DataFrame:
    """Return one row an experiment, setting, entrant and axis: the tuned values, the score, what was spent."""
    import pandas as pd

    return pd.DataFrame([row for result in held.experiments for at in result.settings for row in _scores(result, at)])


def _scores(result: ExperimentResult, at: SettingResult) -> Iterator[dict[str, Any]]:
    about = result.experiment
    for label, entries in at.entries.items():
        for axis, entry in entries.items():
            score = entry.score(about.metric)
            low, high = t_interval(score)
            yield {
                "experiment": about.id,
                **at.setting,
                "entrant": label,
                "method": entry.cell.method,
                "axis": axis,
                "budget": at.budgets[axis],
                "score": float(score.mean()),
                "low": low,
                "high": high,
                "rounds": int(entry.measured.rounds[entry.last]),
                "hyper": json.dumps(dict(entry.tuned.hyper)),
                "edges": ", ".join(entry.tuned.edges),
                "tried": entry.tuned.tried,
            }
