"""The command `review`: one theorem, all that a reviewer asks, on one screen."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from boundcheck.cli.commands.new import Latex, begin_from_latex
from boundcheck.cli.terminal.answers import answer_once
from boundcheck.cli.terminal.options import BoundName, FailOn, Json, Whole
from boundcheck.cli.terminal.output import note, print_card, print_json, print_script
from boundcheck.cli.terminal.transcript import ask_anew
from boundcheck.verdicts.codes import code_of

if TYPE_CHECKING:
    from boundcheck.reviews import Review

Page = Annotated[
    Path | None, Parameter(name=["--output", "-o"], negative="", help="A page or two: a file in .pdf or .html.")
]
ProofFile = Annotated[
    Path | None, Parameter(name="--proof", negative="", help="A claim file (.toml) with the proof; it runs no code.")
]


@answer_once
def review(
    bound: BoundName,
    /,
    *,
    output: Page = None,
    proof: ProofFile = None,
    latex: Latex = None,
    alpha: float = 0.05,
    seed: Whole = 0,
    work: float = 360_000,
    budget: float = 120.0,
    fail_on: FailOn = None,
    json: Json = False,
) -> int:
    """Review a theorem: all that the other commands know of it, on one screen, within --budget seconds.

    The statement with its hypotheses; whether the conditions can be met; units; from which T it says something; what is
    measured on problems that meet its assumptions, at settings within the conditions; a search for a violation; the
    worst case of its class; the rate, promised and seen; its proof; and what was not asked.

    Parameters
    ----------
    bound
        Name of a bound, or file.py:NAME; with --latex a file.py to write, which is reviewed if nothing is left to say.
    alpha
        Error rate of what is measured, and of the search.
    seed
        Root seed.
    work
        Local steps of the search; the same work and seed find the same, unless the seconds run out.
    budget
        Seconds of the wall at most; what they cut off is said under "not asked". On a core at rest most reviews take
        less than half a minute. Pages of -o are written afterwards.
    fail_on
        Exit with 1 on this verdict, or on the status "false as printed"; may be repeated.
    """
    began = time.monotonic()
    from boundcheck.cli.shared.running import require_output
    from boundcheck.cli.terminal.named import bound_named
    from boundcheck.cli.terminal.progress import work as shown
    from boundcheck.reviews import review as ask
    from boundcheck.reviews import write_review

    require_output(output, "--output", ".pdf", ".html")
    if latex is not None:
        file = Path(bound.rpartition(":")[0] or bound)
        if not begin_from_latex(file, latex):
            return 0
        bound = f"{file}:THEOREM"
    with shown(f"review {bound}") as progress:
        theorem = bound_named(bound)
        # To import what it takes is slow on a busy machine, and counts.
        spent = time.monotonic() - began if budget > 0 else 0.0
        left = max(budget - spent, 0.5 * budget) if spent else budget
        limits = {"alpha": alpha, "work": work, "budget": left}
        found = ask(theorem, proof=proof, seed=seed, progress=progress, **limits)
    if found.cut or (found.search is not None and found.search.stopped_by == "seconds"):
        ask_anew()
    if output is not None:
        note(f"wrote {write_review(found, output)}")
    if json:
        print_json(found.data())
    else:
        _print_review(found)
    return code_of(found.verdicts, fail_on)


def _print_review(found: Review) -> None:
    from boundcheck.cli.terminal.formulas import formula, on_one_line
    from boundcheck.metrics import METRICS
    from boundcheck.reviews.words import heading, hypotheses, sections

    bound = found.bound
    sign = "≤" if bound.kind == "explicit" else "≲"
    right = {(sign if i == 0 else "+") + f" {name}": formula(e, 100) for i, (name, e) in enumerate(bound.terms.items())}
    given = {name: on_one_line(str(e)) for name, e in bound.parameters.items()}
    statement = {"bounds": METRICS[bound.metric].meaning, **right, "method": bound.method}
    statement |= {"parameters": "\n".join(f"{name} = {e}" for name, e in given.items())} if given else {}
    statement |= {"hypotheses": "\n".join(on_one_line(line) for line in hypotheses(bound))}
    answers = {title: "\n".join(lines) for title, lines in sections(found)}
    print_card(heading(found), {**statement, **answers}, status=found.status.status)
    if found.search is not None and found.search.replay:
        print_script(found.search.replay)
