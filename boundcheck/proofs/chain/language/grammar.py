"""The grammar of statements: text to a tree of expressions, and back.

``expression`` is sums, differences, products (written ``*`` or by a space) and quotients, read from left to right, of

* numbers (``12``, ``7/9``; a decimal fraction is exact), letters, powers ``x^3`` with whole exponents;
* entries of sequences ``F[t + 1]``, ``y[t, k]`` and functions ``f(x[t])``, ``grad(y[t, k])``;
* ``taken(A[t], u[t])``, which is u on the clients of the sample A[t] and 0 on the others;
* inner products ``<u, v>`` and squared norms ``|u|^2``;
* ``mean(i) u``, ``mean(i, k) u``, ``mean(k) s`` and ``sum(t) s``, ``sum(t = 0 .. T - 2) s``, over what follows;
* ``discounted(t, g) s``, the mean of s over t with weights proportional to (1 + g)^(T - 1 - t);
* ``least(t) s``, the least s over t, alone on the smaller side of what a claim shows.

A statement is a relation, or a chain of them, with its indices and what is known:
``a <= b for t, k = 1 .. K if c <= d, e <= f``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NoReturn

from boundcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

LEGAL = (
    "numbers, letters, + - * / ^, entries x[t + 1], functions f(x[t]), <u, v>, |u|^2, mean(i, k) u,"
    " sum(t = 0 .. T - 1) s, one or more of <=, >=, = between expressions,"
    " then for t = 1 .. T, k, then if a <= b, c <= d"
)
_TOKEN = re.compile(
    r"\s*(<=|>=|\.\.|->|\d+\.\d+|\d+(?!\.\d)|[A-Za-z_][A-Za-z_0-9]*"
    r"|[-+*/^()\[\]<>|,=;:])"
)
_STATEMENT = re.compile(r"(?P<shows>.+?)(?:\sfor\s(?P<over>.+?))?(?:\sif\s(?P<given>.+))?")
WORDS = ("for", "if")
"""Words of a statement, which are no letters."""
RELATIONS = ("<=", ">=", "=")
BINDERS = ("mean", "sum", "discounted", "least")
"""What binds index letters."""


@dataclass(frozen=True)
class Node:
    """An expression: what it is, its name or number, and its parts."""

    kind: str
    """number, letter, entry, call, inner, norm2, one of `BINDERS`, add, mul, div, neg, power or relation."""
    name: str = ""
    """Name of a letter, sequence or function; the number as text; the relation; the letters of a mean."""
    parts: tuple[Node, ...] = ()
    """Operands; indices of an entry; body and bounds of a sum; body and growth of a discounted mean."""

    def __str__(self) -> str:
        return node_text(self)


def tokens_of(text: str) -> list[str]:
    """Return the tokens of `text`; raise InputError at the first that is none."""
    found, at = [], 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            msg = f"{text!r}: {text[at:].strip()[:12]!r} is not legal; legal are {LEGAL}"
            raise InputError(msg)
        found.append(match[1])
        at = match.end()
    return found


class ExpressionReader:
    """Reads expressions from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens_of(text)
        self.at = 0

    @property
    def next(self) -> str:
        """Return the token that is read next, empty at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def fail(self, wanted: str) -> NoReturn:
        """Raise InputError that names the text, the token and what would be legal."""
        found = repr(self.next) if self.next else "the end"
        msg = f"{self.text!r}: {wanted} was expected where {found} stands; legal are {LEGAL}"
        raise InputError(msg)

    def take(self, *wanted: str) -> str:
        """Return the next token if it is one of `wanted`, else fail."""
        if self.next not in wanted:
            self.fail(" or ".join(map(repr, wanted)))
        self.at += 1
        return self.tokens[self.at - 1]

    def skip(self, token: str) -> bool:
        """Return whether the next token is `token`, and step over it."""
        found = self.next == token
        self.at += found
        return found

    def name(self) -> str:
        """Return the next token, a name."""
        if not _is_name(self.next):
            self.fail("a name")
        self.at += 1
        return self.tokens[self.at - 1]

    def end(self) -> None:
        """Fail unless everything has been read."""
        if self.next:
            self.fail("the end")

    def relation(self) -> Node:
        """Read ``a <= b``, or a chain ``a = b <= c``."""
        parts, signs = [self.expression()], []
        while self.next in RELATIONS:
            signs.append(self.take(*RELATIONS))
            parts.append(self.expression())
        if not signs:
            self.fail("<=, >= or =")
        return Node("relation", " ".join(signs), tuple(parts))

    def expression(self) -> Node:
        """Read a sum of terms."""
        left = self.term()
        while self.next in {"+", "-"}:
            sign = self.take("+", "-")
            right = self.term()
            left = Node("add", parts=(left, right if sign == "+" else Node("neg", parts=(right,))))
        return left

    def term(self) -> Node:
        """Read a product of factors; a space multiplies, and everything is read from left to right."""
        if self.skip("-"):
            return Node("neg", parts=(self.term(),))
        left = self.factor()
        while self.next in {"*", "/"} or self._starts_factor():
            kind = "div" if self.next == "/" else "mul"
            self.at += self.next in {"*", "/"}
            left = Node(kind, parts=(left, self.factor()))
        return left

    def _starts_factor(self) -> bool:
        token = self.next
        return _is_name(token) or token[:1].isdigit() or token in {"(", "<"} or (token == "|" and self._opens())

    def _opens(self) -> bool:
        # A bar closes a norm exactly where a power 2 follows it.
        return self.tokens[self.at + 1 : self.at + 3] != ["^", "2"]

    def factor(self) -> Node:
        """Read a base and its power."""
        base = self.base()
        if self.skip("^"):
            minus = self.skip("-")
            if not self.next.isdigit():
                self.fail("a whole number")
            base = Node("power", ("-" if minus else "") + self.next, (base,))
            self.at += 1
        return base

    def base(self) -> Node:
        """Read a number, a letter, an entry, a call, a bracket, an inner product, a squared norm, a mean or a sum."""
        token = self.next
        if token[:1].isdigit():
            self.at += 1
            return Node("number", str(Fraction(token)))
        if self.skip("("):
            inside = self.expression()
            self.take(")")
            return inside
        if self.skip("<"):
            left = self.expression()
            self.take(",")
            right = self.expression()
            self.take(">")
            return Node("inner", parts=(left, right))
        if self.skip("|"):
            inside = self.expression()
            for expected in ("|", "^", "2"):
                self.take(expected)
            return Node("norm2", parts=(inside,))
        return self._named()

    def _named(self) -> Node:
        name = self.name()
        if name == "sum" and self.next == "(":
            return self._sum()
        if name == "mean" and self.next == "(":
            letters = ", ".join(str(part) for part in self._arguments("(", ")"))
            return Node("mean", letters, (self.factor(),))
        if name == LEAST and self.next == "(":
            self.take("(")
            letter = self.name()
            self.take(")")
            return Node(LEAST, letter, (self.factor(),))
        if name == "discounted" and self.next == "(":
            return self._discounted()
        if name == MINIMUM and self.next == "(":
            return Node("min", parts=self._arguments("(", ")"))
        if self.next == "[":
            return Node("entry", name, self._arguments("[", "]"))
        if self.next == "(" and name in FUNCTIONS:
            return Node("call", name, self._arguments("(", ")"))
        return Node("letter", name)

    def _sum(self) -> Node:
        self.take("(")
        letter = self.name()
        bounds: tuple[Node, ...] = ()
        if self.skip("="):
            low = self.expression()
            self.take("..")
            bounds = (low, self.expression())
        self.take(")")
        return Node("sum", letter, (self.factor(), *bounds))

    def _discounted(self) -> Node:
        self.take("(")
        letter = self.name()
        self.take(",")
        growth = self.expression()
        self.take(")")
        return Node("discounted", letter, (self.factor(), growth))

    def _arguments(self, opening: str, closing: str) -> tuple[Node, ...]:
        self.take(opening)
        found = [self.expression()]
        while self.skip(","):
            found.append(self.expression())
        self.take(closing)
        return tuple(found)


TAKEN = "taken"
"""A vector on the clients of a sample, 0 on the others."""
SOME = "some"
"""Made from vectors in a way that nobody needs to know: the right side of an equation, ``c[t] = some(x[t], y[t])``."""
FUNCTIONS = ("f", "grad", TAKEN, SOME)
"""Functions of a point: the objective's expected value, and the clients' gradients; what a sample takes, and `SOME`."""


LEAST = "least"
"""The least of a sequence of numbers."""
MINIMUM = "min"
"""The smallest of several numbers, in what is given: ``beta = min(c, r)``."""


def _is_name(token: str) -> bool:
    return (token[:1].isalpha() or token[:1] == "_") and token not in WORDS


def read(text: str) -> Node:
    """Return the expression that `text` is.

    Raises
    ------
    InputError
        Naming the text, the first token that does not fit, and the grammar.
    """
    reader = ExpressionReader(text)
    node = reader.expression()
    reader.end()
    return node


def read_relation(text: str) -> Node:
    """Return the relation, or chain of relations, that `text` is; errors as in `read`."""
    reader = ExpressionReader(text)
    node = reader.relation()
    reader.end()
    return node


def read_relations(text: str, named: Mapping[str, tuple[Node, ...]] | None = None) -> tuple[Node, ...]:
    """Return the relations that a text lists, after commas, some perhaps by a name; errors as in `read`."""
    reader = ExpressionReader(text)
    found: list[Node] = []
    while not found or reader.skip(","):
        known = named.get(reader.next) if named else None
        found.extend((reader.relation(),) if known is None else known)
        reader.at += known is not None
    reader.end()
    return tuple(found)


def read_statement(
    text: str, named: Mapping[str, tuple[Node, ...]] | None = None
) -> tuple[Node, str, tuple[Node, ...]]:
    """Return the relation of a statement, the text of its ranges, and what is given; errors as in `read`."""
    found = _STATEMENT.fullmatch(text)
    shows, over, given = found.groups("") if found else (text, "", "")
    return read_relation(shows), over, read_relations(given, named) if given else ()


_STRENGTH = {"add": 0, "neg": 0, "mul": 1, "div": 1, **dict.fromkeys(BINDERS, 2), "power": 3}


def node_text(node: Node) -> str:
    """Return the canonical text of an expression: `read` of it gives the same tree."""
    parts = node.parts
    if node.kind == "relation":
        signs = node.name.split()
        return "".join(f"{node_text(part)} {sign} " for part, sign in zip(parts, signs, strict=False)) + node_text(
            parts[-1]
        )
    if node.kind == "add":
        second = parts[1]
        if second.kind == "neg":
            return f"{node_text(parts[0])} - {_inside(second.parts[0], 1)}"
        return f"{node_text(parts[0])} + {node_text(second) if second.kind != 'add' else f'({node_text(second)})'}"
    if node.kind in {"mul", "div"}:
        return f"{_inside(parts[0], 1)}{'*' if node.kind == 'mul' else '/'}{_inside(parts[1], 2)}"
    return _written_unit(node)


def _written_unit(node: Node) -> str:
    parts, listed = node.parts, ", ".join(node_text(part) for part in node.parts)
    match node.kind:
        case "neg":
            return f"-{_inside(parts[0], 1)}"
        case "power":
            return f"{_inside(parts[0], 4)}^{node.name}"
        case "entry":
            return f"{node.name}[{listed}]"
        case "call":
            return f"{node.name}({listed})"
        case "inner":
            return f"<{listed}>"
        case "min":
            return f"{MINIMUM}({listed})"
        case "norm2":
            return f"|{listed}|^2"
        case "mean":
            return f"mean({node.name}) {_inside(parts[0], 3)}"
        case "sum":
            bounds = f" = {node_text(parts[1])} .. {node_text(parts[2])}" if len(parts) > 1 else ""
            return f"sum({node.name}{bounds}) {_inside(parts[0], 3)}"
        case "least":
            return f"{LEAST}({node.name}) {_inside(parts[0], 3)}"
        case "discounted":
            return f"discounted({node.name}, {node_text(parts[1])}) {_inside(parts[0], 3)}"
    return node.name


def _inside(node: Node, strength: int) -> str:
    text = node_text(node)
    own = _STRENGTH.get(node.kind, 9)
    if node.kind == "number" and "/" in node.name:
        own = 1
    return text if own >= strength else f"({text})"
