"""The assertion for test suites: right implementations pass, the message of wrong ones has the diagnosis."""

import subprocess
import sys
from dataclasses import dataclass
from functools import cache, partial

import pytest
from test_conform_compare import my_fedavg_m, my_scaffold
from wrong_loops import loop

from boundcheck.conform import BatterySetting, compare, judge
from boundcheck.errors import InputError
from boundcheck.methods.base import Method
from boundcheck.methods.fedavg import FedAvg
from boundcheck.testing import NotConformingError, assert_conforms

WRONG_SIGN = partial(my_scaffold, sign=-1.0)


@pytest.fixture(scope="module", autouse=True)
def _judged_once():
    """Ask the identities once of a function, which several tests do of the same one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("boundcheck.conform.judge", cache(judge))
        yield


def test_right_implementations_pass():
    """What comes back says how well they agree."""
    comparison = assert_conforms(my_fedavg_m, "fedavg-m")
    assert comparison.ok
    assert len(comparison.checked) > 10


def test_the_message_names_the_mistake():
    """An AssertionError with the mistake, the first setting and the identities that fail."""
    with pytest.raises(AssertionError) as caught:
        assert_conforms(WRONG_SIGN, "scaffold")
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("partial is not scaffold: ")
    assert "with a mistake: the correction of the local gradient has the wrong sign" in lines[1]
    assert lines[2].startswith("  first at N = ")
    assert lines[3].startswith("  scaffold.")
    assert " fails: " in lines[3]
    assert isinstance(caught.value, NotConformingError)


def test_identities_alone_can_fail():
    """With one client a wrong sign does not show in the iterates, which leaves it to the identities."""
    alone = [BatterySetting(1, 1, 1)]
    with pytest.raises(NotConformingError, match=r"is not scaffold\n  scaffold\.\S+ fails"):
        assert_conforms(WRONG_SIGN, "scaffold", settings=alone)
    assert assert_conforms(WRONG_SIGN, "scaffold", settings=alone, identities=False).ok


def test_bad_input_is_no_assertion():
    """A method that does not exist is an error of the test, not a failure of the code."""
    with pytest.raises(InputError, match="unknown method 'scafold'"):
        assert_conforms(my_scaffold, "scafold")


@dataclass(frozen=True, kw_only=True)
class MyFedAvg(Method):
    """FedAvg again; `over` is a mistake in the average."""

    eta: float
    gamma: float = 1.0
    over: float = 1.0

    card = FedAvg.card

    def round(self, oracle, state):
        """Make K local steps and the average."""
        y = oracle.to_clients(state.x)
        for _ in range(oracle.K):
            y = y - self.eta * oracle.grad(y, oracle.draw())
        return state._replace(x=state.x + self.over * self.gamma * (oracle.mean(y) - state.x))


@dataclass(frozen=True, kw_only=True)
class LongFedAvg(MyFedAvg):
    """FedAvg with an average that is 1% too long."""

    over: float = 1.01


def test_a_method_class_of_ones_own():
    """A class of methods is stepped like ours, compared and asked the identities."""
    assert assert_conforms(MyFedAvg, "fedavg", hyper={"gamma": 0.7}, identities=False).ok
    assert {j.verdict for j in judge(MyFedAvg, method="fedavg")} == {"holds"}
    with pytest.raises(NotConformingError, match=r"LongFedAvg is not fedavg"):
        assert_conforms(LongFedAvg, "fedavg")
    hints = compare(LongFedAvg, method="fedavg").diagnosis
    assert not any("asked" in hint for hint in hints)


SUITE = """
def my_fedavg(clients, x0, *, K, T, active, eta, gamma, factor=1.0):
    x, iterates = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * clients[i].grad(y, k, t)
            ends.append(y)
        x = x + factor * gamma * (sum(ends) / len(ends) - x)
        iterates.append(x)
    return iterates


def test_right(assert_conforms):
    assert_conforms(my_fedavg, "fedavg", identities=False)


def test_wrong(assert_conforms):
    def ascending(clients, x0, *, eta, **rest):
        return my_fedavg(clients, x0, eta=-eta, **rest)

    def named(clients, x0, *, K, T, active, eta, gamma):
        return ascending(clients, x0, K=K, T=T, active=active, eta=eta, gamma=gamma)

    assert_conforms(named, "fedavg", identities=False)
"""


def test_the_fixture_in_a_suite_of_somebody_else(tmp_path):
    """A folder of its own, the plugin named as an installation names it: one passes, the other says why not."""
    (tmp_path / "test_mine.py").write_text(SUITE)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "boundcheck.pytest_plugin", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout
    assert "with a mistake: the gradient has the wrong sign" in done.stdout


def test_loops_are_not_methods():
    """A function is called, a class of methods is stepped; both give the same iterates."""
    assert compare(loop("fedavg"), method="fedavg").ok == compare(MyFedAvg, method="fedavg").ok
