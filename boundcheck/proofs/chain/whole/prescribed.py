"""What a rate may use: the parameters that its bound prescribes, as hypotheses of its last claim."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from math import lcm
from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError
from boundcheck.proofs.language.expressions import node_of, sum_of
from boundcheck.proofs.language.grammar import Node

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from boundcheck.bounds import Bound


_ROOTS = 3
"""Roots up to this one are letters; where there are others, a minimum is used through its upper bounds alone."""


_MAXIMUM = 0
"""Stands in the place of the power of a root where a letter is a maximum."""


@dataclass
class Roots:
    """Square and cube roots as letters; a rational multiple of a power of an earlier one is written through it."""

    names: Sequence[str]
    """Letters to use, in the order in which roots occur."""
    found: list[tuple[str, Any, int]] = field(default_factory=list)
    """Each letter with its root, and which root it is."""

    def node(self, expression: Any) -> Node:
        """Return an expression with roots of monomials as letters; a maximum is a letter too.

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
        factors = sympy.Mul.make_args(e)
        if any(f.is_Add and power_of(f) > 1 for f in factors):
            return self.node(sympy.expand(e))
        for q in (2, 3):
            root = sympy.Mul(*(f for f in factors if _is_root(f, q)))
            if root != 1:
                return Node("mul", parts=(self.node(sympy.powsimp(e / root)), self._letter(root, q)))
        return node_of(e)

    def _letter(self, root: Any, q: int) -> Node:
        for name, known in ((name, known) for name, known, of in self.found if of == q):
            for power in (1, -1, 2, -2)[: 2 * (q - 1)]:
                ratio = _simplest(root / known**power)
                if power_of(ratio) == 1:
                    letter = Node("letter", name)
                    put = letter if power == 1 else Node("power", str(power), (letter,))
                    return Node("mul", parts=(node_of(ratio), put))
        return self._new(root, q)

    def _new(self, root: Any, q: int) -> Node:
        if len(self.found) == len(self.names):
            msg = f"{root} is one root more than there are letters for: {', '.join(self.names) or 'none'}"
            raise NotApplicableError(msg)
        self.found.append((self.names[len(self.found)], root, q))
        return Node("letter", self.found[-1][0])

    def argument(self, expression: Any) -> Node:
        """Return an argument of a minimum; a new root is a letter for the whole argument, and so is a maximum."""
        if expression.func.__name__ == "Max":
            for part in expression.args:
                self.node(part)  # its letters come first
            return self._new(expression, _MAXIMUM)
        known = len(self.found)
        node = self.node(expression)
        if len(self.found) != known + 1 or power_of(expression / self.found[-1][1]) > 1:
            return node
        name, _, q = self.found[-1]
        self.found[-1] = (name, expression, q)
        return Node("letter", name)

    def without_maxima(self, expression: Any) -> Any:
        """Return an expression with letters in the place of its maxima."""
        import sympy

        put = {}
        for maximum in sorted(expression.atoms(sympy.Max), key=str):
            put[maximum] = sympy.Symbol(self.argument(maximum).name, positive=True)
        return expression.xreplace(put)

    def given(self) -> list[Node]:
        """Return what defines the letters: their squares or cubes, and of a maximum that its negative is a minimum."""
        return [node for name, root, q in list(self.found) for node in self._definition_of(name, root, q)]

    def _definition_of(self, name: str, root: Any, q: int) -> list[Node]:
        letter = Node("letter", name)
        if q != _MAXIMUM:
            square = Node("relation", "=", (Node("power", str(q), (letter,)), node_of(root**q)))
            # The root of a number above 1 is above 1, which products of hypotheses do not show.
            return [square, Node("relation", ">=", (letter, Node("number", "1")))] if _above_one(root**q) else [square]
        parts = tuple(Node("neg", parts=(self.node(part),)) for part in sorted(root.args, key=str))
        return [Node("relation", "=", (Node("neg", parts=(letter,)), Node("min", parts=parts)))]


@cache
def _simplest(ratio: Any) -> Any:
    """Return a quotient of roots with its powers put together; bounds of one paper have the same roots."""
    import sympy

    return sympy.powsimp(sympy.powdenest(ratio, force=True), force=True)


def _above_one(radicand: Any) -> bool:
    """Return whether a radicand is 1 plus what is positive."""
    return bool((radicand - 1).is_positive)


def definitions(bound: Bound, letters: Collection[str]) -> dict[Any, Any]:
    """Return the prescribed parameters that are no letters of the proof, as symbols with what they are."""
    from boundcheck.notation import symbols

    no_choice = [n for n in bound.parameters if n not in bound.free] if bound.rigid else bound.definitions
    fixed = {name: bound.parameters[name] for name in no_choice if name not in letters}
    return {symbols(name)[0]: expression for name, expression in fixed.items()}


def without_maxima(expression: Any) -> Any:
    """Return an expression without the maxima of which one argument is the largest for all whole numbers >= 1."""
    import sympy

    put = {}
    for maximum in expression.atoms(sympy.Max):
        for one in maximum.args:
            if all(_never_below(one, other) for other in maximum.args if other != one):
                put[maximum] = one
    return expression.xreplace(put).doit() if put else expression


