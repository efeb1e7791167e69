"""A folder with all that Coq needs to check the proof of a bound."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.coq.page import LIBRARY, MODULES, read_page
from boundcheck.proofs.coq.spelling import identifier
from boundcheck.proofs.kernel.algebra import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class CoqFiles:
    """A proof as Coq files.

    Attributes
    ----------
    page : Path
        The file with the claims.
    lemma : str
        The name of the lemma that is the bound.
    claims : int
        How many claims the page has.
    refused : dict of str to str
        Claims that have no text in Coq, with why.
    """

    page: Path
    lemma: str
    claims: int
    refused: dict[str, str]


def write_coq(name: str, page: Path, choices: Path, folder: Path, library: Iterable[Path] = ()) -> CoqFiles:
    """Write the proof of a claim as Coq files: the library, the page, and a file that states its axioms.

    ``coqc`` needs nothing else: ``make`` in the folder compiles all of it and prints the axioms.

    Parameters
    ----------
    name : str
        The claim: the id of a bound, or of a claim of the page.
    page, choices : Path
        The claim file with whole statements, and its proof object.
    folder : Path
        Where to write.
    library : iterable of Path
        Where files that the page uses are looked for.

    Raises
    ------
    InputError
        If the claim, or what the file declares, has no text in Coq.
    """
    try:
        made = read_page(page, choices, library)
        text = made.write()
    except Refused as why:
        raise InputError(f"{name}: no Coq text: {why}") from None
    if name not in made.file.claims:
        raise InputError(f"{name}: not a claim of {page.name}")
    if name in made.refused:
        raise InputError(f"{name}: no Coq text: {made.refused[name]}")
    lemma = identifier(name) if f"Theorem {identifier(name)} :" in text else f"claim_{identifier(name)}"
    written = folder / f"{identifier(page.stem)}.v"
    write_folder(folder, [LIBRARY / f"{module}.v" for module in MODULES], written, text, (lemma,))
    return CoqFiles(written, lemma, len(made.file.claims), dict(made.refused))


def write_folder(folder: Path, library: Iterable[Path], page: Path, text: str, lemmas: Iterable[str]) -> None:
    """Write what ``make`` has ``coqc`` check: a library, in its order, a page, and a file that states its axioms.

    Parameters
    ----------
    folder : Path
        Where to write.
    library : iterable of Path
        Files to copy.
    page : Path
        The file of the page, below the folder.
    text : str
        What it says.
    lemmas : iterable of str
        Those of the page whose axioms are printed.
    """
    target = folder / "library"
    target.mkdir(parents=True, exist_ok=True)
    copies = [Path(shutil.copyfile(module, target / module.name)) for module in library]
    page.write_text(text, encoding="utf-8")
    axioms = folder / "Axioms.v"
    printed = "".join(f"Print Assumptions {page.stem}.{lemma}.\n" for lemma in lemmas)
    axioms.write_text(f"Require {page.stem}.\n{printed}", encoding="utf-8")
    files = [file.relative_to(folder) for file in (*copies, page, axioms)]
    rules = "\n".join(f"\tcoqc -Q library Boundcheck {file}" for file in files)
    (folder / "Makefile").write_text(f"check:\n{rules}\n", encoding="utf-8")
