"""Certificates about vectors as Coq: an abstract inner product space, the certificate's own multipliers and squares."""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.certificates.coq import RELATION
from boundcheck.proofs.certificates.hilbert import CertificateReader, illegal, require_linear
from boundcheck.proofs.certificates.texts import tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.proofs.certificates.hilbert import Certificate, Vector

HEAD = """
Require Import Reals Lra.
Open Scope R_scope.
Section Space.
Variables (V : Type) (add : V -> V -> V) (scal : R -> V -> V) (mean : V -> V) (ip : V -> V -> R).
Hypothesis ip_sym : forall u v, ip u v = ip v u.
Hypothesis ip_add : forall u v w, ip (add u v) w = ip u w + ip v w.
Hypothesis ip_scal : forall c u w, ip (scal c u) w = c * ip u w.
Hypothesis ip_pos : forall u, 0 <= ip u u.
Hypothesis mean_self : forall u v, ip (mean u) v = ip u (mean v).
Hypothesis mean_twice : forall u v, ip (mean (mean u)) v = ip (mean u) v.
Lemma add_ip : forall u v w, ip w (add u v) = ip w u + ip w v.
Proof. intros. rewrite ip_sym, ip_add, (ip_sym u), (ip_sym v). reflexivity. Qed.
Lemma scal_ip : forall c u w, ip w (scal c u) = c * ip w u.
Proof. intros. rewrite ip_sym, ip_scal, (ip_sym u). reflexivity. Qed.
Lemma ip_mean : forall u v, ip u (mean v) = ip (mean u) v.
Proof. intros. symmetry. apply mean_self. Qed.
Lemma sym_mean : forall u v, ip (mean u) v = ip (mean v) u.
Proof. intros. rewrite mean_self. apply ip_sym. Qed.
Ltac expand :=
  rewrite ?ip_add, ?add_ip, ?ip_scal, ?scal_ip, ?ip_add, ?add_ip, ?ip_scal, ?scal_ip, ?ip_mean, ?mean_twice.
""".strip()


