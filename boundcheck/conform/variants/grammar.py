"""What may stand in the place of an expression of a rule: the slips that codes have, without knowing the method."""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.conform.variants.building import (
    ALTERNATE,
    BIAS_CORRECTED,
    BOUND,
    BOUNDS,
    BOUNDS_OF_Y,
    COMPRESSORS,
    FACTOR,
    FROM_ROUND_TWO,
    LAST_OF_ALL,
    STALE,
    TIMES,
    WHERE_ACTIVE,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.conform.variants.building import RuleFunction

_NEVER = {"observe", "draw", "fori", "to_clients", "draw_in_turn"}
"""Calls of the oracle that bring, count or show what they are given: nothing stands in the place of their arguments."""
_NORMS = {"square", "sum"}
_COMPRESS = {"Q", "top"}
_MESSAGES = {*_COMPRESS, "mix"}
_SCALARS = {"Hyper", "Step", "Factor", "Weight", "Real", "Count", "Penalty", "float", "int", "bool"}
"""How numbers are annotated."""
_COUNTERS = {"n", "t"}
"""What numbers of steps and rounds are called."""


class Ingredients(NamedTuple):
    """What the expressions of a function can be made of."""

    has_oracle: bool
    names: tuple[str, ...]
    """Vectors that the function has names for, parts of the state among them."""
    numbers: tuple[str, ...]
    """Hyperparameters."""
    blocks: bool
    """Whether the method has a minimiser and a maximiser."""
    wanted: dict[str, str] = {}  # noqa: RUF012 - never changed
    """Name of a compressed vector to what was to be sent."""


class ExpressionPlace(NamedTuple):
    """An expression, and how to put another one there."""

    node: ast.expr
    put: Callable[[ast.expr], None]
    whole: bool
    """Whether it is all that is assigned, returned, or a part of the state."""


def places(tree: ast.AST) -> Iterator[ExpressionPlace]:
    """Yield the expressions of a function that belong to its formulas."""
    yield from _below(tree)


def _below(node: ast.AST, *, whole: bool = False) -> Iterator[ExpressionPlace]:
    for field, value in ast.iter_fields(node):
        if field in {"args", "annotation", "returns", "targets", "slice", "func", "keywords", "type_params"} and not (
            isinstance(node, ast.Call) and field == "args"
        ):
            continue
        for i, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST):
                continue

            def replace_child(new: Any, value: Any = value, field: str = field, i: int = i) -> None:
                if isinstance(value, list):
                    value[i] = new
                else:
                    setattr(node, field, new)

            if isinstance(child, ast.expr) and not isinstance(node, (ast.While, ast.Expr, ast.Raise)):
                top = isinstance(node, (ast.Assign, ast.Return)) or (whole and is_state(node))
                if isinstance(child, ast.Starred):
                    continue
                if not isinstance(child, ast.Constant | ast.Lambda | ast.List | ast.Dict):
                    yield ExpressionPlace(child, replace_child, top)
                yield from _below(child, whole=top) if not is_call(child, _NEVER) else ()
            elif not isinstance(child, (ast.Expr, ast.Raise, ast.arguments)):
                yield from _below(child)


def is_state(node: ast.AST) -> bool:
    """Whether a call makes a state, by its name."""
    return isinstance(node, ast.Tuple) or (
        isinstance(node, ast.Call)
        and (
            (isinstance(node.func, ast.Name) and node.func.id[:1].isupper())
            or (isinstance(node.func, ast.Attribute) and node.func.attr == "_replace")
        )
    )


def is_call(node: ast.AST, names: set[str]) -> bool:
    """Whether an expression calls a function of one of these names."""
    return isinstance(node, ast.Call) and _name_of_call(node) in names


