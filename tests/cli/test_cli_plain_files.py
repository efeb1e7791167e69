"""Every kind of file that a command reads is a plain one of modest size; what else stands there is refused at once."""

import os
import re
import sys

import pytest
from cli_calls import called

KINDS = {
    "a recipe": ("it.toml", "sweep it.toml --dry-run"),
    "a problem": ("it.toml", "show it.toml"),
    "claims": ("it.toml", "prove it.toml"),
    "a proof": ("it.toml", "verify it.toml"),
    "certificates": ("it.json", "verify it.json"),
    "a stated worst case": ("it.worst", "worst it.worst"),
    "code": ("it.py", "show it.py:X"),
    "LaTeX": ("it.tex", "new theorem made.py --latex it.tex"),
    "rates": ("it.json", "rate --check it.json"),
}


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices with names")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", ["pipe", "device", "large", "folder", "no text"])
def test_what_is_no_plain_text_is_refused(kind, what, tmp_path, monkeypatch, capsys):
    """A pipe waits for ever and /dev/zero fills the memory: neither is opened.  A stated worst case was, to 22 GB."""
    monkeypatch.chdir(tmp_path)
    name, command = KINDS[kind]
    path = tmp_path / name
    if what == "pipe":
        os.mkfifo(path)
    elif what == "device":
        path.symlink_to("/dev/zero")
    elif what == "large":
        # All of it is legal where length is not asked: comments, and spaces.
        path.write_text("# x\n" * 250_001 if kind != "certificates" else " " * 20_000_001)
    elif what == "folder":
        path.mkdir()
    else:
        path.write_bytes(bytes(range(256)))
    if kind == "a proof":
        path.with_suffix(".json").write_text("{}")
    code, out, err = called(capsys, *command.split())
    refused = code == 1 if command.startswith("verify") else code == 2
    assert refused or (kind == "a proof" and code == 2), (code, out, err)
    assert "it." in out + err or what == "folder"
    assert what != "large" or re.search(r"at most 1000000 bytes|more than 20000000 bytes", out + err)
    assert len(out + err) < 1000
    assert (out + err).count("\n") <= 1


STATED = {
    "for i in range(10^12):\n    x = 1": "line 1: range = '1000000000000 numbers'",
    "x = 3\nfor i in range(60):\n    x = x * x": "line 3: a number = ",
    "x = 3^1000\ny = x^1000": "line 2: power = 'a number of 1585000 bits'",
    "given(a=-1e308)": "line 1: a = -1e+308",
    "x = 1e40^(-1000)": "bits",
    "maximise(" + "-" * 100_000 + "1)": "p.worst",
    "maximise(" + "1+" * 100_000 + "1)": "p.worst",
    "a\0b": "p.worst",
}


@pytest.mark.parametrize("text", STATED, ids=range(len(STATED)))
def test_a_stated_worst_case_asks_for_no_endless_work(text, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.worst").write_text(text)
    code, _, err = called(capsys, "worst", "p.worst")
    assert code == 2
    assert STATED[text] in err
    assert err.count("\n") == 1
    assert len(err) < 400


def test_products_beyond_a_solver_are_named(tmp_path, monkeypatch, capsys):
    """It was an OverflowError of a fraction."""
    monkeypatch.chdir(tmp_path)
    lines = ["x = vector()", "y = x - 1e40*x", "y = 1e45*(1e45*(1e45*(1e45*y)))"]
    lines += ["y = 1e45*(1e45*(1e45*(1e45*y)))", "assume(|x|^2 <= 1)", "maximise(|y|^2)"]
    (tmp_path / "p.worst").write_text("\n".join(lines))
    code, _, err = called(capsys, "worst", "p.worst")
    assert (code, err.count("\n")) == (2, 1)
    assert "products beyond 1e308" in err


def test_a_recipes_whole_numbers_are_numbers(tmp_path, monkeypatch, capsys):
    """A step of 400 digits was an OverflowError."""
    monkeypatch.chdir(tmp_path)
    recipe = """title = "t"
[[experiment]]
id = "e"
title = "e"
problems = ["ridge-ratio"]
N = [2]
K = [1]
T = [4]
[[experiment.entrant]]
method = "fedavg"
hyper = { eta = [STEP] }
"""
    for step, legal in (("9" * 400, False), ("1", True)):
        (tmp_path / "r.toml").write_text(recipe.replace("STEP", step))
        code, _, err = called(capsys, "sweep", "r.toml", "--dry-run", "--store", "st")
        assert code == (0 if legal else 2), err
    (tmp_path / "r.toml").write_text(recipe.replace("STEP", "9" * 400))
    code, _, err = called(capsys, "sweep", "r.toml", "--dry-run", "--store", "st")
    assert (code, err.count("\n")) == (2, 1)
    assert "experiment e: entrant[0]: hyper: eta[0] = 9999" in err
    assert err.endswith("at most 2^53\n")
