"""A violation at a step that the theorem does not prescribe says so; with `rigid=True` there is none."""

from pathlib import Path

import pytest
from cli_calls import called

TEXT = (Path(__file__).parents[2] / "boundcheck" / "skeletons" / "theorem.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("rigid", [False, True])
def test_steps_that_are_not_prescribed_are_told(rigid, tmp_path, monkeypatch, capsys):
    """2 Delta/(eta T) holds at eta = 1/L; at eta = 2/L gradient descent on a parabola comes no nearer."""
    text = TEXT.replace("2 * L * Delta / T", "2 * Delta / (eta * T)")
    text = text.replace(
        'sigma, Delta = symbols("N S K T b L sigma Delta")',
        'sigma, Delta, eta = symbols("N S K T b L sigma Delta eta")',
    )
    text = text if rigid else text.replace("    rigid=True,\n", "")
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(text, encoding="utf-8")
    code, out, _ = called(capsys, "refute", "mine.py:THEOREM", "--work", 20000)
    assert code == (0 if rigid else 1)
    assert ("prescribes another eta" in " ".join(out.split())) is not rigid
