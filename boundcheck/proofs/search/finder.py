"""Proof objects for claim files: the prover finds multipliers and squares, and answers the kernel's questions.

The kernel is run with a proof object that searches where it has no answer, and records what it finds.  What counts is a
second run, of the kernel alone, on what was recorded.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.errors import InputError
from boundcheck.proofs.algebra.book import ProductStore
from boundcheck.proofs.algebra.hypotheses import is_minimum
from boundcheck.proofs.algebra.signs import Signs
from boundcheck.proofs.chain.deciding.births import END
from boundcheck.proofs.chain.whole.proof import decide_file, stored_products
from boundcheck.proofs.kernel import ClaimVerdict, File, Kernel, Proof, Refused
from boundcheck.proofs.kernel.algebra import Letter, letter_text, letters_of, multiply_by_monomial, text
from boundcheck.proofs.language.affine import Affine
from boundcheck.proofs.language.files import HERE, load
from boundcheck.proofs.language.grammar import node_text
from boundcheck.proofs.language.members import member, texts, with_members
from boundcheck.proofs.search.statements import pages_of, steps_added

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from boundcheck.proofs.algebra.semidefinite import Square
    from boundcheck.proofs.chain.deciding.decided import ClaimOutcome, ProofPart
    from boundcheck.proofs.chain.deciding.prover import Prover
    from boundcheck.proofs.kernel.algebra import Monomial, Polynomial, Rational
    from boundcheck.proofs.kernel.context import Certificate, Context, Question
    from boundcheck.proofs.kernel.space import Term
    from boundcheck.proofs.language.claim import Claim
    from boundcheck.proofs.language.files import ClaimFile
    from boundcheck.proofs.language.forms import Atom
    from boundcheck.proofs.language.setting import ProofSetting

Certificates = dict[tuple[str, int], dict[str, Any]]
"""Why polynomials have their signs, by claim and part of it."""
_SIGNS = {2: "> 0", 1: ">= 0", 0: "real"}


class Recording(Proof):
    """A proof object in the making: what it does not have it searches for, and keeps."""

    def __init__(
        self, data: Mapping[str, Any], settings: Mapping[str, ProofSetting], book: ProductStore, before: Certificates
    ) -> None:
        super().__init__(data)
        self.settings = settings
        self.book = book
        self.before = before
        self.made: dict[tuple[Any, ...], Signs] = {}

    @property
    def setting(self) -> ProofSetting:
        """Return the setting of the claim that is checked: read at values, perhaps."""
        return self.settings.get(self.at[0], self.settings[""])

    def _own(self) -> dict[str, Any]:
        parts = self.data["claims"].setdefault(self.at[0], [])
        while len(parts) <= self.at[1]:
            parts.append({})
        return parts[self.at[1]]  # type: ignore[no-any-return]

    def sign(self, question: Question, context: Context) -> Certificate | None:
        """Search for why a polynomial has a sign, first among what was found before and still fits."""
        known = self._own().setdefault("signs", {})
        for one in (known.get(question.key), self.before.get(self.at, {}).get(question.key)):
            if one is not None and _fits(question, one, context):
                known[question.key] = one
                return one  # type: ignore[no-any-return]
        try:
            found = self._search(question, context)
        except InputError:
            found = None
        if found is not None:
            known[question.key] = found
        return found

    def owed(self, term: Term, by: Rational, context: Context) -> bool:
        """Let sums pay for the entries whose weight is not seen to be nonnegative."""
        try:
            context.require_nonnegative(by, "")
        except Refused:
            own = self._own().setdefault("owed", [])
            if term.text() not in own:
                own.append(term.text())
            return True
        return False

    def exchange_over(self, term: Term, by: Rational, context: Context) -> str:
        """Let sums pay for a sum whose weight is not seen to be nonnegative: over its first index, as declared."""
        try:
            context.require_nonnegative(by, "")
        except Refused:
            bound = [name for name in context.file.indices if f"{name}'" in term.letters()]
            found = self._own().setdefault("exchanged", {})
            return str(found.setdefault(term.text(), f"{bound[0]}'"))
        return ""

    def _generator(self, letter: Letter) -> str:
        if not letter.indices:
            return letter.name
        indices = tuple(Affine(one) for one in letter.indices)
        member(letter.name, indices, self.setting)
        return self.setting.members[letter.name, indices]

    def _in_ring(self, p: Polynomial) -> tuple[Any, int]:
        """Return a polynomial with whole coefficients, and by what it was multiplied."""
        names, ring = self.setting.names, self.setting.field.ring
        times = lcm(*(value.denominator for value in p.values()))
        total = {}
        for monomial, value in p.items():
            powers = {self._generator(letter): power for letter, power in monomial}
            total[tuple(powers.get(name, 0) for name in names)] = ring.domain(int(value * times))
        return ring.from_dict(total), times

    def _search(self, question: Question, context: Context) -> Certificate | None:
        """Return a certificate: first of what is stored, then by search; times positive letters where that helps."""
        p = question.polynomial
        if any(power < 0 for monomial in p for _, power in monomial):
            return None
        kept = [fact for fact in context.facts if all(power > 0 for m in fact for _, power in m)]
        facts = [self._in_ring(fact) for fact in kept]
        for monomial in letters_of(p):
            self._generator(monomial)
        members = self.setting.members.items()
        slots = {slot: Letter(name, tuple(one.parts for one in at)) for (name, at), slot in members}
        signs = [self._sign_of(slots.get(name, Letter(name)), context) for name in self.setting.names]
        positive = [x for x in sorted(letters_of(p)) if context.sign_of(x) == 2]
        positive += [Letter(name) for name in sorted(context.file.horizons) if Letter(name) not in positive]
        above = tuple((x, power) for x, power in question.divided if power > 0)
        both = tuple((x, abs(power)) for x, power in question.divided)
        times = list(dict.fromkeys([(), above, both, *(((x, 1),) for x in positive)]))
        for book in (ProductStore(self.book.stored, search=False), self.book):
            key = (book.search, self.setting.names, tuple(signs), tuple(str(fact) for fact, _ in facts))
            if key not in self.made:
                ring = self.setting.field.ring
                self.made[key] = Signs(ring, signs, [fact for fact, _ in facts], book)
            for one in times:
                found = self._certificate(question, one, self.made[key], facts, kept)
                if found is not None:
                    return found
        return None

    def _certificate(
        self, question: Question, times: Monomial, search: Signs, facts: list[tuple[Any, int]], kept: list[Polynomial]
    ) -> Certificate | None:
        """Return why a polynomial, times positive letters, has a sign, as the kernel reads it."""
        target, factor = self._in_ring(multiply_by_monomial(question.polynomial, times))
        extra: dict[str, Any] = {"times": {letter_text(x): power for x, power in times}} if times else {}
        if question.strict:
            for sign in (1, -1) if question.either else (1,):
                found = search.strict(target * sign)
                if found is not None:
                    why = self._products(found, facts, kept)
                    return {"scale": str(Fraction(sign, factor)), "factors": [[1, why, []]]} | extra
            alone = question.either or times
            return None if alone else self._absurd(target, factor, search, facts, kept, strict=True)
        proof = search.proof(target)
        if proof is None:
            return None if times else self._absurd(target, factor, search, facts, kept, strict=False)
        factors = [
            [power, self._products(why, facts, kept), []] if why else [power, [], self._terms(one)]
            for one, power, why in proof.factors
        ]
        return {"scale": str(proof.scale / factor), "factors": factors} | extra

    def _absurd(
        self,
        target: Any,
        factor: int,
        search: Signs,
        facts: list[tuple[Any, int]],
        kept: list[Polynomial],
        *,
        strict: bool,
    ) -> Certificate | None:
        """Return why the opposite of a sign would be absurd; `factor` is by what the polynomial was multiplied."""
        found = search.absurd(target, strict=strict)
        if found is None:
            return None
        products = []
        for one, power in found:
            weight = one.weight * factor**power
            for n in one.hypotheses:
                weight *= facts[n][1]
            products.append([str(weight), self._powers(one.monomial), [text(kept[n]) for n in one.hypotheses], power])
        return {"absurd": products}

    def _powers(self, powers: tuple[int, ...]) -> dict[str, int]:
        return {name: power for name, power in zip(texts(self.setting), powers, strict=True) if power}

    def _products(self, products: Any, facts: list[tuple[Any, int]], kept: list[Polynomial]) -> list[Any]:
        found = []
        for one in products:
            weight = one.weight
            for n in one.hypotheses:
                weight *= facts[n][1]
            root = [] if one.root is None else [self._terms(one.root)]
            found.append([str(weight), self._powers(one.monomial), [text(kept[n]) for n in one.hypotheses], *root])
        return found

    def _terms(self, polynomial: Any) -> list[Any]:
        return [[str(value), self._powers(powers)] for powers, value in polynomial.terms()]

    def _sign_of(self, letter: Letter, context: Context) -> str:
        try:
            return _SIGNS[context.sign_of(letter)]
        except (Refused, KeyError):
            return "real"


def _fits(question: Question, certificate: Certificate, context: Context) -> bool:
    """Return whether a certificate shows a sign here: what is known may have changed since it was found."""
    try:
        context.require_certificate(question, certificate, "")
    except (Refused, LookupError, TypeError, ValueError):
        return False
    return True


def _bound(name: str) -> str:
    """Return a bound index as the kernel writes it: ``*t~g`` is ``t'g``."""
    return name[1:].replace("~", "'") if "~" in name else name[1:] + "'" if name.startswith("*") else name


