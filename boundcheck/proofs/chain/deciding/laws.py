"""Premises that are no claims: the laws of noise and of samples, where a step says where they are used."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from boundcheck.errors import InputError
from boundcheck.proofs.algebra import samples
from boundcheck.proofs.algebra.evaluate import vector
from boundcheck.proofs.algebra.nonnegative import form_text
from boundcheck.proofs.algebra.relation import Premise
from boundcheck.proofs.chain.deciding import rules
from boundcheck.proofs.chain.deciding.births import INDEPENDENT, SAMPLED, UNBIASED
from boundcheck.proofs.chain.deciding.premises import inner_scope
from boundcheck.proofs.language.forms import product

if TYPE_CHECKING:
    from boundcheck.proofs.algebra.scope import Scope
    from boundcheck.proofs.algebra.signs import Signs
    from boundcheck.proofs.chain.deciding.births import Filtration
    from boundcheck.proofs.language.steps import Step

SAMPLE = "sample"


class HasFiltration(Protocol):
    """What knows which vector is older than which."""

    @property
    def births(self) -> Filtration:
        """Return the births of all vectors."""


class AttemptProtocol(Protocol):
    """One attempt to prove a claim: what it has used, and the prover."""

    leaves: set[str]
    rules: set[str]

    @property
    def prover(self) -> HasFiltration:
        """Return the prover."""

    def signs_here(self, scope: Scope) -> Signs:
        """Return what decides signs where the attempt is."""


class NotProvedError(Exception):
    """A claim is not proved; the message says what is missing."""


def fresh(attempt: AttemptProtocol, step: Step, scope: Scope) -> Premise:
    """Return the mean square of an average of noise, by its law."""
    attempt.leaves |= {UNBIASED, INDEPENDENT}
    attempt.rules.add("fresh")
    inside = inner_scope(replace(step, rule="mean"), scope, {})
    if set(step.renamed) != {"u"}:
        msg = f"step {step}: write fresh(u -> xi[t, k]) [mean i, k]"
        raise InputError(msg)
    left, right = rules.spread(step, vector(step.renamed["u"], inside), attempt.prover.births, scope)
    return Premise(left, right, equal=True, step=step)


def orthogonal(attempt: AttemptProtocol, step: Step, scope: Scope) -> Premise:
    """Return that an inner product with younger noise is zero."""
    if set(step.renamed) != {"u", "v"} or step.rule:
        msg = f"step {step}: write orthogonal(u -> x[t], v -> mean(i, k) xi[t, k])"
        raise InputError(msg)
    form = product(*(vector(step.renamed[name], scope) for name in ("u", "v")))
    kept, used = attempt.prover.births.fresh(form, scope)
    if kept:
        raise NotProvedError(f"step {step}: {form_text(kept)} need not vanish: the noise is not younger than the other")
    attempt.leaves |= used
    return Premise(form, {}, equal=True, step=step)


def sample(attempt: AttemptProtocol, step: Step, scope: Scope) -> Premise:
    """Return what the mean square over a sample is at most, by the sample's law."""
    if set(step.renamed) != {"u"} or step.rule:
        msg = f"step {step}: write sample(u -> taken(A[t], u[t]))"
        raise InputError(msg)
    attempt.leaves.add(SAMPLED)
    attempt.rules.add(SAMPLE)
    older = attempt.prover.births.before_sample(scope.ranges)
    signs = attempt.signs_here(scope)
    left, right, exact = samples.mean_square(step, vector(step.renamed["u"], scope), older, scope, signs)
    return Premise(left, right, equal=exact, step=step)
