"""What a method of one's own could remember outside its state: variables of its module, of its class, of a closure.

What a round does follows from the oracle and the state alone.  A counter elsewhere goes on from run to run, so that no
run says anything about another one; no theorem is about such a method, and no verdict is given on it.
"""

from __future__ import annotations

import contextlib
import dis
import random
import sys
from collections import deque
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from io import IOBase
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import BoundcheckError

if TYPE_CHECKING:
    from collections.abc import Mapping

_OTHERS = {*sys.stdlib_module_names, "boundcheck", "numpy", "scipy", "sympy", "jax", "torch"} - {"__main__"}
"""Packages whose code is no method of the user's own."""
_CLOCKS = {"time", "datetime", "secrets", "uuid"}
"""Modules that answer differently every time."""
_GENERATORS = {
    "default_rng",
    "RandomState",
    "SeedSequence",
    "Random",
    "PCG64",
    "PCG64DXSM",
    "MT19937",
    "Philox",
    "SFC64",
}
"""What makes a generator; called without a seed, it takes one from the system."""
_OF_THE_SYSTEM = {"SystemRandom", "urandom", "getrandom"}
"""What draws from the system, whatever it is called with."""
_BETWEEN = {"PUSH_NULL", "PRECALL", "CACHE", "NOP", "COPY_FREE_VARS"}
"""Instructions that may stand between the name of a function and its call."""
_ATOMS = (int, float, complex, str, bytes, bool, type(None))


def is_own(method: object) -> bool:
    """Return whether a method's code is the user's own, that of a base class or a field included."""
    parts = [method, *getattr(method, "__dict__", {}).values()]
    # mypy takes the hash of a class for that of its instances.
    return any(_has_own_base(type(part)) for part in parts) or any(  # type: ignore[arg-type]
        isinstance(part, FunctionType) and _is_own(part.__module__) for part in parts
    )


@cache
def _has_own_base(cls: type) -> bool:
    """Return whether a class, or one that it is made from, is the user's own; asked for every run, of few classes."""
    return any(_is_own(base.__module__) for base in cls.__mro__)


class OutsideStateError(BoundcheckError):
    """A method's rounds depend on something that is not in its state; names the method, and the variable if known."""


@contextlib.contextmanager
def watching(method: object) -> Iterator[None]:
    """Refuse a method that changes, within, anything that its code can reach and that is not in its state.

    Raises
    ------
    OutsideStateError
        When left, if something has changed; the message names method and variable.
    """
    if not is_own(method):
        yield
        return
    before = variables(method)
    yield
    after = variables(method)
    for name in before | after:
        if before.get(name) != after.get(name):
            raise _refusal(method, f"uses {name}")


def require_repeated(method: Any, *, same: bool) -> None:
    """Refuse a method whose rounds, made twice from one state with one oracle's draws, came out differently.

    Raises
    ------
    OutsideStateError
        Naming the method.
    """
    if not same:
        raise _refusal(method, "comes out differently the second time from the same state: it uses something")


def _refusal(method: Any, does: str) -> OutsideStateError:
    return OutsideStateError(
        f"method {method.card.id}: its round {does}, which is not in its state and does not stay the same, so that no "
        "run says anything about another one; carry it in the state, as t beside x, and draw from oracle.uniform"
    )


def variables(method: object) -> dict[str, Any]:
    """Return what the code of a method can reach beside its arguments, by name, in a form that can be compared."""
    found: dict[str, Any] = {}
    seen: set[int] = set()
    for name, value in getattr(method, "__dict__", {}).items():
        _visit(value, f"self.{name}", found, seen)
    for cls in type(method).__mro__:
        if _is_own(cls.__module__):
            _visit(cls, cls.__name__, found, seen)
    return found


def _is_own(module: str | None) -> bool:
    return (module or "").partition(".")[0] not in _OTHERS


def _visit(value: Any, name: str, found: dict[str, Any], seen: set[int]) -> None:
    """Add what is reached from a value of this name."""
    if isinstance(value, (staticmethod, classmethod, MethodType)):
        value = value.__func__
    elif isinstance(value, property):
        value = value.fget
    # What `functools.cache` keeps changes no answer.
    value = value.__wrapped__ if hasattr(value, "cache_info") and hasattr(value, "__wrapped__") else value
    if isinstance(value, BuiltinFunctionType) and value.__module__ in _CLOCKS:
        found[f"{value.__module__}.{value.__name__}"] = _never_the_same()
    elif not isinstance(value, (FunctionType, type)):
        found[name] = _snapshot(value, {})
    elif id(value) not in seen and _is_own(value.__module__):
        seen.add(id(value))
        if isinstance(value, FunctionType):
            _visit_function(value, found, seen)
            return
        for key, inner in list(vars(value).items()):
            if not (key.startswith("__") and key.endswith("__")) or isinstance(inner, FunctionType):
                _visit(inner, f"{value.__name__}.{key}", found, seen)