def _index_text(index: Affine) -> str:
    parts = [(_bound(name), value) for name, value in index.parts]
    return " + ".join(f"{value}*{name}" if name else str(value) for name, value in parts).replace("+ -", "- ") or "0"


def _atom_text(atom: Atom) -> str:
    at = f"[{', '.join(map(_index_text, atom.indices))}]" if atom.indices else ""
    if atom.argument is None:
        return atom.name + at
    inside = _atom_text(atom.argument)
    return f"taken({atom.name}{at}, {inside})" if at else f"{atom.name}({inside})"


def _number_text(value: Any, setting: ProofSetting) -> str:
    return with_members(str(value), setting).replace("**", "^")


def _square(square: Square, everything: frozenset[str], setting: ProofSetting) -> list[Any]:
    """Return a square of the part of the space that is averaged over exactly some indices.

    Its projection, P of these times 1 - P of each other, is multiplied out.
    """
    found = []
    for atom, value in square.combination:
        others = sorted((everything if square.split is None else square.split) - square.part)
        if set(others) - atom.varies:
            continue
        for size in range(len(others) + 1):
            for extra in combinations(others, size):
                by = f"{'-' if size % 2 else ''}({_number_text(value, setting)})"
                found.append([by, _atom_text(atom), sorted(_bound(x) for x in square.part | set(extra))])
    return [_number_text(square.weight, setting), found]


