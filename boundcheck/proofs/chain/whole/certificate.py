"""Certificates of claims: premises, multipliers, squares and sums of products as text, to be multiplied out by others.

Each part of a claim is one certificate.  Averages split the space into orthogonal parts; a vector's component in a part
is a vector of its own, so that the statement holds in every Hilbert space.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boundcheck.proofs.algebra.semidefinite import subsets
from boundcheck.proofs.algebra.sums import as_coefficient
from boundcheck.proofs.language.forms import Atom, Entry, Inner, One, Scalar
from boundcheck.proofs.language.members import texts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.proofs.algebra.relation import Premise
    from boundcheck.proofs.chain.deciding.decided import ClaimOutcome, ProofPart
    from boundcheck.proofs.chain.deciding.prover import Prover
    from boundcheck.proofs.language.forms import Coefficient, Term
    from boundcheck.proofs.language.setting import ProofSetting

Certificate = dict[str, Any]
_SORTS = {"> 0": ">0", ">= 0": ">=0", "real": ""}


def certificates(prover: Prover) -> list[Certificate]:
    """Return the certificates of all proved claims, one for each part (an induction has two)."""
    return [certificate for one in prover.found.values() for certificate in written_for(prover, one)]


def written_for(prover: Prover, one: ClaimOutcome) -> list[Certificate]:
    """Return the certificates of one claim, none if it is not proved, or by what only the kernel can read.

    That is a sign whose opposite is absurd, a square that is no square part by part, and cases of a horizon.
    """
    found = []
    for number, part in enumerate(one.parts, start=1):
        name = one.claim.id if len(one.parts) == 1 else f"{one.claim.id}/{number}"
        if any(square.split is not None for square in part.squares):
            return []
        try:
            found.append(CertificateWriter(prover.setting, part, prover.square_names).certificate(name))
        except NotWrittenError:
            return []
    return found


class NotWrittenError(Exception):
    """A sign is shown in a way for which a certificate has no line."""


@dataclass
class CertificateWriter:
    """Writes one certificate."""

    setting: ProofSetting
    part: ProofPart
    square_names: frozenset[str]
    everything: frozenset[str] = frozenset()
    """Indices over which vectors vary here: the parts of the space are its subsets."""
    letters: dict[str, str] = field(default_factory=dict)
    steps: list[dict[str, Any]] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)
    """Numbers of the steps that show signs, counted from the first."""

    def certificate(self, name: str) -> Certificate:
        """Return the certificate."""
        part = self.part
        self.split((part.target, *part.premises))
        hypotheses = [f"0 <= {self.polynomial(h)}" for h in part.signs.hypotheses]
        premises = [self.relation(one) for one in part.premises]
        self.given = [*hypotheses, *premises]
        terms = [*self._multiply(len(hypotheses)), *self._squares(), *self._weights()]
        shows = self.relation(part.target)
        return {
            "id": name,
            "kind": "linear",
            "letters": dict(sorted(self.letters.items())),
            "given": self.given,
            "shows": shows,
            "steps": self.lemmas(len(self.given)),
            "by": self._number_terms(terms, len(self.given)),
        }

    def _number_terms(self, terms: list[list[Any]], first: int) -> list[list[Any]]:
        return [[first + f.number if isinstance(f, SignStep) else f for f in term] for term in terms]

    def split(self, relations: Iterable[Premise]) -> None:
        """Let the space fall into parts by all indices over which vectors vary in some relations."""
        varies = (t.left.varies | t.right.varies for one in relations for t in self._inner(one))
        self.everything = frozenset().union(*varies)

    def _inner(self, one: Premise) -> list[Inner]:
        return [t for form in (one.left, one.right) for t in form if isinstance(t, Inner)]

    def polynomial(self, value: Any) -> str:
        """Return a polynomial as text, its letters declared."""
        names = texts(self.setting)
        for monomial in value.monoms():
            for place, exponent in enumerate(monomial):
                if exponent:
                    self.letters[re.sub(r"\[.*", "[]", names[place])] = _SORTS[self.part.signs.signs[place]]
        parts = [monomial_text(monomial, number, names) for monomial, number in value.terms()]
        return " + ".join(parts) or "0"

    def coefficient(self, value: Coefficient) -> str:
        """Return a rational function as text."""
        if value.denom.is_ground:
            return f"({self.polynomial(value.numer)})/{value.denom.LC}"
        self._nonzero(value.denom)
        return f"({self.polynomial(value.numer)})/({self.polynomial(value.denom)})"

    def relation(self, one: Premise) -> str:
        """Return a relation between forms as text."""
        return f"{self.form(one.left)} {'=' if one.equal else '<='} {self.form(one.right)}"

    def form(self, form: Scalar) -> str:
        """Return a form as text."""
        parts = [self._term(term, value) for term, value in form.items()]
        return " + ".join(parts) or "0"

    def _term(self, term: Term, value: Coefficient) -> str:
        if isinstance(term, One):
            return self.coefficient(value)
        if isinstance(term, Entry):
            return f"{self.coefficient(value)}*{self.entry(term)}"
        constant = self.everything - (term.left.varies & term.right.varies)
        parts = [part for part in subsets(self.everything) if term.averaged | constant <= part]
        products = [f"<{self.vector(term.left, part)}, {self.vector(term.right, part)}>" for part in parts]
        return f"{self.coefficient(value)}*({' + '.join(products)})" if products else "0"

    def entry(self, term: Entry) -> str:
        """Return an entry of a sequence of numbers as a letter."""
        return self._declare_letter(*_place(term), ">=0" if term.name in self.square_names else "")

    def vector(self, atom: Atom, part: frozenset[str]) -> str:
        """Return the component of a vector as a letter."""
        name, indices = _place(atom)
        means = "".join(f"_mean_{letter.strip('*').replace('~', '_')}" for letter in sorted(part & atom.varies))
        return self._declare_letter(name + means, indices, "vector")

    def _declare_letter(self, name: str, indices: list[str], sort: str) -> str:
        self.letters[f"{name}[]" if indices else name] = sort
        return f"{name}[{', '.join(indices)}]" if indices else name

    def _multiply(self, first: int) -> list[list[Any]]:
        terms: list[list[Any]] = []
        for number, (one, (_, factor)) in enumerate(zip(self.part.premises, self.part.multipliers, strict=True)):
            # The checker moves `A = B` to A - B and `A <= B` to B - A, of premises and of what is shown.
            if one.equal:
                terms.append([self.coefficient(factor if self.part.target.equal else -factor), first + number])
            elif factor != 0:
                terms.append([*self.show_signs(factor), first + number])
        return terms

    def _squares(self) -> list[list[Any]]:
        terms = []
        for square in self.part.squares:
            text = " + ".join(f"{self.coefficient(f)}*{self.vector(a, square.part)}" for a, f in square.combination)
            terms.append([*self.show_signs(square.weight), [text]])
        return terms

    def _weights(self) -> list[list[Any]]:
        terms: list[list[Any]] = []
        weights = dict(self.part.weights)
        for term, value in self.part.weights:
            if isinstance(term, Entry) and not self.part.signs.nonnegative(value):
                star, length = self._whole(term, weights)
                self.given.append(f"{self.entry(term)} <= {self.coefficient(length)}*{self.entry(star)}")
                terms.append([*self.show_signs(-value), len(self.given) - 1])
                weights[star] += length * value
                weights[term] = value * 0
        for term, value in weights.items():
            if value != 0:
                terms.append([*self.show_signs(value), *([self.entry(term)] if isinstance(term, Entry) else [])])
        return terms

    def _whole(self, term: Entry, weights: dict[Term, Coefficient]) -> tuple[Entry, Coefficient]:
        """Return the mean over the whole range in which an entry stands, and the length of the range."""
        from boundcheck.proofs.algebra.scope import Scope
        from boundcheck.proofs.language.affine import Affine

        for place, letter in enumerate(self.setting.scalars[term.name]):
            indices = (*term.indices[:place], Affine.letter("*" + letter), *term.indices[place + 1 :])
            star = Entry(term.name, indices)
            if star in weights:
                return star, as_coefficient(self.setting.length(letter), Scope(self.setting, {}))
        raise AssertionError(term)

    def show_signs(self, value: Coefficient) -> list[Any]:
        """Return factors that multiply to a nonnegative value, each with a step that shows its sign."""
        proof = self.part.signs.proof(value.numer * value.denom)
        if proof is None:
            raise NotWrittenError
        factors: list[Any] = [str(proof.scale)]
        for factor, power, why in proof.factors:
            factors += [[self.polynomial(factor)]] * (power // 2)
            if power % 2:
                factors.append(self._lemma(factor, "<=", why))
        if not value.denom.is_ground:
            self._nonzero(value.denom)
        return [*factors, f"({self.polynomial(value.denom)})^-2"]

    def _nonzero(self, value: Any) -> None:
        """Show that a polynomial does not vanish, factor by factor, and then whole."""
        if len(value) == 1 or f"nonzero {value}" in self.known:
            return
        self.known[f"nonzero {value}"] = 0
        number, factors = value.factor_list()
        term: list[Any] = [str(number)]
        positive = number > 0
        for factor, power in factors:
            why = self.part.signs.strict(factor)
            side = factor if why is not None else -factor
            positive ^= why is None and power % 2 == 1
            shown = self._lemma(side, "<", why if why is not None else self.part.signs.strict(side) or ())
            term += [shown] * power
            term[0] = term[0] if why is not None or power % 2 == 0 else str(-_fraction(term[0]))
        sign = "<" if positive else ">"
        self._add(f"0 {sign} {self.polynomial(value)}", [term if positive else [str(-_fraction(term[0])), *term[1:]]])

    def _lemma(self, polynomial: Any, relation: str, why: tuple[Any, ...]) -> SignStep:
        by = []
        for product in why:
            monomial = monomial_text(product.monomial, product.weight, texts(self.setting))
            root = [] if product.root is None else [[self.polynomial(product.root)]]
            by.append([monomial, *product.hypotheses, *root])
        return self._add(f"0 {relation} {self.polynomial(polynomial)}", by)

    def _add(self, shows: str, by: list[Any]) -> SignStep:
        if shows not in self.known:
            self.known[shows] = len(self.steps)
            self.steps.append({"shows": shows, "by": by})
        return SignStep(self.known[shows])

    def lemmas(self, first: int) -> list[dict[str, Any]]:
        """Return the steps that show signs, numbered from `first` on inside of each other."""
        return [step | {"by": self._number_terms(step["by"], first)} for step in self.steps]


@dataclass(frozen=True)
class SignStep:
    """A step that shows a sign, by its place among the steps."""

    number: int


def _fraction(text: Any) -> Any:
    from fractions import Fraction

    return Fraction(str(text))


def monomial_text(monomial: tuple[int, ...], number: Any, names: tuple[str, ...]) -> str:
    """Return a monomial with its coefficient as text."""
    letters = [f"{names[place]}^{exponent}" for place, exponent in enumerate(monomial) if exponent]
    return "*".join([f"({number})", *letters])


def _place(term: Atom | Entry) -> tuple[str, list[str]]:
    """Return the name of a sequence and the indices in it: ``err[*t]``, a mean, is err_all_t without an index."""
    if term.argument is not None:
        name, indices = _place(term.argument)
        return f"{term.name}_{name}", indices
    texts = [str(index) for index in term.indices]
    means = [re.sub(r"\W+", "_", text.replace("*", "all_").replace("+", "plus")) for text in texts if "*" in text]
    return "_".join([term.name, *means]), [text for text in texts if "*" not in text]
