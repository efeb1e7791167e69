"""Polynomials in the letters that they have: a proof has fifty, and general algorithms go through all of a ring."""

from __future__ import annotations

from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Polynomial = Any
"""An element of a ring of polynomials over the rationals."""
Places = tuple[int, ...]


def letters(*polynomials: Polynomial) -> Places:
    """Return the places of the generators that stand in one of some polynomials of a ring, the first if none does."""
    degrees = map(max, zip(*(powers for polynomial in polynomials for powers in polynomial), strict=True))
    return tuple(place for place, degree in enumerate(degrees) if degree) or (0,)


@cache
def ring_in(ring: Any, places: Places, domain: Any) -> Any:
    """Return the ring of some generators of another, in their order, over a domain."""
    return ring.clone(symbols=[ring.symbols[place] for place in places], domain=domain)


def narrow(polynomial: Polynomial, places: Places, ring: Any) -> Polynomial:
    """Return a polynomial as one of `ring_in`, whose domain has its coefficients."""
    chosen, number, domain = _exponent_getter(places), ring.domain.convert_from, polynomial.ring.domain
    return ring.zero.new({chosen(powers): number(value, domain) for powers, value in polynomial.items()})


def widen(polynomial: Polynomial, places: Places, ring: Any) -> Polynomial:
    """Return a polynomial of `ring_in` as one of the whole ring, over the domain of that."""
    number, domain = ring.domain.convert_from, polynomial.ring.domain
    source = [places.index(place) if place in places else None for place in range(ring.ngens)]
    return ring.zero.new(
        {
            tuple(0 if place is None else powers[place] for place in source): number(value, domain)
            for powers, value in polynomial.items()
        }
    )


@cache
def _exponent_getter(places: Places) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
    if len(places) == 1:
        return lambda powers: (powers[places[0]],)
    return itemgetter(*places)
