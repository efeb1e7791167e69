"""What certify says of suprema that are far away, narrow or not there."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from problem_cases import problem_of
from turns import case_of

from boundcheck.cli.commands.certify import certify as certify_command
from boundcheck.problems import Certificate, certify
from boundcheck.problems.certification.certificate import status_of
from boundcheck.problems.certification.certify import certify_claims
from boundcheck.problems.certification.scan import bending, scan
from boundcheck.problems.constants import exact
from boundcheck.problems.own.functions import from_functions


def bent(centre, width, height, d=2, N=2, **constants):
    """Return a problem whose slope in the first coordinate turns by height * width round `centre`."""

    def value(x, clients):
        u = (x[..., 0] - centre) / width
        return height * width**2 * (np.abs(u) + np.log1p(np.exp(-2 * np.abs(u))))

    def gradient(x, clients):
        g = np.zeros(x.shape)
        g[..., 0] = height * width * np.tanh((x[..., 0] - centre) / width)
        return g

    return from_functions(value, gradient, N=N, d=d, start=np.ones(d), calls="lanes", constants=constants)


def row_of(problem, name):
    return next(row for row in certify(problem) if row.constant == name)


@pytest.mark.parametrize(("centre", "width"), [(1000.0, 5.0), (-3e5, 100.0), (7.7, 0.05), (0.033, 0.1)])
def test_a_curvature_far_away_or_narrow_is_found(centre, width):
    """Certify printed ok with attained 0.0 against claimed 0.485: it never looked further out than ten, nor closely."""
    found = row_of(bent(centre, width, 0.485, L=exact(0.485, "by construction")), "L")
    assert found.attained == pytest.approx(0.485, rel=1e-3)
    assert found.status == "stands"


@pytest.mark.parametrize(("centre", "width"), [(1000.0, 5.0), (7.7, 0.02)])
def test_a_curvature_far_away_refutes_a_claim_that_is_too_low(centre, width):
    """A vouched L of 0.4 for 0.485 is exceeded; the row was ok because the search found nothing."""
    found = row_of(bent(centre, width, 0.485, L=0.4), "L")
    assert found.status == "exceeded"
    assert not found.ok


def test_what_is_not_there_is_not_reached():
    """An exact claim ten times too large is neither refuted nor supported: not reached, and not ok."""
    found = row_of(bent(0.0, 1.0, 0.485, L=exact(4.85, "wrong", np.zeros(2))), "L")
    assert found.status == "not reached"
    assert not found.ok
    bound = row_of(bent(0.0, 1.0, 0.485, L=4.85), "L")
    assert (bound.status, bound.ok) == ("not reached", True)


@pytest.mark.parametrize("at", [3e4, -50.0])
def test_a_distant_difference_between_clients_is_found(at):
    """Clients that differ only far from the origin: zeta and zeta_pair are found there."""

    def gradient(x, clients):
        bump = 1 / np.cosh(np.clip((x[..., 0] - at) / abs(at) * 4, -50, 50))
        g = np.zeros(x.shape)
        g[..., 0] = np.where(np.asarray(clients) % 2 == 0, 1.0, -1.0) * bump
        return g

    constants = {"zeta": exact(1.0, "the bump"), "zeta_pair": exact(2.0, "both bumps")}
    problem = from_functions(
        lambda x, clients: 0.0 * x[..., 0], gradient, N=2, d=2, start=[1.0, 1.0], calls="lanes", constants=constants
    )
    assert [row_of(problem, name).status for name in constants] == ["stands", "stands"]


@pytest.mark.parametrize(
    ("kind", "claimed", "ratio", "status"),
    [
        ("exact", 1.0, 1.0, "stands"),
        ("exact", 1.0, 0.98, "not reached"),
        ("exact", 1.0, 1.0001, "exceeded"),
        ("upper", 1.0, 0.6, "stands"),
        ("upper", 1.0, 0.4, "not reached"),
        ("lower", 1.0, 2.0, "exceeded"),
        ("estimate", 1.0, 1.0, "not reached"),
        ("estimate", 1.0, 1.1, "exceeded"),
        ("exact", math.inf, 1.0, "exceeded"),
        ("exact", 1.0, math.nan, "exceeded"),
    ],
)
def test_what_the_words_mean(kind, claimed, ratio, status):
    """Exact values must be reached to 1 %, proved bounds half way; estimates and what is no number never stand."""
    assert status_of(kind, claimed, ratio) == status


@pytest.mark.parametrize("spec", ["ridge-ratio", "ridge-log", "ridge-split", "ridge-table", "finite-sum", "fmgda-e1"])
def test_the_hint_is_not_needed(spec):
    """Without the point where a constant is said to be attained the scan finds the smoothness all the same."""
    problem = problem_of(spec, 3)
    hidden = dataclasses.replace(problem.constants["L"], at=None)
    (row,) = certify_claims(problem, {"L": hidden})
    assert row.status == "stands"


DISTANT = ("quadratic", "quadratic-tilt[zeta=1e6]", "ridge-bend[link=quadratic]", "fedlalr-a2")


@pytest.mark.parametrize("spec", [case_of(spec, slow=spec == "quadratic") for spec in DISTANT])
def test_distance_is_no_evidence(spec):
    """A million away rounding is a million times larger: nothing is exceeded by it."""
    assert [row for row in certify(problem_of(spec, 4)) if row.status != "stands"] == []


def test_power_iteration_bends_as_the_hessian_does():
    """On a quadratic the rate is the largest eigenvalue of a client's matrix, whatever the point."""
    problem = problem_of("quadratic-spread", 3)
    rates, directions = bending(problem, np.random.default_rng(0).standard_normal((4, problem.d)))
    top = np.linalg.eigvalsh(problem.A).max()
    assert rates.max() <= top * (1 + 1e-9)
    assert rates.min() > 0.7 * top
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1.0)


