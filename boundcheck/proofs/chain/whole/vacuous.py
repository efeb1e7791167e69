"""Whether what a claim stands on excludes itself: then it says nothing, however well it follows."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import InputError
from boundcheck.proofs.algebra.book import ProductStore
from boundcheck.proofs.algebra.hypotheses import signs_of
from boundcheck.proofs.algebra.products import NonnegativityProgramme
from boundcheck.proofs.algebra.relation import premise_of
from boundcheck.proofs.algebra.scope import Scope
from boundcheck.proofs.algebra.signs import Signs
from boundcheck.proofs.chain.whole.proof import ProofTree
from boundcheck.proofs.language.affine import Ranges
from boundcheck.proofs.language.expressions import as_node
from boundcheck.proofs.language.forms import ONE, Entry, Inner
from boundcheck.proofs.language.steps import letters_of, substitute_letters

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.proofs.chain.deciding.decided import ClaimOutcome
    from boundcheck.proofs.chain.deciding.prover import Prover
    from boundcheck.proofs.language.forms import Scalar, Term
    from boundcheck.proofs.language.setting import Leaf, ProofSetting

_EFFORTS = ((1, 1), (1, 2), (2, 2))
"""How far a contradiction between leaves is looked for; see `boundcheck.proofs.algebra.signs`."""
_MOST = 40
"""Most instances of leaves that are looked at together."""


def vacuous(prover: Prover, one: ClaimOutcome) -> bool:
    """Return whether what a claim takes as given, or the leaves that it stands on, are seen to exclude each other.

    No contradiction that is seen is no model: leaves about functions and equations are not looked at.
    """
    return _contradictory(one, prover.setting) or (one.proved and _clash(prover, one))


def _contradictory(one: ClaimOutcome, setting: ProofSetting) -> bool:
    """Return whether what is given of letters excludes itself, or an index has no value."""
    over = one.claim.over
    if not one.given and all(Ranges().surely_at_least(high, low) for low, high in over.values()):
        return False
    signs = signs_of(one.given, setting, over, Scope(setting, over), ProductStore())
    return _no_values(signs.ring, signs.signs, signs.hypotheses)


def _no_values(ring: Any, signs: Sequence[str], hypotheses: Sequence[Any]) -> bool:
    """Return whether products of what is not negative add up to a negative number, or to minus a positive letter."""
    hypotheses = [one for one in hypotheses if one != 0]
    if any(one.is_ground and one.LC < 0 for one in hypotheses):
        return True
    points = Signs(ring, signs, hypotheses, ProductStore()).points
    low = np.array([{"> 0": 1e-12, ">= 0": 0.0}.get(sign, -np.inf) for sign in signs])
    if (points >= low).all(axis=1).any():
        return False
    programs = [
        NonnegativityProgramme(target, dict(enumerate(several)), signs)
        for several, met in _apart(hypotheses)
        for target in (-ring.one, *(-ring.gens[place] for place in sorted(met) if signs[place] == "> 0"))
    ]
    return any(program.solve(*effort) is not None for effort in _EFFORTS for program in programs)


def _apart(hypotheses: Sequence[Any]) -> list[tuple[list[Any], set[int]]]:
    """Return hypotheses in groups that have no letter in common, with the places of their letters.

    They exclude each other if those of one group do.
    """
    groups: list[tuple[list[Any], set[int]]] = []
    for one in hypotheses:
        several, met = [one], {place for powers in one.monoms() for place, power in enumerate(powers) if power}
        for other in [group for group in groups if group[1] & met]:
            groups.remove(other)
            several, met = [*other[0], *several], met | other[1]
        groups.append((several, met))
    return groups


def _clash(prover: Prover, one: ClaimOutcome) -> bool:
    """Return whether leaves about letters, sequences of numbers and lengths of vectors, have no values."""
    tree = ProofTree(one.claim.id, prover.setting, prover.found, ())
    used = set().union(*(prover.found[name].leaves for name in tree.below(one.claim.id)))
    names = tuple(name for name in prover.setting.leaves if name in used)
    key = (names, one.given)
    if key not in prover.excluded:
        forms = [form for name in names for form in _instances(prover.setting.leaves[name], prover.setting)]
        prover.excluded[key] = bool(forms) and len(forms) <= _MOST and _exclude(forms, one, prover)
    return prover.excluded[key]


def _instances(leaf: Leaf, setting: ProofSetting) -> Iterator[Scalar]:
    """Yield what a leaf says is not negative, at its indices and at the ends of their ranges.

    Nothing where it is about functions at any point, holds under hypotheses, or has a range of which another depends.
    """
    if leaf.points or leaf.given or any(end.letters & set(leaf.over) for ends in leaf.over.values() for end in ends):
        return
    for places in product(*([None, *dict.fromkeys(ends)] for ends in leaf.over.values())):
        values = {name: as_node(at) for name, at in zip(leaf.over, places, strict=True) if at is not None}
        free = {name: ends for name, ends in leaf.over.items() if name not in values}
        try:
            made = premise_of(substitute_letters(leaf.shows, values), Scope(setting, free))
        except InputError:  # what is read here is not what is decided: an error in it is reported there
            return
        if any(isinstance(term, Entry) and term.argument is not None for term in made.difference):
            return
        yield made.difference
        if made.equal:
            yield {term: -value for term, value in made.difference.items()}


def _exclude(forms: list[Scalar], one: ClaimOutcome, prover: Prover) -> bool:
    """Return whether instances of leaves, and what is given, have no values at which none is negative."""
    setting = prover.setting
    indexed = any(letters_of(node) & set(one.claim.over) for node in one.given)
    letters = None if indexed else signs_of(one.given, setting, {}, Scope(setting, {}), ProductStore())
    known = letters or signs_of((), setting, {}, Scope(setting, {}), ProductStore())
    terms = list(dict.fromkeys(term for form in forms for term in form if term != ONE))
    ring = known.ring.clone(symbols=[*map(str, known.ring.symbols), *(f"term{n}" for n in range(len(terms)))])
    signs = [*known.signs, *(_sign(term, prover) for term in terms)]
    unit = dict(zip(terms, ring.gens[len(known.signs) :], strict=True)) | {ONE: ring.one}

    def widen(polynomial: Any) -> Any:
        return ring.from_dict({(*powers, *[0] * len(terms)): number for powers, number in polynomial.terms()})

    hypotheses = [widen(one) for one in known.hypotheses]
    for form in forms:
        below = setting.field.one
        for value in form.values():
            below *= setting.field.new(value.denom)
        if not known.positive(below):
            continue
        hypotheses.append(sum((widen((v * below).numer) * unit[term] for term, v in form.items()), ring.zero))
    return _no_values(ring, signs, hypotheses)


def _sign(term: Term, prover: Prover) -> str:
    square = isinstance(term, Inner) and term.left == term.right
    return ">= 0" if square or (isinstance(term, Entry) and term.name in prover.square_names) else "real"
