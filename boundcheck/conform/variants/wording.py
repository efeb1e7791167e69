"""A changed line of a rule in words: as in a formula, without how the package asks for gradients and messages."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from boundcheck.conform.reading.words import text
from boundcheck.conform.variants.building import FACTOR, TIMES

if TYPE_CHECKING:
    from boundcheck.conform.variants.building import Rule

_PASSED_ON = {"to_clients", "to_all", "active", "asarray", "show_at_clients"}
"""Calls that do no more than to show a vector to clients, or a memory to its owner."""
_SAMPLED = {"grad": "g", "full": "grad_f", "full_all": "grad_f", "initial": "g", "sample_gradients": "g"}


class _Formula(ast.NodeTransformer):
    """Leaves out the oracle, the library and the method itself."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Turn a call into the one of a formula."""
        self.generic_visit(node)
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        arguments = [a for a in node.args if ast.unparse(a) not in {"oracle", "xp", "oracle.xp"}]
        if name in _PASSED_ON and arguments:
            return arguments[0]
        if name in TIMES:
            return ast.Call(ast.Name(name, ast.Load()), [node.args[2]], [])
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


def formula(node: ast.AST) -> str:
    """Return an expression of a rule as a formula."""
    fresh = ast.parse(ast.unparse(node), mode="eval").body
    return ast.unparse(ast.fix_missing_locations(_Formula().visit(fresh))).replace("grad_f", "grad f_i")


def sentence(context: str, before: str, after: str, rule: Rule, factor: float | None, hints: str = "") -> str:
    """Return the words for a change: what the part is, and what the method has."""
    said = after if factor is None else after.replace(FACTOR, text(factor) if factor >= 0 else f"({text(factor)})")
    said = re.sub(r"\+ \((-?[\d.e-]+) - 1\)", lambda m: f"+ {text(float(m[1]) - 1.0)}", said)
    said = re.sub(r"\(1 - ([\d.]+)\)", lambda m: text(1.0 - float(m[1])), said)
    said = _when(said)
    meaning = _definitions(rule, f"{said} {before}", context)
    where = f" ({meaning})" if meaning else ""
    return f"{context} is {said}{hints}, where the method has {before}{where}"


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


def _definitions(rule: Rule, used: str, context: str) -> str:
    """Return what the names in a formula are, those that the function assigns once."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(rule.tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(formula(node.value))
    words = set(re.findall(r"[A-Za-z_]\w*", used))
    told = [
        f"{name} = {values[0]}"
        for name, values in found.items()
        if name in words and name != context and len(values) == 1 and len(values[0]) < 70 and values[0] != name
    ]
    old = sorted(word for word in words if word.startswith("old_"))
    return "; ".join([*told, *([f"{', '.join(old)}: before the round"] if old else [])])
