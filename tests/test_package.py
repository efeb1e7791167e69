"""The package as a whole: imports go one way, importing costs nothing, everything public is documented."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import boundcheck

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "boundcheck"
FILES = sorted(PACKAGE.rglob("*.py"))
TREES = {path: ast.parse(path.read_text()) for path in FILES}

LAYERS = (
    {"__main__"},
    {"cli"},
    {"report"},
    {"sweep"},
    {"evidence", "conform"},
    {"engine"},
    {"methods"},
    {"problems", "bounds", "lemmas"},
    {"notation", "metrics"},
    {"registry", "resources", "processes", "atomic"},
    {"errors", "moved"},
)
"""From top to bottom; a room imports from its own and lower layers only, two rooms of one layer not from each other."""
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
NEVER = {"methods": {"problems", "bounds", "lemmas", "engine"}}
"""Methods see an oracle: they may not import what lies below them either, at run time or for types."""


def room_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(tree):
    """Yield (room, line) of every import of boundcheck in a module, those for type checking included."""
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != "boundcheck" else [f"boundcheck.{a.name}" for a in node.names]
        elif isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "boundcheck" and len(parts) > 1:
                yield parts[1], node.lineno


def test_imports_go_one_way():
    """No module imports from a layer above its own, nor from a neighbour of its layer, even for types."""
    wrong = []
    for path, tree in TREES.items():
        room = room_of(path)
        if room == "__init__":
            continue
        for other, line in imported_rooms(tree):
            assert other in LEVEL, f"{path}:{line}: no layer for {other}"
            down = LEVEL[other] > LEVEL[room]
            if other != room and (not down or other in NEVER.get(room, ())):
                wrong.append(f"{path.relative_to(ROOT)}:{line}: {room} imports {other}")
    assert not wrong


def test_every_room_has_a_layer():
    """A new room must be placed in the order."""
    rooms = {room_of(path) for path in FILES} - {"__init__", "data"}
    assert rooms <= set(LEVEL)


HEAVY = ("numpy", "scipy", "sympy", "pandas", "matplotlib", "z3", "pyarrow")


@pytest.mark.parametrize(
    "code",
    [
        "import boundcheck; boundcheck.__version__; dir(boundcheck)",
        "from boundcheck.cli.app import run; assert run(['--help']) == 0",
        "from boundcheck.cli.app import run; assert run(['--version']) == 0",
    ],
)
def test_importing_and_help_cost_nothing(code):
    """Import, --help and --version load none of the heavy libraries."""
    probe = f"{code}; import sys; print('LOADED', *[m for m in {HEAVY!r} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "LOADED"


def public_without_docstring(tree):
    """Yield names of public modules' classes, functions and methods that have no docstring."""
    if not ast.get_docstring(tree):
        yield "module"
    todo = [(tree, "")]
    while todo:
        parent, prefix = todo.pop()
        for node in parent.body:
            if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name.startswith("_"):
                continue
            if not ast.get_docstring(node):
                yield prefix + node.name
            if isinstance(node, ast.ClassDef):
                todo.append((node, f"{prefix}{node.name}."))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_source_file_is_documented_and_short(path):
    """Every public name has a docstring, no file is above 500 lines, none has leftovers or absolute paths."""
    text = path.read_text()
    assert list(public_without_docstring(TREES[path])) == []
    assert len(text.splitlines()) <= 500
    leftovers = r"\b(TODO|FIXME|XXX)\b|[\"'(= ](/tmp|/work|/home|/root|/usr)/|\bbreakpoint\(|^\s*print\(.*#"
    assert not re.search(leftovers, text, flags=re.MULTILINE)


@pytest.mark.parametrize("name", boundcheck.__all__)
def test_public_names_resolve(name):
    """Every public name is importable from the top, is listed and is documented."""
    found = getattr(boundcheck, name)
    assert name in dir(boundcheck)
    assert name.startswith("__") or found.__doc__


def test_public_names_keep_their_meaning_after_imports():
    """Importing rooms does not replace a public function by a module of the same name."""
    code = (
        "import boundcheck, boundcheck.evidence, boundcheck.problems, boundcheck.cli.app, boundcheck.sweep;"
        "assert all(callable(getattr(boundcheck, n)) for n in ('check', 'certify', 'prove', 'simulate'))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ})


def test_unknown_public_name_is_an_attribute_error():
    """A name that is not public is refused as Python does."""
    with pytest.raises(AttributeError, match="has no attribute 'chek'"):
        boundcheck.chek  # noqa: B018


def test_version_is_the_one_to_cite():
    """CITATION.cff names the version of the package."""
    version = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), flags=re.MULTILINE)
    assert version
    assert version[1] == boundcheck.__version__


def test_every_page_of_the_docs_is_linked():
    """Every page is linked from docs/index.md, or from the README where there is no index."""
    index, readme = ROOT / "docs" / "index.md", ROOT / "README.md"
    pages = sorted(p.name for p in (ROOT / "docs").glob("*.md") if p != index)
    text = index.read_text() if index.is_file() else readme.read_text()
    if not re.search(r"\]\([^)]*\.md\)", text):
        pytest.skip("no page lists the documentation yet")
    assert [name for name in pages if not re.search(rf"\]\((docs/)?{re.escape(name)}[)#]", text)] == []


def test_links_between_pages_lead_somewhere():
    """A relative link in the documentation names an existing file."""
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    for page in pages:
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} -> {target}"


def test_errors_travel_between_processes():
    """An unknown name raised in a worker arrives whole."""
    import pickle

    from boundcheck.errors import InputError, UnknownNameError

    error = pickle.loads(pickle.dumps(UnknownNameError("bound", "x", {"xy": 1, "z": 2})))
    assert isinstance(error, InputError)
    assert str(error) == "unknown bound 'x'; did you mean xy?"
