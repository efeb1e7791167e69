"""The identities of a method asked of an implementation: what holds, what fails, what cannot be asked and why."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from test_conform_compare import my_fedavg_m, my_fedlalr, my_local_sgda, my_scaffold, my_scaffold_m
from turns import case_of, every
from wrong_loops import loop
from wrong_sources import OWN

from boundcheck.conform import about, judge, run
from boundcheck.conform.identity import TOLERANCE
from boundcheck.conform.judge import _judge_identity
from boundcheck.conform.mistakes import KNOWN
from boundcheck.conform.runs.harness import STAND_IN
from boundcheck.errors import InputError, UnknownNameError

UNSEEN = {
    "scaffold": {"start-at-x0"},
    "feddyn": {"h-over-S"},
    "fedadagrad": {
        "sum",
        "over-N",
        "sign",
        "v-zero",
        "old-v",
        "forgotten-v",
        "no-tau",
        "tau-squared-inside",
        "last-square",
    },
    "fedadam": {"forgotten-v"},
    "fedyogi": {"bias-first", "undamped", "momentum-none", "old-v", "forgotten-v", "reversed", "adam-law"},
    "local-adam": {"bias", "reset", "swapped", "momentum-none", "no-eps", "averaged", "undamped", "eps-inside"},
}
"""Mistakes that iterates alone do not show to the identities; the comparison names them all."""


LONG = {"feddyn.minimiser", "fedavg.floor", "fedavg-m.F1", "scaffold.F3", "scaffold.F3-I", "scaffold-m.F3"}
"""Identities about where a run ends, after hundreds of rounds: asked last where one that fails is enough."""
DEAR = {"fedavg", "fedavg-server-m", "feddyn", "scaffold", "scaffold-m"}
"""Methods with such identities, or with identities that compare them with dear methods."""


def verdicts(function, method, **setting):
    """Return the identities by verdict."""
    return by_verdict(judge(function, method=method, **setting), method)


def by_verdict(judgements, method):
    assert [j.id for j in judgements] == [i.id for i in about(method)]
    return {v: {j.id for j in judgements if j.verdict == v} for v in ("holds", "fails", "not asked")}


def breaks_one(function, method):
    """Return whether an identity fails; the first one that does ends the search."""
    asked = sorted(about(method), key=lambda identity: identity.id in LONG)
    return any(_judge_identity(identity, function, method, TOLERANCE).verdict == "fails" for identity in asked)


def reasons(function, method, **setting):
    return said(judge(function, method=method, **setting))


def said(judgements):
    return {j.id: j.reason for j in judgements if j.verdict != "holds"}


def with_state(clients, x0, *, K, T, active, eta, gamma, beta, factor=1.0):
    """Return FedAvg-M with its direction; the direction follows from the iterates."""
    path = my_fedavg_m(clients, x0, K=K, T=T, active=active, eta=eta, gamma=gamma, beta=beta, factor=factor)
    moved = [0 * x0, *((old - new) / gamma for old, new in pairwise(path))]
    return [{"x": x, "g": g} for x, g in zip(path, moved, strict=True)]


@pytest.mark.parametrize(
    ("function", "method"),
    [
        (my_scaffold_m, "scaffold-m"),
        (my_fedlalr, "fedlalr"),
        (my_local_sgda, "local-sgda"),
        (with_state, "fedavg-m"),
        *(case_of((loop(method), method), slow=method in DEAR) for method in KNOWN),
    ],
)
def test_a_right_implementation_breaks_nothing(function, method):
    """No identity fails, some hold, and what is not asked says why."""
    judgements = judge(function, method=method)
    found, why = by_verdict(judgements, method), said(judgements)
    assert found["fails"] == set()
    assert found["holds"]
    assert set(why) == found["not asked"]
    assert all(why.values())


@pytest.mark.parametrize("method", every(3, KNOWN))
def test_every_known_mistake_breaks_an_identity(method):
    """A mistake fails some identity that is asked."""
    unseen = {name for name in OWN[method] if not breaks_one(loop(method, name), method)}
    assert unseen == UNSEEN.get(method, set())


def test_the_extra_factor_breaks_what_sees_momentum():
    """FedAvg-M with an extra factor (1-beta) is no server momentum at K = 1, but FedAvg at beta = 1."""

    def extra(clients, x0, *, beta, **rest):
        return my_fedavg_m(clients, x0, beta=beta, factor=1 - beta, **rest)

    def named(clients, x0, *, K, T, active, eta, gamma, beta):
        return extra(clients, x0, K=K, T=T, active=active, eta=eta, gamma=gamma, beta=beta)

    found = verdicts(named, "fedavg-m")
    assert found["fails"] == {"fedavg-m.I5", "fedavg-m.I8", "fedavg-m-kept.same"}
    assert "fedavg-m.I6" in found["holds"]


def test_shown_state_is_asked():
    """With g beside the iterates the laws of g are asked, and told from wrong ones; a start in the middle is not."""
    judgements = judge(with_state, method="fedavg-m")
    assert by_verdict(judgements, "fedavg-m")["not asked"] == {"fedavg-m.I7"}
    assert "from a state" in said(judgements)["fedavg-m.I7"]
    assert "fedavg-m.I1" in verdicts(partial(with_state, factor=0.5), "fedavg-m")["fails"]


def test_hyperparameters_that_are_not_taken_are_named():
    """An adapter without `option` and `B` is asked what needs neither, and the others say what they need."""
    found = reasons(
        lambda clients, x0, *, K, T, active, eta, gamma: my_scaffold(
            clients, x0, K=K, T=T, active=active, eta=eta, gamma=gamma
        ),
        "scaffold",
    )
    assert found["scaffold.tilt"] == "needs B = 1, which the function does not take"
    assert found["scaffold.descent"] == "needs option = 'I', which the function does not take"
    assert "scaffold.F3" not in found


def test_an_order_of_evaluations_is_not_guessed():
    """An adapter that asks twice a step has its iterates judged, but not laws about the gradients of a step."""

    def twice(clients, x0, *, K, T, active, eta, gamma):
        for t in range(T):
            for i in active[t]:
                clients[i].grad(x0, 0, t)
        return loop("fedavg")(clients, x0, K=K, T=T, active=active, eta=eta, gamma=gamma)

    found = reasons(twice, "fedavg")
    assert found == {"fedavg.step": "counts on the order of our gradients, one a step"}


def test_coins_and_parts_are_not_asked():
    """Quantisers' coins go to functions that take them, and an identity of a part alone does not run the adapter."""

    def fedpaq(clients, x0, *, quantiser, eta, **rest):
        assert quantiser == "none"
        return loop("fedavg")(clients, x0, eta=eta, **rest)

    assert (
        reasons(fedpaq, "fedpaq")["fedpaq-m.mu-0"]
        == "flips coins of the method, which the function does not take as coins"
    )

    def worker(clients, x0, *, T, **_):
        return [x0] * (T + 1)

    assert reasons(worker, "gradma-w")["gradma.projection-kkt"] == "is about a part that is not run through the adapter"


