"""What a recipe's experiments say, as tables on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.cli.terminal.output import mark, number, print_table, say
from boundcheck.files.display import list_values

if TYPE_CHECKING:
    from boundcheck.sweep import Contests
    from boundcheck.sweep.experiments.contest import SettingResult


def print_contests(held: Contests, recipe: str) -> None:
    """Print the verdict on every assertion, or, where there is none, the scores of every entrant."""
    from boundcheck.sweep import verdicts
    from boundcheck.sweep.experiments.where import word_counts

    if held.answers:
        found = verdicts(held)
        rows = [[name, row["title"], mark(row["verdict"]), word_counts(row)] for name, row in found.items()]
        print_table(f"assertions of {recipe}", ("assertion", "asserted", "verdict", "answers"), rows)
        for name, row in found.items():
            _print_notes(name, row)
        return
    for result in held.experiments:
        for at in result.settings:
            _print_scores(result.experiment.title, result.experiment.metric, at)


def _print_notes(name: str, row: dict[str, Any]) -> None:
    """Say where an assertion holds, which control failed, which optima lie on an edge, and what would decide it."""
    if row["where"]:
        say(f"{name}: {row['where']}")
    for what in dict.fromkeys(row["failed"]):
        say(f"{name}: a control failed: {what}")
    if row["edges"]:
        where = ", ".join(f"{what} ({answers})" for what, answers in row["edges"].items())
        say(f"{name}: optima on an edge of their grid, by answers: {where}")
    if row["open"]:
        needed = f"about {row['needed']:,} replicates" if row["needed"] else "more than 10^7 replicates"
        say(f"{name}: to decide what is open it would take {needed}")


def _print_scores(title: str, metric: str, at: SettingResult) -> None:
    from boundcheck.evidence.statistics.intervals import t_interval

    rows = []
    for label, entries in at.entries.items():
        for axis, entry in entries.items():
            score = entry.score(metric)
            low, high = t_interval(score)
            shown = {k: f"{v:.3g}" if isinstance(v, float) else v for k, v in entry.tuned.hyper.items()}
            values = list_values(shown)
            flag = f" (edge: {', '.join(entry.tuned.edges)})" if entry.tuned.edges else ""
            rows.append([label, axis, number(score.mean()), f"{low:.4g} .. {high:.4g}", values + flag])
    where = list_values(at.setting)
    print_table(f"{title}: {metric}, {where}", ("entrant", "budget", "score", "95 % interval", "tuned values"), rows)
    for label, reason in at.refusals.items():
        say(f"{label}, not applicable: {reason}")
