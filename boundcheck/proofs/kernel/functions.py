"""Check certificates of inequalities between functions: powers with a letter in the exponent, logarithms, roots.

``tail``: ``a <= b`` for every real x >= s.  With logarithms taken where x stands in an exponent, b - a is a sum of
logarithms of polynomials with quotients of polynomials as weights.  Each level multiplies it by a positive quotient,
sees that it is >= 0 at the start (or in the limit), and goes on with its derivative (or the opposite of it); the last
one has no logarithm and no negative coefficient in powers of x - s.
``box``: ``a < b`` on a box, by intervals with rational ends on each cell of a grid.

Nothing is searched for; only the standard library is used.  `certificates` hands them over.
"""

import ast
import re
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

Monomial = tuple[tuple[str, int], ...]
Poly = dict[Monomial, Fraction]
Interval = tuple[Fraction, Fraction]
KEYS = {"id", "kind", "letters", "given", "shows", "levels", "cells"}
DIGITS, TERMS, MOST_LEVELS, MOST_CELLS, LENGTH, DEGREE, WORK = 10**40, 45, 6, 20_000, 2_000, 60, 300_000
ONE: Poly = {(): Fraction(1)}


def _need(condition: object, reason: str) -> None:
    if not condition:
        raise ValueError(reason)


class ProductLimit:
    """Products of terms that are left to the certificate that is being read."""

    left = WORK

    @classmethod
    def spend(cls, products: int) -> None:
        """Count products, and refuse what is beyond the limit."""
        cls.left -= products
        _need(cls.left >= 0, f"more than {WORK} products of terms")


# --- polynomials in the letter and in constants such as 10^(2/3) ------------------------------------------------------


def _plus(p: Poly, q: Poly, times: int = 1) -> Poly:
    total = dict(p)
    for m, c in q.items():
        more = c if times == 1 else times * c
        total[m] = total[m] + more if m in total else more
    return {m: c for m, c in total.items() if c}


def _times(p: Poly, q: Poly) -> Poly:
    ProductLimit.spend(len(p) * len(q))
    total: Poly = {}
    for m, c in p.items():
        for n, d in q.items():
            powers = dict(m)
            for name, k in n:
                powers[name] = powers.get(name, 0) + k
            both = tuple(sorted(powers.items()))
            total[both] = total[both] + c * d if both in total else c * d
    return {m: c for m, c in total.items() if c}


def _power(p: Poly, k: int) -> Poly:
    _need(0 <= k <= DEGREE, f"exponents are at most {DEGREE}")
    total = p if k else ONE
    for _ in range(k - 1):
        total = _times(total, p)
    return total


def _by_degree(p: Poly, x: str) -> dict[int, Poly]:
    """Return the coefficients of the powers of x, which are polynomials in constants."""
    found: dict[int, Poly] = {}
    for m, c in p.items():
        found.setdefault(dict(m).get(x, 0), {})[tuple(part for part in m if part[0] != x)] = c
    return found


def _slope(p: Poly, x: str) -> Poly:
    total: Poly = {}
    for m, c in p.items():
        k = dict(m).get(x, 0)
        if k:
            rest = tuple((name, n - (name == x)) for name, n in m if n > (name == x))
            total = _plus(total, {rest: c * k})
    return total


@dataclass(frozen=True)
class Quotient:
    """A quotient of two polynomials; the lower one is positive where the statement stands."""

    top: Poly
    below: Poly = field(default_factory=lambda: ONE)

    def __add__(self, other: "Quotient") -> "Quotient":
        if self.below == other.below:
            return Quotient(_plus(self.top, other.top), self.below)
        top = _plus(_times(self.top, other.below), _times(other.top, self.below))
        return Quotient(top, _times(self.below, other.below))

    def __mul__(self, other: "Quotient") -> "Quotient":
        return Quotient(_times(self.top, other.top), _times(self.below, other.below))

    def __neg__(self) -> "Quotient":
        return Quotient({m: -c for m, c in self.top.items()}, self.below)

    def slope(self, x: str) -> "Quotient":
        """Return the derivative."""
        if not _slope(self.below, x):
            return Quotient(_slope(self.top, x), self.below)
        top = _plus(_times(_slope(self.top, x), self.below), _times(self.top, _slope(self.below, x)), -1)
        return Quotient(top, _times(self.below, self.below))


