"""Proofs: claims of the papers and of users, read from files and decided.

`language` reads and prints every claim, with `rationals` as its numbers.  One that stands alone goes to `goals` (which
question it asks) and `provers` (which answer it), `certificates` writes what was found, and `ledger` lists the papers'
claims.  One with steps is searched for by `chain` and `search`, with `algebra`, and decided by `kernel` alone; `coq`
writes it for Coq.  `papers` is data.

Sub-rooms import one way, from `search` and `coq` down to `rationals`.  A statement of `language` is data: what asks a
prover calls `goals.goal_of`, so that listing claims loads no solver.
"""

from boundcheck.proofs.language.claim import AllOf, AnyOf, Claim, Goal, Outcome, Proof
from boundcheck.proofs.ledger.ledger import CLAIMS, prove, prove_claim
from boundcheck.verdicts.words import ProverWord as Decision

__all__ = ["CLAIMS", "AllOf", "AnyOf", "Claim", "Decision", "Goal", "Outcome", "Proof", "prove", "prove_claim"]
