"""A method's rule with its coefficients opened: every term of a sum, and all that is assigned, times a number."""

from __future__ import annotations

import ast
import copy
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.conform.variants.building import (
    TIMES_NUMBER,
    WHERE_ACTIVE,
    WITH_VECTOR,
    RuleFunction,
    compile_rule,
    plant_functions,
    rules_of,
)
from boundcheck.conform.variants.grammar import ingredients_of, is_call, is_state, memories, sum_of, terms_of
from boundcheck.conform.variants.wording import formula

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import CodeType

    from boundcheck.conform.variants.building import Change
    from boundcheck.conform.variants.grammar import Ingredients
    from boundcheck.methods import Method

OPENED = "_opened"
"""The name of the coefficients in an opened rule."""
_NO_FORMULA = {"observe", "draw", "draw_in_turn", "active", "to_all", "range"}
"""Calls whose arguments are no sums of the rule."""
_SHOWN = ("common", "pull")
"""What a client is shown, and what its gradients are corrected by, as the rules call them."""


def _names_in(node: ast.AST) -> set[str]:
    """Return the names in an expression, those of parts of the state among them."""
    return {ast.unparse(inner) for inner in ast.walk(node) if isinstance(inner, (ast.Name, ast.Attribute))}


class OpenedTerm(NamedTuple):
    """A term of a rule whose coefficient is opened."""

    whole: int
    """Number of the expression of the rule that it belongs to."""
    nominal: float
    """The coefficient of the method itself: 1, or 0 for a vector that it does not add."""


class OpenedWhole(NamedTuple):
    """All that is assigned, or becomes a part of the state, with open coefficients."""

    rule: RuleFunction
    context: str
    """What it is: a name, the new part of the state, what a function returns."""
    tree: ast.expr


class OpenedRule(NamedTuple):
    """The functions of a method with open coefficients."""

    terms: tuple[OpenedTerm, ...]
    wholes: tuple[OpenedWhole, ...]
    codes: Mapping[Any, CodeType]
    unchanged: tuple[OpenedWhole, ...] = ()
    """Those of the method itself, where this is its rule with a change."""

    def by_nominal(self, coefficients: Iterable[int]) -> list[int]:
        """Return coefficients in order: those of the method's own terms, then those of vectors that it does not add."""
        return sorted(coefficients, key=lambda j: -self.terms[j].nominal)


class OpenedFunction(NamedTuple):
    """One function of a rule with open coefficients."""

    terms: tuple[OpenedTerm, ...]
    wholes: tuple[OpenedWhole, ...]
    code: CodeType


class Counts(NamedTuple):
    """How many terms and wholes come before those of a function, whose numbers go on from there."""

    terms: int
    wholes: int


