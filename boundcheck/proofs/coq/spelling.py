"""How names, indices, numbers and inner products are written in Coq.

Horizons and indices are whole numbers, of type Z; letters are real numbers; vectors belong to a space V.  A vector that
varies over clients or bound indices is a family: a function of an index environment ``e``, in which index 0 is the
client.  Names that proofs introduce begin with ``p_``, so that they never meet those of a file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.proofs.kernel.algebra import Refused
from boundcheck.proofs.kernel.file import EULER
from boundcheck.proofs.kernel.space import CLIENT, Entry, Inner, free_name, is_bound

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boundcheck.proofs.kernel.algebra import Factor, Index, Letter, Monomial, Polynomial, Rational
    from boundcheck.proofs.kernel.file import File, Range
    from boundcheck.proofs.kernel.space import Atom, Form, Term, Vector

LIBRARY = Path(__file__).parent / "library"
"""The Coq library on which all pages stand."""
REAL = "rewrite ?plus_IZR, ?minus_IZR, ?opp_IZR, ?mult_IZR"
"""The tactic that writes whole combinations of indices as real numbers."""
CLOSE = "field; nonzero."
"""The tactic that compares two rational expressions."""
_TAKEN = frozenset(
    (
        *("V", "R", "Z", "S", "O", "I", "D", "H", "size", "start", "births", "nonempty", "e", "exp", "sum", "mean"),
        *(
            "avg",
            "add",
            "scale",
            "zero",
            "ip",
            "known",
            "past",
            "family",
            "vmean",
            "low",
            "high",
            "upd",
            "prod",
            "same",
        ),
        *("grad", "f", "at", "in", "end", "fun", "let", "as", "by", "where", "for", "if", "then", "else", "match"),
        *("with", "return", "forall", "exists", "fix", "cofix", "Type", "Prop", "Set", "using"),
        *("spread_is", "spread_none", "spread_some", "spread_most", "spread_excess"),
    )
)
"""What no name of a file may be called in Coq."""


@cache
def library_names() -> frozenset[str]:
    """Return the names that the library gives to lemmas, definitions and tactics."""
    pattern = re.compile(r"^\s*(?:Lemma|Definition|Fixpoint|Record|Theorem|Ltac|Inductive) (\w+)", re.MULTILINE)
    return frozenset(name for path in LIBRARY.glob("*.v") for name in pattern.findall(path.read_text(encoding="utf-8")))


def identifier(name: str) -> str:
    """Return a name of a file as Coq's: dashes and dots become underscores."""
    found = re.sub(r"[^A-Za-z0-9_']", "_", name)
    return f"{found}_" if found in _TAKEN or found in library_names() else found


def rename(text: str, names: Mapping[str, str]) -> str:
    """Return a text with whole names replaced, all at once."""
    pattern = "|".join(map(re.escape, names))
    return re.sub(rf"(?<![\w'])({pattern})(?![\w'])", lambda found: names[found[1]], text) if names else text


def fraction(value: object) -> str:
    """Write an exact number."""
    top, _, below = str(value).partition("/")
    top = f"({top})" if top.startswith("-") else top
    return f"({top} / {below})" if below else top


def bracket(text: str) -> str:
    """Write a text as an argument."""
    return f"({text})" if " " in text else text


def equal_forms(one: Mapping[Any, Rational], other: Mapping[Any, Rational]) -> bool:
    """Return whether two forms, or two vectors, are the same."""
    return one.keys() == other.keys() and all((by - other[key]).is_zero() for key, by in one.items())


