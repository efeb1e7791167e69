"""The data that ship beside the code, with a checksum of each: certificates, sums of squares, verdicts, tables.

They were made by boundcheck and are believed.  ``python -m boundcheck.files.shipped`` says which are no longer what was
listed, in a checkout and in an installed package; ``--write`` lists them anew, as `make derived` does.  Sources are
not listed: to edit one changes nothing here.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path

from boundcheck.files.resources import folder

LISTING = Path(__file__).with_suffix(".json")
"""Name of a file of data to its SHA-256."""
_ROOT = Path(__file__).parents[1]
_NO_DATA = ("data/", "derived/")
"""What is listed by another name, and what says of which sources data were made."""


def data_files() -> dict[str, Path]:
    """Return the files of data by name: those of the package and, as ``reports/..``, those beside the recipes."""
    found = [*_ROOT.rglob("*.json"), *_ROOT.glob("problems/data/tables/*.csv.gz")]
    inside = {path.relative_to(_ROOT).as_posix(): path for path in found}
    own = {name: path for name, path in inside.items() if not name.startswith(_NO_DATA) and path != LISTING}
    return own | {f"reports/{path.name}": path for path in folder("reports").glob("*.json")}


def checksums() -> dict[str, str]:
    """Return the SHA-256 of every file of data, by name."""
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in sorted(data_files().items())}


def differing() -> list[str]:
    """Return the names of files that are not what was listed: changed, missing, or not listed."""
    listed, found = json.loads(LISTING.read_text(encoding="utf-8")), checksums()
    return sorted(name for name in listed.keys() | found.keys() if listed.get(name) != found.get(name))


def write_listing() -> None:
    """List the files of data as they are now."""
    from boundcheck.files.atomic import write_whole

    write_whole(LISTING, json.dumps(checksums(), indent=0) + "\n")


def main(arguments: list[str] | None = None) -> int:
    """Print the names of files that differ, or list them anew; return 1 where some differ."""
    parser = argparse.ArgumentParser(prog="python -m boundcheck.files.shipped", description="Check the data that ship.")
    parser.add_argument("--write", action="store_true", help="list the data as they are now")
    if parser.parse_args(arguments).write:
        write_listing()
    names = differing()
    for name in names:
        print(f"{name}: not the file that was listed", file=sys.stderr)
    return int(bool(names))


if __name__ == "__main__":
    sys.exit(main())
