"""Tests that share what is dear to make run in one worker."""

import pytest

GROUP = "named like this"

pytestmark = pytest.mark.xdist_group(GROUP)


def test_workers_see_the_group(request):
    """pytest-xdist sends tests by name: without the group in it, every worker makes what the group shares."""
    if not getattr(request.config.option, "loadgroup", False):
        pytest.skip("groups are made by --dist loadgroup")
    assert request.node.nodeid.endswith(f"@{GROUP}")
