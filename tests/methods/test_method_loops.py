"""No method loops over clients or lanes in Python: how many lines run does not depend on how many there are."""

import sys
from pathlib import Path

import numpy as np
from method_table import CASES, problem_for
from together import together

from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.setting import Setting
from boundcheck.methods import METHODS, qp

ROOM = str(Path(sys.modules[METHODS["fedavg"].__module__].__file__).parent)
PIVOTS = {"gradma-s", "gradma"}
"""Methods that project by one row a client: the more rows, the more pivots, all problems at once."""


def lines(run):
    """Return how many lines of boundcheck/methods a call executes."""
    count = 0

    def inside(frame, event, arg):
        nonlocal count
        count += event == "line"
        return inside

    before = sys.gettrace()
    sys.settrace(lambda frame, event, arg: inside if frame.f_code.co_filename.startswith(ROOM) else None)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


def rounds(case, N, lanes):
    """Return three rounds of a method, all clients active, ready to run."""
    problem = problem_for(case, N=N)
    setting = Setting.of(problem, K=3, T=3)
    oracle = LaneOracle(problem, setting, seed=0, keys=[setting.key(lane) for lane in range(lanes)], observers=[])

    def run():
        state = case.method().init(oracle, np.tile(problem.start, (lanes, 1, 1)))
        for _ in range(3):
            oracle.begin_round(state.x)
            state = case.method().round(oracle, state)

    return run


@together([case for case in CASES if case.name not in PIVOTS])
def test_lines_do_not_depend_on_clients_or_lanes(case):
    """Four times the clients and lanes run the same number of lines; gradma-w projects by three rows."""
    few, many = lines(rounds(case, 3, 2)), lines(rounds(case, 12, 8))
    assert few > 0
    assert many == few if case.name != "gradma-w" else many < 2 * few


def test_projections_of_many_problems_take_the_lines_of_the_hardest():
    """300 projections at once run no more lines than the one that takes most, alone."""
    rng = np.random.default_rng(0)
    g, rows = rng.standard_normal((300, 5)), rng.standard_normal((300, 6, 5))
    alone = [lines(lambda i=i: qp.projection(g[i : i + 1], rows[i : i + 1])) for i in range(300)]
    assert len(set(alone)) > 1
    assert lines(lambda: qp.projection(g, rows)) <= 1.5 * max(alone)


def test_a_loop_is_seen():
    """A method that goes through its clients one by one runs more lines with more of them."""
    source = "def means(v):\n    total = 0\n    for row in v:\n        total = total + row\n    return total / len(v)\n"
    namespace = {}
    exec(compile(source, f"{ROOM}/loop.py", "exec"), namespace)
    assert lines(lambda: namespace["means"](np.ones(12))) > lines(lambda: namespace["means"](np.ones(3))) > 0
