"""What came out about the claims of a file: what the search proves is called *proved* where the kernel accepts it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.files.own import DataFile, following
from boundcheck.proofs.chain.deciding.prover import COORDINATES
from boundcheck.proofs.chain.whole.outcome import outcomes_of
from boundcheck.proofs.chain.whole.proof import decide_file
from boundcheck.proofs.chain.whole.satisfied import SatisfyingRuns
from boundcheck.proofs.kernel import Refused
from boundcheck.proofs.kernel.report import claim_text, leaf_text, leaves
from boundcheck.proofs.language.claim import NOT_LEGAL
from boundcheck.proofs.language.files import load
from boundcheck.proofs.ledger.outcomes import outcomes_alone
from boundcheck.proofs.search.accepted import TRUST
from boundcheck.proofs.search.finder import find_for
from boundcheck.proofs.search.statements import pages_of, require_same_statements, steps_added

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.chain.deciding.prover import Prover
    from boundcheck.proofs.kernel import ClaimVerdict, Kernel
    from boundcheck.proofs.language.files import ClaimFile
    from boundcheck.workers.progress import Progress

NOT_ACCEPTED = "the search has a proof, the kernel does not accept it"


class Word(NamedTuple):
    """What the kernel says of one claim."""

    proved: bool
    why: str
    statement: str = ""
    """The claim as the kernel reads it, with all that it takes as given."""
    stands_on: Mapping[str, str] = {}
    """Leaves, equations and laws of chance that it stands on in the end, with what they say."""


_WORDS: dict[tuple[tuple[str, str], ...], dict[str, Word]] = {}
"""What the kernel said of pages, by their names and whole texts, in this process."""


def outcomes(
    path: Path,
    *,
    trust_code: bool = False,
    certificates: Path | None = None,
    progress: Progress | None = None,
) -> list[dict[str, Any]]:
    """Return one entry a claim of a claim file, in the order of the file.

    Parameters
    ----------
    path : Path
    trust_code : bool
        As for `load`.
    certificates : Path, optional
        A folder for the file with whole statements and its proof object.
    progress : callable, optional
        Called with (claims decided, claims in all, share of them).

    Returns
    -------
    list of dict
        As `boundcheck.proofs.chain.whole.outcome.outcomes`, with `trust`, who says *proved* or *conditional*, the
        statement that the `kernel` has read, what it `stands_on`, and whether a run is met in which all of that holds,
        `satisfiable`.  A claim whose text or steps are *not legal* has that verdict, and `why` says what is wrong, with
        file and line.

    Raises
    ------
    FileError
        If something in the file that is no claim is not legal; names the file, the line and what would be.
    """
    illegal: dict[str, str] = {}
    file = load(path, trust_code=trust_code, illegal=illegal)
    alone = outcomes_alone(file, progress)
    if (file.alone or illegal) and not file.claims and not file.theorems:
        return _in_order(path, [*alone, *_illegal(illegal)])
    with following(DataFile(str(path)), trusted=trust_code):
        prover = decide_file(file, illegal, progress)
        words = _words(file, prover, certificates)
        for id_, one in prover.found.items():
            if one.proved and not words[id_].proved:
                # What is said by coordinates is searched for by nobody: its steps and multipliers are the file's.
                why = words[id_].why if one.rules == COORDINATES else f"{NOT_ACCEPTED}: {words[id_].why}"
                prover.found[id_] = replace(one, proved=False, why=why, parts=(), inherited=(), refused=True)
        entries, runs = outcomes_of(prover, progress), SatisfyingRuns(prover)
        found = [
            entry | _kernel_part(entry, words[entry["id"]]) | _describe_run(entry, prover, runs) for entry in entries
        ]
        return _in_order(path, [*alone, *found, *_illegal(illegal)])


def _illegal(claims: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return an entry for each claim that is not legal."""
    texts = dict.fromkeys(("title", "trust", "shows", "statement", "kernel", "hash"), "")
    lists: dict[str, list[Any]] = {
        key: [] for key in ("given", "inherited", "steps", "added", "weights", "leaves", "apart_from", "rules")
    }
    nothing = dict.fromkeys(("satisfiable", "witness", "steps_allow"))
    rest: dict[str, Any] = {"for": {}, "stands_on": {}, "weights_searched": False, **nothing}
    return [
        {"id": id_, "verdict": NOT_LEGAL, "why": why, "certificate": [], **texts, **lists, **rest}
        for id_, why in claims.items()
    ]


def _in_order(path: Path, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return entries in the order of the file, those of files that it uses first; ID.1 is a link of the chain ID."""
    heads = re.findall(r"^\[claim\.(.+)\]", path.read_text(encoding="utf-8"), re.MULTILINE)
    places = {id_.strip("\"'"): n for n, id_ in enumerate(heads)}
    return sorted(entries, key=lambda one: places.get(one["id"], places.get(one["id"].rpartition(".")[0], -1)))


def _describe_run(entry: Mapping[str, Any], prover: Prover, runs: SatisfyingRuns) -> dict[str, Any]:
    """Return whether a run is met in which all holds that a claim stands on, where it is proved; else what it is."""
    if entry["verdict"] not in ("proved", "conditional"):
        return {"satisfiable": None}
    one = prover.found[entry["id"]]
    met = runs.meets(one)
    clash = met is False and runs.excludes(one)
    return {"satisfiable": met} | ({"verdict": "vacuous", "trust": "", "kernel": "", "stands_on": {}} if clash else {})


def _kernel_part(entry: Mapping[str, Any], word: Word) -> dict[str, Any]:
    """Return the part of an entry that is the kernel's."""
    if entry["verdict"] not in ("proved", "conditional"):
        return {"trust": "", "kernel": "", "stands_on": {}}
    return {"trust": TRUST, "kernel": word.statement, "stands_on": dict(word.stands_on)}


def _words(file: ClaimFile, prover: Prover, certificates: Path | None) -> dict[str, Word]:
    """Find a proof object and return what the kernel says of each claim."""
    inherited = {id_: one.inherited for id_, one in prover.found.items() if one.inherited}
    pages = pages_of(file.path, file, inherited, steps_added(prover.found), prover.illegal or ())
    key = tuple(pages.items())
    if key not in _WORDS or certificates is not None:
        with TemporaryDirectory() as folder:
            try:
                require_same_statements(file.path, pages, inherited)
                kernel = find_for(file, prover, certificates or Path(folder)).kernel
            except Refused as why:
                return dict.fromkeys(prover.found, Word(proved=False, why=str(why)))
        _WORDS[key] = {id_: _word(kernel, id_, kernel.verdicts[id_]) for id_ in prover.found}
    return _WORDS[key]


def _word(kernel: Kernel, id_: str, one: ClaimVerdict) -> Word:
    stands_on = {name: leaf_text(kernel, name).partition(": ")[2] for name in leaves(kernel, id_)}
    return Word(one.proved, one.why, claim_text(kernel.file.claims[id_]), stands_on if one.proved else {})
