"""The lemmas of a theorem for all steps, from the checker's own description of a round."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.proofs.coq.rounds.algebra import Claim, Known, write_algebra
from boundcheck.proofs.coq.rounds.boxes import BoxWriter
from boundcheck.proofs.coq.rounds.polynomials import PRODUCT, factor, name_of, written
from boundcheck.proofs.coq.rounds.spelling import FormDefinition, combination, define_form, parts
from boundcheck.proofs.kernel.algebra import Refused
from boundcheck.proofs.kernel.all_steps import StepwiseTheorem
from boundcheck.proofs.kernel.boxes import add, minus, multiply

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.kernel.certificates import Poly


class RoundLemmas:
    """Writes the lemmas of a theorem: over any space, with vectors as variables.

    Parameters
    ----------
    theorem : mapping
        A file of a theorem for all steps, which the checker accepts.
    """

    def __init__(self, theorem: Mapping[str, Any]) -> None:
        self.rounds = StepwiseTheorem(theorem)
        self.theorem = theorem
        self.box = BoxWriter(self.rounds.box, {x: x for x in self.rounds.box})
        self.servers = [name for name, sort in theorem["letters"].items() if sort == "vector"]
        self.state = [name for name in theorem["state"] if name != "f"]
        for name in self.state:
            if theorem["state"][name] != name:
                raise Refused(f"the state's {name} is not a letter of its own")
        self.moving: list[str] = []
        self.potential = self._potential()

    # --- words ------------------------------------------------------------------------------------------------------

    @property
    def letters(self) -> list[str]:
        """Letters of the box."""
        return list(self.rounds.box)

    def combined(self, p: Poly, names: Mapping[str, str] | None = None) -> str:
        """Write a combination of vectors."""
        return combination(p, self.servers, names)

    def vectors_in(self, *texts: str) -> list[str]:
        """Return the vectors in combinations, each once."""
        return list(dict.fromkeys(v for text in texts for v in parts(self.rounds.read(text))))

    def _potential(self) -> FormDefinition:
        values = {"f": {(("f", 1),): 1}}
        p = self.rounds.read(self.theorem["potential"], values)  # type: ignore[arg-type]
        return define_form("potential", p, self.letters, ["f"], self.state)

    def potential_at(self, value: str, vectors: list[str]) -> str:
        """Write the potential of a state."""
        return " ".join(["potential", *self.letters, value, *map(factor, vectors)])

    def closed(self, form: FormDefinition, letters: str, values: Mapping[str, Poly]) -> Poly:
        """Return a form at combinations, with its coefficients as letters."""
        total: Poly = {}
        for product, name in form.terms.items():
            coefficient: Poly = {((f"{name} {letters}", 1),): Fraction(1)}
            if found := PRODUCT.fullmatch(product):
                u, v = values[found[2]], values[found[4]]
                if found[1] == "~":
                    u, v = self.rounds.mean(u), self.rounds.mean(v)
                else:
                    u, v = add(u, minus(self.rounds.mean(u))), add(v, minus(self.rounds.mean(v)))
                what = self.rounds.scope.dot(u, v)
            else:
                what = values[product] if product else {(): Fraction(1)}
            total = add(total, multiply(coefficient, what))
        return total

    def closed_potential(self, state: Mapping[str, str]) -> Poly:
        """Return the potential of a state, with its coefficients as letters."""
        values = {name: self.rounds.read(text) for name, text in state.items()}
        return self.closed(self.potential, " ".join(self.letters), values)

    def point(self, n: int) -> tuple[str, str, str]:
        """Return value, place and gradient of a point, over variables."""
        one = self.theorem["points"][n]
        return one["f"], self.combined(self.rounds.read(one["x"])), self.combined(self.rounds.read(one["g"]))

    def known(self, lemma: str) -> list[Known]:
        """Return what a lemma multiplies."""
        found = []
        for (kind, *about), multiplier in self.theorem["proofs"][lemma]:
            what, equal = self.rounds.hypothesis(kind, about)
            found.append(Known(self.rounds.read(multiplier), what, self._said(kind, about), equal))
        return found

    def _said(self, kind: str, about: list[Any]) -> str:
        if kind == "orthogonal":
            vector, block = about
            first, second = sorted((vector, "m"))
            return f"{'mv' if block == 'mean' else 'dv'} {name_of(first)} {name_of(second)}"
        points = [self.point(n) for n in about]
        if kind == "smooth":
            (fa, xa, ga), (fb, xb, gb) = points
            return f"(smoothness {fa} {fb} {xa} {xb} {ga} {gb})"
        ((f, _, g),) = points
        said = {
            "zeta": f"(zeta2 - dv {g} {g})",
            "floor": f"({f} - 1 / 2 * mv {g} {g})",
            "Delta": f"(Delta - {f})",
            "G0": f"(G0 - square {g})",
        }
        if kind not in said:
            raise Refused(f"{kind} has no text in Coq")
        return said[kind]

    @property
    def last(self) -> int:
        """The number of the point at which the next round starts."""
        after = self.theorem["next"]
        return next(n for n, p in enumerate(self.theorem["points"]) if (p["f"], p["g"]) == (after["f"], after["g"]))

    def constants(self, which: str) -> str:
        """Write the constants of the start, or of a round."""
        terms = [f"({written(self.rounds.read(p))}) * {letter}" for letter, p in self.theorem[which].items()]
        return " + ".join(terms) or "0"

    # --- lemmas -----------------------------------------------------------------------------------------------------

    def claim(self, name: str) -> Claim:
        """Return the claim ``round``, ``start`` or ``end``."""
        return {"round": self.round_claim, "start": self._start, "end": self._end}[name]()

    def write(self, claim: Claim) -> str:
        """Return a lemma."""
        return write_algebra(claim, self.box)

    def _all_vectors(self) -> list[str]:
        return [*self.theorem["letters"], *(self.moving)]

    def _values(self) -> list[str]:
        return [p["f"] for p in self.theorem["points"]]

    def round_claim(self) -> Claim:
        """Return the claim ``round``."""
        after = [self.combined(self.rounds.read(self.theorem["next"][name])) for name in self.state]
        rate = f"({written(self.rounds.read(self.theorem['rate']))}) * mv v_g v_g"
        here = self.potential_at(self.theorem["state"]["f"], [name_of(v) for v in self.state])
        there = self.potential_at(self.theorem["next"]["f"], after)
        constants = list(self.theorem["round"])
        gained = add(
            self.rounds.round_goal(),
            minus(
                add(self.rounds.potential(self.theorem["state"]), minus(self.rounds.potential(self.theorem["next"])))
            ),
        )
        closed = add(
            gained, self.closed_potential(self.theorem["state"]), minus(self.closed_potential(self.theorem["next"]))
        )
        return Claim(
            "round", self.rounds.round_goal(), f"{there} + {rate} <= {here} + ({self.constants('round')})",
            self._all_vectors(), [*self._values(), *constants], self.known("round"), self.servers,
            constants, ["potential"], self.potential.coefficients,
            closed=closed, lengths=self.theorem.get("lengths", {}),
        )  # fmt: skip

    def _start(self) -> Claim:
        start = self.theorem["start"]
        state = [self.combined(self.rounds.read(start[name])) for name in self.state]
        constants = list(self.theorem["first"])
        closed = add(self.rounds.constants("first")[0], minus(self.closed_potential(start)))
        return Claim(
            "start", self.rounds.start_goal(), f"{self.potential_at(start['f'], state)} <= {self.constants('first')}",
            ["g"], [start["f"], *constants], self.known("start"), [], constants,
            ["potential"], self.potential.coefficients, closed=closed, lengths=self.theorem.get("lengths", {}),
        )  # fmt: skip

    def _end(self) -> Claim:
        value = self.theorem["state"]["f"]
        closed = self.closed_potential(self.theorem["state"])
        return Claim(
            "end", self.rounds.end_goal(), f"0 <= {self.potential_at(value, [name_of(v) for v in self.state])}",
            self.state, [value], self.known("end"), [v for v in self.servers if v in self.state], [],
            ["potential"], self.potential.coefficients, closed=closed, lengths=self.theorem.get("lengths", {}),
        )  # fmt: skip
