"""A worst case in own words: functions, operators, points, what is assumed, and what is maximised."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError, require
from boundcheck.worst.stated.algebra import NOTHING, LinearRelation, Scalar, Vector, number, rational, square
from boundcheck.worst.stated.answer import answer
from boundcheck.worst.stated.classes import ClassPoint, FunctionClass, OperatorClass, optional
from boundcheck.worst.stated.linear import LinearMap, deviation_of, mean_of
from boundcheck.worst.stated.question import KnownRelation, StatedQuestion

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.worst.stated.answer import StatedCase


@dataclass(eq=False)
class Function:
    """A function of a class, or of the agents: then every agent has one, and values are averages.

    Attributes
    ----------
    problem : StatedProblem
    given : FunctionClass or OperatorClass
    name : str
    of_agents : bool
    leaves : list of ClassPoint
        The points that were asked for.
    """

    problem: StatedProblem
    given: FunctionClass | OperatorClass
    name: str
    of_agents: bool = False
    leaves: list[ClassPoint] = field(default_factory=list)
    floor: Scalar | None = None
    """What it is nowhere below, where that is spoken of."""

    @property
    def parts(self) -> list[tuple[Fraction, Function]]:
        """Return it as a sum of functions with factors."""
        return [(Fraction(1), self)]

    def __add__(self, other: Any) -> FunctionSum:
        return FunctionSum([*self.parts, *other.parts])

    def __radd__(self, other: Any) -> Any:
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __sub__(self, other: Any) -> FunctionSum:
        return FunctionSum([*self.parts, *((-c, f) for c, f in other.parts)])

    def __mul__(self, factor: Any) -> FunctionSum:
        by = rational(factor, "a factor of a function")
        return FunctionSum([(by * c, f) for c, f in self.parts])

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> FunctionSum:
        return self * (1 / rational(divisor, "a divisor of a function"))

    def leaf(self, x: Vector) -> ClassPoint:
        """Return its point at x, a new one unless it was asked for before."""
        known = next((leaf for leaf in self.leaves if leaf.at.key == x.key), None)
        if known is None:
            is_of_agents = self.of_agents or bool(x.deviation)
            known = self.note(x, self.problem.vector(f"{self.name}_g{len(self.leaves)}", of_agents=is_of_agents))
        return known

    def note(
        self, x: Vector, gradient: Vector, *, is_minimiser: bool = False, value: Scalar | None = None
    ) -> ClassPoint:
        """Note that it has a gradient at x."""
        if value is None:
            value = number(0) if isinstance(self.given, OperatorClass) or self.given.indicator else self.problem.value()
        self.leaves.append(ClassPoint(x, gradient, value, is_minimiser))
        return self.leaves[-1]

    def gradient(self, x: Vector) -> Vector:
        """Return a gradient (subgradient, image) at x."""
        return self.leaf(x).gradient

    def __call__(self, x: Vector) -> Scalar:
        """Return the value at x."""
        return self.leaf(x).value

    def conditions(self) -> Iterator[tuple[str, Scalar]]:
        """Yield what is true of its points."""
        for k, a in enumerate(self.leaves):
            if self.floor is not None and not a.at.deviation and isinstance(self.given, FunctionClass):
                # A step of 1/L does not lead below it; so the mean of the agents' functions.
                gained = square(mean_of(a.gradient)) / (2 * self.given.L) if self.given.L else number(0)
                yield f"floor of {self.name} at {k}", a.value - gained - self.floor
            yield from ((f"{kind} of {self.name} at {k}", form) for kind, form in self.given.at(a))
        pairs = permutations if isinstance(self.given, FunctionClass) else combinations
        for (j, a), (k, b) in pairs(enumerate(self.leaves), 2):
            yield from ((f"{kind} of {self.name}, {j} from {k}", form) for kind, form in self.given.between(a, b))

    def matrices(self) -> Iterator[tuple[str, list[list[Scalar]]]]:
        """Yield matrices of its points that are positive semidefinite."""
        for (j, a), (k, b) in combinations(enumerate(self.leaves), 2):
            yield from ((f"{kind} of {self.name}, {j} and {k}", rows) for kind, rows in self.given.matrices(a, b))

    @property
    def is_interpolated(self) -> bool:
        """Return whether what is known of its points is sufficient for a function of the class.

        The mean of the agents' functions has a floor that only the agents' own functions decide; and of one function
        at points of all agents nothing is asked between two agents.
        """
        of_all_agents = not self.of_agents and any(leaf.at.deviation for leaf in self.leaves)
        return self.given.is_sufficient and not of_all_agents and not (self.of_agents and self.floor)


class FunctionSum(Function):
    """A sum of functions with factors; its points are points of all of them."""

    def __init__(self, parts: Sequence[tuple[Fraction, Function]]) -> None:
        factors: dict[int, tuple[Fraction, Function]] = {}
        for c, f in parts:
            factors[id(f)] = factors.get(id(f), (Fraction(0), f))[0] + c, f
        self._parts = [(c, f) for c, f in factors.values() if c]
        self.problem = self._parts[0][1].problem if self._parts else parts[0][1].problem

    @property
    def parts(self) -> list[tuple[Fraction, Function]]:
        """Return its functions with their factors."""
        return self._parts

    def leaf(self, x: Vector) -> ClassPoint:
        """Return its point at x."""
        leaves = [(c, f.leaf(x)) for c, f in self._parts]
        gradient = sum((c * leaf.gradient for c, leaf in leaves), NOTHING)
        return ClassPoint(x, gradient, sum((c * leaf.value for c, leaf in leaves), number(0)))


class StatedProblem:
    """Points, functions and assumptions of which a worst case is asked.

    Nobody knows where the origin is: what is asked of points has to be about their distances.

    Examples
    --------
    One step of gradient descent on convex functions, L/2/(4 + 2) of the squared distance (Drori, Teboulle 2014):

    >>> from boundcheck.worst.stated import StatedProblem, square
    >>> problem = StatedProblem()
    >>> f = problem.function(L=1, mu=0)
    >>> x_star = problem.minimiser(f)
    >>> x = problem.vector("x_0")
    >>> problem.assume(square(x - x_star) <= 1)
    >>> x = x - f.gradient(x)
    >>> found = problem.worst(f(x) - f(x_star))
    >>> f"{found.upper:.6f}", found.verdict
    ('0.166667', 'proved')
    """

    def __init__(self, name: str = "stated") -> None:
        self.name = name
        self.labels: list[tuple[str, bool]] = []
        """Name of every basis vector, and whether it is of the agents."""
        self.values = 0
        self.functions: list[Function] = []
        self.known: list[KnownRelation] = []
        self.linear: dict[LinearMap, list[tuple[Vector, Vector]]] = {}
        """What was put into linear maps, and what became of it."""

    def vector(self, name: str = "", *, of_agents: bool = False) -> Vector:
        """Return a vector of which nothing is known."""
        index = len(self.labels)
        self.labels.append((name or f"v{index}", of_agents))
        unit = {index: Fraction(1)}
        return Vector(unit, dict(unit) if of_agents else {})

    def point(self, name: str = "") -> Vector:
        """Return a point of which nothing is known."""
        return self.vector(name)

    def value(self) -> Scalar:
        """Return a number of which nothing is known."""
        self.values += 1
        return Scalar({("f", self.values - 1): Fraction(1)})

    def function(self, name: str = "", *, of_agents: bool = False, **constants: Any) -> Function:
        """Return a function of a class (`FunctionClass`), or one for each agent.

        Raises
        ------
        InputError
            If a constant is not legal.
        """
        indicator = bool(constants.pop("indicator", False))
        given = FunctionClass(indicator=indicator, **{key: optional(v, key) for key, v in constants.items()})
        return self._add_function(Function(self, given, name or f"f{len(self.functions)}", of_agents))

    def operator(self, name: str = "", **constants: Any) -> Function:
        """Return an operator of a class (`OperatorClass`).

        Raises
        ------
        InputError
            If a constant is not legal.
        """
        given = OperatorClass(**{key: optional(v, key) for key, v in constants.items()})
        return self._add_function(Function(self, given, name or f"A{len(self.functions)}"))

    def _add_function(self, function: Function) -> Function:
        self.functions.append(function)
        return function

    def minimiser(self, f: Function, at: Vector | None = None) -> Vector:
        """Return a point where a function, or a sum of them, has the gradient 0; of an operator, a zero.

        Raises
        ------
        InputError
            If all its functions are known there already.
        """
        x = self.point("x_star") if at is None else at
        free = [(c, g) for c, g in f.parts if not any(leaf.at.key == x.key for leaf in g.leaves)]
        require(bool(free), "minimiser", "a point where all gradients are known", "a point where one is not")
        total = sum((c * g.gradient(x) for c, g in f.parts if (c, g) not in free[-1:]), NOTHING)
        factor, last = free[-1]
        alone = len(f.parts) == 1 and not last.of_agents
        if last.of_agents:
            # Every agent has its own gradient; their mean is what the others leave.
            own = self.vector(f"{last.name}_star", of_agents=True)
            rest = Vector({}, own.deviation)
            last.note(x, rest - total / factor, is_minimiser=len(f.parts) == 1)
        else:
            last.note(x, -1 * total / factor, is_minimiser=alone)
        return x

    def floor(self, f: Function) -> Scalar:
        """Return a number that a function is nowhere below: for smooth ones in the place of a minimiser.

        Raises
        ------
        InputError
            If it is a sum, or an operator.
        """
        require(len(f.parts) == 1 and isinstance(f.given, FunctionClass), "floor", f.name, "of a single function")
        if f.floor is None:
            f.floor = self.value()
        return f.floor

    def prox(self, f: Function, x: Vector, step: Any) -> Vector:
        """Return the proximal point x - step g, g a gradient of f there; of an operator, its resolvent."""
        g = self.vector(f"{f.name}_prox{len(f.leaves)}", of_agents=f.of_agents or bool(x.deviation))
        found = x - rational(step, "step") * g
        f.note(found, g)
        return found

    def minimiser_over(self, indicator: Function, direction: Vector) -> Vector:
        """Return the point of a set at which a linear function is least."""
        y = self.vector(f"{indicator.name}_lmo{len(indicator.leaves)}")
        indicator.note(y, -direction)
        return y

    def symmetric(self, v: Vector, *, least: Any, largest: Any, name: str = "M") -> Vector:
        """Return M v for a symmetric linear map with eigenvalues in [least, largest].

        Raises
        ------
        InputError
            If least is above largest.

        References
        ----------
        Bousselmi, Hendrickx, Glineur, "Interpolation conditions for linear operators and applications to performance
        estimation problems", SIAM J. Optimization 34 (2024), Theorem 3.1.
        """
        return self._image(LinearMap.between(name, least, largest), v)

    def skew(self, v: Vector, *, largest: Any, name: str = "S") -> Vector:
        """Return S v for a skew-symmetric linear map of norm at most `largest`."""
        return self._image(LinearMap.with_bound(name, largest, "skew"), v)

    def linear_map(self, v: Vector, *, largest: Any, name: str = "M", transposed: bool = False) -> Vector:
        """Return M v, or M' v, for a linear map of norm at most `largest`."""
        return self._image(LinearMap.with_bound(name, largest, "transposed" if transposed else "general"), v)

    def mix(self, v: Vector, *, least: Any, largest: Any, name: str = "W") -> Vector:
        """Return W v for a symmetric W that averages over the agents, its other eigenvalues in [least, largest].

        Raises
        ------
        InputError
            If least is above largest.

        References
        ----------
        Colla, Hendrickx, "Automatic performance estimation for decentralized optimization", IEEE Trans. Automatic
        Control 68 (2023), Theorem 1.
        """
        linear = LinearMap.between(name, least, largest)
        if not v.deviation or linear.least == linear.largest:
            by = linear.least
            return Vector(v.mean, {k: by * c for k, c in v.deviation.items()} if by else {})
        return Vector(dict(v.mean), self._image(linear, deviation_of(v)).deviation)

    def _image(self, linear: LinearMap, v: Vector) -> Vector:
        """Return what a map makes of a vector, the same as before where it was asked for before."""
        pairs = self.linear.setdefault(linear, [])
        known = next((image for u, image in pairs if u.key == v.key), None)
        if known is None:
            new = self.vector(f"{linear.name}{len(self.labels)}", of_agents=bool(v.deviation))
            known = Vector(new.mean if v.mean else {}, new.deviation)
            pairs.append((v, known))
        return known

    def assume(self, *relations: Any) -> None:
        """Assume that relations hold.

        Raises
        ------
        InputError
            If something is no relation.
        """
        for relation in relations:
            if not isinstance(relation, LinearRelation):
                msg = f"assume: {relation!r} is not legal: a relation, such as |x - x_star|^2 <= 1"
                raise InputError(msg)
            self.known.append(KnownRelation(f"assumption {len(self.known)}", relation))

    def smallest(self, numbers: Sequence[Any]) -> Scalar:
        """Return a number that is below all of these: the smallest of them, where it is maximised."""
        require(len(numbers) > 0, "smallest", "no number", "one number at least")
        level = self.value()
        self.assume(*(level <= number(value) for value in numbers))
        return level

    def conditions(self) -> list[KnownRelation]:
        """Return all that is known: what was assumed, and what the classes say of the points."""
        found = list(self.known)
        for function in self.functions:
            found += [KnownRelation(name, LinearRelation(form)) for name, form in function.conditions() if form.parts]
        for linear, pairs in self.linear.items():
            equations = linear.equations(pairs, self.linear.get(linear.transpose, []))
            found += [KnownRelation(name, LinearRelation(form, equal=True)) for name, form in equations if form.parts]
        return found

    def matrices(self) -> list[tuple[str, list[list[Scalar]]]]:
        """Return matrices of numbers that are known to be positive semidefinite, with their names."""
        of_functions = [found for function in self.functions for found in function.matrices()]
        return of_functions + [linear.matrix(pairs) for linear, pairs in self.linear.items()]

    def worst(self, objective: Any, *, prove: bool = True) -> StatedCase:
        """Return the largest value of a number.

        Parameters
        ----------
        objective : Scalar
        prove : bool
            Whether to look for a proof over Q.

        Raises
        ------
        NotApplicableError
            If nothing bounds it, or the solver found no answer.
        InputError
            If the numbers of the problem are beyond those of a solver.
        """
        is_attained = all(f.is_interpolated for f in self.functions)
        # Of a mixing matrix of as many rows as there are agents, the spectrum is necessary only.
        is_attained = is_attained and not any(v.deviation for pairs in self.linear.values() for v, _ in pairs)
        known = self.conditions()
        asked = StatedQuestion(
            self.name, number(objective), known, self.matrices(), self.labels, self.values, is_attained
        )
        try:
            return answer(asked, prove=prove)
        except OverflowError as error:
            msg = f"{self.name}: its numbers have products beyond 1e308: state it in units in which they are near 1"
            raise InputError(msg) from error
