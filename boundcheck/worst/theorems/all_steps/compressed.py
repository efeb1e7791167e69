"""EF21 for all contractive compressors and all steps: error feedback as a round with one hypothesis of its own.

c_i stands for the gradient of client i, x+ = x - gamma mean c_i, and c_i moves to the new gradient through a compressor
C with E|C(v) - v|^2 <= (1 - alpha) |v|^2. With s = sqrt(1 - alpha), p = 1 - s, gamma = c p/L, u_i = c_i - grad f_i(x):

    x+ - x = -gamma mean(g + u),   g+ = g + gamma w,   |u+|^2 <= s^2 |u - gamma w|^2.

V = F/gamma + (weight/p) |u|^2; what the weight pays for is divisible by p. Letters are p and c, so that one theorem
serves every alpha in (0, 1] and every step. P. Richtarik, I. Sokolov, I. Fatkhullin, arXiv:2106.05203, allow gamma <=
p/L (c = 1), with 2 Delta/(gamma T) + U0/(p T), U0 the mean of |u_i|^2 at the start.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from boundcheck.errors import NotApplicableError, require
from boundcheck.proofs.kernel.all_steps import FORM
from boundcheck.worst.theorems.all_steps.text import spelled
from boundcheck.worst.theorems.bernstein.polynomials import Poly, add, constant, letter, monomials, multiply, scale
from boundcheck.worst.theorems.bernstein.programme import FIXED, Matrix, Programme

_P, _C, _ONE = letter(0, 2), letter(1, 2), constant(1, 2)
_S = add(_ONE, scale(_P, -1))
_LETTERS = ("p", "c")
_HALF = Fraction(1, 2)
_MARGINS, _DIGITS = (1e-3, 1e-4, 1e-5, 1e-6), (3, 4, 6, 8)


@dataclass(frozen=True)
class CompressedTheorem:
    """rate mean_t E|grad f(x_t)|^2 <= Delta/(gamma T) + start U0/(p T), for every alpha and gamma = c p/L, c <= up_to.

    Attributes
    ----------
    rate, start : Fraction
    up_to : Fraction
    proof : dict
        The file that `boundcheck verify` reads.
    """

    rate: Fraction
    start: Fraction
    up_to: Fraction
    proof: dict[str, Any]


def sharpen_ef21(*, up_to: Fraction = _HALF, start: Fraction = Fraction(1), degree: int = 2) -> CompressedTheorem:
    """Find a theorem of EF21 for all compressors and all steps, and prove it over Q.

    Parameters
    ----------
    up_to : Fraction
        The largest c = gamma L/p, in (0, 1).
    start : Fraction
        The factor of U0/(p T) before division by the rate: a larger one allows a larger rate.
    degree : int
        Of the unknown polynomials in p and in c.

    Raises
    ------
    InputError
        If `up_to` is not in (0, 1): at 1 the matrices have no interior.
    NotApplicableError
        If no theorem was found.
    """
    require(0 < up_to < 1, "up-to", str(up_to), "a number in (0, 1), the largest gamma L/p")
    programme, box = Programme(), ((Fraction(0), Fraction(1)), (Fraction(0), Fraction(up_to)))
    powers = monomials((degree, degree))
    unit: Matrix = {("g", "g"): _ONE}
    gamma = multiply(_P, _C)
    for block in "PQ":
        form: dict[Any, Matrix] = {("rate",): {k: scale(q, -1) for k, q in unit.items()}} if block == "P" else {}
        # <g, g + u> and smoothness from x to the new x, over gamma.
        turn: Matrix = {("w", "w"): scale(gamma, Fraction(-1, 4))}
        own = {("g", "g"): _ONE, ("g", "u"): _ONE} if block == "P" else {}
        cross = {("g", "w"): scale(gamma, -_HALF), ("u", "w"): scale(gamma, -_HALF)} if block == "P" else {}
        moved = {("g", "g"): _ONE, ("g", "u"): constant(2, 2), ("u", "u"): _ONE} if block == "P" else {}
        quarter: Matrix = {k: multiply(q, scale(gamma, Fraction(1, 4))) for k, q in moved.items()}
        fixed: Matrix = {}
        for matrix, sign in ((own, 1), (cross, -1), (quarter, -1), (turn, -1)):
            for k, q in matrix.items():
                fixed[k] = add(fixed.get(k, {}), scale(q, sign))
        form[FIXED] = fixed
        for m in powers:
            p: Poly = {m: Fraction(1)}
            form["weight", m] = {
                ("u", "u"): multiply(p, add(_ONE, _S)),
                ("u", "w"): scale(multiply(p, _S, _S, _C), 2),
                ("w", "w"): scale(multiply(p, _S, _S, _C, _C, _P), -1),
            }
            # Smoothness in both directions, times back/(p gamma): Lipschitz gradients.
            pair = {k: scale(multiply(q, p, _C), -_HALF) for k, q in moved.items()}
            back: Matrix = {(a, b): q for (a, b), q in pair.items()}
            back["w", "w"] = scale(multiply(p, _C), _HALF)
            form["back", m] = back
        programme.ask_squares(f"round {block}", form, box)
    for name in ("weight", "back"):
        programme.ask_positive(name, {(name, m): {m: Fraction(1)} for m in powers}, box)
    # The start pays for the weight.
    programme.ask_positive(
        "start", {FIXED: constant(start, 2)} | {("weight", m): {m: Fraction(-1)} for m in powers}, box
    )
    best = programme.minimise({("rate",): -1.0}, margin=1e-6).unknowns["rate",]
    rate = Fraction(int(best * 97), 100)
    programme.fix(("rate",), rate)
    for margin in _MARGINS:
        found = programme.minimise({}, margin=margin)
        for digits in _DIGITS if found.solved else ():
            values = programme.rounded(found, digits)
            if rate > 0 and programme.failure(values) is None:
                known = {n: add(*({m: values[n, m]} for m in powers)) for n in ("weight", "back")}
                return CompressedTheorem(rate, start, up_to, _file(rate, start, up_to, known))
    msg = f"EF21: no theorem for all compressors and gamma <= {up_to} p/L was found; try a smaller one"
    raise NotApplicableError(msg)


def _file(rate: Fraction, start: Fraction, up_to: Fraction, known: dict[str, Poly]) -> dict[str, Any]:
    def text(p: Poly, *powers: int) -> str:
        return spelled({(e[0] + powers[0], e[1] + powers[1]): c for e, c in p.items()}, _LETTERS)

    over, weight, back = text(_ONE, -1, -1), text(known["weight"], -1, 0), text(known["back"], -2, -1)
    return {
        "form": FORM,
        "id": "EF21, all compressors, all steps",
        "method": {"id": "EF21", "gamma": "c*p", "p": "1 - sqrt(1 - alpha)"},
        "box": {"p": ["0", "1"], "c": ["0", str(up_to)]},
        "letters": {"g": "family", "u": "family", "w": "family", "u1": "family"},
        "lengths": {},
        "points": [
            {"x": "0*g", "f": "f0", "g": "g"},
            {"x": "-1*p*c*mean(g + u)", "f": "f1", "g": "g + p*c*w"},
        ],
        "contractions": [{"new": "u1", "old": "u - p*c*w", "factor": "(1 - p)^2"}],
        "state": {"f": "f0", "g": "g", "u": "u"},
        "next": {"f": "f1", "g": "g + p*c*w", "u": "u1"},
        "start": {"f": "f0", "g": "g", "u": "u"},
        "potential": f"({over})*f + ({weight})*|u|^2",
        "rate": str(rate),
        "round": {},
        "first": {"Delta": over, "U0": f"{start}*p^-1"},
        "proofs": {
            "round": [
                [["smooth", 0, 1], f"{over} + {back}"],
                [["smooth", 1, 0], back],
                [["contraction", 0], weight],
            ],
            "start": [[["Delta", 0], over], [["size", 0], weight]],
            "end": [[["floor", 0], over]],
        },
    }