def _name_of_call(node: ast.Call) -> str:
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def vectors_to_send(tree: ast.AST) -> dict[str, str]:
    """Return of every name of a compressed vector what that vector was."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call):
            at = _vector_argument(node.value)
            if at is not None and _name_of_call(node.value) in _COMPRESS:
                found[node.targets[0].id] = ast.unparse(node.value.args[at])
    return found


def ingredients_of(
    rule: RuleFunction, fields: tuple[str, ...], numbers: tuple[str, ...], *, blocks: bool
) -> Ingredients:
    """Return what a function has names for."""
    given = [a for node in ast.walk(rule.tree) if isinstance(node, ast.FunctionDef) for a in node.args.args]
    arguments = {a.arg for a in given}
    scalars = {a.arg for a in given if a.annotation is not None and ast.unparse(a.annotation) in _SCALARS}
    assigned = {
        name.id
        for node in ast.walk(rule.tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        for name in ast.walk(target)
        if isinstance(name, ast.Name)
    }
    no_vectors = {"self", "oracle", "xp", "state", "_", "k", "batch", "carry", "W", "b", "pull", "chosen", "common"}
    names = [
        *(f"state.{field}" for field in fields if "state" in arguments),
        *sorted((arguments | assigned) - no_vectors - scalars),
    ]
    passed = numbers if "self" in arguments else ()
    return Ingredients("oracle" in arguments, tuple(names), passed, blocks, vectors_to_send(rule.tree))


def slips(place: ExpressionPlace, scope: Ingredients) -> Iterator[ast.expr]:
    """Yield what may stand in a place: signs, factors, parentheses, powers, averages, calls that are left out."""
    node = place.node
    if isinstance(node, ast.BinOp):
        yield from _sums(node) if isinstance(node.op, (ast.Add, ast.Sub)) else _products(node)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield node.operand
    elif isinstance(node, ast.Call):
        yield from _calls(node, scope)
    elif isinstance(node, ast.Compare):
        yield from _orders(node)
    elif isinstance(node, ast.Attribute) and _is_oracle(node.value):
        yield from _counts(node)


def wholes(place: ExpressionPlace, scope: Ingredients) -> Iterator[ast.expr]:
    """Yield what is done to all that is assigned: a factor of a number of the method, the old value kept or added."""
    if place.whole and not is_state(place.node):
        yield from _wholes(place.node, scope)
    if scope.blocks and scope.has_oracle and isinstance(place.node, ast.BinOp) and isinstance(place.node.op, ast.Mult):
        for block in ("1.0, 0.0", "0.0, 1.0", "1.0, -1.0", "-1.0, 1.0"):
            yield _parse(f"oracle.blockwise({block}) * ({ast.unparse(place.node)})")


def names(place: ExpressionPlace, scope: Ingredients) -> Iterator[ast.expr]:
    """Yield other vectors that may stand in the place of one, and the mean over the clients."""
    node = place.node
    own = ast.unparse(node)
    if isinstance(node, ast.Call) and _name_of_call(node) == "to_clients":  # of what is sent another vector
        shown = ast.unparse(node.args[0])
        for name in (name for name in scope.names if shown in scope.names and name not in {shown, "y", "start"}):
            yield _parse(f"oracle.to_clients({name})")
            yield _parse(name)  # the clients' own, which is not sent
    if own not in scope.names:
        return
    for count in (name for name in scope.names if name in _COUNTERS and name != own):
        yield _parse(f"({own}) / {count}")
        yield _parse(f"({own}) / {count} ** 0.5")
    for name in scope.names:
        if name != own:
            yield _parse(name)
    for name in scope.names if not own.startswith("state.") else ():
        yield _parse(f"{own} * {name}")
    if own in scope.wanted:
        yield _parse(scope.wanted[own])
    for memory in memories(scope) if not own.startswith("state.") else ():
        yield _parse(f"{own} - {memory}")
        yield _parse(f"{own} + {memory}")
    for memory in (name for name in memories(scope) if scope.has_oracle and name != own):
        yield _parse(f"oracle.mean_all({memory})")
    yield ast.BinOp(ast.Constant(0.0), ast.Mult(), node)
    if scope.has_oracle and {"x", "y"} <= set(scope.names):
        yield _parse("x - oracle.mean(y)")
        if "eta" in scope.numbers:
            yield _parse("(x - oracle.mean(y)) / self.eta")
            yield _parse("(x - oracle.mean(y)) / (self.eta * oracle.K)")
    if scope.has_oracle:
        yield _parse(f"oracle.mean({own}, free=True)")
        yield _parse(f"oracle.mean_all({own})")


def earlier(place: ExpressionPlace, scope: Ingredients, key: str) -> Iterator[ast.expr]:
    """Yield the value of the round, or step, before; that of the first; that of every second."""
    if scope.has_oracle and (place.whole or ast.unparse(place.node) in scope.names) and not is_state(place.node):
        for when in (name for name in TIMES if name not in {ALTERNATE, FROM_ROUND_TWO}):
            arguments = [ast.Name("oracle", ast.Load()), ast.Constant(f"{key}, {when}"), place.node]
            yield ast.Call(ast.Name(when, ast.Load()), arguments, [])
    if scope.has_oracle and isinstance(place.node, ast.Call) and _name_of_call(place.node) == "mix":
        arguments = [ast.Name("oracle", ast.Load()), ast.Constant(key), place.node, place.node.args[0]]
        yield ast.Call(ast.Name(ALTERNATE, ast.Load()), arguments, [])
        yield ast.Call(ast.Name(STALE, ast.Load()), [*arguments[:2], *place.node.args], [])
    if scope.has_oracle and isinstance(place.node, ast.Call) and _name_of_call(place.node) == "mean":
        for name in ("mean_so_far", "mean_with_last"):
            arguments = [ast.Name("oracle", ast.Load()), ast.Constant(f"{key}, {name}"), place.node.args[0]]
            yield ast.Call(ast.Name(name, ast.Load()), arguments, [])
        v = ast.unparse(place.node.args[0])
        yield _parse(f"{LAST_OF_ALL}(oracle, {key!r}, {v}, 0.0 * ({v}))")
        for x in (name for name in ("x", "state.x") if name in scope.names):  # models, or displacements from x
            yield _parse(f"{LAST_OF_ALL}(oracle, {key!r}, {v}, {x})")
            yield _parse(f"{x} + {LAST_OF_ALL}(oracle, {key!r}, {v} - {x}, 0.0 * ({v}))")


def oddities(place: ExpressionPlace, scope: Ingredients, key: str) -> Iterator[ast.expr]:
    """Yield what codes seldom do: entries in another order, length 1, a bias correction, a call from round 2 on."""
    node, text = place.node, ast.unparse(place.node)
    is_vector = text in scope.names and text not in _COUNTERS
    if (is_vector or place.whole or isinstance(node, ast.Call)) and not is_state(node):
        yield _parse(f"reversed_entries({text})")
        yield _parse(f"shifted_entries({text}, 1)")
        yield _parse(f"shifted_entries({text}, -1)")
        yield _parse(f"({text}) / norm({text})")
        yield _parse(f"at_least({text}, 0.0)")
        if scope.blocks:
            yield _parse(f"at_least_of_y({text}, 0.0)")
    for number in scope.numbers if is_vector and scope.has_oracle else ():
        if number.startswith(("beta", "a")):
            yield _parse(f"{BIAS_CORRECTED}(oracle, {key!r}, {text}, self.{number})")
    if scope.has_oracle and is_call(node, _MESSAGES):
        at = _vector_argument(node)  # type: ignore[arg-type]
        if at is not None:
            yield _parse(f"{FROM_ROUND_TWO}(oracle, {key!r}, {text}, {ast.unparse(node.args[at])})")  # type: ignore[attr-defined]
    if isinstance(node, ast.Attribute) and text in {f"self.{number}" for number in scope.numbers}:
        yield _parse(f"{text} * norm(state.x)")


def bounds(place: ExpressionPlace, scope: Ingredients) -> Iterator[ast.expr]:
    """Yield vectors that are held within a bound that is open, of a minimax method also the maximiser's part alone."""
    node = place.node
    sums = isinstance(node, ast.BinOp) and any(ast.unparse(inner) in scope.names for inner in ast.walk(node))
    if (place.whole or sums) and not is_state(node):
        for name in (*BOUNDS, *(BOUNDS_OF_Y if scope.blocks else ())):
            yield ast.Call(ast.Name(name, ast.Load()), [node, ast.Name(BOUND, ast.Load())], [])


