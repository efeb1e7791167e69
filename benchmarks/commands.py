"""Print the processor time of commands over that of `import numpy`: `python -m benchmarks.commands`."""

import os
import statistics
import subprocess
import sys
import tempfile

from rich.console import Console
from rich.table import Table

UNIT = ("-c", "import numpy")
TURNS = 3
COMMANDS = {
    "--help": 2.5,
    "list bounds": 4,
    "list methods": 4,
    "list problems": 4,
    "list claims": 4,
    "show fedavg": 6,
    "show momentum-fl.theorem11": 4,
    "show momentum-fl.theorem11 --proof": 4,
    "bounds": 4,
    "table fmgda.table1": 4,
    "check momentum-fl.theorem11 ridge-ratio --N 4 --K 2 --T 16": 4,
    "prove fmgda.lemma3-split": 4,
    "prove momentum-fl.lemma8": 4,
    "worst fedavg --set eta=0.5 --K 1 --T 2": 4,
    "tightness momentum-fl.theorem11 --T 2": 4,
    "sharpen fedavg --set eta=0.25 --K 2 --T 10": 4,
    "refute momentum-fl.theorem15-printed --work 20000": 4,
    "steps momentum-fl.theorem11 common --N 2 --K 2 --T 10": 4,
    "compare common --N 2 --K 2 --T 10": 4,
    "plot momentum-fl.theorem11 common --N 2 --K 1 --T 200 -o FILE.png": 4,
}
"""What is asked, and how many times `import numpy` it may take when it was asked before."""


def cost(arguments, home):
    """Return the processor seconds of a Python process and its children, with what it keeps in a folder."""
    environment = os.environ | {"XDG_CACHE_HOME": home, "OPENBLAS_NUM_THREADS": "1"}
    before = os.times()
    words = [word.replace("FILE", f"{home}/file") for word in arguments]
    done = subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, check=False)
    after = os.times()
    # A violation and a line that is false as printed are answers.
    if done.returncode > 1:
        message = f"{' '.join(arguments)}: {done.stderr}"
        raise RuntimeError(message)
    return after.children_user + after.children_system - before.children_user - before.children_system


def measured(turns=TURNS):
    """Return the unit, and of each command the first cost and the median of later ones, all taking turns."""
    commands = {text: ("-m", "boundcheck", *text.split()) for text in COMMANDS}
    first = {}
    for text, command in commands.items():
        with tempfile.TemporaryDirectory() as home:
            first[text] = cost(command, home)
    costs = {text: [] for text in ("", *commands)}
    with tempfile.TemporaryDirectory() as home:
        for command in commands.values():
            cost(command, home)
        for _ in range(turns):
            costs[""].append(cost(UNIT, home))
            for text, command in commands.items():
                costs[text].append(cost(command, home))
    later = {text: statistics.median(values) for text, values in costs.items()}
    return later.pop(""), first, later


def shown():
    """Return the bound whose card costs the most the first time, how many there are, and the cost."""
    from boundcheck.bounds import BOUNDS

    costs = {}
    for name in (*BOUNDS, *BOUNDS.further):
        with tempfile.TemporaryDirectory() as home:
            costs[name] = cost(("-m", "boundcheck", "show", name), home)
    most = max(costs, key=costs.get)
    return most, len(costs), costs[most]


def main():
    """Print the table, and which card of a theorem costs the most."""
    unit, first, later = measured()
    dearest, count, spent = shown()
    table = Table(title=f"Processor time over that of import numpy ({unit:.2f} s)")
    for heading in ("command", "first", "asked before", "at most"):
        table.add_column(heading, justify="left" if heading == "command" else "right")
    for text, most in COMMANDS.items():
        table.add_row(text, f"{first[text] / unit:.1f}", f"{later[text] / unit:.1f}", f"{most:g}")
    Console().print(table)
    print(f"show of any of {count} bounds: at most {spent / unit:.1f} the first time ({dearest})")


if __name__ == "__main__":
    main()
