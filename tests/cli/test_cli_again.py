"""A report that is asked for again is the file that was written, and is written anew when anything changes."""

import json

import pytest
from cli_calls import called

from boundcheck.report import again

pytest.importorskip("boundcheck.report", exc_type=ImportError)


@pytest.fixture
def report(capsys, tmp_path, monkeypatch):
    """Return what writes a report without runs and claims, and gives its bytes and whether they were kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)

    def written(*options, recipe="ledger"):
        code, _, err = called(capsys, "report", recipe, "-o", "one.pdf", "--store", "store", "--no-claims", *options)
        assert code == 0, err
        return (tmp_path / "one.pdf").read_bytes(), "as before" in err

    return written


def test_it_is_kept_and_the_same(report, tmp_path):
    """The second file is the first, whatever became of that one."""
    first, kept = report()
    assert first.startswith(b"%PDF")
    assert not kept
    (tmp_path / "one.pdf").unlink()
    assert report() == (first, True)


@pytest.mark.parametrize("change", ["result", "source", "library", "damage", "smaller", "glossary"])
def test_it_is_written_anew_when_anything_changes(report, tmp_path, monkeypatch, change):
    """A result, the source, a library, the kept file, the options and the glossary."""
    report()
    options = []
    if change == "result":
        (tmp_path / "store").mkdir(exist_ok=True)
        (tmp_path / "store" / "new.npz").write_bytes(b"a result")
    elif change == "source":
        monkeypatch.setattr(again, "package_hash", lambda: "another")
    elif change == "library":
        monkeypatch.setattr(again, "versions", lambda names: {"numpy": "0"})
    elif change == "smaller":
        options = ["--quick"]
    elif change == "glossary":
        monkeypatch.setattr(again, "folder", lambda kind: tmp_path)
        (tmp_path / "glossary.md").write_text("other words")
    else:
        (path,) = (tmp_path / "cache" / "boundcheck" / "reports").rglob("*.json")
        entry = json.loads(path.read_bytes())
        path.write_text(json.dumps(entry | {"data": entry["data"][4:]}))
    assert not report(*options)[1]
    assert report(*options)[1]


def test_what_is_not_legal_is_refused_though_the_file_is_kept(report, capsys):
    """Options are looked at before the file is."""
    report()
    given = ("report", "ledger", "-o", "one.pdf", "--store", "store", "--no-claims", "--workers", "0")
    code, _, err = called(capsys, *given)
    assert code == 2
    assert "workers" in err


def test_a_recipe_of_ones_own_is_never_kept(report, tmp_path):
    """It may name files that change."""
    (tmp_path / "own.toml").write_text('title = "Own"\nledger = "refuted"\n')
    for _ in range(2):
        assert not report(recipe="own.toml")[1]
