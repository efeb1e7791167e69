import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_calls import called

from boundcheck.proofs.ledger import cache


@pytest.mark.parametrize(("arguments", "code"), [(["--help"], 0), (["show", "nothing"], 2)])
def test_the_package_runs_as_a_module(arguments, code):
    """``python -m boundcheck`` answers like the command, exit codes included."""
    done = subprocess.run([sys.executable, "-m", "boundcheck", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "boundcheck" in done.stdout + done.stderr


def test_a_command_ends_without_a_search_for_cycles():
    """When all else is over its objects are frozen; meanwhile cycles are searched for, seldom."""
    probe = (
        "import atexit, gc; atexit.register(lambda: print(gc.isenabled(), gc.get_threshold()[0], "
        "gc.get_freeze_count()));"
        "from boundcheck.cli import main; main(['--version'])"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    enabled, threshold, frozen = done.stdout.splitlines()[-1].split()
    assert enabled == "True"
    assert 10_000 <= int(threshold) <= 100_000
    assert int(frozen) > 1000


@pytest.mark.parametrize(("chosen", "threads"), [({}, 1), ({"OPENBLAS_NUM_THREADS": "2"}, 2)])
def test_a_command_computes_on_one_thread_unless_told_otherwise(chosen, threads, tmp_path):
    """Products of small matrices on several threads take many times as long; who sets a number has it."""
    probe = (
        "import atexit, threadpoolctl; atexit.register(lambda: print(*(pool['num_threads'] for pool in "
        "threadpoolctl.threadpool_info() if pool['internal_api'] == 'openblas')));"
        "from boundcheck.cli import main; main(['show', 'ridge-ratio', '--json'])"
    )
    home = {key: value for key, value in os.environ.items() if key != "OPENBLAS_NUM_THREADS"}
    chosen = {"XDG_CACHE_HOME": str(tmp_path), **chosen}
    done = subprocess.run([sys.executable, "-c", probe], env=home | chosen, capture_output=True, text=True, check=True)
    assert set(done.stdout.splitlines()[-1].split()) == {str(threads)}


def test_a_recipe_without_studies_is_for_the_report(capsys):
    """Nothing can be swept of the recipe ``ledger``, and that is said in one line."""
    code, out, err = called(capsys, "sweep", "ledger")
    assert (code, out) == (2, "")
    assert "recipe = 'ledger' is not legal: a recipe with studies to run" in err


FOREIGN = "from pathlib import Path\nPath(__file__).with_name('it-ran').touch()\nraise SystemExit(99)\n"


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(
            ["run", "ridge-ratio", "fedavg", "--N", "2", "--K", "1", "--T", "2", "--set", "eta=.1"],
            marks=pytest.mark.slow,
        ),
        ["certify", "fmgda-e1", "momentum-fl-e2", "--N", "2", "--workers", "2"],
    ],
)
def test_modules_in_the_current_folder_do_not_run(arguments, tmp_path):
    """A foreign numpy.py beside the user's files was run in numpy's place, here and in workers."""
    for name in ("numpy", "scipy", "sympy", "cyclopts", "msgspec", "rich", "sklearn"):
        (tmp_path / f"{name}.py").write_text(FOREIGN)
    command = [sys.executable, "-m", "boundcheck", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "it-ran").exists()


def test_without_a_home_folder_there_is_a_line(monkeypatch, capsys):
    """Where no folder for kept answers can be found, the message says what to set; it was a RuntimeError."""

    def homeless():
        raise RuntimeError

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    code, out, err = called(capsys, "prove", "gradma.young-printed")
    assert (code, out) == (2, "")
    assert err == "boundcheck: no home folder to keep answers in: set XDG_CACHE_HOME, or give --no-cache\n"
    assert called(capsys, "prove", "gradma.young-printed", "--no-cache")[0] == 0


def test_a_kept_answer_that_is_none_is_not_used(monkeypatch, capsys, tmp_path):
    """A file of the cache with a verdict that does not exist ended in a KeyError; it is decided again."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    before = called(capsys, "prove", "fedglomo.theorem3-range-printed")
    files = list(cache.folder().rglob("*.json"))
    assert files
    for file in files:
        file.write_text(file.read_text().replace('"proved"', '"bogus"'))
    assert called(capsys, "prove", "fedglomo.theorem3-range-printed") == before
