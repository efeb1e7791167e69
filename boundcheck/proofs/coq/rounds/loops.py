"""Local steps of a round with any number K of them: the potential along the round, and the sum of the noises."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.proofs.coq.rounds.algebra import RoundClaim, RoundPremise, write_algebra
from boundcheck.proofs.coq.rounds.boxes import BoxWriter
from boundcheck.proofs.coq.rounds.lemmas import DRAW, RoundLemmas
from boundcheck.proofs.coq.rounds.polynomials import factor, generator, name_of, write_polynomial
from boundcheck.proofs.coq.rounds.spelling import define_form
from boundcheck.proofs.kernel.algebra import Refused
from boundcheck.proofs.kernel.all_steps import faulhaber
from boundcheck.proofs.kernel.boxes import in_letters, minus
from boundcheck.proofs.kernel.certificates import add, multiply

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.kernel.boxes import Box
    from boundcheck.proofs.kernel.certificates import Poly

_UNIT = Fraction(1)
_MOST = 3
"""The highest power of t of which the library has the sum."""


class LoopLemmas(RoundLemmas):
    """Writes the lemmas of a round with a loop."""

    def __init__(self, theorem: Mapping[str, Any]) -> None:
        super().__init__(theorem)
        self.loop = self.rounds.loop
        if self.rounds.last:
            raise Refused("the last local step is part of the lemma of a round")
        self.noisy = "noise" in self.loop
        self.fixed = list(self.loop["fixed"])
        self.moving = ["d", "v"] if self.rounds.chain else ["d", "m"] if self.noisy else ["d"]
        self.weight = write_polynomial(self.rounds.read(self.loop["weight"]))
        p = self.rounds.read(self.loop["potential"])
        self.phi = define_form("phi", p, [*self.letters, "t"], ["q"] * self.rounds.chain, [*self.fixed, *self.moving])
        self.step_box: Box = {"s": (Fraction(0), _UNIT), **self.rounds.box, "e": (Fraction(0), Fraction(1, 2))}

    def round_claim(self) -> RoundClaim:
        """Return the claim ``round``: what the local steps leave is paid at its end."""
        claim = super().round_claim()
        end = {v: self.rounds.read(v) for v in self.fixed} | {"d": self.rounds.names["d"], "m": self.rounds.names["m"]}
        vectors = map(name_of, [*self.fixed, *self.moving])
        one: Poly = {(): _UNIT}
        assert claim.closed is not None
        return replace(
            claim,
            goal=add(claim.goal, self.rounds.phi(one, self.rounds.names["d"], self.rounds.names["m"])),
            closed=add(claim.closed, self._phi_form("1", end)),
            text=f"{claim.text} + {self.phi_at('1', *vectors)}",
            unfolded=[*claim.unfolded, "phi"],
            coefficients=[*claim.coefficients, *self.phi.coefficients],
        )

    def phi_at(self, t: str, *arguments: str) -> str:
        """Write the potential along the round; in a chain the first argument is a number."""
        return f"phi {' '.join(self.letters)} {factor(t)} {' '.join(arguments)}"

    def alone(self, t: str, noise: str) -> str:
        """Write what the potential is of noise alone."""
        return self.phi_at(t, *(["zero"] * (len(self.fixed) + 1)), noise)

    def fixed_names(self) -> list[str]:
        """Return the variables that are fixed in a round."""
        return [name_of(v) for v in self.fixed]

    def loop_lemmas(self) -> str:
        """Return the lemmas ``first`` and ``step``."""
        shared = [v for v in self.servers if v in self.fixed]
        lengths = self.theorem.get("lengths", {})
        e, s = (self.rounds.names[x] for x in "es")
        by = multiply(e, self.rounds.read(self.loop["weight"]))
        noise = multiply(by, self.rounds.names["n"])
        n_text = f"(scale (e * ({self.weight})) v_n)"
        # first
        goal = minus(self.rounds.phi(e, {}, noise))
        text = self.phi_at("e", *self.fixed_names(), "zero", *([n_text] if self.noisy else []))
        right = self.alone("e", n_text) if self.noisy else "0"
        if self.noisy:
            goal = add(self.rounds.alone(e, noise), goal)
        fixed = {v: self.rounds.read(v) for v in self.fixed}
        closed = minus(self._phi_form("e", fixed | {"d": {}, "m": noise}))
        if self.noisy:
            closed = add(closed, self._phi_form("e", {"m": noise}))
        first = RoundClaim(
            "first", self.rounds.without_noise(goal), f"{text} <= {right}",
            [*self.fixed, *(["n"] if self.noisy else [])], [], [], shared, unfolded=["phi"],
            coefficients=self.phi.coefficients, zero=self._orthogonal(self.fixed), lengths=lengths,
            closed=self.rounds.without_noise(closed),
        )  # fmt: skip
        # step
        two_es: Poly = multiply({(): Fraction(-2)}, multiply(e, s))
        t = add(e, s, two_es)
        t_text = "e + s - 2 * e * s"
        later, later_text = add(t, e), f"{t_text} + e"
        d = add(self.rounds.names["d"], minus(multiply(by, self.rounds.names["v"])))
        m = add(self.rounds.names["m"], noise)
        goal = add(
            self.rounds.phi(t, self.rounds.names["d"], self.rounds.names["m"]), minus(self.rounds.phi(later, d, m))
        )
        if self.noisy:
            goal = add(goal, self.rounds.alone(later, noise))
        d_text = f"(add v_d (scale (- (e * ({self.weight}))) v_v))"
        after = [d_text, f"(add v_m {n_text})"] if self.noisy else [d_text]
        left = self.phi_at(later_text, *self.fixed_names(), *after)
        right = self.phi_at(t_text, *self.fixed_names(), *map(name_of, self.moving))
        right += f" + {self.alone(later_text, n_text)}" if self.noisy else ""
        vectors = [*self.fixed, *self.moving, "v"]
        here = {"d": self.rounds.names["d"], "m": self.rounds.names["m"]}
        closed = add(self._phi_form(t_text, fixed | here), minus(self._phi_form(later_text, fixed | {"d": d, "m": m})))
        if self.noisy:
            closed = add(closed, self._phi_form(later_text, {"m": noise}))
        step = RoundClaim(
            "step", self.rounds.without_noise(goal), f"{left} <= {right}",
            [*vectors, *(["n"] if self.noisy else [])], [], self._step_known(t, t_text), shared, unfolded=["phi"],
            coefficients=self.phi.coefficients, zero=self._orthogonal(vectors), lengths=lengths,
            closed=self.rounds.without_noise(closed),
        )  # fmt: skip
        return "\n".join(
            [
                self.phi.text,
                self.write(first),
                write_algebra(step, BoxWriter(self.step_box, f"s{DRAW}")),
            ]
        )

    def _phi_form(self, t: str, values: Mapping[str, Poly]) -> Poly:
        """Return the potential along the round, with its coefficients as letters; vectors that are not named are 0."""
        nothing: dict[str, Poly] = {v: {} for v in [*self.fixed, *self.moving]}
        return self.form_at(self.phi, f"{' '.join(self.letters)} {factor(t)}", nothing | dict(values))

    def _orthogonal(self, vectors: list[str]) -> list[str]:
        if not self.noisy:
            return []
        pairs = [tuple(sorted((v, "n"))) for v in vectors]
        marks = [("~", "~~") if v not in self.servers else ("~",) for v in vectors]
        return [
            generator(f"<{mark}{a}, {mark}{b}>") for (a, b), both in zip(pairs, marks, strict=True) for mark in both
        ]

    def _step_known(self, t: Poly, t_text: str) -> list[RoundPremise]:
        h = self.rounds.names["h"]
        drift = self.rounds.read(self.loop["drift"])
        away = add(minus(multiply(t, drift)), self.rounds.names["d"], self.rounds.names["m"])
        what = add(
            multiply(multiply(h, h), self.rounds.square(away)), minus(self.rounds.square(self.rounds.names["v"]))
        )
        moved = "(add v_d v_m)" if self.noisy else "v_d"
        text = f"(h ^ 2 * square (add (scale (- ({t_text})) {self.write_vector(drift)}) {moved}) - square v_v)"
        found = []
        for (kind, *about), multiplier in self.loop["proofs"]["step"]:
            m = self.rounds.read(multiplier, {"t": t})
            if kind == "lipschitz":
                found.append(RoundPremise(m, what, text))
            else:
                found.append(
                    RoundPremise(m, self.rounds.hypothesis(kind, about)[0], self._name_fact(kind, about), equal=True)
                )
        return found

    # --- noise ------------------------------------------------------------------------------------------------------

    def noise_parts(self) -> dict[str, tuple[str, list[str]]]:
        """Return the factor of |m|^2 in each block: the name of its definition, and its parts by powers of t."""
        found = {}
        p = self.rounds.alone(self.rounds.names["t"], self.rounds.names["m"])
        for block, mark in (("mean", "~"), ("deviations", "~~")):
            pair = f"<{mark}m, {mark}m>"
            powers: list[Poly] = [{} for _ in range(_MOST + 1)]
            for monomial, c in p.items():
                if (pair, 1) not in monomial:
                    continue
                k = dict(monomial).get("t", 0)
                if k > _MOST:
                    raise Refused(f"the potential of noise has degree {k} in t")
                powers[k][tuple(f for f in monomial if f[0] not in ("t", pair))] = c
            found[block] = (self.phi.terms[pair], [write_polynomial(q) for q in powers])
        return found

    def noise_lemmas(self) -> str:
        """Return that the factors of noise are not negative, and what their sums are at most."""
        box: Box = {"t": (Fraction(0), _UNIT), **self.rounds.box}
        whole = BoxWriter(box, DRAW)
        p = self.rounds.alone(self.rounds.names["t"], self.rounds.names["m"])
        lines, letters = [], " ".join(self.letters)
        values = [f"value [{'; '.join(one)}]" for one in (whole.letters, self.letters)]
        for block, mark in (("mean", "~"), ("deviations", "~~")):
            pair = f"<{mark}m, {mark}m>"
            parts = {tuple(f for f in m if f[0] != pair): c for m, c in p.items() if (pair, 1) in m}
            name, powers = self.noise_parts()[block]
            factor = whole.number(f"noise_{block}", parts)
            sums = faulhaber(in_letters("noise", parts, box))
            bound = in_letters("noise", self.rounds.read(self.loop["noise"][block]), self.rounds.box)
            spare = {k: bound.get(k, Fraction(0)) - sums.get(k, Fraction(0)) for k in {*sums, *bound}}
            poly: Poly = {
                tuple((x, k) for x, k in zip(self.rounds.box, key, strict=True) if k): c
                for key, c in spare.items()
                if c
            }
            rest = self.box.number(f"noise_sum_{block}", poly)
            c0, c1, c2, c3 = (f"({one})" for one in powers)
            said = write_polynomial(self.rounds.read(self.loop["noise"][block]))
            lines += [
                factor.text,
                f"Lemma {name}_nonneg {whole.binders} : 0 <= {name} {letters} t.",
                f"Proof. assert (p_Q := noise_{block} t {letters} {whole.bounds}).",
                (
                    f"  assert (p_T : 0 <= ({factor.scale}) * {values[0]} noise_{block}_value) by (apply "
                    f"Rmult_le_pos; [nonneg | exact p_Q])."
                ),
                f"  refine (moved _ _ p_T _). clear. unfold {name}, noise_{block}_value. written. field; nonzero. Qed.",
                rest.text,
                f"Lemma {name}_sum (K : nat) {self.box.binders} : e * INR K = 1 ->",
                f"  e * below K (fun k => {name} {letters} (INR (S k) * e)) <= {said}.",
                "Proof.",
                (
                    f"  intros p_K. rewrite (below_same K _ (fun k => {c0} + (INR (S k) * e) * {c1} + (INR (S k) * "
                    f"e) ^ 2 * {c2} + (INR (S k) * e) ^ 3 * {c3}))"
                ),
                f"    by (intros k; unfold {name}; field; nonzero). rewrite (shares K e {c0} {c1} {c2} {c3} p_K).",
                f"  assert (p_Q := noise_sum_{block} {letters} {self.box.bounds}).",
                (
                    f"  assert (p_T : 0 <= ({rest.scale}) * {values[1]} noise_sum_{block}_value) by (apply "
                    f"Rmult_le_pos; [nonneg | exact p_Q])."
                ),
                (
                    f"  apply ungap. refine (moved _ _ p_T _). clear p_Q p_T. unfold noise_sum_{block}_value. "
                    f"written. field; nonzero. Qed."
                ),
            ]
        return "\n".join(lines)
