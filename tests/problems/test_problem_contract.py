from __future__ import annotations

import inspect
import pickle

import numpy as np
import pytest
from problem_cases import MORE, SHIPPED, Words, points, problem_of, shared_problem
from together import together
from turns import every, in_turn

from boundcheck.errors import NotApplicableError
from boundcheck.notation import LETTERS
from boundcheck.problems import FAMILIES, Problem, certify
from boundcheck.problems.catalog import parameters
from boundcheck.problems.constants import exact
from boundcheck.problems.noise.models import make_noise
from boundcheck.problems.synthetic.heterogeneity import tilts

CASES = SHIPPED + MORE


@pytest.mark.parametrize(("spec", "b"), in_turn(CASES, 1, 3))
def test_a_lane_does_not_depend_on_the_lanes_beside_it(spec, b):
    """Gradients, values and envelopes of lane k have the same bits in a block of 1, 2 and 33 lanes.

    Those of one client too: a single lane is then a single row, which numpy sums in another order than many.
    """
    problem = problem_of(spec, 5)
    results = []
    for lanes in (1, 2, 33):
        x, server = points(lanes, 5, problem.d), points(lanes, 1, problem.d, seed=1)
        sample = problem.sample(Words(range(lanes)), None, b)
        views = np.broadcast_to(server, (lanes, 5, problem.d))
        parts = [problem.gradient(x, None, sample), problem.gradient(views, None, sample), problem.exact_gradient(x)]
        parts += [problem.mean_gradient(server), problem.value(server)]
        chosen = np.full((lanes, 1), 3)
        sample = problem.sample(Words(range(lanes)), chosen, b)
        parts += [problem.gradient(server, chosen, sample), problem.exact_gradient(server, chosen)]
        if problem.blocks:
            parts += [problem.envelope(server), problem.envelope_gradient(server), problem.best_response(server)]
        results.append(parts)
    for one, two, many in zip(*results, strict=True):
        np.testing.assert_array_equal(one, two[:1])
        np.testing.assert_array_equal(two, many[:2])


@together(CASES)
def test_client_index_gathers_the_full_evaluation(spec):
    """Evaluating chosen clients gives the rows of evaluating all of them at the same points."""
    problem = problem_of(spec, 5)
    x = points(4, 5, problem.d)
    chosen = np.array([[0, 3], [1, 2], [2, 4], [0, 4]])
    rows = np.take_along_axis(x, chosen[:, :, None], axis=1)
    expected = np.take_along_axis(problem.exact_gradient(x), chosen[:, :, None], axis=1)
    np.testing.assert_allclose(problem.exact_gradient(rows, chosen), expected, rtol=1e-13, atol=1e-13)


@together(CASES)
def test_a_token_is_the_same_sample_at_every_point(spec):
    """Evaluating a token twice at x, with another point in between, gives the same bits and leaves x alone."""
    problem = problem_of(spec, 5)
    x, other = points(3, 5, problem.d), points(3, 5, problem.d, seed=9)
    kept = x.copy()
    token = problem.sample(Words(range(3)), None, 2)
    first = problem.gradient(x, None, token)
    problem.gradient(other, None, token)
    np.testing.assert_array_equal(problem.gradient(x, None, token), first)
    np.testing.assert_array_equal(x, kept)


@together(CASES)
def test_the_client_functions_average_to_f(spec):
    """The mean of the client gradients is the closed-form gradient of f."""
    problem = problem_of(spec, 5)
    server = points(4, 1, problem.d)
    clients = problem.exact_gradient(np.broadcast_to(server, (4, 5, problem.d)))
    p = np.full(5, 0.2) if problem.client_weights is None else problem.client_weights
    mean = np.einsum("lnd,n->ld", clients, p)[:, None]
    np.testing.assert_allclose(mean, problem.mean_gradient(server), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("spec", "b"),
    [
        *every(
            3,
            [(spec, b) for spec in CASES if not spec.startswith(("mlp-digits", "heavy-tail")) for b in (1, 4)],
            first=1,
        ),
        *(pytest.param("mlp-digits", b, marks=pytest.mark.slow) for b in (1, 4)),
    ],
)
def test_minibatch_noise_is_unbiased_with_variance_over_b(spec, b):
    """Over many lanes b samples have mean 0 and the enumerated variance divided by b, to 5 standard errors."""
    problem = problem_of(spec, 2)
    lanes = 8_000
    x = np.broadcast_to(points(1, 1, problem.d), (lanes, 2, problem.d))
    chunks = [range(k, k + 2000) for k in range(0, lanes, 2000)]
    g = np.concatenate([problem.gradient(x[:2000], None, problem.sample(Words(c), None, b)) for c in chunks])
    noise = g - problem.exact_gradient(x[:1])
    for client in range(2):
        variance = problem.outcomes(x[0, 0], client).var(axis=0).sum()
        squares = (noise[:, client] ** 2).sum(axis=-1)
        allowed = 5 * squares.std() / np.sqrt(lanes) + 1e-12
        assert abs(squares.mean() - variance / b) <= allowed
        spread = np.sqrt(noise[:, client].var(axis=0) / lanes)
        assert (np.abs(noise[:, client].mean(axis=0)) <= 5 * spread + 1e-12).all()


