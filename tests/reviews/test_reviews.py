"""The review of one theorem: settings within the conditions, what is found, and the words of the report."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from sympy import Eq, Integer, Le, Rational

import boundcheck as bc
from boundcheck.bounds import BOUNDS, Bound, Condition
from boundcheck.errors import InputError
from boundcheck.evidence.search.instances import TrialInstance, speaks_of_minibatches
from boundcheck.notation import symbols
from boundcheck.reviews import inquiry, write_review
from boundcheck.reviews.places import SuitablePlace, _quick_first, along_horizons, choose_places
from boundcheck.reviews.questions import find_worst_case, nearest_first, see_rate
from boundcheck.reviews.words import heading, hypotheses, sections
from boundcheck.verdicts.status import of_bound
from boundcheck.verdicts.words import STATUS_WORDS

N, S, K, T, L, mu, sigma, Delta, delta_x, G_inf = symbols("N S K T L mu sigma Delta delta_x G_inf")
DESCENT = Bound(
    id="descent",
    paper="here",
    title="gradient descent with step 1/L",
    where="Theorem 1",
    method="fedavg",
    metric="server_gradient",
    needs=("L", "Delta"),
    parameters={"eta": 1 / L},
    terms={"gap": 2 * L * Delta / T},
    trivial=2 * L * Delta,
    conditions=(Condition("one local step", Eq(K, 1)), Condition("all clients", Le(N, S))),
    exact_gradients=True,
    rigid=True,
)
"""True, and attained: Delta falls by |grad f|^2/(2 L) a step, which is the whole of it for a parabola."""
FEW = 4_000


@pytest.fixture(scope="module")
def reviewed():
    return bc.review(DESCENT, work=FEW)


def test_settings_are_within_the_conditions():
    """The first setting that comes to mind, K = 4, is outside: all are at K = 1, on problems of different families."""
    places = choose_places(DESCENT, 5).places
    assert {place.at.K for place in places} == {1}
    assert len({place.at.problem.partition("[")[0] for place in places}) == len(places) == 5
    assert all(place.rhs < place.trivial for place in places)


def test_a_theorem_about_local_steps_is_put_on_some():
    """The control for K = 1: where the conditions leave K open, there are local steps."""
    assert {4} <= {place.at.K for place in choose_places(BOUNDS["momentum-fl.theorem11"], 3).places}


def test_clients_come_before_one_client_alone():
    """Shared minima hold for one client of every problem; a problem on which several share them shows more."""
    (zeta_star,) = symbols("zeta_star")
    shared = Condition("shared minima", Eq(zeta_star, 0, evaluate=False))
    bound = replace(DESCENT, needs=(*DESCENT.needs, "zeta_star"), conditions=(*DESCENT.conditions, shared))
    places = choose_places(bound, 5).places
    assert sum(place.at.N > 1 for place in places) >= 3


def test_conditions_may_fix_the_minibatch():
    """A batch of 4 is met by four samples a step, and measured there."""
    (b,) = symbols("b")
    bound = replace(
        DESCENT,
        needs=(*DESCENT.needs, "sigma"),
        exact_gradients=False,
        terms={**DESCENT.terms, "noise": sigma**2 / (N * b)},
        conditions=(*DESCENT.conditions, Condition("four samples", Eq(b, 4))),
    )
    assert {place.at.b for place in choose_places(bound, 3).places} == {4}
    assert bc.review(bound, work=FEW).measured


def test_minibatches_are_a_dial_of_a_search():
    """1/b^2 in the place of 1/b is false only for b > 1; of 1/b alone nothing else is to be tried."""
    (b,) = symbols("b")
    noisy = replace(
        DESCENT,
        needs=(*DESCENT.needs, "sigma"),
        exact_gradients=False,
        terms={**DESCENT.terms, "noise": sigma**2 / (N * b)},
    )
    assert not speaks_of_minibatches(noisy)
    wrong = replace(noisy, terms={**DESCENT.terms, "noise": sigma**2 / (N * b**2)})
    assert speaks_of_minibatches(wrong)
    found = bc.refute(wrong, work=60_000, budget=60)
    assert found.verdict == "violated"
    assert found.instance.b > 1
    assert f"--b {found.instance.b}" in found.command


def test_a_rate_is_seen_where_the_theorem_is_near():
    """Not where it holds with room: the order of places is that of the shares that were measured."""
    places = choose_places(DESCENT, 3).places
    far, near, middle = (replace_measured(place, share) for place, share in zip(places, (0.01, 0.9, 0.1), strict=True))
    assert nearest_first(places, [far, near, middle]) == [places[1], places[2], places[0]]


def replace_measured(place, share):
    """Return a verdict that has measured a share of the right-hand side."""
    return SimpleNamespace(measured=share * place.rhs)


def test_letters_are_computed_where_it_is_quick_first():
    """One of every family comes first, and chains, whose gradients are loops, last."""
    ordered = _quick_first(["chain", "ridge-ratio", "ridge-log", "chain-split", "piecewise"])
    assert ordered == ["ridge-ratio", "piecewise", "ridge-log", "chain", "chain-split"]


def test_horizons_of_a_fit_are_within_the_conditions():
    """Of a condition T >= 64 no horizon of the grid is below."""
    late = replace(DESCENT, conditions=(*DESCENT.conditions, Condition("late", Le(64, T))))
    grid = [at.T for at in along_horizons(late, choose_places(late, 1).places[0], 7)]
    assert min(grid) >= 64
    assert len(grid) >= 3


def test_a_true_theorem_that_is_attained(reviewed):
    """Its worst case is its right-hand side, 1/(2 (T + 1)) off only for T: nothing is left, and nothing is violated."""
    assert reviewed.verdict == "holds"
    assert reviewed.status.status == "not contradicted"
    assert reviewed.feasible
    assert reviewed.units == ()
    assert reviewed.horizon.first == 2
    assert reviewed.worst.case.looseness == pytest.approx(1.0, rel=1e-4)
    assert reviewed.rate.promised.startswith("T^(-1)")
    assert reviewed.rate.fit.promise in {"as promised", "faster", "undecided"}
    assert "violated" not in reviewed.verdicts


def test_units_that_do_not_fit_are_explained(reviewed):
    """What s and r are stands below the places, and nowhere where all fits."""
    answers = {section.title: section.lines for section in sections(replace(reviewed, units=("term gap: has unit 1",)))}
    assert [line.partition(" ")[0] for line in answers["units"]] == ["term", "s"]
    assert len({section.title: section.lines for section in sections(reviewed)}["units"]) == 1


def test_a_spoiled_one_is_violated_with_a_script():
    """At nine tenths of the constant the parabola refutes it; the script is numpy alone and says so again."""
    found = bc.review(replace(DESCENT, terms={"gap": Integer(9) / 10 * 2 * L * Delta / T}), work=FEW)
    assert found.verdict == "violated"
    assert found.status.status == "false as printed"
    assert found.search.factors["gap"] == pytest.approx(10 / 9, rel=1e-3)
    assert "boundcheck" not in found.search.replay
    words = {section.title: section.lines for section in sections(found)}
    assert words["search"][0].startswith("violated on ")
    assert any(line.startswith("boundcheck check") for line in words["search"])


def test_the_same_review_twice(reviewed):
    assert bc.review(DESCENT, work=FEW).data() == reviewed.data()


def test_assumptions_that_exclude_each_other_are_not_searched():
    """Strongly convex functions have no bounded gradient: the control is the same theorem without G_inf."""
    empty = replace(DESCENT, needs=("L", "Delta", "mu", "G_inf"))
    found = bc.review(empty, work=FEW)
    assert found.feasible is False
    assert found.search is None
    assert found.verdict == "not applicable"


def test_what_was_not_asked_is_said(reviewed):
    assert any("proves a theorem" in line for line in reviewed.unasked)
    assert any("its proof" in line for line in reviewed.unasked)
    assert any("gamma = 1" in line for line in reviewed.unasked)


@pytest.mark.parametrize("name", sorted(BOUNDS))
def test_the_status_is_that_of_the_report(name):
    """Without a run of its own a review says the shipped status and its grounds."""
    assert inquiry._status(BOUNDS[name], (), None) == of_bound(name)


def test_words_of_a_printed_statement(reviewed):
    """What an audit found of it stands in the review, in the words of the report's pages."""
    printed = BOUNDS["fedglomo.lemma13"]
    found = replace(reviewed, bound=printed, status=of_bound(printed.id))
    status = dict(sections(found))["status"]
    assert status[0].startswith(f"false as printed: {STATUS_WORDS['false as printed'].meaning}")
    assert printed.remark.why in status


