"""A model in which a claim fails, as text: a line for each letter and vector, to be computed again by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.proofs.chain.refuting.model import Model, NoModelError
from boundcheck.proofs.language.grammar import Node, node_text
from boundcheck.proofs.language.steps import letters_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.proofs.chain.refuting.model import Array
    from boundcheck.proofs.chain.refuting.unrolled import Failure
    from boundcheck.proofs.language.claim import Claim

Witness = dict[str, str]


def describe_failure(one: Failure, claim: Claim) -> Witness:
    """Return the numbers of a model: letters, the index at which the claim fails, vectors, functions, both sides.

    A vector of which there is one a client is shown by its mean and by what the first clients are off it (the last one
    by what is left); noise by what each client's fair sign is multiplied by.
    """
    model = Model(one.shape, lambda key, *_: one.numbers[key], exact=True)
    sides = [model.mean(part, one.at) for part in claim.shows.parts]
    found: Witness = {}
    for entry in dict.fromkeys(_entries(claim.shows)):
        text = _entry(model, entry, one)
        if text:
            found[node_text(entry)] = text
    used = {key[1] for key in model.known if key[0] == "letter"}
    whole = {name: str(value) for name, value in one.shape.whole.items()}
    names = sorted(used | letters_of(claim.shows).union(*map(letters_of, claim.given)))
    letters = {name: whole.get(name) or _letter(model, name) for name in names if name not in one.at}
    letters |= {name: value for name, value in whole.items() if name not in letters}
    at = {name: str(value) for name, value in one.at.items()}
    rest = dict(_rest(model, one, set(found)))
    fails = {"left": str(sides[0]), "right": str(sides[1])}
    return {**{k: v for k, v in letters.items() if v}, **at, **found, **rest, **fails}


def _letter(model: Model, name: str) -> str:
    try:
        return str(model.of(Node("letter", name), {})[0, 0])
    except (NoModelError, KeyError):
        return ""


def _entries(node: Node) -> Iterator[Node]:
    if node.kind == "entry":
        yield node
    for part in node.parts:
        yield from _entries(part)


def _entry(model: Model, node: Node, one: Failure) -> str:
    """Return an entry at the index where the claim fails, empty if it is under a sum, or chance has a part in it."""
    if not letters_of(node) <= {*one.at, *one.shape.whole} or node.name in _samples(one):
        return ""
    value = model.of(node, one.at)[..., 0]
    if value.ndim == 1:
        return str(value.sum() / len(value))
    if len(value) > 1 and any((row != value[0]).any() for row in value):
        return ""
    client = model.setting.vectors[node.name].kind != "server"
    return vector_text(value[0], client=client)


def _samples(one: Failure) -> set[str]:
    return {name for name, sequence in one.shape.setting.vectors.items() if sequence.kind == "sample"}


def vector_text(rows: Array, *, client: bool) -> str:
    """Return a vector as text, rows being clients."""
    if not client:
        return _row(rows[0])
    mean = rows.sum(axis=0) / len(rows)
    off = [row - mean for row in rows[: max(len(rows) - 1, 1)]]
    zero = not any(any(row) for row in off)
    return f"mean {_row(mean) if any(mean) else 0}, deviation {0 if zero else ', '.join(map(_row, off))}"


def _row(values: Any) -> str:
    return f"({', '.join(map(str, values))})"


def _rest(model: Model, one: Failure, seen: set[str]) -> Iterator[tuple[str, str]]:
    """Yield what else determines the model: free entries, noise, functions, how ``some`` combines."""
    numbers, shape = one.numbers, one.shape
    for key, value in numbers.items():
        match key[0]:
            case "member":
                yield f"{key[1]}[{', '.join(map(str, key[2]))}]", str(value[0])
            case "number":
                yield f"{key[1]}[{', '.join(map(str, key[2]))}]", str(value[0])
            case "factor":
                yield f"{key[1]}[{', '.join(map(str, key[2]))}], argument {key[3] + 1}", str(value[0])
            case "noise":
                yield (
                    f"{key[1]}[{', '.join(map(str, key[2]))}], client {key[3] + 1}",
                    f"a fair sign times {_row(value)}",
                )
            case "vector" if key[1] in model.setting.vectors:
                name = f"{key[1]}[{', '.join(map(str, key[2:]))}]"
                if name not in seen:
                    made = model.free(key[1:], client=("apart", 0, *key[1:]) in numbers)
                    label = name if _free_entry(model, key) else f"{name}, a fixed part"
                    yield label, vector_text(made[0, :, :, 0], client=made.shape[1] > 1)
    determined = {one.left.name for one in shape.equations} & set(model.setting.vectors)
    for name, place in [key[1:] for key in model.entries if key[1] in determined]:
        label = f"{name}[{', '.join(map(str, place))}]"
        if label not in seen:
            yield (
                label,
                vector_text(model.entry(name, place)[0, :, :, 0], client=model.setting.vectors[name].kind != "server"),
            )
    if "functions" in model.__dict__:
        below, above, centre, slope, height = (value[..., 0] for value in model.functions)
        for k in range(shape.clients):
            yield (
                f"f_{k + 1}",
                _function([x[0, min(k, x.shape[1] - 1)] for x in (below, above, centre, slope)], height[0]),
            )


def _free_entry(model: Model, key: Any) -> bool:
    return not any(one.left.name == key[1] and one.right.kind == "call" for one in model.setting.definitions.values())


def _function(rows: list[Array], height: Any) -> str:
    """Return ``1/2 curvature (x - centre)^2 + slope x + height``, summed over coordinates, as text."""
    below, above, centre, slope = rows
    bend = _row(below) if (below == above).all() else f"{_row(below)} below the centre and {_row(above)} above"
    parts = [f"curvature {bend}"]
    parts += [f"{name} {_row(x)}" for name, x in (("centre", centre), ("slope", slope)) if any(x)]
    return ", ".join([*parts, *([f"height {height}"] if height else [])])
