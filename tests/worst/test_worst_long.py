"""Long runs: conditions between neighbouring points, against all conditions, closed forms and each other."""

import numpy as np
import pytest
from worst_cells import made

from boundcheck.errors import NotApplicableError
from boundcheck.methods.fedavg import FedAvg
from boundcheck.proofs.kernel import certificates as verify
from boundcheck.worst import bound_for_all_T, worst
from boundcheck.worst.cases.law import law_in_T
from boundcheck.worst.facts.classes import ProblemClass
from boundcheck.worst.facts.measures import left_hand_side_of, rounds_of
from boundcheck.worst.gram.local import LocalBasis
from boundcheck.worst.gram.trace import trace_method
from boundcheck.worst.sides.neighbours import NeighbourConstraints
from boundcheck.worst.sides.posed import objective
from boundcheck.worst.sides.whole import ClassConstraints, minimiser_of


def solved(constraints, name, K, T, *, share=1.0, measure="average", **given):
    """Return the solution of a run with the conditions of a class of constraints."""
    problems = ProblemClass(**{"zeta": 1.0, "N": 8, **given})
    trace = trace_method(made(name, K, share), N=problems.N, K=K, T=rounds_of(measure, T))
    trace.oracle.point(trace.iterates[0])
    looked = left_hand_side_of(measure, trace)
    whole = constraints(trace, problems, minimiser_of(trace) if problems.has_minimiser else None)
    row = objective(whole, looked)
    return (whole.maximise if constraints is NeighbourConstraints else whole.programme.maximise)(row)


@pytest.mark.parametrize("name", ["fedavg", "scaffold", "slowmo", "feddyn", "stem", "mime-mvr"])
@pytest.mark.parametrize("N", [2, 8])
def test_neighbours_say_what_all_conditions_say(name, N):
    """Conditions between neighbours and those that are missed give the value of all conditions."""
    few, all_of_them = (solved(c, name, 2, 4, N=N) for c in (NeighbourConstraints, ClassConstraints))
    assert few.dual == pytest.approx(all_of_them.dual, rel=2e-7)


@pytest.mark.parametrize(("measure", "T"), [("last", 12), ("average", 12), ("average", 60)])
def test_gradient_descent_keeps_its_closed_form(measure, T):
    """GD with eta = 1 on smooth functions: 4 L Delta/(3 (T-1) + 2) for the smallest gradient."""
    value = solved(NeighbourConstraints, "sgd", 1, T, measure="best", N=1, zeta=None).dual
    assert value == pytest.approx(4 / (3 * (T - 1) + 2), rel=1e-7)
    assert solved(NeighbourConstraints, "sgd", 1, T, measure=measure, N=1, zeta=None).dual >= value * (1 - 1e-7)


def test_convex_gradient_descent_keeps_its_closed_form():
    """f(x_T) - f_star <= L R^2/(4T + 2) (Drori, Teboulle 2014), at a T of which all conditions would take a minute."""
    found = worst(made("sgd", 1, 1.0), K=1, T=40, N=1, mu=0.0, Delta=None, distance=1.0, measure="value", prove=False)
    assert found.upper == pytest.approx(1 / (4 * 40 + 2), rel=1e-7)


@pytest.mark.slow
def test_a_hundred_rounds_are_on_the_law_of_short_runs():
    """FedAvg at K = 2, eta = 1/2: short runs, whose functions attain them, say 1/15 + (464/225)/T; so does T = 100."""
    short = {T: worst(FedAvg(eta=0.5), K=2, T=T, zeta=1.0, N=8, prove=False) for T in (8, 12)}
    b = (short[8].lower - short[12].lower) / (1 / 8 - 1 / 12)
    found = worst(FedAvg(eta=0.5), K=2, T=100, zeta=1.0, N=8, prove=False)
    assert found.upper == pytest.approx(short[12].lower - b / 12 + b / 100, rel=3e-6)
    assert found.verdict == "numerical"
    assert "48 points" in found.why
    law = law_in_T({**{T: case.upper for T, case in short.items()}, 100: found.upper})
    assert (law.a, law.b) == (pytest.approx(1 / 15, rel=1e-6), pytest.approx(464 / 225, rel=1e-6))


