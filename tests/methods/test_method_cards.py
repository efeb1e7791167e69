"""Cards say what is true: what a method asks of the oracle, what its rule rests on, what it is timed with."""

import inspect
from pathlib import Path

import numpy as np
import pytest
from method_table import CASES, problem_for
from together import together

from boundcheck.engine import simulate
from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.setting import Setting
from boundcheck.methods import METHODS
from boundcheck.methods.base import NEEDS, RULES, SITUATIONS
from boundcheck.methods.kinds import kinds

OF_OPTIONS = {
    "scaffold-option=I": {"exact gradients"},
    "sgda-alternating=True": {"same sample"},
}
"""What a variant needs beyond its card."""


class Watched(LaneOracle):
    """An oracle that keeps what it was asked for, and the points that every minibatch was evaluated at."""

    def __init__(self, problem, S):
        setting = Setting.of(problem, S=S, K=3, T=3)
        super().__init__(problem, setting, seed=0, keys=[setting.key(0)], observers=[])
        self.asked, self.points = set(), {}

    def _seen(self, y, batch):
        points = self.points.setdefault(id(batch), (batch, set()))[1]
        points.add(y.tobytes())
        self.asked |= {"same sample"} if len(points) > 1 else set()

    def grad(self, y, batch):
        """Note the point."""
        self._seen(y, batch)
        return super().grad(y, batch)

    def outputs(self, y, batch):
        """Note the point, and that there are layers."""
        self._seen(y, batch)
        self.asked.add("layers")
        return super().outputs(y, batch)

    def composite(self, y, batch, loss, slopes):
        """Note the point, and that there are layers."""
        self._seen(y, batch)
        self.asked.add("layers")
        return super().composite(y, batch, loss, slopes)

    def full(self, y):
        """Note exact gradients."""
        self.asked.add("exact gradients")
        return super().full(y)

    def full_all(self, y):
        """Note exact gradients."""
        self.asked.add("exact gradients")
        return super().full_all(y)

    def blockwise(self, x, y):
        """Note the second block."""
        self.asked.add("max block")
        return super().blockwise(x, y)


def asked(case):
    """Return what a method asks for in three rounds, with three of five clients where that is defined."""
    problem = problem_for(case)
    oracle = Watched(problem, 3 if case.partial else 5)
    state = case.method().init(oracle, problem.start[None, None].copy())
    for _ in range(3):
        oracle.begin_round(state.x)
        state = case.method().round(oracle, state)
    return oracle.asked


@together(CASES)
def test_a_method_asks_for_what_its_card_needs(case):
    """The card has what the oracle is asked for, in every variant; a batch replaces exact gradients."""
    needs = (set(case.method().card.needs) - {"bounded slopes"}) | OF_OPTIONS.get(str(case), set())
    assert asked(case) == needs - ({"exact gradients"} if case.options.get("batch") else set())


@together(METHODS)
def test_words_of_a_card_are_those_of_the_lists(name):
    """Needs come in the order of their list, slopes are bounded where the problem says so, the rule has a source."""
    card, text = METHODS[name].card, inspect.getdoc(METHODS[name])
    assert list(card.needs) == [need for need in NEEDS if need in card.needs]
    assert ("max block" in card.needs) == (card.kind == "minimax")
    assert ("bounded slopes" in card.needs) == ("bounded by G_inf" in text)
    assert card.rule in RULES
    assert (card.rule == "printed") == ("cited work (" not in card.where.split(";")[0] and "baseline" not in card.where)


EVERY = [*METHODS, *METHODS.further]


@pytest.mark.parametrize("name", EVERY)
def test_what_distinguishes_a_method_is_said_in_words_that_exist(name):
    """Hyperparameters of its own first, then situations in the order of their list, each once."""
    words = METHODS[name].card.distinguishes
    own = [word for word in words if word not in SITUATIONS]
    assert words
    assert set(own) <= set(kinds(METHODS[name]))
    assert list(words) == [*dict.fromkeys(own), *(word for word in SITUATIONS if word in words)]
    assert ("S < N" not in words) or METHODS[name].card.partial


ALIKE = [
    ("fednova", {"eta": 0.1}, "fedavg", {"eta": 0.1}),
    ("fedpaq", {"eta": 0.1}, "fedavg", {"eta": 0.1}),
    ("fedprox", {"eta": 0.1, "rho": 0.0}, "fedavg", {"eta": 0.1}),
    ("pr-sgd-m", {"eta": 0.1, "beta": 0.0}, "fedavg", {"eta": 0.1}),
    ("mimelite", {"eta": 0.1, "beta": 0.0}, "fedavg", {"eta": 0.1}),
    ("fedavg-server-m", {"eta": 0.1, "beta": 0.0}, "fedavg", {"eta": 0.1}),
    ("fedavg-local-m", {"eta": 0.1, "mu": 0.0}, "fedavg", {"eta": 0.1}),
    ("mifam", {"eta": 0.1, "beta": 0.0}, "mifa", {"eta": 0.1}),
]
AWAY = {"beta": 0.5, "rho": 0.7, "mu": 0.5, "gamma": 0.6, "fewest": 1, "quantiser": "qsgd-1"}


@pytest.mark.parametrize(
    ("name", "neutral", "simpler", "plain"), ALIKE, ids=lambda one: one if type(one) is str else ""
)
def test_a_method_is_a_simpler_one_until_something_that_distinguishes_it_is_on(name, neutral, simpler, plain):
    """With all of it neutral the iterates agree; with any one hyperparameter away from there they do not."""
    problem = problem_for(next(case for case in CASES if case.name == "fedavg"))

    def final(method):
        return simulate(problem, method, K=3, T=3, S=3).final

    expected = final(METHODS[simpler](**plain))
    np.testing.assert_allclose(final(METHODS[name](**neutral)), expected, rtol=1e-12)
    numbers = [word for word in METHODS[name].card.distinguishes if word not in SITUATIONS]
    assert numbers
    for word in numbers:
        other = final(METHODS[name](**neutral | {word: AWAY[word]}))
        assert np.abs(other - expected).max() > 1e-6, word


def timed():
    """Return the hyperparameters that the benchmark times methods at."""
    source = (Path(__file__).parents[2] / "benchmarks" / "__main__.py").read_text()
    namespace = {}
    exec(compile(source.replace('if __name__ == "__main__":', "if False:"), "benchmarks", "exec"), namespace)
    return namespace["NUMBERS"]


def test_a_card_has_a_cost_where_the_benchmark_has_its_numbers():
    """Either both or neither; a cost is positive, and that of the yardsticks is 1."""
    numbers = timed()
    assert set(numbers) == {name for name in [*METHODS, *METHODS.further] if METHODS[name].card.cost is not None}
    assert all(METHODS[name].card.cost > 0 for name in numbers)
    assert METHODS["fedavg"].card.cost == METHODS["local-sgda"].card.cost == 1
    for name, many in numbers.items():
        for numbers in many:
            METHODS[name](**numbers)


@pytest.mark.slow
def test_every_method_is_timed():
    """Asked for a release: a new method may wait until then."""
    assert set(timed()) == {*METHODS, *METHODS.further}
