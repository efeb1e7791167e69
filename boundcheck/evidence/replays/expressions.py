"""Code run on expressions: what it does to them is kept, and printed as lines of numpy."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import NotApplicableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ATOM, _SUFFIX = 9, 8
_BINARY = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "//": 2, "**": 4}
"""How firmly an operation binds; a comparison binds least."""
_UNARY = 3
_UFUNCS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "power": "**", "less": "<", "greater": ">"}
_UFUNCS |= {"less_equal": "<=", "greater_equal": ">=", "equal": "==", "not_equal": "!="}
_REDUCTIONS = {"sum", "mean", "max", "min", "any", "all"}
_MOST = 24
"""Numbers of an array that are printed in an expression."""


RESERVED = frozenset({"np", "rng", "on", "t", "k", "x_star", "seen", "found", "grad", "value", "noise", "near", "gap"})
RESERVED |= {"dx", "dg", "draw", "sample", "A", "B", "a", "b", "E", "F", "G", "L", "X", "mu"}
"""Names that a script has for what is no vector of the run."""


class UnspelledError(NotApplicableError):
    """Code that does not run on expressions, such as one that branches on a number."""


@dataclass(eq=False)
class Expression:
    """A value that a script computes: an operation on other values, or a name.

    Attributes
    ----------
    page : ScriptPage
        Where it is printed.
    write : callable
        Returns its text from those of `parts`.
    parts : tuple
        What it is made of: expressions, numbers, arrays.
    binds : int
        How firmly its operation binds.
    rows : int
        Clients along axis 1, 1 of a server vector; 0 where it is no vector.
    """

    page: ScriptPage
    write: Callable[..., str]
    parts: tuple[Any, ...] = ()
    binds: int = _ATOM
    rows: int = 0

    __array_priority__ = 1000

    @property
    def shape(self) -> tuple[int, int, int]:
        """Return lanes, clients and dimension, which code may ask of a vector."""
        if not self.rows:
            msg = "the shape of a number is asked"
            raise UnspelledError(msg)
        return (self.page.lanes, self.rows, self.page.d)

    def __bool__(self) -> bool:
        msg = "code branches on a value"
        raise UnspelledError(msg)

    __float__ = __int__ = __index__ = __len__ = __iter__ = __bool__

    def combine(self, other: Any, sign: str, *, turned: bool = False) -> Expression:
        """Return an operation on this and another value, which comes first if `turned`."""
        first, second = (other, self) if turned else (self, other)
        rows = max(getattr(first, "rows", 0), getattr(second, "rows", 0))
        binds = _BINARY.get(sign, 0)
        gap = "" if binds > 1 else " "

        def write(a: str, b: str) -> str:
            return f"{a}{gap}{sign}{gap}{b}"

        return self.page.add(write, (first, second), binds, rows)

    def __add__(self, other: Any) -> Expression:
        return self.combine(other, "+")

    def __radd__(self, other: Any) -> Expression:
        return self.combine(other, "+", turned=True)

    def __sub__(self, other: Any) -> Expression:
        if isinstance(other, float) and other == 0.0:
            return self
        return self.combine(other, "-")

    def __rsub__(self, other: Any) -> Expression:
        return self.combine(other, "-", turned=True)

    def __mul__(self, other: Any) -> Expression:
        return self.combine(other, "*")

    def __rmul__(self, other: Any) -> Expression:
        return self.combine(other, "*", turned=True)

    def __truediv__(self, other: Any) -> Expression:
        return self.combine(other, "/")

    def __rtruediv__(self, other: Any) -> Expression:
        return self.combine(other, "/", turned=True)

    def __pow__(self, other: Any) -> Expression:
        return self.combine(other, "**")

    def __rpow__(self, other: Any) -> Expression:
        return self.combine(other, "**", turned=True)

    def __mod__(self, other: Any) -> Expression:
        return self.combine(other, "%")

    def __floordiv__(self, other: Any) -> Expression:
        return self.combine(other, "//")

    def __lt__(self, other: Any) -> Expression:
        return self.combine(other, "<")

    def __gt__(self, other: Any) -> Expression:
        return self.combine(other, ">")

    def __le__(self, other: Any) -> Expression:
        return self.combine(other, "<=")

    def __ge__(self, other: Any) -> Expression:
        return self.combine(other, ">=")

    def __eq__(self, other: object) -> Expression:  # type: ignore[override]
        return self.combine(other, "==")

    def __ne__(self, other: object) -> Expression:  # type: ignore[override]
        return self.combine(other, "!=")

    __hash__ = object.__hash__

    def __neg__(self) -> Expression:
        return self.page.add(lambda a: f"-{a}", (self,), _UNARY, self.rows)

    def __abs__(self) -> Expression:
        return self.page.call("abs", self)

    def __getitem__(self, key: Any) -> Expression:
        text = _index(key)
        return self.page.add(lambda a: f"{a}[{text}]", (self,), _SUFFIX, 0)

    def __getattr__(self, name: str) -> Callable[..., Expression]:
        if name not in _REDUCTIONS:
            raise AttributeError(name)

        def reduce(axis: Any = None, *, keepdims: bool = False) -> Expression:
            words = [] if axis is None else [str(axis)]
            words += ["keepdims=True"] if keepdims else []
            rows = self.rows if keepdims and axis == 2 else 1 if keepdims and axis == 1 else 0
            return self.page.add(lambda a: f"{a}.{name}({', '.join(words)})", (self,), _SUFFIX, rows)

        return reduce

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Expression:
        """Spell what numpy's functions are asked to do."""
        if method != "__call__" or options:
            msg = f"numpy's {ufunc.__name__} with options"
            raise UnspelledError(msg)
        if ufunc.__name__ in _UFUNCS:
            first, second = inputs
            mine = first if isinstance(first, Expression) else second
            return mine.combine(second if mine is first else first, _UFUNCS[ufunc.__name__], turned=mine is second)
        if ufunc.__name__ == "vecdot":
            first, second = inputs
            squares: Expression = (first**2 if first is second else first * second).sum(-1)
            return squares
        return self.page.call(ufunc.__name__, *inputs)

    def __array_function__(self, function: Any, _: Any, inputs: Any, options: Any) -> Expression:
        """Spell numpy's other functions likewise."""
        return self.page.call(function.__name__, *inputs, **options)


