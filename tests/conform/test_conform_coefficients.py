"""Coefficients of a rule that are read off together: of one line or of two, by formula, and held out."""

import dataclasses

import numpy as np
import pytest
from faulty_codes import mean, scaffold, server_momentum
from turns import case_of

from boundcheck.conform import compare
from boundcheck.conform.runs.battery import BatterySetting
from boundcheck.conform.runs.harness import method
from boundcheck.conform.runs.numbers import make_method
from boundcheck.conform.runs.replay import record_run
from boundcheck.conform.variants.opening import OpenedMethod, open_rule
from boundcheck.methods import METHODS


def opened(made, run):
    fields = type(run.states_of_ours[0])._fields
    numbers = tuple(f.name for f in dataclasses.fields(made) if isinstance(getattr(made, f.name), float))
    return open_rule(type(made), fields, numbers)


@pytest.mark.parametrize("name", ["scaffold", "fedavg-server-m", "fedavg-m", "feddyn", "ef-sgd", "gradient-tracking"])
def test_an_opened_rule_is_the_method_at_its_own_coefficients(name):
    """To the last bit; and no longer where the gradient counts twice."""
    made = make_method(name, lambda clients, x0, *, K, T, active: x0, {})
    run = record_run(made, BatterySetting(4, 4, 2, T=2))
    rule = opened(made, run)
    assert len(rule.terms) > 8
    copy = OpenedMethod(made, rule)
    assert np.array_equal(run.path_of(copy.at({})), run.path)
    moved = [not np.array_equal(run.path_of(copy.at({j: 2.0})), run.path) for j in range(len(rule.terms))]
    assert np.mean(moved) > 0.3
    assert np.array_equal(run.path_of(copy.at({})), run.path)


def test_a_coefficient_by_number_is_the_step_that_it_multiplies():
    """Twice the displacement of FedAvg is gamma = 2."""
    made, other = method("fedavg", eta=0.1, gamma=1.0), method("fedavg", eta=0.1, gamma=2.0)
    run = record_run(made, BatterySetting(2, 2, 3))
    rule = opened(made, run)
    copy = OpenedMethod(made, rule)
    twice = [j for j in range(len(rule.terms)) if np.allclose(run.path_of(copy.at({j: 2.0})), run.path_of(other))]
    assert twice
    assert METHODS["fedavg"] is type(made)


TWO = [
    (
        "fedavg-server-m",
        server_momentum(lambda x, v, d, b, g, t: (x - g * (b * b * v + 2 * d), b * b * v + 2 * d)),
        ("v is beta * (beta * old_v) - 2 * y + 2 * old_x",),
    ),
    case_of(
        (
            "scaffold",
            scaffold(fresh=lambda own, c, i, x, y, K, eta, new: own[i] - 0.5 * c + (x - y) / (2 * eta)),
            ("moved is 1 / 2 * K * ((start - y)", "fresh is c_i - 0.5 * common + moved"),
        ),
        slow=True,
    ),
]


@pytest.mark.parametrize(("name", "code", "words"), TWO)
def test_two_coefficients_of_a_rule_are_read_off_by_formula(name, code, words):
    """What the method has is said beside."""
    sentence = compare(code, method=name).diagnosis[0]
    assert "your iterates equal" in sentence
    assert "where the method has" in sentence
    assert all(one in sentence for one in words)


@pytest.mark.slow
def test_a_coefficient_that_follows_nothing_is_no_name():
    """Weights that depend on the round have no formula: what is said is not that they are the ones of one round."""

    def turning(clients, x0, *, K, T, active, eta, beta, gamma):
        x, v, path = x0, 0 * x0, [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * clients[i].grad(y, k, t)
                ends.append(y)
            v = (0.2 + 0.1 * t**0.5) * v - (1.3 - 0.1 * t**1.5) * (mean(ends) - x)
            x = x - gamma * v
            path.append(x)
        return path

    said = "; ".join(compare(turning, method="fedavg-server-m").diagnosis)
    assert "your iterates equal" not in said
