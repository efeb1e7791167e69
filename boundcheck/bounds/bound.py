"""The Bound contract: a theorem as an object that knows its conditions and its terms."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from boundcheck.errors import NotApplicableError, UnknownNameError, require
from boundcheck.files.display import shows
from boundcheck.notation import LETTERS, letter_named

if TYPE_CHECKING:
    import sympy as sp

Values = Mapping[str, float]

SLACK = 1e-9
"""Relative slack of a non-strict condition: parameters are often prescribed at equality, which rounding breaks."""

HOW_TO_DECLARE = 'a letter of the notation, or one of your own: boundcheck.notation.declare("{}", meaning, unit)'

_MOST_SUMMANDS = 10**6
"""Of a sum in a formula."""
SETTINGS = ("N", "S", "K", "T", "b", "d")
"""Letters that describe the run rather than the problem."""


@dataclass(frozen=True)
class Condition:
    """A hypothesis on parameters and constants."""

    label: str
    """What it is, in words."""
    relation: sp.Rel
    """The relation between letters."""
    stated: bool = True
    """Whether the paper states it (else the proof needs it all the same)."""

    def __post_init__(self) -> None:
        """Refuse what is no relation between letters.

        Raises
        ------
        InputError
            If sympy has decided the relation already, as all letters are positive to it.
        """
        for side in ("lhs", "rhs", "rel_op"):
            legal = (
                "a relation between letters, each one symbol, as in (b,) = symbols('b'); "
                "all letters are positive, so that sympy decides Eq(zeta, 0) or "
                "Gt(sigma, 0) at once: write Eq(zeta, 0, evaluate=False)"
            )
            require(hasattr(self.relation, side), f"condition {self.label!r}", self.relation, legal)

    @cached_property
    def text(self) -> str:
        """The relation in letters: printed once, since a sweep checks it at every cell."""
        sign = {"==": "=", "!=": "!="}.get(self.relation.rel_op)
        return str(self.relation) if sign is None else f"{self.relation.lhs} {sign} {self.relation.rhs}"


@dataclass(frozen=True)
class Checked:
    """A condition at given values."""

    label: str
    relation: str
    holds: bool
    left: float
    right: float
    stated: bool


@dataclass(frozen=True)
class Evaluation:
    """A bound at given values: the right-hand side, split by term, and what it must beat."""

    rhs: float
    terms: dict[str, float]
    conditions: list[Checked]
    trivial: float
    """What the left-hand side cannot exceed for a trivial reason; a larger rhs is vacuous."""
    values: dict[str, float]
    """Every letter used, prescribed parameters included."""

    @property
    def vacuous(self) -> bool:
        """Whether the bound promises no more than the trivial one."""
        return self.rhs >= self.trivial

    @property
    def unmet(self) -> list[Checked]:
        """Return the conditions that fail."""
        return [c for c in self.conditions if not c.holds]


class Remark(NamedTuple):
    """What an audit found about a statement as it is printed, in a few plain words, formulas as they are typed."""

    why: str
    """What is wrong, or why nothing is."""
    after: str = ""
    """What of it survives."""


@shows("id", "form", "kind", "method", "title", "where", "terms", "parameters")
@dataclass(frozen=True)
class Bound:
    """A convergence theorem: metric <= sum of the terms, under the conditions, at the prescribed parameters."""

    id: str
    paper: str
    title: str
    where: str
    """Theorem, equation and line in the paper."""
    method: str
    """Name of the method it is about."""
    metric: str
    """Name of the left-hand side, measured by an observer of the engine."""
    needs: tuple[str, ...]
    """Letters of the problem's constants."""
    parameters: Mapping[str, sp.Expr]
    """Prescribed and free parameters, in order; each may use constants, settings and earlier parameters."""
    terms: Mapping[str, sp.Expr]
    """Named terms that add up to the right-hand side."""
    trivial: sp.Expr
    """A bound that holds without the theorem."""
    trivial_is_sure: bool = False
    """Whether every run obeys the trivial bound, not only its expectation."""
    conditions: tuple[Condition, ...] = ()
    kind: Literal["explicit", "order"] = "explicit"
    """Explicit constants, or an order of magnitude with a hidden constant."""
    form: Literal["printed", "proof", "repaired", "sharpened"] = "printed"
    """As the statement prints it, as its proof gives it, repaired, or with smaller constants."""
    free: tuple[str, ...] = ()
    """Parameters that the theorem leaves to the user (a default is given)."""
    rigid: bool = False
    """Whether the terms hold only at the prescribed parameters (a rate in closed form); free ones may vary."""
    derived: Mapping[str, Callable[[Values], float]] = field(default_factory=dict)
    """Letters computed from the others by a loop rather than a formula (sums over a schedule)."""
    definitions: tuple[str, ...] = ()
    """Parameters that only abbreviate (kappa = L/mu): their values are no choice."""
    choices: Mapping[str, object] = field(default_factory=dict)
    """Options of the method that are not numbers."""
    hyper: Mapping[str, str] = field(default_factory=dict)
    """Hyperparameter of the method to the letter that sets it, where their names differ."""
    schedule: Mapping[str, str] = field(default_factory=dict)
    """Hyperparameter of the method to the law by which it falls from round to round, `boundcheck.methods.schedule`: in
    round t it is its letter times ``(t+1)^-0.5``, ``(t/gamma+1)^-1`` or ``0.99^t``, with numbers or letters."""
    measured: Mapping[str, str] = field(default_factory=dict)
    """Letters that belong to a run rather than a problem, to the quantity of the engine that measures them."""
    exact_gradients: bool = False
    """Whether the theorem is about exact local gradients: it does not speak where sigma > 0."""
    independent_noise: bool = True
    """Whether the theorem assumes that the noises of the clients are independent."""
    convex: bool = False
    """Whether the theorem is about convex clients: it does not speak where one may be nonconvex."""
    families: tuple[str, ...] = ()
    """Families or problems of which alone the theorem speaks, those of its own file as they are called there, such as
    parabolas or points on a simplex; any where it is empty."""
    weighted: bool = False
    """Whether the theorem is about f = sum_i p_i f_i with any weights (else the clients have equal ones)."""
    failure: str = ""
    """Letter of the probability with which the inequality may fail in a run, where the theorem says that it holds with
    high probability; empty where it is about the expectation."""
    refuted_by: tuple[str, ...] = ()
    """Claims of the ledger against it: refuted ones; for a bound of order only also proofs that no constant serves."""
    follows_from: str = ""
    """Bound that says the same with constants in the place of the hidden one."""
    certificate: str | Mapping[str, object] = field(default="", compare=False, repr=False)
    """The theorem for all steps that proves it, its name among the shipped ones or its file; empty where none does."""
    units: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Units of letters that differ from the notation's (the step of an adaptive method has the unit of x)."""
    regime: Mapping[str, sp.Expr] = field(default_factory=dict)
    """How settings grow with T where the paper states its rate."""
    note: str = ""
    """Where explicit constants come from, or what was repaired."""
    example: str = ""
    """Problem that meets its assumptions, where those of its paper do not."""
    remark: Remark | None = None
    """What was found about the statement as it is printed, for the report's pages; other forms of it keep that."""
    home: str = field(default="", repr=False, compare=False)
    """Name of the module in which it is written, where its method and metric are looked for; found by itself."""

    def __post_init__(self) -> None:
        """Refuse constants that are not declared, and note the module that writes the theorem.

        Raises
        ------
        InputError
            With the letter, and how one is declared; or with a formula that is none.
        """
        self._make_formulas()
        for what, names in (("needs", self.needs), ("measured", self.measured)):
            for name in names:
                require(name in LETTERS, f"bound {self.id}: {what}", name, HOW_TO_DECLARE.format(name))
        known = not self.failure or self.failure in self.parameters
        require(known, f"bound {self.id}: failure", self.failure, "a letter among its parameters")
        # A replaced theorem keeps the module of the first one: its method stands there.
        if not self.home:
            object.__setattr__(self, "home", _module_that_writes())
        if self.home:
            self._require_finite()

    def _make_formulas(self) -> None:
        """Make formulas of plain numbers, such as a step of 1: 0.7 is 7/10."""
        for name in ("parameters", "terms"):
            given: Mapping[str, Any] = getattr(self, name)
            require(
                isinstance(given, Mapping), f"bound {self.id}: {name}", given, "formulas by name, as {'eta': 1 / L}"
            )
            if not all(hasattr(value, "free_symbols") for value in given.values()):
                made = {key: _formula(f"bound {self.id}: {name}, {key}", value) for key, value in given.items()}
                object.__setattr__(self, name, made)
        object.__setattr__(self, "trivial", _formula(f"bound {self.id}: trivial", self.trivial))

    def _require_finite(self) -> None:
        """Refuse formulas of the user's own that no real numbers make finite, and sums that no run ends."""
        import sympy

        require(
            bool(self.terms), f"bound {self.id}: terms", self.terms, "at least one: they add up to the right-hand side"
        )
        formulas = {f"parameters, {name}": e for name, e in self.parameters.items()}
        formulas |= {f"terms, {name}": e for name, e in self.terms.items()} | {"trivial": self.trivial}
        names = list(self.parameters)
        given = {*self.needs, *self.measured}
        for place, (name, formula) in enumerate(self.parameters.items()):
            later = {s.name for s in formula.free_symbols} & set(names[place:]) - given
            legal = "a formula of constants, settings and earlier parameters"
            if later == {name}:
                legal += f"; one that the reader chooses has here the value that is suggested, and free=({name!r},)"
            require(not later, f"bound {self.id}: parameters, {name}", formula, legal)
        none = sympy.oo, -sympy.oo, sympy.zoo, sympy.nan, sympy.I
        for name, formula in formulas.items():
            require(not formula.has(*none), f"bound {self.id}: {name}", formula, "a formula of finite real numbers")
            for limit in (limit for one in formula.atoms(sympy.Sum) for limit in one.limits):
                count = limit[2] - limit[1]
                few = not count.is_number or bool(count <= _MOST_SUMMANDS)
                legal = f"a sum of at most {_MOST_SUMMANDS} summands, which are added one by one"
                require(few, f"bound {self.id}: {name}", formula, legal)

    @cached_property
    def total(self) -> sp.Expr:
        """The right-hand side as one expression."""
        import sympy

        return sympy.Add(*self.terms.values())

    @property
    def certainty(self) -> str:
        """How sure the inequality is in a run: "with probability at least ..."; empty where it is about the mean."""
        return f"with probability at least 1 - {self.failure}, not in expectation" if self.failure else ""

    @cached_property
    def steered_by(self) -> frozenset[str]:
        """Return the measured letters that decide a parameter: the method cannot run before they have a value."""
        used: set[str] = set().union(*({s.name for s in e.free_symbols} for e in self.parameters.values()))
        return frozenset(used & set(self.measured))

    @cached_property
    def _functions(self) -> dict[str, tuple[tuple[str, ...], Callable[..., Any]]]:
        # Compiled once: a sweep asks at thousands of cells, and compiling costs far more than evaluating.  A parameter
        # and a term may share a name, so that the role is part of the key.
        sides = {
            f"{i}{side}": getattr(c.relation, side) for i, c in enumerate(self.conditions) for side in ("lhs", "rhs")
        }
        named = {"p:" + k: v for k, v in self.parameters.items()} | {"t:" + k: v for k, v in self.terms.items()}
        named |= {"c:" + k: v for k, v in sides.items()} | {"trivial": self.trivial}
        return {name: compile_expression(expression) for name, expression in named.items()}

    def _value(self, name: str, values: Values) -> float:
        return self._values([name], values)[0]

    def _values(self, names: Iterable[str], values: Values) -> list[float]:
        return [float(value) for value in self._in_numbers(names, values, np.float64)]

    def _in_numbers(self, names: Iterable[str], values: Values, number: type[np.floating]) -> list[np.floating]:
        """Return expressions as they come out when every letter is a number of this type."""
        asked = [self._functions[name] for name in names]
        # numpy's numbers: a division by zero is an infinity (sigma = 0 in a step), not an exception.
        numbers: dict[str, np.floating] = {}
        found = []
        with np.errstate(all="ignore"):
            for arguments, function in asked:
                for letter in arguments:
                    if letter not in numbers:
                        if letter not in values:
                            self._require(arguments, values, "which the problem does not have")
                        numbers[letter] = number(values[letter])
                found.append(number(function(*map(numbers.__getitem__, arguments))))
        return found

    def right_side(self, resolved: Values, number: type[np.floating] = np.float64) -> np.floating:
        """Return the sum of the terms at resolved values, computed in numbers of this type."""
        return number(sum(self._in_numbers(["t:" + name for name in self.terms], resolved, number)))

    def in_longer_numbers(self, resolved: Values) -> dict[str, Any]:
        """Return resolved values in longer numbers: parameters that are as prescribed are computed once more."""
        longer: dict[str, Any] = {name: np.longdouble(value) for name, value in resolved.items()}
        for name in self.parameters:
            if self._value("p:" + name, resolved) == resolved[name]:
                (longer[name],) = self._in_numbers(["p:" + name], longer, np.longdouble)
        return longer

    def resolve(self, values: Values, overrides: Values | None = None) -> dict[str, float]:
        """Return `values` with every parameter filled in: the overrides where given, else as prescribed.

        Parameters
        ----------
        values : mapping
            Constants of the problem and the settings N, S, K, T, b, d.
        overrides : mapping, optional
            Parameters the user chooses, and letters that were measured along a run.

        Raises
        ------
        NotApplicableError
            If a constant that is needed is missing, a parameter that is no choice is not the prescribed one, or a
            letter that is computed by a loop is no number.
        UnknownNameError
            If an override is not a parameter of this bound.
        InputError
            If an override is not a legal number.
        """
        overrides = dict(overrides or {})
        for name, value in overrides.items():
            if name not in self.parameters and name not in self.measured:
                raise UnknownNameError(f"parameter of {self.id}", name, (*self.parameters, *self.measured))
            # What a run measures may be 0 (a projection that changes nothing); a step or a floor may not.
            positive = name not in self.measured and letter_named(name).unit != (0, 0)
            _require_number(f"{self.id}: {name}", value, positive=positive)
            kind = letter_named(name).kind
            require(not kind.whole or kind.fits(value), f"{self.id}: {name}", value, kind.legal)
        resolved = dict(values) | {name: float(overrides[name]) for name in self.measured if name in overrides}
        self._require(self.needs, resolved, "which the problem does not have")
        self._require(self.measured, resolved, "which belongs to a run: check measures it, or give it")
        for name in self.parameters:
            prescribed = self._prescribed_value(name, resolved)
            if name not in overrides and letter_named(name).kind.whole and self._is_broken(prescribed, values):
                msg = f"bound {self.id} prescribes {name} = {self.parameters[name]} = {prescribed:.6g}, no whole number"
                raise NotApplicableError(f"{msg} here; floor(...) and ceiling(...) are whole")
            resolved[name] = float(overrides.get(name, prescribed))
            fixed = name in overrides and (name in self.definitions or (self.rigid and name not in self.free))
            if fixed and not _holds("==", resolved[name], prescribed):
                msg = f"bound {self.id} is stated at {name} = {prescribed:.6g} only, not at {resolved[name]:.6g}"
                raise NotApplicableError(msg)
        for name, function in self.derived.items():
            try:
                resolved[name] = function(resolved)
            except ArithmeticError as error:
                msg = f"bound {self.id}: the letter {name} is no number here: {error}"
                raise NotApplicableError(msg) from error
        return resolved

    def departures(self, resolved: Values) -> dict[str, tuple[float, float]]:
        """Return the parameters that are no choice and not at the prescribed value: both values, the prescribed last.

        Parameters
        ----------
        resolved : mapping
            What `resolve` returns.
        """
        pairs = {
            name: (float(resolved[name]), self._prescribed_value(name, resolved))
            for name in self.parameters
            if name not in self.free
        }
        return {name: pair for name, pair in pairs.items() if not _holds("==", *pair)}

    def _prescribed_value(self, name: str, values: Values) -> float:
        """Return the prescribed value of a parameter; what counts something is whole where rounding alone misses it."""
        value = float(self._value("p:" + name, values))
        if letter_named(name).kind.whole and math.isfinite(value) and _holds("==", value, float(round(value))):
            return float(round(value))
        return value

    @staticmethod
    def _is_broken(value: float, values: Values) -> bool:
        """Return whether a number is not whole though the counts of the setting are."""
        counts = (float(values[letter]) for letter in ("N", "S", "K", "T", "b") if letter in values)
        return math.isfinite(value) and not value.is_integer() and all(map(float.is_integer, counts))

    def _require(self, letters: Iterable[str], values: Values, why: str) -> None:
        missing = [letter for letter in letters if letter not in values]
        if missing:
            msg = f"bound {self.id} needs {', '.join(missing)}, {why}"
            raise NotApplicableError(msg)

    def check(self, resolved: Values) -> list[Checked]:
        """Return every condition at resolved values, met or not."""
        sides = self._values([f"c:{i}{side}" for i in range(len(self.conditions)) for side in ("lhs", "rhs")], resolved)
        return [
            Checked(c.label, c.text, _holds(c.relation.rel_op, left, right), left, right, c.stated)
            for c, left, right in zip(self.conditions, sides[::2], sides[1::2], strict=True)
        ]

    def evaluate(self, resolved: Values, *, strict: bool = True) -> Evaluation:
        """Return the right-hand side at resolved values.

        Raises
        ------
        NotApplicableError
            If a condition fails and `strict`; the message names the condition and both sides.
        """
        conditions = self.check(resolved)
        failed = [c for c in conditions if not c.holds]
        if failed and strict:
            worst = failed[0]
            sides = f"left side {worst.left:.6g}, right side {worst.right:.6g}"
            msg = f"bound {self.id}: condition '{worst.label}' fails: {worst.relation} ({sides})"
            raise NotApplicableError(msg)
        *found, trivial = self._values([*("t:" + name for name in self.terms), "trivial"], resolved)
        terms = dict(zip(self.terms, found, strict=True))
        return Evaluation(sum(terms.values()), terms, conditions, trivial, dict(resolved))


