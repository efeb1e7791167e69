"""What the kernel accepts of the shipped proofs: pages, which are claim files with whole statements, and objects.

Objects ship; a page is made of its claim file whenever it is read.
"""

from __future__ import annotations

import json
import shutil
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from boundcheck.errors import UnknownNameError
from boundcheck.proofs.chain.deciding.births import Filtration
from boundcheck.proofs.chain.deciding.decided import ClaimOutcome
from boundcheck.proofs.chain.deciding.prover import ORTHOGONAL, SELF
from boundcheck.proofs.chain.whole.proof import PROOFS, ProofTree, claims_of, load_shipped, require_decided
from boundcheck.proofs.kernel import Refused
from boundcheck.proofs.kernel.report import LAWS, read
from boundcheck.proofs.language.files import HERE
from boundcheck.proofs.search.registered import tables_of
from boundcheck.proofs.search.statements import pages_of, require_same_statements, whole_text

if TYPE_CHECKING:
    from boundcheck.proofs.kernel import ClaimVerdict
    from boundcheck.proofs.language.claim import Claim, Trust
    from boundcheck.proofs.language.files import ClaimFile

OBJECTS = Path(__file__).parents[1] / "papers" / "objects"
"""The shipped proof objects, by the names of their claim files."""
TRUST: Trust = "kernel"
"""Who says *proved*."""


@dataclass(frozen=True)
class Accepted(ProofTree):
    """A proof whose claims the kernel has checked."""

    def data(self) -> dict[str, Any]:
        """Return the summary as plain data, with who says *proved* and the laws of chance that are used."""
        used = set().union(*(self.found[name].leaves for name in self.below(self.name)))
        laws = {name: says for name, says in LAWS.items() if name in used}
        return super().data() | {"trust": TRUST if self.top.proved else "", "laws": laws}

    def sentence(self) -> str:
        """Return in one sentence what is proved from what, and who says so."""
        return super().sentence() + (" The kernel accepts it." if self.top.proved else "")


def load_accepted(name: str, objects: Path = OBJECTS) -> Accepted:
    """Return the proof of a registered bound, or of an example, as the kernel reads it: the search has no say.

    Parameters
    ----------
    name : str
        A key of `PROOFS`.
    objects : Path
        The folder of objects.

    Raises
    ------
    UnknownNameError
        If no proof of it is shipped.
    FileError
        If the ledger does not prove a claim that a leaf restates.
    """
    if name not in PROOFS:
        raise UnknownNameError("proof", name, PROOFS)
    file = load_shipped(PROOFS[name])
    found, starts = _check_page(PROOFS[name], objects)
    last = name if name in found else file.claims[-1].id
    return Accepted(last, file.setting, found, starts, file.method)


def write_page(name: str, folder: Path) -> Path:
    """Write the page of a shipped proof and its object into a folder, and return the page.

    Parameters
    ----------
    name : str
        A key of `PROOFS`.
    folder : Path
        Made where it is missing; files that the page uses are written there, too.

    Raises
    ------
    UnknownNameError
        If no proof of it is shipped.
    """
    if name not in PROOFS:
        raise UnknownNameError("proof", name, PROOFS)
    page = _write_page(load_shipped(PROOFS[name]), folder)
    shutil.copyfile((OBJECTS / page.name).with_suffix(".json"), page.with_suffix(".json"))
    return page


def _write_page(file: ClaimFile, folder: Path) -> Path:
    """Write a claim file with whole statements, and those that it uses; Refused where one says anything else."""
    pages = pages_of(file.path, file, {})
    require_same_statements(file.path, pages, ())
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / file.path.name


def registered_statements() -> dict[str, dict[str, str]]:
    """Return what each shipped proof ends in, as text, with its claim file: by the name of the bound, or example."""
    found = {}
    for name, page in PROOFS.items():
        file = load_shipped(page)
        claims = dict(tables_of(tomllib.loads(whole_text(file.path, file, {})).get("claim", {})))
        found[name] = {"file": page, "shows": " ".join(claims[name]["shows"].split())}
    return found


@cache
def _check_page(page: str, objects: Path) -> tuple[dict[str, ClaimOutcome], tuple[str, ...]]:
    """Return what the kernel says of each claim of a file, and its start values, once in a process."""
    file = load_shipped(page)
    require_decided(file)
    starts = tuple(Filtration(file.setting).starts())
    try:
        verdicts = _verdicts(file, objects)
    except (Refused, OSError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        why = f"the kernel refuses {page}: {error}"
        return {one.id: ClaimOutcome(one, proved=False, why=why) for one in claims_of(file)}, starts
    names = {one.id for one in file.setting.definitions.values() if one.kind == "definition"}
    names |= file.setting.coordinates & set(file.setting.numbers)
    return {one.id: _outcome_of(one, verdicts, names) for one in claims_of(file)}, starts


def _verdicts(file: ClaimFile, objects: Path) -> dict[str, ClaimVerdict]:
    """Run the kernel on the page of a claim file and on its object."""
    choices = json.loads((objects / file.path.name).with_suffix(".json").read_text(encoding="utf-8"))
    with TemporaryDirectory() as folder:
        return read(_write_page(file, Path(folder)), choices, (HERE,)).verdicts


def _outcome_of(claim: Claim, verdicts: dict[str, ClaimVerdict], names: set[str]) -> ClaimOutcome:
    """Return what came out about a claim; other claims and `names`, which are definitions, are no leaves."""
    one = verdicts[claim.id]
    leaves, rules = one.uses - {*verdicts, *names}, one.rules - {SELF, ORTHOGONAL}  # a hypothesis and a law, no rules
    return ClaimOutcome(claim, proved=one.proved, why=one.why, leaves=leaves, rules=rules)
