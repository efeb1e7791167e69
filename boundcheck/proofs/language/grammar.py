"""The grammar of statements: text to a tree of expressions, and back.

``expression`` is sums, differences, products (written ``*`` or by a space) and quotients, read from left to right, of

* numbers (``12``, ``7/9``; a decimal fraction is exact), letters, powers ``x^3``;
* inner products ``<u, v>`` and squared norms ``|u|^2``;
* entries of sequences ``F[t + 1]``, ``y[t, k]`` and functions ``f(x[t])``, ``grad(y[t, k])``;
* ``taken(A[t], u[t])``, which is u on the clients of the sample A[t] and 0 on the others;
* ``mean(i) u``, ``mean(i, k) u``, ``mean(k) s`` and ``sum(t) s``, ``sum(t = 0 .. T - 2) s``, over what follows;
* ``discounted(t, g) s``, the mean of s over t with weights proportional to (1 + g)^(T - 1 - t);
* ``least(t) s``, the least s over t, alone on the smaller side of what a claim shows.

A statement is a relation, or a chain of them, with its indices and what is known:
``a <= b for t, k = 1 .. K if c <= d, e <= f``.

A statement that stands alone, about numbers and vectors without indices, has more words (`read_alone`): every name
before a bracket is a function (``sqrt(x)``, ``mean(u)``, ``E(|e|^2)``), exponents are expressions, relations may be
strict (with spaces around them) and joined by ``or``; ranges are ``for k >= 1`` and ``for x in [0, 1]``; a condition
may have a multiplier, ``0 <= s : c``; and ``never`` or ``possible`` before conditions says that they clash, or do not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NoReturn, TypeVar

from boundcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

Read = TypeVar("Read")
LEGAL = (
    "numbers, letters, + - * / ^, entries x[t + 1], functions f(x[t]), <u, v>, |u|^2, mean(i, k) u,"
    " sum(t = 0 .. T - 1) s, one or more of <=, >=, = between expressions,"
    " then for t = 1 .. T, k, then if a <= b, c <= d"
)
LEGAL_ALONE = (
    "'a <= b', 'a = b', 'a = b <= c', 'a <= b if c <= d, d < e, f != 0', 'a <= b for k >= 1', 'a < b for x in [0, 1]',"
    " 'never a < b, b < a' or 'possible a < b, b < c', with spaces around < and >, of numbers, letters, + - * / ^, exp,"
    " log, sin, cos, sqrt, abs, max, min, pi, <u, v>, |u|^2, |u|, mean(u), deviation(u), sampled(u, A), taken(u, A)"
    " and E(expression, LAW, ...)"
)
_TOKEN = re.compile(
    r"\s*(<=|>=|!=|\.\.|->|\*\*|\d+\.\d+|\d+(?!\.\d)|[A-Za-z_][A-Za-z_0-9]*"
    r"|[-+*/^()\[\]<>|,=;:])"
)
WORDS = ("for", "if")
"""Words of a statement, which are no letters."""
WORDS_ALONE = (*WORDS, "or")
RELATIONS = ("<=", ">=", "=")
RELATIONS_ALONE = (*RELATIONS, " < ", " > ", "!=")
BINDERS = ("mean", "sum", "discounted", "least")
"""What binds index letters."""
MOODS = ("never", "possible")
"""What is said of conditions: they clash, or they can be met together."""


@dataclass(frozen=True)
class Node:
    """An expression: what it is, its name or number, and its parts."""

    kind: str
    """number, letter, entry, call, inner, norm2, min, one of `BINDERS`, add, mul, div, neg, power or relation; of
    conditions also or, times (a relation and its multiplier); of ranges all (the whole range of an index), range, box
    or from."""
    name: str = ""
    """Name of a letter, sequence or function; the number as text; the relation; the letters of a mean; the exponent of
    a power that is a whole number."""
    parts: tuple[Node, ...] = ()
    """Operands; indices of an entry; body and bounds of a sum; body and growth of a discounted mean; ends of a
    range."""

    def __str__(self) -> str:
        return node_text(self)


@dataclass(frozen=True)
class Statement:
    """What a line says, for which values, under which conditions."""

    shows: tuple[Node, ...]
    """A relation, or a chain of them; the conditions of which `mood` speaks."""
    over: tuple[Node, ...] = ()
    """Ranges of indices and letters."""
    given: tuple[Node, ...] = ()
    mood: str = ""
    """One of `MOODS`, or empty: what is shown holds."""


def tokens_of(text: str, *, alone: bool = False) -> list[str]:
    """Return the tokens of `text`, a strict relation with its spaces; raise InputError at the first that is none."""
    found, at = [], 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            msg = f"{text!r}: {text[at:].strip()[:12]!r} is not legal; legal are {LEGAL_ALONE if alone else LEGAL}"
            raise InputError(msg)
        token, at = match[1], match.end()
        # <u, v> and a < b: an inner product has no space behind its first sign and none before its last.
        strict = alone and token in ("<", ">") and text[: match.start(1)][-1:].isspace() and text[at : at + 1].isspace()
        found.append(f" {token} " if strict else "^" if token == "**" else token)
    return found


class ExpressionReader:
    """Reads expressions from left to right; `alone` are those of a statement that stands alone."""

    def __init__(self, text: str, *, alone: bool = False) -> None:
        self.text = text
        self.alone = alone
        self.tokens = tokens_of(text, alone=alone)
        self.at = 0
        self.in_norm = False
        """Whether a bar closes the norm that is being read."""

    @property
    def next(self) -> str:
        """Return the token that is read next, empty at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def fail(self, wanted: str) -> NoReturn:
        """Raise InputError that names the text, the token and what would be legal."""
        found = repr(self.next.strip()) if self.next else "the end"
        legal = LEGAL_ALONE if self.alone else LEGAL
        msg = f"line = {self.text!r} is not legal: {wanted} was expected where {found} stands; legal are {legal}"
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
        if not self._is_name(self.next):
            self.fail("a name")
        self.at += 1
        return self.tokens[self.at - 1]

    def _is_name(self, token: str) -> bool:
        return (token[:1].isalpha() or token[:1] == "_") and token not in (WORDS_ALONE if self.alone else WORDS)

    def end(self) -> None:
        """Fail unless everything has been read."""
        if self.next:
            self.fail("the end")

    def finish(self, found: Read) -> Read:
        """Return what was read if it is everything, else fail."""
        self.end()
        return found

    def statement(self, named: Mapping[str, tuple[Node, ...]] | None = None) -> Statement:
        """Read a statement to its end; `named` are names for conditions."""
        mood = self.take(*MOODS) if self.alone and self.next in MOODS else ""
        shows = self.conditions() if self.alone else (self.relation(),)
        over = self.ranges() if self.skip("for") else ()
        given = self.conditions(named) if self.skip("if") else ()
        self.end()
        return Statement(shows, over, given, mood)

    def ranges(self) -> tuple[Node, ...]:
        """Read ``t, k = 1 .. K``, and of a statement that stands alone ``k >= 1`` and ``x in [0, 1], y in [1, 2]``."""
        found: list[Node] = []
        while not found or self.skip(","):
            name = self.name()
            if self.skip("="):
                low = self.expression()
                self.take("..")
                found.append(Node("range", name, (low, self.expression())))
            elif self.alone and self.skip(">="):
                found.append(Node("from", name, (self.expression(),)))
            elif self.alone and self.skip("in"):
                found.append(Node("box", name, self._arguments("[", "]")))
            else:
                found.append(Node("all", name))
        return tuple(found)

    def conditions(self, named: Mapping[str, tuple[Node, ...]] | None = None) -> tuple[Node, ...]:
        """Read relations with commas between them, some perhaps by a name."""
        found: list[Node] = []
        while not found or self.skip(","):
            known = named.get(self.next) if named else None
            found.extend((self._condition(),) if known is None else known)
            self.at += known is not None
        return tuple(found)

    def _condition(self) -> Node:
        first = self.relation()
        if not self.alone:
            return first
        if self.skip(":"):
            return Node("times", parts=(first, self.expression()))
        either = [first]
        while self.skip("or"):
            either.append(self.relation())
        return first if len(either) == 1 else Node("or", parts=tuple(either))

    def relation(self) -> Node:
        """Read ``a <= b``, or a chain ``a = b <= c``."""
        legal = RELATIONS_ALONE if self.alone else RELATIONS
        parts, signs = [self.expression()], []
        while self.next in legal:
            signs.append(self.take(*legal).strip())
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
        # A bar closes the norm that was opened last; where sequences stand, exactly where a power 2 follows it.
        closes = self.in_norm if self.alone else self.tokens[self.at + 1 : self.at + 3] == ["^", "2"]
        opens = self.next == "|" and not closes
        return opens or self.next in {"(", "<"} or self.next[:1].isdigit() or self._is_name(self.next)

    def factor(self) -> Node:
        """Read a base and its power."""
        if self.alone and self.skip("-"):
            return Node("neg", parts=(self.factor(),))
        base = self.base()
        if not self.skip("^"):
            return base
        minus = self.skip("-")
        if not (self.alone or self.next.isdigit()):
            self.fail("a whole number")
        exponent = self.factor() if self.alone else self.base()
        if exponent.kind == "number" and "/" not in exponent.name:
            return Node("power", ("-" if minus else "") + exponent.name, (base,))
        return Node("power", parts=(base, Node("neg", parts=(exponent,)) if minus else exponent))

    def base(self) -> Node:
        """Read a number, a letter, an entry, a call, a bracket, an inner product, a squared norm, a mean or a sum."""
        token = self.next
        if token[:1].isdigit():
            self.at += 1
            return Node("number", str(Fraction(token)))
        if self.skip("("):
            inside = self._within()
            self.take(")")
            return inside
        if self.skip("<"):
            left = self._within()
            self.take(",")
            right = self._within()
            self.take(">")
            return Node("inner", parts=(left, right))
        if self.skip("|"):
            return self._norm()
        return self._read_named()

    def _within(self, *, norm: bool = False) -> Node:
        """Read an expression in brackets, in which a bar opens a norm, or between bars, where it closes this one."""
        outer, self.in_norm = self.in_norm, norm
        inside = self.expression()
        self.in_norm = outer
        return inside

    def _norm(self) -> Node:
        """Read what follows a bar: a squared norm, or a norm in a statement that stands alone."""
        inside = self._within(norm=True)
        self.take("|")
        if self.tokens[self.at : self.at + 2] == ["^", "2"] or not self.alone:
            self.take("^")
            self.take("2")
            return Node("norm2", parts=(inside,))
        return Node("norm", parts=(inside,))

    def _read_named(self) -> Node:
        name = self.name()
        if self.next == "[" and not self.alone:
            return Node("entry", name, self._arguments("[", "]"))
        if self.next != "(":
            return Node("letter", name)
        if name == MINIMUM:
            return Node("min", parts=self._arguments("(", ")"))
        if self.alone:
            parts = self._arguments("(", ")")
            return Node("inner", parts=parts) if name == "dot" and len(parts) == 2 else Node("call", name, parts)
        if name in FUNCTIONS:
            return Node("call", name, self._arguments("(", ")"))
        if name not in BINDERS:
            return Node("letter", name)
        if name in ("sum", LEAST):
            self.take("(")
            one, *more = self.ranges()
            if more or (one.parts and name == LEAST):
                self.fail("one index")
            self.take(")")
            return Node(name, one.name, (self.factor(), *one.parts))
        letters = self._arguments("(", ")")
        if name == "mean":
            return Node(name, ", ".join(map(node_text, letters)), (self.factor(),))
        if len(letters) != 2 or letters[0].kind != "letter":
            self.fail("discounted(t, g) s")
        return Node(name, letters[0].name, (self.factor(), letters[1]))

    def _arguments(self, opening: str, closing: str) -> tuple[Node, ...]:
        self.take(opening)
        found = [self._within()]
        while self.skip(","):
            found.append(self._within())
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


