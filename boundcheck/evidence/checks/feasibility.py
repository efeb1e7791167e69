"""Can the conditions of a theorem be met at all, and from which horizon on does it say anything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import InputError, NotApplicableError
from boundcheck.evidence.trials.examples import initial_values
from boundcheck.methods import METHODS
from boundcheck.notation import symbol, symbols

if TYPE_CHECKING:
    from collections.abc import Mapping

    import sympy as sp

    from boundcheck.bounds.bound import Bound
    from boundcheck.problems.base import Problem

TRIES = 300
_NOTHING = "proved in real arithmetic: nothing meets them"
_GROWTH = {
    "mu": "strong convexity makes |grad f_i(x)| >= mu |x - x_i|",
    "mu_PL": "|grad f|^2 >= 2 mu_PL (f - f_star) makes f and |grad f| along the steepest ascent",
}
"""Constants from below that make gradients large far away, and how."""
_SMOOTH, _CURVED = ("L", "L_sample", "L_rms"), ("mu_PL", "mu_op", "mu_sample")
"""Smoothness, of which curvature from below is a share: mu, and others."""
_LONGEST = 10**15
"""Horizon beyond which the search for an informative bound gives up."""
_LONGEST_SUM = 2**17
"""The same where every horizon takes a loop over its rounds."""


@dataclass(frozen=True)
class Feasibility:
    """Whether the conditions of a bound can be met."""

    bound: str
    example: dict[str, float]
    """Values that meet every condition."""
    detail: str
    """How it was decided."""
    feasible: bool | None
    """None if neither an example nor a proof of emptiness was found."""


def feasibility(bound: Bound, *, at: Mapping[str, float] | None = None, timeout: float = 20.0) -> Feasibility:
    """Decide whether the conditions of `bound` can be met.

    First by trying random constants at the prescribed parameters; if that finds nothing, by real arithmetic over all
    constants and all choices of the parameters.

    Parameters
    ----------
    bound : Bound
    at : mapping, optional
        Letters to fix, such as mu = 0.25.
    timeout : float
        Seconds for the solver.
    """
    against = exclusion_reason(bound)
    if against:
        return Feasibility(bound.id, {}, against, feasible=False)
    fixed = zeros_of(bound) | dict(at or {})
    example = _search_example(bound, fixed)
    if example:
        return Feasibility(bound.id, example, "met at the prescribed parameters", feasible=True)
    return _decide_by_solver(bound, fixed, timeout)


def zeros_of(bound: Bound) -> dict[str, float]:
    """Return the constants that a condition sets to 0, which no letter of a formula is by itself."""
    found = {}
    for condition in bound.conditions:
        letter, value, sign = condition.relation.lhs, condition.relation.rhs, condition.relation.rel_op
        if str(letter) in bound.needs and value == 0 and sign in {"==", "<="}:
            found[str(letter)] = 0.0
    return found


def exclusion_reason(bound: Bound) -> str:
    """Return why no problem on R^d has all constants that a bound needs; empty where none is known to clash.

    A strongly convex f_i has |grad f_i(x)| >= mu |x - x_i|.  Under the condition of Polyak and Lojasiewicz f grows
    without limit along the steepest ascent, and |grad f|^2 >= 2 mu_PL (f - f_star) with it, unless f is constant.  No
    bound of gradients on R^d allows either.
    """
    if METHODS[bound.method].card.kind == "minimax":
        return ""
    growth = next((letter for letter in _GROWTH if letter in bound.needs), None)
    limit = next((letter for letter in ("G_rms", "G_inf", "G_norm") if letter in bound.needs), None)
    if growth is None or limit is None:
        return ""
    return f"{growth} and {limit} exclude each other on R^d: {_GROWTH[growth]} unbounded, which {limit} bounds"


def _search_example(bound: Bound, fixed: dict[str, float]) -> dict[str, float]:
    # No condition uses the sums over a schedule.
    bound = replace(bound, derived={})
    # Two generators: what only some bounds have must not move the draws of the rest.
    rng, extra = np.random.default_rng(0), np.random.default_rng(1)
    for attempt in range(TRIES):
        values = {name: float(10 ** rng.uniform(-2, 2)) for name in bound.needs}
        N = int(10 ** rng.uniform(0, 2))
        values |= {
            "N": N,
            "S": N,
            "K": int(10 ** rng.uniform(0, 1.5)),
            "T": int(10 ** rng.uniform(1, 6)),
            "b": 1,
            "d": 8,
        }
        smooth = next((name for name in _SMOOTH if name in values), None)
        if "mu" in values and smooth:
            values["mu"] = values[smooth] * float(10 ** rng.uniform(-2, 0))
        elif "mu" in values:
            values["L_block"] = values["mu"] * float(10 ** rng.uniform(0, 2))
        values |= {
            name: values[smooth] * float(10 ** extra.uniform(-2, 0)) for name in _CURVED if smooth and name in values
        }
        values |= {name: float(10 ** extra.uniform(-2, 2)) for name in bound.measured}
        # Some conditions hold for partial participation alone, some for one round or two.
        if attempt % 2:
            values["S"] = int(extra.integers(1, N, endpoint=True))
        if attempt % 5 < 2:
            values["T"] = 1 + attempt % 5
        resolved = bound.resolve(values | fixed)
        if all(c.holds for c in bound.check(resolved)):
            shown = (*bound.needs, *bound.measured, "N", "S", "K", "T", *bound.parameters)
            return {k: resolved[k] for k in shown if k in resolved}
    return {}


def _decide_by_solver(bound: Bound, fixed: dict[str, float], timeout: float) -> Feasibility:
    import sympy as sp

    from boundcheck.proofs.provers.real import holds
    from boundcheck.proofs.provers.solver import solve

    exact = [c.relation for c in bound.conditions]
    seen = {letter for relation in exact for letter in relation.free_symbols}
    exact += [sp.Eq(symbol(n), bound.parameters[n]) for n in bound.definitions if symbol(n) in seen]
    values = {symbol(k): sp.nsimplify(v) for k, v in fixed.items()}
    conditions = [c.subs(values) for c in (*exact, *_domain(exact))]
    plain = [c for c in conditions if not c.has(sp.E)]
    try:
        if sp.false in plain or (len(plain) < len(conditions) and solve(plain, timeout)[0] == "unsat"):
            return Feasibility(bound.id, {}, _NOTHING, feasible=False)
        # Euler's number is rounded for the solver; an example is checked with the exact one.
        answer, point = solve([c.subs(sp.E, sp.Rational(2718281828, 10**9)) for c in conditions], timeout)
    except InputError as error:
        # A period, a rounding or another function that the solver has no word for.
        return Feasibility(bound.id, {}, f"not decided: {error}", feasible=None)
    if answer == "unsat" and plain == conditions:
        return Feasibility(bound.id, {}, _NOTHING, feasible=False)
    if point and all(holds(c, point) for c in conditions):
        example = {s.name: float(v) for s, v in point.items()}
        return Feasibility(bound.id, example, "met at other than the prescribed parameters", feasible=True)
    return Feasibility(bound.id, {}, f"solver: {answer}", feasible=None)


def _domain(relations: list[sp.Rel]) -> list[sp.Rel]:
    """Return what the letters mean: counts are at least 1, S <= N, strong concavity is at most the smoothness."""
    import sympy as sp

    N, S, K, T, b, mu, block = symbols("N S K T b mu L_block")
    used = set().union(*(r.free_symbols for r in relations))
    domain = [sp.Ge(count, 1) for count in (N, S, K, T, b) if count in used]
    if {N, S} <= used:
        domain.append(sp.Le(S, N))
    if block in used or mu in used:
        domain.append(sp.Le(mu, block))
    return domain


def informative_from(bound: Bound, problem: Problem, *, K: int, S: int | None = None, b: int = 1) -> int | None:
    """Return the smallest horizon at which `bound` beats the trivial bound on `problem`, None if there is none.

    Letters that belong to a run have the value that always serves, else 0.

    Raises
    ------
    NotApplicableError
        If a constant is missing, or the constant of the bound is hidden.
    """
    from boundcheck.bounds.complexity import first_horizon

    if bound.kind == "order":
        msg = f"bound {bound.id} hides its constant: no horizon can be named"
        raise NotApplicableError(msg)
    constants = problem.values_for(bound.needs) | initial_values(bound, problem.N)
    settings = {"N": problem.N, "S": S or problem.N, "K": K, "b": b, "d": problem.d}

    def informative(T: int) -> bool:
        values = constants | settings | {"T": T}
        found = bound.evaluate(bound.resolve(values), strict=False)
        return not found.vacuous and not found.unmet

    return first_horizon(informative, longest_of(bound))


def longest_of(bound: Bound) -> int:
    """Return the horizon beyond which nobody looks at a bound: sooner where each takes a loop over its rounds."""
    return _LONGEST_SUM if any(str(s) in bound.derived for s in bound.total.free_symbols) else _LONGEST
