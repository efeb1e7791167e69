"""Certificates as Coq: the same products and squares, checked by ``field``, signs of products and ``lra``.

Nothing is searched for (``nra`` is not used).  Vectors live in an abstract inner product space.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError, require
from boundcheck.proofs.certificates.spaces import Space
from boundcheck.proofs.certificates.texts import tree
from boundcheck.proofs.kernel.certificates import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Certificate = dict[str, Any]
Proof = dict[str, Any]
HEAD = """
Require Import Reals Lra.
Open Scope R_scope.
Parameter vec : Set.
Parameter plus : vec -> vec -> vec.
Parameter scale : R -> vec -> vec.
Parameter ip : vec -> vec -> R.
Axiom ip_sym : forall u v, ip u v = ip v u.
Axiom ip_plus : forall u v w, ip (plus u v) w = ip u w + ip v w.
Axiom ip_scale : forall c u v, ip (scale c u) v = c * ip u v.
Axiom ip_square : forall u, 0 <= ip u u.
Lemma ip_plus_r : forall u v w, ip u (plus v w) = ip u v + ip u w.
Proof. intros. rewrite ip_sym, ip_plus, (ip_sym v), (ip_sym w). reflexivity. Qed.
Lemma ip_scale_r : forall c u v, ip u (scale c v) = c * ip u v.
Proof. intros. rewrite ip_sym, ip_scale, ip_sym. reflexivity. Qed.
Lemma square_pos : forall x, x <> 0 -> 0 < x ^ 2.
Proof. intros. replace (x ^ 2) with (Rsqr x) by (unfold Rsqr; ring). apply Rlt_0_sqr. assumption. Qed.
Ltac expand := repeat rewrite ?ip_plus, ?ip_plus_r, ?ip_scale, ?ip_scale_r.
Ltac pos := solve [repeat first [assumption | solve [apply square_pos; assumption] | apply Rmult_lt_0_compat
  | apply pow_lt | apply Rinv_0_lt_compat | lra | apply Rplus_lt_0_compat]].
Ltac sign := solve [pos | repeat first [assumption | apply pow2_ge_0 | apply ip_square | apply Rmult_le_pos
  | apply pow_le | apply Rlt_le; pos | apply Rplus_le_le_0_compat | lra]].
