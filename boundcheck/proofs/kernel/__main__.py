"""Check a claim file with its proof object: ``python -S boundcheck/proofs/kernel FILE.toml FILE.json [LIBRARY]``."""

from __future__ import annotations

import importlib
import json
import sys
import time
from pathlib import Path

if not __package__:  # run as a folder, without the package around it
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    __package__ = importlib.import_module("kernel").__name__

from . import Refused
from .file import plain_text
from .report import lines, read


def main(arguments: list[str]) -> int:
    """Print what is proved; return 0 where every claim is, 1 where one is not, 2 where a file is not legal."""
    if not 2 <= len(arguments) <= 3:
        print(__doc__)
        return 2
    start = time.perf_counter()
    page, choices, *library = map(Path, arguments)
    try:
        kernel = read(page, json.loads(plain_text(choices, 20_000_000)), library)
    except (Refused, OSError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as why:
        print(f"{page}: refused: {type(why).__name__} {str(why)!a}")
        return 2
    print("\n".join(lines(kernel)))
    proved = sum(verdict.proved for verdict in kernel.verdicts.values())
    print(f"{proved} of {len(kernel.verdicts)} claims proved in {time.perf_counter() - start:.2f} s")
    return int(proved < len(kernel.verdicts))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
