"""A theorem for all steps as a Coq file: its lemmas, the method, one round, and the sum over the rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.proofs.coq.rounds.chains import ChainPage, ChainSteps
from boundcheck.proofs.coq.rounds.falling import FallingPotential, nonnegative
from boundcheck.proofs.coq.rounds.lemmas import RoundLemmas
from boundcheck.proofs.coq.rounds.local_steps import LocalSteps
from boundcheck.proofs.coq.rounds.loops import LoopLemmas
from boundcheck.proofs.coq.rounds.polynomials import PRODUCT, generator, name_of, write_polynomial
from boundcheck.proofs.coq.rounds.spelling import parts
from boundcheck.proofs.coq.rounds.tactics import destruct_servers, split, turn
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
_CHAIN = """(* K is any whole number from 2 on. *)
Context (beyond : nat).
Definition K : nat := S (S beyond).
Hypothesis share : e * INR K = 1.
Lemma box_e : 0 < e <= 1 / 2. Proof. exact (share_half K e 1 share ltac:(unfold K; lia)). Qed."""
_SAID = {
    "Delta": (
        "F (x 0%nat) <= Delta",
        "assert (p_l := lower _ start_server). assert (p_d := said_Delta). lra",
    ),
    "zeta2": (
        "forall t, dv (G (x t)) (G (x t)) <= zeta2",
        "exact (Rle_trans _ _ _ (dv_nonneg _) (said_zeta2 0%nat))",
    ),
    "G0": ("square (G (x 0%nat)) <= G0", "exact (Rle_trans _ _ _ (ip_nonneg _) said_G0)"),
    "U0": ("square (v_u 0%nat) <= U0", "exact (Rle_trans _ _ _ (ip_nonneg _) said_U0)"),
    "sigma2_mean": ("0 <= sigma2_mean", "exact said_sigma2_mean"),
    "sigma2_apart": ("0 <= sigma2_apart", "exact said_sigma2_apart"),
}
"""Constants: what is said of each, and why it is not negative."""
_START = {
    "Delta": "(gap _ _ said_Delta)",
    "zeta": "(gap _ _ (said_zeta2 0%nat))",
    "G0": "(gap _ _ said_G0)",
    "size": "(gap _ _ said_U0)",
    "floor": "(floor F G descent (x 0%nat) lower start_server)",
}
_POLYAK = """(* Gradients are large where values are. *)
Hypothesis polyak : forall u : H, server u -> 2 * mu * F u <= mv (G u) (G u)."""


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
        self.chain = bool(theorem.get("loop", {}).get("chain"))
        lemmas, steps = (ChainPage, ChainSteps) if self.chain else (LoopLemmas, LocalSteps)
        self.loop: LoopLemmas | None = lemmas(theorem) if "loop" in theorem else None
        self.lemmas: RoundLemmas = self.loop or RoundLemmas(theorem)
        self.theorem = theorem
        self.rounds = self.lemmas.rounds
        self.noisy = bool(self.loop and self.loop.noisy)
        self.others = [v for v in self.lemmas.in_state() if v != "g"]
        gradients = {v for point in theorem["points"] for v in parts(self.rounds.read(point["g"]))}
        self.free = [v for v in self.lemmas.vectors() if v not in {*self.others, *gradients, *self.lemmas.moving}]
        """Vectors of which a round says no more than what is given."""
        self.shared = [v for v in self.others if v in self.lemmas.servers]
        self.letters = " ".join(self.lemmas.letters)
        self.bounds = self.lemmas.box.bounds
        self.names = self.names_at("t")
        self.steps = steps(self.loop, self.names, self.others, self.shared, self.free) if self.loop else None
        self.falling = FallingPotential(self.lemmas, self.steps) if {"polyak", "fall"} & set(theorem) else None

    def names_at(self, t: str) -> dict[str, str]:
        """Return what vectors and numbers are in a round."""
        names = {"g": f"(at_g {t})", "d": f"(lag {t} K)", "m": f"(noises {t} K)"}
        own = [*self.others, *self.free, *self.lemmas.numbers]
        return names | {v: f"({name_of(v)} {t})" for v in own}

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
            *([self.lemmas.rate().text] if "rate" in self.theorem else []),
            *(self.falling.lemmas_over_any_space() if self.falling else []),
            "",
            _CLASS,
            f"Context ({self.letters} : R).",
            *(f"Hypothesis box_{x} : {text}." for x, text in texts if not (self.loop and x == "e")),
            *([_CHAIN if self.chain else _LOOP] if self.loop else []),
            *([_NOISE] if self.noisy else []),
            *([_POLYAK] if "fall" in self.theorem else []),
            f"Context ({' '.join(['x', *map(name_of, [*self.others, *self.free])])} : nat -> H).",
            *(f"Context ({name_of(v)} : nat -> R)." for v in self.lemmas.numbers),
            *(f"Hypothesis server_{v} : forall t, server ({name_of(v)} t)." for v in self._free_servers()),
            "",
            "(* -- the method: round t starts at x t -- *)",
            "Definition at_g (t : nat) : H := G (x t).",
            *(self.steps.method() if self.steps else []),
            *self._points(),
            *self._steps(),
            *self._servers(),
            *(self.steps.births() if self.steps and self.noisy else []),
            *(self.steps.along() if self.steps else []),
            *self._rounds(),
            "End Method.",
            "",
        ]
        return "\n".join(lines)

    def at(self, p: Poly) -> str:
        """Write a combination at the state of round t."""
        return self.lemmas.write_vector(p, self.names)

    # --- the method -------------------------------------------------------------------------------------------------

    def _free_servers(self) -> list[str]:
        return [v for v in self.free if v in self.lemmas.servers]

    def _points(self) -> list[str]:
        """Define the points of a round, each once the gradients are that it is made of."""
        lines = ["Lemma gradient_0 t : same (G (x t)) (at_g t). Proof. apply same_refl. Qed."]
        seen = {"g", "d", "m", *self.others, *self.free}
        left = dict(enumerate(self.theorem["points"][1:], 1))
        while left:
            ready = [n for n, point in left.items() if seen >= set(parts(self.rounds.read(point["x"])))]
            if not ready:
                raise Refused("points that are made of each other's gradients have no text in Coq")
            n, point = ready[0], left.pop(ready[0])
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
                    f"Definition at_{new[0]} (t : nat) : H := "
                    f"scale (/ ({write_polynomial(mean)})) (sub (G (point_{n} t)) {others})."
                ),
                f"Lemma gradient_{n} t : same (G (point_{n} t)) {self.at(p)}.",
                f"Proof. intros w. unfold at_{new[0]}, sub. expand_ip. field; nonzero. Qed.",
            ]
        for v in self._state_beside_gradient():
            lines.append(f"Definition next_{v} (t : nat) : H := {self.at(self.rounds.read(self.theorem['next'][v]))}.")
        return lines

    def _state_beside_gradient(self) -> list[str]:
        """Return the vectors of the state beside the gradient."""
        return [v for v in self.lemmas.state if v != "g"]

    def _state_given(self) -> list[str]:
        """State what a file gives of its rounds, and that it is the number that the lemmas have."""
        lines = []
        for n, (left, sign, right) in enumerate(self.theorem.get("given", ())):
            said = f"{self._number_at(self.rounds.read(left))} {sign} {self._number_at(self.rounds.read(right))}"
            what, equal = self.rounds.hypothesis("given", [n])
            shown = f"{self._number_at(what)} = 0" if equal else f"0 <= {self._number_at(what)}"
            lines += [
                f"(* {left} {sign} {right} *)",
                f"Hypothesis given_{n} : forall t, {said}.",
                f"Lemma known_given_{n} t : {shown}. Proof. assert (p_G := given_{n} t). lra. Qed.",
            ]
        return lines

    def _number_at(self, p: Poly) -> str:
        """Write a number, with products of vectors, at the state of round t."""
        names = {name: self.names[name][1:-1] for name in self.lemmas.numbers}
        for product in {g for m in p for g, _ in m if PRODUCT.fullmatch(g)}:
            form, first, second = generator(product).split()
            names[product] = f"{form} {self.names[first.removeprefix('v_')]} {self.names[second.removeprefix('v_')]}"
        return write_polynomial(p, names)

    def _steps(self) -> list[str]:
        """State the equations of the method, and what is said of the start."""
        start, lines = self.theorem["start"], ["", "(* -- hypotheses on a run -- *)"]
        at_start, later = self.names_at("0%nat"), self.names_at("(S t)")
        lines += [
            "Hypothesis start_server : server (x 0%nat).",
            *(["Hypothesis known_start : past 0%nat (x 0%nat)."] if self.noisy else []),
            f"Hypothesis step_x : forall t, x (S t) = point_{self.lemmas.last} t.",
        ]
        for v in self._state_beside_gradient():
            state = self.rounds.read(self.theorem["state"][v])
            if start[v] != self.theorem["state"][v]:
                first, value = (self.lemmas.write_vector(p, at_start) for p in (state, self.rounds.read(start[v])))
                lines.append(f"Hypothesis start_{v} : {first} = {value}.")
            lines.append(f"Hypothesis step_{v} : forall t, {self.lemmas.write_vector(state, later)} = next_{v} t.")
        for v in self.lemmas.counted:
            lines.append(f"Hypothesis start_{v} : {name_of(v)} 0%nat = {start[v]}.")
            lines.append(f"Hypothesis step_{v} : forall t, {name_of(v)} (S t) = {self.names[self.theorem['next'][v]]}.")
        lines += [f"Hypothesis some_{v} : forall t, 0 <= {name_of(v)} t." for v in self.lemmas.numbers]
        lines += [
            f"Hypothesis known_{v} : forall t, past (S t * K)%nat ({name_of(v)} t)." for v in self.free if self.noisy
        ]
        lines += [f"Context ({' '.join(self._constants())} : R)."] if self._constants() else []
        for c in self._constants():
            if c not in _SAID:
                raise Refused(f"{c} has no text in Coq")
            lines += [f"Hypothesis said_{c} : {_SAID[c][0]}.", f"Lemma some_{c} : 0 <= {c}. Proof. {_SAID[c][1]}. Qed."]
        return [*lines, *self._state_given()]

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
                f"  {split('p_s', len(self.shared), 'I')} rewrite "
                f"{', '.join(['step_x', *(f'step_{v}' for v in self.shared)])}. unfold {unfolded}."
            ),
            f"  {''.join(f'assert (p_{v} := server_{v} t). ' for v in self._free_servers())}repeat split; of_server.",
            "Qed.",
        ]

    # --- all rounds -------------------------------------------------------------------------------------------------

    def _rounds(self) -> list[str]:
        last, always = self.lemmas.last, list(self.theorem["round"])
        constants = f"{self.lemmas.constants('round')}{self.steps.noise_of_round() if self.steps else ''}"
        claim = self.lemmas.claim("round")
        values = ["(F (x t))", *(f"(F (point_{n} t))" for n in range(1, len(self.theorem["points"])))]
        values += [self.names[v] for v in self.lemmas.numbers]
        # A chain's lemma speaks of the last local point, one step before the end of the round.
        before_last = {"d": "(lag t (S beyond))", "v": "(slope t (S beyond))"} if self.chain else {}
        ended = self.lemmas.words.get("d", "")
        for v, text in before_last.items():
            ended = ended.replace(name_of(v), text)
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
                    turn(about, f"(proj{'1' if about[1] == 'mean' else '2'} (noises_{about[0]} t K (le_n K)))")
                )
            elif kind == "near":
                known.append(f"(end_{about[0]}_{about[1]} t)")
            elif kind == "given":
                known.append(f"(known_given_{about[0]} t)")
            elif kind == "polyak" and about == [0]:
                known.append("(gap _ _ (polyak _ p_s0))")
            else:
                raise Refused(f"{kind} in a round has no text in Coq")
        servers = [
            f"p_s{self.shared.index(v) + 1}" if v in self.shared else f"(server_{v} t)" for v in self.lemmas.servers
        ]
        call = " ".join(
            [
                "round_algebra H",
                *(before_last.get(v, self.names.get(v, "")) for v in claim.vectors),
                self.letters,
                self.bounds,
                *values,
                *always,
                *["(bend t (S beyond))"] * self.chain,
                *servers,
                *(f"some_{c}" for c in always),
                *known,
            ]
        )
        zeta = {0: "said_zeta2 t", last: "said_zeta2 (S t)"}
        gradients = {n: self.at(self.rounds.read(self.theorem["points"][n]["g"])) for n in {*used, last}}
        pattern = ", ".join(["step_x", *(f"step_{v}" for v in [*self._state_beside_gradient(), *self.lemmas.counted])])
        each, left, right = self._fall_of_round()
        return [
            "",
            "(* -- all rounds -- *)",
            f"Definition level (t : nat) : R := {self._level('t')}.",
            f"Lemma {each} t : level (S t){left} <= {right}level t + ({constants}).",
            "Proof.",
            f"  {destruct_servers(len(self.shared))} assert (p_E := gradient_{last} t).",
            *(
                f"  assert (p_zeta_{n} : dv {gradients[n]} {gradients[n]} <= zeta2). {{ assert (p_z := "
                f"{zeta[n]}). {'rewrite step_x, ' if n else 'rewrite '}(dv_same _ _ _ (gradient_{n} t)), "
                f"(dv_same_right _ _ _ (gradient_{n} t)) in p_z. exact p_z. }}"
                for n in sorted(set(used))
            ),
            f"  assert (p_R := {call}).",
            *([f"  change {ended} with (lag t K) in p_R."] if self.chain else []),
            f"  unfold level. rewrite {pattern}. unfold potential in *.",
            (
                "  rewrite ?(mv_same _ _ _ p_E), ?(mv_same_right _ _ _ p_E), ?(dv_same _ _ _ p_E), ?(dv_same_right "
                "_ _ _ p_E)."
            ),
            *(["  assert (p_N := along_round t)."] if self.loop else []),
            f"  fold (at_g t){''.join(f' (next_{v} t)' for v in self._state_beside_gradient())} in *. lra.",
            "Qed.",
            *self._ends(constants),
        ]

    def _level(self, t: str) -> str:
        """Write the potential at the start of a round."""
        names = self.names_at(t) | {
            "f": f"(F (x {t}))",
            self.theorem["state"]["f"]: f"(F (x {t}))",
            "g": f"(G (x {t}))",
        }
        return self.lemmas.potential_at(self.theorem["state"], names)

    def _fall_of_round(self) -> tuple[str, str, str]:
        """Return the name of a round's lemma, what is paid on its left, and what multiplies the potential."""
        if "fall" in self.theorem:
            return "each_fall", "", f"(1 - ({write_polynomial(self.rounds.read(self.theorem['fall']))})) * "
        paid = f" + ({write_polynomial(self.rounds.read(self.theorem['rate']))}) * mv (G (x t)) (G (x t))"
        if self.falling:
            return "each_fall", f"{paid}{self.falling.fall_beside()}", ""
        return "each_round", paid, ""

    def _ends(self, constants: str) -> list[str]:
        """Return the first potential, that it is never negative, and the theorems."""
        start, first = self.theorem["start"], list(self.theorem["first"])
        at_start, here = (self.names_at(t) | {"g": f"(G (x {t}))"} for t in ("0%nat", "t"))
        start_known = " ".join(_START[kind] for (kind, *_), _ in self.theorem["proofs"]["start"])
        end_known = " ".join("(floor F G descent (x t) lower p_s0)" for _ in self.theorem["proofs"]["end"])
        stated = [f"start_{v}" for v in self._state_beside_gradient() if start[v] != self.theorem["state"][v]]
        stated += [f"start_{v}" for v in self.lemmas.counted]
        starts = f"rewrite {', '.join(stated)}. " if stated else ""
        vectors = " ".join(at_start[v] for v in self.lemmas.at_start())
        state = " ".join(here[v] for v in self.lemmas.in_state())
        numbers = " ".join(["(F (x t))", *(self.names[v] for v in self.lemmas.counted)])
        shared = " ".join(f"p_s{n + 1}" for n in range(len(self.shared)))
        some = " ".join(f"(some_{v} t)" for v in self.lemmas.counted)
        lines = [
            f"Lemma level_start : level 0 <= {self.lemmas.constants('first')}.",
            "Proof.",
            (
                f"  unfold level. {starts}exact (start_algebra H {vectors} "
                f"{self.letters} {self.bounds} {' '.join(['(F (x 0%nat))', *first])} "
                f"{' '.join(f'some_{c}' for c in first)} {start_known})."
            ),
            "Qed.",
        ]
        if self.falling and "fall" in self.theorem:
            end = f"end_algebra H {state} {self.letters} {self.bounds} {numbers} {shared} {some} {end_known}"
            return [*lines, *self.falling.alone(end, self.lemmas.constants("first"), constants, len(self.shared))]
        rate = f"({write_polynomial(self.rounds.read(self.theorem['rate']))})"
        lines += [
            "Lemma level_nonneg t : 0 <= level t.",
            "Proof.",
            (
                f"  {destruct_servers(len(self.shared))} exact (end_algebra H {state} {self.letters} {self.bounds} "
                f"{numbers} {shared} {some} {end_known})."
            ),
            "Qed.",
            *nonnegative("rate_nonneg", rate, self.lemmas.rate(), self.lemmas.box),
            *(self.falling.each_round(state, rate, constants, len(self.shared)) if self.falling else []),
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
        if self.falling:
            lines += self.falling.theorem(rate, self.lemmas.constants("first"), constants, len(self.shared))
        return lines
