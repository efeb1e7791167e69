"""The equations that a proof takes for the method are those of the method's own code."""

from dataclasses import replace

import pytest
from turns import in_turn

from boundcheck.conform.equations.recursion import unmet
from boundcheck.proofs.chain.whole.proof import PROOFS, load_shipped
from boundcheck.proofs.language.grammar import read

THEOREMS = [f"momentum-fl.theorem{number}" for number in (11, 15, 19, 22)]


@pytest.mark.parametrize(("name", "K"), in_turn(THEOREMS, 2, 1, 3))
def test_the_code_of_the_method_satisfies_the_equations(name, K):
    """Two clients and two rounds on symbols: every local iterate, direction and server iterate agrees."""
    assert unmet(load_shipped(PROOFS[name]), K) == []


def test_the_code_of_fedavg_with_one_step_is_gradient_descent():
    assert unmet(load_shipped(PROOFS["example.sgd"]), 1, T=3) == []


def with_equation(file, name, right):
    """Return the file with another right side of an equation."""
    definitions = dict(file.setting.definitions)
    definitions[name] = replace(definitions[name], right=read(right))
    return replace(file, setting=replace(file.setting, definitions=definitions))


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("direction", "beta (grad(y[t, k]) + xi[t, k]) + beta g[t]"),
        ("direction", "beta grad(y[t, k]) + (1 - beta) g[t]"),
        ("local-start", "x[0]"),
        ("local-step", "y[t, k] + eta d[t, k]"),
        ("estimate", "beta mean(i, k) d[t, k]"),
        ("server-step", "x[t] - eta g[t + 1]"),
        ("server-step", "x[t] - gamma g[t]"),
        ("start", "x[0]"),
    ],
)
def test_a_wrong_equation_is_found(name, right):
    assert unmet(with_equation(load_shipped(PROOFS["momentum-fl.theorem11"]), name, right), 2) != []
