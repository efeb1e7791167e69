"""The language of claim files: text to trees.

A tree is a kind, a name and parts.  Everything is read from left to right; a space multiplies.  What is no token of the
language (control characters, letters that only look like Latin ones) is refused, so that a statement that has been read
can be printed as it stands.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from .algebra import Index, Refused, plus, whole

if TYPE_CHECKING:
    from collections.abc import Mapping


class Tree(NamedTuple):
    """An expression or a relation.

    Kinds: number, name, entry, call, min, inner, mean, sum, discounted, least, add, sub, neg, mul, div, power, and
    the relations ``<=`` and ``=``.
    """

    kind: str
    name: str = ""
    parts: tuple[Tree, ...] = ()


FUNCTIONS = ("f", "grad", "taken", "some")
BINDERS = ("mean", "sum", "discounted", "least")
WORDS = ("for", "if", "min", *FUNCTIONS, *BINDERS)
"""What no letter, index or sequence may be called."""
MOST_POWER = 100
"""The largest exponent: powers are multiplied out."""
_TOKEN = re.compile(
    r"\s*(<=|>=|\.\.|->|[0-9]+\.[0-9]+|[0-9]+(?!\.[0-9])|[A-Za-z_][A-Za-z_0-9]*(?:'[A-Za-z_0-9]*)?|[-+*/^()\[\]<>|,=])",
    re.ASCII,
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*", re.ASCII)
_BOUND = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(?:'[A-Za-z_0-9]*)?", re.ASCII)


class Reader:
    """Reads one text; `bound` allows the names ``k'`` that bound indices have in proof objects, and only there."""

    def __init__(self, text: str, *, bound: bool = False) -> None:
        self.text, self.at = " ".join(text.split()), 0
        self.tokens: list[str] = []
        self.names = _BOUND if bound else _NAME
        at = 0
        while at < len(self.text):
            found = _TOKEN.match(self.text, at)
            if found is None:
                raise Refused(f"{self.text!a}: {self.text[at : at + 12]!a} is not legal")
            self.tokens.append(found[1])
            at = found.end()

    @property
    def next(self) -> str:
        """The token that is read next, empty at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def fail(self, wanted: str) -> NoReturn:
        """Refuse the text."""
        raise Refused(f"{self.text!a}: {wanted} was expected where {self.next or 'the end'!a} stands")

    def skip(self, token: str) -> bool:
        """Return whether the next token is `token`, and step over it."""
        found = self.next == token
        self.at += found
        return found

    def take(self, *tokens: str) -> None:
        """Step over tokens that must stand here."""
        for token in tokens:
            if not self.skip(token):
                self.fail(repr(token))

    def name(self) -> str:
        """Return a name that must stand here."""
        found = self.next
        if not self.names.fullmatch(found) or found in ("for", "if"):
            self.fail("a name")
        self.at += 1
        return found

    def end(self) -> None:
        """Refuse what is left."""
        if self.next:
            self.fail("the end")

    def relation(self) -> tuple[Tree, ...]:
        """Return the relations of ``a <= b = c``, each with its larger side right."""
        found, left = [], self.expression()
        while self.next in ("<=", ">=", "="):
            kind = self.next
            self.at += 1
            right = self.expression()
            found.append(Tree("<=", "", (right, left)) if kind == ">=" else Tree(kind, "", (left, right)))
            left = right
        if not found:
            self.fail("<=, >= or =")
        return tuple(found)

    def expression(self) -> Tree:
        """Return a sum of terms."""
        tree = self.term()
        while self.next in ("+", "-"):
            kind = "add" if self.next == "+" else "sub"
            self.at += 1
            tree = Tree(kind, "", (tree, self.term()))
        return tree

    def term(self) -> Tree:
        """Return a product of factors, from left to right: 1/2 x is (1/2) x."""
        if self.skip("-"):
            return Tree("neg", "", (self.term(),))
        tree = self.factor()
        while self.next in ("*", "/") or self._starts_factor():
            kind = "div" if self.next == "/" else "mul"
            self.at += self.next in ("*", "/")
            tree = Tree(kind, "", (tree, self.factor()))
        return tree

    def _starts_factor(self) -> bool:
        token = self.next
        name = bool(self.names.fullmatch(token)) and token not in ("for", "if")
        opens = token == "|" and self.tokens[self.at + 1 : self.at + 3] != ["^", "2"]
        return name or token[:1].isdigit() or token in ("(", "<") or opens

    def factor(self) -> Tree:
        """Return a base and its power, a whole number."""
        base = self.base()
        if self.skip("^"):
            sign = "-" if self.skip("-") else ""
            if not (self.next.isdigit() and len(self.next) < 4 and int(self.next) <= MOST_POWER):
                self.fail(f"a whole number up to {MOST_POWER}")
            base = Tree("power", sign + self.next, (base,))
            self.at += 1
        return base

    def base(self) -> Tree:
        """Return a number, name, entry, call, bracket, inner product, squared norm, mean or sum."""
        if self.next[:1].isdigit():
            self.at += 1
            return Tree("number", str(Fraction(self.tokens[self.at - 1])))
        if self.skip("("):
            tree = self.expression()
            self.take(")")
            return tree
        if self.skip("<"):
            left = self.expression()
            self.take(",")
            right = self.expression()
            self.take(">")
            return Tree("inner", "", (left, right))
        if self.skip("|"):
            inside = self.expression()
            self.take("|", "^", "2")
            return Tree("inner", "", (inside, inside))
        name = self.name()
        if name in BINDERS and self.next == "(":
            return self._binder(name)
        if self.skip("["):
            return Tree("entry", name, self._several("]"))
        if name in (*FUNCTIONS, "min") and self.skip("("):
            return Tree("min" if name == "min" else "call", name, self._several(")"))
        return Tree("name", name)

    def _several(self, close: str) -> tuple[Tree, ...]:
        found = [self.expression()]
        while self.skip(","):
            found.append(self.expression())
        self.take(close)
        return tuple(found)

    def _binder(self, kind: str) -> Tree:
        """Return ``mean(i, k) u``, ``sum(t = 0 .. 3) s``, ``discounted(t, g) s``, ``least(t) s``."""
        self.take("(")
        letters: list[str] = [self.name()]
        ends: tuple[Tree, ...] = ()
        if kind == "sum" and self.skip("="):
            low = self.expression()
            self.take("..")
            ends = (low, self.expression())
        elif kind == "discounted":
            self.take(",")
            ends = (Tree("name", self.name()),)
        while kind == "mean" and self.skip(","):
            letters.append(self.name())
        self.take(")")
        tree = self.factor()
        for letter in reversed(letters):
            tree = Tree(kind, letter, (tree, *ends))
        return tree


@cache
def expression(text: str, *, bound: bool = False) -> Tree:
    """Return the expression that a text is."""
    reader = Reader(text, bound=bound)
    tree = reader.expression()
    reader.end()
    return tree


@cache
def relations(text: str) -> tuple[Tree, ...]:
    """Return the relations of a chain that a text is."""
    reader = Reader(text)
    found = reader.relation()
    reader.end()
    return found


def commas(text: str) -> list[str]:
    """Return the parts of a list; a comma within brackets separates nothing."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def index_of(tree: Tree) -> Index:
    """Return the whole combination of letters that an expression is."""
    if tree.kind == "number" and "/" not in tree.name:
        return whole(int(tree.name))
    if tree.kind == "name":
        return ((tree.name, 1),)
    if tree.kind in ("add", "sub"):
        return plus(index_of(tree.parts[0]), index_of(tree.parts[1]), 1 if tree.kind == "add" else -1)
    if tree.kind == "neg":
        return plus((), index_of(tree.parts[0]), -1)
    if tree.kind == "mul":
        number, other = sorted((index_of(part) for part in tree.parts), key=lambda one: any(x for x, _ in one))
        if not any(x for x, _ in number):
            return plus((), other, dict(number).get("", 0))
    raise Refused(f"{tree.kind} {tree.name}: no index: letters and whole numbers, added")


