"""What came out, in words: every statement as it was read, with all its hypotheses, and what it stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .check import Kernel, Proof
from .file import File, range_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from .file import Claim


def read(page: Path, choices: Mapping[str, Any], library: Iterable[Path] = ()) -> Kernel:
    """Return the kernel that has checked a claim file.

    Raises
    ------
    Refused
        If the file is not legal, or a birth that the proof object claims is none.
    """
    file = File()
    file.read(page, (*library,))
    kernel = Kernel(file, Proof(choices))
    kernel.check()
    return kernel


def statement(claim: Claim) -> str:
    """Write what a claim says: the relation, for which indices, under which hypotheses, at which values."""
    one = claim.statement
    over = ", ".join(f"{letter} = {range_text(ends)}" for letter, ends in one.over.items())
    parts = [one.text, f"for {over}" if over else "", f"at values of {', '.join(claim.at)}" if claim.at else ""]
    return "; ".join(filter(None, parts))


def leaves(kernel: Kernel, id_: str) -> list[str]:
    """Return what a claim stands on in the end: leaves, equations and laws."""
    found: set[str] = set()
    seen: set[str] = set()
    todo = [id_]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in kernel.verdicts:
            todo += kernel.verdicts[name].uses
        else:
            found.add(name)
    return sorted(found)


def lines(kernel: Kernel) -> list[str]:
    """Return a line for each claim, and what the last one stands on."""
    found = []
    for id_, claim in kernel.file.claims.items():
        verdict = kernel.verdicts[id_]
        found.append(f"{id_}: {'proved' if verdict.proved else 'NOT PROVED: ' + verdict.why}")
        found.append(f"    {statement(claim)}")
    if kernel.verdicts:
        last = list(kernel.verdicts)[-1]
        kinds = kernel.file.leaf_kinds
        names = [f"{name} ({kinds[name]})" if name in kinds else name for name in leaves(kernel, last)]
        found.append(f"{last} stands on: {', '.join(names)}")
    return found