def factors(place: ExpressionPlace, scope: Ingredients) -> Iterator[ast.expr]:
    """Yield expressions with a number that is open."""
    node = place.node
    factor = ast.Name(FACTOR, ast.Load())
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        terms = terms_of(node)
        for i, (_, term) in enumerate(terms):
            scaled = [(s, ast.BinOp(factor, ast.Mult(), t) if j == i else t) for j, (s, t) in enumerate(terms)]
            yield sum_of(scaled)
            rest = [(s, t if j == i else ast.BinOp(factor, ast.Mult(), t)) for j, (s, t) in enumerate(terms)]
            if len(terms) > 2:
                yield sum_of(rest)
            del term
    if place.whole and not is_state(node) and not isinstance(node, ast.Tuple):
        yield ast.BinOp(factor, ast.Mult(), node)
        for name in scope.names:
            if name.startswith("state."):  # a moving average with what was kept
                yield _parse(f"{FACTOR} * ({ast.unparse(node)}) + (1.0 - {FACTOR}) * {name}")
                if scope.has_oracle:
                    yield _parse(f"{FACTOR} * ({ast.unparse(node)}) + (1.0 - {FACTOR}) * oracle.active({name})")
    if isinstance(node, ast.Call) and _name_of_call(node) == "maximum":
        for i, argument in enumerate(node.args):
            more = copy.copy(node)
            more.args = [*node.args]
            more.args[i] = _parse(f"({ast.unparse(argument)}) + ({FACTOR} - 1.0)")
            yield more
    if isinstance(node, ast.Call) and _name_of_call(node) == "remember" and len(node.args) == 2:
        memory, rows = (ast.unparse(argument) for argument in node.args)
        yield _parse(f"oracle.remember({memory}, {FACTOR} * ({rows}))")
        yield _parse(f"oracle.remember({memory}, {FACTOR} * ({rows}) + (1.0 - {FACTOR}) * oracle.active({memory}))")
        yield _parse(f"{WHERE_ACTIVE}(oracle, {rows}, {FACTOR} * ({memory}))")
        for name in scope.names:
            if name not in {rows, memory} and not name.startswith("state."):
                yield _parse(f"{WHERE_ACTIVE}(oracle, {rows}, {memory} + ({FACTOR} - 1.0) * {name})")
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        yield ast.BinOp(node.left, ast.Div(), _parse(f"({ast.unparse(node.right)}) + ({FACTOR} - 1.0)"))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        yield ast.BinOp(node.left, ast.Pow(), _parse(f"{FACTOR} * ({ast.unparse(node.right)})"))


