"""What a grid is widened to follows from the kinds of the hyperparameters, not from their names."""

import pytest

from boundcheck.methods import METHODS
from boundcheck.methods.kinds import kinds
from boundcheck.sweep.experiments.tuning import _beyond, _on_edge


def widened(method, name, values, best):
    kind = kinds(METHODS[method])[name]
    return _beyond(kind, values, best) if _on_edge(kind, values, best) else best


@pytest.mark.parametrize("method", ["fedams", "fedadam", "local-adam", "lafedopt"])
@pytest.mark.parametrize("name", ["beta1", "beta2"])
def test_weights_of_moments_stay_below_one(method, name):
    """FedAMS was tuned to beta1 = 12.5: 0.5 * 0.5/0.1 = 2.5, and once more."""
    grid = [0.1, 0.5]
    for _ in range(3):
        grid.append(widened(method, name, grid, max(grid)))
    # In v/(1 - v): 1/9, 1, 9, 81, 729.
    assert grid[2:] == pytest.approx([0.9, 81 / 82, 729 / 730])


def test_steps_keep_their_ratio_and_have_no_natural_end():
    """The control: a step of 1 is no end, and what a factor of a step is widened to may be above 1."""
    assert widened("fedavg", "eta", [0.1, 1.0], 1.0) == pytest.approx(10.0)
    assert widened("fedavg", "gamma", [0.1, 1.0], 1.0) == pytest.approx(10.0)
    # LED's beta is a dual step, though the letter beta is a weight.
    assert widened("led", "beta", [0.1, 0.5], 0.5) == pytest.approx(2.5)
    # A weight of 1 is its end.
    assert widened("fedavg-m", "beta", [0.5, 1.0], 1.0) == 1.0


def test_counts_are_widened_to_whole_numbers():
    assert widened("fednova", "fewest", [2, 3], 3) == 4
    assert isinstance(widened("fednova", "fewest", [2, 3], 3), int)