# --- intervals --------------------------------------------------------------------------------------------------------


def _outwards(low: Fraction, high: Fraction) -> Interval:
    """Return an interval that holds another one, with short ends."""
    return Fraction((low * DIGITS).__floor__(), DIGITS), Fraction((high * DIGITS).__ceil__(), DIGITS)


def _product(a: Interval, b: Interval) -> Interval:
    ends = [x * y for x in a for y in b]
    return _outwards(min(ends), max(ends))


def _inverse(a: Interval) -> Interval:
    _need(a[0] > 0 or a[1] < 0, "a divisor that may be 0")
    return _outwards(1 / a[1], 1 / a[0])


def _root(value: Fraction, n: int, *, up: bool) -> Fraction:
    """Return a bound of the n-th root of a number >= 0: the largest k/D with (k/D)^n <= value, or the next one."""
    low, high = 0, (value + 1).__ceil__() * DIGITS
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if Fraction(middle, DIGITS) ** n <= value else (low, middle - 1)
    return Fraction(low + (up and Fraction(low, DIGITS) ** n != value), DIGITS)


def _exp(value: Fraction, *, up: bool) -> Fraction:
    """Return a bound of e^value: e^z by its series, z = value/2^k <= 1, then k squares.

    What the series leaves out is at most twice its first term.
    """
    if value < 0:
        return 1 / _exp(-value, up=not up)
    _need(value <= DEGREE, f"exp is taken of numbers up to {DEGREE}")
    if value > 1:
        half = _exp(value / 2, up=up)
        return _outwards(half * half, half * half)[up]
    total = term = Fraction(1)
    for k in range(1, TERMS):
        term = _outwards(term * value / k, term * value / k)[up]
        total += term
    return total + (2 * term if up else 0)


def _log(value: Fraction, *, up: bool) -> Fraction:
    """Return a bound of log(value): 2^k m with 2/3 <= m <= 4/3, and log m = 2 (z + z^3/3 + ..), z = (m - 1)/(m + 1)."""
    _need(value > 0, "a logarithm of what may not be positive")
    k = 0
    while value > Fraction(4, 3):
        value, k = value / 2, k + 1
    while value < Fraction(2, 3):
        value, k = value * 2, k - 1
    mine, two = _series((value - 1) / (value + 1)), _series(Fraction(1, 3))
    whole = (k * two[0], k * two[1]) if k >= 0 else (k * two[1], k * two[0])
    return _outwards(mine[0] + whole[0], mine[1] + whole[1])[up]


def _series(z: Fraction) -> Interval:
    """Return an interval that holds 2 (z + z^3/3 + ..), |z| <= 1/3: what is left out is below twice its first term."""
    _need(abs(z) <= Fraction(1, 3), "a logarithm outside of its series")
    z_low, z_high = _outwards(z, z)
    total = Fraction(0), Fraction(0)
    for n in range(TERMS):
        total = tuple(t + 2 * end ** (2 * n + 1) / (2 * n + 1) for t, end in zip(total, (z_low, z_high), strict=True))  # type: ignore[assignment]
        total = _outwards(*total)
    left = Fraction(4) * Fraction(1, 3) ** (2 * TERMS + 1)
    return total[0] - left, total[1] + left


# --- texts ------------------------------------------------------------------------------------------------------------


def _tree(text: str) -> ast.expr:
    _need(len(text) <= LENGTH and re.fullmatch(r"[A-Za-z_0-9 +\-*/^().,]*", text, re.ASCII), f"{text!r} is not legal")
    _need("**" not in text and "//" not in text, f"{text!r} is not legal")
    return ast.parse(text.replace("^", "**").strip(), mode="eval").body


