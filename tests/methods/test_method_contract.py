"""What every registered method must do, whatever it computes: lanes, shapes, participation, cost and card."""

import dataclasses
import pickle
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from method_harness import Record, drive
from method_table import CASES, problem_for
from together import together
from turns import case_of, first_of_each, in_turn

from boundcheck.cli.cards.docstrings import full_docstring
from boundcheck.engine import simulate
from boundcheck.errors import NotApplicableError
from boundcheck.methods import METHODS
from boundcheck.methods.kinds import kind_of
from boundcheck.problems import FAMILIES

EACH = pytest.mark.parametrize("case", CASES, ids=str)
"""Every variant of every method."""
FIRST = pytest.mark.parametrize("case", first_of_each(lambda case: case.name, CASES), ids=str)
LAST = pytest.mark.parametrize("case", first_of_each(lambda case: case.name, CASES[::-1]), ids=str)
"""One variant of every method, the others slow."""
ONCE = [next(case for case in CASES if case.name == name) for name in dict.fromkeys(c.name for c in CASES)]
LANES, ROUNDS, K = 5, 4, 2
METRICS = ("server_gradient", "local_gradient", "drift")


def participation(case):
    return 3 if case.partial else 5


def run_with(case, *, lanes=None, T=ROUNDS, problem=None, **setting):
    """Run chosen lanes of a block of five whose lanes all differ in seed and in every hyperparameter."""
    lanes = list(range(LANES)) if lanes is None else list(lanes)
    numbers = {name: values[lanes] for name, values in case.lane_numbers(LANES).items()}
    horizon = T if np.ndim(T) == 0 else np.asarray(T)[lanes]
    setting = {"K": K, "S": participation(case), "metrics": METRICS, **setting}
    return simulate(problem or problem_for(case), case.method(**numbers), T=horizon, lanes=lanes, **setting)


def packaged(case):
    """Return a problem of a registered family: a quadratic, or a saddle with noise that depends on the point."""
    if case.network:
        return FAMILIES["mlp"](N=5, data="cancer", width=2, depth=2, split="skew")
    if case.kind == "minimise":
        return FAMILIES["quadratic"](N=5, d=7, spread=0.3, zeta=0.5, sigma=0.6, noise="phases")
    return FAMILIES["ncsc-ridge"](N=5, d1=4, d2=3, zeta_pair=0.5, wave_share=0.3, sigma=0.6)


def assert_same(found, expected, rows=slice(None)):
    """Assert that lanes agree to the last bit in everything that a run returns."""
    np.testing.assert_array_equal(found.final, expected.final[rows])
    for metric in METRICS:
        np.testing.assert_array_equal(found.average(metric), expected.average(metric)[rows])


def test_every_registered_method_is_in_the_table():
    """The table of cases covers the registry exactly."""
    assert {case.name for case in CASES} == set(METHODS)


@EACH
def test_state_and_result_have_the_contract_shapes(case):
    """The server iterate is (lanes, 1, d), the result (lanes, d) and (lanes, points), all finite."""
    problem = problem_for(case)
    for _, after in drive(problem, case.method(), K=K, rounds=2, lanes=LANES):
        assert after.x.shape == (LANES, 1, problem.d)
    run = run_with(case, problem=problem)
    assert run.final.shape == (LANES, problem.d)
    for metric in METRICS:
        assert run.curves[metric].shape == (LANES, len(run.checkpoints))
        assert np.isfinite(run.curves[metric]).all()


@pytest.mark.parametrize(("case", "noise"), in_turn(CASES, "signs", "phases", "packaged"), ids=str)
def test_a_lane_does_not_depend_on_its_neighbours(case, noise):
    """A lane is bit-identical alone, in other company and in another order."""
    problem = packaged(case) if noise == "packaged" else problem_for(case, noise=noise)
    everyone = run_with(case, problem=problem)
    for chosen in ([0], [3], [4, 1], [2, 0, 4, 3, 1]):
        assert_same(run_with(case, lanes=chosen, problem=problem), everyone, chosen)


