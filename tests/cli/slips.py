"""Slips of the kind that people make in a file of their own: every one that a few rules give, as text."""

import ast
import itertools
import random
from collections.abc import Iterator

VALUES = (None, "a word", -1.0, 0.0, float("nan"), 1e300, [], True)
"""What stands in the place of a value by mistake."""


def slips(source: str, few: int | None = None) -> Iterator[tuple[str, str]]:
    """Yield what was done to a file, with its line, and the file after it, as far as it is still Python.

    Of all slips, or of a few that are drawn at random, always the same.
    """
    every = [
        (number, f"line {getattr(node, 'lineno', 0)}: {what}", change)
        for number, node in enumerate(ast.walk(ast.parse(source)))
        for what, change in _changes(node)
    ]
    for number, what, change in every if few is None else random.Random(12).sample(every, few):
        # Read anew: to copy a tree takes longer.
        tree = ast.parse(source)
        change(tree, next(itertools.islice(ast.walk(tree), number, None)))
        ast.fix_missing_locations(tree)
        try:
            text = ast.unparse(tree)
            compile(text, "slip", "exec")
        except (SyntaxError, ValueError):
            continue
        yield what, text


def _changes(node):
    """Yield what can be done to a node."""
    if isinstance(node, ast.stmt):
        yield "a statement less", _without
    if isinstance(node, ast.Call):
        for i, keyword in enumerate(node.keywords):
            yield f"without {keyword.arg}", lambda _, twin, i=i: twin.keywords.pop(i)
            for value in VALUES:
                yield f"{keyword.arg} = {value!r}", lambda _, twin, i=i, value=value: _set(twin.keywords[i], value)
            yield f"misspelt {keyword.arg}", lambda _, twin, i=i: _misspell(twin.keywords[i], "arg")
        for i in range(len(node.args)):
            yield f"without argument {i}", lambda _, twin, i=i: twin.args.pop(i)
            yield f"argument {i} = None", lambda _, twin, i=i: twin.args.__setitem__(i, ast.Constant(None))
        if len(node.args) > 1:
            yield "arguments swapped", lambda _, twin: twin.args.reverse()
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield f"misspelt {node.id}", lambda _, twin: _misspell(twin, "id")
        yield f"{node.id} is None", lambda tree, twin: _replace(tree, twin, ast.Constant(None))
    if isinstance(node, ast.Attribute):
        yield f"misspelt .{node.attr}", lambda _, twin: _misspell(twin, "attr")
    if isinstance(node, ast.BinOp):
        yield "sides swapped", lambda _, twin: _swap(twin, "left", "right")
        yield "only the left side", lambda tree, twin: _replace(tree, twin, twin.left)
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        for value in VALUES:
            yield f"{value!r} for {node.value!r}", lambda _, twin, value=value: setattr(twin, "value", value)
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 30:
        yield f"misspelt {node.value!r}", lambda _, twin: _misspell(twin, "value")
    if isinstance(node, ast.Tuple | ast.List | ast.Dict) and len(getattr(node, "elts", getattr(node, "keys", ()))):
        yield "one entry less", _shorter
    if isinstance(node, ast.Return) and node.value is not None:
        yield "nothing returned", lambda _, twin: setattr(twin, "value", None)
    if isinstance(node, ast.FunctionDef):
        yield "a parameter less", lambda _, twin: twin.args.args and twin.args.args.pop()


def _set(keyword, value):
    keyword.value = ast.Constant(value) if not isinstance(value, list) else ast.List([], ast.Load())


def _misspell(node, name):
    word = getattr(node, name)
    setattr(node, name, word[:-1] + ("z" if word[-1:] != "z" else "y"))


def _swap(node, one, other):
    first, second = getattr(node, one), getattr(node, other)
    setattr(node, one, second)
    setattr(node, other, first)


def _without(tree, node):
    for parent in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(parent, name, None)
            if isinstance(body, list) and node in body:
                body.remove(node)
                if not body and name == "body" and not isinstance(parent, ast.Module):
                    body.append(ast.Pass())


def _replace(tree, node, other):
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is node:
                setattr(parent, name, other)
            elif isinstance(value, list) and node in value:
                value[value.index(node)] = other


def _shorter(_, node):
    if isinstance(node, ast.Dict):
        node.keys.pop()
        node.values.pop()
    else:
        node.elts.pop()