def read(text: str, *, alone: bool = False) -> Node:
    """Return the expression that `text` is.

    Raises
    ------
    InputError
        Naming the text, the first token that does not fit, and the grammar.
    """
    reader = ExpressionReader(text, alone=alone)
    return reader.finish(reader.expression())


def read_relation(text: str) -> Node:
    """Return the relation, or chain of relations, that `text` is; errors as in `read`."""
    reader = ExpressionReader(text)
    return reader.finish(reader.relation())


def read_relations(text: str, named: Mapping[str, tuple[Node, ...]] | None = None) -> tuple[Node, ...]:
    """Return the relations that a text lists, after commas, some perhaps by a name; errors as in `read`."""
    reader = ExpressionReader(text)
    return reader.finish(reader.conditions(named))


def read_ranges(text: str) -> tuple[Node, ...]:
    """Return the ranges that a text lists, ``t, k = 0 .. K - 2``, perhaps none; errors as in `read`."""
    reader = ExpressionReader(text)
    return reader.finish(reader.ranges() if reader.next else ())


def read_statement(text: str, named: Mapping[str, tuple[Node, ...]] | None = None) -> Statement:
    """Return what a statement about sequences says; `named` are names for conditions; errors as in `read`."""
    return ExpressionReader(text).statement(named)