@together(SHIPPED)
def test_problems_survive_pickling(spec):
    """A worker process receives a problem with the same gradients, name and constants."""
    problem = problem_of(spec, 2)
    copy = pickle.loads(pickle.dumps(problem))
    x = points(2, 2, problem.d)
    np.testing.assert_array_equal(copy.exact_gradient(x), problem.exact_gradient(x))
    assert copy.name == problem.name
    known = shared_problem(spec, 2).constants
    assert {k: c.value for k, c in copy.constants.items()} == {k: c.value for k, c in known.items()}


@together(CASES)
def test_constants_use_the_letters_of_the_notation(spec):
    """Every constant has a letter of the notation table, a finite value and a reason."""
    for letter, constant in shared_problem(spec, 2).constants.items():
        assert letter in LETTERS
        assert np.isfinite(constant.value)
        assert constant.reason


def test_an_unknown_constant_is_not_applicable():
    """Asking for a constant that is infinite names the ones that exist."""
    with pytest.raises(NotApplicableError, match=r"has no constant G_inf; it has .*L_sample"):
        problem_of("quadratic", 2).constant("G_inf")


@pytest.mark.parametrize("method", ["envelope", "envelope_gradient", "best_response"])
def test_the_envelope_belongs_to_minimax_problems(method):
    """A minimisation problem has no Phi and no best response."""
    problem = problem_of("quadratic", 2)
    with pytest.raises(NotApplicableError, match="minimax problems only"):
        getattr(problem, method)(problem.start[None, None, :])


class PlainHuber(Problem):
    """f_i(x) = sum_c huber(x_c) + <a_i, x>, written without dataclasses."""

    family = "huber"

    def __init__(self, *, N: int, d: int = 4, zeta: float = 0.0, sigma: float = 0.0, start: float = 2.0) -> None:
        super().__init__(N=N, d=d, start=np.full(d, start), noise=make_noise("signs", sigma, d))
        self.zeta = zeta
        self.tilts = tilts(N, d, zeta)

    def exact_gradient(self, x, clients=None):
        """Return the clipped point, tilted."""
        return np.clip(x, -1, 1) + (self.tilts if clients is None else self.tilts[clients])

    def value(self, x):
        """Return f."""
        size = np.abs(x)
        return np.where(size <= 1, x * x / 2, size - 0.5).sum(axis=(1, 2))

    def certified(self):
        """Return what is known, under the former name of `certified_constants`; G_inf is left open."""
        origin = np.zeros(self.d)
        return {
            "L": exact(1.0, "curvature is 1 near 0 and 0 beyond 1", origin),
            "sigma": exact(self.noise.sigma, "signs have this norm"),
            "zeta": exact(self.zeta, "clients differ by their tilts alone", origin),
            "G_inf": None,
            "f_star": exact(0.0, "every part is >= 0", origin),
            "Delta": exact(self.value(self.start[None, None, :])[0], "f(x_0) in closed form", self.start),
        }


def test_a_plain_class_is_a_problem():
    """A subclass with a constructor of its own is certified; a constant that is None does not exist."""
    problem = PlainHuber(N=4, zeta=0.5, sigma=0.3)
    assert [row.constant for row in certify(problem) if not row.ok] == []
    assert "G_inf" not in problem.constants
    assert problem.is_noisy
    assert not PlainHuber(N=2).is_noisy
    assert parameters(PlainHuber) == {"d": int, "zeta": float, "sigma": float, "start": float}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_parameter_has_a_legal_type_and_a_default(family):
    """Annotations are read through inheritance and `InitVar`, and defaults have their type."""
    signature = inspect.signature(FAMILIES[family]).parameters
    legal = parameters(FAMILIES[family])
    assert {"N", *legal} == set(signature)
    assert {name: type(signature[name].default) for name in legal} == legal
