"""Forms in families of client vectors: the two blocks against dense forms of N vectors, and known inequalities."""

import numpy as np
import pytest
import sympy as sp

from boundcheck.proofs.provers import (
    GramBound,
    Identity,
    clients,
    deviation,
    frac,
    inner,
    mean,
    positive,
    square,
    vectors,
)
from boundcheck.proofs.provers.gram import blocks, form_matrix, negative_direction
from boundcheck.proofs.provers.hilbert import names_of

N, x = positive("N x")
u, v = clients("u v")
(c,) = vectors("c")

TRUE = {
    "Jensen": GramBound(square(mean(v)), square(v)),
    "Jensen with weights": GramBound(square(mean(u + v)), (1 + x) * square(u) + (1 + 1 / x) * square(v)),
    "variance": Identity(square(deviation(v)), square(v) - square(mean(v))),
    "mean is the best centre": GramBound(square(deviation(v)), square(v - c)),
    "bias and variance": Identity(square(v - c), square(deviation(v)) + square(mean(v) - c)),
    "covariance": Identity(inner(u, deviation(v)), inner(u, v) - inner(mean(u), mean(v))),
    "sum of squares": GramBound(N**2 * square(mean(v)), N * (N * square(v)), (N >= 1,)),
    "drift": GramBound(square(v - mean(u)), 2 * square(v - u) + 2 * square(deviation(u))),
    "noise floor": GramBound(square(mean(v)), square(v) + x),
}

FALSE = {
    "Jensen reversed": GramBound(square(v), square(mean(v))),
    "other centre": GramBound(square(v - c), square(deviation(v))),
    "spread over N": GramBound(square(deviation(v)), (1 - 1 / N) * square(v), (N >= 1,)),
    "means only": GramBound(inner(u, v), inner(mean(u), mean(v))),
    "below the noise": GramBound(square(mean(v)) + x, square(v)),
    "common vector": GramBound(inner(c, v), square(c)),
    "variance": Identity(square(deviation(v)), square(v)),
}


@pytest.mark.parametrize("name", TRUE)
def test_textbook_facts_hold_for_every_number_of_clients(name):
    """Jensen, variance and centring are proved with N as a symbol."""
    assert TRUE[name].decide(10).verdict == "proved"


@pytest.mark.parametrize("name", FALSE)
def test_false_forms_are_refuted_by_numbers_of_clients(name):
    """The replay builds one number a client and takes means and deviations from these."""
    outcome = FALSE[name].decide(10)
    assert outcome.verdict == "refuted"
    assert "NameError" not in outcome.replay
    exec(outcome.replay, {})


def dense(form, number):
    """Return the matrix of a form over c and the clients' numbers u_1..u_N, v_1..v_N: no blocks, no projections."""
    size = 1 + 2 * number
    rows = {"c": np.eye(size)[[0] * number]}
    for k, name in enumerate("uv"):
        rows[name] = np.eye(size)[1 + k * number : 1 + (k + 1) * number]
        rows[f"{name}_mean"] = np.tile(rows[name].mean(0), (number, 1))
        rows[f"{name}_dev"] = rows[name] - rows[f"{name}_mean"]
    total = np.zeros((size, size))
    for gram in form.atoms(sp.Function("inner")):
        left, right = (rows[a.name] for a in gram.args)
        product = left.T @ right / number
        total += float(form.coeff(gram)) * (product + product.T) / 2
    return total


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("number", [2, 3, 5])
def test_two_blocks_decide_the_form_of_all_clients(seed, number):
    """The blocks are semidefinite exactly when the full matrix over all clients is, by numpy's eigenvalues."""
    rng = np.random.default_rng(seed)
    parts = [mean(u), mean(v), c, deviation(u), deviation(v)]
    factor = rng.integers(-2, 3, (4, 5))
    squares = [square(sum((int(f) * part for f, part in zip(row, parts, strict=True)), 0 * c)) for row in factor]
    form = sp.expand(sum(squares) - frac(seed % 4, 2) * square(u) - (seed % 3) * square(v - c))
    names = names_of(form)
    matrix = form_matrix(form, names)
    by_blocks = all(negative_direction(matrix.extract(rows, rows)) is None for rows in blocks(matrix))
    assert by_blocks == (np.linalg.eigvalsh(dense(form, number))[0] > -1e-9)


def test_blocks_of_a_matrix_are_its_connected_parts():
    """Rows 0 and 2 are connected through 3; row 1 stands alone."""
    matrix = sp.Matrix([[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 3]])
    assert blocks(matrix) == [[0, 2, 3], [1]]
