"""What is known of a draw of S of N clients: products of means over the active ones, and of what they remember.

For vectors u, v of the clients with mean 0 that do not depend on the draw, s = S/N and c = (N-S)/(S(N-1)): a mean over
the active clients has E<mean_A u, mean_A v> = c mean_i <u_i, v_i>, and E<mean_A u, w> = 0 for all that does not depend
on the draw.  The rest is E 1_A(i) = s.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.worst.gram.trace import ORIGIN
from boundcheck.worst.gram.vectors import DEVIATION, MEAN, GramVector, unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.worst.gram.oracle import Element, GramOracle

KINDS = ("sampled", "kept", "spread")
"""Kinds of basis vectors that a draw brings."""


class KnownRow(NamedTuple):
    """A row of which something is known."""

    name: tuple[str | int, ...]
    row: Any
    equal: bool
    """Whether it is 0, else <= 0."""


def participation(oracle: GramOracle, rows: Any, vector: Callable[[GramVector], Any]) -> Iterator[KnownRow]:
    """Yield what is known of all draws.

    Parameters
    ----------
    oracle : GramOracle
        With its basis.
    rows : Rows
        Makes rows of products.
    vector : callable
        Makes what `rows` multiplies.
    """
    if oracle.S == oracle.N:
        return
    draws = _Draws(oracle, rows, vector)
    for k, element in enumerate(oracle.basis):
        if element.kind in KINDS:
            yield from getattr(draws, f"{element.kind}_rows")(k, element)


class _Draws:
    def __init__(self, oracle: GramOracle, rows: Any, vector: Callable[[GramVector], Any]) -> None:
        self.oracle, self.rows, self.vector = oracle, rows, vector
        N, S = int(oracle.N), int(oracle.S)
        self.share, self.spread_of_means = Fraction(S, N), Fraction(N - S, S * (N - 1))
        self.most = Fraction(N - S, S)

    def _means(self, u: GramVector, v: GramVector) -> Any:
        return self.rows.product(self.vector(u).means, self.vector(v).means)

    def _deviations(self, u: GramVector, v: GramVector) -> Any:
        return self.rows.product(self.vector(u).deviations, self.vector(v).deviations)

    def _times(self, factor: Fraction, row: Any) -> Any:
        return row * float(factor)

    def _of(self, element: Element) -> GramVector:
        if element.of is None:
            msg = f"{element.label} is of nothing"
            raise ValueError(msg)
        return element.of

    def _free(self, element: Element) -> bool:
        """Return whether what was averaged or kept does not depend on the draw."""
        return element.draw not in self.oracle.draws_behind(self._of(element))

    def _before(self, k: int, kind: str, draw: int) -> Iterator[tuple[int, Element]]:
        """Yield the elements of one kind and draw up to one of them."""
        for j, element in enumerate(self.oracle.basis[: k + 1]):
            if element.kind == kind and element.draw == draw:
                yield j, element

    def _others(self, draw: int, *, deviations: bool) -> Iterator[int]:
        """Yield the basis vectors that do not depend on a draw and have a mean, or a deviation."""
        without = ("server", "sampled") if deviations else ("kept", "spread")
        for j, element in enumerate(self.oracle.basis):
            if j != ORIGIN and draw not in element.drawn and element.kind not in without:
                yield j

    def sampled_rows(self, k: int, element: Element) -> Iterator[KnownRow]:
        """Yield what is known of a mean over active clients."""
        own, of = unit(k), self._of(element)
        if not self._free(element):
            row = self._means(own, own) - self._times(self.most, self._deviations(of, of))
            yield KnownRow(("sampled at most", k), row, equal=False)
            return
        for j, other in self._before(k, "sampled", element.draw):
            if self._free(other):
                known = self._times(self.spread_of_means, self._deviations(of, self._of(other)))
                yield KnownRow(("sampled", k, j), self._means(own, unit(j)) - known, equal=True)
        for j in self._others(element.draw, deviations=False):
            yield KnownRow(("no mean of a draw", k, j), self._means(own, unit(j)), equal=True)

    def kept_rows(self, k: int, element: Element) -> Iterator[KnownRow]:
        """Yield what is known of deviations that active clients alone remember."""
        own, of = unit(k), self._of(element)
        if not self._free(element):
            row = self._deviations(own, own) - self._deviations(of, of)
            yield KnownRow(("kept at most", k), row, equal=False)
            return
        factor = self.share - self.share**2 * self.spread_of_means
        for j, other in self._before(k, "kept", element.draw):
            if self._free(other):
                known = self._times(factor, self._deviations(of, self._of(other)))
                yield KnownRow(("kept", k, j), self._deviations(own, unit(j)) - known, equal=True)
        for j in self._others(element.draw, deviations=True):
            known = self._times(self.share, self._deviations(of, unit(j)))
            yield KnownRow(("kept beside", k, j), self._deviations(own, unit(j)) - known, equal=True)

    def spread_rows(self, k: int, element: Element) -> Iterator[KnownRow]:
        """Yield what is known of a server vector that active clients alone have."""
        own, of = unit(k), self._of(element)
        factor = self.share - self.share**2
        for j, other in self._before(k, "spread", element.draw):
            known = self._times(factor, self._means(of, self._of(other)))
            yield KnownRow(("spread", k, j), self._deviations(own, unit(j)) - known, equal=True)
        for j, other in enumerate(self.oracle.basis):
            if other.kind == "kept" and other.draw == element.draw:
                mean = self._mean_of(other)
                known = self._times(factor, self._means(of, mean))
                yield KnownRow(("spread beside", k, j), self._deviations(own, unit(j)) - known, equal=True)
        sampled = self._sampled_part(of, element.draw)
        if sampled is not None:
            for j in self._others(element.draw, deviations=True):
                known = self._times(self.share * self.spread_of_means, self._deviations(sampled, unit(j)))
                yield KnownRow(("spread apart", k, j), self._deviations(own, unit(j)) - known, equal=True)

    def _mean_of(self, kept: Element) -> GramVector:
        """Return the mean over the active clients of what they keep."""
        of = self._of(kept)
        lead = next(c for c in of.coefficients[DEVIATION] if c)
        for j, element in enumerate(self.oracle.basis):
            if element.kind == "sampled" and element.draw == kept.draw:
                rest = of - lead * self._of(element)
                if not any(abs(float(c)) > 1e-12 for c in rest.coefficients.flat):
                    return GramVector(lead * unit(j).coefficients)
        msg = f"no mean of {kept.label}"
        raise ValueError(msg)

    def _sampled_part(self, of: GramVector, draw: int) -> GramVector | None:
        """Return u where a server vector is mean_A u and what does not depend on the draw; None if it is not that."""
        found = GramVector(0 * of.coefficients)
        for c, element in zip(of.coefficients[MEAN], self.oracle.basis, strict=False):
            if not c or draw not in element.drawn:
                continue
            if element.kind != "sampled" or not self._free(element):
                return None
            found = found + c * self._of(element)
        return found
