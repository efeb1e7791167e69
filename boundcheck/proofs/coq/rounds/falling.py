"""Where gradients are large: the potential falls by a share in each round, under the Polyak-Lojasiewicz condition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.proofs.coq.rounds.polynomials import factor, write_polynomial
from boundcheck.proofs.coq.rounds.tactics import destruct_servers
from boundcheck.proofs.kernel.boxes import minus
from boundcheck.proofs.kernel.certificates import add, multiply

if TYPE_CHECKING:
    from boundcheck.proofs.coq.rounds.boxes import BoxWriter, Nonnegative
    from boundcheck.proofs.coq.rounds.lemmas import RoundLemmas
    from boundcheck.proofs.coq.rounds.local_steps import LocalSteps
    from boundcheck.proofs.kernel.certificates import Poly

LAST_VALUE = "last_value"
"""The name of the theorem about the last value."""


def nonnegative(name: str, text: str, found: Nonnegative, box: BoxWriter) -> list[str]:
    """Return the lemma that a number is not negative, from the one that its polynomial is not."""
    letters = box.letters
    value = f"{found.scale} * value [{'; '.join(letters)}] {found.name}_value"
    reason = f"apply Rmult_le_pos; [nonneg | exact ({found.name} {' '.join(letters)} {box.bounds})]"
    return [
        f"Lemma {name} : 0 <= {text}.",
        f"Proof. assert (p_T : 0 <= {value}) by ({reason}).",
        f"  refine (moved _ _ p_T _). unfold {found.name}_value. written. field; nonzero. Qed.",
    ]


@dataclass(frozen=True)
class FallingPotential:
    """The part of a page about a potential that falls.

    Attributes
    ----------
    lemmas : RoundLemmas
    steps : LocalSteps, optional
        The local steps of a round, with their noise.
    """

    lemmas: RoundLemmas
    steps: LocalSteps | None

    @property
    def _fall(self) -> str:
        return f"({write_polynomial(self.lemmas.fall())})"

    @property
    def _over(self) -> str:
        return f"({write_polynomial(self._read('over'))})"

    def _read(self, what: str) -> Poly:
        return self.lemmas.rounds.read(self.lemmas.theorem["polyak"][what])

    def _numbers(self) -> dict[str, Poly]:
        """Return what is not negative: what a fall leaves, what is paid beside it, and factors of constants."""
        rounds, theorem = self.lemmas.rounds, self.lemmas.theorem
        found = {"stays": add({(): 1}, minus(self.lemmas.fall()))}
        if "polyak" in theorem:
            twice = multiply({(): 2}, rounds.read(theorem["rate"]))
            found["spare"] = add(twice, minus(multiply(self.lemmas.fall(), self._read("over"))))
        found |= {f"factor_{letter}": rounds.read(p) for letter, p in theorem["round"].items()}
        if self.steps and self.steps.noisy:
            found |= {f"factor_{block}": rounds.read(p) for block, p in rounds.loop["noise"].items()}
        return {name: p for name, p in found.items() if p}

    def lemmas_over_any_space(self) -> list[str]:
        """Return what is not negative on the box, and that the potential is at least its part of the value."""
        numbers = (self.lemmas.box.number(name, p).text for name, p in self._numbers().items())
        rest = [self.lemmas.write(self.lemmas.claim("rest"))] if "polyak" in self.lemmas.theorem else []
        return [*rest, *numbers]

    def _nonnegative(self, constants: str) -> list[str]:
        """Return that the fall is a share, and that constants are not negative."""
        box, lines, found = self.lemmas.box, [], self._numbers()
        for name, p in found.items():
            lines += nonnegative(f"{name}_nonneg", factor(write_polynomial(p)), box.number(name, p), box)
        letters = {g for m in self.lemmas.fall() for g, _ in m}
        ends = " ".join(f"assert (p_{x} := proj1 box_{x})." for x in sorted(letters))
        terms = [
            f"apply Rmult_le_pos; [exact factor_{c}_nonneg | exact some_{c}]" for c in self.lemmas.theorem["round"]
        ]
        if self.steps and self.steps.noisy:
            names = (f"factor_{block}" for block in ("mean", "deviations"))
            parts = " ".join(f"{name}_nonneg" if name in found else "(Rle_refl 0)" for name in names)
            terms.append(f"apply (noise_nonneg _ _ _ _ _ _ (Rlt_le _ _ (proj1 box_e)) some_sigma2 one_N {parts})")
        return [
            *lines,
            f"Lemma fall_range : 0 < {self._fall} <= 1.",
            f"Proof. {ends} split; [positive | assert (p_T := stays_nonneg); lra]. Qed.",
            f"Lemma constants_nonneg : 0 <= {constants}.",
            f"Proof. repeat apply Rplus_le_le_0_compat; first [{' | '.join(['lra', *terms])}]. Qed.",
        ]

    # --- beside a rate ----------------------------------------------------------------------------------------------

    def fall_beside(self) -> str:
        """Return what a round takes from the potential beside what it pays for the gradient."""
        return f" + {self._fall} * (level t - {self._over} * F (x t))"

    def each_round(self, state: str, rate: str, constants: str, shared: int) -> list[str]:
        """Return the lemma of a round without the fall, and what is not negative."""
        servers = " ".join(f"p_s{n + 1}" for n in range(shared))
        rest = f"rest_algebra H {state} {' '.join(self.lemmas.letters)} {self.lemmas.box.bounds} (F (x t)) {servers}"
        spare = "assert (p_T := spare_nonneg). lra." if "spare" in self._numbers() else "right. field; nonzero."
        return [
            *self._nonnegative(constants),
            f"Lemma fall_paid : {self._fall} * {self._over} <= 2 * {rate}.",
            f"Proof. {spare} Qed.",
            f"Lemma rest_nonneg t : {self._over} * F (x t) <= level t.",
            f"Proof. {destruct_servers(shared)} assert (p_Q := {rest}). unfold level. lra. Qed.",
            f"Lemma each_round t : level (S t) + {rate} * mv (G (x t)) (G (x t)) <= level t + ({constants}).",
            "Proof.",
            "  assert (p_F := each_fall t). assert (p_R := rest_nonneg t). assert (p_f := fall_range).",
            f"  assert (p_P : 0 <= {self._fall} * (level t - {self._over} * F (x t))) by (apply Rmult_le_pos; lra).",
            "  lra.",
            "Qed.",
        ]

    def theorem(self, rate: str, first: str, constants: str, shared: int) -> list[str]:
        """Return the theorem about the value after the last round."""
        server = "(proj1 (servers t))" if shared else "(servers t)"
        condition = "(forall u, server u -> 2 * mu * F u <= mv (G u) (G u))"
        stays = f"(1 - mu * {self._fall}) ^ T * ({first}) + ({constants}) / (mu * {self._fall})"
        sequences = "level (fun t => mv (G (x t)) (G (x t))) (fun t => F (x t))"
        numbers = f"{rate} {self._fall} {self._over} ({constants}) ({first}) mu p_mu"
        return [
            "(* And where gradients are large: the value after the last round. *)",
            f"Theorem {LAST_VALUE} : forall mu, 0 < mu <= 1 -> {condition} ->",
            f"  forall T, {self._over} * F (x T) <= {stays}.",
            "Proof.",
            f"  intros mu p_mu p_PL. apply (falls {sequences} {numbers}",
            "    fall_range rate_nonneg constants_nonneg fall_paid each_fall rest_nonneg).",
            f"  {{ intros t. exact (lower _ {server}). }} {{ intros t. exact (p_PL _ {server}). }} exact level_start.",
            "Qed.",
        ]

    # --- without one ------------------------------------------------------------------------------------------------

    def alone(self, end: str, first: str, constants: str, shared: int) -> list[str]:
        """Return the theorem about the value after the last round where the potential itself falls."""
        names = {self.lemmas.theorem["state"]["f"]: "(F (x {}))"}
        measured = write_polynomial(self.lemmas.rounds.read(self.lemmas.theorem["measured"]), names)
        return [
            f"Lemma level_most t : {measured.format('t')} <= level t.",
            f"Proof. {destruct_servers(shared)} exact ({end}). Qed.",
            *self._nonnegative(constants),
            "(* The theorem: the value after the last round. *)",
            f"Theorem {LAST_VALUE} : forall T,",
            f"  {measured.format('T')} <= (1 - {self._fall}) ^ T * ({first}) + ({constants}) / {self._fall}.",
            "Proof.",
            "  intros T. refine (Rle_trans _ _ _ (level_most T) _).",
            "  exact (geometric level _ _ _ fall_range constants_nonneg each_fall level_start T).",
            "Qed.",
        ]
