"""A statement as a certificate has it: letters with their sorts, hypotheses and a conclusion, all as text."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.printing.str import StrPrinter

from boundcheck.errors import require
from boundcheck.proofs.kernel.certificates import EXPECTATION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

RELATIONS = {sp.Le: "<=", sp.Lt: "<", sp.Ge: ">=", sp.Gt: ">", sp.Eq: "=", sp.Ne: "!="}
INNER = "inner"
MEAN, DEVIATION = "_mean", "_dev"


@dataclass(frozen=True)
class Statement:
    """What a certificate is about.

    Parameters
    ----------
    letters : dict of str to str
        Sort of every letter: ``>0``, ``>=0``, nothing (any real number), ``vector`` or ``family``.
    given : tuple of str
        Hypotheses, as relations.
    shows : str
        The conclusion, a relation; empty where only a point is given at which the hypotheses hold.
    """

    letters: dict[str, str]
    given: tuple[str, ...]
    shows: str
    values: dict[str, str] = field(default_factory=dict)
    """Letters that stand for values of exp, log or a power, with what they are."""

    @property
    def data(self) -> dict[str, Any]:
        """The part of a certificate that states."""
        stated = {
            "letters": self.letters,
            **({"values": self.values} if self.values else {}),
            "given": list(self.given),
        }
        return stated | ({"shows": self.shows} if self.shows else {})

    @property
    def hash(self) -> str:
        """Sixteen hexadecimal digits that tell statements apart."""
        return hash_of(self.data)


def value_text(kind: str, of: tuple[sp.Expr, ...]) -> str:
    """Return a value of exp, log or a power in the certificates' grammar."""
    parts = [f"({expression(e)})" for e in of]
    return "^".join(parts) if kind == "power" else f"{kind}{parts[0]}"


def hash_of(certificate: dict[str, Any]) -> str:
    """Return the hash of what a certificate states; its proof does not enter."""
    stated = {
        "letters": certificate["letters"],
        "given": certificate.get("given", []),
        "shows": certificate.get("shows", ""),
    } | ({"values": certificate["values"]} if "values" in certificate else {})
    if EXPECTATION in certificate:
        stated[EXPECTATION] = {key: part for key, part in certificate[EXPECTATION].items() if key != "one"}
    return hashlib.sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest()[:16]


