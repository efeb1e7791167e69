"""What `boundcheck show` prints: the card of anything that has a name."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from boundcheck.cli.cards.bound_cards import bound_card, powers
from boundcheck.cli.cards.claim_cards import claim_card, claim_file_cards, own_claim_cards
from boundcheck.cli.terminal.named import is_problem, resolve_name
from boundcheck.files.own import HINT, is_reference
from boundcheck.proofs.language.source import is_claim_file


def cards(name: str, N: int) -> list[dict[str, Any]]:
    """Return a card for every object called `name`.

    Raises
    ------
    InputError
        If nothing has that name.
    """
    if name.endswith(".toml") and is_claim_file(Path(name)):
        return claim_file_cards(Path(name))
    found = [
        card
        for make in (_paper, _problem, _method, bound_card, _rate, _assumption, claim_card, _recipe)
        if (card := make(name, N))
    ]
    if found or is_reference(name):
        return found or own_claim_cards(name)
    return cards(resolve_name("name", name, _names(), also=HINT), N)


def _names() -> list[str]:
    """Return the names of everything that has a card."""
    from boundcheck.bounds import BOUNDS, RATES
    from boundcheck.bounds.assumptions import ASSUMPTIONS
    from boundcheck.files.resources import names
    from boundcheck.methods import METHODS
    from boundcheck.notation import PAPERS
    from boundcheck.proofs import CLAIMS

    return [*PAPERS, *names("problems"), *METHODS, *BOUNDS, *RATES, *ASSUMPTIONS, *CLAIMS, *names("reports")]


def _paper(name: str, N: int) -> dict[str, Any] | None:
    from boundcheck.bounds.assumptions import of_paper
    from boundcheck.notation import LETTERS, PAPERS

    if name not in PAPERS:
        return None
    paper = PAPERS[name]
    letters = {x.text: f"{x.papers[name]} -- {x.meaning}" for x in LETTERS.values() if name in x.papers}
    return {
        "heading": f"paper {name}: {paper.title}",
        "authors": paper.authors,
        "reference": paper.reference,
        "assumptions": {
            a.id: f"{'' if a.stated else '! not stated: '}{a.title}: {a.statement}"
            + (f"  [{a.note}]" if a.note else "")
            for a in of_paper(name)
        },
        "letters": letters,
    }


def _problem(name: str, N: int) -> dict[str, Any] | None:
    from boundcheck.files.own import short
    from boundcheck.problems import instance, load_problem
    from boundcheck.problems.catalog import parse_name
    from boundcheck.problems.families import FAMILIES

    if not is_problem(name):
        return None
    base, chosen = parse_name(name)
    problem, page = load_problem(name, N=N), instance(base)
    constants = {k: f"{c.value:.6g} ({c.kind}) -- {c.reason}" for k, c in problem.constants.items()}
    return {
        "heading": f"problem {name}: {page.title}",
        "family": short(page.family),
        "purpose": page.purpose,
        "parameters": {**page.parameters, **chosen},
        f"constants at N = {N}": constants,
        "about the family": inspect.getdoc(FAMILIES[page.family]) or "",
    }


def _method(name: str, N: int) -> dict[str, Any] | None:
    from boundcheck.cli.cards.catalogue import entries
    from boundcheck.cli.cards.docstrings import full_docstring
    from boundcheck.cli.cards.method_facts import costs, facts, identities_of
    from boundcheck.methods import METHODS
    from boundcheck.methods.base import RULES

    if not METHODS.suits(name):
        return None
    listed = {entry["id"]: entry for entry in entries("methods")}
    name = METHODS.own_name(name)
    method, known = METHODS[name], listed[name] if name in listed else facts(name)
    return {
        "heading": f"method {name}: {method.card.title}",
        "where": f"{method.card.paper}, {method.card.where}",
        "rule": RULES[method.card.rule],
        "costs": costs(method.card),
        "bounds": list(known["bounds"]),
        "identities": [f"{identity}: {statement}" for identity, statement in identities_of(name)],
        "card": full_docstring(method),
    }


def _rate(name: str, N: int) -> dict[str, Any] | None:
    from boundcheck.bounds import RATES
    from boundcheck.cli.cards.analysis import costs, moves
    from boundcheck.findings.places import place_words

    if not RATES.suits(name):
        return None
    rate = RATES[name]
    computed = {"exponents": powers, "cost of |grad| <= ε_acc": costs, "moves with a letter": moves}
    return {
        "heading": f"rate {name}: {rate.title}",
        "where": place_words(rate.paper, rate.where),
        "form": rate.form + (f", in place of {rate.row}" if rate.row else ""),
        "method": rate.method or "none of the registered ones",
        "says": rate.words,
        "terms": dict(rate.terms),
        "printed cost of |grad| <= ε_acc": dict(rate.complexity),
        "needs": ", ".join(rate.assumptions) or "nothing beyond smooth clients and bounded noise",
        "participation": "S of N clients" if rate.partial else "all clients",
        **({title: make(rate) for title, make in computed.items()} if rate.terms else {}),
        "bounds": list(rate.bounds),
        "note": rate.note,
    }


def _assumption(name: str, N: int) -> dict[str, Any] | None:
    from boundcheck.bounds.assumptions import ASSUMPTIONS
    from boundcheck.findings.places import place_words

    if name not in ASSUMPTIONS:
        return None
    a = ASSUMPTIONS[name]
    return {
        "heading": f"assumption {name}: {a.title}",
        "where": place_words(a.paper, a.where) + ("" if a.stated else ", not stated"),
        "says": a.statement,
        "about": f"the {a.about}",
        "constants": ", ".join(a.letters) or "none",
        "independent noise": "needed" if a.independent else "not part of it",
        "used by": a.used,
        "note": a.note,
    }


def _recipe(name: str, N: int) -> dict[str, Any] | None:
    from boundcheck.files.resources import names

    if name not in names("reports"):
        return None
    # It loads all that computes, for a name that is of another kind as a rule.
    from boundcheck.sweep import load_recipe

    recipe = load_recipe(name)
    return {
        "heading": f"recipe {name}: {recipe.title}",
        "about": recipe.text.strip(),
        "seed": recipe.seed,
        "replicates": recipe.replicates,
        "studies": {s.id: f"{', '.join(s.bounds)} on {s.problem}" for s in recipe.study},
    }
