"""A solver that panics is told in one line: its stack of frames stays away from the terminal."""

import os
import subprocess
import sys

import pytest

from boundcheck.errors import NotApplicableError
from boundcheck.worst.sides import programme
from boundcheck.worst.sides.silence import silence_panics

PROBE = """
import os, sys, threading
from boundcheck.worst.sides.silence import silence_panics

def inner(words):
    with silence_panics():
        os.write(2, b"thread panicked at psdtrianglecone.rs\\n")
        print(words, file=sys.stderr)

print("before", file=sys.stderr)
with silence_panics():
    threads = [threading.Thread(target=inner, args=(f"thread {k}",)) for k in range(3)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
os.write(2, b"after\\n")
print("last", file=sys.stderr)
"""


def ran(code, **options):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, **options)


def test_what_python_prints_arrives_and_what_a_library_prints_does_not():
    lines = ran(PROBE.replace("\\\\", "\\")).stderr.splitlines()
    assert sorted(lines) == sorted(["before", "thread 0", "thread 1", "thread 2", "after", "last"])
    assert (lines[0], lines[-2:]) == ("before", ["after", "last"])


def test_without_it_the_words_of_a_library_arrive():
    """The control."""
    assert "panicked" in ran(PROBE.replace("\\\\", "\\").replace("with silence_panics():", "if True:")).stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a shell that closes a stream")
def test_a_closed_stream_stays_closed():
    code = "from boundcheck.worst.sides.silence import silence_panics\nwith silence_panics():\n    print('done')"
    line = f'{sys.executable} -c "{code}" 2>&-'
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout == "done\n"


class PanicException(BaseException):
    """What a panic is in Python."""


class Solver:
    """A solver that panics, aloud."""

    def solve(self):
        os.write(2, b"thread panicked at psdtrianglecone.rs\n   0: frame\n")
        raise PanicException


def test_a_panic_is_not_applicable_and_silent(capfd):
    with pytest.raises(NotApplicableError, match="Clarabel gave up"):
        programme._answer(Solver())
    assert capfd.readouterr().err == ""


def test_streams_are_as_before_after_an_error(capfd):
    before = sys.stderr
    with pytest.raises(ValueError, match="it"), silence_panics():
        raise ValueError("it")
    os.write(2, b"heard\n")
    assert sys.stderr is before
    assert capfd.readouterr().err == "heard\n"