class _Opener(ast.NodeTransformer):
    """Multiplies the terms of a function's sums, and what it assigns, by open coefficients."""

    def __init__(self, rule: RuleFunction, scope: Ingredients, before: Counts) -> None:
        self._rule, self._scope, self._before = rule, scope, before
        self.terms: list[OpenedTerm] = []
        self.wholes: list[OpenedWhole] = []
        self._function = rule.tree.name
        self._known = {a.arg for a in rule.tree.args.args} - {"self", "oracle", "xp", "state"}
        """Names that have been assigned so far."""

    def _coefficient(self, nominal: float) -> ast.expr:
        """Return a new coefficient."""
        number = self._before.terms + len(self.terms)
        self.terms.append(OpenedTerm(self._before.wholes + len(self.wholes), nominal))
        return ast.Subscript(ast.Name(OPENED, ast.Load()), ast.Constant(number), ast.Load())

    def _open(self, term: ast.expr) -> ast.expr:
        """Return a term times a new coefficient."""
        return ast.Call(ast.Name(TIMES_NUMBER, ast.Load()), [self._coefficient(1.0), term], [])

    def _open_whole(self, node: ast.expr, context: str, *, part: bool = False) -> ast.expr:
        """Return all that is assigned, or is a part of the state, with a coefficient.

        A sum, and a part of the state, gets the vectors besides that it has no term of.
        """
        named = isinstance(node, ast.Name) and not part
        if named or isinstance(node, (ast.Tuple, ast.Subscript)) or not self._is_vector(node):
            return node
        missing = self._missing(node) if isinstance(node, (ast.BinOp, ast.Name)) else []
        opened: ast.expr = self.visit(node)
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Add, ast.Sub)):
            opened = self._open(opened)
        for name in missing:
            added = [opened, self._coefficient(0.0), ast.parse(name, mode="eval").body]
            oracle = [ast.Name("oracle", ast.Load())] if self._scope.has_oracle else [ast.Constant(None)]
            opened = ast.Call(ast.Name(WITH_VECTOR, ast.Load()), [*oracle, *added], [])
        self.wholes.append(OpenedWhole(self._rule, context, opened))
        return opened

    def _missing(self, node: ast.expr) -> list[str]:
        """Return the vectors that a sum has no term of: memories, and what has been assigned before it."""
        said = _names_in(node)
        there = [*memories(self._scope), *(name for name in self._scope.names if name in self._known)]
        return [name for name in there if name not in said]

    def _is_vector(self, node: ast.AST) -> bool:
        """Whether an expression has a vector in it."""
        return not _names_in(node).isdisjoint({*self._scope.names, *_SHOWN})

    def _open_state(self, node: ast.expr) -> ast.expr:
        """Return a state whose parts are opened."""
        if not isinstance(node, ast.Call):
            return node
        fields = getattr(self._rule.function.__globals__.get(ast.unparse(node.func)), "_fields", ())
        for i, argument in enumerate(node.args):
            if i < len(fields) and not isinstance(argument, ast.Starred):
                node.args[i] = self._open_whole(argument, f"the new {fields[i]}", part=True)
        for keyword in node.keywords:
            keyword.value = self._open_whole(keyword.value, f"the new {keyword.arg}", part=True)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Open the lines of a function and of those in it."""
        outer, self._function = self._function, node.name
        node.body = [self.visit(one) for one in node.body]
        self._function = outer
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """Open what is assigned."""
        if is_state(node.value):
            node.value = self._open_state(node.value)
        elif isinstance(node.targets[0], ast.Name):
            node.value = self._open_whole(node.value, node.targets[0].id)
        if self._function == self._rule.tree.name:
            self._known |= {one.id for one in ast.walk(node.targets[0]) if isinstance(one, ast.Name)}
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """Open what is returned, or the parts of the state that is."""
        if node.value is not None and is_state(node.value):
            node.value = self._open_state(node.value)
        elif node.value is not None:
            inside = self._function == "step"
            what = "the end of a local step" if inside else f"what `{self._function.strip('_')}` returns"
            node.value = self._open_whole(node.value, what)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Open the terms of a sum of vectors."""
        if not isinstance(node.op, (ast.Add, ast.Sub)) or not self._is_vector(node):
            return self.generic_visit(node)
        opened = [(sign, self.visit(term), self._is_vector(term)) for sign, term in terms_of(node)]
        return sum_of([(sign, self._open(term) if vector else term) for sign, term, vector in opened])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Leave what is no formula as it is."""
        return node if is_call(node, _NO_FORMULA) else self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        """Leave the question as it is."""
        node.body = [self.visit(one) for one in node.body]
        node.orelse = [self.visit(one) for one in node.orelse]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """Likewise."""
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node


@cache
def open_rule(cls: type[Method], fields: tuple[str, ...], numbers: tuple[str, ...]) -> OpenedRule:
    """Return the rule of a method, whose state and hyperparameters have these names, with open coefficients."""
    return _open(cls, fields, numbers, {})


def open_changed(cls: type[Method], fields: tuple[str, ...], numbers: tuple[str, ...], change: Change) -> OpenedRule:
    """Return likewise the rule of a method with a change."""
    found, own = _open(cls, fields, numbers, {change.rule.function: change.plant()}), open_rule(cls, fields, numbers)
    return found._replace(unchanged=own.wholes) if len(found.wholes) == len(own.wholes) else found


def _open(
    cls: type[Method], fields: tuple[str, ...], numbers: tuple[str, ...], changed: Mapping[Any, ast.FunctionDef]
) -> OpenedRule:
    terms: list[OpenedTerm] = []
    wholes: list[OpenedWhole] = []
    codes: dict[Any, CodeType] = {}
    blocks = cls.card.kind == "minimax"
    for rule in rules_of(cls):
        before = Counts(len(terms), len(wholes))
        if rule.function in changed:
            scope = ingredients_of(rule, fields, numbers, blocks=blocks)
            opened = _open_function(rule, changed[rule.function], scope, before)
        else:
            opened = _open_own(rule, fields, numbers, before, blocks=blocks)
        terms += opened.terms
        wholes += opened.wholes
        codes[rule.function] = opened.code
    return OpenedRule(tuple(terms), tuple(wholes), codes)


@cache
def _open_own(
    rule: RuleFunction, fields: tuple[str, ...], numbers: tuple[str, ...], before: Counts, *, blocks: bool
) -> OpenedFunction:
    """Return a function of a rule as the method has it, opened once for all changes of the others."""
    scope = ingredients_of(rule, fields, numbers, blocks=blocks)
    return _open_function(rule, copy.deepcopy(rule.tree), scope, before)


def _open_function(rule: RuleFunction, written: ast.FunctionDef, scope: Ingredients, before: Counts) -> OpenedFunction:
    """Return a function of a rule, as it is written somewhere, with open coefficients in that tree."""
    opener = _Opener(rule, scope, before)
    tree = ast.fix_missing_locations(opener.visit(written))
    code = compile_rule(RuleFunction(rule.function, tree))
    return OpenedFunction(tuple(opener.terms), tuple(opener.wholes), code)


class OpenedMethod:
    """A copy of a method whose coefficients can be other numbers."""

    def __init__(self, made: Method, rule: OpenedRule) -> None:
        self._planted = plant_functions(made, rule.codes)
        self.rule = rule
        self.nominal = [term.nominal for term in rule.terms]
        """The method's own coefficients."""

    def at(self, values: Mapping[int, float]) -> Method:
        """Return the method with some coefficients at these numbers, which it has until it is asked for others."""
        numbers = [values.get(j, nominal) for j, nominal in enumerate(self.nominal)]
        for space in self._planted.spaces.values():
            space[OPENED] = numbers
        return self._planted.method


