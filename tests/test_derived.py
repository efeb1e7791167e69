"""The table of derived files: what is stale is said, and nothing generated is needed by a unit test."""

import ast
import json
from pathlib import Path

import pytest

from boundcheck.derived import table
from boundcheck.derived.__main__ import main
from boundcheck.derived.table import DERIVED, Derived, find_stale, make
from boundcheck.errors import UnknownNameError

ROOT = Path(__file__).parents[1]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a checkout with one source, from which one file is made."""
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "number.txt").write_text("2")
    double = "from pathlib import Path; Path('double.txt').write_text(str(2 * int(Path('number.txt').read_text())))"
    row = Derived("double", "twice the number", ("double.txt",), ("-c", double), ("*.txt",))
    for name, value in {"ROOT": tmp_path, "RECORD": tmp_path / "record.json", "DERIVED": (row,)}.items():
        monkeypatch.setattr(table, name, value)
    return tmp_path


def test_a_changed_source_makes_a_file_stale(folder):
    """Made once it is current; another number, a missing file and a lost record are each a reason of its own."""
    assert [row.name for row in find_stale()] == ["double"]
    make()
    assert (folder / "double.txt").read_text() == "4"
    assert find_stale() == []
    (folder / "number.txt").write_text("3")
    assert [row.name for row in find_stale()] == ["double"]
    make()
    assert ((folder / "double.txt").read_text(), find_stale()) == ("6", [])
    (folder / "double.txt").unlink()
    assert [row.name for row in find_stale()] == ["double"]
    make()
    (folder / "record.json").unlink()
    assert [row.name for row in find_stale()] == ["double"]


def test_the_command_says_what_is_stale_and_makes_it(folder, capsys):
    """Exit 1 while something is stale, 0 when nothing is, 2 for a name that no row has."""
    assert main(["--stale"]) == 1
    assert "double: older than its sources (make derived, seconds): twice the number" in capsys.readouterr().out
    assert main([]) == 0
    assert main(["--stale"]) == 0
    assert main(["treble"]) == 2
    assert "unknown derived file 'treble'" in capsys.readouterr().err


def test_a_command_that_fails_records_nothing(folder, monkeypatch):
    """What could not be made stays stale."""
    broken = Derived("broken", "nothing", ("none.txt",), ("-c", "raise SystemExit(3)"), ("*.txt",))
    monkeypatch.setattr(table, "DERIVED", (broken,))
    with pytest.raises(table.subprocess.CalledProcessError):
        make(["broken"])
    assert not (folder / "record.json").exists()
    with pytest.raises(UnknownNameError, match="derived file"):
        find_stale(["nothing"])


def test_every_row_names_files_and_sources_that_are_there():
    """Patterns that match nothing would be current for ever."""
    for row in DERIVED:
        for pattern in (*row.files, *row.sources):
            assert any(ROOT.glob(pattern)), (row.name, pattern)
    assert len({row.name for row in DERIVED}) == len(DERIVED)


def test_the_record_is_of_these_rows():
    """Rows that went leave no line behind."""
    assert set(json.loads(table.RECORD.read_text(encoding="utf-8"))) <= {row.name for row in DERIVED}


def test_what_checks_derived_files_is_marked():
    """Unit tests leave out the tests that a stale file fails: each of these compares one with what makes it."""
    marked = {
        node.name
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(one) == "pytest.mark.derived" for one in node.decorator_list)
    }
    assert marked >= {
        "test_the_shipped_facts_are_those_of_the_source",
        "test_the_shipped_file_is_what_its_evidence_gives",
        "test_files_and_generator_are_in_step",
        "test_gallery_is_that_of_the_findings",
    }


def test_no_row_reads_what_a_later_one_makes():
    """Went wrong: a page was made from the status of before, and was stale as soon as the status was made."""
    for n, row in enumerate(DERIVED):
        later = {path for other in DERIVED[n + 1 :] for path in table._paths(other.files)}
        own = {*table._paths(row.files), table.RECORD}
        assert not (set(table._paths(row.sources)) - own) & later, row.name


def test_rows_are_made_in_the_order_of_the_table():
    """Whatever the order in which they are asked for."""
    names = [row.name for row in DERIVED]
    assert [row.name for row in table._rows(["refuted", "status"])] == ["status", "refuted"]
    assert [row.name for row in table._rows(())] == names
