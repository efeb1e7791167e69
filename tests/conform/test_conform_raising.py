"""An implementation that raises."""

import pytest

from boundcheck.conform import compare
from boundcheck.errors import InputError


def broken(clients, x0, *, K, T, active, **hyper):
    """Divide by zero."""
    return 1 / 0


def test_an_error_inside_the_users_function_is_reported_as_theirs():
    """The message names the exception and the setting, with the original as its cause."""
    with pytest.raises(InputError, match="function raised ZeroDivisionError at") as caught:
        compare(broken, method="fedavg")
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def generating(clients, x0, *, K, T, active, **hyper):
    """Yield the start, and fail."""
    yield x0
    _ = x0 + None


def test_an_error_inside_a_generator_is_the_users_too():
    """It is no wrong type of what is returned."""
    with pytest.raises(InputError, match="function raised TypeError at") as caught:
        compare(generating, method="fedavg")
    assert isinstance(caught.value.__cause__, TypeError)


def test_what_is_no_list_of_iterates_is_named():
    with pytest.raises(InputError, match="function returned int at"):
        compare(lambda clients, x0, **more: 3, method="fedavg")
