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