@dataclass(frozen=True)
class Spelling:
    """Writes what a claim file speaks of.

    Parameters
    ----------
    file : File
        The claim file; its indices get their places in the environment from their order.
    """

    file: File

    @property
    def places(self) -> dict[str, int]:
        """The place of each index in the environment."""
        others = [name for name in self.file.indices if name != CLIENT]
        return {name: n for n, name in enumerate([CLIENT, *others])}

    @property
    def size(self) -> int:
        """How many indices there are."""
        return len(self.places)

    def place(self, letter: str) -> int:
        """Return the place of a bound index, or of the client."""
        if letter.partition("'")[2]:
            raise Refused(f"{letter}: a discounted mean has no text in Coq here")
        return self.places[free_name(letter)]

    def discount(self, letter: str, growth: str, body: str) -> str:
        """Write a mean with weights that grow backwards."""
        low, high = map(self.index, self.file.indices[letter])
        return f"discounted {identifier(growth)} {low} {high} (fun {identifier(letter)} => {body})"

    def _under_weight(self, term: Term) -> str:
        """Write a term that is averaged with weights over one index; empty for another term."""
        weighted = sorted(x for x in term.letters() if x.partition("'")[2])
        if not weighted:
            return ""
        letter, _, growth = weighted[0].partition("'")
        if len(weighted) > 1 or (isinstance(term, Inner) and weighted[0] in term.averaged):
            raise Refused(f"{term.text()}: such a discounted mean has no text in Coq")
        return self.discount(letter, growth, self.term(term.substitute(weighted[0], ((letter, 1),))))

    def average_over(self, letters: Iterable[str]) -> str:
        """Write the indices that are averaged over apart."""
        places = "; ".join(str(n) for n in sorted(map(self.place, letters)))
        return f"[{places}]%nat" if places else "[]"

    def varies(self, atom: Atom) -> list[bool]:
        """Return for each index whether an atom varies with it."""
        places = {self.place(letter) for letter in atom.varies()}
        return [n in places for n in range(self.size)]

    def rows(self, atoms: Iterable[Atom]) -> str:
        """Write for each atom with which indices it varies."""
        table = ("; ".join(str(one).lower() for one in self.varies(atom)) for atom in atoms)
        return f"[{'; '.join(f'[{row}]' for row in table)}]"

    def fixed_rows(self, atoms: Iterable[Atom], listed: str, reason: str = "assumption") -> str:
        """Write the assertion that atoms are fixed by the means over indices that they do not vary with."""
        atoms = list(atoms)
        one = (
            f"destruct p_x as [|p_x]; [first [discriminate | {reason}]|]. " * self.size + "destruct p_x; discriminate."
        )
        cases = " ".join(f"destruct p_a as [|p_a]. {{ {one} }}" for _ in atoms)
        says = f"forall p_a p_x, rows {self.rows(atoms)} p_a p_x = false -> fixes p_x ({listed} p_a)"
        return f"assert (p_FX : {says}). {{ intros p_a p_x p_E. {cases} destruct p_a, p_x; discriminate. }}"

    # --- whole numbers and numbers --------------------------------------------------------------------------------

    def index(self, index: Index, bound: Mapping[str, str] | None = None) -> str:
        """Write an index; bound letters have the names that are given, or are read from the environment."""
        parts = []
        for name, value in sorted(index, key=lambda part: (not part[0], part[0])):
            size = str(abs(value))
            letter = self._whole(name, bound) if name else size
            parts.append((value < 0, letter if not name or abs(value) == 1 else f"{size} * {letter}"))
        if not parts:
            return "0"
        text = ("- " if parts[0][0] else "") + parts[0][1]
        text += "".join(f" {'-' if negative else '+'} {part}" for negative, part in parts[1:])
        return text if len(parts) == 1 and not parts[0][0] and "*" not in text else f"({text})"

    def _whole(self, name: str, bound: Mapping[str, str] | None) -> str:
        if is_bound(name):
            return bound[name] if bound and name in bound else f"(e {self.place(name)}%nat)"
        return identifier(name)

    def range(self, letter: str, ends: Range) -> str:
        """Write that an index is in a range."""
        return f"({self.index(ends[0])} <= {identifier(letter)} <= {self.index(ends[1])})%Z"

    def letter(self, letter: Letter) -> str:
        """Write a letter as a real number."""
        if letter.name == EULER:
            return "exp 1"
        if letter.indices:
            return f"{identifier(letter.name)} {' '.join(f'{self.index(one)}%Z' for one in letter.indices)}"
        whole = letter.name in self.file.horizons or letter.name in self.file.indices
        return f"IZR {identifier(letter.name)}" if whole else identifier(letter.name)

    def monomial(self, monomial: Monomial) -> list[str]:
        """Return the factors of a monomial with positive exponents."""
        return [self._power(self.letter(x), power) for x, power in monomial if power > 0]

    def _power(self, text: str, power: int) -> str:
        return bracket(text) if power == 1 else f"{bracket(text)} ^ {power}"

    def polynomial(self, p: Polynomial) -> str:
        """Write a Laurent polynomial."""
        terms = []
        for monomial, value in sorted(p.items()):
            top = self.monomial(monomial)
            below = [self._power(self.letter(x), -power) for x, power in monomial if power < 0]
            text = " * ".join([*([fraction(abs(value))] if abs(value) != 1 or not top else []), *top])
            if below:
                product = " * ".join(below)
                text = f"{text} / {product if len(below) == 1 else f'({product})'}"
            terms.append((value < 0, text))
        if not terms:
            return "0"
        text = f"- ({terms[0][1]})" if terms[0][0] else terms[0][1]
        return text + "".join(f" {'-' if negative else '+'} {part}" for negative, part in terms[1:])

    def factor(self, factor: Factor) -> str:
        """Write a factor of a denominator."""
        return self.polynomial(dict(factor))

    def number(self, value: Rational) -> str:
        """Write a number, in brackets where it needs them."""
        top = self.polynomial(value.numerator)
        if not value.factors:
            return bracket(top)
        below = (self._power(f"({self.factor(factor)})", power) for factor, power in value.factors.items())
        return f"(({top}) / ({' * '.join(below)}))"

    def horizons_positive(self) -> str:
        """Return tactics that state that horizons are positive numbers, and sums of powers not negative."""
        found = [(identifier(name), "positive") for name in sorted(self.file.horizons)]
        found += [(identifier(name), "sign") for name in sorted(self.file.series)]
        return " ".join(f"assert (p_pos_{name} := {why}_{name})." for name, why in found)

    # --- vectors and inner products -------------------------------------------------------------------------------

    def atom(self, atom: Atom, bound: Mapping[str, str] | None = None, client: str = "(e 0%nat)") -> str:
        """Write an atom at an environment, or at bound indices and a client with names."""
        places = "".join(f" {self.index(one, bound)}" for one in atom.indices)
        if atom.argument is None:
            return f"{identifier(atom.name)}{places}{f' {client}' if atom.client else ''}"
        argument = bracket(self.atom(atom.argument, bound, client))
        if atom.name == "grad":
            return f"grad {client} {argument}"
        return f"taken_{identifier(atom.name)}{places} {client} {argument}"

    def family(self, atom: Atom) -> str:
        """Write an atom as a family."""
        return f"(fun e => {self.atom(atom)})"

    def product(self, left: Atom, right: Atom, averaged: Iterable[str]) -> str:
        """Write an inner product of two atoms as it stands."""
        return f"prod {self.average_over(averaged)} {self.family(left)} {self.family(right)}"

    def term(self, term: Term) -> str:
        """Write a term."""
        if text := self._under_weight(term):
            return text
        return self.product(*term) if isinstance(term, Inner) else self.entry(term)

    def bound_names(self, letters: Iterable[str]) -> dict[str, str]:
        """Return names for bound indices where means bind them."""
        return {name: identifier(free_name(name)) + "'" for name in sorted(x for x in letters if is_bound(x))}

    def entry(self, term: Entry) -> str:
        """Write an entry of a sequence of numbers, averaged over the bound indices in it."""
        if text := self._under_weight(term):
            return text
        bound = self.bound_names(term.letters())
        text = f"{identifier(term.name)}{''.join(f' {self.index(one, bound)}%Z' for one in term.indices)}"
        if term.argument:
            text = f"f {bracket(self.atom(term.argument, bound))}"
        for name, letter in bound.items():
            self.place(name)
            low, high = map(self.index, self.file.indices[free_name(name)])
            text = f"mean {low} {high} (fun {letter} => {text})"
        return text

    def scalar(self, term: Term) -> str:
        """Write a term as a factor."""
        return "1" if term == Entry("1") else bracket(self.term(term))

    def form(self, form: Form) -> str:
        """Write a number as a sum of terms with coefficients."""
        return self.combination((by, self.scalar(term)) for term, by in form.items())

    def combination(self, parts: Iterable[tuple[Rational, str]]) -> str:
        """Write a sum of products, nested to the right and closed by 0."""
        return nest(f"{self.number(by)} * {text}" for by, text in parts)

    def over_atoms(self, vector: Vector, names: Mapping[Atom, int]) -> str:
        """Write a vector as a combination of numbered atoms, each with the indices that it is averaged over."""
        parts = []
        for (atom, done), by in vector.items():
            one = f"Atom {self.average_over(done)} {names[atom]}"
            parts.append(one if by.is_one() else f"Scale {self.number(by)} ({one})")
        text = parts[-1] if parts else "Zero"
        for one in reversed(parts[:-1]):
            text = f"Add ({one}) ({text})"
        return text

    def at_client(self, vector: Vector, client: str) -> str:
        """Write a vector at one client; other bound indices than those of its means are read from the environment."""
        parts = []
        for (atom, done), by in vector.items():
            names = self.bound_names(x for x in atom.letters() if x in done)
            own = "i'" if CLIENT in done else client
            text = self.atom(atom, names, own)
            for letter in sorted(done, key=self.place, reverse=True):
                low, high = map(self.index, self.file.indices[free_name(letter)])
                text = f"vmean V {low} {high} (fun {names.get(letter, own)} => {text})"
            parts.append(bracket(text) if by.is_one() else f"(scale {self.number(by)} ({text}))")
        text = parts[-1] if parts else "zero"
        for one in reversed(parts[:-1]):
            text = f"(add {one} {text})"
        return text


def nest(parts: Iterable[str]) -> str:
    """Write a sum, nested to the right and closed by 0."""
    found = list(parts)
    return "".join(f"{one} + (" for one in found) + "0" + ")" * len(found)
