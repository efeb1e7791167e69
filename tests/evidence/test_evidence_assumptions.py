"""Assumptions as objects: every answer has an independent witness on problems whose constants are known by hand."""

import json

import numpy as np
import pytest
import sympy as sp

from boundcheck import load_problem
from boundcheck.bounds import BOUNDS, RATES
from boundcheck.bounds.assumptions import ASSUMPTIONS, of_paper
from boundcheck.bounds.fedlalr import THEOREM_1R, phi
from boundcheck.cli.app import run
from boundcheck.errors import UnknownNameError
from boundcheck.evidence.papers.assumptions import satisfies, satisfies_paper
from boundcheck.notation import LETTERS, PAPERS, symbol


@pytest.mark.parametrize("name", ASSUMPTIONS)
def test_a_record_is_complete(name):
    """Named by its paper, with a statement and a place, in registered letters; a run's letters are no constants."""
    a = ASSUMPTIONS[name]
    assert name.partition(".")[0] == a.paper
    assert a.paper in PAPERS
    assert all((a.title, a.where, a.statement, a.used))
    assert set(a.letters) <= set(LETTERS)
    assert a.stated or name.partition(".")[2].startswith(("unstated", "implicit"))


def test_every_constant_of_a_theorem_is_assumed():
    """What a printed bound needs of a problem is a letter of its paper's assumptions, or of start and dimension."""
    start = {"Delta", "Delta_mean", "Delta_Phi", "delta_y", "G_0", "d"}
    for name in BOUNDS:
        bound = BOUNDS[name]
        if bound.form == "printed" and bound.kind == "explicit":
            assumed = {letter for a in of_paper(bound.paper) for letter in a.letters}
            # a theorem about smooth samples may use the constant of their mean
            assumed |= {"L"} if "L_sample" in assumed else set()
            assert set(bound.needs) - start <= assumed, name


@pytest.mark.parametrize(
    ("problem", "assumption", "status"),
    [
        # gradients of a quadratic grow without bound; those of log(1 + z^2) do not
        ("quadratic", "fedlalr.assumption3", "no"),
        ("ridge-log", "fedlalr.assumption3", "yes"),
        ("quadratic", "fedlalr.assumption1", "yes"),
        # a tilt takes a client of bounded slope to minus infinity
        ("ridge-ratio", "fedglomo.assumption2", "no"),
        ("ridge-two-phase", "fedglomo.assumption2", "yes"),
        ("ridge-ratio", "fmgda.assumption3", "no"),
        ("ncsc-p1", "fmgda.assumption3", "yes"),
        ("mlp-wine", "momentum-fl.assumption1", "not known"),
        ("least-squares", "momentum-fl.assumption3", "no"),
        ("auc-digits", "fmgda.assumption2", "on a ball"),
        ("ridge-ratio", "gradma.assumption4", "asks a run"),
        ("ridge-ratio", "fedglomo.assumption3", "asks the quantiser"),
    ],
)
def test_answers_on_problems_known_by_hand(problem, assumption, status):
    """The answer, and a reason in words."""
    found = satisfies(load_problem(problem, N=3), assumption)
    assert found.status == status
    assert found.reason


def test_no_is_shown_by_points():
    """On the quadratic a coordinate of the gradient grows with |x|; on least squares the variance does."""
    problem = load_problem("quadratic", N=3)
    sizes = [np.abs(problem.exact_gradient(np.full((1, 3, problem.d), s))).max() for s in (1e1, 1e3, 1e5)]
    assert sizes[2] > 50 * sizes[1] > 2500 * sizes[0]
    rows = load_problem("least-squares", N=3)
    spread = [rows.outcomes(np.full(rows.d, s), 0).var(axis=0).sum() for s in (1e1, 1e3)]
    assert spread[1] > 1e3 * spread[0]


def test_common_noise_is_refused():
    """Theorems that average independent noise do not speak of clients that see the same."""
    problem = load_problem("fedlalr-a7", N=3)
    assert not problem.has_independent_noise
    assert satisfies(problem, "fedlalr.unstated-independence").status == "no"
    assert satisfies(problem, "fedlalr.assumption2").status == "yes"


def test_constants_are_those_of_the_problem():
    """Values come from the certified constants."""
    problem = load_problem("ncsc-p1", N=3)
    (found,) = [a for a in satisfies_paper(problem, "fmgda") if a.assumption == "fmgda.assumption1"]
    assert found.constants == {"sigma": problem.constant("sigma"), "zeta_pair": problem.constant("zeta_pair")}


