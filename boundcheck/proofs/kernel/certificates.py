"""Certificates by exact arithmetic: ``python -S certificates.py [--strict] FILE|DIR...``; see docs/certificates.md.

A number is a polynomial over Q: a dict from monomials, sorted tuples of (generator, exponent), to fractions.
Generators are letters, vectors (~ before the name, ~~ for the deviation of a family from its mean), inner products
and denominators (in brackets, with negative exponents).
What is known of a number is the set of signs that it may have.
"""

import ast
import copy
import json
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from functools import cache, lru_cache, reduce
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from itertools import accumulate, product
from math import comb, lcm
from pathlib import Path
from typing import Any

Monomial = tuple[tuple[str, int], ...]
Coefficient = int | Fraction
"""A rational number; `invert` is the only division."""
Poly = dict[Monomial, Coefficient]
UNIT: Poly = {(): 1}
ANY, ZERO, LEAST, ONE = frozenset({-1, 0, 1}), frozenset({0}), frozenset({0, 1}), {s: frozenset({s}) for s in (-1, 1)}
SIGNS = {"<": ONE[1], "<=": LEAST, "=": ZERO, ">=": LEAST, ">": ONE[1], "!=": ANY - ZERO}
SORTS = {">0": ONE[1], ">=0": LEAST, "": ANY, "vector": ANY, "family": ANY}
MARKS = {"vector": ["~"], "family": ["~", "~~"]}
KEYS = {"id", "kind", "letters", "values", "given", "shows", "steps", "by", "cases", "each", "rule", "from", "point"}
EXPECTATION = "expectation"
"""The key with what is shown in words of chance."""
ERRORS = (ValueError, LookupError, TypeError, AttributeError, SyntaxError, RecursionError, MemoryError, OSError)
FUNCTIONS = {"tail", "box"}
LEAVES = {"assumption", "fact", "claim"}
# The largest file, line and number, the deepest nesting, and the most products of terms that one certificate may take.
BYTES, LENGTH, DIGITS, DEPTH, WORK = 20_000_000, 20_000, 4000, 60, 500_000
LONGEST = (10**DIGITS).bit_length()
UNCHECKED = 5


def _need(condition: object, reason: str) -> None:
    if not condition:
        raise ValueError(reason)


@cache
def _plus(a: frozenset[int], b: frozenset[int]) -> frozenset[int]:
    return frozenset(s for x in a for y in b for s in (ANY if x * y < 0 else {x or y}))


@cache
def _times(a: frozenset[int], b: frozenset[int]) -> frozenset[int]:
    return frozenset(x * y for x in a for y in b)


def add(*parts: Poly) -> Poly:
    """Return a sum of polynomials."""
    total: Poly = {}
    for part in parts:
        for m, x in part.items():
            total[m] = total[m] + x if m in total else x
    return {m: x for m, x in total.items() if x}


def invert(x: Coefficient) -> Coefficient:
    """Return 1/x; a whole number is an int, which is reckoned with more quickly than a fraction."""
    found = Fraction(1, x)
    return found.numerator if found.denominator == 1 else found


def _scale(p: Poly, by: Coefficient) -> Poly:
    if by == 1:
        return p
    return {m: -x if by == -1 else x * by for m, x in p.items()} if by else {}


class WorkLimit:
    """Products of terms that are left to the certificate that is being read."""

    left = WORK

    @classmethod
    def spend(cls, products: int) -> None:
        """Count products, and refuse what is beyond the limit."""
        cls.left -= products
        _need(cls.left >= 0, f"more than {WORK} products of terms")


def _bits(p: Poly) -> int:
    """Return the size of the largest coefficient: products of long numbers count more."""
    return max([part.bit_length() for x in p.values() for part in x.as_integer_ratio()], default=0)


