"""A changed line of a rule in words: as in a formula, without how the package asks for gradients and messages."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from boundcheck.conform.reading.words import text
from boundcheck.conform.variants.building import (
    BIAS_CORRECTED,
    BOUND,
    FACTOR,
    LAST_OF_ALL,
    STALE,
    TIMES,
    WHERE_ACTIVE,
    rules_of,
)

if TYPE_CHECKING:
    from boundcheck.conform.variants.building import RuleFunction, Variant

_PASSED_ON = {"to_clients", "to_all", "active", "asarray", "show_at_clients"}
"""Calls that do no more than to show a vector to clients, or a memory to its owner."""
_KEYED = {"mean_so_far", "mean_with_last", LAST_OF_ALL, *TIMES}
"""Calls of the oracle and of a key, of which the formula has the value alone."""
_SAMPLED = {"grad": "g", "full": "grad_f", "full_all": "grad_f", "initial": "g", "sample_gradients": "g"}


class _FormulaWriter(ast.NodeTransformer):
    """Leaves out the oracle, the library and the method itself, and what a choice of the method does not do."""

    def __init__(self, made: Any) -> None:
        self._made = made

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """Return the branch that is taken, where a choice of the method says which."""
        test = node.test
        if (
            isinstance(test, ast.Compare)
            and isinstance(test.left, ast.Attribute)
            and ast.unparse(test.left.value) == "self"
            and isinstance(test.comparators[0], ast.Constant)
            and isinstance(test.ops[0], ast.Eq)
        ):
            taken = getattr(self._made, test.left.attr, None) == test.comparators[0].value
            found: ast.AST = self.visit(node.body if taken else node.orelse)
            return found
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Turn a call into the one of a formula."""
        if isinstance(node.func, ast.Attribute) and node.func.attr == "sum":  # of an array
            return ast.Call(ast.Name("sum", ast.Load()), [self.visit(node.func.value)], [])
        self.generic_visit(node)
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        arguments = [a for a in node.args if ast.unparse(a) not in {"oracle", "xp", "oracle.xp"}]
        if name in _PASSED_ON and arguments:
            return arguments[0]
        if name == STALE:
            return ast.Call(ast.Name("mix_with_neighbours_of_the_round_before", ast.Load()), [node.args[2]], [])
        if name in _KEYED:
            return ast.Call(ast.Name(name, ast.Load()), node.args[2:3], [])
        if name == BIAS_CORRECTED:
            return ast.Call(ast.Name(name, ast.Load()), node.args[2:], [])
        if name in _SAMPLED:
            return ast.Call(ast.Name(_SAMPLED[name], ast.Load()), arguments[:1], [])
        if name == "mean_all":
            name = "mean"
        if name == "remember" and len(arguments) == 2:
            return arguments[1]
        return ast.Call(ast.Name(name, ast.Load()), arguments, [])

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Leave out whose it is, but for the state's: that is the value before the round."""
        owner = ast.unparse(node.value)
        if owner in {"self", "oracle", "oracle.xp", "xp"}:
            return ast.Name(node.attr, ast.Load())
        if owner == "state":
            return ast.Name(f"old_{node.attr}", ast.Load())
        self.generic_visit(node)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Write whole numbers as such."""
        if isinstance(node.value, float) and node.value.is_integer():
            return ast.Constant(int(node.value))
        return node


def formula(node: ast.AST, made: Any) -> str:
    """Return an expression of a method's rule as a formula."""
    fresh = ast.parse(ast.unparse(node), mode="eval").body
    return ast.unparse(ast.fix_missing_locations(_FormulaWriter(made).visit(fresh))).replace("grad_f", "grad f_i")


