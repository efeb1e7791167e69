"""Runs of registered methods, and of own ones, as points of a stated problem: their own code is what runs."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Any

from boundcheck.errors import require, require_count
from boundcheck.methods import METHODS
from boundcheck.worst.gram.exact import fraction
from boundcheck.worst.gram.trace import ORIGIN, trace_method
from boundcheck.worst.gram.units import as_asked
from boundcheck.worst.gram.vectors import DEVIATION, MEAN
from boundcheck.worst.stated.algebra import NOTHING, Vector, rational

if TYPE_CHECKING:
    from boundcheck.methods.base import Method
    from boundcheck.worst.gram.vectors import GramVector
    from boundcheck.worst.stated.problem import Function


def run(
    f: Function,
    method: Method | str,
    *,
    K: Any,
    T: Any,
    N: Any = 2,
    start: Vector | None = None,
    **chosen: Any,
) -> list[Vector]:
    """Return the server points x_0, ..., x_T of a method on the agents' functions, all of which take part.

    Parameters
    ----------
    f : Function
        Of the agents; or one function, then every agent has it.
    method : Method or str
        A linear one.
    K, T : int
        Local steps a round, rounds.
    N : int
        Agents, which matters for mixing matrices alone: of those that are not alike for all pairs the spectrum is used.
    start : Vector, optional
        A new point where it is left out.
    **chosen
        Hyperparameters of a method that is given by its name.

    Raises
    ------
    InputError
        If a name or a number is not legal.
    NotApplicableError
        If the method is not linear.
    """
    if isinstance(method, str):
        fields = {field.name for field in dataclasses.fields(METHODS[method])}  # type: ignore[arg-type]
        unknown = sorted(set(chosen) - fields)
        require(not unknown, f"{method}: {', '.join(unknown)}", "set", f"a hyperparameter: {', '.join(sorted(fields))}")
        method = METHODS[method](**{name: _plain(value) for name, value in chosen.items()})
    steps, rounds = _count(K, "K"), _count(T, "T")
    agents = _count(N, "N") if f.of_agents else 1
    trace = trace_method(as_asked(method), N=agents, K=steps, T=rounds, exact=True, spectral=True)
    require(not trace.others, "run", method.card.id, "a method that tosses no coins")
    known: dict[int, Vector] = {ORIGIN: f.problem.point("x_0") if start is None else start}
    at = {point.gradient: point.at for point in trace.oracle.points}
    for k, element in enumerate(trace.oracle.basis):
        if k in at:
            known[k] = f.gradient(_vector(at[k], known))
        elif element.of is not None and element.spectrum is not None:
            least, largest = element.spectrum
            mixed = f.problem.mix(_vector(element.of, known), least=least, largest=largest)
            known[k] = Vector({}, mixed.deviation)
    return [_vector(x, known) for x in trace.iterates]


def _vector(v: GramVector, known: dict[int, Vector]) -> Vector:
    """Return a vector of a run over those that are known."""
    total = NOTHING
    for row, part in ((MEAN, "mean"), (DEVIATION, "deviation")):
        for k, c in enumerate(v.coefficients[row]):
            if c:
                own = known[k]
                total = total + fraction(c) * (Vector(own.mean, {}) if part == "mean" else Vector({}, own.deviation))
    return total


def _count(value: Any, name: str) -> int:
    exact = rational(value, name)
    require(exact.denominator == 1, name, exact, "a whole number")
    require_count(int(exact), name)
    return int(exact)


def _plain(value: Any) -> Any:
    """Return a hyperparameter as methods take it."""
    if isinstance(value, (str, bool)):
        return value
    exact = rational(value, "hyperparameter")
    return int(exact) if exact.denominator == 1 else exact


METHOD_TEXT = """\
f = function({constants})
{ground}
x = run(f, {method!r}, K={K}, T={T}, N={N}{chosen})
x_0, x_T = x[0], x[{T}]
{second}
T, K, N, L = {T}, {K}, {N}, {L}
{assumed}
maximise({objective})
"""
SECOND_TEXT = """\
y_0 = point()
y = run(f, {method!r}, K={K}, T={T}, N={N}, start=y_0{chosen})
y_T = y[{T}]"""
_OF_SECOND = re.compile(r"\by(?:_0|_T|\s*\[)")
_OF_LEAST = re.compile(r"\b(?:x|f)_star\b")
"""Words of a second run, and of a minimiser or floor."""


def text_of_run(
    method: str,
    *,
    K: int,
    T: int,
    N: int,
    L: float,
    mu: float | None,
    assume: list[str],
    maximise: str,
    chosen: dict[str, Any],
) -> str:
    """Return the file that states a method's worst case in own expressions.

    Its lines know f, x (the list of server points), x_0, x_T, x_star where mu >= 0, else f_star, and T, K, N, L; and y,
    y_0, y_T of a second run, from a start of its own, where they speak of it.
    """
    length: dict[str, Any] = {"method": method, "K": K, "T": T, "N": N}
    length["chosen"] = "".join(f", {name}={value!r}" for name, value in chosen.items())
    said = " ".join((*assume, maximise))
    constants = f"of_agents={N > 1}, L={L!r}" + ("" if mu is None else f", mu={mu!r}")
    ground = ""
    if _OF_LEAST.search(said):  # a point of which nothing is asked leaves proofs less room
        ground = "x_star = minimiser(f)\nf_star = f(x_star)" if mu is not None and mu >= 0 else "f_star = floor(f)"
    return METHOD_TEXT.format(
        constants=constants,
        ground=ground,
        second=SECOND_TEXT.format(**length) if _OF_SECOND.search(said) else "",
        L=L,
        assumed="\n".join(f"assume({text})" for text in assume),
        objective=maximise,
        **length,
    )
