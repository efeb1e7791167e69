"""Make the shipped theorems anew: ``python -m boundcheck.worst.theorems.collection [NAME...]``."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from boundcheck.errors import NotApplicableError
from boundcheck.files.atomic import write_whole
from boundcheck.proofs.kernel.all_steps import check
from boundcheck.worst.theorems.collection.recipes import RECIPES
from boundcheck.worst.theorems.collection.shipped import FOLDER, shipped_theorem, with_words

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Find theorems, check them, and write their files; return 1 where one was not found."""
    parser = argparse.ArgumentParser(prog="python -m boundcheck.worst.theorems.collection", description=__doc__)
    parser.add_argument("--words", action="store_true", help="write the words of what ships anew, without a search")
    parser.add_argument(
        "names", nargs="*", choices=[[], *RECIPES], metavar="NAME", help="theorems; all where none is named"
    )
    asked = parser.parse_args(arguments)
    missing = 0
    for name in asked.names or RECIPES:
        try:
            file = with_words(shipped_theorem(name) if asked.words else RECIPES[name].find())
        except NotApplicableError as error:
            print(f"{name}: {error}", file=sys.stderr)
            missing += 1
            continue
        check(file)
        write_whole(FOLDER / f"{name}.json", json.dumps(file, indent=1) + "\n")
        print(f"{name}: {file['says']['theorem']}", flush=True)
    return int(missing > 0)


if __name__ == "__main__":
    sys.exit(main())
