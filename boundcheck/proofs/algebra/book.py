"""Sums of products that were found once and are stored: reading one is multiplying out, exactly."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.proofs.algebra.products import Product

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Line = list[Any]
"""Weight, exponents of letters, and hypotheses as text."""


@dataclass
class ProductStore:
    """What is stored, and what has been found since."""

    stored: dict[str, list[list[Line]]] = field(default_factory=dict)
    """Polynomial as text to sums of products, from different hypotheses."""
    search: bool = True
    """Whether what is not stored is searched for."""
    used: dict[str, list[list[Line]]] = field(default_factory=dict)
    """What has been read or found."""

    def look_up(
        self,
        polynomial: Any,
        hypotheses: Sequence[Any],
        fits: Callable[[tuple[Product, ...]], bool] = bool,
    ) -> tuple[Product, ...] | None:
        """Return a stored sum of products of these hypotheses, after multiplying it out, if it `fits`."""
        known = self.stored.get(str(polynomial), [])
        places = {str(one): number for number, one in enumerate(hypotheses)} if known else {}
        for lines in known:
            products = _read(lines, polynomial, places)
            if products is not None and fits(products) and correct(polynomial, products, hypotheses):
                self._keep(polynomial, lines)
                return products
        return None

    def note(self, polynomial: Any, hypotheses: Sequence[Any], products: tuple[Product, ...]) -> None:
        """Store a sum of products."""
        names = [str(letter) for letter in polynomial.ring.symbols]
        lines = [
            [
                str(p.weight),
                {name: exponent for name, exponent in zip(names, p.monomial, strict=True) if exponent},
                [str(hypotheses[n]) for n in p.hypotheses],
            ]
            for p in products
        ]
        self._keep(polynomial, lines)
        self.stored.setdefault(str(polynomial), []).append(lines)

    def _keep(self, polynomial: Any, lines: list[Line]) -> None:
        known = self.used.setdefault(str(polynomial), [])
        if lines not in known:
            known.append(lines)


def _read(lines: list[Line], polynomial: Any, places: dict[str, int]) -> tuple[Product, ...] | None:
    """Return stored products in the letters and hypotheses of now, None if a hypothesis is not there."""
    if not all(text in places for _, _, texts in lines for text in texts):
        return None
    names = [str(letter) for letter in polynomial.ring.symbols]
    return tuple(
        Product(Fraction(w), tuple(m.get(name, 0) for name in names), tuple(places[t] for t in texts))
        for w, m, texts in lines
    )


def correct(polynomial: Any, products: tuple[Product, ...], hypotheses: Sequence[Any]) -> bool:
    """Return whether nonnegative weights times letters times hypotheses add up to the polynomial, exactly."""
    ring = polynomial.ring
    total = ring.zero
    for product in products:
        made = ring({product.monomial: ring.domain(product.weight.numerator, product.weight.denominator)})
        for number in product.hypotheses:
            made = made * hypotheses[number]
        total = total + made
    return bool(total == polynomial) and all(product.weight >= 0 for product in products)