def _fraction(node: ast.expr) -> Fraction | None:
    """Return the number that an expression is, None where it has a letter or a function."""
    match node:
        case ast.Constant(value=n) if type(n) is int:
            return Fraction(n)
        case ast.UnaryOp(op=ast.USub(), operand=a):
            value = _fraction(a)
            return None if value is None else -value
        case ast.BinOp(left=a, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() as op, right=b):
            one, two = _fraction(a), _fraction(b)
            if one is None or two is None or (isinstance(op, ast.Div) and not two):
                return None
            if isinstance(op, ast.Mult):
                return one * two
            return one / two if isinstance(op, ast.Div) else one + (two if isinstance(op, ast.Add) else -two)
    return None


def _exponent(node: ast.expr) -> Fraction:
    value = _fraction(node)
    if value is None or abs(value) > DEGREE or value.denominator > DEGREE:
        raise ValueError(f"{ast.unparse(node)}: exponents are numbers, at most {DEGREE}")
    return value


def _names(node: ast.expr) -> set[str]:
    called = {id(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)}
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and id(n) not in called}


def _arguments(node: ast.Call, name: str) -> list[ast.expr]:
    _need(len(node.args) == 1 and not node.keywords, f"{name} takes one number")
    return node.args


# --- for all x from a start on ----------------------------------------------------------------------------------------


@dataclass
class LogSum:
    """``rest + sum of weight * log(polynomial)``."""

    rest: Quotient = field(default_factory=lambda: Quotient({}))
    logs: dict[frozenset[tuple[Monomial, Fraction]], Quotient] = field(default_factory=dict)

    def plus(self, other: "LogSum", times: Quotient) -> "LogSum":
        """Return ``self + times * other``."""
        logs = dict(self.logs)
        for key, weight in other.logs.items():
            logs[key] = logs[key] + times * weight if key in logs else times * weight
        return LogSum(self.rest + times * other.rest, {key: w for key, w in logs.items() if w.top})


