"""Witnesses as plain numpy lines that anybody can run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp
from sympy.printing.pycode import pycode

from boundcheck.proofs.provers.hilbert import DEVIATION, MEAN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.proofs.language.claim import Witness

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
    vectors = {k: v for k, v in witness.items() if isinstance(v, tuple)}
    families = any(name.endswith(DEVIATION) for name in vectors)
    if vectors:
        lines.append("inner = lambda u, v: np.mean(u * v)" if mean or families else "inner = np.dot")
    scalars = {k: v for k, v in witness.items() if not isinstance(v, tuple)}
    if scalars:
        lines.append(f"{', '.join(scalars)} = {', '.join(str(v) for v in scalars.values())}")
    if families:
        return [*lines, *_families(vectors, known="N" in scalars)]
    for name, value in vectors.items():
        lines.append(f"{name} = np.array([{', '.join(str(v) for v in value)}])")
    return lines


def _families(vectors: Mapping[str, tuple[object, ...]], *, known: bool) -> list[str]:
    """Return lines that build one number a client from means and deviations, and take these from the numbers."""
    lines = [] if known else ["N = 2"]
    lines.append("apart = np.sqrt(N / 2) * np.array([1, -1] + [0] * (N - 2))  # mean 0, mean square 1")
    families = [name.removesuffix(DEVIATION) for name in vectors if name.endswith(DEVIATION)]
    for name in families:
        (centre,), (spread,) = vectors.get(name + MEAN, (0,)), vectors[name + DEVIATION]
        lines.append(f"{name} = {centre} + ({spread}) * apart")
        lines.append(f"{name}{MEAN} = np.full(N, {name}.mean()); {name}{DEVIATION} = {name} - {name}{MEAN}")
    made = {name + ending for name in families for ending in (MEAN, DEVIATION)}
    return [*lines, *(f"{name} = np.full(N, float({value[0]}))" for name, value in vectors.items() if name not in made)]


def _script(lines: Sequence[str]) -> str:
    return "\n".join(["import numpy as np", *lines])
