"""A theorem for all steps in words, and as plain data."""

from __future__ import annotations

import math
import re
import time
from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.notation import STEP
from boundcheck.proofs.kernel.all_steps import check
from boundcheck.worst.gram.units import hyperparameters, units
from boundcheck.worst.theorems.all_steps.text import read_polynomial
from boundcheck.worst.theorems.all_steps.theorem import DRAW
from boundcheck.worst.theorems.bernstein.polynomials import Poly, multiply, scale

if TYPE_CHECKING:
    from boundcheck.worst.theorems.all_steps.theorem import StepTheorem

_NUMBERS = re.compile(r"(?<![\w^/])\d+(?:/\d+)?")
_DIGITS = 4
"""Significant digits of a long number in words; the proof has them all."""


def inequality(theorem: StepTheorem) -> str:
    """Return the theorem as one line, in the letters that a reader knows; L written out."""
    constant_rate = set(theorem.rate) <= {(0,) * len(theorem.letters)}
    divisor = theorem.rate[(0,) * len(theorem.letters)] if constant_rate else Fraction(1)
    parts = []
    for name, p in sorted(theorem.first.items(), key=lambda item: item[0] != "Delta"):
        if name == "Delta":
            parts.append(_start(theorem, scale(p, 1 / divisor)))
        elif factor := _factor(theorem, scale(p, 1 / divisor)):
            parts.append(f"{factor} {_CONSTANT[name]}/T")
    parts += [
        f"{factor} {constant}" for factor, constant in _always(theorem, {(0,) * len(theorem.letters): 1 / divisor})
    ]
    said = " + ".join(parts).replace(" K^-1 sigma^2/N", " sigma^2/(K N)")
    left = "mean_t E|grad f(x_t)|^2"
    if not constant_rate:
        said = f"[{said}] / r,  r = {_polynomial(theorem, theorem.rate)}"
    return f"{left} <= {said}"


def falling_inequality(theorem: StepTheorem) -> str | None:
    """Return what it says where |grad f|^2 >= 2 mu (f - f_star), as one line; None where V does not fall."""
    said = theorem.proof.get("polyak")
    if said is None:
        return None
    fall, over = (read_polynomial(said[key], theorem.letters) for key in ("fall", "over"))
    ((length, share),) = fall.items()
    # h = eta K L, and mu stands over L.
    falls = f"{_times(share)}mu {'eta K' if any(length) else ''}".rstrip() + ("" if any(length) else "/L")
    ((where, factor),) = over.items()
    below = {tuple(-k for k in where): 1 / factor}
    unit = "" if any(where) else "/L"
    start = []
    for name, p in sorted(theorem.first.items(), key=lambda item: item[0] != "Delta"):
        own = _factor(theorem, multiply(p, below)).removeprefix("1 ")
        start.append(f"{own} Delta".replace("1 Delta", "Delta").strip() if name == "Delta" else _at_start(own, unit))
    ((at, c),) = multiply(fall, over).items()
    once = {tuple(-k for k in at): 1 / c}
    always = [f"{factor} {constant}".removeprefix("1 ") for factor, constant in _always(theorem, once)]
    stays = f" + [{' + '.join(always)}]/mu".replace(" K^-1 sigma^2/N", " sigma^2/(K N)") if always else ""
    first = start[0] if len(start) == 1 else f"[{' + '.join(start)}]"
    return f"E[f(x_T) - f_star] <= (1 - {falls})^T {first}{stays}"