def test_what_an_implementation_raises_is_its_failure():
    """An exception, or a wrong number of iterates, fails the identity with its words."""

    def broken(clients, x0, *, K, T, active, eta, gamma):
        raise ZeroDivisionError("mine")

    def short(clients, x0, *, K, T, active, eta, gamma):
        return [x0]

    assert set(reasons(broken, "fedavg").values()) == {"raised ZeroDivisionError: mine"}
    assert "number of the iterates = 1 is not legal" in reasons(short, "fedavg")["fedavg.one-step"]


def test_single_precision_is_judged_by_its_tolerance():
    """Rounding to single precision fails at the identities' own tolerance, holds at 1e-4, and limits are not asked."""

    def single(clients, x0, *, K, T, active, eta, gamma, beta):
        path = my_fedavg_m(clients, x0, K=K, T=T, active=active, eta=eta, gamma=gamma, beta=beta)
        g = [0 * x0, *((old - new) / gamma for old, new in pairwise(path))]
        return [{"x": np.float32(x), "g": np.float32(v)} for x, v in zip(path, g, strict=True)]

    assert verdicts(single, "fedavg-m")["fails"]
    loose = judge(single, method="fedavg-m", tolerance=1e-4)
    assert by_verdict(loose, "fedavg-m")["fails"] == set()
    assert "more digits" in said(loose)["fedavg-m.I9"]


def test_nobody_stands_in_afterwards():
    """Identities of ours are about ours again, also after an implementation that raises."""

    def zero(clients, x0, *, T, **_):
        return [0 * x0] * (T + 1)

    assert "fedavg.one-client" in verdicts(zero, "fedavg")["fails"]
    assert STAND_IN.get() is None
    assert all(outcome.ok for outcome in run(["fedavg.step", "fedavg.one-step"]))


def test_bad_input_is_refused():
    """The method has to exist, and a tolerance is positive."""
    with pytest.raises(UnknownNameError, match="unknown method 'scafold'"):
        judge(my_scaffold, method="scafold")
    with pytest.raises(InputError, match="tolerance = 0"):
        judge(my_scaffold, method="scaffold", tolerance=0)
