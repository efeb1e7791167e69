"""Time worst cases beside PEPit on the same cells, and theorems of one round: ``python -m benchmarks.gram``."""

import time
import warnings

from rich.console import Console
from rich.table import Table

from boundcheck.methods import METHODS
from boundcheck.worst import ProblemClass, sharpen, worst
from boundcheck.worst.facts.measures import left_hand_side_of, rounds_of
from boundcheck.worst.gram.trace import trace_method
from boundcheck.worst.sides.neighbours import NeighbourConstraints
from boundcheck.worst.sides.posed import objective
from boundcheck.worst.sides.whole import ClassConstraints

ONE_ROUND = {
    "fedavg": {"eta": 0.05},
    "fedavg-m": {"eta": 0.02, "gamma": 0.1, "beta": 0.5},
    "scaffold": {"eta": 0.02},
    "scaffold-m": {"eta": 0.02, "gamma": 0.1, "beta": 0.5},
}
CELLS = ((2, 1, 2), (2, 2, 2), (4, 2, 2), (8, 2, 2))
"""N, K and T that both solve."""
LONGER = ((2, 2, 8), (8, 2, 8), (2, 2, 16), (8, 2, 16), (100, 4, 4))
"""Cells for this package alone."""
LONG = ((2, 4), (2, 8), (2, 16), (2, 30), (2, 100), (2, 300), (8, 4), (8, 30))
"""K and T of upper sides alone."""
ALL_PAIRS, PEPIT = 34, 9
"""Gradients of a client up to which all conditions are asked beside those of neighbours, and PEPit runs beside."""


def by_pepit(N, K, T, eta, zeta=1.0):
    """Return the worst average of |grad F(x_t)|^2 of FedAvg by PEPit, with a Gram matrix of all clients' vectors."""
    from PEPit import PEP
    from PEPit.functions import SmoothFunction

    problem = PEP()
    clients = [problem.declare_function(SmoothFunction, L=1.0, reuse_gradient=True) for _ in range(N)]

    def mean(points):
        return sum(points[1:], points[0]) * (1 / N)

    x, squares = problem.set_initial_point(), []
    for _ in range(T):
        gradients = [f.gradient(x) for f in clients]
        g, value = mean(gradients), mean([f(x) for f in clients])
        problem.add_constraint(g**2 / 2 <= value)
        problem.add_constraint(mean([(own - g) ** 2 for own in gradients]) <= zeta**2)
        if not squares:
            problem.set_initial_condition(value <= 1)
        squares.append(g**2)
        ends = []
        for f in clients:
            y = x
            for _ in range(K):
                y = y - eta * f.gradient(y)
            ends.append(y)
        x = mean(ends)
    problem.set_performance_metric(sum(squares[1:], squares[0]) * (1 / T))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return problem.solve(wrapper="cvxpy", solver="CLARABEL", verbose=0)


def round_by_pepit(K, eta, p, zeta=1.0):
    """Return the most that |grad F(x)|^2 - p (F(x) - F(next)) is for one round of FedAvg with two clients, by PEPit."""
    from PEPit import PEP
    from PEPit.functions import SmoothFunction

    problem = PEP()
    clients = [problem.declare_function(SmoothFunction, L=1.0, reuse_gradient=True) for _ in range(2)]
    x = problem.set_initial_point()
    gradients = [f.gradient(x) for f in clients]
    g = 0.5 * (gradients[0] + gradients[1])
    problem.add_constraint(0.25 * (gradients[0] - gradients[1]) ** 2 <= zeta**2)
    ends = []
    for f in clients:
        y = x
        for _ in range(K):
            y = y - eta * f.gradient(y)
        ends.append(y)
    after = 0.5 * (ends[0] + ends[1])
    fall = 0.5 * (clients[0](x) + clients[1](x)) - 0.5 * (clients[0](after) + clients[1](after))
    problem.set_performance_metric(g**2 - p * fall)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return problem.solve(wrapper="cvxpy", solver="CLARABEL", verbose=0)