def calls(tree: ast.AST, name: str) -> bool:
    """Whether an expression calls a function of this name."""
    return any(is_call(node, {name}) for node in ast.walk(tree))


class _Written(ast.NodeTransformer):
    """Writes open coefficients as they were found: nothing where they are the method's own."""

    def __init__(self, words: Mapping[int, str]) -> None:
        self._words = words

    def visit_Call(self, node: ast.Call) -> Any:
        """Write a term with its coefficient, and a sum with the vector that is added to it."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == TIMES_NUMBER:
            return self._multiply(node.args[0], self.visit(node.args[1]))
        if name == WITH_VECTOR:
            _, v, which, memory = node.args
            added = self._multiply(which, memory)
            return self.visit(v) if added is memory else self._shorten(ast.BinOp(self.visit(v), ast.Add(), added))
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Leave out the terms that are 0, and write a negative number as a sign."""
        return self._shorten(self.generic_visit(node))  # type: ignore[arg-type]

    def _multiply(self, which: ast.expr, term: Any) -> Any:
        words = self._words.get(which.slice.value)  # type: ignore[attr-defined]
        if words is None:
            return term
        if is_call(term, {"remember"}) and len(term.args) == 2:  # of the rows of those that sit out, too
            term = ast.Call(ast.Name(WHERE_ACTIVE, ast.Load()), [term.args[1], term.args[0]], [])
        return ast.BinOp(ast.parse(words, mode="eval").body, ast.Mult(), term)

    @staticmethod
    def _shorten(node: ast.expr) -> ast.expr:
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Add, ast.Sub)):
            return node
        parts: list[tuple[int, ast.expr]] = []
        for sign, term in terms_of(node):
            if isinstance(term, ast.BinOp) and isinstance(term.op, ast.Mult):
                by, rest = term.left, term.right
                if isinstance(by, ast.Constant) and by.value == 0:
                    continue
                if isinstance(by, ast.UnaryOp) and isinstance(by.op, ast.USub):
                    one = ast.unparse(by.operand) in {"1", "1.0"}
                    parts.append((-sign, rest if one else ast.BinOp(by.operand, ast.Mult(), rest)))
                    continue
            parts.append((sign, term))
        return sum_of(parts) if parts else ast.Constant(0)


def write_whole(whole: OpenedWhole, words: Mapping[int, str], made: Method) -> str:
    """Return an opened expression as a formula, with some coefficients in words."""
    return formula(_Written(words).visit(copy.deepcopy(whole.tree)), made)
