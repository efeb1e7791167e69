"""What a machine has beside every registered theorem: no theorem without an answer, factors are quotients."""

import pytest

from boundcheck import BOUNDS, METHODS
from boundcheck.bounds.field import FIELD
from boundcheck.errors import NotApplicableError
from boundcheck.evidence.slack.answers import PAIRS, REASONS, machine_answer
from boundcheck.evidence.slack.loose import beside, loose_bounds
from boundcheck.worst import ProblemClass, contract, sharpen_all_k

EVERY = [*BOUNDS, *FIELD]


@pytest.mark.parametrize("name", EVERY)
def test_no_theorem_is_without_an_answer(name):
    """A factor and the theorem beside it, or a reason; never both."""
    answer = machine_answer(name)
    assert (answer.factor is None) == bool(answer.why)
    assert (answer.factor is None) == (not answer.machine)
    assert answer.text()


def test_what_is_listed_is_registered():
    """Pairs and reasons are about bounds that exist, and none has both."""
    assert set(REASONS) | set(PAIRS) <= set(FIELD)
    assert not set(REASONS) & set(PAIRS)


def test_a_factor_of_the_field_is_a_quotient_by_hand():
    """SCAFFOLD at eta K = 1/12, T = 4, G_0 = 3: 56/27 and 16/3 beside 2 and 1/12."""
    h, T, G_0 = 1 / 12, 4, 3.0
    published = 56 / 27 / (h * T) + 16 / 3 * h**2 * G_0 / T
    machine = 2 / (h * T) + G_0 / 12 / T
    assert machine_answer("field.scaffold").factor == pytest.approx(published / machine, rel=1e-9)


def test_delays_have_the_quotient_of_their_descents():
    """Without noise 2 Delta/(eta T) beside 11/6, whatever the step."""
    answer = machine_answer("field.delayed-sgd")
    assert answer.factor == pytest.approx(12 / 11)
    assert answer.long == pytest.approx(12 / 11)


def test_more_than_twice_is_among_the_loose():
    """FedAvg under dissimilarity loses more than two against the machine's theorem, SCAFFOLD does not."""
    rows = {row.bound: row for row in loose_bounds()}
    assert rows["field.fedavg-dissimilar"].all_steps == "field.fedavg-all"
    assert "field.scaffold" not in rows
    assert "times field.fedavg-all" in beside("field.fedavg-dissimilar")
    assert beside("field.signsgd").startswith("none: it is about gradient_size")


def test_some_reasons_are_tried():
    """Gradient descent contracts by the same factor; PAGE, EF21-SGDM and gradient tracking are no plain local loops."""
    pytest.importorskip("clarabel")
    assert float(contract(METHODS["sgd"](eta=1.0), K=1, mu=0.1).rate) == pytest.approx(0.81, rel=1e-5)
    given = ProblemClass(N=2, Delta=1.0, zeta=1.0)
    hyper = {
        "page": {"eta": 0.1, "p": 0.5},
        "gradient-tracking": {"eta": 0.1},
        "ef21-sgdm": {"gamma": 0.1, "beta": 0.5},
        "fedavg-drawn": {"eta": 0.1},
    }
    for name, values in hyper.items():
        assert any(BOUNDS[bound].method == name for bound in REASONS)
        with pytest.raises(NotApplicableError, match=name):
            sharpen_all_k(METHODS[name](**values), given=given)
