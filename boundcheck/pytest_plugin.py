"""The pytest fixture `assert_conforms`, which every test suite has where boundcheck is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(name="assert_conforms")
def conforming() -> Callable[..., Any]:
    """Return `boundcheck.testing.assert_conforms`."""
    from boundcheck.testing import assert_conforms

    return assert_conforms
