"""The command `satisfies`: which assumptions of the papers a problem meets, and why."""

from __future__ import annotations

from boundcheck.cli.terminal.options import Json, PaperName, ProblemName, Whole
from boundcheck.cli.terminal.output import print_json, print_table


def satisfies(problem: ProblemName, /, *names: PaperName, N: Whole = 8, json: Json = False) -> None:
    """Say which assumptions a problem satisfies: yes, no, on a ball, not known, or a question to a run.

    Parameters
    ----------
    problem
        Name of a problem, or a path to a .toml file; may carry parameters: ridge-ratio[zeta=2].
    names
        Assumptions (fedlalr.assumption3) or papers (fedlalr); all papers when left out.
    N
        Clients.
    """
    from dataclasses import asdict

    from boundcheck.bounds.assumptions import ASSUMPTIONS
    from boundcheck.cli.terminal.named import problem_named
    from boundcheck.evidence.papers.assumptions import satisfies as asked
    from boundcheck.evidence.papers.assumptions import satisfies_paper
    from boundcheck.notation import PAPERS
    from boundcheck.problems import load_problem

    loaded, answers = load_problem(problem_named(problem), N=N), []
    for name in names or PAPERS:
        answers += satisfies_paper(loaded, name) if name in PAPERS else [asked(loaded, name)]
    if json:
        print_json([asdict(answer) for answer in answers])
        return
    print_table(
        f"{loaded.name} at N = {N}",
        ("assumption", "satisfied", "says", "because"),
        [[a.assumption, a.status, ASSUMPTIONS[a.assumption].statement, a.reason] for a in answers],
    )
