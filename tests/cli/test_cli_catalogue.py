"""Facts that ship as data are those of the source, and a list that reads them imports no library that computes."""

import subprocess
import sys

import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.forms import forms_of
from boundcheck.cli.cards import catalogue
from boundcheck.report.theorems import theorem_of


@pytest.mark.derived
def test_the_shipped_facts_are_those_of_the_source():
    """Write them again with ``make derived``."""
    assert catalogue.SHIPPED.read_text(encoding="utf-8") == catalogue.catalogue_text()


def test_a_first_list_builds_nothing(tmp_path, monkeypatch):
    """Nothing is kept, and no list of any kind needs theorems or arrays."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    code = (
        "import sys; from boundcheck.cli.app import run;"
        f"assert not any(run(['list', kind]) for kind in {list(catalogue.LISTINGS)});"
        "print([m for m in ('sympy', 'scipy', 'pandas') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
    assert all(kind in done.stdout for kind in catalogue.LISTINGS)


def test_entries_are_made_where_an_installed_package_adds_some(monkeypatch):
    """What is shipped knows nothing of it."""
    monkeypatch.setattr(catalogue, "anything_installed", lambda: True)
    monkeypatch.setattr(catalogue, "BUILT", {"bounds": lambda: [{"id": "theirs"}]})
    assert catalogue.entries("bounds") == [{"id": "theirs"}]
    monkeypatch.undo()
    assert "theirs" not in [entry["id"] for entry in catalogue.entries("bounds")]


@pytest.mark.derived
def test_the_shipped_bounds_are_the_registered_ones():
    """In their order."""
    assert [entry["id"] for entry in catalogue.entries("bounds")] == list(BOUNDS)


def test_forms_are_found_by_their_names():
    """Without building a theorem they are those of the theorem."""
    assert {name: forms_of(name) for name in BOUNDS} == {name: list(theorem_of(name).forms) for name in BOUNDS}
