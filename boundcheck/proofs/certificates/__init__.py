"""Certificates: statements with proofs that the kernel checks without a solver; see docs/certificates.md.

Read `statement` (what is shown, from which hypotheses) and `build` (from a goal to a certificate).  `real`, `gram` and
`functions` find the proof for each kind, out of `products` and `elimination`.  `coq`, `hilbert_coq` and `lean` write a
certificate for other checkers; what decides is `boundcheck.proofs.kernel.certificates`.
"""

from boundcheck.proofs.certificates.gram import gram
from boundcheck.proofs.certificates.relations import real
from boundcheck.proofs.certificates.statement import Statement, hash_of

__all__ = ["Statement", "gram", "hash_of", "real"]
