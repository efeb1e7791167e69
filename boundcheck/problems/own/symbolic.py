"""Your own formulas as a problem: gradients and, where they can be proved, constants by sympy."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.certification.search import client_gradients, jacobian
from boundcheck.problems.constants import Constant, exact, upper
from boundcheck.problems.own.extremes import ExtremeValues, extremes
from boundcheck.problems.own.functions import OwnProblem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import sympy as sp

    from boundcheck.problems.types import Array

_SPELLED = 400
"""Most letters of formulas in a script."""
_TRIED = 200
"""Random points of an estimate."""


class FormulaProblem(OwnProblem):
    """A problem made of formulas: its constants are derived from them, and nobody has to vouch for them."""

    derived: Mapping[str, Constant]
    is_proved_convex: bool = False
    """Whether no coordinate of a client has a negative curvature, by the critical points."""
    formulas: Sequence[sp.Expr] = ()
    """f_i, in the coordinates `coordinates`."""
    coordinates: Sequence[sp.Symbol] = ()

    def stated_constants(self) -> dict[str, Constant]:
        """Return the constants that were derived, and those that were given."""
        return {**super().stated_constants(), **self.derived}

    @property
    def convex(self) -> bool:
        """Whether every client is proved or said to be convex."""
        return self.is_proved_convex or super().convex

    @property
    def convex_is_vouched(self) -> bool:
        """Whether it is said and not proved."""
        return not self.is_proved_convex and super().convex

    def spelled_gradient(self) -> str:
        """Return the derivatives of the formulas in numpy's words; '' where these are long, or it has none for them."""
        slopes = [[each.diff(z) for z in self.coordinates] for each in self.formulas]
        if all(row == slopes[0] for row in slopes):
            return self._spell(slopes[0], "x[..., {}]")
        rows = [self._spell(row, f"x[:, {i}, {{}}]") for i, row in enumerate(slopes)]
        text = f"(lambda x: np.stack([{', '.join(rows)}], 1))(x + np.zeros(({self.N}, 1)))"
        return text if all(rows) and len(text) <= _SPELLED else ""

    def spelled_value(self) -> str:
        """Return the mean of the formulas less f_star in numpy's words; '' where it is long."""
        mean = sum(self.formulas) / self.N
        text = self._spell([mean], "x[:, 0, {}]")
        return f"{text}[..., 0] - {self.constant('f_star')!r}" if text else ""

    def _spell(self, expressions: Sequence[sp.Expr], coordinate: str) -> str:
        """Return expressions side by side on the last axis; `coordinate` says how a coordinate is read off."""
        from sympy import Symbol
        from sympy.printing.numpy import NumPyPrinter

        named = {z: Symbol(f"z{c}") for c, z in enumerate(self.coordinates)}
        parts = []
        for each in expressions:
            text = NumPyPrinter().doprint(each.subs(named)).replace("numpy.", "np.")
            text = re.sub(r"\bz(\d+)\b", lambda found: coordinate.format(found[1]), text)
            parts.append(text if each.free_symbols else f"{text} + 0*{coordinate.format(0)}")
        joined = f"np.stack([{', '.join(parts)}], -1)"
        # What numpy does not have is printed with a remark, or as scipy's.
        is_plain = "\n" not in joined and "scipy" not in joined
        return joined if is_plain and len(joined) <= _SPELLED else ""


