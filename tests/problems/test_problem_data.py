from __future__ import annotations

import itertools
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from problem_cases import Words, points

from boundcheck.errors import InputError, NotApplicableError
from boundcheck.problems import load_problem
from boundcheck.problems.data.bundled import DATA, _load_columns, load_bundled
from boundcheck.problems.data.logistic import Logistic
from boundcheck.problems.data.partition import by_dirichlet, by_shards, by_skew
from boundcheck.problems.data.regression import Regression


@pytest.mark.parametrize(
    ("name", "shape", "classes"),
    [("cancer", (569, 30), 2), ("wine", (178, 13), 3), ("digits", (1797, 64), 10), ("diabetes", (442, 10), 2)],
)
def test_the_data_sets_are_those_of_scikit_learn(name, shape, classes):
    """Shapes and class numbers are those of the data sets' descriptions; columns are standard or constant."""
    data = load_bundled(name)
    assert data.features.shape == shape
    assert len(np.unique(data.classes)) == classes
    np.testing.assert_allclose(data.features.mean(axis=0), 0, atol=1e-12)
    assert set(np.round((data.features**2).mean(axis=0), 10)) <= {0.0, 1.0}
    assert set(data.signs) == {-1.0, 1.0}


@pytest.mark.parametrize("name", ["breast_cancer", "wine", "digits", "diabetes"])
def test_tables_are_what_the_loader_of_scikit_learn_returns(name):
    """Read as text or loaded, not a number differs."""
    from sklearn import datasets

    expected = getattr(datasets, f"load_{name}")(return_X_y=True)
    for found, there in zip(_load_columns(name), expected, strict=True):
        np.testing.assert_array_equal(found, there)


