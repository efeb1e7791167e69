"""A theorem for all steps as a Coq file: its lemmas, the method, one round, and the sum over the rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.proofs.coq.rounds.lemmas import RoundLemmas
from boundcheck.proofs.coq.rounds.loops import LoopLemmas
from boundcheck.proofs.coq.rounds.polynomials import name_of, written
from boundcheck.proofs.coq.rounds.spelling import parts
from boundcheck.proofs.kernel.algebra import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.kernel.certificates import Poly

_HEAD = """Require Import Reals ZArith List Lra Lia.
From Boundcheck Require Import Sums Space Families Rules Polynomials Blocks Rounds.
Import ListNotations.
Open Scope R_scope.
"""
_CLASS = """Section Method.
(* Families of one vector for each client: [F u] is the mean of the clients' values, each at its own point, less the
   lower bound of their mean; [G u] are their gradients. Units are such that L = 1. *)
Context (H : Projected) (F : H -> R) (G : H -> H).
Hypothesis descent : forall u v : H, F v <= F u + tot (G u) (sub v u) + 1 / 2 * square (sub v u).
Hypothesis ascent : forall u v : H, F u + tot (G u) (sub v u) - 1 / 2 * square (sub v u) <= F v.
Hypothesis lower : forall u : H, server u -> 0 <= F u."""
_NOISE = """(* [past s u]: u is determined before local step s, counted from the first round on; [xi t k] is the
   noise of step k of round t, of all clients. *)
