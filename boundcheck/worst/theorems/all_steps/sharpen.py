"""Theorems for all steps from a method: one K (`sharpen_steps`), or every K (`sharpen_all_k`)."""

from __future__ import annotations

import dataclasses
import math
import time
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.worst.facts.classes import ProblemClass
from boundcheck.worst.gram.exact import ExactNumber
from boundcheck.worst.gram.units import hyperparameters, with_fractions
from boundcheck.worst.theorems.all_k.chain import ChainLemmas
from boundcheck.worst.theorems.all_k.constants import search_few
from boundcheck.worst.theorems.all_k.last import LastLemmas
from boundcheck.worst.theorems.all_k.lemmas import Degrees, Lemmas
from boundcheck.worst.theorems.all_k.loop import LocalLoop, local_loop
from boundcheck.worst.theorems.all_k.sampled import DRAWN_NOISE, DRAWN_ZETA, SampledLemmas
from boundcheck.worst.theorems.all_k.search import AllKProof, StepCell, cell_at, nearest, nearest_in_few_digits
from boundcheck.worst.theorems.all_k.text import file_of as file_of_all_k
from boundcheck.worst.theorems.all_steps.search import StepProof, best_at, grid, prove, require_points
from boundcheck.worst.theorems.all_steps.text import file_of
from boundcheck.worst.theorems.all_steps.theorem import StepTheorem
from boundcheck.worst.theorems.bernstein.polynomials import Poly, add, constant, multiply, shift
from boundcheck.worst.theorems.family import StepFamily, polynomials

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boundcheck.methods.base import Method
    from boundcheck.worst.theorems.all_k.constants import FewConstants
    from boundcheck.worst.theorems.bernstein.coefficients import Box
    from boundcheck.worst.theorems.family import RoundPolynomials
    from boundcheck.worst.theorems.lmi import Costs

