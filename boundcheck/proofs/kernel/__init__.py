"""The kernel: the only code that says *proved*.  Standard library only; it imports nothing of this package.

Read it in this order: `algebra` (exact numbers), `text` (expressions), `file` (claim files: every statement comes from
there), `space` (vectors and inner products in normal form), `context` (ranges, hypotheses, signs), `evaluate` (from
expressions to forms), `births` (what is older than what, and the laws of chance), `rules` (a rule a function, each with
its lemma), `delays` (two more, for what is late), `coordinates` (relations of vectors), `steps` (what a step says
where it is used), `check` (claims), `report` (what is printed).  In goes a claim file and a proof object, which holds
choices alone; out comes for each claim whether it is proved, and from what.

What a programme finds comes as products and squares to multiply out: `certificates` (inequalities, of the ledger,
of worst cases and of theorems of one round), `chance` (expectations in them), `functions` (inequalities between
functions of a number: derivatives, limits, intervals), `boxes` (an inequality between quadratic forms for all letters
in a box) and `all_steps` (theorems for all steps, whose lemmas are written from the description of a round).
`__main__` is the one entry for files of all three kinds.
"""

from __future__ import annotations

from .algebra import Refused
from .check import Kernel, Proof
from .file import File
from .steps import ClaimVerdict

__all__ = ["ClaimVerdict", "File", "Kernel", "Proof", "Refused"]
