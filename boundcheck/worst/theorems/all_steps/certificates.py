"""The lemmas of a theorem for all steps as certificates of single inequalities: products, squares and their sum.

`verify` checks them by other code than the theorem's file, and `boundcheck.proofs.certificates.lean` writes them for
Lean.  A polynomial that is nowhere negative on a box is a sum of c (x - low)^i (high - x)^(d - i), c >= 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod
from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError
from boundcheck.proofs.certificates.lean import HEAD, lean
from boundcheck.proofs.kernel.all_steps import StepwiseTheorem
from boundcheck.proofs.kernel.boxes import minus, split
from boundcheck.proofs.kernel.certificates import add, multiply
from boundcheck.worst.gram.rationals import squares
from boundcheck.worst.theorems.bernstein.coefficients import bernstein
from boundcheck.worst.theorems.bernstein.polynomials import degrees, of_checker, write_polynomial

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from boundcheck.proofs.kernel.boxes import Box, Exponents
    from boundcheck.proofs.kernel.certificates import Poly
    from boundcheck.worst.theorems.bernstein.polynomials import Poly as Numbers

Term = list[Any]
_Fact = tuple["Poly", "Poly", bool]
_RAISED = (0, 1, 2, 4)
_MEANS, _APART = "~", "~~"


@dataclass(frozen=True)
class _Lemma:
    """That `goal` is at least 0, by multiples of what is known."""

    name: str
    goal: Poly
    known: list[_Fact]
    box: Box
    constants: list[str]


def lemma_certificates(file: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a certificate for each lemma of a theorem for all steps.

    Parameters
    ----------
    file : mapping
        A theorem that the checker accepts.

    Raises
    ------
    NotApplicableError
        If its lemmas have no certificates of this kind; the message says why.
    """
    theorem = StepwiseTheorem(file)
    if theorem.ends_late or "fall" in file:
        why = "smoothness between neighbouring local points" if theorem.chain else "a third letter mu"
        why = "the last local step at the end of a round" if theorem.last else why
        msg = f"{file['id']}: lemmas with {why} have no certificates of single inequalities"
        raise NotApplicableError(msg)
    return [_LemmaWriter(theorem, lemma).certificate() for lemma in _lemmas(theorem)]


def lean_text(file: Mapping[str, Any]) -> str:
    """Return the lemmas of a theorem for all steps as one file for Lean 4 and Mathlib; nothing here checks it.

    Raises
    ------
    NotApplicableError
        If its lemmas have no certificates of this kind.
    """
    heads = [f"/- {line} -/\n" for line in StepwiseTheorem(file).check()[-1:]]
    bodies = [lean(one).removeprefix(HEAD) for one in lemma_certificates(file)]
    return "".join([HEAD, *heads, *bodies])


def _lemmas(theorem: StepwiseTheorem) -> list[_Lemma]:
    file, box = theorem.theorem, theorem.box
    known = {
        "round": theorem.facts("round", {"smooth", "zeta", "orthogonal", "given"}),
        "start": theorem.facts("start", {"zeta", "floor", "Delta", "G0", "size"}),
        "end": theorem.facts("end", {"floor"}),
    }
    energies = [name for name, sort in file["letters"].items() if sort == ">=0"]
    goal = theorem.round_goal()
    if theorem.loop:
        goal = add(goal, theorem.left_by_loop())
    found = [
        _Lemma("round", goal, known["round"], box, list(file["round"])),
        _Lemma("start", theorem.start_goal(), known["start"], box, list(file["first"])),
        _Lemma("end", theorem.end_goal(), known["end"], box, energies),
    ]
    return [*found, *_lemmas_along(theorem)] if theorem.loop else found


