"""Check certificates by exact arithmetic: ``python verify.py FILE|DIR...``; the format is in docs/certificates.md.

A number is a polynomial over Q: a dict from monomials, sorted tuples of (generator, exponent), to fractions.
Generators are letters, vectors, inner products and denominators (in brackets, with negative exponents).
What is known of a number is the set of signs that it may have.
"""

import ast
import contextlib
import copy
import json
import re
import sys
from fractions import Fraction
from functools import reduce
from itertools import product
from pathlib import Path
from typing import Any

Mono = tuple[tuple[str, int], ...]
Poly = dict[Mono, Fraction]
Signs = frozenset[int]
ANY = frozenset((-1, 0, 1))
ZERO, LEAST, ONE = frozenset({0}), frozenset({0, 1}), (frozenset({-1}), frozenset({1}))
SIGNS = {"<": ONE[1], "<=": LEAST, "=": ZERO, ">=": LEAST, ">": ONE[1], "!=": ANY - ZERO}
SORTS = {">0": ONE[1], ">=0": LEAST, "": ANY, "vector": ANY, "family": ANY}
KEYS = {"id", "kind", "letters", "given", "shows", "steps", "by", "cases", "each", "point"}
LEGAL = re.compile(r"[\w +\-*/^(),|<>\[\]]*", re.ASCII)
ERRORS = (ValueError, LookupError, TypeError, AttributeError, SyntaxError, RecursionError, OSError)


def _need(condition: object, reason: str) -> None:
    if not condition:
        raise ValueError(reason)


def _plus(a: Signs, b: Signs) -> Signs:
    return frozenset(s for x in a for y in b for s in (ANY if x * y < 0 else {x or y}))


def _times(a: Signs, b: Signs) -> Signs:
    return frozenset(x * y for x in a for y in b)


def _add(p: Poly, q: Poly, c: Fraction | int = 1) -> Poly:
    total = dict(p)
    for m, x in q.items():
        total[m] = total.get(m, Fraction(0)) + c * x
    return {m: x for m, x in total.items() if x}


def _mul(p: Poly, q: Poly) -> Poly:
    total: Poly = {}
    for m, n in product(p, q):
        both = dict(m)
        both.update((g, k + both.get(g, 0)) for g, k in n)
        mono = tuple(sorted((g, k) for g, k in both.items() if k))
        total[mono] = total.get(mono, Fraction(0)) + p[m] * q[n]
    return {m: x for m, x in total.items() if x}


def _one(name: str) -> Poly:
    return {((name, 1),): Fraction(1)}


def _text(p: Poly) -> str:
    return " + ".join("*".join([str(p[m]), *(f"{g}^{k}" for g, k in m)]) for m in sorted(p)) or "0"


