"""Certificates as Lean 4 text for Mathlib: the products are given to ``nlinarith`` as hints.

Not checked here: no Lean comes with the tests.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from boundcheck.certificates.coq import SIGN, expression, gap, names_numbers, relation

if TYPE_CHECKING:
    from collections.abc import Sequence

Certificate = dict[str, Any]


def lean(certificate: Certificate) -> str:
    """Return a certificate as a Lean theorem.

    Raises
    ------
    InputError
        If it is about vectors, has steps, or distinguishes cases.
    """
    names_numbers(certificate, plain=True)
    letters, given = certificate["letters"], certificate.get("given", [])
    name = re.sub(r"\W", "_", certificate["id"])
    bound = [f"({' '.join(letters)} : ℝ)"] if letters else []
    signs = [f"(sign_{x} : 0 {SIGN[sort]} {x})" for x, sort in letters.items() if sort]
    assumed = [f"(H{k} : {_lean(relation(line))})" for k, line in enumerate(given)]
    head = f"theorem {name} {' '.join([*bound, *signs, *assumed])} :\n    {_lean(relation(certificate['shows']))} := by"
    hints = ", ".join(_product(term, given, certificate["shows"]) for term in certificate["by"])
    return "\n".join(["import Mathlib", "", head, "  try field_simp", f"  nlinarith [{hints}]", ""])


def _product(term: Sequence[Any], given: Sequence[str], shows: str) -> str:
    """Return the hint that a term is not negative."""
    parts = [_factor(factor, given, shows) for factor in term]
    product = " * ".join(parts)
    return f"(show 0 ≤ {product} by first | positivity | ((repeat apply mul_nonneg) <;> first | positivity | linarith))"


def _factor(factor: Any, given: Sequence[str], shows: str) -> str:
    if factor == "not":
        return f"(-{_lean(gap(shows)[0])})"
    if isinstance(factor, int):
        return _lean(gap(given[factor])[0])
    return _lean(f"({expression(factor[0])} ^ 2)" if isinstance(factor, list) else expression(factor))


def _lean(text: str) -> str:
    replaced = text.replace("<=", "≤").replace(">=", "≥").replace("<>", "≠").replace("\\/", "∨")
    return re.sub(r"\(/ (\([^()]*\)|\w+)\)", r"(\1)⁻¹", replaced)
