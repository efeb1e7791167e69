"""A round as a file describes it, and what is known of it: the words of which lemmas are made."""

import ast
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from .boxes import Box, minus, require, require_nonnegative, scope_of
from .certificates import LEAST, WORK, CertificateScope, Poly, WorkLimit, _tree, add, is_printable, multiply

_LOOP = {"chain", "last", "fixed", "drift", "weight", "potential", "noise", "proofs"}
_END = re.compile(r"[0-9]{1,50}(/0{0,9}[1-9][0-9]{0,50})?")
_CONSTANTS = ("zeta2", "sigma2", "sigma2_mean", "sigma2_apart", "Delta", "G0", "U0")


def substitute_letter(p: Poly, letter: str, value: Poly) -> Poly:
    """Return a polynomial with a value in the place of a letter, in which nothing is divided by it."""
    others = {g for m in p for g, _ in m} - {letter}
    require(not any(re.search(rf"\b{letter}\b", g) for g in others), f"a divisor with {letter}")
    by_power: dict[int, Poly] = {}
    for m, c in p.items():
        rest = tuple(factor for factor in m if factor[0] != letter)
        by_power.setdefault(dict(m).get(letter, 0), {})[rest] = c
    require(min(by_power, default=0) >= 0, f"a divisor with {letter}")
    found: Poly = {}
    for k in range(max(by_power, default=0), -1, -1):
        found = add(multiply(found, value), by_power.get(k, {}))
    return found


def letters_in(text: str) -> set[str]:
    """Return the letters that an expression names."""
    tree = _tree(text)
    functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in functions}


def marks_of(v: Poly) -> set[str]:
    """Return what a vector has of a family: ``~`` for a mean, ``~~`` for what deviates from it; "" for a number."""
    return {next(("~~" if g[:2] == "~~" else "~" for g, _ in m if g[0] == "~"), "") for m in v}


