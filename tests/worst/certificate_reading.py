"""A straight-line reading of certificates of kind `linear`: both sides of the identity at random vectors, in floats."""

import re

import numpy as np

CLIENTS, DIMENSION = 3, 5


class Vector:
    """Rows (CLIENTS, DIMENSION); products are averaged over the clients."""

    def __init__(self, rows):
        self.rows = rows

    def __add__(self, other):
        return Vector(self.rows + other.rows)

    def __sub__(self, other):
        return Vector(self.rows - other.rows)

    def __neg__(self):
        return Vector(-self.rows)

    def __rmul__(self, factor):
        return Vector(factor * self.rows)


def dot(u, v):
    return float((u.rows * v.rows).sum() / CLIENTS)


def mean(u):
    return Vector(np.broadcast_to(u.rows.mean(axis=0), u.rows.shape))


def read(text, names):
    """Return the value of an expression."""
    text = re.sub(r"\|([^|]*)\|\^2", r"norm(\1)", text)
    text = re.sub(r"<([^<>]*)>", r"dot(\1)", text)
    return eval(text, {"__builtins__": {}}, {"dot": dot, "mean": mean, "norm": lambda u: dot(u, u), **names})


def sides(relation):
    """Return the two sides of ``A <= B`` or ``A = B`` in this order, and whether it is an equation."""
    left, sign, right = re.split(r" (<=|=) ", relation)
    return (left, right, False) if sign == "<=" else (right, left, True)


def drawn(letters, seed):
    """Return random values of all letters."""
    rng = np.random.default_rng(seed)
    values = {}
    for name, sort in letters.items():
        if sort == "family":
            values[name] = Vector(rng.standard_normal((CLIENTS, DIMENSION)))
        elif sort == "vector":
            values[name] = Vector(np.tile(rng.standard_normal(DIMENSION), (CLIENTS, 1)))
        else:
            values[name] = float(abs(rng.standard_normal()) if sort else rng.standard_normal())
    return values


def excess(certificate, seed=0):
    """Return how far the terms are from what they should add up to, relative to their size.

    The sides are compared as they stand; no hypothesis needs to hold at the random point.
    """
    names = drawn(certificate["letters"], seed)

    def gap(relation):
        low, high, _ = sides(relation)
        return read(high, names) - read(low, names)

    given = [gap(relation) for relation in certificate["given"]]
    terms = [np.prod([factor(f, names, given) for f in term]) for term in certificate["by"]]
    shown = gap(certificate["shows"])
    return abs(sum(terms) - shown) / (sum(map(abs, terms)) + abs(shown) + 1e-300)


def factor(f, names, given):
    if isinstance(f, int):
        return given[f]
    if isinstance(f, list):
        square = read(f[0], names)
        return dot(square, square)
    return read(f, names)


def signs_are_right(certificate):
    """Whether multipliers of inequalities and weights of squares are >= 0."""
    right = []
    for weight, *rest in certificate["by"]:
        of_equation = isinstance(rest[0], int) and sides(certificate["given"][rest[0]])[2]
        right.append(of_equation or read(weight, {}) >= 0)
    return all(right)
