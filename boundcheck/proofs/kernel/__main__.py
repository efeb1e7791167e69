"""Check proofs of every kind: a claim file with its object, certificates, theorems for all steps.

python -S boundcheck/proofs/kernel FILE.toml FILE.json [LIBRARY]   # a claim file and its proof object
python -S boundcheck/proofs/kernel [--strict] FILE.json ...        # certificates, and theorems for all steps
"""

from __future__ import annotations

import gc
import importlib
import json
import sys
import time
from pathlib import Path

if not __package__:  # run as a folder, without the package around it
    sys.path.append(str(Path(__file__).resolve().parents[1]))  # after the standard library
    __package__ = importlib.import_module("kernel").__name__

from . import Refused, certificates
from .all_steps import check_file, is_stepwise
from .file import plain_text
from .report import lines, read


def main(arguments: list[str]) -> int:
    """Print what is proved; return 0 where everything is, another number where something is not."""
    gc.disable()  # numbers are many, and in no cycles: what is not used any more is freed without a search for these
    if len(arguments) in (2, 3) and arguments[0].endswith(".toml"):
        return check_page(*map(Path, arguments))
    files = [Path(one) for one in arguments if one != "--strict"]
    if not files or any(file.suffix == ".toml" for file in files):
        print(__doc__)
        return 2
    return check_listings(files, strict="--strict" in arguments)


def check_page(page: Path, choices: Path, *library: Path) -> int:
    """Print what is proved of a claim file; return 0 for all claims, 1 if one is not, 2 if a file is not legal."""
    start = time.perf_counter()
    try:
        kernel = read(page, json.loads(plain_text(choices, 20_000_000)), library)
    except (Refused, OSError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as why:
        print(f"{page}: refused: {type(why).__name__} {str(why)!a:.600}")
        return 2
    print("\n".join(lines(kernel)))
    proved = sum(verdict.proved for verdict in kernel.verdicts.values())
    print(f"{proved} of {len(kernel.verdicts)} claims proved in {time.perf_counter() - start:.2f} s")
    return int(proved < len(kernel.verdicts))


def check_theorem(file: Path) -> int:
    """Print what a theorem for all steps states, once its lemmas are shown; return 1 where one is not."""
    try:
        found = check_file(file)
    except certificates.ERRORS as why:
        print(f"{file}: refused: {str(why)!a:.600}", file=sys.stderr)
        return 1
    print("\n".join(found))
    return 0


def check_listings(files: list[Path], *, strict: bool = False) -> int:
    """Print what certificates and theorems for all steps state; the exit code of the worst of them."""
    theorems = [file for file in files if is_stepwise(file)]
    rest = [str(file) for file in files if file not in theorems]
    codes = [check_theorem(file) for file in theorems]
    if rest or not theorems:
        codes.append(certificates.main(rest, strict=strict))
    return max(codes, key=lambda code: (code != 0, code))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
