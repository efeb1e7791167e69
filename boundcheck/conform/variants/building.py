"""The functions that a registered method is made of, and the method with one of them changed."""

from __future__ import annotations

import ast
import inspect
import textwrap
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.methods.base import Method

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_PACKAGE = "boundcheck.methods."
_SKIPPED = {
    f"{_PACKAGE}{name}"
    for name in ("base", "qp", "field.graphs", "field.top", "encoding", "quantise", "schedule", "storage")
}
"""No rule of a method: the contract, the quadratic programme, mixing matrices, compressors, laws of steps."""
_NO_RULE = {"__post_init__", "traffic", "show_at_clients", "random_rows"}
_FUTURE = ast.parse("from __future__ import annotations").body

BROKEN = (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError, RuntimeError)
"""What a rule that makes no sense raises."""
FACTOR = "_factor"
"""The name of the number in a change whose size is sought."""
BOUND = "_bound"
"""Likewise where it is a bound, which changes nothing if it is large (or small)."""
TIMES = {
    "_earlier": "(that of the time before)",
    "_late": "(that of the time before)",
    "_first": "(that of the first time)",
}
ALTERNATE, FROM_ROUND_TWO, STALE = "_alternate", "_from_round_two", "_stale"
WITH_VECTOR, TIMES_NUMBER = "_with_vector", "_times"
LAST_OF_ALL, WHERE_ACTIVE, BIAS_CORRECTED = "mean_of_last_of_all", "where_active", "bias_corrected"
TIMES |= {"_second": "(that of every second time)", ALTERNATE: "(in every second round alone)"}
TIMES |= {FROM_ROUND_TWO: "(from the second round on alone)"}
"""Functions that return what an expression was at another time, and what they are in words."""


class RuleFunction(NamedTuple):
    """One function of a method, as it is written."""

    function: Any
    tree: ast.FunctionDef


@dataclass(frozen=True)
class Change:
    """One expression of a rule replaced, whatever the numbers of the method are."""

    rule: RuleFunction
    context: str
    """What the expression stands in: the name that is assigned, the part of the state, or the function."""
    write: Callable[[Method], str]
    """Returns the whole of it as it is written."""
    rewrite: Callable[[Method], str]
    """Returns the whole of it with the change."""
    plant: Callable[[], ast.FunctionDef]
    """Returns the function with the change, as it is written."""
    code: CodeType
    number: str
    """The name of the number in the change that is open, `FACTOR` or `BOUND`; empty if there is none."""


@dataclass(frozen=True)
class Variant:
    """A method with a change."""

    change: Change
    made: Method
    trial: VariantTrial
    """Where it is tried."""

    def method(self, factor: float = 1.0) -> Method:
        """Return the method, which is right until another variant is tried; `factor` is the number in the change."""
        planted = self.trial.plant(self.change.rule)
        planted.functions[self.change.rule.function].__code__ = self.change.code
        return planted.at(self.change.number, factor)

    def own_method(self, factor: float = 1.0) -> Method:
        """Return the method for good."""
        return plant_functions(self.made, {self.change.rule.function: self.change.code}).at(self.change.number, factor)


class Planted(NamedTuple):
    """A copy of a method with functions of its own."""

    method: Method
    functions: dict[Any, Any]
    """Its functions, by those of the method that they are copies of."""
    spaces: dict[str, dict[str, Any]]
    """The names that the functions know, by module."""

    def at(self, number: str, value: float) -> Method:
        """Return the method with the number in the change."""
        for space in self.spaces.values():
            space[number or FACTOR] = value
        return self.method


class VariantTrial:
    """Copies of a method, one for each function that is changed, in which one variant after the other is tried."""

    def __init__(self, made: Method) -> None:
        self._made = made
        self._planted: dict[Any, Planted] = {}

    def plant(self, rule: RuleFunction) -> Planted:
        """Return the copy whose function of this rule may be changed."""
        function = rule.function
        if function not in self._planted:
            self._planted[function] = plant_functions(self._made, {})
        return self._planted[function]


