"""The lemmas of a theorem for K >= 2 whose end of a round has the last local step in it.

Along a round they are those of `lemmas`, up to y_(K-1).  The end sees d_K = d - e b v and m_K = m + b n, where d, m
and v are those of y_(K-1) and n is e times the last noise.  So smoothness between y_(K-1) and the new x can be used,
and that between x and y_(K-1) once more: less their linear part at x all functions are smooth still, and have value
and gradient 0 at x.  The last noise is orthogonal to all but the gradient at the new x; its square has a factor of
its own.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from boundcheck.worst.theorems.all_k.lemmas import ONE, SLOPE, E, Lemmas, T, product, times, together, total
from boundcheck.worst.theorems.all_k.loop import DRIFT, GRADIENT, NOISE, TURN
from boundcheck.worst.theorems.bernstein.polynomials import Poly, add, constant, multiply, scale, shift
from boundcheck.worst.theorems.bernstein.programme import FIXED

if TYPE_CHECKING:
    from boundcheck.worst.theorems.all_k.lemmas import Unknown, Vector
    from boundcheck.worst.theorems.all_k.loop import Row
    from boundcheck.worst.theorems.bernstein.programme import Matrix

LAST, FIRST = "last", "first"
"""Multipliers of smoothness at the end, both directions: of y_(K-1) and the new x; of x and y_(K-1)."""
LAST_NOISE = "n"
"""e times the noise of the last step; also the name of the factor of its square."""
BEFORE_LAST = add(ONE, scale(E, -1))
"""t of y_(K-1)."""
_HALF, _QUARTER = Fraction(1, 2), Fraction(1, 4)


class LateLemmas(Lemmas):
    """The programme of a loop whose end of a round starts at y_(K-1)."""

    def _end_of_round(self) -> None:
        """Ask that V falls over a round, once Phi(1 - e) of y_(K-1) is paid for."""
        rho, values = self.rho, self._values_left()
        turn = times({TURN: ONE}, rho)
        for block in range(2):
            form: dict[Unknown, Matrix] = {}
            slope, gradient = {SLOPE: ONE}, {GRADIENT: ONE}
            move = self._end_vector(self.loop.move, 0) if block == 0 else {}
            # Between x and the new x, over rho.
            half = product({TURN: ONE}, move, rho, constant(_HALF, 3))
            bends = total((product(move, move, rho), _QUARTER), (product(turn, {TURN: ONE}), -_QUARTER))
            form[FIXED] = total((product(gradient, move), -1 if block == 0 else 0), (half, -1), (bends, -1))
            place = self._place(block, BEFORE_LAST, {DRIFT: ONE})
            apart = together(place, times(move, scale(rho, -1)))
            between = together(slope, times(turn, constant(-1, 3)))
            last_slope, last_bends = smooth(together(slope, turn), apart, between)
            for m in self.degrees.along:
                form |= self._phi_at(block, m, BEFORE_LAST)
            for unknown, value in values.items():
                # lambda(x, +) = (1 + back)/rho - value, lambda(+, x) = back/rho; lambda(K-1, +) = last + value.
                form[unknown] = total(
                    (form_times(half, multiply(value, rho)), 1),
                    (form_times(bends, multiply(value, rho)), 1),
                    (form_times(last_slope, value), 1),
                    (form_times(last_bends, value), -1),
                )
            for m in self.degrees.once:
                p = {m: Fraction(1)}
                form["back", m] = total((form_times(bends, p), -2))
                form[LAST, m] = total((form_times(last_bends, p), -2))
                self._fall(block, form, m)
            self._ask_last(block, form, place)
        self._ask_nonnegative("back", LAST, "rate", *["zeta"] * (self.loop.given.zeta is not None))
        if values:
            back, last = ({(name, m): {m: Fraction(1)} for m in self.degrees.once} for name in ("back", LAST))
            less: dict[Unknown, Poly] = {u: scale(multiply(value, rho), -1) for u, value in values.items()}
            self.programme.ask_positive("forth", {FIXED: ONE} | back | less, self.rounds)
            self.programme.ask_positive(f"{LAST} and back", last | values, self.rounds)

    def _values_left(self) -> dict[Unknown, Poly]:
        """Return the factor of F_(K-1) in what is paid: by so much more y_(K-1) and the new x are compared, x less."""
        return {}

    def _ask_last(self, block: int, form: dict[Unknown, Matrix], place: Vector) -> None:
        """Ask that what the end leaves is a sum of squares; the last local point is at a place."""
        del place
        self._ask_end(block, form)

    def _end_vector(self, row: Row, block: int) -> Vector:
        """Return a vector at the end of a round: d_K = d - e b v, m_K = m + b n."""
        found = super()._end_vector(row, block)
        weight = self.loop.weight
        if (drift := found.get(DRIFT)) is not None:
            found = together(found, {SLOPE: scale(multiply(drift, E), -weight)})
        if (noise := found.get(NOISE)) is not None:
            found = together(found, {LAST_NOISE: scale(noise, weight)})
        return found


class LastLemmas(LateLemmas):
    """The programme of a loop with noise, or without, whose end of a round starts at y_(K-1)."""

    inside = add(E, multiply(T, add(ONE, scale(E, -3))))
    """t of the steps k = 1 .. K - 2, from the share of the way between them."""
    largest_e: ClassVar[tuple[Fraction, Fraction]] = Fraction(1, 3), Fraction(1, 2)

    def _end_of_round(self) -> None:
        super()._end_of_round()
        self._ask_nonnegative(FIRST)
        for block in range(2) if self.noisy else ():
            self._bound_noise(block)

    def _ask_last(self, block: int, form: dict[Unknown, Matrix], place: Vector) -> None:
        """Use smoothness between x and y_(K-1), and pay the last noise."""
        slope: Vector = {SLOPE: ONE}
        _, bends = smooth(slope, place, slope)
        for m in self.degrees.once:
            form[FIRST, m] = total((form_times(bends, {m: Fraction(1)}), -2))
        if self.noisy:
            self._pay_last_noise(block, form)
        super()._ask_last(block, form, place)

    def _bound_noise(self, block: int) -> None:
        """Ask that the sum of the noises of a round is at most a polynomial of few terms, which the theorem says."""
        power, said = self.power_of_noise(block) + 2 * block, {}
        for m in self.degrees.once:
            said["noise said", block, m] = shift({m: Fraction(1)}, (0, 0, power))
        less: dict[Unknown, Poly] = {u: scale(p, -1) for u, p in self.noise[block].items()}
        lowered = {u: shift(p, (0, 0, -power)) for u, p in (said | less).items()}
        self.programme.ask_positive("noise said", lowered, self.rounds)
        self.noise[block] = said

    def _pay_last_noise(self, block: int, form: dict[Unknown, Matrix]) -> None:
        """Give the square of the last noise a factor, and use to what it is orthogonal."""
        fixed, power, weight = self.loop.fixed[block], self.power_of_noise(block), self.loop.weight
        # Phi(1) is paid for no longer: its factor of a noise gives way to that of the last one.
        for u, p in list(self.noise[block].items()):
            at_end = multiply(E, self._factor_of_noise(block, u[-1], ONE))
            self.noise[block][u] = add(p, scale(at_end, -(weight**2)))
        for m in self.degrees.once:
            p = shift({m: Fraction(1)}, (0, 0, power))
            unknown = (LAST_NOISE, block, m)
            form[unknown] = product({LAST_NOISE: ONE}, {LAST_NOISE: ONE}, scale(p, weight**2))
            self.noise[block][unknown] = scale(shift(p, (0, 1, 2 * block)), weight**2)
        sums: dict[Unknown, Poly] = {(LAST_NOISE, block, m): {m: Fraction(1)} for m in self.degrees.once}
        self.programme.ask_positive(LAST_NOISE, sums, self.rounds)
        known = (*fixed, DRIFT, NOISE, SLOPE)
        self._take_out(block, form, fixed, NOISE)
        self._orthogonal(block, form, self.degrees.once, "end")
        self._take_out(block, form, known, LAST_NOISE)
        for name in known:
            for m in self.degrees.once:
                p = shift({m: Fraction(1)}, (0, 0, power))
                form["fresh", block, name, m] = product({name: ONE}, {LAST_NOISE: ONE}, p)


def smooth(slopes: Vector, apart: Vector, bend: Vector) -> tuple[Matrix, Matrix]:
    """Return both parts of a condition of smoothness between two points: by slopes, and by bends."""
    bends = total((product(apart, apart), _QUARTER), (product(bend, bend), -_QUARTER))
    return product(slopes, apart, constant(_HALF, 3)), bends


def form_times(matrix: Matrix, p: Poly) -> Matrix:
    """Return a form times a polynomial."""
    return {k: multiply(q, p) for k, q in matrix.items()}
