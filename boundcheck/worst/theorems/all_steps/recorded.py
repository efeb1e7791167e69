"""Whether a file says of a round what the method's own code does."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError
from boundcheck.worst.facts.classes import ProblemClass
from boundcheck.worst.gram.exact import ExactNumber
from boundcheck.worst.theorems.all_k.loop import local_loop
from boundcheck.worst.theorems.all_k.text import description as of_loop
from boundcheck.worst.theorems.all_steps.family import StepFamily, polynomials
from boundcheck.worst.theorems.all_steps.text import description as of_round
from boundcheck.worst.theorems.all_steps.theorem import DRAW

if TYPE_CHECKING:
    from collections.abc import Mapping


def differing_keys(proof: Mapping[str, Any]) -> list[str]:
    """Return the keys of a file that say another thing of the round than the code of the method that it names.

    Raises
    ------
    UnknownNameError
        If the method is not known.
    NotApplicableError
        If its code has no such round.
    """
    from boundcheck.methods import METHODS

    drawn = DRAW in proof["box"]
    if proof.get("given") and not drawn:
        msg = "it is stated by hypotheses, which are printed"
        raise NotApplicableError(msg)
    named = dict(proof["method"])
    made = METHODS[named.pop("id")]
    K = named.pop("K", None)
    letters = ("h",) if "h" in proof["box"] else tuple(proof["box"])
    values = {n: ExactNumber(Fraction(v)) for n, v in named.items() if n != "eta" or "h" not in proof["box"]}
    values |= (
        {"eta": ExactNumber(Fraction(1, 8))} if "h" in letters else {x: ExactNumber(Fraction(1, 8)) for x in letters}
    )
    method = made(**values)
    loop = proof.get("loop")
    seen = []
    # Without zeta, potentials do not notice how the clients' functions are tilted, and the state is read otherwise.
    for zeta in (1.0, None):
        given = ProblemClass(
            N=2, Delta=1.0, zeta=zeta, G_0=None if zeta else 1.0, sigma=float(bool(loop and "noise" in loop))
        )
        said = (
            of_loop(local_loop(method, given), drawn=drawn)
            if loop
            else of_round(polynomials(StepFamily(method, letters, K, given)))
        )
        own = dict(said)
        parts = own.pop("loop", {})
        wrong = [key for key, value in own.items() if proof.get(key) != value]
        wrong += [f"loop: {key}" for key, value in parts.items() if loop and loop.get(key) != value]
        seen.append(wrong)
    return min(seen, key=len)
