"""What files and folders of others can do through what is shown: nothing; terminals, spreadsheets, LaTeX, Python."""

import csv
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cli_calls import called

from boundcheck.bounds import BOUNDS
from boundcheck.cli.terminal.output import note, print_card, print_json, print_table, say
from boundcheck.files.display import brief, printable
from boundcheck.sweep.results.table import quote_formula, write_table

ROOT = Path(__file__).parents[2]
EVIL = "\x1b[2J\x9b31m\x07\r\u202egnp\u2028\u200b\ufeff\xad"
"""Clears a screen, colours it, rings, goes back, turns the direction, ends a line, is not seen."""


def obeyed(text: str) -> set[str]:
    """Return the characters of a text that are commands to a terminal."""
    return {c for c in text if c in EVIL and not c.isprintable()}


def test_texts_are_spelled_where_they_are_printed(capsys):
    """Each function that prints, with the text in every argument."""
    print_table(EVIL, ("a", "b"), [[EVIL, EVIL]])
    print_card(EVIL, {EVIL: EVIL})
    print_json({EVIL: EVIL})
    say(EVIL)
    note(EVIL)
    out, err = capsys.readouterr()
    assert obeyed(out) == set()
    assert obeyed(err) == set()
    assert r"\x1b[2J\x9b31m\x07\x0d\u202e" in out
    assert json.JSONDecoder().raw_decode(out[out.index("{") :])[0]["results"] == [{EVIL: EVIL}]


def test_a_name_stays_on_its_line(capsys):
    """A line that a name makes up could say anything; a text may have lines."""
    forged = "a\nproved: everything"
    print_table(forged, ("claim",), [[forged]])
    print_card(forged, {forged: "text"})
    note(forged)
    out, err = capsys.readouterr()
    assert not [line for line in (out + err).splitlines() if line.strip().startswith("proved")]
    assert printable("two\nlines") == "two\nlines"


RECIPE = r"""
title = "EVIL"
text = "EVIL"
[[study]]
id = "EVIL"
title = "EVIL"
problem = "ridge-ratio"
bounds = ["momentum-fl.theorem11"]
N = [2]
K = [1]
T = [2]
[[study.compare]]
method = "fedavg"
label = "EVIL"
hyper = { eta = 0.1 }
[[experiment]]
id = "EVIL"
title = "EVIL"
problems = ["ridge-ratio"]
N = [2]
K = [1]
T = [2]
tuning = 1
replicates = 2
widen = 0
[[experiment.entrant]]
method = "fedavg"
label = "EVIL"
hyper = { eta = 0.1 }
[[assertion]]
id = "EVIL"
paper = "fmgda"
lines = "EVIL"
title = "EVIL"
says = "EVIL"
ask = [{ kind = "below", experiment = "EVIL", of = ["EVIL"], level = 1.0 }]
"""


