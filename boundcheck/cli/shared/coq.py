"""Whole proofs as Coq files, for the command `prove`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.cli.terminal.output import note

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boundcheck.proofs.coq import CoqFiles


def write_bounds(names: Sequence[str], folder: Path) -> None:
    """Write the whole proofs of bounds, each into a folder of its own if there are several.

    Raises
    ------
    InputError
        If one has no whole proof, or its proof has no Coq text.
    """
    from pathlib import Path as At
    from tempfile import TemporaryDirectory

    from boundcheck.errors import UnknownNameError, require
    from boundcheck.proofs.chain.whole.proof import PROOFS
    from boundcheck.proofs.coq import write_coq
    from boundcheck.proofs.language.files import HERE
    from boundcheck.proofs.search.accepted import write_page

    require(bool(names), "--coq", folder, "used with the names of bounds: their whole proofs are written")
    for name in names:
        if name not in PROOFS:
            raise UnknownNameError("whole proof", name, PROOFS)
        with TemporaryDirectory() as pages:
            page = write_page(name, At(pages))
            made = write_coq(name, page, page.with_suffix(".json"), _place(names, name, folder), (page.parent, HERE))
        _say(name, made)


def write_files(files: Sequence[str], pages: Path, folder: Path) -> None:
    """Write the last claims of claim files, whose pages and proof objects lie in a folder; errors as `write_bounds`."""
    from pathlib import Path as At

    from boundcheck.proofs.coq import write_coq
    from boundcheck.proofs.kernel import File
    from boundcheck.proofs.language.files import HERE

    for name in files:
        page = pages / At(name).name
        file = File()
        file.read(page, (HERE,))
        last = list(file.claims)[-1]
        place = _place(files, page.stem, folder)
        _say(last, write_coq(last, page, page.with_suffix(".json"), place, (pages, HERE)))


def _place(several: Sequence[str], name: str, folder: Path) -> Path:
    return folder / name if len(several) > 1 else folder


def _say(name: str, made: CoqFiles) -> None:
    note(f"{name}: wrote {made.page}, in which it is {made.lemma}; make -C {made.page.parent} has Coq check it")
    for other, why in made.refused.items():
        note(f"{other}: left out of {made.page.name}: {why}")