def from_sympy(
    expressions: sp.Expr | Sequence[sp.Expr],
    symbols: Sequence[sp.Symbol],
    *,
    start: Sequence[float] | Array,
    parameters: Mapping[sp.Symbol, Sequence[float]] | None = None,
    sigma: float = 0.0,
    noise: str = "signs",
    constants: Mapping[str, Constant | float] | None = None,
    convex: bool = False,
    x_star: Sequence[float] | Array | None = None,
    name: str = "own",
) -> FormulaProblem:
    """Return a problem made of formulas: one a client, or one formula whose parameters differ between clients.

    Gradients are derived.  If every formula is a sum of functions of one coordinate, so are L, zeta, G_inf and f_star:
    sympy lists the critical points of each derivative and its limits, and the constants are exact.  A constant that is
    infinite is left out.  Where the formulas are not separable, or sympy cannot list all critical points, L is an
    `estimate`: the largest curvature among random points, which is NOT a bound; `certify` never calls it ok.

    Parameters
    ----------
    expressions : sympy expression, or one for each client
        f_i.
    symbols : sequence of symbols
        The coordinates of x, in order.
    start : sequence of float
        x_0.
    parameters : dict, optional
        Symbol to one value for each client, with a single expression.
    sigma, noise : float, str
        Noise that is added, see `boundcheck.problems.noise.models`.
    constants : dict
        Letters that cannot be derived, such as your own, to `Constant` or to numbers; they are vouched for.
    convex : bool
        Whether every f_i is convex: your word, where it is not proved.  Where the formulas are separable it is.
    x_star : sequence of float, optional
        The only minimiser of f: your word, see `from_functions`.
    name : str
        For messages and tables.

    Returns
    -------
    FormulaProblem

    Raises
    ------
    InputError
        If a formula has a symbol that is neither a coordinate nor a parameter, a constant is given that is derived, or
        `convex` is said of functions that are proved to be not.
    """
    import sympy as sp

    real = [sp.Dummy(str(symbol), real=True) for symbol in symbols]
    clients = [each.subs(dict(zip(symbols, real, strict=True))) for each in _clients(expressions, parameters or {})]
    for each in clients:
        strange = sorted(str(symbol) for symbol in each.free_symbols - set(real))
        require(not strange, "own: symbols", ", ".join(strange), "a coordinate or a parameter")
    slopes = [[sp.diff(each, z) for z in real] for each in clients]
    values = [sp.lambdify(real, each, "numpy") for each in clients]
    gradients = [[sp.lambdify(real, slope, "numpy") for slope in row] for row in slopes]

    def value(client: int, points: Array) -> Array:
        return np.broadcast_to(values[client](*points.T), len(points))

    def gradient(client: int, points: Array) -> Array:
        return np.stack([np.broadcast_to(slope(*points.T), len(points)) for slope in gradients[client]], axis=-1)

    problem = FormulaProblem(
        value,
        gradient,
        N=len(clients),
        d=len(real),
        start=start,
        calls="client",
        sigma=sigma,
        noise=noise,
        constants=constants,
        convex=convex,
        x_star=x_star,
        name=name,
    )
    separable = _is_separable(slopes, real)
    derived = _separable(clients, slopes, real, problem) if separable else {}
    given = constants or {}
    for letter in given:
        require(letter not in derived, f"own: constant {letter}", given[letter], "left out: it is derived")
    if "L" not in derived and "L" not in given:
        derived |= _infinite_or_estimated(problem, slopes, real)
    problem.derived = derived
    problem.formulas, problem.coordinates = clients, real
    lowest = _lowest_curvature(slopes, real) if separable else None
    problem.is_proved_convex = lowest is not None and lowest >= 0
    if convex and lowest is not None:
        require(lowest >= 0, "own: convex", convex, f"False: a client has the curvature {lowest:.6g}")
    return problem


def _lowest_curvature(slopes: list[list[sp.Expr]], real: list[sp.Symbol]) -> float | None:
    """Return the smallest curvature of a coordinate of a client; None where it is not decided."""
    import sympy as sp

    curved = [extremes(sp.diff(row[c], z), z) for row in slopes for c, z in enumerate(real)]
    found = [each.low for each in curved if each is not None]
    return min(found) if len(found) == len(curved) else None


def _clients(
    expressions: sp.Expr | Sequence[sp.Expr], parameters: Mapping[sp.Symbol, Sequence[float]]
) -> list[sp.Expr]:
    import sympy as sp

    require(not isinstance(expressions, str), "own: expressions", expressions, "sympy expressions, not text")
    if not isinstance(expressions, sp.Basic):
        require(not parameters, "own: parameters", list(parameters), "none when each client has its own expression")
        return [sp.sympify(each) for each in expressions]
    lengths = {len(values) for values in parameters.values()}
    require(len(lengths) == 1, "own: parameters", sorted(lengths), "one value for each client, the same number for all")
    return [expressions.subs({s: values[i] for s, values in parameters.items()}) for i in range(lengths.pop())]


