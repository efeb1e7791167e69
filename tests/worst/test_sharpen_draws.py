"""Theorems of one round where some clients are active: the best ones, beside programmes of all draws."""

import itertools
import math

import pytest
from certificate_reading import excess, signs_are_right
from enumerated import ETA, GAMMA
from enumerated_rounds import theorem_by_enumeration
from worst_methods import method

from boundcheck.engine.exact import average_on_paths
from boundcheck.engine.setting import Setting
from boundcheck.metrics import METRICS
from boundcheck.problems.synthetic.quadratic import Quadratic
from boundcheck.proofs.kernel import certificates as verify
from boundcheck.worst import certificates, sharpen

STEPS = {"fedavg": {"eta": ETA, "gamma": GAMMA}, "scaffold": {"eta": ETA, "gamma": GAMMA, "B": 1}}
CELLS = [("fedavg", 2, 1, 2), ("fedavg", 3, 1, 2), ("fedavg", 4, 2, 1), ("scaffold", 3, 2, 2), ("scaffold", 4, 2, 1)]


@pytest.mark.parametrize(("name", "N", "S", "K"), CELLS)
def test_the_best_of_all_draws(name, N, S, K):
    """Equal to a programme of every client's own vectors after every draw, whose solver stops at 1e-6."""
    theorem = sharpen(method(name, **STEPS[name]), K=K, T=10, N=N, S=S, zeta=1.0)
    assert theorem.value() == pytest.approx(theorem_by_enumeration(name, N=N, S=S, K=K, T=10), rel=2e-6)
    assert theorem.is_best


@pytest.mark.parametrize(("name", "N", "S"), [("fedavg", 3, 1), ("scaffold", 2, 1), ("scaffold", 3, 1)])
def test_the_best_of_clients_with_equal_gradients(name, N, S):
    """Which are equal at every server point, and may differ at the points of local steps."""
    theorem = sharpen(method(name, **STEPS[name]), K=2, T=10, N=N, S=S, zeta=0.0)
    expected = theorem_by_enumeration(name, N=N, S=S, K=2, T=10, zeta=0.0)
    assert theorem.value() == pytest.approx(expected, rel=2e-6)


@pytest.mark.parametrize(("N", "S"), [(2, 1), (3, 2)])
def test_the_best_without_heterogeneity(N, S):
    """SCAFFOLD's round does not notice tilts, whoever is active: its theorem assumes nothing on how clients differ."""
    theorem = sharpen(method("scaffold", **STEPS["scaffold"]), K=2, T=10, N=N, S=S)
    assert not theorem.assumed
    expected = theorem_by_enumeration("scaffold", N=N, S=S, K=2, T=10, zeta=None)
    assert theorem.value() == pytest.approx(expected, rel=2e-6)


@pytest.mark.parametrize(("N", "S"), [(2, 1), (3, 2)])
def test_quadratics_that_differ_much_come_close(N, S):
    """By the engine on every path of the draws: below the theorem, and the worst of these in the upper fifth."""
    made = method("scaffold", **STEPS["scaffold"])
    theorem, ratios = sharpen(made, K=2, T=3, N=N, S=S), []
    for zeta, mu, spread in itertools.product((0.0, 1.0, 30.0), (0.05, 0.5), (0.0, 1.0)):
        problem = Quadratic(N=N, d=2, mu=mu, L=1.0, spread=spread, zeta=zeta, noise="none", start=1.3)
        setting = Setting.of(problem, K=2, T=3, S=S)
        found = average_on_paths(problem, made, METRICS["server_gradient"], setting).mean()
        ratios.append(found / (float(theorem.descent) * problem.constant("Delta") / 3))
    assert 0.8 < max(ratios) <= 1


def test_zeta_is_assumed_where_there_is_no_theorem_without():
    """One of three clients at a long step."""
    theorem = sharpen(method("scaffold", **STEPS["scaffold"]), K=2, T=10, N=3, S=1)
    assert theorem.assumed == ("zeta",)
    assert math.isinf(theorem_by_enumeration("scaffold", N=3, S=1, K=2, T=10, zeta=None))


@pytest.mark.parametrize(("name", "N", "S", "K"), [("fedavg", 3, 1, 2), ("scaffold", 3, 2, 2), ("scaffold", 4, 2, 1)])
def test_conditions_between_draws_count(name, N, S, K):
    """Without them the best theorem is weaker, by 1e-4 to 1e-3."""
    theorem = sharpen(method(name, **STEPS[name]), K=K, T=10, N=N, S=S, zeta=1.0)
    assert theorem_by_enumeration(name, N=N, S=S, K=K, T=10, across=False) > theorem.value() * (1 + 5e-5)


@pytest.mark.parametrize(
    ("name", "N", "S", "constants"),
    [
        ("fedavg", 3, 1, {"zeta": 0.0}),
        ("scaffold-m", 4, 2, {"zeta": 1.0, "sigma": 1.0}),
        ("scaffold-m-vr", 4, 3, {"sigma": 1.0}),
        ("scaffold", 3, 2, {}),
        ("fedglomo", 5, 2, {"zeta": 1.0}),
        pytest.param("mifam", 100, 10, {"zeta": 1.0}, marks=pytest.mark.slow),
        ("mifam", 5, 2, {"zeta": 1.0}),
    ],
)
def test_proofs_are_accepted(name, N, S, constants):
    """By the checker over Q, and read at random vectors: equal gradients, noise, tilts, another first round, any N."""
    steps = {"gamma": 0.1} if "scaffold-m" in name else {}
    for certificate in certificates(sharpen(method(name, **steps), K=2, T=10, N=N, S=S, **constants)):
        assert verify.check(certificate, {})
        assert signs_are_right(certificate)
        assert max(excess(certificate, seed) for seed in range(3)) <= 1e-11