class Tail:
    """A statement about all x >= s."""

    def __init__(self, x: str, start: Fraction) -> None:
        self.x, self.start = x, start
        self.constants: dict[str, Interval] = {}

    # Signs.

    def enclose(self, p: Poly) -> Interval:
        """Return an interval of a polynomial in constants, which are positive."""
        total = Fraction(0), Fraction(0)
        for m, c in p.items():
            value: Interval = (c, c)
            for name, k in m:
                for _ in range(k):
                    value = _product(value, self.constants[name])
            total = total[0] + value[0], total[1] + value[1]
        return total

    def shift(self, p: Poly) -> list[Interval]:
        """Return the coefficients of a polynomial in powers of x - s."""
        moved: Poly = {}
        at: Poly = {((self.x, 1),): Fraction(1)}
        if self.start:
            at[()] = self.start
        for k, c in _by_degree(p, self.x).items():
            moved = _plus(moved, _times(c, _power(at, k)))
        found = _by_degree(moved, self.x)
        return [self.enclose(found.get(k, {})) for k in range(max(found, default=0) + 1)]

    def positive(self, p: Poly) -> bool:
        """Return whether a polynomial is seen to be > 0 from the start on."""
        first, *more = self.shift(p)
        return first[0] > 0 and all(low >= 0 for low, _ in more)

    # Reading.

    def quotient(self, node: ast.expr) -> Quotient:
        """Return a rational expression; what it divides by must be seen to be positive, or negative."""
        match node:
            case ast.Constant(value=n) if type(n) is int:
                return Quotient({(): Fraction(n)} if n else {})
            case ast.Name(id=name) if name == self.x:
                return Quotient({((name, 1),): Fraction(1)})
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return -self.quotient(a)
            case ast.BinOp(left=a, op=ast.Add(), right=b):
                return self.quotient(a) + self.quotient(b)
            case ast.BinOp(left=a, op=ast.Sub(), right=b):
                return self.quotient(a) + -self.quotient(b)
            case ast.BinOp(left=a, op=ast.Mult(), right=b):
                return self.quotient(a) * self.quotient(b)
            case ast.BinOp(left=a, op=ast.Div(), right=b):
                return self.quotient(a) * self.inverse(self.quotient(b))
            case ast.BinOp(left=a, op=ast.Pow(), right=b):
                exponent = _exponent(b)
                if exponent.denominator > 1:
                    return self.constant(a, exponent)
                base = self.quotient(a)
                base = self.inverse(base) if exponent < 0 else base
                k = abs(int(exponent))
                return Quotient(_power(base.top, k), _power(base.below, k))
        raise ValueError(f"{ast.unparse(node)} is no quotient of polynomials")

    def inverse(self, q: Quotient) -> Quotient:
        """Return 1/q, the lower polynomial being positive."""
        for sign in (1, -1):
            top = {m: sign * c for m, c in q.top.items()}
            if top and self.positive(top):
                return Quotient({m: sign * c for m, c in q.below.items()}, top)
        raise ValueError("a divisor that is not seen to differ from 0")

    def constant(self, base: ast.expr, exponent: Fraction) -> Quotient:
        """Return a root of a positive number as a constant that lies in an interval."""
        value = _fraction(base)
        if value is None or value <= 0:
            raise ValueError(f"{ast.unparse(base)}^({exponent}) is no root of a positive number")
        name = f"{value}^({exponent})"
        power = value**exponent.numerator
        self.constants[name] = tuple(_root(power, exponent.denominator, up=up) for up in (False, True))  # type: ignore[assignment]
        return Quotient({((name, 1),): Fraction(1)})

    def log_of(self, node: ast.expr) -> LogSum:
        """Return the logarithm of a product of positive factors and powers."""
        none = LogSum()
        match node:
            case ast.Name(id="euler"):
                return LogSum(Quotient(ONE))
            case ast.Call(func=ast.Name(id="exp")):
                return self.value(_arguments(node, "exp")[0])
            case ast.Call(func=ast.Name(id="sqrt")):
                return none.plus(self.log_of(_arguments(node, "sqrt")[0]), Quotient({(): Fraction(1, 2)}))
            case ast.BinOp(left=a, op=ast.Mult(), right=b):
                return self.log_of(a).plus(self.log_of(b), Quotient(ONE))
            case ast.BinOp(left=a, op=ast.Div(), right=b):
                return self.log_of(a).plus(self.log_of(b), -Quotient(ONE))
            case ast.BinOp(left=a, op=ast.Pow(), right=b):
                return none.plus(self.log_of(a), self.quotient(b))
        q = self.quotient(node)
        total = none
        for p, sign in ((q.top, 1), (q.below, -1)):
            _need(p and self.positive(p), f"a logarithm of {ast.unparse(node)}, which is not seen to be positive")
            total = total.plus(self.log_of_polynomial(p), Quotient({(): Fraction(sign)}))
        return total

    def log_of_polynomial(self, p: Poly) -> LogSum:
        """Return the logarithm of a positive polynomial as that of its first coefficient and that of the rest."""
        lead = _by_degree(p, self.x)[max(_by_degree(p, self.x))]
        number = lead.get((), Fraction(0)) if set(lead) == {()} else Fraction(1)
        _need(number > 0, "a polynomial that is positive has a positive first coefficient")
        total = LogSum()
        for prime, times in _primes(number).items():
            total.logs[frozenset({(): Fraction(prime)}.items())] = Quotient({(): Fraction(times)})
        rest = {m: c / number for m, c in p.items()}
        if rest != ONE:
            total.logs[frozenset(rest.items())] = Quotient(ONE)
        return total

    def value(self, node: ast.expr) -> LogSum:
        """Return an expression that is linear in logarithms."""
        match node:
            case ast.Call(func=ast.Name(id="log")):
                return self.log_of(_arguments(node, "log")[0])
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return LogSum().plus(self.value(a), -Quotient(ONE))
            case ast.BinOp(left=a, op=ast.Add() | ast.Sub() as op, right=b):
                return self.value(a).plus(self.value(b), Quotient({(): Fraction(1 if isinstance(op, ast.Add) else -1)}))
            case ast.BinOp(left=a, op=ast.Mult(), right=b):
                weight, other = (b, a) if _has_log(a) else (a, b)
                return LogSum().plus(self.value(other), self.quotient(weight))
            case ast.BinOp(left=a, op=ast.Div(), right=b) if _has_log(a):
                return LogSum().plus(self.value(a), self.inverse(self.quotient(b)))
        return LogSum(self.quotient(node))

    def gap(self, left: ast.expr, right: ast.expr) -> LogSum:
        """Return right minus left, or the difference of their logarithms where x stands in an exponent."""
        powers = [n for side in (left, right) for n in ast.walk(side) if isinstance(n, ast.BinOp)]
        symbolic = any(isinstance(n.op, ast.Pow) and self.x in _names(n.right) for n in powers)
        take = self.log_of if symbolic else self.value
        return take(right).plus(take(left), -Quotient(ONE))

    # Levels.

    def level(self, gap: LogSum, times: str, at: str) -> LogSum:
        """Return what is to be shown next: the derivative, or its opposite.

        Lemma: with m > 0, m g >= 0 from s on where it is >= 0 at s and does not fall, or where it does not rise and its
        limit is >= 0; then g >= 0.
        """
        factor = self.quotient(_tree(times))
        _need(factor.top and self.positive(factor.top) and self.positive(factor.below), f"{times} is not positive")
        gap = LogSum().plus(gap, factor)
        _need(at in ("start", "end"), "a level is at the start or at the end")
        low, exact = self.at_start(gap) if at == "start" else self.at_end(gap)
        _need(exact or low >= 0, f"it is not seen to be >= 0 at the {at}")
        slope = LogSum(gap.rest.slope(self.x))
        for key, weight in gap.logs.items():
            p = dict(key)
            inner = LogSum(weight * Quotient(_slope(p, self.x), p), {key: weight.slope(self.x)})
            slope = slope.plus(inner, Quotient(ONE))
        return LogSum().plus(slope, Quotient({(): Fraction(1 if at == "start" else -1)}))

    def at_start(self, gap: LogSum) -> tuple[Fraction, bool]:
        """Return a lower bound at the start, and whether the value is 0 exactly."""
        return self.combine(
            [(self.first(weight), self.first(Quotient(dict(key)))) for key, weight in gap.logs.items()],
            self.first(gap.rest),
        )

    def first(self, q: Quotient) -> Interval:
        """Return a quotient at the start."""
        top, below = (self.shift(p)[0] for p in (q.top, q.below))
        if top[0] == top[1] and below[0] == below[1]:
            return (top[0] / below[0],) * 2
        return _product(top, _inverse(below))

    def at_end(self, gap: LogSum) -> tuple[Fraction, bool]:
        """Return a lower bound of the limit, and whether it is 0 exactly.

        Lemma: with bounded weights w_j and polynomials p_j ~ a_j x^d_j, a_j > 0, the sum of w_j log p_j differs from
        that of w_j log a_j by (sum of w_j d_j) log x and what vanishes; the first is 0 here for all x.
        """
        growing, values = Quotient({}), []
        for key, weight in gap.logs.items():
            degree, lead = self.lead(dict(key))
            growing = growing + Quotient({(): Fraction(degree)} if degree else {}) * weight
            values.append((self.limit(weight), lead))
        _need(not growing.top, "a sum of logarithms that grows")
        return self.combine(values, self.limit(gap.rest))

    def lead(self, p: Poly) -> tuple[int, Interval]:
        """Return degree and first coefficient, which must be positive."""
        found = _by_degree(p, self.x)
        value = self.enclose(found[max(found)])
        _need(value[0] > 0, "a first coefficient that is not positive")
        return max(found), value

    def limit(self, q: Quotient) -> Interval:
        """Return the limit of a bounded quotient."""
        if not q.top:
            return Fraction(0), Fraction(0)
        found = _by_degree(q.top, self.x)
        degree, below = self.lead(q.below)
        _need(max(found) <= degree, "a quotient without a limit")
        top = self.enclose(found[max(found)]) if max(found) == degree else (Fraction(0), Fraction(0))
        if top[0] == top[1] and below[0] == below[1]:
            return (top[0] / below[0],) * 2
        return _product(top, _inverse(below))

    def combine(self, values: list[tuple[Interval, Interval]], rest: Interval) -> tuple[Fraction, bool]:
        """Return a lower bound of ``rest + sum of w log a``, and whether all of it cancels exactly."""
        exact = not any(rest) and all(w[0] == w[1] and a[0] == a[1] for w, a in values)
        if exact:
            powers: dict[int, Fraction] = {}
            for w, a in values:
                for prime, times in _primes(a[0]).items():
                    powers[prime] = powers.get(prime, Fraction(0)) + w[0] * times
            exact = not any(powers.values())
        low = rest[0]
        for w, a in values:
            if any(w) and not a[0] == a[1] == 1:
                low += _product(w, (_log(a[0], up=False), _log(a[1], up=True)))[0]
        return low, exact

    def last(self, gap: LogSum) -> None:
        """Refuse what is left unless it has no logarithm and no negative coefficient."""
        _need(not gap.logs, "logarithms are left after the last level")
        _need(self.positive(gap.rest.below), "what divides is not seen to be positive")
        _need(all(low >= 0 for low, _ in self.shift(gap.rest.top)), "a coefficient may be negative")


