"""The proof of a stated worst case as a certificate that a checker without solvers accepts (docs/certificates.md)."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.worst.stated.algebra import ONE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.worst.stated.algebra import Key
    from boundcheck.worst.stated.question import KnownRelation, StatedProof, StatedQuestion

_NINE = 9
"""Digits of a right-hand side, after its point or after zeros there."""


def certificate(asked: StatedQuestion, proof: StatedProof) -> dict[str, Any]:
    """Return a certificate of kind `linear`; its right-hand side is rounded up to nine digits.

    Of points that may all be moved together the first one is the origin: a vector stands for its distance from there.
    """
    words = _StatedWords(asked)
    up = _rounded_up(proof.value)
    terms: list[list[Any]] = [[str(by), k] for k, (by, _) in enumerate(proof.used)]
    terms += [[str(weight), [words.combination(block, row)]] for weight, block, row in proof.squares]
    terms += [[str(up - proof.value)]] if up != proof.value else []
    given = [words.relation(known) for _, known in proof.used]
    shows = f"{words.number(asked.objective.parts)} <= {up}"
    text = " ".join([*given, shows, *(str(term) for term in terms)])
    letters = {name: sort for name, sort in words.letters.items() if re.search(rf"\b{name}\b", text)}
    return {
        "id": f"worst.{asked.name}",
        "kind": "linear",
        "letters": letters,
        "given": given,
        "shows": shows,
        "by": terms,
    }


def _rounded_up(value: Fraction) -> Fraction:
    zeros = max(0, -math.floor(math.log10(abs(value)))) if value else 0
    places = 10 ** (_NINE + zeros)
    return Fraction(math.ceil(value * places), places)


class _StatedWords:
    """Names of basis vectors and values."""

    def __init__(self, asked: StatedQuestion) -> None:
        taken: dict[str, str] = {f"f_{k}": "" for k in range(asked.values)}
        self.vectors: list[tuple[str, bool]] = []
        for label, of_agents in asked.labels:
            plain = re.sub(r"\W+", "_", label, flags=re.ASCII).strip("_") or "v"
            name = plain if plain[0].isalpha() else f"v{plain}"
            while name in taken or name == "mean":
                name = f"{name}_"
            taken[name] = "family" if of_agents else "vector"
            self.vectors.append((name, of_agents))
        self.letters = taken

    def _part(self, block: str, k: int) -> str:
        """Return the mean or the deviation of a basis vector."""
        name, of_agents = self.vectors[k]
        if not of_agents:
            return name
        return f"mean({name})" if block == "P" else f"({name} - mean({name}))"

    def combination(self, block: str, row: Mapping[int, Fraction]) -> str:
        """Return a vector in one block."""
        return _total([f"{_times(c)}{self._part(block, k)}" for k, c in row.items()])

    def _term(self, key: Key) -> str:
        if key[0] == "f":
            return f"f_{key[1]}"
        one, other = (self._part(str(key[0]), int(k)) for k in key[1:])
        return f"|{one}|^2" if one == other else f"<{one}, {other}>"

    def number(self, parts: Mapping[Key, Fraction]) -> str:
        """Return a number."""
        return _total([str(c) if key == ONE else f"{_times(c)}{self._term(key)}" for key, c in parts.items()])

    def relation(self, known: KnownRelation) -> str:
        """Return what is known, what is subtracted on the left."""
        parts = known.relation.number.parts
        left = {key: -c for key, c in parts.items() if c < 0}
        right = {key: c for key, c in parts.items() if c > 0}
        # A fact A = B stands for A - B, a fact A <= B for B - A.
        return (
            f"{self.number(right)} = {self.number(left)}"
            if known.relation.equal
            else f"{self.number(left)} <= {self.number(right)}"
        )


def _total(parts: list[str]) -> str:
    return " + ".join(parts).replace("+ -", "- ") or "0"


def _times(c: Fraction) -> str:
    return "" if c == 1 else f"{c}*"
