"""What a description of a round says, in Coq: vectors, forms, and what is known at its points."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.proofs.coq.rounds.polynomials import PRODUCT, factor, name_of, write_polynomial
from boundcheck.proofs.kernel.algebra import Refused
from boundcheck.proofs.kernel.boxes import minus
from boundcheck.proofs.kernel.certificates import add

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.proofs.kernel.certificates import Poly


def parts(p: Poly) -> dict[str, tuple[Poly, Poly]]:
    """Return, for each vector of a combination, what stands before its mean and before its deviation."""
    found: dict[str, tuple[Poly, Poly]] = {}
    for m, c in p.items():
        (vector,) = (g for g, _ in m if g.startswith("~"))
        rest = tuple((g, k) for g, k in m if not g.startswith("~"))
        mean, apart = found.setdefault(vector.lstrip("~"), ({}, {}))
        (apart if vector.startswith("~~") else mean)[rest] = c
    return found


def scaled(p: Poly, vector: str) -> str:
    """Write a multiple of a vector."""
    if p == {(): 1}:
        return vector
    return f"(scale {factor(write_polynomial(p))} {vector})"


def combination(p: Poly, servers: Sequence[str], names: Mapping[str, str] | None = None) -> str:
    """Write a combination of vectors.

    Parameters
    ----------
    p : Poly
    servers : sequence of str
        Vectors that all clients share.
    names : mapping, optional
        What is written in the place of a vector.
    """
    terms = []
    for vector, (mean, apart) in parts(p).items():
        name = (names or {}).get(vector, name_of(vector))
        if vector in servers:
            terms.append(scaled(mean, name))
            continue
        if apart:
            terms.append(scaled(apart, name))
        if rest := add(mean, minus(apart)):
            terms.append(scaled(rest, f"(avg {name})"))
    if not terms:
        return "zero"
    text = terms[-1]
    for one in reversed(terms[:-1]):
        text = f"(add {one} {text})"
    return text


@dataclass(frozen=True)
class FormDefinition:
    """A function of letters, numbers and vectors, quadratic in the vectors, as a definition of Coq.

    Its coefficients are definitions of their own, so that Coq can leave them alone while it multiplies out products.

    Attributes
    ----------
    name : str
    text : str
        The definitions.
    terms : dict of str to str
        Product (or number) to the name of the definition of its coefficient.
    """

    name: str
    text: str
    terms: dict[str, str]

    @property
    def coefficients(self) -> list[str]:
        """Names of the coefficients."""
        return list(self.terms.values())


def define_form(
    name: str, p: Poly, letters: Sequence[str], numbers: Sequence[str], vectors: Sequence[str]
) -> FormDefinition:
    """Define a form; its arguments are letters, numbers and vectors, in this order."""
    groups: dict[str, Poly] = {}
    for m, c in p.items():
        outer = [g for g, _ in m if g not in letters]
        if len(outer) > 1:
            raise Refused(f"{name}: {m} has several factors")
        groups.setdefault(outer[0] if outer else "", {})[tuple((g, k) for g, k in m if g in letters)] = c
    lines, terms = [], []
    names: dict[str, str] = {}
    arguments = f"({' '.join(letters)} : R)" if letters else ""
    for n, (one, coefficient) in enumerate(sorted(groups.items())):
        names[one] = f"{name}_{n}"
        lines.append(f"Definition {name}_{n} {arguments} : R := {write_polynomial(coefficient)}.")
        product = PRODUCT.fullmatch(one)
        said = write_polynomial({((one, 1),): Fraction(1)}) if product or one else "1"
        terms.append(f"{' '.join([f'{name}_{n}', *letters])} * {factor(said)}")
    said_numbers = f"({' '.join(numbers)} : R) " if numbers else ""
    said_vectors = f"({' '.join(map(name_of, vectors))} : H)" if vectors else ""
    lines.append(f"Definition {name} {{H : Projected}} {arguments} {said_numbers}{said_vectors} : R :=")
    lines.append(f"  {' + '.join(terms) or '0'}.")
    return FormDefinition(name, "\n".join(lines), names)
