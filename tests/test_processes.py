"""Worker processes end with the process that started them, and a lost one is named, not a traceback."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from boundcheck.errors import LostWorkerError
from boundcheck.workers.memory import keep_freed_memory
from boundcheck.workers.processes import pool, retry_once

LINUX = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
PARENT = """
import os, time
from boundcheck.workers.processes import pool


def slow_pid(_):
    time.sleep(0.2)
    return os.getpid()


if __name__ == "__main__":
    with pool(2) as executor:
        pids = set()
        while len(pids) < 2:
            pids |= set(executor.map(slow_pid, range(4)))
        for _ in range(2):
            executor.submit(time.sleep, 600)
        print(*pids, flush=True)
        time.sleep(600)
"""


def alive(pid):
    """Return whether a process runs; one that nobody has collected yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(pids, seconds):
    """Wait until no process of these runs, at most so long, and return whether that is so."""
    end = time.monotonic() + seconds
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(map(alive, pids))


@LINUX
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_workers_die_with_their_parent(how, tmp_path):
    """Workers of a killed parent lived on as orphans; now the pipe ends and they go within 2 seconds."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    parent = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL)
    with parent:
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(pids) == 2
        assert all(map(alive, pids))
        parent.send_signal(how)
        parent.wait(10)
        try:
            assert gone(pids, 2)
        finally:
            for pid in filter(alive, pids):
                os.kill(pid, signal.SIGKILL)


def killed(_):
    """Die like a worker for which memory did not do."""
    os.kill(os.getpid(), signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)


def lose_a_worker():
    """Kill one worker while the other is busy for ten minutes."""
    with pool(2) as executor:
        executor.submit(time.sleep, 600)
        executor.submit(killed, None).result()


def fail_beside_a_worker():
    """Fail while a worker is busy for ten minutes."""
    with pool(2) as executor:
        executor.submit(time.sleep, 600)
        raise KeyError


@pytest.mark.parametrize(("work", "error"), [(lose_a_worker, LostWorkerError), (fail_beside_a_worker, KeyError)])
def test_leaving_with_an_error_does_not_wait(work, error):
    """A killed worker was a BrokenProcessPool; with any error, what is in flight ends at once."""
    start = time.monotonic()
    with pytest.raises(error):
        work()
    assert time.monotonic() - start < 60


LATE = """
import os, signal, sys, time
from concurrent.futures import ProcessPoolExecutor
from boundcheck.errors import LostWorkerError
from boundcheck.workers.processes import pool

start = ProcessPoolExecutor._adjust_process_count

def late(self):
    time.sleep(0.3)
    start(self)

if __name__ == "__main__":
    ProcessPoolExecutor._adjust_process_count = late
    try:
        with pool(2) as executor:
            executor.submit(time.sleep, 600)
            executor.submit(os._exit, 1).result()
    except LostWorkerError:
        print("noticed")