def _has_log(node: ast.expr) -> bool:
    return any(isinstance(n, ast.Name) and n.id == "log" for n in ast.walk(node))


def _primes(value: Fraction) -> dict[int, int]:
    """Return the exponents of the primes of a positive number; what has no small factor counts as one."""
    _need(value > 0, "a logarithm of what may not be positive")
    found: dict[int, int] = {}
    for number, sign in ((value.numerator, 1), (value.denominator, -1)):
        prime = 2
        while number > 1:
            if prime * prime > number or prime > 10_000:
                prime = number
            while number % prime == 0:
                number, found[prime] = number // prime, found.get(prime, 0) + sign
            prime += 1
    return found


# --- on a box ---------------------------------------------------------------------------------------------------------


def _value(node: ast.expr, box: dict[str, Interval]) -> Interval:
    """Return an interval that holds an expression on a box."""
    match node:
        case ast.Constant(value=n) if type(n) is int:
            return Fraction(n), Fraction(n)
        case ast.Name(id="euler"):
            return _exp(Fraction(1), up=False), _exp(Fraction(1), up=True)
        case ast.Name(id=name) if name in box:
            return box[name]
        case ast.UnaryOp(op=ast.USub(), operand=a):
            low, high = _value(a, box)
            return -high, -low
        case ast.BinOp(left=a, op=ast.Add() | ast.Sub() as op, right=b):
            one, two = _value(a, box), _value(b, box)
            two = two if isinstance(op, ast.Add) else (-two[1], -two[0])
            return one[0] + two[0], one[1] + two[1]
        case ast.BinOp(left=a, op=ast.Mult(), right=b):
            return _product(_value(a, box), _value(b, box))
        case ast.BinOp(left=a, op=ast.Div(), right=b):
            return _product(_value(a, box), _inverse(_value(b, box)))
        case ast.BinOp(left=a, op=ast.Pow(), right=b):
            return _raise_to(_value(a, box), _exponent(b))
        case ast.Call(func=ast.Name(id="sqrt")):
            return _raise_to(_value(_arguments(node, "sqrt")[0], box), Fraction(1, 2))
        case ast.Call(func=ast.Name(id="exp" | "log" as name)):
            take = _exp if name == "exp" else _log
            low, high = _value(_arguments(node, name)[0], box)
            return take(low, up=False), take(high, up=True)
    raise ValueError(f"{ast.unparse(node)} is not legal here")