def _part(part: ProofPart, claim: Claim, n: int, setting: ProofSetting) -> dict[str, Any]:
    """Return what the prover chose in one part of a claim."""
    two = bool(claim.induction or claim.vanishing or claim.cases)
    steps = claim.base if two and n == 0 else claim.steps
    texts_left = [str(step) for step in steps]
    multipliers = []
    for name, value in part.multipliers:
        if name in texts_left:  # what is said of signs besides is no premise of the kernel
            texts_left = texts_left[texts_left.index(name) + 1 :]
            multipliers.append(_number_text(value, setting))
    everything = frozenset[str]().union(*(s.part for s in part.squares))
    everything = everything.union(*(atom.varies for s in part.squares for atom, _ in s.combination))
    squares = [_square(square, everything, setting) for square in part.squares]
    vanish = {"squares_vanish": True} if claim.shows.name == "=" and not part.target.equal else {}
    least = {} if part.least is None else {"least": _index_text(part.least)}
    return {"multipliers": multipliers, "squares": [square for square in squares if square[1]]} | vanish | least


def _parts(one: ClaimOutcome, setting: ProofSetting) -> list[dict[str, Any]]:
    claim = replace(one.claim, steps=(*one.claim.steps, *one.added))
    two = bool(claim.induction or claim.vanishing or claim.cases)
    equal = {"zero": sorted(one.equal)} if one.equal else {}
    return [_part(part, claim, n % 2 if two else 0, setting) | equal for n, part in enumerate(one.parts)]


class Found(NamedTuple):
    """What a search has written, and what the kernel says of it."""

    page: Path
    """The claim file with whole statements."""
    choices: Path
    """The proof object."""
    kernel: Kernel
    added: dict[str, list[str]]
    """Claims with the hypotheses that their own text does not have: what is proved of them is less than they say."""


def find(path: Path, folder: Path) -> Found:
    """Write a claim file with whole statements, and a proof object for it, into a folder.

    Raises
    ------
    InputError
        If the claim file is not legal.
    Refused
        If the kernel refuses the file as a whole: no order of its equations is found, or what it says is no claim file.
    """
    file = load(path)
    return find_for(file, decide_file(file), folder)


