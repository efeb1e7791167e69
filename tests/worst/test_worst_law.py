"""The law in T from above: against worst cases, closed forms and runs, and refused where it is spoiled."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from worst_cells import made

from boundcheck.errors import NotApplicableError
from boundcheck.methods.fedavg import FedAvg
from boundcheck.proofs.kernel import certificates as verify
from boundcheck.worst import ProblemClass, bound_for_all_T, worst
from boundcheck.worst.proved.law import law_certificates
from boundcheck.worst.theorems import law
from boundcheck.worst.theorems.law import prove_law

GIVEN = ProblemClass(N=8, zeta=1.0)


def at(theorem, T):
    """Return the bound for T rounds at Delta = zeta = 1."""
    return float(sum(theorem.a.values()) + sum(theorem.b.values()) / T)


def case(name, T, **given):
    """Return the worst case of a method at K = 2, without proof."""
    return worst(made(name, 2, 1.0), K=2, T=T, prove=False, **{"zeta": 1.0, "N": 8, **given})


def test_the_law_of_fedavg_is_proved():
    """1/15 + (464/225)/T for K = 2, eta = 1/2, which short runs have to 8 digits; from above, by rounding alone."""
    found = prove_law(FedAvg(eta=0.5), K=2, T=50, given=GIVEN)
    a, b = sum(found.a.values()), sum(found.b.values())
    assert float(a) == pytest.approx(1 / 15, rel=1e-7)
    assert float(b) == pytest.approx(464 / 225, rel=1e-6)
    assert a >= Fraction(1, 15)
    assert found.holds_from == 2


@pytest.mark.parametrize("name", ["fedavg-m", "scaffold-m", "feddyn", "mimelite", "mifa", "stem", "mime-mvr"])
def test_no_function_is_above_the_law(name, monkeypatch):
    """A window counts points that a start has met before (mifa, scaffold-m)."""
    monkeypatch.setattr(law, "WIDEST", 1)
    found = prove_law(made(name, 2, 1.0), K=2, T=4, given=GIVEN)
    assert at(found, 3) >= case(name, 3, N=2).lower


def test_wider_windows_are_closer(monkeypatch):
    """FedProx remembers nothing, and its multipliers need two rounds: 1 % with none, 2e-5 with two."""
    found = {}
    for width in (0, 2):
        monkeypatch.setattr(law, "WIDEST", width)
        found[width] = at(prove_law(made("fedprox", 2, 1.0), K=2, T=8, given=GIVEN), 8)
    upper = case("fedprox", 8).dual
    assert upper < found[2] < upper * (1 + 3e-5)
    assert found[0] > upper * 1.005


def test_certificates_say_the_bound_and_are_refused_when_spoiled():
    """Three of them; each without one of its terms, or with a smaller right-hand side, is refused."""
    found = prove_law(made("scaffold-m-vr", 2, 1.0), K=2, T=6, given=GIVEN)
    proof = law_certificates(found)
    assert [one["id"].split("/")[1] for one in proof] == ["round", "start", "end"]
    for one in proof:
        verify.check(one, {})
        for spoiled in ({**one, "by": one["by"][1:]}, {**one, "shows": f"{one['shows']} - 1/1000*zeta2"}):
            with pytest.raises(verify.ERRORS):
                verify.check(spoiled, {})


def test_the_three_parts_add_up_on_a_run():
    """FedAvg on random quadratics, written out: V falls from round to round by |grad f|^2, and covers the last two."""
    found = prove_law(FedAvg(eta=0.5), K=2, T=20, given=ProblemClass(N=2, zeta=1.0))
    numbers, parts = found.proof.unknowns, found.proof.constants
    generator = np.random.default_rng(11)
    for _ in range(20):
        H = [
            q @ np.diag(generator.uniform(-1, 1, 3)) @ q.T
            for q in (np.linalg.qr(generator.normal(size=(3, 3)))[0],) * 2
        ]
        # A mean without negative curvature has a floor, the clients need none.
        H[1] = np.abs(np.linalg.eigvalsh(H[0])).max() * np.eye(3)
        tilt = generator.normal(size=3)
        tilts, x = (tilt, -tilt), generator.normal(size=3)

        def gradient(i, y, H=H, tilts=tilts):
            return H[i] @ y + tilts[i]

        def look(x, H=H, gradient=gradient):
            g = np.array([gradient(i, x) for i in (0, 1)])
            mean, value = g.mean(axis=0), x @ (H[0] + H[1]) @ x / 4
            spread = ((g - mean) ** 2).sum(axis=1).mean()
            V = numbers["p", 0] * value + numbers["W", 0, 0] * (mean @ mean) + numbers["U", 0, 0] * spread
            return float(V), float(mean @ mean), spread, value

        seen = []
        for _ in range(6):
            seen.append(look(x))
            ends = []
            for i in (0, 1):
                y = x - gradient(i, x) / 2
                ends.append(y - gradient(i, y) / 2)
            x = np.mean(ends, axis=0)
        zeta2, Delta = max(s[2] for s in seen), seen[0][3]
        constant = {
            name: float(c.get("zeta", 0)) * zeta2 + float(c.get("Delta", 0)) * Delta for name, c in parts.items()
        }
        for (V, square, *_), (after, *_) in pairwise(seen):
            assert square <= V - after + constant["round"] + 1e-12
        assert seen[0][0] <= constant["start"] + 1e-12
        assert seen[-2][1] + seen[-1][1] <= seen[-2][0] + constant["end"] + 1e-12


def test_other_units_have_the_same_law():
    """Units f = u s^2 g(x/s): L = 4, Delta = 1/2, zeta = 3 by L = 1, with all digits of the step."""
    step = 0.1 + 1e-7
    far = worst(FedAvg(eta=step), K=2, T=3, N=3, L=4.0, Delta=0.5, zeta=3.0, prove=False)
    one = worst(FedAvg(eta=4 * step), K=2, T=3, N=3, zeta=3 / np.sqrt(4 * 0.5), prove=False)
    every, plain = (bound_for_all_T(FedAvg(eta=by * step), found) for by, found in ((1, far), (4, one)))
    assert float(every.at(3)) == pytest.approx(2 * float(plain.at(3)), rel=1e-7)
    assert far.dual <= float(every.at(3)) * (1 + 1e-8)


def test_noise_is_in_the_law():
    """One client, one step of 1/L: every round but the last adds sigma^2/2 times 1/2, and T = 6 attains it."""
    found = prove_law(made("sgd", 1, 1.0), K=1, T=6, given=ProblemClass(N=1, sigma=1.0))
    upper = worst(made("sgd", 1, 1.0), K=1, T=6, N=1, sigma=1.0, prove=False).dual
    assert at(found, 6) == pytest.approx(upper, rel=1e-6)


def test_nothing_is_said_where_nothing_bounds_how_clients_differ():
    """Without zeta the potential of one round is what there is."""
    with pytest.raises(NotApplicableError, match="zeta"):
        prove_law(FedAvg(eta=0.5), K=2, T=6, given=ProblemClass(N=2, G_0=1.0))
    at_start = worst(FedAvg(eta=0.125), K=2, T=3, N=2, G_0=4.0, prove=False)
    every = bound_for_all_T(FedAvg(eta=0.125), at_start)
    assert every is None or every.by == "the best potential of one round"