def test_functions_that_overflow_are_searched_near_the_start_only():
    """Plain Python functions raise far out: the scan gives up, the search near the start remains."""
    problem = from_functions(
        lambda i, x: math.cosh(x[0]), lambda i, x: np.array([math.sinh(x[0])]), N=1, d=1, start=[0.5]
    )
    assert scan(problem, 0) == {}
    assert all(row.ok for row in certify(problem))


@pytest.mark.parametrize(("status", "code"), [("stands", 0), ("not reached", 0), ("exceeded", 1)])
def test_only_what_is_exceeded_fails_the_command(monkeypatch, capsys, status, code):
    """`boundcheck certify` prints the status, and exits with 1 only if a claim is refuted."""
    found = Certificate("p", "L", "exact", 1.0, 0.5, 0.5, False, "why", status)
    monkeypatch.setattr("boundcheck.problems.certify_named", lambda *given, **more: [found])
    assert certify_command("quadratic-tilt", N=2) == code
    assert status in capsys.readouterr().out


@pytest.mark.parametrize("centre", [1e7, 1e7 + 0.3, 1.23456789e7])
def test_a_start_far_away_turns_no_rounding_into_a_refutation(centre):
    """Ten million away a step of 1e-3 is rounded by a millionth of itself: true constants were "exceeded" there."""

    def value(x, clients):
        z = np.abs(x[..., 0] - centre)
        return np.where(z <= 1, z * z / 2, z - 0.5)

    one = exact(1.0, "the slope is x - centre, cut off at 1")
    problem = from_functions(
        value,
        lambda x, clients: np.clip(x - centre, -1.0, 1.0),
        N=1,
        d=1,
        start=[centre],
        calls="lanes",
        constants={"L": one, "L_sample": one, "L_rms": one},
    )
    assert {row_of(problem, letter).status for letter in ("L", "L_sample", "L_rms")} == {"stands"}
