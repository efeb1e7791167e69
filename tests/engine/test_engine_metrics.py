"""Metrics, running averages and checkpoints against brute-force sums over scripted points."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from engine_probes import Bowls, Pair, Scripted, ScriptedPair
from hypothesis import given, settings
from hypothesis import strategies as st

from boundcheck.engine import METRICS, simulate
from boundcheck.engine.run import checkpoints
from boundcheck.errors import InputError, UnknownNameError
from boundcheck.metrics import metric_of

BY_LOOPS = (
    "server_gradient",
    "output_gradient",
    "local_gradient",
    "envelope_gradient",
    "envelope_gradient_sum",
    "suboptimality",
    "drift",
)
"""Metrics that `expected` computes; `test_engine_transitions` has the others."""


def scripted(problem, S, K, rounds, shift):
    """Return the server points and, a round, the K lists of S local points that `Scripted` visits."""
    x, servers, locals_ = problem.start, [], []
    for _ in range(rounds):
        servers.append(x)
        locals_.append([[x + (k + 1) * shift * (i + 1) for i in range(S)] for k in range(K)])
        x = 0.9 * x
    return servers, locals_


def grad_f(problem, x):
    return sum(problem.A[i] @ (x - problem.b[i]) for i in range(problem.N)) / problem.N


def f(problem, x):
    return sum(0.5 * (x - problem.b[i]) @ problem.A[i] @ (x - problem.b[i]) for i in range(problem.N)) / problem.N


def phi_slope(x):
    """Return grad Phi of `Pair`: max_y |x|^2/2 + (x_1+x_2) y - y^2 is at y = (x_1+x_2)/2."""
    return x[:2] + (x[0] + x[1]) / 2


def expected(name, problem, servers, locals_, rounds):
    """Return (running value, last value) of a metric after `rounds` rounds, by loops."""
    if name == "server_gradient":
        values = [np.sum(grad_f(problem, x) ** 2) for x in servers[:rounds]]
    elif name.startswith("output_gradient"):
        growth = float(name[16:-1] or 0)
        values = [np.sum(grad_f(problem, x) ** 2) for x in servers[:rounds]]
        weights = [(1 + growth) ** (rounds - 1 - t) for t in range(rounds)]
        return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights), values[-1]
    elif name == "suboptimality":
        lowest = np.linalg.solve(sum(problem.A), sum(a @ b for a, b in zip(problem.A, problem.b, strict=True)))
        values = [f(problem, x) - f(problem, lowest) for x in servers[:rounds]]
    else:
        steps = [(x, k, ys) for x, one in zip(servers[:rounds], locals_, strict=False) for k, ys in enumerate(one)]
        mean = [sum(ys) / len(ys) for _, _, ys in steps]
        if name == "local_gradient":
            values = [np.sum(grad_f(problem, y) ** 2) for y in mean]
        elif name == "drift":
            values = [sum(np.sum((y - x) ** 2) for y in ys) / len(ys) for x, _, ys in steps]
        else:
            values = [np.sum(phi_slope(y) ** 2) for y in mean]
            if name == "envelope_gradient_sum":
                return sum((k + 1) * v for (_, k, _), v in zip(steps, values, strict=True)), values[-1]
    return sum(values) / len(values), values[-1]


@pytest.mark.parametrize("name", [*BY_LOOPS, "output_gradient(0.3)"])
@pytest.mark.parametrize(("S", "K"), [(3, 1), (3, 4), (2, 3)])
def test_metric_equals_the_brute_force_sum(name, S, K):
    """At every checkpoint the running average and the last value equal loops over rounds, steps and clients."""
    minimax = name.startswith("envelope")
    problem = Pair(N=S) if minimax else Bowls(N=3)
    method = (ScriptedPair if minimax else Scripted)(shift=0.1)
    run = simulate(problem, method, K=K, T=[12, 5], S=S, lanes=2, metrics=(name,), points=6)
    servers, locals_ = scripted(problem, S, K, 12, 0.1)
    for lane, horizon in enumerate((12, 5)):
        for column, stop in enumerate(run.checkpoints):
            if stop > horizon:
                assert np.isnan(run.curves[name][lane, column])
                assert np.isnan(run.instant[name][lane, column])
                continue
            running, newest = expected(name, problem, servers, locals_, int(stop))
            assert run.curves[name][lane, column] == pytest.approx(running, rel=1e-12)
            assert run.instant[name][lane, column] == pytest.approx(newest, rel=1e-12)
        assert run.average(name)[lane] == pytest.approx(
            expected(name, problem, servers, locals_, horizon)[0], rel=1e-12
        )
    np.testing.assert_allclose(run.final, [problem.start * 0.9**12, problem.start * 0.9**5], rtol=1e-13)


def test_metrics_do_not_disturb_the_run_or_each_other():
    """Measuring everything at once gives the same bits as measuring one thing at a time."""
    names = [
        *(name for name in BY_LOOPS if not name.startswith("envelope")),
        "value",
        "forgetting",
        "drift_correlation",
    ]
    together = simulate(Bowls(), Scripted(), K=2, T=5, lanes=3, metrics=names)
    for name in names:
        alone = simulate(Bowls(), Scripted(), K=2, T=5, lanes=3, metrics=(name,))
        np.testing.assert_array_equal(alone.curves[name], together.curves[name])
        np.testing.assert_array_equal(alone.final, together.final)
    assert simulate(Bowls(), Scripted(), K=2, T=5, lanes=3, metrics=()).curves == {}


def test_a_record_measures_what_its_text_does():
    """A metric with growth gives the curve of its text under its name; two of one name, or no metric, are refused."""
    record = replace(METRICS["output_gradient"], growth=0.25)
    setting = {"K": 2, "T": 5, "lanes": 3}
    by_record = simulate(Bowls(), Scripted(), metrics=[record], **setting)
    by_text = simulate(Bowls(), Scripted(), metrics=["output_gradient(0.25)"], **setting)
    np.testing.assert_array_equal(by_record.average("output_gradient"), by_text.average("output_gradient(0.25)"))
    assert metric_of(record.label) == record
    with pytest.raises(InputError, match="one metric a name"):
        simulate(Bowls(), Scripted(), metrics=[record, "output_gradient"], **setting)
    for text in ("output_gradient()", "output_gradient(1.2.3)", "drift(0.25)", "output_gradient(-1)"):
        with pytest.raises(UnknownNameError, match="unknown metric"):
            metric_of(text)


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_travels_between_processes(name):
    """Its record pickles to an equal one."""
    assert pickle.loads(pickle.dumps(METRICS[name])) == METRICS[name]


@settings(deadline=None, max_examples=100)
@given(horizons=st.lists(st.integers(1, 5000), min_size=1, max_size=6), points=st.integers(1, 20))
def test_checkpoints_contain_every_horizon(horizons, points):
    """Checkpoints increase from 1 to the longest horizon, contain all horizons, and a lane's own are all kept."""
    marks = checkpoints(np.array(horizons), points)
    assert (np.diff(marks) > 0).all()
    assert set(horizons) <= set(marks.tolist())
    assert marks[0] == 1
    assert marks[-1] == max(horizons)
    assert len(marks) <= points * np.log10(max(horizons)) + 1 + len(set(horizons))
    for horizon in horizons:
        assert set(checkpoints(np.array([horizon]), points)) <= set(marks)


@pytest.mark.parametrize("points", [1, 3, 40])
def test_the_number_of_checkpoints_does_not_change_the_run(points):
    """Averages and final iterates are the same bits however many checkpoints are kept."""
    expect = simulate(Bowls(sigma=1.0), Scripted(), K=2, T=[20, 7], lanes=2)
    found = simulate(Bowls(sigma=1.0), Scripted(), K=2, T=[20, 7], lanes=2, points=points)
    np.testing.assert_array_equal(found.average("server_gradient"), expect.average("server_gradient"))
    np.testing.assert_array_equal(found.final, expect.final)
