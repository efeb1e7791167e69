"""Files of every kind, mutated, given to the commands that read them: how each case ended, and what was wrong.

``python tests/cli/fuzzing.py KIND CASES SEED`` prints the cases that end otherwise than they may; tests ask the same.
"""

from __future__ import annotations

import contextlib
import io
import json
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
from typing import TYPE_CHECKING, Any

from slips import slips

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SKELETONS = ROOT / "boundcheck" / "skeletons"
PAPERS = ROOT / "boundcheck" / "proofs" / "papers"
MOST_SECONDS = 60
"""Of this process: a machine that is busy with other things takes longer."""
MOST_BYTES = 4e9
CANARY = "from pathlib import Path\nPath('it-ran').touch()\nX = None\n"
"""A file that leaves a mark where it is run; data files name it in any place."""
NUMBERS = (
    "0",
    "-1",
    "1",
    "2",
    "1/3",
    "1e308",
    "5e-324",
    "nan",
    "inf",
    "1e160",
    "0.5",
    "-0.0",
    "9" * 400,
    "10^9",
    "2^64",
)
LETTERS = (
    "N",
    "T",
    "K",
    "L",
    "eta",
    "c",
    "x[t]",
    "x[t + 1]",
    "x",
    "sigma",
    "i",
    "t",
    "f",
    "grad(x[t])",
    "mean(i)",
    "zz",
)
OPERATORS = (
    "+",
    "-",
    "*",
    "/",
    "^",
    "<=",
    ">=",
    "<",
    "=",
    "(",
    ")",
    "[",
    "]",
    "|",
    ",",
    ";",
    ":",
    "->",
    "sqrt(",
    "max(",
)
ODD = (
    "\x1b[31m",
    "[red]",
    "\u202e",
    "é",
    "𝕏",
    "\u0441",
    "\\",
    '"',
    "'",
    '"""',
    "#",
    "\t",
    "\r",
    "{}",
    "canary.py:X",
    "..",
)
WORDS = (
    *NUMBERS,
    *LETTERS,
    *OPERATORS,
    *ODD,
    "true",
    "[]",
    "ridge-ratio",
    "fedavg",
    "momentum-fl.theorem11",
    "../x",
    "",
)
TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class Kind:
    """A kind of file.

    Attributes
    ----------
    name : str
        The file's name.
    texts : callable
        Returns the files that mutations begin from.
    commands : tuple of str
        Commands that read it.
    change : callable
        Returns a mutated text: of a random source, a text and all texts.
    runs_code : bool
        Whether the file itself is code that the user names.
    beside : callable
        Writes what lies beside the file.
    """

    name: str
    texts: Callable[[], list[str]]
    commands: tuple[str, ...]
    change: Callable[[random.Random, str, list[str]], str]
    runs_code: bool = False
    beside: Callable[[], None] = lambda: None


def words_changed(draw: random.Random, text: str, texts: list[str]) -> str:
    """Return text with one to three changes of words, lines or characters."""
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        kind = draw.randrange(7)
        tokens = list(TOKEN.finditer(text))
        if kind <= 2 and tokens:
            one = draw.choice(tokens)
            other = draw.choice([*WORDS, draw.choice(tokens).group()])
            new = (other, "", one.group() + " " + other)[kind]
            text = text[: one.start()] + new + text[one.end() :]
        elif kind <= 5:
            lines = text.split("\n")
            at = draw.randrange(len(lines))
            foreign = draw.choice(draw.choice(texts).split("\n"))
            if kind == 3:
                del lines[at]
            elif kind == 4:
                lines.insert(at, draw.choice(lines))
            else:
                lines.insert(at, foreign)
            text = "\n".join(lines)
        elif text:
            at = draw.randrange(len(text))
            text = text[:at] + draw.choice(WORDS) + text[at + draw.randrange(4) :]
    return text


SCALARS = (
    None,
    True,
    -1,
    0,
    10**30,
    1e300,
    float("nan"),
    "",
    "a word",
    "canary.py:X",
    "9" * 5000,
    [],
    {},
    [[]],
    "\x1b[31m",
)