def find_for(file: ClaimFile, prover: Prover, folder: Path) -> Found:
    """Do as `find` does for a claim file whose claims the prover has decided; errors as there."""
    folder.mkdir(parents=True, exist_ok=True)
    inherited = {id_: one.inherited for id_, one in prover.found.items() if one.inherited}
    pages = pages_of(file.path, file, inherited, steps_added(prover.found), prover.illegal or ())
    for name, whole in pages.items():
        (folder / name).write_text(whole, encoding="utf-8")
    page = folder / file.path.name
    data, settings = _draft_of(file, prover)
    choices = page.with_suffix(".json")
    read = File()
    read.read(page, (HERE,))
    proof = Recording(data, settings, ProductStore(stored_products(file.path)), _certificates(choices))
    _check(_kernel(read, proof, data), {id_ for id_, one in prover.found.items() if one.proved})
    choices.write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")
    kernel = Kernel(read, Proof(json.loads(choices.read_text(encoding="utf-8"))))
    kernel.check()
    added = {id_: [node_text(node) for node in nodes] for id_, nodes in inherited.items()}
    return Found(page, choices, kernel, added)


def _draft_of(file: ClaimFile, prover: Prover) -> tuple[dict[str, Any], dict[str, ProofSetting]]:
    """Return an object as far as the prover knows it, and the settings of claims that are read at values.

    Signs, what sums pay for and how often equations are used are not in it: the kernel asks for these.
    """
    offsets = {name: offset for name, offset in prover.births.offsets.items() if offset is not None}
    births = {name: "end" if offset == END else int(offset) for name, offset in offsets.items()}
    data: dict[str, Any] = {"births": births, "late": [], "split": {}, "claims": {}}
    if prover.births.order != list(file.setting.vectors):
        data["order"] = prover.births.order
    settings = {"": file.setting}
    for id_, one in prover.found.items():
        if one.parts:
            data["claims"][id_] = _parts(one, file.setting)
        for case in one.cases:
            data["claims"][case.label] = _parts(case.outcome, case.setting)
            settings[case.label] = case.setting
            if case.given:
                data.setdefault("values", {})[id_] = list(case.given)
            if case.split:
                data.setdefault("horizons", {})[id_] = dict(case.split)
        if "minimum" in one.rules:
            data["split"][id_] = list(range(sum(map(is_minimum, one.claim.given))))
    return data, settings


def _check(kernel: Kernel, found: set[str]) -> None:
    """Check the claims for which something is found.

    Where one fails, its equations are used as often as there are some, or once more.
    The prover rewrites until nothing changes: what a law sets free from a sample is an entry with an equation again.
    """
    for id_, claim in kernel.file.claims.items():
        if id_ not in found:
            kernel.verdicts[id_] = ClaimVerdict(proved=False, why="nothing is found")
            continue
        many = sum(kernel.steps.equation(step) is not None for step in (*claim.base, *claim.steps))
        if kernel.check_claim(id_).proved or not many:
            continue
        parts = kernel.proof.data["claims"].get(id_, [])
        steps = [claim.base, claim.steps] if claim.base or claim.induction else [claim.steps]
        for more in (0, 1):
            for n, part in enumerate(parts):
                used = sum(kernel.steps.equation(step) is not None for step in steps[n % len(steps)])
                part["passes"] = max(used + more, 1)
            if kernel.check_claim(id_).proved:
                break
        else:
            for part in parts:
                del part["passes"]


def _certificates(found: Path) -> Certificates:
    """Return the certificates of an object that was found before, by claim and part."""
    before = json.loads(found.read_text(encoding="utf-8"))["claims"] if found.exists() else {}
    return {(id_, n): part.get("signs", {}) for id_, parts in before.items() for n, part in enumerate(parts)}


def _kernel(file: File, proof: Recording, data: dict[str, Any]) -> Kernel:
    """Return a kernel; what is not determined before others is tried at the end of its round, and without a birth."""
    for _ in range(40):
        try:
            return Kernel(file, proof)
        except Refused as why:
            late = re.search(r"is not determined before (\w+)", str(why))
            young = re.search(r"the birth claimed for (\w+)", str(why))
            if late and late[1] not in data["late"]:
                data["late"].append(late[1])
            elif young and young[1] in data["births"]:
                del data["births"][young[1]]
            else:
                raise
    raise Refused("no order of the equations is found")
