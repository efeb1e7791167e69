"""What is printed is text: markup, control characters and poor terminals do no harm."""

import json
import os
import subprocess
import sys

import pytest
from cli_calls import called

from boundcheck.cli import app as app_module
from boundcheck.cli.terminal.output import MarkupText, print_card, print_table
from boundcheck.errors import LostWorkerError

RECIPE = """
title = "t"
[[study]]
id = "[/] [red]\\u001b[31m\\u009b31m"
title = "s"
problem = "quadratic-tilt"
bounds = ["momentum-fl.theorem19"]
N = [2]
K = [1]
T = [2]
"""


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_markup_and_escapes_in_names_are_text(options, tmp_path, capsys):
    """A study called "[/]" was a MarkupError, and an ESC in it reached the terminal."""
    (tmp_path / "r.toml").write_text(RECIPE)
    code, out, err = called(capsys, "sweep", tmp_path / "r.toml", "--store", tmp_path / "st", "--workers", 1, *options)
    assert code == 0, err
    assert "[/] [red]" in out
    assert not {"\x1b", "\x9b"} & {*out, *err}
    if options:
        assert json.loads(out)["results"][0]["study"] == "[/] [red]\x1b[31m\x9b31m"


def test_errors_show_no_control_characters(capsys):
    """A name with ESC is spelled in the message."""
    code, _, err = called(capsys, "show", "\x1b[31mred")
    assert code == 2
    assert "\x1b" not in err
    assert len(err.splitlines()) == 1


def test_no_word_between_colons_is_a_picture(capsys):
    """The title of `mine.py:x: mine` was printed with a red cross."""
    print_card("mine.py:x: mine", {":x: key": "at :warning: T"})
    print_table("of mine.py:x: mine", [":x: head"], [[":x: cell"]])
    out = capsys.readouterr().out
    for text in ("mine.py:x: mine", ":x: key", ":warning:", ":x: head", ":x: cell"):
        assert text in out


def test_only_our_own_marks_are_markup(capsys):
    """Cells and cards print brackets as they stand; marked cells are coloured, not printed."""
    print_table("[t]", ["a", "b"], [["[/]", MarkupText("[green]✓ holds[/]")]])
    print_card("[/x]", {"[k]": "[red]v"})
    out = capsys.readouterr().out
    for text in ("[t]", "[/]", "✓ holds", "[/x]", "[k]", "[red]v"):
        assert text in out
    assert "[green]" not in out


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_ascii_output_is_no_error(options):
    """Where the terminal cannot show a letter there is a question mark; JSON has escapes instead."""
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "boundcheck", "list", "papers", *options]
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode("ascii")
    if options:
        utf8 = subprocess.run(
            command, capture_output=True, env={**environment, "PYTHONIOENCODING": "utf-8"}, check=True
        )
        assert json.loads(done.stdout) == json.loads(utf8.stdout)


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (LostWorkerError(), 4, "a worker process ended without an answer"),
        (ZeroDivisionError("division by zero"), 3, "internal error, please report it: ZeroDivisionError"),
        (MemoryError(), 2, "not enough memory"),
        (RecursionError("x\ny"), 3, "RecursionError: x y"),
    ],
)
def test_every_error_is_one_line_with_its_code(error, code, words, monkeypatch, capsys):
    """Anything that is raised ends in one line; 1 is left to verdicts that were asked for."""

    def raising(*args, **kwargs):
        raise error

    monkeypatch.setattr(app_module, "app", raising)
    found, out, err = called(capsys, "list", "bounds")
    assert (found, out) == (code, "")
    assert words in err
    assert len(err.splitlines()) == 1
    monkeypatch.setenv("BOUNDCHECK_TRACEBACK", "1")
    with pytest.raises(type(error)):
        app_module.run([])


def test_a_table_in_a_pipe_is_that_of_a_wide_terminal(capsys, monkeypatch):
    """Words, order, gaps and cells of several lines are the same, though rich does not lay it out."""
    rows = [["a", MarkupText("[green]yes[/]"), "one\ntwo"], ["a longer name", "", "[b] as it stands"], ["", "", ""]]
    monkeypatch.delenv("COLUMNS", raising=False)
    print_table("3 things", ("id", "a head that is long", "more"), rows)
    piped = capsys.readouterr().out
    monkeypatch.setattr("boundcheck.cli.terminal.output._plain_lines", None)
    monkeypatch.setenv("COLUMNS", "300")
    print_table("3 things", ("id", "a head that is long", "more"), rows)
    assert piped == capsys.readouterr().out
