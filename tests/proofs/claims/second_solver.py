"""Another solver for the exported SMT-LIB files; run as a script it answers one file."""

import re
import subprocess
import sys
from pathlib import Path

SECOND = 10**4
"""Units of cvc5's work (``rlimit``) that count as one second."""
SAFETY = 3


def cvc5_answer(path, seconds):
    """Return the answer of cvc5 to one file: sat, unsat or unknown, within the work of so many seconds."""
    command = [sys.executable, __file__, path, str(round(SECOND * seconds))]
    try:
        # The clock is for questions whose work cvc5 does not count, and never makes an answer.
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=SAFETY * seconds)
    except subprocess.TimeoutExpired:
        return "unknown"
    said = re.findall(r"\b(unsat|sat|unknown)\b", done.stdout)
    return said[-1] if said else "unknown"


def expected_answer(path):
    """Return the status that the file states."""
    return re.search(r"\(set-info :status (\w+)\)", path.read_text()).group(1)


def main(path, work):
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("rlimit", work)
    solver.setOption("seed", "0")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, Path(path).read_text(), "claim")
    while not (command := parser.nextCommand()).isNull():
        sys.stdout.write(command.invoke(solver, parser.getSymbolManager()))


if __name__ == "__main__":
    main(*sys.argv[1:])