def _always(theorem: StepTheorem, by: Poly) -> list[tuple[str, str]]:
    """Return the factors of what every round adds, times a monomial, with their constants.

    What a draw of clients adds stands times p = (N - S)/(S (N - 1)), and p (1 - 1/N) = 1/S - 1/N.
    """
    found = []
    for name, p in theorem.always.items():
        if DRAW not in theorem.letters:
            parts = [(p, _CONSTANT[name])]
        else:
            axis = theorem.letters.index(DRAW)
            plain = {e: c for e, c in p.items() if not e[axis]}
            drawn = {(*e[:axis], 0, *e[axis + 1 :]): c for e, c in p.items() if e[axis]}
            parts = [(plain, _CONSTANT[name]), (drawn, _DRAWN.get(name, ""))]
        found += [(factor, constant) for q, constant in parts if (factor := _factor(theorem, multiply(q, by)))]
    return found


def _at_start(factor: str, unit: str) -> str:
    """Return the term of G_0, which is of gradients: in units of f it stands over L."""
    return f"{factor.replace('eta K L', 'eta K')} G_0{unit}"


_CONSTANT = {
    "G_0": "G_0",
    "zeta": "zeta^2",
    "mean noise": "sigma^2/N",
    "noise apart": "sigma^2 (1 - 1/N)",
}
_DRAWN = {"zeta": "zeta^2 (N - S)/(S (N - 1))", "noise apart": "sigma^2 (1/S - 1/N)"}
"""Constants of a round times what a draw has."""


def _start(theorem: StepTheorem, p: Poly) -> str:
    """Return the term of Delta: what stands over h is Delta/(eta K T)."""
    if "h" not in theorem.letters:
        return f"({_polynomial(theorem, p)}) L Delta/T"
    axis = theorem.letters.index("h")
    over = {e: c for e, c in p.items() if e[axis] == -1 and not any(k for i, k in enumerate(e) if i != axis)}
    rest = {e: c for e, c in p.items() if e not in over}
    parts = []
    if over:
        (c,) = over.values()
        below = "eta K T" if theorem.K is None else "eta T"
        parts.append(f"{_times(c if theorem.K is None else c / theorem.K)}Delta/({below})")
    if rest:
        parts.append(f"{_factor(theorem, rest)} L Delta/T".removeprefix("1 "))
    return " + ".join(part for part in parts if part.strip())


def _factor(theorem: StepTheorem, p: Poly) -> str:
    """Return a factor; one monomial without brackets."""
    kept = {e: c for e, c in p.items() if c}
    if not kept:
        return ""
    if len(kept) > 1:
        return f"({_polynomial(theorem, kept)})"
    ((e, c),) = kept.items()
    return f"{_number(c)}{_power(theorem, e)}"


def _polynomial(theorem: StepTheorem, p: Poly) -> str:
    parts = [f"{_number(c)}{_power(theorem, e)}" for e, c in sorted(p.items())]
    return " + ".join(parts).replace("+ -", "- ")


def _power(theorem: StepTheorem, e: tuple[int, ...]) -> str:
    """Return a monomial: h = eta K L, e = 1/K; e h = eta L."""
    powers = dict(zip(theorem.letters, e, strict=True))
    words = []
    if "e" in powers:
        # e^a h^b = (eta L)^a (eta K L)^(b - a) where b >= a.
        a, b = powers.pop("e"), powers.pop("h")
        if 0 < a <= b:
            eta, b = a, b - a
            if b == 1 and eta == 1:
                return " eta^2 K L^2"
            words.append("eta L" if eta == 1 else f"(eta L)^{eta}")
        elif a:
            words.append(f"K^{-a}")
        if b:
            words.append("eta K L" if b == 1 else f"(eta K L)^{b}")
    for name, k in powers.items():
        if k:
            words.append(name if k == 1 else f"{name}^{k}")
    return "".join(f" {word}" for word in words)


def _times(c: Fraction) -> str:
    """Return a factor before a word; 1 is left out."""
    return "" if c == 1 else f"{_number(c)} "


def _number(c: Fraction) -> str:
    exact = Fraction(c)
    if abs(exact.numerator) < 10**_DIGITS and exact.denominator < 10**_DIGITS:
        return str(exact)
    return f"{float(exact):.{_DIGITS}g}"


