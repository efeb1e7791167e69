"""Expectations in Gram symbols: sampling S of N clients and zero-mean noise, for symbolic N, S, b and K.

A law says which vectors are random; `expect` replaces their inner products by the expected ones.  What is left is an
ordinary Gram expression, so an identity or a bound between expectations is decided by `Identity` or `GramBound`.  This
is the search's way; `boundcheck.proofs.kernel.chance` takes expectations anew before anything is *proved*.

Sampling
--------
Random weights ``c_i`` with ``E c_i = 1/N``, ``E c_i^2 = square`` and ``E c_i c_j = cross`` give, for families x and y,

``E <sum c_i x_i, sum c_j y_j> = N square M + cross (N^2 P - N M)``

with ``M = mean_i <x_i, y_i>`` and ``P = <x_mean, y_mean>``.  Between two means or common vectors ``M = P``; between two
deviations ``P = 0``; between one of each both vanish.  So the sampled mean is the mean plus a zero-mean vector whose
inner products are those of the deviations times ``N (square - cross)`` and those of the means times
``N square + N (N - 1) cross - 1`` (zero when exactly S are drawn).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.errors import InputError, require
from boundcheck.proofs.provers.defined import divisors
from boundcheck.proofs.provers.hilbert import DEVIATION, INNER, MEAN, Vector, clients, gram, vectors

if TYPE_CHECKING:
    from collections.abc import Callable

SAMPLED = "_sampled"
TAKEN = "_taken" + DEVIATION


@dataclass(frozen=True)
class Sampling:
    """Exchangeable random weights on N clients, independent of everything they are applied to.

    Parameters
    ----------
    N : expression
        Clients.
    square, cross : expression
        ``E c_i^2`` and ``E c_i c_j`` for two different clients; ``E c_i = 1/N``.
    share : expression, optional
        Probability that a client takes part, when ``c_i`` is ``1/(share N)`` or zero.
    label : str
        Tells independent draws apart.
    domain : tuple of relation
        Between the counts, such as ``1 <= S <= N``; a claim about the draw belongs into this domain.
    """

    N: sp.Expr
    square: sp.Expr
    cross: sp.Expr
    share: sp.Expr | None = None
    label: str = ""
    domain: tuple[sp.Basic, ...] = ()
    """Where there is such a draw: relations between the counts."""

    def __post_init__(self) -> None:
        for relation in self.domain:
            require(relation != sp.false, "draw", f"of N = {self.N}", "one with 1 <= S <= N, or 0 < p <= 1")

    @property
    def is_sample(self) -> bool:
        """Whether a set of clients of a given size is drawn."""
        return self.share is not None and sp.Le(self.share * self.N, self.N) in self.domain

    @property
    def ending(self) -> str:
        """What the names of sampled vectors end with."""
        return f"{self.label and '_' + self.label}{SAMPLED}"

    def between(self, m: str, n: str) -> sp.Expr:
        """Return the expected inner product of the zero-mean parts that belong to two vectors."""
        if m.endswith(DEVIATION):
            return self.N * (self.square - self.cross) * gram(m, n)
        return (self.N * self.square + self.N * (self.N - 1) * self.cross - 1) * gram(m, n)

    def expectation_of(self, m: str, n: str) -> sp.Expr | None:
        """Return the expectation of ``inner(m, n)``, or None when neither is random under this law."""
        first, second = (name.endswith(self.ending) for name in (m, n))
        if first and second:
            return self.between(m.removesuffix(self.ending), n.removesuffix(self.ending))
        if first or second:
            return sp.S.Zero
        return self._inner_of_kept(m, n)

    def _inner_of_kept(self, m: str, n: str) -> sp.Expr | None:
        ending = f"{self.label and '_' + self.label}{TAKEN}"
        roots = [name.removesuffix(ending) for name in (m, n)]
        among = sum(name.endswith(ending) for name in (m, n))
        if among == 0 or self.share is None:
            return None
        inside = self.share * gram(*roots)
        return inside - self.share**2 * (self._of_means(*roots) + self.between(*roots)) if among == 2 else inside

    @staticmethod
    def _of_means(m: str, n: str) -> sp.Expr:
        return sp.S.Zero if m.endswith(DEVIATION) or n.endswith(DEVIATION) else gram(m, n)


def without_replacement(N: sp.Expr, S: sp.Expr, label: str = "") -> Sampling:
    """Return the law of S of N clients, uniformly without replacement: inclusion S/N and S (S - 1)/(N (N - 1))."""
    # For N = 1 there is one draw, and no two different clients.
    cross = (S - 1) / (S * N * (N - 1)) if N != 1 else sp.S.Zero
    return Sampling(N, 1 / (N * S), cross, S / N, label, (sp.Ge(S, 1), sp.Le(S, N)))


def with_replacement(N: sp.Expr, S: sp.Expr, label: str = "") -> Sampling:
    """Return the law of S independent uniform draws from N clients."""
    return Sampling(N, 1 / (N * S) + (S - 1) / (S * N**2), (S - 1) / (S * N**2), None, label, (sp.Ge(S, 1),))


def independent(N: sp.Expr, p: sp.Expr, label: str = "") -> Sampling:
    """Return the law in which each of N clients takes part with probability p, on its own; weights are 1/(p N)."""
    return Sampling(N, 1 / (p * N**2), 1 / N**2, p, label, (sp.Gt(p, 0), sp.Le(p, 1)))


def sampled_mean(v: Vector, draw: Sampling) -> Vector:
    """Return ``sum c_i v_i``: for draws of S clients the mean over the sample."""
    random = {name + draw.ending: x for name, x in v.parts.items()}
    fixed = {name: x for name, x in v.parts.items() if not name.endswith(DEVIATION)}
    return Vector(fixed) + Vector(random)


def taken(v: Vector, draw: Sampling) -> Vector:
    """Return the family that is ``v_i`` for the clients that take part and zero for the others."""
    if draw.share is None:
        msg = "draw = with replacement is not legal: a client takes part once or not at all"
        raise InputError(msg)
    ending = f"{draw.label and '_' + draw.label}{TAKEN}"
    average: Vector = draw.share * sampled_mean(v, draw)
    return average + Vector({name + ending: x for name, x in v.parts.items()})


@dataclass(frozen=True)
class NoiseSymbol:
    """Zero-mean noises ``e_1 .. e_count``, uncorrelated between members and with everything else.

    Independent noises are such, and so are martingale differences under coefficients that do not depend on them: the
    members are then the steps.  Several names are noises of the same members (a batch at two points): ``e_i`` and
    ``f_i`` may be correlated, and ``inner(e, f)`` stays as the mean of ``E <e_i, f_i>``.

    Parameters
    ----------
    names : str
        Names separated by spaces.
    count : expression, optional
        Number of members, such as N clients, b samples or K steps; a single common noise when left out.
    moment : expression, optional
        Value of ``E |e_i|^2``, for one name.
    """

    names: str
    count: sp.Expr | None = None
    moment: sp.Expr | None = None

    def __post_init__(self) -> None:
        alone = self.moment is None or len(self.names.split()) == 1
        require(alone, "names", self.names, "one name when a moment is given")
        for relation in self.domain:
            require(relation != sp.false, "noise", f"over {self.count}", "over one member at least, of a moment >= 0")

    @property
    def domain(self) -> tuple[sp.Basic, ...]:
        """Where there is such a noise: one member at least, and a moment that is not negative."""
        least = () if self.count is None else (sp.Ge(self.count, 1),)
        return (*least, *(() if self.moment is None else (sp.Ge(self.moment, 0),)))

    @property
    def vectors(self) -> tuple[Vector, ...]:
        """One family for each name, or one vector when there is no count; ``mean`` gives the average noise."""
        return vectors(self.names) if self.count is None else clients(self.names)

    def expectation_of(self, m: str, n: str) -> sp.Expr | None:
        """Return the expectation of ``inner(m, n)``, or None when neither is a noise of this law."""
        roots = [self._root(name) for name in (m, n)]
        if roots == [None, None]:
            return None
        if None in roots:
            return sp.S.Zero
        both = gram(*(str(root) for root in roots)) if self.moment is None else self.moment
        if self.count is None:
            return both
        return both * (1 - 1 / self.count if m.endswith(DEVIATION) else 1 / self.count)

    def _root(self, name: str) -> str | None:
        root = name if self.count is None else name.removesuffix(MEAN).removesuffix(DEVIATION)
        return root if root in self.names.split() and (self.count is None or root != name) else None


def noise(names: str, count: sp.Expr | None = None, moment: sp.Expr | None = None) -> NoiseSymbol:
    """Return the law of zero-mean noises; its ``vectors`` are used in formulas, the law itself in `expect`."""
    return NoiseSymbol(names, count, moment)


def expect(expression: sp.Expr, *laws: Sampling | NoiseSymbol) -> sp.Expr:
    """Return the expectation of an expression that is linear in the inner products of random vectors.

    Parameters
    ----------
    expression : expression
        In Gram symbols made by `inner` and `square`.
    *laws : Sampling or NoiseSymbol
        The randomness, mutually independent.  Draws are averaged first, then noises.

    Raises
    ------
    InputError
        If it is a vector, a product of random inner products occurs, or a sampled vector whose law is not given.
    """
    require(not isinstance(expression, Vector), "expression", "a vector", "a number: E(|u|^2) or E(<u, v>)")
    for law in sorted(laws, key=lambda law: isinstance(law, NoiseSymbol)):
        expression = _average(sp.expand(expression), law.expectation_of)
    left = [g for g in expression.atoms(INNER) if any(SAMPLED in a.name or TAKEN in a.name for a in g.args)]
    require(not left, "laws", [str(g) for g in left], "every draw that occurs in the expression has to be given")
    return _without_poles(sp.expand(expression))


def _without_poles(expression: sp.Expr) -> sp.Expr:
    """Return an expected form without divisors such as N - 1 that the laws have brought in and that cancel.

    Without replacement N - 1 divides what two clients have in common; for one client there is nothing of that.
    """
    parts: dict[sp.Expr, list[sp.Expr]] = {}
    for term in sp.Add.make_args(expression):
        parts.setdefault(sp.Mul(*(f for f in sp.Mul.make_args(term) if f.has(INNER))), []).append(term)
    found = []
    for product, terms in parts.items():
        whole = sp.Add(*terms)
        poles = divisors(whole)
        short = sp.cancel(sp.together(sp.Add(*(term / product for term in terms)))) if poles else None
        found.append(product * short if short is not None and len(divisors(short)) < len(poles) else whole)
    return sp.Add(*found)


def _average(expression: sp.Expr, expected: Callable[[str, str], sp.Expr | None]) -> sp.Expr:
    values = {g: expected(*(a.name for a in g.args)) for g in expression.atoms(INNER)}
    random = {g: value for g, value in values.items() if value is not None}
    for term in sp.Add.make_args(expression):
        met = [g for g in random if term.has(g)]
        linear = len(met) <= 1 and all(not term.diff(g).has(g) for g in met)
        require(linear, "expression", term, "linear in the inner products of random vectors")
    return sp.sympify(expression).xreplace(random)
