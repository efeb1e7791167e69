"""A theorem for all steps: its lemmas are written from the description of a round, and shown one by one.

What is said of a run, in units in which L = 1, F = mean of f_i >= 0, all in expectation:

* one round takes a state (F(x), gradients at x, vectors of the server and of the clients) to the next one, by formulas
  in the description;
* a potential V of the state falls: V(next) + rate |grad F(x)|^2 <= V(state) + constants (the lemma ``round``);
* V(start) <= constants (``start``) and 0 <= V (``end``).

Summed over T rounds: mean_t E|grad F(x_t)|^2 <= (constants of the start/T + constants of a round)/rate.

Where a file says ``polyak``, V = over F + R with R >= 0, the lemma ``round`` holds with (1 - fall) R in the place of
R, and fall * over <= 2 rate.  Where |grad F|^2 >= 2 mu F, mu <= 1, then V(next) <= (1 - mu fall) V + constants.

A file may state further hypotheses of its round (``given``), which are printed with it. Where it says
a ``fall`` in the place of a rate, |grad F|^2 >= 2 mu F is one of them, V(next) <= (1 - fall) V + constants, and what is
measured is at most V: a geometric sum says how it falls.

A round with any number K of local steps has a potential of its own, Phi(t; d, m), t = k/K, e = 1/K.  With h = eta K,

    y_0 = x,   y_k - x = h (-t D + d_k + m_k),   d_(k+1) = d_k - e b v_k,   m_(k+1) = m_k + e b n_k,

where D is what a step adds at x, v_k = grad f_i(y_k) - grad f_i(x), n_k the noise of a sample and b a number.  Then

* ``first``:  Phi(e; 0, e b n) <= Phi of the noise alone, for K >= 1;
* ``step``:   Phi(t + e; d - e b v, m + e b n) <= Phi(t; d, m) + Phi(t + e) of e b n alone, for K >= 2, t = e .. 1 - e;
* by induction on k, Phi(1; d_K, m_K) is at most the sum of the noises' parts, and the lemma ``round`` pays Phi(1).

Where S of N clients are drawn, p = (N - S)/(S (N - 1)) is a letter, and the next x has what the draw adds, of which
the file states the size and the orthogonality (``given``): p stands in the lemma ``round`` and in the sum of noises.

A *chain* has no noise, and K >= 2. Phi sees v_k too, and F_k = mean of f_i(y_k) - f_i(x) - <grad f_i(x), y_k - x>:
functions less their linear part at x are L-smooth as well. Hypotheses are smoothness between x, y_k and y_(k+1), with
v_(k+1) = v_k + e c, and at the end between x, y_(K-1) and the next x, where d_K = d - e b v.

A loop with ``last`` has its last local step in the lemma ``round``, too, and K >= 2: that pays Phi(1 - e) of y_(K-1),
where d_K = d - e b v and m_K = m + b n, n being e times the last noise, whose square is paid by the factors that
``last`` says.  Hypotheses are as at the end of a chain.  The last noise is drawn after all but the next x is known:
it is orthogonal to d, m, v of y_(K-1) and to what is fixed (``fresh``), not to the gradient at the next x.

Noise is orthogonal to all that was known before it, independent over clients, and of variance at most sigma2; what is
known of v_k is |v_k|^2 <= |y_k - x|^2, on average over the clients.
"""

import json
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

from .boxes import (
    Box,
    LemmaError,
    Numbers,
    bernstein,
    clear_denominators,
    in_letters,
    limits,
    minus,
    require,
    require_nonnegative,
    show,
)
from .certificates import Poly, add, multiply
from .description import Description, substitute_letter

FORM = "boundcheck theorem for all steps, 1"
"""What a file says that it is."""
_KEYS = {
    "form", "id", "method", "box", "letters", "lengths", "points", "state", "start", "next", "potential", "rate",
    "round", "first", "proofs", "loop", "says", "given", "fall", "measured", "polyak",
}  # fmt: skip
_BYTES = 20_000_000


def is_stepwise(file: Path) -> bool:
    """Whether a file says that it is a theorem for all steps."""
    if file.suffix != ".json" or not file.is_file():
        return False
    with file.open("rb") as opened:
        return FORM.encode() in opened.read(_BYTES)