@FIRST
def test_block_size_does_not_change_a_bit(case):
    """Blocks of 1, 3 and 16 lanes give the same numbers as the default."""
    expected = run_with(case)
    for block in (1, 3, 16):
        assert_same(run_with(case, block=block), expected)


@together(CASES)
def test_a_method_travels_between_processes(case):
    """A method survives pickling, which is all that a worker process needs of it."""
    assert pickle.loads(pickle.dumps(case.method())) == case.method()


@pytest.mark.parametrize(
    "name",
    [case_of(name, slow=name in ("fedavg-m", "fmgda")) for name in ("fedavg-m", "scaffold-m", "marina", "fmgda")],
)
def test_worker_processes_do_not_change_a_bit(name):
    """Two processes give the same numbers as one, with memories, coin flips and two blocks."""
    case = next(case for case in ONCE if case.name == name)
    assert_same(run_with(case, block=2, workers=2), run_with(case, block=2, workers=1))


@settings(deadline=None, max_examples=40)
@given(
    case=st.sampled_from(CASES),
    d=st.sampled_from([1, 2, 5, 17]),
    N=st.integers(2, 9),
    steps=st.integers(1, 3),
    chosen=st.permutations(range(4)),
    cut=st.integers(1, 4),
    block=st.integers(1, 5),
)
def test_lanes_are_independent_for_any_shape(case, d, N, steps, chosen, cut, block):
    """For random shapes, lane subsets and block sizes every lane is bit-identical to the full run."""
    problem = problem_for(case, N=N, d=d)
    setting = {"K": steps, "S": max(1, N // 2) if case.partial else N, "problem": problem}
    assert_same(run_with(case, lanes=chosen[:cut], block=block, **setting), run_with(case, **setting), chosen[:cut])


@LAST
def test_lanes_of_different_horizons_equal_their_own_runs(case):
    """In one call with a horizon a lane, every lane equals its run alone, and its curve ends at its horizon."""
    horizons = [3, 7, 1, 7, 5]
    together = run_with(case, T=horizons)
    assert together.gradients == run_with(case, T=horizons, lanes=[1]).gradients
    for lane, horizon in enumerate(horizons):
        assert_same(run_with(case, T=horizons, lanes=[lane]), together, [lane])
        after = together.checkpoints > horizon
        for metric in METRICS:
            assert np.isnan(together.curves[metric][lane, after]).all()
            assert np.isfinite(together.curves[metric][lane, ~after]).all()


@FIRST
def test_a_number_equals_an_array_of_equal_numbers(case):
    """A scalar hyperparameter and a per-lane array of that value give the same bits; so do lists for all of them."""
    setting = {"K": K, "T": ROUNDS, "lanes": LANES, "metrics": METRICS}
    expected = simulate(problem_for(case), case.method(), **setting)
    lists = {name: [value] * LANES for name, value in case.numbers.items()}
    for many in (lists, *({name: np.full(LANES, value)} for name, value in case.numbers.items())):
        assert_same(simulate(problem_for(case), case.method(**many), **setting), expected)


@EACH
def test_inputs_are_left_alone(case):
    """Neither the problem's data, nor the hyperparameter arrays, nor a state already returned is written to."""
    problem = problem_for(case)
    numbers = case.lane_numbers(LANES)
    watched = {**{k: v for k, v in vars(problem).items() if isinstance(v, np.ndarray)}, **numbers}
    before = {name: array.copy() for name, array in watched.items()}
    run = simulate(problem, case.method(**numbers), K=K, T=ROUNDS, S=participation(case), lanes=LANES)
    for name, array in watched.items():
        np.testing.assert_array_equal(array, before[name], err_msg=name)
        assert not np.shares_memory(run.final, array)
    states = []
    for _, after in drive(problem, case.method(), K=K, rounds=3, S=participation(case)):
        states.append((after, [np.array(v) for v in after]))
    for state, copies in states:
        for value, copy in zip(state, copies, strict=True):
            np.testing.assert_array_equal(value, copy)


@together(CASES)
def test_partial_participation_runs_exactly_when_the_card_says_so(case):
    """S < N runs where the table and the card allow it and is refused with a message naming S and N otherwise."""
    assert case.method().card.partial == case.partial
    if case.partial:
        assert np.isfinite(run_with(case, S=2).final).all()
    else:
        with pytest.raises(NotApplicableError, match=rf"{case.name}.*full participation.*S = 2 < N = 5"):
            run_with(case, S=2)


COUNTED = [case for case in CASES if case.gradients != "drawn" and not case.options.get("batch")]
"""Cases whose rounds cost what the card says; a `batch` replaces the card's exact gradients."""


def cost(formula, steps):
    """Return sampled and exact gradients a client and round from a card: terms in K, then possibly 'n full'."""
    sampled, _, full = formula.rpartition(" + ") if formula.endswith(" full") else (formula, "", "0 full")
    return eval(re.sub(r"(?<=\d)(?=[K(])", "*", sampled or "0"), {"K": steps}), int(full.removesuffix(" full"))


SHAPES = [*in_turn(COUNTED, (3, 1), (2, 3)), *(case_of((case, (1, 1)), slow=True) for case in COUNTED)]
"""Numbers of steps and samples; with one of each every formula looks alike."""


@pytest.mark.parametrize(("case", "shape"), SHAPES, ids=str)
def test_gradient_count_is_the_formula_of_the_card(case, shape):
    """A round costs S times the card's formula, b samples each; the start costs B on every client."""
    steps, b = shape
    problem = problem_for(case)
    record = Record(problem)
    S = participation(case)
    run = simulate(problem, case.method(), K=steps, T=ROUNDS, S=S, b=b, lanes=2, block=2)
    card = case.method().card.gradients
    assert case.gradients in card
    sampled, full = cost(case.gradients or card.split(" (")[0], steps)
    assert record.rounds[0].sampled == problem.N * case.options.get("B", 0)
    assert [(r.sampled, r.full) for r in record.rounds[case.warm + 1 :]] == [(S * sampled * b, S * full)] * (
        ROUNDS - case.warm
    )
    assert run.gradients == record.evaluations


@together(ONCE)
def test_the_card_is_complete(case):
    """The card is filed under its own id and leaves no field empty."""
    card = case.method().card
    assert card.id == case.name
    assert card.kind in {"minimise", "minimax"}
    for entry in dataclasses.fields(card):
        assert getattr(card, entry.name) != "", entry.name
    assert all(re.fullmatch(r"(\d|K)( compressed)?( \(\d with [\w= -]+\))?", floats) for floats in (card.up, card.down))


@together(ONCE)
def test_the_docstring_says_what_the_method_is(case):
    """The class docstring has the five sections, a cited reference and a description of every hyperparameter."""
    cls = type(case.method())
    text = full_docstring(cls)
    for section in ("Problem:", "**Update**", "**Communication**", "**Guarantee**", "References: [1]", "Attributes"):
        assert section in text, section
    attributes = text.split("Attributes\n")[1]
    for entry in dataclasses.fields(cls):
        assert re.search(rf"\b{entry.name}\b", attributes), entry.name


INLINE = """
from __future__ import annotations
from dataclasses import dataclass
from typing import Annotated
from boundcheck import notation
from boundcheck.methods.base import Step
from boundcheck.notation import PROBABILITY, WHOLE

@dataclass
class Mine:
    eta: Step
    radius: Annotated[float, notation.REAL]
    p: Annotated[float, PROBABILITY]
    warm: Annotated[int, WHOLE]
    exact: bool
"""


@pytest.mark.parametrize("postponed", [True, False])
def test_a_kind_that_is_declared_in_place_is_read(postponed):
    """Where annotations are texts, too: a radius was a choice, "true or false", there."""
    names = {"__name__": __name__}
    exec(INLINE if postponed else INLINE.replace("from __future__ import annotations", ""), names)
    assert {f.name: kind_of(f).name for f in dataclasses.fields(names["Mine"])} == {
        "eta": "step", "radius": "number", "p": "probability", "warm": "whole number", "exact": "choice",
    }  # fmt: skip