def json_changed(draw: random.Random, text: str, texts: list[str]) -> str:
    """Return JSON with values replaced, dropped, doubled or moved, or a change of its characters."""
    if draw.random() < 0.15:
        return words_changed(draw, text, texts)
    data = json.loads(text)
    for _ in range(draw.randint(1, 3)):
        boxes = [box for box in _boxes(data) if box]
        if not boxes:
            break
        box, other = draw.choice(boxes), draw.choice(boxes)
        key = draw.choice(list(box)) if isinstance(box, dict) else draw.randrange(len(box))
        kind = draw.randrange(5)
        if kind == 0:
            box[key] = draw.choice(SCALARS)
        elif kind == 1:
            del box[key]
        elif kind == 2 and isinstance(box[key], str):
            box[key] = words_changed(draw, box[key], [box[key]])
        elif kind == 3:
            moved = draw.choice(list(other.values()) if isinstance(other, dict) else other)
            box[key] = json.loads(json.dumps(moved))
        elif isinstance(box[key], int | float):
            box[key] = draw.choice([box[key] + 1, -box[key], box[key] * 10**9, str(box[key]), [box[key]]])
    return json.dumps(data)


def _boxes(data: object) -> Iterator[dict | list]:
    if isinstance(data, dict | list):
        yield data
        for part in data.values() if isinstance(data, dict) else data:
            yield from _boxes(part)


_SLIPS: dict[str, list[str]] = {}


def code_changed(draw: random.Random, text: str, texts: list[str]) -> str:
    """Return Python with one slip of the kinds that people make, or two."""
    if text not in _SLIPS:
        _SLIPS[text] = [changed for _, changed in slips(text)]
    once = draw.choice(_SLIPS[text])
    if draw.random() < 0.5:
        return once
    try:
        twice = [changed for _, changed in slips(once)]
    except RecursionError:
        return once
    return draw.choice(twice) if twice else once


def _recipes() -> list[str]:
    from test_cli_code_refused import RECIPE, toml

    small = {**RECIPE, "finding": []}
    lone = [{"title": "t", key: small[key]} for key in ("study", "experiment")]
    return [toml(small), *(toml(one) for one in lone)]


def _problems() -> list[str]:
    names = (
        "ridge-ratio",
        "auc-two-point",
        "chain",
        "fedlalr-a12",
        "tail",
        "ncsc-cosine",
        "piecewise",
        "quadratic-spread",
    )
    return [(ROOT / "problems" / f"{name}.toml").read_text(encoding="utf-8") for name in names]


def _scalar_claims() -> list[str]:
    own = """about = "mine"
letters = "a > 0; b >= 0; r real"
[claim.m.one]
title = "one [m]"
shows = "2*a*b <= a^2 + b^2"
[claim.m.two]
title = "two [m]"
given = "a >= 1; b <= 1/2"
shows = "sqrt(a) <= a + max(b, r) - min(b, r)"
[claim.m.three]
title = "three [m]"
shows = "(1 - 1/(2*a))^2 <= 1"
given = "a >= 1"
"""
    return [own, *_split((ROOT / "tests/proofs/battery/scalars.toml").read_text(encoding="utf-8"))]


def _whole_claims() -> list[str]:
    parts = ("recursions", "descent", "samples", "compression", "convexity")
    found = [(SKELETONS / "claim.toml").read_text(encoding="utf-8")]
    for name in parts:
        found += _split((ROOT / f"tests/proofs/battery/{name}.toml").read_text(encoding="utf-8"))
    return found


def _split(text: str) -> list[str]:
    """Return a claim file as several, each with the head and three claims: what one case asks takes seconds."""
    head, *claims = re.split(r"(?m)^(?=\[claim\.)", text)
    return [head + "".join(claims[k : k + 3]) for k in range(0, len(claims), 3)]


def _certificates() -> list[str]:
    found = []
    for name in sorted((PAPERS / "certificates").glob("*.json")):
        listing = json.loads(name.read_text(encoding="utf-8"))
        entries = listing if isinstance(listing, list) else listing["certificates"]
        for k in range(0, min(len(entries), 60), 4):
            part = entries[k : k + 2]
            found.append(json.dumps(part if isinstance(listing, list) else {**listing, "certificates": part}))
    return found


def _kernel_objects() -> list[str]:
    from boundcheck.cli.app import run

    Path("it.toml").write_text((SKELETONS / "claim.toml").read_text(encoding="utf-8"), encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()):
        assert run(["prove", "it.toml", "--no-cache", "--certificates", "proofs"]) == 0
    return [path.read_text(encoding="utf-8") for path in Path("proofs").glob("*.json")]


def _page_beside() -> None:
    Path("it.toml").write_text((SKELETONS / "claim.toml").read_text(encoding="utf-8"), encoding="utf-8")