@pytest.mark.slow
def test_a_thousand_rounds_are_on_the_same_law():
    """Of two clients, whose floors have a row for each couple of neighbours."""
    found = worst(FedAvg(eta=0.5), K=2, T=1000, zeta=1.0, N=2, prove=False)
    assert found.upper == pytest.approx(1 / 15 + 464 / 225 / 1000, rel=1e-5)


def test_conditions_of_a_longer_run_are_no_longer():
    """Every row speaks of two rounds, the floors of two clients as well: four times the rounds, the same entries."""

    def longest(T):
        trace = trace_method(FedAvg(eta=0.5), N=2, K=2, T=T)
        trace.oracle.point(trace.iterates[0])
        limits = NeighbourConstraints(trace, ProblemClass(N=2, zeta=1.0)).programme.limits
        return max(len(row.index) for row, _ in limits.values())

    assert longest(6) == longest(24)


@pytest.mark.slow
def test_the_proof_of_a_long_run_is_accepted():
    """27 points: from the programme's own conditions, close to the solver's number, and refused when spoiled."""
    found = worst(FedAvg(eta=0.5), K=2, T=14, zeta=1.0, N=8)
    assert found.is_proved
    assert found.upper == pytest.approx(found.dual, rel=1e-8)
    certificate = found.proof.certificate
    verify.check(certificate, {})
    spoiled = {**certificate, "by": certificate["by"][1:]}
    with pytest.raises(verify.ERRORS):
        verify.check(spoiled, {})


def test_what_holds_for_every_T_stands_above_the_cases_and_meets_them_far_out():
    """FedAvg at K = 2, eta = 1/2: 1/15 is what the law of long runs tends to; a short step costs more at the start."""
    cases = {T: worst(FedAvg(eta=0.5), K=2, T=T, zeta=1.0, N=8, prove=False) for T in (2, 8)}
    every = bound_for_all_T(FedAvg(eta=0.5), cases[8])
    assert float(every.a) == pytest.approx(1 / 15, rel=1e-6)
    assert all(case.upper <= every.a + every.b / T for T, case in cases.items())
    short = bound_for_all_T(FedAvg(eta=0.125), worst(FedAvg(eta=0.125), K=2, T=60, zeta=1.0, N=8, prove=False))
    assert short.b > 2 * every.b
    assert short.a < every.a / 5


def test_nothing_is_said_for_every_T_of_another_left_hand_side():
    """Of f(x_T) - f_star over convex functions no one-round theorem speaks."""
    given = {"N": 1, "mu": 0.0, "Delta": None, "distance": 1.0, "measure": "value", "prove": False}
    assert bound_for_all_T(made("sgd", 1, 1.0), worst(made("sgd", 1, 1.0), K=1, T=3, **given)) is None


def test_no_law_is_read_off_another_curve():
    """1/T^2 is no a + b/T, two horizons say nothing, and infinite cases are left out."""
    assert law_in_T({T: 1 / T**2 for T in (4, 8, 16, 32)}) is None
    assert law_in_T({4: 1.0, 8: 0.5}) is None
    assert law_in_T({4: 1.0, 8: 0.5, 16: float("inf")}) is None


def test_a_local_basis_spans_what_the_old_one_did():
    """Coordinates in the new basis times its vectors are the vector."""
    generator = np.random.default_rng(3)
    states = [np.tril(generator.normal(size=(6, 6)))[k] for k in (1, 3, 5)]
    basis = LocalBasis(6, [([0, 1], [states[0]]), ([2, 3], [states[1], states[1]]), ([4, 5], [states[2]])])
    for vector in (*np.eye(6), *states, generator.normal(size=6)):
        assert basis.coordinates(vector) @ basis.matrix == pytest.approx(vector)
    assert np.count_nonzero(basis.coordinates(states[2])) == 1


def test_what_holds_for_every_T_is_said_by_the_checker(monkeypatch):
    """A certificate that the checker refuses is no bound: here without its first term."""
    from boundcheck.worst.cases import beside

    case = worst(FedAvg(eta=0.5), K=2, T=2, zeta=1.0, N=8, prove=False)
    for name in ("certificates", "law_certificates"):
        made = getattr(beside, name)
        monkeypatch.setattr(beside, name, lambda theorem, made=made: [{**c, "by": c["by"][1:]} for c in made(theorem)])
    with pytest.raises(NotApplicableError, match="the kernel refuses"):
        bound_for_all_T(FedAvg(eta=0.5), case)
