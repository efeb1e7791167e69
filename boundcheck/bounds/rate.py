"""The Rate contract: a row of a comparison table.

A row names an order, a hidden constant and no parameters: nothing can be run from it, so that it is no `Bound`.  It is
listed, drawn beside bounds and compared with them by what is computed from its terms.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

import sympy as sp

from boundcheck.bounds.bound import compile_expression
from boundcheck.bounds.orders import order
from boundcheck.errors import NotApplicableError
from boundcheck.notation import symbol, symbols

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from boundcheck.bounds.bound import Values

    Function = tuple[tuple[str, ...], Callable[..., Any]]
    """Letters and a function of their values, in this order."""

Cost = Literal["rounds", "steps", "samples", "messages"]
"""Rounds; local steps of one client; gradients of all clients; rounds times the clients that send in one."""
Form = Literal["printed", "cited", "derived"]
L = TypeVar("L", bound=str)

N, S, K, T = symbols("N S K T")
EPS = symbol("eps_acc")


@dataclass(frozen=True)
class Rate:
    """A row of a comparison table or a rate claimed in prose: an order of the mean squared gradient, or of its cost."""

    id: str
    paper: str
    """Paper whose row it is."""
    title: str
    where: str
    """Table and row, or line."""
    method: str = ""
    """Registered name of the method, empty where there is none."""
    printed: Mapping[str, sp.Expr] = field(default_factory=dict)
    """Named terms whose sum is the order of the mean squared gradient after T rounds, where the row gives a rate."""
    complexity: Mapping[Cost, sp.Expr] = field(default_factory=dict)
    """Order of the cost of |grad| <= eps_acc, where the row gives one."""
    words: str = ""
    """What the row says in words, where it gives neither."""
    assumptions: tuple[str, ...] = ()
    """What it needs beyond smooth clients and noise of bounded variance."""
    partial: bool = False
    """Whether S < N clients may take part."""
    form: Form = "printed"
    """As the table prints it, as the cited work states it, or as it follows from what was repaired."""
    row: str = ""
    """For a form that is not printed: the row in whose place it stands."""
    bounds: tuple[str, ...] = ()
    """Bounds that state it with parameters and conditions, the repaired one last."""
    note: str = ""
    """What is wrong with the row, or what it hides."""
    parameters: Mapping[str, sp.Expr] = field(default_factory=dict, init=False)
    regime: Mapping[str, sp.Expr] = field(default_factory=dict, init=False)
    free: tuple[str, ...] = field(default=(), init=False)
    """A row prescribes nothing: these are empty, so that whatever is computed from a bound's terms works on it."""

    @cached_property
    def terms(self) -> Mapping[str, sp.Expr]:
        """The printed rate, or the one that the printed complexity amounts to; empty for a row in words."""
        if self.printed:
            return self.printed
        for cost, unit in (("steps", K * T), ("samples", (S if self.partial else N) * K * T), ("rounds", T)):
            if cost in self.complexity:
                return {"rate": invert_cost(self.complexity[cost], unit)}  # type: ignore[index]
        return {}

    @cached_property
    def total(self) -> sp.Expr:
        """The order of the mean squared gradient as one expression."""
        return sp.Add(*self.terms.values())

    @cached_property
    def _functions(self) -> dict[str, Function]:
        return {name: compile_expression(term) for name, term in self.terms.items()}

    def evaluate(self, values: Values) -> dict[str, float]:
        """Return every term at given values, without its hidden constant.

        Raises
        ------
        NotApplicableError
            If the row gives no rate, or a letter is missing.
        """
        if not self.terms:
            msg = f"rate {self.id} is stated in words only"
            raise NotApplicableError(msg)
        return self._at(values, self._functions)

    @cached_property
    def _costs(self) -> dict[Cost, Function]:
        return {cost: compile_expression(expression) for cost, expression in self.complexity.items()}

    def printed_costs(self, values: Values) -> dict[Cost, float]:
        """Return what the row prints of the cost of |grad| <= eps_acc at given values, its hidden constant taken as 1.

        Raises
        ------
        NotApplicableError
            If a letter is missing.
        """
        return self._at(values, self._costs)

    def _at(self, values: Values, functions: Mapping[L, Function]) -> dict[L, float]:
        try:
            return {name: float(f(*[values[letter] for letter in letters])) for name, (letters, f) in functions.items()}
        except KeyError:
            missing = sorted({letter for letters, _ in functions.values() for letter in letters} - set(values))
            msg = f"rate {self.id} needs {', '.join(missing)}"
            raise NotApplicableError(msg) from None


def table(*rows: Rate) -> dict[str, Rate]:
    """Return rows by name, in the order given."""
    return {row.id: row for row in rows}


def row_of(paper: str, where: str = "", **shared: Any) -> Callable[..., Rate]:
    """Return the constructor of a row, ``row(name, title, method, order, assumptions)`` with further fields by name.

    Parameters
    ----------
    paper : str
        Paper whose row it is; the id is ``paper.name``.
    where : str
        Table or line, where a row says nothing else.
    **shared
        Fields that all rows of the table share.

    Notes
    -----
    `order` is what the row states: words, costs by the names of `Cost`, or else the terms of a rate.
    """

    def row(
        name: str,
        title: str,
        method: str,
        order: str | Mapping[Any, sp.Expr],
        assumptions: tuple[str, ...] = (),
        **more: Any,
    ) -> Rate:
        kind = "words" if isinstance(order, str) else "complexity" if set(order) <= set(get_args(Cost)) else "printed"
        fields = {"where": where, kind: order, "assumptions": assumptions} | shared | more
        return Rate(f"{paper}.{name}", paper, title, method=method, **fields)

    return row


def invert_cost(cost: sp.Expr, unit: sp.Expr) -> sp.Expr:
    """Return the order of the mean squared gradient after a cost of `unit`, when eps_acc costs ``cost``.

    Parameters
    ----------
    cost : expression
        A power of 1/eps_acc times letters.
    unit : expression
        What is spent in T rounds.
    """
    power = -order(cost, EPS)
    return sp.powsimp((cost * EPS**power / unit) ** (2 / power), force=True)
