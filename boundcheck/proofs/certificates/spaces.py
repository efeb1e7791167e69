"""Statements about vectors as statements about numbers of an abstract inner product space, for proof assistants.

An inner product becomes a name; what it stands for, in the assistant's words, is put back into the finished text.  A
family is its mean and its deviation, which is orthogonal to all that the clients share.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError
from boundcheck.proofs.certificates.texts import tree

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Certificate = dict[str, Any]
PRODUCT = re.compile(r"\|([^|]*)\|\^2|<([^<>]*), ([^<>]*)>")
DEVIATION, MEAN = "_dev", "_mean"


@dataclass
class Space:
    """The vectors of a certificate, and the inner products that were met."""

    sorts: Mapping[str, str]
    number: Callable[[ast.expr], str]
    """Writes an expression between numbers."""
    named: Callable[[str], str]
    """Returns a name that is legal there."""
    products: list[str] = field(default_factory=list)
    """What the names ``product0_``, ``product1_`` ... stand for."""

    @property
    def common(self) -> list[str]:
        """Vectors that all clients share, the means of families among them."""
        means = {"vector": "", "family": MEAN}
        return [self.named(name) + means[sort] for name, sort in self.sorts.items() if sort in means]

    @property
    def deviations(self) -> list[str]:
        """Deviations of families from their means."""
        return [self.named(name) + DEVIATION for name, sort in self.sorts.items() if sort == "family"]

    def plain(self, certificate: Certificate) -> Certificate:
        """Return a certificate about numbers only, with names in the place of inner products."""
        letters = {x: sort for x, sort in self.sorts.items() if sort not in ("vector", "family")}
        given = [self._plain(line) for line in certificate.get("given", [])]
        return {"id": certificate["id"], "letters": letters, "given": given, **self._proof(certificate)}

    def _proof(self, proof: Certificate) -> Certificate:
        made: Certificate = {"shows": self._plain(proof["shows"])} if "shows" in proof else {}
        if "by" in proof:
            made["by"] = [[self._factor(factor) for factor in term] for term in proof["by"]]
        if "cases" in proof:
            made["cases"] = proof["cases"]
        for key in ("steps", "each"):
            if key in proof:
                made[key] = [self._proof(one) for one in proof[key]]
        return made

    def _plain(self, text: str) -> str:
        return PRODUCT.sub(self._product, text)

    def _factor(self, factor: Any) -> Any:
        if isinstance(factor, list):
            return self._plain(f"|{factor[0]}|^2") if self._is_vector(factor[0]) else [self._plain(factor[0])]
        return self._plain(factor) if isinstance(factor, str) else factor

    def _is_vector(self, text: str) -> bool:
        names = {n.id for n in ast.walk(tree(PRODUCT.sub("1", text))) if isinstance(n, ast.Name)}
        return any(self.sorts.get(name) in ("vector", "family") for name in names)

    def _product(self, found: re.Match[str]) -> str:
        left, right = (found[1], found[1]) if found[1] is not None else (found[2], found[3])
        text = f"(ip {self.vector(tree(left))} {self.vector(tree(right))})"
        if text not in self.products:
            self.products.append(text)
        return f"product{self.products.index(text)}_"

    def vector(self, node: ast.expr) -> str:
        """Return a linear combination of vectors."""
        match node:
            case ast.Name(id=name) if self.sorts.get(name) == "family":
                return f"(plus {self.named(name)}{MEAN} {self.named(name)}{DEVIATION})"
            case ast.Name(id=name) if self.sorts.get(name) == "vector":
                return self.named(name)
            case ast.Call(func=ast.Name(id="mean"), args=[ast.Name(id=name)]) if self.sorts.get(name) == "family":
                return f"{self.named(name)}{MEAN}"
            case ast.BinOp(left=a, op=ast.Add(), right=b):
                return f"(plus {self.vector(a)} {self.vector(b)})"
            case ast.BinOp(left=a, op=ast.Sub(), right=b):
                return f"(plus {self.vector(a)} (scale (-1) {self.vector(b)}))"
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return f"(scale (-1) {self.vector(a)})"
            case ast.BinOp(left=a, op=ast.Mult(), right=b):
                times, of = (b, a) if self._is_vector(ast.unparse(a)) else (a, b)
                return f"(scale {self.number(times)} {self.vector(of)})"
            case ast.BinOp(left=a, op=ast.Div(), right=b):
                return f"(scale (/ {self.number(b)}) {self.vector(a)})"
        msg = f"vector = {ast.unparse(node)!r} is not legal here: combinations of vectors and means of families are"
        raise InputError(msg)

    def restore_products(self, text: str) -> str:
        """Return a finished text with the inner products in the place of their names."""
        return re.sub(r"product(\d+)_", lambda m: self.products[int(m[1])], text)

    @property
    def turns(self) -> list[tuple[str, str]]:
        """Pairs of vectors whose inner product is to be turned round, so that each has one order."""
        return [(b, a) for a, b in combinations([*self.deviations, *self.common], 2)]

    @property
    def orthogonal(self) -> list[tuple[str, str]]:
        """Pairs of a deviation and what is common to the clients: their inner product is zero."""
        return [(d, c) for d in self.deviations for c in self.common]
