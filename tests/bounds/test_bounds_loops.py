"""Sums and products over rounds in a bound's formulas: values, lengths, units, orders, and every command."""

from dataclasses import replace

import numpy as np
import pytest
from sympy import Eq, Integer, Product, Sum, chebyshevt, exp, factorial, fibonacci, floor, harmonic, oo
from sympy import symbols as plain

import boundcheck as bc
from boundcheck.bounds import Bound, Condition
from boundcheck.bounds.bound import compile_expression
from boundcheck.bounds.orders import order
from boundcheck.bounds.units import MixedUnitsError, findings, unit_of
from boundcheck.cli import main
from boundcheck.errors import BoundcheckError, InputError, NotApplicableError
from boundcheck.notation import symbols

K, T, L, mu, eta, sigma, delta_x = symbols("K T L mu eta sigma delta_x")
t, s = plain("t s", integer=True)
FALLING = Product((1 - eta * mu / (t + 1)) ** 2, (t, 0, T - 1))
THEOREM = Bound(
    id="falling",
    paper="here",
    title="gradient descent with steps eta/(t+1)",
    where="a product",
    method="sgd",
    metric="final_distance",
    needs=("L", "mu", "delta_x"),
    parameters={"eta": 1 / L},
    schedule={"eta": "(t+1)^-1"},
    terms={"start": FALLING * delta_x},
    trivial=delta_x,
    convex=True,
    exact_gradients=True,
    conditions=(Condition("one step", Eq(K, 1)),),
    rigid=True,
)


def value(expression, **letters):
    """Return an expression at numbers of numpy's double type."""
    names, function = compile_expression(expression)
    # As where a bound is evaluated: the branch that is not taken may have no value.
    with np.errstate(all="ignore"):
        return function(*(np.float64(letters[name]) for name in names))


def test_values_are_those_of_loops():
    """A product, a sum with a product in it whose ends move, and an empty one of each."""
    assert value(FALLING, eta=0.5, mu=0.8, T=4) == pytest.approx(np.prod([(1 - 0.4 / (i + 1)) ** 2 for i in range(4)]))
    nested = Sum(eta / (s + 1) * Product(1 - mu / (t + 2), (t, s, T - 1)), (s, 0, T - 1))
    by_hand = sum(0.1 / (i + 1) * np.prod([1 - 0.3 / (j + 2) for j in range(i, 5)]) for i in range(5))
    assert value(nested, eta=0.1, mu=0.3, T=5) == pytest.approx(by_hand, rel=1e-14)
    assert value(Sum(eta, (t, 1, T)), eta=2.0, T=7) == 14.0
    assert value(Sum(eta, (t, 2, T)), eta=2.0, T=1) == 0.0
    assert value(Product(eta, (t, 2, T)), eta=2.0, T=1) == 1.0


def test_longer_numbers_stay_longer():
    names, function = compile_expression(Sum(eta**t, (t, 0, T)))
    found = function(*(np.longdouble(0.5 if name == "eta" else 60) for name in names))
    assert isinstance(found, np.longdouble)
    assert 2 - found == np.longdouble(2) ** -60


def test_more_rounds_than_a_loop_can_take_are_refused():
    with pytest.raises(NotApplicableError, match="too long"):
        value(FALLING, eta=0.5, mu=0.8, T=1e12)


def test_functions_that_numpy_lacks():
    """Factorials, harmonic numbers and Chebyshev polynomials, by recursions; what has no numbers is named."""
    assert value(factorial(T), T=6) == pytest.approx(720)
    assert value(harmonic(T), T=5) == pytest.approx(1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5)
    for x in (0.3, 1.0, 2.5):
        three = 4 * x**3 - 3 * x
        assert value(chebyshevt(T, L / mu), T=3, L=x, mu=1.0) == pytest.approx(three)
    with pytest.raises(InputError, match="has fibonacci, which is not known in numbers"):
        value(fibonacci(T), T=3)
    assert order(exp(-T * mu / L), T) == -oo
    assert order((1 - mu / L) ** floor(T / 3), T) == -oo
    assert order(harmonic(T), T) == 0


def test_units_and_orders():
    """A sum has the unit of its terms, a product none; powers of an index add up to those of T."""
    assert unit_of(Sum(eta * sigma**2 / (t + 1), (t, 0, T - 1))) == unit_of(eta * sigma**2)
    assert findings(THEOREM) == []
    with pytest.raises(MixedUnitsError):
        unit_of(Product(eta / (t + 1), (t, 0, T - 1)))
    assert order(Sum(1 / (t + 1) ** 2, (t, 0, T - 1)), T) == 0
    assert order(Sum(t, (t, 1, T)) / T, T) == 1
    assert order(Sum((t + 1) ** Integer(-1), (t, 0, T - 1)), T) == 0
    assert order(Sum((t + 1) ** (-Integer(1) / 2), (t, 0, T - 1)), T) == Integer(1) / 2
    with pytest.raises(BoundcheckError, match="no rule for the order of Product"):
        order(FALLING, T)


def test_a_theorem_with_a_product_is_checked_and_half_of_it_is_false():
    bowl = bc.load_problem("strong-bowl[sigma=0]", N=2)
    assert bc.check(THEOREM, bowl, K=1, T=8).verdict == "holds"
    mu_is_L = bc.load_problem("quadratic-tilt[start=3]", N=1)
    late = replace(THEOREM, id="late", parameters={"eta": 1 / (2 * L)}, terms={"start": FALLING * delta_x / 2})
    assert bc.check(late, mu_is_L, K=1, T=8).verdict == "violated"
    assert bc.check(replace(late, terms=THEOREM.terms), mu_is_L, K=1, T=8).verdict == "holds"


@pytest.mark.parametrize("command", ["show", "bounds"])
def test_commands_say_that_its_power_is_not_known(command, tmp_path, monkeypatch, capsys):
    """They answer all else, and end well."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(
        "from dataclasses import replace\n"
        "from sympy import Product, symbols as plain\n"
        "from boundcheck.bounds import BOUNDS\n"
        "from boundcheck.notation import symbols\n"
        'T, L, mu, delta_x = symbols("T L mu delta_x")\n'
        't = plain("t", integer=True)\n'
        "loop = Product(1 - mu / (L * (t + 1)), (t, 0, T - 1))\n"
        'THEOREM = replace(BOUNDS["field.gd-strong"], id="mine", terms={"start": loop * delta_x})\n'
    )
    with pytest.raises(SystemExit) as ended:
        main([command, "mine.py:THEOREM"])
    assert not ended.value.code
    assert "mine" in capsys.readouterr().out
