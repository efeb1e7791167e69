"""What is known about a method: its card for `list`, with its docstring for `show` and for its page."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boundcheck.methods import Card


class NameList(list[str]):
    """A list that a table shows as its members, separated by commas."""

    def __str__(self) -> str:
        return ", ".join(self)


class SharedPrefix(NameList):
    """A list that a table shows as what its members begin with."""

    def __str__(self) -> str:
        shared = takewhile(lambda letters: len(set(letters)) == 1, zip(*self, strict=False))
        return "".join(letters[0] for letters in shared) + "*" if len(self) > 1 else super().__str__()


class MemberCount(NameList):
    """A list that a table shows as the number of its members."""

    def __str__(self) -> str:
        return str(len(self))


def facts(name: str) -> dict[str, Any]:
    """Return the facts that `boundcheck list methods` shows of a registered method, by column."""
    from boundcheck.methods import METHODS

    card = METHODS[name].card
    plain = {
        "id": name,
        "paper": card.paper,
        "title": card.title,
        "kind": card.kind,
        "gradients": card.gradients,
        "up": card.up,
        "down": card.down,
        "client": card.client,
        "server": card.server,
        "partial": card.partial,
        "needs": card.needs,
        "cost": card.cost,
        "bounds": bounds_of(name) if name in METHODS else further_bounds_of(name),
        "identities": [identity for identity, _ in identities_of(name)],
    }
    return display_facts(plain)


def display_facts(plain: dict[str, Any]) -> dict[str, Any]:
    """Return facts with the lists that a table shows in its own way."""
    lists = {"needs": NameList, "bounds": SharedPrefix, "identities": MemberCount}
    return {key: lists[key](value) if key in lists else value for key, value in plain.items()}


def bounds_of(name: str) -> list[str]:
    """Return the names of the bounds that speak of a method."""
    from boundcheck.bounds import BOUNDS

    return [bound for bound in BOUNDS if BOUNDS[bound].method == name]


def further_bounds_of(name: str) -> list[str]:
    """Return the names of the field's theorems that speak of a method."""
    from boundcheck.bounds import BOUNDS

    return [bound for bound in BOUNDS.further if BOUNDS[bound].method == name]


def identities_of(name: str) -> list[tuple[str, str]]:
    """Return name and statement of the identities that speak of a method."""
    from boundcheck.conform import about

    return [(identity.id, identity.statement) for identity in about(name)]


def costs(card: Card) -> dict[str, str]:
    """Return in words what a round costs, who takes part, what it needs and what a gradient costs in time."""
    from boundcheck.methods.base import NEEDS, SITUATIONS

    apart = [f"{one} ({SITUATIONS[one]})" if one in SITUATIONS else one for one in card.distinguishes]
    return {
        "gradients": f"{card.gradients} a round and active client",
        "floats up": f"{card.up}, in units of d, likewise",
        "floats down": f"{card.down}, likewise",
        "memory": f"{card.client} floats on a client, {card.server} on the server beyond x, from round to round",
        "participation": "S of N clients, uniformly without replacement" if card.partial else "all N clients",
        "needs": "; ".join(f"{need}: {NEEDS[need]}" for need in card.needs) or "sampled gradients, no more",
        "differs by": ", ".join(apart) or "not said",
        "cost": "not measured" if card.cost is None else f"{card.cost:g} times FedAvg's, in time a client gradient",
    }


def _floats(formula: str) -> str:
    """Return in words what a formula of a card, in units of d, says of the floats of a client and round."""
    plain, *variant = formula.split(" (")
    if "compressed" in plain:
        return " (".join([{"1": "one compressed vector", "2": "two compressed vectors"}[plain[0]], *variant])
    return " (".join([f"{_units(plain)} floats", *(f"{_units(words[0])}{words[1:]}" for words in variant)])


def _units(number: str) -> str:
    return {"0": "no", "1": "d"}.get(number, f"{number}d")


def communication(card: Card) -> str:
    """Return in a sentence what a round of a method sends and evaluates, with the card's note."""
    sent = "nothing is sent"
    if card.up != "0":
        whose = "an active client" if card.partial else "a client"
        sent = f"{_floats(card.up)} up and {_floats(card.down)} down {whose} and round"
    gradients = f"{card.gradients.replace('full', 'exact')} gradient{'' if card.gradients == '1 full' else 's'}"
    return "; ".join([sent, gradients, *([card.note] if card.note else [])]) + "."
