"""What holds for all tests of methods."""

import pytest

from boundcheck.engine import minibatches


@pytest.fixture(autouse=True)
def _no_minibatch_ahead(monkeypatch):
    """Minibatches are recorded in the round in which they are made: none is made before its own."""
    monkeypatch.setattr(minibatches.Minibatches, "ahead", 0)
