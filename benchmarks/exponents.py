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
SIZES = {"N": (512, 2048), "K": (80, 320), "T": (40, 160), "d": (1536, 6144), "lanes": (64, 256)}
"""Two values of each letter, the others as above: what a round or a client costs whatever its size counts no longer."""
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


def exponent(make, method, letter):
    """Return the slope of log seconds in the log of a letter; sizes take turns, and the least time of each counts."""
    settings = [BASE | {letter: value} for value in SIZES[letter]]
    runs = [(make(setting.pop("N"), setting.pop("d")), method, setting) for setting in settings]
    seconds = np.array([[clocked(*run) for run in runs] for _ in range(REPEATS)]).min(axis=0)
    return float(np.polyfit(np.log(SIZES[letter]), np.log(seconds), 1)[0])


def main():
    """Print the table."""
    table = Table(title=f"Exponents of a run's time, 1 is linear (off if it is {AGREES} away)")
    for heading in ("", *SIZES):
        table.add_column(heading, justify="right")
    for title, (make, method) in CASES.items():
        found = [exponent(make, method, letter) for letter in SIZES]
        table.add_row(title, *(f"{e:.2f}{'' if abs(e - 1) <= AGREES else ' OFF'}" for e in found))
    Console().print(table)


if __name__ == "__main__":
    main()