@dataclass
class RelationWriter:
    """Turns sympy relations into text of the certificates' grammar.

    Roots, maxima and Euler's number become letters with hypotheses that define them; so a statement is about the
    values at which both of its sides are defined.  A value of exp, log or a power with any exponent is a letter of
    `values`; one of another function (sin(x), pi) a letter with nothing but its sign, which states more than was asked.
    """

    letters: dict[str, str] = field(default_factory=dict)
    definitions: list[sp.Basic] = field(default_factory=list)
    values: dict[sp.Symbol, tuple[str, tuple[sp.Expr, ...]]] = field(default_factory=dict)
    """Kind and arguments of the letters that stand for values of exp, log or a power."""
    _made: dict[sp.Expr, sp.Symbol] = field(default_factory=dict)

    def plain(self, e: sp.Basic) -> sp.Basic:
        """Return an expression or relation in letters and rational operations only."""
        if e in (sp.true, sp.false) or e.is_Rational or e.is_Symbol:
            return e
        if e.is_Relational or isinstance(e, (sp.And, sp.Or)):
            return rebuilt(e, self.plain)
        if e is sp.E:
            return self._euler()
        if isinstance(e, sp.exp):
            power = e.args[0]
            if power.is_Integer:
                return self._euler() ** power
            return self._root(sp.E, power) if power.is_Rational else self._value(e, "exp", power)
        if isinstance(e, sp.log) and e.free_symbols:
            return self._value(e, "log", *e.args)
        if e.is_Pow and not e.exp.is_Rational:
            return self._value(e, "power", e.base, e.exp)
        if e.is_Pow and not e.exp.is_Integer:
            return self._root(e.base, e.exp)
        if isinstance(e, (sp.Max, sp.Min, sp.Abs)):
            return self._extreme(e)
        if e.func.__name__ == INNER:
            return e
        if isinstance(e, sp.Function) or e.is_NumberSymbol:
            return self._opaque(e)
        return rebuilt(e, self.plain)

    def _fresh(self, key: sp.Expr, name: str, **signs: bool) -> sp.Symbol:
        while name in self.letters or any(name == s.name for s in self._made.values()):
            name += "_"
        self._made[key] = sp.Symbol(name, **signs)
        return self._made[key]

    def _euler(self) -> sp.Symbol:
        if sp.E in self._made:
            return self._made[sp.E]
        letter = self._fresh(sp.E, "euler", positive=True)
        low, high = sp.Rational(2718281828, 10**9), sp.Rational(2718281829, 10**9)
        self.definitions += [sp.Gt(letter, low, evaluate=False), sp.Lt(letter, high, evaluate=False)]
        return letter

    def _root(self, base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        key = sp.Pow(base, sp.Rational(1, exponent.q), evaluate=False)
        if key not in self._made:
            inside = self.plain(base)
            label = f"root{len(self._made)}" if not base.is_Symbol else f"root_{base.name}"
            sign = {"positive": True} if base.is_positive else {"nonnegative": True}
            letter = self._fresh(key, label, **sign)
            self.definitions.append(sp.Eq(letter**exponent.q, inside, evaluate=False))
        return self._made[key] ** exponent.p

    def _value(self, e: sp.Expr, kind: str, *of: sp.Expr) -> sp.Symbol:
        """Return a letter for a value of exp, log or a power."""
        if e not in self._made:
            parts = tuple(map(self.plain, of))
            self.values[self._fresh(e, f"value{len(self._made)}", real=True)] = kind, parts
        return self._made[e]

    def _opaque(self, e: sp.Expr) -> sp.Symbol:
        """Return a letter for a value of another function, of which nothing but its sign is used."""
        if e in self._made:
            return self._made[e]
        sign = {"positive": True} if e.is_positive else {"nonnegative": True} if e.is_nonnegative else {"real": True}
        return self._fresh(e, f"value{len(self._made)}", **sign)

    def _extreme(self, e: sp.Expr) -> sp.Expr:
        if isinstance(e, sp.Min):
            return -self.plain(sp.Max(*(-a for a in e.args)))
        if e not in self._made:
            of = e.args if isinstance(e, sp.Max) else (e.args[0], -e.args[0])
            parts = [self.plain(a) for a in of]
            nonnegative = {"nonnegative": True} if isinstance(e, sp.Abs) else {}
            letter = self._fresh(e, f"top{len(self._made)}", **nonnegative)
            self.definitions += [sp.Ge(letter, a, evaluate=False) for a in parts]
            self.definitions.append(sp.Or(*(sp.Eq(letter, a, evaluate=False) for a in parts), evaluate=False))
        return self._made[e]


def sort_of(symbol: sp.Symbol) -> str:
    """Return the sort of a letter, from its assumptions."""
    return ">0" if symbol.is_positive else ">=0" if symbol.is_nonnegative else ""


def conjuncts(relations: Iterable[sp.Basic]) -> list[sp.Basic]:
    """Return relations with conjunctions taken apart and what is always true left out."""
    found: list[sp.Basic] = []
    for relation in map(sp.sympify, relations):
        found += conjuncts(relation.args) if isinstance(relation, sp.And) else [relation]
    return [r for r in found if r != sp.true]


def text_of(relation: sp.Basic) -> str:
    """Return a relation in the certificates' grammar."""
    if relation in (sp.true, sp.false):
        return "" if relation == sp.true else "0 < 0"
    if isinstance(relation, sp.Or):
        return " or ".join(map(text_of, relation.args))
    return f"{expression(relation.lhs)} {RELATIONS[type(relation)]} {expression(relation.rhs)}"


def expression(e: sp.Expr) -> str:
    """Return an expression in the certificates' grammar."""
    return str(_StatementPrinter().doprint(e)).replace("**", "^")


class _StatementPrinter(StrPrinter):  # type: ignore[misc]
    def _print_Function(self, e: sp.Expr) -> str:
        require(e.func.__name__ == INNER, "expression", str(e), "rational operations, roots, maxima and inner products")
        first, second = (vector_text(a.name) for a in e.args)
        return f"|{first}|^2" if first == second else f"<{first}, {second}>"


def vector_text(name: str) -> str:
    """Return a vector as it stands in a certificate: the mean of a family, its deviation, or a vector."""
    if name.endswith(DEVIATION):
        family = name.removesuffix(DEVIATION)
        return f"{family} - mean({family})"
    return f"mean({name.removesuffix(MEAN)})" if name.endswith(MEAN) else name


def vector_sorts(names: Iterable[str]) -> dict[str, str]:
    """Return the sorts of the vectors and families with these names."""
    sorts = {}
    for name in names:
        root = name.removesuffix(DEVIATION).removesuffix(MEAN)
        sorts[root] = "vector" if root == name else "family"
    return sorts


def scalars(e: sp.Basic) -> sp.Basic:
    """Return an expression with a letter in the place of every inner product."""
    letters = {atom: gram_letter(atom) for atom in e.atoms(sp.Function(INNER))}
    return letters[e] if e in letters else rebuilt(e, lambda part: part.xreplace(letters))


def rebuilt(e: sp.Basic, change: Callable[[sp.Basic], sp.Basic]) -> sp.Basic:
    """Return an expression or relation with its parts changed; a relation is not evaluated, be it ever so clear."""
    if e.is_Relational:
        return e.func(*(change(side) for side in e.args), evaluate=False)
    if isinstance(e, (sp.And, sp.Or)):
        return e.func(*(rebuilt(part, change) for part in e.args), evaluate=False)
    return e.func(*(change(part) for part in e.args)) if e.args else e


def gram(first: str, second: str) -> sp.Expr:
    """Return the inner product of two names; a deviation is orthogonal to what the clients share."""
    if first.endswith(DEVIATION) != second.endswith(DEVIATION):
        return sp.S.Zero
    return sp.Function(INNER)(*map(sp.Symbol, sorted((first, second))))


def gram_letter(atom: sp.Expr) -> sp.Symbol:
    """Return the letter that stands for an inner product; as text it is that inner product."""
    first, second = (vector_text(a.name) for a in atom.args)
    signs = {"nonnegative": True} if first == second else {"real": True}
    return sp.Symbol(f"<{first}, {second}>", **signs)
