"""How much room a proof leaves: by which factor the constants of its bound can be lowered, and its steps weakened."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.algebra.book import ProductStore
from boundcheck.proofs.chain.deciding.prover import Prover
from boundcheck.proofs.chain.whole.certificate import written_for
from boundcheck.proofs.chain.whole.proof import PROOFS, claims_of, stored_products
from boundcheck.proofs.chain.whole.theorem import last_claim
from boundcheck.proofs.language.grammar import Node

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from boundcheck.proofs.chain.deciding.decided import ClaimOutcome
    from boundcheck.proofs.language.claim import Claim
    from boundcheck.proofs.language.files import ClaimFile
    from boundcheck.proofs.language.steps import Step

_HALVINGS = 9
_MOST = Fraction(8)
"""Weakening beyond this factor is reported as this factor."""


def number(value: Fraction) -> Node:
    """Return a number as an expression."""
    return Node("number", str(value))


def times(factor: Fraction, node: Node) -> Node:
    """Return an expression times a number."""
    return Node("mul", parts=(number(factor), node))


def weaken_claim(claim: Claim, factor: Fraction) -> Claim:
    """Return ``left <= factor right`` for a claim ``left <= right``, or ``left >= right/factor``."""
    left, right = claim.shows.parts
    by = factor if claim.shows.name != ">=" else 1 / factor
    return claim.restate(shows=Node("relation", claim.shows.name, (left, times(by, right))))


def with_scaled_multipliers(steps: tuple[Step, ...], factor: Fraction) -> tuple[Step, ...]:
    """Return steps whose written multipliers are all scaled."""
    return tuple(replace(s, multiplier=times(factor, s.multiplier)) if s.multiplier else s for s in steps)


def prover_with(file: ClaimFile, found: Mapping[str, ClaimOutcome]) -> Prover:
    """Return a prover that takes claims as they are found, and the weights that the file says."""
    return Prover(file.setting, dict(found), ProductStore(stored_products(file.path)), weigh=False)


def bound_holds(
    file: ClaimFile, name: str, factors: Mapping[str, Fraction], scale: Fraction, found: Mapping[str, ClaimOutcome]
) -> bool:
    """Return whether a bound with some terms scaled follows, the written multipliers of its last claim being scaled."""
    from boundcheck.bounds import BOUNDS

    end = next(end for end in file.theorems if end.bound == name)
    terms = {key: factors.get(key, 1) * term for key, term in BOUNDS[name].terms.items()}
    below = {key: one for key, one in found.items() if key != name}
    steps, base = (with_scaled_multipliers(part, scale) for part in (end.steps, end.base))
    claim = last_claim(BOUNDS[name], file.setting, replace(end, steps=steps, base=base), terms)
    return prover_with(file, below).decide(claim).proved


def least_factor(
    file: ClaimFile, name: str, keys: tuple[str, ...], found: Mapping[str, ClaimOutcome], together: Fraction
) -> Fraction:
    """Return the smallest factor, to a thousandth, by which terms can be scaled with the chain as it is.

    The multipliers of the last claim may be scaled by the same factor, or by `together`.
    """

    def fine(factor: Fraction) -> bool:
        factors = dict.fromkeys(keys, factor)
        return any(bound_holds(file, name, factors, scale, found) for scale in (factor, together) if scale)

    return Fraction(0) if fine(Fraction(0)) else _edge(fine, Fraction(0), Fraction(1))[1]


def proved_again(
    file: ClaimFile, parent: Claim, name: str, factor: Fraction, found: Mapping[str, ClaimOutcome]
) -> ClaimOutcome | None:
    """Return a proof of a claim whose step has become weaker: with multipliers as written, or smaller for that step."""
    below = {key: one for key, one in found.items() if key != parent.id}
    smaller = tuple(with_scaled_multipliers((s,), 1 / factor)[0] if s.id == name else s for s in parent.steps)
    for steps in (parent.steps, smaller)[: 1 + (smaller != parent.steps)]:
        try:
            outcome = prover_with(file, below).decide(replace(parent, steps=steps))
        except InputError:  # a rule needs the shape of the step as it was
            continue
        if outcome.proved:
            return outcome
    return None


def same_certificate(prover: Prover, first: ClaimOutcome, second: ClaimOutcome) -> bool:
    """Return whether two proofs of a claim are one: the same lines used with the same factors, for each sign too."""
    return _lines(prover, first) == _lines(prover, second)


def _lines(prover: Prover, one: ClaimOutcome) -> list[object]:
    """Return all sums of products in the certificates of a claim, with what is given as text for its number."""

    def spelt(certificate: dict[str, Any], by: list[list[Any]]) -> list[list[Any]]:
        given = certificate["given"]
        return [[given[f] if isinstance(f, int) and f < len(given) else f for f in term] for term in by]

    written = written_for(prover, one)
    return [(c["shows"], spelt(c, c["by"]), [(s["shows"], spelt(c, s["by"])) for s in c["steps"]]) for c in written]


def largest_weakening(
    file: ClaimFile, name: str, parents: tuple[Claim, ...], found: Mapping[str, ClaimOutcome]
) -> Fraction:
    """Return the largest factor by which a step can be weakened so that all its parents are still proved.

    The parents are decided again with multipliers as written, or as follow from the weakened step.
    """

    def fine(factor: Fraction) -> bool:
        below = dict(found) | {name: replace(found[name], claim=weaken_claim(found[name].claim, factor))}
        return all(proved_again(file, parent, name, factor, below) is not None for parent in parents)

    if fine(_MOST):
        return _MOST
    return _edge(lambda f: fine(1 / f), 1 / _MOST, Fraction(1))[1] ** -1


def _edge(good: Callable[[Fraction], bool], low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Return ends of an interval of which `high` is good and `low` is not."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if good(middle) else (middle, high)
    return low, high


def parents_of(claims: Sequence[Claim], name: str) -> tuple[Claim, ...]:
    """Return the claims that use another as a step."""
    return tuple(c for c in claims if any(step.id == name for step in (*c.base, *c.steps)))


PERCENT = Fraction(101, 100)


def felled_or_again(
    file: ClaimFile, claims: Sequence[Claim], found: Mapping[str, ClaimOutcome]
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the pairs of a step and its parent that fall when the step is one percent weaker, and those proved again.

    A step is ``left <= right`` with a factor on the right; in the second list the parent has another certificate.
    """
    felled: list[tuple[str, str]] = []
    again: list[tuple[str, str]] = []
    for claim in claims:
        if claim.shows.name != "<=" or claim.at:
            continue
        weak = dict(found) | {claim.id: replace(found[claim.id], claim=weaken_claim(claim, PERCENT))}
        for parent in parents_of(claims, claim.id):
            outcome = None if parent.at else proved_again(file, parent, claim.id, PERCENT, weak)
            if not parent.at:
                (felled if outcome is None else again).append((claim.id, parent.id))
    return felled, again


def report(name: str) -> dict[str, dict[str, Fraction]]:
    """Return for a registered bound the least factor of each of its constants, and the largest of each step."""
    from boundcheck.bounds import BOUNDS
    from boundcheck.proofs.language.files import HERE, load

    file = load(HERE / PROOFS[name])
    claims = claims_of(file)
    prover = Prover(file.setting, book=ProductStore(stored_products(file.path)), weigh=False)
    found = prover.decide_all(claims)
    together = least_factor(file, name, tuple(BOUNDS[name].terms), found, Fraction(1))
    terms = {key: least_factor(file, name, (key,), found, together) for key in BOUNDS[name].terms}
    terms["all"] = together
    steps = {
        c.id: largest_weakening(file, c.id, parents_of(claims, c.id), found)
        for c in claims
        if c.shows.name == "<=" and c.id != name
    }
    return {"constants": terms, "steps": steps}


if __name__ == "__main__":
    import sys

    for kind, factors in report(sys.argv[1]).items():
        for key, factor in factors.items():
            print(f"{kind[:-1]} {key}: {float(factor):.4f}")
