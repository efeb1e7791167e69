"""Signals that come while foreign code calls back into Python are acted upon behind it."""

import signal
import subprocess
import sys
import threading

import pytest

from boundcheck.workers.interrupts import defer_interrupts

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="signals as Linux has them")


@pytest.fixture
def handled():
    """Return the numbers of the signals that a handler of SIGTERM was called with, in order."""
    found, before = [], signal.getsignal(signal.SIGTERM)
    signal.signal(signal.SIGTERM, lambda number, _: found.append(number))
    yield found
    signal.signal(signal.SIGTERM, before)


def test_a_signal_is_handled_behind_the_block(handled):
    with defer_interrupts():
        signal.raise_signal(signal.SIGTERM)
        assert handled == []
    assert handled == [signal.SIGTERM]
    signal.raise_signal(signal.SIGTERM)
    assert handled == [signal.SIGTERM] * 2


def asked_within(done, error=None):
    """Ask to end within a block, and go on there."""
    with defer_interrupts():
        signal.raise_signal(signal.SIGTERM)
        done.append("the rest")
        if error:
            raise error


@pytest.mark.parametrize("error", [None, ValueError()], ids=["done", "failed"])
def test_what_a_handler_raises_is_raised_behind_the_block(error, handled):
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    done = []
    with pytest.raises(KeyboardInterrupt):
        asked_within(done, error)
    assert done == ["the rest"]


def test_what_is_ignored_stays_ignored(handled):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with defer_interrupts():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN


def test_another_thread_defers_nothing(handled):
    def enter():
        with defer_interrupts():
            seen.append(signal.getsignal(signal.SIGTERM))

    seen, before = [], signal.getsignal(signal.SIGTERM)
    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert seen == [before]


def test_a_second_signal_ends_at_once():
    """As it does elsewhere: who asks twice does not wait."""
    code = (
        "import os, signal\n"
        "from boundcheck.workers.interrupts import defer_interrupts\n"
        "signal.signal(signal.SIGTERM, print)\n"
        "with defer_interrupts():\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    print('goes on')\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (-signal.SIGTERM, "")
