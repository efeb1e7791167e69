"""The processes of a sweep are replaced when one is lost."""

import os
import subprocess
import sys
from concurrent.futures import Executor, Future

import pytest

from boundcheck.errors import LostWorkerError
from boundcheck.sweep.run.crew import Crew
from boundcheck.workers.processes import retry_once

pytestmark = pytest.mark.xdist_group("sweep crew")


def once(path, number):
    """Return a number and where it was computed, from the second call for a path on; the first ends its process."""
    if not path.exists():
        path.touch()
        os._exit(1)
    return number, os.getpid()


class Handed(Executor):
    """Does at once what it is handed, and remembers which numbers that were."""

    def __init__(self):
        self.numbers = []

    def submit(self, fn, /, *args):
        self.numbers.append(args[1])
        future = Future()
        future.set_result(fn(*args))
        return future


def test_a_lost_worker_is_replaced(tmp_path, monkeypatch):
    """The work that is asked once more has processes of its own; the others of the lost one are gone."""
    # Nothing here needs what a bundle imports.
    monkeypatch.setattr("boundcheck.sweep.run.crew.ready", os.getpid)
    calls = [(tmp_path / "file", number) for number in range(4)]
    with Crew(2) as crew:
        crew.start()
        following = crew.follow(once, calls[::-1])
        with pytest.raises(LostWorkerError):
            list(crew.as_finished(once, calls))
        assert not crew.has_processes
        found = dict(retry_once(lambda: list(crew.as_finished(once, calls))))
        assert crew.has_processes
        behind = list(following.answers())
    assert set(found) == {0, 1, 2, 3}
    assert os.getpid() not in found.values()
    assert not crew.has_processes
    assert [number for number, _ in behind] == [3, 2, 1, 0]
    assert os.getpid() not in {process for _, process in behind}


def test_what_follows_is_handed_out_behind(tmp_path):
    """Once, in order, behind the work of the moment; what is lost is handed out again, what is answered is not."""
    (tmp_path / "file").touch()
    handed = Handed()
    with Crew(executor=handed) as crew:
        following = crew.follow(once, [(tmp_path / "file", number) for number in (7, 8)])
        assert not handed.numbers
        list(crew.as_finished(once, [(tmp_path / "file", number) for number in range(3)]))
        list(crew.as_finished(once, [(tmp_path / "file", 9)]))
        assert handed.numbers == [0, 1, 2, 7, 8, 9]
        assert [number for number, _ in following.answers()] == [7, 8]
        following._futures[0] = Future()
        following._futures[0].set_exception(LostWorkerError())
        assert [number for number, _ in following.answers()] == [7, 8]
        assert handed.numbers == [0, 1, 2, 7, 8, 9, 7]


def test_little_work_starts_no_process(tmp_path):
    """One call, or one worker, is this process's own affair."""
    (tmp_path / "file").touch()
    with Crew(2) as crew, Crew(1) as alone:
        alone.start()
        assert dict(crew.as_finished(once, [(tmp_path / "file", 0)])) == {0: os.getpid()}
        following = alone.follow(once, [(tmp_path / "file", 2)])
        assert dict(alone.as_finished(once, [(tmp_path / "file", n) for n in (0, 1)])) == {
            n: os.getpid() for n in (0, 1)
        }
        assert list(following.answers()) == [(2, os.getpid())]
        assert not crew.has_processes
        assert not alone.has_processes


def test_a_process_is_ready_without_formulas():
    """What simulates imports neither sympy nor scipy, and no data frames: every process of a sweep waits for it."""
    heavy = "{'scipy', 'sklearn', 'pandas', 'sympy'}"
    code = (
        "import sys; from boundcheck.sweep.run.crew import ready; ready();"
        f"sys.exit(' '.join({heavy} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.stderr.strip() == ""
