"""Whole proofs as Coq files: from leaves to the registered bound, with the axioms of the real numbers only.

Read it in this order: `library` (Coq: sums, spaces with projections, families over clients and indices, rules,
samples), `spelling` (names, numbers, inner products), `recording` (what the kernel accepts, part by part), `signs`,
`sums`, `algebra` (a lemma over any space for each part), `instances` and `premises` (statements and rules), `times` and
`laws` (what is known when, and what is orthogonal to it), `numbers`, `claims`, `page`, `writing`.  In goes a claim file
with its proof object; out comes a Coq file that `coqc` checks alone.  What has no text is refused by name.
"""

from __future__ import annotations

from boundcheck.proofs.coq.page import LIBRARY, MODULES, Page, read_page
from boundcheck.proofs.coq.writing import CoqFiles, write_coq

__all__ = ["LIBRARY", "MODULES", "CoqFiles", "Page", "read_page", "write_coq"]
