"""The proof of a sharpened theorem as certificates, which a checker without solvers accepts (docs/certificates.md).

Three of them, in units in which L = 1: what one round gains, what the potential is at the start, and that it is never
below 0.  Their sum over T rounds is the theorem.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.worst.facts.hypotheses import forms_of
from boundcheck.worst.proved.words import CONSTANTS, FormWriter, total
from boundcheck.worst.theorems.generic import start_method, tilt
from boundcheck.worst.theorems.reading import gradient
from boundcheck.worst.theorems.systems import FormSystem, potential, round_form
from boundcheck.worst.theorems.theorem import rounded_up

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.facts.hypotheses import Hypothesis, Name
    from boundcheck.worst.gram.kernel import Certificate
    from boundcheck.worst.gram.oracle import GramOracle
    from boundcheck.worst.theorems.proof import SquaresBlock, SquaresProof
    from boundcheck.worst.theorems.sharpened import Sharpened
    from boundcheck.worst.theorems.systems import SquaresProblem


class HiddenParts(NamedTuple):
    """What is known, of which tilts hid a part."""

    known: dict[Name, Hypothesis]
    multipliers: dict[Name, Fraction]
    """Those in the place of the proof's."""


def certificates(theorem: Sharpened) -> list[Certificate]:
    """Return the certificates of a theorem.

    Returns
    -------
    list of dict
        ``ID/round``, ``ID/start`` and ``ID/end``; with the factors rounded up to nine digits.
    """
    return [_round(theorem), _start(theorem), _end(theorem)]


def _round(theorem: Sharpened) -> Certificate:
    """Return ``|grad F(x)|^2 <= V(state) - V(next) + constants``."""
    one = theorem.conditions.round
    words = _words(one.oracle, theorem.given)
    before, after = (_potential(theorem, words, state) for state in (one.before, one.after))
    gained = words.mean(gradient(one.oracle, one.before.x))
    added, spare = constants(theorem.proof, "round")
    shown = f"|{gained}|^2 <= {total([before, f'-({after})', *added])}"
    if one.reading.tilts is None:
        return _certificate(theorem, "round", words, shown, spare)
    turned = (tilt(one) or {}) | (words.forms.tilt_terms if words.forms else {})
    hidden = _recover_hidden(theorem, turned)
    return _certificate(theorem, "round", words, shown, spare, hidden, turned)


def _words(oracle: GramOracle, given: ProblemClass) -> FormWriter:
    """Return the words of a round; where some clients are active, with the letters of what depends on the draw."""
    return FormWriter(oracle, given, forms=forms_of(oracle, given, (), tilted=False) if oracle.S < oracle.N else None)


def _recover_hidden(theorem: Sharpened, turned: dict[int, Fraction]) -> HiddenParts:
    """Return what is known without tilts, and multipliers of what they hid: noise is orthogonal to gradients at x."""
    one, unknowns = theorem.conditions.round, theorem.proof.unknowns
    system, known = round_form(one, theorem.given, tilted=False)
    hidden = {n: h for n, h in known.items() if n not in unknowns or not theorem.conditions.known[n].form}
    left = system.at(dict.fromkeys(known, Fraction(0)) | unknowns)
    found: dict[Name, Fraction] = {}
    for name in hidden:
        noise = int(name[2])
        products = [left.get(("Q", min(k, noise), max(k, noise)), Fraction(0)) * c for k, c in turned.items()]
        found[name] = sum(products, Fraction(0))
    return HiddenParts(known, found)


def _start(theorem: Sharpened) -> Certificate:
    """Return ``V(start) <= constants``; with |grad F|^2 of the rounds before V's first."""
    given = theorem.given
    first = theorem.conditions.round.first
    oracle, states = start_method(
        theorem.method, N=given.N, K=theorem.K, S=theorem.S, noisy=given.sigma > 0, rounds=first
    )
    theorem.conditions.round.reading.coordinates(oracle, states[-1])
    words = _words(oracle, given)
    added, spare = constants(theorem.proof, "start")
    squares = [f"|{words.mean(gradient(oracle, state.x))}|^2" for state in states[:-1]]
    shown = f"{total([_potential(theorem, words, states[-1]), *squares])} <= {total(added)}"
    return _certificate(theorem, "start", words, shown, spare)


def _certificate(
    theorem: Sharpened,
    part: str,
    words: FormWriter,
    shown: str,
    spare: list[list[str]],
    hidden: HiddenParts | None = None,
    turned: dict[int, Fraction] | None = None,
) -> Certificate:
    name = f"sharpened.{theorem.method.card.id}/{part}"
    return linear(name, theorem.conditions, theorem.proof, words, part, shown, spare, hidden, turned)