def test_names_are_checked():
    """Unknown assumptions and papers are named."""
    problem = load_problem("quadratic", N=2)
    with pytest.raises(UnknownNameError, match=r"unknown assumption 'fedlalr\.assumption4'"):
        satisfies(problem, "fedlalr.assumption4")
    with pytest.raises(UnknownNameError, match="unknown paper"):
        satisfies_paper(problem, "fedavg")


def test_the_command_says_the_same(capsys):
    """JSON of `satisfies`, and the assumptions on the card of a paper."""
    assert run(["satisfies", "quadratic", "fedlalr", "--N", "3", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)["results"]
    assert [row["assumption"] for row in data] == [a.id for a in of_paper("fedlalr")]
    assert run(["show", "fedlalr"]) == 0
    said = capsys.readouterr().out
    assert all(a.id in said for a in of_paper("fedlalr"))
    assert run(["show", "fmgda.assumption3"]) == 0
    assert "strongly concave" in capsys.readouterr().out


def test_phi_of_fedlalr_is_the_printed_one():
    """Lines 173 to 177 typed in again, alpha for the step, at numbers of no special size; the rest is the gap."""
    G, L, b, e, K, T, N, d, alpha, sigma = 2.0, 1.3, 0.7, 0.6, 3.0, 50.0, 4.0, 5.0, 0.02, 0.9
    squared = (2 * L**2 * b**2 * G**2 * d / ((1 - b) ** 2 * e**4)) + K**2 * L**2 * G**2 / e**4 * (
        1 + 4 * K**2 * (1 - b) ** 2 * d
    )
    linear = (2 - b) * G**2 * K * d * (G**2 - e**2) / ((1 - b) * e**3) + 3 * d * (G**2 - e**2) * G**2 / (
        2 * e**3 * (1 - b)
    )
    mixed = 5 * L * G**2 * d * (G**2 - e**2) ** 2 / (8 * e**6 * (1 - b) ** 2) * (2 * b**2 + (1 - b) ** 2)
    mixed += 5 * L * K * G**2 * d**2 * (G**2 - e**2) ** 2 / (2 * e**6)
    noise = 5 * L * d * sigma**2 * alpha / (4 * e**2 * N)
    printed = 2 * G * (squared * alpha**2 + linear / T + mixed * alpha * N / T + noise)
    values = {"G_inf": G, "L": L, "beta1": b, "eps": e, "K": K, "T": T, "N": N, "d": d, "eta": alpha, "sigma": sigma}
    found = phi().subs({symbol(k): v for k, v in (values | {"b": 1}).items()})
    assert float(found) == pytest.approx(printed, rel=1e-12)
    gap = BOUNDS["fedlalr.theorem1"].total - phi()
    letters = {name: symbol(name) for name in ("G_inf", "Delta", "eta", "K", "T")}
    assert sp.simplify(gap - sp.sympify("2*G_inf*Delta/(eta*K*T)", locals=letters)) == 0
    assert phi(THEOREM_1R) != phi()


def test_phi_of_fmgda_is_the_maximum():
    """`envelope` is max_y F(x, y): no y on a fine grid of directions does better, y_star reaches it."""
    problem = load_problem("ncsc-p1", N=2)
    x = problem.start[None, None].copy()
    first = problem.blocks[0]
    best = problem.best_response(x)
    at = np.concatenate([x[..., :first], best], axis=-1)
    assert problem.value(at)[0] == pytest.approx(problem.envelope(x)[0], rel=1e-12)
    for move in np.random.default_rng(0).standard_normal((50, problem.blocks[1])):
        worse = np.concatenate([x[..., :first], best + move], axis=-1)
        assert problem.value(worse)[0] < problem.envelope(x)[0]
    assert {LETTERS["Phi"].papers["fmgda"], LETTERS["Phi_T"].papers["fedlalr"]} == {"Phi", "Phi (Theorem 1)"}


def test_theorem_1_of_momentum_fl_matches_the_noise_term_of_the_lower_bound_alone():
    """The noise terms are one expression; the descent terms differ by N K, the samples of a round."""
    lower, rate = RATES["momentum-fl.text-lower-bound"], RATES["momentum-fl.table1-fedavg-m"]
    ratio = {name: sp.simplify(rate.terms[name].subs(symbol("b"), 1) / lower.terms[name]) for name in lower.terms}
    assert ratio == {"noise": 1, "descent": symbol("N") * symbol("K")}