Context (past : Past H nat le) (sigma2 N : R) (xi : nat -> nat -> H).
Hypothesis known_G : forall s u, past s u -> past s (G u).
Hypothesis known_avg : forall s u, past s u -> past s (avg u).
Hypothesis known_xi : forall t k, (k < K)%nat -> past (t * K + S k)%nat (xi t k).
Hypothesis unbiased : forall t k u, (k < K)%nat -> past (t * K + k)%nat u -> tot (xi t k) u = 0.
Hypothesis independent : forall t k, (k < K)%nat -> mv (xi t k) (xi t k) = square (xi t k) / N.
Hypothesis variance : forall t k, (k < K)%nat -> square (xi t k) <= sigma2.
Hypothesis one_N : 1 <= N.
Hypothesis some_sigma2 : 0 <= sigma2."""
_LOOP = """Context (K : nat).
Hypothesis one_K : (1 <= K)%nat.
Hypothesis share : e * INR K = 1.
Lemma box_e : 0 < e <= 1. Proof. exact (share_bounds K e one_K share). Qed."""
_SAID = {
    "Delta": (
        "F (x 0%nat) <= Delta",
        "assert (p := lower _ start_server). assert (q := said_Delta). lra",
    ),
    "zeta2": (
        "forall t, dv (G (x t)) (G (x t)) <= zeta2",
        "exact (Rle_trans _ _ _ (dv_nonneg _) (said_zeta2 0%nat))",
    ),
    "G0": ("square (G (x 0%nat)) <= G0", "exact (Rle_trans _ _ _ (ip_nonneg _) said_G0)"),
}
"""Constants: what is said of each, and why it is not negative."""
_START = {
    "Delta": "(gap _ _ said_Delta)",
    "zeta": "(gap _ _ (said_zeta2 0%nat))",
    "G0": "(gap _ _ said_G0)",
    "floor": "(floor F G descent (x 0%nat) lower start_server)",
}
_NO_TEXT = {
    "given": "a hypothesis of a file's own",
    "fall": "a potential that falls by itself",
    "polyak": "the Polyak-Lojasiewicz condition",
}


class RoundPage:
    """A theorem for all steps as a Coq file.

    Parameters
    ----------
    theorem : mapping
        What the checker accepts.

    Raises
    ------
    Refused
        If it has no text in Coq.
    LemmaError
        If the checker does not accept it.
    """

    def __init__(self, theorem: Mapping[str, Any]) -> None:
        for key, what in _NO_TEXT.items():
            if theorem.get(key):
                raise Refused(f"{what} has no text in Coq")
        self.loop: LoopLemmas | None = LoopLemmas(theorem) if "loop" in theorem else None
        self.lemmas: RoundLemmas = self.loop or RoundLemmas(theorem)
        self.theorem = theorem
        self.rounds = self.lemmas.rounds
        self.noisy = bool(self.loop and self.loop.noisy)
        self.others = [name for name in self.lemmas.state if name != "g"]
        self.shared = [v for v in self.others if v in self.lemmas.servers]
        self.letters = " ".join(self.lemmas.letters)
        self.bounds = self.lemmas.box.bounds
        self.names = {"g": "(at_g t)", "d": "(lag t K)", "m": "(noises t K)"}
        self.names |= {v: f"({name_of(v)} t)" for v in self.others}
        self.rate = self.lemmas.box.number("rate", self.rounds.read(theorem["rate"]))

    def write(self) -> str:
        """Return the file."""
        said = str(self.theorem["says"]["theorem"]) if "says" in self.theorem else ""
        texts = zip(self.lemmas.letters, self.lemmas.box.conditions, strict=True)
        lines = [
            f"(* {self.theorem['id']}. {said} *)",
            _HEAD,
            "(* -- over any space, with vectors as variables -- *)",
            self.lemmas.potential.text,
            *([self.loop.loop_lemmas()] if self.loop else []),
            *([self.loop.noise_lemmas()] if self.loop and self.noisy else []),
            *(self.lemmas.write(self.lemmas.claim(name)) for name in ("round", "start", "end")),
            self.rate.text,
            "",
            _CLASS,
            f"Context ({self.letters} : R).",
            *(f"Hypothesis box_{x} : {text}." for x, text in texts if not (self.loop and x == "e")),
            *([_LOOP] if self.loop else []),
            *([_NOISE] if self.noisy else []),
            f"Context ({' '.join(['x', *map(name_of, self.others)])} : nat -> H).",
            "",
            "(* -- the method: round t starts at x t -- *)",
            "Definition at_g (t : nat) : H := G (x t).",
            *(self._local() if self.loop else []),
            *self._points(),
            *self._steps(),
            *self._servers(),
            *(self._known() if self.noisy else []),
            *(self._along() if self.loop else []),
            *self._rounds(),
            "End Method.",
            "",
        ]
        return "\n".join(lines)

    def at(self, p: Poly) -> str:
        """Write a combination at the state of round t."""
        return self.lemmas.combined(p, self.names)

    # --- the method -------------------------------------------------------------------------------------------------

    def _local(self) -> list[str]:
        loop = self._loop()
        b, moved = loop.weight, "(sub (G (local t k)) (at_g t))"
        if self.noisy:
            moved = f"(add {moved} (xi t k))"
        lines = [
            "(* A local step goes along the drift, the same at all steps, and what the gradient has changed by. *)",
            f"Definition drift (t : nat) : H := {self.at(self.rounds.read(loop.loop['drift']))}.",
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
        away = f"(add (scale (- (INR k * e)) (drift t)) {self._moved()})"
        unfolded = "slope, turned, sub" if self.noisy else "slope, sub"
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

    def _points(self) -> list[str]:
        lines = ["Lemma gradient_0 t : same (G (x t)) (at_g t). Proof. apply same_refl. Qed."]
        seen = {"g", *self.others, "d", "m"}
        for n, point in enumerate(self.theorem["points"][1:], 1):
            p = self.rounds.read(point["g"])
            new = [v for v in parts(p) if v not in seen]
            if len(new) != 1 or new[0] not in self.theorem["letters"]:
                raise Refused(f"the gradient at point {n} is not a new vector: that has no text in Coq")
            mean, apart = parts(p)[new[0]]
            if mean != apart:
                raise Refused(f"a factor of the mean of {new[0]} alone has no text in Coq")
            rest = {m: c for m, c in p.items() if not any(g.lstrip("~") == new[0] for g, _ in m)}
            place, others = self.at(self.rounds.read(point["x"])), self.at(rest)
            self.names[new[0]] = f"(at_{new[0]} t)"
            seen.add(new[0])
            lines += [
                f"Definition point_{n} (t : nat) : H := add (x t) {place}.",
                (
                    f"Definition at_{new[0]} (t : nat) : H := scale (/ ({written(mean)})) (sub (G (point_{n} t)) "
                    f"{others})."
                ),
                f"Lemma gradient_{n} t : same (G (point_{n} t)) {self.at(p)}.",
                f"Proof. intros w. unfold at_{new[0]}, sub. expand_ip. field; nonzero. Qed.",
            ]
        for v in self.others:
            lines.append(f"Definition next_{v} (t : nat) : H := {self.at(self.rounds.read(self.theorem['next'][v]))}.")
        return lines

    def _steps(self) -> list[str]:
        """State the equations of the method, and what is said of the start."""
        start, lines = self.theorem["start"], ["", "(* -- hypotheses on a run -- *)"]
        at_start = {"g": "(at_g 0)"}
        lines += [
            "Hypothesis start_server : server (x 0%nat).",
            *(["Hypothesis known_start : past 0%nat (x 0%nat)."] if self.noisy else []),
            f"Hypothesis step_x : forall t, x (S t) = point_{self.lemmas.last} t.",
        ]
        for v in self.others:
            value = self.lemmas.combined(self.rounds.read(start[v]), at_start)
            lines.append(f"Hypothesis start_{v} : {name_of(v)} 0%nat = {value}.")
            lines.append(f"Hypothesis step_{v} : forall t, {name_of(v)} (S t) = next_{v} t.")
        lines += [f"Context ({' '.join(self._constants())} : R)."] if self._constants() else []
        for c in self._constants():
            if c not in _SAID:
                raise Refused(f"{c} has no text in Coq")
            lines += [f"Hypothesis said_{c} : {_SAID[c][0]}.", f"Lemma some_{c} : 0 <= {c}. Proof. {_SAID[c][1]}. Qed."]
        return lines

    def _constants(self) -> list[str]:
        return list(dict.fromkeys([*self.theorem["first"], *self.theorem["round"]]))

    def _servers(self) -> list[str]:
        goal = " /\\ ".join(["server (x t)", *(f"server ({name_of(v)} t)" for v in self.shared)])
        unfolded = ", ".join([f"point_{self.lemmas.last}", *(f"next_{v}" for v in self.shared)])
        starts = f"rewrite {', '.join(f'start_{v}' for v in self.shared)}; " if self.shared else ""
        return [
            f"Lemma servers t : {goal}.",
            "Proof.",
            f"  induction t as [|t I]; [{starts}repeat split; first [exact start_server | of_server]|].",
            (
                f"  {_split('p_s', len(self.shared), 'I')} rewrite "
                f"{', '.join(['step_x', *(f'step_{v}' for v in self.shared)])}. unfold {unfolded}."
            ),
            "  repeat split; of_server.",
            "Qed.",
        ]

    # --- what is known when -----------------------------------------------------------------------------------------

    def _known(self) -> list[str]:
        loop = self._loop()
        goal = " /\\ ".join(f"past (t * K)%nat ({v} t)" for v in ("x", *map(name_of, self.others)))
        count, last = len(self.others), self.lemmas.last
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
        lines = [
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
                f"  intros p_R. {_split('p_k', count, 'p_R')} assert (p_g : past (t * K)%nat (at_g t)) by (apply "
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
            "  cbn [local lag noises]. unfold slope, turned, sub. repeat split; known_now.",
            "Qed.",
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
            (f"  unfold ready in I. {_split('p_k', count, 'I')} {later}"),
            "  assert (p_G : past (S t * K)%nat (at_g t)) by (apply known_G; assumption).",
            (
                f"  assert (p_P : past (S t * K)%nat (point_{last} t)) by (unfold point_{last}; known_now). assert "
                f"(p_Q := known_G _ _ p_P)."
            ),
            f"  unfold ready. rewrite step_x.{nexts or ' exact p_P.'}",
            "Qed.",
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
        for v in loop.fixed:
            lines += [
                f"Lemma known_{v} t : past (t * K)%nat {self.names[v]}.",
                (
                    f"Proof. assert (p_R := known_state t). unfold ready in p_R. {_split('p_k', count, 'p_R')} "
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

    # --- local steps ------------------------------------------------------------------------------------------------

    def _loop(self) -> LoopLemmas:
        assert self.loop is not None
        return self.loop

    def _moved(self) -> str:
        return "(add (lag t k) (noises t k))" if self.noisy else "(lag t k)"

    def _orthogonal(self, vectors: list[str]) -> str:
        """Return proofs that vectors are orthogonal to the noise, in the order in which the lemma has them."""
        loop, found = self._loop(), []
        for v in vectors if self.noisy else []:
            for letter, form in (("m", "mv"), ("d", "dv"))[: 1 if v in loop.servers else 2]:
                name = f"p_{letter}_{v}"
                found.append(name if v < "n" else f"(eq_trans ({form}_sym _ _) {name})")
        return " ".join(found)

    def _along(self) -> list[str]:
        loop = self._loop()
        fixed, b = [self.names[v] for v in loop.fixed], loop.weight
        shared = [f"p_s{self.shared.index(v) + 1}" for v in loop.servers if v in loop.fixed]
        moving = ["(lag t k)", "(noises t k)"] if self.noisy else ["(lag t k)"]
        noise = f"(scale (e * ({b})) (turned t k))"
        cost = loop.alone("INR (S k) * e", noise) if self.noisy else "0"
        away = f"(add (scale (- r) (drift t)) {self._moved()})"
        vectors = [*loop.fixed, *loop.moving, "v"]
        at = self.names | {"d": "(lag t k)", "m": "(noises t k)", "v": "(slope t k)"}
        reasons = {"d": "p_l", "m": "p_n", "v": "p_v"}
        known = [
            "(near t k _ p_T)"
            if kind == "lipschitz"
            else _turned(about, f"p_{'m' if about[1] == 'mean' else 'd'}n_{about[0]}")
            for (kind, *about), _ in loop.loop["proofs"]["step"]
        ]
        lines = [
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
            f"Definition along (t k : nat) : R := {loop.phi_at('INR k * e', *fixed, *moving)}.",
            f"Definition cost (t k : nat) : R := {cost}.",
            "Lemma first_step t : along t 1 <= cost t 0.",
            "Proof.",
            (
                f"  {_destruct_servers(len(self.shared))} unfold along, cost. cbn [INR "
                f"lag{' noises' if self.noisy else ''}]. rewrite Rmult_1_l."
            ),
            *(
                f"  destruct (orthogonal_to t 0 {self.names[v]} ltac:(lia) (known_then t 0 _ (known_{v} t))) as "
                f"[p_m_{v} p_d_{v}]."
                for v in (loop.fixed if self.noisy else [])
            ),
            (
                f"  assert (p_F := first_algebra H {' '.join(fixed)}{' (turned t 0)' if self.noisy else ''} e h "
                f"box_e box_h {' '.join(shared)} {self._orthogonal(loop.fixed)})."
            ),
            f"  assert (p_E : same (add zero (scale (- (e * ({b}))) (slope t 0))) zero).",
            "  { intros w. unfold slope, sub. cbn [local]. unfold at_g. expand_ip. ring. }",
            (
                "  unfold phi in *. rewrite ?(mv_same _ _ _ p_E), ?(mv_same_right _ _ _ p_E), ?(dv_same _ _ _ p_E), "
                "?(dv_same_right _ _ _ p_E)."
            ),
        ]
        if self.noisy:
            start = noise.replace("turned t k", "turned t 0")
            lines += [
                f"  assert (p_M : same (add zero {start}) {start}). {{ intros w. rewrite ip_add, ip_zero. ring. }}",
                (
                    "  rewrite ?(mv_same _ _ _ p_M), ?(mv_same_right _ _ _ p_M), ?(dv_same _ _ _ p_M), "
                    "?(dv_same_right _ _ _ p_M)."
                ),
            ]
        lines += [
            "  exact p_F.",
            "Qed.",
            "Lemma later_step t k : (1 <= k < K)%nat -> along t (S k) <= along t k + cost t k.",
            "Proof.",
            (
                f"  intros p_k. {_destruct_servers(len(self.shared))} destruct (between K e k share p_k) as [r [p_t "
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
        reasons_of = " ".join([*shared, self._orthogonal(vectors), *known])
        proof = f"step_algebra H {arguments} r e h p_t (share_half K e k share p_k) box_h {reasons_of}"
        lines += [
            f"  assert (p_Z := {proof}).",
            f"  cbn [lag{' noises' if self.noisy else ''}]. {'' if self.noisy else 'rewrite Rplus_0_r. '}exact p_Z.",
            "Qed.",
            *(self._noise() if self.noisy else []),
            f"Lemma along_round t : {self._phi_end()} <= 0{self._noise_of_round()}.",
            "Proof.",
            "  assert (p_A := along_steps (along t) (cost t) K one_K (first_step t) (later_step t)).",
            "  unfold along in p_A. rewrite (Rmult_comm (INR K)), share in p_A.",
            "  exact (Rle_trans _ _ _ p_A (costs_most t))."
            if self.noisy
            else "  unfold cost in p_A. rewrite below_zero in p_A. exact p_A.",
            "Qed.",
        ]
        return lines

    def _noise(self) -> list[str]:
        loop = self._loop()
        names, b = loop.noise_parts(), loop.weight
        (mean, _), (apart, _) = names["mean"], names["deviations"]
        noise = f"(scale (e * ({b})) (turned t k))"
        factor_text = f"(e * ({b})) ^ 2 * sigma2"
        [written(self.rounds.read(loop.loop["noise"][block])) for block in ("mean", "deviations")]
        return [
            "Lemma cost_most t k : (k < K)%nat ->",
            (
                f"  cost t k <= {factor_text} * ({mean} e h (INR (S k) * e) / N + {apart} e h (INR (S k) * e) * (1 "
                f"- 1 / N))."
            ),
            "Proof.",
            "  intros p_k. assert (p_t : 0 < INR (S k) * e <= 1).",
            (
                "  { split; [apply Rmult_lt_0_compat; [apply lt_0_INR; lia | exact (proj1 box_e)] | exact (proj2 "
                "(share_inside (S k) K e (proj1 box_e) share p_k))]. }"
            ),
            "  unfold cost. set (r := INR (S k) * e) in *.",
            (
                f"  assert (p_E : {loop.alone('r', noise)} = (e * ({b})) ^ 2 * ({mean} e h r * mv (xi t k) (xi t k) "
                f"+ {apart} e h r * dv (xi t k) (xi t k)))."
            ),
            "  { unfold phi, turned. bilinear. ring. }",
            (
                f"  rewrite p_E. apply noise_at_most; [exact one_N | exact ({mean}_nonneg r e h p_t box_e box_h) | "
                f"exact ({apart}_nonneg r e h p_t box_e box_h) "
                "| exact (variance t k p_k) | exact (independent t k p_k)]."
            ),
            "Qed.",
            f"Lemma costs_most t : below K (cost t) <= 0{self._noise_of_round()}.",
            "Proof.",
            "  refine (Rle_trans _ _ _ (below_le K _ _ (cost_most t)) _). rewrite Rplus_0_l.",
            (
                f"  exact (noises_at_most K e ({b}) sigma2 N (fun r => {mean} e h r) (fun r => {apart} e h r) _ _ "
                f"(proj1 box_e) some_sigma2 one_N"
            ),
            f"    ({mean}_sum K e h box_e box_h share) ({apart}_sum K e h box_e box_h share)).",
            "Qed.",
        ]

    def _phi_end(self) -> str:
        loop = self._loop()
        moving = ["(lag t K)", "(noises t K)"] if self.noisy else ["(lag t K)"]
        return loop.phi_at("1", *(self.names[v] for v in loop.fixed), *moving)

    def _noise_of_round(self) -> str:
        if not self.noisy:
            return ""
        loop = self._loop()
        mean, apart = (written(self.rounds.read(loop.loop["noise"][block])) for block in ("mean", "deviations"))
        return f" + e * ({loop.weight}) ^ 2 * sigma2 * (({mean}) / N + ({apart}) * (1 - 1 / N))"

    # --- all rounds -------------------------------------------------------------------------------------------------

    def _rounds(self) -> list[str]:
        first, always = list(self.theorem["first"]), list(self.theorem["round"])
        last = self.lemmas.last
        rate = f"({written(self.rounds.read(self.theorem['rate']))})"
        constants = f"{self.lemmas.constants('round')}{self._noise_of_round()}"
        value = " ".join(
            [
                "potential",
                self.letters,
                "(F (x t))",
                *("(G (x t))" if v == "g" else self.names[v] for v in self.lemmas.state),
            ]
        )
        claim = self.lemmas.claim("round")
        values = ["(F (x t))", *(f"(F (point_{n} t))" for n in range(1, len(self.theorem["points"])))]
        used, known = [], []
        for (kind, *about), _ in self.theorem["proofs"]["round"]:
            if kind == "smooth":
                a, b = about
                places = " ".join("(from_itself (x t))" if n == 0 else "(same_refl _)" for n in about)
                known.append(
                    f"(smooth_from F G descent ascent (x t) _ _ _ _ _ _ {places} (gradient_{a} t) (gradient_{b} t))"
                )
            elif kind == "zeta" and about[0] in (0, last):
                known.append(f"(gap _ _ p_zeta_{about[0]})")
                used.append(about[0])
            elif kind == "orthogonal":
                known.append(
                    _turned(about, f"(proj{'1' if about[1] == 'mean' else '2'} (noises_{about[0]} t K (le_n K)))")
                )
            else:
                raise Refused(f"{kind} in a round has no text in Coq")
        arguments = [self.names[v] for v in claim.vectors]
        servers = [f"p_s{self.shared.index(v) + 1}" for v in self.lemmas.servers]
        call = " ".join(
            [
                "round_algebra H",
                *arguments,
                self.letters,
                self.bounds,
                *values,
                *always,
                *servers,
                *(f"some_{c}" for c in always),
                *known,
            ]
        )
        zeta = {0: "said_zeta2 t", last: "said_zeta2 (S t)"}
        gradients = {n: self.at(self.rounds.read(self.theorem["points"][n]["g"])) for n in {*used, last}}
        pattern = ", ".join(["step_x", *(f"step_{v}" for v in self.others)])
        numbers = " ".join(["(F (x 0%nat))", *first])
        start_known = " ".join(_START[kind] for (kind, *_), _ in self.theorem["proofs"]["start"])
        end_known = " ".join("(floor F G descent (x t) lower p_s0)" for _ in self.theorem["proofs"]["end"])
        starts = f"rewrite {', '.join(f'start_{v}' for v in self.others)}. " if self.others else ""
        state = " ".join("(G (x t))" if v == "g" else self.names[v] for v in self.lemmas.state)
        nonneg = f"{self.rate.scale} * value [{'; '.join(self.lemmas.letters)}] rate_value"
        return [
            "",
            "(* -- all rounds -- *)",
            f"Definition level (t : nat) : R := {value}.",
            f"Lemma each_round t : level (S t) + {rate} * mv (G (x t)) (G (x t)) <= level t + ({constants}).",
            "Proof.",
            f"  {_destruct_servers(len(self.shared))} assert (p_E := gradient_{last} t).",
            *(
                f"  assert (p_zeta_{n} : dv {gradients[n]} {gradients[n]} <= zeta2). {{ assert (p_z := "
                f"{zeta[n]}). {'rewrite step_x, ' if n else 'rewrite '}(dv_same _ _ _ (gradient_{n} t)), "
                f"(dv_same_right _ _ _ (gradient_{n} t)) in p_z. exact p_z. }}"
                for n in sorted(set(used))
            ),
            f"  assert (p_R := {call}).",
            f"  unfold level. rewrite {pattern}. unfold potential in *.",
            (
                "  rewrite ?(mv_same _ _ _ p_E), ?(mv_same_right _ _ _ p_E), ?(dv_same _ _ _ p_E), ?(dv_same_right "
                "_ _ _ p_E)."
            ),
            *(["  assert (p_N := along_round t)."] if self.loop else []),
            f"  fold (at_g t){''.join(f' (next_{v} t)' for v in self.others)} in *. lra.",
            "Qed.",
            f"Lemma level_start : level 0 <= {self.lemmas.constants('first')}.",
            "Proof.",
            (
                f"  unfold level. {starts}exact (start_algebra H (G (x 0%nat)) {self.letters} {self.bounds} "
                f"{numbers} {' '.join(f'some_{c}' for c in first)} {start_known})."
            ),
            "Qed.",
            "Lemma level_nonneg t : 0 <= level t.",
            "Proof.",
            (
                f"  {_destruct_servers(len(self.shared))} exact (end_algebra H {state} {self.letters} {self.bounds} "
                f"(F (x t)) {' '.join(f'p_s{n + 1}' for n in range(len(self.shared)))} {end_known})."
            ),
            "Qed.",
            f"Lemma rate_nonneg : 0 <= {rate}.",
            "Proof.",
            (
                f"  assert (p_T : 0 <= {nonneg}) by (apply Rmult_le_pos; [nonneg | exact (rate {self.letters} "
                f"{self.bounds})])."
            ),
            "  refine (moved _ _ p_T _). unfold rate_value. written. field; nonzero.",
            "Qed.",
            "(* The theorem: the mean over rounds of the square of the mean gradient. *)",
            "Theorem average_gradient : forall T, (1 <= T)%nat ->",
            (
                f"  {rate} * (below T (fun t => mv (G (x t)) (G (x t))) / INR T) <= "
                f"({self.lemmas.constants('first')}) / INR T + ({constants})."
            ),
            (
                "Proof. exact (rounds level (fun t => mv (G (x t)) (G (x t))) _ _ _ rate_nonneg each_round "
                "level_start level_nonneg). Qed."
            ),
        ]


def _turned(about: list[str], proof: str) -> str:
    """Return a proof that a vector and the noises are orthogonal, in the order in which a lemma has them."""
    vector, block = about
    return proof if vector < "m" else f"(eq_trans ({'mv' if block == 'mean' else 'dv'}_sym _ _) {proof})"


def _split(name: str, count: int, hypothesis: str) -> str:
    """Return the tactic that takes a conjunction of count + 1 parts apart."""
    if not count:
        return f"assert ({name}0 := {hypothesis})."
    return f"destruct {hypothesis} as {_pattern(name, count)}."


def _destruct_servers(count: int) -> str:
    return f"destruct (servers t) as {_pattern('p_s', count)}." if count else "assert (p_s0 := servers t)."


def _pattern(name: str, count: int) -> str:
    parts_of = [f"{name}{n}" for n in range(count + 1)]
    return "[" + " [".join(parts_of[:-1]) + f" {parts_of[-1]}" + "]" * count
