"""How a command ends when it is told to, or when what it was started with is gone: one line, the documented code."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_calls import called
from process_groups import require_gone, running
from turns import case_of, in_turn

ROOT = Path(__file__).parents[2]
# Ctrl-C reaches a command even where these tests run in the background of a shell, which ignores it.
PYTHON = ["env", "--default-signal=INT", sys.executable]
COMMAND = [*PYTHON, "-P", "-m", "boundcheck"]
RECIPE = """
title = "long"
[[study]]
id = "s"
title = "s"
problem = "ridge-ratio"
parameters = { d = 8, sigma = 1.0 }
bounds = ["momentum-fl.theorem11"]
N = [2, 3]
K = [2, 3]
T = [3000000]
"""
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="signals to a group, /proc and closed streams of Linux")
pytestmark = LINUX
SIGNALS = {signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGINT: 130}


def started(arguments, folder, *, before=(), **options):
    """Start a command in a session, and so a group, of its own."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache")}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen(
        [*before, *COMMAND, *arguments],
        cwd=folder,
        env=env,
        start_new_session=True,
        text=True,
        **pipes,
    )


def waited(process, count):
    """Wait until a group has as many processes: itself, the tracker of its resources, and workers."""
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        if len(running(process.pid)) >= count:
            return
        time.sleep(0.02)
    pytest.fail(f"{process.communicate()}")


MOMENTS = [case_of((how, 0.0), slow=how == signal.SIGHUP) for how in SIGNALS]
"""Two signals as soon as there are workers, one in the middle of their start; the rest there and later when slow."""
MOMENTS += [
    case_of((how, later), slow=(how, later) != (signal.SIGTERM, 0.4)) for how in SIGNALS for later in (0.4, 2.0)
]


@pytest.mark.parametrize(("how", "later"), MOMENTS)
def test_a_signal_to_the_group_is_one_line(how, later, tmp_path):
    """A closed terminal and `timeout` tell everyone: workers that are just starting, their tracker, and the parent."""
    (tmp_path / "r.toml").write_text(RECIPE)
    process = started(["sweep", "r.toml", "--workers", "2"], tmp_path)
    waited(process, 3)
    time.sleep(later)
    os.killpg(process.pid, how)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (SIGNALS[how], "", "interrupted; finished cells are kept\n")
    require_gone(process.pid)