def sentence(variant: Variant, factor: float | None, hints: str = "") -> str:
    """Return the words for a change: what the part is, and what the method has."""
    context, rule, before, after = where_called(variant)
    number = "" if factor is None else text(factor) if factor >= 0 else f"({text(factor)})"
    said = after.replace(FACTOR, number).replace(BOUND, number)
    said = re.sub(r"\+ \((-?[\d.e-]+) - 1\)", lambda m: f"+ {text(float(m[1]) - 1.0)}", said)
    said = re.sub(r"\(1 - ([\d.]+)\)", lambda m: text(1.0 - float(m[1])), said)
    said = _when(said)
    meaning = definitions(rule, f"{said} {before}", context, variant.made)
    where = f" ({meaning})" if meaning else ""
    return f"{context} is {said}{hints}, where the method has {before}{where}"


class _Arguments(ast.NodeTransformer):
    """Writes what a function is given in the place of its parameters."""

    def __init__(self, given: dict[str, ast.expr]) -> None:
        self._given = given

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Leave the name of what is called."""
        return ast.Call(node.func, [self.visit(argument) for argument in node.args], node.keywords)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Return the argument."""
        return self._given.get(node.id, node)


def where_called(variant: Variant) -> tuple[str, RuleFunction, str, str]:
    """Return the name of what is changed, the function that it is in, and the formulas before and after.

    What a helper returns is written as what it stands for in the rule, if one assignment calls it.
    """
    change, made = variant.change, variant.made
    rule, formulas = change.rule, (change.write(made), change.rewrite(made))
    name = rule.tree.name
    rules = rules_of(type(variant.made))
    calls = sum(isinstance(node, ast.Call) and _name_of_call(node) == name for r in rules for node in ast.walk(r.tree))
    assigned = [
        (node.targets[0], node.value, other)
        for other in rules
        for node in ast.walk(other.tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        if isinstance(node.value, ast.Call) and _name_of_call(node.value) == name
    ]
    if not calls == len(assigned) == 1 or not change.context.startswith("what `"):
        return change.context, rule, *formulas
    target, call, other = assigned[0]
    names = [a.arg for a in rule.tree.args.args]
    given = {
        name: ast.parse(formula(argument, variant.made).replace("grad f_i", "grad_f"), mode="eval").body
        for name, argument in zip(names, call.args, strict=False)
        if name not in {"oracle", "xp"}
    }
    written = []
    for text_of in formulas:
        tree = ast.parse(text_of.replace("grad f_i", "grad_f"), mode="eval")
        written.append(ast.unparse(_Arguments(given).visit(tree)).replace("grad_f", "grad f_i"))
    return ast.unparse(target), other, written[0], written[1]


def _name_of_call(call: ast.Call) -> str:
    return getattr(call.func, "id", "")


def _when(said: str) -> str:
    """Write the calls that stand for the value of another time as the value, and which time."""
    for name, words in TIMES.items():
        while (start := said.find(f"{name}(")) >= 0:
            end, depth = start + len(name) + 1, 1
            while depth:
                depth += {"(": 1, ")": -1}.get(said[end], 0)
                end += 1
            said = f"{said[:start]}{said[start + len(name) + 1 : end - 1]} {words}{said[end:]}"
    return said


def definitions(rule: RuleFunction, used: str, context: str, made: Any) -> str:
    """Return what the names in a formula are, those that the function assigns once."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(rule.tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(formula(node.value, made))
    words = set(re.findall(r"[A-Za-z_]\w*", used))
    told = [
        f"{name} = {values[0]}"
        for name, values in found.items()
        if name in words and name != context and len(values) == 1 and len(values[0]) < 70 and values[0] != name
    ]
    old = sorted(word for word in words if word.startswith("old_"))
    if WHERE_ACTIVE in words:
        told.append(f"{WHERE_ACTIVE}(a, b): a of the active clients, b of those that sit out")
    if BIAS_CORRECTED in words:
        told.append(f"{BIAS_CORRECTED}(v, b): v / (1 - b^n) the n-th time")
    places = ["at_top_of(v, k, u): v at the places of the k largest |u|, 0 elsewhere"] if "at_top_of" in words else []
    return "; ".join([*told, *places, *([f"{', '.join(old)}: before the round"] if old else [])])
