"""Constants that follow from others: attacked like those that are stated, and found out where they are too small."""

from dataclasses import replace

import numpy as np
import pytest
from problem_cases import problem_of

from boundcheck.errors import InputError
from boundcheck.problems import load_problem
from boundcheck.problems.certification.certify import certify_claims
from boundcheck.problems.penalty import Penalty

SPECS = (
    "ridge-ratio-phases",
    "ridge-dropout",
    "ridge-dropout[zeta=0]",
    "quadratic",
    "strong-bowl",
    "stress-huber[sigma=1,noise=signs]",
    "finite-sum-interpolated",
    "parabolas",
    "parabolas-shared",
    "parabolas-clients",
    "cosh",
)


def following(spec, N=3):
    """Return a problem and what follows from its constants."""
    problem = problem_of(spec, N)
    return problem, {letter: c for letter, c in problem.letters.items() if letter not in problem.constants}


@pytest.mark.parametrize("spec", SPECS)
def test_what_follows_is_not_exceeded(spec):
    """And exact values are reached."""
    problem, found = following(spec)
    assert found
    assert [row for row in certify_claims(problem, found) if not row.ok] == []


@pytest.mark.parametrize(
    ("spec", "letter"),
    [
        ("quadratic", "G_dis"),
        ("quadratic", "L_exp"),
        ("quadratic", "L_0"),
        ("ridge-dropout[zeta=0]", "rho_sg"),
        ("ridge-dropout[zeta=0]", "B_rel"),
        ("parabolas", "sigma_star"),
        ("ridge-ratio-phases", "B_dis"),
        ("stress-huber", "G_norm"),
    ],
)
def test_less_is_found_out(spec, letter):
    """A tenth less exceeds what is attained; of a pair the other letter stays."""
    problem, found = following(spec)
    less = replace(found[letter], value=0.9 * found[letter].value)
    (row,) = certify_claims(problem, {letter: less})
    assert row.status == "exceeded"


def test_some_values_by_hand():
    """Dropout one in four on equal clients: E|g|^2 = 4 |grad f|^2, and no noise where grad f = 0; zeta is G_dis."""
    _, dropped = following("ridge-dropout[zeta=0]")
    assert (dropped["rho_sg"].value, dropped["sigma_star"].value, dropped["B_rel"].value) == (4.0, 0.0, 1.0)
    problem, tilted = following("quadratic")
    assert (tilted["G_dis"].value, tilted["B_dis"].value) == (problem.constant("zeta"), 1.0)
    assert "B_rel" not in tilted
    assert tilted["sigma_star"].value == problem.constant("sigma")
    assert problem.constant("L_exp") == problem.constant("L")
    # Curvatures 0.2 and 1 of two samples: E|g|^2/|grad f|^2 = (0.04 + 1)/2 / 0.36.
    shared = load_problem("parabolas-shared[m=2,d=1]", N=1)
    a = shared.curvatures[0, :, 0]
    assert sorted(a) == [0.2, 1.0]
    assert shared.constant("rho_sg") == pytest.approx(0.52 / 0.36)
    assert shared.constant("L_exp") == pytest.approx(0.52 / 0.6)


def test_samples_of_a_list_are_no_noise_model():
    """Rows of data have the exact oracle for their noise, and differ all the same."""
    assert not load_problem("finite-sum", N=2).samples_are_noise
    assert "rho_sg" not in load_problem("finite-sum-interpolated[m=2]", N=1).letters


def test_a_penalty_is_convex_and_a_start_is_inside():
    """Negative weights, empty boxes and starts outside are refused."""
    with pytest.raises(InputError, match="l1"):
        Penalty(l1=-1.0)
    with pytest.raises(InputError, match="box"):
        Penalty(box=0.0)
    with pytest.raises(InputError, match=r"within the box, 0\.5"):
        load_problem("boxed[start=2]", N=1)
    h = Penalty(l1=2.0, box=1.0)
    assert h.value(np.array([[[0.5, -1.0]], [[0.5, -1.1]]])).tolist() == [3.0, np.inf]
    assert Penalty().is_none
    assert not h.is_none


def test_noise_makes_second_moments_larger_than_gradients():
    """G_norm is G_rms without noise, where 0.9 of it is exceeded (above), and an upper bound with it."""
    for spec, kind in (("stress-huber", "exact"), ("stress-huber[sigma=1,noise=signs]", "upper")):
        problem = load_problem(spec, N=2)
        assert problem.letters["G_norm"].kind == kind
        assert problem.constant("G_norm") == problem.constant("G_rms")


def test_without_a_penalty_the_sum_is_f():
    """Theorems about F = f + h speak of problems with h = 0; with one the three letters are the family's own."""
    plain, lasso = load_problem("stress-parabola", N=2), load_problem("lasso", N=2)
    for whole, smooth in (("F_star", "f_star"), ("Delta_F", "Delta"), ("delta_F", "delta_x")):
        assert plain.constant(whole) == plain.constant(smooth)
        assert whole in lasso.constants
    assert lasso.constant("Delta_F") != lasso.constant("Delta")
