"""The lemmas of a theorem for all K where S of N clients take part, every S: one draw of clients in each round.

The server averages (y_K - x)/h over S clients, drawn uniformly and without regard to what they know.  What that is off
the average over all is z: of mean 0 given all y_K, with E|z|^2 = p mean_i |a_i - mean a|^2, a = -D + d_K + m_K,

    p = (N - S)/(S (N - 1)).

Only the end of a round sees z, and its form is affine in p: it is a sum of squares for every p if it is for 0 and 1.
The server may keep nothing but x.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.errors import NotApplicableError
from boundcheck.worst.theorems.all_k.lemmas import ONE, H, Lemmas, product, times, together, total
from boundcheck.worst.theorems.all_k.loop import DRIFT, GRADIENT, NOISE, in_letters
from boundcheck.worst.theorems.bernstein.polynomials import Poly, constant, multiply

if TYPE_CHECKING:
    from boundcheck.worst.theorems.all_k.lemmas import Degrees, Unknown, Vector
    from boundcheck.worst.theorems.all_k.loop import LocalLoop
    from boundcheck.worst.theorems.bernstein.programme import Matrix

DRAW = "z"
"""What the average over the clients drawn is off that over all."""
SPREAD = "spread"
"""Multiplier of the size of z, over rho."""
DRAWN_ZETA, DRAWN_NOISE = "zeta of a draw", "noise of a draw"
"""Numbers of p h zeta^2 and of e p h sigma^2 (1 - 1/N)."""
_NONE = (0, 0, 0)


def require_plain_server(loop: LocalLoop) -> None:
    """Refuse a loop whose server or clients keep more than x.

    Raises
    ------
    NotApplicableError
        With what they keep.
    """
    kept = [n for names in loop.state for n in names if n != GRADIENT]
    clients = [n for n in loop.fixed[1] if n != GRADIENT]
    if not kept and loop.order == 1 and DRIFT in loop.move:
        return
    if clients:
        why = f"clients keep {', '.join(clients)} beside x, and a draw changes that of some of them alone"
    elif kept:
        why = f"the server keeps {', '.join(kept)} beside x, and what a draw adds to that does not go to 0 with eta K"
    else:
        why = "a server step that is not one of eta K keeps what a draw adds as eta K goes to 0"
    msg = f"method {loop.method.card.id}: with S of N clients there is no theorem for all K: {why}"
    raise NotApplicableError(msg)


class SampledLemmas(Lemmas):
    """The programme of a loop where S of N clients take part."""

    def __init__(
        self, loop: LocalLoop, up_to: Fraction, degrees: Degrees, *, noisy: bool, polyak: Fraction | None = None
    ) -> None:
        require_plain_server(loop)
        self.drawn: dict[str, dict[Unknown, Poly]] = {}
        """Vector to what was taken out of the end of a round: its products with z."""
        self.drawn_noise: dict[Unknown, Poly] = {}
        """What was taken out of deviations there: products of fixed vectors with the noise, over p/h."""
        super().__init__(loop, up_to, degrees, noisy=noisy, polyak=polyak)
        for name in (DRAWN_ZETA, *([DRAWN_NOISE] if noisy else [])):
            self.programme.ask_positive(name, {(name, _NONE): ONE}, self.rounds)
        self.programme.ask_positive(SPREAD, {(SPREAD, m): {m: Fraction(1)} for m in self.degrees.once}, self.rounds)

    @property
    def share(self) -> Poly:
        """Return what a round moves by times the average of (y_K - x)/h, over rho."""
        return in_letters(self.loop.move[DRIFT])

    def _displacement(self) -> Vector:
        return super()._displacement() | {DRAW: self.share}

    def _ask_end(self, block: int, form: dict[Unknown, Matrix]) -> None:
        """Ask the end for all clients (p = 0), in deviations for one (p = 1) as well."""
        if block == 0:
            self._take_draws_out(form)
            super()._ask_end(block, form)
            return
        super()._ask_end(block, form)
        # h times the form: its part with p stands over h.
        lifted = {u: {k: multiply(q, H) for k, q in matrix.items()} for u, matrix in form.items()}
        for u, matrix in self._spread().items():
            lifted[u] = total((lifted.get(u, {}), 1), (matrix, 1))
        self.programme.ask_squares("end of one client", lifted, self.rounds, self.raised)

    def _take_draws_out(self, form: dict[Unknown, Matrix]) -> None:
        """Pay |z|^2, and take out its products with what was known before the draw: they are 0 on average."""
        for name in (*self.loop.fixed[0], DRIFT, *([NOISE] if self.noisy else [])):
            pair = (min(name, DRAW), max(name, DRAW))
            self.drawn[name] = {u: matrix.pop(pair) for u, matrix in form.items() if pair in matrix}
        for m in self.degrees.once:
            form[SPREAD, m] = product({DRAW: ONE}, {DRAW: ONE}, self.rho, {m: Fraction(1)})

    def _spread(self) -> dict[Unknown, Matrix]:
        """Return h/p times what a draw adds to the end in deviations; those of D and of m are written times h."""
        rows = [times({n: in_letters(p)}, constant(-1, 3)) for n, p in self.loop.drift[1].items()]
        away = together(*rows, {DRIFT: H}, {NOISE: ONE} if self.noisy else {})
        found: dict[Unknown, Matrix] = {
            (SPREAD, m): total((product(away, away, {m: Fraction(1)}), -1)) for m in self.degrees.once
        }
        for u, matrix in found.items():
            for name in self.loop.fixed[1] if self.noisy else ():
                pair = (min(name, NOISE), max(name, NOISE))
                self.drawn_noise[(name, *u)] = matrix.pop(pair)
        found[DRAWN_ZETA, _NONE] = product({GRADIENT: ONE}, {GRADIENT: ONE})
        if self.noisy:
            found[DRAWN_NOISE, _NONE] = product({NOISE: ONE}, {NOISE: ONE})
        return found
