"""The upper side as a proof over Q: near the solver's value, read by somebody else, rejected when it is altered."""

import copy
from fractions import Fraction

import numpy as np
import pytest
from certificate_reading import CLIENTS, Vector, excess, read, sides, signs_are_right
from turns import every, in_turn
from worst_methods import LINEAR, method

from boundcheck.errors import InputError, NotApplicableError
from boundcheck.methods.fedavg import FedAvg
from boundcheck.proofs.kernel import certificates as verify
from boundcheck.worst import ProblemClass, proved_upper, worst
from boundcheck.worst.facts.measures import left_hand_side_of, rounds_of
from boundcheck.worst.gram.trace import trace_method
from boundcheck.worst.sides.posed import objective
from boundcheck.worst.sides.whole import ClassConstraints, minimiser_of

CLASSES = {
    "zeta": {"zeta": 1.0},
    "start": {"G_0": 4.0},
    "own floors": {"Delta": None, "Delta_mean": 1.0, "zeta": 1.0},
    "five clients": {"zeta": 1.0, "N": 5},
    "noise": {"zeta": 1.0, "sigma": 0.5},
    "equal gradients": {"zeta": 0.0},
}


def accepted(certificate):
    return verify.check(certificate, {})


@pytest.mark.parametrize("name", every(2, LINEAR))
def test_the_proof_is_as_good_as_the_solver(name):
    """Two rounds of two steps: not below a function, a little above the programme; the certificate is accepted."""
    N = 1 if name in ("sgd", "sarah", "storm") else 2
    made = method(name)
    found = proved_upper(made, K=2, T=2, zeta=1.0, N=N)
    solved = worst(made, K=2, T=2, zeta=1.0, N=N)
    assert solved.lower * (1 - 1e-10) <= float(found.value) <= solved.dual * (1 + 1e-5)
    assert accepted(found.certificate)


@pytest.mark.parametrize(("given", "measure"), in_turn(CLASSES, "average", "average(0.25)", "last", "local"))
def test_every_class_and_left_hand_side(given, measure):
    """Terms add up at random vectors, signs are right, and the value is that of the programme."""
    given = CLASSES[given]
    found = proved_upper(FedAvg(eta=0.5), K=2, T=2, measure=measure, **given)
    solved = worst(FedAvg(eta=0.5), K=2, T=2, measure=measure, **given)
    # Multipliers of local steps grow without limit as zeta goes to 0.
    far = measure == "local" and given.get("zeta") == 0
    assert solved.dual * (1 - 1e-5) <= found.value <= solved.dual * (1 + (1e-4 if far else 1e-5))
    assert signs_are_right(found.certificate)
    assert max(excess(found.certificate, seed) for seed in range(3)) <= 1e-11
    assert accepted(found.certificate)


def test_closed_forms():
    """Before anything moves |grad f|^2 <= 2 L Delta; FedAvg at eta = 1/(2L) has 35/32 after one round."""
    assert 2 <= proved_upper(FedAvg(eta=0.5), K=2, T=1, zeta=1.0).value <= 2 + Fraction(1, 10**7)
    assert (
        Fraction(35, 32)
        <= proved_upper(FedAvg(eta=0.5), K=2, T=2, zeta=1.0).value
        <= Fraction(35, 32) * (1 + Fraction(1, 10**6))
    )


def test_the_value_is_what_the_certificate_shows():
    """The factors of the relation, at Delta = 3 and zeta^2 = 1/4, with the step that the proof is about."""
    found = proved_upper(FedAvg(eta=0.123456789), K=1, T=2, zeta=0.5, Delta=3.0)
    assert found.method.eta == Fraction(123456789, 10**9)
    left, right = found.certificate["shows"].split(" <= ")
    assert left == "1/2*|mean(g0)|^2 + 1/2*|mean(g1)|^2"
    names = {"Delta": Fraction(3), "zeta2": Fraction(1, 4)}
    terms = [term.split("*") for term in right.split(" + ")]
    assert found.value == sum(Fraction(c) * names[letter] for c, letter in terms)


