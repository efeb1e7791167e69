"""What is timed against other ways of doing the same work: four runs, and everything that makes them.

Every way is a function of a problem and of K, T and lanes that returns the mean of |grad f(x_t)|^2 of every lane.
"""

from dataclasses import dataclass
from functools import partial

from benchmarks import fused, in_place, jitted, plain
from boundcheck.engine.backends import has_jax
from boundcheck.methods import METHODS
from boundcheck.methods.composed import Composed
from boundcheck.problems.data.logistic import Logistic
from boundcheck.problems.synthetic.finite_sum import FiniteSum
from boundcheck.problems.synthetic.ncsc_ridge import RidgeSaddle
from boundcheck.problems.synthetic.ridge import Ridge


@dataclass(frozen=True, kw_only=True)
class FullBatch(Composed):
    """FedAvg whose local steps take the exact gradients."""

    card = METHODS["fedavg"].card

    def local(self, oracle, state, start):
        """Take K exact steps."""
        return oracle.fori(lambda _, y: y - self.eta * oracle.full(y), start)


FEDAVG, FULL_BATCH = METHODS["fedavg"](eta=0.01), FullBatch(eta=0.01)
SGDA = METHODS["local-sgda"](eta_x=0.01, eta_y=0.02)
PROBLEMS = {
    "ridge, signs": lambda: Ridge(N=32, d=100, zeta=1.0, sigma=1.0),
    "finite sum, one of 50 components": lambda: FiniteSum(N=32, d=100, m=50),
    "finite sum, all 50 components": lambda: FiniteSum(N=32, d=100, m=50),
    "logistic regression, one row": lambda: Logistic(N=32),
    "saddle, phases": lambda: RidgeSaddle(N=32, d1=80, d2=20, zeta_pair=1.0, sigma=1.0),
}
RIDGE, ONE, ALL, ROWS, SADDLE = PROBLEMS
RUN = {RIDGE: FEDAVG, ONE: FEDAVG, ALL: FULL_BATCH, ROWS: FEDAVG, SADDLE: SGDA}
"""The method of each."""
LOOPS = {
    RIDGE: plain.ridge,
    ONE: plain.finite_sum,
    ALL: plain.finite_sum_full,
    ROWS: plain.logistic,
    SADDLE: plain.saddle,
}
"""A loop over clients and steps in Python."""


def _four(module, name="{}"):
    """Return the four runs of a module that has one a problem."""
    ridge, summed, saddle = (getattr(module, name.format(what)) for what in ("ridge", "finite_sum", "saddle"))
    return {RIDGE: ridge, ONE: partial(summed, every=False), ALL: partial(summed, every=True), SADDLE: saddle}


def ways():
    """Return, by name, the ways that this machine has: each the runs it makes."""
    found = {"loop": LOOPS, "numpy in place": _four(in_place)}
    if fused.compiler():
        found["C"] = _four(fused)
    if jitted.has_numba():
        found["Numba"] = _four(jitted)
    if has_jax():
        from benchmarks import compiled

        for name in ("tuned", "textbook"):
            made = _four(compiled, "{}_" + name)
            found[f"{name} JAX"] = {what: partial(compiled.at_once, make) for what, make in made.items()}
    return found
