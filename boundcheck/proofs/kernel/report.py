"""What came out, in words: every statement as it was read, with all its hypotheses, and what it stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .certificates import escape_text
from .check import Kernel, Proof
from .file import EULER, File, range_text
from .text import Tree, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from .file import Claim, Range, Statement


LAWS = {
    "unbiased": "noise has mean zero given all that is older, as the equations of the file determine it",
    "independent": "noise of one time is independent over the clients",
    "sampled": "a sample is uniform, and independent of all that is older",
    "bounded": "vectors that are multiplied by coordinates are bounded, each by some number",
}
"""The laws that a claim may stand on: of chance, and of what makes products by coordinate square integrable."""


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


def statement(one: Statement, *, at: str = "", cases: str = "") -> str:
    """Write what a statement says: the relation, for which indices and points, if what, at which values."""
    over = ", ".join(f"{letter} = {range_text(ends)}" for letter, ends in one.over.items())
    points = ", ".join(f"{name} {kind}" for name, kind in one.points.items())
    given = ", ".join(map(written, one.given))
    parts = [written(one.shows)]
    for word, found in (("for", over), ("for all points", points), ("if", given), ("if one of", cases), ("at", at)):
        parts += [f"{word} {found}"] if found else []
    return " ".join(parts)


def claim_text(claim: Claim) -> str:
    """Write what a claim says, with the values of an instance and the cases that are part of it."""
    at = ", ".join(f"{name} = {written(tree)}" for name, tree in claim.at.items())
    cases = "; ".join(", ".join(map(written, case)) for case in claim.cases)
    return statement(claim.statement, at=at, cases=cases)


def leaf_text(kernel: Kernel, name: str) -> str:
    """Write what a leaf says: an assumption, an equation, or a law of chance by its name."""
    file = kernel.file
    if name in file.leaves:
        return f"{name} ({file.leaf_kinds[name]}): {statement(file.leaves[name])}"
    if name in file.equations:
        one = file.equations[name]
        over = ", ".join(f"{letter} = {range_text(ends)}" for letter, ends in one.over.items())
        kind = {"definitions": "definition", "start": "start value"}.get(one.kind, "equation")
        return f"{name} ({kind}): {written(Tree('=', '', (one.left, one.right)))}{f' for {over}' if over else ''}"
    return f"{name} (law): {LAWS.get(name, '')}"


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
        if name == id_ or (name in kernel.verdicts and name not in kernel.file.equations):
            todo += kernel.verdicts[name].uses
        else:
            found.add(name)
    return sorted(found)


def declarations(file: File) -> list[str]:
    """Write what is declared, which every claim assumes: ranges, signs of letters, and what sequences are."""
    names: dict[str, list[str]] = {}
    for name, sign in file.letters.items():
        if name not in (EULER, *file.series):
            names.setdefault(f"numbers {sign}", []).append(name)
    for name, index in file.series.items():
        names.setdefault(f"series over {index}", []).append(name)
    for name, (sign, spans) in file.members.items():
        names.setdefault(f"numbers {sign}", []).append(_declared(name, spans))
    for name in sorted(file.numbers):
        names.setdefault("numbers >= 0", []).append(_declared(name, file.scalars[name]))
    for name, one in file.vectors.items():
        kind = f"{one.kind} of {one.size or file.dimension}" if one.kind in ("sample", "ones") else one.kind
        names.setdefault(kind, []).append(_declared(name, one.spans))
    ranges = ", ".join(f"{letter} = {range_text(ends)}" for letter, ends in file.indices.items())
    return [f"indices: {ranges}"] * bool(ranges) + [f"{kind}: {', '.join(found)}" for kind, found in names.items()]


def _declared(name: str, spans: Iterable[tuple[str, Range]]) -> str:
    over = ", ".join(f"{letter} = {range_text(ends)}" for letter, ends in spans)
    return f"{name}[{over}]" if over else name


def lines(kernel: Kernel) -> list[str]:
    """Return claims as they are read, what the last one stands on and what is declared; no text makes another line."""
    found = []
    for id_, claim in kernel.file.claims.items():
        verdict = kernel.verdicts[id_]
        found.append(f"{id_}: {'proved' if verdict.proved else 'NOT PROVED: ' + verdict.why}")
        found.append(f"    {claim_text(claim)}")
    if kernel.verdicts:
        last = list(kernel.verdicts)[-1]
        found.append(f"{last} stands on:")
        found += [f"    {leaf_text(kernel, name)}" for name in leaves(kernel, last)]
    found += ["declared:", *(f"    {line}" for line in declarations(kernel.file))]
    return [escape_text(line) for line in found]