def linear(
    name: str,
    asked: SquaresProblem,
    proof: SquaresProof,
    words: FormWriter,
    part: str,
    shown: str,
    spare: list[list[str]],
    hidden: HiddenParts | None = None,
    turned: dict[int, Fraction] | None = None,
) -> Certificate:
    """Return one system of a proof as a certificate of kind `linear`.

    Parameters
    ----------
    name : str
        Its id.
    asked, proof, words
        What was asked, what answers it, and the names of the basis vectors.
    part : str
        Name of the system.
    shown : str
        The relation.
    spare : list
        Terms that are left of the constants.
    hidden : Hidden, optional
        What is known where tilts were taken out of what was asked.
    turned : dict, optional
        What a tilt adds to deviations (`boundcheck.worst.theorems.generic.tilt`).
    """
    known, more = hidden or (asked.known, {})
    multipliers = {n: proof.unknowns.get(n, Fraction(0)) for n in asked.known if n[0] == part} | more
    used = {n: c for n, c in multipliers.items() if c}
    terms: list[list[Any]] = [[str(c), k] for k, c in enumerate(used.values())]
    terms += [[str(w), [text]] for block in proof.squares[part] for w, text in _squares(words, block, turned)]
    return {
        "id": name,
        "kind": "linear",
        "letters": words.letters() | {CONSTANTS[c]: ">=0" for c in proof.constants[part]},
        "given": [words.hypothesis_text(known[n]) for n in used],
        "shows": shown,
        "by": terms + spare,
    }


def _squares(
    words: FormWriter, block: SquaresBlock, turned: dict[int, Fraction] | None
) -> Iterable[tuple[Fraction, str]]:
    first = words.first
    for weight, row in block.terms:
        vector = {k: c for k, c in zip(block.chosen, row, strict=True) if c}
        if block.block == "Q" and turned is not None:
            vector[first] = vector.get(first, Fraction(0)) - sum(c * turned.get(k, 0) for k, c in vector.items())
        yield weight, words.of_block(block.block, vector)


def _end(theorem: Sharpened) -> Certificate:
    """Return ``0 <= V``, where F >= 0."""
    one, proof = theorem.conditions.round, theorem.proof
    words = _words(one.oracle, theorem.given)
    means, deviations = _coordinates(theorem, words, one.before)
    terms: list[list[Any]] = [[str(proof.unknowns["p",]), 0]]
    for block in proof.squares["end"]:
        texts = means if block.block == "P" else deviations
        for weight, row in block.terms:
            parts = [
                f"{c}*({texts[k]})" if c != 1 else texts[k]
                for k, c in zip(block.chosen, row, strict=True)
                if c and texts[k] != "0"
            ]
            # Deviations that the class leaves none of have no squares.
            terms += [[str(weight), [total(parts)]]] if parts else []
    return {
        "id": f"sharpened.{theorem.method.card.id}/end",
        "kind": "linear",
        "letters": words.letters(),
        "given": [words.hypothesis(("floor", 0))],
        "shows": f"0 <= {_potential(theorem, words, one.before)}",
        "by": terms,
    }


def _coordinates(theorem: Sharpened, words: FormWriter, state: Any) -> tuple[list[str], list[str]]:
    reading = theorem.conditions.round.reading
    means, deviations = reading.coordinates(words.oracle, state)
    return [words.mean(v) for v in means], [words.deviation(v) for v in deviations]


def _potential(theorem: Sharpened, words: FormWriter, state: Any) -> str:
    """Return V at a state as text; where it depends on a draw, in expectation and by its letters."""
    unknowns, forms = theorem.proof.unknowns, words.forms
    vectors = theorem.conditions.round.reading.coordinates(words.oracle, state)
    if forms is not None and any(words.oracle.draws_behind(v) for part in vectors for v in part):
        parts_of_v = potential(forms, words.oracle, state.x, *vectors)
        return words.form_text(FormSystem(parts_of_v, forms.scale).at(unknowns))
    means, deviations = _coordinates(theorem, words, state)
    parts = [f"{unknowns['p',]}*f{words.number(state.x)}"]
    for letter, texts in (("W", means), ("U", deviations)):
        for i, u in enumerate(texts):
            for j, v in enumerate(texts[i:], i):
                c = unknowns.get((letter, i, j))
                if c and "0" not in (u, v):
                    parts.append(f"{c}*|{u}|^2" if i == j else f"{2 * c}*<{u}, {v}>")
    return total(parts)


def constants(proof: SquaresProof, part: str) -> tuple[list[str], list[list[str]]]:
    """Return the constants of a system with their factors rounded up, and what that adds, as terms."""
    factors = {c: (exact, rounded_up(exact)) for c, exact in proof.constants[part].items()}
    added = [f"{up}*{CONSTANTS[c]}" for c, (_, up) in factors.items()]
    return added, [[str(up - exact), CONSTANTS[c]] for c, (exact, up) in factors.items() if up != exact]
