"""Distances, average points, the Polyak-Lojasiewicz inequality, and theorems of the field on their own classes."""

import pytest

from boundcheck.errors import InputError
from boundcheck.evidence.search.extremes import measured_on, tightness
from boundcheck.methods import METHODS
from boundcheck.proofs.kernel import certificates as verify
from boundcheck.worst import worst

TIGHT = {"field.gd-best": 1.0, "field.gd-convex": 1.0, "field.gd-strong": 1.0}
"""Theorems that are attained, at every T."""


@pytest.mark.parametrize("mu", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("eta", [1.0, 1.5])
def test_distances_contract_as_they_do(mu, eta):
    """|x_T - x_star|^2 <= max(1 - eta mu, eta - 1)^(2T) of the start, at L = 1; attained."""
    found = worst(METHODS["sgd"](eta=eta), K=1, T=3, N=1, mu=mu, Delta=None, distance=1.0, measure="distance")
    assert found.upper == pytest.approx(max(1 - eta * mu, eta - 1) ** 6, rel=1e-6)
    assert found.verdict == "exact"


@pytest.mark.parametrize("measure", ["distance", "centre"])
def test_the_engine_measures_the_lower_side(measure):
    """On the function, in units far from 1, the engine has what is said."""
    method = METHODS["fedavg"](eta=0.1)
    found = worst(method, K=2, T=2, N=2, L=5.0, mu=0.5, Delta=None, distance=3.0, zeta=2.0, measure=measure)
    assert found.verdict == "exact"
    assert measured_on(found.problem, method, K=2, T=2, measure=measure) == pytest.approx(found.lower, rel=1e-8)
    verify.check(found.proof.certificate, {})


def test_the_average_point_is_no_worse_than_the_average_value():
    """F at the average is below the average of f, for convex f: Jensen."""
    given = {"K": 1, "T": 4, "N": 1, "mu": 0.0, "Delta": None, "distance": 1.0}
    at_centre, average = (worst(METHODS["sgd"](eta=1.0), measure=m, **given).upper for m in ("centre", "suboptimality"))
    assert at_centre <= average
    # Before the first step the average is x_0.
    first = worst(METHODS["sgd"](eta=1.0), measure="centre", **{**given, "T": 1})
    assert first.upper == pytest.approx(0.5, rel=1e-8)


def test_pl_is_what_other_tools_say():
    """One step of gradient descent at mu_PL = 1/5: 8/11, as PEPit prints (0.727273); two steps its square."""
    one, two = (worst(METHODS["sgd"](eta=1.0), K=1, T=T, N=1, pl=0.2, measure="value") for T in (1, 2))
    assert one.upper == pytest.approx(8 / 11, rel=1e-7)
    assert two.upper == pytest.approx((8 / 11) ** 2, rel=1e-7)
    assert (one.verdict, one.lower) == ("proved", None)
    verify.check(two.proof.certificate, {})
    spoiled = {
        **two.proof.certificate,
        "given": [text.replace("2/5*f0", "1/5*f0") for text in two.proof.certificate["given"]],
    }
    assert spoiled != two.proof.certificate
    with pytest.raises(verify.ERRORS):
        verify.check(spoiled, {})


def test_pl_scales_with_L():
    """f/L has the constant pl/L, and values L times as large steps."""
    plain = worst(METHODS["sgd"](eta=1.0), K=1, T=2, N=1, pl=0.2, measure="value").upper
    steep = worst(METHODS["sgd"](eta=0.25), K=1, T=2, N=1, L=4.0, pl=0.8, measure="value").upper
    assert steep == pytest.approx(plain, rel=1e-9)


@pytest.mark.parametrize("name", TIGHT)
@pytest.mark.parametrize("T", [1, 3])
def test_tight_theorems_of_the_field_are_seen_to_be_tight(name, T):
    """The worst case of the theorem's own class is its right-hand side, and a function has it."""
    found = tightness(name, K=1, T=T, N=1)
    assert found.case.upper == pytest.approx(found.rhs, rel=1e-6)
    assert found.excess == pytest.approx(1.0, rel=1e-6)


@pytest.mark.parametrize("name", ["field.gd-pl", "field.sgd-centre", "field.sgd"])
def test_other_theorems_of_the_field_hold_on_their_classes(name):
    """No worst case is above a theorem that is true."""
    found = tightness(name, K=1, T=3, N=1)
    # Factors of proofs are rounded up to nine digits.
    assert found.case.upper <= found.rhs * (1 + 1e-8)
    assert not found.conditions


def test_what_has_no_bound_is_refused():
    """A distance needs a start that bounds it; PL needs a constant up to L, and no minimiser."""
    sgd = METHODS["sgd"](eta=1.0)
    with pytest.raises(InputError, match="measure"):
        worst(sgd, K=1, T=1, N=1, measure="distance")
    with pytest.raises(InputError, match="pl = 2"):
        worst(sgd, K=1, T=1, N=1, pl=2.0)
    with pytest.raises(InputError, match="pl"):
        worst(sgd, K=1, T=1, N=1, pl=0.5, mu=0.1)
