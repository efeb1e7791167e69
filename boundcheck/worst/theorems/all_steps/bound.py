"""A theorem for all steps as a `Bound`: steps stay letters, so that one theorem serves a whole grid."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError
from boundcheck.notation import NUMBER, STEP, symbols
from boundcheck.worst.gram.units import hyperparameters, units
from boundcheck.worst.theorems.all_steps.theorem import DRAW
from boundcheck.worst.theorems.bernstein.polynomials import read_polynomial

if TYPE_CHECKING:
    import sympy as sp

    from boundcheck.bounds.bound import Bound, Condition
    from boundcheck.worst.theorems.all_steps.theorem import StepTheorem
    from boundcheck.worst.theorems.bernstein.polynomials import Poly

_WORDS = {
    "Delta": "descent",
    "G_0": "gradients at the start",
    "zeta": "heterogeneity",
    "mean noise": "noise of the mean",
    "noise apart": "noise of the clients",
}
_AT_START = ("descent", "gradients at the start")
"""What the start brings once."""


def bound_of_steps(theorem: StepTheorem) -> Bound:
    """Return a theorem for all steps as a bound, eta (and K) free.

    Raises
    ------
    NotApplicableError
        If a hyperparameter that is a letter has no letter of the notation.
    """
    from boundcheck.bounds.bound import Bound

    card, given = theorem.method.card, theorem.given
    L, Delta = symbols("L Delta")
    letters = _letters(theorem)
    fixed, choices, hyper = _others(theorem)
    needs = [n for n in ("zeta", "sigma", "G_0") if any(_constant(c) == n for c in (*theorem.first, *theorem.always))]
    return Bound(
        id=f"sharpened.{card.id}-all-{'K' if theorem.K is None else 'steps'}",
        paper=card.paper,
        title=f"{card.title}, every {'K and every step' if theorem.K is None else 'step'} of a range",
        where="no paper: a proof over the rationals",
        method=card.id,
        metric="server_gradient",
        needs=("L", "Delta", *needs),
        parameters=_free(theorem, letters) | fixed,
        choices=choices,
        hyper=hyper,
        free=tuple(_names(theorem)),
        rigid=bool(fixed),
        terms=terms_of(theorem),
        trivial=2 * L * Delta,
        conditions=_conditions(theorem),
        form="sharpened",
        exact_gradients=not given.sigma,
        note="Found by a programme, proved over the rationals; for every T and every N.",
        certificate=theorem.proof,
    )


def bound_of_falling(theorem: StepTheorem) -> Bound:
    """Return what a theorem says where |grad f|^2 >= 2 mu (f - f_star) as a bound: the last value, eta and K free.

    Raises
    ------
    NotApplicableError
        If its potential does not fall by itself.
    """
    said = theorem.proof.get("polyak")
    if said is None:
        msg = (
            f"method {theorem.method.card.id}: the potential of this theorem is not one that falls; ask for polyak=True"
        )
        raise NotApplicableError(msg)
    L, Delta, mu_PL, T = symbols("L Delta mu_PL T")
    named = _letters(theorem)
    fall, over = (
        expression(read_polynomial(said[key], theorem.letters), theorem.letters, named) for key in ("fall", "over")
    )
    rate = expression(theorem.rate, theorem.letters, named)
    once, always = T * rate * (1 - mu_PL / L * fall) ** T / (L * over), rate / (over * fall * mu_PL)
    plain = bound_of_steps(theorem)
    starts = {word for word in plain.terms if word in _AT_START or word.endswith("at the start")}
    return dataclasses.replace(
        plain,
        id=f"{plain.id}-pl",
        title=f"{plain.title}, Polyak-Lojasiewicz",
        metric="final_suboptimality",
        parameters={**plain.parameters, "eta": as_rational(theorem.box[1][1]) * symbols("eta")[0] / named["h"]},
        needs=(*plain.needs, "mu_PL"),
        terms={word: (once if word in starts else always) * term for word, term in plain.terms.items()},
        trivial=Delta,
    )


def _constant(name: str) -> str:
    return "sigma" if "noise" in name else name


def _names(theorem: StepTheorem) -> list[str]:
    """Return the hyperparameters that are letters."""
    return ["eta"] if "h" in theorem.letters else list(theorem.letters)


def _letters(theorem: StepTheorem) -> dict[str, sp.Expr]:
    """Return what the letters of the polynomials are: steps are in units in which L = 1."""
    import sympy

    L, eta, K, N, S = symbols("L eta K N S")
    steps = K if theorem.K is None else sympy.Integer(theorem.K)
    found = {"h": eta * steps * L, "e": 1 / steps, DRAW: (N - S) / (S * sympy.Max(1, N - 1))}
    if "h" not in theorem.letters:
        kinds = units(theorem.method)
        for name in theorem.letters:
            (letter,) = symbols(name)
            if kinds.get(name) not in (NUMBER, STEP):
                msg = f"method {theorem.method.card.id}: {name} is neither a number nor a step: no letter for it"
                raise NotApplicableError(msg)
            found[name] = letter * L if kinds[name] == STEP else letter
    return found


def _free(theorem: StepTheorem, letters: dict[str, sp.Expr]) -> dict[str, sp.Expr]:
    """Return the defaults of the letters: the largest steps, or those where the descent and another term are least."""
    from boundcheck.bounds.common import least

    if "h" in theorem.letters:
        (eta,) = symbols("eta")
        longest = as_rational(theorem.box[theorem.letters.index("h")][1]) * eta / letters["h"]
        descent, ends = terms_of(theorem)["descent"], [longest]
        if descent.as_coeff_exponent(eta)[1] != -1 or len(theorem.rate) > 1:
            return {"eta": longest}
        # a/eta + c eta^k is least at eta^(k + 1) = a/(k c); the noise of the clients is the smallest at short steps.
        for name, p in theorem.always.items():
            for e, factor in p.items() if name != "noise apart" else ():
                one = dataclasses.replace(theorem, always={name: {e: factor}}, first={})
                c, k = terms_of(one)[_WORDS[name]].as_coeff_exponent(eta)
                ends += [(descent * eta / (k * c)) ** (1 / (k + 1))] if k > 0 else []
        return {"eta": least(*ends)}
    found = {}
    for name, (_, high) in zip(theorem.letters, theorem.box, strict=True):
        (letter,) = symbols(name)
        found[name] = as_rational(high) * letter / letters[name]
    return found


def _others(theorem: StepTheorem) -> tuple[dict[str, sp.Expr], dict[str, Any], dict[str, str]]:
    """Return the hyperparameters that are numbers: steps as letters over L, others as choices."""
    (L,) = symbols("L")
    values, kinds = hyperparameters(theorem.method), units(theorem.method)
    fixed: dict[str, sp.Expr] = {}
    free = _names(theorem)
    fields = dataclasses.fields(theorem.method)  # type: ignore[arg-type]
    choices = {f.name: getattr(theorem.method, f.name) for f in fields if f.name not in free}
    for name, value in values.items():
        if name in free:
            continue
        choices[name] = float(value)
        if kinds.get(name) == STEP:
            fixed[name] = as_rational(Fraction(value)) / L
            del choices[name]
    return fixed, choices, {}


def as_rational(value: Fraction) -> sp.Rational:
    """Return a fraction as sympy's."""
    import sympy

    return sympy.Rational(value.numerator, value.denominator)


