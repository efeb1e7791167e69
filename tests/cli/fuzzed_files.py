"""The files that a user gives: of every kind what mutations begin from, and the commands that read it."""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mutations import Kind, code_changed, json_changed, run_command, words_changed

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SKELETONS = ROOT / "boundcheck" / "skeletons"
PAPERS = ROOT / "boundcheck" / "proofs" / "papers"


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
    return Kind(file, texts, COMMANDS[name], change, run_command, runs_code=file.endswith(".py"), **more)


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
FILE_KINDS = {name: _kind(name, *FILES[name], beside=BESIDE.get(name, lambda: None)) for name in COMMANDS}
"""Kinds of files by name."""
