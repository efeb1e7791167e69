"""The lemmas of a theorem for all steps, from the checker's own description of a round."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.proofs.coq.rounds.algebra import RoundClaim, RoundPremise, write_algebra
from boundcheck.proofs.coq.rounds.boxes import BoxWriter
from boundcheck.proofs.coq.rounds.polynomials import PRODUCT, factor, name_of, write_polynomial
from boundcheck.proofs.coq.rounds.spelling import FormDefinition, combination, define_form, parts
from boundcheck.proofs.kernel.algebra import Refused
from boundcheck.proofs.kernel.all_steps import StepwiseTheorem
from boundcheck.proofs.kernel.boxes import minus
from boundcheck.proofs.kernel.certificates import add, multiply

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.coq.rounds.boxes import Nonnegative
    from boundcheck.proofs.kernel.certificates import Poly


DRAW = "p"
"""The letter of a loop that may be 0: (N - S)/(S (N - 1)), for a draw of S of the N clients."""


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
        self.box = BoxWriter(self.rounds.box, DRAW if "loop" in theorem else "")
        self.servers = [name for name, sort in theorem["letters"].items() if sort == "vector"]
        self.numbers = [name for name, sort in theorem["letters"].items() if sort == ">=0"]
        self.counted = [name for name in theorem["state"] if name in self.numbers]
        """Numbers of the state beside the value."""
        self.state = [name for name in theorem["state"] if name != "f" and name not in self.numbers]
        self.moving: list[str] = []
        self.words: dict[str, str] = {}
        """What is written in the place of a vector."""
        self.potential = self._potential()

    # --- words ------------------------------------------------------------------------------------------------------

    @property
    def letters(self) -> list[str]:
        """Letters of the box."""
        return list(self.rounds.box)

    def write_vector(self, p: Poly, names: Mapping[str, str] | None = None) -> str:
        """Write a combination of vectors."""
        return combination(p, self.servers, self.words | dict(names or {}))

    def vectors_in(self, *texts: str) -> list[str]:
        """Return the vectors in combinations, each once."""
        return list(dict.fromkeys(v for text in texts for v in parts(self.rounds.read(text))))

    def _potential(self) -> FormDefinition:
        values = {"f": {(("f", 1),): 1}}
        p = self.rounds.read(self.theorem["potential"], values)  # type: ignore[arg-type]
        return define_form("potential", p, self.letters, ["f", *self.counted], self.state)

    def potential_at(self, state: Mapping[str, str], names: Mapping[str, str] | None = None) -> str:
        """Write the potential of a state of the file; some of its letters by other names."""
        others = names or {}
        numbers = (write_polynomial(self.rounds.read(state[name]), others) for name in ("f", *self.counted))
        vectors = (self.write_vector(self.rounds.read(state[name]), others) for name in self.state)
        return " ".join(["potential", *self.letters, *map(factor, numbers), *map(factor, vectors)])

    def form_at(self, form: FormDefinition, letters: str, values: Mapping[str, Poly]) -> Poly:
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
        values = {name: self.read_at_end(text) for name, text in state.items()}
        return self.form_at(self.potential, " ".join(self.letters), values)

    def read_at_end(self, text: str) -> Poly:
        """Return what a text spells at the end of a round."""
        return self.rounds.read(text)

    def point(self, n: int) -> tuple[str, str, str]:
        """Return value, place and gradient of a point, over variables."""
        one = self.theorem["points"][n]
        return one["f"], self.write_vector(self.rounds.read(one["x"])), self.write_vector(self.rounds.read(one["g"]))

    def premises(self, lemma: str) -> list[RoundPremise]:
        """Return what a lemma multiplies."""
        found = []
        for (kind, *about), multiplier in self.theorem["proofs"][lemma]:
            what, equal = self.rounds.hypothesis(kind, about)
            found.append(RoundPremise(self.rounds.read(multiplier), what, self._name_fact(kind, about), equal))
        return found

    def _name_fact(self, kind: str, about: list[Any]) -> str:
        if kind == "orthogonal":
            vector, block = about
            first, second = sorted((vector, "m"))
            return f"{'mv' if block == 'mean' else 'dv'} {name_of(first)} {name_of(second)}"
        if kind == "given":
            return f"({write_polynomial(self.rounds.hypothesis(kind, about)[0])})"
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
            "polyak": f"(mv {g} {g} - 2 * mu * {f})",
            "size": "(U0 - square v_u)",
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
        terms = [f"({write_polynomial(self.rounds.read(p))}) * {letter}" for letter, p in self.theorem[which].items()]
        return " + ".join(terms) or "0"

    # --- lemmas -----------------------------------------------------------------------------------------------------

    def claim(self, name: str) -> RoundClaim:
        """Return the claim ``round``, ``start``, ``end`` or ``rest``."""
        return {"round": self.round_claim, "start": self._start, "end": self._end, "rest": self._rest}[name]()

    def write(self, claim: RoundClaim) -> str:
        """Return a lemma."""
        return write_algebra(claim, self.box)

    def vectors(self) -> list[str]:
        """Return all vectors of a round."""
        return [*(name for name in self.theorem["letters"] if name not in self.numbers), *self.moving]

    def _values(self) -> list[str]:
        return [*(p["f"] for p in self.theorem["points"]), *self.numbers]

    def round_claim(self) -> RoundClaim:
        """Return the claim ``round``."""
        here, there = self.potential_at(self.theorem["state"]), self.potential_at(self.theorem["next"])
        constants = list(self.theorem["round"])
        state, after = self.theorem["state"], self.theorem["next"]
        before, closed_before = self.rounds.potential(state), self.closed_potential(state)
        if "fall" in self.theorem:
            stays = add({(): 1}, minus(self.rounds.read(self.theorem["fall"])))
            before, closed_before = multiply(stays, before), multiply(stays, closed_before)
            text, here = there, f"({write_polynomial(stays)}) * {here}"
        else:
            text = f"{there} + ({write_polynomial(self.rounds.read(self.theorem['rate']))}) * mv v_g v_g"
        if "polyak" in self.theorem:
            fall, over = self.fall(), self.over()
            before = add(before, minus(multiply(fall, add(before, minus(over)))))
            closed_before = add(closed_before, minus(multiply(fall, add(closed_before, minus(over)))))
            text += f" + ({write_polynomial(fall)}) * ({here} - {factor(write_polynomial(over))})"
        gained = add(self.rounds.round_goal(), minus(before), self.rounds.potential(after))
        closed = add(gained, closed_before, minus(self.closed_potential(after)))
        return RoundClaim(
            "round", self.rounds.round_goal(), f"{text} <= {here} + ({self.constants('round')})",
            self.vectors(), [*self._values(), *constants], self.premises("round"), self.servers,
            constants, ["potential"], self.potential.coefficients,
            closed=closed, lengths=self.theorem.get("lengths", {}),
        )  # fmt: skip

    def at_start(self) -> list[str]:
        """Return the vectors from which a run starts."""
        start = self.theorem["start"]
        return list(dict.fromkeys(["g", *self.vectors_in(*(start[name] for name in self.state))]))

    def _start(self) -> RoundClaim:
        start, constants = self.theorem["start"], list(self.theorem["first"])
        closed = add(self.rounds.constants("first")[0], minus(self.closed_potential(start)))
        return RoundClaim(
            "start", self.rounds.start_goal(), f"{self.potential_at(start)} <= {self.constants('first')}",
            self.at_start(), [start["f"], *constants], self.premises("start"),
            [v for v in self.at_start() if v in self.servers], constants, ["potential"], self.potential.coefficients,
            closed=closed, lengths=self.theorem.get("lengths", {}),
        )  # fmt: skip

    def in_state(self) -> list[str]:
        """Return the vectors of which a state is made."""
        return self.vectors_in(*(self.theorem["state"][name] for name in self.state))

    def _end(self) -> RoundClaim:
        state = self.theorem["state"]
        measured: Poly = self.rounds.read(self.theorem["measured"]) if "fall" in self.theorem else {}
        closed = add(self.closed_potential(state), minus(measured))
        return RoundClaim(
            "end", self.rounds.end_goal(), f"{factor(write_polynomial(measured))} <= {self.potential_at(state)}",
            self.in_state(), [state["f"], *self.counted], self.premises("end"),
            [v for v in self.in_state() if v in self.servers], self.counted, ["potential"],
            self.potential.coefficients, closed=closed, lengths=self.theorem.get("lengths", {}),
        )  # fmt: skip

    def rate(self) -> Nonnegative:
        """Return the lemma that what a round pays for the gradient is not negative."""
        return self.box.number("rate", self.rounds.read(self.theorem["rate"]))

    # --- a potential that falls ------------------------------------------------------------------------------------

    def fall(self) -> Poly:
        """Return the share by which the potential falls in a round, or what it has beside the value does."""
        said = self.theorem["fall"] if "fall" in self.theorem else self.theorem["polyak"]["fall"]
        return self.rounds.read(said)

    def over(self) -> Poly:
        """Return the part of the potential that is a multiple of the value."""
        return multiply(self.rounds.read(self.theorem["polyak"]["over"]), self.rounds.read(self.theorem["state"]["f"]))

    def _rest(self) -> RoundClaim:
        state, over = self.theorem["state"], self.over()
        return RoundClaim(
            "rest", add(self.rounds.potential(state), minus(over)),
            f"{factor(write_polynomial(over))} <= {self.potential_at(state)}",
            self.in_state(), [state["f"]], [], [v for v in self.in_state() if v in self.servers], [], ["potential"],
            self.potential.coefficients, closed=add(self.closed_potential(state), minus(over)),
            lengths=self.theorem.get("lengths", {}),
        )  # fmt: skip