def expression(p: Poly, letters: tuple[str, ...], named: dict[str, sp.Expr]) -> sp.Expr:
    """Return a polynomial as an expression."""
    import sympy

    terms = []
    for e, c in sorted(p.items()):
        terms.append(as_rational(c) * sympy.Mul(*(named[x] ** k for x, k in zip(letters, e, strict=True))))
    return sympy.Add(*terms)


def terms_of(theorem: StepTheorem) -> dict[str, sp.Expr]:
    """Return the terms of the right-hand side by their names."""
    L, Delta, zeta, sigma, G_0, b, T, N = symbols("L Delta zeta sigma G_0 b T N")
    named = _letters(theorem)
    rate = expression(theorem.rate, theorem.letters, named)
    constants = {
        "Delta": L * Delta,
        "G_0": G_0,
        "zeta": zeta**2,
        "mean noise": sigma**2 / (b * N),
        "noise apart": sigma**2 / b * (1 - 1 / N),
    }
    found = {}
    for name, p in theorem.always.items():
        found[_WORDS[name]] = expression(p, theorem.letters, named) * constants[name] / rate
    for name, p in theorem.first.items():
        word = _WORDS[name]
        word = f"{word} at the start" if word in found else word
        found[word] = expression(p, theorem.letters, named) * constants[name] / (rate * T)
    return {word: found[word] for word in sorted(found, key=lambda word: (word not in _AT_START, word))}


def _conditions(theorem: StepTheorem) -> tuple[Condition, ...]:
    from sympy import Eq, Le

    from boundcheck.bounds.bound import Condition
    from boundcheck.bounds.common import FULL

    K, L, eta = symbols("K L eta")
    found = [] if DRAW in theorem.letters else [FULL]
    if theorem.K is not None:
        found.append(Condition("local steps", Eq(K, theorem.K)))
    if "e" in theorem.letters and theorem.box[theorem.letters.index("e")][1] < 1:
        found.append(Condition("local steps", Le(2, K)))
    if "h" in theorem.letters:
        high = as_rational(theorem.box[theorem.letters.index("h")][1])
        steps = K if theorem.K is None else theorem.K
        found.append(Condition("short steps", Le(eta, high / (steps * L))))
        return tuple(found)
    named = _letters(theorem)
    for name, (low, high) in zip(theorem.letters, theorem.box, strict=True):
        (letter,) = symbols(name)
        unit = letter / named[name]
        found.append(Condition(f"{name} at least", Le(as_rational(low) * unit, letter)))
        found.append(Condition(f"{name} at most", Le(letter, as_rational(high) * unit)))
    return tuple(found)
