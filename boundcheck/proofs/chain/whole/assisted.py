"""What is tried for a claim that does not follow from its steps as they are written.

Values that it is given for horizons and sizes are put in; equations and laws that the file declares are added to its
steps; |w|^2 = 0 is used as w = 0; small values of a horizon are told apart from the others.  What is found is an
outcome like any other: the kernel has the last word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.algebra.hypotheses import of_letters
from boundcheck.proofs.chain.deciding.decided import AtValues, ClaimOutcome
from boundcheck.proofs.chain.deciding.equations import zero
from boundcheck.proofs.chain.deciding.laws import NotProvedError
from boundcheck.proofs.chain.deciding.prover import Attempt, Prover
from boundcheck.proofs.chain.refuting.missing import declared_steps, telescoping_steps
from boundcheck.proofs.language.files import load
from boundcheck.proofs.language.steps import letters_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from boundcheck.proofs.language.claim import Claim
    from boundcheck.proofs.language.files import ClaimFile
    from boundcheck.proofs.language.steps import Step

_MOST_CASES = 4
"""Up to which value a horizon is told apart from larger ones."""
_ROUNDS = 4
"""How often equations are added for the entries that others have brought in."""


@dataclass
class Assistant:
    """Decides the claims of a file that their steps, as they are written, do not give."""

    file: ClaimFile
    prover: Prover

    def decide(self, claim: Claim) -> ClaimOutcome:
        """Return what came out about a claim, by its own steps first.

        Raises
        ------
        InputError
            If the statement or a step is not legal.
        """
        try:
            found = self.prover.decide(claim)
        except InputError:
            # An index may be in its range only at the value that is given: d[t, 1] where K = 2.
            if claim.id in self.prover.found or not self._given_values(claim):
                raise
            at_values = next(self._at_values(claim, self._given_values(claim), {}), None)
            if at_values is None:
                raise
            self.prover.found[claim.id] = found = at_values
        if not found.proved and not claim.at and not claim.cases:
            better = next(self._attempts(claim, found), None)
            found = better or found
            self.prover.found[claim.id] = found
        return found

    def _attempts(self, claim: Claim, before: ClaimOutcome) -> Iterator[ClaimOutcome]:
        given = self._given_values(claim)
        if given:
            yield from self._at_values(claim, given, {})
            yield from self._at_values(claim, {}, {})
        else:
            yield from _with_steps(self.prover, claim)
        short = "divisor" in before.why or "too short" in before.why
        if short or (of_letters(claim.shows, self.prover.setting) and not claim.induction):
            for split in self._splits(claim, set(given), wide=short):
                yield from self._at_values(claim, given, split)

    def _given_values(self, claim: Claim) -> dict[str, str]:
        """Return horizons and sizes that are given as numbers or as one another: K = 1, S = N."""
        found: dict[str, str] = {}
        legal = self.prover.setting.whole
        for node in claim.given:
            for letter, value in (node.parts, node.parts[::-1]) if node.name == "=" and len(node.parts) == 2 else ():
                plain = value.kind == "number" and value.name.isdecimal() and int(value.name) >= 1
                known = plain or (value.kind == "letter" and value.name in self.prover.setting.horizons)
                names = {letter.name} if plain else {letter.name, value.name}  # N = 1 and K = 1 are two values
                apart = not names & {*found, *found.values()}
                if letter.kind == "letter" and letter.name in legal and known and value != letter and apart:
                    found[letter.name] = value.name
                    break
        return found

    def _splits(self, claim: Claim, given: set[str], *, wide: bool) -> Iterator[dict[str, int]]:
        """Yield horizons whose smallest values are cases of their own; those of which the claim speaks, or all."""
        spoken = letters_of(claim.shows).union(*(end.letters for ends in claim.over.values() for end in ends))
        spoken |= {name for step in (*claim.steps, *claim.base) for name in map(str, re.findall(r"\w+", str(step)))}
        names = sorted(self.prover.setting.horizons - given, key=lambda name: (name not in spoken, name))
        names = names if wide else [name for name in names if name in spoken]
        for name in names:
            for least in range(2, _MOST_CASES + 1):
                yield {name: least}
        for pair in combinations(names, 2):
            yield dict.fromkeys(pair, 2)

    def _at_values(self, claim: Claim, given: Mapping[str, str], split: Mapping[str, int]) -> Iterator[ClaimOutcome]:
        """Yield a claim that is proved at the values that it is given, and in each case of a horizon."""
        if not given and not split:
            yield from _with_steps(self.prover, claim)
            return
        cases: list[AtValues] = []
        for many in product(*(range(1, least + 1) for least in split.values())):
            values, label = dict(given), f"{claim.id} at"
            for (name, least), n in zip(split.items(), many, strict=True):
                values[name] = str(n) if n < least else f"({name} + {n - 1})"
                label += f" {name}{'=' if n < least else '>='}{n}"
            illegal: dict[str, str] = {}
            try:
                inside = load(self.file.path, values=values, illegal=illegal)
                found = None if claim.id in illegal else self._in_case(inside, claim.id)
            except InputError:
                return
            if claim.id in illegal:
                return
            if found is not None:
                cases.append(AtValues(tuple(given), dict(split), label, found, inside.setting))
            elif not _nowhere(inside, claim.id):
                return
        added = {str(step): step for one in cases for step in one.outcome.added}
        yield ClaimOutcome(
            claim,
            proved=True,
            leaves=frozenset().union(*(one.outcome.leaves for one in cases)),
            rules=frozenset({"values"}).union(*(one.outcome.rules for one in cases)),
            added=tuple(added.values()),
            cases=tuple(cases),
        )

    def _in_case(self, inside: ClaimFile, id_: str) -> ClaimOutcome | None:
        """Return a claim as it is proved where the file is read at values, those before it being known."""
        known = {one.id: one for one in inside.claims}
        if _nowhere(inside, id_):
            return None
        prover = Prover(inside.setting)
        for name, one in self.prover.found.items():
            if one.proved and not one.inherited and name in known and name != id_:
                prover.found[name] = ClaimOutcome(known[name], proved=True)
        try:
            return Attempt(prover, known[id_]).conclude()
        except NotProvedError:
            return next(_with_steps(prover, known[id_]), None)


def _nowhere(inside: ClaimFile, id_: str) -> bool:
    """Return whether a claim speaks of no index at all where the file is read at values."""
    claim = next(one for one in inside.claims if one.id == id_)
    ranges = inside.setting.ranges({})
    return any(ranges.surely_at_least(low, high + 1) for low, high in claim.over.values())


def _with_steps(prover: Prover, claim: Claim) -> Iterator[ClaimOutcome]:
    """Yield a claim with what the file declares added to its steps: equations, laws, and |w|^2 = 0 as w = 0."""
    if claim.vanishing:
        return
    equal = frozenset(step.id for step in (*claim.base, *claim.steps) if _is_zero(prover, step))
    if claim.induction and not equal:
        return
    added: dict[str, Step] = {}
    tried: list[tuple[tuple[Step, ...], frozenset[str]]] = [((), equal)] if equal else []
    for _ in range(0 if claim.induction else _ROUNDS):
        more = {str(step): step for step in declared_steps(prover, claim, tuple(added.values()))}
        if not set(more) - set(added):
            break
        added |= more
        tried.append((tuple(added.values()), frozenset()))
        if equal:
            tried.append((tuple(added.values()), equal))
    if not claim.induction:
        plain = [steps for steps, zeros in tried if not zeros] or [()]
        for own in [(), plain[-1]] if plain[-1] else [()]:
            telescoping = tuple(telescoping_steps(prover, claim, own))
            tried += [((*own, *telescoping), frozenset())] * bool(telescoping)
    for steps, zeros in tried:
        longer = replace(claim, steps=(*claim.steps, *steps))
        try:
            found = Attempt(prover, longer, equal=zeros).conclude()
        except (NotProvedError, InputError):
            continue
        if not found.inherited:
            yield replace(found, claim=claim, added=steps)


def _is_zero(prover: Prover, step: Step) -> bool:
    source = prover.setting.leaves.get(step.id)
    claim = prover.found[step.id].claim if step.id in prover.found and prover.found[step.id].proved else None
    one = source or claim
    return one is not None and not step.rule and step.multiplier is None and zero(one) is not None
