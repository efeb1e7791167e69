"""What `boundcheck list` prints: id, paper and title of everything of one kind."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boundcheck.methods import Card


def entries(kind: str) -> list[dict[str, Any]]:
    """Return the members of a kind as plain data."""
    return _LISTS[kind]()


def _papers() -> list[dict[str, Any]]:
    from boundcheck.notation import PAPERS

    return [
        {"id": p.id, "paper": p.id, "title": p.title, "authors": p.authors, "reference": p.reference}
        for p in PAPERS.values()
    ]


def _problems() -> list[dict[str, Any]]:
    from boundcheck.problems import instances

    return [{"id": i.id, "paper": i.paper, "title": i.title, "family": i.family} for i in instances()]


class _Names(list[str]):
    """A list that a table shows as its members, separated by commas."""

    def __str__(self) -> str:
        return ", ".join(self)


class _Alike(_Names):
    """A list that a table shows as what its members begin with."""

    def __str__(self) -> str:
        shared = takewhile(lambda letters: len(set(letters)) == 1, zip(*self, strict=False))
        return "".join(letters[0] for letters in shared) + "*" if len(self) > 1 else super().__str__()


def _needs(card: Card) -> _Names:
    """Return what a method asks of a problem beyond sampled gradients."""
    exact = ["exact gradients"] if "full" in card.gradients else []
    return _Names(["max block"] * (card.kind == "minimax") + exact + list(card.needs))


def _methods() -> list[dict[str, Any]]:
    from boundcheck.bounds import BOUNDS
    from boundcheck.methods import METHODS

    return [
        {
            "id": name,
            "paper": method.card.paper,
            "title": method.card.title,
            "kind": method.card.kind,
            "gradients": method.card.gradients,
            "up": method.card.up,
            "down": method.card.down,
            "partial": method.card.partial,
            "needs": _needs(method.card),
            "bounds": _Alike(bound for bound in BOUNDS if BOUNDS[bound].method == name),
        }
        for name, method in METHODS.items()
    ]


def _bounds() -> list[dict[str, Any]]:
    from boundcheck.bounds import BOUNDS

    return [
        {
            "id": name,
            "paper": b.paper,
            "title": b.title,
            "form": b.form,
            "kind": b.kind,
            "method": b.method,
            "where": b.where,
        }
        for name, b in BOUNDS.items()
    ]


def _claims() -> list[dict[str, Any]]:
    from boundcheck.lemmas import CLAIMS

    return [{"id": c.id, "paper": c.paper, "title": c.title, "where": c.where} for c in CLAIMS.values()]


def _recipes() -> list[dict[str, Any]]:
    from boundcheck.bounds import BOUNDS
    from boundcheck.resources import names
    from boundcheck.sweep import load_recipe

    out = []
    for name in names("reports"):
        recipe = load_recipe(name)
        papers = sorted({BOUNDS[bound].paper for study in recipe.study for bound in study.bounds})
        out.append({"id": name, "paper": papers, "title": recipe.title, "studies": len(recipe.study)})
    return out


_LISTS = {
    "papers": _papers,
    "problems": _problems,
    "methods": _methods,
    "bounds": _bounds,
    "claims": _claims,
    "recipes": _recipes,
}
