"""A reviewer's questions, a function each."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from sympy import Pow

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.orders import decay, exponents
from boundcheck.errors import BoundcheckError, InputError, NotANumberError, NotApplicableError
from boundcheck.evidence.checks.check import Procedure, examine
from boundcheck.evidence.checks.exponents import fit_exponent
from boundcheck.evidence.checks.feasibility import informative_from, longest_of
from boundcheck.evidence.checks.survey import SURVEYED
from boundcheck.evidence.search.extremes import tightness
from boundcheck.evidence.search.instances import TrialInstance, speaks_of_minibatches
from boundcheck.evidence.statistics.verdict import not_applicable
from boundcheck.evidence.trials.examples import example_of, letters_at_zero, pinned_letters, size_within
from boundcheck.evidence.trials.fitting import at_defaults
from boundcheck.files.display import list_values
from boundcheck.methods import METHODS
from boundcheck.metrics import METRICS
from boundcheck.problems.own.computed import with_own_letters
from boundcheck.reviews.answers import InformativeHorizon, ProofAnswer, RateSeen, WorstOfClass
from boundcheck.reviews.places import along_horizons

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from boundcheck.bounds.bound import Bound
    from boundcheck.evidence.search.refutation import Refutation
    from boundcheck.evidence.statistics.verdict import Verdict
    from boundcheck.reviews.places import SuitablePlace

_REPLICATES, _BUDGET = 16, 64
_GRID = 7
"""Horizons of a fit."""
_FITTED = 16
"""Runs of each where they differ."""
_SQUARE = (2, -2)
"""Unit of a squared gradient."""
_DOUBLINGS, _FAINT = 13, 1e-20
"""Horizons at which a linear rate is looked at, and the share of the first value that rounding may have made."""
LEFT = "not asked: the seconds were over"
"""The answer to a question that was cut off."""
SEARCHED = "what its search had found"
_WHOLE, CERTIFIED = "from its assumptions", "by a certificate"
_SHORT = ((2, 4), (1, 4), (1, 3), (1, 2), (2, 1), (1, 1))
"""K and T of a worst case, the first that the conditions allow."""


def at_place(at: TrialInstance) -> str:
    """Return a problem and a setting in words."""
    some = f", S = {at.S}" if at.S else ""
    return f"{at.problem}, N = {at.N}{some}, K = {at.K}"


def find_horizon(bound: Bound, places: Sequence[SuitablePlace]) -> InformativeHorizon:
    """Return from which T on the theorem says something.

    Of a registered theorem it is asked where reports ask it, if it speaks there; else at the first of `places`.
    """
    found = InformativeHorizon(None, "", "no problem meets its assumptions")
    for at in [*_reported_at(bound), *(place.at for place in places[:1])]:
        where = at_place(at)
        try:
            problem = with_own_letters(at.load(), bound.needs)
            first = informative_from(bound, problem, K=at.K, S=at.S)
            return InformativeHorizon(first, where, at_zero=tuple(letters_at_zero(bound)), looked_to=longest_of(bound))
        except NotApplicableError as error:
            found = InformativeHorizon(None, where, str(error))
    return found


def _reported_at(bound: Bound) -> list[TrialInstance]:
    """Return the problem and the size at which a report asks of a registered theorem from which T it says something."""
    if bound.id not in BOUNDS:
        return []
    name = example_of(bound)
    size = size_within(bound, name, *SURVEYED)
    return [TrialInstance(name, size.N, size.K, 1, size.S if size.S < size.N else None)]


def measure_places(bound: Bound, places: Sequence[SuitablePlace], *, alpha: float, seed: int) -> Iterator[Verdict]:
    """Yield the verdict at every place; together they err with probability at most alpha.

    Where a method or a metric has 0/0, as at a minimiser, the theorem is not applicable.
    """
    procedure = Procedure(alpha / max(len(places), 1), _REPLICATES, _BUDGET, seed)
    for place in places:
        problem = place.at.load()
        try:
            yield examine(bound, problem, place.at.setting(problem), procedure, dict(place.at.overrides)).verdict
        except NotANumberError as error:
            yield not_applicable(bound.id, problem.name, str(error))


def nearest_first(places: Sequence[SuitablePlace], measured: Sequence[Verdict]) -> list[SuitablePlace]:
    """Return places in the order in which left-hand sides came near the right: there a rate shows, elsewhere later.

    Parameters
    ----------
    places : sequence of SuitablePlace
    measured : sequence of Verdict
        What was measured at the first of them, in the same order.
    """

    def room(k: int) -> float:
        left = measured[k].measured if k < len(measured) else None
        return places[k].rhs / left if left else float("inf")

    return [places[k] for k in sorted(range(len(places)), key=room)]


def see_rate(bound: Bound, places: Sequence[SuitablePlace], *, seed: int) -> RateSeen:
    """Return the promised power of T and the one that runs at doubling horizons show."""
    try:
        powers = decay(bound, "T")
        known = exponents(bound)
    except BoundcheckError as error:
        # Whether q < 1 in q^T may hang on letters of one's own; on a problem both are numbers.
        geometric = any("T" in map(str, power.exp.free_symbols) for power in bound.total.atoms(Pow))
        found = _see_factor(bound, places, seed=seed) if geometric else RateSeen("")
        return found if found.factors else RateSeen("no power of T is known", why=str(error))
    if min(powers) <= 0:
        named = {symbol.name for term in bound.terms.values() for symbol in term.free_symbols}
        if loops := sorted(named & set(bound.derived)):
            return RateSeen(f"not read off the terms: {', '.join(loops)} are computed by a loop")
        return RateSeen("the right-hand side does not fall to 0 as T grows")
    if not np.isfinite(min(powers)):
        return _see_factor(bound, places, seed=seed)
    wanted = "|grad| <= eps" if METRICS[bound.metric].unit == _SQUARE else "a left-hand side of eps^2"
    cost = f"; eps^(-{known.rounds}) rounds for {wanted}" if known.rounds is not None else ""
    promised = f"T^({known.T}){cost}"
    if bound.kind == "order" or bound.measured:
        return RateSeen(promised, why="its right-hand side is not known in numbers before a run")
    place = next((one for one in places if one.says_something), None)
    if place is None:
        return RateSeen(promised, why="it says nothing where it was measured")
    x, samples, right = [], [], []
    for at in along_horizons(bound, place, _GRID):
        try:
            trial = at.trial(bound)
            y = trial.measure(seed, 0, _FITTED if trial.is_random else 1)
        except (BoundcheckError, ArithmeticError):
            # Some conditions hold from a horizon on, or up to one: the others are enough for a fit.
            continue
        if (y > 0).all() and np.isfinite(y).all() and trial.evaluation.rhs > 0:
            x.append(float(at.T))
            samples.append(y)
            right.append(trial.evaluation.rhs)
    if len(x) < 3:
        return RateSeen(promised, where=at_place(place.at), why="fewer than three horizons can be compared")
    try:
        fit = fit_exponent("T", x, samples, [p for p in powers if np.isfinite(p)], bound_values=right, seed=seed)
    except InputError as error:
        return RateSeen(promised, where=at_place(place.at), why=str(error))
    where = f"{at_place(place.at)}, T = {x[0]:g} to {x[-1]:g}"
    return RateSeen(promised, fit, where, room=right[-1] / float(samples[-1].mean()))


def _see_factor(bound: Bound, places: Sequence[SuitablePlace], *, seed: int) -> RateSeen:
    """Return by which factor a round multiplies the right-hand side, and what was measured, where rounding is far."""
    promised = "faster than every power of T"
    place = next((one for one in places if one.says_something), None)
    if place is None or bound.kind == "order" or bound.measured:
        return RateSeen(promised, why="there is no problem on which its right-hand side can be compared")
    seen: list[tuple[int, float, float]] = []
    for at in [replace(place.at, T=2**n) for n in range(_DOUBLINGS)]:
        try:
            trial = at.trial(bound)
            y = float(trial.measure(seed, 0, _FITTED if trial.is_random else 1).mean())
        except (BoundcheckError, ArithmeticError):
            continue
        rhs = trial.evaluation.rhs
        if not (np.isfinite(y) and y > _FAINT * (seen[0][1] if seen else 0.0) and rhs > 0 and y > 0):
            break
        seen.append((at.T, y, rhs))
    if len(seen) < 2:
        return RateSeen(promised, where=at_place(place.at), why="fewer than two horizons can be compared")
    (first, y0, rhs0), (last, y1, rhs1) = seen[0], seen[-1]
    rounds = last - first
    factors = float((rhs1 / rhs0) ** (1 / rounds)), float((y1 / y0) ** (1 / rounds))
    return RateSeen(promised, None, f"{at_place(place.at)}, T = {first} to {last}", factors=factors)


def find_worst_case(bound: Bound) -> WorstOfClass:
    """Return the worst case of the theorem's class in a short run that its conditions allow, beside its promise."""
    pins = pinned_letters(bound)
    N, S = pins.get("N", 2), pins.get("S")
    # A theorem about equal clients says so by a condition: it is asked about them last.
    apart: list[dict[str, Any]] = [{"zeta": 1.0}, {"zeta": 0.0}] if {"zeta", "G_0"} & set(bound.needs) else [{}]
    sizes = dict.fromkeys((pins.get("K", K), pins.get("T", T)) for K, T in _SHORT)
    why = ""
    for heterogeneity, (K, T) in product(apart, sizes):
        some = f", S = {S}" if S else ""
        zeta = "".join(f", {name} = {value:g}" for name, value in heterogeneity.items())
        where = f"L = Delta = 1, N = {N}{some}, K = {K}, T = {T}{zeta}"
        try:
            found = tightness(bound, K=K, T=T, S=S, N=N, **heterogeneity)
        except (BoundcheckError, ArithmeticError) as error:
            why = why or str(error)
            continue
        if found.conditions:
            why = why or f"at such short runs a condition fails: {found.conditions[0]}"
            continue
        return WorstOfClass(found, where)
    return WorstOfClass(None, why=why)


