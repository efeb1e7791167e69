"""Print the cost of a client gradient: engine against a plain loop, method against method, blocks, processes."""

import time

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks import table
from benchmarks.timing import clocked, timed
from boundcheck.engine import simulate
from boundcheck.engine.backends import has_jax
from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.rounds import initial_state, rounds
from boundcheck.engine.setting import Setting
from boundcheck.methods import METHODS
from boundcheck.problems.data.mlp import Perceptron
from boundcheck.problems.synthetic.ncsc_ridge import RidgeSaddle
from boundcheck.problems.synthetic.quadratic import Quadratic
from boundcheck.problems.synthetic.ridge import Ridge

SIZE = {"N": 32, "d": 100, "zeta": 1.0, "sigma": 1.0}
PROBLEMS = {
    "ridge, signs": lambda: Ridge(**SIZE),
    "ridge, phases": lambda: Ridge(**SIZE, noise="phases"),
    "quadratic, signs": lambda: Quadratic(N=32, d=100, sigma=1.0),
}
SADDLES = {"ncsc-ridge": lambda: RidgeSaddle(N=32, d1=80, d2=20, zeta_pair=1.0, sigma=1.0)}
NETWORKS = {"mlp, cancer": lambda: Perceptron(N=32, data="cancer", width=3, depth=2)}
NUMBERS = {
    "fedavg": [{"eta": 0.01}],
    "fedavg-m": [{"eta": 0.01, "gamma": 0.1, "beta": 0.5}],
    "fedavg-m-kept": [{"eta": 0.01, "gamma": 0.1, "beta": 0.5}],
    "scaffold-m": [{"eta": 0.01, "gamma": 0.1, "beta": 0.5}],
    "fedlalr": [{"eta": 0.01}, {"eta": 0.01, "restart": True}, {"eta": 0.01, "sync": "max"}],
    "fedadagrad": [{"eta": 0.01, "gamma": 0.1, "tau": 0.1}],
    "fedadam": [{"eta": 0.01, "gamma": 0.1, "tau": 0.1}],
    "fedyogi": [{"eta": 0.01, "gamma": 0.1, "tau": 0.1}],
    "fedams": [{"eta": 0.01, "gamma": 0.1, "eps": 0.01, "version": version} for version in (1, 2)],
    "lafedopt": [{"eta": 0.01, "eps": 0.1}],
    "local-adaalter": [{"eta": 0.01}],
    "local-amsgrad": [{"eta": 0.01, "eps": 0.1}],
    "local-adam": [{"eta": 0.01, "eps": 0.1}],
    "fedavg-server-m": [{"eta": 0.01, "beta": 0.5}],
    "slowmo": [{"eta": 0.01, "beta": 0.5}],
    "pr-sgd-m": [{"eta": 0.01, "beta": 0.5}],
    "fedprox": [{"eta": 0.01, "rho": 0.5}],
    "fedprox-m": [{"eta": 0.01, "rho": 0.5, "beta": 0.5}],
    "fednova": [{"eta": 0.01, "fewest": 2}],
    "feddyn": [{"eta": 0.01, "alpha": 0.5}],
    "fedpd": [{"eta": 0.01, "eta_pd": 0.5}],
    "fedavg-m-vr": [{"eta": 0.01, "gamma": 0.1, "beta": 0.5}],
    "scaffold-m-vr": [{"eta": 0.01, "gamma": 0.1, "beta": 0.5}],
    "scaffold": [{"eta": 0.01}],
    "fedgate": [{"eta": 0.01}],
    "fedcomgate": [{"eta": 0.01, "quantiser": "qsgd-4"}],
    "vrl-sgd": [{"eta": 0.01}],
    "led": [{"eta": 0.01, "beta": 0.1}],
    "mime": [{"eta": 0.01}],
    "mimelite": [{"eta": 0.01}],
    "mime-mvr": [{"eta": 0.01, "a": 0.5}],
    "mimelite-mvr": [{"eta": 0.01, "a": 0.5}],
    "stem": [{"kappa": 0.1, "w": 100.0, "growth": 1.0, "c": 1.0}],
    "bvr-l-sgd": [{"eta": 0.01}],
    "mb-storm": [{"gamma": 0.1, "a": 0.5}],
    "ce-lsgd": [{"eta": 0.01, "a": 0.5}],
    "marina": [{"gamma": 0.1, "p": 0.2, "quantiser": "qsgd-4"}],
    "pp-marina": [{"gamma": 0.1, "p": 0.2, "quantiser": "qsgd-4"}],
    "moon": [{"eta": 0.01, "mu": 1.0}],
    "moonm": [{"eta": 0.01, "mu": 1.0, "beta": 0.5}],
    "fedmlb": [{"eta": 0.01}],
    "fedmlbm": [{"eta": 0.01, "beta": 0.5}],
    "fedglomo": [{"eta": 0.01, "beta": 0.5}, {"eta": 0.01, "beta": 0.5, "quantiser": "qsgd-4"}],
    "fedlomo": [{"eta": 0.01}],
    "fedavg-local-m": [{"eta": 0.01}],
    "fedpaq": [{"eta": 0.01, "quantiser": "qsgd-4"}],
    "fedpaq-m": [{"eta": 0.01, "quantiser": "qsgd-4"}],
    "fedpaq-scm": [{"eta": 0.01, "quantiser": "qsgd-4"}],
    "sgd": [{"eta": 0.01}],
    "sarah": [{"eta": 0.01}],
    "spider": [{"eta": 0.01, "length": 0.1}],
    "snvrg": [{"eta": 0.01}],
    "storm": [{"eta": 0.01, "a": 0.5}],
    "storm-adaptive": [{"k": 0.1, "w": 100.0, "c": 1.0}],
    "mifa": [{"eta": 0.01}],
    "mifam": [{"eta": 0.01, "beta": 0.5}],
    "gradma-w": [{"eta": 0.01}],
    "gradma-s": [{"eta": 0.01, "beta": 0.5, "beta_mem": 0.5}],
    "gradma": [{"eta": 0.01, "beta": 0.5, "beta_mem": 0.5}],
    "local-sgda": [{"eta_x": 0.01, "eta_y": 0.02}],
    "momentum-local-sgda": [{"eta_x": 0.01, "eta_y": 0.02, "alpha": 0.5, "bx": 1.0, "by": 1.0}],
    "coda": [{"eta_x": 0.01, "eta_y": 0.02, "lam": 0.5, "rounds": 10}],
    "codasca": [{"eta_x": 0.01, "eta_y": 0.02, "lam": 0.5, "rounds": 10}],
    "sgda": [{"eta_x": 0.01, "eta_y": 0.02}],
    "sreda": [{"eta": 0.01, "length": 0.1, "lam": 0.01}],
    "storm-gda": [{"c_x": 0.1, "c_y": 0.2, "c1": 1.0, "c2": 1.0, "h": 1.0, "m": 100.0}],
    "fmgda": [{"chat": 0.1, "c_dual": 0.2, "c1": 1.0, "h": 1.0, "t_flat": 100.0}],
    "page": [{"eta": 0.01, "p": 0.2}],
    "ef21": [{"gamma": 0.01, "k": 10}],
    "dsgd": [{"eta": 0.01}],
    "scaffnew": [{"eta": 0.01, "p": 0.2}],
    "adagrad": [{"eta": 0.01, "eps": 0.1}],
    "rmsprop-corrected": [{"eta": 0.01, "eps": 0.1, "beta2": 0.9}],
    "adam-projected": [{"eta": 0.01, "beta1": 0.5, "beta2": 0.9, "decay1": 0.9, "D_inf": 10.0}],
    "adabound": [{"eta": 0.01, "beta2": 0.9, "eta_end": 0.01, "D_inf": 10.0}],
}
"""Hyperparameters to time every method with, the form whose cost is on the card first."""
GROUPS = {
    "minimise": ("fedavg", PROBLEMS),
    "layers": ("fedavg", NETWORKS),
    "minimax": ("local-sgda", SADDLES),
}
"""Kind of method to its yardstick and problems; Local SGDA is FedAvg on a saddle, with the sign of the ascent."""
AGREES = 1.5
"""A ratio is off if it is this many times the card's, or the card's this many times it."""


