"""Stated worst cases as text files: lines that read like the paper's, and are never run as code.

A file is a subset of Python, read by its syntax tree: assignments, ``for k in range(n):``, ``if``, and calls of the
words below.  ``|u|^2`` is a square, ``dot(u, v)`` a product, ``^`` a power.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError, NotApplicableError, require
from boundcheck.files.plain import text_of_file
from boundcheck.limits import LARGEST
from boundcheck.worst.stated.algebra import LinearRelation, Scalar, Vector, dot, number, rational, square
from boundcheck.worst.stated.claimed import judge
from boundcheck.worst.stated.linear import deviation_of, mean_of
from boundcheck.worst.stated.methods import run
from boundcheck.worst.stated.problem import Function, FunctionSum, StatedProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from boundcheck.worst.stated.answer import StatedCase
    from boundcheck.worst.stated.claimed import ClaimedValue

SUFFIX = ".worst"
"""How names of such files end."""
_BITS = 4096
"""Most bits of the numerator and of the denominator of a number."""
_STEPS = 200_000
"""Most operations of one file."""
_SQUARE = re.compile(r"\|([^|]+)\|\s*\^\s*2")
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


@dataclass
class StatedFile:
    """What a file says.

    Attributes
    ----------
    name : str
    title, source : str
        First line of its comments, and the one that begins with ``source:``.
    problem : StatedProblem
    objective : Scalar
    expected, bounds : list of float
        Values of ``expect(...)`` and of ``bound(...)``: closed forms of the literature that are attained, and that need
        not be.
    peers : list of float
        Values of ``peer(...)``: what another tool prints.
    parameters : dict
        Numbers that ``given(...)`` names, which a caller may change.
    """

    name: str
    title: str
    source: str
    problem: StatedProblem
    objective: Scalar
    expected: list[float]
    bounds: list[float]
    peers: list[float]
    parameters: dict[str, Fraction]

    def worst(self, *, prove: bool = True) -> StatedCase:
        """Return the worst case (`boundcheck.worst.stated.problem.StatedProblem.worst`)."""
        return self.problem.worst(self.objective, prove=prove)

    def judge(self, case: StatedCase) -> list[ClaimedValue]:
        """Return what its worst case says of ``expect(...)`` and ``bound(...)``."""
        return judge(case, expected=self.expected, bounds=self.bounds)


def read_file(path: Path | str, **changed: Any) -> StatedFile:
    """Read a file.

    Parameters
    ----------
    path : path
    **changed
        Values in the place of those that ``given(...)`` has.

    Raises
    ------
    InputError
        If a line cannot be read, or a name that was changed is not given; the message has the file and the line.
    """
    path = Path(path)
    return read_text(text_of_file(path), path.stem, where=str(path), **changed)


def read_text(text: str, name: str = "stated", *, where: str = "text", **changed: Any) -> StatedFile:
    """Read a worst case from text; see `read_file`."""
    reader = _StatementReader(name, where, changed)
    try:
        tree = ast.parse(_SQUARE.sub(r"square(\1)", text).replace("^", "**"))
    except SyntaxError as error:
        msg = f"{where}{f', line {error.lineno}' if error.lineno else ''}: {error.msg}"
        raise InputError(msg) from error
    except (ValueError, RecursionError, MemoryError) as error:
        # Null bytes, and brackets and signs inside of too many others.
        msg = f"{where}: {str(error) or 'nested too deeply'}"
        raise InputError(msg) from error
    reader.run(tree.body)
    unknown = sorted(set(changed) - set(reader.parameters))
    known = ", ".join(reader.parameters) or "none"
    require(not unknown, f"{where}: {', '.join(unknown)}", "set", f"a name that given(...) has: {known}")
    require(reader.objective is not None, where, "no line maximise(...)", "one")
    comments = [line.lstrip("# ").rstrip() for line in text.splitlines() if line.startswith("#")]
    source = next((line.removeprefix("source:").strip() for line in comments if line.startswith("source:")), "")
    objective: Any = reader.objective
    title = comments[0] if comments else name
    return StatedFile(
        name,
        title,
        source,
        reader.problem,
        objective,
        reader.expected,
        reader.bounds,
        reader.peers,
        reader.parameters,
    )


@dataclass
class _StatementReader:
    """Follows the lines of a file."""

    name: str
    where: str
    changed: Mapping[str, Any]
    problem: StatedProblem = field(init=False)
    objective: Scalar | None = None
    expected: list[float] = field(default_factory=list)
    bounds: list[float] = field(default_factory=list)
    peers: list[float] = field(default_factory=list)
    parameters: dict[str, Fraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.problem = StatedProblem(self.name)
        self._names: dict[str, Any] = {}
        self._steps = 0
        self._words = self._vocabulary()

    def _vocabulary(self) -> dict[str, Callable[..., Any]]:
        problem = self.problem
        return {
            "given": self._set_parameters,
            "function": problem.function,
            "operator": problem.operator,
            "point": problem.point,
            "vector": problem.vector,
            "scalar": problem.value,
            "minimiser": problem.minimiser,
            "zero": problem.minimiser,
            "grad": _gradient,
            "apply": _gradient,
            "prox": problem.prox,
            "resolvent": problem.prox,
            "floor": problem.floor,
            "run": lambda f, method, **chosen: run(_function(f, "run"), method, **chosen),
            "minimiser_over": problem.minimiser_over,
            "note": _note,
            "assume": problem.assume,
            "equal": lambda a, b: (number(a)).equals(b),
            "dot": dot,
            "square": square,
            "mean": mean_of,
            "deviation": deviation_of,
            "symmetric": problem.symmetric,
            "linear": problem.linear_map,
            "transposed": lambda v, **size: problem.linear_map(v, transposed=True, **size),
            "skew": problem.skew,
            "mix": problem.mix,
            "smallest": problem.smallest,
            "maximise": self._maximise,
            "expect": lambda value: self.expected.append(float(rational(value, "expect"))),
            "bound": lambda value: self.bounds.append(float(rational(value, "bound"))),
            "peer": lambda value: self.peers.append(float(rational(value, "peer"))),
            "sqrt": lambda v: _root(rational(v, "sqrt")),
            "cos": lambda v: rational(math.cos(float(v))),
            "acos": lambda v: rational(math.acos(float(v))),
            "log": lambda v: rational(math.log(float(v))),
            "abs": lambda v: abs(rational(v, "abs")),
            "max": lambda *items: max(_numbers(items, "max")),
            "min": lambda *items: min(_numbers(items, "min")),
            "sum": lambda items: sum(items[1:], items[0]) if items else Fraction(0),
            "len": len,
            "range": _range,
        }

    def _set_parameters(self, **numbers: Any) -> None:
        for name, value in numbers.items():
            self.parameters[name] = _of_modest_size(rational(self.changed.get(name, value), name), name)
            self._names[name] = self.parameters[name]

    def _maximise(self, value: Any) -> None:
        require(self.objective is None, "maximise", "a second line", "one line")
        self.objective = number(value)

    def run(self, lines: list[ast.stmt]) -> None:
        """Follow lines."""
        for line in lines:
            try:
                self._line(line)
            except (LineError, NotApplicableError):
                raise
            except (InputError, TypeError, ZeroDivisionError, ValueError, LookupError, OverflowError) as error:
                msg = f"{self.where}, line {line.lineno}: {error}"
                raise LineError(msg) from error
            except AttributeError as error:
                kind = next((words for of, words in _KINDS.items() if type(error.obj) is of), "")
                if not kind:
                    raise
                said = ast.unparse(line).split("\n")[0]
                said = said if len(said) <= _LONGEST else f"{said[:_LONGEST]}..."
                msg = f"{self.where}, line {line.lineno}: {kind} stands where it has no meaning: {said}"
                raise LineError(msg) from error

    def _line(self, line: ast.stmt) -> None:
        if isinstance(line, ast.Assign) and len(line.targets) == 1:
            self._assign(line.targets[0], self._value(line.value))
        elif isinstance(line, ast.AugAssign) and isinstance(line.target, ast.Name):
            self._names[line.target.id] = self._combine(line.op, self._value(line.target), self._value(line.value))
        elif isinstance(line, ast.Expr):
            if not isinstance(line.value, ast.Constant):
                self._value(line.value)
        elif isinstance(line, ast.For) and isinstance(line.target, ast.Name) and not line.orelse:
            for item in self._value(line.iter):
                self._names[line.target.id] = item
                self.run(line.body)
        elif isinstance(line, ast.If):
            self.run(line.body if self._is_true(line.test) else line.orelse)
        else:
            msg = "only assignments, calls, for NAME in range(...) and if are read"
            raise InputError(msg)

    def _assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            require(target.id not in self._words, "name", target.id, "a name that is no word of the language")
            self._names[target.id] = value
        elif isinstance(target, ast.Tuple) and isinstance(value, (tuple, list)) and len(value) == len(target.elts):
            for part, item in zip(target.elts, value, strict=True):
                self._assign(part, item)
        else:
            msg = "what is assigned to has to be a name, or as many names as there are values"
            raise InputError(msg)

    def _value(self, node: ast.expr) -> Any:
        self._steps += 1
        require(self._steps <= _STEPS, "operations", self._steps, f"at most {_STEPS} in a file")
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                return rational(value)
            case ast.Constant(value=str() | bool() as value):
                return value
            case ast.Name(id=name):
                require(name in self._names, "name", name, "a name that was assigned before")
                return self._names[name]
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return [self._value(item) for item in items]
            case ast.Subscript(value=value, slice=index):
                return self._value(value)[int(rational(self._value(index), "index"))]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -1 * self._value(operand)
            case ast.BinOp(left=left, op=op, right=right):
                return self._combine(op, self._value(left), self._value(right))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compare(op, self._value(left), self._value(right))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._value(body if self._is_true(test) else orelse)
            case ast.ListComp(elt=body, generators=[ast.comprehension(target=ast.Name(id=name), iter=items, ifs=[])]):
                return [self._at(name, item, body) for item in self._value(items)]
            case ast.Call(func=function, args=arguments, keywords=named):
                return self._call(function, arguments, named)
        msg = f"{ast.unparse(node)} is not read: numbers, names, sums, products, powers and calls of words are"
        raise InputError(msg)

    def _is_true(self, test: ast.expr) -> bool:
        found = self._value(test)
        require(isinstance(found, (bool, Fraction, int)), "if", ast.unparse(test), "a comparison of numbers")
        return bool(found)

    def _at(self, name: str, item: Any, body: ast.expr) -> Any:
        self._names[name] = item
        return self._value(body)

    def _call(self, function: ast.expr, arguments: list[ast.expr], named: list[ast.keyword]) -> Any:
        values = [self._value(argument) for argument in arguments]
        require(all(key.arg for key in named), "call", ast.unparse(function), "named constants one by one")
        keywords = {str(key.arg): self._value(key.value) for key in named}
        if isinstance(function, ast.Name) and function.id in self._words:
            return self._words[function.id](*values, **keywords)
        if isinstance(function, (ast.Name, ast.Subscript)):
            found = self._value(function)
            require(isinstance(found, Function), "call", ast.unparse(function), "a function, or a word of the language")
            return found(*values)
        msg = f"{ast.unparse(function)} cannot be called"
        raise InputError(msg)

    def _combine(self, op: ast.operator, left: Any, right: Any) -> Any:
        if isinstance(op, ast.Pow):
            return _power(rational(left, "base"), rational(right, "exponent"))
        require(type(op) in _BINARY, "operation", type(op).__name__, "+ - * / // % or ^")
        found = _BINARY[type(op)](left, right)
        return _of_modest_size(found) if isinstance(found, Fraction) else found

    def _compare(self, op: ast.cmpop, left: Any, right: Any) -> Any:
        if isinstance(left, (Scalar, Vector)) or isinstance(right, (Scalar, Vector)):
            if isinstance(op, ast.LtE):
                return number(left) <= right
            if isinstance(op, ast.GtE):
                return LinearRelation(number(left) - right)
            if isinstance(op, ast.Eq):
                return number(left).equals(right)
            msg = "relations of products and values are <=, >= or =="
            raise InputError(msg)
        return _COMPARED[type(op)](left, right)


_KINDS = {
    Fraction: "a number",
    int: "a number",
    Vector: "a vector",
    Scalar: "a product or value",
    LinearRelation: "a relation",
    Function: "a function",
    FunctionSum: "a sum of functions",
    list: "a list",
    str: "a text",
    bool: "a truth",
}
"""What a line may hold, in words."""
_LONGEST = 80
"""Characters of a line that an error prints."""


class LineError(InputError):
    """An error that has its file and line already."""


def _function(f: Any, word: str) -> Function:
    require(isinstance(f, Function), word, type(f).__name__, "a function or operator first")
    found: Function = f
    return found


def _numbers(items: tuple[Any, ...], word: str) -> list[Fraction]:
    """Return numbers that stand one by one or in a list."""
    of_list = items[0] if len(items) == 1 and isinstance(items[0], list) else items
    require(len(of_list) > 0, word, "nothing", "one number at least")
    return [rational(item, word) for item in of_list]


def _range(*ends: Fraction) -> list[int]:
    """Return whole numbers from one end to before the other."""
    found = range(*(int(rational(end, "range")) for end in ends))
    require(len(found) <= _STEPS, "range", f"{len(found)} numbers", f"at most {_STEPS}")
    return list(found)


def _gradient(f: Any, x: Any) -> Vector:
    _function(f, "grad")
    require(isinstance(x, Vector), "grad", type(x).__name__, "a function or operator, then a point")
    found: Vector = f.gradient(x)
    return found


def _note(f: Any, x: Vector, gradient: Vector) -> None:
    """Note that a function has a gradient at a point."""
    for one in (x, gradient):
        require(isinstance(one, Vector), "note", type(one).__name__, "a function or operator, a point and a vector")
    _function(f, "note").note(x, gradient)


def _root(value: Fraction) -> Fraction:
    require(value >= 0, "sqrt", value, "a number >= 0")
    exact = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
    return exact if exact**2 == value else rational(math.sqrt(value))


def _of_modest_size(value: Fraction, what: str = "a number") -> Fraction:
    """Return a number if it is one that a solver takes, and whose digits do not grow without end."""
    fits = value == 0 or 1 / LARGEST <= abs(value) <= LARGEST
    legal = f"0, or a size from {1 / LARGEST:.0e} to {LARGEST:.0e}, in at most {_BITS} bits"
    longest = max(abs(value.numerator), value.denominator).bit_length()
    require(fits and longest <= _BITS, what, f"{longest} bits" if longest > _BITS else float(value), legal)
    return value


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator == 1:
        require(abs(exponent) <= 1000, "exponent", exponent, "a whole number of at most 1000")
        longest = max(abs(base.numerator), base.denominator).bit_length() * abs(int(exponent))
        require(longest <= _BITS, "power", f"a number of {longest} bits", f"one of at most {_BITS}")
        return Fraction(base) ** int(exponent)
    return rational(float(base) ** float(exponent))
