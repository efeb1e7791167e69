"""Theorems for all steps as Coq files: the file that `verify` accepts becomes lemmas that `coqc` checks.

Read it in this order: `library` (Coq: polynomials and boxes, means and deviations, rounds and local steps),
`polynomials` and `spelling` (numbers, vectors, forms), `boxes` (what is nowhere negative on a box), `algebra` (a lemma
over any space), `lemmas` and `loops` (the lemmas of a round, and of its local steps), `local_steps` (the same in the
method), `chains` (both where smoothness between local points is used), `falling` (a potential that falls by a share),
`page`, `writing`.
"""

from __future__ import annotations

from boundcheck.proofs.coq.rounds.page import RoundPage
from boundcheck.proofs.coq.rounds.writing import ROUND_LIBRARY, ROUND_MODULES, THEOREM, write_theorem

__all__ = ["ROUND_LIBRARY", "ROUND_MODULES", "THEOREM", "RoundPage", "write_theorem"]
