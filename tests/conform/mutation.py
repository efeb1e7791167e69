"""Mutants of the methods: one small change in the source of a function, planted in the running package."""

import ast
import copy
import importlib
import inspect
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import FunctionType

from boundcheck.methods import METHODS
from boundcheck.methods.base import Method

SKIPPED = {"boundcheck.methods.base", "boundcheck.methods.qp", "boundcheck.methods.field.graphs"}
"""No rule of a method: the contract, the quadratic programme and mixing matrices, which have tests of their own."""


@dataclass(frozen=True)
class Mutant:
    """A change of one function: where, and what."""

    module: str
    function: str
    line: int
    change: str
    code: object

    @property
    def target(self):
        """Return the function that is changed."""
        owner = importlib.import_module(self.module)
        for part in self.function.split("."):
            owner = owner.__dict__[part] if inspect.isclass(owner) else getattr(owner, part)
        return owner

    @contextmanager
    def planted(self):
        """Put the changed code in the place of the right one."""
        target = self.target
        right = target.__code__
        target.__code__ = self.code
        try:
            yield
        finally:
            target.__code__ = right

    def __str__(self):
        return f"{self.module.rpartition('.')[2]}.{self.function}: {self.change}"


def _call(node, name):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name


def _is_oracle(node, name):
    return (
        isinstance(node, ast.Attribute)
        and node.attr == name
        and isinstance(node.value, ast.Name)
        and node.value.id == "oracle"
    )


def _flipped(node):
    if isinstance(node.op, (ast.Add, ast.Sub)):
        yield ast.BinOp(node.left, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), node.right)
    if isinstance(node.op, ast.Mult):
        yield node.left
        yield node.right
    if isinstance(node.op, ast.Div):
        yield node.left
        yield ast.BinOp(node.left, ast.Mult(), node.right)


def _with(node, field, value):
    changed = copy.copy(node)
    setattr(changed, field, value)
    return changed


_ORDER = {ast.Lt: ast.GtE, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}


def replacements(node):
    """Yield what may stand in the place of an expression."""
    if isinstance(node, ast.BinOp):
        yield from _flipped(node)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield node.operand
    elif isinstance(node, ast.Constant) and type(node.value) is float:
        yield ast.Constant(node.value + 1.0)
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in _ORDER:
        yield _with(node, "ops", [_ORDER[type(node.ops[0])]()])
    elif _is_oracle(node, "K"):
        yield ast.BinOp(node, ast.Add(), ast.Constant(1))
    elif _is_oracle(node, "S") or _is_oracle(node, "N"):
        yield _with(node, "attr", "S" if node.attr == "N" else "N")
    elif _call(node, "mean") and node.args and getattr(node.func.value, "id", "") == "oracle":
        share = ast.parse("oracle.S / oracle.N", mode="eval").body
        yield ast.BinOp(node, ast.Mult(), share)
        yield ast.parse(f"({ast.unparse(node.args[0])})[:, :1]", mode="eval").body
    elif _call(node, "maximum"):
        yield _with(node, "func", _with(node.func, "attr", "minimum"))


def _expressions(node):
    """Yield (expression, how to put another one in its place) of everything below a node."""
    for field, value in ast.iter_fields(node):
        for i, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST):
                continue

            def place(new, value=value, field=field, i=i):
                if isinstance(value, list):
                    value[i] = new
                else:
                    setattr(node, field, new)

            # the condition of a loop is left alone: a loop without end says nothing
            if isinstance(child, ast.expr) and not isinstance(node, ast.While):
                yield child, place
            yield from _expressions(child)


def _code(owner, function, name):
    """Return the compiled code of a function of a class, or of a module if it has no owner."""
    body = ast.ClassDef(owner, [], [], [function], []) if owner else function
    tree = ast.fix_missing_locations(ast.Module([*_FUTURE, body], []))
    todo = [compile(tree, name, "exec")]
    while todo:
        code = todo.pop()
        if code.co_qualname == name:
            return code
        todo += [c for c in code.co_consts if inspect.iscode(c)]
    raise LookupError(name)


_FUTURE = ast.parse("from __future__ import annotations").body


def _functions(tree):
    """Yield (class or '', node) of the functions of a module and of its classes."""
    for node in tree.body:
        for inner in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(inner, ast.FunctionDef) and inner.name != "__post_init__":
                yield node.name if isinstance(node, ast.ClassDef) else "", inner


@cache
def mutants_of_module(module):
    """Return every mutant of the functions of a module."""
    found = []
    for owner, function in _functions(ast.parse(inspect.getsource(importlib.import_module(module)))):
        name = f"{owner}.{function.name}".strip(".")
        function.body = [s for s in function.body if not isinstance(s, ast.Expr) or isinstance(s.value, ast.Call)]
        for node, place in list(_expressions(ast.Module(function.body, []))):
            for new in list(replacements(node)):
                place(new)
                change = f"{ast.unparse(node)} -> {ast.unparse(new)}"
                found.append(Mutant(module, name, node.lineno, change, _code(owner, function, name)))
                place(node)
    return found


def _reached(function, found):
    """Collect the functions of the methods' modules that a function calls, itself included."""
    if function in found or not function.__module__.startswith("boundcheck.methods.") or function.__module__ in SKIPPED:
        return
    found.append(function)
    names = [function.__code__]
    while names:
        code = names.pop()
        names += [c for c in code.co_consts if inspect.iscode(c)]
        for name in code.co_names:
            if isinstance(other := function.__globals__.get(name), FunctionType):
                _reached(other, found)


@cache
def mutants_of(name):
    """Return the mutants of everything that a registered method is made of, its own round first."""
    functions = []
    for cls in METHODS[name].__mro__:
        if issubclass(cls, Method) and cls is not Method:
            own = [f.__func__ if isinstance(f, staticmethod) else f for f in vars(cls).values()]
            for function in sorted(
                (f for f in own if isinstance(f, FunctionType)), key=lambda f: f.__name__ != "round"
            ):
                _reached(function, functions)
    places = {(f.__module__, f.__qualname__): i for i, f in enumerate(functions)}
    found = [m for module in {m for m, _ in places} for m in mutants_of_module(module)]
    return sorted(
        (m for m in found if (m.module, m.function) in places),
        key=lambda m: (places[m.module, m.function], m.line, m.change),
    )
