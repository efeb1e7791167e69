"""A certificate that relations imply a relation: of numbers, then with facts and lengths, then from both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.proofs.certificates.build import StatementDraft, orient_relation, prove
from boundcheck.proofs.certificates.facts import add_facts
from boundcheck.proofs.certificates.lengths import add_cauchy_schwarz
from boundcheck.proofs.certificates.statement import expression, scalars

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.proofs.certificates.build import Certificate, Proof


def real(given: Iterable[sp.Basic], shows: sp.Basic) -> Certificate | None:
    """Return a certificate that relations imply a relation between numbers, or None where none was found.

    Inner products count as numbers of which nothing is known.
    """
    given = list(given)
    draft = StatementDraft(given, shows).define()
    kind = "identity" if isinstance(shows, sp.Eq) else "real" if not draft.vectors else "linear"
    add_facts(draft)
    proof = prove(draft.question, draft.seen, *orient_relation(scalars(draft.shows)))
    for combined in (False, True):
        if proof is None and draft.vectors:
            draft = StatementDraft(given, shows, products=True).define()
            add_facts(draft)
            add_cauchy_schwarz(draft, combined=combined)
            proof = prove(draft.question, draft.seen, *orient_relation(scalars(draft.shows)))
    if proof is None and isinstance(shows, sp.Eq):
        proof = _from_both_sides(draft)
    return None if proof is None else draft.certificate(kind, proof)


def _from_both_sides(draft: StatementDraft) -> Proof | None:
    """Return a proof of ``a = b`` by ``a <= b`` and ``a >= b``, two steps."""
    gap, _ = orient_relation(scalars(draft.shows))
    for sign in (1, -1):
        proof = prove(draft.question, draft.seen, sign * gap, ">=")
        if proof is None:
            return None
        draft.steps.append({"shows": f"{expression(sign * gap)} >= 0", **proof})
        draft.question.note(sign * gap, ">=")
    return {"by": [[expression(gap)]]}
