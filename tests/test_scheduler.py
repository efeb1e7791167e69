"""A Dask scheduler in place of local processes (needs the extra ``dask``, else these are left out)."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from user_file import MINE
from user_file import RECIPE as OWN

from boundcheck.errors import InputError, LostWorkerError
from boundcheck.sweep import Store, load_recipe, run_sweep
from boundcheck.workers import scheduler

distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]
PAGE = Path(__file__).parents[1] / "docs" / "clusters.md"
RECIPE = """
title = "t"
replicates = 4
[[study]]
id = "s"
title = "s"
problem = "ridge-ratio"
parameters = { d = 4, sigma = [0.5, 1.0] }
bounds = ["momentum-fl.theorem11"]
N = [2, 3]
K = [2]
T = [ROUNDS]
"""


@pytest.fixture
def cluster(tmp_path):
    """Start a scheduler and two workers of their own processes; return the address and the scheduler's process."""
    place = tmp_path / "scheduler.json"
    tool = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--scheduler-file", place, "--no-dashboard"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    started = [subprocess.Popen([*tool, "--port", "0", "--host", "127.0.0.1"], **quiet)]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", place, "--nthreads", "1"]
    started += [subprocess.Popen([*worker, "--no-dashboard", "--no-nanny"], cwd=tmp_path, **quiet) for _ in range(2)]
    end = time.monotonic() + 60
    while not place.exists() and time.monotonic() < end:
        time.sleep(0.1)
    with distributed.Client(scheduler_file=str(place)) as client:
        client.wait_for_workers(2, timeout=60)
        address = client.scheduler.address
    yield address, started[0]
    for process in reversed(started):
        process.kill()
        process.wait()


def recipe_of(folder, rounds):
    path = folder / "r.toml"
    path.write_text(RECIPE.replace("ROUNDS", str(rounds)))
    return load_recipe(str(path))


def test_dask_workers_write_the_same_files(cluster, tmp_path):
    """Byte for byte those of this process."""
    recipe, here, there = recipe_of(tmp_path, 50), Store(tmp_path / "here"), Store(tmp_path / "there")
    run_sweep(recipe, here, workers=1)
    with scheduler.dask_executor(cluster[0], there.folder) as executor:
        assert run_sweep(recipe, there, executor=executor).ran == 4
    files = sorted(here.folder.iterdir())
    assert [p.name for p in files] == sorted(p.name for p in there.folder.iterdir())
    assert all(p.read_bytes() == (there.folder / p.name).read_bytes() for p in files)


def test_dask_workers_know_a_users_own_file(cluster, tmp_path, monkeypatch):
    """Theorem, method and problem outside the package, in a folder that the workers do not start in."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "mine.py").write_text(MINE)
    (folder / "r.toml").write_text(OWN)
    monkeypatch.chdir(folder)
    recipe = load_recipe("r.toml", trust_code=True)
    here, there = Store(tmp_path / "here"), Store(tmp_path / "there")
    cells = run_sweep(recipe, here, workers=1).ran
    with scheduler.dask_executor(cluster[0], there.folder) as executor:
        assert run_sweep(recipe, there, executor=executor).ran == cells > 0
    files = sorted(here.folder.iterdir())
    assert all(p.read_bytes() == (there.folder / p.name).read_bytes() for p in files)


def test_the_page_on_clusters_runs(cluster, tmp_path):
    """Its code, at this address and folder and with a small recipe, fills the store."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    recipe_of(tmp_path, 5)
    places = {"tcp://host:8786": cluster[0], "/shared/results": tmp_path / "store", "audit": tmp_path / "r.toml"}
    for old, new in places.items():
        assert old in code
        code = code.replace(old, str(new))
    exec(code, {})
    assert len(list((tmp_path / "store").iterdir())) == 4


def test_claims_are_decided_there(cluster):
    """The ledger takes the executor as a sweep does."""
    from boundcheck.proofs import prove

    names = ["fedlalr.lemma9", "fmgda.a2"]
    with scheduler.dask_executor(cluster[0]) as executor:
        found = prove(names, executor=executor)
    assert [(p.id, p.verdict) for p in found] == [(p.id, p.verdict) for p in prove(names)]


def test_other_versions_are_refused(cluster, monkeypatch):
    """A worker with another numpy is named with both versions before anything runs."""
    own = scheduler.fingerprint()
    monkeypatch.setattr(scheduler, "_own", lambda: own | {"numpy": "0.1"})
    with pytest.raises(InputError, match=r"--dask: worker tcp://\S+: numpy = '\S+' is not legal: 0.1, as here"):
        scheduler.dask_executor(cluster[0]).__enter__()


def test_a_folder_that_workers_do_not_see_is_refused(cluster, tmp_path, monkeypatch):
    """The store must be shared."""
    monkeypatch.setattr(scheduler, "_sees", str.isdigit)
    with pytest.raises(InputError, match=r"a folder that every worker of .* sees"):
        scheduler.dask_executor(cluster[0], tmp_path / "store").__enter__()
    assert not any((tmp_path / "store").iterdir())


def lose_the_scheduler(cluster, recipe, store):
    """Kill the scheduler while a sweep waits for its answers."""
    address, process = cluster
    with scheduler.dask_executor(address) as executor:
        futures = [executor.submit(time.sleep, 30)]
        process.kill()
        run_sweep(recipe, store, executor=executor)
        futures[0].result()


def test_a_lost_scheduler_is_one_error(cluster, tmp_path):
    """It was a traceback; what was finished stays."""
    with pytest.raises(LostWorkerError, match="the scheduler or a worker was lost"):
        lose_the_scheduler(cluster, recipe_of(tmp_path, 200_000), Store(tmp_path / "store"))


def test_no_scheduler_and_no_workers_are_refused():
    """An address where nobody answers is named."""
    with pytest.raises(InputError, match=r"--dask = 'tcp://127.0.0.1:1': no scheduler answers there"):
        scheduler.dask_executor("tcp://127.0.0.1:1").__enter__()
