"""The local steps of a theorem for every K as lemmas in Coq: the method, what is known when, and the potential."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.proofs.coq.rounds.polynomials import name_of, write_polynomial
from boundcheck.proofs.coq.rounds.tactics import destruct_servers, split, turn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.coq.rounds.loops import LoopLemmas
    from boundcheck.proofs.kernel.certificates import Poly


@dataclass(frozen=True)
class LocalSteps:
    """The part of a page about the steps of one round.

    Attributes
    ----------
    loop : LoopLemmas
        The lemmas over any space.
    names : mapping
        Vector to what it is at round t.
    others : list of str
        Vectors of the state beside the gradient.
    shared : list of str
        Those of them that all clients have the same.
    free : list of str
        Vectors that are drawn at the end of a round.
    """

    loop: LoopLemmas
    names: Mapping[str, str]
    others: list[str]
    shared: list[str]
    free: list[str]

    @property
    def noisy(self) -> bool:
        """Whether gradients have noise."""
        return self.loop.noisy

    @property
    def letters(self) -> str:
        """Letters of the box."""
        return " ".join(self.loop.letters)

    def at(self, p: Poly) -> str:
        """Write a combination at the state of round t."""
        return self.loop.write_vector(p, self.names)

    def method(self) -> list[str]:
        """Return the local steps as they are in the method, and where they lead."""
        loop = self.loop
        b, moved = loop.weight, "(sub (G (local t k)) (at_g t))"
        if self.noisy:
            moved = f"(add {moved} (xi t k))"
        lines = [
            "(* A local step goes along the drift, the same at all steps, and what the gradient has changed by. *)",
            f"Definition drift (t : nat) : H := {self.at(self.loop.rounds.read(loop.loop['drift']))}.",
            "Fixpoint local (t k : nat) : H := match k with O => x t",
            f"  | S k => add (local t k) (scale (- (h * e)) (add (drift t) (scale ({b}) {moved}))) end.",
            "Definition slope (t k : nat) : H := sub (G (local t k)) (at_g t).",
            "Fixpoint lag (t k : nat) : H := match k with O => zero",
            f"  | S k => add (lag t k) (scale (- (e * ({b}))) (slope t k)) end.",
        ]
        if self.noisy:
            lines += [
                "Definition turned (t k : nat) : H := scale (- 1) (xi t k).",
                "Fixpoint noises (t k : nat) : H := match k with O => zero",
                f"  | S k => add (noises t k) (scale (e * ({b})) (turned t k)) end.",
            ]
        away = f"(add (scale (- (INR k * e)) (drift t)) {self._drift_and_noise()})"
        unfolded = "slope, turn, sub" if self.noisy else "slope, sub"
        return [
            *lines,
            f"Lemma place (t k : nat) : same (local t k) (add (x t) (scale h {away})).",
            "Proof.",
            "  induction k as [|k I]; intros w; [cbn; expand_ip; ring|].",
            (
                f"  cbn [local lag{' noises' if self.noisy else ''}]. rewrite S_INR, ip_add, (I w). unfold "
                f"{unfolded}. expand_ip. ring."
            ),
            "Qed.",
        ]

    # --- what is known when -----------------------------------------------------------------------------------------

    def births(self) -> list[str]:
        """Return that the state of a round, and each local point, is known before the noise that follows."""
        return [*self._births_in_a_round(), *self._births_of_states(), *self._orthogonal_to_noise()]

    def _births_in_a_round(self) -> list[str]:
        """Return what is known at each local step where the state of the round is known at its start."""
        goal = " /\\ ".join(f"past (t * K)%nat ({v} t)" for v in ("x", *map(name_of, self.others)))
        count = len(self.others)
        return [
            "Definition ready (t : nat) : Prop := " + goal + ".",
            (
                "Lemma known_then t k u : past (t * K)%nat u -> past (t * K + k)%nat u. Proof. apply known_later. "
                "lia. Qed."
            ),
            "Lemma known_local t k : ready t -> (k <= K)%nat ->",
            (
                "  past (t * K + k)%nat (local t k) /\\ past (t * K + k)%nat (lag t k) /\\ past (t * K + k)%nat "
                "(noises t k)."
            ),
            "Proof.",
            (
                f"  intros p_R. {split('p_k', count, 'p_R')} assert (p_g : past (t * K)%nat (at_g t)) by (apply "
                f"known_G; assumption)."
            ),
            "  assert (p_d : past (t * K)%nat (drift t)) by (unfold drift; known_now).",
            "  induction k as [|k I]; intros p_L; [rewrite Nat.add_0_r; repeat split; known_now|].",
            (
                "  destruct (I ltac:(lia)) as [p_A [p_B p_C]]. assert (p_x := known_xi t k ltac:(lia)). assert (p_G "
                ":= known_G _ _ p_A)."
            ),
            (
                "  apply (known_then t (S k)) in p_g, p_d. apply (known_later past _ (t * K + S k)%nat) in p_A, "
                "p_B, p_C, p_G; [|lia ..]."
            ),
            "  cbn [local lag noises]. unfold slope, turn, sub. repeat split; known_now.",
            "Qed.",
        ]

    def _births_of_states(self) -> list[str]:
        """Return that the state of each round is known at its start."""
        count, last = len(self.others), self.loop.last
        drawn = "".join(f"assert (p_{v} := known_{v} t). " for v in self.free)
        known = "apply (known_later past _ (S t * K)%nat) in p_k{}; [|cbn [Nat.mul]; lia]."
        later = " ".join(known.format(n) for n in range(count + 1))
        starts = f"rewrite {', '.join(f'start_{v}' for v in self.others)}. " if self.others else ""
        news = ", ".join(v.strip("()").split()[0] for v in self.names.values() if v.startswith("(at_"))
        nexts = (
            f" rewrite {', '.join(f'step_{v}' for v in self.others)}. unfold "
            f"{', '.join(f'next_{v}' for v in self.others)}, {news}, sub. repeat split; known_now."
            if self.others
            else ""
        )
        return [
            "Lemma known_state t : ready t.",
            "Proof.",
            "  induction t as [|t I].",
            (
                f"  {{ unfold ready. cbn [Nat.mul]. assert (p_G : past 0%nat (at_g 0)) by (apply known_G, "
                f"known_start). {starts}repeat split; known_now. }}"
            ),
            (
                "  destruct (known_local t K I (le_n K)) as [p_y [p_l p_n]]. replace (t * K + K)%nat with (S t * "
                "K)%nat in * by (cbn [Nat.mul]; lia)."
            ),
            (f"  unfold ready in I. {split('p_k', count, 'I')} {later}"),
            "  assert (p_G : past (S t * K)%nat (at_g t)) by (apply known_G; assumption).",
            (
                f"  {drawn}assert (p_P : past (S t * K)%nat (point_{last} t)) by (unfold point_{last}; known_now). "
                f"assert (p_Q := known_G _ _ p_P)."
            ),
            f"  unfold ready. rewrite step_x.{nexts or ' exact p_P.'}",
            "Qed.",
        ]

    def _orthogonal_to_noise(self) -> list[str]:
        """Return that what is known is orthogonal to noise, and what a round begins with to all noise in it."""
        lines = [
            (
                "Lemma orthogonal_to t k u : (k < K)%nat -> past (t * K + k)%nat u -> mv u (turned t k) = 0 /\\ dv "
                "u (turned t k) = 0."
            ),
            "Proof.",
            (
                "  intros p_k p_u. assert (p_1 := unbiased t k u p_k p_u). assert (p_2 := unbiased t k (avg u) p_k "
                "(known_avg _ _ p_u))."
            ),
            (
                "  unfold turned. rewrite mv_scale_right, dv_scale_right. unfold mv, dv, tot in *. rewrite (ip_sym "
                "u), (ip_sym (avg u)), p_1, p_2. split; ring."
            ),
            "Qed.",
        ]
        state = split("p_k", len(self.others), "p_R")
        for v in self.loop.fixed:
            lines += [
                f"Lemma known_{v} t : past (t * K)%nat {self.names[v]}.",
                (
                    f"Proof. assert (p_R := known_state t). unfold ready in p_R. {state} "
                    f"first [assumption | apply known_G; assumption]. Qed."
                ),
                (
                    f"Lemma noises_{v} t k : (k <= K)%nat -> mv {self.names[v]} (noises t k) = 0 /\\ dv "
                    f"{self.names[v]} (noises t k) = 0."
                ),
                "Proof.",
                (
                    "  induction k as [|k I]; intros p_k; cbn [noises]; [rewrite mv_zero_right, dv_zero_right; "
                    "split; reflexivity|]."
                ),
                (
                    f"  destruct (I ltac:(lia)) as [p_A p_B]. destruct (orthogonal_to t k _ ltac:(lia) (known_then "
                    f"t k _ (known_{v} t))) as [p_C p_D]."
                ),
                (
                    "  rewrite mv_add_right, dv_add_right, mv_scale_right, dv_scale_right, p_A, p_B, p_C, p_D. "
                    "split; ring."
                ),
                "Qed.",
            ]
        return lines

    # --- the potential along the steps -----------------------------------------------------------------------------

    def _drift_and_noise(self) -> str:
        return "(add (lag t k) (noises t k))" if self.noisy else "(lag t k)"

    def _orthogonal(self, vectors: list[str]) -> str:
        """Return proofs that vectors are orthogonal to the noise, in the order in which the lemma has them."""
        found = []
        for v in vectors if self.noisy else []:
            for letter, form in (("m", "mv"), ("d", "dv"))[: 1 if v in self.loop.servers else 2]:
                name = f"p_{letter}_{v}"
                found.append(name if v < "n" else f"(eq_trans ({form}_sym _ _) {name})")
        return " ".join(found)

    def along(self) -> list[str]:
        """Return that the potential of local steps grows by no more than the noise, from the first to the last."""
        loop = self.loop
        moving = ["(lag t k)", "(noises t k)"] if self.noisy else ["(lag t k)"]
        vectors = [*(self.names[v] for v in loop.fixed), *moving]
        cost = loop.alone("INR (S k) * e", self._noise_of_step()) if self.noisy else "0"
        return [
            *self._nearness(),
            f"Definition along (t k : nat) : R := {loop.phi_at('INR k * e', *vectors)}.",
            f"Definition cost (t k : nat) : R := {cost}.",
            *self._first_step(),
            *self._later_steps(),
            *(self._noise() if self.noisy else []),
            f"Lemma along_round t : {self._phi_end()} <= 0{self.noise_of_round()}.",
            "Proof.",
            "  assert (p_A := along_steps (along t) (cost t) K one_K (first_step t) (later_step t)).",
            "  unfold along in p_A. rewrite (Rmult_comm (INR K)), share in p_A.",
            "  exact (Rle_trans _ _ _ p_A (costs_most t))."
            if self.noisy
            else "  unfold cost in p_A. rewrite below_zero in p_A. exact p_A.",
            "Qed.",
        ]

    def _noise_of_step(self) -> str:
        return f"(scale (e * ({self.loop.weight})) (turned t k))"

    def _servers_first(self) -> list[str]:
        """Return why vectors that a round begins with are those of the server."""
        return [f"p_s{self.shared.index(v) + 1}" for v in self.loop.servers if v in self.loop.fixed]

    def _nearness(self) -> list[str]:
        """Return that gradients differ by no more than points do, at a local point and at the start of the round."""
        away = f"(add (scale (- r) (drift t)) {self._drift_and_noise()})"
        return [
            f"Lemma near t k r : INR k * e = r -> 0 <= h ^ 2 * square {away} - square (slope t k).",
            "Proof.",
            (
                "  intros <-. assert (p_L := lipschitz F G descent ascent (local t k) (x t)). fold (at_g t) in p_L. "
                "fold (slope t k) in p_L."
            ),
            f"  assert (p_E : same (sub (local t k) (x t)) (scale h {away.replace('- r', '- (INR k * e)')})).",
            "  { intros w. unfold sub. rewrite ip_add, ip_scale, (place t k w), ip_add. ring. }",
            (
                "  unfold square in p_L at 2. unfold tot in p_L. rewrite (p_E _), (same_right _ _ _ p_E), ip_scale, "
                "ip_scale_right in p_L."
            ),
            "  unfold square, tot in *. lra.",
            "Qed.",
        ]

    def _first_step(self) -> list[str]:
        """Return that the potential after the first local step is at most its noise."""
        loop, b = self.loop, self.loop.weight
        fixed, shared = [self.names[v] for v in loop.fixed], self._servers_first()
        lines = [
            "Lemma first_step t : along t 1 <= cost t 0.",
            "Proof.",
            (
                f"  {destruct_servers(len(self.shared))} unfold along, cost. cbn [INR "
                f"lag{' noises' if self.noisy else ''}]. rewrite Rmult_1_l."
            ),
            *(
                f"  destruct (orthogonal_to t 0 {self.names[v]} ltac:(lia) (known_then t 0 _ (known_{v} t))) as "
                f"[p_m_{v} p_d_{v}]."
                for v in (loop.fixed if self.noisy else [])
            ),
            (
                f"  assert (p_F := first_algebra H {' '.join(fixed)}{' (turned t 0)' if self.noisy else ''} "
                f"{self.letters} {loop.box.bounds} {' '.join(shared)} {self._orthogonal(loop.fixed)})."
            ),
            f"  assert (p_E : same (add zero (scale (- (e * ({b}))) (slope t 0))) zero).",
            "  { intros w. unfold slope, sub. cbn [local]. unfold at_g. expand_ip. ring. }",
            (
                "  unfold phi in *. rewrite ?(mv_same _ _ _ p_E), ?(mv_same_right _ _ _ p_E), ?(dv_same _ _ _ p_E), "
                "?(dv_same_right _ _ _ p_E)."
            ),
        ]
        if self.noisy:
            start = self._noise_of_step().replace("turned t k", "turned t 0")
            lines += [
                f"  assert (p_M : same (add zero {start}) {start}). {{ intros w. rewrite ip_add, ip_zero. ring. }}",
                (
                    "  rewrite ?(mv_same _ _ _ p_M), ?(mv_same_right _ _ _ p_M), ?(dv_same _ _ _ p_M), "
                    "?(dv_same_right _ _ _ p_M)."
                ),
            ]
        return [*lines, "  exact p_F.", "Qed."]

    def _later_steps(self) -> list[str]:
        """Return that in each later local step the potential grows by no more than the noise of the step."""
        loop = self.loop
        vectors = [*loop.fixed, *loop.moving, "v"]
        at = {**self.names} | {"d": "(lag t k)", "m": "(noises t k)", "v": "(slope t k)"}
        reasons = {"d": "p_l", "m": "p_n", "v": "p_v"}
        known = [
            "(near t k _ p_T)"
            if kind == "lipschitz"
            else turn(about, f"p_{'m' if about[1] == 'mean' else 'd'}n_{about[0]}")
            for (kind, *about), _ in loop.loop["proofs"]["step"]
        ]
        lines = [
            "Lemma later_step t k : (1 <= k < K)%nat -> along t (S k) <= along t k + cost t k.",
            "Proof.",
            (
                f"  intros p_k. {destruct_servers(len(self.shared))} destruct (between K e k share p_k) as [r [p_t "
                f"p_T]]. unfold along, cost."
            ),
            "  replace (INR (S k) * e) with (INR k * e + e) by (rewrite S_INR; ring). rewrite p_T.",
        ]
        if self.noisy:
            lines += [
                "  destruct (known_local t k (known_state t) ltac:(lia)) as [p_y [p_l p_n]].",
                "  assert (p_v : past (t * K + k)%nat (slope t k)).",
                (
                    "  { unfold slope, sub. apply known_add; [apply known_G, p_y | apply known_scale, known_then, "
                    "known_g]. }"
                ),
            ]
            for v in vectors:
                why = reasons.get(v, f"(known_then t k _ (known_{v} t))")
                lines.append(f"  destruct (orthogonal_to t k {at[v]} ltac:(lia) {why}) as [p_m_{v} p_d_{v}].")
            lines += [f"  destruct (noises_{v} t k ltac:(lia)) as [p_mn_{v} p_dn_{v}]." for v in loop.fixed]
        arguments = " ".join(at[v] for v in vectors) + (" (turned t k)" if self.noisy else "")
        reasons_of = " ".join([*self._servers_first(), self._orthogonal(vectors), *known])
        bounds = loop.box.bounds.replace("box_e", "(share_half K e k share p_k)")
        proof = f"step_algebra H {arguments} r {self.letters} p_t {bounds} {reasons_of}"
        lines += [
            f"  assert (p_Z := {proof}).",
            f"  cbn [lag{' noises' if self.noisy else ''}]. {'' if self.noisy else 'rewrite Rplus_0_r. '}exact p_Z.",
            "Qed.",
        ]
        return lines

    def _noise(self) -> list[str]:
        loop = self.loop
        names, b = loop.noise_parts(), loop.weight
        (mean, _), (apart, _) = names["mean"], names["deviations"]
        noise = f"(scale (e * ({b})) (turned t k))"
        known = [f"exact ({one}_nonneg r {self.letters} p_t {loop.box.bounds})" for one in (mean, apart)]
        known += ["exact (variance t k p_k)", "exact (independent t k p_k)"]
        functions = " ".join(f"(fun r => {one} {self.letters} r)" for one in (mean, apart))
        sums = " ".join(f"({one}_sum K {self.letters} {loop.box.bounds} share)" for one in (mean, apart))
        parts = [f"{one} {self.letters} (INR (S k) * e)" for one in (mean, apart)]
        here = f"{mean} {self.letters} r * mv (xi t k) (xi t k) + {apart} {self.letters} r * dv (xi t k) (xi t k)"
        inside = "exact (proj2 (share_inside (S k) K e (proj1 box_e) share p_k))"
        return [
            "Lemma cost_most t k : (k < K)%nat ->",
            f"  cost t k <= (e * ({b})) ^ 2 * sigma2 * ({parts[0]} / N + {parts[1]} * (1 - 1 / N)).",
            "Proof.",
            "  intros p_k. assert (p_t : 0 < INR (S k) * e <= 1).",
            f"  {{ split; [apply Rmult_lt_0_compat; [apply lt_0_INR; lia | exact (proj1 box_e)] | {inside}]. }}",
            "  unfold cost. set (r := INR (S k) * e) in *.",
            f"  assert (p_E : {loop.alone('r', noise)} = (e * ({b})) ^ 2 * ({here})).",
            "  { unfold phi, turned. bilinear. ring. }",
            f"  rewrite p_E. apply noise_at_most; [exact one_N | {' | '.join(known)}].",
            "Qed.",
            f"Lemma costs_most t : below K (cost t) <= 0{self.noise_of_round()}.",
            "Proof.",
            "  refine (Rle_trans _ _ _ (below_le K _ _ (cost_most t)) _). rewrite Rplus_0_l.",
            f"  exact (noises_at_most K e ({b}) sigma2 N {functions} _ _ (proj1 box_e) some_sigma2 one_N {sums}).",
            "Qed.",
        ]

    def _phi_end(self) -> str:
        loop = self.loop
        moving = ["(lag t K)", "(noises t K)"] if self.noisy else ["(lag t K)"]
        return loop.phi_at("1", *(self.names[v] for v in loop.fixed), *moving)

    def noise_of_round(self) -> str:
        """Return what the noise of a round adds, at most."""
        if not self.noisy:
            return ""
        loop = self.loop
        mean, apart = (
            write_polynomial(self.loop.rounds.read(loop.loop["noise"][block])) for block in ("mean", "deviations")
        )
        return f" + e * ({loop.weight}) ^ 2 * sigma2 * (({mean}) / N + ({apart}) * (1 - 1 / N))"
