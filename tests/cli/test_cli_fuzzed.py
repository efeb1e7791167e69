"""Inputs of every kind, mutated: no traceback, no internal error, no hang, no code that nobody allowed."""

import json
import sys

import pytest
from cli_calls import called
from fuzzed_files import FILE_KINDS
from fuzzed_inputs import LINES, REQUESTS, ask_request
from fuzzing import KINDS, fuzz
from turns import case_of

FEW = {
    "proof object": 20,
    "certificates": 30,
    "latex": 15,
    "stated": 10,
    "graph": 4,
    "recipe": 12,
    "problem": 4,
    "rates": 1,
    "command line": 30,
    "settings": 12,
    "request": 25,
    "store": 20,
    "cache": 3,
}
"""Cases of a kind that are asked each time; of the others one or two take seconds."""
MANY = 600
ENDED = {
    "recipe": {2},
    "certificates": {0, 1},
    "stated": {2},
    "latex": {0, 2},
    "graph": {2},
    "proof object": {1},
    "command line": {2},
    "settings": {0, 2},
    "request": {0, 2},
    "store": {0},
    "cache": {0},
}
"""Codes that have to come up among the few: the mutations reach what they are meant to."""
pytestmark = [
    pytest.mark.usefixtures("letters_forgotten"),
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(sys.platform == "win32", reason="a timer of the process"),
]


@pytest.mark.parametrize(
    ("name", "cases"),
    [
        *((name, cases) for name, cases in FEW.items()),
        *(pytest.param(name, MANY, marks=pytest.mark.slow, id=f"{name}-many") for name in KINDS),
    ],
)
def test_no_input_ends_in_a_traceback(name, cases, tmp_path, monkeypatch):
    """Codes 0, 1, 2 and 5, at least one line for 2, at most a minute and 4 GB, nothing run that only data name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found, codes = fuzz(name, cases, seed=20)
    assert found == []
    assert ENDED.get(name, set()) <= codes.keys()


@pytest.mark.parametrize("name", [name for name in FILE_KINDS if name != "proof object"])
def test_what_is_mutated_is_legal(name, tmp_path, monkeypatch, capsys):
    """The control: the first text of a kind ends with 0 in the first command that reads it."""
    if name in {"review", "rates"}:
        pytest.skip("takes long; asked by tests of their own")
    monkeypatch.chdir(tmp_path)
    kind = KINDS[name]
    made = f"legal_{name.replace(' ', '_')}.py" if kind.runs_code else kind.name
    (tmp_path / made).write_text(kind.texts()[0], encoding="utf-8")
    code, _, err = called(capsys, *kind.commands[0].replace("it.py", made).split())
    assert code == 0, err


@pytest.mark.parametrize("line", [case_of(line, slow=k > 2) for k, line in enumerate(LINES)])
def test_command_lines_that_are_mutated_are_legal(line, tmp_path, monkeypatch, capsys):
    """The control: each ends with 0 as it stands."""
    monkeypatch.chdir(tmp_path)
    KINDS["settings"].beside()
    code, _, err = called(capsys, *line.split(" "))
    assert code == 0, err


@pytest.mark.parametrize("request_", REQUESTS[:-1], ids=lambda one: one[0])
def test_requests_that_are_mutated_are_legal(request_, capsys):
    assert ask_request("", json.dumps(request_)) == 0, capsys.readouterr().err


def test_a_store_that_is_believed_would_be_noticed(tmp_path, monkeypatch):
    """The control: with numbers that nothing checks, damaged ones are found."""
    from boundcheck.sweep.cells import store

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(store, "_digest", lambda header, columns: "the same")
    monkeypatch.setattr(store, "_compare", lambda header, wanted: None)
    found, _ = fuzz("store", 40, seed=5)
    assert {one.what for one in found} == {"ended with a damaged store was believed"}
