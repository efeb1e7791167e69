"""What a method sends is what its card says: vectors change sides by the oracle alone, which counts their floats."""

import numpy as np
import pytest
from method_table import CASES, problem_for
from together import together

from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.setting import Setting
from boundcheck.methods import METHODS

LANES, N, K, ROUNDS = 2, 4, 3, 4
DIMENSIONS = {7, 5, 54}
"""Of the problem to minimise, of the saddle and of the network."""
ONE_MACHINE = {"sgd", "sarah", "spider", "snvrg", "storm", "storm-adaptive", "sgda", "sreda", "storm-gda"}
"""Methods whose averages over all data stay where they are."""
ONE_CLIENT = {"ce-lsgd-B=1"}
"""Cases where the end of one client alone goes up, for which the card has a vector of every client."""


class Located(np.ndarray):
    """An array that refuses arithmetic between a server vector and the vectors of several clients."""

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        """Compute on plain arrays what stays on one side."""
        rows = {x.shape[1] for x in inputs if np.ndim(x) == 3 and x.shape[2] in DIMENSIONS}
        assert method != "__call__" or ufunc is np.matmul or len(rows) < 2, f"{ufunc.__name__} of server and clients"
        if "out" in kwargs:
            kwargs["out"] = tuple(map(_plain, kwargs["out"]))
        return _located(getattr(ufunc, method)(*map(_plain, inputs), **kwargs))


def _plain(x):
    return x.view(np.ndarray) if isinstance(x, Located) else x


def _located(x):
    return x.view(Located) if isinstance(x, np.ndarray) else x


class Border(LaneOracle):
    """An oracle whose answers are located arrays."""


def _wrapped(name):
    answer = getattr(LaneOracle, name)

    def call(self, *args, **kwargs):
        return _located(answer(self, *map(_plain, args), **kwargs))

    return call


for _name in ("grad", "full", "full_all", "mean", "largest", "to_clients", "active", "remember", "initial"):
    setattr(Border, _name, _wrapped(_name))


def traffic(case, S):
    """Yield the floats up and down of every round, in units of d and per active client, of one lane."""
    problem = problem_for(case, N=N, d=7)
    keys = [(N, S, K, ROUNDS, 1, lane) for lane in range(LANES)]
    oracle = Border(problem, Setting.of(problem, S=S, K=K, T=3), seed=3, keys=keys, observers=[])
    state = case.method().init(oracle, np.tile(problem.start, (LANES, 1, 1)).view(Located))
    for _ in range(ROUNDS):
        oracle.begin_round(_plain(state.x))
        up, down = oracle.floats_up, oracle.floats_down
        state = case.method().round(oracle, type(state)(*map(_located, state)))
        yield (oracle.floats_up - up) / (S * problem.d), (oracle.floats_down - down) / (S * problem.d)


def expected(formula, case, S):
    """Return the vectors of a card's formula for this variant; a compressed vector is one vector."""
    plain, _, variant = formula.replace(" compressed", "").partition(" (")
    number, _, condition = variant.rstrip(")").partition(" with ")
    name, _, value = condition.partition("=")
    chosen = case.options.get(name) in ({value} if value else {True}) or condition in case.options.values()
    return int(number if chosen or (condition == "partial participation" and S < N) else plain)


SETTINGS = [(case, S) for case in CASES for S in ((N, 3) if case.partial else (N,))]


@together(SETTINGS)
def test_floats_that_change_sides_are_those_of_the_card(case, S):
    """A round sends the card's vectors up and down, and no client expression holds a server vector not asked for."""
    card, rounds = case.method().card, list(traffic(case, S))
    if case.name in ONE_MACHINE:
        assert (card.up, card.down) == ("0", "0")
    elif str(case) not in ONE_CLIENT:
        sent = expected(card.up, case, S), expected(card.down, case, S)
        assert set(rounds[min(case.warm, 1) :]) == {sent}


def test_every_exception_is_a_case():
    """The cases that are not counted exist."""
    assert set(METHODS) >= ONE_MACHINE
    assert {str(case) for case in CASES} >= ONE_CLIENT


def test_a_server_vector_does_not_slip_into_client_expressions():
    """Arithmetic between the two sides is refused, so that no broadcast escapes the count."""
    with pytest.raises(AssertionError, match="server and clients"):
        _located(np.zeros((2, 1, 7))) + np.zeros((2, 4, 7))