def check_file(file: Path) -> list[str]:
    """Return what a file states, line by line, once it is shown.

    Raises
    ------
    ValueError
        With what is not shown, or not legal.
    """
    with file.open("rb") as opened:
        data = opened.read(_BYTES + 1)
    require(len(data) <= _BYTES, f"more than {_BYTES} bytes")
    found = json.loads(data)
    return [line for theorem in (found if isinstance(found, list) else [found]) for line in check(theorem)]


def check(theorem: Mapping[str, Any]) -> list[str]:
    """Return what a theorem states, line by line, once all its lemmas are shown.

    Raises
    ------
    ValueError
        With the lemma and what is not shown, or what is not legal.
    """
    require(isinstance(theorem, dict) and theorem.get("form") == FORM, f"not a {FORM!r}")
    require(set(theorem) <= _KEYS, f"keys that are not legal: {sorted(set(theorem) - _KEYS)}")
    return StepwiseTheorem(theorem).check()


class StepwiseTheorem(Description):
    """A description, and its lemmas."""

    def check(self) -> list[str]:
        """Show all lemmas and return what is stated."""
        require(("rate" in self.theorem) != ("fall" in self.theorem), "either a rate or a fall is said")
        if "fall" in self.theorem:
            require(not self.loop, "a fall goes with one round, without a loop")
            fall = in_letters("fall", self.read(self.theorem["fall"]), self.box)
            require(
                len(fall) == 1 and min(fall.values()) > 0, "a fall is a positive multiple of one product of letters"
            )
            require_nonnegative("1 - fall", self._left_over(), self.box)
        else:
            require_nonnegative("rate", self.read(self.theorem["rate"]), self.box, strictly=True)
        lines = self._round() + self._start() + self._end()
        lines += self._polyak() if "polyak" in self.theorem else []
        if self.loop:
            lines += self._start_of_chain() + self._step_of_chain() if self.chain else self._first() + self._step()
            lines += self._noise()
        return [json.dumps(self.theorem["id"]), *self._describe(), *lines, *self._conclusion()]

    def _before_last(self) -> Poly:
        """Return t of y_(K-1)."""
        return add({(): Fraction(1)}, minus(self.names["e"]))

    def _local_place(self, t: Poly, d: Poly) -> Poly:
        """Return y - x at t."""
        away = add(minus(multiply(t, self.read(self.loop["drift"]))), d)
        return multiply(self.names["h"], away)

    def _points_at_end(self) -> list[tuple[Poly, Poly, Poly]]:
        """Return x, y_(K-1) and the new x, of the functions less their linear part at x: value and gradient 0 there."""
        names = self.after_last_step()
        here, there = self.theorem["points"][:2]
        x, g = self.read(there["x"], names), add(self.read(there["g"]), minus(self.read(here["g"])))
        linear = self.scope.dot(self.read(here["g"]), x)
        value = add(self.read(there["f"]), minus(self.read(here["f"])), minus(linear))
        place = self._local_place(self._before_last(), add(self.names["d"], self.names["m"]))
        return [({}, {}, {}), (place, self.names["q"], self.names["v"]), (x, value, g)]

    def _start_of_chain(self) -> list[str]:
        nothing: dict[str, Poly] = {"t": {}, "d": {}, "v": {}, "q": {}}
        show("first", minus(self.read(self.loop["potential"], nothing)), [], self.box, lengths=self._lengths())
        return ["  first: Phi(0; 0, 0, 0) <= 0"]

    def _step_of_chain(self) -> list[str]:
        e, s = self.names["e"], self.names["s"]
        t = add(s, multiply({(): Fraction(-2)}, multiply(e, s)))
        later = add(t, e)
        d = self.after_last_step()["d"]
        slope = add(self.names["v"], multiply(e, self.names["c"]))
        after = self.read(self.loop["potential"], {"t": later, "d": d, "v": slope, "q": self.names["r"]})
        goal = add(self.read(self.loop["potential"], {"t": t}), minus(after))
        here = (self._local_place(t, self.names["d"]), self.names["q"], self.names["v"])
        self.near = [({}, {}, {}), here, (self._local_place(later, d), self.names["r"], slope)]
        known = []
        for (kind, *about), multiplier in self.loop["proofs"]["step"]:
            require(kind == "near", f"step: {kind!r} is not known there")
            what, equal = self.hypothesis(kind, about)
            known.append((self.read(multiplier, {"t": t}), what, equal))
        box: Box = {"s": (Fraction(0), Fraction(1)), "e": (Fraction(0), Fraction(1, 2)), "h": self.box["h"]}
        show("step", goal, known, box, lengths=self._lengths())
        return ["  step: Phi(t + e; d - e b v, v + e c, F_(k+1)) <= Phi(t; d, v, F_k), for K >= 2 and t = 0 .. 1 - 2 e"]

    def _left_over(self) -> Poly:
        """Return what a round leaves of the potential."""
        return add({(): Fraction(1)}, minus(self.read(self.theorem["fall"])))

    def round_goal(self) -> Poly:
        """Return what the lemma ``round`` shows to be at least 0."""
        first, _ = self._numbers(self.theorem["state"], self.theorem["next"])
        constants, _ = self.constants("round")
        here, after = self.potential(self.theorem["state"]), self.potential(self.theorem["next"])
        if "fall" in self.theorem:
            return add(multiply(self._left_over(), here), constants, minus(after))
        gradient = self.mean(self.read(self.theorem["points"][first]["g"]))
        paid = multiply(self.read(self.theorem["rate"]), self.square(gradient))
        if "polyak" in self.theorem:
            here = add(here, minus(multiply(self.read(self.theorem["polyak"]["fall"]), self._rest())))
        return add(here, constants, minus(after), minus(paid))

    def _rest(self) -> Poly:
        """Return R, what V has beside F times its factor."""
        over = multiply(self.read(self.theorem["polyak"]["over"]), self.read(self.theorem["state"]["f"]))
        return add(self.potential(self.theorem["state"]), minus(over))

    def _polyak(self) -> list[str]:
        """Show that V = over F + R, 0 <= R, falls by the share mu fall where |grad F|^2 >= 2 mu F, mu <= 1."""
        said = self.theorem["polyak"]
        require(set(said) == {"fall", "over"} and "fall" not in self.theorem, "a fall is said once, with its over")
        fall, over = self.read(said["fall"]), self.read(said["over"])
        monomial = in_letters("fall", fall, self.box)
        require(len(monomial) == 1 and min(monomial.values()) > 0, "a fall is a positive number times letters")
        require_nonnegative("over", over, self.box, strictly=True)
        require_nonnegative("1 - fall", add({(): Fraction(1)}, minus(fall)), self.box)
        twice = multiply({(): Fraction(2)}, self.read(self.theorem["rate"]))
        require_nonnegative("2 rate - fall over", add(twice, minus(multiply(fall, over))), self.box)
        show("polyak", self._rest(), [], self.box, lengths=self._lengths())
        return ["  polyak: V = over F + R, 0 <= R, and R stands times 1 - fall in the lemma round"]

    def _round(self) -> list[str]:
        first, last = self._numbers(self.theorem["state"], self.theorem["next"])
        _, free = self.constants("round")
        require(
            set(free) <= ({"zeta2"} if self.loop else {"zeta2", "sigma2_mean", "sigma2_apart"}),
            "a round's constants are zeta2, and noise; that of a loop is said by the loop",
        )
        goal = self.round_goal()
        allowed = {"smooth", "zeta"}
        if self.loop:
            goal = add(goal, self.left_by_loop())
            allowed |= {"near"} if self.ends_late else set()
            allowed |= set() if self.chain else {"orthogonal", "fresh"} if self.last else {"orthogonal"}
        else:
            allowed |= {"polyak"} if "fall" in self.theorem else set()
        if self.theorem.get("given"):
            require(not self.loop or "p" in self.box, "a loop has hypotheses of its own where clients are drawn alone")
            allowed |= {"given"}
        known = self.facts("round", allowed)
        show("round", goal, known, self.box, constants=free, lengths=self.theorem.get("lengths"))
        said = " + Phi(1; d, m)" if self.loop else ""
        said = " + Phi(1 - e; d, v, F)" if self.chain else " + Phi(1 - e; d, m) + last of n" if self.last else said
        if "fall" in self.theorem:
            return [f"  round: V(next) <= (1 - ({self.theorem['fall']})) V + constants; next is {last}"]
        return [
            f"  round: V(next) + ({self.theorem['rate']}) |grad F(x_{first})|^2 <= V + constants{said}; next is {last}"
        ]

    def left_by_loop(self) -> Poly:
        """Return what the local steps leave to the lemma ``round``: Phi, and the last noise."""
        t: Poly = self._before_last() if self.ends_late else {(): Fraction(1)}
        left = self.phi(t, self.names["d"], self.names["m"])
        if self.ends_late:
            self.near = self._points_at_end()
        return add(left, self._last_noise()) if self.last else left

    def _factor_of_last(self, block: str) -> Poly:
        """Return what stands before the square of the last noise, of means or deviations, over b^2."""
        require(set(self.loop["last"]) == {"mean", "deviations"}, "last says two factors: mean and deviations")
        p = self.read(self.loop["last"][block])
        require_nonnegative(f"last: factor of {block}", p, self.box)
        return p

    def _last_noise(self) -> Poly:
        """Return what is paid for the last noise in the lemma ``round``."""
        noise = multiply(self.read(self.loop["weight"]), self.names["n"])
        mean = self.mean(noise)
        parts = (("mean", mean), ("deviations", add(noise, minus(mean))))
        return add(*(multiply(self._factor_of_last(block), self.square(v)) for block, v in parts))

    def _numbers(self, state: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[int, int]:
        """Return the numbers of x and of the next x: points with the values and gradients that the states say."""
        found = []
        for one in (state, after):
            pairs = [(self.read(p["f"]), self.read(p["g"])) for p in self.theorem["points"]]
            wanted = self.read(one["f"]), self.read(one["g"])
            require(wanted in pairs, "the state is at none of the points")
            found.append(pairs.index(wanted))
        x, after_x = (self.read(self.theorem["points"][k]["x"]) for k in found)
        require(not x and found[0] == 0, "the first point is x, from which all are measured")
        require(after_x == self.mean(after_x), "the next x is one point for all clients")
        return found[0], found[1]

    def start_goal(self) -> Poly:
        """Return what the lemma ``start`` shows to be at least 0."""
        return add(self.constants("first")[0], minus(self.potential(self.theorem["start"])))

    def end_goal(self) -> Poly:
        """Return what the lemma ``end`` shows to be at least 0."""
        measured = minus(self.read(self.theorem["measured"])) if "fall" in self.theorem else {}
        return add(self.potential(self.theorem["state"]), measured)

    def _start(self) -> list[str]:
        _, free = self.constants("first")
        require(set(free) <= {"Delta", "G0", "zeta2", "U0"}, "the constants of the start are Delta, G0, U0 and zeta2")
        start = self.theorem["start"]
        require(
            start["f"] == self.theorem["state"]["f"] and start["g"] == self.theorem["state"]["g"], "the start is at x"
        )
        goal = self.start_goal()
        known = self.facts("start", {"zeta", "floor", "Delta", "G0", "size"})
        show("start", goal, known, self.box, constants=free, lengths=self.theorem.get("lengths"))
        return ["  start: V(start) <= constants"]

    def _end(self) -> list[str]:
        known = self.facts("end", {"floor"})
        show("end", self.end_goal(), known, self.box, constants=self.numbers(), lengths=self._lengths())
        return [f"  end: {self.theorem['measured']} <= V" if "fall" in self.theorem else "  end: 0 <= V"]

    def numbers(self) -> list[str]:
        """Return the letters beside the box that are numbers: they are >= 0."""
        return [name for name, sort in self.theorem["letters"].items() if sort == ">=0"]

    def phi(self, t: Poly, d: Poly, m: Poly, fixed: Mapping[str, Poly] | None = None) -> Poly:
        """Return Phi at t, with vectors in the place of d, m and those that are fixed in a round."""
        return self.read(self.loop["potential"], {"t": t, "d": d, "m": m} | dict(fixed or {}))

    def alone(self, t: Poly, noise: Poly) -> Poly:
        """Return what Phi is of noise alone."""
        return self.phi(t, {}, noise, {name: {} for name in self.loop["fixed"]})

    def _first(self) -> list[str]:
        # What Phi is without any vector would be added in each step, and be counted in none.
        require(not self.alone(self.names["t"], {}), "Phi is not 0 where all vectors are")
        e = self.names["e"]
        noise = multiply(multiply(e, self.read(self.loop["weight"])), self.names["n"])
        goal = add(self.alone(e, noise), minus(self.phi(e, {}, noise)))
        show("first", self.without_noise(goal), [], self.box, lengths=self._lengths())
        return [f"  first: Phi(e; 0, e b n) <= its part of n, for every K >= {self._least_k}"]

    def _step(self) -> list[str]:
        e, s, h = (self.names[letter] for letter in "esh")
        # t = k/K for k = 1 .. K - 1; where the last step is part of the lemma round, to K - 2.
        left_out = 3 if self.last else 2
        t = add(e, s, multiply({(): Fraction(-left_out)}, multiply(e, s)))
        by = multiply(e, self.read(self.loop["weight"]))
        d = add(self.names["d"], minus(multiply(by, self.names["v"])))
        noise = multiply(by, self.names["n"])
        m = add(self.names["m"], noise)
        goal = add(self.phi(t, self.names["d"], self.names["m"]), self.alone(add(t, e), noise))
        goal = self.without_noise(add(goal, minus(self.phi(add(t, e), d, m))))
        box: Box = {"s": (Fraction(0), Fraction(1)), "e": (Fraction(0), Fraction(1, left_out)), "h": self.box["h"]}
        away = add(minus(multiply(t, self.read(self.loop["drift"]))), self.names["d"], self.names["m"])
        lipschitz = add(multiply(multiply(h, h), self.square(away)), minus(self.square(self.names["v"])))
        known = []
        for (kind, *about), multiplier in self.loop["proofs"]["step"]:
            require(kind in ("lipschitz", "orthogonal"), f"step: {kind!r} is not known there")
            what, equal = (lipschitz, False) if kind == "lipschitz" else self.hypothesis(kind, about)
            known.append((self.read(multiplier, {"t": t}), what, equal))
        show("step", goal, known, box, lengths=self._lengths())
        where = f"K >= {left_out}, t = e .. 1 - {'2 e' if self.last else 'e'}"
        return [f"  step: Phi(t + e; d - e b v, m + e b n) <= Phi(t; d, m) + its part of n, for {where}"]

    @property
    def _least_k(self) -> int:
        """The least number of local steps."""
        return 2 if self.ends_late else 1

    def _lengths(self) -> Mapping[str, str] | None:
        lengths: Mapping[str, str] | None = self.theorem.get("lengths")
        return lengths

    def without_noise(self, p: Poly) -> Poly:
        """Return a form without products of the step's noise with what was known before it: they are 0 on average."""
        found: Poly = {}
        for m, c in p.items():
            pairs = [set(g.strip("<>").replace("~", "").split(", ")) for g, _ in m if g.startswith("<")]
            if not any("n" in pair and pair != {"n"} for pair in pairs):
                found[m] = c
        return found

    def _noise(self) -> list[str]:
        if "noise" not in self.loop:
            return []
        return self._sum_noise()

    def _sum_noise(self) -> list[str]:
        """Show what the noises of a round add: e b^2 sigma2 times means over k of the factors of |m|^2 in Phi."""
        t = self.names["t"]
        box: Box = {"t": (Fraction(0), Fraction(1)), **self.box}
        factors = self.alone(t, self.names["m"])
        for block, mark in (("mean", "~"), ("deviations", "~~")):
            pair = f"<{mark}m, {mark}m>"
            parts = {tuple(f for f in m if f[0] != pair): c for m, c in factors.items() if (pair, 1) in m}
            require_nonnegative(f"noise: factor of {block}", parts, box)
            sums = faulhaber(in_letters("noise", parts, box))
            if self.last:
                # The last noise is paid by its own factor, in the place of the one at t = 1.
                instead = add(self._factor_of_last(block), minus(substitute_letter(parts, "t", {(): Fraction(1)})))
                for k, more in in_letters("noise", multiply(self.names["e"], instead), self.box).items():
                    sums[k] = sums.get(k, Fraction(0)) + more
            bound = in_letters("noise", self.read(self.loop["noise"][block]), self.box)
            keys = {*sums, *bound}
            spare: Numbers = {k: bound.get(k, Fraction(0)) - sums.get(k, Fraction(0)) for k in keys}
            (whole,) = clear_denominators([spare], self.box)
            for index, c in bernstein("noise", whole, self.box, limits([whole], len(self.box))).items():
                require(c >= 0, f"noise: the sum over {block} is larger than is said, coefficient {index}")
        return [f"  noise: the sum over the local steps is at most what is said, for every K >= {self._least_k}"]

    def _describe(self) -> list[str]:
        ranges = ", ".join(f"{low} < {x} <= {high}" for x, (low, high) in self.box.items() if x != "e" or not self.loop)
        length = "h = eta K, " if "h" in self.box else ""
        named = json.dumps(self.theorem["method"])
        lines = [
            f"  of {named}, L = 1, {length}{ranges}" + (f"; every K >= {self._least_k}, e = 1/K" if self.loop else "")
        ]
        lines += [f"  point {k}: x + {p['x']}, gradients {p['g']}" for k, p in enumerate(self.theorem["points"])]
        lines += [f"  {letter} >= 0" for letter in self.numbers()]
        lines += ["  p is (N - S)/(S (N - 1)), for S of N clients"] if self.loop and "p" in self.box else []
        lines += ["  U0 is |u|^2 at the start"] if "U0" in self.theorem["first"] else []
        lines += [f"  given {left} {sign} {right}" for left, sign, right in self.theorem.get("given", ())]
        if "fall" in self.theorem:
            lines.append("  given |grad F|^2 >= 2 mu (F - F_star), mu <= 1")
        for when in ("start", "state", "next"):
            said = {name: text for name, text in self.theorem[when].items() if when == "next" or name not in ("f", "g")}
            # A state is its letter unless another text stands there.
            lines += [f"  {when} {x} = {text}" for x, text in said.items() if when != "state" or x != text]
        if self.loop:
            slope = "(v + n)" if "noise" in self.loop else "v"
            lines.append(f"  a local step adds -h e ({self.loop['drift']} + {self.loop['weight']} {slope})")
        return lines

    def _conclusion(self) -> list[str]:
        first = " + ".join(f"({p}) {letter}" for letter, p in self.theorem["first"].items())
        always = [f"({p}) {letter}" for letter, p in self.theorem["round"].items()]
        if "fall" in self.theorem:
            fall, measured = self.theorem["fall"], self.theorem["measured"]
            stays = f" + [{' + '.join(always)}]/({fall})" if always else ""
            return [f"  so E {measured} <= (1 - ({fall}))^T [{first}]{stays} after T rounds, for every T and every N"]
        if self.chain:
            said = " + ".join([f"({first})/T", *always])
            return [f"  so ({self.theorem['rate']}) mean_t |grad F(x_t)|^2 <= {said}, for every T, N and K >= 2"]
        if "noise" in self.loop:
            mean, apart = self.loop["noise"]["mean"], self.loop["noise"]["deviations"]
            always.append(f"e ({self.loop['weight']})^2 sigma2 [({mean})/N + ({apart}) (1 - 1/N)]")
        said = " + ".join([f"({first})/T", *always])
        every = "every T >= 1, N >= 1 and K >= 2" if self.last else "every T >= 1 and every N >= 1"
        lines = [f"  so ({self.theorem['rate']}) mean_t E|grad F(x_t)|^2 <= {said}, for {every}"]
        if "polyak" in self.theorem:
            fall, over = self.theorem["polyak"]["fall"], self.theorem["polyak"]["over"]
            stays = f" + [{' + '.join(always)}]/(mu ({fall}))" if always else ""
            lines.append(
                f"  and ({over}) E[F(x_T) - F_star] <= (1 - mu ({fall}))^T [{first}]{stays}"
                " where |grad F|^2 >= 2 mu (F - F_star), mu <= 1"
            )
        return lines


def faulhaber(p: Numbers) -> Numbers:
    """Return e * sum over k = 1 .. K of p(k e, e, h), e = 1/K, as a polynomial in e and h."""
    most = max((exponents[0] for exponents in p), default=0)
    # B_1 = + 1/2: sums end at K.
    numbers = [Fraction(1)]
    for i in range(1, most + 1):
        numbers.append(-sum((comb(i + 1, k) * numbers[k] for k in range(i)), Fraction(0)) / (i + 1))
    if most:
        numbers[1] = Fraction(1, 2)
    found: Numbers = {}
    for (i, *rest), c in p.items():
        for j in range(i + 1):
            # e^(i+1) sum k^i = sum_j C(i+1, j) B_j e^j/(i+1)
            key = (rest[0] + j, *rest[1:])
            found[key] = found.get(key, Fraction(0)) + c * Fraction(comb(i + 1, j), i + 1) * numbers[j]
    return {k: c for k, c in found.items() if c}


__all__ = ["FORM", "LemmaError", "StepwiseTheorem", "check", "check_file", "is_stepwise"]
