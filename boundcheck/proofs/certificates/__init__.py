"""Certificates: statements with proofs that the kernel checks without a solver; see docs/certificates.md."""

from boundcheck.proofs.certificates.build import real
from boundcheck.proofs.certificates.gram import gram
from boundcheck.proofs.certificates.statement import Statement, hash_of

__all__ = ["Statement", "gram", "hash_of", "real"]
