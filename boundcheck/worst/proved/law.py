"""The proof of a law in T as certificates: a round, the start and the end, whose sum over a run is the law."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.worst.facts.hypotheses import forms_of
from boundcheck.worst.proved.certificate import constants, linear
from boundcheck.worst.proved.words import FormWriter, total
from boundcheck.worst.theorems.reading import gradient
from boundcheck.worst.theorems.systems import FormSystem

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from boundcheck.worst.gram.kernel import Certificate
    from boundcheck.worst.theorems.law import LawTheorem, RoundsMet, Window


def law_certificates(theorem: LawTheorem) -> list[Certificate]:
    """Return the certificates of a law: ``ID/round``, ``ID/start`` and ``ID/end``, which `boundcheck verify` reads.

    In units in which L = 1, for V the potential of a window, w its rounds and g the gradients of f at server points:
    ``|g_w|^2 <= V(window) - V(next) + constants``; ``V(first) + |g_0|^2 + ... <= constants`` with the rounds before the
    first window's end; ``|g_w|^2 + ... <= V(last) + constants`` with the rounds from the last window's end on.
    """
    posed = theorem.conditions
    (middle, before, after), (first, opening), (last, closing) = posed.round, posed.start, posed.end
    around, at_start, at_end = (_LawWords(theorem, met) for met in (middle, first, last))
    paid = middle.states[posed.width : posed.width + 1]
    fall = [around.potential(before), f"-({around.potential(after)})"]
    return [
        around.certificate("round", around.squares(paid), fall),
        at_start.certificate("start", [at_start.potential(opening), *at_start.squares(first.states[:-1])], []),
        at_end.certificate("end", at_end.squares(last.states[posed.width :]), [at_end.potential(closing)]),
    ]


class _LawWords:
    """Words for some rounds of the proof."""

    def __init__(self, theorem: LawTheorem, met: RoundsMet) -> None:
        self._theorem, self._oracle = theorem, met.oracle
        self._words = FormWriter(met.oracle, theorem.given)

    def potential(self, window: Window) -> str:
        """Return V of a window."""
        forms = forms_of(self._oracle, self._theorem.given, window.vectors, tilted=False)
        parts = window.potential(forms)
        return self._words.form_text(FormSystem(parts, forms.scale).at(self._theorem.proof.unknowns))

    def squares(self, states: Iterable[Any]) -> list[str]:
        """Return |grad F|^2 at some states."""
        return [f"|{self._words.mean(gradient(self._oracle, state.x))}|^2" for state in states]

    def certificate(self, part: str, left: list[str], right: list[str]) -> Certificate:
        """Return what a part says."""
        theorem = self._theorem
        added, spare = constants(theorem.proof, part)
        shown = f"{total(left)} <= {total([*right, *added])}"
        name = f"law.{theorem.method.card.id}/{part}"
        return linear(name, theorem.conditions, theorem.proof, self._words, part, shown, spare)
