"""What holds for all tests."""

import atexit
import gc
from collections import Counter

import pytest

LEFT_OUT = pytest.StashKey()
"""Numbers of slow tests that this run leaves out, by file."""


# Thousands of tests and caches live to the end: to search them for cycles every 700 objects is a tenth of a run.
gc.set_threshold(50_000)
atexit.register(gc.freeze)


def pytest_collection_finish():
    """Leave what was collected out of every later search for cycles."""
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def no_terminal():
    """Workers of a test run are told a width of 80, whatever they write to."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COLUMNS", raising=False)
        yield


def pytest_deselected(items):
    """Count slow tests that are left out."""
    for item in items:
        if item.get_closest_marker("slow"):
            item.config.stash.setdefault(LEFT_OUT, Counter())[item.nodeid.partition("::")[0]] += 1


def pytest_sessionfinish(session):
    """Hand the numbers from a worker to the process that prints; every worker leaves out the same."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left out"] = dict(session.config.stash.get(LEFT_OUT, {}))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Take the numbers from a worker."""
    if found := getattr(node, "workeroutput", {}).get("left out"):
        node.config.stash[LEFT_OUT] = Counter(found)


def pytest_terminal_summary(terminalreporter, config):
    """List what was left out."""
    found = config.stash.get(LEFT_OUT, {})
    if found:
        terminalreporter.section(f"{sum(found.values())} slow tests left out: make test-slow")
        for name, count in sorted(found.items()):
            terminalreporter.write_line(f"{name}: {count}")
