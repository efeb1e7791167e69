"""Cards that ship as data say what the source says now, and a first `show` of a theorem computes nothing."""

import json
import subprocess
import sys

import pytest
from cli_calls import called
from turns import every

from boundcheck.bounds import BOUNDS
from boundcheck.cli import bound_cards, prepare, prepared
from boundcheck.cli.card_data import as_written
from boundcheck.cli.cards import cards
from boundcheck.cli.output import plain

SOME = (
    "momentum-fl.theorem19-proof",
    "fedglomo.corollary1",
    "fedlalr.theorem2",
    "gradma.lemma2",
    "fmgda.corollary1R-rate",
    "field.marina",
)
NAMES = prepare.names("bounds")


def test_every_bound_ships():
    """All that are found by name, and no other; a claim where it has the name of one."""
    for kind in ("bounds", "claims"):
        assert prepare.names(kind)
        assert all(kind in prepared.shipped(name) for name in prepare.names(kind))
    papers = {name.partition(".")[0] for name in NAMES}
    inside = [json.loads(prepared.places(paper)[0].read_text(encoding="utf-8")) for paper in papers]
    assert sum(len(paper["bounds"]) for paper in inside) == len(NAMES) == len([*BOUNDS, *BOUNDS.further])
    assert sum(len(paper["claims"]) for paper in inside) == len(prepare.names("claims"))


@pytest.mark.parametrize("kind", ["bounds", "claims"])
def test_the_shipped_cards_are_made_from_this_source(kind):
    """Write them again with ``make catalogue``: until then every `show` makes them, which takes long."""
    assert json.loads(prepared.SOURCES.read_text(encoding="utf-8"))[kind]["files"] == prepare.sources(kind)
    assert prepared.current(kind)


def test_the_shipped_cards_are_as_they_were_made():
    """No file was edited by hand, or merged from two states: ``make catalogue`` makes them anew."""
    assert prepare.intact()
    written = json.loads(prepared.SOURCES.read_text(encoding="utf-8"))["written"]["files"]
    assert {prepared.FOLDER / name for name in written} | {prepared.SOURCES} == set(prepared.FOLDER.iterdir())


@pytest.mark.parametrize("name", every(3, NAMES, first=1))
def test_what_is_shipped_of_a_theorem_is_what_it_says(name, monkeypatch):
    """Of all bounds, what is read off or derived at once; at the example see below."""
    monkeypatch.setattr("boundcheck.cli.analysis.analysed", lambda bound, N: {})
    said, shipped = plain(bound_cards.facts(name, prepared.N)), as_written(prepared.shipped(name)["bounds"])
    assert {key: shipped[key] for key in said} == said


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n not in SOME)) for n in NAMES])
def test_a_shipped_card_is_the_one_that_is_made(name):
    """With its formulas typeset, in JSON, so that not a character that is printed differs."""
    made = json.dumps(prepare.made("bounds", name), ensure_ascii=False)
    assert made == json.dumps(prepared.shipped(name)["bounds"], ensure_ascii=False)


def test_the_claims_are_those_that_are_decided():
    """All of them, decided again."""
    assert {n: prepare.made("claims", n) for n in prepare.names("claims")} == {
        n: prepared.shipped(n)["claims"] for n in prepare.names("claims")
    }


@pytest.mark.parametrize(
    ("names", "there"),
    [
        (("momentum-fl.theorem11", "fmgda.theorem1R", "fedglomo.theorem1", "fedlalr.theorem1"), []),
        (("fedavg", "ridge-ratio"), ["numpy"]),
    ],
)
def test_a_first_show_builds_nothing(names, there, tmp_path, monkeypatch):
    """As text and as JSON, nothing kept: of theorems not even numpy is there, of methods and problems no sympy."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    code = (
        "import sys; from boundcheck.cli.app import run; "
        f"assert not any(run(['show', name, *form]) for name in {names} for form in ((), ('--json',)));"
        "print([m for m in ('sympy', 'scipy', 'numpy') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == f"{there}\n"
    assert all(f" {name}: " in done.stdout for name in names)


def test_shown_is_what_is_made(capsys, monkeypatch):
    """The same card with its status, from either; an edited source makes it anew."""
    name = "gradma.lemma2"
    shown = called(capsys, "show", name), called(capsys, "show", name, "--json")
    asked = []
    monkeypatch.setattr(prepared, "current", lambda kind: asked.append(kind))
    assert prepared.prepared(name, prepared.N) is None
    assert (called(capsys, "show", name), called(capsys, "show", name, "--json")) == shown
    assert asked
    assert json.loads(shown[1][1]) == [plain(card) for card in cards(name, prepared.N)]


def test_a_changed_file_is_seen(monkeypatch, tmp_path):
    """A byte more in any file, one that is gone, or a damaged list of them."""
    real, (*_, last) = prepared.source, prepare.sources("bounds")
    longer = tmp_path / "longer"
    longer.write_bytes(real(last).read_bytes() + b"\n")
    for instead in (longer, tmp_path / "gone"):
        monkeypatch.setattr(prepared, "source", lambda name, to=instead: to if name == last else real(name))
        assert not prepared.current("bounds")
        assert "bounds" in prepared.stale()
    monkeypatch.undo()
    assert prepared.current("bounds")
    assert not prepared.stale()
    (tmp_path / "sources.json").write_text("<<<<<<<", encoding="utf-8")
    monkeypatch.setattr(prepared, "SOURCES", tmp_path / "sources.json")
    assert not prepared.current("bounds")


def test_other_clients_and_other_names_are_made(monkeypatch):
    """What ships is one example, and knows nothing of installed packages."""
    assert prepared.prepared("fmgda.theorem1", prepared.N + 1) is None
    assert prepared.prepared("fedavg", prepared.N) is None
    assert prepared.prepared("fmgda.theorem", prepared.N) is None
    assert prepared.prepared("fmgda.theorem1", prepared.N) is not None
    monkeypatch.setattr(prepared, "anything_installed", lambda: True)
    assert prepared.prepared("fmgda.theorem1", prepared.N) is None


def test_writing_again_changes_nothing(monkeypatch, tmp_path):
    """The files are what is written of their own content: drawings are shared, and none is left over."""
    there = {path.name: path.read_bytes() for path in prepared.FOLDER.iterdir()}
    places = {paper: prepared.places(paper) for paper in {name.partition(".")[0] for name in NAMES}}
    monkeypatch.setattr(prepare, "intact", lambda: True)
    monkeypatch.setattr(prepare, "FOLDER", tmp_path)
    monkeypatch.setattr(prepare, "places", lambda paper: tuple(tmp_path / path.name for path in places[paper]))
    monkeypatch.setattr(prepare, "SOURCES", tmp_path / "sources.json")
    prepare.write()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == there
