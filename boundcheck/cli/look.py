"""Commands that look: list, show, certify, prove."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from boundcheck.cli.options import Json, Plot
from boundcheck.cli.output import mark, number, print_json, print_table

if TYPE_CHECKING:
    from pathlib import Path

    from boundcheck.lemmas import Proof

Kind = Literal["papers", "problems", "methods", "bounds", "claims", "recipes"]
_COLUMNS = {
    "papers": ("id", "title", "reference"),
    "problems": ("id", "family", "title"),
    "methods": ("id", "paper", "title", "kind", "gradients", "up", "down", "partial", "needs", "bounds"),
    "bounds": ("id", "form", "kind", "title"),
    "claims": ("id", "where", "title"),
    "recipes": ("id", "studies", "title"),
}
"""Columns for people; --json gives everything."""


def list_(kind: Kind, /, *, json: Json = False) -> None:
    """List what there is of one kind.

    Parameters
    ----------
    kind
        papers, problems, methods, bounds, claims or recipes.
    """
    from boundcheck.cli.catalogue import entries

    found = entries(kind)
    if json:
        print_json(found)
        return
    columns = _COLUMNS[kind]
    print_table(f"{len(found)} {kind}", columns, [[str(entry[c]) for c in columns] for entry in found])


def show(name: str, /, *, N: int = 8, plot: Plot = None, json: Json = False) -> None:
    """Show the card of a paper, problem, method, bound, claim or recipe.

    Parameters
    ----------
    name
        A name from `boundcheck list`; a problem may carry parameters: ridge-ratio[zeta=2].
    N
        Clients, for the constants of a problem.
    """
    from boundcheck.cli.cards import cards
    from boundcheck.cli.output import print_card

    if plot is not None:
        _draw(name, N, plot)
    found = cards(name, N)
    if json:
        print_json(found if len(found) > 1 else found[0])
        return
    for card in found:
        print_card(card.pop("heading"), {k: _lines(v) for k, v in card.items()})


def _draw(name: str, N: int, path: Path) -> None:
    import sys

    from boundcheck.cli.cards import is_problem
    from boundcheck.errors import require
    from boundcheck.problems import load_problem
    from boundcheck.report import save_portrait

    require(is_problem(name), "--plot: name", name, "a problem, because only problems have portraits")
    print(f"wrote {save_portrait(load_problem(name, N=N), path)}", file=sys.stderr)


def _lines(value: object) -> str:
    if isinstance(value, dict):
        return "\n".join(f"{k}: {v}" for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return "\n".join(str(v) for v in value)
    return str(value)


def certify(*problems: str, N: int = 8, seed: int = 0, workers: int | None = None, json: Json = False) -> int:
    """Attack every claimed constant of problems and print attained / claimed; exit 1 if one does not stand.

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
    import contextlib

    from boundcheck.cli.progress import work
    from boundcheck.problems import certify_named, instances

    names = problems or tuple(i.id for i in instances())
    with work("certify") if len(names) > 1 else contextlib.nullcontext() as progress:
        rows = certify_named(names, N=N, seed=seed, workers=workers, progress=progress)
    if json:
        print_json(rows)
    else:
        columns = ("problem", "constant", "kind", "claimed", "attained", "ratio", "stands")
        print_table(
            f"constants at N = {N}",
            columns,
            [
                [r.problem, r.constant, r.kind, number(r.claimed), number(r.attained), f"{r.ratio:.6f}", _yes(ok=r.ok)]
                for r in rows
            ],
        )
    return 0 if all(r.ok for r in rows) else 1


def _yes(*, ok: bool) -> str:
    return "[green]✓ yes[/]" if ok else "[red]✗ NO[/]"


def prove(
    *claims: str,
    paper: str | None = None,
    workers: int = 1,
    fail_on: Literal["refuted", "undecided"] | None = None,
    json: Json = False,
) -> int:
    """Decide steps of the papers' proofs.

    Parameters
    ----------
    claims
        Names of claims; all when left out.
    paper
        Only the claims of this paper.
    workers
        Processes.
    fail_on
        Exit with 1 if a claim has this verdict.
    """
    from boundcheck.errors import UnknownNameError
    from boundcheck.lemmas import CLAIMS
    from boundcheck.lemmas import prove as decide
    from boundcheck.notation import PAPERS

    if paper is not None and paper not in PAPERS:
        raise UnknownNameError("paper", paper, PAPERS)
    names = list(claims or CLAIMS)
    if paper:
        names = [n for n in names if n not in CLAIMS or CLAIMS[n].paper == paper]
    proofs = decide(names, workers=workers)
    if json:
        print_json(proofs)
    else:
        _print_proofs(proofs)
    return 1 if any(p.verdict == fail_on for p in proofs) else 0


def _print_proofs(proofs: list[Proof]) -> None:
    from rich.markup import escape

    rows: list[list[str]] = []
    counts: dict[str, int] = {}
    for p in proofs:
        counts[p.verdict] = counts.get(p.verdict, 0) + 1
        witness = ", ".join(f"{k} = {v}" for k, v in (p.witness or {}).items())
        rows.append([p.id, mark(p.verdict), p.prover, escape(p.where), escape(witness), p.repaired_by or ""])
    print_table(
        ", ".join(f"{n} {verdict}" for verdict, n in counts.items()),
        ("claim", "verdict", "prover", "where", "witness", "repaired by"),
        rows,
    )