@cache
def rules_of(cls: type[Method]) -> tuple[RuleFunction, ...]:
    """Return the functions of a method's rule, `round` and its like first, helpers after them."""
    found: list[FunctionType] = []
    for _, function in _attributes(cls):
        _reach(function, found)
    rules = []
    for function in found:
        if function.__closure__ is None and function.__name__ not in _NO_RULE:
            tree = _WithoutTypes().visit(ast.parse(textwrap.dedent(inspect.getsource(function))).body[0])
            if isinstance(tree, ast.FunctionDef):
                tree.decorator_list = []
                tree.body = [
                    s for s in tree.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
                ]
                rules.append(RuleFunction(function, tree))
    return tuple(rules)


class _WithoutTypes(ast.NodeTransformer):
    """Writes an assignment with a type as one without."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Return the plain assignment."""
        return node if node.value is None else ast.copy_location(ast.Assign([node.target], node.value), node)


def compile_rule(rule: RuleFunction) -> CodeType:
    """Return the code of a rule as its tree is now."""
    module = ast.Module([*_FUTURE, rule.tree], [])
    codes = compile(module, f"<{rule.tree.name}, changed>", "exec").co_consts
    return next(c for c in codes if inspect.iscode(c) and c.co_name == rule.tree.name)


def _attributes(cls: type[Method]) -> Iterator[tuple[str, FunctionType]]:
    """Yield the functions of a method's classes that are in force."""
    seen: set[str] = set()
    for base in cls.__mro__:
        if not issubclass(base, Method) or base is Method:
            continue
        for name, value in vars(base).items():
            function = value.__func__ if isinstance(value, staticmethod) else value
            if isinstance(function, FunctionType) and name not in seen and not name.startswith("__"):
                seen.add(name)
                if function.__module__.startswith(_PACKAGE):
                    yield name, function


def _reach(function: FunctionType, found: list[FunctionType]) -> None:
    """Collect the functions of the methods' modules that a function calls, itself included."""
    if function in found or not function.__module__.startswith(_PACKAGE) or function.__module__ in _SKIPPED:
        return
    found.append(function)
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [c for c in code.co_consts if inspect.iscode(c)]
        for name in code.co_names:
            if isinstance(other := function.__globals__.get(name), FunctionType):
                _reach(other, found)


def _values_of(oracle: Any) -> dict[str, Any]:
    kept: dict[str, Any] = oracle.__dict__.setdefault("_kept_values", {})
    return kept


def _earlier(oracle: Any, key: str, value: Any) -> Any:
    """Return the value of the call before this one in the same run, 0 times this one in the first."""
    before = _values_of(oracle).get(key, 0.0 * value)
    _values_of(oracle)[key] = value
    return before


def _late(oracle: Any, key: str, value: Any) -> Any:
    """Return likewise, and this one in the first."""
    before = _values_of(oracle).get(key, value)
    _values_of(oracle)[key] = value
    return before


def _first(oracle: Any, key: str, value: Any) -> Any:
    """Return the value of the first call."""
    return _values_of(oracle).setdefault(key, value)


def _second(oracle: Any, key: str, value: Any) -> Any:
    """Return the value of the first, third, fifth call, likewise in those after them."""
    calls = _values_of(oracle)[f"{key}, calls"] = _values_of(oracle).get(f"{key}, calls", 0) + 1
    if calls % 2:
        _values_of(oracle)[key] = value
    return _values_of(oracle)[key]


def _alternate(oracle: Any, key: str, value: Any, other: Any) -> Any:
    """Return the value in the first call, the third, the fifth, and the other one in those after them."""
    calls = _values_of(oracle)[f"{key}, calls"] = _values_of(oracle).get(f"{key}, calls", 0) + 1
    return value if calls % 2 else other


def _from_round_two(oracle: Any, key: str, value: Any, other: Any) -> Any:
    """Return the other value in the first call, and the value in those after it."""
    first = key not in _values_of(oracle)
    _values_of(oracle)[key] = True
    return other if first else value


