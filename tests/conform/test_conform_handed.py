"""What a function may take beside hyperparameters: coins of the method, and the clients' own numbers of local steps."""

from functools import partial

import numpy as np
import pytest

from boundcheck.conform import BATTERY, compare
from boundcheck.conform.reading.ages import read_ages
from boundcheck.conform.runs.battery import UNEVEN
from boundcheck.errors import InputError


def fedavg(clients, x0, *, K, T, active, eta, K_i, fault=""):
    x, path = x0, [x0]
    for t in range(T):
        ends, counts = [], [K_i[i] for i in active[t]]
        for i, own in zip(active[t], counts, strict=True):
            y = x
            for k in range(K if fault == "all" else own):
                y = y - eta * clients[i].grad(y, k, t)
            ends.append(y)
        x = np.average(ends, axis=0, weights=counts if fault == "weights" else None)
        path.append(x)
    return path


def scaffold(clients, x0, *, K, T, active, eta, gamma, K_i, own=True):
    N, x, c = len(clients), x0, 0 * x0
    variates, path = [0 * x0] * N, [x0]
    for t in range(T):
        ends, change = [], 0 * x0
        for i in active[t]:
            y = x
            for k in range(K_i[i]):
                y = y - eta * (clients[i].grad(y, k, t) + c - variates[i])
            new = variates[i] - c + (x - y) / ((K_i[i] if own else K) * eta)
            change, variates[i] = change + new - variates[i], new
            ends.append(y)
        x, c = x + gamma * (np.mean(ends, axis=0) - x), c + change / N
        path.append(x)
    return path


def scaffnew(clients, x0, *, K, T, active, eta, p, coins, tails=False):
    N = len(clients)
    own, h, path = [x0] * N, [0 * x0] * N, [x0]
    for t in range(T):
        moved = [y - eta * (c.full(y) - a) for y, c, a in zip(own, clients, h, strict=True)]
        mean = np.mean(moved, axis=0)
        exchange = (coins[t][0].item() < p) != tails
        own = [mean] * N if exchange else moved
        h = [a + p / eta * (n - y) for a, n, y in zip(h, own, moved, strict=True)]
        path.append(mean)
    return path


@pytest.mark.parametrize(("code", "method"), [(fedavg, "fedavg"), (scaffold, "scaffold")])
def test_clients_with_steps_of_their_own_agree(code, method):
    """The battery and four settings more, in which the clients make 1 to K steps."""
    found = compare(code, method=method)
    assert found.verdict == "agrees"
    assert len(found.checked) == len(BATTERY) + len(UNEVEN)
    assert max(c.deviation for c in found.checked) < 1e-12


@pytest.mark.parametrize(
    ("code", "method", "words"),
    [
        (partial(fedavg, fault="all"), "fedavg", "every client makes K steps all the same"),
        (partial(fedavg, fault="weights"), "fedavg", "weighted by their numbers of steps K_i"),
        (partial(scaffold, own=False), "scaffold", "the number K stands in a denominator"),
    ],
)
def test_what_is_wrong_with_them_is_said(code, method, words):
    """All of it is right where everybody makes K steps."""
    found = compare(code, method=method)
    assert found.verdict == "differs"
    assert all(c.parts is None for c in found.checked if not c.setting.uneven)
    (sentence,) = found.diagnosis
    assert words in sentence
    assert sentence.startswith("it agrees where all clients make K local steps")


def test_other_mistakes_are_named_as_ever():
    """Settings with K steps for all come first."""

    def hasty(clients, x0, *, K, T, active, eta, K_i):
        return fedavg(clients, x0, K=K, T=T, active=active, eta=2 * eta, K_i=K_i)

    (sentence,) = compare(hasty, method="fedavg").diagnosis
    assert "eta is 0.2" in sentence or "the local step is" in sentence


def test_a_server_that_divides_by_K_has_no_such_clients():
    def mine(clients, x0, *, K, T, active, eta, gamma, beta, K_i):
        return [x0] * (T + 1)

    with pytest.raises(InputError, match="fedavg-m: K_i = 'of each client' is not legal: no parameter"):
        compare(mine, method="fedavg-m")


def test_coins_are_handed_out():
    """A method that tosses coins agrees with a code that takes them, and differs from one that reads them reversed."""
    assert compare(scaffnew, method="scaffnew").verdict == "agrees"
    assert compare(partial(scaffnew, tails=True), method="scaffnew").verdict == "differs"
    with pytest.raises(InputError, match="parameters"):
        compare(lambda clients, x0, *, K, T, active, eta, tosses: [x0] * (T + 1), method="scaffnew")


def test_ages_are_read_of_asynchronous_methods_alone():
    from boundcheck.conform.runs.harness import method

    assert read_ages(method("fedavg", eta=0.1), []) == ()
