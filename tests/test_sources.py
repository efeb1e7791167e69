"""The hash of sources changes with every byte and every name, and with nothing else."""

import importlib
import sys

import numpy as np
import pytest

from boundcheck.errors import InputError
from boundcheck.files import sources
from boundcheck.files.sources import package_hash, source_hash, versions


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Make a package with one module below it and a file of data, importable under the name ``little``."""
    folder = tmp_path / "little"
    (folder / "inner").mkdir(parents=True)
    for name, text in {"__init__.py": "", "a.py": "x = 1\n", "inner/__init__.py": "y = 2\n", "b.txt": "data"}.items():
        (folder / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "little"]:
        del sys.modules[name]


def test_order_repetition_and_bytecode_do_not_matter(package):
    """The hash is one of a set of files; what the interpreter leaves beside them is not among these."""
    before = source_hash(["little.a", "little.inner"])
    (package / "__pycache__").mkdir(exist_ok=True)
    (package / "__pycache__" / "a.pyc").write_text("left over")
    assert source_hash(["little.inner", "little.a", "little.a"]) == before
    assert source_hash(["little"]) == source_hash(["little", "little.a"]) != before


@pytest.mark.parametrize("name", ["a.py", "inner/__init__.py", "b.txt"])
def test_every_file_below_a_package_counts(package, name):
    """A byte more in code or data is another hash, and so is another name of the same file."""
    before = source_hash(["little"])
    path = package / name
    path.write_text(path.read_text() + " ")
    changed = source_hash(["little"])
    path.rename(path.with_name("other" + path.suffix)) if name != "inner/__init__.py" else path.write_text("")
    assert len({before, changed, source_hash(["little"])}) == 3


def test_bytes_cannot_move_between_files(package):
    """Two files hold together what two others hold, cut elsewhere: another hash."""
    (package / "a.py").write_text("12")
    (package / "b.txt").write_text("3")
    before = source_hash(["little"])
    (package / "a.py").write_text("1")
    (package / "b.txt").write_text("23")
    assert source_hash(["little"]) != before


def test_only_the_named_modules_count(package):
    """What is beside a module leaves its hash alone."""
    before = source_hash(["little.a"])
    (package / "b.txt").write_text("other")
    assert source_hash(["little.a"]) == before


@pytest.mark.parametrize("name", ["little.missing", "no_such_package", "sys", ""])
def test_a_module_without_source_is_refused_by_name(package, name):
    """A wrong name, and a module of the interpreter itself, are named."""
    with pytest.raises(InputError, match=f"modules: {name!r} is not legal"):
        source_hash([name])


def test_recipes_count_and_built_samples_do_not(tmp_path, monkeypatch):
    """The hash of boundcheck covers the recipes' folder, but nothing in the folders below it."""
    kinds = {kind: tmp_path / kind for kind in sources.SHIPPED}
    for folder in kinds.values():
        (folder / "sample").mkdir(parents=True)
    monkeypatch.setattr(sources, "folder", kinds.__getitem__)
    hashes = [package_hash.__wrapped__()]
    (kinds["reports"] / "sample" / "overview.pdf").write_text("built")
    hashes.append(package_hash.__wrapped__())
    (kinds["reports"] / "overview.toml").write_text("title = 'x'")
    hashes.append(package_hash.__wrapped__())
    assert hashes[0] == hashes[1] != hashes[2]


def test_the_record_of_derived_files_does_not_count(tmp_path, monkeypatch):
    """The sample names the source it was made of, and the row that says so is written after it."""
    files = {f"boundcheck/derived/{name}": tmp_path / name for name in ("record.json", "table.py")}
    monkeypatch.setattr(sources, "SHIPPED", ())
    monkeypatch.setattr(sources, "_files", lambda name: dict(files))
    hashes = []
    for changed in ("table.py", "record.json", "table.py"):
        for path in files.values():
            path.touch()
        (tmp_path / changed).write_text(f"{len(hashes)}")
        hashes.append(package_hash.__wrapped__())
    assert hashes[0] == hashes[1] != hashes[2]


def test_versions_name_what_is_installed():
    """Python first, then the packages that are there."""
    found = versions(["numpy", "no-such-package"])
    assert list(found) == ["python", "numpy"]
    assert found["numpy"] == np.__version__


def test_a_package_that_needs_what_is_not_installed_has_its_files(tmp_path, monkeypatch):
    """Its modules are found without importing it: an extra that is missing changes no hash of what is there."""
    package = tmp_path / "wanting"
    package.mkdir()
    (package / "__init__.py").write_text("import not_installed_anywhere\n")
    (package / "inside.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    before = source_hash(["wanting.inside"])
    (package / "inside.py").write_text("x = 2\n")
    assert source_hash(["wanting.inside"]) != before
    with pytest.raises(InputError, match="nowhere_at_all"):
        source_hash(["nowhere_at_all.inside"])
