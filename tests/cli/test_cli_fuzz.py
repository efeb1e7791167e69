"""Mutated recipes, problem files and command lines end in an exit code and one line: no traceback, no hang."""

import random
import re
import signal
import tracemalloc

import pytest
from cli_calls import called
from test_cli_errors import BAD

from boundcheck.files.resources import folder

TAKEN_FOR = re.compile(r"(problem|method|bound) [\w.\[\]=,-]+ \(for '.*'\)")
"""What is said beside an error where a name was cut short."""
RECIPE = """title = "t"
seed = 1
replicates = 2
points = 2
[[study]]
id = "s"
title = "s"
problem = "ridge-ratio"
parameters = { d = 2, sigma = [0.5, 1.0] }
bounds = ["momentum-fl.theorem11"]
N = [2]
K = [1]
T = [2, 4, 8]
S = [1]
fit = ["T"]
epsilons = [0.1, 0.2]
[[study.compare]]
method = "fedavg"
hyper = { eta = 0.05 }
powers = { eta = -0.5 }
"""
COMMANDS = [
    "run ridge-ratio fedavg --N 2 --K 1 --T 2 --set eta=.1 --lanes 2",
    "check momentum-fl.theorem11 ridge-ratio[sigma=1,d=2] --N 2 --K 1 --T 2 --replicates 2 --budget 2",
    "show ridge-ratio[zeta=2,noise=signs] --N 3 --json",
    "sweep small.toml --store st --workers 1 --dry-run",
    "list methods --json",
    # Those that cannot become hours of honest work when a name is dropped.
    *[command for command, _ in BAD if command.startswith(("run", "check", "list", "conform --against"))],
]
WORDS = [
    "0", "-1", "1", "2", "1e308", "5e-324", "nan", "inf", "-inf", "1e160", "0.5", "true", '"x"', "[]", "{}", "[2, 3]",
    "9223372036854775807", "9" * 5000, "'", '"', "=", "\x1b[31m", "[/]", "[red]", "\u0000", "é", "𝕏", "N", "name",
    "d", "sigma", "momentum-fl.theorem19", "fedavg", "scaffold-m", "ridge-log", "--json", "--set", "--T", "x=1", "",
]  # fmt: skip
LIMIT_SECONDS = 20
LIMIT_BYTES = 300e6


def mutated(draw, text):
    """Return text with a few words replaced, doubled or dropped, or a few characters broken."""
    for _ in range(draw.randint(1, 3)):
        parts = text.split(" ")
        at = draw.randrange(len(parts))
        kind = draw.randrange(5)
        if kind == 0:
            parts[at] = draw.choice(WORDS)
        elif kind == 1:
            del parts[at]
        elif kind == 2:
            parts.insert(at, draw.choice([*WORDS, *parts]))
        text = " ".join(parts)
        if kind >= 3 and text:
            at = draw.randrange(len(text))
            text = text[:at] + draw.choice([*WORDS, ""]) + text[at + draw.randrange(4) :]
    return text


def problem_text():
    """Return a shipped problem file."""
    return (folder("problems") / "ridge-ratio.toml").read_text()


def case(draw, home):
    """Write the mutated files of a case and return its command."""
    kind = draw.randrange(3)
    recipe = mutated(draw, RECIPE) if kind == 0 else RECIPE
    problem = mutated(draw, problem_text()) if kind == 1 else problem_text()
    (home / "small.toml").write_text(recipe, errors="replace")
    (home / "mine.toml").write_text(problem, errors="replace")
    if kind == 0:
        return ["sweep", "small.toml", "--store", "st", "--workers", "1", "--dry-run"]
    if kind == 1:
        return ["show", "mine.toml", "--N", "2"]
    return mutated(draw, draw.choice(COMMANDS)).split(" ")


class Hang(BaseException):
    """A command that did not end."""


def hang(*_):
    raise Hang


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("cases", [75, pytest.param(10_000, marks=pytest.mark.slow)])
def test_no_input_ends_in_a_traceback(cases, tmp_path, monkeypatch, capsys):
    """Exit codes 0, 1 and 2 only (3 is a mistake of ours), one line says what is wrong, bounded time and memory."""
    monkeypatch.chdir(tmp_path)
    draw = random.Random(cases)
    old = signal.signal(signal.SIGALRM, hang)
    seen = set()
    try:
        for number in range(cases):
            arguments = case(draw, tmp_path)
            signal.setitimer(signal.ITIMER_REAL, LIMIT_SECONDS)
            tracemalloc.start() if number % 50 == 0 else None
            try:
                code, _, err = called(capsys, *arguments)
            except Hang:
                pytest.fail(f"case {number} did not end: {arguments}\n{(tmp_path / 'small.toml').read_text()}")
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                peak = tracemalloc.get_traced_memory()[1] if tracemalloc.is_tracing() else 0
                tracemalloc.stop()
            files = [(tmp_path / name).read_text() for name in ("small.toml", "mine.toml")]
            assert code in {0, 1, 2}, f"case {number}: {arguments}: {err}\n{files}"
            said = [line for line in err.splitlines() if not TAKEN_FOR.fullmatch(line)]
            assert code != 2 or len(said) == 1, f"case {number}: {arguments}: {err}"
            assert peak < LIMIT_BYTES, f"case {number}: {arguments}: {peak:.3g} bytes"
            seen.add(code)
    finally:
        signal.signal(signal.SIGALRM, old)
    assert {0, 2} <= seen
