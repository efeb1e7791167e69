"""Recipes and problem files choose, they do not run: no string in them is code."""

import pytest
from cli_calls import called
from turns import case_of

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


STATED = (
    "given(eta=1)\nf = function(L=1)\nx = point()\ny = x - eta*grad(f, x)\nassume(|y|^2 <= 1)\nmaximise(|x - y|^2)\n"
)
WORST_CODE = [
    "__import__('pathlib').Path('it-ran').touch()",
    "evil.run()",
    "(lambda: evil)()",
    "f.__class__.__base__.__subclasses__()",
    "open('it-ran', 'w')",
    "exec('import evil')",
    "[].append(evil)",
    "f.problem.name",
]


@pytest.mark.parametrize("apart", [3, case_of(1, slow=True)])
@pytest.mark.parametrize("code", WORST_CODE)
def test_no_line_of_a_stated_worst_case_is_run(code, apart, tmp_path, monkeypatch, capsys):
    """Its lines look like Python and are read by a reader of its own, which knows its own words alone."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "evil.py").write_text("from pathlib import Path\nPath('it-ran').touch()\n\ndef run():\n    pass\n")
    lines = STATED.splitlines()
    for place in range(0, len(lines) + 1, apart):
        for line in (code, f"z = {code}", f"import evil\n{code}", f"@{code}\ndef g():\n    pass"):
            (tmp_path / "it.worst").write_text("\n".join([*lines[:place], line, *lines[place:]]))
            exit_code, _, err = called(capsys, "worst", "it.worst")
            assert exit_code == 2
            assert "it.worst, line" in err
            assert not (tmp_path / "it-ran").exists()
    (tmp_path / "it.worst").write_text(STATED.replace("eta=1", f"eta={code}"))
    assert called(capsys, "worst", "it.worst")[0] == 2
    assert not (tmp_path / "it-ran").exists()


@pytest.mark.parametrize("code", [*CODE, r"\input{/etc/passwd}", r"\immediate\write18{touch it-ran}"])
def test_no_printed_line_is_run(code, tmp_path, monkeypatch, capsys):
    """What a .tex file or --latex says becomes text in a skeleton at most, in which nothing but the formula is code."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "evil.py").write_text("from pathlib import Path\nPath('it-ran').touch()\nrun = None\n")
    for number, line in enumerate((rf"E f(x_T) \le {code}", rf"{code} \le \Delta", rf"E f(x_T) \le \Delta + {code}/T")):
        (tmp_path / "it.tex").write_text(line)
        for given in (line, "it.tex"):
            name = f"made{number}{given == line}.py"
            exit_code, _, err = called(capsys, "new", "theorem", name, "--latex", given)
            assert exit_code in {0, 2}, err
            if exit_code == 0:
                called(capsys, "show", f"{name}:THEOREM")
            assert not (tmp_path / "it-ran").exists()


def test_the_stated_worst_case_is_legal(tmp_path, monkeypatch, capsys):
    """What is refused above is refused for the line that was put in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "it.worst").write_text(STATED)
    code, _, err = called(capsys, "worst", "it.worst")
    assert code in {0, 2}
    assert "line" not in err
