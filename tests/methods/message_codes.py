"""Encoders and decoders of the messages of quantisers: bits as text, so that lengths are counted by hand."""

import struct

import numpy as np


def _word(value):
    return f"{int.from_bytes(struct.pack('>d', value), 'big'):064b}"


def _value(bits):
    return struct.unpack(">d", int(bits, 2).to_bytes(8, "big"))[0]


def gamma(k):
    """Return Elias' gamma code: as many zeros as binary digits follow the first, then the digits."""
    digits = f"{k:b}"
    return "0" * (len(digits) - 1) + digits


def omega(k):
    """Return Elias' omega code: the digits of k, before them those of their count less one, and so on; then 0."""
    code = "0"
    while k > 1:
        code, k = f"{k:b}" + code, len(f"{k:b}") - 1
    return code


def levels_of(z, norm, levels):
    """Return the signed levels of a message, which are whole numbers."""
    found = np.zeros(len(z)) if norm == 0 else z * levels / norm
    assert np.abs(found - np.rint(found)).max() < 1e-9
    return np.rint(found).astype(int)


def fixed(signed, norm, levels):
    """Return the norm, and every level as a number from 0 to 2 levels in as many digits as that needs."""
    width = (2 * levels).bit_length()
    return _word(norm) + "".join(f"{l + levels:0{width}b}" for l in signed)


def read_fixed(bits, d, levels):
    """Return what `fixed` wrote."""
    width, norm = (2 * levels).bit_length(), _value(bits[:64])
    cells = [bits[64 + j * width : 64 + (j + 1) * width] for j in range(d)]
    return np.array([norm * (int(cell, 2) - levels) / levels for cell in cells])


def elias(signed, norm, code=gamma):
    """Return the norm, and every level l as the code of |l| + 1 and, for l other than 0, its sign."""
    return _word(norm) + "".join(code(abs(l) + 1) + ("" if l == 0 else "01"[int(l > 0)]) for l in signed)


def read_elias(bits, d, levels):
    """Return what `elias` wrote in the gamma code."""
    norm, place, found = _value(bits[:64]), 64, []
    for _ in range(d):
        zeros = bits.index("1", place) - place
        level = int(bits[place + zeros : place + 2 * zeros + 1], 2) - 1
        place += 2 * zeros + 1
        if level:
            level, place = level if bits[place] == "1" else -level, place + 1
        found.append(norm * level / levels)
    assert place == len(bits)
    return np.array(found)