def _bias_corrected(oracle: Any, key: str, v: Any, weight: float) -> Any:
    """Return a moving average over 1 - weight^n in the n-th call, as if it had not begun at 0."""
    count = _values_of(oracle)[key] = _values_of(oracle).get(key, 0) + 1
    return v / (1.0 - weight**count)


def _so_far(oracle: Any, key: str, v: Any) -> Any:
    """Return the mean of the rows of this call and of all before it."""
    rows = [*_values_of(oracle).get(key, ()), v]
    _values_of(oracle)[key] = rows
    return oracle.xp.concatenate(rows, axis=1).mean(axis=1, keepdims=True)


def _with_last(oracle: Any, key: str, v: Any) -> Any:
    """Return the mean of the rows of this call and of the one before it."""
    rows = [*_values_of(oracle).get(key, ()), v][-2:]
    _values_of(oracle)[key] = rows
    return oracle.xp.concatenate(rows, axis=1).mean(axis=1, keepdims=True)


def _last_of_all(oracle: Any, key: str, v: Any, before: Any) -> Any:
    """Return the mean over all clients of the last row of each, `before` in the first round for who has none yet."""
    rows = _values_of(oracle).get(key)
    if rows is None:
        rows = oracle.to_all(before) if before.shape[1] == 1 else oracle.to_all(before[:, :1])
    rows = _values_of(oracle)[key] = oracle.remember(rows, v)
    return oracle.mean_all(rows)


def _where_active(oracle: Any, rows: Any, others: Any) -> Any:
    """Return a memory with the rows of the active clients, and others of those that sit out."""
    return oracle.remember(others, rows)


def _stale(oracle: Any, key: str, v: Any, W: Any) -> Any:
    """Return the mixture of everybody's own row with the neighbours' of the call before."""
    before = _late(oracle, key, v)
    return oracle.mix(before, W) + np.diagonal(W)[:, None] * (v - before)


def _times(coefficient: float, v: Any) -> Any:
    """Return a vector times a number; what is no vector, such as a state, as it is."""
    return v if coefficient == 1.0 or isinstance(v, tuple) else coefficient * v


def _with_vector(oracle: Any, v: Any, coefficient: float, other: Any) -> Any:
    """Return a sum with so much of another vector besides: of its owners' rows, or of their mean for what has one."""
    if not coefficient:
        return v
    if oracle is not None and other.shape[1] > v.shape[1]:
        rows = other.shape[1]
        other = oracle.mean_all(other) if rows == oracle.N and v.shape[1] == 1 else oracle.active(other)
    return v + coefficient * other


def _clip_norm(v: Any, bound: float) -> Any:
    """Return rows whose norm is at most a bound."""
    return v * np.minimum(1.0, bound / np.maximum(np.sqrt((v * v).sum(axis=-1, keepdims=True)), 1e-300))


BOUNDS = {
    "clip_norm": _clip_norm,
    "clip_entries": lambda v, bound: np.clip(v, -bound, bound),
    "at_most": lambda v, bound: np.minimum(v, bound),
    "at_least": lambda v, bound: np.maximum(v, bound),
}
"""What holds a vector within a bound."""
_X = 3
"""Entries of x in the battery's saddles; those of y come after them."""


def _of_y(rule: Callable[[Any, float], Any]) -> Callable[[Any, float], Any]:
    return lambda v, bound: np.concatenate([v[..., :_X], rule(v[..., _X:], bound)], axis=-1)


BOUNDS_OF_Y = {f"{name}_of_y": _of_y(rule) for name, rule in BOUNDS.items()}
"""The same of the maximiser alone."""


def _by_size(xp: Any, v: Any, k: int, size: Any) -> Any:
    """Return the k entries of each row that are largest by some size."""
    order = xp.argsort(xp.argsort(-size, axis=-1, kind="stable"), axis=-1, kind="stable")
    return xp.where(order < k, v, 0.0 * v)


