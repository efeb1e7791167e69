"""Print what a client gradient costs on an accelerator: `python -m benchmarks.accelerator [--lanes 64 512]`.

The compiled engine in float64 and float32 beside tuned JAX that draws its own random numbers on the device, and beside
the engine in numpy on the processor; nanoseconds of the wall, the least of two turns after one that compiles.  A line is printed as soon as it is measured.
"""

import argparse
import os
import platform
import time
from functools import partial

from benchmarks import compiled, items
from boundcheck.engine import simulate

K, T = 10, 100
TURNS = 2
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


def ways(item, lanes):
    """Return, by name, the runs of an item with so many lanes, and how many client gradients each takes."""
    problem = items.PROBLEMS[item]()
    engine = partial(simulate, problem, items.RUN[item], K=K, points=1, T=T, lanes=lanes, block=lanes)
    made = {f"engine, {dtype}": partial(engine, backend="jax", dtype=dtype) for dtype in ("float64", "float32")}
    make = getattr(compiled, TUNED[item])
    make = partial(make, every=True) if item == items.ALL else make
    made["tuned JAX"] = partial(compiled.at_once, make, problem, K=K, T=T, lanes=lanes)
    if lanes <= 64:
        made["engine, numpy"] = partial(simulate, problem, items.RUN[item], K=K, points=1, T=T, lanes=lanes)
    return made, T * K * lanes * problem.N


def main():
    """Print the table, a row an item and a number of lanes."""
    import jax

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lanes", type=int, nargs="+", default=[64, 512, 2048])
    asked = parser.parse_args()
    device = jax.devices()[0]
    machine = f"{os.cpu_count()} cores, {platform.machine()}"
    print(f"{device.platform}: {device.device_kind}; {machine}; jax {jax.__version__}")
    names = ("engine, float64", "engine, float32", "tuned JAX", "engine, numpy")
    print(f"ns of the wall a client gradient; K={K}, T={T}: {', '.join(names)}")
    for lanes in asked.lanes:
        for item in TUNED:
            made, gradients = ways(item, lanes)
            cells = (f"{least(made[name]) / gradients * 1e9:.3g}" if name in made else "-" for name in names)
            print(f"{item}, {lanes} lanes: {', '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
