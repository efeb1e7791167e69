"""A theorem for all steps as the file that `boundcheck verify` reads (`boundcheck.proofs.kernel.all_steps`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError
from boundcheck.proofs.kernel.all_steps import FORM
from boundcheck.worst.gram.trace import ORIGIN
from boundcheck.worst.gram.units import hyperparameters
from boundcheck.worst.theorems.all_steps.search import RATE
from boundcheck.worst.theorems.bernstein.polynomials import Poly, add, constant, scale, shift, write_polynomial
from boundcheck.worst.theorems.family import scale_forms
from boundcheck.worst.theorems.generic import tilt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.worst.theorems.all_steps.search import StepProof
    from boundcheck.worst.theorems.family import RoundPolynomials

CONSTANTS = {"zeta": "zeta2", "sigma": "sigma2", "Delta": "Delta", "G_0": "G0"}
"""Constants of a class as letters of the file."""
_HYPOTHESES = {
    "interpolation": "smooth",
    "heterogeneity": "zeta",
    "floor": "floor",
    "start": "Delta",
    "gradients at the start": "G0",
}
_WORD = re.compile(r"\W+")


@dataclass(frozen=True)
class _RoundWords:
    """Names of the basis vectors of a round, and sums of them in words."""

    made: RoundPolynomials
    order: int

    def __post_init__(self) -> None:
        one = self.made.sample.round
        if len(one.reading.gradients) > 1 or one.first or one.reading.counts:
            card = self.made.family.method.card
            seen = ", ".join(one.reading.gradients)
            msg = f"method {card.id}: its potential sees gradients at {seen}, or counts rounds: no words for it yet"
            raise NotApplicableError(msg)

    @property
    def letters(self) -> tuple[str, ...]:
        return self.made.family.letters

    def names(self) -> dict[int, str]:
        """Return basis vectors by their names; gradients but that at x by what they differ from it by."""
        one = self.made.sample.round
        last = max(k for k, p in enumerate(one.oracle.points) if p.is_server)
        points = {p.gradient: "g" if k == 0 else "w" if k == last else f"v{k}" for k, p in enumerate(one.oracle.points)}
        return {
            k: points.get(k) or f"u_{_WORD.sub('_', e.label)}" for k, e in enumerate(one.oracle.basis) if k != ORIGIN
        }

    def vector(self, means: Mapping[int, Poly], deviations: Mapping[int, Poly], *, start: bool = False) -> str:
        """Return a vector by its coefficients in both blocks."""
        parts: list[str] = []
        count = len(self.letters)
        for block, row in enumerate((means, deviations)):
            total: dict[str, Poly] = {}
            for k, c in row.items():
                for name, by in self._parts(k, block, start=start).items():
                    total[name] = add(total.get(name, {}), shift(c, by[0]) if not by[1] else scale(c, by[1]))
            for name, c in total.items():
                if c:
                    word = name if block == 0 and self.sort(name) == "vector" else f"mean({name})"
                    word = word if block == 0 else f"({name} - mean({name}))"
                    one = c == constant(1, count)
                    parts.append(word if one else f"({write_polynomial(c, self.letters)})*{word}")
        return " + ".join(parts)

    def _parts(self, k: int, block: int, *, start: bool) -> dict[str, tuple[tuple[int, ...], Any]]:
        """Return what a basis vector is in the file's letters: each with a power of h, and a number or None."""
        count = len(self.letters)
        none = (0,) * count
        if start:
            return {"g": (none, None)}
        one = self.made.sample.round
        name = self.names()[k]
        first = one.oracle.points[0].gradient
        order = self.order if name == "w" else 0
        found: dict[str, tuple[tuple[int, ...], Any]] = {name: ((order,) * count if order else none, None)}
        if name == "w" or name.startswith("v"):
            found["g"] = (none, None)
        elif block and k != first and one.reading.tilts is not None:
            # Clients' vectors are relative to what a tilt adds to them.
            found |= {"g": (none, by)} if (by := (tilt(one) or {}).get(k)) else {}
        return found

    def sort(self, name: str) -> str:
        """Return the sort of a letter: a vector of the server, or a family of the clients."""
        basis = self.made.sample.round.oracle.basis
        server = {f"u_{_WORD.sub('_', e.label)}" for e in basis if e.kind == "server"}
        return "vector" if name in server else "family"

    def coordinates(self) -> tuple[list[str], list[str]]:
        """Return the letters of a state: those whose means and those whose deviations the potential sees."""
        reading = self.made.sample.round.reading
        means = ["g", *(f"u_{_WORD.sub('_', n)}" for n in reading.free(reading.means))]
        own = [f"u_{_WORD.sub('_', n)}" for n in reading.free(reading.deviations)]
        return means, own if reading.tilts is not None else ["g", *own]

    def rows(self, table: Mapping[tuple[int, ...], Poly], block: int, number: int) -> dict[int, Poly]:
        """Return the row of a vector."""
        return {i: p for (b, n, i), p in table.items() if (b, n) == (block, number)}

    def description(self) -> dict[str, Any]:
        """Return the part of a file that says what a round does: it follows from the method's code."""
        made, one = self.made, self.made.sample.round
        last = _last(made)
        points = []
        for k, point in enumerate(one.oracle.points):
            rows = [{i: p for (j, b, i), p in made.places.items() if (j, b) == (k, block)} for block in range(2)]
            gradient = {point.gradient: constant(1, made.dimension)}
            points.append({"x": self.vector(*rows) or "0*g", "f": f"f{k}", "g": self.vector(gradient, gradient)})
        points[0]["g"] = "g"
        means, deviations = self.coordinates()
        state = {"f": "f0"} | {n: n for n in (*means, *deviations)}
        nexts, starts = {"f": f"f{last}", "g": points[last]["g"]}, {"f": "f0", "g": "g"}
        for n in state:
            if n in nexts:
                continue
            row = [table.index(n) if n in table else None for table in (means, deviations)]
            for found, table, start in ((nexts, made.after, False), (starts, made.start, True)):
                parts = [self.rows(table, b, k) if k is not None else {} for b, k in enumerate(row)]
                found[n] = self.vector(parts[0], parts[1], start=start) or "0*g"
        hyper = {k: str(v) for k, v in hyperparameters(made.family.method).items() if k not in made.family.letters}
        if "h" in made.family.letters:
            hyper["eta"] = f"h/{made.family.K}"
        return {
            "method": {"id": made.family.method.card.id, "K": made.family.K, **hyper},
            "letters": {name: self.sort(name) for name in self.names().values()},
            "points": points,
            "state": state,
            "next": nexts,
            "start": starts,
        }


