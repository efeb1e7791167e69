"""Certificates as Lean 4 text for Mathlib: the same products and squares, by ``positivity``, ``ring`` and ``linarith``.

Vectors live in a real inner product space; a family is a vector and `mean` a self-adjoint idempotent map.  Not checked
here: no Lean comes with the tests.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError, require
from boundcheck.proofs.certificates.coq import RELATION
from boundcheck.proofs.certificates.hilbert import CertificateReader, illegal
from boundcheck.proofs.certificates.texts import tree
from boundcheck.proofs.kernel.certificates import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Certificate = dict[str, Any]
Proof = dict[str, Any]

HEAD = """import Mathlib

macro "sign" : tactic => `(tactic| first | positivity | (repeat' first
  | assumption | exact le_of_lt (by assumption) | exact real_inner_self_nonneg | apply mul_pos | apply mul_nonneg
  | apply pow_nonneg | positivity))
"""
_SPACE = "{V : Type*} [NormedAddCommGroup V] [InnerProductSpace ℝ V]"
_MEAN = """(mean : V →ₗ[ℝ] V)
    (mean_self : ∀ u v : V, inner ℝ u (mean v) = inner ℝ (mean u) v) (mean_twice : ∀ u : V, mean (mean u) = mean u)"""
_EXPAND = """inner_add_left, inner_add_right, inner_sub_left, inner_sub_right, inner_neg_left, inner_neg_right,
    real_inner_smul_left, real_inner_smul_right"""
_OPERATIONS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_WORDS = {"<=": "≤", ">=": "≥", "!=": "≠"}
_OURS = re.compile(
    r"[HFTEV]\d*|mean|sign_.*|negation|at|by|do|fun|have|if|in|let|match|then|from|show|open|end|variable"
)


class _Lean(CertificateReader):
    """Writes texts of one certificate as Lean."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__(certificate)
        self.families = [unused_name(x) for x, sort in certificate["letters"].items() if sort == "family"]
        self.common = [
            unused_name(x) for x, sort in certificate["letters"].items() if sort == "vector" and self.families
        ]

    @property
    def means(self) -> list[str]:
        """The map to the mean, and what it leaves as it is."""
        return [_MEAN, *(f"(common_{x} : mean {x} = {x})" for x in self.common)] if self.families else []

    @property
    def rules(self) -> dict[str, str]:
        """Rules that give an inner product with a mean one form only: their names and what proves them."""
        one = {
            f"left_{x} : ∀ u : V, inner ℝ (mean u) {x} = inner ℝ u {x}": f"fun u => by rw [← mean_self, common_{x}]"
            for x in self.common
        }
        two = {
            f"turn_{u}_{v} : inner ℝ (mean {u}) {v} = inner ℝ (mean {v}) {u}": "by rw [real_inner_comm, mean_self]"
            for u, v in _swapped_pairs(self.families)
        }
        return one | two

    def term(self, text: str) -> str:
        return self._term(tree(text))

    def _term(self, node: ast.expr) -> str:
        match node:
            case ast.Call(func=ast.Name(id="dot"), args=[u, v]):
                return f"(inner ℝ {self._term(u)} {self._term(v)})"
            case ast.Call(func=ast.Name(id="mean"), args=[u]):
                return f"(mean {self._term(u)})"
            case ast.Name(id=name):
                return unused_name(name)
            case ast.Constant(value=int(n)):
                return f"({n} : ℝ)"
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return f"(-{self._term(a)})"
            case ast.BinOp(left=a, op=ast.Pow(), right=b):
                k = ast.literal_eval(b)
                return f"({self._term(a)} ^ {k})" if k >= 0 else f"({self._term(a)} ^ {-k})⁻¹"
            case ast.BinOp(left=a, op=ast.Mult() | ast.Div() as op, right=b) if self.is_vector(node):
                times, of = (b, a) if self.is_vector(a) else (a, b)
                return f"({self._term(times)}{'⁻¹' if isinstance(op, ast.Div) else ''} • {self._term(of)})"
            case ast.BinOp(left=a, op=op, right=b) if type(op) in _OPERATIONS:
                return f"({self._term(a)} {_OPERATIONS[type(op)]} {self._term(b)})"
        raise illegal(node)

    def relation(self, line: str) -> str:
        if " or " in line:
            return " ∨ ".join(f"({self.relation(part)})" for part in line.split(" or "))
        left, sign, right = RELATION.split(line)
        return f"{self.term(left)} {_WORDS.get(sign, sign)} {self.term(right)}"

    def gap(self, line: str) -> tuple[str, str]:
        """Return what a relation says of the difference of its sides: (difference, sign)."""
        left, sign, right = RELATION.split(line)
        sides = (right, left) if sign[0] == "<" else (left, right)
        return f"({self.term(sides[0])} - {self.term(sides[1])})", {">=": "≤", ">": "<"}.get(
            sign, _WORDS.get(sign, sign)
        )

    def product(self, term: Sequence[Any], facts: Sequence[str], goal: str) -> tuple[str, int | None]:
        """Return a term as a product, and the number of an equation among its factors."""
        parts, zero = [], None
        for factor in term:
            if isinstance(factor, int):
                value, sign = self.gap(facts[factor])
                zero = factor if sign == "=" else zero
                parts.append(value)
            elif isinstance(factor, list):
                vector = self.is_vector(tree(factor[0]))
                parts.append(self.term(f"|{factor[0]}|^2") if vector else f"({self.term(factor[0])} ^ 2)")
            else:
                parts.append(f"(-{goal})" if factor == "not" else self.term(factor))
        return f"({' * '.join(parts)})", zero


def unused_name(name: str) -> str:
    """Return a name that neither Lean nor the proof uses."""
    return f"{name}_" if _OURS.fullmatch(name) else name


def lean(certificate: Certificate) -> str:
    """Return a certificate as a Lean theorem.

    Raises
    ------
    InputError
        If it shows nothing, has sequences, uses other certificates, or distinguishes cases by a sign.
    """
    require("shows" in certificate, "certificate", certificate["id"], "one that shows a relation")
    kind = certificate.get("kind")
    legal = f"one without a limit or derivative, and this is a {kind}"
    require(kind not in FUNCTIONS, "certificate", certificate["id"], legal)
    sequences = [name for name in certificate["letters"] if "[" in name]
    require(not sequences, "letters", sequences, "no sequences: their indices have no text in Lean")
    written = _Lean(certificate)
    kinds = ((written.vectors, "V"), (list(written.numbers), "ℝ"))
    bound = [_SPACE, "\n   "] if written.vectors else []
    bound += [f"({' '.join(map(unused_name, names))} : {kind})" for names, kind in kinds if names]
    bound += written.means
    bound += [
        f"(sign_{x} : 0 {'<' if sort == '>0' else '≤'} {unused_name(x)})" for x, sort in written.numbers.items() if sort
    ]
    given = list(certificate.get("given", []))
    bound += [f"(H{k} : {written.relation(line)})" for k, line in enumerate(given)]
    name = re.sub(r"\W", "_", certificate["id"])
    head = f"theorem {name} {' '.join(bound)} :\n    {written.relation(certificate['shows'])} := by"
    lines = [f"have {rule} := {proof}" for rule, proof in written.rules.items()]
    lines += _proof(written, certificate, certificate["shows"], given)
    return "\n".join([HEAD, head, *(f"  {line}" for line in lines), ""])


def _proof(written: _Lean, proof: Proof, shows: str, facts: Sequence[str]) -> Iterator[str]:
    known = list(facts)
    for step in proof.get("steps", []):
        if "by" not in step and "cases" not in step:
            msg = "a step that uses another certificate or a rule has no text in Lean"
            raise InputError(msg)
        yield f"have H{len(known)} : {written.relation(step['shows'])} := by"
        yield from (f"  {line}" for line in _proof(written, step, step["shows"], known))
        known.append(step["shows"])
    if "cases" not in proof:
        yield from _sum(written, proof["by"], shows, known)
        return
    split = proof["cases"]
    if not isinstance(split, int) or " or " not in known[split]:
        msg = "cases by sign have no text in Lean"
        raise InputError(msg)
    yield f"rcases H{split} with {' | '.join([f'H{len(known)}'] * len(proof['each']))}"
    for side, part in zip(known[split].split(" or "), proof["each"], strict=True):
        lines = list(_proof(written, part, shows, [*known, side]))
        yield from (f"{'·' if k == 0 else ' '} {line}" for k, line in enumerate(lines))


def _sum(written: _Lean, terms: Sequence[Sequence[Any]], shows: str, facts: Sequence[str]) -> Iterator[str]:
    """Yield the end of a proof: what is used, the sign of each term, the expansion, the sum."""
    goal, op = written.gap(shows)
    denied = any("not" in [f for f in term if isinstance(f, str)] for term in terms)
    if denied:
        less, turned = ("<", "not_le") if op == "≤" else ("≤", "not_lt")
        yield "by_contra negation"
        yield f"have FN : 0 {less} (-{goal}) := by linarith [{turned}.mp negation]"
    for k in sorted({f for term in terms for f in term if isinstance(f, int)}):
        if " or " not in facts[k]:
            value, sign = written.gap(facts[k])
            by = "sub_ne_zero.mpr H" + str(k) if sign == "≠" else "by linarith"
            yield f"have F{k} : {f'{value} ≠ 0' if sign == '≠' else f'0 {sign} {value}'} := {by}"
    values = []
    for k, term in enumerate(terms):
        value, zero = written.product(term, facts, goal)
        values.append(value)
        if zero is not None:
            yield f"have T{k} : {value} = 0 := by rw [← F{zero}]; ring"
        else:
            yield f"first | have T{k} : 0 < {value} := by sign | have T{k} : 0 ≤ {value} := by sign"
    clear = "field_simp; ring" if not written.vectors else _expansion(written)
    yield f"have E : {'0' if denied else goal} = {' + '.join(values) or '0'} := by {clear}"
    yield "linarith"


def _expansion(written: _Lean) -> str:
    """Return the tactic that writes inner products out over those of letters, each pair in one order."""
    names = [unused_name(name) for name in written.vectors]
    turned = [f"real_inner_comm {u} {v}" for v, u in _swapped_pairs(names)]
    means = ["mean_self", "mean_twice", *(f"common_{x}" for x in written.common)] if written.families else []
    rules = [rule.split(" :")[0] for rule in written.rules]
    return f"(simp only [{', '.join([_EXPAND, *means, *rules, *turned])}]; field_simp; ring)"


def _swapped_pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of vectors that stand in the wrong order: (later, earlier)."""
    return [(later, earlier) for k, later in enumerate(names) for earlier in names[:k]]
