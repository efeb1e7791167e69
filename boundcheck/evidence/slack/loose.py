"""Theorems whose constants are more than twice those of a machine's theorem, over the same class at the same steps.

They are true; their proofs lose a factor.  What is compared are right-hand sides: the theorem's, with the constants of
its proof, and the best potential of one round, proved over the rationals (the shipped waterfalls and their proofs).
"""

from __future__ import annotations

from typing import NamedTuple

from boundcheck.bounds import BOUNDS
from boundcheck.evidence.slack.answers import PAIRS, machine_answer
from boundcheck.evidence.slack.waterfalls import shipped_waterfalls

TWICE = 2.0
ALL_STEPS = {
    "gradma.lemma6-fedavg": "fedavg-normalised",
    "momentum-fl.theorem11": "fedavg-m-short",
    "momentum-fl.theorem19": "scaffold-m-short",
}
"""Bound to the theorem for all K and all steps at its server step, in the shipped collection."""


class LooseBound(NamedTuple):
    """A theorem, and how much smaller its right-hand side can be.

    Attributes
    ----------
    bound, method : str
    factor : float
        Right-hand side over that of the machine's theorem, at the setting of the shipped waterfalls.
    long : float or None
        The same after `LONG` rounds; None where there is no such row.
    certificates : tuple of str
        Of the machine's theorem, in ``reports/tightness-proofs.json``; none where it is for all steps and has a file.
    all_steps : str
        The theorem for all K and all steps beside it, or nothing.
    """

    bound: str
    method: str
    factor: float
    long: float | None
    certificates: tuple[str, ...]
    all_steps: str


def loose_bounds(least: float = TWICE) -> list[LooseBound]:
    """Return the theorems that lose more than a factor against a machine's theorem, the loosest first."""
    found = []
    for row in shipped_waterfalls()["waterfalls"]:
        values = {stage["name"]: stage.get("value") for stage in row["stages"]}
        best = values.get("sharpened")
        if best is None:
            continue
        factor = values["right-hand side"] / best
        names = tuple(name for name in row.get("certificates", ()) if ".sharpened." in name)
        long = row.get("long", {}).get("factor")
        if max(factor, long or 0.0) > least:
            found.append(LooseBound(row["bound"], row["method"], factor, long, names, ALL_STEPS.get(row["bound"], "")))
    for name, pair in PAIRS.items():
        one = machine_answer(name)
        if one.factor is not None and max(one.factor, one.long or 0.0) > least:
            found.append(LooseBound(name, BOUNDS[name].method, one.factor, one.long, (), pair.machine))
    return sorted(found, key=lambda one: -max(one.factor, one.long or 0.0))


def beside(bound: str) -> str:
    """Return in words what a machine's theorem has in the place of a bound's right-hand side, or why there is none."""
    found = ALL_STEPS.get(bound)
    return machine_answer(bound).text() + (f"; for all K and steps: {found}" if found else "")