@dataclass(frozen=True)
class _RoundWriter:
    """Writes the forms of a proof."""

    proof: StepProof
    words: _RoundWords

    @property
    def letters(self) -> tuple[str, ...]:
        """Return the letters of the polynomials."""
        return self.words.letters

    def potential(self) -> str:
        """Return V in the letters of a state."""
        unknowns, power = self.proof.unknowns, self.proof.forms.power
        count = len(self.letters)
        parts = [f"({write_polynomial(shift(constant(1, count), self.lift(('p',))), self.letters)})*f"]
        means, deviations = self.words.coordinates()
        words = {
            "W": [n if self.words.sort(n) == "vector" else f"mean({n})" for n in means],
            "U": [f"({n} - mean({n}))" for n in deviations],
        }
        for name, p in unknowns.items():
            if name[0] in words and p and name in power:
                u, v = (words[str(name[0])][int(k)] for k in name[1:])
                factor = write_polynomial(
                    scale(shift(p, self.lift(name)), 1 if name[1] == name[2] else 2), self.letters
                )
                parts.append(f"({factor})*<{u}, {v}>")
        return " + ".join(parts)

    def lift(self, name: Any) -> tuple[int, ...]:
        """Return the power of h that multiplies an unknown."""
        count = len(self.letters)
        return (self.proof.forms.power.get(name, 0),) if count == 1 else (0,) * count

    def multiplier(self, name: Any) -> str:
        """Return the multiplier of what is known."""
        return write_polynomial(shift(self.proof.unknowns[name], self.lift(name)), self.letters)


def description(made: RoundPolynomials) -> dict[str, Any]:
    """Return the part of a file that says what a round does."""
    return _words(made).description()


def _words(made: RoundPolynomials) -> _RoundWords:
    return _RoundWords(made, scale_forms(made).order if made.family.letters == ("h",) else 0)


def file_of(proof: StepProof) -> dict[str, Any]:
    """Return the file of a theorem at one K.

    Raises
    ------
    NotApplicableError
        If its state holds what the file has no words for.
    """
    made = proof.made
    writer = _RoundWriter(proof, _words(made))
    _, deviations = writer.words.coordinates()
    proofs: dict[str, list[Any]] = {"round": [], "start": [], "end": []}
    for name in made.sample.known:
        if proof.unknowns.get(name):
            kind = _HYPOTHESES.get(str(name[1]))
            if kind is None:
                msg = f"method {made.family.method.card.id}: no words for {name[1]}"
                raise NotApplicableError(msg)
            proofs[str(name[0])].append([[kind, *name[2:]], writer.multiplier(name)])
    over = shift(constant(1, made.dimension), writer.lift(("p",)))
    proofs["end"].append([["floor", 0], write_polynomial(over, writer.letters)])
    constants = {
        system: {CONSTANTS[c]: write_polynomial(p, writer.letters) for c in CONSTANTS if (p := proof.factor(system, c))}
        for system in ("round", "start")
    }
    short = {"g": "h"} | dict.fromkeys(deviations, "h")
    return (
        {"form": FORM}
        | writer.words.description()
        | {
            "id": f"{made.family.method.card.id}, K = {made.family.K}, all steps",
            "box": {x: [str(low), str(high)] for x, (low, high) in zip(writer.letters, proof.box, strict=True)},
            "lengths": short if made.family.letters == ("h",) else {},
            "potential": writer.potential(),
            "rate": write_polynomial(proof.unknowns[RATE], writer.letters),
            "round": constants["round"],
            "first": constants["start"],
            "proofs": proofs,
        }
    )


def _last(made: RoundPolynomials) -> int:
    return max(k for k, p in enumerate(made.sample.round.oracle.points) if p.is_server)