@lru_cache(maxsize=4096)
def read_alone(text: str) -> Statement:
    """Return what a statement, or a condition, says that stands alone; errors as in `read`."""
    return ExpressionReader(text, alone=True).statement()


def names_in(node: Node) -> set[str]:
    """Return the letters in an expression or relation."""
    own = {node.name} if node.kind == "letter" else set()
    return own.union(*map(names_in, node.parts))


_STRENGTH = {"add": 0, "neg": 0, "mul": 1, "div": 1, **dict.fromkeys(BINDERS, 2), "power": 3}


def node_text(node: Node) -> str:
    """Return the canonical text of an expression: `read` of it gives the same tree."""
    parts = node.parts
    if node.kind == "relation":
        signs = [f" {sign} " for sign in node.name.split()] + [""]
        return "".join(node_text(part) + sign for part, sign in zip(parts, signs, strict=True))
    if node.kind == "add":
        second = parts[1]
        if second.kind == "neg":
            return f"{node_text(parts[0])} - {_inside(second.parts[0], 1)}"
        return f"{node_text(parts[0])} + {node_text(second) if second.kind != 'add' else f'({node_text(second)})'}"
    if node.kind in {"mul", "div"}:
        return f"{_inside(parts[0], 1)}{'*' if node.kind == 'mul' else '/'}{_inside(parts[1], 2)}"
    return _written_unit(node)


