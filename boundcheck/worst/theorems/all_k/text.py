"""A theorem for all K as the file that `boundcheck verify` reads (`boundcheck.proofs.kernel.all_steps`)."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.proofs.kernel.all_steps import FORM
from boundcheck.worst.gram.units import hyperparameters
from boundcheck.worst.theorems.all_k.chain import NEXT, STAR, VALUE, ChainLemmas
from boundcheck.worst.theorems.all_k.constants import APART, MEAN
from boundcheck.worst.theorems.all_k.last import BEFORE_LAST, FIRST, LAST, LAST_NOISE, LastLemmas, LateLemmas
from boundcheck.worst.theorems.all_k.lemmas import SLOPE
from boundcheck.worst.theorems.all_k.loop import DRIFT, GRADIENT, NOISE, TURN, in_letters
from boundcheck.worst.theorems.all_k.sampled import DRAW, DRAWN_NOISE, DRAWN_ZETA, SPREAD, SampledLemmas
from boundcheck.worst.theorems.bernstein.polynomials import (
    Poly,
    add,
    constant,
    multiply,
    scale,
    shift,
    substitute,
    write_polynomial,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.worst.theorems.all_k.lemmas import Lemmas
    from boundcheck.worst.theorems.all_k.loop import LocalLoop
    from boundcheck.worst.theorems.all_k.search import AllKProof

_LETTERS = ("t", "e", "h")


def _text(p: Poly) -> str:
    return write_polynomial(p, _LETTERS)


class _LoopWords:
    """Names of the vectors of a loop, and sums of them in words."""

    def __init__(self, loop: LocalLoop) -> None:
        self.loop, self.noisy = loop, loop.given.sigma > 0

    def sort(self, name: str) -> str:
        """Return the sort of a letter."""
        return "family" if name in self.loop.families or name == TURN else "vector"

    def mean(self, name: str) -> str:
        """Return the mean of a letter."""
        return name if self.sort(name) == "vector" and name not in (DRIFT, NOISE, SLOPE) else f"mean({name})"

    def vector(self, means: Mapping[str, Poly], deviations: Mapping[str, Poly]) -> str:
        """Return a vector by its rows of means and of deviations; m stands wherever d does."""
        parts = []
        for block, row in enumerate((means, deviations)):
            for name, p in row.items():
                q = in_letters(p) if len(next(iter(p))) == 1 else p
                for own in (name, NOISE) if name == DRIFT and self.noisy else (name,):
                    word = f"({own} - mean({own}))" if block else self.mean(own)
                    parts.append(f"({_text(q)})*{word}")
        return " + ".join(parts) or f"0*{GRADIENT}"


def description(loop: LocalLoop, *, drawn: bool = False) -> dict[str, Any]:
    """Return the part of a file that says what a round does: it follows from the method's code.

    Parameters
    ----------
    loop : LocalLoop
    drawn : bool
        Whether S of N clients take part, rather than all.
    """
    found = _of_all_clients(loop)
    if not drawn:
        return found
    words = _LoopWords(loop)
    away = (
        f"{DRIFT} + {NOISE} - ({words.vector(*loop.drift)})" if words.noisy else f"{DRIFT} - ({found['loop']['drift']})"
    )
    share = shift(in_letters(loop.move[DRIFT]), (0, 0, loop.order))
    found["letters"][DRAW] = "vector"
    found["points"][1]["x"] += f" + ({_text(share)})*{DRAW}"
    known = [words.mean(n) for n in (*loop.fixed[0], DRIFT, *([NOISE] if words.noisy else []))]
    size = [f"|{DRAW}|^2", "<=", f"p*|{away} - mean({away})|^2"]
    return found | {"given": [size, *([f"<{DRAW}, {v}>", "=", "0"] for v in known)]}


def _of_all_clients(loop: LocalLoop) -> dict[str, Any]:
    words, one = _LoopWords(loop), constant(1, 3)
    letters = dict.fromkeys((GRADIENT, TURN), "family")
    letters |= {n: words.sort(n) for n in (*loop.fixed[0], *loop.fixed[1])}
    state = {"f": "f0"} | {n: n for n in dict.fromkeys((*loop.state[0], *loop.state[1]))}
    g_after = f"{GRADIENT} + ({_text(shift(one, (0, 0, loop.order)))})*{TURN}"
    nexts, starts = {"f": "f1", GRADIENT: g_after}, {"f": "f0", GRADIENT: GRADIENT}
    for n in state:
        if n not in nexts:
            nexts[n] = words.vector(*(loop.after[block].get(n, {}) for block in range(2)))
            multiples = [loop.start[block].get(n) for block in range(2)]
            starts[n] = words.vector(*({GRADIENT: p} if p else {} for p in multiples))
    move = words.vector({n: shift(in_letters(p), (0, 0, loop.order)) for n, p in loop.move.items()}, {})
    hyper = {k: str(v) for k, v in hyperparameters(loop.method).items() if k != "eta"}
    return {
        "method": {"id": loop.method.card.id, "eta": "h*e", **hyper},
        "letters": letters,
        "points": [{"x": f"0*{GRADIENT}", "f": "f0", "g": GRADIENT}, {"x": move, "f": "f1", "g": g_after}],
        "state": state,
        "next": nexts,
        "start": starts,
        "loop": {
            "fixed": list(dict.fromkeys((*loop.fixed[0], *loop.fixed[1]))),
            "drift": words.vector(*loop.drift),
            "weight": str(loop.weight),
        },
    }


class _LoopWriter(_LoopWords):
    """Writes the forms of a proof."""

    def __init__(self, proof: AllKProof) -> None:
        super().__init__(proof.lemmas.loop)
        self.proof, self.lemmas = proof, proof.lemmas

    def quadratic(self, name: str, block: int, pairs: list[tuple[str, str]], lift: int, *, double: bool) -> list[str]:
        """Return the terms of W, U or Phi: those of `double` count products of two vectors once."""
        found = []
        for a, b in pairs:
            p = self.proof.polynomial(name, a, b) if name != "Phi" else self.proof.polynomial("Phi", block, a, b)
            if p:
                words = [f"({n} - mean({n}))" if block else self.mean(n) for n in (a, b)]
                factor = scale(shift(p, (0, 0, lift)), 2 if double and a != b else 1)
                found.append(f"({_text(factor)})*<{words[0]}, {words[1]}>")
        return found

    def potential(self) -> str:
        """Return the potential at the ends of rounds."""
        parts = [f"({_text(shift(constant(1, 3), (0, 0, -self.loop.order)))})*f"]
        for block, name in enumerate("WU"):
            pairs = list(itertools.combinations_with_replacement(self.lemmas.coordinates(block), 2))
            # Deviations in U are times h.
            parts += self.quadratic(name, block, pairs, 2 * block, double=True)
        return " + ".join(parts)

    def potential_of_loop(self) -> str:
        """Return the potential along a round."""
        parts = []
        for block in range(2):
            for a, b, power in self.lemmas.pairs[block]:
                # In deviations what is fixed, and the noise, stand times h.
                lengths_of = sum(n not in (SLOPE, DRIFT) for n in (a, b)) if block else 0
                parts += self.quadratic("Phi", block, [(a, b)], power + lengths_of, double=False)
        if isinstance(self.lemmas, ChainLemmas):
            parts.append(f"({_text(self.proof.polynomial(VALUE))})*q")
        if drawn := self.proof.polynomial(DRAWN_NOISE):
            apart = f"{NOISE} - mean({NOISE})"
            parts.append(f"({_text(shift(drawn, (0, 0, 1)))})*p*<{apart}, {apart}>")
        return " + ".join(parts) or f"0*<{DRIFT}, {DRIFT}>"


def file_of(proof: AllKProof, numbers: Mapping[str, Fraction] | None = None) -> dict[str, Any]:
    """Return the file of a theorem for all K.

    Parameters
    ----------
    proof : AllKProof
    numbers : mapping, optional
        The theorem's few constants, where it has only these.
    """
    words, lemmas, loop = _LoopWriter(proof), proof.lemmas, proof.lemmas.loop
    late = isinstance(lemmas, LateLemmas)
    over = shift(constant(1, 3), (0, 0, -loop.order))
    zeta, floor, started = (proof.polynomial(name) for name in ("zeta", "floor", "G_0"))
    of_zeta = multiply(zeta, shift(constant(1, 3), (0, 0, 2)))
    drawn_zeta = shift(proof.polynomial(DRAWN_ZETA), (0, 0, 1))
    proofs: dict[str, list[list[Any]]] = {
        "round": [
            *(_near_at_end(proof) if late else _smooth_at_end(proof)),
            [["zeta", 0], _with_p(of_zeta, drawn_zeta)],
        ],
        "start": [[["Delta", 0], _text(add(over, floor))], [["floor", 0], _text(floor)], [["G0", 0], _text(started)]],
        "end": [[["floor", 0], _text(over)]],
    }
    proofs["round"] += _orthogonal(proof, "end") + _fresh(proof)
    proofs["round"] += _of_draw(lemmas, proof) if isinstance(lemmas, SampledLemmas) else []
    whole = description(loop, drawn=isinstance(lemmas, SampledLemmas))
    noises = (NOISE, LAST_NOISE) if late and lemmas.noisy else (NOISE,)
    return (
        {"form": FORM}
        | whole
        | {
            "id": f"{loop.method.card.id}, all K, all steps",
            "box": {"e": ["0", str(lemmas.largest_e[1])], "h": ["0", str(lemmas.up_to)]}
            | ({"p": ["0", "1"]} if isinstance(lemmas, SampledLemmas) else {}),
            "lengths": dict.fromkeys((*loop.fixed[1], GRADIENT, *noises, *loop.state[1]), "h"),
            "potential": words.potential(),
            "rate": _text(proof.polynomial("rate")),
            **_polyak(lemmas, over),
            "round": {"zeta2": _with_p(of_zeta, drawn_zeta)} if zeta else {},
            "first": {"Delta": _text(add(over, floor))} | ({"G0": _text(started)} if started else {}),
            "proofs": {lemma: [line for line in lines if line[1] != "0"] for lemma, lines in proofs.items()},
            "loop": whole["loop"] | _loop(words, numbers),
        }
    )


def _loop(words: _LoopWriter, numbers: Mapping[str, Fraction] | None) -> dict[str, Any]:
    """Return the potential along a round, what it says of noise, and the multipliers of one local step."""
    proof, lemmas = words.proof, words.lemmas
    found: dict[str, Any] = {"potential": words.potential_of_loop()}
    if lemmas.noisy:
        bounds = [_bound_of_noise(proof, block, numbers) for block in range(2)]
        of_draw = scale(shift(proof.polynomial(DRAWN_NOISE), (0, 0, 1)), 1 / lemmas.loop.weight**2)
        found["noise"] = {"mean": _text(bounds[0]), "deviations": _with_p(bounds[1], of_draw)}
    if isinstance(lemmas, ChainLemmas):
        return found | {"chain": True, "proofs": {"step": _near_of_step(proof)}}
    if isinstance(lemmas, LastLemmas):
        factors = (shift(proof.polynomial(LAST_NOISE, b), (0, 0, lemmas.power_of_noise(b) + 2 * b)) for b in range(2))
        found["last"] = dict(zip(("mean", "deviations"), map(_text, factors), strict=True))
    lipschitz = scale(multiply(proof.polynomial("lipschitz"), shift(constant(1, 3), (0, 1, 0))), Fraction(1, 2))
    return found | {"proofs": {"step": [[["lipschitz"], _text(lipschitz)], *_orthogonal(proof, "step")]}}


def _with_p(p: Poly, drawn: Poly) -> str:
    """Return a polynomial plus p times another one."""
    if not drawn:
        return _text(p)
    letters = (*_LETTERS, "p")
    return write_polynomial(add({(*e, 0): c for e, c in p.items()}, {(*e, 1): c for e, c in drawn.items()}), letters)


def _of_draw(lemmas: SampledLemmas, proof: AllKProof) -> list[list[Any]]:
    """Return the multipliers of the size of z, and of its products with what was known before the draw."""
    size = shift(proof.polynomial(SPREAD), (0, 0, lemmas.loop.order))
    found: list[list[Any]] = [[["given", 0], _text(size)]]
    for which, parts in enumerate(lemmas.drawn.values(), 1):
        left = add(*(scale(q, 1 if u == () else proof.values[u]) for u, q in parts.items()))
        if left:
            found.append([["given", which], _text(scale(left, -1))])
    for name in lemmas.loop.fixed[1] if lemmas.noisy else ():
        parts = {u[1:]: q for u, q in lemmas.drawn_noise.items() if u[0] == name}
        left = shift(add(*(scale(q, proof.values[u]) for u, q in parts.items())), (0, 0, 1))
        if left:
            found.append([["orthogonal", name, "deviations"], f"p*({_text(left)})"])
    return found


def _smooth_at_end(proof: AllKProof) -> list[list[Any]]:
    """Return the multipliers of smoothness between x (0) and the new x (1)."""
    one, back = constant(1, 3), proof.polynomial("back")
    over = shift(one, (0, 0, -proof.lemmas.loop.order))
    return [
        [["smooth", 0, 1], _text(multiply(add(one, back), over))],
        [["smooth", 1, 0], _text(multiply(back, over))],
    ]


def _polyak(lemmas: Lemmas, over: Poly) -> dict[str, Any]:
    """Return by which share V falls under the Polyak-Lojasiewicz condition, if it was asked to."""
    if lemmas.polyak is None:
        return {}
    return {"polyak": {"fall": _text(scale(lemmas.rho, 2 * lemmas.polyak)), "over": _text(over)}}


def _near_at_end(proof: AllKProof) -> list[list[Any]]:
    """Return the multipliers of smoothness between x (0), y_(K-1) (1) and the new x (2)."""
    one = constant(1, 3)
    over = shift(one, (0, 0, -proof.lemmas.loop.order))
    back, last, first = (proof.polynomial(name) for name in ("back", LAST, FIRST))
    value = substitute(proof.polynomial(VALUE), 0, BEFORE_LAST)
    return [
        [["near", 0, 2], _text(add(multiply(add(one, back), over), scale(value, -1)))],
        [["near", 2, 0], _text(multiply(back, over))],
        [["near", 0, 1], _text(first)],
        [["near", 1, 0], _text(first)],
        [["near", 1, 2], _text(add(last, value))],
        [["near", 2, 1], _text(last)],
    ]


def _near_of_step(proof: AllKProof) -> list[list[Any]]:
    """Return the multipliers of smoothness between x (0), y_k (1) and y_(k+1) (2)."""
    e: Poly = {(0, 1, 0): Fraction(1)}
    star, neighbours, value = (proof.polynomial(name) for name in (STAR, NEXT, VALUE))
    later = substitute(value, 0, add({(1, 0, 0): Fraction(1)}, e))
    return [
        [["near", 0, 2], _text(add(multiply(star, e), later, scale(value, -1)))],
        [["near", 2, 0], _text(multiply(star, e))],
        [["near", 1, 2], _text(add(value, shift(neighbours, (0, -1, 0))))],
        [["near", 2, 1], _text(shift(neighbours, (0, -1, 0)))],
    ]


def _bound_of_noise(proof: AllKProof, block: int, numbers: Mapping[str, Fraction] | None) -> Poly:
    """Return what the theorem says of the factors of noises, before b^2."""
    if not proof.lemmas.noisy:
        return {}
    if numbers is None:
        return scale(proof.noise(block), 1 / proof.lemmas.loop.weight**2)
    name, power = ((MEAN, proof.lemmas.noise_power), (APART, 2))[block]
    if name not in numbers:
        return {}
    return shift(constant(numbers[name] / proof.lemmas.loop.weight**2, 3), (0, 0, power))


def _orthogonal(proof: AllKProof, where: str) -> list[list[Any]]:
    """Return by what products of noise with fixed vectors are multiplied."""
    lemmas = proof.lemmas
    if not lemmas.noisy or isinstance(lemmas, ChainLemmas):
        return []
    found = []
    for block in range(2):
        for name in lemmas.loop.fixed[block]:
            total = _multiplier_of_noise(proof, ("orthogonal", where, block, name), (block, name, NOISE))
            if where == "step":
                total = multiply(total, {(0, 1, 0): Fraction(1)})
            if total:
                found.append([["orthogonal", name, _BLOCKS[block]], _text(total)])
    return found


def _fresh(proof: AllKProof) -> list[list[Any]]:
    """Return by what products of the last noise with what was known before it are multiplied."""
    found = []
    for block, name, noise in proof.lemmas.dropped:
        total = _multiplier_of_noise(proof, ("fresh", block, name), (block, name, noise))
        if noise == LAST_NOISE and total:
            found.append([["fresh", name, _BLOCKS[block]], _text(total)])
    return found


_BLOCKS = ("mean", "deviations")


def _multiplier_of_noise(proof: AllKProof, unknown: tuple[Any, ...], product: tuple[int, str, str]) -> Poly:
    """Return by what a product that is 0 is multiplied: what was taken out of a form, and what was put in its place."""
    lemmas, (block, name, _) = proof.lemmas, product
    # A form with this product added is a sum of squares: the product, times -p, is taken off what is known.
    parts = [scale(shift(proof.polynomial(*unknown), (0, 0, lemmas.power_of_noise(block))), -1)]
    if "step" not in unknown:
        parts += [scale(q, 1 if u == () else proof.values[u]) for u, q in lemmas.dropped[product].items()]
    # Deviations of what is fixed and of noise stand times h; of d and of v as they are.
    lift = block * (1 if name in (DRIFT, SLOPE) else 2)
    return shift(add(*parts), (0, 0, lift))
