"""Print what a client gradient costs on an accelerator: `python -m benchmarks.accelerator [--lanes 64 512]`.

The compiled engine in float64 and float32 beside tuned JAX that draws its own random numbers on the device, and beside
the engine in numpy on the processor; nanoseconds of the wall, the least of two turns after one that compiles.  At last
the grids of two methods of the leaderboard, all values of their hyperparameters as lanes of one array.  A line is
printed as soon as it is measured.
"""

import argparse
import itertools
import os
import platform
import time
from functools import partial

import numpy as np

from benchmarks import compiled, items
from boundcheck import METHODS, load_problem
from boundcheck.engine import simulate

K = 10
TURNS = 2
NAMES = ("engine, float64", "engine, float32", "tuned JAX", "engine, numpy")
TUNED = {items.RIDGE: "ridge_tuned", items.ALL: "finite_sum_tuned", items.SADDLE: "saddle_tuned"}


def least(run):
    """Return the least seconds of the wall of two calls, after one whose time is not counted."""
    run()
    seconds = []
    for _ in range(TURNS):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def ways(item, lanes, T):
    """Return, by name, the runs of an item with so many lanes, and how many client gradients each takes."""
    problem = items.PROBLEMS[item]()
    engine = partial(simulate, problem, items.RUN[item], K=K, points=1, T=T, lanes=lanes, block=lanes)
    made = {f"engine, {dtype}": partial(engine, backend="jax", dtype=dtype) for dtype in ("float64", "float32")}
    make = getattr(compiled, TUNED[item])
    make = partial(make, every=True) if item == items.ALL else make
    made["tuned JAX"] = partial(compiled.at_once, make, problem, K=K, T=T, lanes=lanes)
    if lanes <= 64 and T <= 100:
        made["engine, numpy"] = partial(simulate, problem, items.RUN[item], K=K, points=1, T=T, lanes=lanes)
    return made, T * K * lanes * problem.N


def grid(method, copies):
    """Return the runs of a method's grid on a board, and how many client gradients each takes."""
    problem = load_problem("ridge-coercive[zeta=8,sigma=4]", N=8)
    values = itertools.product([0.03, 0.1, 0.3], [0.5, 1.0, 2.0], [0.2, 0.5, 0.8])
    eta, gamma, beta = np.repeat(np.array(list(values)), copies, axis=0).T
    tuned = METHODS[method](eta=eta, gamma=gamma, beta=beta)
    run = partial(simulate, problem, tuned, K=4, b=4, points=1, T=100, lanes=len(eta), block=len(eta))
    made = {f"engine, {dtype}": partial(run, backend="jax", dtype=dtype) for dtype in ("float64", "float32")}
    return made | {"engine, numpy": run}, 100 * 4 * len(eta) * problem.N


def show(title, made, gradients):
    """Print a row."""
    cells = (f"{least(made[name]) / gradients * 1e9:.3g}" if name in made else "-" for name in NAMES)
    print(f"{title}: {', '.join(cells)}", flush=True)


def main():
    """Print the table, a row an item, a number of lanes and of rounds."""
    import jax

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lanes", type=int, nargs="+", default=[64, 512, 2048, 8192])
    parser.add_argument("--rounds", type=int, nargs="+", default=[100, 1000])
    asked = parser.parse_args()
    device = jax.devices()[0]
    machine = f"{os.cpu_count()} cores, {platform.machine()}"
    print(f"{device.platform}: {device.device_kind}; {machine}; jax {jax.__version__}")
    print(f"ns of the wall a client gradient; K={K}: {', '.join(NAMES)}")
    for lanes, T in itertools.product(asked.lanes, asked.rounds):
        for item in TUNED:
            show(f"{item}, {lanes} lanes, {T} rounds", *ways(item, lanes, T))
    for method, copies in itertools.product(("fedavg-m", "scaffold-m"), (8, 64)):
        show(f"{method}, 27 values, {copies} runs each", *grid(method, copies))


if __name__ == "__main__":
    main()