def _raise_to(base: Interval, exponent: Fraction) -> Interval:
    k, n = abs(exponent.numerator), exponent.denominator
    _need(n == 1 or base[0] >= 0, "a root of what may be negative")
    if n > 1:
        base = _root(base[0], n, up=False), _root(base[1], n, up=True)
    total: Interval = (Fraction(1), Fraction(1))
    for _ in range(k):
        total = _product(total, base)
    if k % 2 == 0 and base[0] < 0 < base[1]:  # a product of intervals forgets that its factors are one number
        total = Fraction(0), total[1]
    return _inverse(total) if exponent < 0 else total


# --- certificates -----------------------------------------------------------------------------------------------------


def relation_of(line: str) -> tuple[ast.expr, str, ast.expr]:
    """Return the two sides of a relation, with its sign between them."""
    parts = re.split(r"\s(<=|<|>=|>|!=|=)\s", line)
    _need(len(parts) == 3, f"{line!r} is not one relation")
    return _tree(parts[0]), parts[1], _tree(parts[2])


def _ends(given: list[str], letters: dict[str, str]) -> dict[str, list[Fraction]]:
    """Return what is given: ends of letters, the lower one first."""
    found: dict[str, list[Fraction]] = {name: [] for name in letters}
    for line in given:
        left, op, right = relation_of(line)
        value = _fraction(right)
        if not isinstance(left, ast.Name) or left.id not in found or op not in ("<=", ">=") or value is None:
            raise ValueError(f"{line!r} is no end of a letter: x >= 1")
        _need(len(found[left.id]) == (op == "<="), f"{left.id} has its ends in another order, or twice")
        found[left.id].append(value)
    return found