COMPRESSORS = {
    "smallest": lambda xp, v, k: _by_size(xp, v, k, -xp.abs(v)),
    "largest_not_absolute": lambda xp, v, k: _by_size(xp, v, k, v),
    "all_but": lambda xp, v, k: _by_size(xp, v, v.shape[-1] - k, xp.abs(v)),
    "first_entries": lambda xp, v, k: xp.where(xp.arange(v.shape[-1]) < k, v, 0.0 * v),
    "signs": lambda xp, v, k: xp.sign(v),
    "signs_by_mean_size": lambda xp, v, k: xp.sign(v) * xp.abs(v).mean(axis=-1, keepdims=True),
    "above_mean_size": lambda xp, v, k: xp.where(xp.abs(v) > xp.abs(v).mean(axis=-1, keepdims=True), v, 0.0 * v),
    "signs_of_top": lambda xp, v, k: xp.sign(_by_size(xp, v, k, xp.abs(v))),
    "top_of_all_clients": lambda xp, v, k: xp.where(
        _by_size(xp, (v * v).sum(axis=1, keepdims=True), k, (v * v).sum(axis=1, keepdims=True)) > 0.0, v, 0.0 * v
    ),
}
"""What codes send in the place of the k largest entries."""
_HELPERS = {
    **COMPRESSORS,
    **BOUNDS,
    **BOUNDS_OF_Y,
    ALTERNATE: _alternate,
    FROM_ROUND_TWO: _from_round_two,
    BIAS_CORRECTED: _bias_corrected,
    STALE: _stale,
    WITH_VECTOR: _with_vector,
    TIMES_NUMBER: _times,
    LAST_OF_ALL: _last_of_all,
    WHERE_ACTIVE: _where_active,
    "at_top_of": lambda v, k, other: np.where(_by_size(np, other, k, np.abs(other)) != 0.0, v, 0.0 * v),
    "mean_abs": lambda v: np.abs(v).mean(axis=-1, keepdims=True),
    "largest_abs": lambda v: np.abs(v).max(axis=-1, keepdims=True),
    "sum_abs": lambda v: np.abs(v).sum(axis=-1, keepdims=True),
    "norm": lambda v: np.sqrt((v * v).sum(axis=-1, keepdims=True)),
    "mean_gradient_of_all": lambda oracle, v: oracle.mean_all(oracle.full_all(v[:, :1])),
    "dimension": lambda v: v.shape[-1],
    "reversed_entries": lambda v: v[..., ::-1],
    "shifted_entries": lambda v, by: np.roll(v, by, axis=-1),
    "mean_so_far": _so_far,
    "mean_with_last": _with_last,
    "_earlier": _earlier,
    "_late": _late,
    "_first": _first,
    "_second": _second,
}


@cache
def _functions_of(cls: type[Method]) -> tuple[FunctionType, ...]:
    found: list[FunctionType] = []
    for _, function in _attributes(cls):
        _reach(function, found)
    return tuple(found)


def plant_functions(made: Method, codes: Mapping[Any, CodeType]) -> Planted:
    """Return a copy of a method whose functions are rebuilt around those that have another code."""
    cls = type(made)
    reached = _functions_of(cls)
    spaces: dict[str, dict[str, Any]] = {}
    for function in reached:
        if function.__module__ not in spaces:
            spaces[function.__module__] = {**function.__globals__, **_HELPERS, FACTOR: 1.0, BOUND: np.inf}
    new: dict[FunctionType, FunctionType] = {}
    for function in reached:
        body = codes.get(function, function.__code__)
        space = spaces[function.__module__]
        new[function] = FunctionType(body, space, function.__name__, function.__defaults__, function.__closure__)
        new[function].__kwdefaults__ = function.__kwdefaults__
    for space in spaces.values():
        for name, value in list(space.items()):
            if isinstance(value, FunctionType) and value in new:
                space[name] = new[value]
    changed: dict[str, Any] = {}
    for name, function in _attributes(cls):
        if function not in new:
            continue  # of a module that has no rules
        static = isinstance(inspect.getattr_static(cls, name), staticmethod)
        changed[name] = staticmethod(new[function]) if static else new[function]
    copy: Method = object.__new__(type(cls.__name__, (cls,), changed))
    copy.__dict__.update(made.__dict__)
    return Planted(copy, dict(new), spaces)
