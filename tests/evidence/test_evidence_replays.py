"""Counterexamples as scripts of numpy: what they print is measured by the engine, and they import nothing else."""

import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import own_functions
import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.engine.setting import Setting
from boundcheck.evidence.replays.expressions import ScriptPage, UnspelledError
from boundcheck.evidence.replays.script import replay
from boundcheck.evidence.trials.trial import Trial
from boundcheck.methods.base import Card, Method, Step
from boundcheck.notation import symbol
from boundcheck.problems import load_problem

L = symbol("L")
STRANGERS = Path(__file__).parents[1] / "reviews" / "strangers"


def trial_of(name, problem, N=2, K=1, T=3, S=None, **chosen):
    made = load_problem(problem, N=N)
    bound = BOUNDS[name] if isinstance(name, str) else name
    return Trial.of(bound, made, Setting.of(made, K=K, T=T, S=S), chosen)


def run(script, tmp_path):
    """Return what a script prints in a process of its own, which finds numpy alone."""
    file = tmp_path / "replay.py"
    file.write_text(script)
    printed = subprocess.run([sys.executable, "-I", file], capture_output=True, text=True, check=True, cwd=tmp_path)
    left, right = printed.stdout.split(">")
    return float(left), float(right)


PLAIN = [
    ("momentum-fl.theorem11", "extremal[which=fedavg]", {"K": 2}),
    ("momentum-fl.theorem11", "quadratic-tilt[sigma=0.0]", {"K": 3, "N": 3}),
    ("gradma.lemma6-fedavg", "quadratic-tilt[sigma=0.0]", {"K": 2}),
    ("fedglomo.theorem3", "quadratic-tilt[sigma=0.0,d=2]", {"K": 2, "T": 12, "alpha_div": 0.5}),
    ("field.gd-convex", "quadratic-tilt[sigma=0.0,zeta=0.0]", {"N": 1}),
    ("field.extragradient", "monotone-saddle", {"K": 1, "N": 1}),
    ("field.admm", "stiff-clients[zeta=1]", {"N": 2}),
    ("field.feddyn", "quadratic-tilt[d=2]", {"N": 3}),
    (f"{STRANGERS / 'v_fista.py'}:TRUE", "lasso[d=2]", {"N": 2, "T": 5}),
    (f"{STRANGERS / 'v_fista.py'}:TRUE", "boxed[d=2]", {"N": 1, "T": 4}),
    (f"{STRANGERS / 'neighbours.py'}:TRUE", "stress-parabola", {"N": 1}),
    (f"{STRANGERS / 'neighbours.py'}:TRUE", "stress-parabola", {"N": 3}),
    (f"{STRANGERS / 'uneven.py'}:TRUE", "parabolas-clients[d=2]", {"N": 1, "K": 3}),
    (f"{STRANGERS / 'uneven.py'}:TRUE", "parabolas-clients[d=2]", {"N": 3, "K": 3}),
    (f"{STRANGERS / 'relative_steps.py'}:TRUE", "stress-parabola", {"N": 1}),
    (f"{STRANGERS / 'nesterov.py'}:TRUE", "piecewise[sigma=0.0]", {"N": 1, "T": 5}),
    (f"{STRANGERS / 'heavy_ball.py'}:TRUE", "piecewise[sigma=0.0]", {"N": 1, "T": 5}),
    (f"{STRANGERS / 'falling_steps.py'}:TRUE", "quadratic-tilt[zeta=0.0,sigma=0.0]", {"N": 1, "T": 5}),
]


@pytest.mark.parametrize(("bound", "problem", "at"), PLAIN)
def test_a_run_without_noise_is_repeated(bound, problem, at, tmp_path):
    """Methods of the package and of a file, several local steps, laws of steps; parabolas and listed values."""
    trial = trial_of(bound, problem, **at)
    script = replay(trial, 0, "the command")
    assert "boundcheck" not in script.replace(trial.bound.id, "")
    assert len(script.splitlines()) <= 25
    left, right = run(script, tmp_path)
    assert left == pytest.approx(trial.measure(0, 0, 1)[0], rel=1e-6)
    assert right == pytest.approx(trial.evaluation.rhs)


RANDOM = [
    ("momentum-fl.theorem11", "quadratic-tilt[sigma=0.5,noise=signs]", {"K": 2}),
    ("momentum-fl.theorem11", "quadratic-tilt[sigma=0.5,noise=skewed,odds=4]", {"K": 2}),
    ("momentum-fl.theorem11", "quadratic-tilt[sigma=0.5,noise=common-spikes]", {"K": 1, "N": 1}),
    (f"{STRANGERS / 'coordinate.py'}:TRUE", "boxed[box=0.0,split=0.0,start=1.0,mu=1.0,d=2]", {"N": 1}),
]


@pytest.mark.parametrize(("bound", "problem", "at"), RANDOM)
def test_a_run_that_draws_is_repeated_in_the_mean(bound, problem, at, tmp_path):
    """Independent and common noise, rare atoms, coins of the method; the means agree to their errors."""
    trial = trial_of(bound, problem, **at)
    script = replay(trial, 0, "the command")
    assert "boundcheck" not in script.replace(trial.bound.id, "")
    y = trial.measure(3, 0, 2000)
    left, _ = run(script, tmp_path)
    assert abs(left - y.mean()) <= 5 * y.std(ddof=1) * (1 / 2000 + 1 / 10_000) ** 0.5


