"""Lanes of several numbers of clients in one array have, bit for bit, the numbers that each has alone."""

from dataclasses import replace

import numpy as np
import pytest
from method_table import CASES, Case
from turns import first_of_each

from boundcheck.engine import simulate
from boundcheck.engine.mixed import mixes
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.methods import METHODS
from boundcheck.problems import FAMILIES
from boundcheck.problems.mixed import mix_problems

FURTHER = (Case("fedlomo", {"eta": 0.1}), Case("signsgd-majority", {"eta": 0.1}))
MIXED = [case for case in (*CASES, *FURTHER) if mixes(case.method())]
T, REPLICATES = np.array([5, 3]), np.array([0, 4])


def problem_of(case, N, family="ridge", **more):
    """Return a problem that differs with N in its clients alone, the noise of which changes with the point."""
    if case.kind == "minimise":
        return FAMILIES[family](**{"N": N, "d": 3, "zeta": 0.2 * N, "sigma": 0.7, "noise": "phases", **more})
    return FAMILIES["ncsc-ridge"](**{"N": N, "d1": 3, "d2": 2, "zeta_pair": 0.2 * N, "sigma": 0.6, **more})


def metrics_of(case):
    """Return one metric of every kind that can be mixed."""
    if case.kind == "minimise":
        return ["server_gradient", "local_gradient", "best_gradient", "final_gradient", "value"]
    return ["envelope_gradient", "envelope_gradient_sum", "dual_gap", "final_gradient"]


def assert_as_alone(case, clients, *, b=1, block=None, **more):
    """Assert that lanes with (N, S) from `clients`, two each, have all that runs of their own return."""
    problems = [problem_of(case, N, **more) for N, _ in clients]
    owner = np.repeat(np.arange(len(clients)), len(T))
    numbers = case.lane_numbers(len(owner))
    setting = {"K": 2, "b": b, "metrics": metrics_of(case)}
    lanes, horizons = np.tile(REPLICATES, len(clients)), np.tile(T, len(clients))
    S = np.array([S for _, S in clients])[owner]
    whole = mix_problems(problems, owner)
    together = simulate(whole, case.method(**numbers), T=horizons, S=S, lanes=lanes, block=block, **setting)
    for lane, i in enumerate(owner):
        own = case.method(**{name: values[lane].item() for name, values in numbers.items()})
        alone = simulate(problems[i], own, T=horizons[lane], S=S[lane], lanes=[lanes[lane]], **setting)
        at = np.isin(together.checkpoints, alone.checkpoints)
        assert together.final[lane].tobytes() == alone.final[0].tobytes()
        for kind in ("curves", "instant", "costs"):
            for name, values in getattr(alone, kind).items():
                np.testing.assert_array_equal(getattr(together, kind)[name][lane, at], values[0], err_msg=name)


@pytest.mark.parametrize("case", first_of_each(lambda case: case.name, MIXED), ids=str)
def test_lanes_of_other_numbers_of_clients_change_nothing(case):
    """Whatever stands beside it, and whichever lanes end first."""
    assert_as_alone(case, [(2, 2), (7, 7), (4, 4)])


@pytest.mark.parametrize(
    "case", first_of_each(lambda case: case.name, [case for case in MIXED[::-1] if case.partial]), ids=str
)
def test_lanes_of_other_numbers_of_active_clients_change_nothing(case):
    """Where some clients are idle, memories are those of the lane's own clients."""
    assert_as_alone(case, [(5, 2), (5, 3), (8, 2)])


@pytest.mark.parametrize(
    "more", [{"b": 3}, {"block": 4}, {"noise": "signs"}, {"noise": "signs", "b": 2}, {"sigma": 0.0}]
)
def test_minibatches_blocks_and_noise(more):
    """Minibatches of several samples, lanes in blocks, noise whose tokens have no axis of samples, and none at all."""
    case = next(case for case in MIXED if case.name == "fedavg")
    assert_as_alone(case, [(3, 3), (6, 6), (2, 2)], **more)


@pytest.mark.parametrize(
    ("family", "more"),
    [("ridge", {"heterogeneity": "phase"}), ("ridge-waves", {"link": "log"}), ("ridge-waves", {"zeta": 0.0})],
)
def test_clients_that_differ_by_waves(family, more):
    """Waves of the same size on whatever number of clients, three or more on a ridge."""
    case = next(case for case in MIXED if case.name == "fedavg")
    assert_as_alone(case, [(4, 2), (6, 3), (8, 2)], family=family, **{"zeta": 0.8, **more})


