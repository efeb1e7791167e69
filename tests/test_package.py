"""The package as a whole: imports go one way, importing costs nothing, everything public is documented."""

import ast
import functools
import graphlib
import importlib
import inspect
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from together import together

import boundcheck

pytestmark = pytest.mark.xdist_group("package")
"""Every file is parsed once."""

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "boundcheck"
FILES = sorted(PACKAGE.rglob("*.py"))

LAYERS = (
    {"__main__"},
    {"boundcheck"},
    {"cli", "pytest_plugin", "derived"},
    {"agents"},
    {"api"},
    {"testing", "reviews", "skeletons"},
    {"report"},
    {"sweep"},
    {"rates"},
    {"evidence", "conform"},
    {"engine", "worst"},
    {"methods"},
    {"proofs"},
    {"problems", "bounds"},
    {"notation", "metrics"},
    {"findings", "verdicts"},
    {"glossary"},
    {"workers"},
    {"files"},
    {"limits", "adapters"},
    {"errors", "version"},
)
"""From top to bottom: a package imports from itself and lower layers, and none from another of its own layer."""
LEVEL = {part: level for level, layer in enumerate(LAYERS) for part in layer}
NEVER = {"methods": {"problems", "bounds", "proofs", "engine"}}
"""Methods see an oracle: they may not import what lies below them either, at run time or for types."""


def module_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_of(path): path for path in FILES}


def room_of(module):
    """Return the package or file below `boundcheck` that a module belongs to; `boundcheck` itself is one, too."""
    return (module.split(".")[1:] or ["boundcheck"])[0]


def statements(node):
    """Yield every statement below a node, those inside of others included; expressions are left out."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, name, ()):
            yield inner
            yield from statements(inner)


def imports(tree):
    """Yield (module of boundcheck, line) of every import, those for type checking and inside functions included.

    A public name of `boundcheck` itself is an import of `boundcheck`, which is above nearly everything.
    """
    for node in statements(tree):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in MODULES else node.module for name in whole]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        yield from ((name, node.lineno) for name in dict.fromkeys(names) if name.split(".")[0] == "boundcheck")


@functools.cache
def tree_of(path):
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text())


@functools.cache
def all_imports():
    """Return what each module imports."""
    return {module: list(imports(tree_of(path))) for module, path in MODULES.items()}


def test_imports_go_one_way():
    """No module imports from a layer above its own, nor from a neighbour of its layer, even for types."""
    wrong = []
    for module, found in all_imports().items():
        own = room_of(module)
        for name, line in found:
            other = room_of(name)
            assert other in LEVEL, f"{module}:{line}: no layer for {other}"
            down = LEVEL[other] > LEVEL[own]
            if other != own and (not down or other in NEVER.get(own, ())):
                wrong.append(f"{module}:{line}: {own} imports {other}")
    assert not wrong


def test_every_package_has_a_layer():
    """A new package must be placed in the order."""
    assert {room_of(module) for module in MODULES} <= {*LEVEL, "data"}


def test_imports_close_no_circle():
    """No two modules need each other, even for types or inside a function."""
    graph = {module: {name for name, _ in found if name != module} for module, found in all_imports().items()}
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        pytest.fail("modules that import each other: " + " -> ".join(reversed(error.args[1])))


def inner_room(module, folder):
    """Return the sub-room or file of a folder that a module is in; None for others and for the folder's `__init__`."""
    path = MODULES[module]
    inside = path.is_relative_to(folder) and path != folder / "__init__.py"
    return path.relative_to(folder).parts[0] if inside else None


@pytest.mark.parametrize("folder", sorted({path.parent for path in FILES} - {PACKAGE}), ids=lambda path: path.name)
def test_rooms_of_a_room_import_one_way(folder):
    """Sub-rooms of a room, and the files beside them, close no circle either."""
    graph = {}
    for module, found in all_imports().items():
        inside = {inner_room(name, folder) for name, _ in found if name in MODULES} - {None}
        if own := inner_room(module, folder):
            graph.setdefault(own, set()).update(inside - {own})
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        pytest.fail(f"rooms of {folder.name} that need each other: " + " -> ".join(reversed(error.args[1])))


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


