"""Print how the time of a run grows with its size: `python -m benchmarks.exponents`."""

import time

import numpy as np
from rich.console import Console
from rich.table import Table

from boundcheck.engine import simulate
from boundcheck.methods import METHODS
from boundcheck.problems.synthetic.finite_sum import FiniteSum
from boundcheck.problems.synthetic.ncsc_ridge import RidgeSaddle
from boundcheck.problems.synthetic.ridge import Ridge

BASE = {"N": 32, "K": 10, "T": 8, "d": 96, "lanes": 8}
SIZES = {"N": (128, 512, 2048), "K": (20, 80, 320), "T": (10, 40, 160), "d": (384, 1536, 6144), "lanes": (16, 64, 256)}
"""Three values of each letter, each four times the one before, the others as above."""
ALONE = {"lanes": 1, "T": 32}
"""For N and d: blocks of fewer lanes, as arrays grow, would be more steps."""
REPEATS = 6
AGREES = 0.05
CASES = {
    "ridge, signs": (lambda N, d: Ridge(N=N, d=d, zeta=1.0, sigma=1.0), METHODS["fedavg"](eta=0.01)),
    "saddle, phases": (
        lambda N, d: RidgeSaddle(N=N, d1=d - d // 4, d2=d // 4, zeta_pair=1.0, sigma=1.0),
        METHODS["local-sgda"](eta_x=0.01, eta_y=0.02),
    ),
    "finite sum, one of 8": (lambda N, d: FiniteSum(N=N, d=d, m=8), METHODS["fedavg"](eta=0.01)),
}


def clocked(problem, method, setting):
    """Return the processor seconds of a run."""
    start = time.process_time()
    simulate(problem, method, points=1, **setting)
    return time.process_time() - start


def sized(make, method, letter, value):
    """Return problem, method and setting of a run with one letter at a value, the others as in `BASE`."""
    setting = BASE | (ALONE if letter in "Nd" else {}) | {letter: value}
    return make(setting.pop("N"), setting.pop("d")), method, setting


def exponents(make, method, letter):
    """Return the power of a letter in the seconds, and in what they grow by: a set-up is in the first one alone.

    Sizes take turns, and the least time of each counts.
    """
    runs = [sized(make, method, letter, value) for value in SIZES[letter]]
    seconds = np.array([[clocked(*run) for run in runs] for _ in range(REPEATS)]).min(axis=0)
    step = np.log(SIZES[letter][1] / SIZES[letter][0])
    whole = np.log(seconds[-1] / seconds[-2]) / step
    grown = np.diff(seconds)
    return float(whole), float(np.log(grown[1] / grown[0]) / step)


def main():
    """Print the table."""
    title = (
        f"Powers in the growth of a run's time, 1 is linear (off if it is {AGREES} away); in the time, set-up included"
    )
    table = Table(title=title)
    for heading in ("", *SIZES):
        table.add_column(heading, justify="right")
    for name, (make, method) in CASES.items():
        found = [exponents(make, method, letter) for letter in SIZES]
        table.add_row(name, *(f"{e:.2f}{'' if abs(e - 1) <= AGREES else ' OFF'}; {whole:.2f}" for whole, e in found))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
