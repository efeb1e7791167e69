"""Forms that are nowhere negative on a box, as Coq lemmas.

Multiplied by one number and one monomial, a form's coefficients are whole combinations of a^i b^(d - i), where a and b
are the distances of a letter from the ends of its range.  The numbers stand in the file; Coq computes that these are
the coefficients, and eliminates in each matrix of whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import comb
from typing import TYPE_CHECKING

from boundcheck.proofs.coq.rounds.polynomials import common_denominator, name_of
from boundcheck.proofs.kernel import boxes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.kernel.boxes import Box, Exponents, Numbers, Whole
    from boundcheck.proofs.kernel.certificates import Poly


@dataclass(frozen=True)
class Nonnegative:
    """A lemma that a form, or a number, is nowhere negative on a box.

    Attributes
    ----------
    name : str
        The lemma's name; its arguments are the vectors, the letters, and what the box says of them.
    text : str
        The lemma and its numbers.
    vectors : list of str
        Names in the description; none for a number.
    scale : str
        The lemma's conclusion times this is the form.
    entries : mapping
        Pair of vectors to the definition of the coefficient of their product, with letters that come with them.
    """

    name: str
    text: str
    vectors: list[str]
    scale: str
    entries: Mapping[tuple[str, str], tuple[str, list[str]]] = field(default_factory=dict)


class BoxWriter:
    """Writes such lemmas for the letters of a box.

    Parameters
    ----------
    box : dict
        Letter to the ends of its range.
    closed : str
        Letters that may be 0, where their range starts there.
    """

    def __init__(self, box: Box, closed: str = "") -> None:
        self.box, self.closed = box, closed
        self.letters = list(box)

    @property
    def conditions(self) -> list[str]:
        """What the box says of each letter: above 0 where its range starts there, and of both ends."""
        found = []
        for x, (letter, (low, high)) in zip(self.letters, self.box.items(), strict=True):
            relation = "<" if low == 0 and letter not in self.closed else "<="
            found.append(f"{low} {relation} {x} <= {high}".replace("/", " / "))
        return found

    @property
    def bounds(self) -> str:
        """Names of the conditions."""
        return " ".join(f"box_{x}" for x in self.letters)

    @property
    def binders(self) -> str:
        """Letters with their conditions, as binders of a lemma."""
        said = zip(self.letters, self.conditions, strict=True)
        return " ".join([f"({' '.join(self.letters)} : R)", *(f"(box_{x} : {text})" for x, text in said)])

    def form(
        self, name: str, entries: Mapping[tuple[str, str], Poly], lengths: Mapping[str, str], block: str
    ) -> Nonnegative:
        """Return the lemma of a quadratic form.

        Parameters
        ----------
        name : str
            The lemma's name.
        entries : mapping
            Pair of vectors to the coefficient of their product.
        lengths : mapping
            Vector to a letter: the letter times it is a vector of the form.
        block : str
            What is a product: ``mv``, of means, or ``dv``, of deviations.
        """
        vectors = sorted({vector for pair in entries for vector in pair})
        axis = {letter: n for n, letter in enumerate(self.box)}
        table: dict[tuple[int, int], Numbers] = {}
        for pair, p in entries.items():
            numbers = boxes.in_letters(name, p, self.box)
            for n in (axis[lengths[vector]] for vector in pair if vector in lengths):
                numbers = {(*e[:n], e[n] - 1, *e[n + 1 :]): c for e, c in numbers.items()}
            i, j = sorted(vectors.index(vector) for vector in pair)
            table[i, j] = numbers
        pairs = [(i, j) for i in range(len(vectors)) for j in range(i, len(vectors))]
        found = self._numbers(name, [table.get(pair, {}) for pair in pairs], pairs, len(vectors))
        listed = "; ".join(
            f"scale {self.letters[axis[lengths[v]]]} {name_of(v)}" if v in lengths else name_of(v) for v in vectors
        )
        lemma = "means_on" if block == "mv" else "deviations_on"
        values = f"map (value [{'; '.join(self.letters)}]) {name}_values"
        lines = [
            *found.lines,
            f"Definition {name}_columns : list (list Z) := [{'; '.join(map(_list, found.columns))}]%Z.",
            *(f"Definition {name}_value_{n} : pol {len(self.box)} := {one}%Z." for n, one in enumerate(found.values)),
            (
                f"Definition {name}_values : list (pol {len(self.box)}) := "
                f"[{'; '.join(f'{name}_value_{n}' for n in range(len(pairs)))}]."
            ),
            f"Lemma {name}_checked : checked {len(vectors)} {name}_sides {name}_columns {name}_values = true.",
            "Proof. vm_cast_no_check (eq_refl true). Qed.",
            f"Lemma {name} (H : Projected) ({' '.join(map(name_of, vectors))} : H) {self.binders} :",
            f"  0 <= lin ({values}) (products {block} [{listed}]).",
            (f"Proof. apply ({lemma} [{listed}] _ _ _ _ _ {name}_checked); [reflexivity | inside_box]. Qed."),
        ]
        stands = {
            (vectors[i], vectors[j]): (
                f"{name}_value_{n}",
                [lengths[v] for v in (vectors[i], vectors[j]) if v in lengths],
            )
            for n, (i, j) in enumerate(pairs)
        }
        return Nonnegative(name, "\n".join(lines), vectors, found.scale, stands)

    def number(self, name: str, p: Poly) -> Nonnegative:
        """Return the lemma of a polynomial in the letters."""
        found = self._numbers(name, [boxes.in_letters(name, p, self.box)], [(0, 0)], 1)
        size, sides = len(self.box), f"{name}_sides"
        lines = [
            *found.lines,
            f"Definition {name}_column : list Z := {_list(found.columns[0])}%Z.",
            f"Definition {name}_value : pol {size} := {found.values[0]}%Z.",
            f"Lemma {name}_checked : ((length {sides} =? {size})%nat && agrees {sides} {name}_column {name}_value",
            f"  && forallb (Z.leb 0) {name}_column)%bool = true.",
            "Proof. vm_cast_no_check (eq_refl true). Qed.",
            f"Lemma {name} {self.binders} : 0 <= value [{'; '.join(self.letters)}] {name}_value.",
            f"Proof. apply (number_on _ _ _ _ _ {name}_checked); [reflexivity | inside_box]. Qed.",
        ]
        return Nonnegative(name, "\n".join(lines), [], found.scale)

    # --- numbers ----------------------------------------------------------------------------------------------------

    def _numbers(self, name: str, polys: list[Numbers], pairs: list[tuple[int, int]], size: int) -> _Found:
        cleared = boxes.clear_denominators(polys, self.box)
        degree, found = self._degree(name, cleared, pairs, size)
        indices = [*product(*(range(d + 1) for d in degree))]
        columns = [self._column(p, indices, degree) for p in found]
        scale = common_denominator([c for column in columns for c in column])
        times = common_denominator([c for p in polys for c in p.values()])
        lift = _lift(polys, cleared, len(self.box))
        monomial = [f"{x} ^ {k}" for x, k in zip(self.letters, lift, strict=True) if k]
        sides = zip(degree, self.box.values(), strict=True)
        listed = "; ".join(f"({d}%nat, ({', '.join(map(str, _ends(*ends)))}))" for d, ends in sides)
        return _Found(
            [f"Definition {name}_sides : list side := [{listed}]%Z."],
            [[int(c * scale) for c in column] for column in columns],
            [_nest({e: c * scale for e, c in p.items()}, len(self.box)) for p in cleared],
            f"/ ({' * '.join([str(scale * times), *monomial])})",
        )

    def _degree(
        self, name: str, polys: list[Whole], pairs: list[tuple[int, int]], size: int
    ) -> tuple[Exponents, list[Whole]]:
        """Return the first degree in which all matrices are semidefinite, with the coefficients."""
        for degree in boxes.higher_degrees(boxes.limits(polys, len(self.box))):
            found = [boxes.bernstein(name, p, self.box, degree) for p in polys]
            forms = [(i, j, p) for (i, j), p in zip(pairs, found, strict=True)]
            if boxes.indefinite(forms, size, degree) is None:
                return degree, found
        raise boxes.LemmaError(f"{name}: it is not shown to be >= 0")

    def _column(self, p: Whole, indices: list[Exponents], degree: Exponents) -> list[Fraction]:
        """Return the coefficients of a^i b^(d - i): those of Bernstein's form, with its binomials."""
        # The kernel has them times the number that it has for the constant 1.
        first = indices[0]
        unit = boxes.bernstein("1", {(0,) * len(self.box): 1}, self.box, degree)[first]
        found = []
        for index in indices:
            c = Fraction(p[index], unit)
            for i, d, ends in zip(index, degree, self.box.values(), strict=True):
                low, _, high = _ends(*ends)
                c = c * comb(d, i) / (high - low) ** d
            found.append(c)
        return found


@dataclass(frozen=True)
class _Found:
    lines: list[str]
    columns: list[list[int]]
    values: list[str]
    scale: str


def _ends(low: Fraction, high: Fraction) -> tuple[int, int, int]:
    """Return p, q, r: the letter is between p/q and r/q."""
    q = common_denominator([low, high])
    return int(low * q), q, int(high * q)


def _lift(polys: list[Numbers], cleared: list[Whole], letters: int) -> Exponents:
    """Return the exponents of the monomial that cleared the denominators."""
    for p, q in zip(polys, cleared, strict=True):
        if p:
            return tuple(b - a for a, b in zip(min(p), min(q), strict=True))
    return (0,) * letters


def _list(values: list[int]) -> str:
    return f"[{'; '.join(map(str, values))}]"


def _nest(p: Mapping[tuple[int, ...], int], letters: int) -> str:
    """Write a polynomial as nested lists: by the power of the first letter, then of the next one."""
    if not letters:
        return str(p.get((), 0))
    most = max((e[0] for e in p), default=-1)
    parts = [{e[1:]: c for e, c in p.items() if e[0] == k} for k in range(most + 1)]
    return f"[{'; '.join(_nest(part, letters - 1) for part in parts)}]"
