"""The theorems of described rounds that ship; ``python -m`` this module makes them anew."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from boundcheck.errors import NotApplicableError, UnknownNameError
from boundcheck.proofs.kernel.boxes import in_letters, scope_of
from boundcheck.worst.theorems.bernstein.polynomials import read_polynomial
from boundcheck.worst.theorems.described.rounds import ROUNDS
from boundcheck.worst.theorems.described.search import DescribedTheorem, prove_described

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from boundcheck.worst.theorems.described.description import DescribedRound

FOLDER = Path(__file__).parent / "proofs"
_POLYAK = "-pl"
NAMES = tuple(
    name + end for name, kind in ROUNDS.items() for end in ("", _POLYAK) if not end or kind.up_to_falling is not None
)
"""A round's name; under the Polyak-Lojasiewicz condition, where its potential falls, it ends in -pl."""
_FOUND = {"potential", "round", "first", "proofs"}
"""What is searched for, and proved: all else of a file is the description."""


def find(name: str) -> DescribedTheorem:
    """Return a theorem found anew, at the limit that ships."""
    falls = name.endswith(_POLYAK)
    return prove_described(ROUNDS[name.removesuffix(_POLYAK)].round(polyak=falls))


def described_theorem(name: str) -> DescribedTheorem:
    """Return a theorem that ships.

    Raises
    ------
    UnknownNameError
        If there is none of this name.
    """
    path = FOLDER / f"{name}.json"
    if name not in NAMES or not path.is_file():
        raise UnknownNameError("theorem of a described round", name, list(NAMES))
    proof = json.loads(path.read_text(encoding="utf-8"))
    falls = name.endswith(_POLYAK)
    limit = Fraction(proof["box"]["c"][1])
    described = ROUNDS[name.removesuffix(_POLYAK)].round(limit, polyak=falls)
    return DescribedTheorem(described, _numbers(described, proof), proof, math.nan)


def find_misdescriptions(proof: Mapping[str, Any]) -> list[str]:
    """Return the keys of a file that say another thing than the round that it names, in its lines or in words.

    Raises
    ------
    NotApplicableError
        If it names no round of `ROUNDS`.
    """
    from boundcheck.worst.theorems.described.words import in_words

    limit = Fraction(proof["box"]["c"][1]) if "c" in proof["box"] else Fraction(1)
    for name in NAMES:
        described = ROUNDS[name.removesuffix(_POLYAK)].round(limit, polyak=name.endswith(_POLYAK))
        own = json.loads(json.dumps(described.file()))
        if own["id"] != proof["id"]:
            continue
        wrong = [key for key, value in own.items() if key not in _FOUND and proof.get(key) != value]
        if not wrong and proof.get("says"):
            said = in_words(DescribedTheorem(described, _numbers(described, dict(proof)), dict(proof), math.nan))
            wrong = [f"says: {key}" for key, text in said.items() if proof["says"].get(key, text) != text]
        return wrong
    msg = "it is stated by hypotheses, which are printed"
    raise NotApplicableError(msg)


def _numbers(described: DescribedRound, proof: dict[str, Any]) -> dict[str, Fraction]:
    """Return the numbers of a file: each multiplies what its constant stands times."""
    letters, scope = tuple(proof["box"]), scope_of(dict.fromkeys(proof["box"], ">0"))
    found = {}
    for which, parts in (("first", described.first), ("round", described.always)):
        for constant, (term, *_) in parts.items():
            whole = read_polynomial(proof[which][constant], letters)
            unit = in_letters("times", scope.read(term.times), dict(described.box))
            if term.name in described.costs:
                some = next(iter(unit))
                found[term.name] = whole[some] / unit[some]
    return found


def main() -> None:
    """Find all of them, and write their files."""
    from boundcheck.files.atomic import write_whole
    from boundcheck.worst.theorems.described.words import in_words

    for name in NAMES:
        theorem = find(name)
        file = theorem.proof | {"says": in_words(theorem)}
        write_whole(FOLDER / f"{name}.json", json.dumps(file, indent=1) + "\n")
        print(f"{name}: {file['says']['theorem']}", flush=True)


if __name__ == "__main__":
    main()