class Scope:
    """What is known while a certificate is read."""

    def __init__(self) -> None:
        self.names: dict[str, Poly] = {}
        self.vectors: set[str] = set()
        self.bases: dict[str, Poly] = {}
        self.known: dict[str, Signs] = {}
        self.facts: list[
            Any
        ] = []  # by number: a (number, signs), a list of alternatives, or text that is not yet defined
        self.trusted: list[str] = []

    def learned(self, p: Poly, signs: Signs = ANY) -> Signs:
        """Note what a number's signs may be, and return what has been noted of it."""
        lead = p[min(p)] if p else Fraction(1)
        name = _text(_add({}, p, 1 / lead))
        self.known[name] = self.known.get(name, ANY) & _times(signs, ONE[lead > 0])
        return _times(self.known[name], ONE[lead > 0])

    def signs(self, p: Poly) -> Signs:
        """Return the signs that a number may have: by what was noted, and by its monomials."""
        seen = ZERO
        for m, x in p.items():
            seen = _plus(seen, reduce(_times, [self.factor(g, k) for g, k in m], ONE[x > 0]))
        return self.learned(p) & seen

    def factor(self, g: str, k: int = 1) -> Signs:
        """Return the signs of a power of a generator."""
        found = self.learned(_one(g))
        return found if k % 2 else frozenset(x * x for x in found)

    def power(self, p: Poly, k: int) -> Poly:
        """Return a power; a negative one of what is shown not to be zero."""
        _need(type(k) is int and abs(k) < 100, f"the exponent {k!r} is not a whole number below 100")
        return reduce(_mul, [self.inverse(p) if k < 0 else p] * abs(k), {(): Fraction(1)})

    def inverse(self, p: Poly) -> Poly:
        """Return 1/p, once p is shown not to be zero."""
        apart = 0 not in self.signs(p) or (len(p) == 1 and all(0 not in self.factor(g) for g, _ in min(p)))
        _need(apart, f"it is not shown that {_text(p)} is not zero")
        if len(p) == 1:
            return {tuple((g, -k) for g, k in min(p)): 1 / p[min(p)]}
        base = _add({}, p, 1 / (lead := p[min(p)]))
        self.bases[name := f"[{_text(base)}]"] = base
        self.learned(_one(name), self.signs(base))
        return {((name, -1),): 1 / lead}

    def zero(self, p: Poly) -> bool:
        """Whether a number vanishes, once denominators are cleared."""
        for g, base in reversed(self.bases.items()):
            low = min((dict(m).get(g, 0) for m in p), default=0)
            parts = [({tuple(f for f in m if f[0] != g): x}, dict(m).get(g, 0) - low) for m, x in p.items()]
            p = reduce(_add, (_mul(rest, self.power(base, k)) for rest, k in parts), Poly())
        return not p

    def dot(self, u: Poly, v: Poly) -> Poly:
        """Return the inner product; a deviation from the mean is orthogonal to what the clients share."""
        total: Poly = {}
        for pair in product(u, v):
            (g,), (h,) = ([g for g, k in m for _ in range(k) if g in self.vectors] for m in pair)
            gram = _one(f"<{min(g, h)}, {max(g, h)}>")
            self.learned(gram, LEAST if g == h else ANY)
            rests = ({tuple(f for f in m if f[0] not in self.vectors): w[m]} for m, w in zip(pair, (u, v), strict=True))
            total = _add(total, reduce(_mul, rests, gram), (g[:4] == "dev(") == (h[:4] == "dev("))
        return total

    def read(self, line: str, names: dict[str, Poly] | None = None) -> Poly:
        """Return the polynomial that a text spells."""
        _need(LEGAL.fullmatch(line) and "**" not in line, f"{line!r} is not an expression")
        source, left = re.sub(r"\|([^|]*)\|\^2", r"<\1, \1>", line).replace("^", "**"), 1
        while left:
            source, left = re.subn(r"<([^<>]*)>", r"dot(\1)", source)
        return self.value(ast.parse(source.strip(), mode="eval").body, names or self.names)

    def value(self, node: ast.expr, names: dict[str, Poly], k: int = 1) -> Poly:
        """Return an expression, or for k = -1 its inverse; of a product in a denominator every factor is inverted."""
        match node:
            case ast.BinOp(left=a, op=ast.Mult() | ast.Div() as op, right=b):
                return _mul(self.value(a, names, k), self.value(b, names, k if isinstance(op, ast.Mult) else -k))
            case ast.BinOp(left=a, op=ast.Pow(), right=b):
                return self.power(self.value(a, names), k * ast.literal_eval(b))
            case _ if k < 0:
                return self.inverse(self.value(node, names))
            case ast.BinOp(left=a, op=ast.Add() | ast.Sub() as op, right=b):
                return _add(self.value(a, names), self.value(b, names), 1 if isinstance(op, ast.Add) else -1)
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return _add({}, self.value(a, names), -1)
            case ast.Constant(value=n) if type(n) is int:
                return {(): Fraction(n)} if n else {}
            case ast.Name(id=name) if name in names:
                return names[name]
            case ast.Subscript(value=ast.Name(id=name), slice=index) if f"{name}[]" in names:
                made = f"{name}[{_text(self.value(index, names))}]"
                self.learned(_one(made), self.factor(f"{name}[]"))
                self.vectors |= {made} if f"{name}[]" in self.vectors else set()
                return _one(made)
            case ast.Call(func=ast.Name(id="dot"), args=[u, v], keywords=[]):
                return self.dot(self.value(u, names), self.value(v, names))
            case ast.Call(func=ast.Name(id="mean"), args=[u], keywords=[]):
                return {m: x for m, x in self.value(u, names).items() if not any(g[:4] == "dev(" for g, _ in m)}
        raise ValueError(f"{ast.unparse(node)!r} is not legal here")

    def relation(self, line: str, names: dict[str, Poly] | None = None) -> Any:
        """Return a relation as what one side minus the other is, and its signs; alternatives as a list."""
        if " or " in line:
            return [self.relation(part, names) for part in line.split(" or ")]
        left, op, right = re.split(r"\s(<=|<|>=|>|!=|=)\s", line)
        a, b = (self.read(side, names) for side in ((right, left) if op[0] == "<" else (left, right)))
        _need(not any(g in self.vectors for m in (*a, *b) for g, _ in m), f"{line!r} compares vectors")
        return _add(a, b, -1), SIGNS[op]

    def note(self, facts: list[Any]) -> None:
        """Add facts, and read the hypotheses that are defined by now."""
        self.facts += facts
        waiting = [k for k, fact in enumerate(self.facts) if isinstance(fact, str)]
        for k in waiting:
            with contextlib.suppress(ValueError):
                self.facts[k] = self.relation(self.facts[k])
        for fact in self.facts:
            self.learned(*fact) if isinstance(fact, tuple) else None
        if any(not isinstance(self.facts[k], str) for k in waiting):
            self.note([])

    def declare(self, letters: dict[str, str]) -> None:
        """Take in letters with their sorts."""
        for name, sort in letters.items():
            _need(re.fullmatch(r"[A-Za-z_]\w*(\[\])?", name, re.ASCII), f"{name!r} is not a name")
            parts = (name, f"dev({name})") if sort == "family" else (name,)
            self.names[name] = reduce(_add, map(_one, parts))
            self.vectors.update(parts if sort in ("vector", "family") else ())
            self.learned(_one(name), SORTS[sort])

    def use(self, past: dict[str, Any], step: dict[str, Any]) -> Any:
        """Return what a checked certificate shows, its letters replaced, once its hypotheses are seen to hold."""
        names = self.names | {name: self.read(e) for name, e in step.get("with", {}).items()}
        for name, sort in (letters := past["letters"]).items():
            _need(self.signs(names[name]) <= SORTS[sort], f"{name} has not the sign {sort}")
            shared = sort == "vector" and ("family" in letters.values() or "mean" in str(past))
            _need(not (shared and "dev(" in _text(names[name])), f"{name} is not the same for every client")
        for line in past.get("given", ()):
            _need(self.holds(self.relation(line, names)), f"{line!r} is not shown")
        self.trusted += past["trusted"]
        return self.relation(past["shows"], names)

    def holds(self, fact: Any) -> bool:
        """Return whether a fact is seen from the signs that are known."""
        return any(map(self.holds, fact)) if isinstance(fact, list) else self.signs(fact[0]) <= fact[1]

    def branch(self, line: str, proof: dict[str, Any], *facts: Any) -> None:
        """Check a proof in a case, where more facts are known."""
        scope = copy.deepcopy(self)
        scope.note([*facts])
        scope.prove(line, proof)

    def prove(self, line: str, proof: dict[str, Any], past: dict[str, Any] | None = None) -> None:
        """Raise an error unless the proof shows the goal; only with `past` may it use other certificates and rules."""
        for step in proof.get("steps", ()):
            if "use" in step:
                fact = self.use((past or {})[step["use"]], step)
            elif "rule" in step and past is not None:
                fact = self.relation(step["shows"])
                self.trusted.append(json.dumps([step["rule"], step["shows"]]))
            else:
                self.branch(step["shows"], step)
                fact = self.relation(step["shows"])
            self.note([fact])
        if "cases" in proof:
            split = self.fact(proof["cases"])
            sides = split if isinstance(split, list) else [(split[0], frozenset({s})) for s in sorted(split[1])]
            for side, part in zip(sides, proof["each"], strict=True):
                self.branch(line, part, side)
            return
        goal = self.relation(line)
        denial = _add({}, goal[0], -1), _times(ANY - goal[1], ONE[0])
        total, signs = Poly(), ZERO
        for term in proof["by"]:
            factors = [denial if f == "not" else self.fact(f) for f in term]
            total = _add(total, reduce(_mul, (p for p, _ in factors)))
            signs = _plus(signs, reduce(_times, (s for _, s in factors)))
        denied = any(f == "not" for term in proof["by"] for f in term)
        _need(self.zero(total if denied else _add(total, goal[0], -1)), "the terms do not add up")
        _need(0 not in signs if denied else signs <= goal[1], "the terms have not the sign that is to be shown")

    def fact(self, f: Any) -> Any:
        """Return a factor: a fact by its number, a square, or an expression with its signs."""
        if isinstance(f, int):
            return self.facts[f]
        p = self.read(f[0] if isinstance(f, list) else f)
        if isinstance(f, list):
            vector = any(g in self.vectors for m in p for g, _ in m)
            return (self.dot if vector else _mul)(p, p), frozenset(s * s for s in self.signs(p))
        return p, self.signs(p)


