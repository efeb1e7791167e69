"""The C loops of `fused.c`, compiled on first use where there is a C compiler."""

import ctypes
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.plain import saddle_waves

SOURCE = Path(__file__).with_suffix(".c")
# What -ffast-math allows, one by one: linked with it, a library makes denormals zero in the whole process.
FAST = ("-fno-math-errno", "-fno-trapping-math", "-fno-signed-zeros", "-fassociative-math", "-freciprocal-math")
FLAGS = ("-O3", "-march=native", *FAST, "-ffinite-math-only", "-shared", "-fPIC")


def compiler():
    """Return the C compiler, or None."""
    return shutil.which("cc")


@cache
def _library():
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "fused.so"
        subprocess.run([compiler(), *FLAGS, str(SOURCE), "-o", str(made), "-lm"], check=True)
        return ctypes.CDLL(str(made))


def _run(name, problem, eta, own, *, K, T, lanes):
    """Call one of the loops; return mean_t |grad f(x_t)|^2 of every lane."""
    out = np.empty(lanes)
    tables = [np.ascontiguousarray(v, dtype=float) for v in (np.broadcast_to(eta, problem.d), problem.start)]
    given = [problem.N, problem.d, K, T, lanes, *tables, np.ascontiguousarray(problem.tilts), *own, out]
    kinds = {int: ctypes.c_int, float: ctypes.c_double}
    passed = [v.ctypes.data_as(ctypes.c_void_p) if isinstance(v, np.ndarray) else kinds[type(v)](v) for v in given]
    getattr(_library(), name)(*passed)
    return out


def ridge(problem, **setting):
    """Run FedAvg on a tilted ridge with random signs."""
    return _run("ridge", problem, 0.01, [float(problem.noise.sup)], **setting)


def finite_sum(problem, *, every=False, **setting):
    """Run FedAvg on a finite sum of ratio links, one component a step or every one."""
    own = [problem.rows, np.ascontiguousarray(problem.offsets), problem.m, int(every)]
    return _run("finite_sum", problem, 0.01, own, **setting)


def saddle(problem, **setting):
    """Run Local SGDA on a ridge saddle with random phases."""
    p, heights, eta = saddle_waves(problem)
    own = [problem.couplings, heights, p, problem.blocks[0], float(problem.s), float(problem.mu)]
    return _run("saddle", problem, eta, own, **setting)
