"""Inputs that are no files of the user's: command lines, settings, requests of programs, stores and the cache."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mutations import SCALARS, WORDS, Kind, run_command, words_changed

if TYPE_CHECKING:
    import random

RUN = "--N 2 --K 1 --T 4"
LINES = (
    f"run ridge-ratio fedavg {RUN} --set eta=.1 --lanes 2",
    f"run ridge-ratio[sigma=1] fedavg-m {RUN} --set eta=.1 --set beta=.9 --set gamma=1 --lanes 2 --seed 3 --json",
    f"check momentum-fl.theorem11 ridge-ratio[sigma=1,d=2] {RUN} --replicates 2 --budget 2 --S 1 --b 2",
    f"check momentum-fl.theorem19-printed quadratic-tilt {RUN} --set beta=0.5 --vary zeta=20 --json",
    "check momentum-fl.theorem11 ridge-ratio --N 2 --K 1 --T 2 4 8 --replicates 2 --budget 4 --alpha .1",
    "certify ridge-ratio --N 2 --workers 1",
    "satisfies ridge-ratio fedlalr",
    "show ridge-ratio[zeta=2,noise=signs] --N 3 --json",
    "show momentum-fl.theorem11",
    "show fedavg-m",
    "explain vacuous",
    "list problems --needs L,mu",
    "list methods --json",
    "bounds momentum-fl.theorem11 fedlalr.corollary2 --set L=2",
    "table fmgda.table1 --along sigma",
    "findings momentum-fl-e1 --script shows.py",
    "conform fedavg",
    "prove fmgda.lemma3-split --fail-on refuted",
    f"tightness momentum-fl.theorem11 {RUN} --zeta 2",
    "worst fedavg --set eta=0.5 --K 1 --T 1 2 --N 2 --measure best --mu -0.5",
    "worst sgd --set eta=0.5 --K 1 --T 2 --N 1 --sigma 1 --json",
    "sharpen fedavg --set eta=0.25 --K 2 --T 6",
    "sweep small.toml --dry-run --store st --workers 1",
    "new theorem mine.py --latex mine.tex",
    "verify mine.json --strict",
    "rate momentum-fl",
)
"""A command line of every kind whose work stays small where a value of it is another one."""
LIKELY = ("0", "1", "2", "3", "7", "0.1", "0.5", "0.9", "1e-3", "1e-9", "1e6", "4", "2.5", "1e3")
"""Values that are legal in many places."""
VALUES = (
    "0", "-1", "1", "2", "1e308", "5e-324", "nan", "inf", "-inf", "1e160", "0.5", "true", '"x"', "[]", "{}", "[2,3]",
    "9223372036854775807", "9" * 5000, "'", "1e", "0x10", "1_000", "1,2", "2:3", "1/3", "L", "eta", "None", "", "é",
    "\x1b[31m", "[red]", "\u202e", "canary:X", "os:system", "../x", "/dev/zero", "1e-320", "10^9",
)  # fmt: skip


def line_changed(draw: random.Random, text: str, texts: list[str]) -> str:
    """Return a command line with words lost, doubled, replaced, moved from another one or broken."""
    for _ in range(draw.choice((1, 1, 1, 2))):
        words = text.split(" ")
        at, kind = draw.randrange(len(words)), draw.randrange(6)
        # A file that is named on the command line is the user's own word: it runs.
        data = [word for word in WORDS if word != "canary.py:X"]
        other = draw.choice([*data, *VALUES, *words, *draw.choice(texts).split(" ")])
        if kind == 0:
            words[at] = other
        elif kind == 1 and len(words) > 1:
            del words[at]
        elif kind == 2:
            words.insert(at, other)
        elif kind == 3:
            words[at] = words_changed(draw, words[at], [words[at]]).replace(" ", "")
        elif kind == 4:
            near = draw.randrange(len(words))
            words[at], words[near] = words[near], words[at]
        else:
            words[at] = words[at].partition("=")[0] + "=" + draw.choice(VALUES)
        text = " ".join(words)
    return text


def setting_changed(draw: random.Random, text: str, _: list[str]) -> str:
    """Return a command line with one or two values of its options, settings or parameters replaced."""
    for _ in range(draw.choice((1, 1, 2))):
        words = text.split(" ")
        places = [k for k in range(len(words)) if _has_value(words, k)] or [0]
        at = draw.choice(places)
        head, sign, _old = words[at].rpartition("=")
        closing = "]" if words[at].endswith("]") else ""
        words[at] = head + sign + draw.choice(draw.choice((LIKELY, VALUES))) + closing
        text = " ".join(words)
    return text


def _has_value(words: list[str], k: int) -> bool:
    return "=" in words[k] or (k > 0 and words[k - 1].startswith("--") and not words[k].startswith("--"))


SMALL = """title = "small"
seed = 3
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
T = [2, 4]
[[study.compare]]
method = "fedavg"
hyper = { eta = 0.05 }
"""


def _small_beside() -> None:
    Path("small.toml").write_text(SMALL, encoding="utf-8")
    Path("mine.tex").write_text(r"E f(x_T) - f^* \le \frac{2 L \Delta}{T}", encoding="utf-8")
    square = {"id": "square", "letters": {"x": "", "y": ""}, "shows": "2*x*y <= x^2 + y^2", "by": [[["x - y"]]]}
    Path("mine.json").write_text(json.dumps([square]), encoding="utf-8")


def ask_line(_: str, text: str) -> int:
    """Run a command line that may write files of its own, and remove those."""
    before = {path.name for path in Path.cwd().iterdir()}
    try:
        return run_command(text)
    finally:
        for path in Path.cwd().iterdir():
            if path.name not in before and path.name != "it-ran":
                shutil.rmtree(path) if path.is_dir() else path.unlink()


REQUESTS = [
    ("decide", {"shows": "|u + v|^2 <= 2*|u|^2 + 2*|v|^2", "letters": "vectors u, v"}),
    ("decide", {"shows": "2*a*b <= a^2 + b^2", "letters": "a > 0; b >= 0; r real", "given": "a >= 1"}),
    ("decide", {"file": 'about = "x"\nletters = "a > 0"\n[claim.a]\nshows = "a^2 + 1 >= 2*a"\n'}),
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


def request_changed(draw: random.Random, text: str, _: list[str]) -> str:
    """Return a request, as JSON, with one to three arguments of another value or type, or left out."""
    tool, arguments = json.loads(text)
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
    return json.dumps([tool, arguments])


def ask_request(_: str, text: str) -> int:
    """Ask a tool and return the code of its answer, which must be JSON; an error is a line."""
    from boundcheck.agents.tools import call

    found = call(*json.loads(text))
    json.dumps(found)
    if error := found.get("error"):
        print(f"boundcheck: {json.dumps(error['message'])}", file=sys.stderr)
        return 3 if error["kind"] == "internal" else error["code"]
    return 0


def damage(draw: random.Random, _: str, __: list[str]) -> str:
    """Return what is done to a folder of files that answers: to which one, and how."""
    how = draw.choice(("flip", "flip", "cut", "empty", "swap", "text", "more", "key", "folder", "gone"))
    return json.dumps({"how": how, "file": draw.random(), "other": draw.random(), "at": draw.random()})


def _do_damage(folder: Path, done: dict[str, float | str]) -> None:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    one, other = (files[int(float(done[key]) * len(files))] for key in ("file", "other"))
    content, at = one.read_bytes(), float(done["at"])
    byte = int(at * len(content))
    if done["how"] == "flip":
        one.write_bytes(content[:byte] + bytes([content[byte] ^ (1 << int(8 * at * 997) % 8)]) + content[byte + 1 :])
    elif done["how"] == "cut":
        one.write_bytes(content[:byte])
    elif done["how"] == "empty":
        one.write_bytes(b"")
    elif done["how"] == "swap":
        one.write_bytes(other.read_bytes())
        other.write_bytes(content)
    elif done["how"] == "text":
        one.write_text(str(SCALARS[int(at * len(SCALARS))]), encoding="utf-8")
    elif done["how"] == "more":
        one.write_bytes(content + content[:byte])
    elif done["how"] == "key":
        # A word of a header, or of JSON: digits of another size, as long as before.
        one.write_bytes(content[:byte] + content[byte:].replace(b"1", b"7", 1))
    else:
        one.unlink()
        if done["how"] == "folder":
            one.mkdir()


SWEEP = "sweep small.toml --store st --workers 1"


def _store() -> list[str]:
    """Run a small recipe and keep what its store has."""
    _small_beside()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        assert run_command(SWEEP) == 0
    shutil.copytree("st", "sound")
    return [""]


def ask_store(command: str, text: str) -> int | str:
    """Damage a store, run its recipe again, and compare every result with what was there."""
    shutil.rmtree("st")
    shutil.copytree("sound", "st")
    _do_damage(Path("st"), json.loads(text))
    code = run_command(command)
    # Bits that say who wrote a file may differ; no number may.
    same = code == 2 or all(_numbers(Path("st") / path.name) == _numbers(path) for path in Path("sound").glob("*.npz"))
    return code if same else "a damaged store was believed"


def _numbers(path: Path) -> dict[str, list[float]]:
    import numpy as np

    with np.load(path) as file:
        return {name: file[name].tolist() for name in file.files if not name.endswith(".json")}


ANSWERED = ("prove fmgda.lemma3-split", "list problems --needs L,mu", "show momentum-fl.theorem11", "list claims")
_SAID: dict[str, str] = {}


def _cache() -> list[str]:
    """Ask what is kept once, and keep the answers."""
    for command in ANSWERED:
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
            assert run_command(command) == 0
        _SAID[command] = out.getvalue()
    shutil.copytree(Path(os.environ["XDG_CACHE_HOME"]) / "boundcheck", "sound")
    return [""]


def ask_cache(command: str, text: str) -> int | str:
    """Damage the cache and ask again: the answer is what it was."""
    folder = Path(os.environ["XDG_CACHE_HOME"]) / "boundcheck"
    shutil.rmtree(folder)
    shutil.copytree("sound", folder)
    _do_damage(folder, json.loads(text))
    with contextlib.redirect_stdout(io.StringIO()) as out:
        code = run_command(command)
    return code if out.getvalue() == _SAID[command] else "a damaged answer was believed"


def _lines() -> list[str]:
    """Return those whose work stays small where words are lost, too: without a name, all there is takes a minute."""
    return [line for line in LINES if not line.startswith(("prove", "conform"))]


OTHER_KINDS = {
    "command line": Kind("", _lines, ("",), line_changed, ask_line, beside=_small_beside),
    "settings": Kind("", lambda: list(LINES), ("",), setting_changed, ask_line, beside=_small_beside),
    "request": Kind("", lambda: [json.dumps(one) for one in REQUESTS], ("",), request_changed, ask_request),
    "store": Kind("", _store, (SWEEP,), damage, ask_store),
    "cache": Kind("", _cache, ANSWERED, damage, ask_cache),
}
"""Kinds of other inputs by name."""