def answer_proof(bound: Bound, proof: Path | None) -> ProofAnswer:
    """Return what the kernel says of a claim file, else what is known of a registered theorem."""
    from boundcheck.proofs.chain.whole.pending import PENDING
    from boundcheck.proofs.chain.whole.proof import PROOFS
    from boundcheck.worst.theorems.collection.shipped import is_certified

    if proof is not None:
        from boundcheck.proofs.search.outcomes import outcomes

        rows = tuple((str(one["id"]), str(one["verdict"])) for one in outcomes(proof, trust_code=False))
        words = [word for _, word in rows]
        counts = ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(words))
        return ProofAnswer(f"{proof}: {counts or 'no claims'}", rows)
    if bound.id in PROOFS:
        return ProofAnswer(
            f"from its assumptions, in {PROOFS[bound.id]}; `boundcheck show {bound.id} --proof` prints it"
        )
    if is_certified(bound):
        return ProofAnswer(f"{CERTIFIED}: its numbers checked over Q, its round compared with the method's code")
    if bound.id in PENDING:
        return ProofAnswer(f"no whole proof: {PENDING[bound.id]}")
    return ProofAnswer("none was given; `--proof FILE.toml` takes a claim file")


def list_unasked(
    bound: Bound,
    places: Sequence[SuitablePlace],
    search: Refutation | None,
    proof: ProofAnswer,
    cut: Sequence[str] = (),
) -> tuple[str, ...]:
    """Return what the review did not ask, in sentences; what the seconds cut off comes last."""
    card = METHODS[bound.method].card
    said = ["whether it holds beyond what was run and searched: no search proves a theorem"]
    if not proof.claims and not proof.words.startswith((_WHOLE, CERTIFIED)):
        said.append("whether its proof is right")
    said.append(f"whether the method is the paper's: `boundcheck conform` compares {card.id} with an implementation")
    if bound.kind == "order":
        said.append("whether some constant serves: a constant that is hidden is refuted by no run")
    if "b" in _letters(bound) and not speaks_of_minibatches(bound):
        said.append("minibatches b > 1, of which it says no more than that their variance is sigma^2/b")
    if card.partial and not any(place.at.S for place in places):
        said.append("sampled clients, S < N, beyond the search")
    if defaults := at_defaults(bound):
        numbers = list_values(defaults, "g")
        said.append(f"hyperparameters that it does not name, which ran at their neutral defaults: {numbers}")
    unstated = [condition.label for condition in bound.conditions if not condition.stated]
    if unstated:
        said.append(f"where conditions fail that the paper does not state: {', '.join(unstated)}")
    said += [f"{one}: the seconds were over; give more (`--budget`)" for one in cut]
    if search is not None and search.stopped_by == "seconds":
        said.append(
            f"what the search had not looked at when the seconds were over, after {search.work:,} local steps: "
            "give more (`--budget`), or on a faster machine it looks at more"
        )
    return tuple(one for one in said if one)


def _letters(bound: Bound) -> set[str]:
    expressions = (*bound.terms.values(), *bound.parameters.values())
    return {symbol.name for expression in expressions for symbol in expression.free_symbols}