def test_an_object_shows_its_texts_spelled():
    """On the line of a Python session and in the table of a notebook, where a tag is text, too."""
    evil = "a\x1b[31m\u202eb<img src=x onerror=1>"
    for title in (evil, "plain"):
        bound = replace(BOUNDS["momentum-fl.theorem11"], id=title, title=title, where=title)
        for shown in (repr(bound), bound._repr_html_(), brief("Bound", {"": title, "title": [title]})):
            assert obeyed(shown) == set()
        assert "<img" not in bound._repr_html_()
    assert "\\x1b[31m\\u202eb" in repr(replace(bound, id=evil))


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Return a folder of cells that are computed once."""
    return tmp_path_factory.mktemp("cells")


@pytest.mark.xdist_group("told safely")
@pytest.mark.parametrize("options", [(), ("--dry-run",), ("--json",), ("--workers", "0")])
def test_what_a_recipe_calls_itself_is_not_obeyed(options, store, tmp_path, monkeypatch, capsys):
    """Titles, ids and labels of a recipe, in tables, in JSON and in an error; the name of its file as well."""
    monkeypatch.chdir(tmp_path)
    spelled = r"\u001b[2J\u009b31m\u0007\r\u202egnp"
    file = "a\x1b[2J\x9b31m.toml"
    Path(file).write_text(RECIPE.replace("EVIL", spelled))
    code, out, err = called(capsys, "sweep", file, "--store", store, *options)
    assert code == (2 if "0" in options else 0), err
    assert obeyed(out + err) == set()


def test_texts_of_a_table_are_no_formulas(tmp_path):
    """A spreadsheet runs what begins so; numbers, negative ones too, and words are as they were."""
    import pandas as pd

    texts = ["=1+1", "+cmd", "-2+3", "@SUM(A1)", " =1", "\t=1", "-1.5e-3", "-inf", "holds", "", None]
    frame = pd.DataFrame({"text": texts, "number": [-1.5] * len(texts), "=head": [True] * len(texts)})
    write_table(frame, tmp_path / "a.csv")
    rows = list(csv.reader((tmp_path / "a.csv").read_text().splitlines()))
    assert rows[0] == ["text", "number", "'=head"]
    assert [row[0] for row in rows[1:]] == [
        *("'=1+1", "'+cmd", "'-2+3", "'@SUM(A1)", "' =1", "'\t=1"),
        *("-1.5e-3", "-inf", "holds", "", ""),
    ]
    assert {row[1] for row in rows[1:]} == {"-1.5"}
    write_table(frame, tmp_path / "a.parquet")
    assert pd.read_parquet(tmp_path / "a.parquet")["text"].tolist()[:-1] == texts[:-1]
    assert quote_formula(-1.5) == -1.5


def test_a_label_is_no_formula_in_a_file(tmp_path, monkeypatch, capsys):
    """The way from a recipe to the file of curves."""
    monkeypatch.chdir(tmp_path)
    Path("a.toml").write_text(RECIPE.replace("EVIL", "=1+1"))
    assert called(capsys, "sweep", "a.toml", "--store", "st", "--curves", "c.csv", "--scores", "e.csv")[0] == 0
    for name in ("c.csv", "e.csv"):
        text = Path(name).read_text()
        assert "'=1+1" in text
        assert ",=1+1" not in text
        assert not text.startswith("=")


LATEX = "text.usetex: True\nfont.size: 40\nsavefig.facecolor: red\n"


def test_a_matplotlibrc_is_not_believed(tmp_path):
    """It turned LaTeX on, which runs what a label asks for: neither that of the folder nor the one that is named."""
    folder, named = tmp_path / "folder", tmp_path / "named"
    folder.mkdir()
    (folder / "matplotlibrc").write_text(LATEX + "no.such.key: 1\n")
    named.write_text(LATEX)
    command = [sys.executable, "-P", "-m", "boundcheck", "show", "ridge-ratio", "--plot", "a.svg"]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "MATPLOTLIBRC": str(named)}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    drawn = (folder / "a.svg").read_text()
    assert "fill: #ffffff" in drawn
    assert "#ff0000" not in drawn


def test_a_matplotlibrc_in_the_folder_is_not_read(tmp_path):
    """What matplotlib reads it obeys: its parameters are those that it has elsewhere."""
    (tmp_path / "matplotlibrc").write_text(LATEX)
    probe = "import boundcheck.report.plots.figures, matplotlib; print(matplotlib.rcParams['text.usetex'])"
    other = "import matplotlib; print(matplotlib.rcParams['text.usetex'])"
    answers = [
        subprocess.run(
            [sys.executable, "-c", text],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for text in (probe, other)
    ]
    assert answers == ["False", "True"]


@pytest.mark.parametrize("name", ["boundcheck", "json", "numpy"])
def test_with_safe_path_no_module_of_the_folder_runs(name, tmp_path):
    """The way that the page on trust names, for names of the package, of the standard library and of others."""
    (tmp_path / f"{name}.py").write_text("from pathlib import Path\nPath('it-ran').touch()\n")
    command = [sys.executable, "-P", "-m", "boundcheck", "list", "papers"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "it-ran").exists()


def test_the_command_takes_the_current_folder_off_the_path(tmp_path):
    """Started from a program that has it there, as ``python -c`` has, no module beside the user's files runs."""
    (tmp_path / "numpy.py").write_text("from pathlib import Path\nPath('it-ran').touch()\n")
    probe = (
        "from boundcheck.cli import main; main(['run', 'ridge-ratio', 'fedavg', '--N', '2', '--K', '1', '--T', '2'])"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", probe]
    subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert not (tmp_path / "it-ran").exists()
