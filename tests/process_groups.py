"""Groups of processes: who of one still runs, and that nobody does."""

import time
from pathlib import Path


def running(leader):
    """Return the processes of a group that still run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[2]) == leader and words[0] != "Z":
            found.append(int(path.parent.name))
    return found


def require_gone(leader, seconds=10):
    """Ask that nobody of a group is left, a moment after its first process ended."""
    end = time.monotonic() + seconds
    while running(leader) and time.monotonic() < end:
        time.sleep(0.02)
    assert running(leader) == []