Ltac apart := repeat split; first [solve [intro; lra] | apply Rgt_not_eq; pos].
""".strip()
RELATION = re.compile(r"\s(<=|<|>=|>|!=|=)\s")
SIGN = {">0": "<", ">=0": "<="}
OPERATIONS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
RESERVED = frozenset(
    {"at", "as", "in", "by", "fix", "fun", "end", "let", "exists", "forall", "Set", "Type", "Prop", "if"}
    | {"vec", "plus", "scale", "ip"}
)


def coq(certificate: Certificate) -> str:
    """Return a certificate as a Coq file.

    Raises
    ------
    InputError
        If it shows nothing, uses other certificates, or distinguishes cases by a sign.
    """
    kind = certificate.get("kind")
    legal = f"one without a limit or derivative, and this is a {kind}"
    require(kind not in FUNCTIONS, "certificate", certificate["id"], legal)
    if "vector" not in certificate["letters"].values() and "family" not in certificate["letters"].values():
        return _text(certificate, [], "")
    sequences = [name for name in certificate["letters"] if "[" in name]
    require(not sequences, "letters", sequences, "no sequences: their indices have no text in Coq")
    space = Space(certificate["letters"], _term, _name)
    plain = space.plain(certificate)
    bound = [f"({' '.join([*space.common, *space.deviations])} : vec)"]
    bound += [f"(O_{d}_{c} : ip {d} {c} = 0)" for d, c in space.orthogonal]
    order = "".join(f", ?(ip_sym {a} {b})" for a, b in space.turns) + "".join(
        f", ?O_{d}_{c}" for d, c in space.orthogonal
    )
    return space.restore_products(_text(plain, bound, f"expand; {f'rewrite {order[2:]}; ' if order else ''}"))


def _text(certificate: Certificate, more: list[str], first: str) -> str:
    names_numbers(certificate)
    letters = certificate["letters"]
    name = re.sub(r"\W", "_", certificate["id"])
    signs = [f"(sign_{x} : 0 {SIGN[sort]} {_name(x)})" for x, sort in letters.items() if sort]
    given = [f"(H{k} : {relation(line)})" for k, line in enumerate(certificate.get("given", []))]
    bound = [f"({' '.join(map(_name, letters))} : R)"] if letters else []
    head = f"Theorem {name} {' '.join([*bound, *more, *signs, *given])} :\n  {relation(certificate['shows'])}."
    facts = list(certificate.get("given", []))
    lines = [
        line.replace("by (field; apart)", f"by ({first}field; apart)")
        for line in _proof(certificate, certificate["shows"], facts)
    ]
    return "\n".join([HEAD, head, "Proof.", *lines, "Qed.", ""])


def names_numbers(certificate: Certificate, *, plain: bool = False) -> None:
    """Raise an error unless a certificate is about numbers, and if `plain` has neither steps nor cases."""
    vectors = {"vector", "family"} & set(certificate["letters"].values())
    if vectors or "shows" not in certificate or (plain and ("steps" in certificate or "cases" in certificate)):
        msg = f"certificate = {certificate['id']!r} is not legal: only a relation between numbers has this text"
        raise InputError(msg)


def relation(line: str) -> str:
    """Return a relation as Coq."""
    if " or " in line:
        return " \\/ ".join(f"({relation(part)})" for part in line.split(" or "))
    left, op, right = RELATION.split(line)
    return f"{expression(left)} {'<>' if op == '!=' else op} {expression(right)}"


def expression(text: str) -> str:
    """Return an expression as Coq, with every operation in parentheses."""
    return _term(tree(text))


def _term(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=int(n)):
            return str(n)
        case ast.Name(id=name):
            return _name(name)
        case ast.UnaryOp(op=ast.USub(), operand=a):
            return f"(- {_term(a)})"
        case ast.BinOp(left=a, op=ast.Pow(), right=b):
            k = ast.literal_eval(b)
            return f"({_term(a)} ^ {k})" if k >= 0 else f"(/ ({_term(a)} ^ {-k}))"
        case ast.BinOp(left=a, op=op, right=b) if type(op) in OPERATIONS:
            return f"({_term(a)} {OPERATIONS[type(op)]} {_term(b)})"
    msg = f"expression = {ast.unparse(node)!r} is not legal here: only rational operations on numbers are"
    raise InputError(msg)


def _name(name: str) -> str:
    return f"{name}_" if name in RESERVED or name.startswith(("H", "S", "T", "F")) else name


def gap(line: str) -> tuple[str, str]:
    """Return what a relation says of the difference of its sides: (difference, sign)."""
    left, op, right = RELATION.split(line)
    if op[0] == "<":
        return f"({expression(right)} - {expression(left)})", op
    return f"({expression(left)} - {expression(right)})", {">=": "<=", ">": "<"}.get(op, op)


def _proof(proof: Proof, shows: str, facts: Sequence[str], depth: int = 0) -> Iterator[str]:
    known = list(facts)
    for step in proof.get("steps", []):
        if "by" not in step:
            msg = "a step that uses another certificate or a rule has no text in Coq"
            raise InputError(msg)
        yield f"assert (H{len(known)} : {relation(step['shows'])})."
        yield "{"
        yield from _proof(step, step["shows"], known, depth + 1)
        yield "}"
        known.append(step["shows"])
    if "cases" not in proof:
        yield from _sum(proof["by"], shows, known)
        return
    split = proof["cases"]
    if not isinstance(split, int) or " or " not in known[split]:
        msg = "cases by sign have no text in Coq"
        raise InputError(msg)
    sides = known[split].split(" or ")
    name = f"H{len(known)}"
    yield f"destruct H{split} as {'[' + f'{name}|[' * (len(sides) - 2)}{name}|{name}{']' * (len(sides) - 1)}."
    for side, part in zip(sides, proof["each"], strict=True):
        yield "{"
        yield from _proof(part, shows, [*known, side], depth + 1)
        yield "}"


def _sum(terms: Sequence[Sequence[Any]], shows: str, facts: Sequence[str]) -> Iterator[str]:
    goal, op = gap(shows)
    denied = any("not" in [f for f in term if isinstance(f, str)] for term in terms)
    if denied:
        left, _, right = RELATION.split(shows)
        less, more = (
            (expression(right), expression(left)) if shows_below(shows) else (expression(left), expression(right))
        )
        lemma = "Rle_or_lt" if op == "<=" else "Rlt_or_le"
        yield f"destruct ({lemma} {more} {less}) as [|negation_]; [lra|exfalso]."
    used = {f for term in terms for f in term if isinstance(f, int)}
    for k in sorted(used):
        if " or " not in facts[k]:
            value, sign = gap(facts[k])
            yield f"assert (F{k} : {'0 ' + sign if sign != '=' else '0 ='} {value}) by lra."
    yield from ([f"assert (FN : 0 {'<' if op == '<=' else '<='} (- {goal})) by lra."] if denied else [])
    names = []
    for i, term in enumerate(terms):
        value, zero = _product(term, facts, goal)
        names.append(value)
        if zero is not None:
            yield f"assert (T{i} : {value} = 0) by (rewrite <- F{zero}; ring)."
        else:
            yield f"first [assert (T{i} : 0 < {value}) by pos | assert (T{i} : 0 <= {value}) by sign]."
    total = " + ".join(names) or "0"
    yield f"assert (E : {'0' if denied else goal} = {total}) by (field; apart)."
    yield "lra."


def shows_below(line: str) -> bool:
    """Whether the left side of a relation is the smaller one."""
    return RELATION.split(line)[1][0] == "<"


def _product(term: Sequence[Any], facts: Sequence[str], goal: str) -> tuple[str, int | None]:
    """Return a term as a product, and the number of an equation among its factors."""
    parts, zero = [], None
    for factor in term:
        if factor == "not":
            parts.append(f"(- {goal})")
        elif isinstance(factor, int):
            value, sign = gap(facts[factor])
            zero = factor if sign == "=" else zero
            parts.append(value)
        elif isinstance(factor, list):
            parts.append(f"({expression(factor[0])} ^ 2)")
        else:
            parts.append(expression(factor))
    return f"({' * '.join(parts)})", zero
