"""Certificates about vectors: their texts as trees, and inner products written out over those of letters.

A family is a vector, and `mean` a self-adjoint idempotent map: sequences over the clients with the averaged inner
product are such a space, so that one theorem covers every number of clients.
"""

from __future__ import annotations

import ast
from fractions import Fraction
from typing import Any

from boundcheck.errors import InputError

Certificate = dict[str, Any]
Vector = dict[str, Fraction]
"""Letter, or ``mean LETTER``, to its coefficient."""


class CertificateReader:
    """Reads texts of one certificate: numbers and vectors as trees, inner products by their two vectors."""

    def __init__(self, certificate: Certificate) -> None:
        sorts = certificate["letters"]
        self.vectors = [name for name, sort in sorts.items() if sort in ("vector", "family")]
        self.numbers = {name: sort for name, sort in sorts.items() if name not in self.vectors}

    def is_vector(self, node: ast.expr) -> bool:
        """Return whether a tree is a vector."""
        match node:
            case ast.Name(id=name):
                return name in self.vectors
            case ast.Call(func=ast.Name(id=name)):
                return name == "mean"
            case ast.BinOp(left=a, right=b):
                return self.is_vector(a) or self.is_vector(b)
            case ast.UnaryOp(operand=a):
                return self.is_vector(a)
        return False

    def vector(self, node: ast.expr) -> Vector:
        """Return a vector's coefficients."""
        match node:
            case ast.Name(id=name):
                return {name: Fraction(1)}
            case ast.Call(args=[ast.Name(id=name)]):
                return {f"mean {name}": Fraction(1)}
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return {k: -c for k, c in self.vector(a).items()}
            case ast.BinOp(left=a, op=ast.Mult(), right=b):
                return {k: constant(a) * c for k, c in self.vector(b).items()}
            case ast.BinOp(left=a, op=ast.Add() | ast.Sub() as op, right=b):
                sign = 1 if isinstance(op, ast.Add) else -1
                both, other = self.vector(a), self.vector(b)
                return {k: both.get(k, Fraction(0)) + sign * other.get(k, Fraction(0)) for k in both | other}
        raise illegal(node)

    def products(self, u: Vector, v: Vector) -> dict[tuple[str, str], Fraction]:
        """Return an inner product over those of letters in order; a mean stands first."""
        total: dict[tuple[str, str], Fraction] = {}
        for a, x in u.items():
            for b, y in v.items():
                bare = sorted((a.removeprefix("mean "), b.removeprefix("mean ")), key=self.vectors.index)
                mean = "mean " if "mean " in (a[:5], b[:5]) else ""
                key = f"{mean}{bare[0]}", bare[1]
                total[key] = total.get(key, Fraction(0)) + x * y
        return {key: c for key, c in total.items() if c}


def constant(node: ast.expr) -> Fraction:
    """Return a rational number."""
    match node:
        case ast.Constant(value=int(n)):
            return Fraction(n)
        case ast.UnaryOp(op=ast.USub(), operand=a):
            return -constant(a)
        case ast.BinOp(left=a, op=ast.Div(), right=b):
            return constant(a) / constant(b)
        case ast.BinOp(left=a, op=ast.Mult(), right=b):
            return constant(a) * constant(b)
    raise illegal(node)


def illegal(node: ast.expr) -> InputError:
    """Return the error of what has no text in an abstract space."""
    return InputError(f"expression = {ast.unparse(node)!r} is not legal here: sums of vectors by rational numbers are")


def require_linear(certificate: Certificate) -> None:
    """Refuse certificates whose terms are not multiples of a hypothesis, of a letter or of a square.

    Raises
    ------
    InputError
        If it has steps or cases, or another term.
    """
    plain = "steps" not in certificate and "cases" not in certificate and "shows" in certificate
    if not plain or any(len(term) != 2 for term in certificate["by"]):
        msg = f"certificate = {certificate['id']!r} is not legal: multiples of hypotheses, letters and squares are"
        raise InputError(msg)