def _lemmas_along(theorem: StepwiseTheorem) -> list[_Lemma]:
    """Return the lemmas of the first local step and of a later one."""
    e, s, h = (theorem.names[letter] for letter in "esh")
    by = multiply(e, theorem.read(theorem.loop["weight"]))
    noise = multiply(by, theorem.names["n"])
    first = add(theorem.alone(e, noise), minus(theorem.phi(e, {}, noise)))
    t = add(e, s, multiply({(): Fraction(-2)}, multiply(e, s)))
    d = add(theorem.names["d"], minus(multiply(by, theorem.names["v"])))
    m = add(theorem.names["m"], noise)
    step = add(
        theorem.phi(t, theorem.names["d"], theorem.names["m"]),
        theorem.alone(add(t, e), noise),
        minus(theorem.phi(add(t, e), d, m)),
    )
    away = add(minus(multiply(t, theorem.read(theorem.loop["drift"]))), theorem.names["d"], theorem.names["m"])
    lipschitz = add(multiply(multiply(h, h), theorem.square(away)), minus(theorem.square(theorem.names["v"])))
    known = [
        (
            theorem.read(by_what, {"t": t}),
            *((lipschitz, False) if kind == "lipschitz" else theorem.hypothesis(kind, about)),
        )
        for (kind, *about), by_what in theorem.loop["proofs"]["step"]
    ]
    box: Box = {"s": (Fraction(0), Fraction(1)), "e": (Fraction(0), Fraction(1, 2)), "h": theorem.box["h"]}
    return [
        _Lemma("first", theorem.without_noise(first), [], theorem.box, []),
        _Lemma("step", theorem.without_noise(step), known, box, []),
    ]