def test_sampled_clients_are_repeated(tmp_path):
    trial = trial_of("fedglomo.theorem2", "quadratic-tilt[sigma=0.0]", N=4, S=2, K=2, alpha_div=0.5)
    script = replay(trial, 0, "the command")
    assert "rng.permuted" in script
    y = trial.measure(3, 0, 2000)
    left, _ = run(script, tmp_path)
    assert abs(left - y.mean()) <= 5 * y.std(ddof=1) * (1 / 2000 + 1 / 10_000) ** 0.5


@pytest.mark.parametrize("scale", [1.0, 0.8])
def test_listed_values_are_those_of_a_function_of_the_class(scale):
    """The script says itself that the values are interpolated, and stops where L is made smaller."""
    script = replay(trial_of(f"{STRANGERS / 'nesterov.py'}:TRUE", "piecewise[sigma=0.0]", N=1, T=3), 0, "")
    line = next(line for line in script.splitlines() if line.startswith("F, L, mu"))
    L, mu = (float(word) for word in line.split("), ")[1].split(", "))
    changed = script.replace(line, f"{line.split('), ')[0]}), {scale * L!r}, {mu!r}")
    if scale == 1.0:
        exec(changed, {})
    else:
        with pytest.raises(AssertionError):
            exec(changed, {})


@dataclass(frozen=True)
class Branching(Method):
    """A method that looks at its numbers, which the contract forbids.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = Card("branching", "Branching", "mine", "1")
    eta: Step

    def round(self, oracle, state):
        g = oracle.mean(oracle.full(oracle.to_clients(state.x)))
        if float(g.reshape(-1)[0]) > 0:
            return state._replace(x=state.x - self.eta * g)
        return state._replace(x=state.x - 2 * self.eta * g)


def test_a_method_that_cannot_be_spelled_is_run_by_the_package():
    bound = replace(BOUNDS["field.gd-convex"], method=f"{__file__}:Branching")
    trial = trial_of(bound, "quadratic-tilt[sigma=0.0,zeta=0.0]", N=1)
    script = replay(trial, 0, "boundcheck check mine")
    assert script.startswith("# boundcheck check mine\n")
    assert "from boundcheck.engine import simulate" in script


def test_brackets_stand_where_they_change_something():
    page = ScriptPage(1, 2, 3)
    a, b, c = (page.leaf(name, 1) for name in "pqr")
    page.do(
        lambda *texts: "; ".join(texts), a - (b - c), (a + b) * c, a / (b * c), -((a * b) ** 2), (a < b) * c, a + b + c
    )
    assert page.lines() == ["p - (q - r); (p + q)*r; p/(q*r); -(p*q)**2; (p < q)*r; p + q + r"]


def test_what_is_used_twice_has_a_name_and_branches_are_refused():
    page = ScriptPage(1, 1, 1)
    x = page.leaf("x", 1)
    g = np.sqrt(x + 1.0)
    page.do(lambda *texts: " and ".join(texts), g * g)
    assert page.lines() == ["p = np.sqrt(x + 1.0)", "p*p"]
    with pytest.raises(UnspelledError, match="branches"):
        bool(x > 0)


OWN = [
    own_functions.client_by_point,
    own_functions.clients_by_lambdas,
    own_functions.lanes_by_functions,
    own_functions.formulas,
]


def trial_of_own(problem, metric, T=5):
    """Return a theorem without terms on a problem of one's own, at a left-hand side."""
    bound = replace(
        BOUNDS["field.sgd"], id="own", metric=metric, needs=("L",), terms={"none": L}, trivial=L, rigid=False
    )
    return Trial.of(bound, problem, Setting.of(problem, K=1, T=T), {"eta": 0.1})


@pytest.mark.parametrize("metric", ["server_gradient", "suboptimality"])
@pytest.mark.parametrize("N", [1, 2])
@pytest.mark.parametrize("make", OWN, ids=lambda make: make.__name__)
def test_functions_of_ones_own_are_spelled(make, N, metric, tmp_path):
    """By their source or formula, in runs that are too long to list their points; and with noise."""
    trial = trial_of_own(make(N=N, steep=1.5), metric, T=300)
    left, _ = run(replay(trial, 0, ""), tmp_path)
    assert left == pytest.approx(trial.measure(0, 0, 1)[0], rel=1e-9)


@pytest.mark.parametrize("make", OWN, ids=lambda make: make.__name__)
def test_functions_of_ones_own_with_noise_are_spelled(make, tmp_path):
    trial = trial_of_own(make(N=2, steep=1.5, sigma=0.5), "server_gradient", T=2)
    left, _ = run(replay(trial, 0, ""), tmp_path)
    measured = trial.measure(0, 0, 2000)
    assert left == pytest.approx(measured.mean(), abs=6 * measured.std() / len(measured) ** 0.5)


def test_what_has_no_source_is_run_by_the_package():
    script = replay(
        trial_of_own(own_functions.what_cannot_be_spelled(N=2, steep=1.5, sigma=0.1), "server_gradient"), 0, ""
    )
    assert "from boundcheck" in script
