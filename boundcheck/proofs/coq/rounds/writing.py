"""A folder with all that Coq needs to check a theorem for all steps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError
from boundcheck.proofs.coq.page import LIBRARY
from boundcheck.proofs.coq.rounds.falling import LAST_VALUE
from boundcheck.proofs.coq.rounds.page import RoundPage
from boundcheck.proofs.coq.writing import CoqFiles, write_folder
from boundcheck.proofs.kernel.algebra import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

ROUND_LIBRARY = Path(__file__).parent / "library"
"""The Coq library of rounds, on top of that of all pages."""
ROUND_MODULES = ("Sums", "Space", "Families", "Rules", "Polynomials", "Blocks", "Rounds")
"""Files of both, in the order in which they are compiled."""
THEOREM = "average_gradient"
"""The theorem about the mean over the rounds."""


def page_name(theorem: Mapping[str, Any]) -> str:
    """Return the name of the Coq file of a theorem for all steps."""
    return re.sub(r"\W+", "_", str(theorem["id"])).strip("_")


def write_theorem(theorem: Mapping[str, Any], folder: Path) -> CoqFiles:
    """Write a theorem for all steps as Coq files: the library, the page, and a file that states its axioms.

    ``make`` in the folder has ``coqc`` check all of it.

    Parameters
    ----------
    theorem : mapping
        What `boundcheck verify` accepts, as read from its file.
    folder : Path
        Where to write.

    Raises
    ------
    InputError
        If the theorem is not shown, or has no text in Coq.
    """
    name = str(theorem.get("id", "a theorem"))
    try:
        text = RoundPage(theorem).write()
    except (Refused, ValueError) as why:
        raise InputError(f"{name}: no Coq text: {why}") from None
    homes = [LIBRARY if (LIBRARY / f"{module}.v").is_file() else ROUND_LIBRARY for module in ROUND_MODULES]
    library = [home / f"{module}.v" for home, module in zip(homes, ROUND_MODULES, strict=True)]
    page = folder / f"{page_name(theorem)}.v"
    theorems = [THEOREM] if "rate" in theorem else []
    theorems += [LAST_VALUE] if {"polyak", "fall"} & set(theorem) else []
    write_folder(folder, library, page, text, theorems)
    return CoqFiles(page, theorems[0], len(theorems), {})
