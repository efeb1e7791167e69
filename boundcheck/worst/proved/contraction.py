"""The proof of a contraction as certificates: a round, the start, and what the potential covers."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from boundcheck.worst.proved.certificate import constants, linear
from boundcheck.worst.proved.words import FormWriter, total
from boundcheck.worst.theorems.contraction import coordinates_of

if TYPE_CHECKING:
    from boundcheck.worst.gram.kernel import Certificate
    from boundcheck.worst.gram.oracle import GramOracle
    from boundcheck.worst.theorems.contraction import Contraction


def contraction_certificates(theorem: Contraction) -> list[Certificate]:
    """Return the certificates of a theorem: ``ID/round``, ``ID/start`` and ``ID/end``, which `boundcheck verify` reads.

    In units in which L = 1, for V the potential and m what is measured: ``V(next) <= rate V + constants``,
    ``V(start) <= constants`` where m is bounded at the start, ``m <= V``.
    """
    one = theorem.conditions.round
    around = _words(theorem, one.oracle, "round")
    before, after = (_potential(theorem, around, state) for state in (one.before, one.after))
    added, spare = constants(theorem.proof, "round")
    fall = f"{after} <= {total([f'{theorem.rate}*({before})', *added])}"
    at_start = _words(theorem, theorem.conditions.start, "start")
    first = _potential(theorem, at_start, theorem.conditions.first)
    given, left = constants(theorem.proof, "start")
    covered = f"{_measure_text(theorem, around)} <= {before}"
    return [
        _certificate(theorem, "round", around, fall, spare),
        _certificate(theorem, "start", at_start, f"{first} <= {total(given)}", left),
        _certificate(theorem, "end", around, covered, []),
    ]


def _words(theorem: Contraction, oracle: GramOracle, part: str) -> FormWriter:
    """Return the names of what a part of the proof is about; heterogeneity is bounded at x_star alone."""
    given = dataclasses.replace(theorem.given, zeta=None)
    return FormWriter(oracle, given, minimum=theorem.conditions.bases[part])


def _certificate(theorem: Contraction, part: str, words: FormWriter, shown: str, spare: Any) -> Certificate:
    name = f"contraction.{theorem.method.card.id}/{part}"
    return linear(name, theorem.conditions, theorem.proof, words, part, shown, spare)


def _measure_text(theorem: Contraction, words: FormWriter) -> str:
    x = theorem.conditions.round.before.x
    if theorem.measured == "value":
        return f"f{words.number(x)}"
    return f"|{words.mean(x - words.oracle.points[words.minimum].at)}|^2"


def _potential(theorem: Contraction, words: FormWriter, state: Any) -> str:
    """Return V at a state as text."""
    unknowns = theorem.proof.unknowns
    x_star = words.oracle.points[words.minimum].at
    means, deviations = coordinates_of(theorem.conditions.round.reading, words.oracle, state, x_star)
    parts = [f"{unknowns['p',]}*f{words.number(state.x)}"]
    for letter, texts in (("W", [words.mean(v) for v in means]), ("U", [words.deviation(v) for v in deviations])):
        for i, u in enumerate(texts):
            for j, v in enumerate(texts[i:], i):
                c = unknowns.get((letter, i, j))
                if c and "0" not in (u, v):
                    parts.append(f"{c}*|{u}|^2" if i == j else f"{2 * c}*<{u}, {v}>")
    return total(parts)
