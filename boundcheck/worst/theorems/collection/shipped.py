"""The theorems that ship, read from their proofs."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.errors import UnknownNameError
from boundcheck.worst.facts.classes import ProblemClass
from boundcheck.worst.gram.exact import ExactNumber
from boundcheck.worst.theorems.all_steps.text import read_polynomial
from boundcheck.worst.theorems.all_steps.theorem import StepTheorem
from boundcheck.worst.theorems.bernstein.polynomials import scale, shift

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = Path(__file__).parent / "proofs"
_CONSTANTS = {"zeta2": "zeta", "Delta": "Delta", "G0": "G_0"}


def shipped() -> dict[str, StepTheorem]:
    """Return the theorems that ship, by name."""
    return {path.stem: _read(json.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("*.json"))}


def shipped_theorem(name: str) -> StepTheorem:
    """Return a theorem that ships.

    Raises
    ------
    UnknownNameError
        If there is none of this name.
    """
    path = FOLDER / f"{name}.json"
    if not path.is_file():
        raise UnknownNameError("theorem for all steps", name, sorted(p.stem for p in FOLDER.glob("*.json")))
    return _read(json.loads(path.read_text(encoding="utf-8")))


def _read(proof: dict[str, Any]) -> StepTheorem:
    from boundcheck.methods import METHODS

    said = proof["says"]
    hyper = {n: v for n, v in proof["method"].items() if n not in ("id", "K", "eta")}
    method = METHODS[proof["method"]["id"]](
        eta=ExactNumber(Fraction(1, 8)),  # type: ignore[call-arg]
        **{n: ExactNumber(Fraction(v)) for n, v in hyper.items()},
    )
    letters = tuple(proof["box"])
    box = tuple((Fraction(low), Fraction(high)) for low, high in proof["box"].values())
    always = {_CONSTANTS[n]: read_polynomial(p, letters) for n, p in proof["round"].items()}
    noisy = "noise" in proof.get("loop", {})
    if noisy:
        weight = Fraction(proof["loop"]["weight"]) ** 2
        for name, block in (("mean noise", "mean"), ("noise apart", "deviations")):
            factor = read_polynomial(proof["loop"]["noise"][block], letters)
            # A factor of noise stands times e b^2.
            always[name] = scale(shift(factor, (1, *(0 for _ in letters[1:]))), weight)
    first = {_CONSTANTS[n]: read_polynomial(p, letters) for n, p in proof["first"].items()}
    given = ProblemClass(
        N=2,
        Delta=1.0,
        zeta=1.0 if "zeta" in always or "zeta" in first else None,
        G_0=1.0 if "G_0" in first else None,
        sigma=float(noisy),
    )
    gap = math.nan if said["gap"] is None else said["gap"]
    K = proof["method"].get("K")
    rate = read_polynomial(proof["rate"], letters)
    return StepTheorem(method, given, K, letters, box, rate, first, always, gap, said["seconds"], proof)


def misstated(proof: Mapping[str, Any]) -> list[str]:
    """Return the keys of `says` in which a file puts its theorem into other words than what is proved."""
    said = proof.get("says", {})
    if not said:
        return []
    right = labelled(_read(dict(proof)))["says"]
    return [f"says: {key}" for key in ("holds", "theorem", "falls") if said.get(key) != right.get(key)]


def labelled(theorem: StepTheorem) -> Mapping[str, Any]:
    """Return the file of a theorem with what it says in words, which the checker does not read."""
    from boundcheck.worst.theorems.all_steps.statement import falling_inequality, inequality, where

    gap = None if math.isnan(theorem.gap) else round(theorem.gap, 5)
    said = {"holds": where(theorem), "theorem": inequality(theorem), "gap": gap, "seconds": round(theorem.seconds, 1)}
    if (falling := falling_inequality(theorem)) is not None:
        said["falls"] = falling
    return theorem.proof | {"says": said}