def test_an_altered_certificate_is_rejected():
    """Each multiplier in turn, and a smaller right-hand side."""
    certificate = proved_upper(FedAvg(eta=0.5), K=2, T=2, zeta=1.0).certificate
    assert accepted(certificate)
    for k in range(len(certificate["by"])):
        altered = copy.deepcopy(certificate)
        altered["by"][k][0] = str(Fraction(altered["by"][k][0]) + 1)
        with pytest.raises(ValueError, match="add up"):
            accepted(altered)
    smaller = copy.deepcopy(certificate)
    smaller["shows"] = smaller["shows"].replace("106250001/100000000", "1")
    assert smaller != certificate
    with pytest.raises(ValueError, match="add up"):
        accepted(smaller)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"L": 2.0, "zeta": 1.0}, InputError, "L = 2.0 is not legal: 1"),
        ({}, NotApplicableError, "no proof of an upper bound was found; zeta or G_0"),
    ],
)
def test_what_has_no_certificate_is_refused(given, error, words):
    """The message names the argument, or says what is missing."""
    with pytest.raises(error, match=words):
        proved_upper(FedAvg(eta=0.5), K=2, T=2, **given)


CURVED = [
    ("value", {"mu": 0.0, "Delta": None, "distance": 1.0}, Fraction(1, 4 * 3 + 2)),
    ("best", {}, Fraction(4, 3 * 2 + 2)),
    ("value", {"mu": 0.2}, Fraction(4, 5) ** 6),
]
"""Left-hand side, class and known worst case of three steps of gradient descent, eta = 1: see `test_worst_values`."""


@pytest.mark.parametrize(("measure", "given", "known"), CURVED)
def test_known_values_have_certificates(measure, given, known):
    """L R^2/(4 T + 2), 4 L Delta/(3 (T-1) + 2), (1 - mu)^(2 T) Delta, from above and to 1e-7; the checker accepts."""
    # The smallest gradient of x_0, ..., x_(T-1) is of T - 1 steps.
    found = proved_upper(method("sgd", eta=1.0), K=1, T=3, N=1, measure=measure, **given)
    assert known <= found.value <= known * (1 + Fraction(1, 10**7))
    assert signs_are_right(found.certificate)
    assert excess(found.certificate) <= 1e-11
    assert accepted(found.certificate)


@pytest.mark.parametrize(
    ("measure", "given"),
    [
        ("value", {}),
        ("best", {"N": 3}),
        ("suboptimality", {"mu": 0.1}),
        ("last", {"mu": 0.0, "N": 3}),
        ("average", {"mu": 0.0, "Delta": None, "distance": 1.0}),
        ("value", {"mu": -0.5, "sigma": 1.0, "N": 3}),
    ],
)
def test_curvatures_and_left_hand_sides_of_several_clients(measure, given):
    """Near the programme's value, and accepted."""
    made = method("fedavg", eta=0.25)
    found = proved_upper(made, K=2, T=2, measure=measure, zeta=1.0, **given)
    assert float(found.value) == pytest.approx(
        programme_value(made, measure, ProblemClass(zeta=1.0, **given)), rel=1e-6
    )
    assert accepted(found.certificate)


def programme_value(made, measure, given):
    """Return the value of the programme of two rounds of two steps; no function is made."""
    trace = trace_method(made, N=given.N, K=2, T=rounds_of(measure, 2), noisy=given.sigma > 0)
    looked = left_hand_side_of(measure, trace)
    spoken = given.has_minimiser or measure in ("value", "suboptimality")
    whole = ClassConstraints(trace, given, minimiser_of(trace) if spoken else None)
    return whole.programme.maximise(objective(whole, looked)).dual


@pytest.mark.parametrize(("measure", "given", "known"), CURVED)
def test_hypotheses_hold_on_a_run(measure, given, known):
    """On a quadratic with curvatures in [1/4, 1] every hypothesis holds."""
    certificate = proved_upper(method("sgd", eta=1.0), K=1, T=3, N=1, measure=measure, **given).certificate
    A, x = np.diag([0.25, 1.0]), np.array([1.0, -0.7])
    names = {}
    points, distance2 = [x], x @ x
    for _ in range(3):
        points.append(points[-1] - A @ points[-1])
    for k, at in enumerate(points):
        names[f"f{k}"], names[f"g{k}"] = at @ A @ at / 2, vector(A @ at)
    names |= {"_x_star_x_0": vector(-x), "distance2": distance2, "Delta": names["f0"]}
    names["best"] = min(p @ A @ A @ p for p in points[:3])
    for relation in certificate["given"]:
        low, high, equal = sides(relation)
        gap = read(high, names) - read(low, names)
        assert (abs(gap) <= 1e-12) if equal else gap >= -1e-12, relation


def vector(v):
    """Return a vector that all clients have."""
    return Vector(np.tile(v, (CLIENTS, 1)))
