"""Questions to z3: each in a context of its own and limited by work, so that the answer depends on nothing else."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import sympy as sp
import z3

from boundcheck.errors import require
from boundcheck.proofs.provers.translate import Translator

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

DIGITS = 60
SECOND = 10**6
"""Units of z3's work (``rlimit``) that count as one second: what an idle machine does in about one."""
SAFETY = 30.0
"""Times its limit of work that a question may take by the clock; far above what an idle or a busy machine needs."""
Point = dict[sp.Symbol, sp.Expr]
_asked: ContextVar[list[str] | None] = ContextVar("questions", default=None)


@dataclass(frozen=True)
class SolverAnswer:
    """What z3 says to a question."""

    text: str
    """``sat``, ``unsat``, or why it gave up."""
    point: Point | None = None
    """Values that satisfy all conditions, after ``sat``."""
    work: int = 0
    """Units of work it took; the same on every machine."""


class SolverQuery:
    """Whether some real values of the symbols satisfy all conditions.

    Parameters
    ----------
    conditions : iterable of relation
        Relations between expressions that `Translator` knows.
    """

    def __init__(self, conditions: Iterable[sp.Basic]) -> None:
        self.conditions = list(conditions)
        self.symbols = symbols_of(*self.conditions)
        for one, other in pairwise(self.symbols):
            alike = "one sign for a letter: two of this name differ in what they assume"
            require(one.name != other.name, "letter", one.name, alike)

    def ask(self, seconds: float, fixed: Mapping[sp.Symbol, sp.Expr] | None = None) -> SolverAnswer:
        """Return z3's answer within the work of so many seconds, with some symbols at given rational values."""
        # What was asked before in a context moves names and numbers, and with them the model: a new one for each.
        return _check_formulas(*self._translate_conditions(), seconds, fixed or {})

    def serves(self, seconds: float, fixed: Mapping[sp.Symbol, sp.Expr]) -> Point | None:
        """Return the point of `ask`, after a look at what cannot follow in a context that is kept."""
        seen = _check_formulas(*self._cached_context, seconds, fixed)
        is_settled = seen.text == "unsat" or len(fixed) == len(self.symbols)
        return seen.point if is_settled else self.ask(seconds, fixed).point

    def meets(self, seconds: float, fixed: Mapping[sp.Symbol, sp.Expr], inside: Sequence[sp.Basic]) -> bool:
        """Whether a point is found that satisfies further conditions, without new symbols, as well."""
        translator, formulas = self._cached_context
        seen = _check_formulas(translator, [*formulas, *map(translator.relation, inside)], seconds, fixed).text
        if seen in {"sat", "unsat"}:
            return seen == "sat"
        return SolverQuery([*self.conditions, *inside]).ask(seconds, fixed).point is not None

    def _translate_conditions(self) -> tuple[Translator, list[z3.BoolRef]]:
        """Return the conditions in a context of their own."""
        translator = Translator(z3.Context())
        for symbol in self.symbols:
            translator.term(symbol)
        return translator, [translator.relation(c) for c in self.conditions]

    @cached_property
    def _cached_context(self) -> tuple[Translator, list[z3.BoolRef]]:
        return self._translate_conditions()


def solve(conditions: Iterable[sp.Basic], timeout: float) -> tuple[str, Point | None]:
    """Return z3's answer (``sat``, ``unsat`` or why it gave up) and a point when there is one.

    Parameters
    ----------
    conditions : iterable of relation
        What has to hold.
    timeout : float
        Limit of work, in seconds of an idle machine.
    """
    answer = SolverQuery(conditions).ask(timeout)
    return answer.text, answer.point


def _check_formulas(
    translator: Translator, formulas: list[z3.BoolRef], seconds: float, fixed: Mapping[sp.Symbol, sp.Expr]
) -> SolverAnswer:
    values = [translator.term(s) == translator.term(x) for s, x in fixed.items()]
    solver = z3.Tactic("qfnra-nlsat", translator.context).solver()
    solver.set(rlimit=max(round(SECOND * seconds), 1), timeout=round(1000 * SAFETY * seconds) + 1000, seed=0)
    solver.add(*formulas, *values, *translator.definitions)
    said = str(solver.check())
    counts = solver.statistics()
    work = counts.get_key_value("rlimit count") if "rlimit count" in counts.keys() else 0  # noqa: SIM118
    _note(solver, said)
    if said == "unknown":
        return SolverAnswer(f"unknown ({solver.reason_unknown()})", work=work)
    if said != "sat":
        return SolverAnswer(said, work=work)
    model = solver.model()
    point = {s: _value(model.eval(v, model_completion=True)) for s, v in translator.symbols.items()}
    return SolverAnswer(said, point, work)


@contextmanager
def questions() -> Iterator[list[str]]:
    """Yield a list that collects every question which z3 answers meanwhile, as SMT-LIB 2 with the answer as status."""
    collected: list[str] = []
    token = _asked.set(collected)
    try:
        yield collected
    finally:
        _asked.reset(token)


@contextmanager
def without_recording() -> Iterator[None]:
    """Keep the questions asked meanwhile out of `questions`: they choose a witness and prove nothing."""
    token = _asked.set(None)
    try:
        yield
    finally:
        _asked.reset(token)


def _note(solver: z3.Solver, answer: str) -> None:
    collected = _asked.get()
    if collected is None or answer not in {"sat", "unsat"}:
        return
    body = "\n".join(solver.to_smt2().splitlines()[2:])
    collected.append(f"(set-logic QF_NRA)\n(set-info :status {answer})\n{body}")


def symbols_of(*parts: sp.Basic) -> list[sp.Symbol]:
    """Return the free symbols of expressions and relations, sorted by name."""
    return sorted(set().union(*(sp.sympify(part).free_symbols for part in parts)), key=lambda s: s.name)


def _value(number: z3.ArithRef) -> sp.Expr:
    if z3.is_algebraic_value(number):
        near = number.approx(DIGITS)
        return sp.Float(sp.Rational(near.numerator_as_long(), near.denominator_as_long()), DIGITS)
    return sp.Rational(number.numerator_as_long(), number.denominator_as_long())
