"""Requests of programs, mutated: an answer or one sentence, no internal error, no hang, no code that nobody allowed."""

import json
import random
import signal
import sys
from pathlib import Path

import pytest
from fuzzing import CANARY, SCALARS, WORDS, Hang, _hang, words_changed

from boundcheck.agents.tools import call

REQUESTS = [
    ("decide", {"shows": "|u + v|^2 <= 2*|u|^2 + 2*|v|^2", "letters": "vectors u, v"}),
    ("decide", {"shows": "2*a*b <= a^2 + b^2", "letters": "a > 0; b >= 0; r real", "given": "a >= 1"}),
    ("check", {"bound": "momentum-fl.theorem11", "problem": "ridge-ratio[sigma=0]", "N": 2, "K": 1, "T": 4}),
    ("check", {"bound": "momentum-fl.theorem11", "problem": "ridge-ratio", "N": 2, "K": 1, "T": [2, 4], "S": None}),
    ("refute", {"bound": "momentum-fl.theorem11", "work": 300, "problem": "ridge-ratio"}),
    ("worst", {"name": "fedavg", "K": 1, "T": 2, "N": 2, "set": {"eta": 0.5}, "zeta": 1.0}),
    ("worst", {"name": "sgd", "K": 1, "T": [1, 2], "N": 1, "set": {"eta": 0.5}, "measure": "best", "mu": -0.5}),
    ("conform", {"method": "fedavg"}),
    ("explain", {"word": "momentum-fl.theorem11", "problem": "ridge-ratio", "N": 2, "K": 1, "T": 4}),
    ("schema", {"about": "errors"}),
    ("review", {"bound": "momentum-fl.theorem11", "work": 300}),
]
STRANGE = [
    float("inf"),
    2**70,
    1e-320,
    "\x00",
    "a" * 3000,
    "../../etc/passwd",
    "/dev/zero",
    "canary:X",
    "os:system",
    [[1]],
    {"a": {"b": []}},
    "\ud800",
    True,
    "ridge-ratio[d=99999999]",
    "vectors , v",
    "vectors u,\nvectors v",
]
SECONDS = 60


def request(draw):
    """Return a request with one to three arguments of another value or type, or left out."""
    tool, arguments = draw.choice(REQUESTS)
    arguments = json.loads(json.dumps(arguments))
    for _ in range(draw.randint(1, 3)):
        key = draw.choice([*arguments, "more"])
        old, turn = arguments.get(key), draw.random()
        if turn < 0.35:
            arguments[key] = draw.choice([*SCALARS, *STRANGE])
        elif turn < 0.45:
            arguments.pop(key, None)
        elif isinstance(old, str):
            arguments[key] = words_changed(draw, old, [old])
        elif isinstance(old, int | float):
            arguments[key] = draw.choice([-old, old + 1, str(old), [old], 10**30, old + 0.5])
        else:
            arguments[key] = draw.choice(WORDS)
    return tool, arguments


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(sys.platform == "win32", reason="a timer of the process")
@pytest.mark.parametrize("cases", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_no_request_ends_in_an_internal_error(cases, tmp_path, monkeypatch):
    """Numbers for texts, lists for numbers, K = 10^30, names of code and half a character."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "canary.py").write_text(CANARY)
    draw, ends = random.Random(cases), set()
    old = signal.signal(signal.SIGPROF, _hang)
    try:
        for number in range(cases):
            tool, arguments = request(draw)
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            try:
                found = call(tool, arguments)
            except Hang:
                pytest.fail(f"case {number} did not end: {tool} {arguments}")
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            json.dumps(found)
            error = found.get("error", {})
            assert error.get("kind") != "internal", f"case {number}: {tool} {arguments}: {error}"
            assert not Path("it-ran").exists(), f"case {number}: {tool} {arguments}"
            ends.add(error.get("code", 0))
    finally:
        signal.signal(signal.SIGPROF, old)
    assert {0, 2} <= ends


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("refute", {"bound": 0}, "bound = 0 is not legal: a text"),
        ("worst", {"name": "sgd", "K": 1, "T": 1, "set": "eta"}, "set = 'eta' is not legal: an object"),
        ("explain", {"word": "zeta", "problem": [[1]]}, "is not legal: a text or null"),
        ("decide", {"shows": "u = u", "letters": "\ud800"}, "is not legal: a text"),
        ("decide", {"shows": "|u|^2 >= 0", "letters": "vectors , u"}, "letters = 'vectors , u' is not legal"),
        ("decide", {"shows": "|u|^2 >= 0", "letters": "vectors u,\nvectors v"}, "is not legal"),
        (
            "check",
            {"bound": "momentum-fl.theorem11", "problem": "ridge-ratio", "N": 2, "K": 10**30, "T": 4},
            "K = 1000000000000000000000000000000 is not legal: at most 1e+09",
        ),
        (
            "check",
            {"bound": "momentum-fl.theorem11", "problem": "ridge-ratio", "N": 2, "K": 10**9, "T": 10**4},
            "K T = 10000000000000 is not legal: at most 1e+12 local steps",
        ),
    ],
)
def test_what_a_request_may_not_be_is_named(tool, arguments, words):
    """Each was an internal error, or did not end."""
    error = call(tool, arguments)["error"]
    assert error["code"] == 2
    assert words in error["message"]
