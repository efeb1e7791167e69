"""Which shipped problems suit a bound at a setting, without running anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from boundcheck.cli.terminal.options import Whole
from boundcheck.cli.terminal.output import number, print_json, print_table, say

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Evaluation
    from boundcheck.errors import BoundcheckError
    from boundcheck.problems import Problem

Suggest = Annotated[bool, Parameter(name="--suggest", negative="")]


def suggestions(bound: str, *, N: int, K: int, T: int, S: int | None, b: int) -> tuple[list[dict[str, Any]], str]:
    """Return the shipped problems of which a bound speaks, and the commonest reason why it does not speak of others.

    Parameters
    ----------
    bound : str
        Name of a bound, or file.py:NAME.
    N, K, T, S, b : int
        The setting.
    """
    from collections import Counter

    from boundcheck.bounds import BOUNDS
    from boundcheck.cli.cards.constants import shipped_at
    from boundcheck.engine.setting import Setting
    from boundcheck.errors import BoundcheckError
    from boundcheck.evidence.trials.examples import initial_values
    from boundcheck.evidence.trials.trial import Trial

    rows: list[dict[str, Any]] = []
    reasons = Counter[str]()

    def evaluate(problem: Problem) -> Evaluation | BoundcheckError:
        try:
            setting = Setting.of(problem, K=K, T=T, S=S, b=b)
            return Trial.of(BOUNDS[bound], problem, setting, initial_values(BOUNDS[bound], N)).evaluation
        except BoundcheckError as error:
            return error

    for page, problem in shipped_at(N):
        found = problem if isinstance(problem, BoundcheckError) else evaluate(problem)
        if isinstance(found, BoundcheckError):
            reasons[str(found).replace(page.id, "PROBLEM")] += 1
            continue
        rows.append({"problem": page.id, "rhs": found.rhs, "trivial": found.trivial, "title": page.title})
    rows.sort(key=lambda row: row["rhs"] / row["trivial"] if row["trivial"] else float("inf"))
    return rows, reasons.most_common(1)[0][0] if reasons else ""


def print_suggestions(bound: str, *, N: Whole, K: Whole, T: Whole, S: Whole | None, b: Whole, json: bool) -> None:
    """Print the shipped problems of which a bound speaks, those first on which it says something."""
    rows, reason = suggestions(bound, N=N, K=K, T=T, S=S, b=b)
    if json:
        print_json(rows)
        return
    title = f"{bound} speaks of {len(rows)} shipped problems at N = {N}, K = {K}, T = {T}"
    told = [
        [r["problem"], "yes" if r["rhs"] < r["trivial"] else "no", number(r["rhs"]), number(r["trivial"]), r["title"]]
        for r in rows
    ]
    columns = ("problem", "says something", "right-hand side", "trivial bound", "title")
    print_table(title, columns, told, first=("says something", "right-hand side", "trivial bound"))
    if reason:
        say(f"of others it does not speak, most often because: {reason}")
