"""Certificates: statements with proofs that `boundcheck.verify` checks without a solver; see docs/certificates.md."""

from boundcheck.certificates.build import real
from boundcheck.certificates.gram import gram
from boundcheck.certificates.statement import Statement, hash_of

__all__ = ["Statement", "gram", "hash_of", "real"]
