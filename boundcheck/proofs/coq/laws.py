"""The laws of chance: noise of mean zero, independent noises, uniform samples; and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.proofs.coq.spelling import CLOSE, REAL, Spelling, identifier, rename
from boundcheck.proofs.coq.times import EARLIER, Times
from boundcheck.proofs.kernel.algebra import Refused, plus, whole
from boundcheck.proofs.kernel.context import has_spread
from boundcheck.proofs.kernel.space import Inner, is_bound

if TYPE_CHECKING:
    from boundcheck.proofs.coq.recording import Recorder
    from boundcheck.proofs.kernel.algebra import Index
    from boundcheck.proofs.kernel.births import Time
    from boundcheck.proofs.kernel.context import Context
    from boundcheck.proofs.kernel.rules import Premise
    from boundcheck.proofs.kernel.space import Atom, Form

_FAMILIES = "V size low high nonempty"


@dataclass
class Laws:
    """Writes the laws of noise and samples, and inner products that they say something of."""

    recorder: Recorder
    spelling: Spelling
    times: Times

    # --- declarations ---------------------------------------------------------------------------------------------

    def declarations(self) -> list[str]:
        """Return what is assumed of noise and of samples."""
        lines = []
        for name in self.times.noises():
            lines += [*self._noise(name), *self._independent(name)]
        for name, one in self.recorder.file.vectors.items():
            if one.kind == "sample":
                lines += self._sample(name)
        return lines

    def _noise(self, name: str) -> list[str]:
        """Assume that noise has mean zero given all that is older, and is known after its own step, or round."""
        names, ranges = self.times.ranges(name)
        x = identifier(name)
        over = f"forall {' '.join(names)}, {' '.join(f'{one} ->' for one in ranges)}"
        entry = f"({x} {' '.join(names)})"
        if self.recorder.is_initial(name):
            return [f"Hypothesis known_{x} : {over} past {self.times.time(self.times.first())} {entry}."]
        time, later = self.times.time_of_draw(name)
        return [
            f"Hypothesis known_{x} : {over} past {self.times.time(later)} {entry}.",
            f"Hypothesis unbiased_{x} : {over} forall u, past {self.times.time(time)} u -> ip {entry} u = 0.",
        ]

    def _partners(self, name: str) -> list[str]:
        """Return the noises that are drawn at the indices of a noise: itself, and those declared after it."""
        noises, spans = self.times.noises(), self.recorder.file.vectors[name].spans
        later = noises[noises.index(name) :]
        return [identifier(other) for other in later if self.recorder.file.vectors[other].spans == spans]

    def _pair(self, name: str) -> tuple[list[str], list[str], str]:
        """Return the indices of an entry, those of another, and quantifiers: both are in range and differ."""
        names, ranges = self.times.ranges(name)
        others = {one: f"{one}1" for one in names}
        both = [*ranges, *(rename(one, others) for one in ranges)]
        apart = " \\/ ".join(f"{one} <> {other}" for one, other in others.items())
        over = f"forall {' '.join([*names, *others.values()])}, {' '.join(f'{one} ->' for one in [*both, apart])}"
        return names, list(others.values()), over

    def _independent(self, name: str) -> list[str]:
        """Assume that noises of different clients at one time are orthogonal; those before the first round all are."""
        lines = []
        x, (names, ranges), (_, others, over) = identifier(name), self.times.ranges(name), self._pair(name)
        if not self.recorder.is_initial(name):
            over = f"forall {' '.join([*names, 'i1'])}, {' '.join(f'{one} ->' for one in ranges)}"
            over += " (1 <= i1 <= N)%Z -> i <> i1 ->"
            others = [*names[:-1], "i1"]
        for other in self._partners(name):
            products = f"ip ({x} {' '.join(names)}) ({other} {' '.join(others)}) = 0"
            lines.append(f"Hypothesis independent_{x}_{other} : {over} {products}.")
        return lines

    def _sample(self, name: str) -> list[str]:
        """Assume that a sample is uniform, drawn at the end of its round independently of all that is known then."""
        one = self.recorder.file.vectors[name]
        if one.letters != self.recorder.births.clock[:1]:
            raise Refused(f"{name}: a sample that is not one a round has no text in Coq")
        letter, t, size = one.letters[0], identifier(one.letters[0]), identifier(one.size)
        here: Index = ((letter, 1),)
        drawn: Time = (plus(here, whole(1)), *self.times.first()[1:])
        x = f"taken_{identifier(name)}"
        clients = f"{self.spelling.range(letter, one.spans[0][1])} -> (1 <= i <= N)%Z ->"
        end = f"past {self.times.time(self.times.end(here))}"
        known, chance = f"{end} u -> {end} v ->", f"{size} / IZR N"
        after = f"earlier {self.times.steps()} {self.times.time(drawn)} s"
        apart = "(1 <= j <= N)%Z -> i <> j ->"
        both = f"ip ({x} {t} i u) ({x} {t} i v) = {chance} * ip u v"
        pair = f"ip ({x} {t} i u) ({x} {t} j v) = {_pair_chance(size)} * ip u v"
        return [
            f"Hypothesis known_{x} : forall {t} i s u, {clients} {after} -> past s u -> past s ({x} {t} i u).",
            f"Hypothesis chance_{x} : forall {t} i u v, {clients} {known} ip ({x} {t} i u) v = {chance} * ip u v.",
            f"Hypothesis chance_both_{x} : forall {t} i u v, {clients} {known} {both}.",
            f"Hypothesis chance_pair_{x} : forall {t} i j u v, {clients} {apart} {known} {pair}.",
        ]

    # --- noises ---------------------------------------------------------------------------------------------------

    def lemmas(self) -> list[str]:
        """Return for noises that different entries are orthogonal."""
        lines = []
        for name in self.times.noises():
            names, others, over = self._pair(name)
            hypotheses = [f"p_R{n}" for n in range(2 * len(names))]
            x = identifier(name)
            for other in self._partners(name):
                products = f"ip ({x} {' '.join(names)}) ({other} {' '.join(others)}) = 0"
                lines.append(f"Lemma noises_{x}_{other} : {over} {products}.")
                lines.append(f"Proof. intros {' '.join([*names, *others, *hypotheses])} p_apart.")
                law = f"apply independent_{x}_{other}; try assumption"
                lines.append(f"  {self._apart(name, law, other)}. Qed.")
        return lines

    def _apart(self, name: str, law: str, other: str) -> str:
        """Show two entries of noise to be orthogonal: one is older, or they are of one time and two clients."""
        if self.recorder.is_initial(name):
            return law
        x, (names, others, _) = identifier(name), self._pair(name)
        known = f"eapply known_later; [|apply known_{{}}; assumption]; {EARLIER}"
        older = f"rewrite ip_sym; apply unbiased_{other}; try assumption; {known.format(x)}"
        newer = f"apply unbiased_{x}; try assumption; {known.format(other)}"
        script = f"subst; {law}; try lia"
        for n, (a, b) in enumerate(reversed(list(zip(names[:-1], others[:-1], strict=True)))):
            cases = f"destruct (Z.lt_trichotomy {a} {b}) as [p_L{n}|[p_L{n}|p_L{n}]]"
            script = f"{cases}; [solve [{older}] | {script} | solve [{newer}]]"
        return script

    def _environments(self, averaged: list[int]) -> str:
        """Introduce two environments that agree outside of what is averaged over, with their ranges."""
        lines = ["intros p_g e p_Hg p_He p_A."]
        listed = f"[{'; '.join(map(str, averaged))}]%nat"
        for n in range(self.spelling.size):
            lines.append(f"assert (p_G_{n} := p_Hg {n}%nat (place_below size {n} eq_refl)). cbn [low high] in p_G_{n}.")
            lines.append(f"assert (p_H{n} := p_He {n}%nat (place_below size {n} eq_refl)). cbn [low high] in p_H{n}.")
            if n not in averaged:
                lines.append(f"assert (p_A{n} := p_A {n}%nat (place_elsewhere {n} {listed} eq_refl)).")
        return " ".join(lines)

    def vanishes(self, term: Inner, context: Context) -> str:
        """Return tactics that show an inner product with younger noise to be zero."""
        noise, turned = term.left, ""
        if not self.recorder.is_younger(noise, term, context):
            noise, turned = term.right, self._turn(term)
        averaged = sorted(map(self.spelling.place, term.averaged))
        return " ".join(
            [
                f"{turned}rewrite prod_is. apply (D_zero {_FAMILIES}). {{ apply places_below. reflexivity. }}",
                f"{self._environments(averaged)} cbv beta.",
                f"apply unbiased_{identifier(noise.name)}; [lia ..|]. {self.times.known_now()}.",
            ]
        )

    def _turn(self, term: Inner) -> str:
        families = f"{self.spelling.family(term.left)} {self.spelling.family(term.right)}"
        return f"rewrite (prod_sym {self.spelling.average_over(term.averaged)} {families}). "

    def fresh(self, premise: Premise) -> str:
        """Return tactics that show the square of a mean of noises to be their mean square over the count."""
        means = [one for one in premise.form if isinstance(one, Inner) and one.averaged]
        order = list(self.recorder.file.vectors)
        script = []
        for n, mean in enumerate(means):
            averaged = sorted(map(self.spelling.place, mean.averaged))
            x = self.spelling.average_over(mean.averaged)
            turned = order.index(mean.left.name) > order.index(mean.right.name)
            one, other = (mean.right, mean.left) if turned else (mean.left, mean.right)
            law = f"noises_{identifier(one.name)}_{identifier(other.name)}"
            whole_product = self.spelling.product(mean.left, mean.right, ())
            different = "destruct p_Hy as [<-|p_Hy]; [lia|]. " * len(averaged) + "contradiction."
            script += [
                f"assert (p_Q{n} : {self.spelling.term(mean)} = {whole_product} / count low high {x}).",
                f"{{ rewrite prod_is. apply (D_fresh {_FAMILIES}).",
                "{ apply places_distinct. reflexivity. } { apply places_below. reflexivity. }",
                f"{self._environments(averaged)} intros [p_y [p_Hy p_N]]. cbv beta. {'rewrite ip_sym. ' * turned}",
                f"apply {law}; [lia ..|]. cbn in p_Hy. {different} }}",
                f"cbn [count low high] in p_Q{n}. {REAL} in p_Q{n}.",
            ]
        return " ".join([*script, *(f"rewrite p_Q{n}." for n in range(len(means))), CLOSE])

    # --- samples --------------------------------------------------------------------------------------------------

    def chance(self, term: Inner, new: Form) -> str:
        """Return tactics that show what an inner product with what a sample takes is."""
        (made,) = new
        taken, other, turned = term.left, term.right, ""
        if taken.name not in self.recorder.file.vectors or taken.argument is None:
            taken, other, turned = other, taken, self._turn(term)
        if taken.argument is None or not isinstance(made, Inner):
            raise Refused(f"{term.text()}: nothing is taken")
        same = taken[:2] == other[:2]
        averaged = sorted(map(self.spelling.place, term.averaged))
        beside = other.argument if same and other.argument else other
        size = identifier(self.recorder.file.vectors[taken.name].size)
        law = f"chance_{'both_' if same else ''}taken_{identifier(taken.name)}"
        target = self.spelling.product(taken.argument, beside, term.averaged)
        whole_product = self.spelling.product(taken, other, term.averaged)
        rule = "D_scaled_both" if same else "D_scaled"
        agreeing = [n for n in range(self.spelling.size) if same and n not in averaged]
        script = [
            f"{turned}assert (p_Q : {whole_product} = {size} / IZR N * {target}).",
            f"{{ rewrite prod_is. apply ({rule} {_FAMILIES}). {{ apply places_below. reflexivity. }}",
            f"{self._environments(averaged)} cbv beta.",
            *(f"rewrite ?p_A{n}." for n in agreeing),
            f"apply {law}; [lia | lia | {self.times.known_now()} | {self.times.known_now()}]. }} rewrite p_Q.",
        ]
        if target != self.spelling.term(made):
            proof = self._canonical(taken.argument, beside, term, made)
            script.append(f"assert (p_T : {target} = {self.spelling.term(made)}). {{ {proof} }} rewrite p_T.")
        return " ".join([*script, CLOSE])

    def _canonical(self, left: Atom, right: Atom, term: Inner, made: Inner) -> str:
        """Return tactics that bring an inner product of families to its normal form."""
        if made == Inner(right, left, term.averaged):
            return "apply prod_sym."
        atoms = sorted({left, right})
        listed = f"(@atoms H [{'; '.join(f'({self.spelling.family(atom)} : H)' for atom in atoms)}])"
        sides = " ".join(f"(Atom [] {atoms.index(atom)})" for atom in (left, right))
        names = f"{self.spelling.size} {self.spelling.average_over(term.averaged)} _ _ {sides}"
        dotted = (
            f"@D_dot H {listed} (rows {self.spelling.rows(atoms)}) p_FX {names} eq_refl (same_refl _) (same_refl _)"
        )
        fixed = self.spelling.fixed_rows(atoms, listed, "apply fixed_family; intros; reflexivity")
        return f"{fixed} rewrite prod_is. rewrite ({dotted}). expand. reflexivity."

    def sample(self, premise: Premise) -> str:
        """Return tactics that show the variance of the mean of a sample, from that of pairs of clients."""
        found = [one.left for one in premise.form if isinstance(one, Inner) and one.left.argument]
        taken = next(one for one in found if one.name in self.recorder.file.vectors)
        argument = taken.argument
        if argument is None or any(map(is_bound, argument.letters())):
            raise Refused(f"{taken.text()}: a sample of what has bound indices")
        size, spread = identifier(self.recorder.file.vectors[taken.name].size), has_spread(self.recorder.file)
        u = self.spelling.family(argument)
        own, mean = f"prod [] {u} {u}", f"prod [0]%nat {u} {u}"
        contracts = f"assert (p_C := prod_contracts [0]%nat {u})."
        gap = f"(1 / {size} - (IZR N - {size}) / ({size} * (IZR N - 1)))"
        few = f"apply (moved (({size} - 1) / ({size} * (IZR N - 1)))); [|field; lra]"
        small = f"apply Rmult_le_pos; [|lra]. {few}. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. nra."
        one_client = f"rewrite p_S, p_E. {contracts} apply (moved ({own} - {mean})); [lra | field; try lra]."
        many = f"{contracts} apply (moved ({gap} * ({own} - {mean}))). {{ {small} }} field. lra."
        if spread:
            side = "" if premise.equal else "right. "
            one_client = f"rewrite spread_none by exact p_E. rewrite p_S, p_E. {side}field; try lra."
            many = f"rewrite spread_some by lia. {side}field. lra."
        same_size = f"assert (p_1 := one_{size}); assert (p_2 := most_{size}); rewrite p_E in *; lra"
        return " ".join(
            [
                "destruct (Z.eq_dec N 1) as [p_E|p_E]. {",
                self._pairs(taken, argument, "1", "exfalso; lia"),
                "replace (N - 1 + 1)%Z with N in p_Q by lia.",
                f"assert (p_S : {size} = 1) by ({same_size}). rewrite p_Q.",
                one_client,
                "} {",
                f"assert (p_2 : 2 <= IZR N) by (apply IZR_le; lia). assert (p_1 := one_{size}).",
                self._pairs(taken, argument, _pair_chance(size), self._chance_of_pair(taken)),
                f"replace (N - 1 + 1)%Z with N in p_Q by lia. rewrite p_Q. {many} }}",
            ]
        )

    def _chance_of_pair(self, taken: Atom) -> str:
        known = self.times.known_now()
        law = f"chance_pair_taken_{identifier(taken.name)}"
        return f"cbv beta; apply {law}; [lia | lia | lia | exact p_apart | {known} | {known}]"

    def _pairs(self, taken: Atom, argument: Atom, chance: str, pair: str) -> str:
        """State the square of the mean of what is taken, from the chances of one client and of two."""
        size = identifier(self.recorder.file.vectors[taken.name].size)
        w, u = self.spelling.family(taken), self.spelling.family(argument)
        one = f"({size} / IZR N - {chance}) / IZR (high 0 - low 0 + 1) * prod [] {u} {u}"
        known = self.times.known_now()
        lines = ["intros p_g e p_Hg p_He p_A p_apart"]
        alone = ["intros e p_He."]
        for n in range(self.spelling.size):
            lines += [f"assert (p_G_{n} := p_Hg {n}%nat (place_below size {n} eq_refl))", f"cbn [low high] in p_G_{n}"]
            lines += [f"assert (p_H{n} := p_He {n}%nat (place_below size {n} eq_refl))", f"cbn [low high] in p_H{n}"]
            lines += [f"assert (p_A{n} := p_A {n}%nat ltac:(discriminate))"] if n else []
            alone.append(f"assert (p_H{n} := p_He {n}%nat (place_below size {n} eq_refl)). cbn [low high] in p_H{n}.")
        both = f"apply chance_both_taken_{identifier(taken.name)}; [lia | lia | {known} | {known}]."
        return " ".join(
            [
                f"assert (p_Q : prod [0]%nat {w} {w} = ({chance}) * prod [0]%nat {u} {u} + {one}).",
                f"{{ rewrite prod_is. apply (D_pairs {_FAMILIES} 0%nat ({size} / IZR N));",
                f"[apply place_below; reflexivity | {'; '.join([*lines, pair])} | ].",
                f"{{ {' '.join(alone)} cbv beta. {both} }} }}",
                "cbn [low high] in p_Q.",
            ]
        )


def _pair_chance(size: str) -> str:
    """Write the chance that two clients are both in a sample."""
    return f"{size} * ({size} - 1) / (IZR N * (IZR N - 1))"