def check(c: dict[str, Any], past: dict[str, Any]) -> list[str]:
    """Return what a certificate states, line by line, and add it to the `past` ones; an error if it is not proved."""
    _need(set(c) <= KEYS and c["id"] not in past, "a key that is not legal, or an id twice")
    letters, given, point = c["letters"], c.get("given", []), c.get("point", {})
    scope, there = Scope(), Scope()
    scope.declare(letters)
    scope.note([*given])
    if "shows" in c:
        scope.prove(c["shows"], c, past)
    _need(not any(isinstance(fact, str) for fact in scope.facts), "a hypothesis is not defined")
    if point or "shows" not in c:
        values = {x: there.read(point[x], {"": {}}) for x in letters}
        facts = [
            *((values[x], SORTS[sort]) for x, sort in letters.items()),
            *(there.relation(g, values) for g in given),
        ]
        _need(all(map(there.holds, facts)), "a hypothesis does not hold at the point")
    past[c["id"]] = c | {"trusted": scope.trusted}
    lines = [json.dumps(c["id"]), "  for all " + ", ".join(f"{x} {sort or 'real'}" for x, sort in letters.items())]
    lines += [f"  given {line}" for line in given] + [f"  shows {c.get('shows')}"] * ("shows" in c)
    lines += [f"  at {x} = {value}" for x, value in point.items()]
    return lines + [f"  trusted {line}" for line in scope.trusted]


def main(paths: list[str]) -> int:
    """Check files in order, and those of a folder by name; return 1 at the first certificate that fails."""
    files = [f for p in map(Path, paths) for f in (sorted(p.glob("*.json")) if p.is_dir() else [p])]
    past: dict[str, Any] = {}
    for file in files:
        name = ""
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
            for certificate in data if isinstance(data, list) else [data]:
                name = str(certificate["id"])
                print("\n".join(check(certificate, past)))
        except ERRORS as error:
            print(f"{file}: {name}: {error}", file=sys.stderr)
            return 1
    print(f"{len(past)} certificates checked")
    return 0 if past else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