def test_a_claim_with_certificates_needs_no_optimiser(tmp_path):
    """The checker reads certificates with sympy alone: no linear programmes, no solver's process, no evidence."""
    probe = (
        "from boundcheck.cli.app import run; assert run(['prove', 'fmgda.lemma3-split']) == 0; import sys;"
        "print('LOADED', *[m for m in ('scipy', 'boundcheck.evidence', 'pandas') if m in sys.modules])"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.splitlines()[-1] == "LOADED"


def overrides_documented(module, name):
    """Return whether a name such as ``Class.method`` overrides a documented member of a base class of boundcheck."""
    *outer, member = name.split(".")
    owner = functools.reduce(getattr, outer, importlib.import_module(module))
    bases = inspect.getmro(owner)[1:] if inspect.isclass(owner) else ()
    found = [vars(base).get(member) for base in bases if base.__module__.startswith("boundcheck.")]
    # A value has a docstring too, that of its class.
    return any((inspect.isroutine(f) or inspect.isdatadescriptor(f)) and f.__doc__ for f in found)


def public_without_docstring(path):
    """Yield a module's public classes, functions and methods that no docstring explains, their own or a base's."""
    tree, module = tree_of(path), module_of(path)
    if not ast.get_docstring(tree):
        yield "module"
    todo = [(tree, "")]
    while todo:
        parent, prefix = todo.pop()
        for node in parent.body:
            if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name.startswith("_"):
                continue
            # The function that follows its overloads explains them.
            if any(isinstance(one, ast.Name) and one.id == "overload" for one in node.decorator_list):
                continue
            if not ast.get_docstring(node) and not overrides_documented(module, prefix + node.name):
                yield prefix + node.name
            if isinstance(node, ast.ClassDef):
                todo.append((node, f"{prefix}{node.name}."))


def test_a_base_explains_the_methods_that_override_it():
    """A docstring is found on a base class of boundcheck, for methods and properties, and for nothing that is new."""
    module = "boundcheck.problems.synthetic.ridge"
    assert overrides_documented(module, "Ridge.value")
    assert not overrides_documented(module, "Ridge.absent")
    assert not overrides_documented(module, "Ridge")


@together(FILES)
def test_a_source_file_is_documented(path):
    """Public names are explained, and no file has leftovers or absolute paths; length follows the thought.

    A method that overrides a documented one is explained by its base.
    """
    text = path.read_text()
    assert list(public_without_docstring(path)) == []
    leftovers = r"\b(TODO|FIXME|XXX)\b|[\"'(= ](/tmp|/work|/home|/root|/usr)/|\bbreakpoint\(|^\s*print\(.*#"
    assert not re.search(leftovers, text, flags=re.MULTILINE)


@pytest.mark.parametrize("name", boundcheck.__all__)
def test_public_names_resolve(name):
    """Every public name is importable from the top, is listed and is documented."""
    found = getattr(boundcheck, name)
    assert name in dir(boundcheck)
    assert name.startswith("__") or found.__doc__


def test_a_package_that_shares_the_name_of_a_function_is_callable():
    """Importing a module puts it in the place of the function of its name: called, it is that function."""
    modules = {name.split(".")[1] for name in MODULES if "." in name}
    shared = [name for name in boundcheck.__all__ if name in modules]
    assert {"worst", "conform", "findings", "bounds", "report", "sweep"} == set(shared)
    for name in shared:
        found = getattr(boundcheck, name)
        assert found is importlib.import_module(f"boundcheck.{name}")
        assert inspect.ismodule(found)
        assert list(inspect.signature(found).parameters) == list(inspect.signature(found.__wrapped__).parameters)
    assert [one.id for one in boundcheck.findings("momentum-fl-e1")] == ["momentum-fl-e1"]


@pytest.mark.slow
def test_public_names_keep_their_meaning_after_imports():
    """Importing packages does not replace a public function by a module of the same name."""
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


def test_no_page_asks_for_an_extra_that_holds_nothing():
    """Went wrong: help and pages said that the HTML page and the data sets need an extra, long after they did not."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    empty = [name for name, needs in extras.items() if not needs]
    assert empty
    asked = re.compile(rf"extra `?({'|'.join(empty)})`?\b")
    texts = [*FILES, *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    assert [str(path) for path in texts if asked.search(path.read_text(encoding="utf-8"))] == []
