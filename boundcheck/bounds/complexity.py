"""What an accuracy costs, read off the terms: rounds, gradients and communicated floats.

The accuracy is |grad| <= eps_acc, so that a bound on the squared gradient must reach eps_acc^2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.bounds.analysis import leading_part, leading_terms
from boundcheck.bounds.bound import Bound
from boundcheck.bounds.orders import order, substitute_parameters
from boundcheck.errors import NotApplicableError, require
from boundcheck.files.own import is_reference
from boundcheck.notation import symbol, symbols

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.bounds.bound import Values
    from boundcheck.bounds.rate import Rate

N, S, K, T, EPS = symbols("N S K T eps_acc")
LONGEST = 10**18
"""Horizon beyond which a search gives up."""


@dataclass(frozen=True)
class Complexity:
    """Costs of an accuracy, up to a factor of at most the number of terms, logarithms left out."""

    by_term: dict[str, sp.Expr]
    """Rounds after which a term alone is at most eps_acc^2."""
    rounds: sp.Expr
    """Rounds after which the leading part is at most eps_acc^2: what is needed for small eps_acc."""
    gradients: sp.Expr
    """Stochastic gradients of all active clients in these rounds."""
    floats: sp.Expr | None
    """Numbers sent up and down in these rounds, None if the cost of a round was not given."""

    def powers(self) -> dict[str, sp.Rational]:
        """Return p in cost ~ eps_acc^(-p) of rounds, gradients and floats."""
        costs = {"rounds": self.rounds, "gradients": self.gradients, "floats": self.floats}
        return {name: -order(cost, EPS) for name, cost in costs.items() if cost is not None}


def complexity(
    statement: Bound | Rate, *, gradients: sp.Expr | float = K, floats: sp.Expr | float | None = None
) -> Complexity:
    """Return the cost of |grad| <= eps_acc in formulas.

    Parameters
    ----------
    statement : Bound or Rate
    gradients : expression or float
        Stochastic gradients of one active client in one round, by default K.
    floats : expression or float, optional
        Numbers that one active client sends and receives in one round.

    Raises
    ------
    InputError
        If the cost of a round is neither an expression nor a number >= 0.
    NotApplicableError
        If a term does not decrease with T: there is a floor.
    """
    for name, a_round in {"gradients": gradients, "floats": 0 if floats is None else floats}.items():
        legal = isinstance(a_round, sp.Expr) or (isinstance(a_round, (int, float)) and 0 <= a_round < float("inf"))
        require(legal, name, a_round, "an expression in the notation's letters, or a number >= 0")
    parts = {name: leading_part(substitute_parameters(statement, e)) for name, e in statement.terms.items()}
    by_term = {name: _rounds(f"{statement.id}: term {name}", e) for name, e in parts.items()}
    if not by_term:
        msg = f"{statement.id} states no rate"
        raise NotApplicableError(msg)
    rounds = _rounds(statement.id, sp.Add(*(parts[name] for name in leading_terms(statement))))
    clients = S if takes_part(statement) else N

    def spent(a_round: sp.Expr | float) -> sp.Expr:
        per_round = substitute_parameters(statement, sp.sympify(a_round) * clients)
        return sp.factor_terms(sp.powsimp((leading_part(per_round) * T).subs(T, rounds)))

    return Complexity(by_term, rounds, spent(gradients), None if floats is None else spent(floats))


def takes_part(statement: Bound | Rate) -> bool:
    """Return whether a statement is about S of N clients, rather than about all of them."""
    if not isinstance(statement, Bound):
        return statement.partial
    return all(c.relation != sp.Le(N, S) for c in statement.conditions)


def _rounds(what: str, lead: sp.Expr) -> sp.Expr:
    """Return T with c T^(-p) = eps_acc^2."""
    power = -order(lead, T)
    if power <= 0:
        msg = f"{what} does not decrease with T, there is a floor"
        raise NotApplicableError(msg)
    scale = sp.factor_terms(lead).subs(T, 1)
    return sp.powsimp((scale / EPS**2) ** (1 / power))


def rounds_at_any_K(statement: Bound | Rate) -> sp.Rational | None:
    """Return p in rounds ~ eps_acc^(-p) when K may be as large as one likes, None if no power of T is left.

    Terms that fall with K are bought off by local steps; what does not fall with K decides.
    """
    left = [
        e
        for e in (substitute_parameters(statement, e, regime=False) for e in statement.terms.values())
        if order(e, K) >= 0
    ]
    powers = [-order(e, T) for e in left]
    return max((2 / p if p > 0 else sp.oo for p in powers), default=None)


def first_horizon(reached: Callable[[int], bool], longest: int = LONGEST) -> int | None:
    """Return the smallest T at which `reached` is true, when it stays true from there on; None beyond `longest`."""
    high = 1
    while not reached(high):
        high *= 2
        if high > longest:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def rounds_to(bound: Bound, values: Values, eps_acc: float, overrides: Values | None = None) -> int | None:
    """Return the smallest horizon at which an explicit bound promises |grad| <= eps_acc with its conditions met.

    Parameters
    ----------
    bound : Bound
    values : mapping
        Constants and settings; T is what is looked for, and K grows with it where the paper lets it (`regime`).
    eps_acc : float
        Accuracy, a gradient norm.

    Returns
    -------
    int or None
        None if no horizon up to 1e18 rounds does it.

    Raises
    ------
    InputError
        If eps_acc is not above 0.
    NotApplicableError
        If the bound hides its constant or sums over its schedule.
    """
    require(eps_acc > 0, "eps_acc", eps_acc, "a number > 0")
    # A loop of the user's own is not asked for 10^18 rounds.
    if bound.kind == "order" or "sum_eta" in bound.derived or (bound.derived and is_reference(bound.id)):
        msg = f"bound {bound.id} hides its constant or sums over its schedule: no horizon can be named"
        raise NotApplicableError(msg)

    def is_reached(rounds: int) -> bool:
        at = {**values, "T": float(rounds)}
        grown = {
            name: max(1.0, float(e.subs({symbol(k): v for k, v in at.items()})))
            for name, e in bound.regime.items()
            if name not in bound.parameters
        }
        found = bound.evaluate(bound.resolve(at | grown, overrides), strict=False)
        return found.rhs <= eps_acc**2 and not found.unmet

    return first_horizon(is_reached)
