"""Steps of the papers' proofs, each decided by an exact prover."""

from boundcheck.lemmas.claim import AllOf, Claim, Decision, Goal, Outcome, Proof
from boundcheck.lemmas.ledger import CLAIMS, prove, prove_claim

__all__ = ["CLAIMS", "AllOf", "Claim", "Decision", "Goal", "Outcome", "Proof", "prove", "prove_claim"]