def _worst_files() -> list[str]:
    every = sorted((ROOT / "docs" / "examples" / "worst").glob("*.worst"))
    return [path.read_text(encoding="utf-8") for path in every if path.stat().st_size < 1500]


def _rate_certificates() -> list[str]:
    """Return each certified rate, with a grid that runs in no time."""
    listing = json.loads((ROOT / "boundcheck/rates/attained.json").read_text(encoding="utf-8"))
    found = []
    for one in listing["rates"]:
        text = json.dumps({**listing, "rates": [one]})
        found.append(re.sub(r"\b([0-9]+)000\b", r"\1", text))
    return found


ADAPTER = '''import numpy as np


def it(clients, x0, *, K, T, active, eta, gamma):
    """FedAvg."""
    x, iterates = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * clients[i].grad(y, k, t)
            ends.append(y)
        x = x + gamma * (np.mean(ends, axis=0) - x)
        iterates.append(x)
    return iterates


def pack(x, rng):
    """Keep every second coordinate, doubled."""
    return 2.0 * x * (rng.random(x.shape) < 0.5)


def draw(N, S, t, rng):
    """S of N clients."""
    return rng.choice(N, size=S, replace=False)
'''
GRAPH = '''import numpy as np


def ring(N):
    """A ring with itself."""
    W = np.zeros((N, N))
    for i in range(N):
        W[i, i] += 0.5
        W[i, (i + 1) % N] += 0.25
        W[i, (i - 1) % N] += 0.25
    return W


FIXED = np.full((4, 4), 0.25)
'''
LATEX = [
    r"E f(x_T) - f^* \le \frac{2 L \Delta}{T} + \frac{\eta L \sigma^2}{N}",
    r"\frac{1}{T} \sum_{t=0}^{T-1} E \|\nabla f(x_t)\|^2 \le \frac{2 L \Delta}{T} + \sqrt{\frac{L \sigma^2}{N T}}",
    r"\mathbb{E} \|x_T - x^*\|^2 \leq (1 - \eta \mu)^T \|x_0 - x^*\|^2 + \frac{\eta \sigma^2}{\mu}",
]
RUN = "--N 2 --K 1 --T 4"
STEP = f"{RUN} --set eta=0.05 --lanes 2"
CHECK = f"{RUN} --replicates 8 --budget 8"
RING = "run ridge-ratio dsgd --N 4 --K 1 --T 3 --set eta=0.05 --lanes 2 --set graph=it.py"
COMMANDS = {
    "recipe": ("sweep it.toml --dry-run --store st --workers 1", "report it.toml --dry-run --store st"),
    "problem": (
        "show it.toml --N 2",
        "certify it.toml --N 2 --workers 1",
        f"run it.toml fedavg {STEP}",
        f"check momentum-fl.theorem11 it.toml {CHECK}",
        "satisfies it.toml",
    ),
    "scalar claims": ("prove it.toml --no-cache --workers 1", "show it.toml"),
    "whole claims": ("prove it.toml --no-cache --workers 1",),
    "proof object": ("verify it.toml",),
    "certificates": ("verify it.json", "verify it.json --strict --json"),
    "rates": ("rate --check it.json",),
    "stated": ("worst it.worst",),
    "latex": ("new theorem made.py --latex it.tex",),
    "theorem": (
        f"check it.py:THEOREM ridge-ratio {CHECK}",
        "show it.py:THEOREM",
        "bounds it.py:THEOREM",
        "refute it.py:THEOREM --work 500",
        f"tightness it.py:THEOREM {RUN}",
    ),
    "review": ("review it.py:THEOREM --work 500",),
    "method": (
        f"run ridge-ratio it.py:MyMethod {STEP}",
        "show it.py:MyMethod",
        "worst it.py:MyMethod --K 1 --T 2 --set eta=0.5 --zeta 1",
        "conform it.py:MyMethod",
        "sharpen it.py:MyMethod --K 1 --T 4 --set eta=0.5",
    ),
    "own problem": (
        "certify it.py:PROBLEM --N 2 --workers 1",
        f"check momentum-fl.theorem11 it.py:PROBLEM {CHECK}",
        "show it.py:PROBLEM",
        f"run it.py:PROBLEM fedavg {STEP}",
        "satisfies it.py:PROBLEM",
    ),
    "own claim": ("prove it.py:CLAIM --no-cache --workers 1", "show it.py:CLAIM"),
    "adapter": (
        "conform --against it.py:it --method fedavg",
        "conform --compressor it.py:pack --omega 1",
        "conform --sampler it.py:draw",
    ),
    "graph": (f"{RING}:ring", f"{RING}:FIXED"),
}
"""What reads a kind of file."""