def _visit_function(function: FunctionType, found: dict[str, Any], seen: set[int]) -> None:
    """Add what a function reads or writes beside its arguments: globals, closures, defaults, its own attributes."""
    file = function.__code__.co_filename.rpartition("/")[2]
    names = set(_names(function.__code__))
    for name in _find_unseeded_draws(function.__code__):
        found[f"{name}() in {function.__qualname__}"] = _never_the_same()
    for name in sorted(names):
        if name in function.__globals__:
            value = function.__globals__[name]
            if isinstance(value, ModuleType):
                _visit_module(value, names, found, seen)
            else:
                _visit(value, f"{name} of {file}", found, seen)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # An empty cell.
            _visit(cell.cell_contents, f"{name} of {function.__qualname__}", found, seen)
    defaults = (function.__defaults__ or (), function.__kwdefaults__ or {})
    found[f"a default of {function.__qualname__}"] = _snapshot(defaults, {})
    for name, value in vars(function).items():
        _visit(value, f"{function.__qualname__}.{name}", found, seen)


def _visit_module(module: ModuleType, names: set[str], found: dict[str, Any], seen: set[int]) -> None:
    """Add what a function reads of a module that it names: the user's own, or a generator that all code shares."""
    if module.__name__ in _CLOCKS:
        found[f"the module {module.__name__}"] = _never_the_same()
    elif module is random:
        found["the generator of random"] = hash(random.getstate())
    elif module is np.random or (module is np and "random" in names):
        _, words, place, *_rest = np.random.get_state(legacy=True)  # noqa: NPY002
        found["the generator of numpy.random"] = np.asarray(words).tobytes(), place
    elif _is_own(module.__name__):
        for name in sorted(names & set(vars(module))):
            if not isinstance(vars(module)[name], ModuleType):
                _visit(vars(module)[name], f"{module.__name__.rpartition('.')[2]}.{name}", found, seen)


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names that code looks up, those of functions inside it included."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def _find_unseeded_draws(code: CodeType) -> Iterator[str]:
    """Yield what code, functions inside it included, makes a generator with without a seed, or draws from the system.

    Such a call is seen even where no round of a short run comes to it.
    """
    named, given = "", 0
    for step in dis.get_instructions(code):
        name = step.argval if step.opname.startswith("LOAD_") and isinstance(step.argval, str) else ""
        if named and step.opname.startswith("CALL") and step.arg == given:
            yield named
        if step.opname == "LOAD_CONST":
            named, given = (named, given + 1) if step.argval is None else ("", 0)
        elif name in _OF_THE_SYSTEM:
            yield name
        elif step.opname not in _BETWEEN:
            named, given = (name, 0) if name in _GENERATORS else ("", 0)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _find_unseeded_draws(inner)


def _snapshot(value: Any, seen: dict[int, Any]) -> Any:
    """Return a value in a form that stays as it is when the value changes; `seen` has what it is inside of, by id."""
    if isinstance(value, _ATOMS):
        # nan is not equal to itself.
        return type(value).__name__, repr(value)
    if isinstance(value, np.ndarray):
        words = repr(value).encode() if value.dtype == object else np.ascontiguousarray(value).data
        return value.shape, value.dtype.str, blake2b(words).digest()
    if id(value) in seen:
        return "again"
    seen[id(value)] = value
    if isinstance(value, (list, tuple, deque)):
        return type(value).__name__, [_snapshot(one, seen) for one in value]
    if isinstance(value, (set, frozenset)):
        return type(value).__name__, sorted(map(repr, value))
    if isinstance(value, dict):
        return _entries(value, seen)
    if isinstance(value, np.random.Generator):
        return _entries(dict(value.bit_generator.state), seen)
    if isinstance(value, np.random.RandomState):
        return _entries(value.get_state(legacy=False), seen)
    if isinstance(value, random.Random):
        return hash(value.getstate())
    if isinstance(value, Iterator) and not isinstance(value, IOBase):
        return _never_the_same()
    if isinstance(value, (FunctionType, type, ModuleType)) or not _is_own(type(value).__module__):
        return type(value).__name__, id(value)
    slots = {name: getattr(value, name, None) for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())}
    return type(value).__name__, _entries(getattr(value, "__dict__", {}) | slots, seen)


def _entries(values: Mapping[Any, Any], seen: dict[int, Any]) -> list[Any]:
    return [(repr(key), _snapshot(one, seen)) for key, one in values.items()]


def _never_the_same() -> object:
    """Return what is equal to nothing: of what is used up when it is looked at, and of clocks."""
    return object()