def rows_of(seconds, gradients, first):
    """Return table rows: the least ns a gradient, and the median over turns of the ratio to `first`."""
    return [
        (name, own.min() / gradients[name] * 1e9, np.median(own / yardstick) * gradients[first] / gradients[name], "")
        for name, (yardstick, own) in seconds.items()
    ]


def engine(problem, method, *, K=10, T=20, lanes=16, **setting):
    """Return a run to be timed."""
    return lambda: simulate(problem, method, K=K, T=T, lanes=lanes, points=1, **setting)


def show(console, title, rows):
    """Print (what, ns a client gradient, ratio, remark) rows."""
    table = Table(title=title, title_justify="left")
    for heading in ("", "ns / client gradient", "ratio", ""):
        table.add_column(heading, justify="left" if not heading else "right")
    for what, ns, ratio, remark in rows:
        table.add_row(what, f"{ns:.0f}", f"{ratio:.2f}", remark)
    console.print(table)


def compiled_against_numpy(console):
    """Compare compiled runs with numpy's, compilation left out, and say how long that takes."""
    if not has_jax():
        console.print("compiled runs: not timed, JAX is not installed")
        return
    from benchmarks.compiled import variants

    clock = time.process_time
    for N, d, lanes, T in ((32, 100, 16, 100), (32, 8, 16, 500), (4, 8, 16, 1000)):
        problem, method = Ridge(N=N, d=d, zeta=1.0, sigma=1.0), METHODS["fedavg"](eta=0.01)
        runs = variants(problem, method, simulate, K=10, T=T, lanes=lanes)
        first = np.subtract(*(clocked(runs["engine, jax"], clock) for _ in range(2)))
        rows = rows_of(timed(runs, "engine, numpy"), dict.fromkeys(runs, lanes * T * 10 * N), "engine, numpy")
        show(console, f"ridge, signs, N={N}, d={d}: time / numpy's; compiled in {first:.1f} s", rows)


