"""The lemmas of a theorem for all K without noise, nearer to the best ones: smoothness between neighbouring points too.

Phi sees v_k, and the value F_k = mean of f_i(y_k) - f_i(x) - <grad f_i(x), y_k - x>: less their linear part at x all
functions are smooth still, and have value and gradient 0 at x.  Conditions of smoothness are asked
between y_k and y_(k+1) (in both directions) and between x and y_(k+1); at the end between x, y_(K-1) and the new x.
The theorem is for K >= 2.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.worst.theorems.all_k.lemmas import (
    ONE,
    SLOPE,
    E,
    H,
    Lemmas,
    T,
    product,
    times,
    together,
    total,
)
from boundcheck.worst.theorems.all_k.loop import DRIFT, GRADIENT, TURN, in_letters
from boundcheck.worst.theorems.bernstein.polynomials import (
    Poly,
    add,
    constant,
    multiply,
    scale,
    shift,
    substitute,
)
from boundcheck.worst.theorems.bernstein.programme import FIXED

if TYPE_CHECKING:
    from boundcheck.worst.theorems.all_k.lemmas import Unknown, Vector
    from boundcheck.worst.theorems.bernstein.programme import Matrix

BEND = "c"
"""(v_(k+1) - v_k)/e."""
VALUE, STAR, NEXT, LAST = "value", "from x", "neighbours", "last"
"""Unknowns: the factor of F_k in Phi; multipliers of x and y_(k+1), of neighbours, of y_(K-1) and the new x."""
_INSIDE = multiply(T, add(ONE, scale(E, -2)))
"""t of the steps k = 0 .. K - 2, from the share of the way between them."""
_END = add(ONE, scale(E, -1))
_HALF, _QUARTER = Fraction(1, 2), Fraction(1, 4)


class ChainLemmas(Lemmas):
    """The programme of a loop without noise, smoothness between neighbours included."""

    def _pairs(self, block: int) -> list[tuple[str, str, int]]:
        return [(a, b, 0) for a, b in itertools.combinations_with_replacement(self._vectors(block), 2)]

    def _vectors(self, block: int) -> dict[str, Vector]:
        return {name: {name: ONE} for name in (*self.loop.fixed[block], DRIFT, SLOPE)}

    def _ranges(self) -> None:
        """Take e up to 1/2 alone: K >= 2."""
        self.rounds = (self.rounds[0], self.steps[1], self.rounds[2])

    def _place(self, block: int, t: Poly, drift: Vector) -> Vector:
        """Return y - x at t; in deviations what is fixed stands times h."""
        rows = [times({n: in_letters(p)}, scale(t, -1)) for n, p in self.loop.drift[block].items()]
        still = together(*rows)
        return together(still if block else times(still, H), times(drift, H))

    def _step(self, block: int, slope: Vector) -> Vector:
        """Return h (D + b v): what a local step subtracts, over e."""
        own = times(slope, constant(self.loop.weight, 3), H)
        fixed = together(*({n: in_letters(p)} for n, p in self.loop.drift[block].items()))
        return together(fixed if block else times(fixed, H), own)

    def _along(self) -> None:
        """Ask the lemma of one local step, divided by e."""
        self._ranges()
        star: dict[Unknown, Poly] = {}
        signs: dict[str, dict[Unknown, Poly]] = {STAR: {}, NEXT: {}, f"{STAR} and back": star, f"{NEXT} and back": {}}
        for block in range(2):
            form: dict[Unknown, Matrix] = {}
            slope, bend, drift = {SLOPE: ONE}, {BEND: ONE}, {DRIFT: ONE}
            by = multiply(E, constant(self.loop.weight, 3))
            now = self._vectors(block)
            later = now | {
                DRIFT: together(drift, times(slope, scale(by, -1))),
                SLOPE: together(slope, times(bend, E)),
            }
            # Smooth between x and y_(k+1): values apart, the slope's part turns its sign, the bends do not.
            away, moved = self._place(block, add(T, E), later[DRIFT]), self._step(block, slope)
            star_slope, star_bends = _smooth(later[SLOPE], away, later[SLOPE])
            near_slope, near_bends = _smooth(together(times(slope, constant(2, 3)), times(bend, E)), moved, bend)
            for m in self.degrees.along:
                p: Poly = {m: Fraction(1)}
                change = shift(add(substitute(p, 0, add(T, E)), scale(p, -1)), (0, -1, 0))
                for pair in self.pairs[block]:
                    unknown, q = self._phi(block, pair, m)
                    before = product(now[pair[0]], now[pair[1]], q)
                    after = product(later[pair[0]], later[pair[1]], substitute(q, 0, add(T, E)))
                    form[unknown] = {k: shift(r, (0, -1, 0)) for k, r in total((before, 1), (after, -1)).items()}
                # lambda(x, k+1) = e (a + change), lambda(k+1, x) = e a; lambda(k, k+1) = phi + c/e, and back c/e.
                form[VALUE, m] = total(
                    (_by(star_slope, change), -1),
                    (_by(star_bends, change), -1),
                    (_by(near_slope, p), 1),
                    (_by(near_bends, multiply(p, E)), -1),
                )
                form[STAR, m] = total((_by(star_bends, p), -2))
                form[NEXT, m] = total((_by(near_bends, p), -2))
                inside = substitute(p, 0, _INSIDE)
                signs[STAR][STAR, m] = signs[f"{STAR} and back"][STAR, m] = inside
                signs[NEXT][NEXT, m] = signs[f"{NEXT} and back"][NEXT, m] = inside
                signs[f"{STAR} and back"][VALUE, m] = substitute(change, 0, _INSIDE)
                signs[f"{NEXT} and back"][VALUE, m] = multiply(inside, E)
            asked = {u: {k: substitute(q, 0, _INSIDE) for k, q in f.items()} for u, f in form.items()}
            self.programme.ask_squares(f"step {'PQ'[block]}", asked, self.steps, self.raised)
        for name, sums in signs.items():
            self.programme.ask_positive(name, sums, self.steps)

    def _start_of_loop(self) -> None:
        """Ask Phi(0; 0, 0, 0) <= 0: at y_0 = x only what is fixed is left."""
        for block in range(2):
            fixed = set(self.loop.fixed[block])
            form: dict[Unknown, Matrix] = {}
            for m in self.degrees.along:
                for pair in self.pairs[block]:
                    unknown, p = self._phi(block, pair, m)
                    if set(pair[:2]) <= fixed:
                        form[unknown] = product({pair[0]: ONE}, {pair[1]: ONE}, scale(substitute(p, 0, {}), -1))
            self.programme.ask_squares(f"first {'PQ'[block]}", form, self.rounds)

    def _end_of_round(self) -> None:
        """Ask that V falls over a round, once Phi(1 - e) of y_(K-1) is paid for."""
        given, rho = self.loop.given, self.rho
        turn = times({TURN: ONE}, rho)
        signs: dict[str, dict[Unknown, Poly]] = {"back": {}, "forth": {FIXED: ONE}, LAST: {}, f"{LAST} and back": {}}
        for block in range(2):
            form: dict[Unknown, Matrix] = {}
            slope, drift = {SLOPE: ONE}, {DRIFT: ONE}
            move = self._end_vector(self.loop.move, 0) if block == 0 else {}
            # Between x and the new x, over rho.
            half = product({TURN: ONE}, move, rho, constant(_HALF, 3))
            bends = total((product(move, move, rho), _QUARTER), (product(turn, {TURN: ONE}), -_QUARTER))
            gradient: Vector = {GRADIENT: ONE}
            form[FIXED] = total((product(gradient, move), -1 if block == 0 else 0), (half, -1), (bends, -1))
            place = self._place(block, _END, drift)
            apart = together(place, times(move, scale(rho, -1)))
            between = together(slope, times(turn, constant(-1, 3)))
            last_slope, last_bends = _smooth(together(slope, turn), apart, between)
            for m in self.degrees.along:
                form |= self._phi_at(block, m, _END)
                value = substitute({m: Fraction(1)}, 0, _END)
                # lambda(x, +) = (1 + back)/rho - phi, lambda(+, x) = back/rho; lambda(K-1, +) = last + phi.
                form[VALUE, m] = total(
                    (_by(half, multiply(value, rho)), 1),
                    (_by(bends, multiply(value, rho)), 1),
                    (_by(last_slope, value), 1),
                    (_by(last_bends, value), -1),
                )
                signs["forth"][VALUE, m] = scale(multiply(value, rho), -1)
                signs[f"{LAST} and back"][VALUE, m] = value
            for m in self.degrees.once:
                p = {m: Fraction(1)}
                form["back", m] = total((_by(bends, p), -2))
                form[LAST, m] = total((_by(last_bends, p), -2))
                self._fall(block, form, m)
                signs["back"]["back", m] = signs["forth"]["back", m] = p
                signs[LAST][LAST, m] = signs[f"{LAST} and back"][LAST, m] = p
            self.programme.ask_squares(f"end {'PQ'[block]}", form, self.rounds, self.raised)
        for name, sums in signs.items():
            self.programme.ask_positive(name, sums, self.rounds)
        self._ask_nonnegative("rate", *["zeta"] * (given.zeta is not None))

    def _end_vector(self, row: dict[str, Poly], block: int) -> Vector:
        """Return a vector at the end of a round: d_K = d - e b v."""
        found = super()._end_vector(row, block)
        if (drift := found.get(DRIFT)) is None:
            return found
        by = scale(multiply(drift, E), -self.loop.weight)
        return together(found, {SLOPE: by})


def _smooth(slopes: Vector, apart: Vector, bend: Vector) -> tuple[Matrix, Matrix]:
    """Return both parts of a condition of smoothness between two points: by slopes, and by bends."""
    bends = total((product(apart, apart), _QUARTER), (product(bend, bend), -_QUARTER))
    return product(slopes, apart, constant(_HALF, 3)), bends


def _by(matrix: Matrix, p: Poly) -> Matrix:
    return {k: multiply(q, p) for k, q in matrix.items()}
