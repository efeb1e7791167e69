"""Certificates about vectors as Lean 4 text for Mathlib: multiples of hypotheses and squares are given as hints.

Not checked here: no Lean comes with the tests.
"""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.certificates.coq import RELATION
from boundcheck.certificates.hilbert import Reader, illegal, require_linear

if TYPE_CHECKING:
    from boundcheck.certificates.hilbert import Certificate

_SPACE = """{V : Type*} [NormedAddCommGroup V] [InnerProductSpace ℝ V] (mean : V →ₗ[ℝ] V)
    (mean_self : ∀ u v : V, inner ℝ u (mean v) = inner ℝ (mean u) v) (mean_twice : ∀ u : V, mean (mean u) = mean u)"""
_EXPAND = """inner_add_left, inner_add_right, inner_sub_left, inner_sub_right, inner_neg_left, inner_neg_right,
    real_inner_smul_left, real_inner_smul_right, mean_self, mean_twice"""
_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


class _Lean(Reader):
    def term(self, node: ast.expr) -> str:
        match node:
            case ast.Call(func=ast.Name(id="dot"), args=[u, v]):
                return f"(inner ℝ {self.term(u)} {self.term(v)})"
            case ast.Call(func=ast.Name(id="mean"), args=[u]):
                return f"(mean {self.term(u)})"
            case ast.Name(id=name):
                return name
            case ast.Constant(value=n):
                return f"({n!s} : ℝ)"
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return f"(-{self.term(a)})"
            case ast.BinOp(left=a, op=op, right=b) if type(op) in _SIGNS:
                sign = "•" if isinstance(op, ast.Mult) and self.is_vector(b) else _SIGNS[type(op)]
                return f"({self.term(a)} {sign} {self.term(b)})"
        raise illegal(node)

    def relation(self, line: str) -> str:
        left, sign, right = RELATION.split(line)
        return f"{self.term(self.tree(left))} {sign.replace('<=', '≤')} {self.term(self.tree(right))}"


def lean(certificate: Certificate) -> str:
    """Return a certificate of kind `linear` as a Lean theorem.

    Raises
    ------
    InputError
        If it has steps or cases, or a term that is not a multiple of a hypothesis, of a letter or of a square.
    """
    require_linear(certificate)
    written = _Lean(certificate)
    kinds = ((written.vectors, "V"), (list(written.numbers), "ℝ"))
    letters = [f"({' '.join(names)} : {kind})" for names, kind in kinds if names]
    letters += [f"(sign_{x} : 0 ≤ {x})" for x, sort in written.numbers.items() if sort]
    given = [f"(H{k} : {written.relation(line)})" for k, line in enumerate(certificate["given"])]
    name = re.sub(r"\W", "_", certificate["id"])
    head = (
        f"theorem {name} {_SPACE}\n    {' '.join([*letters, *given])} :\n    {written.relation(certificate['shows'])}"
    )
    squares = [what[0] for _, what in certificate["by"] if isinstance(what, list)]
    lines = [
        f"  have S{k} : 0 ≤ {written.term(written.tree(f'|{s}|^2'))} := real_inner_self_nonneg"
        for k, s in enumerate(squares)
    ]
    turned = ", ".join(f"real_inner_comm {a} {b}" for k, a in enumerate(written.vectors) for b in written.vectors[:k])
    expand = [f"  simp only [{_EXPAND}{', ' + turned if turned else ''}] at *"]
    return "\n".join(
        ["import Mathlib", "", f"{head} := by", *lines, *expand, f"  nlinarith [{_hints(certificate)}]", ""]
    )


def _hints(certificate: Certificate) -> str:
    """Return the terms as products of a number and what is known."""
    found, squares = [], 0
    for weight, what in certificate["by"]:
        known, squares = _known(certificate, what, squares)
        c = Fraction(weight)
        number = f"({c.numerator} / {c.denominator} : ℝ)"
        equal = isinstance(what, int) and RELATION.split(certificate["given"][what])[1] == "="
        hint = (
            f"congrArg ({number} * ·) {known}"
            if equal
            else f"mul_le_mul_of_nonneg_left {known} (by norm_num : 0 ≤ {number})"
        )
        found.append(hint)
    return ",\n    ".join(found)


def _known(certificate: Certificate, what: Any, squares: int) -> tuple[str, int]:
    """Return the name of what a term is a multiple of, and how many squares were named."""
    if isinstance(what, int):
        return f"H{what}", squares
    return (f"S{squares}", squares + 1) if isinstance(what, list) else (f"sign_{what}", squares)
