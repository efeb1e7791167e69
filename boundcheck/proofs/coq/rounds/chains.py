"""Chains: local steps whose potential sees the gradients and values at local points, for K >= 2 and without noise.

Functions less their linear part at the start of a round are as smooth as they are.  What is used is that smoothness
between the start, a local point and the next one, and at the end between the start, the last local point and the next
start.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boundcheck.proofs.coq.rounds.algebra import RoundClaim, RoundPremise, write_algebra
from boundcheck.proofs.coq.rounds.boxes import BoxWriter
from boundcheck.proofs.coq.rounds.local_steps import LocalSteps
from boundcheck.proofs.coq.rounds.loops import LoopLemmas
from boundcheck.proofs.coq.rounds.polynomials import name_of
from boundcheck.proofs.coq.rounds.tactics import destruct_servers
from boundcheck.proofs.kernel.boxes import minus
from boundcheck.proofs.kernel.certificates import add, multiply

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.proofs.kernel.certificates import Poly

Point = tuple[str, str, str]
"""Value, place and gradient of a point, less the linear part at the start, as texts."""
_START: Point = ("0", "zero", "zero")


class ChainPage(LoopLemmas):
    """Writes the lemmas of a round with a chain."""

    def __init__(self, theorem: Mapping[str, Any]) -> None:
        super().__init__(theorem)
        self.words = {"d": self._after("v_d", "v_v")}

    def _after(self, d: str, v: str) -> str:
        """Write what d is a step later."""
        return f"(add {d} (scale (- (e * ({self.weight}))) {v}))"

    def read_at_end(self, text: str) -> Poly:
        """Return what a text spells at the end of a round, where d is one step later than at the last local point."""
        return self.rounds.read(text, self.rounds.after_last_step())

    def _variables(self) -> list[str]:
        return list(map(name_of, [*self.fixed, *self.moving]))

    def _values_at(self, **others: Poly) -> dict[str, Poly]:
        """Return what the potential along the round is taken at."""
        return {v: self.rounds.read(v) for v in self.fixed} | others

    def _place(self, t: str, d: str) -> str:
        return f"(scale h (add (scale (- ({t})) {self.write_vector(self.rounds.read(self.loop['drift']))}) {d}))"

    def _near(self, points: Sequence[Point], proofs: Sequence[Any], names: Mapping[str, Poly]) -> list[RoundPremise]:
        """Return what is known of smoothness between points, with its multipliers."""
        found = []
        for (kind, *about), multiplier in proofs:
            if kind == "near":
                what, _ = self.rounds.hypothesis(kind, about)
                found.append(
                    RoundPremise(self.rounds.read(multiplier, names), what, smoothness(*(points[n] for n in about)))
                )
        return found

    def premises(self, lemma: str) -> list[RoundPremise]:
        """Return what a lemma multiplies; in a round the smoothness between its end and the last local point, too."""
        if lemma != "round":
            return super().premises(lemma)
        self.rounds.near = self.rounds._points_at_end()  # noqa: SLF001
        return super().premises(lemma)

    def _name_fact(self, kind: str, about: list[Any]) -> str:
        if kind != "near":
            return super()._name_fact(kind, about)
        points = [_START, ("q", self._place("1 - e", "v_d"), "v_v"), less_linear(self.point(0), self.point(1))]
        return smoothness(*(points[n] for n in about))

    def round_claim(self) -> RoundClaim:
        """Return the claim ``round``: what the local steps leave is paid at its end."""
        claim = super(LoopLemmas, self).round_claim()
        names = self.rounds.names
        here = self._values_at(d=names["d"], v=names["v"], q=names["q"])
        before_last = add({(): 1}, minus(names["e"]))
        left = self.rounds.read(self.loop["potential"], {"t": before_last})
        assert claim.closed is not None
        return replace(
            claim,
            goal=add(claim.goal, left),
            closed=add(claim.closed, self._phi_form("1 - e", here)),
            text=f"{claim.text} + {self.phi_at('1 - e', 'q', *self._variables())}",
            numbers=[*claim.numbers, "q"],
            unfolded=[*claim.unfolded, "phi"],
            coefficients=[*claim.coefficients, *self.phi.coefficients],
        )

    def loop_lemmas(self) -> str:
        """Return the lemmas ``first`` and ``step``."""
        return "\n".join([self.phi.text, self.write(self._first()), write_algebra(self._step(), self._step_writer())])

    def _step_writer(self) -> BoxWriter:
        return BoxWriter(self.step_box, "s")

    def _first(self) -> RoundClaim:
        nothing: dict[str, Poly] = {"t": {}, "d": {}, "v": {}, "q": {}}
        text = self.phi_at("0", "0", *self.fixed_names(), "zero", "zero")
        return RoundClaim(
            "first", minus(self.rounds.read(self.loop["potential"], nothing)), f"{text} <= 0", self.fixed, [], [],
            [v for v in self.servers if v in self.fixed], unfolded=["phi"], coefficients=self.phi.coefficients,
            lengths=self.theorem.get("lengths", {}), closed=minus(self._phi_form("0", self._values_at(q={}))),
        )  # fmt: skip

    def _step(self) -> RoundClaim:
        names, potential = self.rounds.names, self.loop["potential"]
        e, s = names["e"], names["s"]
        t = add(s, minus(multiply({(): 2}, multiply(e, s))))
        t_text = "s - 2 * e * s"
        later, d = add(t, e), self.rounds.after_last_step()["d"]
        slope = add(names["v"], multiply(e, names["c"]))
        after = {"d": d, "v": slope, "q": names["r"]}
        goal = add(self.rounds.read(potential, {"t": t}), minus(self.rounds.read(potential, {"t": later, **after})))
        place = self.rounds._local_place  # noqa: SLF001
        self.rounds.near = [
            ({}, {}, {}), (place(t, names["d"]), names["q"], names["v"]), (place(later, d), names["r"], slope)
        ]  # fmt: skip
        d_text, slope_text = self._after("v_d", "v_v"), "(add v_v (scale e v_c))"
        points = [
            _START,
            ("q", self._place(t_text, "v_d"), "v_v"),
            ("r", self._place(f"{t_text} + e", d_text), slope_text),
        ]
        left = self.phi_at(f"{t_text} + e", "r", *self.fixed_names(), d_text, slope_text)
        right = self.phi_at(t_text, "q", *self._variables())
        here = self._values_at(d=names["d"], v=names["v"], q=names["q"])
        closed = add(self._phi_form(t_text, here), minus(self._phi_form(f"{t_text} + e", self._values_at(**after))))
        return RoundClaim(
            "step", goal, f"{left} <= {right}", [*self.fixed, *self.moving, "c"], ["q", "r"],
            self._near(points, self.loop["proofs"]["step"], {"t": t}), [v for v in self.servers if v in self.fixed],
            unfolded=["phi"], coefficients=self.phi.coefficients, lengths=self.theorem.get("lengths", {}),
            closed=closed,
        )  # fmt: skip


class ChainSteps(LocalSteps):
    """The part of a page about the steps of one round of a chain: local points are 0 .. K - 1, and K - 1 is last."""

    def method(self) -> list[str]:
        """Return the local steps, and their values and gradients less the linear part at the start."""
        return [
            *super().method(),
            (
                "Definition bend (t k : nat) : R := F (local t k) - F (x t) - tot (at_g t) "
                f"{self._place('INR k * e', 'k')}."
            ),
            "Definition change (t k : nat) : H := scale (/ e) (sub (slope t (S k)) (slope t k)).",
        ]

    def _place(self, t: str, k: str) -> str:
        return f"(scale h (add (scale (- ({t})) (drift t)) (lag t {k})))"

    def along(self) -> list[str]:
        """Return that the potential does not grow along the local steps, from 0 or less at the first."""
        loop, fixed = self.loop, [self.names[v] for v in self.loop.fixed]
        return [
            "Lemma changed t k : same (add (slope t k) (scale e (change t k))) (slope t (S k)).",
            "Proof. assert (p_e := box_e). intros w. unfold change, sub. expand_ip. field. lra. Qed.",
            "Lemma last_share : INR (S beyond) * e = 1 - e.",
            "Proof. assert (p_E := share). unfold K in p_E. rewrite S_INR in p_E. lra. Qed.",
            *self._near_steps(),
            *self._near_ends(),
            (
                "Definition along (t k : nat) : R := "
                f"{loop.phi_at('INR k * e', '(bend t k)', *fixed, '(lag t k)', '(slope t k)')}."
            ),
            *self._first_step(),
            *self._later_steps(),
            f"Lemma along_round t : {self._phi_end()} <= 0.",
            "Proof.",
            "  assert (p_A := never_grows (along t) (S beyond) (first_step t) (later_step t)).",
            "  unfold along in p_A. rewrite last_share in p_A. exact p_A.",
            "Qed.",
        ]

    def _near_steps(self) -> list[str]:
        """Return the smoothness between the start, a local point and the next one."""
        points = [
            _START,
            ("(bend t k)", self._place("r", "k"), "(slope t k)"),
            ("(bend t (S k))", self._place("r + e", "(S k)"), "(add (slope t k) (scale e (change t k)))"),
        ]
        reasons = [("", ""), ("(place t k)", "(same_refl _)"), ("p_P", "(same_sym _ _ (changed t k))")]
        later = f"same (local t (S k)) (add (x t) {self._place('INR k * e + e', '(S k)')})"
        lines = []
        for (_, a, b), _ in self.loop.loop["proofs"]["step"]:
            lines += [
                f"Lemma near_{a}_{b} t k r : INR k * e = r -> 0 <= {smoothness(points[a], points[b])}.",
                "Proof.",
                "  intros <-. assert (p_S : INR (S k) * e = INR k * e + e) by (rewrite S_INR; ring).",
                f"  assert (p_P : {later}) by (rewrite <- p_S; apply (place t (S k))).",
                f"  unfold bend. rewrite ?p_S. exact {self._smooth(a, b, reasons)}.",
                "Qed.",
            ]
        return lines

    def _near_ends(self) -> list[str]:
        """Return the smoothness between the start, the last local point and the next start."""
        (here, there), read = self.loop.theorem["points"], self.loop.rounds.read
        end = self.at(read(there["x"])), self.at(read(there["g"]))
        points = [
            _START,
            ("(bend t (S beyond))", self._place("1 - e", "(S beyond)"), "(slope t (S beyond))"),
            less_linear(("(F (x t))", "zero", self.at(read(here["g"]))), ("(F (point_1 t))", *end)),
        ]
        reasons = [("", ""), ("p_P", "(same_refl _)"), ("(same_refl _)", "(sub_same _ _ _ (gradient_1 t))")]
        last = f"same (local t (S beyond)) (add (x t) {self._place('1 - e', '(S beyond)')})"
        lines = []
        for (kind, *about), _ in self.loop.theorem["proofs"]["round"]:
            if kind == "near":
                a, b = about
                lines += [
                    f"Lemma end_{a}_{b} t : 0 <= {smoothness(points[a], points[b])}.",
                    "Proof.",
                    f"  assert (p_P : {last}) by (rewrite <- last_share; apply (place t (S beyond))).",
                    f"  unfold bend. rewrite ?last_share. exact {self._smooth(a, b, reasons)}.",
                    "Qed.",
                ]
        return lines

    def _smooth(self, a: int, b: int, reasons: Sequence[tuple[str, str]]) -> str:
        """Return the smoothness of functions less their linear part, between two points of three."""
        given = "F G descent ascent (x t)"
        if 0 in (a, b):
            return f"(smooth_{'from' if a == 0 else 'to'}_start {given} _ _ _ {' '.join(reasons[a or b])})"
        (one, first), (other, second) = reasons[a], reasons[b]
        return f"(smooth_less {given} _ _ _ _ _ _ {one} {other} {first} {second})"

    def _first_step(self) -> list[str]:
        """Return that the potential is 0 or less at the first local point, which is the start."""
        fixed = [self.names[v] for v in self.loop.fixed]
        call = (
            f"first_algebra H {' '.join(fixed)} {self.letters} {self.loop.box.bounds} {' '.join(self._servers_first())}"
        )
        return [
            "Lemma first_step t : along t 0 <= 0.",
            "Proof.",
            f"  {destruct_servers(len(self.shared))} unfold along. cbn [INR lag]. rewrite Rmult_0_l.",
            "  assert (p_B : bend t 0 = 0).",
            "  { unfold bend, tot. cbn [INR local lag].",
            "    rewrite ?ip_scale_right, ?ip_add_right, ?ip_scale_right, ?ip_zero_right. ring. }",
            f"  rewrite p_B. assert (p_F := {call}).",
            "  assert (p_E : same (slope t 0) zero).",
            "  { intros w. unfold slope, sub. cbn [local]. unfold at_g. expand_ip. ring. }",
            (
                "  unfold phi in *. rewrite ?(mv_same _ _ _ p_E), ?(mv_same_right _ _ _ p_E), ?(dv_same _ _ _ p_E), "
                "?(dv_same_right _ _ _ p_E)."
            ),
            "  exact p_F.",
            "Qed.",
        ]

    def _later_steps(self) -> list[str]:
        """Return that the potential does not grow from a local point to the next one."""
        vectors = [*(self.names[v] for v in self.loop.fixed), "(lag t k)", "(slope t k)", "(change t k)"]
        near = [f"(near_{a}_{b} t k _ p_T)" for (_, a, b), _ in self.loop.loop["proofs"]["step"]]
        call = " ".join([
            "step_algebra H", *vectors, "r", self.letters, "p_t", self.loop.box.bounds,
            "(bend t k) (bend t (S k))", *self._servers_first(), *near,
        ])  # fmt: skip
        return [
            "Lemma later_step t k : (k < S beyond)%nat -> along t (S k) <= along t k.",
            "Proof.",
            (
                f"  intros p_k. {destruct_servers(len(self.shared))} "
                "destruct (between_ends K e k share ltac:(unfold K; lia)) as [r [p_t p_T]]. unfold along."
            ),
            "  replace (INR (S k) * e) with (INR k * e + e) by (rewrite S_INR; ring). rewrite p_T.",
            f"  assert (p_Z := {call}).",
            "  assert (p_E := changed t k). unfold phi in *.",
            (
                "  rewrite ?(mv_same _ _ _ p_E), ?(mv_same_right _ _ _ p_E), ?(dv_same _ _ _ p_E), ?(dv_same_right "
                "_ _ _ p_E) in p_Z."
            ),
            "  exact p_Z.",
            "Qed.",
        ]

    def _phi_end(self) -> str:
        fixed = [self.names[v] for v in self.loop.fixed]
        return self.loop.phi_at("1 - e", "(bend t (S beyond))", *fixed, "(lag t (S beyond))", "(slope t (S beyond))")


def smoothness(one: Point, other: Point) -> str:
    """Write the smoothness between two points."""
    pairs = zip(one, other, strict=True)
    return f"(smoothness {' '.join(text for pair in pairs for text in pair)})"


def less_linear(start: Point, point: Point) -> Point:
    """Return a point of the functions less their linear part at the start."""
    (f0, _, g0), (f, x, g) = start, point
    return f"({f} - {f0} - tot {g0} {x})", x, f"(sub {g} {g0})"
