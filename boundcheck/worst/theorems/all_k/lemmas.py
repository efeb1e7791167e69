"""The lemmas of a theorem for all K as one programme: one local step, the end of a round, start and floor.

Letters are t = k/K, e = 1/K and h = eta K; V is F/h^order + W[means] + U[deviations]; units are such that L = 1.
Deviations of fixed vectors and of m are written times h.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

from boundcheck.worst.theorems.all_k.loop import DRIFT, GRADIENT, NOISE, TURN, in_letters
from boundcheck.worst.theorems.bernstein.polynomials import (
    Exponents,
    Poly,
    add,
    constant,
    letter,
    monomials,
    multiply,
    scale,
    shift,
    substitute,
)
from boundcheck.worst.theorems.bernstein.programme import FIXED, BoxProgramme

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boundcheck.worst.theorems.all_k.loop import LocalLoop, Row
    from boundcheck.worst.theorems.bernstein.coefficients import Box
    from boundcheck.worst.theorems.bernstein.programme import Matrix

ONE = constant(1, 3)
T, E, H = (letter(k, 3) for k in range(3))
SLOPE = "v"
"""The gradient at y_k less that at x."""
_INSIDE = add(E, multiply(T, add(ONE, scale(E, -2))))
"""t of the steps k = 1 .. K - 1, from the share t of the way between them."""
Unknown = tuple[Any, ...]
Vector = dict[str, Poly]


@dataclass(frozen=True)
class Degrees:
    """Degrees of the unknown polynomials in t, e and h."""

    t: int
    e: int
    h: int

    @property
    def along(self) -> list[Exponents]:
        """Return the monomials of what changes along a round."""
        return monomials((self.t, self.e, self.h))

    @property
    def once(self) -> list[Exponents]:
        """Return the monomials of what a round has once."""
        return monomials((0, self.e, self.h))


def product(u: Mapping[str, Poly], v: Mapping[str, Poly], *by: Poly) -> Matrix:
    """Return <u, v> times polynomials."""
    found: Matrix = {}
    for (a, p), (b, q) in itertools.product(u.items(), v.items()):
        key = (a, b) if a <= b else (b, a)
        found[key] = add(found.get(key, {}), multiply(p, q, *by))
    return found


def total(*parts: tuple[Matrix, Fraction | int]) -> Matrix:
    """Return a sum of multiples of forms."""
    found: Matrix = {}
    for matrix, c in parts:
        for key, p in matrix.items():
            found[key] = add(found.get(key, {}), scale(p, c))
    return {key: p for key, p in found.items() if p}


def times(v: Mapping[str, Poly], *by: Poly) -> Vector:
    """Return a vector times polynomials."""
    return {name: multiply(p, *by) for name, p in v.items()}


def together(*vectors: Mapping[str, Poly]) -> Vector:
    """Return a sum of vectors."""
    found: Vector = {}
    for v in vectors:
        for name, p in v.items():
            found[name] = add(found.get(name, {}), p)
    return found


def faulhaber(p: Poly) -> Poly:
    """Return e * sum over k = 1 .. K of p(k e, e, h), e = 1/K, a polynomial in e and h."""
    bernoulli = [Fraction(1), Fraction(1, 2)]
    parts: list[Poly] = []
    for (i, j, k), c in p.items():
        while len(bernoulli) <= i:
            n = len(bernoulli)
            signed = [b if r != 1 else -b for r, b in enumerate(bernoulli)]
            bernoulli.append(-sum((comb(n + 1, r) * signed[r] for r in range(n)), Fraction(0)) / (n + 1))
        parts += [{(0, j + r, k): c * Fraction(comb(i + 1, r), i + 1) * bernoulli[r]} for r in range(i + 1)]
    return add(*parts)


class Lemmas:
    """The programme of a loop.

    Parameters
    ----------
    loop : LocalLoop
    up_to : Fraction
        The largest h.
    degrees : Degrees
    noisy : bool
        Whether local gradients have noise; then the theorem speaks of it, at every N.
    raised : int
        What is added to degrees of Bernstein's form.
    polyak : Fraction, optional
        A rate r: V falls by the share 2 r mu rho where |grad F|^2 >= 2 mu F (the Polyak-Lojasiewicz condition), rho = h
        or 1 the length of a round.  What V has beside F is then >= 0, and is paid for times 1 - 2 r rho alone.
    """

    inside: ClassVar[Poly] = _INSIDE
    """t of the local steps that the lemma of one step is about."""
    largest_e: ClassVar[tuple[Fraction, Fraction]] = Fraction(1, 2), Fraction(1)
    """The largest 1/K of that lemma, and of a round."""

    def __init__(
        self,
        loop: LocalLoop,
        up_to: Fraction,
        degrees: Degrees,
        *,
        noisy: bool,
        raised: int = 0,
        polyak: Fraction | None = None,
    ) -> None:
        self.polyak = polyak
        self.loop, self.up_to, self.degrees, self.noisy = loop, up_to, degrees, noisy
        low, high = Fraction(0), Fraction(1)
        self.steps: Box = ((low, high), (low, self.largest_e[0]), (low, up_to))
        self.programme = BoxProgramme(box=self.steps)
        self.rounds: Box = ((low, high), (low, self.largest_e[1]), (low, up_to))
        self.raised = raised
        self.rho = ONE if loop.order == 0 else H
        self.pairs = [self._pairs(block) for block in range(2)]
        self.noise: list[dict[Unknown, Poly]] = [{}, {}]
        """Unknown to what the factors of the noises of a round are, summed over its local steps: means, deviations."""
        self.dropped: dict[tuple[int, str, str], dict[Unknown, Poly]] = {}
        """Block, vector and noise to what was taken out of the end of a round: their products, 0 on average."""
        self._along()
        self._start_of_loop()
        self._end_of_round()
        self._start()
        self._floor()

    def _pairs(self, block: int) -> list[tuple[str, str, int]]:
        """Return the products that Phi is made of, each with its power of h."""
        fixed = self.loop.fixed[block]
        found = [(a, b, 0) for a, b in itertools.combinations_with_replacement((*fixed, DRIFT), 2)]
        if self.noisy:
            power = self.power_of_noise(block)
            found += [(DRIFT, NOISE, power), (NOISE, NOISE, power)]
        return found

    @property
    def noise_power(self) -> int:
        """Return the power of h in the factor of e sigma^2/N."""
        return self.power_of_noise(0)

    def power_of_noise(self, block: int) -> int:
        """Return the power of h that noise has beside the rest: a short step of x feels little of it."""
        return self.loop.order if block == 0 else 0

    def _phi(self, block: int, pair: tuple[str, str, int], m: Exponents) -> tuple[Unknown, Poly]:
        return ("Phi", block, *pair[:2], m), shift({m: Fraction(1)}, (0, 0, pair[2]))

    def _phi_at(self, block: int, m: Exponents, at: Poly) -> dict[Unknown, Matrix]:
        """Return what Phi is at a point of the local loop, from unknowns of one power."""
        now, found = self._vectors(block), {}
        for pair in self.pairs[block]:
            unknown, p = self._phi(block, pair, m)
            found[unknown] = product(now[pair[0]], now[pair[1]], substitute(p, 0, at))
        return found

    def _ask_nonnegative(self, *names: str) -> None:
        """Ask that multipliers and constants, polynomials each, are nonnegative."""
        for name in names:
            self.programme.ask_positive(name, {(name, m): {m: Fraction(1)} for m in self.degrees.once}, self.rounds)

    def _vectors(self, block: int) -> dict[str, Vector]:
        names = (*self.loop.fixed[block], DRIFT, *([NOISE] if self.noisy else []))
        return {name: {name: ONE} for name in names}

    def _along(self) -> None:
        """Ask the lemma of one local step, divided by e."""
        asked: list[dict[Unknown, Matrix]] = [{}, {}]
        weight = constant(self.loop.weight, 3)
        for block in range(2):
            form, now = asked[block], self._vectors(block)
            slope: Vector = {SLOPE: ONE}
            by = multiply(E, weight)
            later = now | {DRIFT: together(now[DRIFT], times(slope, scale(by, -1)))}
            away = self._place(block, T, now[DRIFT])
            half = Fraction(1, 2)
            lipschitz = total((product(away, away), half), (product(slope, slope), -half))
            for m in self.degrees.along:
                for pair in self.pairs[block]:
                    unknown, p = self._phi(block, pair, m)
                    before = product(now[pair[0]], now[pair[1]], p)
                    after = product(later[pair[0]], later[pair[1]], substitute(p, 0, add(T, E)))
                    form[unknown] = {k: shift(q, (0, -1, 0)) for k, q in total((before, 1), (after, -1)).items()}
                form["lipschitz", m] = total(({k: multiply(q, {m: Fraction(1)}) for k, q in lipschitz.items()}, -1))
            self._orthogonal(block, form, self.degrees.along, "step")
        for block, form in enumerate(asked):
            inside = {u: {k: substitute(p, 0, self.inside) for k, p in f.items()} for u, f in form.items()}
            self.programme.ask_squares(f"step {'PQ'[block]}", inside, self.steps, self.raised)
        signs = {("lipschitz", m): substitute({m: Fraction(1)}, 0, self.inside) for m in self.degrees.along}
        self.programme.ask_positive("lipschitz", signs, self.steps)

    def _place(self, block: int, t: Poly, drift: Vector) -> Vector:
        """Return y - x at t; in deviations what is fixed, and the noise, stand times h."""
        rows = [times({n: in_letters(p)}, scale(t, -1)) for n, p in self.loop.drift[block].items()]
        still = together(*rows, {NOISE: ONE} if self.noisy else {})
        return together(still if block else times(still, H), times(drift, H))

    def _orthogonal(self, block: int, form: dict[Unknown, Matrix], powers: Iterable[Exponents], where: str) -> None:
        """Add that the noises of a round are orthogonal to what does not change in it."""
        if not self.noisy:
            return
        lift = (0, 0, self.power_of_noise(block))
        for name in self.loop.fixed[block]:
            for m in powers:
                form["orthogonal", where, block, name, m] = product(
                    {name: ONE}, {NOISE: ONE}, shift({m: Fraction(1)}, lift)
                )

    def _take_out(self, block: int, form: dict[Unknown, Matrix], names: Iterable[str], noise: str) -> None:
        """Take products of noise with what was known before it out of a form: they are 0 on average."""
        for name in names:
            pair = (min(name, noise), max(name, noise))
            self.dropped[block, name, noise] = {u: matrix.pop(pair) for u, matrix in form.items() if pair in matrix}

    def _factor_of_noise(self, block: int, m: Exponents, at: Poly) -> Poly:
        """Return the factor of |m|^2 in Phi at t, from the unknown of one power; deviations as they are."""
        p = substitute({m: Fraction(1)}, 0, at)
        return shift(p, (0, 0, self.power_of_noise(block) + 2 * block))

    def _start_of_loop(self) -> None:
        """Ask Phi(e; 0, e b n) <= its part of the noise: at y_1 no slope has been added yet."""
        for block in range(2):
            fixed = set(self.loop.fixed[block])
            form: dict[Unknown, Matrix] = {}
            factors: dict[Unknown, Poly] = {}
            for m in self.degrees.along:
                for pair in self.pairs[block]:
                    unknown, p = self._phi(block, pair, m)
                    if set(pair[:2]) <= fixed:
                        form[unknown] = product({pair[0]: ONE}, {pair[1]: ONE}, scale(substitute(p, 0, E), -1))
                    if pair[:2] == (NOISE, NOISE):
                        factors[unknown] = p
                        along = self._factor_of_noise(block, m, T)
                        self.noise[block][unknown] = scale(faulhaber(along), self.loop.weight**2)
            self.programme.ask_squares(f"first {'PQ'[block]}", form, self.rounds)
            if factors:
                self.programme.ask_positive("noise", factors, self.rounds)

    def _end_of_round(self) -> None:
        """Ask that V falls over a round, once Phi(1) is paid for."""
        loop, rho = self.loop, self.rho
        given = loop.given
        turn = times({TURN: ONE}, rho)
        asked: list[dict[Unknown, Matrix]] = [{}, {}]
        for block in range(2):
            form = asked[block]
            for m in self.degrees.along:
                form |= self._phi_at(block, m, ONE)
            gradient = {GRADIENT: ONE}
            # Conditions of smoothness between x and the new x, over rho: their difference is what V falls by.
            if block == 0:
                move = self._displacement()
                half = total((product(together(times(gradient, constant(2, 3)), turn), move), Fraction(1, 2)))
                bends = total((product(move, move, rho), Fraction(1, 4)), (product(turn, {TURN: ONE}), Fraction(-1, 4)))
            else:
                half, bends = {}, total((product(turn, {TURN: ONE}), Fraction(-1, 4)))
            form[FIXED] = total((half, -1), (bends, -1))
            for m in self.degrees.once:
                p = {m: Fraction(1)}
                form["back", m] = {k: multiply(q, p, constant(-2, 3)) for k, q in bends.items()}
                self._fall(block, form, m)
            self._take_out(block, form, self.loop.fixed[block], NOISE)
            self._orthogonal(block, form, self.degrees.once, "end")
            self._ask_end(block, form)
        for name in ("back", "rate", *(["zeta"] if given.zeta is not None else [])):
            self.programme.ask_positive(name, {(name, m): {m: Fraction(1)} for m in self.degrees.once}, self.rounds)

    def _displacement(self) -> Vector:
        """Return (x+ - x)/rho."""
        return self._end_vector(self.loop.move, 0)

    def _ask_end(self, block: int, form: dict[Unknown, Matrix]) -> None:
        """Ask that what the end of a round leaves is a sum of squares."""
        self.programme.ask_squares(f"end {'PQ'[block]}", form, self.rounds, self.raised)

    def _end_vector(self, row: Row, block: int) -> Vector:
        """Return a vector at the end of a round; m stands wherever d does; deviations are times h."""
        found: Vector = {}
        for name, p in row.items():
            q = in_letters(p)
            own = multiply(q, H) if block and name in (TURN, DRIFT) else q
            found[name] = add(found.get(name, {}), own)
            if name == DRIFT and self.noisy:
                found[NOISE] = add(found.get(NOISE, {}), q)
        return found

    def coordinates(self, block: int) -> list[str]:
        """Return the coordinates of V beside F; deviations of the gradient count only without zeta."""
        names = self.loop.state[block]
        return [n for n in names if not (block and n == GRADIENT)]

    def _fall(self, block: int, form: dict[Unknown, Matrix], m: Exponents) -> None:
        """Add what W and U fall by over a round, beside what is promised: the gradient at the rate, zeta."""
        p, gradient = {m: Fraction(1)}, {GRADIENT: ONE}
        if block == 0:
            form["rate", m] = product(gradient, gradient, scale(p, -1))
        elif self.loop.given.zeta is not None:
            form["zeta", m] = product(gradient, gradient, p)
        names = self.coordinates(block)
        rows = {n: self._end_vector(self.loop.after[block][n], block) for n in names}
        for a, b in itertools.combinations_with_replacement(names, 2):
            p = scale({m: Fraction(1)}, 1 if a == b else 2)
            left = p if self.polyak is None else add(p, multiply(p, self.rho, constant(-2 * self.polyak, 3)))
            fall = total((product({a: ONE}, {b: ONE}, left), 1), (product(rows[a], rows[b], p), -1))
            form["WU"[block], a, b, m] = fall

    def _start(self) -> None:
        """Ask that V is at most what is known at the start: F <= Delta, F >= |grad F|^2/2, and G_0."""
        heterogeneity = self.loop.given.G_0 is not None
        for block in range(2):
            sums: dict[Unknown, Poly] = {}
            for m in self.degrees.once:
                p = {m: Fraction(1)}
                for a, b in itertools.combinations_with_replacement(self.coordinates(block), 2):
                    start = self.loop.start[block]
                    factor = multiply(in_letters(start[a]), in_letters(start[b]), p)
                    lift = ONE if block == 0 else multiply(H, H)
                    sums["WU"[block], a, b, m] = scale(multiply(factor, lift), -1 if a == b else -2)
                if block == 0:
                    sums["floor", m] = scale(p, Fraction(1, 2))
                if heterogeneity:
                    sums["G_0", m] = p
            sums = {u: p for u, p in sums.items() if p}
            if sums:
                self.programme.ask_positive(f"start {'PQ'[block]}", sums, self.rounds)
        self._ask_nonnegative("floor", *["G_0"] * heterogeneity)

    def _floor(self) -> None:
        """Ask that V >= 0, as F >= |grad F|^2/2."""
        for block in range(2):
            form: dict[Unknown, Matrix] = {}
            if block == 0 and self.polyak is None:
                form[FIXED] = product({GRADIENT: ONE}, {GRADIENT: ONE}, constant(Fraction(1, 2), 3))
            for m in self.degrees.once:
                for a, b in itertools.combinations_with_replacement(self.coordinates(block), 2):
                    by = self.rho if block == 0 else ONE
                    form["WU"[block], a, b, m] = product(
                        {a: ONE}, {b: ONE}, by, scale({m: Fraction(1)}, 1 if a == b else 2)
                    )
            if form:
                self.programme.ask_squares(f"floor {'PQ'[block]}", form, self.rounds)