def memories(scope: Ingredients) -> list[str]:
    """Return the parts of the state beside the iterate."""
    return [name for name in scope.names if name.startswith("state.") and name != "state.x"]


def _parse(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _is_oracle(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "oracle"


def terms_of(node: ast.expr) -> list[tuple[int, ast.expr]]:
    """Return the terms of a sum with their signs."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        sign = 1 if isinstance(node.op, ast.Add) else -1
        return [*terms_of(node.left), *((sign * s, t) for s, t in terms_of(node.right))]
    return [(1, node)]


def sum_of(terms: list[tuple[int, ast.expr]]) -> ast.expr:
    """Return a sum of terms."""
    (sign, found), rest = terms[0], terms[1:]
    if sign < 0:
        found = ast.UnaryOp(ast.USub(), found)
    for sign, term in rest:
        found = ast.BinOp(found, ast.Add() if sign > 0 else ast.Sub(), term)
    return found


def _sums(node: ast.BinOp) -> Iterator[ast.expr]:
    terms = terms_of(node)
    for i in range(len(terms) if len(terms) > 2 else 0):
        yield sum_of([terms[i]])
    for i in range(len(terms)):
        yield sum_of([(-s if j == i else s, t) for j, (s, t) in enumerate(terms)])
        rest = terms[:i] + terms[i + 1 :]
        yield sum_of(rest)
        if len(terms) > 2:
            yield sum_of([(s if j == i else -s, t) for j, (s, t) in enumerate(terms)])
        # Two parentheses: a factor that goes for all terms, and a call that takes them all in.
        sign, term = terms[i]
        if isinstance(term, ast.BinOp) and isinstance(term.op, ast.Mult):
            for factor, inner in ((term.left, term.right), (term.right, term.left)):
                inside = [(1, inner), *((sign * s, t) for s, t in rest)]
                whole = (sign, ast.BinOp(factor, ast.Mult(), sum_of(inside)))
                yield sum_of([whole])
                for j, (s, t) in enumerate(rest) if len(rest) > 1 else ():
                    taken = ast.BinOp(factor, ast.Mult(), sum_of([(1, inner), (sign * s, t)]))
                    yield sum_of([(sign, taken), *rest[:j], *rest[j + 1 :]])
        if isinstance(term, ast.Call) and term.args and sign > 0:
            at = _vector_argument(term)
            if at is not None:
                arguments = [*term.args]
                arguments[at] = sum_of([(1, term.args[at]), *rest])
                yield ast.Call(term.func, arguments, term.keywords)
    if len(terms) == 2 and all(isinstance(t, ast.BinOp) and isinstance(t.op, ast.Mult) for _, t in terms):
        (s, a), (r, b) = terms
        yield sum_of([(s, ast.BinOp(b.left, ast.Mult(), a.right)), (r, ast.BinOp(a.left, ast.Mult(), b.right))])  # type: ignore[attr-defined]


def _products(node: ast.BinOp) -> Iterator[ast.expr]:
    if isinstance(node.op, ast.Mult):
        yield node.left
        yield node.right
        for factor, inner in ((node.left, node.right), (node.right, node.left)):
            if isinstance(inner, ast.BinOp) and isinstance(inner.op, (ast.Add, ast.Sub)):
                terms = terms_of(inner)
                for i in range(len(terms)):
                    yield sum_of(
                        [(s, ast.BinOp(factor, ast.Mult(), t) if j == i else t) for j, (s, t) in enumerate(terms)]
                    )
            if ast.dump(node.left) == ast.dump(node.right):
                yield _parse(f"abs({ast.unparse(node.left)})")
                break
    elif isinstance(node.op, ast.Div):
        yield node.left
        yield ast.BinOp(node.left, ast.Mult(), node.right)
        yield ast.BinOp(ast.Constant(1.0), ast.Div(), node.right)
        yield ast.BinOp(node.right, ast.Div(), node.left)
    elif isinstance(node.op, ast.Pow):
        yield node.left
        yield _parse(f"abs({ast.unparse(node.left)})")
        for more in (1.0, -1.0):
            yield ast.BinOp(node.left, ast.Pow(), _parse(f"({ast.unparse(node.right)}) + {more}"))


def _vector_argument(node: ast.Call) -> int | None:
    """Return which argument of a call is the vector; the first that is no name of a library or of a number."""
    for i, argument in enumerate(node.args):
        if ast.unparse(argument) not in {"xp", "oracle", "oracle.xp"}:
            return i
    return None


def _calls(node: ast.Call, scope: Ingredients) -> Iterator[ast.expr]:
    name, at = _name_of_call(node), _vector_argument(node)
    if at is None or name in {"grad", "draw", "fori", "observe", "initial", "full", "full_all", "where", "uniform"}:
        if name in {"initial", "full_all"} and node.args:
            yield _parse(f"0.0 * {ast.unparse(node)}")
        if name in {"full", "full_all"} and node.args:  # on the sample at hand
            yield _parse(f"oracle.grad(oracle.to_clients({ast.unparse(node.args[0])}), batch)")
        return
    v = ast.unparse(node.args[at])
    if name == "mean" and scope.has_oracle:
        mean = ast.unparse(node)
        yield _parse(f"{mean} * oracle.S")
        yield _parse(f"{mean} * (oracle.S / oracle.N)")
        yield _parse(f"{mean} * (oracle.N / oracle.S)")
        for change in ("/ oracle.S", "/ oracle.N", "* oracle.N", "/ oracle.K", "* oracle.K"):
            yield _parse(f"{mean} {change}")
        yield _parse(f"({v})[:, :1]")
        yield _parse(f"({v})[:, -1:]")
        if is_call(node.args[at], {"full"}):
            yield _parse(f"mean_gradient_of_all(oracle, {ast.unparse(node.args[at].args[0])})")  # type: ignore[attr-defined]
    elif name == "mean_model":
        rows = ast.unparse(node.args[-1])
        yield _parse(f"({rows})[:, :1]")
        yield _parse(f"({rows})[:, -1:]")
        yield _parse(f"{ast.unparse(node)} * oracle.S")
        yield _parse(f"{ast.unparse(node)} * (oracle.S / oracle.N)")
    elif name in {"maximum", "minimum"} and len(node.args) == 2:
        other = "minimum" if name == "maximum" else "maximum"
        yield _parse(f"{ast.unparse(node).replace(name, other, 1)}")
        yield from node.args
        yield _parse(f"({v}) + ({ast.unparse(node.args[1])})")
    elif name in {"to_clients", "to_all", "active", "remember"}:
        if name == "active":
            yield _parse(f"({v})[:, : oracle.S]")
            yield _parse(f"oracle.active(oracle.xp.roll({v}, 1, axis=1))")
            yield _parse(f"oracle.active(oracle.xp.roll({v}, -1, axis=1))")
        if name == "remember" and len(node.args) == 2:
            memory, rows = (ast.unparse(argument) for argument in node.args)
            yield node.args[0]
            yield _parse(f"oracle.to_all(oracle.mean({rows}))")
            yield _parse(f"oracle.remember({memory}, oracle.to_clients(oracle.mean({rows})))")
            yield _parse(f"oracle.remember({memory}, {rows} + oracle.active({memory}))")
            yield _parse(f"oracle.remember(0.0 * {memory}, {rows})")
            for name in (one for one in scope.names if one not in {memory, rows} and not one.startswith("state.")):
                for others in (f"{memory} - {name}", f"{memory} + {name}", f"{memory} - {name} / oracle.K"):
                    yield _parse(f"{WHERE_ACTIVE}(oracle, {rows}, {others})")
    elif name == "_replace":
        return
    elif name == "top":
        yield node.args[at]
        for other in COMPRESSORS:
            yield ast.Call(ast.Name(other, ast.Load()), node.args, [])
        if scope.has_oracle:
            yield _parse(f"oracle.mean_all({ast.unparse(node)})")
        for memory in memories(scope):  # added after it and not before, or when the places have been chosen
            for other in (memory, f"{v} - {memory}"):
                yield _parse(f"at_top_of({v}, {ast.unparse(node.args[-1])}, {other})")
            arguments = [*node.args]
            arguments[at] = _parse(f"({v}) - {memory}")
            after = ast.Call(node.func, arguments, node.keywords)
            yield ast.BinOp(after, ast.Add(), _parse(memory))
        yield _parse(f"dimension({v}) / {ast.unparse(node.args[-1])} * {ast.unparse(node)}")
        arguments = [*node.args]
        arguments[-1] = _parse(f"{ast.unparse(node.args[-1])} + 1")
        yield ast.Call(node.func, arguments, node.keywords)
    elif not name[:1].isupper():
        yield node.args[at]
        if name in {"maximum", "minimum"}:
            yield from node.args[at + 1 :]
        yield _parse(f"0.0 * ({v})")
        if name in _NORMS:
            yield _parse(f"({v}) * ({v})")
            yield _parse(f"norm({v})")
        if name == "square":  # the squared norm by the largest entry, and by the sum of all
            yield _parse(f"largest_abs({v}) ** 2")
            yield _parse(f"sum_abs({v}) ** 2")
        if name == "sign":
            yield _parse(f"mean_abs({v}) * {ast.unparse(node)}")
            yield _parse(f"({v}) / norm({v})")
        if name == "mix":
            yield _parse(f"oracle.mix({ast.unparse(node)}, {ast.unparse(node.args[1])})")
            yield _parse(f"0.5 * ({v} + {ast.unparse(node)})")
        if name in {"sqrt", "cbrt"}:
            yield _parse(f"{ast.unparse(node.func).replace(name, 'cbrt' if name == 'sqrt' else 'sqrt')}({v})")
        if name == "sqrt" and isinstance(node.args[at], ast.BinOp):
            yield from _out_of_root(node, terms_of(node.args[at]))


def _out_of_root(node: ast.Call, terms: list[tuple[int, ast.expr]]) -> Iterator[ast.expr]:
    """Yield a root with one of its terms beside it, without its square, or without the square in it."""
    for i, (sign, term) in enumerate(terms):
        base = term.left if isinstance(term, ast.BinOp) and isinstance(term.op, ast.Pow) else term
        rest = terms[:i] + terms[i + 1 :]
        if rest:
            yield sum_of([(1, ast.Call(node.func, [sum_of(rest)], [])), (sign, base)])
        if base is not term:
            yield ast.Call(node.func, [sum_of([*terms[:i], (sign, base), *terms[i + 1 :]])], [])


def _orders(node: ast.Compare) -> Iterator[ast.expr]:
    for op in (ast.Lt, ast.LtE, ast.Gt, ast.GtE):
        if not isinstance(node.ops[0], op) and isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
            yield ast.Compare(node.left, [op()], node.comparators)


def _counts(node: ast.Attribute) -> Iterator[ast.expr]:
    for name in ("S", "N", "K"):
        if node.attr in {"S", "N", "K"} and name != node.attr:
            yield ast.Attribute(node.value, name, ast.Load())
    if node.attr in {"S", "N", "K"}:
        yield ast.Constant(1.0)
    if node.attr == "K":
        yield _parse("(oracle.K + 1)")
        yield _parse("max(oracle.K - 1, 1)")


def _wholes(node: ast.expr, scope: Ingredients) -> Iterator[ast.expr]:
    text = ast.unparse(node)
    if isinstance(node, ast.Tuple) or "oracle.draw" in text or text == "state":
        return
    for number in scope.numbers:
        yield _parse(f"self.{number} * ({text})")
        yield _parse(f"({text}) / self.{number}")
        if number.startswith(("beta", "a")):
            yield _parse(f"(1.0 - self.{number}) * ({text})")
            yield _parse(f"({text}) / (1.0 - self.{number})")
    if scope.has_oracle:
        for count in ("K", "N", "S"):
            yield _parse(f"({text}) * oracle.{count}")
            yield _parse(f"({text}) / oracle.{count}")
        yield _parse(f"oracle.mean({text}, free=True)")
    for name in scope.names:
        if name.startswith("state.") and name != text:
            yield _parse(f"{name} + ({text})")
            yield _parse(name)
            if scope.has_oracle:
                yield _parse(f"oracle.xp.maximum({name}, {text})")
    yield _parse(f"-({text})")
    yield _parse(f"0.0 * ({text})")
