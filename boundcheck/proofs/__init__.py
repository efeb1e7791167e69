"""Steps of the papers' proofs, each decided by an exact prover, or searched where none applies."""

from boundcheck.proofs.language.claim import AllOf, AnyOf, Claim, Decision, Goal, Outcome, Proof
from boundcheck.proofs.ledger.ledger import CLAIMS, prove, prove_claim

__all__ = ["CLAIMS", "AllOf", "AnyOf", "Claim", "Decision", "Goal", "Outcome", "Proof", "prove", "prove_claim"]