def _in(folder: Path, *names: str) -> Callable[[], list[str]]:
    return lambda: [(folder / name).read_text(encoding="utf-8") for name in names]


def _kind(name: str, file: str, texts: Callable[[], list[str]], **more: Any) -> Kind:
    """Return a kind of file; what it holds says how it is changed."""
    change = {".py": code_changed, ".json": json_changed}.get(Path(file).suffix, words_changed)
    return Kind(file, texts, COMMANDS[name], change, runs_code=file.endswith(".py"), **more)


FILES: dict[str, tuple[str, Callable[[], list[str]]]] = {
    "recipe": ("it.toml", _recipes),
    "problem": ("it.toml", _problems),
    "scalar claims": ("it.toml", _scalar_claims),
    "whole claims": ("it.toml", _whole_claims),
    "proof object": ("it.json", _kernel_objects),
    "certificates": ("it.json", _certificates),
    "rates": ("it.json", _rate_certificates),
    "stated": ("it.worst", _worst_files),
    "latex": ("it.tex", lambda: LATEX),
    "theorem": ("it.py", _in(SKELETONS, "theorem.py")),
    "review": ("it.py", _in(SKELETONS, "theorem.py")),
    "method": ("it.py", _in(SKELETONS, "method.py")),
    "own problem": ("it.py", _in(SKELETONS, "problem.py")),
    "own claim": ("it.py", _in(HERE, "own_file.py")),
    "adapter": ("it.py", lambda: [ADAPTER]),
    "graph": ("it.py", lambda: [GRAPH]),
}
BESIDE = {"proof object": _page_beside}
KINDS = {name: _kind(name, *FILES[name], beside=BESIDE.get(name, lambda: None)) for name in COMMANDS}


class Hang(BaseException):
    """A command that did not end."""


def _hang(*_: object) -> None:
    raise Hang


def _ended(arguments: list[str]) -> tuple[int | str, str, str]:
    """Return how a command ended: its code, or the name of what it raised, and what it printed."""
    from boundcheck.cli.app import run

    out, err = io.StringIO(), io.StringIO()
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code: int | str = run(arguments)
    except Hang:
        code = "hang"
    except BaseException as error:  # noqa: BLE001
        code = f"raised {type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return code, out.getvalue(), err.getvalue()


def _wrong(kind: Kind, code: int | str, out: str, err: str) -> str:
    """Return what is wrong with an end, or nothing."""
    said = [line for line in err.splitlines() if line.startswith("boundcheck: ")]
    said += [line for line in out.splitlines() if line.startswith("it.toml: refused: ")]
    if code not in {0, 1, 2, 5}:
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
    """Return the cases of a kind of file that end otherwise than they may, and how often each exit code came."""
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
            made = kind.name
            if kind.runs_code:
                # A module of each case's own: nothing of an earlier one answers.
                made = f"it{seed}_{number}.py"
                command = command.replace("it.py", made)
            Path(made).write_bytes(text.encode("utf-8", "replace"))
            Path("made.py").unlink(missing_ok=True)
            begun = time.process_time()
            code, out, err = _ended(command.split())
            os.chdir(folder)
            took = time.process_time() - begun
            codes[code] = codes.get(code, 0) + 1
            what = _wrong(kind, code, out, err)
            if took > 20:
                slow(command, took)
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
    name, cases, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    keep = Path(os.environ.get("KEEP", tempfile.gettempdir())) / f"{name.replace(' ', '-')}-{seed}"
    folder = Path(tempfile.mkdtemp())
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    os.chdir(folder)
    resource.setrlimit(resource.RLIMIT_AS, (int(8e9), int(8e9)))
    begun = time.process_time()

    def tell(case: Case) -> None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{case.number}-{KINDS[name].name}").write_bytes(case.text.encode("utf-8", "replace"))
        print(f"{case.number}: {case.command}: {case.what}: {case.err[:600]}", flush=True)

    found, codes = fuzz(name, cases, seed, tell, lambda command, s: print(f"slow {s:.0f} s: {command}", flush=True))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    took = f"{time.process_time() - begun:.0f} s, {peak:.2g} bytes"
    print(f"{name}: {cases} cases of seed {seed}, codes {codes}, {len(found)} wrong, {took}")
    os.chdir("/")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