def _written_unit(node: Node) -> str:
    parts, texts = node.parts, [node_text(part) for part in node.parts]
    listed = ", ".join(texts)
    match node.kind:
        case "neg":
            return f"-{_inside(parts[0], 1, texts[0])}"
        case "power":
            return f"{_inside(parts[0], 4, texts[0])}^{node.name or _inside(parts[1], 4, texts[1])}"
        case "entry":
            return f"{node.name}[{listed}]"
        case "call":
            return f"{node.name}({listed})"
        case "inner":
            return f"<{listed}>"
        case "min":
            return f"{MINIMUM}({listed})"
        case "or":
            return " or ".join(texts)
        case "times":
            return " : ".join(texts)
        case "norm2":
            return f"|{listed}|^2"
        case "norm":
            return f"|{listed}|"
        case "mean":
            return f"mean({node.name}) {_inside(parts[0], 3, texts[0])}"
        case "sum":
            bounds = f" = {texts[1]} .. {texts[2]}" if len(parts) > 1 else ""
            return f"sum({node.name}{bounds}) {_inside(parts[0], 3, texts[0])}"
        case "least":
            return f"{LEAST}({node.name}) {_inside(parts[0], 3, texts[0])}"
        case "discounted":
            return f"discounted({node.name}, {texts[1]}) {_inside(parts[0], 3, texts[0])}"
    return node.name


def _inside(node: Node, strength: int, text: str = "") -> str:
    """Return a part, which may have been written already, in brackets where it binds less."""
    text = text or node_text(node)
    own = _STRENGTH.get(node.kind, 9)
    if node.kind == "number" and "/" in node.name:
        own = 1
    return text if own >= strength else f"({text})"