def test_a_lane_that_diverges_leaves_the_others_alone():
    """Lanes are cut out of memories, streams and sums, those of all clients too."""
    case = next(case for case in MIXED if case.name == "scaffold")
    problems = [problem_of(case, N, link="quadratic") for N in (4, 6)]
    eta = np.array([0.1, 1e200, 1e200, 0.1])
    setting = {"K": 2, "T": 9, "points": 8, "S": 3}
    lanes = [0, 1, 0, 1]
    together = simulate(
        mix_problems(problems, np.array([0, 0, 1, 1])), METHODS["scaffold"](eta=eta), lanes=lanes, **setting
    )
    for lane, step in enumerate(eta):
        alone = simulate(problems[lane // 2], METHODS["scaffold"](eta=step), lanes=[lanes[lane]], **setting)
        assert together.average("server_gradient")[lane] == alone.average("server_gradient")[0]
    assert np.isinf(together.average("server_gradient")).tolist() == [False, True, True, False]


def test_every_name_is_that_of_a_method_which_is_tried():
    """Each card that says so has a line in the table, and 42 do."""
    declared = {name for name in [*METHODS, *METHODS.further] if METHODS[name].card.mixes}
    assert {case.name for case in MIXED} == declared
    assert len(declared) == 42


class Renamed(METHODS["fedavg"]):
    """A method of a user's own; its card says that it mixes."""

    card = replace(METHODS["fedavg"].card, id="mine")


class Silent(METHODS["fedavg"]):
    """One whose card does not say so."""

    card = replace(METHODS["fedavg"].card, id="silent", mixes=False)


def test_a_stranger_s_method_is_mixed_by_its_card():
    """Its lanes share an array and have their own bits; one whose card is silent is refused by name."""
    clients = [(2, 2), (3, 3)]
    whole = mix_problems([problem_of(Case("fedavg", {}), N) for N, _ in clients], np.arange(2))
    run = simulate(whole, Renamed(eta=0.1), K=2, T=3, lanes=[0, 0])
    for lane, (N, _) in enumerate(clients):
        alone = simulate(problem_of(Case("fedavg", {}), N), Renamed(eta=0.1), K=2, T=3, lanes=[0])
        assert run.final[lane].tobytes() == alone.final[0].tobytes()
    with pytest.raises(NotApplicableError, match="method silent"):
        simulate(whole, Silent(eta=0.1), K=2, T=3, lanes=[0, 0])


@pytest.mark.parametrize(
    ("method", "setting", "wrong"),
    [
        ("fedavg", {"metrics": ["drift"]}, "metric drift"),
        ("fedavg", {"metrics": ["rise"]}, "metric rise"),
        ("fedavg", {"quantities": ["drift_correlation"]}, "quantity drift_correlation"),
        ("gradma-s", {}, "method gradma-s"),
    ],
)
def test_what_joins_clients_by_itself_is_refused(method, setting, wrong):
    """By name."""
    case = next(case for case in CASES if case.name == method)
    whole = mix_problems([problem_of(case, N) for N in (2, 3)], np.arange(2))
    with pytest.raises(NotApplicableError, match=wrong):
        simulate(whole, case.method(), K=1, T=1, lanes=2, **setting)


def test_coins_are_refused():
    """A quantiser tosses coins, a lane of few clients fewer of them."""
    case = next(case for case in CASES if case.name == "fedlomo" and case.options)
    whole = mix_problems([problem_of(case, N) for N in (2, 3)], np.arange(2))
    with pytest.raises(NotApplicableError, match="method fedlomo"):
        simulate(whole, case.method(), K=1, T=1, lanes=2)


@pytest.mark.parametrize(("S", "lanes"), [([1, 9], 2), ([0, 1], 2), ([1.5, 1], 2), (1, 3)])
def test_active_clients_are_counts_a_lane(S, lanes):
    """From 1 to the lane's own N, one for every lane that the problem has."""
    case = next(case for case in CASES if case.name == "fedavg")
    whole = mix_problems([problem_of(case, N) for N in (2, 3)], np.arange(2))
    with pytest.raises(InputError, match=r"S|lanes"):
        simulate(whole, case.method(), K=1, T=1, S=S, lanes=lanes)


@pytest.mark.parametrize(
    "different",
    [{"weight": 2.0}, {"sigma": 0.1}, {"heterogeneity": "phase"}, {"noise": "common-signs"}, {"d": 1}],
)
def test_what_differs_in_more_than_clients_is_not_mixed(different):
    """Nor is noise that clients share, nor one coordinate, of which sums over rows are made otherwise."""
    case = next(case for case in CASES if case.name == "fedavg")
    first = different if different.keys() & {"d"} or different.get("noise") else {}
    assert mix_problems([problem_of(case, 2, **first), problem_of(case, 3, **different)], np.arange(2)) is None


def test_families_of_which_f_reads_the_clients_are_not_mixed():
    """A quadratic's f is a mean of tables of clients."""
    assert mix_problems([FAMILIES["quadratic"](N=N, d=3) for N in (2, 3)], np.arange(2)) is None
