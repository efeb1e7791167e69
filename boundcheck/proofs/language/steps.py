"""Steps and relations: what a claim of a whole proof is made of, and the trees that they hold."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.language.grammar import BINDERS, ExpressionReader, Node, node_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boundcheck.proofs.language.affine import Range

STEP = (
    "ID, ID(t -> t - 1, u -> x[t]), then [sum t], [sum t = 0 .. T - 2], [mean k], [growth k 2], [series k] or"
    " [discount t g], then : MULTIPLIER"
)
SERIES = "series"
RULES = {
    "sum": "adds a premise up over an index; what telescopes leaves its ends",
    "mean": "what holds at every index holds on average",
    "growth": "A[k+1] <= (1 + q/K) A[k] + b for K steps gives A[k] <= e^q (A[0] + k b)",
    "growth-sum": "A[t+1] <= (1 + q/T) A[t] + b[t] gives sum A[t] <= e^q (T A[0] + (T - 1) sum b[t])",
    SERIES: "A[k+1] <= (1 + 1/(K-1)) A[k] + b for K - 1 steps gives A[k] <= e A[0] + b times the sum of the powers",
    "discount": "0 <= A[t+1] <= (1 + g) A[t] - b[t] + c for all t gives a discounted mean of b <= (g + 1/T) A[0] + c",
    "fresh": "noise of mean zero given all older noise, independent over clients: the squares of an average add up",
    "sample": "the square of a mean over S clients: that of the mean over all, and at most 1/S of the spread",
    "window": "the mean of entries one place later: that of the entries, plus what the ends differ by",
    "telescope": "a sum of products one place later: that of the products, plus what the ends differ by",
    "zero": "a vector of norm zero is zero: what shows |u - v|^2 = 0 is used as the equation u = v",
    "instance": "what holds for all values of a letter holds for one",
    "minimum": "a number that is the smallest of several is at most each of them, and is one of them",
    "least": "the least of several numbers is at most each of them, and at most their mean",
    "vanishing": "a letter that is not negative is 0, or it is positive",
    "whole": "a number of steps is 1, or at least 2: the cases are proved one by one",
    "induction": "the first index, and each from the one before",
}
"""The rules that join claims, beside adding premises with nonnegative multipliers."""


@dataclass(frozen=True)
class Step:
    """A premise: another claim, a leaf or an equation, renamed, under a rule, with its multiplier."""

    id: str
    renamed: Mapping[str, Node] = field(default_factory=dict)
    rule: str = ""
    """A name from `RULES`; empty where the premise is taken as it stands."""
    letters: tuple[str, ...] = ()
    """Index letters of the rule."""
    bounds: tuple[Node, ...] = ()
    """First and last value of a sum, the whole number q of a growth, or the letter of a discount."""
    multiplier: Node | None = None
    """What the premise is multiplied by; by default what cancels its left side."""

    def __str__(self) -> str:
        text = self.id
        if self.renamed:
            text += "(" + ", ".join(f"{name} -> {node_text(node)}" for name, node in self.renamed.items()) + ")"
        if self.rule:
            bounds = " = " + " .. ".join(map(node_text, self.bounds)) if len(self.bounds) > 1 else ""
            power = f" {node_text(self.bounds[0])}" if len(self.bounds) == 1 else ""
            text += f" [{self.rule} {', '.join(self.letters)}{bounds}{power}]"
        return text + (f" : {node_text(self.multiplier)}" if self.multiplier else "")


_STEP = re.compile(
    r"\s*(?P<id>[A-Za-z_][\w.-]*)\s*(?:\((?P<renamed>.*?)\)(?=\s*(?:\[(?:sum|mean|growth|series|discount)|:|$)))?"
    r"\s*(?:\[(?P<rule>growth-sum|sum|mean|growth|series|discount)\s+(?P<of>[^\]]*)\])?\s*(?::\s*(?P<by>.*))?$"
)


def read_step(text: str) -> Step:
    """Return the step that `text` is.

    Raises
    ------
    InputError
        Naming the text and the grammar of steps.
    """
    match = _STEP.match(text)
    if match is None:
        msg = f"step {text!r} is not legal: {STEP}"
        raise InputError(msg)
    multiplier = _whole(match["by"]) if match["by"] is not None else None
    letters, bounds = _rule(match["rule"], match["of"], text)
    return Step(match["id"], _read_renaming(match["renamed"]), match["rule"] or "", letters, bounds, multiplier)


def _whole(text: str) -> Node:
    reader = ExpressionReader(text)
    node = reader.expression()
    reader.end()
    return node


def _read_renaming(text: str | None) -> dict[str, Node]:
    found: dict[str, Node] = {}
    if text:
        reader = ExpressionReader(text)
        while True:
            name = reader.name()
            reader.take("->")
            if name in found:
                reader.fail(f"another letter than {name}, which is renamed already,")
            found[name] = reader.expression()
            if not reader.skip(","):
                break
        reader.end()
    return found


def _rule(rule: str | None, of: str | None, text: str) -> tuple[tuple[str, ...], tuple[Node, ...]]:
    if rule is None or of is None:
        return (), ()
    reader = ExpressionReader(of)
    letters = [reader.name()]
    if rule == "mean":
        while reader.skip(","):
            letters.append(reader.name())
    bounds: tuple[Node, ...] = ()
    if rule == "sum" and reader.skip("="):
        low = reader.expression()
        reader.take("..")
        bounds = (low, reader.expression())
    if rule in {"growth", "growth-sum"}:
        bounds = (reader.base(),)
        if bounds[0].kind != "number" or "/" in bounds[0].name:
            msg = f"step {text!r}: [{rule} k q] needs a whole number q"
            raise InputError(msg)
    if rule == "discount":
        bounds = (Node("letter", reader.name()),)
    reader.end()
    return tuple(letters), bounds


@dataclass(frozen=True)
class Relation:
    """A statement about the sequences of a setting: one relation, for indices, under what is given.

    It is decided together with its file, whose setting says what the sequences are, and from the steps of its claim.
    """

    shows: Node
    """One relation."""
    over: Mapping[str, Range] = field(default_factory=dict)
    """Index letters for which it holds, with their ranges."""
    given: tuple[Node, ...] = ()
    """Relations between letters."""
    cases: tuple[tuple[Node, ...], ...] = ()
    """What is given besides in each of two cases, of which one holds."""
    at: Mapping[str, Node] = field(default_factory=dict)
    """Letters with what is put for them in the one step: the claim is about the runs at these values."""

    @property
    def premises(self) -> tuple[str, ...]:
        """For which indices and under what it holds, a line each."""
        over = [f"for {letter} = {low} .. {high}" for letter, (low, high) in self.over.items()]
        given = [f"given {node_text(node)}" for node in self.given]
        return (*over, *given, *(f"or given {' and '.join(map(node_text, case))}" for case in self.cases))

    @property
    def conclusion(self) -> tuple[str, ...]:
        """What it shows, and at which values, a line each."""
        return (
            *(f"at {letter} = {node_text(node)}" for letter, node in self.at.items()),
            f"shows {node_text(self.shows)}",
        )

    @property
    def text(self) -> tuple[str, ...]:
        """The statement, a line each."""
        return (*self.premises, *self.conclusion)

    def sentence(self, more: Iterable[Node] = ()) -> str:
        """Return what it shows, for which indices and under which hypotheses, `more` of them among these."""
        over = [f"{letter} = {low} .. {high}" for letter, (low, high) in self.over.items()]
        given = [node_text(node) for node in dict.fromkeys((*self.given, *more))]
        given += [" or ".join(f"({' and '.join(map(node_text, case))})" for case in self.cases)] * bool(self.cases)
        at = [f"{letter} = {node_text(node)}" for letter, node in self.at.items()]
        parts = (" for ", over), (" if ", given), (" at ", at)
        return node_text(self.shows) + "".join(word + ", ".join(part) for word, part in parts if part)

    @property
    def letters(self) -> set[str]:
        """The letters of the statement."""
        return letters_of(self.shows).union(*map(letters_of, (*self.given, *sum(self.cases, ()))))


def substitute_letters(node: Node, values: Mapping[str, Node]) -> Node:
    """Return an expression with letters replaced.

    Raises
    ------
    InputError
        If a mean or a sum would catch a letter of what is put in.
    """
    if node.kind == "letter" and node.name in values:
        return values[node.name]
    bound = {part.strip() for part in node.name.split(",")} if node.kind in BINDERS else set()
    inside = {name: value for name, value in values.items() if name not in bound}
    caught = bound & set().union(*(letters_of(value) for value in inside.values()), set())
    if caught and any(name in letters_of(node) for name in inside):
        msg = f"{node_text(node)!r}: this mean or sum would catch {', '.join(sorted(caught))}; rename its index"
        raise InputError(msg)
    return Node(node.kind, node.name, tuple(substitute_letters(part, inside) for part in node.parts))


def letters_of(node: Node) -> set[str]:
    """Return the letters that occur in an expression."""
    own = {node.name} if node.kind == "letter" else set()
    return own.union(*(letters_of(part) for part in node.parts))


def entries_of(node: Node) -> set[str]:
    """Return the names of the sequences that occur in an expression."""
    own = {node.name} if node.kind == "entry" else set()
    return own.union(*(entries_of(part) for part in node.parts))
