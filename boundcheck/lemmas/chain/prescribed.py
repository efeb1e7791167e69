"""What a rate may use: the parameters that its bound prescribes, as hypotheses of its last claim."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import lcm
from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError
from boundcheck.lemmas.chain.expressions import node_of, sum_of
from boundcheck.lemmas.chain.grammar import Node

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.bounds import Bound


@dataclass
class Roots:
    """Square roots as letters; one that is a rational multiple of an earlier one is written through it."""

    names: Sequence[str]
    """Letters to use, in the order in which roots occur."""
    found: list[tuple[str, Any]] = field(default_factory=list)

    def node(self, expression: Any) -> Node:
        """Return an expression with roots of monomials as letters.

        Raises
        ------
        NotApplicableError
            If there are more independent roots than letters for them.
        """
        import sympy

        e = sympy.sympify(expression)
        if e.is_Add:
            parts = [self.node(part) for part in e.args]
            return sum_of(parts)
        halves = [f for f in sympy.Mul.make_args(e) if f.is_Pow and f.exp.is_Rational and f.exp.q == 2]
        if not halves:
            return node_of(e)
        root = sympy.Mul(*halves)
        return Node("mul", parts=(node_of(sympy.simplify(e / root)), self._letter(root)))

    def _letter(self, root: Any) -> Node:
        import sympy

        for name, known in self.found:
            ratio = sympy.simplify(root / known)
            if not ratio.has(sympy.Pow) or all(p.exp.is_Integer for p in ratio.atoms(sympy.Pow)):
                return Node("mul", parts=(node_of(ratio), Node("letter", name)))
        if len(self.found) == len(self.names):
            msg = f"{root} is one root more than there are letters for: {', '.join(self.names) or 'none'}"
            raise NotApplicableError(msg)
        self.found.append((self.names[len(self.found)], root))
        return Node("letter", self.found[-1][0])

    def given(self) -> list[Node]:
        """Return what defines the letters: their squares."""
        return [
            Node("relation", "=", (Node("power", "2", (Node("letter", name),)), node_of(root**2)))
            for name, root in self.found
        ]


def facts(bound: Bound, roots: Roots) -> list[Node]:
    """Return what the prescribed parameters are: a minimum, or for roots in it the upper bounds in whole powers."""
    found: list[Node] = []
    for name, expression in bound.parameters.items():
        if name not in bound.free:
            found += _facts_of(name, expression, roots)
    return found


def _facts_of(name: str, expression: Any, roots: Roots) -> list[Node]:
    import sympy

    (least,) = [f for f in sympy.Mul.make_args(expression) if isinstance(f, sympy.Min)] or [sympy.Min(expression)]
    arguments = least.args if isinstance(least, sympy.Min) else (least,)
    rest = expression / least
    scaled = sympy.Symbol(name, positive=True) / rest
    powers = [_power(argument) for argument in arguments]
    if (max(powers) <= 2 and rest == 1) or max(powers) == 1:
        nodes = tuple(roots.node(argument) for argument in sorted(arguments, key=str))
        return [Node("relation", "=", (node_of(scaled), Node("min", parts=nodes)))]
    pairs = zip(arguments, powers, strict=True)
    return [Node("relation", "<=", (node_of(scaled**q), node_of(sympy.powdenest(a**q, force=True)))) for a, q in pairs]


def without_roots(left: Any, right: Any) -> tuple[Any, Any]:
    """Return both sides of an inequality between positive numbers in the least power that leaves no root.

    Raises
    ------
    NotApplicableError
        If there is a root and a side may be negative.
    """
    import sympy

    power = lcm(_power(sympy.sympify(left)), _power(sympy.sympify(right)))
    if power == 1:
        return left, right
    if not (left.is_nonnegative and right.is_nonnegative):
        msg = f"{left} and {right}: a root beside what may be negative"
        raise NotApplicableError(msg)
    return tuple(sympy.powdenest(side**power, force=True) for side in (left, right))


def _power(argument: Any) -> int:
    """Return the smallest whole power that makes an expression rational."""
    import sympy

    exponents = [p.exp.q for p in argument.atoms(sympy.Pow) if p.exp.is_Rational]
    whole = [e.args[0].q for e in argument.atoms(sympy.exp) if e.args[0].is_Rational]
    return lcm(*map(int, exponents), *map(int, whole))
