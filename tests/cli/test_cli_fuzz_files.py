"""Files of every kind, mutated: no traceback, no internal error, no hang, no code that nobody allowed."""

import sys

import pytest
from cli_calls import called
from fuzzing import KINDS, fuzz

FEW = {"proof object": 20, "certificates": 30, "latex": 15, "stated": 10, "graph": 4, "recipe": 8, "rates": 1}
"""Cases of a kind that are asked each time; of the others one or two take seconds."""
MANY = 600
ENDED = {
    "recipe": {2},
    "certificates": {0, 1},
    "stated": {2},
    "latex": {0, 2},
    "graph": {2},
    "proof object": {1},
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
def test_no_file_ends_in_a_traceback(name, cases, tmp_path, monkeypatch):
    """Codes 0, 1, 2 and 5, at least one line for 2, at most a minute and 4 GB, nothing run that only data name."""
    monkeypatch.chdir(tmp_path)
    found, codes = fuzz(name, cases, seed=20)
    assert found == []
    assert ENDED.get(name, set()) <= codes.keys()


@pytest.mark.parametrize("name", [name for name in KINDS if name != "proof object"])
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
