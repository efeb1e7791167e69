"""The command `refute`: look for an instance that violates a bound."""

from __future__ import annotations

from pathlib import Path

from boundcheck.cli.terminal.answers import answer_once
from boundcheck.cli.terminal.options import BoundName, Json, ProblemName, Whole
from boundcheck.cli.terminal.output import number, print_card, print_json, print_script
from boundcheck.cli.terminal.transcript import ask_anew
from boundcheck.verdicts.codes import code_of


@answer_once
def refute(
    bound: BoundName,
    /,
    problem: ProblemName | None = None,
    *,
    budget: float = 60.0,
    work: float | None = None,
    alpha: float = 0.05,
    seed: Whole = 0,
    keep: Path | None = None,
    json: Json = False,
) -> int:
    """Look for an instance on which a bound is false: worst functions, shipped problems, dials, sizes, parameters.

    What the search finds is confirmed on replicates that it has not seen.  Exit with 1 if the bound is violated.

    Parameters
    ----------
    bound
        Name of a bound, or file.py:NAME.
    problem
        A problem, or a family file.py:FAMILY: only it is searched, its parameters being dials.
    budget
        Seconds of searching at most.
    work
        Local steps of searching, by default 12000 for each second of the budget; the same work and seed find the same.
    alpha
        Error rate of the whole search.
    seed
        Root seed.
    keep
        A .toml file for the problem that is found, which every command takes in the place of a name.
    """
    from boundcheck.cli.shared.running import require_output
    from boundcheck.cli.terminal.beforehand import MINUTE, say_beforehand
    from boundcheck.cli.terminal.named import bound_named, problem_named
    from boundcheck.cli.terminal.progress import work as shown
    from boundcheck.evidence.search.refute import refute as search

    require_output(keep, "--keep", ".toml")
    bound = bound_named(bound)
    problem = problem_named(problem) if problem else None
    if budget > MINUTE:
        say_beforehand("refute", budget, what="the search and its confirmations take at most")
    with shown(f"refute {bound}", shown=not json) as progress:
        found = search(
            bound, problem=problem, budget=budget, work=work, alpha=alpha, seed=seed, keep=keep, progress=progress
        )
    if found.stopped_by == "seconds":
        ask_anew()
    if json:
        print_json(found.data())
        return code_of([found.verdict], ["violated"])
    entries = {"verdict": found.words, "measured / right-hand side": number(found.ratio)}
    if found.confirmed is not None:
        entries["because"] = f"{found.confirmed.verdict}: {found.confirmed.reason}"
        if found.confirmed.constant_at_least is not None:
            entries["constant"] = f"at least {number(found.confirmed.constant_at_least)}"
    if found.why:
        entries["because"] = found.why
    if found.remark:
        entries["not as prescribed"] = found.remark
    if found.factors:
        grow = ", or ".join(f"{name} by {factor:.4g}" for name, factor in found.factors.items())
        entries["must grow"] = f"{grow}, for this instance alone"
    if found.command:
        entries["repeat it"] = found.command
    entries["tried"] = (
        f"{found.tried} instances, {found.work} local steps in {found.seconds:.0f} s; "
        f"{found.refused} more outside the conditions"
    )
    if found.stopped_by == "seconds":
        entries["stopped"] = "by the seconds: a larger --budget lets the work decide"
    print_card(f"search for a violation of {found.bound}", entries)
    if found.replay:
        print_script(found.replay)
    return code_of([found.verdict], ["violated"])