"""


def test_a_worker_that_starts_late_and_dies_is_noticed(tmp_path):
    """The last worker started after the workers were listed; over its death the sweep waited for ever."""
    script = tmp_path / "late.py"
    script.write_text(LATE)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "noticed\n"


@pytest.mark.parametrize(("losses", "calls"), [(0, 1), (1, 2), (2, 2)])
def test_one_loss_is_forgiven(losses, calls):
    """After one lost worker the work is asked for again, after two the error stands."""
    asked = []

    def work():
        asked.append(1)
        if len(asked) <= losses:
            raise LostWorkerError
        return "done"

    if losses < 2:
        assert retry_once(work) == "done"
    else:
        with pytest.raises(LostWorkerError):
            retry_once(work)
    assert len(asked) == calls


def children(pid):
    """Return the workers of a process."""
    out = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            line = (stat.parent / "cmdline").read_text()
        except OSError:
            continue
        if parent == pid and "spawn_main" in line:
            out.append(int(stat.parent.name))
    return out


RECIPE = """
title = "long"
replicates = 4
points = 2
[[study]]
id = "long"
title = "long"
problem = "ridge-ratio"
parameters = { d = 4, sigma = [0.5, 1.0, 1.5, 2.0] }
bounds = ["momentum-fl.theorem11"]
N = [2, 3]
K = [2]
T = [ROUNDS]
"""


@pytest.fixture
def sweep(tmp_path):
    """Return a function that starts a sweep of eight bundles in two workers."""
    started = []

    def start(rounds, store="store"):
        (tmp_path / "long.toml").write_text(RECIPE.replace("ROUNDS", str(rounds)))
        command = [sys.executable, "-m", "boundcheck", "sweep", "long.toml", "--store", store, "--workers", "2"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": tmp_path}
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
        started.append(subprocess.Popen(command, env=environment, **pipes))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def workers_of(process, other_than=()):
    """Wait for the two workers of a sweep."""
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        found = sorted(set(children(process.pid)) - set(other_than))
        if len(found) == 2:
            return found
        time.sleep(0.05)
    pytest.fail(f"no workers: {process.communicate()}")
    return []


@LINUX
@pytest.mark.parametrize(
    ("how", "code"),
    [
        (signal.SIGTERM, 143),
        pytest.param(signal.SIGHUP, 129, marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, 130, marks=pytest.mark.slow),
    ],
)
def test_a_signal_is_one_line_and_leaves_no_worker(how, code, sweep):
    """SIGTERM and SIGHUP left workers behind; now they end like Ctrl-C."""
    process = sweep(3_000_000)
    pids = workers_of(process)
    time.sleep(1)
    process.send_signal(how)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (code, "interrupted; finished cells are kept\n")
    assert gone(pids, 2)


@LINUX
def test_a_killed_worker_is_asked_again_and_then_exit_code_4(sweep):
    """Two losses: one line, exit code 4; it was a traceback and 1, the code of --fail-on."""
    process = sweep(3_000_000)
    first = workers_of(process)
    time.sleep(0.5)
    os.kill(first[0], signal.SIGKILL)
    second = workers_of(process, first)
    time.sleep(0.5)
    os.kill(second[1], signal.SIGKILL)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (4, "")
    assert err.startswith("boundcheck: a worker process ended without an answer")
    assert len(err.splitlines()) == 1
    assert gone([*first, *second], 2)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.npz")}


@LINUX
@pytest.mark.slow
def test_fifty_kills_at_random_instants_change_no_number(sweep, tmp_path):
    """A sweep killed fifty times, workers and parents alike, ends with the files of one that was left alone."""
    import random

    draw, rounds = random.Random(0), 2000
    assert sweep(rounds, "calm").wait(300) == 0
    for attempt in range(50):
        process = sweep(rounds, "stormy")
        time.sleep(draw.uniform(0, 6))
        if process.poll() is not None:
            (tmp_path / "stormy" / draw.choice(sorted(contents(tmp_path / "stormy")))).unlink()
            continue
        pids = children(process.pid)
        os.kill(draw.choice([process.pid, *pids]) if attempt % 2 else process.pid, signal.SIGKILL)
        process.kill()
        process.communicate()
        assert gone(pids, 2)
    assert sweep(rounds, "stormy").wait(300) == 0
    assert contents(tmp_path / "stormy") == contents(tmp_path / "calm")


ARRAYS = """
import resource
import numpy as np
from boundcheck.workers.memory import keep_freed_memory
{call}
for _ in range(300):
    np.ones(20_000) + 1.0
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt)
"""


@LINUX
def test_a_worker_keeps_the_memory_that_arrays_leave():
    """Under Dask's limit each array of 160 kB is 39 new pages; with the limit raised none is."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    environment = {**plain, "MALLOC_TRIM_THRESHOLD_": "65536"}

    def pages(call):
        code = [sys.executable, "-c", ARRAYS.format(call=call)]
        return int(subprocess.run(code, env=environment, capture_output=True, text=True, check=True).stdout)

    assert pages("") - pages("keep_freed_memory()") > 300 * 35


def test_memory_is_left_alone_where_nobody_limits_it(monkeypatch):
    """Without the variable, and with a large limit, nothing is changed."""
    for value in ("", "134217728", "many"):
        monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", value)
        assert not keep_freed_memory.__wrapped__()