class Description:
    """A round: letters, points, states, the potential, and what may be used of them."""

    def __init__(self, theorem: Mapping[str, Any]) -> None:
        WorkLimit.left = WORK  # Each theorem has its own, whatever was read before it.
        require(is_printable(theorem), "a character that is not printable")
        self.theorem = theorem
        self.loop: Mapping[str, Any] = theorem.get("loop", {})
        require(set(self.loop) <= _LOOP, f"keys of the loop that are not legal: {sorted(set(self.loop) - _LOOP)}")
        self.box: Box = {}
        for letter, ends in theorem["box"].items():
            require(
                len(ends) == 2 and all(isinstance(end, str) and _END.fullmatch(end) for end in ends),
                f"{letter}: a range {ends!r}, not two texts like '0' and '1/2'",
            )
            low, high = map(Fraction, ends)
            require(low < high, f"{letter}: a range {low} to {high}")
            self.box[letter] = low, high
        legal = {"vector", "family", ">=0"}
        require(set(theorem["letters"].values()) <= legal, f"letters are {', '.join(sorted(legal))}")
        for name in theorem["state"]:
            require(re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII), f"{name!r} is no name of a part of the state")
        sorts = dict.fromkeys(self.box, ">0") | dict.fromkeys(_CONSTANTS, ">=0") | dict(theorem["letters"])
        sorts |= {point["f"]: "" for point in theorem["points"]}
        named = [*self.box, *_CONSTANTS, *theorem["letters"], *(point["f"] for point in theorem["points"])]
        require(len(named) == len(set(named)), "a name stands for two things")
        self.chain = bool(self.loop.get("chain"))
        self.last = "last" in self.loop
        require(not (self.chain and self.last), "a chain has its last step in the lemma round, and no noise to say")
        self.near: list[tuple[Poly, Poly, Poly]] = []
        if self.loop:
            most = Fraction(1, 2) if self.ends_late else Fraction(1)
            drawn = {} if self.ends_late else {"p": (Fraction(0), Fraction(1))}
            require(
                [*self.box][:2] == ["e", "h"] and self.box["e"] == (Fraction(0), most),
                f"a loop has the letters e, from 0 to {most}, and h",
            )
            rest = {letter: ends for letter, ends in self.box.items() if letter not in ("e", "h")}
            require(not rest or rest == drawn, "the third letter of a loop is p, from 0 to 1, for a draw of clients")
            require(not set("cdmnqrvst") & set(sorts), "c, d, m, n, q, r, v, s and t are letters of the loop")
            require(not (self.chain and "noise" in self.loop), "a chain has no noise")
            known = set(theorem["state"].values())
            require(set(self.loop["fixed"]) <= known, "what is fixed in a round is part of the state before it")
            self._require_letters("drift", self.loop["drift"], {*self.box, *self.loop["fixed"]})
            self._require_letters("weight", self.loop["weight"], {*self.box})
            sorts |= {"s": ">=0", "t": ">=0"} | dict.fromkeys("dmnvc", "family") | dict.fromkeys("qr", "")
        self.scope: CertificateScope = scope_of(sorts)
        self.names = dict(self.scope.names)
        if self.loop and "noise" not in self.loop:
            # No noise: what it would be is 0.
            self.names |= {"m": {}, "n": {}}
        constant = {*self.box, *_CONSTANTS}
        self._require_letters("potential", theorem["potential"], constant | set(theorem["state"]))
        printed = [point["x"] for point in theorem["points"]]
        for left, sign, right in theorem.get("given", ()):
            require(sign in ("<=", "="), f"given {left}: {sign!r} is neither <= nor =")
            printed += left, right
        for text in printed:  # also where no lemma uses it
            self.read(text)
        self._require_open()
        if self.loop:
            self._require_potential_of_what_is_known()

    def _require_letters(self, what: str, text: str, known: set[str]) -> None:
        """Refuse a text with other letters than those that stay what they are, from round to round or in a round."""
        others = letters_in(text) - known
        require(not others, f"the {what} has {', '.join(sorted(others))}, which may be another vector each time")

    def _require_open(self) -> None:
        """Refuse a text that says what a gradient or a vector of the state is: it may be anything.

        Each has a letter of its own, in none of the texts before, times a product of letters of the box, which is not
        0: whatever a run has there, the letters can be chosen so, one after the other.  A gradient is one for each
        client.  A state may be a deviation, shared by the clients, or a number >= 0: then it starts as one, and a round
        hands one on.
        """
        before = set("cdmnqrv") if self.loop else set[str]()
        state = {name: text for name, text in self.theorem["state"].items() if name not in ("f", "g")}
        gradients = {f"the gradient of point {k}": point["g"] for k, point in enumerate(self.theorem["points"])}
        names = self.after_last_step() if self.ends_late else None
        for what, text in [*gradients.items(), *state.items()]:
            own = self._letters_of_its_own(text, before)
            if what in gradients:
                own = {letter: marks for letter, marks in own.items() if marks == {"~", "~~"}}
            require(own, f"{what} is said to be {text!r}: there is no letter that makes it any vector")
            one_term = len(self.read(text)) == 1
            for when in ("state", "start", "next") if what in state else ():
                value = self.read(self.theorem[when][what], names)
                legal = one_term and self.scope.signs(value) <= LEAST
                fits = any(marks_of(value) <= marks and (legal or marks != {""}) for marks in own.values())
                require(fits, f"{what} is said to be {text!r}, not as at the {when}: {self.theorem[when][what]!r}")
            before |= letters_in(text)

    def _letters_of_its_own(self, text: str, before: set[str]) -> dict[str, set[str]]:
        """Return the letters of a text that are in none before, each once, with the marks of what of them there is."""
        factors: dict[str, list[bool]] = {}
        for monomial in self.read(text):
            for generator, power in monomial:
                others = {g for g, _ in monomial if g != generator}
                factors.setdefault(generator, []).append(power == 1 and others <= set(self.box))
        found: dict[str, set[str]] = {}
        for generator, once in factors.items():
            letter = generator.lstrip("~")
            if letter in self.theorem["letters"] and letter not in before and once == [True]:
                found.setdefault(letter, set()).add(generator[: -len(letter)])
        return found

    def _require_potential_of_what_is_known(self) -> None:
        """Refuse a potential along a round of vectors that are not known at y_k: they may depend on later noise."""
        known = {*self.box, "t", *self.loop["fixed"], *(("d", "v", "q") if self.chain else ("d", "m"))}
        letters = {x for m in self.read(self.loop["potential"]) for g, _ in m for x in re.findall(r"[A-Za-z_]\w*", g)}
        require(
            letters <= known, f"the potential of the loop has {', '.join(sorted(letters - known))}, not known at y_k"
        )

    def read(self, text: object, names: Mapping[str, Poly] | None = None) -> Poly:
        """Return the polynomial that a text spells."""
        require(isinstance(text, str), f"{text!r} is not a text")
        values = dict(names or {})
        t = values.pop("t", None)  # read as a letter, so that its powers are not multiplied out time and again
        p = self.scope.read(str(text), self.names | values)
        return p if t is None else substitute_letter(p, "t", t)

    def square(self, v: Poly) -> Poly:
        """Return the square of the norm, averaged over the clients."""
        return self.scope.dot(v, v)

    def mean(self, v: Poly) -> Poly:
        """Return the mean over the clients."""
        return {m: c for m, c in v.items() if not any(g.startswith("~~") for g, _ in m)}

    def potential(self, state: Mapping[str, Any], names: Mapping[str, Poly] | None = None) -> Poly:
        """Return V where every letter of the state is replaced."""
        names = self.after_last_step() if names is None and self.ends_late else names
        require(set(state) == set(self.theorem["state"]), f"the state is {sorted(self.theorem['state'])}")
        return self.read(self.theorem["potential"], {name: self.read(text, names) for name, text in state.items()})

    def constants(self, which: str) -> tuple[Poly, list[str]]:
        """Return a sum of constants with factors that are not negative."""
        parts: list[Poly] = []
        for letter, factor in self.theorem[which].items():
            require(letter in _CONSTANTS, f"{letter} is no constant")
            p = self.read(factor)
            require_nonnegative(f"{which}: factor of {letter}", p, self.box)
            parts.append(multiply(p, self.read(letter)))
        return add(*parts), list(self.theorem[which])

    def facts(self, lemma: str, allowed: set[str]) -> list[tuple[Poly, Poly, bool]]:
        """Return what a lemma multiplies: what is true of smooth functions at the points of a round."""
        found = []
        for (kind, *about), multiplier in self.theorem["proofs"][lemma]:
            require(kind in allowed, f"{lemma}: {kind!r} is not known there, but {sorted(allowed)}")
            what, equal = self.hypothesis(kind, about)
            found.append((self.read(multiplier), what, equal))
        return found

    def hypothesis(self, kind: str, about: list[Any]) -> tuple[Poly, bool]:
        """Return what is at least 0, or 0."""
        if kind in ("orthogonal", "fresh"):
            vector, block = about
            known = [*self.loop.get("fixed", ()), *("dmv" if kind == "fresh" else "")]
            require(vector in known, f"{kind}: {vector} is not known before: {', '.join(known)}")
            u, noise = self.read(vector), self.names["m" if kind == "orthogonal" else "n"]
            both = [self.mean(v) if block == "mean" else add(v, minus(self.mean(v))) for v in (u, noise)]
            return self.scope.dot(both[0], both[1]), True
        require(all(type(k) is int and k >= 0 for k in about), f"{kind} of {about}")
        if kind == "given":
            (which,) = about
            left, sign, right = self.theorem["given"][which]
            return add(self.read(right), minus(self.read(left))), sign == "="
        if kind == "near":
            (xa, fa, ga), (xb, fb, gb) = (self.near[k] for k in about)
            return self.smooth((xa, xb), (fa, fb), (ga, gb)), False
        points = [self.theorem["points"][k] for k in about]
        require(all(type(k) is int and k >= 0 for k in about), f"{kind} of {about}")
        names = self.after_last_step() if self.ends_late else None
        x, f, g = ([self.read(point[what], names) for point in points] for what in "xfg")
        if kind == "smooth":
            return self.smooth(x, f, g), False
        (x0,), (f0,), (g0,) = x, f, g
        require(x0 == self.mean(x0), f"{kind} at point {about}: the clients are apart there")
        if kind == "zeta":
            return add(self.read("zeta2"), minus(self.square(add(g0, minus(self.mean(g0)))))), False
        if kind == "floor":
            return add(f0, multiply({(): Fraction(-1, 2)}, self.square(self.mean(g0)))), False
        if kind == "polyak":
            require("mu" in self.box and self.box["mu"][1] <= 1, "mu is a letter of the box, at most 1")
            twice = multiply({(): Fraction(2)}, multiply(self.names["mu"], f0))
            return add(self.square(self.mean(g0)), minus(twice)), False
        if kind in ("Delta", "G0"):
            require(about == [0], f"{kind} is known of the first point alone")
        if kind == "Delta":
            return add(self.read("Delta"), minus(f0)), False
        if kind == "size":
            return add(self.read("U0"), minus(self.square(self.read("u")))), False
        require(kind == "G0", f"{kind!r} is no hypothesis")
        return add(self.read("G0"), minus(self.square(g0))), False

    def smooth(self, x: Sequence[Poly], f: Sequence[Poly], g: Sequence[Poly]) -> Poly:
        """Return f_a - f_b - <g_a + g_b, x_a - x_b>/2 - |g_a - g_b|^2/4 + |x_a - x_b|^2/4, at least 0 for L = 1."""
        apart, turned = add(x[0], minus(x[1])), add(g[0], minus(g[1]))
        half: Poly = {(): Fraction(1, 2)}
        quarter: Poly = {(): Fraction(1, 4)}
        slope = multiply(half, self.scope.dot(add(*g), apart))
        bends = multiply(quarter, add(self.square(turned), minus(self.square(apart))))
        return add(f[0], minus(f[1]), minus(slope), minus(bends))

    @property
    def ends_late(self) -> bool:
        """Whether the lemma ``round`` speaks of y_(K-1), and has the last local step in it."""
        return self.chain or self.last

    def after_last_step(self) -> dict[str, Poly]:
        """Return what d and m are one step later than at y_(K-1), with n for e times the noise of that step."""
        weight = self.read(self.loop["weight"])
        slope = multiply(multiply(self.names["e"], weight), self.names["v"])
        d, m = add(self.names["d"], minus(slope)), add(self.names["m"], multiply(weight, self.names["n"]))
        return {"d": d, "m": m}
