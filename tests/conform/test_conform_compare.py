"""An implementation of one's own against ours: right ones pass, wrong ones are named."""

import numpy as np
import pytest
import straightline
from wrong_loops import Samples, loop

from boundcheck.conform import BATTERY, IDENTITIES, BatterySetting, compare
from boundcheck.errors import InputError, UnknownNameError

STEP = {"eta": 0.1, "gamma": 0.4, "beta": 0.3}


def my_scaffold(clients, x0, *, K, T, active, eta, gamma, sign=1.0, divide_by_S=False):
    """Run SCAFFOLD, option II, as its paper prints it."""
    N, x, c, own = len(clients), x0, 0 * x0, [0 * x0 for _ in clients]
    iterates = [x]
    for t in range(T):
        ends, change = [], 0 * x0
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * (clients[i].grad(y, k, t) + sign * (c - own[i]))
            fresh = own[i] - c + (x - y) / (K * eta)
            ends, change, own[i] = [*ends, y], change + fresh - own[i], fresh
        x = x + gamma * (sum(ends) / len(ends) - x)
        c = c + change / (len(ends) if divide_by_S else N)
        iterates.append(x)
    return iterates


def my_fedavg_m(clients, x0, *, K, T, active, eta, gamma, beta, factor=1.0):
    """Run FedAvg-M; `factor` is a mistake."""
    x, g, iterates = x0, 0 * x0, [x0]
    for t in range(T):
        total = 0 * x0
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * (beta * clients[i].grad(y, k, t) + (1 - beta) * factor * g)
            total = total + x - y
        g = total / (eta * K * len(active[t]))
        x = x - gamma * g
        iterates.append(x)
    return iterates


def my_fedlalr(clients, x0, *, K, T, active, eta, beta1, beta2, eps):
    return straightline.fedlalr(x0, Samples(clients), K=K, active=active, alpha=eta, beta1=beta1, beta2=beta2, eps=eps)[
        0
    ]


def my_scaffold_m(clients, x0, *, K, T, active, eta, gamma, beta, **_):
    first = [client.first(x0) for client in clients]
    numbers = {"N": len(clients), "K": K, "active": active, "eta": eta, "gamma": gamma, "beta": beta}
    return straightline.scaffold_m(x0, Samples(clients), controls=first, **numbers)[0]


def my_local_sgda(clients, x0, *, K, T, active, eta_x, eta_y):
    x, iterates = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            z = x
            for k in range(K):
                z = z - np.array([eta_x] * 3 + [-eta_y] * 2) * clients[i].grad(z, k, t)
            ends.append(z)
        x = sum(ends) / len(ends)
        iterates.append(x)
    return iterates


@pytest.mark.parametrize(
    ("function", "method", "hyper"),
    [
        (my_scaffold, "scaffold", {}),
        (my_scaffold, "scaffold", {"gamma": 1.4}),
        (my_scaffold_m, "scaffold-m", {}),
        (my_scaffold_m, "scaffold-m", {"B": 3, "beta": 0.8}),
        (my_fedavg_m, "fedavg-m", STEP),
        (my_fedlalr, "fedlalr", {"eps": 0.1}),
        (my_local_sgda, "local-sgda", {}),
    ],
)
def test_a_right_implementation_agrees(function, method, hyper):
    """Every setting agrees to rounding, and there is nothing to say."""
    comparison = compare(function, method=method, hyper=hyper)
    assert comparison.ok
    assert comparison.diagnosis == ()
    assert max(c.deviation for c in comparison.checked) < 1e-12
    assert hyper.items() <= comparison.hyper.items()


@pytest.mark.parametrize(
    ("function", "method", "words"),
    [
        (
            lambda *a, **k: my_scaffold(*a, **k, sign=-1.0),
            "scaffold",
            "correction of the local gradient has the wrong sign",
        ),
        (lambda *a, **k: my_scaffold(*a, **k, divide_by_S=True), "scaffold", "divided by the S active clients"),
        (lambda *a, **k: my_fedavg_m(*a, **k, factor=1 - k["beta"]), "fedavg-m", "an extra factor (1-beta)"),
    ],
)
def test_a_known_mistake_is_named(function, method, words):
    """The one sentence of the diagnosis says what is wrong."""

    def adapted(clients, x0, *, option=None, B=None, **rest):
        return function(clients, x0, **rest)

    comparison = compare(adapted, method=method, hyper={"gamma": 0.7})
    assert not comparison.ok
    assert sum("with a mistake" in sentence for sentence in comparison.diagnosis) == 1
    assert words in comparison.diagnosis[0]
    assert comparison.diagnosis[0].startswith("your iterates equal those of")


