"""A whole proof as a Coq file: what is declared and assumed, births and laws, and each claim as a lemma."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from boundcheck.proofs.coq.claims import Claims
from boundcheck.proofs.coq.instances import Said, Statements
from boundcheck.proofs.coq.laws import Laws
from boundcheck.proofs.coq.natural import closing
from boundcheck.proofs.coq.numbers import Numbers
from boundcheck.proofs.coq.recording import Recorder, SharedProof
from boundcheck.proofs.coq.spelling import LIBRARY, Spelling, identifier
from boundcheck.proofs.coq.times import Times
from boundcheck.proofs.kernel import File
from boundcheck.proofs.kernel.algebra import Refused
from boundcheck.proofs.kernel.context import has_spread
from boundcheck.proofs.kernel.evaluate import difference, vector, with_given
from boundcheck.proofs.kernel.file import EULER, Sequence
from boundcheck.proofs.kernel.report import claim_text, statement
from boundcheck.proofs.kernel.text import Tree

__all__ = ["LIBRARY", "MODULES", "Page", "read_page"]

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from boundcheck.proofs.kernel.algebra import Index
    from boundcheck.proofs.kernel.file import Equation

MODULES = ("Sums", "Space", "Families", "Rules", "Series", "Samples", "Discount")
"""Its files, in the order in which they are compiled."""


class Page:
    """A claim file with its proof object, as a Coq file.

    Parameters
    ----------
    path : Path
        The claim file, with whole statements.
    choices : mapping
        Its proof object.
    library : iterable of Path
        Where files that it uses are looked for.

    Attributes
    ----------
    refused : dict of str to str
        Claims that are not written, with why.

    Raises
    ------
    Refused
        If the file is not legal, or declares what has no text in Coq.
    """

    def __init__(self, path: Path, choices: Mapping[str, Any], library: Iterable[Path] = ()) -> None:
        self.file = File()
        self.file.read(path, (*library,))
        if self.file.dimension:
            raise Refused("vectors that are multiplied by coordinates have none: a space has an inner product alone")
        self.recorder = Recorder(self.file, SharedProof(_without_early_births(choices)))
        self.recorder.check()
        self.spelling = Spelling(self.file)
        self.times = Times(self.recorder, self.spelling)
        self.laws = Laws(self.recorder, self.spelling, self.times)
        self.statements = Statements(self.recorder, self.spelling)
        self.numbers = Numbers(self.statements)
        self.refused: dict[str, str] = {}

    def write(self) -> str:
        """Return the file."""
        claims = Claims(self.statements, self.laws, self.numbers.definitions)
        lines = [
            "Require Import Reals ZArith List Lra Lia FunctionalExtensionality.",
            f"From Boundcheck Require Import {' '.join(MODULES)}.",
            "Import ListNotations.",
            "Open Scope R_scope.",
            "",
            "Section Page.",
            *("", "(* What is declared. *)", *self._letters(), *self._space(), *self._vectors()),
            *("", "(* The method, and what is defined. *)", *self._equations(), *self.numbers.write()),
            *("", "(* What is known when, and the laws of noise and samples. *)", *self.times.declarations()),
            *(*self.laws.declarations(), self.times.tactic(), *self.times.lemmas(), *self.laws.lemmas()),
            *self._congruences(),
            *("", "(* Assumptions and facts. *)", *self._leaves()),
            "Opaque prod sum mean.",
        ]
        used = {step.id for claim in self.file.claims.values() for step in (*claim.steps, *claim.base)}
        finals = {id_ for id_ in self.file.claims if "." in id_ or id_ not in used}
        for id_, claim in self.file.claims.items():
            try:
                text = claims.write(id_)
            except Refused as why:
                self.refused[id_] = str(why)
                continue
            if id_ in finals:
                text += self._plainly(id_)
            lines += ["", f"(* {id_}: {claim_text(claim).replace('(*', '( *').replace('*)', '* )')} *)", text]
        return "\n".join([*lines, "End Page.", ""])

    def _plainly(self, id_: str) -> str:
        """Return a last claim in plain terms, where it has such."""
        try:
            return "\n" + closing(self.statements, id_)
        except Refused:
            return ""

    # --- declarations ---------------------------------------------------------------------------------------------

    def _letters(self) -> list[str]:
        horizons = sorted(self.file.horizons)
        letters = [name for name in self.file.letters if name not in self.file.horizons and name != EULER]
        lines = ["Context (V : Space) (f : V -> R) (grad : Z -> V -> V)."]
        lines.append(f"Context ({' '.join(map(identifier, horizons))} : Z) ({' '.join(map(identifier, letters))} : R).")
        for x in map(identifier, horizons):
            lines.append(f"Hypothesis one_{x} : (1 <= {x})%Z.")
            lines.append(f"Lemma positive_{x} : 0 < IZR {x}. Proof. apply IZR_lt. lia. Qed.")
        for name in letters:
            sign = {"> 0": "<", ">= 0": "<="}.get(self.file.letters[name])
            if name in self.file.series:
                lines += self._series(identifier(name), self.file.length(self.file.series[name]))
            elif sign:
                lines.append(f"Hypothesis sign_{identifier(name)} : 0 {sign} {identifier(name)}.")
        for name, (sign, spans) in self.file.members.items():
            lines += self._members(identifier(name), sign, len(spans))
        for x in map(identifier, sorted(self.file.sizes)):
            lines += [f"Hypothesis one_{x} : 1 <= {x}.", f"Hypothesis most_{x} : {x} <= IZR N."]
            if has_spread(self.file):
                ratio = f"(IZR N - {x}) / ({x} * (IZR N - 1))"
                lines.append("Hypothesis spread_none : (N = 1)%Z -> spread = 0.")
                lines.append(f"Hypothesis spread_some : (2 <= N)%Z -> spread = {ratio}.")
                given = f"N {x} spread one_N one_{x} most_{x} spread_none spread_some"
                for name in ("spread_is", "spread_most", "spread_excess"):
                    lines.append(f"Definition {name} := sample_{name} {given}.")
        return lines

    def _members(self, x: str, sign: str, places: int) -> list[str]:
        """Declare a letter with indices; of what lies outside of its ranges nothing but its sign is ever used."""
        lines = [f"Context ({x} : {'Z -> ' * places}R)."]
        relation = {"> 0": "<", ">= 0": "<="}.get(sign)
        if relation:
            names = " ".join(f"n{k}" for k in range(places))
            lines += [
                f"Hypothesis sign_{x} : forall {names}, 0 {relation} {x} {names}.",
                f"Hint Resolve sign_{x} : signs.",
            ]
        return lines

    def _series(self, x: str, length: Index) -> list[str]:
        """Say which sum of powers a letter is."""
        n = self.spelling.index(length)
        return [
            f"Hypothesis {x}_is : {x} = series {n}%Z.",
            f"Lemma sign_{x} : 0 <= {x}. Proof. rewrite {x}_is. apply series_nonneg. lia. Qed.",
        ]

    def _space(self) -> list[str]:
        """Declare the space of families over clients and bound indices."""
        places = self.spelling.places
        lines = [f"Definition size : nat := {len(places)}."]
        for which, name in enumerate(("low", "high")):
            ends = (f"{n}%nat => {self.spelling.index(self.file.indices[x][which])}" for x, n in places.items())
            cases = " | ".join(ends)
            lines.append(f"Definition {name} (x : nat) : Z := (match x with {cases} | _ => 0 end)%Z.")
        pattern = "[|" * len(places) + "x" + "]" * len(places)
        at = "fun e => {0} (upd e x j)"
        return [
            *lines,
            f"Lemma nonempty : forall x, (low x <= high x)%Z. Proof. intros {pattern}; cbn; lia. Qed.",
            "Definition H : Projected := Families V size low high nonempty.",
            "Definition prod (X : list nat) (u v : family V) : R := @D H X u v.",
            "Lemma prod_is : prod = @D H. Proof. reflexivity. Qed.",
            "Lemma prod_sym X u v : prod X u v = prod X v u. Proof. exact (@D_sym H X u v). Qed.",
            "Lemma prod_nonneg X u : 0 <= prod X u u. Proof. exact (@D_nonneg H X u). Qed.",
            "Lemma prod_contracts X u : prod X u u <= prod [] u u.",
            "Proof. exact (D_contracts V size low high nonempty X u). Qed.",
            "Lemma sum_prod X x count (u v : family V) :",
            "  (x < size)%nat -> (forall y, In y X -> y <> x) -> (high x - low x + 1 = count)%Z ->",
            f"  sum (low x) (high x) (fun j => prod X ({at.format('u')}) ({at.format('v')})) = IZR count * prod X u v.",
            "Proof. intros p_A p_B <-. exact (sum_D V size low high nonempty X x u v p_A p_B). Qed.",
        ]

    def _vectors(self) -> list[str]:
        lines = []
        for name, one in self.file.vectors.items():
            if one.kind == "sample":
                lines.append(f"Context (taken_{identifier(name)} : {'Z -> ' * len(one.spans)}Z -> V -> V).")
            else:
                indices = len(one.spans) + (one.kind != "server")
                lines.append(f"Context ({identifier(name)} : {'Z -> ' * indices}V).")
        return lines

    def _congruences(self) -> list[str]:
        """Assume that functions are functions of what a vector is, where vectors at distance zero are used as equal.

        Equations of the file are equalities of Coq, which need no such thing.
        """
        parts = [part for several in self.recorder.parts.values() for part in several]
        if not any(part.context.values or any(one.is_zero for one in part.rewriting) for part in parts):
            return []
        return [
            "Hypothesis f_same : forall u v, same u v -> f u = f v.",
            "Hypothesis grad_same : forall i u v, same u v -> same (grad i u) (grad i v).",
        ]

    def _equations(self) -> list[str]:
        found = ((id_, one) for id_, one in self.file.equations.items() if one.left.name in self.file.vectors)
        return [text for id_, one in found if (text := self._equation(id_, one))]

    def _equation(self, id_: str, one: Equation) -> str:
        if one.right.kind == "call" and one.right.name == "some":
            return ""
        inside = self.recorder.base
        for letter, ends in one.over.items():
            inside = inside.inside(letter, ends)
        (((atom, _), _),) = vector(one.left, inside).items()
        names = [identifier(letter) for letter in one.over] + ["i"] * atom.client
        ranges = [self.spelling.range(letter, ends) for letter, ends in one.over.items()]
        ranges += ["(1 <= i <= N)%Z"] * atom.client
        over = f"forall {' '.join(names)}, {' '.join(f'{x} ->' for x in ranges)} " if names else ""
        left, right = self.spelling.atom(atom, client="i"), self.spelling.at_client(vector(one.right, inside), "i")
        return f"Hypothesis eq_{identifier(id_)} : {over}{left} = {right}."

    def _leaves(self) -> list[str]:
        """Assume what the leaves say; points are vectors of their own while it is written."""
        lines = []
        for id_, one in self.file.leaves.items():
            context = self.recorder.base
            for letter, ends in one.over.items():
                context = context.inside(letter, ends)
            context = with_given(context, one.given)
            declared = dict(self.file.vectors)  # a sequence u[t] may stand beside a point u
            self.file.vectors |= {name: Sequence(kind, ()) for name, kind in one.points.items()}
            equal, form = difference(_with_points(one.shows, frozenset(one.points)), context)
            self.file.vectors = declared
            said = Said(f"leaf_{identifier(id_)}", one, equal, form)
            self.statements.said[id_] = said
            head = " ".join(self.statements.write_quantifiers(one, context))
            lines.append(f"(* {statement(one).replace('(*', '( *').replace('*)', '* )')} *)")
            lines.append(f"Hypothesis {said.name} : {head} {self.statements.conclusion(form, equal=equal)}.")
        return lines


def _without_early_births(choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return a proof object in which nothing is known before its own index.

    A time before the first step of a round is none of Coq's times.  What is known there is known at the first step too;
    the kernel checks the claims again from this.
    """
    births = {name: max(at, 0) if isinstance(at, int) else at for name, at in choices.get("births", {}).items()}
    return {**choices, "births": births}


def _with_points(tree: Tree, points: frozenset[str]) -> Tree:
    """Return a tree in which points are entries of sequences without indices."""
    if tree.kind == "name" and tree.name in points:
        return Tree("entry", tree.name, ())
    return Tree(tree.kind, tree.name, tuple(_with_points(part, points) for part in tree.parts))


def read_page(path: Path, choices: Path, library: Iterable[Path] = ()) -> Page:
    """Return the page of a claim file and its proof object.

    Raises
    ------
    Refused
        If the file is not legal, or declares what has no text in Coq.
    """
    return Page(path, json.loads(choices.read_text(encoding="utf-8")), library)