def _never_below(first: Any, second: Any) -> bool:
    """Return whether a polynomial, in letters or their square roots, is at least another one for all letters >= 1."""
    import sympy

    difference = sympy.sympify(first - second)
    if power_of(difference) == 2:
        difference = difference.subs({x: x**2 for x in difference.free_symbols if x.is_positive})
    if not difference.is_polynomial(*difference.free_symbols):
        return False
    moved = sympy.Poly(difference.subs({x: x + 1 for x in difference.free_symbols}), *difference.free_symbols)
    return all(c.is_nonnegative for c in moved.coeffs())


def pieces(expressions: Iterable[Any], names: Sequence[str]) -> dict[Any, Any]:
    """Return what is defined piece by piece inside parameters or terms, each with a letter for it.

    Raises
    ------
    NotApplicableError
        If there are more of them than letters.
    """
    import sympy

    inside = [e for e in map(sympy.sympify, expressions) if not isinstance(e, sympy.Piecewise)]
    found = sorted({piece for e in inside for piece in e.atoms(sympy.Piecewise)}, key=str)
    if len(found) > len(names):
        msg = f"{', '.join(map(str, found))}: more pieces than letters for them: {', '.join(names) or 'none'}"
        raise NotApplicableError(msg)
    return {piece: sympy.Symbol(name, nonnegative=True) for piece, name in zip(found, names, strict=False)}


def cases(
    bound: Bound, roots: Roots, put: Callable[[Any], Any], nested: Mapping[Any, Any] | None = None
) -> tuple[tuple[Node, ...], ...]:
    """Return what holds at one local step, and what at two or more, where a parameter is another then; else nothing.

    What is `nested` in parameters is another letter, see `pieces`.

    Raises
    ------
    NotApplicableError
        If a parameter is defined piece by piece in another way.
    """
    import sympy

    from boundcheck.notation import symbols

    one: list[Node] = []
    more: list[Node] = []
    (K,) = symbols("K")
    whole = {name: e for name, e in bound.parameters.items() if name not in bound.free}
    for name, expression in (*whole.items(), *((str(letter), e) for e, letter in (nested or {}).items())):
        if isinstance(expression, sympy.Piecewise):
            (first, least), (second, rest) = expression.args
            if least != (K < 2) or rest != sympy.true:
                msg = f"{name} = {expression} has other pieces than K < 2 and the rest"
                raise NotApplicableError(msg)
            for found, value in ((one, first), (more, second)):
                node = roots.node(roots.without_maxima(put(value)))
                found.append(Node("relation", "=", (Node("letter", name), node)))
    if not one:
        return ()
    step = Node("letter", "K")
    at_one = Node("relation", "=", (step, Node("number", "1")))
    return (at_one, *one), (Node("relation", ">=", (step, Node("number", "2"))), *more)


def facts(parameters: Mapping[str, Any], roots: Roots) -> list[Node]:
    """Return what prescribed parameters are: a minimum, or for roots in it the upper bounds in whole powers."""
    return [fact for name, expression in parameters.items() for fact in _facts_of(name, expression, roots)]


def _facts_of(name: str, expression: Any, roots: Roots) -> list[Node]:
    import sympy

    if isinstance(expression, sympy.ceiling):
        (inside,) = expression.args
        least_ones = inside.args if isinstance(inside, sympy.Max) else (inside,)
        return [Node("relation", "<=", (roots.node(one), Node("letter", name))) for one in least_ones]
    (least,) = [f for f in sympy.Mul.make_args(expression) if isinstance(f, sympy.Min)] or [sympy.Min(expression)]
    arguments = least.args if isinstance(least, sympy.Min) else (least,)
    rest = expression / least
    scaled = sympy.Symbol(name, positive=True) / rest
    powers = [power_of(argument) for argument in arguments]
    if max(powers) <= _ROOTS:
        nodes = tuple(roots.argument(argument) for argument in sorted(arguments, key=str))
        right = Node("min", parts=nodes) if len(nodes) > 1 else nodes[0]
        return [Node("relation", "=", (node_of(scaled), right))]
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

    power = lcm(power_of(sympy.sympify(left)), power_of(sympy.sympify(right)))
    if power == 1:
        return left, right
    if not (left.is_nonnegative and right.is_nonnegative):
        msg = f"{left} and {right}: a root beside what may be negative"
        raise NotApplicableError(msg)
    return tuple(sympy.powdenest(side**power, force=True) for side in (left, right))


def _is_root(factor: Any, q: int) -> bool:
    """Return whether a factor is a power of something, or of Euler's number, whose exponent has the denominator q."""
    import sympy

    return (factor.is_Pow or isinstance(factor, sympy.exp)) and bool(factor.exp.is_Rational) and factor.exp.q == q


def power_of(argument: Any) -> int:
    """Return the smallest whole power that makes an expression rational."""
    import sympy

    exponents = [p.exp.q for p in argument.atoms(sympy.Pow) if p.exp.is_Rational]
    whole = [e.args[0].q for e in argument.atoms(sympy.exp) if e.args[0].is_Rational]
    return lcm(*map(int, exponents), *map(int, whole))
