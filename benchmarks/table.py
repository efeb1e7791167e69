"""Print what a client gradient costs the engine and every other way: `python -m benchmarks.table [--before TREE]`.

`--before` adds the engine of another tree of boundcheck, an older one, in processes that take turns with this one's.
"""

import argparse
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks import items
from benchmarks.timing import timed
from boundcheck.engine import simulate
from boundcheck.engine.backends import has_jax

K = 10
PLAIN, USUAL, LONG = {"T": 2, "lanes": 1}, {"T": 40, "lanes": 16}, {"T": 200, "lanes": 16}
"""What the loop in Python does in each of its turns, what others do, and what is compiled by JAX."""
MEANT = {items.RIDGE: 25.0, items.ONE: 12.0, items.ALL: 12.0, items.SADDLE: 25.0}
"""How many times as fast as the loop the engine is meant to be, on one backend at least."""
TURNS = 3
"""Processes for each of two trees."""


def gradients(problem, *, T, lanes):
    """Return the client gradients of a run."""
    return T * K * lanes * problem.N


def of_item(item, ways):
    """Return, by way, the least nanoseconds a client gradient, and how many times as fast as the loop that is."""
    problem = items.PROBLEMS[item]()
    run = partial(simulate, problem, items.RUN[item], K=K, points=1)
    made = {way: partial(makes[item], problem, K=K) for way, makes in ways.items() if item in makes}
    made = {"loop": made.pop("loop"), "engine": run} | made
    if has_jax():
        made["engine, jax"] = partial(run, backend="jax")
    sizes = {way: PLAIN if way == "loop" else LONG if "jax" in way.lower() else USUAL for way in made}
    runs = {way: partial(makes, **sizes[way]) for way, makes in made.items()}
    spent = {way: gradients(problem, **size) for way, size in sizes.items()}
    seconds = timed(runs, "loop")
    least = {way: own.min() / spent[way] * 1e9 for way, (_, own) in seconds.items()}
    least["loop"] = min(loop.min() for loop, _ in seconds.values()) / spent["loop"] * 1e9
    return {way: (value, least["loop"] / value) for way, value in least.items()}


def of_trees(trees):
    """Return the nanoseconds of each tree's engine, by item an array of its turns."""
    script, found = Path(__file__).with_name("alone.py"), [[] for _ in trees]
    for _ in range(TURNS):
        for tree, mine in zip(trees, found, strict=True):
            environment = os.environ | {"PYTHONPATH": str(tree)}
            done = subprocess.run(
                [sys.executable, str(script)], cwd=tree, env=environment, check=True, stdout=subprocess.PIPE
            )
            mine.append(json.loads(done.stdout))
    return [{item: np.array([turn[item] for turn in mine]) for item in mine[0]} for mine in found]


def show(console):
    """Print the table of all ways."""
    ways = items.ways()
    columns = ["loop", "engine", *(["engine, jax"] if has_jax() else []), *(way for way in ways if way != "loop")]
    table = Table(title=f"ns a client gradient, times as fast as the loop; K={K}, 16 lanes", title_justify="left")
    for heading in ("", *columns):
        table.add_column(heading, justify="right" if heading else "left")
    for item in items.PROBLEMS:
        found = of_item(item, ways)
        cells = (f"{found[way][0]:.0f}  {found[way][1]:.3g}" if way in found else "" for way in columns)
        best = max(found[way][1] for way in found if way.startswith("engine"))
        table.add_row(f"{item}, MISSED" if best < MEANT.get(item, 0.0) else item, *cells)
    console.print(table)


def show_trees(console, before):
    """Print how many times as fast this tree's engine is as another's."""
    old, new = of_trees([Path(before).resolve(), Path(__file__).resolve().parents[1]])
    table = Table(title=f"ns a client gradient, {before} and this tree", title_justify="left")
    for heading in ("", "before", "now", "times as fast"):
        table.add_column(heading, justify="right" if heading else "left")
    for item, was in old.items():
        ratio = np.median(was / new[item])
        table.add_row(item, f"{was.min():.0f}", f"{new[item].min():.0f}", f"{ratio:.2f}")
    console.print(table)


def main():
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", metavar="TREE", help="a folder with another version of boundcheck")
    asked, console = parser.parse_args(), Console(width=160)
    show(console)
    if asked.before:
        show_trees(console, asked.before)


if __name__ == "__main__":
    main()
