"""Facts that ship as data are those of the source, and a list that reads them imports no library that computes."""

import subprocess
import sys

import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.forms import forms_of
from boundcheck.cli import catalogue
from boundcheck.report.theorems import theorem_of


def test_the_shipped_facts_are_those_of_the_source():
    """Write them again with ``make catalogue``."""
    assert catalogue.SHIPPED.read_text(encoding="utf-8") == catalogue.made()


@pytest.mark.parametrize("kind", catalogue.LISTINGS)
def test_a_first_list_builds_nothing(kind, tmp_path, monkeypatch):
    """Nothing is kept, and neither theorems nor arrays are needed."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    code = (
        f"import sys; from boundcheck.cli.app import run; assert run(['list', {kind!r}]) == 0;"
        "print([m for m in ('sympy', 'scipy', 'pandas') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
    assert kind in done.stdout


def test_entries_are_made_where_an_installed_package_adds_some(monkeypatch):
    """What is shipped knows nothing of it."""
    monkeypatch.setattr(catalogue, "anything_installed", lambda: True)
    monkeypatch.setattr(catalogue, "BUILT", {"bounds": lambda: [{"id": "theirs"}]})
    assert catalogue.entries("bounds") == [{"id": "theirs"}]
    monkeypatch.undo()
    assert [entry["id"] for entry in catalogue.entries("bounds")] == list(BOUNDS)


def test_forms_are_found_by_their_names():
    """Without building a theorem they are those of the theorem."""
    assert {name: forms_of(name) for name in BOUNDS} == {name: list(theorem_of(name).forms) for name in BOUNDS}