def _index(key: Any) -> str:
    """Return the text of an index made of numbers, slices and None."""
    words = []
    for one in key if isinstance(key, tuple) else (key,):
        if one is None or isinstance(one, (int, np.integer)):
            words.append(str(one))
        elif one is Ellipsis:
            words.append("...")
        elif isinstance(one, slice) and one.step is None:
            words.append(f"{'' if one.start is None else one.start}:{'' if one.stop is None else one.stop}")
        else:
            msg = "an index that is no number"
            raise UnspelledError(msg)
    return ", ".join(words)


def _caller(name: str) -> Callable[..., str]:
    return lambda: name


@dataclass
class ScriptLine:
    """A line that does something: `write` makes it from the texts of `parts`; a loop has lines of its own."""

    write: Callable[..., str]
    parts: tuple[Any, ...]
    inner: list[ScriptLine | Expression] = field(default_factory=list)


class ScriptPage:
    """Lines of a script that grow while code runs on expressions.

    Parameters
    ----------
    lanes, N, d : int
        Shape of client vectors.
    """

    def __init__(self, lanes: int, N: int, d: int) -> None:
        self.lanes, self.N, self.d = lanes, N, d
        self._open: list[list[ScriptLine | Expression]] = [[]]
        self._names = set(RESERVED)

    def add(self, write: Callable[..., str], parts: tuple[Any, ...], binds: int = _ATOM, rows: int = 0) -> Expression:
        """Return an operation on parts."""
        made = Expression(self, write, parts, binds, rows)
        self._open[-1].append(made)
        return made

    def leaf(self, name: str, rows: int = 0) -> Expression:
        """Return a value by its name."""
        return Expression(self, lambda: name, (), _ATOM, rows)

    def call(self, function: str, *arguments: Any, **options: Any) -> Expression:
        """Return a function of numpy at arguments, with options that are literals; its vectors have lanes first."""
        first = arguments[0]
        if function in _REDUCTIONS and isinstance(first, Expression):
            reduced: Expression = getattr(first, function)(*arguments[1:], **options)
            return reduced
        if not all(isinstance(value, (int, str, type(None))) for value in options.values()):
            msg = f"numpy's {function} with options"
            raise UnspelledError(msg)
        words = [f"{name}={value!r}" for name, value in options.items()]
        rows = max(getattr(one, "rows", 0) for one in arguments)
        return self.add(lambda *texts: f"np.{function}({', '.join([*texts, *words])})", arguments, _ATOM, rows)

    def do(self, write: Callable[..., str], *parts: Any) -> None:
        """Add a line."""
        self._open[-1].append(ScriptLine(write, parts))

    def fresh(self, wish: str) -> str:
        """Return a name that no other value has."""
        name, n = wish, 1
        while name in self._names:
            n += 1
            name = f"{wish}{n}"
        self._names.add(name)
        return name

    @contextlib.contextmanager
    def loop(self, head: str) -> Iterator[None]:
        """Add a line, and what is added meanwhile inside of it."""
        line = ScriptLine(lambda: head, ())
        self._open[-1].append(line)
        self._open.append(line.inner)
        yield
        self._open.pop()

    def lines(self) -> list[str]:
        """Return the script: a value that is used twice, or in a loop that it stands outside of, gets a name."""
        uses: dict[int, list[int]] = {}
        self._count(self._open[0], uses)
        return self._write(self._open[0], uses, 0)

    def _count(self, block: list[ScriptLine | Expression], uses: dict[int, list[int]]) -> None:
        for one in block:
            for part in one.parts:
                uses.setdefault(id(part), []).append(id(block))
            if isinstance(one, ScriptLine) and one.inner:
                self._count(one.inner, uses)

    def _write(self, block: list[ScriptLine | Expression], uses: dict[int, list[int]], depth: int) -> list[str]:
        lines = []
        for one in block:
            if isinstance(one, ScriptLine):
                lines.append("    " * depth + one.write(*(self.text(part) for part in one.parts)))
                lines += self._write(one.inner, uses, depth + 1)
            elif (used := uses.get(id(one), [])) and (len(used) > 1 or used[0] != id(block)):
                text = self.text(one)
                name = self.fresh("p")
                one.write, one.parts, one.binds = _caller(name), (), _ATOM
                lines.append("    " * depth + f"{name} = {text}")
        return lines

    def text(self, part: Any) -> str:
        """Return the text of a value."""
        return self._text(part)[0]

    def _text(self, part: Any) -> tuple[str, int]:
        if not isinstance(part, Expression):
            text = spell_number(part)
            return text, (_UNARY if text.startswith("-") else _ATOM)
        texts = []
        for place, inner in enumerate(part.parts):
            text, binds = self._text(inner)
            # What is subtracted, divided by or raised to is bracketed where it binds no firmer.
            least = part.binds + (place == 1 or part.binds == _BINARY["**"])
            texts.append(f"({text})" if part.binds <= _SUFFIX and binds < least else text)
        return part.write(*texts), part.binds


def spell_number(value: Any) -> str:
    """Return a number or a small array as numpy reads it."""
    # Numbers of lanes are (1, 1, 1); a list of one client is a list, which code may index.
    if isinstance(value, np.ndarray) and (value.size > 1 or value.ndim in {1, 2}):
        if value.size > _MOST:
            msg = f"an array of {value.size} numbers"
            raise UnspelledError(msg)
        return f"np.array({value.tolist()!r})"
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        msg = f"{type(value).__name__} is no number"
        raise UnspelledError(msg)
    return repr(value)
