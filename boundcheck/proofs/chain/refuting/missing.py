"""What a claim that does not follow from its steps lacks: which declared equation or law would have to be a step."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.chain.deciding.laws import NotProvedError
from boundcheck.proofs.chain.deciding.prover import FRESH, SAMPLE, Attempt
from boundcheck.proofs.chain.language.claims import Step, entries_of, letters_of
from boundcheck.proofs.chain.language.grammar import Node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.proofs.chain.deciding.decided import ClaimOutcome
    from boundcheck.proofs.chain.deciding.prover import Prover
    from boundcheck.proofs.chain.language.claims import ChainClaim

_MOST = 24
"""How many steps are tried beside those of a claim."""


def missing(prover: Prover, one: ClaimOutcome) -> str:
    """Return what a claim lacks: the step with which it follows, where one is met, and why it does not without."""
    for step in islice(_candidates(prover, one.claim), _MOST):
        longer = replace(one.claim, steps=(*one.claim.steps, step))
        try:
            found = Attempt(prover, longer).decided()
        except (NotProvedError, InputError):
            continue
        if not set(found.inherited) - set(one.inherited):
            return f"it follows with the step {step}"
    return one.why


def _candidates(prover: Prover, claim: ChainClaim) -> Iterator[Step]:
    """Yield steps about what a claim speaks of: equations at its indices, laws of its noise and samples, leaves."""
    setting = prover.setting
    named = {str(step) for step in claim.steps}
    entries = [node for node in _nodes(claim.shows) if node.kind == "entry"]
    made: dict[str, Step] = {}
    for one in setting.definitions.values():
        for entry in entries:
            if entry.name == one.left.name and (renamed := _matched(one.left, entry, set(one.over))) is not None:
                step = Step(one.id, {name: node for name, node in renamed.items() if node != Node("letter", name)})
                made.setdefault(str(step), step)
    for entry in dict.fromkeys(entries):
        kind = setting.vectors[entry.name].kind if entry.name in setting.vectors else ""
        if kind == "noise":
            step = Step(FRESH, {"u": entry}, "mean", ("i",))
            made.setdefault(str(step), step)
    for call in (node for node in _nodes(claim.shows) if node.kind == "call" and node.name == "taken"):
        step = Step(SAMPLE, {"u": call})
        made.setdefault(str(step), step)
    spoken = letters_of(claim.shows) | entries_of(claim.shows)
    for leaf in setting.leaves.values():
        if not leaf.points and (letters_of(leaf.shows) | entries_of(leaf.shows)) & spoken - set(setting.indices):
            made.setdefault(leaf.id, Step(leaf.id))
    yield from (step for text, step in made.items() if text not in named)


def _matched(left: Node, entry: Node, letters: set[str]) -> dict[str, Node] | None:
    """Return for which indices an equation is about an entry."""
    found: dict[str, Node] = {}
    for mine, other in zip(left.parts, entry.parts, strict=True):
        if mine.kind == "letter" and mine.name in letters:
            found[mine.name] = other
        elif mine.kind == "add" and mine.parts[0].kind == "letter" and mine.parts[0].name in letters:
            shift = mine.parts[1]
            same = other.kind == "add" and other.parts[1] == shift
            found[mine.parts[0].name] = (
                other.parts[0] if same else Node("add", parts=(other, Node("neg", parts=(shift,))))
            )
        elif mine != other:
            return None
    return found


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for part in node.parts:
        yield from _nodes(part)