def test_the_statement_has_every_hypothesis(reviewed):
    said = hypotheses(DESCENT)
    assert "one local step: K = 1" in said
    assert "all clients: N <= S" in said
    assert "exact local gradients" in said
    assert heading(reviewed) == "descent: gradient descent with step 1/L (here, Theorem 1)"


def test_eulers_number_is_no_letter():
    """E is a letter of FedGLOMO's paper; the number reads as in every other formula here."""
    (line,) = (one for one in hypotheses(BOUNDS["momentum-fl.theorem11"]) if one.startswith("drift sum"))
    assert "exp(1)" in line
    assert "E*" not in line


def test_pages(reviewed, tmp_path):
    """A page for paper and one for a browser; the same review gives the same bytes."""
    first, second = write_review(reviewed, tmp_path / "a.pdf"), write_review(reviewed, tmp_path / "b.pdf")
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith(b"%PDF")
    page = write_review(reviewed, tmp_path / "a.html").read_text()
    assert "gradient descent with step 1/L" in page
    with pytest.raises(InputError, match=r"\.pdf or \.html"):
        write_review(reviewed, tmp_path / "a.txt")


def test_errors_name_the_argument(tmp_path):
    with pytest.raises(InputError, match="work"):
        bc.review(DESCENT, work=0)
    with pytest.raises(InputError, match=r"proof = .*toml"):
        bc.review(DESCENT, proof=tmp_path / "none.toml")


