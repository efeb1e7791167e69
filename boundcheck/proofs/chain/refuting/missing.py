"""What a claim that does not follow from its steps lacks: which declared equation or law would have to be a step."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.algebra.scope import Scope
from boundcheck.proofs.chain.deciding.laws import NotProvedError
from boundcheck.proofs.chain.deciding.premises import renaming
from boundcheck.proofs.chain.deciding.prover import FRESH, SAMPLE, TELESCOPE, Attempt
from boundcheck.proofs.language.affine import Affine, index_of
from boundcheck.proofs.language.expressions import as_node
from boundcheck.proofs.language.forms import CLIENT, Atom, Inner
from boundcheck.proofs.language.grammar import SOME, TAKEN, Node
from boundcheck.proofs.language.steps import Step, entries_of, letters_of, substitute_letters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from boundcheck.proofs.chain.deciding.decided import ClaimOutcome
    from boundcheck.proofs.chain.deciding.prover import Prover
    from boundcheck.proofs.language.affine import Range
    from boundcheck.proofs.language.claim import Claim

_MOST = 16
"""How many leaves and claims are tried beside the steps of a claim."""


def missing(prover: Prover, claim: Claim) -> str:
    """Return what a claim lacks: the steps with which it follows, where they are found, else nothing.

    Tried are the equations and laws of what it speaks of, with the leaves and the proved claims that speak of the same.
    """
    declared = list(declared_steps(prover, claim))
    beside = [step for step in islice(_candidate_steps(prover, claim), _MOST) if _legal(prover, claim, step)]
    alone = [[one] for one in (*beside, *declared)]
    for steps in ([*declared, *beside], declared, beside, *(alone if len(beside) + len(declared) > 1 else [])):
        longer = replace(claim, steps=(*claim.steps, *steps))
        try:
            found = Attempt(prover, longer).conclude()
        except (NotProvedError, InputError):
            continue
        if not found.inherited:
            return _sentence(prover, claim, steps, found)
    return ""


def _sentence(prover: Prover, claim: Claim, steps: Sequence[Step], found: ClaimOutcome) -> str:
    """Return which of some steps are used, with the weights that they have."""
    used = {name: value for part in found.parts for name, value in part.multipliers if value != 0}
    kept: list[Step] = []
    for step in steps:
        if _without(prover, claim, [*kept, *steps[steps.index(step) + 1 :]]):
            continue
        kept.append(step)
    texts = [str(step) + (f" : {used[str(step)]}" if str(step) in used else "") for step in kept]
    return f"it follows with the {'step' if len(texts) == 1 else 'steps'} {'; '.join(texts).replace('**', '^')}"


def _without(prover: Prover, claim: Claim, steps: Sequence[Step]) -> bool:
    """Return whether a claim follows with these steps beside its own."""
    try:
        return not Attempt(prover, replace(claim, steps=(*claim.steps, *steps))).conclude().inherited
    except (NotProvedError, InputError):
        return False


def _legal(prover: Prover, claim: Claim, step: Step) -> bool:
    """Return whether a step may stand in a claim: its indices are those of the claim."""
    try:
        Attempt(prover, replace(claim, steps=(step,)), weigh=False).conclude()
    except NotProvedError:
        return True
    except InputError:
        return False
    return True


def _candidate_steps(prover: Prover, claim: Claim) -> Iterator[Step]:
    """Yield leaves and proved claims about what a claim and its steps speak of."""
    setting = prover.setting
    named = {step.id for step in (*claim.steps, *claim.base)}
    spoken = {claim.id: claim.shows}
    spoken |= {name: setting.leaves[name].shows for name in named if name in setting.leaves}
    spoken |= {name: setting.definitions[name].right for name in named if name in setting.definitions}
    about = set[str]().union(*(letters_of(one) | entries_of(one) for one in spoken.values())) - set(setting.indices)
    known = [(name, leaf.shows) for name, leaf in setting.leaves.items() if not leaf.points]
    known += [(name, one.claim.shows) for name, one in prover.found.items() if one.proved and not one.claim.at]
    for name, shows in known:
        if name != claim.id and name not in named and (letters_of(shows) | entries_of(shows)) & about:
            yield Step(name)


def declared_steps(prover: Prover, claim: Claim, beside: tuple[Step, ...] = ()) -> Iterator[Step]:
    """Yield equations and laws about what a claim and its equations speak of, beside those that are steps already."""
    setting = prover.setting
    named = {str(step) for step in (*claim.steps, *beside)}
    spoken = [claim.shows]
    for step in (*claim.steps, *beside):
        if step.id in setting.definitions:
            spoken.append(substitute_letters(setting.definitions[step.id].right, dict(step.renamed)))
        elif step.id in setting.leaves and not step.rule:
            spoken.append(substitute_letters(setting.leaves[step.id].shows, dict(step.renamed)))
    single = {letter: as_node(value) for letter, value in setting.one_valued(setting.indices).items()}
    nodes = [
        substitute_letters(node, single) for one in spoken for node in _nodes(one) if node.kind in ("entry", "call")
    ]
    entries = list(dict.fromkeys(_plain(node) for node in nodes if node.kind == "entry"))
    made: dict[str, Step] = {}
    for one in setting.definitions.values():
        if one.right.kind == "call" and one.right.name == SOME:
            continue
        for entry in entries:
            if entry.name == one.left.name and (renamed := _match(one.left, entry, set(one.over))) is not None:
                step = Step(one.id, {name: node for name, node in renamed.items() if node != Node("letter", name)})
                if _in_range(prover, step, one.over, claim):
                    made.setdefault(str(step), step)
    for entry in entries:
        kind = setting.vectors[entry.name].kind if entry.name in setting.vectors else ""
        if kind == "noise" and CLIENT in setting.indices and _free(entry, claim):
            step = Step(FRESH, {"u": entry}, "mean", (CLIENT,))
            made.setdefault(str(step), step)
    for call in (node for node in nodes if node.kind == "call" and node.name == TAKEN):
        if _free(call, claim):
            step = Step(SAMPLE, {"u": call})
            made.setdefault(str(step), step)
    yield from (step for text, step in made.items() if text not in named)


def telescoping_steps(prover: Prover, claim: Claim, beside: tuple[Step, ...] = ()) -> Iterator[Step]:
    """Yield the sums of products one place later that a claim and its steps speak of, as steps that telescope them."""
    if not any(step.rule == "sum" for step in (*claim.steps, *beside)):
        return
    try:
        longer = replace(claim, steps=(*claim.steps, *beside))
        target, premises, *_ = Attempt(prover, longer).question()
    except (NotProvedError, InputError):
        return
    made: dict[str, Step] = {}
    for term in (term for one in (target, *premises) for term in one.difference if isinstance(term, Inner)):
        for letter in (name for name in prover.setting.indices if f"*{name}" in term.varies):
            star, both = f"*{letter}", (term.left, term.right)
            varying = [atom for atom in both if star in atom.varies]
            ahead = {_ahead(atom, star) for atom in varying}
            # A mean over the index is one of products where it is in one of them alone.
            over = term.averaged - ({star} if len(varying) == 1 else set())
            if len(ahead) == 1 and None not in ahead and 0 < (by := ahead.pop() or 0) <= _FARTHEST:
                back = {star: Affine.letter(letter) - by}
                sides = [_mean_of(atom.substitute(back), over) for atom in both]
                if None not in sides:
                    for back_by in range(by):
                        moved = {letter: as_node(Affine.letter(letter) + back_by)}
                        u, v = (substitute_letters(side, moved) for side in sides if side is not None)
                        step = Step(TELESCOPE, {"u": u} if u == v else {"u": u, "v": v}, "sum", (letter,))
                        made.setdefault(str(step), step)
    yield from made.values()


_FARTHEST = 3
"""Most places by which products that telescope are apart."""


def _ahead(atom: Atom, star: str) -> int | None:
    """Return by how much all indices of an atom are ahead of a bound one, None where it has none or several."""
    while atom.argument is not None and not atom.indices:
        atom = atom.argument
    found = {(index - Affine.letter(star)).constant for index in atom.indices if star in index.letters}
    return found.pop() if len(found) == 1 and atom.argument is None else None


def _mean_of(atom: Atom, over: frozenset[str]) -> Node | None:
    """Return an atom with its mean as an expression, None where an index is bound."""
    argument = None if atom.argument is None else _mean_of(atom.argument, frozenset())
    bound = (atom.varies | over) - {CLIENT}
    if bound or (atom.argument is not None and (argument is None or atom.name != "grad")):
        return None
    if argument is not None:
        node = Node("call", atom.name, (argument,))
    else:
        at = tuple(map(as_node, atom.indices))
        node = Node("entry", atom.name, at) if at else Node("letter", atom.name)
    return Node("mean", CLIENT, (node,)) if CLIENT in over else node


def _plain(entry: Node) -> Node:
    """Return an entry with its indices written shortly: y[t, 0] for y[t, 1 - 1]."""
    try:
        return Node("entry", entry.name, tuple(as_node(index_of(part, letters_of(part))) for part in entry.parts))
    except InputError:
        return entry


def _free(node: Node, claim: Claim) -> bool:
    """Return whether all index letters in an expression are those of the claim."""
    return all(part.name in claim.over or part.name.isupper() for part in _nodes(node) if part.kind == "letter")


def _in_range(prover: Prover, step: Step, over: Mapping[str, Range], claim: Claim) -> bool:
    """Return whether an equation holds at the indices at which it would be used."""
    scope = Scope(prover.setting, claim.over)
    try:
        renaming(step, over, {}, scope)
    except InputError:
        return False
    return True


def _match(left: Node, entry: Node, letters: set[str]) -> dict[str, Node] | None:
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