class _LemmaWriter:
    """Writes one lemma."""

    def __init__(self, theorem: StepwiseTheorem, lemma: _Lemma) -> None:
        self.lemma, self.box = lemma, lemma.box
        self.sorts = dict(theorem.theorem["letters"]) | dict.fromkeys("dmnv", "family")
        self.lengths: Mapping[str, str] = theorem.theorem.get("lengths", {})
        self.id = f"{theorem.theorem['id']}, {lemma.name}"
        self.given: list[str] = []
        self.ends: dict[str, tuple[int | str, int]] = {}
        for x, (low, high) in self.box.items():
            above: int | str = x
            if low:
                above = self._give(f"{low} <= {x}")
            self.ends[x] = (above, self._give(f"{x} <= {high}"))

    def _give(self, line: str) -> int:
        self.given.append(line)
        return len(self.given) - 1

    def certificate(self) -> dict[str, Any]:
        """Return the certificate."""
        terms: list[Term] = []
        left = self.lemma.goal
        for multiplier, what, equal in self.lemma.known:
            left = add(left, minus(multiply(multiplier, what)))
            fact = self._give(f"{self.text(what)} {'=' if equal else '>='} 0")
            if equal:
                terms += [[self.text(multiplier), fact]] if multiplier else []
            else:
                terms += [[*term, fact] for term in self._nonnegative(multiplier)]
        scalars, blocks = split(self.lemma.name, left, self.box, self.lemma.constants)
        for letter, p in scalars.items():
            terms += [[*term, letter] if letter else term for term in self._nonnegative(p)]
        for mark, entries in blocks.items():
            terms += self._squares(mark, entries)
        shows = f"{self.text(self.lemma.goal)} >= 0"
        return {"id": self.id, "letters": self._letters([shows, *self.given]), "given": self.given, "shows": shows} | {
            "by": terms
        }

    def _letters(self, texts: Iterable[str]) -> dict[str, str]:
        """Return the letters that are used, with their sorts."""
        used = set(re.findall(r"[A-Za-z_]\w*", " ".join(texts))) - {"mean"}
        sorts = self.sorts | dict.fromkeys(self.box, ">0")
        return {x: sorts.get(x, ">=0" if x in self.lemma.constants else "") for x in sorted({*used, *self.box})}

    def text(self, p: Poly) -> str:
        """Return a polynomial of the checker as a text: what stands before each product and each constant."""
        parts: dict[str, Poly] = {}
        for m, c in sorted(p.items()):
            words = [self._generator(g) for g, _ in m if g not in self.box]
            rest = tuple((g, k) for g, k in m if g in self.box)
            parts.setdefault("*".join(words), {})[rest] = c
        letters = tuple(self.box)
        texts = []
        for word, q in parts.items():
            factor = write_polynomial(of_checker(self.lemma.name, q, self.box), letters)
            texts.append(f"({factor})*{word}" if word else factor)
        return " + ".join(texts) or "0"

    def _generator(self, name: str) -> str:
        if not name.startswith("<"):
            return name
        return f"<{', '.join(self._vector(part) for part in name.strip('<>').split(', '))}>"

    def _vector(self, name: str) -> str:
        letter = name.lstrip("~")
        if name.startswith(_APART):
            return f"({letter} - mean({letter}))"
        return letter if self.sorts.get(letter) == "vector" else f"mean({letter})"

    def _nonnegative(self, p: Poly) -> list[Term]:
        """Return a polynomial that is nowhere negative on the box as products of letters and facts."""
        own, down = _without_denominators([of_checker(self.lemma.name, p, self.box)])
        for table, degree in self._bernstein(own):
            if all(c >= 0 for (c,) in table.values()):
                return [[str(c), *self._product(index, degree, down)] for index, (c,) in table.items() if c]
        msg = f"{self.id}: a factor is not shown to be nonnegative"
        raise NotApplicableError(msg)

    def _squares(self, mark: str, entries: Mapping[tuple[str, str], Poly]) -> list[Term]:
        """Return a form as sums of squares, one for each of its matrices in Bernstein's form."""
        lengths = self.lengths if mark == _APART else {}
        pairs = [pair for pair, p in entries.items() if p]
        names = sorted({x for pair in pairs for x in pair})
        letters = list(self.box)
        factors = []
        for pair in pairs:
            over = [sum(lengths.get(x) == letter for x in pair) for letter in letters]
            own = of_checker(self.lemma.name, entries[pair], self.box)
            factors.append({tuple(map(int.__sub__, e, over)): c for e, c in own.items()})
        whole, down = _without_denominators(factors)
        words = {x: (f"{lengths[x]}*" if x in lengths else "") + self._vector(mark + x) for x in names}
        for table, degree in self._bernstein(whole) if pairs else ():
            found: list[Term] = []
            for index, numbers in table.items():
                matrix = [[Fraction(0)] * len(names) for _ in names]
                for (a, b), c in zip(pairs, numbers, strict=True):
                    i, j = names.index(a), names.index(b)
                    matrix[i][j] += c / 2
                    matrix[j][i] += c / 2
                parts = squares(matrix)
                if parts is None:
                    break
                product = self._product(index, degree, down)
                for weight, v in parts:
                    vector = " + ".join(f"({c})*{words[x]}" for x, c in zip(names, v, strict=True) if c)
                    found.append([str(weight), *product, [vector]])
            else:
                return found
        if not pairs:
            return []
        msg = f"{self.id}: a form is not shown to be a sum of squares"
        raise NotApplicableError(msg)

    def _bernstein(self, polys: Sequence[Numbers]) -> Iterator[tuple[dict[Exponents, list[Fraction]], Exponents]]:
        """Yield Bernstein's form of polynomials, of degrees that grow: index to coefficients, and the degree."""
        box = tuple(self.box.values())
        least = degrees(polys, len(box))
        for raised in _RAISED:
            degree = tuple(d + raised if d else 0 for d in least)
            parts = [bernstein(p, box, degree) for p in polys]
            table = {index: [part.get(index, Fraction(0)) for part in parts] for part in parts for index in part}
            # C(d, i) t^i (1 - t)^(d - i), t = (x - low)/(high - low).
            for index, numbers in table.items():
                by = prod(
                    (comb(d, i) / (high - low) ** d for i, d, (low, high) in zip(index, degree, box, strict=True)),
                    start=Fraction(1),
                )
                table[index] = [c * by for c in numbers]
            yield table, degree

    def _product(self, index: Exponents, degree: Exponents, down: Exponents) -> Term:
        """Return (x - low)^i (high - x)^(d - i) of all letters, over what was cleared, as factors of a term."""
        found: Term = []
        for i, d, k, (x, (above, below)) in zip(index, degree, down, self.ends.items(), strict=True):
            if isinstance(above, int):
                found += [above] * i + ([f"{x}^{-k}"] if k else [])
            elif i != k:
                found.append(f"{x}^{i - k}")
            found += [below] * (d - i)
        return found


def _without_denominators(polys: Sequence[Numbers]) -> tuple[list[Numbers], Exponents]:
    """Return polynomials times a monomial, so that no exponent is negative, and its exponents."""
    count = max((len(e) for p in polys for e in p), default=0)
    lifts = tuple(max(0, -min((e[k] for p in polys for e in p), default=0)) for k in range(count))
    return [{tuple(map(int.__add__, e, lifts)): c for e, c in p.items()} for p in polys], lifts
