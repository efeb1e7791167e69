"""A name has to hold where it was not sought: at other hyperparameters, and with other numbers of clients."""

import sys

import pytest
from faulty_codes import fedavg, mean, server_momentum

from boundcheck.conform import compare
from boundcheck.conform.held_out import HELD_OUT, shift_numbers
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