def test_the_first_round_that_differs_is_reported():
    """An implementation that goes wrong in one round is caught there, at full participation of one client too."""

    def late(clients, x0, *, K, T, active, eta, gamma):
        path = [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                y = path[-1]
                for k in range(K):
                    y = y - eta * clients[i].grad(y, k, t)
                ends.append(y)
            path.append(path[-1] + gamma * (sum(ends) / len(ends) - path[-1]) + (0.1 if t == 2 else 0.0))
        return path

    comparison = compare(late, method="fedavg")
    assert {c.parts for c in comparison.checked} == {3}
    assert "the earliest difference is after round 3" in comparison.diagnosis
    assert any("in round 3 all gradients are taken where ours are" in sentence for sentence in comparison.diagnosis)
    assert "the first round agrees" in comparison.diagnosis[-1]


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (lambda K, N, S: 1.01 if K > 1 else 1.0, "K = 1 agrees"),
        (lambda K, N, S: 1.01 if S < N else 1.0, "full participation agrees"),
        (lambda K, N, S: 1.01 if N > 1 else 1.0, "one client agrees"),
    ],
)
def test_hints_where_no_known_mistake_fits(wrong, hint):
    """The settings that fail are told apart from those that agree."""

    def scaled(clients, x0, *, K, T, active, eta):
        factor = wrong(K, len(clients), len(active[0]))
        return loop("fedavg")(clients, x0, K=K, T=T, active=active, eta=eta * factor)

    comparison = compare(scaled, method="fedavg")
    assert any(sentence.startswith(hint) for sentence in comparison.diagnosis)


def test_iterates_that_are_not_finite_differ():
    """An implementation that diverges is wrong from that round on."""

    def diverging(clients, x0, *, T, **rest):
        return [x0, *(x0 * np.nan for _ in range(T))]

    comparison = compare(diverging, method="fedavg", settings=[BatterySetting(2, 2, 1)])
    assert [c.parts for c in comparison.checked] == [1]
    assert comparison.checked[0].deviation == np.inf


def test_single_precision_needs_a_tolerance():
    """Iterates in single precision agree to 1e-4 and not to 1e-9."""

    def single(clients, x0, *, K, T, active, eta):
        return [x.astype(np.float32) for x in loop("fedavg")(clients, x0, K=K, T=T, active=active, eta=eta)]

    assert compare(single, method="fedavg", tolerance=1e-4).ok
    assert not compare(single, method="fedavg").ok


def test_samples_are_ours_and_asking_for_others_is_refused():
    """A step, round or client that our method did not sample is refused by name."""

    def asks(which):
        def function(clients, x0, *, K, T, active, eta):
            which(clients, x0, active)
            return loop("fedavg")(clients, x0, K=K, T=T, active=active, eta=eta)

        return function

    def outsider(clients, x0, active):
        clients[next(i for i in range(5) if i not in active[0])].grad(x0, 0, 0)

    setting = [BatterySetting(5, 2, 3)]
    for which, words in (
        (lambda c, x, a: c[a[0][0]].grad(x, 3, 0), "grad: k = 3 .* a step from 0 to 2"),
        (lambda c, x, a: c[a[0][0]].grad(x, 0, 5), "grad: t = 5 .* a round from 0 to 4"),
        (outsider, r"grad: client in round 0 = \d is not legal: one of the active"),
        (lambda c, x, a: c[0].first(x), "takes no sample before the first round"),
        (lambda c, x, a: c[0].full(x[:2]), "dimension of x = 2 is not legal: 3"),
    ):
        with pytest.raises(InputError, match=words):
            compare(asks(which), method="fedavg", settings=setting)


def test_bad_input_is_refused():
    """Messages name the method, hyperparameter, shape or parameter."""
    with pytest.raises(UnknownNameError, match="unknown method 'scafold'"):
        compare(my_scaffold, method="scafold")
    with pytest.raises(InputError, match=r"scaffold: hyperparameter = 'beta' .* one of eta, gamma, option, B"):
        compare(my_scaffold, method="scaffold", hyper={"beta": 0.5})
    with pytest.raises(InputError, match=r"hyperparameters not taken = \['B'\]"):
        compare(my_scaffold, method="scaffold", hyper={"B": 1})
    with pytest.raises(InputError, match=r"function: parameters = \['eta', 'gamma'\]") as caught:
        compare(my_scaffold, method="local-sgda")
    assert "eta_x" in str(caught.value)
    with pytest.raises(InputError, match=r"shape of the iterates .* \(6, 3\)"):
        compare(lambda clients, x0, **_: [x0], method="fedavg")
    with pytest.raises(InputError, match=r"local-sgda: settings .* at least one that it is defined for"):
        compare(my_local_sgda, method="local-sgda", settings=[BatterySetting(3, 2, 1)])
    with pytest.raises(InputError, match="S = 3 is not legal: at most N = 2"):
        BatterySetting(2, 3, 1)
    with pytest.raises(InputError, match="tolerance = 0"):
        compare(my_scaffold, method="scaffold", tolerance=0)
    with pytest.raises(InputError, match=r"returned NoneType"):
        compare(lambda clients, x0, **_: None, method="fedavg")


def test_the_battery_covers_what_matters():
    """Full and partial participation, K = 1 and 3, N = 1, 2, 5, both kinds of noise."""
    assert {s.N for s in BATTERY} == {1, 2, 5}
    assert {s.K for s in BATTERY} == {1, 3}
    assert {s.noise for s in BATTERY} == {"signs", "phases"}
    assert any(s.S < s.N for s in BATTERY)
    assert len(IDENTITIES) > len(BATTERY)
