"""A whole proof as certificates: each claim from its premises, each premise an instance of a claim or a named rule.

The checker verifies instances (letters replaced, hypotheses discharged) and that each claim follows.  Assumptions, and
rules that it does not know (sums, means, growth, induction, fresh noise, the method's equations), are certificates of
their own which name the rule; it prints and counts them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from boundcheck.proofs.algebra.book import ProductStore
from boundcheck.proofs.algebra.evaluate import coefficient
from boundcheck.proofs.algebra.relation import premise_of
from boundcheck.proofs.algebra.scope import Scope
from boundcheck.proofs.chain.deciding.equations import same
from boundcheck.proofs.chain.whole.certificate import CertificateWriter, monomial_text
from boundcheck.proofs.kernel.certificates import ERRORS, check
from boundcheck.proofs.language.affine import index_of
from boundcheck.proofs.language.grammar import node_text
from boundcheck.proofs.language.members import member, texts

if TYPE_CHECKING:
    from boundcheck.proofs.algebra.relation import Premise
    from boundcheck.proofs.chain.deciding.decided import ClaimOutcome, ProofPart
    from boundcheck.proofs.chain.deciding.prover import Prover
    from boundcheck.proofs.language.steps import Step

Certificate = dict[str, Any]
SELF = "self"


def assemble_certificates(prover: Prover, name: str) -> list[Certificate]:
    """Return the certificates of a claim and of all that it stands on, in an order that the checker takes.

    Before each id stands the name of the last claim, so that several proofs can be checked together.

    Parameters
    ----------
    prover : Prover
        What decided the claims of a file, all below `name` proved.
    name : str
        The last claim.
    """
    whole = Assembly(prover)
    for claim in _below(prover, name):
        whole.claim(prover.found[claim])
    for certificate in whole.made:
        certificate["id"] = f"{name}: {certificate['id']}"
        for step in certificate.get("steps", []):
            step |= {"use": f"{name}: {step['use']}"} if "use" in step else {}
        if "from" in certificate:
            certificate["from"] = [f"{name}: {below}" for below in certificate["from"]]
    return whole.made


def certificates_of(name: str) -> list[Certificate]:
    """Return the certificates of a shipped proof, none of one by coordinates, which the kernel alone decides.

    Errors are those of `boundcheck.proofs.chain.whole.proof.shipped_for`.
    """
    from boundcheck.proofs.chain.whole.proof import shipped_for

    prover = shipped_for(name)[1]
    return [] if prover.setting.coordinates else assemble_certificates(prover, name)


def count_trusted(certificates: list[Certificate]) -> dict[str, int]:
    """Return how often each rule, and each kind of leaf, is taken on trust."""
    return dict(Counter(str(c["rule"]).partition(" ")[0].strip(":,") for c in certificates if "rule" in c))


def _below(prover: Prover, name: str) -> list[str]:
    wanted = {name}
    for claim in reversed(prover.found):
        if claim in wanted:
            one = prover.found[claim].claim
            wanted |= {step.id for step in (*one.base, *one.steps)}
    return [claim for claim in prover.found if claim in wanted]


@dataclass
class Assembly:
    """Certificates that the checker has accepted so far."""

    prover: Prover
    made: list[Certificate] = field(default_factory=list)
    past: dict[str, Any] = field(default_factory=dict)
    hypotheses: dict[str, ProofPart] = field(default_factory=dict)
    """The part of a claim whose hypotheses its certificate takes as given."""

    def add(self, certificate: Certificate) -> str:
        """Check a certificate, keep it, and return its id."""
        check(certificate, self.past)
        self.made.append(certificate)
        return str(certificate["id"])

    def claim(self, one: ClaimOutcome) -> None:
        """Add what proves a claim: its parts, then the claim as it is stated, before equations rewrite it."""
        name, part = one.claim.id, one.parts[0]
        ids = [self.part(one, each, f"{name}/{k}") for k, each in enumerate(one.parts, start=1)]
        writer = CertificateWriter(self.prover.setting, part, self.prover.square_names)
        relation = premise_of(one.claim.shows, Scope(self.prover.setting, one.claim.over))
        writer.split([relation])
        shows = writer.relation(relation)
        hypotheses = [f"0 <= {writer.polynomial(h)}" for h in part.hypotheses]
        self.hypotheses[name] = part
        head = {"id": name, "kind": "tree", "letters": writer.letters, "given": hypotheses, "shows": shows}
        if len(ids) > 1:
            self.add(head | {"rule": self._joining_rule(one, ids), "from": ids})
            return
        last = self.made[-1]
        head["letters"] = writer.letters | last["letters"]
        lemmas = writer.lemmas(len(hypotheses))
        direct = head | {"steps": [*lemmas, {"use": ids[0]}], "by": [["1", len(hypotheses) + len(lemmas)]]}
        if self._passes(direct):
            self.add(direct)
            return
        rewriting = {"id": f"{name}/stated", "given": [*hypotheses, last["shows"]], "rule": self._rewriting(one)}
        steps = [{"use": ids[0]}, {"use": self.add(head | rewriting)}]
        self.add(head | {"steps": steps, "by": [["1", len(hypotheses) + 1]]})

    def _joining_rule(self, one: ClaimOutcome, ids: list[str]) -> str:
        """Return the name of the rule that makes a claim of its parts."""
        if one.claim.induction:
            return f"induction on {one.claim.induction}, from {' and '.join(ids)}"
        if one.claim.vanishing:
            return f"vanishing: {one.claim.vanishing} = 0 and > 0, from {' and '.join(ids)}"
        return f"{'whole number' if one.claim.cases else 'minimum'}: one of the cases {' '.join(ids)}"

    def _rewriting(self, one: ClaimOutcome) -> str:
        steps = (*one.claim.base, *one.claim.steps)
        found = self.prover.found
        zero = {step.id for step in steps if step.id in found and same(found[step.id].claim)}
        equations = [step.id for step in steps if step.id in zero or step.id in self.prover.setting.definitions]
        return f"equations {' '.join(equations)}, in {one.claim.id}" if equations else f"fresh noise, in {one.claim.id}"

    def _passes(self, certificate: Certificate) -> bool:
        try:
            check(certificate, dict(self.past))
        except ERRORS:
            return False
        return True

    def part(self, one: ClaimOutcome, part: ProofPart, name: str) -> str:
        """Add the certificate of one part of a claim, its premises shown by steps."""
        flat = CertificateWriter(self.prover.setting, part, self.prover.square_names).certificate(name)
        first, count = len(part.signs.hypotheses), len(part.premises)
        signs = flat["steps"]
        place = {first + count + len(flat["given"][first + count :]) + k: first + k for k in range(len(signs))}
        place |= {k: k for k in range(first)}
        kept = [k for k, premise in enumerate(part.premises) if premise.step and premise.step.id == SELF]
        shift = {k: k + len(kept) * (k >= first) for k in range(first + len(signs))}
        place = {old: shift[new] for old, new in place.items()}
        place |= {first + k: first + n for n, k in enumerate(kept)}
        given = [*flat["given"][:first], *(flat["given"][first + k] for k in kept)]
        steps: list[Certificate] = [{**s, "by": _renumber_terms(s["by"], place)} for s in signs]
        letters = flat["letters"]
        for k, line in enumerate(flat["given"][first:]):
            if k not in kept:
                base = {"id": f"{name}.{k}", "letters": letters, "given": given, "shows": line}
                steps += self.premise(one, part, part.premises[k] if k < count else None, base, steps)
                letters = self._with_used(letters, steps[-1])
                place[first + k] = len(given) + len(steps) - 1
        by = _renumber_terms(flat["by"], place)
        return self.add(flat | {"letters": letters, "given": given, "steps": steps, "by": by})

    def premise(
        self, one: ClaimOutcome, part: ProofPart, premise: Premise | None, base: Certificate, steps: list[Certificate]
    ) -> list[Certificate]:
        """Return the steps that show a premise: an instance of a claim where it is one, else a rule with a name."""
        step = premise.step if premise else None
        if step is not None and step.id in self.hypotheses and not step.rule:
            more = self._instance(one, part, step)
            if more is not None:
                letters = self._with_used(base["letters"], more[-1])
                proof = {"steps": [*steps, *more], "by": [["1", len(base["given"]) + len(steps) + len(more) - 1]]}
                if self._passes({**base, "letters": letters, **proof}):
                    return more
        below = [step.id] if step and step.id in self.hypotheses else []
        rule = {k: v for k, v in base.items() if k != "given"} | {"rule": self.reason(step), "from": below}
        return [{"use": self.add(rule)}]

    def _with_used(self, letters: dict[str, str], step: Certificate) -> dict[str, str]:
        """Return the letters with those of the certificate that a step uses, but for what is replaced."""
        used = self.past[step["use"]]["letters"]
        return {x: sort for x, sort in used.items() if x not in step.get("with", {})} | letters

    def _instance(self, one: ClaimOutcome, part: ProofPart, step: Step) -> list[Certificate] | None:
        """Return lemmas for the hypotheses of a claim, and its use with index letters replaced; None without lemmas."""
        scope = Scope(self.prover.setting, one.claim.over)
        names = texts(self.prover.setting)
        found: list[Certificate] = []
        for hypothesis in self.hypotheses[step.id].hypotheses:
            moved = self._replace_letters(hypothesis, step, scope)
            # What a renamed hypothesis follows from is not among the stored sums.
            why = () if moved == 0 else replace(part.signs, book=ProductStore()).products(moved)
            if why is None:
                return None
            by = [[monomial_text(p.monomial, p.weight, names), *p.hypotheses] for p in why]
            writer = CertificateWriter(self.prover.setting, part, self.prover.square_names)
            if moved not in part.signs.hypotheses:
                found.append({"shows": f"0 <= {writer.polynomial(moved)}", "by": by})
        return [*found, {"use": step.id, "with": {name: node_text(node) for name, node in step.renamed.items()}}]

    def _replace_letters(self, hypothesis: Any, step: Step, scope: Scope) -> Any:
        """Return a hypothesis with index letters replaced, in members too."""
        setting = self.prover.setting
        put = {name: coefficient(node, scope).numer for name, node in step.renamed.items()}
        legal = {*scope.over, *setting.horizons}
        places = {name: index_of(node, legal) for name, node in step.renamed.items()}
        for (name, indices), slot in list(setting.members.items()):
            moved = tuple(index.substitute(places) for index in indices)
            if moved != indices and hypothesis.diff(setting.generators[slot].numer) != 0:
                put[slot] = member(name, moved, setting).numer
        pairs = [(setting.generators[name].numer, value) for name, value in put.items()]
        return hypothesis.compose(pairs) if pairs else hypothesis

    def reason(self, step: Step | None) -> str:
        """Return the name of the rule behind a premise, its first word being what is counted."""
        if step is None:
            return "sum: a nonnegative entry is at most the sum"
        leaf = self.prover.setting.leaves.get(step.id)
        if leaf is not None:
            return f"{' '.join((leaf.kind, *leaf.ledger))} {step}"
        if step.id in {"fresh", "orthogonal", "sample", "telescope"}:
            return str(step).replace("(", " (", 1)
        return f"{step.rule} in {step}" if step.rule else f"equations, in {step}"


def _renumber_terms(terms: list[list[Any]], place: dict[int, int]) -> list[list[Any]]:
    return [[place[f] if isinstance(f, int) else f for f in term] for term in terms]
