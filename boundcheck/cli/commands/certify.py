"""The command `certify`: attack every constant that problems claim."""

from __future__ import annotations

from boundcheck.cli.terminal.options import Json, ProblemName, Whole
from boundcheck.cli.terminal.output import mark, number, print_json, print_table
from boundcheck.verdicts.codes import code_of


def certify(
    *problems: ProblemName, N: Whole = 8, seed: Whole = 0, workers: Whole | None = None, json: Json = False
) -> int:
    """Attack every claimed constant of problems and print attained / claimed; exit 1 if one is exceeded.

    Parameters
    ----------
    problems
        Names of problems; all shipped ones when left out.
    N
        Clients.
    seed
        Seed of the attack's random starts.
    workers
        Processes; by default one a core when there is more than one problem.
    """
    from boundcheck.cli.terminal.beforehand import say_beforehand
    from boundcheck.cli.terminal.named import problem_named
    from boundcheck.cli.terminal.progress import after_a_while, work
    from boundcheck.problems import certify_named, instances
    from boundcheck.problems.certification.forecast import forecast_certify
    from boundcheck.workers.processes import retry_once

    names = tuple(map(problem_named, problems)) or tuple(i.id for i in instances())
    if len(names) == 1:
        say_beforehand("certify", forecast_certify(names[0], N=N, seed=seed))
    with work("certify") as shown:
        progress = after_a_while(shown)
        rows = retry_once(lambda: certify_named(names, N=N, seed=seed, workers=workers, progress=progress))
    if json:
        print_json(rows)
    else:
        columns = ("problem", "constant", "kind", "claimed", "attained", "ratio", "status")
        print_table(
            f"constants at N = {N}",
            columns,
            [
                [r.problem, r.constant, r.kind, number(r.claimed), number(r.attained), f"{r.ratio:.6f}", mark(r.status)]
                for r in rows
            ],
        )
    return code_of((r.status for r in rows), ["exceeded"])
