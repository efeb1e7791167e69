"""Every method against a straight-line reading of its paper's pseudocode, on the same samples."""

import inspect

import numpy as np
import pytest
from method_case import TOLERANCE
from method_harness import Record
from method_problems import PlainRidge
from method_table import CASES, problem_for
from turns import every, in_turn

from boundcheck.engine import simulate

ROUNDS, LANES = 4, 3


def settings(case, steps):
    """Yield N, S and K."""
    for N in (1, 2, 5):
        for S in (N, *(S for S in (1, 3) if S < N and case.partial)):
            yield N, S, 1 if (S == 1) == (steps == STEPS[0]) else 3


def replayed(case, record, lane, *, K, numbers, S, b=1):
    """Return the straight-line server iterates of one lane, a run with the default seed."""
    problem = record.problem
    extra = {"N": problem.N} if "N" in inspect.signature(case.reference).parameters else {}
    active = record.active(lane, K, ROUNDS)
    g = record.samples(lane, K, key=(problem.N, S, K, ROUNDS, b, lane))
    return np.array(case.reference(problem.start, g, active, K, **numbers, **case.options, **extra))


def check_iterates(case, N, S, K, noise, *, per_lane):
    problem = problem_for(case, N=N, noise=noise)
    record = Record(problem)
    arrays = case.lane_numbers(LANES) if per_lane else {n: np.full(LANES, v) for n, v in case.numbers.items()}
    method = case.method(**arrays) if per_lane else case.method()
    b = 2 if noise == "phases" else 1
    run = simulate(problem, method, K=K, T=ROUNDS, S=S, b=b, lanes=LANES, block=LANES)
    found = np.stack([*record.points, run.final])
    for lane in range(LANES):
        numbers = {name: float(values[lane]) for name, values in arrays.items()}
        expected = replayed(case, record, lane, K=K, numbers=numbers, S=S, b=b)
        scale = np.abs(expected).max()
        np.testing.assert_allclose(found[:, lane], expected, rtol=0, atol=TOLERANCE * scale)
        assert np.abs(expected[-1] - expected[0]).max() > 1e-3 * scale


STEPS = ("one step of a client alone, three of several", "three steps of a client alone, one of several")
RUNS = ("signs, one number", "phases, numbers per lane", "phases, one number", "signs, numbers per lane")


@pytest.mark.parametrize("steps", every(2, STEPS))
@pytest.mark.parametrize(("case", "runs"), in_turn(CASES, *RUNS), ids=str)
def test_server_iterates_are_those_of_the_pseudocode(case, runs, steps):
    """Every server iterate agrees to 1e-12 with straight-line loops over clients and steps on the same minibatches."""
    noise, _, numbers = runs.partition(", ")
    for N, S, K in settings(case, steps):
        try:
            check_iterates(case, N, S, K, noise, per_lane=numbers == "numbers per lane")
        except Exception as error:
            error.add_note(f"at N = {N}, S = {S}, K = {K}")
            raise


@pytest.mark.parametrize("case", [c for c in CASES if c.kind == "minimise" and not c.network], ids=str)
def test_wave_heterogeneity_is_that_of_the_active_clients(case):
    """With clients that differ by a wave instead of a tilt the iterates still are those of the pseudocode."""
    wavy = PlainRidge(N=5, d=3, zeta=0.8, heterogeneity="phase", sigma=0.7, noise="signs")
    record = Record(wavy)
    S = 2 if case.partial else 5
    run = simulate(wavy, case.method(), K=3, T=ROUNDS, S=S, lanes=LANES, block=LANES)
    for lane in range(LANES):
        expected = replayed(case, record, lane, K=3, numbers=case.numbers, S=S)
        np.testing.assert_allclose(run.final[lane], expected[-1], rtol=0, atol=TOLERANCE)
