"""A violation at a step that the theorem does not prescribe says so in every command."""

from pathlib import Path

import pytest
from cli_calls import called

TEXT = (Path(__file__).parents[2] / "boundcheck" / "skeletons" / "theorem.py").read_text(encoding="utf-8")
SAID = "violated at other parameters than the prescribed ones (eta = 2, not 1)"


def written(folder, *, rigid=False, half=False):
    """2 Delta/(eta T) holds at eta = 1/L; at eta = 2/L gradient descent on a parabola comes no nearer."""
    gap = "Delta / (2 * eta * T)" if half else "2 * Delta / (eta * T)"
    text = TEXT.replace("2 * L * Delta / T", gap)
    text = text.replace(
        'sigma, Delta = symbols("N S K T b L sigma Delta")',
        'sigma, Delta, eta = symbols("N S K T b L sigma Delta eta")',
    )
    text = text if rigid else text.replace("    rigid=True,\n", "")
    (folder / "mine.py").write_text(text, encoding="utf-8")


def said(capsys, *command):
    code, out, _ = called(capsys, *command)
    return code, " ".join(out.split())


@pytest.mark.parametrize("rigid", [False, True])
def test_steps_that_are_not_prescribed_are_named(rigid, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, rigid=rigid)
    code, out = said(capsys, "refute", "mine.py:THEOREM", "--work", 20000)
    assert code == (0 if rigid else 1)
    assert (SAID in out) is not rigid
    assert ("says rigid=True" in out) is not rigid


def test_a_review_and_a_check_say_the_same(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    written(tmp_path)
    code, out = said(capsys, "review", "mine.py:THEOREM", "--work", 20000, "--fail-on", "false as printed")
    assert code == 0
    assert out.startswith("✗ false at other parameters")
    assert SAID in out
    at = ("stress-parabola", "--N", 1, "--K", 1, "--T", 4)
    assert SAID in said(capsys, "check", "mine.py:THEOREM", *at, "--set", "eta=2")[1]
    assert "holds: " in said(capsys, "check", "mine.py:THEOREM", *at)[1]


def test_the_prescribed_step_comes_first(tmp_path, monkeypatch, capsys):
    """A theorem that is false at its own step is false as printed, though larger steps are worse."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path, half=True)
    _, out = said(capsys, "review", "mine.py:THEOREM", "--work", 20000)
    assert out.startswith("✗ false as printed")
    assert "at other parameters" not in out