def test_a_data_set_is_read_without_an_import_of_scikit_learn():
    """A process that reads the numbers of three data sets has not imported the library that ships them."""
    code = (
        "import sys; from boundcheck.problems.data.bundled import load_bundled;"
        "print([load_bundled(name).features.shape[0] for name in ('cancer', 'wine', 'digits')],"
        "'sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[569, 178, 1797] False\n"


def test_digits_are_split_in_halves():
    """Digits 0-4 are the 901 negatives and 5-9 the 896 positives; pooling averages 2 x 2 pixels."""
    data = load_bundled("digits")
    assert ((data.signs < 0).sum(), (data.signs > 0).sum()) == (901, 896)
    from sklearn import datasets

    image = datasets.load_digits().images
    corner = image[:, :2, 2:4].mean(axis=(1, 2))
    expected = (corner - corner.mean()) / corner.std()
    np.testing.assert_allclose(load_bundled("digits-pooled").features[:, 1], expected, atol=1e-12)


@pytest.mark.parametrize("concentration", [0.01, 0.1, 1.0, 100.0])
@pytest.mark.parametrize("N", [1, 3, 20])
def test_dirichlet_gives_every_row_to_one_client(concentration, N):
    """Every row goes to exactly one client, every client has a row, and the same seed gives the same partition."""
    classes = load_bundled("digits").classes
    parts = by_dirichlet(classes, N, concentration, 7)
    held = parts.rows[parts.rows >= 0]
    np.testing.assert_array_equal(np.sort(held), np.arange(1797))
    np.testing.assert_array_equal((parts.rows >= 0).sum(axis=1), parts.sizes)
    assert parts.sizes.min() >= 1
    np.testing.assert_array_equal(parts.rows, by_dirichlet(classes, N, concentration, 7).rows)


def test_concentration_controls_label_skew():
    """A class has one holder of nearly all its rows at 0.01, and N nearly equal ones at 1000."""
    classes = load_bundled("digits").classes
    largest = []
    for concentration in (0.01, 1.0, 1000.0):
        parts = by_dirichlet(classes, 8, concentration, 0)
        owner = np.empty(1797, dtype=int)
        for client, rows in enumerate(parts.rows):
            owner[rows[rows >= 0]] = client
        largest.append(np.mean([np.bincount(owner[classes == c]).max() / (classes == c).sum() for c in range(10)]))
    assert largest[0] > 0.9
    assert largest[0] > largest[1] > largest[2]
    assert largest[2] < 0.2


def test_the_even_partition_leaves_out_the_remainder():
    """With 1797 rows and 10 clients 179 rows go to each, and 7 are left out."""
    parts = by_skew(load_bundled("digits").classes, 10, 0.5)
    assert parts.rows.shape == (10, 179)
    assert len(np.unique(parts.rows)) == 1790
    assert parts.equal


@pytest.mark.parametrize(("N", "shards"), [(10, 2), (7, 3), (50, 2), (4, 1)])
def test_shards_are_runs_of_the_sorted_rows(N, shards):
    """A straight reading: sort by digit, cut into N shards runs, shuffle the runs; every client has that many."""
    classes = load_bundled("digits").classes
    parts = by_shards(classes, N, shards, 3)
    size = 1797 // (N * shards)
    order = sorted(range(N * shards * size), key=lambda row: (classes[row], row))
    runs = {frozenset(order[k * size : (k + 1) * size]): k for k in range(N * shards)}
    owners = {}
    for client, rows in enumerate(parts.rows):
        held = set(rows.tolist())
        mine = [k for run, k in runs.items() if run <= held]
        assert len(mine) == shards
        assert len(held) == size * shards == parts.sizes[client]
        owners.update(dict.fromkeys(mine, client))
    assert sorted(owners) == list(range(N * shards))
    assert [owners[k] for k in range(N * shards)] != sorted(owners.values()) or shards == N == 1
    assert np.array_equal(parts.rows, by_shards(classes, N, shards, 3).rows)
    assert not np.array_equal(parts.rows, by_shards(classes, N, shards, 4).rows)


def test_two_shards_of_one_class_each_are_two_classes_at_most():
    """Where every shard is of one class, as in the papers' experiments, clients have one class or two."""
    classes = np.repeat(np.arange(10), 20)
    rows = by_shards(classes, 10, 2, 0).rows
    counts = [len(np.unique(classes[own])) for own in rows]
    assert set(counts) <= {1, 2}
    assert 2 in counts


@pytest.mark.parametrize("loss", ["quadratic", "ratio", "log"])
@pytest.mark.parametrize("split", ["skew", "dirichlet"])
def test_regression_row_by_row(loss, split):
    """Values and gradients agree with a loop over each client's rows; clients weigh the same whatever their size."""
    problem = Regression(N=4, data="wine", loss=loss, split=split, concentration=0.1)
    phi = {"quadratic": lambda z: z * z / 2, "ratio": lambda z: z * z / (1 + z * z), "log": lambda z: np.log1p(z * z)}
    power = {"quadratic": 0, "ratio": 2, "log": 1}[loss]
    x = points(1, 1, problem.d)
    at = x[0, 0]
    values, gradients = [], []
    for rows, targets, size in zip(problem.rows, problem.target, problem.sizes, strict=True):
        misses = [(row, row @ at - y) for row, y in zip(rows[:size], targets[:size], strict=True)]
        values.append(np.mean([phi[loss](miss) for _, miss in misses]))
        pulls = [miss * (2 if power else 1) / (1 + miss * miss) ** power * row for row, miss in misses]
        gradients.append(np.mean(pulls, axis=0))
    ridge = 0.1 * (at * at / (1 + at * at)).sum()
    assert problem.value(x)[0] == pytest.approx(np.mean(values) + ridge)
    g = problem.exact_gradient(np.broadcast_to(x, (1, 4, problem.d)))[0]
    np.testing.assert_allclose(g - 0.1 * 2 * at / (1 + at * at) ** 2, gradients, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("split", ["skew", "dirichlet"])
@pytest.mark.parametrize("make", [Logistic, partial(Regression, loss="log")])
def test_the_mean_gradient_is_that_of_the_clients_lane_by_lane(make, split):
    """It is the mean of the clients' gradients, and no lane's bits depend on its place or on how many there are."""
    problem = make(N=5, data="wine" if make is Logistic else "diabetes", split=split)
    x = points(21, 1, problem.d)
    found = problem.mean_gradient(x)
    each = np.stack([problem.exact_gradient(x, np.full((21, 1), i)) for i in range(5)])
    np.testing.assert_allclose(found, each.mean(axis=0), rtol=1e-12, atol=1e-14)
    order = np.random.default_rng(0).permutation(21)
    for lanes in (order, order[:13], order[:1]):
        assert np.array_equal(problem.mean_gradient(x[lanes]), found[lanes])


@pytest.mark.parametrize("make", [Logistic, Regression])
def test_tokens_name_rows_that_the_client_has(make):
    """With unequal clients every row drawn exists, and the minibatch gradient is the mean of those rows' gradients."""
    problem = make(N=6, data="wine", split="dirichlet", concentration=0.1)
    token = problem.sample(Words(range(2)), None, 50)
    assert (token.row < problem.sizes[None, :, None]).all()
    x = points(2, 6, problem.d)
    g = problem.gradient(x, None, token)
    for lane, client in itertools.product(range(2), range(6)):
        cloud = problem.outcomes(x[lane, client], client)
        assert len(cloud) == problem.sizes[client]
        np.testing.assert_allclose(g[lane, client], cloud[token.row[lane, client]].mean(axis=0), rtol=1e-10, atol=1e-12)


def test_least_squares_floor_is_below_the_unregularised_minimum_plus_its_penalty():
    """The floor lies between the least squares minimum by numpy's solver and f at that solution."""
    problem = load_problem("least-squares", N=2)
    A, y = problem.rows.reshape(-1, problem.d), problem.target.ravel()
    x, *_ = np.linalg.lstsq(A, y, rcond=None)
    smallest = ((A @ x - y) ** 2).mean() / 2
    assert smallest < problem.constant("f_star") < problem.value(x[None, None])[0]


def test_least_squares_has_no_variance_bound():
    """sigma, zeta and G_inf do not exist: the variance of row gradients grows with the square of |x|."""
    problem = load_problem("least-squares", N=2)
    assert not {"sigma", "zeta", "G_inf"} & set(problem.constants)
    near, far = (problem.outcomes(np.full(problem.d, s), 0).var(axis=0).sum() for s in (10.0, 1000.0))
    assert far / near == pytest.approx(1e4, rel=0.2)


def test_least_squares_smoothness_by_hand():
    """L is the largest eigenvalue of a client's second moment matrix plus 2 rho."""
    problem = load_problem("least-squares", N=3)
    moments = [np.linalg.eigvalsh(rows.T @ rows / len(rows))[-1] for rows in problem.rows]
    assert problem.constant("L") == pytest.approx(max(moments) + 2.0)


def test_joint_draws_are_enumerated():
    """The 2^3 joint draws of three clients with two rows average to the exact gradients; 71 rows each are too many."""
    problem = load_problem("auc-two-point[skew=1]", N=3)
    token, number = problem.enumerate()
    x = points(1, 3, problem.d)
    drawn = problem.gradient(np.broadcast_to(x, (number, 3, problem.d)), None, token)
    assert number == 8
    assert len(np.unique(token.row.reshape(8, 3), axis=0)) == 8
    np.testing.assert_allclose(drawn.mean(axis=0), problem.exact_gradient(x)[0], rtol=1e-12, atol=1e-14)
    with pytest.raises(NotApplicableError, match="too many to enumerate"):
        load_problem("logistic-cancer", N=8).enumerate()


def test_the_pictures_of_the_page_exist_and_are_small():
    """Every picture that docs/problems.md shows is in docs/figures, is an SVG and is below 100 kB; so is its script."""
    docs = Path(__file__).parents[2] / "docs"
    shown = re.findall(r"\((figures/[^)]+)\)", (docs / "problems.md").read_text(encoding="utf-8"))
    assert {"figures/auc-two-point.svg", "figures/ncsc-newton.svg", "figures/dirichlet-split.svg"} <= set(shown)
    for name in shown:
        text = (docs / name).read_text(encoding="utf-8")
        assert "<svg" in text
        assert len(text) < 100_000
    assert (docs / "figures" / "saddles_and_data.py").is_file()


@pytest.mark.parametrize(
    ("make", "bad", "message"),
    [
        (Logistic, {"data": "iris"}, f"data = 'iris' is not legal: one of {', '.join(DATA)}"),
        (Logistic, {"split": "random"}, "logistic: split = 'random' is not legal: skew, dirichlet or shards"),
        (Logistic, {"split": "shards", "shards": 300}, "logistic: shards = 300 is not legal: at most 284"),
        (Logistic, {"shards": 0}, "logistic: shards = 0 is not legal: an integer >= 1"),
        (Regression, {"concentration": 0.0}, "regression: concentration = 0.0 is not legal: a number > 0"),
        (Regression, {"loss": "cosine"}, "regression: loss = 'cosine' is not legal: one of quadratic, ratio, log"),
        (Regression, {"rho": 0.0}, "regression: rho = 0.0 is not legal"),
    ],
)
def test_bad_parameters_are_named(make, bad, message):
    """The message names the parameter and its value."""
    with pytest.raises(InputError, match=message):
        make(N=2, **bad)
