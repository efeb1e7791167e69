"""What a run on Gram coordinates met, in the words of certificates."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.worst.facts.conditions import interpolation
from boundcheck.worst.facts.forms import Form
from boundcheck.worst.facts.orbits import ACTIVE, DEVIATIONS
from boundcheck.worst.gram.exact import fraction
from boundcheck.worst.gram.oracle import SERVER
from boundcheck.worst.gram.trace import ORIGIN
from boundcheck.worst.gram.vectors import DEVIATION, MEAN
from boundcheck.worst.theorems.reading import gradient

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.facts.drawn import FormsAfterDraw, LetterAfterDraw
    from boundcheck.worst.facts.hypotheses import Hypothesis, Name
    from boundcheck.worst.gram.oracle import GramOracle
    from boundcheck.worst.gram.vectors import GramVector

_WORD = re.compile(r"\W+")
CONSTANTS = {"zeta": "zeta2", "sigma": "sigma2", "distance": "distance2"}
CONSTANTS |= {letter: letter for letter in ("G_0", "Delta", "Delta_mean")}
"""Constants of a class as letters of certificates."""


def total(parts: Iterable[str]) -> str:
    """Return a sum of terms."""
    return " + ".join(parts).replace("+ -", "- ") or "0"


class _Products:
    """Makes forms of products and values in words.

    Parameters
    ----------
    spoken : callable
        Makes words of what is multiplied.
    minimum : int
        Number of the point whose value is 0, if it is not 0.
    """

    def __init__(self, spoken: Callable[[Any], str], minimum: int = 0) -> None:
        self._spoken, self._minimum = spoken, minimum

    def product(self, u: Any, v: Any) -> Form:
        """Return the product."""
        words = self._spoken(u), self._spoken(v)
        return Form() if "0" in words else Form({words: 1})

    def square(self, u: Any) -> Form:
        """Return the square of the norm."""
        return self.product(u, u)

    def value(self, point: int) -> Form:
        """Return the value at a point."""
        return Form() if point and point == self._minimum else Form({(f"f{point}",): 1})


def _sum(form: Form) -> str:
    return total(f"{_times(Fraction(c))}{_product(*key)}" for key, c in form.items() if c)


def _product(u: Any, v: Any = None) -> str:
    return str(u) if v is None else f"<{u}, {v}>"


class FormWriter:
    """Names of basis vectors, and what is made of them.

    Parameters
    ----------
    oracle : GramOracle
        With its basis and its points.
    given : ProblemClass
    minimum : int
        Number of the point that is the minimiser; 0 where there is none among them.
    levels : sequence of GramVector
        Points at which |grad f|^2 is above the letter ``best``.
    forms : DrawnForms, optional
        What made the forms where S of N clients are active: what depends on the draw is said by its letters.
    """

    def __init__(
        self,
        oracle: GramOracle,
        given: ProblemClass,
        *,
        minimum: int = 0,
        levels: Sequence[GramVector] = (),
        forms: FormsAfterDraw | None = None,
    ) -> None:
        self.oracle, self.given, self.levels, self.forms = oracle, given, levels, forms
        self.minimum = minimum
        self._flat = {oracle.points[minimum].gradient} if minimum else set[int]()
        self.first = oracle.points[0].gradient
        points = {p.gradient: f"g{k}" for k, p in enumerate(oracle.points)}
        self._names = [
            points.get(k) or (f"n{k}" if e.kind == "noise" else f"_{_WORD.sub('_', e.label)}")
            for k, e in enumerate(oracle.basis)
        ]
        # Where the class leaves no deviation, all clients have the same vector.
        same = {p.gradient for p in oracle.points if p.is_server and given.zeta == 0} - self._flat
        self._same = [given.N == 1 or e.kind in SERVER or k in same for k, e in enumerate(oracle.basis)]
        letters = forms.letters if forms else []
        self._names += [_part(points[letter.gradient], letter) for letter in letters]
        self._same += [letter.block != DEVIATIONS for letter in letters]

    def letters(self) -> dict[str, str]:
        """Return every name with its sort."""
        count = len(self.oracle.points)
        late = [k for k in range(count) if self.forms and self.forms.late[k]]
        numbers = [k for k in range(count) if not (k and k == self.minimum)] + [count + k for k in late]
        values = {self._value(k): "" for k in numbers}
        values |= {"best": ""} if self.levels else {}
        made = {k for k, e in enumerate(self.oracle.basis) if e.drawn} | {ORIGIN}
        names = {k: name for k, name in enumerate(self._names) if k not in made}
        return values | {name: "vector" if self._same[k] else "family" for k, name in names.items()}

    def _value(self, number: int) -> str:
        """Return the name of a value; a point after a draw has one of the clients in it and one of the others."""
        kind, k = divmod(number, len(self.oracle.points))
        return f"f{k}{_OF[kind]}" if self.forms and self.forms.late[k] else f"f{k}"

    def form_text(self, form: Form) -> str:
        """Return a form by its letters, product by product."""
        return total(f"{_times(Fraction(c))}{self._write_term(*key)}" for key, c in form.items() if c)

    def _write_term(self, block: Any, *letters: Any) -> str:
        if block in ("f", "1"):
            return self._value(letters[0]) if block == "f" else CONSTANTS[letters[0]]
        texts = [self.of_block(block, {k: Fraction(1)}) for k in letters]
        return f"|{texts[0]}|^2" if texts[0] == texts[1] else f"<{', '.join(texts)}>"

    def of_block(self, block: str, vector: Mapping[int, Fraction]) -> str:
        """Return a combination of a block's letters."""
        return self.deviations(vector) if block == "Q" else self.means(vector)

    def number(self, x: GramVector) -> int:
        """Return the number of a point that was met."""
        point = self.oracle.point(x)
        return next(k for k, p in enumerate(self.oracle.points) if p is point)

    def means(self, vector: Mapping[int, Fraction]) -> str:
        """Return a combination of means over the clients."""
        return total(f"{_times(c)}{self._mean(k)}" for k, c in vector.items() if self._has_mean(k) and c)

    def deviations(self, vector: Mapping[int, Fraction]) -> str:
        """Return a combination of deviations."""
        apart = {k: c for k, c in vector.items() if c and not self._same[k]}
        return total(f"{_times(c)}({self._deviation(k)})" for k, c in apart.items())

    def _mean(self, k: int) -> str:
        return self._names[k] if self._same[k] else f"mean({self._names[k]})"

    def mean(self, v: GramVector) -> str:
        """Return the mean of a vector."""
        return self.means(_exact(v, MEAN))

    def deviation(self, v: GramVector) -> str:
        """Return the deviation of a vector."""
        return self.deviations(_exact(v, DEVIATION))

    def vector(self, v: GramVector) -> str:
        """Return a vector: a client's own vectors as they are, the rest by means and deviations."""
        size = v.coefficients.shape[1]
        both = [
            k
            for k in range(size)
            if k not in self._flat and v.coefficients[MEAN, k] == v.coefficients[DEVIATION, k] and not self._same[k]
        ]
        means, apart = ({k: c for k, c in _exact(v, row).items() if k not in both} for row in (MEAN, DEVIATION))
        own = {k: fraction(v.coefficients[MEAN, k]) for k in both}
        parts = [f"{_times(c)}{self._names[k]}" for k, c in own.items() if c]
        return total(part for part in (*parts, self.means(means), self.deviations(apart)) if part != "0")

    def hypothesis_text(self, known: Hypothesis) -> str:
        """Return what is known; where it depends on a draw, as a form of letters."""
        if self.forms is None or not any(self._is_late(*key) for key in known.form):
            return self.hypothesis(known.name)
        return f"0 {'=' if known.equal else '<='} {self.form_text(known.form)}"

    def _is_late(self, block: Any, *letters: Any) -> bool:
        """Return whether a product or value depends on a draw."""
        if block == "f":
            return self.forms is not None and self.forms.late[letters[0] % len(self.oracle.points)]
        return block != "1" and int(max(letters)) >= len(self.oracle.basis)

    def hypothesis(self, name: Name) -> str:
        """Return what is known, by its name."""
        kind, *rest = name
        made: dict[str, Callable[..., str]] = {
            "interpolation": self._write_interpolation
            if self.minimum or self.given.mu is not None
            else self._interpolation,
            "distance": lambda: f"|{self.vector(self.oracle.points[self.minimum].at)}|^2 <= distance2",
            "level": lambda k: f"best <= |{self.mean(gradient(self.oracle, self.levels[k]))}|^2",
            "floor": lambda k: f"|{self._mean(self._gradient(k))}|^2/2 <= f{k}",
            "PL": lambda k: f"{2 * Fraction(self.given.pl or 0)}*f{k} <= |{self._mean(self._gradient(k))}|^2",
            "heterogeneity": lambda k: f"|{self._deviation(self._gradient(k))}|^2 <= zeta2",
            "start": lambda k: f"f{k} <= Delta",
            "clients at the start": lambda k: f"f{k} <= Delta_mean",
            "floor of a client": lambda k: f"|{self._names[self._gradient(k)]}|^2/2 <= f{k}",
            "floor between clients": self._between_clients,
            "gradients at the start": lambda k: f"|{self._names[self._gradient(k)]}|^2 <= G_0",
            "variance": self._variance,
            "independent clients": lambda k, j: f"{self._apart_of(k, j)} = {self.given.N - 1}*{self._means_of(k, j)}",
            "no mean of noise": lambda k, j: f"{self._means_of(k, j)} = 0",
            "no mean of noise in deviations": lambda k, j: f"{self._apart_of(k, j)} = 0",
        }
        return made[str(kind)](*rest)

    def _gradient(self, point: int) -> int:
        return self.oracle.points[point].gradient

    def _deviation(self, k: int) -> str:
        return f"{self._names[k]} - mean({self._names[k]})"

    def _interpolation(self, a: int, b: int) -> str:
        ga, gb = (self._names[self._gradient(k)] for k in (a, b))
        moved = self.vector(self.oracle.points[a].at - self.oracle.points[b].at)
        if moved == "0":
            return f"f{b} + |{ga} - {gb}|^2/4 <= f{a}"
        bent = f"(|{ga} - {gb}|^2 - |{moved}|^2 + 2*<{ga} - {gb}, {moved}>)/4"
        return f"f{b} + <{gb}, {moved}> + {bent} <= f{a}"

    def _write_interpolation(self, a: int, b: int) -> str:
        """Return interpolation of functions with a smallest curvature, or where one of the points is the minimiser."""
        points: Any = [(k, p.at, gradient(self.oracle, p.at)) for k, p in enumerate(self.oracle.points) if k in (a, b)]
        rows: Any = _Products(self.vector, self.minimum)
        told: Any = interpolation(rows, self.given, *(points if a < b else reversed(points)))
        return f"{_sum(told)} <= 0"

    def _has_mean(self, k: int) -> bool:
        return k != ORIGIN and k not in self._flat

    def _between_clients(self, a: int, b: int) -> str:
        means, apart = [], []
        for k in (a, b):
            w = self.oracle.points[k].at - gradient(self.oracle, self.oracle.points[k].at)
            means.append(self.mean(w))
            apart.append(self.deviation(w))
        products = [f"<{u}, {v}>" for u, v in (means, apart) if "0" not in (u, v)]
        return f"{' - '.join(products)} <= ({self._height(a)} + {self._height(b)})/2"

    def _height(self, k: int) -> str:
        """Return four times the height of the parabola at a point."""
        name, x = self._names[self._gradient(k)], self.vector(self.oracle.points[k].at)
        moved = "" if x == "0" else f" - 2*<{name}, {x}> + |{x}|^2"
        return f"4*f{k}{moved} - |{name}|^2"

    def _variance(self, k: int) -> str:
        return f"|{self._mean(k)}|^2 <= sigma2/{self.given.N * self.oracle.basis[k].samples}"

    def _means_of(self, k: int, j: int) -> str:
        return f"<{self._mean(k)}, {self._mean(j)}>"

    def _apart_of(self, k: int, j: int) -> str:
        return f"<{self._deviation(k)}, {self._deviation(j)}>"


_OF = ("_active", "_others")
"""Ends of names of what is of the clients in a draw, and of the others."""


def _part(gradient: str, letter: LetterAfterDraw) -> str:
    """Return the name of a part of a gradient after a draw: of which clients, and of which block and function."""
    whose = f"{gradient}{_OF[letter.kind != ACTIVE]}"
    return whose if letter.block.name == "P" else f"{whose}_{letter.block.name}_{letter.order}"


def _times(c: Fraction) -> str:
    return "" if c == 1 else f"{c}*"


def _exact(v: GramVector, row: int) -> dict[int, Fraction]:
    return {k: fraction(c) for k, c in enumerate(v.coefficients[row]) if c}
