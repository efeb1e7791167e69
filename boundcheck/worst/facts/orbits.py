"""What averages over draws of S of N clients are made of: functions of a client i and a draw A, and their products.

A vector that client i has after the draw A is one vector for each couple (i, A).  Permutations of the clients carry
couples into couples, so that a Gram matrix averaged over them falls into blocks, one for each irreducible
representation that the couples bear; with x_A(k) = 1 for k in A, else 0, they are those of

    F(A) = (x_A(1) - x_A(2)) (x_A(3) - x_A(4)) ..., of j factors, and its derivative in x_A(i),
    D(i, A) = det(1, x_A, delta_i) over three clients, times j - 1 such factors,

each for i in A and for i outside A: partitions (N-j, j) and (N-j-1, j, 1).  j = 0 is the mean over the clients, F with
j = 1 the deviation from it.  A block is positive semidefinite where the averages of the products of its functions are.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb, factorial
from typing import NamedTuple

from boundcheck.worst.gram.rationals import combination

ACTIVE, INACTIVE = 0, 1
KINDS = (ACTIVE, INACTIVE)
"""Whether a client is in the draw."""


class OrbitBlock(NamedTuple):
    """A representation: (N-j, j), or (N-j-1, j, 1) if it is `hooked`."""

    j: int
    hooked: bool = False

    @property
    def name(self) -> str:
        """Return 'P' for means over the clients, 'Q' for deviations, or a name of its own."""
        return f"D{self.j}" if self.hooked else {0: "P", 1: "Q"}.get(self.j, f"F{self.j}")

    @property
    def orders(self) -> tuple[int, ...]:
        """Return the functions of a kind of clients: 0 for F or D, 1 for the derivative of F."""
        return (0, 1) if self.j and not self.hooked else (0,)


MEANS, DEVIATIONS = OrbitBlock(0), OrbitBlock(1)


class Orbit(NamedTuple):
    """Couples of draws A, B that share so many clients, and a client of these kinds in A and in B."""

    first: int
    second: int
    shared: int


class Orbits:
    """Averages over draws of `S` of `N` clients.

    Parameters
    ----------
    N, S : int
    """

    def __init__(self, N: int, S: int) -> None:
        self.N, self.S = N, S
        self.product = cache(self._product)

    @property
    def blocks(self) -> list[OrbitBlock]:
        """Return all representations that gradients after a draw bear."""
        most = min(self.S, self.N - self.S) + 1
        every = [OrbitBlock(j) for j in range(most + 1)] + [OrbitBlock(j, hooked=True) for j in range(1, most + 1)]
        return [block for block in every if self.functions(block)]

    def alone(self, kind: int) -> Orbit:
        """Return the orbit of one draw."""
        return Orbit(kind, kind, self.S)

    def between(self) -> list[Orbit]:
        """Return all orbits of two draws that differ."""
        found = [Orbit(a, b, shared) for shared in range(self.S) for a in KINDS for b in KINDS]
        return [orbit for orbit in found if self._size(orbit)]

    def functions(self, block: OrbitBlock, *, shared: bool = False) -> list[tuple[int, int]]:
        """Return kinds and orders of functions that are a basis of the block's, those of either kind apart.

        If `shared`, of what all clients have alike: F alone, named for clients in the draw and true of the others.
        """
        if shared:
            has_one = not block.hooked and self.product(block, self.alone(ACTIVE), 0, 0)
            return [(ACTIVE, 0)] if has_one else []
        found: list[tuple[int, int]] = []
        for kind in KINDS:
            orbit, own = self.alone(kind), list[int]()
            for order in reversed(block.orders):
                rows = [[self.product(block, orbit, a, b) for b in (*own, order)] for a in own]
                last = [self.product(block, orbit, order, b) for b in (*own, order)]
                # A function that the others make up has the Gram matrix of their combination.
                if combination(rows, last) is None:
                    own.append(order)
            found += [(kind, order) for order in sorted(own)]
        return found

    def _regions(self, shared: int) -> list[int]:
        """Return how many clients are in both draws, in the first alone, in the second alone, and in none."""
        apart = self.S - shared
        return [shared, apart, apart, self.N - 2 * self.S + shared]

    def _size(self, orbit: Orbit) -> int:
        """Return how many triples (A, B, i) there are."""
        regions = self._regions(orbit.shared)
        return min(regions) >= 0 and _arrangements(regions) * regions[_region(orbit)]

    def _product(self, block: OrbitBlock, orbit: Orbit, order: int, other: int) -> Fraction:
        """Return the average over an orbit of a block's functions, of one order for A and another for B."""
        regions, own = self._regions(orbit.shared), _region(orbit)
        if block.hooked:
            total = _signed_sum(block.j, _less(regions, own))
        elif not (order or other):
            total = regions[own] * _signed_sum(block.j, regions)
        else:
            # i is one of 2j; the other of its two clients is in any region.
            inside = tuple(zip(*_REGIONS, strict=True))
            total = 0
            for partner in range(4):
                factor = 2 * block.j
                for derived, x in ((order, inside[0]), (other, inside[1])):
                    factor *= 1 if derived else x[own] - x[partner]
                if factor:
                    total += factor * _signed_sum(block.j - 1, _less(_less(regions, own), partner))
        scale = Fraction(self.N, 2) if block == DEVIATIONS else 1
        return Fraction(total, self._size(orbit)) * scale


_REGIONS = ((1, 1), (1, 0), (0, 1), (0, 0))
"""Whether clients of a region are in A, and in B."""


def _region(orbit: Orbit) -> int:
    return _REGIONS.index((1 - orbit.first, 1 - orbit.second))


def _less(regions: list[int], k: int) -> list[int]:
    return [count - (n == k) for n, count in enumerate(regions)]


def _arrangements(regions: list[int]) -> int:
    """Return in how many ways clients are in regions of these sizes."""
    if min(regions) < 0:
        return 0
    found = factorial(sum(regions))
    for count in regions:
        found //= factorial(count)
    return found


def _signed_sum(j: int, regions: list[int]) -> int:
    """Return the sum of F(A) F(B) over all draws with these regions.

    A pair of clients contributes where one is in both and the other in none, or, with the other sign, where each is in
    one draw; either way twice.
    """
    both, first, second, none = regions
    terms = (
        (-1 if k % 2 else 1) * comb(j, k) * _arrangements([both - j + k, first - k, second - k, none - j + k])
        for k in range(j + 1)
    )
    return (1 << j) * sum(terms)
