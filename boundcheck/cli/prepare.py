"""Make the files of `boundcheck.cli.prepared`: part of `make catalogue`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from boundcheck.cli.card_data import as_data
from boundcheck.cli.laying import is_formula
from boundcheck.cli.prepared import FOLDER, SOURCES, Kind, N, current, places, shipped, source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from boundcheck.cli.laying import Drawing

Cards = dict[str, dict[str, Any]]


def names(kind: Kind) -> list[str]:
    """Return the names whose cards ship: every bound that is found by name, and claims that are called like one."""
    from boundcheck.bounds import BOUNDS
    from boundcheck.lemmas import CLAIMS

    return [name for name in (*BOUNDS, *BOUNDS.further) if kind == "bounds" or name in CLAIMS]


def made(kind: Kind, name: str) -> dict[str, Any]:
    """Return the card of a name, made from the source, as plain data."""
    from boundcheck.cli.bound_cards import facts
    from boundcheck.cli.claim_cards import claim_card

    make: dict[Kind, Callable[[str, int], Any]] = {"bounds": facts, "claims": claim_card}
    card: dict[str, Any] = as_data(make[kind](name, N))
    return card


def sources(kind: Kind) -> list[str]:
    """Return the files that the cards of a kind follow from, by their names below the package or beside it.

    What they import is among them, so that a file that is needed from now on is named in one that was changed.
    """
    from boundcheck.bounds import BOUNDS
    from boundcheck.evidence.examples import example_of
    from boundcheck.imports import closure
    from boundcheck.methods import METHODS
    from boundcheck.problems import instance
    from boundcheck.problems.families import FAMILIES

    rooms = {"bounds": ["bounds"], "claims": ["bounds", "certificates", "lemmas"]}[kind]
    inside = [path for room in rooms for path in sorted(source(f"boundcheck/{room}").rglob("*.*")) if path.is_file()]
    files = {_named(path) for path in inside if path.suffix in {".py", ".toml", ".json"}}
    modules = {_module(name) for name in files if name.endswith(".py")} | {"boundcheck.cli.card_data"}
    if kind == "claims":
        return sorted(files | _files(closure([*modules, "boundcheck.cli.claim_cards"])) | {"reports/status.json"})
    bounds = [BOUNDS[name] for name in names(kind)]
    examples = {example_of(bound) for bound in bounds}
    modules |= {METHODS[bound.method].__module__ for bound in bounds}
    modules |= {FAMILIES[instance(name).family].__module__ for name in examples}
    pages = {f"problems/{name}.toml" for name in examples}
    return sorted(files | _files(closure([*modules, "boundcheck.cli.bound_cards"])) | pages)


def _files(modules: Iterable[str]) -> set[str]:
    paths = (source(module.replace(".", "/")) for module in modules)
    return {_named(path / "__init__.py" if path.is_dir() else path.with_suffix(".py")) for path in paths}


def _named(path: Path) -> str:
    return path.relative_to(source("boundcheck").parent).as_posix()


def _module(name: str) -> str:
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def write() -> None:
    """Write the files; cards of a kind whose source is the same stay as they are."""
    kinds: tuple[Kind, ...] = ("bounds", "claims")
    cards = {kind: _there(kind) or {name: made(kind, name) for name in names(kind)} for kind in kinds}
    written: set[str] = set()
    for paper in {name.partition(".")[0]: None for name in cards["bounds"]}:
        drawings: dict[str, Drawing] = {}
        own = {kind: {n: c for n, c in some.items() if n.partition(".")[0] == paper} for kind, some in cards.items()}
        said, drawn = places(paper)
        _write(said, _lines({kind: deflated(some, drawings) for kind, some in own.items()}, 3))
        _write(drawn, _lines(dict(sorted(drawings.items())), 1))
        written |= {said.name, drawn.name}
    hashed: dict[str, Any] = {kind: _hashed(sources(kind), source) for kind in kinds}
    _write(SOURCES, _lines(hashed | {"written": _hashed(sorted(written), FOLDER.joinpath)}, 3))


def intact() -> bool:
    """Return whether the files are as they were written: none was edited, or merged from two states."""
    try:
        written = json.loads(SOURCES.read_text(encoding="utf-8"))["written"]
        return bool(_hashed(written["files"], FOLDER.joinpath) == written)
    except (OSError, ValueError, KeyError):
        return False


def _hashed(files: list[str], place: Callable[[str], Path]) -> dict[str, Any]:
    from boundcheck.sources import hash_of_files

    return {"hash": hash_of_files({name: place(name) for name in files}), "files": files}


def _there(kind: Kind) -> Cards | None:
    """Return the cards that are there, where they are those of the source."""
    return {name: shipped(name)[kind] for name in names(kind)} if intact() and current(kind) else None


def _write(path: Path, lines: Iterable[str]) -> None:
    from boundcheck.atomic import write_whole

    path.parent.mkdir(exist_ok=True)
    write_whole(path, "".join(lines) + "\n")


def _lines(data: Any, depth: int) -> Iterator[str]:
    """Yield JSON with a line for every entry down to a depth."""
    if depth and isinstance(data, list):
        yield "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in data) + "\n]"
        return
    if depth == 0 or not isinstance(data, dict):
        yield json.dumps(data, ensure_ascii=False)
        return
    for i, (key, value) in enumerate(data.items()):
        yield f"{',' if i else '{'}\n{json.dumps(key, ensure_ascii=False)}: "
        yield from _lines(value, depth - 1)
    yield "\n}" if data else "{}"


def deflated(data: Any, drawings: dict[str, Drawing]) -> Any:
    """Return data in which formulas are written only, and put their drawings among the others."""
    if is_formula(data):
        if "drawn" in data:
            _put(data["="], {key: value for key, value in data.items() if key != "="}, drawings)
        return {"=": data["="]}
    if isinstance(data, dict):
        return {key: deflated(value, drawings) for key, value in data.items()}
    return [deflated(value, drawings) for value in data] if isinstance(data, list) else data


def _put(key: str, drawing: Drawing, drawings: dict[str, Drawing]) -> str:
    """Put a drawing under its key and its parts under theirs, which is their text in one line behind a dash."""
    parts = [
        [sign, _put(f"- {part.get('line', part['drawn'])}", part, drawings), *rest]
        for sign, part, *rest in drawing.get("parts", ())
    ]
    flat = drawing | ({"parts": parts} if parts else {})
    if drawings.setdefault(key, flat) != flat:
        message = f"two drawings of {key}"
        raise ValueError(message)
    return key
