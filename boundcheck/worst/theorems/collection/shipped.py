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
from boundcheck.worst.theorems.all_steps.theorem import StepTheorem
from boundcheck.worst.theorems.bernstein.polynomials import read_polynomial, scale, shift

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.bounds.bound import Bound

FOLDER = Path(__file__).parent / "proofs"
_CONSTANTS = {"zeta2": "zeta", "Delta": "Delta", "G0": "G_0"}


def shipped() -> dict[str, StepTheorem]:
    """Return the theorems that ship, by name."""
    return {
        path.stem: read_theorem(json.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("*.json"))
    }


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
    return read_theorem(json.loads(path.read_text(encoding="utf-8")))


def read_theorem(proof: Mapping[str, Any]) -> StepTheorem:
    """Return the theorem that a file states."""
    from boundcheck.methods import METHODS

    said = proof.get("says", {})
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
    gap = math.nan if said.get("gap") is None else said["gap"]
    K = proof["method"].get("K")
    rate = read_polynomial(proof["rate"], letters)
    return StepTheorem(
        method, given, K, letters, box, rate, first, always, gap, said.get("seconds", math.nan), dict(proof)
    )


def is_certified(bound: Bound) -> bool:
    """Return whether a bound has a certificate of what it says, of its method's code, that the kernel accepts."""
    from boundcheck.proofs.kernel.all_steps import check
    from boundcheck.proofs.kernel.certificates import ERRORS
    from boundcheck.worst.theorems.all_steps.bound import bound_of_falling, bound_of_steps
    from boundcheck.worst.theorems.all_steps.recorded import differing_keys

    if not bound.certificate:
        return False
    theorem = (
        shipped_theorem(bound.certificate) if isinstance(bound.certificate, str) else read_theorem(bound.certificate)
    )
    made = (bound_of_steps if bound.metric == "server_gradient" else bound_of_falling)(theorem)
    same = made.method == bound.method and made.metric == bound.metric and set(made.terms) == set(bound.terms)
    same = same and set(made.conditions) <= set(bound.conditions)
    if not same or any((made.terms[word] - bound.terms[word]).simplify() != 0 for word in made.terms):
        return False
    try:
        check(theorem.proof)
    except ERRORS:
        return False
    return not differing_keys(theorem.proof)


def find_misstatements(proof: Mapping[str, Any]) -> list[str]:
    """Return the keys of `says` in which a file puts its theorem into other words than what is proved."""
    said = proof.get("says", {})
    if not said:
        return []
    right = with_words(read_theorem(dict(proof)))["says"]
    return [f"says: {key}" for key in ("holds", "theorem", "falls") if said.get(key) != right.get(key)]


def with_words(theorem: StepTheorem) -> Mapping[str, Any]:
    """Return the file of a theorem with what it says in words, which the checker does not read."""
    from boundcheck.worst.theorems.all_steps.statement import falling_inequality, inequality, where

    gap = None if math.isnan(theorem.gap) else round(theorem.gap, 5)
    said = {"holds": where(theorem), "theorem": inequality(theorem), "gap": gap, "seconds": round(theorem.seconds, 1)}
    if (falling := falling_inequality(theorem)) is not None:
        said["falls"] = falling
    return theorem.proof | {"says": said}
