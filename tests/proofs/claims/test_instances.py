"""What claims say about explicit instances, seen in plain numpy runs that share no formula with the claims."""

import numpy as np
import pytest
from ledger_parts import edited
from scipy.optimize import nnls
from turns import case_of

ETA = 0.01
NORMS = "mean^2 + tilt^2 + a^2/2 + b^2/2"


def _cascade(z):
    lengths = 2.0 ** np.arange(len(z))
    wave = ETA * lengths / (2 * np.pi) * np.sin(2 * np.pi * z / (ETA * lengths))
    gate = lengths[1:] / 2 * (1 - np.cos(np.pi * z[:-1] / (ETA * lengths[:-1])))
    return z @ z / (2 * ETA) - z[0] - wave[1:] @ gate


def _gradient(f, z, step=1e-6):
    return np.array([(f(z + step * e) - f(z - step * e)) / (2 * step) for e in np.eye(len(z))])


def _project(g, rows):
    rows = [row / np.linalg.norm(row) for row in rows if np.linalg.norm(row) > 1e-9]
    return g if not rows else g + np.array(rows).T @ nnls(np.array(rows).T, -g)[0]


def test_the_cascade_runs_away_although_the_projection_acts_on_every_step():
    """Eight local steps of GradMA on the cascade drift further than Lemma .2 allows, from a gradient of length 1."""
    steps = 8
    start = np.zeros(steps)
    x, last, first = start, start, _gradient(_cascade, start)
    assert np.linalg.norm(first) == pytest.approx(1, abs=1e-4)
    for _ in range(steps - 1):
        g = _gradient(_cascade, x)
        kept = _project(g, [_gradient(_cascade, last), first, x - start])
        assert np.allclose(kept, g, atol=1e-3 * np.linalg.norm(g))
        x, last = x - ETA * kept, x
    drift = np.sum((x - start) ** 2)
    assert drift == pytest.approx(ETA**2 * (4 ** (steps - 1) - 1) / 3, rel=1e-2)
    assert drift > 40 * steps**2 * ETA**2 * 1.05


def test_the_cascade_is_as_smooth_as_claimed():
    """Secant slopes of its gradient stay below 17/eta, and come above half of that."""
    rng = np.random.default_rng(0)
    ratios = []
    for _ in range(300):
        z = ETA * 2.0 ** np.arange(5) * rng.uniform(-1, 2, 5)
        move = 1e-6 * rng.normal(size=5)
        change = _gradient(_cascade, z + move, 1e-7) - _gradient(_cascade, z - move, 1e-7)
        ratios.append(ETA * np.linalg.norm(change) / (2 * np.linalg.norm(move)))
    assert 17 / 4 < max(ratios) < 17


def test_the_reference_floor_is_what_a_long_run_shows():
    """FedAvgM with one of three clients on |x|^2/2 + <b_i, x>: time average of |grad f|^2 against the closed form."""
    rng = np.random.default_rng(1)
    tilts = np.array([1.0, 0.5, -1.5])
    beta1, eta, eta_g, local = 0.5, 0.1, 1.5, 2
    x = momentum = total = 0.0
    rounds = 200_000
    for client in rng.integers(0, 3, rounds):
        y = x
        for _ in range(local):
            y -= eta * (y + tilts[client])
        momentum = beta1 * momentum + (x - y)
        x -= eta_g * momentum
        total += x**2
    step = eta_g * (1 - (1 - eta) ** local)
    spread = (3 - 1) / (1 * (3 - 1))
    floor = (1 + beta1) * step * spread * np.mean(tilts**2) / ((1 - beta1) * (2 * (1 + beta1) - step))
    assert total / rounds == pytest.approx(floor, rel=0.02)


