"""The sample that ships: built from the recipe ``overview``, with a record that says from what.

``python -m boundcheck.report.sample FOLDER`` builds it; with ``--check`` it says whether it is current.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import re
import sys
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from boundcheck.errors import BoundcheckError, InputError
from boundcheck.files.atomic import write_whole
from boundcheck.files.sources import package_hash, versions
from boundcheck.report.pages.reproduce import PACKAGES
from boundcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.sweep import Recipe

NAME = "overview"
DIGITS = 3
LAST = "= How to reproduce"
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])")


@dataclass(frozen=True)
class Record:
    """From what a sample was built, and what came out."""

    version: str
    """Version of boundcheck."""
    source: str
    """`boundcheck.files.sources.package_hash` at the time."""
    versions: dict[str, str]
    """Versions of python and of the libraries that have a say in the result."""
    pdf: str
    """SHA-256 of the PDF."""
    text: tuple[str, ...]
    """Lines of the report's source, without the page on how to reproduce it."""
    html: str = ""
    """SHA-256 of the HTML page."""


def build(folder: Path, store: Path, workers: int | None = None, recipe: Recipe | None = None) -> Record:
    """Run what is missing of the recipe, write PDF, HTML page and record into a folder, and return the record."""
    from boundcheck.report.document import compile_report
    from boundcheck.report.pages.figure import drawn_by
    from boundcheck.sweep import Store, load_recipe, run_and_collect
    from boundcheck.sweep.run.crew import Crew
    from boundcheck.sweep.run.deciding import Deciding

    recipe = load_recipe(NAME) if recipe is None else recipe
    with Crew(workers) as crew:
        deciding = Deciding(crew, recipe.claims)
        found = run_and_collect(recipe, Store(store.absolute()), backend="numpy", crew=crew)
        claims = deciding.proofs()
        with drawn_by(crew):
            source, pdf = compile_report(recipe, found, claims, NAME)
    page = compile_report(recipe, found, claims, NAME, page=True)[1]
    hashed, html = (hashlib.sha256(content).hexdigest() for content in (pdf, page))
    record = Record(__version__, package_hash(), versions(PACKAGES), hashed, text_of(source), html)
    write_whole(folder / f"{NAME}.pdf", pdf)
    write_whole(folder / f"{NAME}.html", page)
    write_whole(folder / f"{NAME}.json", json.dumps(asdict(record), indent=1, ensure_ascii=False) + "\n")
    return record


def read(folder: Path) -> Record:
    """Return the record in a folder.

    Raises
    ------
    InputError
        If there is none, or it is none.
    """
    path = folder / f"{NAME}.json"
    try:
        entry = json.loads(path.read_text(encoding="utf-8"))
        return Record(**entry | {"text": tuple(entry["text"])})
    except (OSError, ValueError, TypeError, KeyError) as error:
        msg = f"{path}: not the record of a sample: {error}"
        raise InputError(msg) from error


def stale(folder: Path) -> list[str]:
    """Return why the sample in a folder is not what the present code would record; empty when it is current."""
    record = read(folder)
    pdf, page = (hashlib.sha256(_content(folder / f"{NAME}.{end}")).hexdigest() for end in ("pdf", "html"))
    pairs = (
        ("version", record.version, __version__),
        ("source", record.source, package_hash()),
        ("pdf", record.pdf, pdf),
        ("html", record.html, page),
    )
    return [f"{what}: recorded {old}, found {new}" for what, old, new in pairs if old != new]


def _content(path: Path) -> bytes:
    """Return what a file holds, nothing where it is missing: its hash is then another."""
    return path.read_bytes() if path.is_file() else b""


def text_of(source: str) -> tuple[str, ...]:
    """Return the lines of a report that depend on results alone."""
    return tuple(source.partition(f"\n{LAST}")[0].splitlines())


def differences(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Return the lines that differ in words, in a whole number, or in another one by a unit of its third digit."""
    return [f"{a!r} against {b!r}" for a, b in zip_longest(old, new, fillvalue="") if not _same(a, b)]


def _same(a: str, b: str) -> bool:
    words = [NUMBER.sub("#", line) for line in (a, b)]
    pairs = zip_longest(*(NUMBER.findall(line) for line in (a, b)), fillvalue="")
    return words[0] == words[1] and all(x == y or _close(x, y) for x, y in pairs)


def _close(x: str, y: str) -> bool:
    measured = all(re.search("[.e]", number) for number in (x, y))
    return measured and math.isclose(float(x), float(y), rel_tol=10.0 ** (1 - DIGITS))


def main(arguments: Sequence[str] | None = None) -> int:
    """Build or check; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m boundcheck.report.sample", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--store", type=Path, default=Path("build/results"), help="folder of the results")
    parser.add_argument("--check", action="store_true", help="only say whether the sample is current")
    given = parser.parse_args(arguments)
    try:
        reasons = stale(given.folder) if given.check else []
        if not given.check:
            build(given.folder, given.store)
    except BoundcheckError as error:
        reasons = [str(error)]
    for reason in reasons:
        print(reason, file=sys.stderr)
    return 1 if reasons else 0


if __name__ == "__main__":
    sys.exit(main())
