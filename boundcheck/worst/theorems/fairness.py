"""What a reader has to know of a sharpened theorem before comparing it with another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.worst.gram.units import hyperparameters

if TYPE_CHECKING:
    from boundcheck.worst.theorems.sharpened import Sharpened


def remarks(theorem: Sharpened) -> list[str]:
    """Return what a reader has to know before comparing: assumptions, and steps that are not those asked for."""
    given, card = theorem.given, theorem.method.card
    found = {
        "no assumption on heterogeneity": given.zeta is None and given.G_0 is None and given.N > 1,
        "heterogeneity is bounded at the server points: zeta": bool(given.zeta),
        "the clients' gradients are equal at the server points: zeta = 0": given.zeta == 0,
        "heterogeneity is bounded at the start only: G_0": given.G_0 is not None,
        f"without {' and '.join(theorem.assumed)} no theorem of one round was found": bool(theorem.assumed),
        f"independent noise of N = {given.N} clients": given.sigma > 0,
        "noise is additive: a minibatch has the same at both points": given.sigma > 0 and "same sample" in card.needs,
        f"S = {theorem.S} of N = {given.N} clients a round": theorem.S < given.N,
        "conditions between outcomes of the noise are left out: one round may have a better theorem": given.sigma > 0,
        "exact gradients": given.sigma == 0,
    }
    return [text for text, said in found.items() if said] + _describe_rounding(theorem)


def _describe_rounding(theorem: Sharpened) -> list[str]:
    """Return the steps that were rounded."""
    asked = hyperparameters(theorem.asked)
    used = hyperparameters(theorem.method)
    away = {name: v for name, v in used.items() if float(v) != float(asked[name])}
    return [f"{name} = {float(asked[name])!r} is rounded to {value}" for name, value in away.items()]
