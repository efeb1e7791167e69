"""What holds for all tests."""

import atexit
import gc
import os
from collections import Counter

import pytest
import together

# Before numpy is loaded, here and in the workers, which are told of it: as many processes as cores share them, and
# memory that is asked for again is not given back in between.
for name, value in {
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_MMAP_THRESHOLD_": str(2**30),
    "MALLOC_TRIM_THRESHOLD_": str(2**32),
    "MALLOC_TOP_PAD_": str(2**24),
    # The shape of the next release; tests of the present one say so.
    "BOUNDCHECK_JSON": "1",
}.items():
    os.environ.setdefault(name, value)

LEFT_OUT = pytest.StashKey()
"""Numbers of slow tests that this run leaves out, by file."""


# Tests and caches live to the end: to search them for cycles every 700 objects took 8 % of the time of tests of proofs,
# and what is collected is not searched at all.
gc.set_threshold(100_000, 50)
gc.disable()
atexit.register(gc.freeze)


def pytest_configure(config):
    """Let each case of a folded test be selected by its name where names are asked for."""
    together.BY_NAME = bool(config.option.keyword)


def pytest_collection_finish():
    """Leave what was collected out of every later search for cycles."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def no_terminal():
    """Workers of a test run are told a width of 80, whatever they write to."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COLUMNS", raising=False)
        yield


@pytest.fixture(autouse=True, scope="session")
def no_slow_machine():
    """Commands say nothing of how long they take: on a busy machine they would, and a test reads what they say."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("boundcheck.cli.terminal.progress._EVERY", float("inf"))
        patch.setattr("boundcheck.cli.terminal.progress._PATIENCE", (3600.0, 3600.0))
        yield


@pytest.fixture(autouse=True, scope="session")
def no_watch():
    """Nobody ends this process for a signal that a test sends to it and handles itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("boundcheck.cli.terminal.signals.watch_main_thread", lambda: None)
        yield


@pytest.fixture(autouse=True, scope="session")
def no_power_cut():
    """Files need not reach the disk before a test goes on: hundreds of them cost more than what writes them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _descriptor: None)
        yield


@pytest.fixture(autouse=True, scope="session")
def no_answer_of_before():
    """Commands answer anew: a test sees what the code does, not what the same command printed before it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("boundcheck.cli.terminal.answers.load_kept", lambda _question: None)
        patch.setattr("boundcheck.cli.terminal.answers.keep", lambda _question, _answer: None)
        yield


@pytest.fixture
def letters_forgotten():
    """Forget, after the test, the letters that it declares."""
    from boundcheck.notation import LETTERS, symbol
    from boundcheck.problems.certification.maximise import MAXIMISERS

    rooms = [(room, set(room)) for room in (LETTERS, MAXIMISERS)]
    yield
    for room, before in rooms:
        for name in set(room) - before:
            del room[name]
    symbol.cache_clear()


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