class Coq(CertificateReader):
    """Writes texts as Coq, and remembers every inner product that it wrote."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__(certificate)
        self.met: dict[str, tuple[Vector, Vector]] = {}

    def term(self, node: ast.expr) -> str:
        """Return a tree as Coq."""
        match node:
            case ast.Call(func=ast.Name(id="dot"), args=[u, v]):
                text = f"(ip {self.term(u)} {self.term(v)})"
                both = self.vector(u), self.vector(v)
                # A product of letters is what it is written out as, and rewriting it would not end.
                if self.expansion(both) != f"(1) * {text[1:-1]}":
                    self.met[text] = both
                return text
            case ast.Call(func=ast.Name(id="mean"), args=[u]):
                return f"(mean {self.term(u)})"
            case ast.Name(id=name):
                return name
            case ast.Constant(value=n):
                return str(n)
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return f"(scal (-1) {self.term(a)})" if self.is_vector(a) else f"(- {self.term(a)})"
            case ast.BinOp(left=a, op=op, right=b) if self.is_vector(node):
                return self._combine(a, op, b)
            case ast.BinOp(left=a, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() as op, right=b):
                sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}[type(op)]
                return f"({self.term(a)} {sign} {self.term(b)})"
        raise illegal(node)

    def _combine(self, a: ast.expr, op: ast.operator, b: ast.expr) -> str:
        if isinstance(op, ast.Mult):
            return f"(scal {self.term(a)} {self.term(b)})"
        other = f"(scal (-1) {self.term(b)})" if isinstance(op, ast.Sub) else self.term(b)
        return f"(add {self.term(a)} {other})"

    def sides(self, line: str) -> tuple[str, str, str]:
        """Return the smaller side of a relation, the sign, and the larger side."""
        left, sign, right = RELATION.split(line)
        if sign not in ("<=", "="):
            msg = f"relation = {line!r} is not legal here: only <= and = are"
            raise InputError(msg)
        return self.term(tree(left)), sign, self.term(tree(right))

    def expansion(self, both: tuple[Vector, Vector]) -> str:
        """Return an inner product as a sum over those of letters."""
        parts = [f"{_rational(c)} * {_atom(key)}" for key, c in self.products(*both).items()]
        return " + ".join(parts) or "0"


def _rational(c: Fraction) -> str:
    return f"({c.numerator} / {c.denominator})" if c.denominator != 1 else f"({c.numerator})"


def _atom(key: tuple[str, str]) -> str:
    return f"ip {f'({key[0]})' if ' ' in key[0] else key[0]} {key[1]}"


def coq(certificate: Certificate) -> str:
    """Return a certificate of kind `linear` as a Coq file.

    Raises
    ------
    InputError
        If it has steps or cases, or a term that is not a multiple of a hypothesis, of a letter or of a square.
    """
    written = Coq(certificate)
    require_linear(certificate)
    given = [written.sides(line) for line in certificate["given"]]
    shown = written.sides(certificate["shows"])
    signs = [f"(sign_{x} : 0 <= {x})" for x, sort in written.numbers.items() if sort]
    lines = [f"(H{k} : {low} {sign} {high})" for k, (low, sign, high) in enumerate(given)]
    bound = [
        f"({' '.join(names)} : {kind})" for names, kind in ((written.vectors, "V"), (written.numbers, "R")) if names
    ]
    name = re.sub(r"\W", "_", certificate["id"])
    head = f"Theorem {name} {' '.join([*bound, *signs, *lines])} :\n  {' '.join(shown)}."
    proof = [*_coq_terms(certificate, written, given, shown), "Qed.", "End Space.", ""]
    return "\n".join([HEAD, head, "Proof.", *proof])


def _coq_terms(
    certificate: Certificate, written: Coq, given: list[tuple[str, str, str]], shown: tuple[str, str, str]
) -> Iterator[str]:
    """Yield the proof: every term has its sign, all inner products are written out, both sides are equal."""
    total = []
    for k, (weight, what) in enumerate(certificate["by"]):
        c = _rational(Fraction(weight))
        if isinstance(what, int):
            low, sign, high = given[what]
            total.append(f"{c} * ({high} - {low})" if sign == "<=" else f"{c} * ({low} - {high})")
            yield f"assert (T{k} : 0 {sign} {total[-1]}) by ({_sign_of(sign, f'H{what}')})."
        elif isinstance(what, list):
            square = written.term(tree(f"|{what[0]}|^2"))
            total.append(f"{c} * {square}")
            yield f"assert (T{k} : 0 <= {total[-1]}) by (apply Rmult_le_pos; [lra | apply ip_pos])."
        else:
            total.append(f"{c} * {what}")
            yield f"assert (T{k} : 0 <= {total[-1]}) by (apply Rmult_le_pos; [lra | exact sign_{what}])."
    low, sign, high = shown
    turned = [f"?(ip_sym {b} {a})" for a, b in combinations(written.vectors, 2)]
    turned += [f"?(sym_mean {b} {a})" for a, b in combinations(written.vectors, 2)]
    order = f"rewrite {', '.join(turned)}; " if turned else ""
    for k, (text, both) in enumerate(written.met.items()):
        yield f"assert (X{k} : {text} = {written.expansion(both)}) by (expand; {order}field)."
    yield f"assert (E : {high} - {low} = {' + '.join(total)})."
    yield f"{{ clear - {' '.join(f'X{k}' for k in range(len(written.met)))}. rewrite {_all(written)}. field. }}"
    names = " ".join(f"T{k}" for k in range(len(total)))
    yield f"clear - E {names}. revert E {names}. generalize {' '.join(f'({text})' for text in total)}. intros. lra."


def _sign_of(sign: str, name: str) -> str:
    return "apply Rmult_le_pos; lra" if sign == "<=" else f"rewrite {name}; ring"


def _all(written: Coq) -> str:
    return ", ".join(f"?X{k}" for k in range(len(written.met)))