@pytest.mark.parametrize("how", SIGNALS, ids=lambda how: how.name)
def test_a_signal_while_all_is_imported_is_one_line(how, tmp_path):
    """From the first line of the command line on; before, it is Python that starts."""
    probe = (
        "import os, sys\n"
        "class Late:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        name == 'cyclopts' and os.kill(os.getpid(), {int(how)})\n"
        "sys.meta_path.insert(0, Late())\n"
        "from boundcheck.cli import main\n"
        "main(['list', 'papers'])\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [*PYTHON, "-c", probe],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    words = "interrupted; finished cells are kept\n"
    assert (done.returncode, done.stdout, done.stderr) == (SIGNALS[how], "", words)


def test_a_signal_that_python_cannot_raise_is_raised_again(tmp_path):
    """In a destructor an exception is printed and forgotten, and the command ran on."""
    probe = (
        "import os, signal, time\n"
        "from boundcheck.cli.terminal import signals\n"
        "signals.listen()\n"
        "class Last:\n"
        "    def __del__(self):\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "try:\n"
        "    Last()\n"
        "    time.sleep(5)\n"
        "    print('ran on')\n"
        "except KeyboardInterrupt as error:\n"
        "    raise SystemExit(signals.report_interrupt(error))\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([*PYTHON, "-c", probe], env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (143, "", "interrupted; finished cells are kept\n")


def test_a_signal_while_foreign_code_runs_ends_the_process():
    """A solver, or an hour of hashing, lets no handler run: a second signal changed nothing either."""
    probe = (
        "import hashlib, os, signal, threading\n"
        "from boundcheck.cli.terminal import signals\n"
        "assert signals._PATIENCE == 3.0\n"
        "signals._PATIENCE = 0.2\n"
        "signals.listen()\n"
        "signals.watch_main_thread()\n"
        "threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGTERM]).start()\n"
        "hashlib.pbkdf2_hmac('sha256', b'p', b's', 2**31 - 1)\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([*PYTHON, "-c", probe], env=env, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (143, "", "interrupted; finished cells are kept\n")


def test_what_ignores_hanging_up_goes_on(tmp_path):
    """`nohup` has the signal ignored, and it was heard again."""
    (tmp_path / "r.toml").write_text(RECIPE)
    process = started(["sweep", "r.toml", "--workers", "1"], tmp_path, before=["nohup"], stdin=subprocess.DEVNULL)
    time.sleep(2)
    os.killpg(process.pid, signal.SIGHUP)
    time.sleep(0.5)
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 143
    assert err.splitlines()[-1] == "interrupted; finished cells are kept"


CLOSED = ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"]


@pytest.mark.parametrize(("closed", "command"), in_turn(CLOSED, "list papers", "show ridge-ratio --json", "--help"))
def test_a_closed_stream_leads_nowhere(closed, command, tmp_path):
    """It was an AttributeError of None, reported as an internal error; and a file opened next was printed to."""
    line = f"{' '.join(COMMAND)} {command} {closed}"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout) == (">&-" not in closed.replace("2>&-", ""))


def test_a_full_output_is_named(tmp_path):
    """The error of a write to standard output has no file in it."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path)}
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(
            [*COMMAND, "list", "papers"],
            cwd=tmp_path,
            env=env,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, "boundcheck: standard output: No space left on device\n")


GONE = "boundcheck: the current folder was deleted: change to one that exists\n"
WITHOUT_A_FOLDER = {
    "show mine.py:X": "name = 'mine.py:X' is not legal: a file that exists",
    "new theorem x.py": "x.py: cannot be written: No such file or directory",
}
"""Commands that need the current folder, and what they say where it is gone."""


@pytest.mark.parametrize(
    ("command", "code", "words"),
    [
        case_of(("list papers", 0, ""), slow=True),
        ("show ridge-ratio", 0, ""),
        case_of(("sweep overview --dry-run", 2, GONE), slow=True),
        ("certify fmgda-e1 momentum-fl-e2 --N 2 --workers 2", 2, GONE),
        *(case_of((command, 2, f"boundcheck: {words}"), slow=True) for command, words in WITHOUT_A_FOLDER.items()),
    ],
)
def test_a_current_folder_that_was_deleted_is_named(command, code, words, tmp_path):
    """What needs no folder answers; the rest says what is gone."""
    line = f'mkdir gone && cd gone && rmdir "$PWD" && {" ".join(COMMAND)} {command}'
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    said = [line for line in done.stderr.splitlines(keepends=True) if "at work for" not in line]  # on a slow machine
    assert len(said) == (code == 2)
    assert "".join(said).startswith(words)


@pytest.mark.parametrize("command", WITHOUT_A_FOLDER)
def test_a_folder_that_is_deleted_on_the_way_is_named(command, tmp_path, monkeypatch, capsys):
    """The same commands, in a process that is there already."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    code, _, err = called(capsys, *command.split())
    assert code == 2
    assert err.startswith(f"boundcheck: {WITHOUT_A_FOLDER[command]}")
    assert err.count("\n") == 1


def test_a_signal_that_was_acted_upon_ends_nothing_later():
    """A program that calls the command line twice, as these tests do, was ended in the second for the first."""
    probe = (
        "import os, signal, time\n"
        "from boundcheck.cli.terminal import signals\n"
        "signals._PATIENCE = 0.1\n"
        "signals.listen()\n"
        "signals.watch_main_thread()\n"
        "try:\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    time.sleep(5)\n"
        "except KeyboardInterrupt:\n"
        "    signals.listen()\n"
        "time.sleep(0.4)\n"
        "print('ran on')\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([*PYTHON, "-c", probe], env=env, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ran on\n", "")
