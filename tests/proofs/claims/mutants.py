"""False neighbours of a goal: a constant moved just past what sampling shows, each with a certificate that it is false.

The certificates use no prover: an exact rational point where a scalar inequality or an identity fails, numpy's
eigenvalues for forms, and the search's own replay for searched goals.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import sympy as sp

from boundcheck.proofs import AllOf, AnyOf
from boundcheck.proofs.provers import (
    AllFrom,
    Expected,
    Feasible,
    GramBound,
    Identity,
    Infeasible,
    OnBox,
    Pathwise,
    Real,
    Search,
)
from boundcheck.proofs.provers.gram import form_matrix, split_constant
from boundcheck.proofs.provers.hilbert import DEVIATION, INNER, gram, names_of
from boundcheck.proofs.provers.multipliers import find_multipliers
from boundcheck.proofs.provers.real import holds
from boundcheck.proofs.provers.solver import solve, symbols_of
from boundcheck.proofs.provers.witness import COUNTED

SAMPLES = 4000
STEP = sp.Rational(1, 100)


def mutants(goal):
    """Return false neighbours of every part of a goal."""
    if isinstance(goal, (AllOf, AnyOf)):
        return [mutant for part in goal.goals for mutant in mutants(part)]
    for kind, make in MAKERS.items():
        if isinstance(goal, kind):
            return make(goal)
    return []


def of_identity(goal):
    """Change one term of the right side by a hundredth; false because that term does not vanish at a random point."""
    sides = [sp.expand(sp.sympify(side).subs(goal.where)).subs(goal.where) for side in (goal.lhs, goal.rhs)]
    terms = [t for t in sp.Add.make_args(sides[1]) if not vanishes(t)] or [sp.S.One]
    return [Identity(sides[0], sides[1] + STEP * term, goal.where, goal.mean) for term in terms]


def vanishes(e):
    """Whether an expression is zero at a random rational point, inner products taken as free numbers."""
    rng = np.random.default_rng(0)
    atoms = sorted(e.atoms(INNER), key=str)
    e = e.xreplace({g: sp.Rational(int(rng.integers(1, 50)), 7) for g in atoms})
    return e.xreplace({s: sp.Rational(int(rng.integers(1, 50)), 7) for s in symbols_of(e)}) == 0


def of_real(goal):
    """Tighten to the worst sampled point: past it by a hundredth."""
    made = []
    for point in worst_points(goal.lhs, goal.rhs, goal.given):
        mutant = Real(*tighter(goal.lhs, goal.rhs, point), goal.given)
        if all(holds(c, point) for c in goal.given) and holds(sp.Gt(mutant.lhs, mutant.rhs, evaluate=False), point):
            return [mutant]
    return made


def tighter(lhs, rhs, point):
    """Return the sides with rhs scaled, or lhs lifted, so that lhs exceeds rhs at the point by about a hundredth."""
    left, right = (sp.N(sp.sympify(side).subs(point), 30) for side in (lhs, rhs))
    if left > 0 and right > 0:
        return lhs, rational(left / right) * (1 - STEP) * rhs
    return lhs + rational(right - left) + STEP * rational(1 + abs(left) + abs(right)), rhs


def rational(x):
    return sp.Rational(str(sp.N(x, 12)))


def worst_points(lhs, rhs, given):
    """Return points of the domain, the one with the largest lhs/rhs first; exact rationals."""
    symbols = symbols_of(lhs, rhs, *given)
    cloud = sample(symbols)
    inside = np.ones(SAMPLES, dtype=bool)
    with np.errstate(all="ignore"):
        for c in given:
            inside &= np.broadcast_to(sp.lambdify(symbols, c, "numpy")(*cloud), (SAMPLES,)).astype(bool)
        left, right = (
            np.broadcast_to(np.real(sp.lambdify(symbols, sp.sympify(side), "numpy")(*cloud)), (SAMPLES,)).astype(float)
            for side in (lhs, rhs)
        )
        closeness = (left - right) / (np.abs(left) + np.abs(right))
    closeness = np.where(inside & np.isfinite(closeness), closeness, -np.inf)
    order = [k for k in np.argsort(-closeness)[:5] if closeness[k] > -np.inf]
    points = [{s: sp.Rational(str(round(cloud[i, k], 9))) for i, s in enumerate(symbols)} for k in order]
    found = solve([*given, *(sp.Eq(s, s, evaluate=False) for s in symbols)], 2.0)[1]
    return [*points, *([found] if found else [])]


def sample(symbols):
    """Return random values, a row a symbol: whole numbers for counts, half of the rest in (0, 1)."""
    rng = np.random.default_rng(0)
    rows = []
    for s in symbols:
        row = 10.0 ** rng.uniform(-2, 1.5, SAMPLES)
        row = np.where(rng.random(SAMPLES) < 0.5, rng.uniform(0, 1, SAMPLES), row)
        if s.name in COUNTED:
            row = rng.integers(1, 12, SAMPLES).astype(float)
        if not s.is_nonnegative:
            row *= rng.choice([-1, 1], SAMPLES)
        rows.append(np.round(row, 9))
    return np.array(rows).reshape(len(symbols), SAMPLES)


def of_gram(goal):
    """Lower the form by more than its smallest eigenvalue at a sampled parameter point."""
    names = names_of(goal.lhs, goal.rhs, *(e for _, e in goal.given))
    used = sum((m * e for m, e in goal.given), sp.S.Zero)
    form, constant = split_constant(goal.rhs - goal.lhs - used)
    matrix = form_matrix(form, names)
    made = []
    several = [sp.Ge(s, 2) for s in matrix.free_symbols if s.name == "N" and any(n.endswith(DEVIATION) for n in names)]
    for point in worst_points(sp.S.Zero, sp.S.One, (*goal.domain, *several, *free(matrix), *free(constant)))[:3]:
        numbers = np.array(matrix.subs(point).evalf(20).tolist(), dtype=float)
        if names and np.isfinite(numbers).all() and numbers.shape[0]:
            excess = max(np.linalg.eigvalsh(numbers)[0], 0.0) + 0.01 * max(np.abs(numbers).max(), 1e-3)
            lowered = numbers - excess * np.eye(len(names))
            assert np.linalg.eigvalsh(lowered)[0] < -1e-6
            squares = sum(gram(name, name) for name in names)
            lifted = (goal.lhs + rational(excess * growth) * squares for growth in (1, 30, 1000))
            nearby = [GramBound(lhs, goal.rhs, goal.domain, goal.given) for lhs in lifted]
            # Where other multipliers serve, a neighbour is true.
            kept = [mutant for mutant in nearby if not served_otherwise(mutant, names, point)]
            made += kept[:1]
            break
    return made


def served_otherwise(goal, names, point):
    """Return whether multipliers other than the given ones show the goal at a point; vectors that violate it do not."""
    # A letter that the matrix lacks may stand in what is given.
    point = goal._complete(point)
    if not goal.given or point is None:
        return False
    parts = [sp.expand(goal.rhs - goal.lhs), *(e for _, e in goal.given)]
    if any(split_constant(part)[1] != 0 for part in parts):
        return False
    forms = [form_matrix(part, names).subs(point) for part in parts]
    bound, *known = (np.array(form.evalf(20).tolist(), dtype=float) for form in forms)
    found = find_multipliers(bound, known)
    if found.vectors is not None:
        assert all(np.einsum("ki,ij,kj->", found.vectors, form, found.vectors) >= -1e-9 for form in known)
        assert np.einsum("ki,ij,kj->", found.vectors, bound, found.vectors) < 0
    return found.multipliers is not None


def free(e):
    """Return conditions that always hold, so that every parameter of an expression gets a value."""
    return tuple(sp.Eq(s, s, evaluate=False) for s in sorted(sp.sympify(e).free_symbols, key=lambda s: s.name))


def of_infeasible(goal):
    """Drop one condition; kept when a point that meets the rest is found and rechecked exactly."""
    made = []
    for k in range(len(goal.conditions)):
        rest = goal.conditions[:k] + goal.conditions[k + 1 :]
        point = solve(rest, 2.0)[1] if rest else None
        if point is not None and all(holds(c, point) for c in rest):
            made.append(Infeasible(rest))
    return made


def of_feasible(goal):
    """Add the opposite of a condition."""
    opposite = {sp.Le: sp.Gt, sp.Ge: sp.Lt, sp.Lt: sp.Ge, sp.Gt: sp.Le, sp.Eq: sp.Ne}
    last = goal.conditions[-1]
    return [Feasible((*goal.conditions, opposite[type(last)](last.lhs, last.rhs)))] if type(last) in opposite else []


def of_index(goal):
    """Tighten to the worst index among the first hundred and some large ones."""
    indices = [goal.start + k for k in (*range(100), 10**3, 10**5)]
    points = [{goal.variable: index} for index in indices]
    lhs, rhs = tighter(goal.lhs, goal.rhs, worst(goal, points))
    return [AllFrom(lhs, rhs, goal.variable, goal.start)]


def of_box(goal):
    """Tighten to the worst corner or centre."""
    points = [{s: (1 - t) * low + t * high for s, (low, high) in goal.box.items()} for t in (0, 1, sp.Rational(1, 2))]
    lhs, rhs = tighter(goal.lhs, goal.rhs, worst(goal, points))
    return [OnBox(lhs, rhs, goal.box)]


def worst(goal, points):
    gap = sp.sympify(goal.lhs) - sp.sympify(goal.rhs)
    return max(points, key=lambda point: float(sp.N(gap.subs(point), 20)))


def of_search(goal):
    """Tighten past the largest ratio met, for another seed to break."""
    return [goal.tighten(0.99 * goal.decide(1.0).slack, seed=goal.seed + 1)]


def of_pathwise(goal):
    """Scale the right side past the largest ratio met along the runs."""
    factor = 0.99 * goal.decide(1.0).slack

    def run(rng):
        for lhs, rhs in goal.run(rng):
            yield lhs, factor * rhs

    return [replace(goal, run=run)]


def of_expected(goal):
    """Scale the right side past the largest ratio met on the states."""
    factor = Fraction(99, 100) * Fraction(goal.decide(1.0).slack)

    def sides(outcome, **state):
        lhs, rhs = goal.sides(outcome, **state)
        return lhs, factor * rhs

    return [replace(goal, sides=sides)]


MAKERS = {
    Identity: of_identity,
    Real: of_real,
    GramBound: of_gram,
    Infeasible: of_infeasible,
    Feasible: of_feasible,
    AllFrom: of_index,
    OnBox: of_box,
    Search: of_search,
    Pathwise: of_pathwise,
    Expected: of_expected,
}