def _module_that_writes() -> str:
    """Return the name of the nearest module up the stack that is not of this package."""
    frame = inspect.currentframe()
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name not in {"dataclasses", "copy"} and name.partition(".")[0] != "boundcheck":
            return name
        frame = frame.f_back
    return ""


def _require_number(where: str, value: object, *, positive: bool) -> None:
    """Refuse what is not a finite number: above 0 for a letter with a unit (a step, a floor), else at least 0."""
    number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool) and bool(np.isfinite(value))
    legal = "a number > 0" if positive else "a number >= 0"
    require(number and (float(value) > 0 if positive else float(value) >= 0), where, value, legal)  # type: ignore[arg-type]


_NUMPY = {name: value for name, value in vars(np).items() if not name.startswith("_")}
"""What is loaded of numpy: with modules="numpy" sympy imports the rest of it, too."""


def compile_expression(expression: sp.Expr) -> tuple[tuple[str, ...], Callable[..., Any]]:
    """Return the letters of an expression and a function of their values, in this order.

    Raises
    ------
    UnknownNameError
        If a symbol is not a letter of the notation.
    """
    import sympy

    return _compile_once(sympy.sympify(expression))


@lru_cache(maxsize=1 << 12)
def _compile_once(expression: sp.Expr) -> tuple[tuple[str, ...], Callable[..., Any]]:
    """Compile an expression once: four of five that bounds have are another's, too."""
    import sympy

    from boundcheck.bounds.loops import print_function

    letters = tuple(sorted(s.name for s in expression.free_symbols))
    for letter in letters:
        if letter not in LETTERS:
            raise UnknownNameError("letter", letter, LETTERS)
    arguments = [sympy.Symbol(letter, positive=True) for letter in letters]
    return letters, print_function(arguments, expression, _NUMPY)


def _holds(operator: str, left: float, right: float) -> bool:
    slack = SLACK * max(abs(left), abs(right))
    match operator:
        case "<=":
            return left <= right + slack
        case ">=":
            return left >= right - slack
        case "==":
            return abs(left - right) <= slack
        case "!=":
            return abs(left - right) > slack
        case "<":
            return left < right
        case ">":
            return left > right
    raise KeyError(operator)


def _formula(where: str, value: Any) -> sp.Expr:
    """Return a formula of sympy as it is, and a number as an exact one."""
    if hasattr(value, "free_symbols"):
        formula: sp.Expr = value
        return formula
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    require(is_number and math.isfinite(value), where, value, "a formula of sympy, or a number")
    import sympy

    return sympy.nsimplify(value if isinstance(value, int) else float(value), rational=True)
