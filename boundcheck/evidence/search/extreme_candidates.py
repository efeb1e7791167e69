"""Worst functions as instances on which a bound is put on trial: over many constants and rounds."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from boundcheck.bounds.bound import Condition
from boundcheck.bounds.units import findings
from boundcheck.errors import BoundcheckError
from boundcheck.evidence.search.effort import REFUSED, Effort, worst_case
from boundcheck.evidence.search.extremes import MEASURED, place_on_class
from boundcheck.evidence.search.instances import TrialInstance
from boundcheck.evidence.search.keeping import write_page
from boundcheck.evidence.trials.examples import chooses_horizons, pinned_letters
from boundcheck.evidence.trials.fitting import units_of
from boundcheck.notation import LETTERS
from boundcheck.problems.extremal.family import Extremal
from boundcheck.worst import worst
from boundcheck.worst.gram.units import for_share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from boundcheck.bounds.bound import Bound
    from boundcheck.evidence.search.extremes import TheoremOnClass
    from boundcheck.problems.extremal.data import Pieces

_SHORT: tuple[tuple[int, int], ...] = ((1, 2), (2, 2), (1, 4), (2, 4), (1, 8), (4, 2), (8, 1), (2, 1), (1, 1))
_LONG: tuple[tuple[int, int], ...] = ((1, 12), (1, 16))
_FEW: tuple[tuple[int, int], ...] = ((1, 3), (1, 5), (1, 7), (1, 10))
"""K and T, for theorems about few T the last ones as well."""
_APART = {"zeta": (1.0, 0.0, 10.0), "G_0": (4.0, 100.0, 1e4), "mu": (0.1, 0.01, 0.5)}
"""Heterogeneity and curvature in units in which L = Delta = 1; zeta, G_0 and mu are then those of the class."""
_STAND_INS = {"zeta_star": "zeta", "sigma_star": "sigma", "L_exp": "L"}
"""Letters that worst cases do not know, and what they bound in their place."""
_OWN = {True: "centre_suboptimality", False: "server_gradient"}
"""Left-hand sides in the place of one that worst cases do not know, by whether the clients are convex."""
_NOISE = (0.0, 1.0, 30.0)
"""sigma in units in which L = Delta = 1, for bounds about it."""
_SCALES = ((2e4, 1.0), (1.0, 2e4), (5e-5, 1.0), (1.0, 5e-5), (1.0, 1.0))
"""L and Delta, for bounds that are not homogeneous; for others the last stands for all."""


@dataclass(frozen=True)
class ExtremeFunction:
    """A function of a bound's class on which its left-hand side is large.

    Attributes
    ----------
    at : Placed
        The bound on the class.
    pieces : Pieces
        The function.
    sigma : float
        Noise, along a further coordinate.
    ratio : float
        Left-hand side over right-hand side: above 1 it refutes an explicit bound, and is a lower limit on the hidden
        constant of a bound of order.
    """

    at: TheoremOnClass
    pieces: Pieces
    sigma: float
    ratio: float


def known_to_worst(bound: Bound) -> Bound:
    """Return a bound that worst cases know, whose worst functions are likely to be bad for this one.

    What they are for this one is measured where they are put on trial, with the constants that they have: here stands
    heterogeneity and noise at the server points for that at the minimiser alone, and for a left-hand side of the user's
    own the value at the average point, or the average gradient.
    """
    names = {old: new for old, new in _STAND_INS.items() if old in bound.needs}
    letters = {LETTERS[old].symbol: LETTERS[new].symbol for old, new in names.items()}

    def rename_letters(formulas: Mapping[str, Any]) -> dict[str, Any]:
        return {name: formula.subs(letters) for name, formula in formulas.items()}

    metric = bound.metric if bound.metric in MEASURED else _OWN[bound.convex or "delta_x" in bound.needs]
    if not names and metric == bound.metric:
        return bound
    return dataclasses.replace(
        bound,
        metric=metric,
        needs=tuple(dict.fromkeys(names.get(letter, letter) for letter in bound.needs)),
        parameters=rename_letters(bound.parameters),
        terms=rename_letters(bound.terms),
        trivial=bound.trivial.subs(letters),
        conditions=tuple(Condition(c.label, c.relation.subs(letters), c.stated) for c in bound.conditions),
    )


def worst_functions(bound: Bound, spent: Effort | None = None, share: float = 1.0) -> Iterator[ExtremeFunction]:
    """Yield worst functions of a bound with prescribed steps, all clients taking part; short runs first, noise last.

    Classes that worst cases do not know and settings at which a condition fails are left out.

    Parameters
    ----------
    bound : Bound
    spent : Effort, optional
        To which their work is added.
    share : float
        Share of its work after which no other one is begun.
    """
    spent = spent or Effort()
    # A left-hand side that stands in for another one may have another unit.
    scales = _SCALES if findings(bound, units_of(bound)) else _SCALES[-1:]
    bound, pins = known_to_worst(bound), pinned_letters(bound)
    apart = [[(name, value) for value in _APART[name]] for name in _APART if name in bound.needs]
    sizes = (*_SHORT, *_LONG, *(_FEW if chooses_horizons(bound) else ()))
    settings = dict.fromkeys((pins.get("K", K), pins.get("T", T)) for K, T in sizes)
    # Where the rounds are given, local steps are what is left to make a run long.
    ordered = sorted(settings, key=lambda at: -at[0]) if "T" in pins else list(settings)
    noise = _NOISE if "sigma" in bound.needs else _NOISE[:1]
    for sigma, (L, Delta), (K, T) in product(noise, scales, ordered):
        for chosen in product(*apart):
            if spent.past(share):
                return
            N = pins.get("N", 2)
            found = extreme(bound, K=K, T=T, N=N, L=L, Delta=Delta, sigma=sigma, **dict(chosen))
            # With noise there are two programmes: the one without makes the function.
            spent.spend(REFUSED if found is None else worst_case(N, K, T) * (2 if sigma else 1))
            if found is not None:
                yield found


def extreme(
    bound: Bound, *, K: int, T: int, N: int, L: float, Delta: float, sigma: float = 0.0, **apart: float
) -> ExtremeFunction | None:
    """Return the worst function at a setting; None where there is none, or a condition of the bound fails.

    Parameters
    ----------
    bound : Bound
    K, T, N : int
        Local steps a round, rounds, clients.
    L, Delta : float
        Smoothness and depth, the clients' own where the bound is about that.
    sigma : float
        Noise, in units in which L = Delta = 1.
    **apart : float
        zeta, G_0 or mu, in these units.
    """
    depth = "Delta_mean" if "Delta_mean" in bound.needs else "Delta"
    units_of = {"zeta": (L * Delta) ** 0.5, "G_0": L * Delta, "mu": L, "sigma": (L * Delta) ** 0.5}
    given = {name: value * units_of[name] for name, value in (apart | {"sigma": sigma}).items()}
    # A theorem may be about the distance alone, whose square then has the unit Delta/L.
    far = {"distance": (Delta / L) ** 0.5} if "delta_x" in bound.needs else {}
    given |= far | ({} if far and depth not in bound.needs else {depth: Delta})
    try:
        at = place_on_class(bound, K=K, T=T, N=N, L=L, **given)
        if at.conditions or not at.rhs > 0:
            return None
        # Solvers want numbers near 1.
        size = {name: 1.0 for name in ("distance", depth) if name in given}
        constants: dict[str, Any] = {"L": 1.0, "Delta": None, **size, "sigma": sigma, **apart}
        plain = dataclasses.replace(at.given, **constants)
        case = worst(for_share(at.method, L), K=K, T=T, measure=at.measure, given=plain, prove=False)
    except (BoundcheckError, ArithmeticError):
        return None
    if not isinstance(case.problem, Extremal) or case.lower is None:
        return None
    plain_pieces = case.problem.pieces.drop_dimension() if sigma else case.problem.pieces
    pieces = plain_pieces.steeper(L).rescale((Delta / L) ** 0.5)
    pieces = dataclasses.replace(pieces, origin=f"worst case of {bound.id} at K = {K}, T = {T}, N = {N}")
    return ExtremeFunction(at, pieces, given["sigma"], case.lower * unit(at.measure, L, Delta) / at.rhs)


def unit(measure: str, L: float, Delta: float) -> float:
    """Return the unit of a left-hand side: of squared gradients, but for values of f and for drift."""
    return {"suboptimality": Delta, "value": Delta, "drift": Delta / L}.get(measure, L * Delta)


def candidates(bound: Bound, folder: Path, spent: Effort | None = None, share: float = 1.0) -> Iterator[TrialInstance]:
    """Yield worst functions as instances, kept as pages of problems in a folder; see `worst_functions`."""
    for found in worst_functions(bound, spent, share):
        table = json.dumps(found.pieces.table(), separators=(",", ":"))
        # Without noise a page is what it was.
        parameters = {"which": table} | ({"sigma": found.sigma} if found.sigma else {})
        name = hashlib.sha256("".join(map(str, parameters.values())).encode()).hexdigest()[:16]
        page = folder / f"{name}.toml"
        write_page(page, "extremal", parameters, bound.id)
        yield TrialInstance(str(page), found.at.given.N, found.at.K, found.at.T)
