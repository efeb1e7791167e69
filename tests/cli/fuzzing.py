"""Inputs of every kind, mutated, given to what reads them: how each case ended, and what was wrong.

Files of the user's, command lines and their settings, requests of programs, stores and the cache.

``python tests/cli/fuzzing.py KIND CASES SEED`` prints the cases that end otherwise than they may; tests ask the same.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fuzzed_files import FILE_KINDS
from fuzzed_inputs import OTHER_KINDS
from mutations import CANARY, Kind

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_SECONDS = 60
"""Of this process: a machine that is busy with other things takes longer."""
MOST_BYTES = 4e9
PROGRESS = re.compile(r"at work for|left|takes about")
"""What long work says of itself."""
KINDS = {**FILE_KINDS, **OTHER_KINDS}


class Hang(BaseException):
    """A case that did not end."""


def _hang(*_: object) -> None:
    raise Hang


def _ended(kind: Kind, command: str, text: str) -> tuple[int | str, str, str]:
    """Return how a case ended: its exit code, or the name of what it raised, and what it printed."""
    out, err = io.StringIO(), io.StringIO()
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = kind.ask(command, text)
    except Hang:
        # Work that says how it goes on may be long.
        code = "long" if PROGRESS.search(err.getvalue()) else "hang"
    except BaseException as error:  # noqa: BLE001
        code = f"raised {type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return code, out.getvalue(), err.getvalue()


def _wrong(kind: Kind, code: int | str, out: str, err: str) -> str:
    """Return what is wrong with an end, or nothing."""
    said = [line for line in err.splitlines() if line.startswith("boundcheck: ")]
    said += [line for line in out.splitlines() if line.startswith("it.toml: refused: ")]
    if code not in {0, 1, 2, 5, "long"}:
        return f"ended with {code}"
    if "Traceback" in err + out or "report it" in err + out:
        return "traceback, or ours"
    # Of claims each that is not legal has its line.
    if code == 2 and (not said or (len(said) > 1 and ".toml:" not in said[-1]) or max(map(len, said)) > 1500):
        return f"{len(said)} lines of error"
    if "\x1b" in out + err or "\u202e" in out + err:
        return "an escape sequence is printed"
    if not kind.runs_code and Path("it-ran").exists():
        return "code ran"
    if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 > MOST_BYTES:
        return "memory"
    return ""


@dataclass(frozen=True)
class Case:
    """A case that ended otherwise than it may."""

    number: int
    command: str
    text: str
    what: str
    err: str


def fuzz(
    name: str,
    cases: int,
    seed: int,
    tell: Callable[[Case], None] = lambda case: None,
    slow: Callable[[str, float], None] = lambda command, seconds: None,
) -> tuple[list[Case], dict[int | str, int]]:
    """Return the cases of a kind of input that end otherwise than they may, and how often each exit code came."""
    kind, draw, found, codes = KINDS[name], random.Random(f"{name} {seed}"), [], {}
    texts = kind.texts()
    kind.beside()
    Path("canary.py").write_text(CANARY, encoding="utf-8")
    old = signal.signal(signal.SIGPROF, _hang)
    folder = Path.cwd()
    try:
        for number in range(cases):
            text = kind.change(draw, draw.choice(texts), texts)
            command = draw.choice(kind.commands)
            made = kind.name or "nothing"
            if kind.runs_code:
                # A module of each case's own: nothing of an earlier one answers.
                made = f"it{seed}_{number}.py"
                command = command.replace("it.py", made)
            if kind.name:
                Path(made).write_bytes(text.encode("utf-8", "replace"))
            Path("made.py").unlink(missing_ok=True)
            begun = time.process_time()
            code, out, err = _ended(kind, command, text)
            os.chdir(folder)
            took = time.process_time() - begun
            codes[code] = codes.get(code, 0) + 1
            what = _wrong(kind, code, out, err)
            if took > 20:
                slow(command or text, took)
            if what:
                found.append(Case(number, command, text, what, err))
                tell(found[-1])
                Path("it-ran").unlink(missing_ok=True)
            if kind.runs_code:
                Path(made).unlink()
    finally:
        signal.signal(signal.SIGPROF, old)
    return found, codes


def main() -> None:
    """Print the cases of the command line."""
    import warnings

    warnings.simplefilter("ignore")
    # Where pytest finds what tests share.
    sys.path.insert(1, str(Path(__file__).resolve().parents[1]))
    name, cases, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    keep = Path(os.environ.get("KEEP", tempfile.gettempdir())) / f"{name.replace(' ', '-')}-{seed}"
    folder = Path(tempfile.mkdtemp())
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    os.chdir(folder)
    resource.setrlimit(resource.RLIMIT_AS, (int(8e9), int(8e9)))
    begun = time.process_time()

    def tell(case: Case) -> None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{case.number}-{KINDS[name].name or 'case'}").write_bytes(case.text.encode("utf-8", "replace"))
        print(f"{case.number}: {case.command}: {case.what}: {case.err[:600]}", flush=True)

    found, codes = fuzz(name, cases, seed, tell, lambda command, s: print(f"slow {s:.0f} s: {command}", flush=True))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    took = f"{time.process_time() - begun:.0f} s, {peak:.2g} bytes"
    print(f"{name}: {cases} cases of seed {seed}, codes {codes}, {len(found)} wrong, {took}")
    os.chdir("/")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
