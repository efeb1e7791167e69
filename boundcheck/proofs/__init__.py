"""Proofs: claims of the papers and of users, read from files and decided.

`language` reads and prints every claim, with `rationals` as its numbers.  One that stands alone goes to `goals` (which
question it asks) and `provers` (which answer it), `certificates` writes what was found, and `ledger` lists the papers'
claims.  One with steps is searched for by `chain` and `search`, with `algebra`, and decided by `kernel` alone; `coq`
writes it for Coq.  `papers` is data.

Sub-rooms import one way, from `search` and `coq` down to `rationals`.  One call goes up: a statement of `language`,
when it is called, asks `goals` for the question that it spells, which is made of the provers' classes.  So listing
claims loads no solver.
"""

from boundcheck.proofs.language.claim import AllOf, AnyOf, Claim, Goal, Outcome, Proof
from boundcheck.proofs.ledger.ledger import CLAIMS, prove, prove_claim
from boundcheck.verdicts.words import ProverWord as Decision

__all__ = ["CLAIMS", "AllOf", "AnyOf", "Claim", "Decision", "Goal", "Outcome", "Proof", "prove", "prove_claim"]
