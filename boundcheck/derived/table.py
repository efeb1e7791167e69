"""The table of derived files, and the record of the sources that they were made from."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boundcheck.errors import UnknownNameError, require
from boundcheck.files.atomic import write_whole
from boundcheck.files.display import Listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ROOT = Path(__file__).parents[2]
"""The checkout; derived files are made in one, not in an installed package."""
RECORD = ROOT / "boundcheck" / "derived" / "record.json"
"""For each row a hash of its sources at the time at which it was made."""


@dataclass(frozen=True)
class Derived:
    """Files that follow from others.

    Parameters
    ----------
    name : str
        What ``make derived`` and ``--stale`` call them.
    holds : str
        What is in them, and who reads it.
    files : tuple of str
        Patterns below the checkout.
    command : tuple of str
        What makes them, for the Python that runs: arguments of ``python``.
    sources : tuple of str
        Patterns below the checkout: what the files follow from.
    takes : str
        About how long it takes on two cores.
    on_release : bool
        Whether they are made for a release rather than with every change.
    """

    name: str
    holds: str
    files: tuple[str, ...]
    command: tuple[str, ...]
    sources: tuple[str, ...]
    takes: str = "seconds"
    on_release: bool = False

    def hash_sources(self) -> str:
        """Return a hash of the names and bytes of the sources, those among the files themselves left out."""
        found = hashlib.sha256()
        own = set(_paths(self.files))
        # The record says what was made of what: a row of which it were a source would never be current.
        for path in sorted(set(_paths(self.sources)) - own - {RECORD}):
            content = path.read_bytes()
            found.update(f"{path.relative_to(ROOT).as_posix()} {len(content)}\n".encode() + content)
        return found.hexdigest()


CODE = ("boundcheck/**/*.py",)
LEDGER = ("boundcheck/proofs/**/*.toml", "boundcheck/proofs/**/*.py")
DERIVED: tuple[Derived, ...] = Listed(
    "made files",
    (
        Derived(
            "catalogue",
            "what `boundcheck list` prints of kinds that take long to build",
            ("boundcheck/cli/cards/catalogue.json",),
            ("-m", "boundcheck.cli.cards.catalogue"),
            (
                "boundcheck/methods/**/*.py",
                "boundcheck/bounds/**/*.py",
                "boundcheck/problems/**/*.py",
                "boundcheck/cli/cards/catalogue.py",
                "boundcheck/cli/cards/method_facts.py",
                "boundcheck/conform/**/*.py",
                "problems/*.toml",
                "reports/*.toml",
            ),
        ),
        Derived(
            "proofs",
            "products and squares that the searches of whole proofs found, so that deciding them again is fast",
            ("boundcheck/proofs/papers/whole/*.json",),
            ("-m", "boundcheck.proofs.chain.whole.proof"),
            ("boundcheck/proofs/chain/**/*.py", "boundcheck/proofs/papers/whole/*.toml"),
            "a minute",
        ),
        Derived(
            "objects",
            "proof objects of the whole proofs, for the kernel, and what the registered bounds say",
            ("boundcheck/proofs/papers/objects/*.json", "boundcheck/proofs/papers/registered.json"),
            ("-m", "boundcheck.proofs.search"),
            (
                "boundcheck/proofs/chain/**/*.py",
                "boundcheck/proofs/search/*.py",
                "boundcheck/proofs/kernel/*.py",
                "boundcheck/proofs/papers/whole/*",
            ),
            "two minutes",
        ),
        Derived(
            "method-pages",
            "a page for every method, made of its docstring and card",
            ("docs/methods/*.md",),
            ("-m", "boundcheck.cli.cards.method_pages", "docs/methods"),
            ("boundcheck/methods/**/*.py", "boundcheck/bounds/**/*.py", "boundcheck/cli/cards/method_pages.py"),
        ),
        Derived(
            "tables",
            "rows for bounds and commands that the tables of their pages do not have yet",
            ("docs/bounds.md", "docs/cli.md"),
            ("docs/tables.py",),
            ("boundcheck/bounds/**/*.py", "boundcheck/cli/app.py", "boundcheck/cli/commands/*.py", "docs/tables.py"),
        ),
        Derived(
            "status",
            "the status of every statement, joined from ledger, findings, audit and studies",
            ("reports/status.json",),
            ("-m", "boundcheck.sweep.compare.statuses", "reports/status.json", "--store", "build/results"),
            (*LEDGER, "boundcheck/bounds/**/*.py", "boundcheck/evidence/**/*.py", "reports/findings.toml"),
            "two minutes",
        ),
        Derived(
            "refuted",
            "the table of every line that is false as printed",
            ("docs/refuted.md",),
            ("docs/refuted.py",),
            (*LEDGER, "docs/refuted.py", "reports/status.json"),
        ),
        Derived(
            "findings",
            "the tables of the page of findings, and the headline there and in the README",
            ("docs/findings.md", "README.md"),
            ("docs/findings_page.py",),
            ("boundcheck/findings/*", "docs/findings_page.py"),
        ),
        Derived(
            "gallery",
            "a section and a picture for every finding",
            ("docs/gallery.md", "docs/gallery/*"),
            ("docs/gallery.py",),
            ("boundcheck/findings/*", "docs/gallery.py", "reports/status.json", "boundcheck/report/plots/bars.py"),
        ),
        Derived(
            "worst-gallery",
            "the worst functions of ten methods, drawn",
            ("docs/worst-gallery.md", "docs/gallery/worst/*"),
            ("docs/worst_gallery.py",),
            ("boundcheck/worst/**/*.py", "boundcheck/problems/extremal/*.py", "docs/worst_gallery.py"),
        ),
        Derived(
            "audit",
            "one row a bound: verdict, counts of cells, the largest ratio",
            ("reports/audit-verdicts.json",),
            (
                *("-m", "boundcheck", "sweep", "audit", "--summary", "reports/audit-verdicts.json"),
                *("--store", "build/results", "--yes"),
            ),
            (
                "boundcheck/engine/**/*.py",
                "boundcheck/methods/**/*.py",
                "boundcheck/bounds/**/*.py",
                "boundcheck/evidence/**/*.py",
                "boundcheck/problems/**/*.py",
                "reports/audit.toml",
            ),
            "ten minutes",
            on_release=True,
        ),
        Derived(
            "experiments",
            "verdicts on the papers' experimental claims",
            ("reports/experiment-verdicts.json",),
            (
                *("-m", "boundcheck", "sweep", "experiments", "--summary", "reports/experiment-verdicts.json"),
                *("--store", "build/results", "--yes"),
            ),
            (
                "boundcheck/engine/**/*.py",
                "boundcheck/methods/**/*.py",
                "boundcheck/sweep/**/*.py",
                "boundcheck/problems/**/*.py",
                "reports/experiments.toml",
            ),
            "half an hour",
            on_release=True,
        ),
        Derived(
            "speedup",
            "verdicts and powers of the rates and speed-ups that are promised, by runs",
            ("reports/speedup-verdicts.json",),
            (
                *("-m", "boundcheck", "sweep", "speedup", "--summary", "reports/speedup-verdicts.json"),
                *("--store", "build/results", "--yes"),
            ),
            (
                "boundcheck/engine/**/*.py",
                "boundcheck/methods/**/*.py",
                "boundcheck/sweep/**/*.py",
                "boundcheck/problems/**/*.py",
                "reports/speedup.toml",
            ),
            "five minutes",
            on_release=True,
        ),
        Derived(
            "leaderboard",
            "standings of all methods on the boards",
            ("reports/leaderboard.json",),
            (
                *("-m", "boundcheck", "sweep", "leaderboard", "--summary", "reports/leaderboard.json"),
                *("--store", "build/results", "--yes"),
            ),
            (
                "boundcheck/engine/**/*.py",
                "boundcheck/methods/**/*.py",
                "boundcheck/sweep/**/*.py",
                "boundcheck/problems/**/*.py",
                "reports/leaderboard.toml",
            ),
            "an hour",
            on_release=True,
        ),
        Derived(
            "rates",
            "the headline rates: what ran, every reading, the word",
            ("boundcheck/rates/attained.json",),
            ("-m", "boundcheck.rates"),
            (
                "boundcheck/engine/**/*.py",
                "boundcheck/methods/**/*.py",
                "boundcheck/bounds/**/*.py",
                "boundcheck/problems/**/*.py",
                "boundcheck/rates/**/*.py",
            ),
            "twenty minutes",
            on_release=True,
        ),
        Derived(
            "tightness",
            "where the slack of bounds is, level by level, with rational certificates",
            ("reports/tightness.json", "reports/tightness-proofs.json"),
            ("-m", "boundcheck.evidence.slack.waterfalls", "reports"),
            ("boundcheck/worst/**/*.py", "boundcheck/evidence/slack/waterfall*.py", "boundcheck/bounds/**/*.py"),
            "ten minutes",
            on_release=True,
        ),
        Derived(
            "rates-page",
            "the table of headline rates on the page of rates",
            ("docs/rates.md",),
            ("docs/rates_page.py",),
            ("boundcheck/rates/*.json", "reports/status.json", "boundcheck/cli/commands/rate.py", "docs/rates_page.py"),
        ),
        # Behind the files that it is about, and before the sample, which names the source with these sums in it.
        Derived(
            "checksums",
            "a checksum of every file of data that ships, which `python -m boundcheck.files.shipped` compares",
            ("boundcheck/files/shipped.json",),
            ("-m", "boundcheck.files.shipped", "--write"),
            ("boundcheck/**/*.json", "reports/*.json"),
        ),
        Derived(
            "sample",
            "the sample report that the README shows",
            ("reports/sample/*",),
            ("-m", "boundcheck.report.sample", "reports/sample", "--store", "build/results"),
            (*CODE, "reports/*.toml", "reports/*.json", "problems/*.toml", "boundcheck/findings/*.toml"),
            "a minute",
            on_release=True,
        ),
    ),
)


def find_stale(names: Iterable[str] = ()) -> list[Derived]:
    """Return the rows whose sources are not those that their files were made from, or of which files are missing.

    Parameters
    ----------
    names : iterable of str, optional
        Rows to ask; all of them when omitted.
    """
    record = _record()
    return [
        row
        for row in _rows(names)
        if record.get(row.name) != row.hash_sources() or not all(_paths([pattern]) for pattern in row.files)
    ]


def make(names: Iterable[str] = (), *, on_release: bool = False) -> list[Derived]:
    """Make the files of stale rows again and record what they were made from.

    Parameters
    ----------
    names : iterable of str, optional
        Rows to make, stale or not; when omitted, the stale ones that are not left to a release.
    on_release : bool
        Whether stale rows that are made for a release are made, too.

    Raises
    ------
    InputError
        If this is no checkout.
    subprocess.CalledProcessError
        If a command fails; rows that were made before it are recorded.
    """
    require((ROOT / "pyproject.toml").is_file(), "folder", str(ROOT), "a checkout: an installed package makes nothing")
    names = tuple(names)
    rows = []
    for row in _rows(names):
        # Asked row by row: what is made by one may be a source of the next.
        if not names and (not find_stale([row.name]) or (row.on_release and not on_release)):
            continue
        rows.append(row)
        subprocess.run([sys.executable, *row.command], cwd=ROOT, check=True, env=_environment())
        write_whole(RECORD, json.dumps(_record() | {row.name: row.hash_sources()}, indent=1, sort_keys=True) + "\n")
    return rows


def _rows(names: Iterable[str]) -> Sequence[Derived]:
    """Return the rows of these names in the table's order, all where none is named."""
    names = tuple(names)
    known = {row.name: row for row in DERIVED}
    for name in names:
        if name not in known:
            raise UnknownNameError("derived file", name, known)
    return [row for row in DERIVED if row.name in names] or DERIVED


def _record() -> dict[str, str]:
    found: dict[str, str] = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {}
    return found


def _paths(patterns: Iterable[str]) -> list[Path]:
    return [path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()]


def _environment() -> dict[str, str]:
    """Return the environment of a command: this checkout's package, one thread of algebra."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    return os.environ | {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}