def where(theorem: StepTheorem) -> str:
    """Return for which K, steps and hyperparameters it holds."""
    ranges = dict(zip(theorem.letters, theorem.box, strict=True))
    some = "every K, N, T" if ranges.get("e", (0, 1))[1] == 1 else "every K >= 2, N, T"
    some += ", every S of the N clients" if DRAW in ranges else ""
    parts = [some if theorem.K is None else f"K = {theorem.K}, every N, T"]
    if "h" in ranges:
        high = ranges["h"][1]
        below, named = ("K L", "") if theorem.K is None else ("L", "; h = eta K L")
        parts.append(f"every eta <= {_over(high / (theorem.K or 1), below)}{named}")
    else:
        parts += [f"{low} <= {name} <= {high}" for name, (low, high) in ranges.items()]
    free = {"eta", *theorem.letters}
    kinds = units(theorem.method)
    for name, value in hyperparameters(theorem.method).items():
        if name not in free:
            parts.append(f"{name} = {_over(Fraction(value), 'L') if kinds.get(name) == STEP else value}")
    return ", ".join(parts) + ("" if "h" in ranges else "; in units in which L = 1")


def _over(high: Fraction, below: str) -> str:
    if high.denominator == 1:
        return f"{high.numerator}/{below}" if " " not in below else f"{high.numerator}/({below})"
    return f"{high.numerator}/({high.denominator} {below})"


def best_step(theorem: StepTheorem) -> str | None:
    """Return the best step without noise, where factors are single numbers: the step adviser as a formula."""
    zero = (0,) * len(theorem.letters)
    if theorem.K is not None or set(theorem.rate) != {zero} or theorem.given.zeta is None:
        return None
    start, drift = theorem.first["Delta"], theorem.always.get("zeta", {})
    if set(start) != {(0, -1)} or set(drift) != {(0, 2)}:
        return None
    # The derivative of a/h + q h^2 vanishes at h^3 = a/(2 q).
    ratio = start[0, -1] / (2 * drift[0, 2])
    high = theorem.box[1][1]
    return f"eta K L = min({high}, ({_number(ratio)} L Delta/(T zeta^2))^(1/3))"


def as_data(theorem: StepTheorem) -> dict[str, object]:
    """Return the theorem as plain data; its proof is checked for it, and timed."""
    from boundcheck.worst.theorems.all_steps.bound import bound_of_steps

    began = time.perf_counter()
    check(theorem.proof)
    checked = time.perf_counter() - began
    bound = bound_of_steps(theorem)
    ranges = {x: [str(low), str(high)] for x, (low, high) in zip(theorem.letters, theorem.box, strict=True)}
    return {
        "method": theorem.method.card.id,
        "K": theorem.K,
        "holds": where(theorem),
        "theorem": inequality(theorem),
        "falls": falling_inequality(theorem),
        "terms": {name: str(term) for name, term in bound.terms.items()},
        "conditions": [condition.text for condition in bound.conditions],
        "box": ranges,
        "up_to": ranges["h"][1] if "h" in ranges else None,
        "best_step": best_step(theorem),
        "gap": None if math.isnan(theorem.gap) else round(100 * theorem.gap, 3),
        "seconds": round(theorem.seconds, 2),
        "proof": {"certificates": 1, "numbers": count_numbers(theorem), "seconds": round(checked, 2)},
        "certificate": theorem.proof,
    }


def count_numbers(theorem: StepTheorem) -> int:
    """Return how many numbers the file of a theorem holds: coefficients of potentials and multipliers."""
    return sum(len(_NUMBERS.findall(text)) for text in _texts(theorem.proof))


def _texts(part: object) -> list[str]:
    if isinstance(part, dict):
        return [text for value in part.values() for text in _texts(value)]
    if isinstance(part, list):
        return [text for value in part for text in _texts(value)]
    return [part] if isinstance(part, str) else []
