"""What is true of all problems of a class at the points that a run met, as forms over Q that are >= 0 or = 0."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.worst.facts.across import smooth
from boundcheck.worst.facts.conditions import floor, interpolation
from boundcheck.worst.facts.drawn import FormsAfterDraw
from boundcheck.worst.facts.forms import Form, Forms, Ground
from boundcheck.worst.gram.exact import fraction
from boundcheck.worst.gram.oracle import SERVER
from boundcheck.worst.gram.trace import ORIGIN
from boundcheck.worst.gram.vectors import GramVector

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.gram.oracle import Element, GramOracle

Name = tuple[str | int, ...]
Pairs = frozenset[tuple[int, int]]
"""Numbers of points between which conditions are asked for."""


class Hypothesis(NamedTuple):
    """A form that is known."""

    name: Name
    form: Form
    equal: bool = False
    """Whether it is 0, else >= 0."""


def forms_of(
    oracle: GramOracle,
    given: ProblemClass,
    vectors: Iterable[GramVector],
    *,
    tilted: bool,
    ground: Ground | None = None,
) -> Any:
    """Return what makes forms of the points that were met and of some more vectors.

    Server vectors have no deviation, one client has none, and server gradients have none if zeta = 0.  Where nothing
    notices tilts (`tilted`), the gradient at the first point is tilted to have none.
    """
    at_x = [p.gradient for p in oracle.points if p.is_server and not (ground and p.gradient == ground.gradient)]
    still = set(at_x) if given.zeta == 0 else set[int]()
    still |= {k for k, element in enumerate(oracle.basis) if element.kind in SERVER}
    still |= {oracle.points[0].gradient} if tilted else set()
    if oracle.S < oracle.N:
        return FormsAfterDraw(oracle, still)
    used = [*(point.at for point in oracle.points), *vectors]
    denominators = {fraction(c).denominator for v in used for c in v.coefficients.flat if c}
    still |= set(range(len(oracle.basis))) if given.N == 1 else set()
    return Forms(still, lcm(*denominators), given.N, ground)


def basis(forms: Any, index: int) -> Any:
    """Return a basis vector."""
    import numpy as np

    unit = np.zeros((2, index + 1))
    unit[:, index] = 1.0
    return forms.vector(GramVector(unit))


def hypotheses(oracle: GramOracle, given: ProblemClass, forms: Any, pairs: Pairs | None = None) -> Iterator[Hypothesis]:
    """Yield all that is true of a run; of conditions between points those of some pairs, if these are given."""
    for name, form in smooth(forms, given) if oracle.S < oracle.N else _smooth(oracle, given, forms, pairs):
        yield Hypothesis(name, -1 * form)
    for k, point in enumerate(oracle.points):
        # One client stands at every point alone.
        if (point.is_server or given.N == 1) and not (forms.ground and forms.ground.point == k):
            g = basis(forms, point.gradient)
            yield Hypothesis(("floor", k), -1 * _form(floor(forms, given, k, forms.means(g))))
            if given.pl is not None:
                yield Hypothesis(("PL", k), forms.square(forms.means(g)) - forms.value(k) * Fraction(2 * given.pl))
            if given.zeta and point.is_server:
                yield Hypothesis(("heterogeneity", k), forms.constant("zeta") - forms.square(forms.deviations(g)))
    for k, element in enumerate(oracle.basis):
        if element.kind == "noise":
            yield from _noise(oracle, given.N, forms, k, element)


def _smooth(oracle: GramOracle, given: ProblemClass, forms: Any, pairs: Pairs | None) -> Iterator[tuple[Name, Form]]:
    """Yield the conditions of smoothness, <= 0, between points of the generic client."""
    at: list[Any] = [(k, forms.vector(p.at), basis(forms, p.gradient)) for k, p in enumerate(oracle.points)]
    for j, k in permutations(range(len(at)), 2) if pairs is None else sorted(pairs):
        a, b = at[j], at[k]
        yield ("interpolation", a[0], b[0]), _form(interpolation(forms, given, a, b))


def _form(row: Any) -> Form:
    """Return what the conditions make of forms in place of rows."""
    made: Form = row
    return made


def at_start(oracle: GramOracle, x: GramVector, given: ProblemClass, forms: Any) -> Iterator[Hypothesis]:
    """Yield what is true of the start x, a point that was met."""
    start = oracle.point(x)
    k = next(k for k, point in enumerate(oracle.points) if point is start)
    yield Hypothesis(("start", k), forms.constant("Delta") - forms.value(k))
    if given.G_0 is not None:
        square = forms.square(basis(forms, start.gradient))
        yield Hypothesis(("gradients at the start", k), forms.constant("G_0") - square)


def of_a_run(
    oracle: GramOracle, x: GramVector, given: ProblemClass, forms: Any, pairs: Pairs | None = None
) -> Iterator[Hypothesis]:
    """Yield what is true of a whole run from x, a point that was met: of smooth clients, in units in which L = 1."""
    yield from hypotheses(oracle, given, forms, pairs)
    if given.distance is not None and forms.ground is not None:
        away = forms.vector(oracle.points[forms.ground.point].at)
        yield Hypothesis(("distance",), forms.constant("distance") - forms.square(away))
    if given.Delta_mean is None:
        yield from (h for h in at_start(oracle, x, given, forms) if h.name[0] != "start" or given.Delta is not None)
        if given.N == 2 and forms.ground is None:
            yield from _between_clients(oracle, forms, pairs)
        return
    yield Hypothesis(("clients at the start", 0), forms.constant("Delta_mean") - forms.value(0))
    for k, point in enumerate(oracle.points):
        square = forms.square(basis(forms, point.gradient))
        yield Hypothesis(("floor of a client", k), forms.value(k) - square / 2)


def _between_clients(oracle: GramOracle, forms: Any, pairs: Pairs | None) -> Iterator[Hypothesis]:
    """Yield the floor of the average of two clients between their points (docs/worst.md), all times 4."""
    data = []
    for k, point in enumerate(oracle.points):
        x, g = forms.vector(point.at), basis(forms, point.gradient)
        t = 4 * forms.value(k) - 2 * forms.product(g, x) + forms.square(x) - forms.square(g)
        data.append((x - g, t))
    for (a, (w, t)), (b, (v, s)) in combinations_with_replacement(enumerate(data), 2):
        if pairs is not None and a != b and not {(a, b), (b, a)} & pairs:
            continue
        across = forms.product(w.means, v.means) - forms.product(w.deviations, v.deviations)
        yield Hypothesis(("floor between clients", a, b), (t + s) / 2 - across)


def _noise(oracle: GramOracle, N: int, forms: Any, k: int, noise: Element) -> Iterator[Hypothesis]:
    """Yield the variance of a noise, and that it is orthogonal to all that does not depend on it."""
    own = basis(forms, k)
    variance = forms.constant("sigma", Fraction(1, N * noise.samples))
    yield Hypothesis(("variance", k), variance - forms.square(forms.means(own)))
    for j, element in enumerate(oracle.basis):
        if j == ORIGIN or k in element.shared or (element.kind == "noise" and j < k):
            continue
        other = basis(forms, j)
        mean = forms.product(forms.means(own), forms.means(other))
        apart = forms.product(forms.deviations(own), forms.deviations(other))
        if k in element.own:
            yield Hypothesis(("independent clients", k, j), apart - (N - 1) * mean, equal=True)
            continue
        yield Hypothesis(("no mean of noise", k, j), mean, equal=True)
        if apart:
            yield Hypothesis(("no mean of noise in deviations", k, j), apart, equal=True)
