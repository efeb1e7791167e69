"""What equalities determine: a letter or a free entry that stands once in one is what the rest of it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.proofs.language.grammar import Node
from boundcheck.proofs.language.setting import SPREAD, Definition
from boundcheck.proofs.language.steps import entries_of, letters_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from boundcheck.proofs.language.affine import Range
    from boundcheck.proofs.language.claim import Claim
    from boundcheck.proofs.language.setting import ProofSetting

ZERO = Node("number", "0")
_FUNCTIONS = "f and grad"
"""Name of what depends on the letters in leaves about all points."""


def isolate(expression: Node, wanted: Node, value: Node) -> Node | None:
    """Return what `wanted` is where ``expression = value``, None where it stands in no sum, product or quotient."""
    if expression == wanted:
        return value
    inside = [part for part in expression.parts if occurrences(part, wanted)]
    if len(inside) != 1:
        return None
    (first,) = inside
    other = next((part for part in expression.parts if part is not first), ZERO)
    match expression.kind:
        case "neg":
            return isolate(first, wanted, Node("neg", parts=(value,)))
        case "add":
            return isolate(first, wanted, Node("add", parts=(value, Node("neg", parts=(other,)))))
        case "mul":
            return isolate(first, wanted, Node("div", parts=(value, other)))
        case "div" if first is expression.parts[0]:
            return isolate(first, wanted, Node("mul", parts=(value, other)))
        case "div":
            return isolate(first, wanted, Node("div", parts=(other, value)))
    return None


def occurrences(node: Node, wanted: Node) -> int:
    """Return how often an expression stands in another."""
    return int(node == wanted) + sum(occurrences(part, wanted) for part in node.parts)


class Determined:
    """Letters and entries that the equalities of a file and of a claim determine."""

    def __init__(self, setting: ProofSetting, claim: Claim) -> None:
        self.setting = setting
        self.letters: dict[str, Node] = {}
        self.equations: list[Definition] = []
        leaves = [one for one in setting.leaves.values() if not one.points]
        relations = [(one.shows, one.over) for one in leaves if not one.given]
        relations += [(node, {}) for node in claim.given]
        self._spoken = [node for node, _ in relations] + [one.shows for one in setting.leaves.values()]
        for relation, over in relations:
            if relation.name == "=" and len(relation.parts) == 2:
                self._determine(relation, over)

    def _determine(self, relation: Node, over: Mapping[str, Range]) -> None:
        left, right = relation.parts
        zero = left.parts[0] if left.kind == "norm2" and right == ZERO else None
        whole = zero or Node("add", parts=(left, Node("neg", parts=(right,))))
        for wanted in sorted(self._candidates(whole, over), key=lambda node: (self._elsewhere(node), str(node))):
            value = isolate(whole, wanted, ZERO)
            if value is None or wanted.name in self._dependencies(value):
                continue
            if wanted.kind == "letter":
                self.letters[wanted.name] = value
            else:
                self.equations.append(Definition(str(wanted), wanted, value, over))
            return

    def _elsewhere(self, node: Node) -> int:
        return sum(node.name in letters_of(one) | entries_of(one) for one in self._spoken)

    def _candidates(self, whole: Node, over: Mapping[str, Range]) -> Iterator[Node]:
        """Yield the letters (where no index is about) and the free entries that stand once, without a value yet."""
        setting = self.setting
        fixed = {*setting.horizons, *setting.sizes, *setting.series, SPREAD, *self.letters}
        free = {name for name, one in setting.vectors.items() if one.kind in {"server", "client"}} | set(
            setting.numbers
        )
        free -= {one.left.name for one in (*setting.definitions.values(), *self.equations)}
        for node in set(_nodes(whole)):
            if occurrences(whole, node) != 1:
                continue
            if node.kind == "letter" and not over and node.name in set(setting.letters) - fixed:
                yield node
            plain = [part.name for part in node.parts if part.kind == "letter"]
            if node.kind == "entry" and node.name in free and len(plain) == len(node.parts) and set(plain) == set(over):
                yield node

    def _dependencies(self, node: Node) -> set[str]:
        """Return the names that an expression depends on, through equations too."""
        found: set[str] = set()
        waiting = [node]
        known = (*self.setting.definitions.values(), *self.equations)
        while waiting:
            one = waiting.pop()
            names = letters_of(one) | entries_of(one) | ({_FUNCTIONS} if _calls(one) else set())
            for name in names - found:
                found.add(name)
                waiting += [each.right for each in known if each.left.name == name]
                waiting += [self.letters[name]] if name in self.letters else []
                if name == _FUNCTIONS:
                    waiting += [leaf.shows for leaf in self.setting.leaves.values() if leaf.points]
        return found


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for part in node.parts:
        yield from _nodes(part)


def _calls(node: Node) -> bool:
    return (node.kind == "call" and node.name in {"f", "grad"}) or any(map(_calls, node.parts))
