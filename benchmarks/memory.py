"""Print what the constants of many clients take: `python -m benchmarks.memory [--before TREE]`.

Each is made in a process of its own, with all its constants, under a limit of address space.  Its memory is the peak
beyond what the imports took, over that of one array of all clients' points (N, d).
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

MANY = {"N": 100_000, "d": 100}
CASES = (
    ("ridge", {**MANY, "zeta": 1.0, "sigma": 1.0}),
    ("ridge", {"N": 2000, "d": 20_000, "zeta": 1.0, "sigma": 1.0}),
    ("ridge-split", {**MANY, "zeta": 1.0}),
    ("ridge-shift", MANY),
    ("ridge-waves", {**MANY, "zeta": 1.0}),
    ("ridge-waves", {**MANY, "zeta": 1.0, "groups": "spread"}),
    ("ridge-mixture", MANY),
    ("quadratic", {**MANY, "zeta": 1.0}),
    ("log-cosh", {"N": 100_000}),
    ("ncsc-ridge", {"N": 100_000, "d1": 80, "d2": 20, "zeta_pair": 1.0, "sigma": 1.0}),
    ("ncsc-newton", {"N": 100_000, "d1": 80, "d2": 20, "zeta_pair": 1.0}),
    ("finite-sum", {**MANY, "m": 4}),
    ("finite-sum", {"N": 8, "d": 20_000, "m": 4}),
)
LIMIT = 8 << 30
"""Bytes of address space of a case."""


def measured(family, parameters):
    """Return the processor seconds and the bytes that a problem takes with all its constants."""
    from boundcheck.problems import FAMILIES

    made, before, start = FAMILIES[family], _peak(), time.process_time()
    made(**parameters).constants  # noqa: B018
    return time.process_time() - start, _peak() - before


def _peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def in_process(case, tree):
    """Return the seconds and bytes of a case in another tree, or the name of the error that ended it."""
    environment = os.environ | {"PYTHONPATH": str(tree), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, str(Path(__file__)), "--case", json.dumps(case)]
    limited = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False, **limited)
    if done.returncode:
        return (done.stderr.strip().splitlines() or [f"signal {-done.returncode}"])[-1].partition(":")[0]
    return json.loads(done.stdout)


def cells(case, found):
    """Return how a case is shown: seconds, GiB, and arrays of all points."""
    if isinstance(found, str):
        return found, "", ""
    parameters = case[1]
    seconds, taken = found
    d = sum(value for name, value in parameters.items() if name in {"d", "d1", "d2"}) or 1
    return f"{seconds:.1f}", f"{taken / 2**30:.2f}", f"{taken / (8 * parameters['N'] * d):.1f}"


def show(console, trees):
    """Print the table."""
    table = Table(title=f"constants of large problems, at most {LIMIT >> 30} GiB", title_justify="left")
    headings = ("s", "GiB", "arrays (N, d)")
    for heading in ("", *headings, *(f"{heading}, before" for heading in headings[: 3 * (len(trees) - 1)])):
        table.add_column(heading, justify="right" if heading else "left")
    for case in CASES:
        row = [cell for tree in trees for cell in cells(case, in_process(case, tree))]
        table.add_row(f"{case[0]} {', '.join(f'{k}={v}' for k, v in case[1].items())}", *row)
    console.print(table)


def main():
    """Print the table, or measure one case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", metavar="TREE", help="a folder with another version of boundcheck")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.case:
        json.dump(measured(*json.loads(asked.case)), sys.stdout)
        return
    here = Path(__file__).resolve().parents[1]
    show(Console(width=150), [here, *([Path(asked.before).resolve()] if asked.before else [])])


if __name__ == "__main__":
    main()