def _is_separable(slopes: list[list[sp.Expr]], real: list[sp.Symbol]) -> bool:
    import sympy as sp

    return all(
        sp.simplify(sp.diff(slope, other)) == 0
        for row in slopes
        for z, slope in zip(real, row, strict=True)
        for other in real
        if other is not z
    )


def _separable(
    clients: list[sp.Expr], slopes: list[list[sp.Expr]], real: list[sp.Symbol], plain: OwnProblem
) -> dict[str, Constant]:
    """Return the constants that can be proved coordinate by coordinate."""
    import sympy as sp

    N, found = len(clients), {}
    mean = [sum(row[c] for row in slopes) / N for c in range(len(real))]
    curved = [extremes(sp.diff(row[c], z), z) for row in slopes for c, z in enumerate(real)]
    steep = [extremes(sp.simplify(row[c]), z) for row in slopes for c, z in enumerate(real)]
    apart = [extremes(sum((row[c] - mean[c]) ** 2 for row in slopes) / N, z) for c, z in enumerate(real)]
    rest = dict.fromkeys(real, 0)
    average = sum(clients) / N
    depth = [extremes(average.subs({s: 0 for s in real if s is not z}) - average.subs(rest), z) for z in real]
    bend, slope = _largest(curved, len(real)), _largest(steep, len(real))
    if bend is not None:
        found["L"] = exact(bend[0], "largest curvature of one coordinate, by its critical points and limits", bend[1])
    if slope is not None:
        aligned = plain.noise.kind in {"signs", "none"}
        why, total = "largest slope of one coordinate, plus the noise", slope[0] + plain.noise.sup
        found["G_inf"] = exact(total, why, slope[1]) if aligned else upper(total, f"{why}; they need not meet")
    if all(each is not None and np.isfinite(each.high) for each in apart):
        spread = float(np.sqrt(sum(each.high for each in apart if each is not None)))
        found["zeta"] = exact(spread, "coordinates differ most independently of each other", _place(apart))
    if all(each is not None and np.isfinite(each.low) for each in depth):
        low = float(average.subs(rest)) + sum(each.low for each in depth if each is not None)
        gap = plain.initial_value - low
        found["f_star"] = exact(low, "every coordinate at its infimum", _place(depth, low=True))
        found["Delta"] = exact(gap, "f(x_0) - f_star", _place(depth, low=True))
    return found


def _largest(found: list[ExtremeValues | None], d: int) -> tuple[float, Array] | None:
    """Return the largest absolute value over clients and coordinates, and a point; None if undecided or infinite."""
    best, at = 0.0, np.zeros(d)
    for k, each in enumerate(found):
        if each is None or not np.isfinite([each.low, each.high]).all():
            return None
        for size, place in ((abs(each.low), each.low_at), (abs(each.high), each.high_at)):
            if size > best:
                best, at = size, np.zeros(d)
                at[k % d] = 1e4 if place is None else place
    return best, at


def _place(found: list[ExtremeValues | None], *, low: bool = False) -> Array:
    places = [None if each is None else (each.low_at if low else each.high_at) for each in found]
    return np.array([0.0 if place is None else place for place in places])


def _infinite_or_estimated(
    plain: OwnProblem, slopes: list[list[sp.Expr]], real: list[sp.Symbol]
) -> dict[str, Constant]:
    """Return L as an estimate, or nothing if a curvature is proved to be infinite."""
    import sympy as sp

    for row in slopes:
        for z, slope in zip(real, row, strict=True):
            curve = sp.diff(slope, z)
            known = extremes(curve, z) if curve.free_symbols <= {z} else None
            if known is not None and not np.isfinite([known.low, known.high]).all():
                return {}
    rng = np.random.default_rng(0)
    points = rng.standard_normal((_TRIED, plain.d)) * np.resize([0.3, 1.0, 3.0], _TRIED)[:, None]
    sizes = [np.linalg.norm(jacobian(partial(client_gradients, plain), x), 2, axis=(1, 2)).max() for x in points]
    why = f"NOT certified: largest curvature at {_TRIED} random points; the supremum may be larger"
    return {"L": Constant(float(max(sizes)), "estimate", why)}
