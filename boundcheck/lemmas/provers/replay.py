"""Witnesses as plain numpy lines that anybody can run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp
from sympy.printing.pycode import pycode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.lemmas.claim import Witness

DIGITS = 17


def show_failure(lhs: sp.Expr, rhs: sp.Expr, witness: Witness, *, relation: str = ">", mean: bool = False) -> str:
    """Return numpy lines that set the witness and assert ``lhs relation rhs``, which the claim denies."""
    lines = [*_assignments(witness, mean=mean), f"lhs = {code(lhs)}", f"rhs = {code(rhs)}"]
    if relation == "!=":
        lines.append("assert not np.isclose(lhs, rhs), (lhs, rhs)")
    else:
        lines.append(f"assert lhs {relation} rhs, (lhs, rhs)")
    return _script(lines)


def show_point(conditions: Sequence[sp.Basic], witness: Witness) -> str:
    """Return numpy lines that set the witness and assert every condition there."""
    return _script([*_assignments(witness, mean=False), *(f"assert {code(c)}" for c in conditions)])


def number(value: sp.Expr) -> float | str:
    """Return an exact rational as a string, anything else as a float."""
    return str(value) if sp.sympify(value).is_Rational else float(sp.N(value, DIGITS))


def witness_of(
    values: Mapping[sp.Symbol, sp.Expr], coordinates: Mapping[str, Sequence[sp.Expr]] | None = None
) -> dict[str, float | str | tuple[float | str, ...]]:
    """Return a witness with plain names: sorted scalars, then the coordinates of vectors."""
    witness: dict[str, float | str | tuple[float | str, ...]] = {
        symbol.name: number(values[symbol]) for symbol in sorted(values, key=lambda s: s.name)
    }
    for name, vector in (coordinates or {}).items():
        witness[name] = tuple(number(x) for x in vector)
    return witness


def code(expression: sp.Basic) -> str:
    """Return an expression as Python with ``np`` functions."""
    return str(pycode(sp.sympify(expression), user_functions={"inner": "inner"})).replace("math.", "np.")


def _assignments(witness: Witness, *, mean: bool) -> list[str]:
    lines = []
    if any(isinstance(value, tuple) for value in witness.values()):
        lines.append("inner = lambda u, v: np.mean(u * v)" if mean else "inner = np.dot")
    scalars = {k: v for k, v in witness.items() if not isinstance(v, tuple)}
    if scalars:
        lines.append(f"{', '.join(scalars)} = {', '.join(str(v) for v in scalars.values())}")
    for name, value in witness.items():
        if isinstance(value, tuple):
            lines.append(f"{name} = np.array([{', '.join(str(v) for v in value)}])")
    return lines


def _script(lines: Sequence[str]) -> str:
    return "\n".join(["import numpy as np", *lines])
