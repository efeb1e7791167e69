"""The theorem with few constants: every factor is one number times its power of eta, K and L."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.worst.theorems.all_k.chain import ChainLemmas
from boundcheck.worst.theorems.all_k.lemmas import ONE
from boundcheck.worst.theorems.all_k.sampled import DRAWN_NOISE, DRAWN_ZETA, SampledLemmas
from boundcheck.worst.theorems.all_k.search import find_proof
from boundcheck.worst.theorems.bernstein.polynomials import Poly, scale, shift

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.worst.theorems.all_k.lemmas import Lemmas
    from boundcheck.worst.theorems.all_k.search import AllKProof

RATE, ZETA, MEAN, APART, FLOOR, START = "rate", "zeta", "mean noise", "noise apart", "floor", "G_0"
"""Names of constants: of |grad F|^2, h^2 zeta^2, e h^order sigma^2/N, e h^2 sigma^2 (1 - 1/N), Delta/T and G_0/T."""
_NONE = (0, 0, 0)
_COSTS = {ZETA: 1.0, MEAN: 0.15, APART: 0.6, FLOOR: 0.1, START: 0.1}
"""What constants count for beside each other: near the reciprocals of what FedAvg has."""
_COSTS_OF_DRAWS = {ZETA: 0.6, MEAN: 0.3, APART: 0.6, DRAWN_ZETA: 0.8, DRAWN_NOISE: 0.4}
"""The same where clients are drawn: at short steps what a draw adds is the most."""
_SHARE, _SHARE_OF_DRAWS = (Fraction(7, 10), Fraction(4, 5)), (Fraction(4, 5), Fraction(9, 10))
_SHARE_OF_CHAINS = (Fraction(4, 5), Fraction(19, 20))
"""Of the largest rate: between these a short fraction is taken."""
_SMALL, _LEAST = Fraction(1, 100_000), Fraction(1001, 1000)


@dataclass(frozen=True)
class FewConstants:
    """A theorem with a number for each constant.

    Attributes
    ----------
    proof : AllKProof
    numbers : dict
        Name of a constant to its number.
    """

    proof: AllKProof
    numbers: dict[str, Fraction]


def ask_few(lemmas: Lemmas) -> None:
    """Ask of a programme that each factor is at most a number: the unknowns ``(name,)``."""
    programme = lemmas.programme
    powers = [m for m in lemmas.degrees.once if m != _NONE]
    programme.drop((name, m) for name in (RATE, ZETA, START, FLOOR) for m in powers)
    if lemmas.loop.order and len(lemmas.loop.state[0]) == 1:
        # The start pays F alone: the server keeps nothing but x.
        programme.drop([(FLOOR, _NONE)])
        if lemmas.polyak is not None:
            # What is paid at the start and at least 0 in every round is 0.
            programme.drop([u for u in programme.unknowns if u[0] == "W"])
    if lemmas.noisy:
        for name, block, power in ((MEAN, 0, lemmas.noise_power), (APART, 1, 2)):
            sums: dict[Any, Poly] = {u: scale(shift(p, (0, 0, -power)), -1) for u, p in lemmas.noise[block].items()}
            programme.ask_positive(name, sums | {(name,): ONE}, lemmas.rounds)


def few_constants(lemmas: Lemmas, fixed: Mapping[str, Fraction], cost: Mapping[str, float]) -> FewConstants | None:
    """Return the theorem with some constants given and the others of least cost, proved over Q; or None.

    Parameters
    ----------
    lemmas : Lemmas
        A programme of its own, after `ask_few`.
    fixed : mapping
        Constants that are given.
    cost : mapping
        What one of the others counts for.
    """
    programme = lemmas.programme
    key: dict[str, Any] = {name: (name, _NONE) for name in (RATE, ZETA, FLOOR, START, DRAWN_ZETA, DRAWN_NOISE)}
    key |= {MEAN: (MEAN,), APART: (APART,)}
    key = {name: u for name, u in key.items() if u in programme.unknowns}
    kept = len(programme.equations)
    for name, value in fixed.items():
        programme.fix(key[name], value)
    free = {key[name]: c for name, c in cost.items() if name in key and name not in fixed}
    proof = find_proof(lemmas, free, roomy=not free)
    del programme.equations[kept:]
    return None if proof is None else FewConstants(proof, {name: proof.values[u] for name, u in key.items()})


def search_few(lemmas: Lemmas, rate: Fraction | None = None) -> FewConstants | None:
    """Return a theorem with few and short constants.

    Parameters
    ----------
    lemmas : Lemmas
        A programme of its own.
    rate : Fraction, optional
        What multiplies |grad F|^2; by default a short fraction at some share of the largest one.
    """
    ask_few(lemmas)
    costs, (low, high) = (_COSTS_OF_DRAWS, _SHARE_OF_DRAWS) if isinstance(lemmas, SampledLemmas) else (_COSTS, _SHARE)
    if isinstance(lemmas, ChainLemmas):
        low, high = _SHARE_OF_CHAINS
    if rate is None:
        largest = few_constants(lemmas, {}, {RATE: -1.0} | dict.fromkeys(costs, 1e-6))
        if largest is None:
            return None
        top = largest.numbers[RATE]
        rate = short_fraction(top * low, top * high)
    found = few_constants(lemmas, {RATE: rate}, costs)
    if found is None:
        return None
    # What is printed are the quotients by the rate: they become short.
    small = [name for name, value in found.numbers.items() if value / rate < _SMALL]
    programme = lemmas.programme
    programme.drop((name, _NONE) for name in small)
    for slack in (Fraction(8, 100), Fraction(25, 100)):
        fixed = {RATE: rate}
        for name, value in found.numbers.items():
            if name not in (*fixed, *small):
                quotient = value / rate
                fixed[name] = rate * short_fraction(quotient * _LEAST, quotient * (1 + slack))
        again = few_constants(lemmas, fixed, {})
        if again is not None:
            return again
    return found


def short_fraction(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction of smallest denominator in [low, high], 0 < low < high."""
    whole = low.numerator // low.denominator
    if whole == low:
        return low
    if whole + 1 <= high:
        return Fraction(whole + 1)
    return whole + 1 / short_fraction(1 / (high - whole), 1 / (low - whole))
