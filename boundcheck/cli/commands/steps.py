"""The command `steps`: which steps a theorem prescribes, allows and leaves unused on a problem."""

from __future__ import annotations

from functools import partial
from typing import Any

from boundcheck.cli.shared.arena import RunSettings
from boundcheck.cli.terminal.answers import answer_of
from boundcheck.cli.terminal.options import BoundName, Json, ProblemName
from boundcheck.cli.terminal.output import number, print_json, print_table, say
from boundcheck.files.display import list_values


def steps(
    bound: BoundName,
    problem: ProblemName,
    /,
    *,
    at: RunSettings,
    json: Json = False,
) -> None:
    """Compare four choices of steps: prescribed, best allowed by the bound, best provable, best measured.

    The best provable steps are those at which the best theorem of one round promises most over all problems with the
    same constants. The best measured ones are tuned on seeds of their own.

    Parameters
    ----------
    bound
        Name of a bound, or file.py:NAME; bound and problem in any order.
    problem
        Name of a problem, or a path to a .toml file.
    """
    answer = answer_of("steps", [bound, problem], tuple(at.numbers().values()), partial(_choices, bound, problem, at))
    if json:
        print_json(answer["choices"])
        return
    read = "" if at.read == "average" else f", tuned for and read by {at.read}"
    title = f"{answer['bound']} on {answer['problem']}, N = {at.N}, K = {at.K}, T = {at.T}: {answer['metric']}{read}"
    print_steps(title, answer["choices"])


def _choices(bound: str, problem: str, at: RunSettings) -> dict[str, Any]:
    """Run what is compared and return it as plain data."""
    from boundcheck.api.theorems import steps as compare_steps
    from boundcheck.bounds import BOUNDS
    from boundcheck.cli.terminal.named import beside_problem
    from boundcheck.cli.terminal.progress import work

    bound, problem = beside_problem("bound", bound, problem, BOUNDS)
    with work("steps") as progress:
        found = compare_steps(bound, problem, **at.numbers(), workers=at.workers, progress=progress)
    choices = [one._asdict() for one in found]
    return {"bound": bound, "problem": problem, "metric": BOUNDS[bound].metric, "choices": choices}


def print_steps(title: str, found: list[dict[str, Any]]) -> None:
    """Print choices of steps, and what there is to say of each."""
    columns = ("choice", "steps", "promised", "measured")
    rows = [
        [
            one["choice"],
            list_values(one["steps"], ".3g") or "-",
            number(one["promised"]) or "-",
            number(one["measured"]) or "-",
        ]
        for one in found
    ]
    print_table(title, columns, rows, first=("measured", "promised", "steps"))
    for one in found:
        if one["note"]:
            say(f"{one['choice']}: {one['note']}")