def test_extra_local_steps_freeze():
    """GradMA's second to fifth local direction on a quadratic are below h (2 + h)^(k-1) |first|."""
    rng = np.random.default_rng(2)
    for _ in range(50):
        root = rng.normal(size=(6, 6))
        hessian = root @ root.T
        hessian /= np.linalg.eigvalsh(hessian)[-1]
        start, h = rng.normal(size=6), 0.05
        first, x, last, moved = hessian @ start, start, start, np.zeros(6)
        for k in range(5):
            kept = _project(hessian @ x, [hessian @ last, first, -moved])
            if k:
                assert np.linalg.norm(kept) <= h * (2 + h) ** (k - 1) * np.linalg.norm(first) * (1 + 1e-6)
            moved, last, x = moved + kept, x, x - h * kept


def test_the_variance_reduced_estimate_shrinks_as_claimed():
    """Rounds of FedAvg-M-VR on x^2/2 settle at the share q beta/(1 - q (1 - beta)) when the server hardly moves."""
    eta, beta, steps, gamma = 0.05, 0.1, 10, 1e-7
    last = x = g = 1.0
    for _ in range(400):
        y = x
        for _ in range(steps):
            y -= eta * (y + (1 - beta) * (g - last))
        g = (x - y) / (eta * steps)
        last, x = x, x - gamma * g
    q = (1 - (1 - eta) ** steps) / (steps * eta)
    assert g == pytest.approx(q * beta / (1 - q * (1 - beta)), rel=1e-4)


@pytest.mark.parametrize(("gamma", "hidden", "rate"), [(27**-0.5, 4, 2**-0.5), (1.0, 16, 1.0)])
def test_the_printed_first_rates_are_lost_on_one_client(gamma, hidden, rate):
    """Means of FedAvg-M-VR on x^2/2 at the printed parameters: LHS over the printed rate grows like m."""
    ratios = []
    for m in (50, 200):
        beta, eta, T = m**-2, hidden / m / 2, m**3
        last = x = g = 1.0
        total = 0.0
        for _ in range(m**2):
            total += x**2
            y = x
            for _ in range(2):
                y -= eta * (y + (1 - beta) * (g - last))
            g = (x - y) / (2 * eta)
            last, x = x, x - gamma / m * g
        ratios.append(total / T / ((1 + rate * m) / (2 * T)))
    assert 3.5 < ratios[1] / ratios[0] < 4.5
    assert ratios[0] > 50 / 3


@pytest.mark.parametrize("hidden", [0.2, 1.0, 5.0])
@pytest.mark.parametrize("k", [27**-0.5, 1.0])
def test_the_iterate_stays_behind_at_every_hidden_constant(k, hidden):
    """Means of FedAvg-M-VR on x^2/2 stay above a/(2 (a + 4 k)) for a m^2/(8 k) rounds, however small a is."""
    m = 400
    beta, eta = m**-2, hidden / m / 2
    last = x = g = 1.0
    lowest = x
    for _ in range(int(hidden * m**2 / (8 * k))):
        y = x
        for _ in range(2):
            y -= eta * (y + (1 - beta) * (g - last))
        g = (x - y) / (2 * eta)
        last, x = x, x - k / m * g
        lowest = min(lowest, x)
    assert hidden / (2 * (hidden + 4 * k)) <= lowest < 1.2 * hidden / (hidden + 4 * k)


@pytest.mark.parametrize(
    ("claim", "old", "kept", "moved"),
    [
        ("momentum-fl.theorem22-conditions", "5/17408", "5/17408", "5/17407"),
        ("gradma.run-terms-printed", f"<= {NORMS}", *(f"<= {c}*({NORMS})" for c in ("2", "199/100"))),
        ("momentum-fl.theorem22-sharper", "4491/10", "4491/10", "4489/10"),
        case_of(("momentum-fl.theorem22-alt-sharper", "3711/10", "3711/10", "371"), slow=True),
        ("momentum-fl.theorem19-sharper", "*x^2 + 630", "*x^2 + 630", "*x^2 + 6299/10"),
    ],
)
def test_thresholds_cannot_be_moved(claim, old, kept, moved):
    """2.5/(64 + 8640), 2, 7 sqrt(126) + 741/2, 7 sqrt(126) + 585/2 and 84 + 39/4 + 2145/4: the last that hold."""
    assert edited(claim, old, kept).decide(5).verdict == "proved"
    assert edited(claim, old, moved).decide(5).verdict == "refuted"
