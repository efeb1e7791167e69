"""Make derived files, or say which are stale: ``python -m boundcheck.derived [--stale | --all | NAME ...]``."""

from __future__ import annotations

import argparse
import sys

from boundcheck.derived.table import DERIVED, find_stale, make
from boundcheck.errors import BoundcheckError


def main(arguments: list[str] | None = None) -> int:
    """Do what the arguments ask; return 1 where something is stale, 2 where an argument is not legal."""
    parser = argparse.ArgumentParser(prog="python -m boundcheck.derived", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(row.name for row in DERIVED))
    parser.add_argument("--stale", action="store_true", help="only say which files are older than their sources")
    parser.add_argument("--all", action="store_true", help="also what is made for a release, which takes hours")
    asked = parser.parse_args(arguments)
    try:
        if asked.stale:
            rows = find_stale(asked.names)
            for row in rows:
                when = "for a release" if row.on_release else "make derived"
                print(f"{row.name}: older than its sources ({when}, {row.takes}): {row.holds}")
            return bool(rows)
        for row in make(asked.names, on_release=asked.all):
            print(f"{row.name}: made anew: {', '.join(row.files)}")
    except BoundcheckError as error:
        print(f"boundcheck.derived: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