def index_tree(index: Index) -> Tree:
    """Return an index as an expression."""
    tree = Tree("number", "0")
    for name, value in index:
        size = Tree("number", str(value))
        tree = Tree("add", "", (tree, Tree("mul", "", (size, Tree("name", name))) if name else size))
    return tree


def substitute(tree: Tree, values: Mapping[str, Tree]) -> Tree:
    """Return a tree with names replaced; a mean or a sum must not catch a letter of what is put in."""
    if tree.kind == "name":
        return values.get(tree.name, tree)
    if tree.kind in BINDERS:
        body, *ends = tree.parts
        inside = {name: value for name, value in values.items() if name != tree.name}
        if any(tree.name in names_in(value) for name, value in inside.items() if name in names_in(body)):
            raise Refused(f"{tree.kind} over {tree.name} would catch a letter of what is put in")
        return Tree(tree.kind, tree.name, (substitute(body, inside), *(substitute(end, values) for end in ends)))
    return Tree(tree.kind, tree.name, tuple(substitute(part, values) for part in tree.parts))


def names_in(tree: Tree) -> set[str]:
    """Return the names of letters that occur in a tree, bound ones too."""
    own = {tree.name} if tree.kind == "name" or tree.kind in BINDERS else set()
    return own.union(*(names_in(part) for part in tree.parts))


def entries_in(tree: Tree) -> set[str]:
    """Return the names of the sequences that occur in a tree."""
    own = {tree.name} if tree.kind == "entry" else set()
    return own.union(*(entries_in(part) for part in tree.parts))


_STRENGTH = {"add": 0, "sub": 0, "neg": 0, "mul": 1, "div": 1, **dict.fromkeys(BINDERS, 2), "power": 3}


def written(tree: Tree) -> str:
    """Write a tree; reading what is written gives the same tree."""
    kind, name, parts = tree
    texts = [written(part) for part in parts]

    def inside(n: int, strength: int) -> str:
        """Return a part, in brackets where it binds less."""
        part = parts[n]
        own = 1 if part.kind == "number" and "/" in part.name else _STRENGTH.get(part.kind, 9)
        return texts[n] if own >= strength else f"({texts[n]})"

    if kind in ("<=", "="):
        return f"{texts[0]} {kind} {texts[1]}"
    if kind in ("add", "sub"):
        return f"{texts[0]} {'+' if kind == 'add' else '-'} {inside(1, 1)}"
    if kind in ("mul", "div"):
        return f"{inside(0, 1)}{' ' if kind == 'mul' else '/'}{inside(1, 2)}"
    if kind in BINDERS:
        ends = (
            f" = {' .. '.join(texts[1:])}" if kind == "sum" and texts[1:] else "".join(f", {end}" for end in texts[1:])
        )
        return f"{kind}({name}{ends}) {inside(0, 3)}"
    if kind == "inner":
        return f"|{texts[0]}|^2" if parts[0] == parts[1] else f"<{', '.join(texts)}>"
    forms = {"neg": "-{0}", "power": "{0}^" + name, "entry": name + "[{1}]", "call": name + "({1})", "min": "min({1})"}
    alone = {"neg": 1, "power": 4}.get(kind)
    return forms.get(kind, name).format(inside(0, alone) if alone else "", ", ".join(texts))
