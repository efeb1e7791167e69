"""Write down what a user of the tree in the current directory sees, and compare two trees bit for bit.

python -m benchmarks.fingerprint write OUT.json [--sections a,b] [--full]
python -m benchmarks.fingerprint compare BEFORE.json AFTER.json
"""

import argparse
import dataclasses
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import types
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

import boundcheck as bc
from boundcheck.evidence.checks.series import check_series
from boundcheck.problems import instances, load_problem
from boundcheck.sweep import Store, collect, load_recipe, run_sweep

PASSING = {"card", "about the family", "purpose", "note", "about", "reason", "detail", "seconds", "tries", "deviation"}
SHOWN = """momentum-fl.theorem11 momentum-fl.theorem22-alt-rate fedglomo.theorem1 fedglomo.theorem2S fedlalr.corollary2R
gradma.lemma6-w fmgda.theorem1R fmgda.remark1 fedavg scaffold-m-vr fedglomo fmgda ridge-ratio[zeta=2] ncsc-p1
logistic-wine chain fmgda.lemma5 fedlalr.merge-25-26-printed momentum-fl.lemma9 gradma.lemma6-wider overview"""
COMMANDS = """run ridge-ratio[d=4] fedavg --N 4 --K 2 --T 50 --set eta=0.05; run ridge-ratio fedavg --N 4 --K 2 --T 5
check momentum-fl.theorem19-printed quadratic-tilt --N 2 --K 1 --T 100 --T 1000 --T 10000 --vary zeta=1e5,1e6,1e7
check gradma.lemma2-printed gradma-e7 --N 2 --K 10 --T 1 --fail-on violated; certify ncsc-newton --N 4 --workers 1
bounds momentum-fl.theorem11 fmgda.theorem1R; prove fmgda.lemma5-31 fmgda.a2-printed --no-cache; show nosuch"""
WORDS = """quantiser=qsgd-4,dropout-0.5 message=one,naive client=sgd,yogi correction=none,local sync=max option=I
tracking=raw output=last start=full server=mean previous=current unseen=current weights=exact"""
PLAYED = {"layers": ["mlp-wine"], "minimax": ["ncsc-p1", "ncsc-newton"]}
PLAYED["minimise"] = ["ridge-ratio[zeta=1,sigma=1,d=4,noise=phases]", "finite-sum", "ridge-waves[zeta=4,d=4]"]
JUDGED = """ridge-ratio[d=4,zeta=0.5] ridge-waves[d=4] quadratic-tilt ridge-split[sigma=0.0] ridge-log[d=4,zeta=0.5]
ridge-ratio-phases[d=4] fedlalr-a1 gradma-e7 stress-parabola finite-sum ncsc-p1 ncsc-small-mu ncsc-tight fedglomo-v3"""
SETTINGS = [(2, 64, 4), (2, 64, 2), (1, 2, 2), (10, 1, 4), (8, 1024, 4)]  # K, T, S; the last three if none spoke before
STRIDE = 13  # of the audit's grid points: shares no factor with the length of an axis, so that all its values come up
FENCE = r"(?ms)^```{}\n(.*?)^```"


def plain(value: Any) -> Any:
    """Return JSON data: floats by repr, arrays by a hash, things with an id by it, of prose and times the key alone."""
    if isinstance(value, np.ndarray):
        same = np.where(np.isnan(value), np.nan, value) if value.dtype.kind == "f" else value
        return hashlib.sha256(f"{same.dtype}{same.shape}".encode() + same.tobytes()).hexdigest()[:16]
    value = vars(value) if dataclasses.is_dataclass(value) else value
    if isinstance(value, dict):
        return {str(k): "..." if k in PASSING else plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        named = len(value) > 0 and all(isinstance(v, dict) and "id" in v for v in value)
        return {v["id"]: plain({"place": k} | v) for k, v in enumerate(value)} if named else [plain(v) for v in value]
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value).partition(" -- ")[0]


