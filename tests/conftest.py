"""What holds for all tests."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def no_terminal():
    """Workers of a test run are told a width of 80, whatever they write to."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COLUMNS", raising=False)
        yield