_SEEN = (0.02, 0.06, 0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Shares of a range at which the search compares with the best theorems of one step."""
_UNSEEN = (0.033, 0.17, 0.44, 0.73, 0.97)
_CORNERS, _BETWEEN, _INSIDE = (0.0, 0.5, 1.0), (0.25, 0.75), (0.21, 0.77)
"""Shares of the sides of a box: two grids that the search sees, and one that it does not."""
_DEGREES = {1: (3, 2), 2: (2,), 3: (1, 2)}
"""Degrees that are tried, by the number of letters."""
_SOME_K, _OTHER_K, _SOME_N = (1, 2, 4, 8), (3, 7), (2, 8, 64)
_CHAINED_K = (2, 4, 8, 32)
"""K at which a theorem for K >= 2 is compared, a large one among them: e = 1/K goes to 0."""
_ALONG, _FEW_LONG = Degrees(3, 1, 1), Degrees(4, 1, 1)
"""Degrees of a theorem with few constants or with noise, and of one with few constants for long steps."""
_NEAR, _NEAR_LONG, _NEAR_NOISY = Degrees(4, 2, 2), Degrees(8, 1, 1), Degrees(4, 2, 1)
"""Degrees of a theorem near the best ones, of one for long steps, and of one with noise."""
_LONG, _LONGER = Fraction(1, 2), Fraction(3, 4)
"""eta K beyond which few constants need smoothness between neighbours; beyond which more powers of t come nearer."""
_SHARES_OF_RATE = (Fraction(1), Fraction(3, 4), Fraction(1, 2))
"""Of the rate of the ordinary theorem: what is tried where the potential has to fall by itself."""
_START = 0.1
"""What G_0 counts for, in units of L Delta."""


def sharpen_steps(
    method: Method,
    *,
    K: int,
    up_to: Fraction = Fraction(1),
    box: Mapping[str, tuple[Fraction, Fraction]] | None = None,
    given: ProblemClass | None = None,
) -> StepTheorem:
    """Find a theorem for one K and all steps, and prove it over Q.

    Parameters
    ----------
    method : Method
        In units in which L = 1; hyperparameters in the box (else eta) are not used.
    K : int
        Local steps.
    up_to : Fraction
        The largest h = eta K; where a box is given it is not used.
    box : mapping, optional
        Hyperparameter to its least and largest value; all are above 0.
    given : ProblemClass, optional
        By default G_0 at the start where there is a theorem with it, else zeta at server points.

    Raises
    ------
    InputError
        If K, the range or the box is not legal.
    NotApplicableError
        If the round is no polynomial in the steps, or no theorem was found.
    """
    require_count(K, "K")
    ranges = _ranges(method, up_to, box)
    began = time.perf_counter()
    made, letters, ends = None, tuple(ranges), tuple(ranges.values())
    for candidate in _candidates(given):
        family = StepFamily(with_fractions(_with_legal_values(method, ranges, K)), letters, K, candidate)
        made = polynomials(family)
        proof = _prove(made, ends, from_zero=not box)
        if proof is not None:
            break
    else:
        msg = (
            f"method {method.card.id}: no theorem for K = {K} and {_ranges_text(ranges)} was found; try a smaller range"
        )
        raise NotApplicableError(msg)
    points = [best_at(made, point, _costs(made, point)) for point in grid(ends, _INSIDE if box else _UNSEEN)]
    gaps = [proof.right_side(one.point, one.costs) / one.value - 1 for one in points if one is not None]
    factor = {system: _factors(proof, system) for system in ("start", "round")}
    seconds = time.perf_counter() - began
    rate = proof.unknowns["r",]
    kept = family.method
    return StepTheorem(
        kept, candidate, K, letters, ends, rate, factor["start"], factor["round"], max(gaps), seconds, file_of(proof)
    )


def _ranges(
    method: Method, up_to: Fraction, box: Mapping[str, tuple[Fraction, Fraction]] | None
) -> dict[str, tuple[Fraction, Fraction]]:
    if not box:
        require(0 < up_to <= 4, "up-to", str(up_to), "a number in (0, 4], the largest eta K L")
        if not any(f.name == "eta" for f in dataclasses.fields(method)):  # type: ignore[arg-type]
            msg = f"method {method.card.id}: it has no local step eta; a box of its steps is what a theorem may be for"
            raise NotApplicableError(msg)
        return {"h": (Fraction(0), Fraction(up_to))}
    legal = sorted(hyperparameters(method))
    for name, (low, high) in box.items():
        require(name in legal, "box", name, f"one of {', '.join(legal)}")
        require(0 < low < high, f"box {name}", f"{low}:{high}", "two numbers, 0 < low < high")
    return {name: (Fraction(low), Fraction(high)) for name, (low, high) in box.items()}


def _ranges_text(ranges: Mapping[str, tuple[Fraction, Fraction]]) -> str:
    return ", ".join(
        f"{low} <= {name} <= {high}" if low else f"{name} = eta K <= {high}" for name, (low, high) in ranges.items()
    )


def _with_legal_values(method: Method, ranges: Mapping[str, tuple[Fraction, Fraction]], K: int) -> Method:
    """Return the method with legal values in the place of the letters."""
    values = {("eta" if n == "h" else n): ExactNumber(high / (K if n == "h" else 1)) for n, (_, high) in ranges.items()}
    # A method without eta is refused by name when its loop is read.
    known = {f.name for f in dataclasses.fields(method)}  # type: ignore[arg-type]
    return dataclasses.replace(method, **{n: v for n, v in values.items() if n in known})  # type: ignore[type-var]


def _candidates(given: ProblemClass | None) -> list[ProblemClass]:
    if given is None:
        given = ProblemClass(N=2, Delta=1.0)
    require(given.L == 1.0, "L", given.L, "1: steps are in units in which L = 1")
    if given.zeta is not None or given.G_0 is not None:
        return [given]
    return [dataclasses.replace(given, G_0=1.0), dataclasses.replace(given, zeta=1.0)]


def _costs(made: RoundPolynomials, point: Sequence[float]) -> Costs:
    """Return weights at which the terms of a theorem are of one size."""
    given = made.family.given
    if given.zeta is None:
        return {"start": {"Delta": 1.0, "G_0": _START}, "round": {}}
    values = dict(zip(made.family.letters, point, strict=True))
    h = values.get("h") or values.get("eta", 0.1) * made.family.K
    order = 1 if "gamma" not in hyperparameters(made.family.method) or made.family.method.card.id == "fedavg" else 0
    if order:
        return {"start": {"Delta": 1.0, "zeta": 1.0}, "round": {"zeta": 4 / h**3}}
    gamma = float(values.get("gamma") or getattr(made.family.method, "gamma"))  # noqa: B009
    return {"start": {"Delta": 1.0, "zeta": 1.0}, "round": {"zeta": 4 / h**2 / gamma}}


def _prove(made: RoundPolynomials, ends: Box, *, from_zero: bool) -> StepProof | None:
    seen = grid(ends, _SEEN) if from_zero else [*grid(ends, _CORNERS), *grid(ends, _BETWEEN)]
    best = [best_at(made, point, _costs(made, point)) for point in seen]
    if not any(best):
        return None
    points = require_points(made, best)
    found: list[StepProof] = []
    for degree in _DEGREES.get(len(ends), (1,)):
        proof = prove(made, ends, points, degree=degree, from_zero=from_zero)
        if proof is not None:
            found.append(proof)
            if from_zero or proof.gap < _ENOUGH:
                break
    return min(found, key=lambda proof: proof.gap) if found else None


_ENOUGH = 0.01
"""Excess at which no larger degree is tried in a box."""


def _factors(proof: StepProof, system: str) -> dict[str, Poly]:
    names = ("Delta", "G_0", "zeta")
    return {name: p for name in names if (p := proof.factor(system, name))}


def sharpen_all_k(
    method: Method,
    *,
    up_to: Fraction = Fraction(1, 2),
    given: ProblemClass | None = None,
    few: bool = True,
    degrees: Degrees | None = None,
    compare: bool = True,
    polyak: bool = False,
    drawn: bool = False,
) -> StepTheorem:
    """Find a theorem for every K, every N and all eta K L up to a number, and prove it over Q.

    Parameters
    ----------
    method : Method
        In units in which L = 1; eta is not used.
    up_to : Fraction
        The largest h = eta K.
    given : ProblemClass, optional
        By default G_0 at the start where there is a theorem with it, else zeta; with sigma > 0 it is of noise too.
    few : bool
        Whether each factor is one short number, or a polynomial near the best theorems of each K and step.  That
        theorem is for K >= 2, and so is one with few numbers and without noise for eta K L beyond 1/2.
    degrees : Degrees, optional
        Of the unknown polynomials.
    compare : bool
        Whether it is compared with the best theorems at some K, N and steps that the search does not see.
    polyak : bool
        Whether its potential also falls by a share where |grad f|^2 >= 2 mu (f - f_star), for every mu <= L.
    drawn : bool
        Whether S of N clients take part in each round, drawn uniformly, for every S; with few constants only.

    Raises
    ------
    NotApplicableError
        If the method has no plain local loop, or no theorem was found.
    """
    require(0 < up_to <= 4, "up-to", str(up_to), "a number in (0, 4], the largest eta K L")
    require(few or not drawn, "few", few, "True where S of N clients take part")
    began = time.perf_counter()
    ranges = {"h": (Fraction(0), Fraction(up_to))}
    for candidate in _candidates(given):
        loop = local_loop(with_fractions(_with_legal_values(method, ranges, 1)), candidate)
        noisy = candidate.sigma > 0
        chain = not (noisy or drawn or polyak) and (not few or up_to > _LONG)
        last = noisy and not (few or drawn or polyak)
        kind = ChainLemmas if chain else LastLemmas if last else SampledLemmas if drawn else Lemmas
        plain = _FEW_LONG if few else _NEAR if up_to <= _LONGER else _NEAR_LONG
        powers = degrees or (plain if chain else _NEAR_NOISY if last else _ALONG)
        proof: AllKProof | None
        numbers: dict[str, Fraction] | None = None
        programme = partial(kind, loop, Fraction(up_to), powers, noisy=noisy)
        if few or polyak:
            found = _search_falling(programme) if polyak else search_few(programme())
            proof, numbers = (found.proof, found.numbers) if found else (None, None)
        else:
            lemmas = programme()
            counts = _CHAINED_K if chain else _SOME_K[1:] if last else _SOME_K
            search = nearest_in_few_digits if last else nearest
            proof = search(lemmas, _cells(loop, lemmas.up_to, counts, (0.1, 0.3, 0.6, 1.0)))
        if proof is not None:
            break
    else:
        msg = f"method {method.card.id}: no theorem for all K and eta K <= {up_to} was found; try a smaller range"
        raise NotApplicableError(msg)
    return _all_k_theorem(proof, numbers, began, compare=compare)


def _search_falling(programme: Callable[..., Lemmas]) -> FewConstants | None:
    """Return a theorem whose potential falls under the Polyak-Lojasiewicz condition, with a rate as large as goes."""
    ordinary = search_few(programme())
    if ordinary is None:
        return None
    for share in _SHARES_OF_RATE:
        rate = ordinary.numbers["rate"] * share
        if (found := search_few(programme(polyak=rate), rate=rate)) is not None:
            return found
    return None


def _cells(loop: LocalLoop, up_to: Fraction, counts: Sequence[int], shares: Sequence[float]) -> list[StepCell]:
    found = []
    for K in counts:
        for share in shares:
            h = float(up_to) * share
            counts_of_clients = _SOME_N if loop.given.sigma else (2,)
            found += [cell_at(loop, K, N, h, costs_of_loop(loop, K, h)) for N in counts_of_clients]
    cells = [cell for cell in found if cell is not None]
    if len(cells) < len(found) / 2:
        msg = (
            f"method {loop.method.card.id}: there are steps up to eta K = {up_to} at which it has no one-round theorem"
        )
        raise NotApplicableError(msg)
    return cells


def costs_of_loop(loop: LocalLoop, K: int, h: float) -> Costs:
    """Return weights at which the terms of a theorem are of one size."""
    length = h if loop.order else float(hyperparameters(loop.method).get("gamma", 1.0))
    start = {"Delta": 1.0}
    if loop.given.G_0 is not None:
        start["G_0"] = _START
    always = {} if loop.given.zeta is None else {"zeta": 4 / length / h**2}
    if loop.given.sigma:
        always["sigma"] = 4 / length**2 * K
    return {"start": start, "round": always}


def _all_k_theorem(
    proof: AllKProof, numbers: Mapping[str, Fraction] | None, began: float, *, compare: bool
) -> StepTheorem:
    lemmas, loop = proof.lemmas, proof.lemmas.loop
    over: Poly = {(0, 0, -loop.order): Fraction(1)}
    first = {"Delta": add(over, proof.polynomial("floor")), "G_0": proof.polynomial("G_0")}
    always = {"zeta": multiply(proof.polynomial("zeta"), {(0, 0, 2): Fraction(1)})}
    if lemmas.noisy:
        for block, name in enumerate(("mean noise", "noise apart")):
            factor = proof.noise(block)
            if numbers is not None:
                factor = shift(constant(numbers[name], 3), (0, 0, (lemmas.noise_power, 2)[block]))
            always[name] = multiply(factor, {(0, 1, 0): Fraction(1)})
    gap = math.nan
    drawn = isinstance(lemmas, SampledLemmas)
    if compare and not drawn:
        gap = proof.gap(_cells(loop, lemmas.up_to, _OTHER_K, (0.3, 0.9)))
    of_draws = {"zeta": shift(proof.polynomial(DRAWN_ZETA), (0, 0, 1))}
    of_draws["noise apart"] = shift(proof.polynomial(DRAWN_NOISE), (0, 1, 1))

    def own(p: Poly, of_draw: Poly | None = None) -> Poly:
        """Return a polynomial without t; with the letter p where clients are drawn."""
        if not drawn:
            return {e[1:]: c for e, c in p.items()}
        return {(*e[1:], 0): c for e, c in p.items()} | {(*e[1:], 1): c for e, c in (of_draw or {}).items()}

    return StepTheorem(
        loop.method,
        loop.given,
        None,
        ("e", "h", "p") if drawn else ("e", "h"),
        (*lemmas.rounds[1:], (Fraction(0), Fraction(1))) if drawn else lemmas.rounds[1:],
        own(proof.polynomial("rate")),
        {n: own(p) for n, p in first.items() if p},
        {n: own(p, of_draws.get(n)) for n, p in always.items() if p},
        gap,
        time.perf_counter() - began,
        file_of_all_k(proof, numbers),
    )