def test_a_proof_is_read(tmp_path):
    """Of a claim file that is given, the review says what the kernel says."""
    proof = tmp_path / "mine.toml"
    text = (Path(bc.__file__).parent / "skeletons" / "claim.toml").read_text()
    proof.write_text(text.replace("FILE", str(proof)))
    found = inquiry.questions.answer_proof(DESCENT, proof)
    assert {word for _, word in found.claims} <= {"proved", "refuted", "supported", "does not follow", "vacuous"}
    assert len(found.claims) >= 4


BOWL = """
from boundcheck.problems.own import from_functions

def BOWL(N):
    constants = {"L": 1.0, "mu": 0.25, "f_star": 0.0}
    return from_functions(lambda i, x: x[0] ** 2 / 2 + x[1] ** 2 / 8, lambda i, x: x * [1.0, 0.25],
        N=N, d=2, start=[0.0, 1.0], x_star=[0.0, 0.0], convex=True, constants=constants)
"""


def test_a_linear_rate_is_measured(tmp_path):
    """Steps of 1/L multiply |x|^2 by (1 - 1/4)^2 on a parabola with curvature 1/4; 1 - 1/4 is promised."""
    (tmp_path / "bowl.py").write_text(BOWL)
    linear = replace(
        DESCENT,
        metric="final_distance",
        needs=("L", "mu", "delta_x"),
        terms={"rate": (1 - mu / L) ** T * delta_x},
        trivial=delta_x,
        convex=True,
    )
    place = SuitablePlace(TrialInstance(f"{tmp_path}/bowl.py:BOWL", 1, 1, 4), 0.1, 1.0)
    found = see_rate(linear, [place], seed=0)
    assert found.fit is None
    assert found.factors == pytest.approx((3 / 4, 9 / 16), rel=1e-9)


def test_plain_numbers_are_formulas():
    """A step of 1 and a rate of 0.5 need no sympy; what is no number is refused by name."""
    plain = replace(DESCENT, parameters={"eta": 0.1}, trivial=3)
    assert plain.parameters["eta"] == Rational(1, 10)
    assert plain.trivial == 3
    with pytest.raises(InputError, match="descent: terms, gap = 'L' is not legal: a formula of sympy, or a number"):
        replace(DESCENT, terms={"gap": "L"})


def test_the_worst_case_of_one_client_a_round_is_a_bound_alone():
    """With S = 1 there is an upper side; that of all clients is no larger."""
    one = replace(
        DESCENT, conditions=(*DESCENT.conditions[:1], Condition("one client", Eq(S, 1))), needs=("L", "Delta", "zeta")
    )
    found = find_worst_case(one)
    assert found.case.conditions == []
    assert "S = 1" in found.where
    assert found.case.case.upper >= find_worst_case(replace(DESCENT, needs=("L", "Delta", "zeta"))).case.case.upper