def _clear_denominators(p: Poly) -> tuple[int, dict[Monomial, int]]:
    """Return a positive number and the coefficients times it, which are whole."""
    times = lcm(*(x.denominator for x in p.values()))
    return times, {m: x.numerator * (times // x.denominator) for m, x in p.items()}


def multiply(p: Poly, q: Poly) -> Poly:
    """Return a product of polynomials, within the limit of what may be asked for."""
    if len(q) == 1:
        p, q = q, p
    m, x = next(iter(p.items())) if len(p) == 1 else ((), 0)
    plain = x == 1  # then no coefficient changes
    WorkLimit.spend(len(p) * len(q) * (1 if plain else 1 + (_bits(p) + _bits(q)) // 2048))
    if x:  # no two products of terms are alike
        return {_join_monomials(m, n): y if plain else x * y for n, y in q.items()}
    (a, left), (b, right) = _clear_denominators(p), _clear_denominators(q)
    total: dict[Monomial, int] = {}
    for m, i in left.items():
        for n, j in right.items():
            both = _join_monomials(m, n)
            total[both] = total.get(both, 0) + i * j
    below = a * b
    return {m: Fraction(i, below) if i % below else i // below for m, i in total.items() if i}


@lru_cache(maxsize=2**14)  # few are asked for, again and again
def _join_monomials(m: Monomial, n: Monomial) -> Monomial:
    both = dict(m)
    for g, k in n:
        both[g] = both.get(g, 0) + k
    return tuple(sorted((g, k) for g, k in both.items() if k))


def _depth(text: str) -> int:
    """Return how many brackets, at most, are inside of each other."""
    return max(accumulate(1 if sign in "([{" else -1 for sign in re.findall(r"[(\[{}\])]", text)), default=0)


def is_printable(part: Any) -> bool:
    """Whether all texts in a file are printed as they stand: no line ends, escapes, marks of direction."""
    if isinstance(part, dict):
        return all(is_printable(key) and is_printable(value) for key, value in part.items())
    return all(map(is_printable, part)) if isinstance(part, list) else str(part).isprintable()


def escape_text(text: object) -> str:
    """Return a text with what is not printable written out, so that no line can look like another."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))


def _one(name: str) -> Poly:
    return {((name, 1),): 1}


def _text(p: Poly) -> str:
    return " + ".join("*".join([str(p[m]), *(f"{g}^{k}" for g, k in m)]) for m in sorted(p)) or "0"


@lru_cache(maxsize=2**10)  # the same text is read for several points, or with other letters
def _tree(line: str) -> ast.expr:
    """Return the syntax tree of a text, which is not too long, and none of Python's."""
    _need(len(line) <= LENGTH, f"a text of {len(line)} characters: at most {LENGTH}")
    _need(re.fullmatch(r"[\w +\-*/^(),|<>\[\]]*", line, re.ASCII) and "**" not in line, f"{line!r} is not legal")
    _need(not re.search(rf"\d{{{DIGITS + 1}}}", line), f"a number of more than {DIGITS} digits")
    _need(_depth(line) <= DEPTH, f"more than {DEPTH} brackets inside of each other")
    source = re.sub(r"<([^<>]*)>", r"dot(\1)", re.sub(r"\|([^|]*)\|\^2", r"<\1, \1>", line))
    return ast.parse(source.replace("^", "**").strip(), mode="eval").body


def _terms_of(node: ast.expr) -> list[tuple[ast.expr, int]]:
    """Return the terms of a sum from left to right, each with its sign: a long sum is no deep recursion."""
    found = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        found.append((node.right, 1 if isinstance(node.op, ast.Add) else -1))
        node = node.left
    return [(node, 1), *reversed(found)]


class CertificateScope:
    """What is known while a certificate is read: facts by number, as text while they are not defined."""

    def __init__(self) -> None:
        self.names, self.bases = dict[str, Poly](), dict[str, Poly]()
        self.known = dict[frozenset[tuple[Monomial, Coefficient]], frozenset[int]]()
        self.facts, self.trusted = list[Any](), dict[str, None]()
        self.values = dict[str, str]()

    def branch(self) -> "CertificateScope":
        """Return what is known here, to which a part of the proof adds what is known in it alone."""
        found = copy.copy(self)
        vars(found).update({name: copy.copy(part) for name, part in vars(self).items()})
        return found

    @classmethod
    def of(cls, letters: dict[str, str], given: list[str], values: dict[str, str] | None = None) -> "CertificateScope":
        """Return what is known where a statement begins: its letters with their signs, and what is given."""
        scope = cls()
        for name, sort in letters.items():
            _need(re.fullmatch(r"[A-Za-z_]\w*(\[\])?", name, re.ASCII), f"{name!r} is not a name")
            scope.names[name] = {((mark + name, 1),): 1 for mark in MARKS.get(sort, [""])}
            scope.note_signs(_one(name), SORTS[sort])
        scope.read_values(values or {}, letters)
        return scope.note(*given)

    @classmethod
    def proving(cls, c: dict[str, Any], past: dict[str, Any] | None = None) -> "CertificateScope":
        """Return what is known once a certificate is proved: what is given, and then what its steps show."""
        scope = cls.of(c["letters"], c.get("given", []), c.get("values"))
        if "shows" in c and "rule" not in c:
            scope.prove(c["shows"], c, past)
        _need(not any(isinstance(fact, str) for fact in scope.facts), "a hypothesis is not defined")
        return scope

    def note_signs(self, p: Poly, signs: frozenset[int] = ANY) -> frozenset[int]:
        """Note what a number's signs may be, and return what has been noted of it."""
        lead = p[min(p)] if p else 1
        turn = ONE[1 if lead > 0 else -1]
        base = frozenset((p if lead == 1 else _scale(p, invert(lead))).items())
        self.known[base] = self.known.get(base, ANY) & _times(signs, turn)
        return _times(self.known[base], turn)

    def signs(self, p: Poly) -> frozenset[int]:
        """Return the signs that a number may have: by what was noted, and by its monomials."""
        seen = ZERO
        for m, x in p.items():
            powers = (_times(s, s) & LEAST if k % 2 == 0 else s for g, k in m for s in [self.sign_of(g)])
            seen = _plus(seen, reduce(_times, powers, ONE[1 if x > 0 else -1]))
        return self.note_signs(p) & seen

    def sign_of(self, generator: str) -> frozenset[int]:
        """Return what has been noted of the signs of a generator."""
        return self.known.get(frozenset([(((generator, 1),), 1)]), ANY)

    def power(self, p: Poly, k: int) -> Poly:
        """Return a power; a negative one of what is shown not to be zero."""
        _need(type(k) is int and abs(k) < 100, f"the exponent {k!r} is not a whole number below 100")
        _need(comb(len(p) + abs(k), abs(k)) <= WORK, f"a power of more than {WORK} terms")
        found, base = UNIT, self.inverse(p) if k < 0 else p
        if len(base) == 1 and UNIT[()] in base.values():  # a product of letters alone
            return {tuple((g, n * abs(k)) for g, n in m) if k else (): 1 for m in base}
        for n in range(abs(k)):
            found = multiply(found, base) if n else base
            _need(_bits(found) < LONGEST, f"a number of more than {DIGITS} digits")
        return found

    def inverse(self, p: Poly) -> Poly:
        """Return 1/p, once p is shown not to be zero."""
        if p.keys() == {()}:  # a number, which is not stored where it is 0
            return {(): invert(p[()])}
        if 0 in self.signs(p):
            raise ValueError(f"it is not shown that {_text(p)} is not zero")
        if len(p) == 1:
            return {tuple((g, -k) for g, k in min(p)): invert(p[min(p)])}
        base = _scale(p, per := invert(p[min(p)]))
        self.bases[name := f"[{_text(base)}]"] = base
        self.note_signs(_one(name), self.signs(base))
        return {((name, -1),): per}

    def zero(self, p: Poly) -> bool:
        """Whether a number vanishes, once denominators are cleared."""
        for g, base in reversed(self.bases.items()):
            powers = {dict(m).get(g, 0) for m in p}
            parts = [(k, {tuple(f for f in m if f[0] != g): p[m] for m in p if dict(m).get(g, 0) == k}) for k in powers]
            p = add(*(multiply(rest, self.power(base, k - min(powers))) for k, rest in parts))
        return not p

    def dot(self, u: Poly, v: Poly) -> Poly:
        """Return the inner product; a deviation from the mean is orthogonal to what the clients share."""
        terms = list[Poly]()
        for m, n in product(u, v):
            (g,), (h,) = ([g for g, k in mono for _ in range(k) if g[0] == "~"] for mono in (m, n))
            self.note_signs(gram := _one(f"<{min(g, h)}, {max(g, h)}>"), LEAST if g == h else ANY)
            rest = [{tuple(f for f in mono if f[0][0] != "~"): w[mono]} for mono, w in ((m, u), (n, v))]
            terms += [reduce(multiply, rest, gram)] * ((g[:2] == "~~") == (h[:2] == "~~"))
        return add(*terms)

    def read(self, line: str, names: dict[str, Poly] | None = None) -> Poly:
        """Return the polynomial that a text spells."""
        return self.value(_tree(line), self.names if names is None else names)

    def value(self, node: ast.expr, names: dict[str, Poly], k: int = 1) -> Poly:
        """Return an expression, or for k = -1 its inverse; of a product in a denominator every factor is inverted.

        What divides is shown not to be 0, below another divisor, too: 1/(1/x) is no number for x = 0.
        """
        match node:
            case ast.Name(id=name) if k > 0 and name in names:
                return names[name]
            case ast.Constant(value=n) if type(n) is int and (n or k > 0):
                return {(): n if k > 0 else invert(n)} if n else {}
            case ast.BinOp(left=a, op=ast.Mult() | ast.Div() as op, right=b):
                readings = [self.value(b, names, way) for way in ([k] if isinstance(op, ast.Mult) else [-1, -k])]
                return multiply(self.value(a, names, k), readings[-1])
            case ast.BinOp(left=a, op=ast.Pow(), right=b):
                base, exponent = self.value(a, names), ast.literal_eval(b)
                return self.power(self.inverse(base) if exponent < 0 else base, k * abs(exponent))
            case _ if k < 0:
                return self.inverse(self.value(node, names))
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                return self.sum_of(node, names)
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return _scale(self.value(a, names), -1)
            case ast.Subscript(value=ast.Name(id=name), slice=index) if f"{name}[]" in names:
                (((sequence, _),),) = names[f"{name}[]"]
                at = ", ".join(_text(self.value(i, names)) for i in getattr(index, "elts", [index]))
                self.note_signs(_one(f"{sequence}[{at}]"), self.note_signs(_one(sequence)))
                return _one(f"{sequence}[{at}]")
            case ast.Call(func=ast.Name(id="dot"), args=[u, v], keywords=[]):
                return self.dot(self.value(u, names), self.value(v, names))
            case ast.Call(func=ast.Name(id="mean"), args=[u], keywords=[]):
                return {m: x for m, x in self.value(u, names).items() if not any(g[:2] == "~~" for g, _ in m)}
        raise ValueError(f"{ast.unparse(node)!r} is not legal here")

    def sum_of(self, node: ast.BinOp, names: dict[str, Poly]) -> Poly:
        """Return a sum, read term by term."""
        return add(*(_scale(self.value(term, names), sign) for term, sign in _terms_of(node)))

    def relation(self, line: str, names: dict[str, Poly] | None = None) -> Any:
        """Return a relation as what one side minus the other is, and its signs; alternatives as a list."""
        if " or " in line:
            return [self.relation(part, names) for part in line.split(" or ")]
        left, op, right = re.split(r"\s(<=|<|>=|>|!=|=)\s", line)
        a, b = (self.read(side, names) for side in ((right, left) if op[0] == "<" else (left, right)))
        _need(not any(g[0] == "~" for m in (*a, *b) for g, _ in m), f"{line!r} compares vectors")
        return add(a, _scale(b, -1)), SIGNS[op]

    def note(self, *facts: Any) -> "CertificateScope":
        """Add facts, and read the hypotheses that are defined by now: in their order, and once more."""
        noted = len(self.facts)
        self.facts += facts
        for k in [*range(len(self.facts))] * 2:
            if isinstance(fact := self.facts[k], str) or k >= noted:
                with suppress(ValueError):
                    self.facts[k] = fact = self.relation(fact) if isinstance(fact, str) else fact
                    self.note_signs(*fact) if isinstance(fact, tuple) else None
        return self

    def use(self, past: dict[str, Any], step: dict[str, Any]) -> Any:
        """Return what a checked certificate shows, its letters replaced, once its hypotheses are seen to hold.

        It is read with its own letters alone: what else it names, ``euler``, may be a letter here.
        """
        _need(not past.get("values"), "a certificate with values is about these alone")
        values = step.get("with", {})
        names = {name: self.read(values[name]) if name in values else self.names[name] for name in past["letters"]}
        for name, sort in past["letters"].items():
            shared = sort != "vector" or "~~" not in _text(names[name])
            _need(shared and self.signs(names[name]) <= SORTS[sort], f"{name} is not {sort}")
        for line in past.get("given", ()):
            p, signs = self.relation(line, names)
            _need(self.signs(p) <= signs, f"{line!r} is not shown")
        self.trusted |= past.get("trusted", {})
        return self.relation(past.get("shows", "0 = 0"), names)

    def read_values(self, values: dict[str, str], letters: dict[str, str]) -> None:
        """Read which letters are values of exp, log or a power, each of letters and of values that precede it."""
        for k, (name, text) in enumerate(values.items()):
            _need(letters.get(name) == "", f"{name} is a value and no real letter")
            used = {node.id for node in ast.walk(_tree(text)) if isinstance(node, ast.Name)}
            _need(not used & {*list(values)[k:]}, f"{name} is made from itself, or from what follows")
        self.values = values

    def apply(self, name: str, letters: list[str]) -> Any:
        """Return what a fact says of values, which are letters here, once its conditions are seen to hold."""
        table = _load("elementary")
        kinds, conditions, shows = table.FACTS[name]
        names = dict[str, Poly]()
        for place, (kind, letter) in enumerate(zip(kinds, letters, strict=True), start=1):
            match _tree(self.values[letter]):
                case ast.Call(func=ast.Name(id=found), args=[a], keywords=[]):
                    parts = [a]
                case ast.BinOp(left=a, op=ast.Pow(), right=b):
                    found, parts = "power", [a, b]
                case _:
                    raise ValueError(f"{self.values[letter]!r} is no value of exp, log or a power")
            _need(found == kind, f"{name} says nothing of {self.values[letter]}")
            named = zip(table.ARGUMENTS[kind], parts, strict=True)
            names |= {f"{mark}{place}": self.value(part, self.names) for mark, part in named}
            names[f"v{place}"] = self.names[letter]
        for line in conditions:
            p, signs = self.relation(line, names)
            _need(self.signs(p) <= signs, f"{name}: {line!r} is not shown")
        return self.relation(shows, names)

    def prove(self, line: str, proof: dict[str, Any], past: dict[str, Any] | None = None) -> None:
        """Raise an error unless the proof shows the goal; only with `past` may it use other certificates."""
        for step in proof.get("steps", ()):
            if "use" in step:
                self.note(self.use((past or {})[step["use"]], step))
            elif "fact" in step:
                self.note(self.apply(step["fact"], step["of"]))
            else:
                self.branch().prove(step["shows"], step)
                self.note(self.relation(step["shows"]))
        if "cases" in proof:
            split = self.fact(proof["cases"])
            sides = split if isinstance(split, list) else [(split[0], ONE.get(s, ZERO)) for s in sorted(split[1])]
            for side, part in zip(sides, proof["each"], strict=True):
                self.branch().note(side).prove(line, part)
            return
        goal = self.relation(line)
        denial, terms, signs = (_scale(goal[0], -1), _times(ANY - goal[1], ONE[-1])), list[Poly](), ZERO
        for term in proof["by"]:
            factors = [denial if f == "not" else self.fact(f) for f in term]
            terms.append(reduce(multiply, (p for p, _ in factors)))
            signs = _plus(signs, reduce(_times, (s for _, s in factors)))
        denied = any(f == "not" for term in proof["by"] for f in term)
        _need(self.zero(add(*terms, *[denial[0]] * (not denied))), "the terms do not add up")
        _need(0 not in signs if denied else signs <= goal[1], "the terms have not the sign that is to be shown")

    def fact(self, f: Any) -> Any:
        """Return a factor: a fact by its number, a square, or an expression with its signs."""
        if isinstance(f, int):
            return self.facts[f]
        if isinstance(f, str):
            return (p := self.read(f)), self.signs(p)
        p = self.read(f[0])
        square = self.dot(p, p) if any(g[0] == "~" for m in p for g, _ in m) else multiply(p, p)
        return square, frozenset(s * s for s in self.signs(p))


def _load(name: str) -> Any:
    """Return a file beside this one: the checker of functions of a number, the facts about exp, log and powers."""
    spec = spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    if spec is None or spec.loader is None:
        raise OSError(f"{name}.py is not beside certificates.py")
    sys.modules[spec.name] = found = module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def _beside(name: str) -> Any:
    """Return a module of the kernel that imports others: its folder is a package, also where this file runs alone."""
    folder = Path(__file__).resolve().parent
    if not (folder / f"{name}.py").exists():
        raise OSError(f"{name}.py is not beside certificates.py")
    if not __package__:
        sys.path.append(str(folder.parent))
    return import_module(f"{__package__ or folder.name}.{name}")


def check(c: dict[str, Any], past: dict[str, Any]) -> list[str]:
    """Return what a certificate states, line by line, and add it to the `past` ones; an error if it is not proved."""
    _need(is_printable(c), "a character that is not printable")
    _need(c["id"] not in past, "an id twice")
    if c.get("kind") in FUNCTIONS:
        lines = _load("functions").check(c)
        past[c["id"]] = c | {"trusted": {}}
        return [json.dumps(c["id"]), *lines]
    _need(set(c) <= KEYS | {EXPECTATION}, "a key that is not legal")
    WorkLimit.left = WORK
    given, point = c.get("given", []), c.get("point", {})
    scope = CertificateScope.proving(c, past)
    if "rule" in c:
        below = (line for source in c.get("from", []) for line in past[source]["trusted"])
        scope.trusted = dict.fromkeys([*below, json.dumps([c["rule"], c["id"], c["shows"]])])
    _need(not (point and scope.values), "a point says nothing of values")
    if point or "shows" not in c:
        CertificateScope().use({"letters": c["letters"], "given": given}, {"with": point})
    lines = description(c)
    if EXPECTATION in c:
        lines = [*_beside("chance").check_expectation(c, scope), "  that is, the expectation taken:", *lines[1:]]
    past[c["id"]] = c | {"trusted": scope.trusted}
    return [*lines, *(f"  at {x} = {v}" for x, v in point.items()), *(f"  trusted {t}" for t in scope.trusted)]


def description(c: dict[str, Any], random: Iterable[str] = ()) -> list[str]:
    """Return what a certificate states: for which letters, of what noise and draws, from what, and what it shows."""
    lines = [json.dumps(c["id"]), "  for all " + ", ".join(f"{x} {sort or 'real'}" for x, sort in c["letters"].items())]
    lines += [*(f"  {law}" for law in random), *(f"  where {x} = {value}" for x, value in c.get("values", {}).items())]
    return [
        *lines,
        *(f"  given {line}" for line in c.get("given", [])),
        *[f"  shows {c.get('shows')}"] * ("shows" in c),
    ]


def require_proved(*listing: dict[str, Any]) -> None:
    """Raise an error unless every certificate is proved, with nothing on trust: asked before one is shown."""
    past = dict[str, Any]()
    for certificate in listing:
        check(certificate, past)
        _need("rule" not in certificate, "a rule is taken on trust")


def _listing(file: Path) -> list[dict[str, Any]]:
    """Return the certificates of a file, which is a plain one and no larger and deeper than the limits."""
    _need(file.is_file(), "not a plain file")
    with file.open("rb") as opened:
        data = opened.read(BYTES + 1)
    _need(len(data) <= BYTES, f"more than {BYTES} bytes")
    text = data.decode("utf-8")
    _need(_depth(re.sub(r'"(?:[^"\\]|\\.)*"', "", text)) <= DEPTH, f"nested more than {DEPTH} times")
    _need(not re.search(rf"(?<!\d)\d{{{DIGITS + 1}}}", text), f"a number of more than {DIGITS} digits")
    found = json.loads(text)
    return found if isinstance(found, list) else [found]


def verdict(past: dict[str, Any], *, strict: bool = False) -> tuple[list[str], int]:
    """Return what is said of certificates that passed, and the exit code: `UNCHECKED` where some are on trust.

    Rules are taken on trust because the checker does not know them; leaves (assumptions, facts, claims of the ledger)
    are what a proof starts from.  Only with `strict` do leaves count, too.
    """
    trusted = {name: str(c["rule"]) for name, c in past.items() if "rule" in c}
    leaves = [name for name, rule in trusted.items() if re.split(r"[\s:,(]", rule)[0] in LEAVES]
    rules = [name for name in trusted if name not in leaves]
    lines = [f"on trust: {json.dumps(name)} by {json.dumps(trusted[name])}" for name in (*leaves, *rules)]
    count = f"{len(past) - len(trusted)} of {len(past)}" if trusted else f"{len(past)}"
    said = f"{count} certificates checked"
    said += f"; {len(leaves)} are what it starts from, assumed" if leaves else ""
    said += f"; {len(rules)} are rules taken on trust: not a proof by itself" if rules else ""
    said += ": verified" if past and not trusted else ""
    return [*lines, said], UNCHECKED if rules or (strict and leaves) else 0


def main(paths: list[str], *, strict: bool = False) -> int:
    """Check files in order, and those of a folder by name.

    Returns 1 at the first certificate that fails, or where there is none; `UNCHECKED` where some are taken on trust.
    """
    past = dict[str, Any]()
    for file in (f for p in map(Path, paths) for f in (sorted(p.glob("*.json")) if p.is_dir() else [p])):
        name = str(file)
        try:
            for certificate in _listing(file):
                name = f"{file}: {certificate['id']}"
                print("\n".join(check(certificate, past)))
        except ERRORS as error:
            print(escape_text(f"{name}: {str(error) or type(error).__name__}")[:LENGTH], file=sys.stderr)
            return 1
    lines, code = verdict(past, strict=strict)
    print("\n".join(lines))
    return code if past else 1


if __name__ == "__main__":
    sys.exit(main([a for a in sys.argv[1:] if a != "--strict"], strict="--strict" in sys.argv[1:]))