def tried(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Return what a call returns, or the type and the message of its error."""
    try:
        return function(*arguments, **named)
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"


def cli(line: str, **environment: str) -> Any:
    """Return the JSON of a command, floats as they are spelled, or its exit code and the lines that it prints."""
    command = [sys.executable, "-m", "boundcheck", *line.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)
    printed = [str(done.returncode), *done.stdout.splitlines(), *done.stderr.splitlines()]
    return json.loads(done.stdout, parse_float=str) if done.stdout.startswith(("{", "[")) else printed


def list_() -> Iterator[tuple[str, Any]]:
    """Yield options, defaults and choices of every command, and the lists of every kind, as data and as tables."""
    option = re.compile(r"│ (?:\*  |   )?((?:-{1,2}[\w-]+ )+|[A-Z]+ )(.*)")
    for command in re.findall(r"│ ([a-z]\w*) ", "\n".join(cli("--help"))):
        rows = [row for line in cli(f"{command} --help", COLUMNS="1000") if (row := option.match(line))]
        yield f"{command} --help", {row[1].strip(): re.findall(r"\[\w+(?:: [^\]]*)?\]", row[2]) for row in rows}
        for kind in re.search(r"choices: ([^\]]*)", rows[0][2])[1].split(", ") if command == "list" else ():
            yield from ((kind, cli(f"list {kind} --json")), (f"{kind} as a table", cli(f"list {kind}")))


def slopes(name: str) -> Iterator[tuple[str, Any]]:
    """Yield values and gradients of an instance, exact and sampled, at the start and at two random points."""
    problem, rng, some = load_problem(name, N=8), np.random.default_rng(7), np.array([[0, 3, 7], [1, 2, 4], [5, 6, 7]])
    words = rng.integers(2**64, size=(3, 99_999), dtype=np.uint64)
    stream = types.SimpleNamespace(lanes=3, raw=lambda n: words[:, :n].copy())
    x = problem.start + np.array([0.0, 0.5, 1.0])[:, None, None] * rng.normal(size=(3, 1, problem.d))
    y = x + 0.1 * rng.normal(size=(3, 8, problem.d))
    yield from ((key, getattr(problem, key)) for key in ("name", "blocks", "radius", "start"))
    calls = ["mean_gradient", "value"] + ["best_response", "envelope", "envelope_gradient"] * bool(problem.blocks)
    yield from ((call, tried(getattr(problem, call), x)) for call in calls)
    yield "outcomes", tried(problem.outcomes, x[1, 0], 0)
    for points, clients in ((y, None), (y[:, :3], some)):
        yield f"exact, {points.shape[1]} clients", problem.exact_gradient(points, clients)
        for b in (1, 3):
            token = problem.sample(stream, clients, b)
            yield f"sampled, {points.shape[1]} clients, b={b}", problem.gradient(points, clients, token)


def variants(cls: type) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield hyperparameters: plain, the first one an entry a lane, other numbers, and every other option by itself."""
    given = {f.name: f.default for f in dataclasses.fields(cls) if f.default is not dataclasses.MISSING}
    needed = {f.name: str(f.type) for f in dataclasses.fields(cls) if f.name not in given}
    base = {x: 2 if kind == "int" else 0.2 if x[:2] in {"et", "ga", "c_"} else 0.5 for x, kind in needed.items()}
    first = next(iter(base))
    yield from (("plain", base), ("lanes", base | {first: base[first] * np.array([1.0, 0.7, 0.4])}))
    if floats := {x: v * 0.7 or 0.3 for x, v in given.items() if isinstance(v, float)}:
        yield "numbers", base | floats
    for x, v in given.items():
        words = dict(re.findall(r"(\w+)=(\S+)", WORDS)).get(x, "").split(",") if isinstance(v, str) else []
        other = [not v] if isinstance(v, bool) else [v + 1] if isinstance(v, int) else [2, 4] if v is None else words
        yield from ((f"{x}={value}", base | {x: value}) for value in other)


def runs() -> Iterator[tuple[str, Any]]:
    """Yield short runs of every method with all its options, and with what its bounds measure along a run."""
    for name, cls in bc.METHODS.items():
        measured = sorted({x for bound in bc.BOUNDS.values() if bound.method == name for x in bound.measured.values()})
        for instance in PLAYED["layers" if "layers" in cls.card.needs else cls.card.kind]:
            problem, settings = load_problem(instance, N=6), [(6, 3, 6), (3, 2, 5)][: 1 + cls.card.partial]
            metrics = ["server_gradient", "local_gradient", "drift"] + ["envelope_gradient"] * bool(problem.blocks)
            for (label, hyper), (S, K, T), b in product(variants(cls), settings, (1, 2)):
                for asked in [[], measured] if measured and label == "plain" else [[]]:
                    setting = {"S": S, "K": K, "T": T, "b": b, "lanes": 3, "metrics": metrics, "quantities": asked}
                    run = tried(bc.simulate, problem, tried(cls, **hyper), **setting)
                    yield f"{name}, {label}, {instance}, S={S}, b={b}{', measured' * bool(asked)}", run


def verdicts() -> Iterator[tuple[str, Any]]:
    """Yield the verdicts on every bound, on the first three instances that fit it at a setting; along T if of order."""
    for name, bound in bc.BOUNDS.items():
        spoken, order = 0, bound.kind == "order"
        for place, (K, T, S) in enumerate(SETTINGS):
            left = 3 if place < 2 or not spoken else 0
            for instance in JUDGED.split():
                setting = {"N": 4, "K": K, "T": [8, 32, 128] if order else [T], "S": S, "replicates": 8, "budget": 16}
                found = tried(check_series, name, instance, **setting) if left else [[]]
                if isinstance(found, str) or any(v.verdict != "not applicable" for v in found[0]):
                    left, spoken = left - 1, spoken + 1
                    yield f"{name}, {instance}, K={K}, T={T}, S={S}", found


def docs() -> Iterator[tuple[str, Any]]:
    """Yield what the code of the pages prints and leaves in its folder, and every key of the shipped files."""
    for path in sorted([*Path("problems").glob("*.toml"), *Path("reports").glob("*.toml")]):
        yield str(path), [f"{key} = {value!r}" for key, value in tomllib.loads(path.read_text()).items()]
    pages = {str(path): path.read_text() for path in sorted([*Path("docs").rglob("*.md"), Path("README.md")])}
    for page, text in [(page, text) for page, text in pages.items() if "\n```python\n" in text]:
        (table, *_) = re.findall(FENCE.format("toml"), pages["docs/sweep.md"] if "report.md" in page else text) or [""]
        code = text.replace('"overview"), S', '"recipe.toml"), S').replace("=prove()", '=prove(["fmgda.lemma5-28"])')
        code = "\n".join(re.findall(FENCE.format("python"), re.sub(r"(?m)^from \S+\.heavy_ball import .*$", "", code)))
        with tempfile.TemporaryDirectory() as folder:
            for name, content in (("recipe.toml", table), ("steep.toml", table), ("page.py", code)):
                Path(folder, name).write_text(content)
            done = subprocess.run([sys.executable, "-c", "import page"], cwd=folder, capture_output=True, text=True)
            yield f"{page} prints", re.sub(r"/\S*/tmp\w+", "", done.stdout + done.stderr[-200:]).splitlines()
            yield f"{page} leaves", sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*.*"))


def audit() -> Iterator[tuple[str, Any]]:
    """Yield the verdicts of the shipped audit on every `STRIDE`-th point of its grids, and the names of its results."""
    recipe, studies = load_recipe("audit"), []
    for k, study in enumerate(recipe.study):
        axes = {x: getattr(study, x) for x in "NKTS" if getattr(study, x)}
        axes |= {x: v if isinstance(v, list) else [v] for x, v in study.parameters.items()}
        points = list(product(*axes.values()))[k % STRIDE :: STRIDE]
        kept = {x: [point[i] for point in points] for i, x in enumerate(axes)}
        thin = {x: kept.pop(x) for x in "NKTS" if x in kept} | {"zip": True, "fit": [], "epsilons": []}
        studies.append(msgspec.structs.replace(study, parameters=kept, **thin))
    recipe = msgspec.structs.replace(recipe, study=studies)
    with tempfile.TemporaryDirectory() as folder:
        run_sweep(recipe, Store(folder), workers=1)
        for result in collect(recipe, Store(folder)):
            for point, bound in product(result.points, result.study.bounds):
                found = {k: getattr(point.verdicts[bound], k) for k in ("verdict", "measured", "rhs", "e_value")}
                yield f"{result.study.id}, {bound}, {dict(point.setting)}", found
        yield "results", sorted(path.name for path in Path(folder).iterdir())


SECTIONS: dict[str, Any] = {"list": list_, "runs": runs, "verdicts": verdicts, "docs": docs, "audit": audit}
SECTIONS |= {
    "show": lambda: {name: cli(f"show {name} --json") for name in SHOWN.split()},
    "commands": lambda: {line: cli(line) for line in re.split(r"; |\n", COMMANDS)},
    "constants": lambda: {
        f"{x}, N={N}": tried(lambda x, N: dict(load_problem(x, N=N).constants), x, N)
        for x, N in product([page.id for page in instances()], (5, 8))
    },
    "gradients": lambda: {page.id: tried(lambda name: dict(slopes(name)), page.id) for page in instances()},
    "claims": lambda: plain(cli("prove --no-cache --workers 1 --json")),
    "identities": lambda: plain(cli("conform --json")),
}


def differences(a: Any, b: Any, path: str = "") -> Iterator[str]:
    """Yield the key paths at which two values differ, with what both say from shortly before the difference."""
    a, b = (dict(enumerate(side)) if isinstance(side, list) else side for side in (a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        for key in a | b:
            yield from differences(a.get(key, "absent"), b.get(key, "absent"), f"{path} > {key}")
    elif a != b:
        one, other = str(a), str(b)
        start = max(0, next((k for k, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), 0) - 20)
        yield f"  {path[3:]}: {one[start : start + 70]} -> {other[start : start + 70]}"


def compare(old: dict[str, Any], new: dict[str, Any]) -> int:
    """Print what differs, at most 200 lines a section; return 1 if a section that both have does, or there is none."""
    print("not compared, in one file only:", *sorted(old.keys() ^ new.keys()))
    found = {name: list(differences(old[name], new[name])) for name in old if name in new and name != "about"}
    for name, said in found.items():
        print(f"{name}: {f'{len(said)} differ' if said else f'same ({len(old[name])} entries)'}", *said[:200], sep="\n")
    return int(not found or any(found.values()))


def main() -> int:
    """Write a fingerprint, with one thread and without kept answers, or compare two."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("order", choices=("write", "compare"))
    parser.add_argument("files", type=lambda text: Path(text).resolve(), nargs="+")
    parser.add_argument("--sections", default=",".join(name for name in SECTIONS if name != "audit"))
    parser.add_argument("--full", action="store_true", help="the audit too, thinned: 3 minutes")
    given = parser.parse_args()
    if given.order == "compare":
        return compare(*(json.loads(path.read_text()) for path in given.files))
    if (root := Path(bc.__file__).parents[1]) != Path.cwd():
        parser.error(f"boundcheck is imported from {root}: go there, or set PYTHONPATH to the current directory")
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.execve(sys.executable, sys.orig_argv, os.environ | {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"})
    sections: dict[str, Any] = {"about": {"version": bc.__version__, "tree": str(root)}}
    for name in [*given.sections.split(","), *["audit"] * given.full]:
        start = sum(os.times()[:4])
        with tempfile.TemporaryDirectory() as cache:
            os.environ |= {"XDG_CACHE_HOME": cache, "PYTHONPATH": str(root)}
            found = tried(lambda name: plain(dict(SECTIONS[name]())), name)
        sections[name] = {"broke off": found} if isinstance(found, str) else found
        print(f"{name}: {len(sections[name])} entries, {sum(os.times()[:4]) - start:.1f} CPU s", flush=True)
        given.files[0].write_text(json.dumps(sections, indent=0, ensure_ascii=False))
    return int(any("broke off" in found for found in sections.values()))


if __name__ == "__main__":
    sys.exit(main())
