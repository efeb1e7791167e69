"""Recipes and problem files choose, they do not run: no string in them is code."""

import pytest
from cli_calls import called

RECIPE = """
title = "TITLE"
text = "TEXT"
[[study]]
id = "ID"
title = "t"
problem = "PROBLEM"
bounds = ["BOUND"]
parameters = { link = "LINK" }
N = [2]
K = [1]
T = [2]
fit = ["T"]
script = "SCRIPT"
[[study.compare]]
method = "METHOD"
label = "LABEL"
hyper = { eta = "ETA" }
"""
PAGE = """
title = "TITLE"
family = "FAMILY"
purpose = "PURPOSE"
paper = "PAPER"
[parameters]
link = "LINK"
d = "D"
"""
LEGAL = {
    "PROBLEM": "ridge-ratio",
    "BOUND": "momentum-fl.theorem11",
    "LINK": "ratio",
    "METHOD": "fedavg",
    '"ETA"': "0.1",
    "FAMILY": "ridge",
    '"D"': "2",
}
CODE = ["__import__('pathlib').Path('it-ran').touch()", "evil.py:run", "evil:run", "$(touch it-ran)", "`touch it-ran`"]
FIELDS = ["TITLE", "TEXT", "ID", "PROBLEM", "BOUND", "LINK", "SCRIPT", "METHOD", "LABEL", "ETA"]


@pytest.mark.parametrize("code", CODE)
@pytest.mark.parametrize(
    ("text", "fields"), [(RECIPE, FIELDS), (PAGE, ["TITLE", "FAMILY", "PURPOSE", "PAPER", "LINK", "D"])]
)
def test_no_string_is_run(code, text, fields, tmp_path, monkeypatch, capsys):
    """Code in any place is text there, or refused in a line; what it names is neither imported nor called."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "evil.py").write_text("from pathlib import Path\nPath('it-ran').touch()\nrun = None\n")
    for field in fields:
        page = text.replace(field, code)
        for name, value in LEGAL.items():
            page = page.replace(name, value)
        (tmp_path / "it.toml").write_text(page)
        command = "sweep it.toml --store st --workers 1" if text is RECIPE else "show it.toml"
        exit_code, _, err = called(capsys, *command.split())
        assert exit_code in {0, 2}, err
        assert not (tmp_path / "it-ran").exists(), field
