"""Commands that look: list and show."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from boundcheck.cli.terminal.answers import answer_once
from boundcheck.cli.terminal.options import Json, Plot, Whole, names_of
from boundcheck.cli.terminal.output import note, print_card, print_json, print_table, terminal_width
from boundcheck.files.kept import load_or_make

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.cli.cards.catalogue import Listing

Kind = Literal[
    "papers", "problems", "methods", "bounds", "rates", "tables", "assumptions", "claims", "recipes", "field"
]


def list_(
    kind: Kind,
    /,
    *,
    paper: str | None = None,
    status: str | None = None,
    needs: str = "",
    N: Whole = 4,
    json: Json = False,
) -> None:
    """List what there is of one kind.

    Parameters
    ----------
    kind
        papers, problems, methods, bounds, rates (rows of comparison tables), tables, assumptions, claims, recipes, or
        field: theorems beyond the papers under audit.
    paper
        Only what belongs to this paper.
    status
        Of bounds and claims: proved, false as printed, not contradicted or open.
    needs
        Of problems: those with all these letters, separated by commas, with the values; convex, x_star and online too.
    N
        Clients, for the values.
    """
    from boundcheck.cli.cards.catalogue import LISTINGS

    if needs:
        _having(kind, needs, N, json=json)
        return
    listing = LISTINGS[kind]
    wanted = _filters(kind, listing, paper, status)
    if json:
        print_json([one for one in listing.entries() if _passes(one, wanted)])
        return
    made = partial(_rows, listing)
    rows = [
        row
        for *facts, row in load_or_make(f"list {kind}", made)
        if _passes(dict(zip(_FILTERS, facts, strict=True)), wanted)
    ]
    print_table(f"{len(rows)} {kind}", listing.columns, rows, first=listing.first)


_FILTERS = ("paper", "status")


def _rows(listing: Listing) -> list[list[Any]]:
    """Return what filters ask of every member, and then its cells."""
    entries = listing.entries()
    return [[*(one.get(key, "") for key in _FILTERS), [str(one[c]) for c in listing.columns]] for one in entries]


def _filters(kind: Kind, listing: Listing, paper: str | None, status: str | None) -> dict[str, str]:
    """Return what must be so of a member.

    Raises
    ------
    InputError
        If there is no such paper or status, or members of the kind have no status.
    """
    from boundcheck.cli.terminal.named import resolve_name
    from boundcheck.errors import require

    found = {}
    if paper is not None:
        from boundcheck.notation import PAPERS

        # Papers that are not under audit have no row there; what belongs to them is found all the same.
        others = [one["paper"] for one in listing.entries() if isinstance(one.get("paper"), str)]
        found["paper"] = resolve_name("paper", paper, [*PAPERS, *(other for other in others if other not in PAPERS)])
    if status is not None:
        from boundcheck.verdicts.words import STATUS_WORDS

        require(kind in {"bounds", "claims"}, "--status: kind", kind, "bounds or claims, which have a status")
        require(status in STATUS_WORDS, "--status", status, ", ".join(STATUS_WORDS))
        found["status"] = status
    return found


def _passes(one: Mapping[str, Any], wanted: dict[str, str]) -> bool:
    """Return whether a member is as asked; one may belong to several papers."""
    return all(value in one[key] if isinstance(one[key], list) else value == one[key] for key, value in wanted.items())


def _having(kind: Kind, needs: str, N: int, *, json: bool) -> None:
    from boundcheck.cli.cards.constants import having, parse_letters
    from boundcheck.cli.terminal.output import number
    from boundcheck.errors import require

    require(kind == "problems", "--needs: kind", kind, "problems")
    letters = parse_letters(needs)
    found = having(letters, N)
    if json:
        print_json(found)
        return

    def cell(value: Any) -> str:
        return f"{number(value['value'])} ({value['kind']})" if isinstance(value, dict) else "yes"

    rows = [[one["id"], one["family"], *(cell(one[letter]) for letter in letters)] for one in found]
    print_table(f"{len(rows)} problems", ("id", "family", *letters), rows)


def show(
    name: Annotated[str, names_of("bounds", "methods", "problems", "papers", "claims", "recipes")],
    /,
    *,
    N: Whole = 8,
    plot: Plot = None,
    proof: bool = False,
    json: Json = False,
) -> None:
    """Show the card of a paper, problem, method, bound, rate, assumption, claim or recipe.

    Parameters
    ----------
    name
        A name from `boundcheck list`; a problem may carry parameters: ridge-ratio[zeta=2]. A claim file (.toml): what
        its claims say.
    N
        Clients, for the constants of a problem.
    proof
        Of a bound: the tree of its proof, down to the assumptions; with --json whether and from what it is proved. Of a
        printed one that does not follow: its lines, the first false one with a witness, and what falls.
    """
    if proof:
        print_proof(name, json=json)
        return
    from boundcheck.cli.cards.card_data import as_written
    from boundcheck.cli.cards.cardtext import text_of

    if plot is not None:
        _draw(name, N, plot)
    found = _cards(name, N)
    if json:
        print_json(as_written(found if len(found) > 1 else found[0]))
        return
    width = terminal_width()
    for card in found:
        heading, status, entries = text_of(card, width)
        print_card(heading, entries, status=status)


def _cards(name: str, N: int) -> list[dict[str, Any]]:
    """Return the cards of a name as plain data: as they were made before, or made."""
    from boundcheck.cli.cards.card_data import as_data
    from boundcheck.cli.cards.cards import cards

    def make() -> Any:
        return as_data(cards(name, N))

    # Files of the user's, and instances with parameters, are not among what a hash of the source speaks for.
    ours = re.fullmatch(r"[\w.-]+", name) is not None and not Path(name).exists()
    found: list[dict[str, Any]] = load_or_make(f"show {name} {N}", make) if ours else make()
    return found


@answer_once
def print_proof(name: str, *, json: bool) -> None:
    """Print the tree of a bound's proof, or what is the matter with the printed one."""
    from boundcheck.bounds import BOUNDS
    from boundcheck.cli.cards.broken_proofs import as_data, as_lines, broken_proof_of
    from boundcheck.cli.terminal.output import say
    from boundcheck.errors import UnknownNameError
    from boundcheck.proofs.chain.whole.pending import PENDING
    from boundcheck.proofs.chain.whole.proof import PROOFS, unproved_summary
    from boundcheck.proofs.search.accepted import load_accepted

    if name not in PROOFS and name not in BOUNDS:
        raise UnknownNameError("bound", name, [*BOUNDS, *PROOFS])
    if name not in PROOFS:
        printed = broken_proof_of(name)
        if json:
            print_json(unproved_summary(name) | (as_data(printed) if printed else {}))
        elif printed:
            missing = [f"{name} has no proof: {PENDING[name]}."] if name in PENDING else []
            for line in (*as_lines(printed), *missing):
                say(line)
        else:
            why = f" ({PENDING[name]})" if name in PENDING else ""
            say(f"{name}: no proof from its assumptions is shipped{why}; proofs are shipped of {', '.join(PROOFS)}")
        return
    found = load_accepted(name)
    if json:
        print_json(found.data())
        return
    for line in (*found.lines(), "", found.sentence()):
        say(line)


def _draw(name: str, N: Whole, path: Path) -> None:
    from boundcheck.cli.shared.running import require_output
    from boundcheck.cli.terminal.named import is_problem
    from boundcheck.errors import require
    from boundcheck.problems import load_problem
    from boundcheck.report import save_portrait

    require_output(path, "--plot")
    require(is_problem(name), "--plot: name", name, "a problem, because only problems have portraits")
    note(f"wrote {save_portrait(load_problem(name, N=N), path)}")
