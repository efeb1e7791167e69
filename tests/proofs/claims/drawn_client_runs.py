"""Runs of a special case of a proof's method on symbols, with chosen clients."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import sympy

from boundcheck.conform.equations.recursion import GradientRecorder, _one_of, _symbols, hyperparameters, record_entries
from boundcheck.conform.equations.statements import StatementRun
from boundcheck.methods import METHODS


@dataclass(frozen=True)
class Case:
    """Another method than the file's own, of which the file speaks too; its gradients are exact, its clients drawn."""

    method: str
    draw: str
    """The noise that is the draw: N/S - 1 times the mean of `of` on clients that are drawn, minus it on others."""
    drawn: tuple[tuple[int, ...], ...]
    """Clients that the server hears, a round each."""
    names: dict[str, str] = field(default_factory=dict)
    """Names of the method's state to those of the proof, where they differ."""
    zero: tuple[str, ...] = ()
    """Sequences of the proof that vanish for this method."""
    of: str = "d"
    """The directions of the local steps."""


def drawn_run(file, K: int, N: int, case: Case) -> StatementRun:
    """Return a run of a special case of the file's method on symbols, a new one for each gradient."""
    T = len(case.drawn)
    gradients: dict = {}

    def gradient(y):
        return gradients.setdefault(tuple(y.ravel()), _symbols(f"h{len(gradients)}", N))

    letters = {letter: sympy.Symbol(letter, positive=True) for letter in file.setting.letters}
    letters |= {"N": sympy.Integer(N), "K": sympy.Integer(K), "T": sympy.Integer(T)}
    kind = METHODS[case.method]
    samples = [sum(_one_of(i, N) for i in chosen) for chosen in case.drawn]
    oracle = GradientRecorder(N, K, lambda y, *_: gradient(y), sympy.Integer, samples)
    x0 = np.array([[[sympy.Symbol("x0")]]], dtype=object)
    found = record_entries(kind(**hyperparameters(file, kind, letters)), oracle, x0, T)
    vectors = {(case.names.get(key, key), at): value for (key, at), value in found.items()}
    sizes = {"t": T, "k": K}
    for name in case.zero:
        places = np.ndindex(*(sizes[letter] for letter in file.setting.vectors[name].indices))
        vectors |= {(name, at): np.zeros((1, N, 1), dtype=int) * x0 for at in places}
    run = StatementRun(file.setting, letters, vectors, gradient, lambda _: sympy.Integer(0))
    for t, heard in enumerate(samples):
        share = heard * sympy.Rational(N, len(case.drawn[t])) - 1
        run.vectors[case.draw, (t,)] = share * sum(run.entry(case.of, (t, k)) for k in range(K)) * sympy.Rational(1, K)
    return run
