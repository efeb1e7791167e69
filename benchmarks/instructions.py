"""Print how the instructions of a run grow with its size: `python -m benchmarks.instructions [LETTER ...]`.

The runs are those of `benchmarks.exponents`, under valgrind's cachegrind: some minutes a letter.  Caches and neighbours
make no difference to what is counted, but vector units do: valgrind has those of AVX2.
"""

import os
import re
import shutil
import subprocess
import sys

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.exponents import AGREES, CASES, SIZES, sized
from boundcheck.engine import simulate

COUNTED = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}


def instructions(name, letter, place, *, runs):
    """Return the instructions of a process that makes a problem, and runs it or does not."""
    child = [sys.executable, "-m", "benchmarks.instructions", "--one", name, letter, str(place), str(int(runs))]
    said = subprocess.run([*COUNTED, *child], env=os.environ | ONE_THREAD, check=True, capture_output=True, text=True)
    return int(re.search(r"I\s+refs:\s+([\d,]+)", said.stderr)[1].replace(",", ""))


def exponent(name, letter):
    """Return the power of a letter in what the instructions of a run grow by."""
    places = range(len(SIZES[letter]))
    spent = np.array([[instructions(name, letter, i, runs=runs) for runs in (True, False)] for i in places])
    grown = np.diff(spent[:, 0] - spent[:, 1])
    return float(np.log(grown[1] / grown[0]) / np.log(SIZES[letter][1] / SIZES[letter][0]))


def main(letters):
    """Print the table, or be one of the processes that are counted."""
    if letters[:1] == ["--one"]:
        name, letter, place, runs = letters[1:]
        problem, method, setting = sized(*CASES[name], letter, SIZES[letter][int(place)])
        # Constants are computed when somebody asks: whether the run does is not what is counted.
        if problem.constants and int(runs):
            simulate(problem, method, points=1, **setting)
        return
    if wrong := [letter for letter in letters if letter not in SIZES]:
        sys.exit(f"letter {wrong[0]!r} is not legal: {', '.join(SIZES)}")
    if shutil.which(COUNTED[0]) is None:
        sys.exit("valgrind counts the instructions, and is not installed")
    table = Table(title=f"Powers in the growth of a run's instructions (off if it is {AGREES} away)")
    for heading in ("", *(letters or SIZES)):
        table.add_column(heading, justify="right")
    for name in CASES:
        found = [exponent(name, letter) for letter in letters or SIZES]
        table.add_row(name, *(f"{e:.2f}{'' if abs(e - 1) <= AGREES else ' OFF'}" for e in found))
    Console(width=120).print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