def group(name):
    """Return the group of a registered method."""
    card = METHODS[name].card
    return "layers" if "layers" in card.needs else card.kind


def evaluations(problem, method, *, K=10, T=10):
    """Return the client gradients that a lane evaluates, sampled and exact ones."""
    setting = Setting.of(problem, K=K, T=T)
    oracle = LaneOracle(problem, setting, seed=0, keys=[setting.key(0)], observers=[])
    for _ in rounds(method, oracle, initial_state(method, oracle, lanes=1), T):
        pass
    return oracle.gradients + oracle.full_gradients


def variants_of(name):
    """Yield the forms that a method is timed in, with their labels."""
    for numbers in NUMBERS[name]:
        yield " ".join([name, *(f"{k}={v}" for k, v in numbers.items() if not isinstance(v, float))]), numbers


def against_first(console, kind):
    """Compare every method of a kind with its yardstick on the same problems, and the first problem with the cards."""
    first, problems = GROUPS[kind]
    names = [first, *(name for name in NUMBERS if group(name) == kind and name != first)]
    for title, make in problems.items():
        problem = make()
        runs = {label: METHODS[name](**n) for name in names for label, n in variants_of(name)}
        spent = {label: 16 * evaluations(problem, method) for label, method in runs.items()}
        rows = rows_of(timed({label: engine(problem, m, T=5) for label, m in runs.items()}), spent, first)
        carded = {next(variants_of(name))[0]: METHODS[name].card.cost for name in names} if make is _first(kind) else {}
        show(console, f"{title}: method / {first}", [(*row[:3], remark(row[2], carded.get(row[0]))) for row in rows])


def _first(kind):
    return next(iter(GROUPS[kind][1].values()))


def remark(ratio, cost):
    """Say what the card has, and whether it is off."""
    if cost is None:
        return ""
    return f"card: {cost:g}{'' if 1 / AGREES <= ratio / cost <= AGREES else ', OFF'}"


def blocks_and_workers(console):
    """Compare blocked with unblocked runs and one process with two."""
    problem, method = PROBLEMS["ridge, signs"](), METHODS["fedavg"](eta=0.01)
    default, spent = "default block", 64 * 20 * 320
    blocks = {default: {}, "one block": {"block": 64}, "a lane a block": {"block": 1}}
    seconds = timed({name: engine(problem, method, lanes=64, **setting) for name, setting in blocks.items()})
    rows = rows_of(seconds, dict.fromkeys(blocks, spent), default)
    show(console, "FedAvg, 64 lanes, 20 rounds: block size / default", rows)
    processes = {"one process": 1, "two processes": 2}
    runs = {name: engine(problem, method, lanes=64, T=100, workers=n) for name, n in processes.items()}
    seconds = timed(runs, clock=time.perf_counter)
    rows = rows_of(seconds, dict.fromkeys(processes, spent * 5.0), "one process")
    show(console, "FedAvg, 64 lanes, 100 rounds: processes / one (start-up included)", rows)


def main():
    """Print every table."""
    console, start = Console(), time.perf_counter()
    table.show(console)
    compiled_against_numpy(console)
    for kind in GROUPS:
        against_first(console, kind)
    blocks_and_workers(console)
    for name in sorted(set(METHODS) - set(NUMBERS)):
        console.print(f"{name}: not timed, it has no line in NUMBERS")
    console.print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
