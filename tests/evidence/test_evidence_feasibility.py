"""Whether conditions can be met, and from which horizon on a bound says anything."""

from dataclasses import replace

import pytest
import sympy as sp
from together import together

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.bound import Condition
from boundcheck.errors import NotApplicableError
from boundcheck.evidence import check, feasibility, informative_from
from boundcheck.evidence.checks.survey import SURVEYED, survey
from boundcheck.evidence.trials.examples import example_of, size_within
from boundcheck.notation import PAPERS, symbols
from boundcheck.problems import load_problem

EMPTY = {"momentum-fl.theorem19-proof", "momentum-fl.theorem22-proof"}
"""Printed parameters that contradict the conditions of their own proof."""


@together([n for n, b in BOUNDS.items() if b.kind == "explicit" and n not in EMPTY])
def test_every_explicit_bound_has_an_example_that_meets_its_conditions(name):
    """The example returned meets every condition when the bound is evaluated there."""
    found = feasibility(BOUNDS[name])
    assert found.feasible is True
    bound = replace(BOUNDS[name], derived={})
    values = found.example | {"b": 1, "d": 8}
    assert all(c.holds for c in bound.check(bound.resolve(values)))


def test_small_mu_leaves_no_step():
    """At mu = 1/4 no L_block and no steps meet what FMGDA's proof needs; erratum E7: none for mu <= 211/360."""
    assert feasibility(BOUNDS["fmgda.theorem1-proof"], at={"mu": 0.25}).feasible is False
    assert feasibility(BOUNDS["fmgda.theorem1R"], at={"mu": 0.25}).feasible is True


def test_contradiction_is_proved():
    """A planted contradiction is found, and a planted harmless condition is not called one."""
    K, L, eta = symbols("K L eta")
    bound = BOUNDS["fedlalr.corollary1"]
    clash = Condition("above", sp.Ge(eta, 1 + K * L)), Condition("below", sp.Le(eta, K * L))
    assert feasibility(replace(bound, conditions=(*bound.conditions, *clash))).feasible is False
    harmless = Condition("harmless", sp.Ge(L + K, 1))
    assert feasibility(replace(bound, conditions=(*bound.conditions, harmless))).feasible is True


def test_informative_horizon_is_the_first_one():
    """One round earlier the bound is vacuous; checked by evaluating it on both sides."""
    problem = load_problem("ridge-ratio", N=8)
    bound = BOUNDS["momentum-fl.theorem11"]
    T = informative_from(bound, problem, K=4)
    constants = {k: c.value for k, c in problem.constants.items()}
    vacuous = [
        bound.evaluate(bound.resolve(constants | {"N": 8, "S": 8, "K": 4, "T": t, "b": 1, "d": problem.d})).vacuous
        for t in (T - 1, T)
    ]
    assert vacuous == [True, False]


def test_no_horizon_is_denied_that_a_few_settings_have():
    """What is vacuous at every T where it is asked is so at other numbers of clients, active ones and steps, too."""
    silent = []
    for name, bound in BOUNDS.items():
        if bound.paper not in PAPERS or bound.kind != "explicit" or bound.derived or name in EMPTY:
            continue
        where, size = example_of(bound), size_within(bound, example_of(bound), *SURVEYED)
        if informative_from(bound, load_problem(where, N=size.N), K=size.K, S=size.S) is None:
            silent.append(name)
            for N, S, K in ((8, 4, 4), (8, 1, 4), (8, 4, 1), (16, 16, 1), (64, 32, 1), (1, 1, 1)):
                assert informative_from(bound, load_problem(where, N=N), K=K, S=S) is None, (name, N, S, K)
    assert silent == ["gradma.lemma2-printed", "gradma.lemma2"]


