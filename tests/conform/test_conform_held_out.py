"""A name has to hold where it was not sought: at other hyperparameters, and with other numbers of clients."""

import sys

import pytest
from faulty_codes import fedavg, fedopt, mean, server_momentum

from boundcheck.conform import compare
from boundcheck.conform.runs.held_out import HELD_OUT, shift_numbers
from boundcheck.errors import InputError

FORMULA = server_momentum(lambda x, v, d, b, g, t: (x - g * (1 - b) * (b * v + d), b * v + d))
NUMBER = server_momentum(lambda x, v, d, b, g, t: (x - 0.28 * (b * v + d), b * v + d))


def test_a_formula_is_told_from_a_number_that_it_happens_to_be(monkeypatch):
    """The server step gamma (1-beta) is 0.28 at the numbers asked: without others, the constant gets its name."""
    (formula,) = compare(FORMULA, method="fedavg-server-m").diagnosis
    assert "an extra factor (1-beta)" in formula
    (number,) = compare(NUMBER, method="fedavg-server-m").diagnosis
    assert "gamma is 0.28 and not 0.4" in number
    monkeypatch.setattr(sys.modules["boundcheck.conform.compare"], "shift_numbers", lambda passed, given: {})
    assert compare(NUMBER, method="fedavg-server-m").diagnosis == (formula,)


def test_numbers_that_the_user_gives_are_kept():
    """Others are changed, each by a share of its own, and what is no number is left alone."""
    moved = shift_numbers({"eta": 0.1, "gamma": 0.4, "beta": 0.3, "k": 2, "output": "last"}, {"gamma"})
    assert moved == pytest.approx({"eta": 0.09, "beta": 0.279})
    assert {setting.N for setting in HELD_OUT}.isdisjoint({1, 2, 5})


def test_a_code_for_its_own_numbers_is_diagnosed_all_the_same():
    """Where it raises at others, the name rests on the numbers asked."""

    def code(clients, x0, *, K, T, active, eta):
        assert eta == 0.1
        return fedavg(server=lambda x, ends, t, s: x + 0.5 * (mean(ends) - x))(
            clients, x0, K=K, T=T, active=active, eta=eta
        )

    (sentence,) = compare(code, method="fedavg").diagnosis
    assert "gamma is 0.5" in sentence


def test_values_of_clients_are_there_for_the_methods_that_weigh_by_them():
    """q-FedAvg's clients say what their functions are; those of FedAvg know the average alone."""

    def by_value(clients, x0, *, K, T, active, eta):
        clients[0].value(x0)

    with pytest.raises(InputError, match="values of single clients are not known"):
        compare(by_value, method="fedavg")
    with pytest.raises(InputError, match="function returned NoneType"):
        compare(by_value, method="q-fedavg")


@pytest.mark.parametrize(
    ("code", "method", "words"),
    [
        (server_momentum(lambda x, v, d, b, g, t: (x - g * (0.3 * v + d), 0.3 * v + d)), "fedavg-server-m", ("beta",)),
        (
            fedopt(first=lambda m, D, b1: 0.9 * m + 0.1 * D, second=lambda v, D, m, b2: 0.99 * v + 0.01 * D**2),
            "fedadam",
            ("with two mistakes", "beta1 is 0.9, whatever is passed", "beta2 is 0.99, whatever is passed"),
        ),
    ],
)
def test_a_number_of_the_codes_own_is_not_taken_for_the_one_that_is_passed(code, method, words):
    """It is what is passed in the battery, and not elsewhere; at the user's own number alone, nothing is said."""
    comparison = compare(code, method=method)
    assert comparison.verdict == "differs"
    said = "; ".join(comparison.diagnosis)
    assert all(one in said for one in words)
    assert "the iterates agree at beta" in said
    given = {"beta": 0.3} if method == "fedavg-server-m" else {"beta1": 0.9, "beta2": 0.99}
    assert compare(code, method=method, hyper=given).verdict == "agrees"


def test_a_code_that_differs_by_the_number_of_steps_alone_is_found():
    """The battery has three steps at most: what begins with the fourth shows in what is held out."""
    code = fedavg(step=lambda y, g, eta, x, t, k, i, u: y - eta * g * (k < 3))
    comparison = compare(code, method="fedavg")
    assert comparison.verdict == "differs"
    assert "the iterates agree in the battery, and differ at N = 4, S = 3, K = 5" in comparison.diagnosis[0]