def check(c: dict[str, Any]) -> list[str]:
    """Return what a certificate of kind ``tail`` or ``box`` states; an error if it is not proved."""
    _need(set(c) <= KEYS, "a key that is not legal")
    ProductLimit.left = WORK
    letters, given, shows = c["letters"], c.get("given", []), c["shows"]
    for name, sort in letters.items():
        _need(re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) and sort in ("", ">0", ">=0"), f"{name!r} is no letter")
    _need(not {"euler", "log", "exp", "sqrt"} & set(letters), "a letter with the name of a function")
    left, op, right = relation_of(shows)
    _need(_names(left) | _names(right) <= {*letters, "euler"}, "a letter that is not declared")
    ends = _ends(given, letters)
    if c["kind"] == "tail":
        ((x, start),) = ends.items()
        _need(op == "<=" and len(start) == 1 and len(c["levels"]) <= MOST_LEVELS, "a <= b from one start on")
        tail = Tail(x, start[0])
        gap = tail.gap(left, right)
        for one in c["levels"]:
            gap = tail.level(gap, one["times"], one["at"])
        tail.last(gap)
    else:
        _need(op == "<" and all(len(pair) == 2 and pair[0] <= pair[1] for pair in ends.values()), "a < b on a box")
        _on_cells(left, right, ends, c.get("cells", {}))
    said = ", ".join(f"{x} {sort or 'real'}" for x, sort in letters.items())
    return [f"  for all {said}", *(f"  given {line}" for line in given), f"  shows {shows}"]


def _on_cells(left: ast.expr, right: ast.expr, ends: dict[str, list[Fraction]], cells: dict[str, int]) -> None:
    """Refuse unless the left side is smaller on each cell of a grid that covers the box."""
    count = 1
    sides = []
    for name, (low, high) in ends.items():
        n = cells.get(name, 1)
        _need(type(n) is int and 1 <= n <= MOST_CELLS, "cells are counted")
        count *= n
        sides.append([(name, (low + (high - low) * k / n, low + (high - low) * (k + 1) / n)) for k in range(n)])
    _need(count <= MOST_CELLS, f"at most {MOST_CELLS} cells")
    for cell in product(*sides):
        box = dict(cell)
        _need(_value(left, box)[1] < _value(right, box)[0], f"the left side is not seen to be smaller on {box}")
