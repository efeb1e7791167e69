"""What `boundcheck list` prints: id, paper and title of everything of one kind.

Of kinds whose members take long to build the facts ship as data, which `python -m boundcheck.cli.cards.catalogue`
writes.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.files.own import anything_installed
from boundcheck.files.rows import json_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SHIPPED = Path(__file__).with_suffix(".json")
"""Entries by kind, those in `BUILT`."""


class Listing(NamedTuple):
    """How the members of one kind are listed."""

    columns: tuple[str, ...]
    """Keys that people see; --json gives all of them."""
    entries: Callable[[], list[dict[str, Any]]]
    """Returns the members as plain data."""
    first: tuple[str, ...] = ()
    """Columns that stay on a narrow terminal."""


def _papers() -> list[dict[str, Any]]:
    from boundcheck.notation import PAPERS

    return [
        {"id": p.id, "paper": p.id, "title": p.title, "authors": p.authors, "reference": p.reference}
        for p in PAPERS.values()
    ]


def _problems() -> list[dict[str, Any]]:
    from boundcheck.problems import instances

    return [{"id": i.id, "paper": i.paper, "title": i.title, "family": i.family} for i in instances()]


def _methods() -> list[dict[str, Any]]:
    from boundcheck.cli.cards.method_facts import facts
    from boundcheck.methods import METHODS

    return [facts(name) for name in METHODS]


def _listed_methods() -> list[dict[str, Any]]:
    from boundcheck.cli.cards.method_facts import display_facts

    return [display_facts(entry) for entry in entries("methods")]


def _bounds() -> list[dict[str, Any]]:
    from boundcheck.bounds import BOUNDS
    from boundcheck.findings.places import place_words

    return [
        {
            "id": name,
            "paper": b.paper,
            "title": b.title,
            "form": b.form,
            "kind": b.kind,
            "method": b.method,
            "where": place_words(b.paper, b.where),
        }
        for name, b in BOUNDS.items()
    ]


def _listed_bounds() -> list[dict[str, Any]]:
    from dataclasses import asdict

    from boundcheck.verdicts.status import of_bound

    return [entry | asdict(of_bound(entry["id"])) for entry in entries("bounds")]


def _rates() -> list[dict[str, Any]]:
    from boundcheck.bounds import RATES
    from boundcheck.bounds.orders import exponents
    from boundcheck.findings.places import place_words

    out = []
    for name, r in RATES.items():
        powers = exponents(r) if r.terms else None
        rate = " ".join(f"{x}^({getattr(powers, x)})" for x in ("N", "S", "K", "T") if powers and getattr(powers, x))
        out.append(
            {
                "id": name,
                "paper": r.paper,
                "title": r.title,
                "form": r.form,
                "method": r.method,
                "where": place_words(r.paper, r.where),
                "rate": rate or r.words,
                "rounds": str(r.complexity.get("rounds", f"eps_acc**(-{powers.rounds})" if powers else "")),
                "needs": ", ".join(r.assumptions),
                "note": r.note,
            }
        )
    return out


def _tables() -> list[dict[str, Any]]:
    from boundcheck.bounds.comparison import TABLES
    from boundcheck.findings.places import place_words

    return [
        {
            "id": t.id,
            "paper": t.paper,
            "title": t.title,
            "where": place_words(t.paper, t.where),
            "rows": len(t.rows()),
            "dials": list(t.dials),
            "constants": dict(t.constants),
        }
        for t in TABLES.values()
    ]


def _assumptions() -> list[dict[str, Any]]:
    from dataclasses import asdict

    from boundcheck.bounds.assumptions import ASSUMPTIONS
    from boundcheck.findings.places import place_words

    return [asdict(a) | {"where": place_words(a.paper, a.where)} for a in ASSUMPTIONS.values()]


def _claims() -> list[dict[str, Any]]:
    from dataclasses import asdict

    from boundcheck.findings.places import place_words
    from boundcheck.proofs import CLAIMS
    from boundcheck.verdicts.status import of_claim

    return [
        {
            "id": c.id,
            "paper": c.paper,
            "title": c.title,
            "where": place_words(c.paper, c.where),
            **asdict(of_claim(c.id)),
        }
        for c in CLAIMS.values()
    ]


def _recipes() -> list[dict[str, Any]]:
    from boundcheck.bounds import BOUNDS
    from boundcheck.files.resources import names
    from boundcheck.sweep import load_recipe

    out = []
    for name in names("reports"):
        recipe = load_recipe(name)
        papers = sorted({BOUNDS[bound].paper for study in recipe.study for bound in study.bounds})
        out.append({"id": name, "paper": papers, "title": recipe.title, "studies": len(recipe.study)})
    return out


def _field() -> list[dict[str, Any]]:
    from boundcheck.bounds import BOUNDS

    return [
        {"id": name, "paper": b.paper, "title": b.title, "method": b.method, "where": b.where, "note": b.note}
        for name, b in ((name, BOUNDS[name]) for name in BOUNDS.further)
    ]


BUILT: Mapping[str, Callable[[], list[dict[str, Any]]]] = {
    "problems": _problems,
    "methods": _methods,
    "bounds": _bounds,
    "rates": _rates,
    "tables": _tables,
    "recipes": _recipes,
    "field": _field,
}
"""Kind to what makes its entries from the source."""


def entries(kind: str) -> list[dict[str, Any]]:
    """Return the members of a kind in `BUILT`: as shipped, or made where an installed package adds some."""
    if anything_installed():
        return BUILT[kind]()
    found: list[dict[str, Any]] = json.loads(SHIPPED.read_text(encoding="utf-8"))[kind]
    return found


def catalogue_text() -> str:
    """Return the content of the shipped file, a line a member."""
    return json_rows({kind: make() for kind, make in BUILT.items()}, 2) + "\n"


LISTINGS = {
    "papers": Listing(("id", "title", "reference"), _papers),
    "problems": Listing(("id", "family", "title"), partial(entries, "problems")),
    "methods": Listing(
        ("id", "paper", "title", "gradients", "up", "down", "partial", "needs", "cost", "bounds", "identities"),
        _listed_methods,
        ("title", "up", "down", "partial", "cost"),
    ),
    "bounds": Listing(("id", "form", "kind", "status", "title"), _listed_bounds, ("status", "title")),
    "rates": Listing(
        ("id", "title", "form", "method", "rate", "rounds", "needs"), partial(entries, "rates"), ("title", "rate")
    ),
    "tables": Listing(("id", "where", "rows", "title"), partial(entries, "tables")),
    "assumptions": Listing(("id", "where", "about", "title", "statement"), _assumptions, ("title", "statement")),
    "claims": Listing(("id", "status", "where", "title"), _claims, ("status", "title")),
    "recipes": Listing(("id", "studies", "title"), partial(entries, "recipes")),
    "field": Listing(("id", "method", "title", "where"), partial(entries, "field")),
}
"""Kind to its listing."""


if __name__ == "__main__":
    from boundcheck.files.atomic import write_whole

    write_whole(SHIPPED, catalogue_text())
