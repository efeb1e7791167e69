"""What is known when: the filtration of a file, and the birth of each vector as a lemma.

A time is a pair of round and step; the end of a round comes before the next.  Births are shown together, by induction
along the order in which the equations determine entries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.proofs.coq.spelling import Spelling, identifier, rename
from boundcheck.proofs.kernel.algebra import Refused, plus, whole
from boundcheck.proofs.kernel.births import ONCE
from boundcheck.proofs.kernel.space import Atom, is_bound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.coq.recording import Recorder
    from boundcheck.proofs.kernel.algebra import Index
    from boundcheck.proofs.kernel.births import Time
    from boundcheck.proofs.kernel.file import Equation

EARLIER = "unfold earlier; cbn [fst snd]; lia"


@dataclass
class Times:
    """Writes what is assumed of time, and when each vector is determined."""

    recorder: Recorder
    spelling: Spelling

    def __post_init__(self) -> None:
        self.births, self.file = self.recorder.births, self.recorder.file
        if not 1 <= len(self.births.clock) <= 2:
            raise Refused("a file whose noise has one or two indices is written in Coq")
        if ONCE in self.births.clock:
            raise Refused("a file with samples is written in Coq where its noise has steps: xi[t, k]")

    # --- times ----------------------------------------------------------------------------------------------------

    def time(self, time: Time) -> str:
        """Write a time; the step is 0 where rounds have none."""
        parts = [*map(self.spelling.index, time), "0"]
        return f"({parts[0]}, {parts[1]})%Z"

    def steps(self) -> str:
        """Return the first and last step of a round."""
        ends = self.file.indices[self.births.clock[1]] if len(self.births.clock) > 1 else ((), ())
        return " ".join(map(self.spelling.index, ends))

    def first(self) -> Time:
        """Return the time before the first noise."""
        return tuple(self.file.indices[letter][0] for letter in self.births.clock)

    def end(self, index: Index) -> Time:
        """Return the end of a round."""
        return (index, *self.recorder.round_end())

    def ranges(self, name: str) -> tuple[list[str], list[str]]:
        """Return the indices of a sequence, the client among them, and that they are in their ranges."""
        one = self.file.vectors[name]
        names = [identifier(letter) for letter in one.letters]
        found = [self.spelling.range(letter, ends) for letter, ends in one.spans]
        client = one.kind != "server"
        return names + ["i"] * client, found + ["(1 <= i <= N)%Z"] * client

    @property
    def named(self) -> list[str]:
        """The vectors that have a birth, other than noise."""
        return [name for name in self.file.vectors if name in self.births.offsets]

    def noises(self) -> list[str]:
        """Return the noises that have a law."""
        kinds = ("noise", "deviation")
        return [name for name, one in self.file.vectors.items() if one.kind in kinds and self.births.has_law(name)]

    def time_of_draw(self, name: str) -> tuple[Time, Time]:
        """Return when noise is drawn, and from when on it is known: after its step, or at the end of its round."""
        time: Time = tuple(((letter, 1),) for letter in self.births.clock)
        if self.file.vectors[name].kind == "deviation":
            return (time[0], *self.first()[1:]), self.end(time[0])
        return time, (*time[:-1], plus(time[-1], whole(1)))

    def born(self, name: str, last: Index | None = None) -> tuple[str, str]:
        """Return the birth of an entry, and the entry, at its own indices or at one value of the last of them."""
        one = self.file.vectors[name]
        indices: tuple[Index, ...] = tuple(((x, 1),) for x in one.letters)
        atom = Atom(name, indices if last is None else (*indices[:-1], last), None, one.kind != "server")
        times = self.births.born(atom)
        if not times:
            raise Refused(f"{name}: no birth")
        return self.time(times[-1]), self.spelling.atom(atom, client="i")

    # --- declarations ---------------------------------------------------------------------------------------------

    def declarations(self) -> list[str]:
        """Return what is assumed of time and of start values."""
        if any(len(self.file.vectors[name].spans) > 2 for name in self.named):
            raise Refused("a sequence with more than two indices has no text in Coq")
        lines = [f"Context (past : Past V (Z * Z) (earlier {self.steps()}))."]
        lines.append("Hypothesis known_grad : forall s i u, past s u -> past s (grad i u).")
        for name in self.named:
            if self.starts(name):
                names, ranges = self.ranges(name)
                at = len(self.file.vectors[name].spans) - 1
                del names[at], ranges[at]
                over = f"forall {' '.join(names)}, {' '.join(f'{x} ->' for x in ranges)} " if names else ""
                time, entry = self.born(name, self._first_index(name))
                lines.append(f"Hypothesis known_start_{identifier(name)} : {over}past {time} ({entry}).")
        hidden = (id_ for id_, one in self.file.equations.items() if self._is_hidden(one))
        return [*lines, *map(self._made_of, hidden)]

    def _is_hidden(self, one: Equation) -> bool:
        """Return whether nobody says what an entry is, but only what it is made from."""
        return one.right.kind == "call" and one.right.name == "some"

    def _made_of(self, id_: str) -> str:
        """Assume that an entry is known where all is known, of all clients, that it is made from."""
        _, left, right, _ = next(
            found for several in self.births.equations.values() for found in several if found[0] == id_
        )
        names = [identifier(letter) for letter in self.file.equations[id_].over] + ["i"] * left.client
        found = [self.spelling.range(letter, ends) for letter, ends in self.file.equations[id_].over.items()]
        found += ["(1 <= i <= N)%Z"] * left.client
        for atom in right:
            if any(map(is_bound, atom.letters())):
                raise Refused(f"{id_}: made of {atom.text()}, with a bound index, which has no text in Coq")
            known = f"past s ({self.spelling.atom(atom, client='j')})"
            found.append(f"(forall j, (1 <= j <= N)%Z -> {known})" if atom.client else known)
        says = " ".join(f"{one} ->" for one in found)
        entry = self.spelling.atom(left, client="i")
        return f"Hypothesis made_{identifier(id_)} : forall {' '.join([*names, 's'])}, {says} past s ({entry})."

    def starts(self, name: str) -> bool:
        """Return whether the first entry of a sequence is a start value, which is not random."""
        return {self._shape(left, name) for _, left, _, _ in self.births.equations[name]} == {"+"}

    def _first_index(self, name: str) -> Index:
        return self.file.vectors[name].spans[-1][1][0]

    def _shape(self, left: Atom, name: str) -> str:
        """Return which entries an equation determines: the first, each, or each after another."""
        if left.indices[-1] == ((self.file.vectors[name].letters[-1], 1),):
            return "x"
        return "first" if left.indices[-1] == self._first_index(name) else "+"

    # --- births ---------------------------------------------------------------------------------------------------

    def tactic(self) -> str:
        """Return the tactic that shows a combination to be known at a time, by structure and by known births.

        It is given, for each vector, what says when that one is known.
        """
        given = " ".join(f"p_I_{identifier(name)}" for name in self.named)
        again = f"known_by_structure {given}"
        bind = 'let j := fresh "j" in let R := fresh "p_R" in apply known_vmean; intros j R; cbv beta'
        lines = [
            f"Ltac known_by_structure {given} := lazymatch goal with",
            "  | |- known _ _ zero => apply known_zero",
            f"  | |- known _ _ (add _ _) => apply known_add; {again}",
            f"  | |- known _ _ (scale _ _) => apply known_scale; {again}",
            f"  | |- known _ _ (vmean _ _ _ _) => {bind}; {again}",
            f"  | |- known _ _ (grad _ _) => apply known_grad; {again}",
        ]
        for name in [*self.named, *self.noises()]:
            x, holes = identifier(name), " ".join(f"?p{n}" for n in range(len(self.ranges(name)[0])))
            reasons = [f"p_I_{x}" if name in self.named else f"known_{x}"]
            reasons += [f"known_start_{x}"] if name in self.named and self.starts(name) else []
            shown = "cbn [fst snd]; solve [lia | unfold before; lia]"
            ways = (f"solve [eapply known_later; [|apply {one}; {shown}]; {EARLIER}]" for one in reasons)
            lines.append(f"  | |- known _ _ ({x} {holes}) => first [{' | '.join(ways)}]")
        for name, one in self.file.vectors.items():
            if one.kind == "sample":
                x = f"taken_{identifier(name)}"
                shown = f"apply known_{x}; [lia | lia | {EARLIER} | {again}]"
                lines.append(f"  | |- known _ _ ({x} ?p0 ?p1 ?p2) => {shown}")
        return "\n".join([*lines, "  end."])

    def known_now(self) -> str:
        """Return the tactic that shows a vector to be known, from the lemmas of births."""
        return f"known_by_structure {' '.join(f'known_{identifier(name)}' for name in self.named)}"

    def lemmas(self) -> list[str]:
        """Return the lemma of all births, and from it one for each vector."""
        if not self.named:
            return []
        statement = " /\\ ".join(f"({self._says(name, 'rank')})" for name in self.named)
        lines = [
            "Lemma births : forall rank0 rank1 rank2, (0 <= rank0)%Z -> (0 <= rank1)%Z -> (0 <= rank2)%Z ->",
            f"  {statement}.",
            "Proof.",
            f"  apply (in_order (fun rank0 rank1 rank2 => {statement})). cbv beta.",
            "  intros rank0 rank1 rank2 p_r0 p_r1 p_r2 p_IH.",
        ]
        for n, name in enumerate(self.named):
            pick = self._part(n, f"(p_IH {self._rank_text(name)} ltac:(lia) ltac:(lia) ltac:(lia) p_B)")
            script = f"intros {self._introduce(name)} p_B. apply {pick}; try lia; assumption."
            lines.append(f"  assert (p_I_{identifier(name)} : {self._says(name, 'before')}). {{ {script} }}")
        lines.append("  clear p_IH.")
        *most, last = (self._case(name) for name in self.named)
        lines += [*(f"  split. {{ {case} }}" for case in most), f"  {{ {last} }}", "Qed."]
        for n, name in enumerate(self.named):
            pick = self._part(n, f"(births {self._rank_text(name)} ltac:(lia) ltac:(lia) ltac:(lia))")
            lines.append(f"Lemma known_{identifier(name)} : {self._says(name)}.")
            lines.append(f"Proof. intros {self._introduce(name)}. apply {pick}; try lia; assumption. Qed.")
        return lines

    def _introduce(self, name: str) -> str:
        names, ranges = self.ranges(name)
        return " ".join([*names, *(f"p_R{n}" for n in range(len(ranges)))])

    def _rank(self, name: str) -> list[str]:
        """Return the rank of an entry: its indices from 0 on, the end of the round for what is late, and its place.

        All sequences are counted from the same first index, so that ranks of entries at one index are the same.
        """
        one = self.file.vectors[name]
        found = [self.spelling.index(plus(((letter, 1),), self._least(n), -1)) for n, letter in enumerate(one.letters)]
        if len(found) < 2:
            late = name in self.births.late and len(self.births.clock) > 1
            found.append(self.spelling.index(plus(self.recorder.round_end()[0], self._least(1), -1)) if late else "0")
        return [f"{one}%Z" for one in (*found, str(self.births.order.index(name)))]

    def _least(self, n: int) -> Index:
        """Return the least of the first values of all n-th indices of vectors that have a birth."""
        spans = (self.file.vectors[name].spans for name in self.named)
        first = [one[n][1][0] for one in spans if len(one) > n] or [whole(0)]
        for low in first:
            if all(self.recorder.base.at_least(other, low) for other in first):
                return low
        raise Refused("indices without a least first value have no text in Coq")

    def _rank_text(self, name: str) -> str:
        return " ".join(self._rank(name))

    def _says(self, name: str, how: str = "") -> str:
        """Write when a vector is known: always, for entries of a rank, or for those before it."""
        names, conditions = self.ranges(name)
        if how == "rank":
            conditions = conditions + [f"rank{n} = {one}" for n, one in enumerate(self._rank(name))]
        elif how == "before":
            conditions = [*conditions, f"before {self._rank_text(name)} rank0 rank1 rank2"]
        time, entry = self.born(name)
        return f"forall {' '.join(names)}, {' '.join(f'{one} ->' for one in conditions)} past {time} ({entry})"

    def _part(self, n: int, proof: str) -> str:
        """Return a part of a conjunction that is nested to the right."""
        for _ in range(n):
            proof = f"(proj2 {proof})"
        return proof if n == len(self.named) - 1 else f"(proj1 {proof})"

    def _case(self, name: str) -> str:
        """Show the birth of a vector from those of what its equations are made of."""
        one = self.file.vectors[name]
        names, _ = self.ranges(name)
        text = f"intros {self._introduce(name)} p_a p_b p_c. unfold before in *."
        letter = one.letters[-1]
        x, first = identifier(letter), self.spelling.index(self._first_index(name))
        shapes = {self._shape(left, name): (id_, left) for id_, left, _, _ in self.births.equations[name]}
        if set(shapes) == {"x"}:
            return f"{text} {self._from_equation(*shapes['x'], {})}"
        others = [other for other in names if other != x]
        start = " ".join([f"exact (known_start_{identifier(name)}", *others, *("ltac:(lia)" for _ in others)]) + ")."
        if "first" in shapes:
            start = self._from_equation(*shapes["first"], {})
        ahead = self._from_equation(*shapes["+"], {letter: plus(((letter, 1),), whole(-1))})
        cases = f"destruct (Z.eq_dec {x} {first}) as [p_E|p_E]."
        return f"{text} {cases} {{ rewrite p_E. {start} }} {{ {ahead} }}"

    def _from_equation(self, id_: str, left: Atom, places: Mapping[str, Index]) -> str:
        one = self.file.equations[id_]
        if self._is_hidden(one):
            return self._from_what_it_is_made_of(id_, left, places)
        arguments = [f"{self.spelling.index(places.get(x, ((x, 1),)))}%Z" for x in one.over] + ["i"] * left.client
        script = " ".join([f"assert (p_Q := eq_{identifier(id_)}", *arguments, *("ltac:(lia)" for _ in arguments)])
        moved = "".join(f" replace ({x} - 1 + 1)%Z with {x} in p_Q by lia." for x in map(identifier, places))
        tactic = f"known_by_structure {' '.join(f'p_I_{identifier(name)}' for name in self.named)}"
        return f"{script}).{moved} rewrite p_Q. clear p_Q. {tactic}."

    def _from_what_it_is_made_of(self, id_: str, left: Atom, places: Mapping[str, Index]) -> str:
        """Show the birth of an entry of which only that is said from which others it is made."""
        moved = left
        for letter, index in places.items():
            moved = moved.substitute(letter, index)
        here, own = (self.spelling.atom(one, client="i") for one in (moved, left))
        own = rename(own, {identifier(x): f"({self.spelling.index(index)})" for x, index in places.items()})
        equal = f"replace ({here}) with ({own}) by (f_equal; lia). " if places else ""
        tactic = f"known_by_structure {' '.join(f'p_I_{identifier(name)}' for name in self.named)}"
        return f"{equal}apply made_{identifier(id_)}; first [lia | intros; {tactic}]."
