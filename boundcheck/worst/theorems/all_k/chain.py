"""The lemmas of a theorem for all K without noise, nearer to the best ones: smoothness between neighbouring points too.

Phi sees v_k, and the value F_k = mean of f_i(y_k) - f_i(x) - <grad f_i(x), y_k - x>: less their linear part at x all
functions are smooth still, and have value and gradient 0 at x.  Conditions of smoothness are asked
between y_k and y_(k+1) (in both directions) and between x and y_(k+1); at the end between x, y_(K-1) and the new x.
The theorem is for K >= 2.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from boundcheck.worst.theorems.all_k.last import BEFORE_LAST, LateLemmas, form_times, smooth
from boundcheck.worst.theorems.all_k.lemmas import ONE, SLOPE, E, H, T, product, times, together, total
from boundcheck.worst.theorems.all_k.loop import DRIFT, in_letters
from boundcheck.worst.theorems.bernstein.polynomials import Poly, add, constant, multiply, scale, shift, substitute

if TYPE_CHECKING:
    from boundcheck.worst.theorems.all_k.lemmas import Unknown, Vector
    from boundcheck.worst.theorems.bernstein.programme import Matrix

BEND = "c"
"""(v_(k+1) - v_k)/e."""
VALUE, STAR, NEXT = "value", "from x", "neighbours"
"""Unknowns: the factor of F_k in Phi; multipliers of x and y_(k+1), and of neighbours."""


class ChainLemmas(LateLemmas):
    """The programme of a loop without noise, smoothness between neighbours included."""

    inside = multiply(T, add(ONE, scale(E, -2)))
    """t of the steps k = 0 .. K - 2, from the share of the way between them."""
    largest_e: ClassVar[tuple[Fraction, Fraction]] = Fraction(1, 2), Fraction(1, 2)

    def _pairs(self, block: int) -> list[tuple[str, str, int]]:
        return [(a, b, 0) for a, b in itertools.combinations_with_replacement(self._vectors(block), 2)]

    def _vectors(self, block: int) -> dict[str, Vector]:
        return {name: {name: ONE} for name in (*self.loop.fixed[block], DRIFT, SLOPE)}

    def _step(self, block: int, slope: Vector) -> Vector:
        """Return h (D + b v): what a local step subtracts, over e."""
        own = times(slope, constant(self.loop.weight, 3), H)
        fixed = together(*({n: in_letters(p)} for n, p in self.loop.drift[block].items()))
        return together(fixed if block else times(fixed, H), own)

    def _along(self) -> None:
        """Ask the lemma of one local step, divided by e."""
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
            star_slope, star_bends = smooth(later[SLOPE], away, later[SLOPE])
            near_slope, near_bends = smooth(together(times(slope, constant(2, 3)), times(bend, E)), moved, bend)
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
                    (form_times(star_slope, change), -1),
                    (form_times(star_bends, change), -1),
                    (form_times(near_slope, p), 1),
                    (form_times(near_bends, multiply(p, E)), -1),
                )
                form[STAR, m] = total((form_times(star_bends, p), -2))
                form[NEXT, m] = total((form_times(near_bends, p), -2))
                inside = substitute(p, 0, self.inside)
                signs[STAR][STAR, m] = signs[f"{STAR} and back"][STAR, m] = inside
                signs[NEXT][NEXT, m] = signs[f"{NEXT} and back"][NEXT, m] = inside
                signs[f"{STAR} and back"][VALUE, m] = substitute(change, 0, self.inside)
                signs[f"{NEXT} and back"][VALUE, m] = multiply(inside, E)
            asked = {u: {k: substitute(q, 0, self.inside) for k, q in f.items()} for u, f in form.items()}
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

    def _values_left(self) -> dict[Unknown, Poly]:
        return {(VALUE, m): substitute({m: Fraction(1)}, 0, BEFORE_LAST) for m in self.degrees.along}