def timed(function):
    """Return what a function returns, and the seconds of a core that it took, whatever else the machine did."""
    start = time.process_time()
    found = function()
    return found, time.process_time() - start


def main():
    """Print both values and both times of every cell."""
    table = Table(title="FedAvg at eta = 1/(L K), zeta = 1: worst case and seconds of a core", title_justify="left")
    for heading in ("N, K, T", "upper", "lower", "solver (by the clock)", "in all", "PEPit", "in all"):
        table.add_column(heading, justify="right")
    worst(METHODS["fedavg"](eta=1.0), K=1, T=1, zeta=1.0)
    by_pepit(2, 1, 1, 1.0)
    for N, K, T in CELLS + LONGER:
        method = METHODS["fedavg"](eta=1 / K)
        ours, spent = timed(lambda N=N, K=K, T=T, method=method: worst(method, K=K, T=T, N=N, zeta=1.0))
        row = [f"{N}, {K}, {T}", f"{ours.upper:.8f}", f"{ours.lower:.8f}", f"{ours.seconds:.3f}", f"{spent:.3f}"]
        if (N, K, T) in CELLS:
            theirs, spent = timed(lambda N=N, K=K, T=T: by_pepit(N, K, T, 1 / K))
            row += [f"{theirs:.8f}", f"{spent:.2f}"]
        table.add_row(*row)
    Console().print(table)
    Console().print(long_runs())
    Console().print(one_round())


def upper_side(constraints, K, T):
    """Return the upper side of two clients, by all conditions or by those between neighbours."""
    trace = trace_method(METHODS["fedavg"](eta=1 / K), N=2, K=K, T=rounds_of("average", T))
    trace.oracle.point(trace.iterates[0])
    looked = left_hand_side_of("average", trace)
    whole = constraints(trace, ProblemClass(N=2, zeta=1.0))
    solve = whole.maximise if constraints is NeighbourConstraints else whole.programme.maximise
    return solve(objective(whole, looked)).dual


def long_runs():
    """Return a table of upper sides and of the seconds of a core that they take, against K and T."""
    table = Table(title="FedAvg, N = 2: upper sides alone, seconds of a core", title_justify="left")
    for heading in ("K, T", "neighbours", "seconds", "all conditions", "times as long", "PEPit", "times as long"):
        table.add_column(heading, justify="right")
    for K, T in LONG:
        value, spent = timed(lambda K=K, T=T: upper_side(NeighbourConstraints, K, T))
        row = [f"{K}, {T}", f"{value:.8f}", f"{spent:.2f}"]
        for largest, other in (
            (ALL_PAIRS, lambda K=K, T=T: upper_side(ClassConstraints, K, T)),
            (PEPIT, lambda K=K, T=T: by_pepit(2, K, T, 1 / K)),
        ):
            count = K * T
            if count <= largest:
                found, longer = timed(other)
                row += [f"{found:.8f}", f"{longer / spent:.1f}"]
            else:
                row += ["", ""]
        table.add_row(*row)
    return table


def one_round():
    """Return a table of the seconds of a core in which theorems of one round are found and proved."""
    table = Table(
        title="Theorems of one round, K = 8, T = 100: seconds of a core, with the proof", title_justify="left"
    )
    for heading in ("method", "descent", "zeta2", "seconds", "PEPit on one round", "seconds"):
        table.add_column(heading, justify="right")
    for name, steps in ONE_ROUND.items():
        theorem, spent = timed(lambda name=name, steps=steps: sharpen(METHODS[name](**steps), K=8, T=100, zeta=1.0))
        row = [name, f"{float(theorem.descent):.6f}", f"{float(theorem.zeta2):.6f}", f"{spent:.3f}"]
        if name == "fedavg":
            # The potential p F alone, at the p that was found; PEPit has no multipliers to choose.
            p = float(theorem.descent)
            theirs, spent = timed(lambda p=p, eta=steps["eta"]: round_by_pepit(8, eta, p))
            row += [f"{theirs:.6f}", f"{spent:.2f}"]
        table.add_row(*row)
    return table


if __name__ == "__main__":
    main()
