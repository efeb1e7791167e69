"""Gather what the status of every statement rests on, and write the file that ships.

``python -m boundcheck.sweep.compare.statuses FILE`` decides the ledger, runs the findings and reads the shipped audit.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.field import FIELD
from boundcheck.errors import BoundcheckError
from boundcheck.evidence.papers.status import bound_statements, claim_statements
from boundcheck.files.atomic import write_whole
from boundcheck.proofs import CLAIMS
from boundcheck.proofs.chain.whole.proof import PROOFS
from boundcheck.proofs.search.accepted import load_accepted
from boundcheck.sweep.cells.store import Store
from boundcheck.sweep.experiments.reading import load_recipe
from boundcheck.sweep.results.summary import shipped_summary
from boundcheck.sweep.run.crew import Crew
from boundcheck.sweep.run.deciding import Deciding
from boundcheck.sweep.run.runner import run_and_collect
from boundcheck.verdicts.status import StatusRecord
from boundcheck.worst.theorems.collection.shipped import is_certified

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.sweep.results.results import StudyResult
    from boundcheck.verdicts.status import StudyWords
    from boundcheck.verdicts.words import ProverWord

RECIPE = "findings"
"""The recipe whose studies count beside the audit."""


def study_words(recipe: str, results: Sequence[StudyResult]) -> StudyWords:
    """Return the verdict of every study on each of its bounds."""
    return {f"{recipe}/{r.study.id}": {name: r.verdict(name) for name in r.study.bounds} for r in results}


def join_statuses(verdicts: Mapping[str, ProverWord], studies: StudyWords) -> dict[str, dict[str, Any]]:
    """Return the content of the shipped file from verdicts on claims and studies, and the shipped audit."""
    audit = {name: row["verdict"] for name, row in shipped_summary().items()}
    claims = claim_statements(CLAIMS, verdicts)
    return {
        "bounds": _plain(bound_statements(BOUNDS, verdicts, studies, audit, chains()) | certified()),
        "studies": {name: dict(words) for name, words in studies.items()},
        "claims": {name: {"verdict": verdicts[name], **entry} for name, entry in _plain(claims).items()},
    }


def chains() -> list[str]:
    """Return the bounds that a shipped proof reaches from their assumptions, as the kernel says now."""
    return [name for name in PROOFS if name in BOUNDS and load_accepted(name).proved]


def certified() -> dict[str, StatusRecord]:
    """Return the theorems of the field that have a certificate of all they say, which the kernel accepts now."""
    names = [name for name in FIELD if is_certified(BOUNDS[name])]
    return {name: StatusRecord("proved", (f"certificate:{name}",)) for name in names}


def _plain(statements: Mapping[str, StatusRecord]) -> dict[str, dict[str, Any]]:
    return {name: asdict(found) | {"because": list(found.because)} for name, found in statements.items()}


def write(content: Mapping[str, Mapping[str, Any]], path: Path) -> None:
    """Write the file, a line a statement, whole or not at all."""
    parts = [
        f' "{kind}": {{\n' + ",\n".join(f'  "{name}": {json.dumps(entry)}' for name, entry in entries.items()) + "\n }"
        for kind, entries in content.items()
    ]
    write_whole(path, "{\n" + ",\n".join(parts) + "\n}\n")


def build(path: Path, store: Path, workers: int | None = None) -> None:
    """Decide the ledger, run what is missing of the findings, join, and write."""
    recipe = load_recipe(RECIPE)
    with Crew(workers) as crew:
        deciding = Deciding(crew)
        found = run_and_collect(recipe, Store(store.absolute()), crew=crew)
        verdicts = {proof.id: proof.verdict for proof in deciding.proofs()}
    write(join_statuses(verdicts, study_words(RECIPE, found)), path)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the file; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m boundcheck.sweep.compare.statuses", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--store", type=Path, default=Path("build/results"), help="folder of the results")
    given = parser.parse_args(arguments)
    try:
        build(given.file, given.store)
    except BoundcheckError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
