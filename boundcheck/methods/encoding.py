"""How many bits a message takes: the codes of quantised vectors, and what Elias coding of QSGD costs at most.

A float takes `WORD` bits, as the engine computes with them.  The codes are those of a careful implementation, with
nothing left to an order: a test encodes and decodes the messages of runs and counts.
"""

from __future__ import annotations

import math

WORD = 64
"""Bits of a float."""


def fixed_bits(d: int, levels: int) -> int:
    """Return the length of a QSGD message in the fixed code: the norm, and one of 2 levels + 1 signs and levels each.

    Parameters
    ----------
    d : int
        Dimension of the vector.
    levels : int
        Positive levels of the grid; 2^(b-1) - 1 of them make b bits a coordinate.
    """
    return WORD + d * math.ceil(math.log2(2 * levels + 1))


def elias_gamma_length(k: int) -> int:
    """Return the length of Elias' gamma code of k >= 1: 2 floor(log2 k) + 1."""
    return 2 * k.bit_length() - 1


def elias_bits(d: int, levels: int) -> float:
    """Return a bound of the expected length of a QSGD message, every level coded as gamma(1 + level) and a sign.

    The norm, then for a coordinate at level l the gamma code of l + 1 and, where l > 0, one bit: since the levels l_j
    have E sum_j l_j = levels |z|_1 / |z|_2 <= levels sqrt(d), concavity of the logarithm gives
    ``WORD + d + 2 d log2(1 + levels / sqrt(d)) + min(d, levels sqrt(d))``.  It is reached, at every
    levels = (2^n - 1) sqrt(d), by vectors whose entries have one modulus.
    """
    root = math.sqrt(d)
    return WORD + d + 2.0 * d * math.log2(1.0 + levels / root) + min(float(d), levels * root)


def qsgd_printed_bits(d: int, levels: int) -> float:
    """Return the length that QSGD's dense bound gives when its o(1) is dropped: 2.8 d + 32 at levels = sqrt(d).

    ``(log2(1 + (levels^2 + min(d, levels sqrt(d))) / d) / 2 + 2) d + 32``, an order and no bound: vectors whose entries
    have one modulus take 4 d bits and the norm at levels = sqrt(d), in the omega code too.

    References: Alistarh, Grubic, Li, Tomioka, Vojnovic, arXiv:1610.02132, Theorem 3.4 and appendix A.3; cited as
    2.8 d + 32 by Das et al., arXiv:2012.04061, appendix B.
    """
    inside = 1.0 + (levels**2 + min(float(d), levels * math.sqrt(d))) / d
    return (0.5 * math.log2(inside) + 2.0) * d + 32.0