def test_conditions_that_exclude_all_clients_are_asked_with_half_of_them():
    """FedGLOMO's range of K is empty at S = N; at S = N/2 the first horizon is that of its right-hand side."""
    said = survey(BOUNDS["fedglomo.theorem1"])
    assert (said.N, said.S, said.K) == (8, 4, 4)
    assert said.silence == f"vacuous below T = {said.informative_from:,}"
    problem = load_problem(said.problem, N=8)
    constants = problem.values_for(BOUNDS[said.id].needs) | {"N": 8, "K": 4, "b": 1, "d": problem.d, "alpha_div": 8.0}

    def at(T, S):
        return BOUNDS[said.id].evaluate(BOUNDS[said.id].resolve(constants | {"T": T, "S": S}), strict=False)

    assert at(said.informative_from - 1, 4).vacuous
    assert not at(said.informative_from, 4).vacuous
    assert not at(said.informative_from, 4).unmet
    assert at(said.informative_from, 8).unmet


def test_a_letter_of_the_run_makes_a_horizon_the_least_one():
    """GradMA's lemma at K = 4: below T = 37 it is vacuous on any run; with the eps_l of a run it still is there."""
    said = survey(BOUNDS["gradma.lemma6"])
    assert said.at_zero == ["eps_l", "eps_g"]
    assert survey(BOUNDS["gradma.lemma6-fedavg"]).at_zero == []
    assert survey(BOUNDS["fedglomo.theorem3"]).at_zero == []
    assert said.silence == "vacuous below T = 37"
    problem = load_problem("ridge-split[d=2,sigma=0.0,zeta=0.5]", N=8)
    least = informative_from(BOUNDS[said.id], problem, K=4)
    trivial = 2 * problem.constant("L") * problem.constant("Delta")
    assert check(said.id, problem, K=4, T=2 * least).rhs > trivial
    assert check("gradma.lemma6-fedavg", problem, K=4, T=2 * least).rhs < trivial


def test_a_hidden_constant_has_no_horizon():
    """The reason stands in place of one."""
    name = "momentum-fl.theorem11-printed"
    with pytest.raises(NotApplicableError, match=name.replace(".", "[.]")):
        informative_from(BOUNDS[name], load_problem("ridge-ratio", N=2), K=4)


def test_a_sum_over_the_schedule_and_its_closed_form_begin_together():
    """FMGDA's repaired theorem adds up its steps round by round; its corollary has the sum in closed form."""
    problem = load_problem("ncsc-p1", N=8)
    first = [informative_from(BOUNDS[f"fmgda.{name}"], problem, K=4) for name in ("theorem1R", "corollary1R")]
    assert first[0] == first[1] == 9887


def test_a_constant_may_be_zero():
    """Consistent systems have sigma_star = 0, which a positive letter has not; noise both 0 and 1 is the control."""
    L_sample, sigma_star = symbols("L_sample sigma_star")
    nothing = Condition("consistent", sp.Eq(sigma_star, 0, evaluate=False))
    some = Condition("noisy", sp.Ge(sigma_star, 1))
    bound = replace(BOUNDS["field.gd-convex"], needs=("mu", "L_sample", "sigma_star"), parameters={"eta": 1 / L_sample})
    found = feasibility(replace(bound, conditions=(nothing,)))
    assert found.feasible is True
    assert found.example["sigma_star"] == 0
    assert found.example["mu"] <= found.example["L_sample"]
    assert feasibility(replace(bound, conditions=(nothing, some))).feasible is False


def test_a_condition_without_a_word_for_the_solver_is_left_open():
    """Went wrong: a theorem for whole periods of equal curvature ended in "expression = Mod(T, 3) is not legal"."""
    T, L, mu = symbols("T L mu")
    bound = replace(BOUNDS["fedlalr.corollary1"], needs=("L", "mu"), parameters={}, free=())
    periods, equal = Condition("whole periods", sp.Eq(sp.Mod(T, 3), 0)), Condition("parabolas", sp.Eq(mu, L))
    found = feasibility(replace(bound, conditions=(periods, equal)))
    assert found.feasible is None
    assert "Mod(T, 3)" in found.detail
    assert feasibility(replace(bound, conditions=(periods,))).feasible is True
