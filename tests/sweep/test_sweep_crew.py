"""The processes of a sweep are replaced when one is lost."""

import os

import pytest

from boundcheck.errors import LostWorkerError
from boundcheck.processes import retried
from boundcheck.sweep.crew import Crew

pytestmark = pytest.mark.xdist_group("sweep crew")


def once(path, number):
    """Return a number and where it was computed, from the second call for a path on; the first ends its process."""
    if not path.exists():
        path.touch()
        os._exit(1)
    return number, os.getpid()


def test_a_lost_worker_is_replaced(tmp_path):
    """The work that is asked once more has processes of its own; the others of the lost one are gone."""
    calls = [(tmp_path / "file", number) for number in range(4)]
    with Crew(2) as crew:
        crew.start()
        with pytest.raises(LostWorkerError):
            list(crew.finished(once, calls))
        assert not crew.started
        found = dict(retried(lambda: list(crew.finished(once, calls))))
        assert crew.started
    assert set(found) == {0, 1, 2, 3}
    assert os.getpid() not in found.values()
    assert not crew.started


def test_little_work_starts_no_process(tmp_path):
    """One call, or one worker, is this process's own affair."""
    (tmp_path / "file").touch()
    with Crew(2) as crew, Crew(1) as alone:
        alone.start()
        assert dict(crew.finished(once, [(tmp_path / "file", 0)])) == {0: os.getpid()}
        assert dict(alone.finished(once, [(tmp_path / "file", n) for n in (0, 1)])) == {n: os.getpid() for n in (0, 1)}
        assert not crew.started
        assert not alone.started
